//! Whether a polynomial over GF(2) is irreducible.

use crate::cancellation::checkpoint;
use crate::modulus::Modulus;
use crate::natural;
use crate::residue::Residue;
use alloc::vec::Vec;

/// √x modulo f if f is irreducible, None if it is not, by Rabin's test. Time depends on f.
///
/// f of degree k is irreducible exactly if x^(2^k) = x modulo f, and x^(2^(k/p)) + x has no common factor
/// with f for any prime p that divides k. The power before the last, x^(2^(k−1)), is then √x.
pub(super) fn root_of_x(f: &Modulus) -> Option<Residue> {
    let k = f.bits() - 1;
    let x = f.residue(&[2]);
    let mut scratch = f.scratch();
    let mut power = x.clone();
    let maximal_divisors: Vec<usize> = prime_divisors(k).into_iter().map(|p| k / p).collect();
    for i in 1..k {
        checkpoint();
        power.square_assign(&mut scratch);
        if maximal_divisors.contains(&i) && !are_coprime((&power + &x).to_number(), f.number().to_vec()) {
            return None;
        }
    }
    (power.square() == x).then_some(power)
}

/// The primes that divide k, ascending.
fn prime_divisors(mut k: usize) -> Vec<usize> {
    let mut primes = Vec::new();
    let mut candidate = 2;
    while candidate * candidate <= k {
        if k % candidate == 0 {
            primes.push(candidate);
            while k % candidate == 0 {
                k /= candidate;
            }
        }
        candidate += 1;
    }
    if k > 1 {
        primes.push(k);
    }
    primes
}

/// Whether a and b ≠ 0 have no common factor but 1, by Euclid's algorithm. Each step takes one term of a
/// quotient.
fn are_coprime(mut a: Vec<u64>, mut b: Vec<u64>) -> bool {
    let (mut a_bits, mut b_bits) = (natural::bit_length(&a), natural::bit_length(&b));
    while a_bits > 0 {
        checkpoint();
        if a_bits < b_bits {
            core::mem::swap(&mut a, &mut b);
            core::mem::swap(&mut a_bits, &mut b_bits);
        }
        add_shifted(&mut a, &b[..b_bits.div_ceil(64)], a_bits - b_bits);
        a_bits = natural::bit_length(&a[..a_bits.div_ceil(64)]);
    }
    b_bits == 1
}

/// a += b·x^shift over GF(2), for b·x^shift no longer than a.
fn add_shifted(a: &mut [u64], b: &[u64], shift: usize) {
    let (cells, bits) = (shift / 64, shift % 64);
    let mut below = 0;
    for (i, &word) in b.iter().enumerate() {
        a[cells + i] ^= word << bits | below;
        below = (word >> 1) >> (63 - bits);
    }
    if below != 0 {
        a[cells + b.len()] ^= below;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn primes_are_found_once_each() {
        assert_eq!(prime_divisors(1), []);
        assert_eq!(prime_divisors(2), [2]);
        assert_eq!(prime_divisors(360), [2, 3, 5]);
        assert_eq!(prime_divisors(571), [571]);
        assert_eq!(prime_divisors(49 * 13), [7, 13]);
    }

    #[test]
    fn common_factors_are_found() {
        // (x² + x + 1)·(x + 1) = x³ + 1 and (x² + x + 1)·x^70 share a factor, x^70 and x³ + 1 do not.
        assert!(!are_coprime([0, 0b111 << 6].into(), [0b1001].into()));
        assert!(are_coprime([0, 1 << 6].into(), [0b1001].into()));
        assert!(!are_coprime([].into(), [0b11].into()));
        assert!(are_coprime([].into(), [1].into()));
    }
}
