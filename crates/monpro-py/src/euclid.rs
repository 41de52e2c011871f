//! Inverses, and greatest common divisors by Euclid's algorithm, in a time that depends on the numbers.

use crate::convert::{Integer, Words};
use monpro::cancellation::checkpoint;
use monpro::ring::RingName;
use monpro::{Error, Residue};
use num_bigint::{BigInt, Sign};
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
    reduce(absolute(a), absolute(b), |_| {})
}

/// [`monpro::inverse`] or [`monpro::inverse_vartime`].
type Inverse = fn(&[u64], &[u64]) -> Result<Option<Vec<u64>>, Error>;

/// x⁻¹ mod n for n ≥ 1, if x is prime to n, by this function of |x| and n.
pub(crate) fn inverse_modulo(x: &Integer, n: &[u64], inverse: Inverse) -> Option<Words> {
    let mut y = Words::new(inverse(&x.magnitude, n).ok().flatten()?);
    // The inverse of −|x| is n − y; modulo 1, y is 0 and stays.
    if x.is_negative && n != [1] {
        let mut is_under = false;
        for (y, &n) in y.iter_mut().zip(n) {
            let (difference, under) = n.overflowing_sub(*y);
            let (difference, under_again) = difference.overflowing_sub(u64::from(is_under));
            (*y, is_under) = (difference, under | under_again);
        }
    }
    Some(y)
}

/// g = gcd(a, b) ≥ 0 and an s for which b divides a·s − g.
fn gcd_and_factor(a: &BigInt, b: &BigInt) -> (BigInt, BigInt) {
    // u = s·|a| and v = t·|a| modulo b.
    let (mut s, mut t) = (BigInt::from(1), BigInt::ZERO);
    let g = reduce(absolute(a), absolute(b), |step| (s, t) = step.of(&s, &t));
    (g, if a.sign() == Sign::Minus { -s } else { s })
}

fn absolute(x: &BigInt) -> BigInt {
    x.magnitude().clone().into()
}

/// A step from (u, v) to another pair with the same greatest common divisor.
enum Step {
    /// To (v, u − q·v).
    Quotient(BigInt),
    /// To (a·u + b·v, c·u + d·v): several quotients at once.
    Matrix([i64; 4]),
}

impl Step {
    fn of(&self, u: &BigInt, v: &BigInt) -> (BigInt, BigInt) {
        match self {
            Step::Quotient(q) => (v.clone(), u - q * v),
            Step::Matrix([a, b, c, d]) => (u * a + v * b, u * c + v * d),
        }
    }
}

/// The greatest common divisor of u and v ≥ 0, by Lehmer's form of Euclid's algorithm; `also` sees every step.
fn reduce(mut u: BigInt, mut v: BigInt, mut also: impl FnMut(Step)) -> BigInt {
    while v.sign() != Sign::NoSign {
        checkpoint();
        let step = match leading_quotients(&u, &v) {
            Some(matrix) => Step::Matrix(matrix),
            None => Step::Quotient(&u / &v),
        };
        (u, v) = step.of(&u, &v);
        also(step);
    }
    u
}

/// The quotients of u and v that their leading bits determine, as a matrix; None if they determine none.
///
/// This is Algorithm L of Knuth, "The Art of Computer Programming", §4.5.2: a quotient is right if it is the same for both
/// ends of the interval in which the leading bits leave u/v. The leading bits are below 2^62 and the coefficients below 2^31,
/// so that their sums do not overflow.
fn leading_quotients(u: &BigInt, v: &BigInt) -> Option<[i64; 4]> {
    let shift = u.bits().max(v.bits()).saturating_sub(62);
    let leading = |x: &BigInt| (x.magnitude() >> shift).iter_u64_digits().next().unwrap_or(0) as i64;
    let (mut x, mut y) = (leading(u), leading(v));
    let [mut a, mut b, mut c, mut d] = [1i64, 0, 0, 1];
    while y + c != 0 && y + d != 0 {
        let q = (x + a) / (y + c);
        if q != (x + b) / (y + d) {
            break;
        }
        let next = |x: i64, y: i64| Some(x - q.checked_mul(y)?).filter(|z| z.abs() < 1 << 31);
        let (Some(e), Some(f)) = (next(a, c), next(b, d)) else { break };
        [a, b, c, d] = [c, d, e, f];
        (x, y) = (y, x - q * y);
    }
    (b != 0).then_some([a, b, c, d])
}

/// x⁻¹ over the integers, in a time that does not depend on the value; None if x and n share a factor.
pub(crate) fn inverse(x: &Residue) -> PyResult<Option<Residue>> {
    let modulus = x.modulus();
    if modulus.kernel().ring == RingName::BinaryPolynomials {
        let line = "a polynomial of a Modulus has no inverse here: take a BinaryField, which divides";
        return Err(PyValueError::new_err(line));
    }
    let number = Zeroizing::new(x.to_number());
    let inverse = monpro::inverse(&number, modulus.number()).ok().flatten().map(Zeroizing::new);
    Ok(inverse.map(|inverse| modulus.residue(&inverse)))
}
