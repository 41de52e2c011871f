//! The irreducible polynomials n of the race.

use crate::operands::{Numbers, Operands};
use num_bigint::BigUint;

pub const DEGREES: [usize; 7] = [163, 233, 283, 409, 571, 1024, 2048];
pub const DENSE: &str = "dense";
pub const SPARSE: &str = "sparse";

/// A polynomial of degree k with about k/2 terms. Its coefficients are the first numbers of the generator,
/// except the 16 lowest, which are the least that make it irreducible.
pub fn dense(k: usize) -> Operands {
    let low: u16 = match k {
        163 => 139,
        233 => 5,
        283 => 399,
        409 => 301,
        571 => 165,
        1024 => 1011,
        2048 => 1093,
        _ => unreachable!("{k} is not among the degrees"),
    };
    let random = Numbers::new(k).next();
    let n = (BigUint::from(1u8) << k) + ((random >> 16u32) << 16u32) + low;
    operands(k, DENSE, n)
}

/// The trinomial or pentanomial of FIPS 186-4 (up to 571), else the first in the order of their exponents.
pub fn sparse(k: usize) -> Operands {
    let exponents: &[usize] = match k {
        163 => &[7, 6, 3],
        233 => &[74],
        283 => &[12, 7, 5],
        409 => &[87],
        571 => &[10, 5, 2],
        1024 => &[19, 6, 1],
        2048 => &[19, 14, 13],
        _ => unreachable!("{k} is not among the degrees"),
    };
    let ends = BigUint::from(1u8) | BigUint::from(1u8) << k;
    let n = exponents.iter().fold(ends, |n, &exponent| n | BigUint::from(1u8) << exponent);
    operands(k, SPARSE, n)
}

fn operands(k: usize, shape: &'static str, n: BigUint) -> Operands {
    let mut numbers = Numbers::new(k);
    numbers.next();
    let (x, y) = (numbers.next(), numbers.next());
    let e = numbers.next() | BigUint::from(1u8) << (k - 1);
    Operands { bits: k, shape: Some(shape.to_owned()), n, x, y, e }
}
