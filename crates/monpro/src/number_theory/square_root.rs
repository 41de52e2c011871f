//! Square roots modulo a prime.

use super::jacobi::jacobi_vartime;
use super::lucas::v_pair;
use super::primality::is_prime_vartime;
use crate::error::Error;
use crate::modulus::Modulus;
use crate::natural::{bit_length, shift_right, subtract};
use crate::residue::Residue;
use alloc::vec;
use alloc::vec::Vec;

/// After so many numbers without a non-residue, it is asked whether p is prime.
const PATIENCE: u64 = 64;

/// The least r with r² = a modulo the prime p. The other root is p − r.
///
/// For p = 3 mod 4 it is a^((p+1)/4) or its negative. For p = 1 mod 4 it is found in a Lucas sequence, in a time that
/// does not depend on the factors 2 of p − 1 (Müller, "On the computation of square roots in finite fields", Designs,
/// Codes and Cryptography 31, 2004). The result is squared before it is returned. So it is a root even if p is not
/// prime, which is an [`Error::NotPrime`] only where no root is found. Time depends on both numbers.
///
/// # Errors
/// [`Error::NoSquareRoot`] if a is not a square, [`Error::NotPrime`].
pub fn sqrt_vartime(a: &[u64], p: &[u64]) -> Result<Vec<u64>, Error> {
    if bit_length(p) == 2 && p[0] == 2 {
        return Ok(vec![a.first().map_or(0, |low| low & 1)]);
    }
    let n = Modulus::new(p).ok().filter(|n| n.bits() > 1).ok_or(Error::NotPrime)?;
    let (x, p) = (n.residue(a), n.number());
    if x == n.zero() {
        return Ok(x.to_number());
    }
    let root = match p[0] % 4 {
        // (p + 1)/4 = ⌊p/4⌋ + 1, so that the power is one product more.
        3 => Some(&x.pow_vartime(&shift_right(p, 2)) * &x),
        _ => by_lucas(&x),
    };
    match root.filter(|root| root.square() == x) {
        Some(root) => Ok(smaller(root.to_number(), (-&root).to_number())),
        None if jacobi_vartime(a, p) == Some(-1) => Err(Error::NoSquareRoot),
        None => Err(Error::NotPrime),
    }
}

/// A root of x ≠ 0 modulo the prime p = 1 mod 4, if x is a square. None only if p is not prime.
///
/// Let P = x·t² − 2 with a t for which x·t² − 4 is no square. For a square x, P² − 4 = (x·t² − 4)·x·t² is none either. So α with
/// α + 1/α = P lies outside the field and α^(p+1) = 1. Since P + 2 is a square, α^((p+1)/2) = 1. Then V_i = αⁱ + α⁻ⁱ has
/// V_((p−1)/4)² = V_((p−1)/2) + 2 = P + 2 = x·t².
fn by_lucas(x: &Residue) -> Option<Residue> {
    let n = x.modulus();
    let p = n.number();
    let four = n.residue(&[4]);
    for t in 1.. {
        let scaled = x * &n.residue(&[t]).square();
        let difference = &scaled - &four;
        if difference == n.zero() {
            return Some(&n.residue(&[2]) * &inverse(t, n));
        }
        if jacobi_vartime(&difference.to_number(), p)? == -1 {
            let parameter = &difference + &n.residue(&[2]);
            let (v, _) = v_pair(&parameter, &shift_right(p, 2));
            return Some(&v * &inverse(t, n));
        }
        if t == PATIENCE && !is_prime_vartime(p) {
            return None;
        }
    }
    None
}

/// 1/t = t^(p − 2) modulo a prime p = 1 mod 4 that does not divide t.
fn inverse(t: u64, p: &Modulus) -> Residue {
    let mut exponent = p.number().to_vec();
    subtract(&mut exponent, &[2]);
    match t {
        1 => p.one(),
        _ => p.residue(&[t]).pow_vartime(&exponent),
    }
}

/// The smaller of two numbers with as many words.
fn smaller(a: Vec<u64>, b: Vec<u64>) -> Vec<u64> {
    match a.iter().rev().le(b.iter().rev()) {
        true => a,
        false => b,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_prime(n: u64) -> bool {
        is_prime_vartime(&[n])
    }

    #[test]
    fn roots_modulo_small_primes_are_the_least() {
        for p in (2..300).filter(|&p| is_prime(p)) {
            for a in 0..2 * p {
                let expected = (0..p).find(|r| r * r % p == a % p).map(|r| vec![r]);
                assert_eq!(sqrt_vartime(&[a], &[p]), expected.ok_or(Error::NoSquareRoot), "√{a} modulo {p}");
            }
        }
    }

    #[test]
    fn a_composite_gives_a_root_or_an_error() {
        for p in (0..700).filter(|&p| !is_prime(p)) {
            for a in 0..p.max(3) {
                match sqrt_vartime(&[a], &[p]) {
                    Ok(root) => assert_eq!(root[0] * root[0] % p, a % p, "√{a} modulo {p}"),
                    Err(error) => assert!(matches!(error, Error::NotPrime | Error::NoSquareRoot)),
                }
            }
        }
        for p in [&[][..], &[0], &[1]] {
            assert_eq!(sqrt_vartime(&[1], p), Err(Error::NotPrime), "{p:?}");
        }
        // The symbol for t = 1 is not −1. For t = 2 the difference is 0, and 2^(p − 2) is 1/2 modulo p.
        for p in [561, 1105] {
            assert_eq!(sqrt_vartime(&[1], &[p]), Ok(vec![1]), "modulo {p}");
        }
        // Modulo a square, no number has the symbol −1.
        assert_eq!(sqrt_vartime(&[3], &[65521 * 65521]), Err(Error::NotPrime));
    }

    /// The small numbers are squares modulo this prime, so that many t are tried for the root of 1.
    #[test]
    fn a_prime_without_small_non_residues_has_roots() {
        let p = [pseudosquare()];
        assert!(is_prime(p[0]));
        for root in 1..50 {
            assert_eq!(sqrt_vartime(&[root * root], &p), Ok(vec![root]));
        }
    }

    /// The least prime p = 1 mod 8 modulo which all primes up to 67 are squares (OEIS A002189).
    fn pseudosquare() -> u64 {
        196_265_095_009
    }

    #[test]
    fn the_smaller_number_has_the_smaller_highest_word() {
        assert_eq!(smaller(vec![9, 1], vec![1, 2]), [9, 1]);
        assert_eq!(smaller(vec![1, 2], vec![9, 1]), [9, 1]);
    }
}
