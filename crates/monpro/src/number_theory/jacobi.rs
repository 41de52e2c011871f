//! The Jacobi symbol.

use crate::cancellation::checkpoint;
use crate::division::remainder_of_shifted;
use crate::natural::{bit_length, bits_at, subtract, trailing_zeros};
use alloc::vec::Vec;
use core::cmp::Ordering;

/// The Jacobi symbol (a/n) for an odd n: 0 if a and n share a factor, else 1 or −1. None if n is even.
///
/// Modulo a prime p, (a/p) = a^((p−1)/2): it is 1 if a is a square other than 0. Jacobi's rules find the symbol at the
/// price of a greatest common divisor: (2/n) = −1 where n = ±3 mod 8, (a/n)·(n/a) = −1 where a = n = 3 mod 4, and
/// (a/n) depends on a mod n alone. Time depends on both numbers.
///
/// ```
/// use monpro::number_theory::jacobi_vartime;
///
/// assert_eq!([2, 5, 15].map(|a| jacobi_vartime(&[a], &[45])), [Some(-1), Some(0), Some(0)]);
/// assert_eq!(jacobi_vartime(&[2], &[44]), None);
/// ```
#[must_use]
pub fn jacobi_vartime(a: &[u64], n: &[u64]) -> Option<i8> {
    let (mut a, mut n) = (trimmed(a), trimmed(n));
    if n.first().is_none_or(|low| low & 1 == 0) {
        return None;
    }
    let mut is_minus_one = false;
    while !a.is_empty() {
        checkpoint();
        let twos = trailing_zeros(&a);
        shift_right(&mut a, twos);
        is_minus_one ^= twos % 2 == 1 && matches!(n[0] % 8, 3 | 5);
        if compare(&a, &n).is_lt() {
            core::mem::swap(&mut a, &mut n);
            is_minus_one ^= a[0] % 4 == 3 && n[0] % 4 == 3;
        }
        // A difference takes away few bits: where a is longer by words, a division is faster.
        if a.len() > n.len() + 1 {
            a = remainder_of_shifted(&a, 0, &n);
        } else {
            subtract(&mut a, &n);
        }
        trim(&mut a);
    }
    Some(match (n[..] == [1], is_minus_one) {
        (false, _) => 0,
        (true, false) => 1,
        (true, true) => -1,
    })
}

/// x without leading zero words.
fn trimmed(x: &[u64]) -> Vec<u64> {
    x[..bit_length(x).div_ceil(64)].to_vec()
}

fn trim(x: &mut Vec<u64>) {
    x.truncate(bit_length(x).div_ceil(64));
}

/// x ← ⌊x/2^bits⌋ for an x > 0 that is a multiple of 2^bits.
fn shift_right(x: &mut Vec<u64>, bits: usize) {
    for i in 0..x.len() - bits / 64 {
        x[i] = bits_at(x, bits + 64 * i, 64);
    }
    trim_top(x, bits);
}

/// Removes the words of x that a shift by so many bits has left empty.
fn trim_top(x: &mut Vec<u64>, bits: usize) {
    x.truncate(x.len() - bits / 64);
    trim(x);
}

/// The order of two numbers without leading zero words.
fn compare(a: &[u64], b: &[u64]) -> Ordering {
    a.len().cmp(&b.len()).then_with(|| a.iter().rev().cmp(b.iter().rev()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::modulus::Modulus;

    #[test]
    fn symbols_are_the_products_of_those_modulo_the_prime_factors() {
        let legendre = |a: u64, p: u64| match a % p {
            0 => 0,
            a => {
                if (1..p).any(|x| x * x % p == a) {
                    1
                } else {
                    -1
                }
            }
        };
        for n in (1..400u64).step_by(2) {
            let mut factors = Vec::new();
            let mut rest = n;
            for p in 3..=n {
                while rest % p == 0 {
                    factors.push(p);
                    rest /= p;
                }
            }
            for a in 0..2 * n {
                let expected = factors.iter().map(|&p| legendre(a, p)).product::<i8>();
                assert_eq!(jacobi_vartime(&[a, 0], &[n, 0]), Some(expected), "({a}/{n})");
            }
        }
    }

    #[test]
    fn numbers_of_several_words_agree_with_eulers_criterion() {
        let p = [u64::MAX, u64::MAX >> 1];
        let modulus = Modulus::new(&p).unwrap();
        let q = crate::natural::shift_right(&p, 1);
        for i in 1..200u64 {
            for length in 1..6 {
                let y: Vec<_> = (i..i + length).map(|i| i.wrapping_mul(0x9e37_79b9_7f4a_7c15)).collect();
                let is_square = modulus.residue(&y).pow_vartime(&q) == modulus.one();
                assert_eq!(jacobi_vartime(&y, &p), Some(if is_square { 1 } else { -1 }), "{y:?}");
            }
        }
    }

    #[test]
    fn words_of_zeros_below_a_number_leave_its_symbol() {
        // 2^64 is a square that shares no factor with an odd number.
        for n in (3..100u64).step_by(2) {
            for a in 0..2 * n {
                let expected = jacobi_vartime(&[a], &[n]);
                assert_eq!(jacobi_vartime(&[0, a], &[n]), expected, "({a}·2^64/{n})");
                assert_eq!(jacobi_vartime(&[0, 0, a], &[n]), expected, "({a}·2^128/{n})");
            }
        }
    }

    #[test]
    fn there_is_no_symbol_for_an_even_number() {
        assert_eq!([0, 2, 8].map(|n| jacobi_vartime(&[3], &[n])), [None; 3]);
        assert_eq!(jacobi_vartime(&[3], &[]), None);
    }
}
