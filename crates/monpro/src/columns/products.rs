//! base·factor mod modulus.

use super::operation::{Batch, Call, Computation, Cost, Operation, Sizes};
use super::status::Status;
use crate::modulus::Modulus;
use crate::monoid::Monoid;
use crate::natural;
use crate::power_of_two::PowerOfTwo;
use alloc::boxed::Box;
use alloc::vec::Vec;
use zeroize::Zeroizing;

const BASE: usize = 0;
const FACTOR: usize = 1;
const MODULUS: usize = 2;

/// The operation; its only value is [`PRODUCT`].
pub struct Product(());

/// base·factor mod modulus, for any modulus ≥ 1, odd or even. Public are the widths of rows, the bit lengths of constants and
/// of moduli, and the largest k for which 2^k divides a modulus. The time depends on nothing else.
pub static PRODUCT: Product = Product(());

impl Operation for Product {
    fn operands(&self) -> usize {
        3
    }

    fn public_length(&self) -> Option<usize> {
        Some(MODULUS)
    }

    fn prepare<'a>(&'a self, call: &'a Call) -> Box<dyn Computation + 'a> {
        let modulus = call.constants[MODULUS].as_ref().and_then(|n| Composed::new(&n.words));
        Box::new(Prepared { modulus })
    }
}

struct Prepared {
    /// The constant modulus.
    modulus: Option<Composed>,
}

impl Computation for Prepared {
    fn cost(&self, sizes: &Sizes<'_>) -> Result<Cost, Status> {
        let &[base, factor, modulus] = sizes.0 else { unreachable!("a product has three operands") };
        let [operands, words] = [base + factor, modulus].map(|bits| bits.div_ceil(64) as u64);
        let constants = if self.modulus.is_some() { 8 } else { 64 };
        match modulus {
            0 => Err(Status::ZeroModulus),
            _ => Ok(Cost { products: words * (2 * operands + constants * words) + 64, result_bits: modulus }),
        }
    }

    fn compute(&self, batch: &Batch<'_>) -> Vec<Result<Zeroizing<Vec<u64>>, Status>> {
        let product = |i| {
            let [x, y, n] = [BASE, FACTOR, MODULUS].map(|operand| batch.number(operand, i));
            match &self.modulus {
                Some(modulus) => Ok(modulus.product(x, y)),
                None => Composed::new(n).map(|modulus| modulus.product(x, y)).ok_or(Status::ZeroModulus),
            }
        };
        (0..batch.len()).map(product).collect()
    }
}

/// n = 2^k·m for an odd m.
struct Composed {
    m: Modulus,
    two_to_k: Option<PowerOfTwo>,
    words: usize,
}

impl Composed {
    /// None for n = 0.
    fn new(n: &[u64]) -> Option<Composed> {
        let bits = natural::bit_length(n);
        if bits == 0 {
            return None;
        }
        let k = natural::trailing_zeros(n);
        let m = Modulus::new(&Zeroizing::new(natural::shift_right(n, k))).ok()?;
        Some(Composed { m, two_to_k: (k > 0).then(|| PowerOfTwo::new(k)), words: bits.div_ceil(64) })
    }

    /// x·y mod n, by Garner's formula from the products modulo m and modulo 2^k.
    fn product(&self, x: &[u64], y: &[u64]) -> Zeroizing<Vec<u64>> {
        let modulo_m = Zeroizing::new((&self.m.residue(x) * &self.m.residue(y)).to_number());
        let Some(two_to_k) = &self.two_to_k else { return modulo_m };
        let mut low = two_to_k.one();
        two_to_k.mul(&mut low, &two_to_k.reduce(x), &two_to_k.reduce(y), &mut two_to_k.scratch());
        Zeroizing::new(two_to_k.recombine(&low, &modulo_m, self.m.number(), self.words))
    }
}
