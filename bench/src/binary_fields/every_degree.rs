//! Random fields of every small degree, with random elements, to compare values and not for a race.

use super::{INVERSE, moduli};
use crate::operands::{Numbers, Operands};
use monpro::BinaryField;
use num_bigint::BigUint;
use std::ops::RangeInclusive;

pub const DEGREES: RangeInclusive<usize> = 2..=200;

/// For degree k, two polynomials with random coefficients, one of five random terms and, if there is one, one
/// of three; each with its own elements. The same at every call.
pub fn operands(k: usize) -> Vec<Operands> {
    let mut numbers = Numbers::new(k);
    let mut polynomials =
        vec![(moduli::DENSE, dense(k, &mut numbers)), (moduli::DENSE, dense(k, &mut numbers))];
    if k >= 4 {
        polynomials.push((moduli::SPARSE, pentanomial(k, &mut numbers)));
    }
    polynomials.extend(trinomial(k).map(|n| (moduli::SPARSE, n)));
    polynomials.into_iter().map(|(shape, n)| with_elements(k, shape, n, &mut numbers)).collect()
}

fn dense(k: usize, numbers: &mut Numbers) -> BigUint {
    let mut candidates = std::iter::repeat_with(|| numbers.next() | of_terms(k, &[]));
    candidates.find(is_irreducible).expect("there is one of every degree")
}

fn pentanomial(k: usize, numbers: &mut Numbers) -> BigUint {
    let mut exponent = || usize::try_from(numbers.next() % (k - 1)).expect("it is below k") + 1;
    let mut candidates = std::iter::repeat_with(|| of_terms(k, &[exponent(), exponent(), exponent()]));
    let found = candidates.find(|n| n.count_ones() == 5 && is_irreducible(n));
    found.expect("there is one of every degree in use")
}

fn trinomial(k: usize) -> Option<BigUint> {
    (1..k).map(|exponent| of_terms(k, &[exponent])).find(is_irreducible)
}

/// x^k + 1 and the terms between them.
fn of_terms(k: usize, exponents: &[usize]) -> BigUint {
    exponents.iter().chain([&0, &k]).fold(BigUint::ZERO, |n, &exponent| n | BigUint::from(1u8) << exponent)
}

/// As monpro decides it. If that were wrong, inverses would differ from the oracle's, which are powers to 2^k
/// − 2.
fn is_irreducible(n: &BigUint) -> bool {
    BinaryField::new(&n.to_u64_digits()).is_ok()
}

/// Random x, y and e for which the chain of inverses does not reach 0 at once, as it may in so small a field.
fn with_elements(k: usize, shape: &'static str, n: BigUint, numbers: &mut Numbers) -> Operands {
    loop {
        let (x, y) = (numbers.next(), numbers.next());
        let e = numbers.next() | BigUint::from(1u8) << (k - 1);
        let operands = Operands { bits: k, shape: Some(shape.to_owned()), n: n.clone(), x, y, e };
        let [first, second, _] = INVERSE.answers(&operands);
        if [&operands.x, &first, &second].iter().all(|&z| *z != BigUint::ZERO) {
            return operands;
        }
    }
}
