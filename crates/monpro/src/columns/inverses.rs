//! number⁻¹ mod modulus.

use super::operation::{Batch, Call, Computation, Cost, Operation, Sizes};
use super::status::Status;
use crate::inverse::inverse;
use crate::modulus::Modulus;
use crate::residue::Residue;
use alloc::boxed::Box;
use alloc::vec::Vec;
use zeroize::Zeroizing;

const NUMBER: usize = 0;
const MODULUS: usize = 1;

/// The operation; its only value is [`INVERSE`].
pub struct Inverse(());

/// number⁻¹ mod modulus, for any modulus ≥ 1, odd or even. Public are the widths of rows, the bit lengths of moduli, the
/// largest k for which 2^k divides a modulus, and which numbers have an inverse. The time depends on nothing else.
pub static INVERSE: Inverse = Inverse(());

impl Operation for Inverse {
    fn operands(&self) -> usize {
        2
    }

    fn public_length(&self) -> Option<usize> {
        Some(MODULUS)
    }

    fn prepare<'a>(&'a self, call: &'a Call) -> Box<dyn Computation + 'a> {
        let modulus = call.constants[MODULUS].as_ref().and_then(|n| Modulus::new(&n.words).ok());
        Box::new(Prepared { modulus })
    }
}

struct Prepared {
    /// The constant modulus, if it is odd.
    modulus: Option<Modulus>,
}

impl Computation for Prepared {
    fn cost(&self, sizes: &Sizes<'_>) -> Result<Cost, Status> {
        let &[number, modulus] = sizes.0 else { unreachable!("an inverse has two operands") };
        let words = modulus.max(number).div_ceil(64) as u64;
        match modulus {
            0 => Err(Status::ZeroModulus),
            _ => Ok(Cost { products: 64 * words * (words + 1) + 64, result_bits: modulus }),
        }
    }

    fn compute(&self, batch: &Batch<'_>) -> Vec<Result<Zeroizing<Vec<u64>>, Status>> {
        let together = self.modulus.as_ref().and_then(|modulus| together(modulus, batch));
        together.unwrap_or_else(|| {
            (0..batch.len()).map(|i| single(batch.number(NUMBER, i), batch.number(MODULUS, i))).collect()
        })
    }
}

fn single(x: &[u64], n: &[u64]) -> Result<Zeroizing<Vec<u64>>, Status> {
    let inverse = inverse(x, n).map_err(|_| Status::ZeroModulus)?;
    inverse.map(Zeroizing::new).ok_or(Status::NotInvertible)
}

/// The inverses modulo one odd modulus by a single one, of the product of all, and three products for each number
/// (Montgomery, "Speeding the Pollard and elliptic curve methods of factorization", 1987, §10.3.1). None if a number has no
/// inverse: then the product has none.
fn together(n: &Modulus, batch: &Batch<'_>) -> Option<Vec<Result<Zeroizing<Vec<u64>>, Status>>> {
    let mut scratch = n.scratch();
    let numbers: Vec<Residue> = (0..batch.len()).map(|i| n.residue(batch.number(NUMBER, i))).collect();
    let mut products = Vec::with_capacity(numbers.len());
    let mut product = n.one();
    for number in &numbers {
        products.push(product.clone());
        product.mul_assign(number, &mut scratch);
    }
    let inverse = inverse(&Zeroizing::new(product.to_number()), n.number()).ok()??;
    let mut rest = n.residue(&Zeroizing::new(inverse));
    let mut inverses = Vec::with_capacity(numbers.len());
    for (mut before, number) in products.into_iter().zip(&numbers).rev() {
        before.mul_assign(&rest, &mut scratch);
        rest.mul_assign(number, &mut scratch);
        inverses.push(Ok(Zeroizing::new(before.to_number())));
    }
    inverses.reverse();
    Some(inverses)
}

#[cfg(test)]
mod tests {
    use super::super::operation::{Number, Operand};
    use super::*;
    use alloc::vec;

    #[test]
    fn inverses_are_computed_together_if_every_number_has_one() {
        let modulus = Number { words: Zeroizing::new(vec![101]), bits: 7 };
        let call = Call { constants: vec![None, Some(modulus)], most_bits: vec![8, 7], rows: 4 };
        let of = |octets: &[u8]| {
            let operands = vec![Operand::new(octets, &vec![1; octets.len()]), Operand::default()];
            let batch = Batch { call: &call, rows: (0..octets.len()).collect(), operands };
            let inverses = together(&Modulus::new(&[101]).unwrap(), &batch)?;
            Some(inverses.into_iter().map(|inverse| inverse.unwrap()[0]).collect::<Vec<u64>>())
        };
        // 2·51 = 3·34 = 102 = 101 + 1, 100 is −1, and 103 is 2.
        assert_eq!(of(&[1, 2, 3, 100, 103]), Some(vec![1, 51, 34, 100, 51]));
        assert_eq!(of(&[]), Some(vec![]));
        assert_eq!(of(&[2, 0, 3]), None);
        assert_eq!(of(&[2, 3, 101]), None);
    }
}
