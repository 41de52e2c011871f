//! Greatest common divisors and inverses by Euclid's algorithm, in a time that depends on the numbers.

use crate::convert::to_big;
use monpro::Residue;
use monpro::cancellation::checkpoint;
use monpro::ring::RingName;
use num_bigint::{BigInt, BigUint, Sign};
use num_integer::Integer as _;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use zeroize::Zeroizing;

/// The greatest common divisor g ≥ 0 of a and b, with s and t for which g = a·s + b·t.
pub(crate) struct ExtendedGcd {
    pub(crate) g: BigInt,
    pub(crate) s: BigInt,
    pub(crate) t: BigInt,
}

/// The greatest common divisor with its factors. If neither number is 0 or a multiple of the other, |s| ≤ |b|/2g and
/// |t| ≤ |a|/2g.
pub(crate) fn extended_gcd(a: &BigInt, b: &BigInt) -> ExtendedGcd {
    let (g, s) = gcd_and_factor(a, b);
    // a·s + b·t = g
    let t = if *b == BigInt::ZERO { BigInt::ZERO } else { (&g - a * &s) / b };
    ExtendedGcd { g, s, t }
}

/// The greatest common divisor ≥ 0.
pub(crate) fn gcd(a: &BigInt, b: &BigInt) -> BigInt {
    let (mut a, mut b) = (a.magnitude().clone(), b.magnitude().clone());
    while b != BigUint::ZERO {
        checkpoint();
        (a, b) = (b.clone(), a % b);
    }
    a.into()
}

/// x⁻¹ mod n for n ≥ 1, if x is prime to n.
pub(crate) fn inverse_modulo(x: &BigInt, n: &BigInt) -> Option<BigInt> {
    let (g, s) = gcd_and_factor(&x.mod_floor(n), n);
    (g == BigInt::from(1)).then(|| s.mod_floor(n))
}

/// g = gcd(a, b) ≥ 0 and an s for which b divides a·s − g.
fn gcd_and_factor(a: &BigInt, b: &BigInt) -> (BigInt, BigInt) {
    // u = s·|a| and v = t·|a| modulo b.
    let (mut u, mut v) = (a.magnitude().clone(), b.magnitude().clone());
    let (mut s, mut t) = (BigInt::from(1), BigInt::ZERO);
    while v != BigUint::ZERO {
        checkpoint();
        let (quotient, rest) = u.div_rem(&v);
        (u, v) = (v, rest);
        let next = s - &t * BigInt::from(quotient);
        (s, t) = (t, next);
    }
    let s = if a.sign() == Sign::Minus { -s } else { s };
    (u.into(), s)
}

/// x⁻¹ over the integers; None if x and n share a factor.
pub(crate) fn inverse(x: &Residue) -> PyResult<Option<Residue>> {
    let modulus = x.modulus();
    if modulus.kernel().ring == RingName::BinaryPolynomials {
        let line = "a polynomial of a Modulus has no inverse here: take a BinaryField, which divides";
        return Err(PyValueError::new_err(line));
    }
    let n = BigInt::from(to_big(modulus.number()));
    let x = BigInt::from(to_big(&Zeroizing::new(x.to_number())));
    let inverse = inverse_modulo(&x, &n);
    Ok(inverse.map(|inverse| modulus.residue(&Zeroizing::new(inverse.magnitude().to_u64_digits()))))
}
