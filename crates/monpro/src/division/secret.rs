//! Powers of 2 modulo a secret number: the division of [`super::Divisor`] with masks in place of branches.

use super::shifted_left;
use crate::cancellation::checkpoint;
use crate::natural::shift_right;
use crate::product::add_row;
use crate::word::Word;
use alloc::vec;
use alloc::vec::Vec;
use zeroize::Zeroizing;

/// 2^exponent mod n in the words of n, for an n ≥ 2 whose top word is not 0. Time and addresses depend on the bit length
/// of n and on the exponent.
pub(crate) fn power_of_two(n: &[u64], exponent: usize) -> Zeroizing<Vec<u64>> {
    debug_assert_ne!(n.last(), Some(&0), "the top word is not 0");
    if let [word] = *n {
        // Two words are the fewest: 2^exponent·W mod n·W is the remainder times W.
        return Zeroizing::new(power_of_two(&[0, word], exponent + 64)[1..].to_vec());
    }
    let s = n.len();
    let shift = n[s - 1].leading_zeros() as usize;
    let divisor = Divisor::new(Zeroizing::new(shifted_left(n, shift, s)));
    // Complements: all bits of 2^(exponent + shift), and of a word above it, so that the top s words are below the divisor.
    // If these are s words at most, it is reduced already.
    let length = ((exponent + shift) / 64 + 2).max(s);
    let mut u = Zeroizing::new(vec![!0; length]);
    u[(exponent + shift) / 64] ^= 1 << ((exponent + shift) % 64);
    for i in (0..length - s).rev() {
        checkpoint();
        divisor.reduce_complement_by_word(&mut u[i..=i + s]);
    }
    let remainder = Zeroizing::new(u[..s].iter().map(|word| !word).collect::<Vec<_>>());
    Zeroizing::new(shift_right(&remainder, shift))
}

/// A secret divisor of at least two words, with its top bit set, and the reciprocal of its top two words.
struct Divisor {
    words: Zeroizing<Vec<u64>>,
    d1: Zeroizing<u64>,
    d0: Zeroizing<u64>,
    reciprocal: Zeroizing<u64>,
}

impl Divisor {
    fn new(words: Zeroizing<Vec<u64>>) -> Divisor {
        let [d0, d1] = [words[words.len() - 2], words[words.len() - 1]].map(Zeroizing::new);
        let reciprocal = Zeroizing::new(reciprocal_of_two_words(*d1, *d0));
        Divisor { words, d1, d0, reciprocal }
    }

    /// Reduces the number u of s + 1 words, whose top s words are below the divisor. It is given and left as its complement,
    /// W^(s+1) − 1 − u.
    fn reduce_complement_by_word(&self, u: &mut [u64]) {
        let s = self.words.len();
        let q = quotient([!u[s - 2], !u[s - 1], !u[s]], *self.d1, *self.d0, *self.reciprocal);
        let carry = add_row(&mut u[..s], q, &self.words);
        // The quotient may be 1 too large. Then the remainder is negative, and the top word of its complement has wrapped
        // to 0; else it is W − 1.
        let is_negative = Word::mask(!u[s].wrapping_add(carry) & 1);
        let mut borrow = 0;
        for (target, &word) in u.iter_mut().zip(self.words.iter()) {
            (borrow, *target) = Word::borrowing_sub(*target, word & is_negative, borrow);
        }
        u[s] = !0;
    }
}

/// ⌊u/d⌋ or 1 more, and at most W − 1, for a number u whose top three words are given, lowest first, and a divisor d of as
/// many words less one, whose top two words are d1 and d0. The top words of u are below d.
///
/// Algorithm 5 of Möller and Granlund gives the quotient by the top two words; where these equal those of u, it is W − 1.
fn quotient([u0, u1, u2]: [u64; 3], d1: u64, d0: u64, reciprocal: u64) -> u64 {
    let d = u128::from(d1) << 64 | u128::from(d0);
    let product = u128::from(reciprocal) * u128::from(u2);
    let q = product.wrapping_add(u128::from(u2) << 64 | u128::from(u1));
    let mut q1 = (q >> 64) as u64;
    let r1 = u1.wrapping_sub(q1.wrapping_mul(d1));
    let product = u128::from(d0) * u128::from(q1);
    let r = (u128::from(r1) << 64 | u128::from(u0)).wrapping_sub(product).wrapping_sub(d);
    let (is_less, _) = Word::borrowing_sub((r >> 64) as u64, q as u64, 0);
    // Where the upper word of r is at least the lower word of q, the quotient is not increased, and d is added back.
    let goes_back = Word::mask(is_less ^ 1);
    q1 = q1.wrapping_add(1).wrapping_add(goes_back);
    let d_or_0 = u128::from(d1 & goes_back) << 64 | u128::from(d0 & goes_back);
    q1 = q1.wrapping_add(is_at_least(r.wrapping_add(d_or_0), d));
    // A difference of 0 borrows where 1 is subtracted.
    let (is_equal, _) = Word::borrowing_sub((u2 ^ d1) | (u1 ^ d0), 1, 0);
    q1 | Word::mask(is_equal)
}

/// 1 if x ≥ y, else 0.
fn is_at_least(x: u128, y: u128) -> u64 {
    let (borrow, _) = Word::borrowing_sub(x as u64, y as u64, 0);
    let (borrow, _) = Word::borrowing_sub((x >> 64) as u64, (y >> 64) as u64, borrow);
    borrow ^ 1
}

/// ⌊(W² − 1)/d⌋ − W for a d with its top bit set, bit by bit: the time of a division by the CPU depends on the numbers.
fn reciprocal_of_word(d: u64) -> u64 {
    let (mut r, mut q) = (!d, 0);
    for _ in 0..64 {
        // 2r + 1 < 2d, of one bit more than a word.
        let (top, doubled) = (r >> 63, r << 1 | 1);
        let (is_less, difference) = Word::borrowing_sub(doubled, d, 0);
        let is_reduced = (is_less ^ 1) | top;
        let mask = Word::mask(is_reduced);
        r = (difference & mask) | (doubled & !mask);
        q = q << 1 | is_reduced;
    }
    q
}

/// ⌊(W³ − 1)/(d1·W + d0)⌋ − W for a d1 with its top bit set: Algorithm 6 of Möller and Granlund.
fn reciprocal_of_two_words(d1: u64, d0: u64) -> u64 {
    let mut v = reciprocal_of_word(d1);
    let (is_over, mut p) = Word::carrying_add(d1.wrapping_mul(v), d0, 0);
    let (is_less, _) = Word::borrowing_sub(p, d1, 0);
    let [over, twice] = [is_over, is_over & (is_less ^ 1)].map(Word::mask);
    v = v.wrapping_add(over).wrapping_add(twice);
    p = p.wrapping_sub(d1 & over).wrapping_sub(d1 & twice);
    let t = u128::from(v) * u128::from(d0);
    let (is_over, p) = Word::carrying_add(p, (t >> 64) as u64, 0);
    let twice = is_over
        & is_at_least(u128::from(p) << 64 | u128::from(t as u64), u128::from(d1) << 64 | u128::from(d0));
    v.wrapping_add(Word::mask(is_over)).wrapping_add(Word::mask(twice))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::division::{self, remainder_of_shifted};
    use crate::natural::subtract;
    use num_bigint::BigUint;

    /// Words that make estimated quotient words too large, or top words equal.
    const EXTREMES: [u64; 8] =
        [0, 1, 1 << 63, (1 << 63) + 1, u64::MAX - 1, u64::MAX, 0x9e37_79b9_7f4a_7c15, 0xffff_ffff];

    #[test]
    fn reciprocals_are_those_of_public_divisors() {
        for d1 in EXTREMES.map(|word| word | 1 << 63) {
            assert_eq!(reciprocal_of_word(d1), division::reciprocal_of_word(d1), "{d1:x}");
            for d0 in EXTREMES {
                assert_eq!(reciprocal_of_two_words(d1, d0), division::reciprocal_of_two_words(d1, d0));
            }
        }
    }

    #[test]
    fn powers_are_those_of_the_division_of_public_numbers() {
        for choice in 0..if cfg!(miri) { 40 } else { 4096 } {
            let words = [choice % 8, choice / 8 % 8, choice / 64 % 8, choice / 512].map(|i| EXTREMES[i]);
            for s in 1..=4 {
                let mut n = words[..s].to_vec();
                n[s - 1] |= 2 << (choice % 63);
                for exponent in [0, 1, 63, 64, 64 * s - 1, 64 * s, 128 * s, 128 * s + 77] {
                    let expected = remainder_of_shifted(&[1], exponent, &n);
                    assert_eq!(*power_of_two(&n, exponent), expected, "2^{exponent} mod {n:x?}");
                }
            }
        }
    }

    /// Powers of fewer words than the modulus, of as many, and next to it.
    #[test]
    fn small_powers_are_those_of_num_bigint() {
        let integer =
            |words: &[u64]| words.iter().rev().fold(BigUint::ZERO, |high, &word| (high << 64) + word);
        for s in 1..=4 {
            for (lowest, top) in [(0, 1 << 63), (1, 1 << 63), (0, 2), (1, 3)] {
                let mut n = vec![0; s];
                n[0] = lowest;
                n[s - 1] |= top;
                for exponent in 0..=64 * s + 1 {
                    let expected = (BigUint::from(1u8) << exponent) % integer(&n);
                    assert_eq!(integer(&power_of_two(&n, exponent)), expected, "2^{exponent} mod {n:x?}");
                }
            }
        }
    }

    /// Top words equal to those of the divisor occur for hardly any power of 2.
    #[test]
    fn any_number_is_reduced_as_by_the_division_of_public_numbers() {
        for choice in 0..if cfg!(miri) { 40 } else { 8usize.pow(5) } {
            let word = |i: u32| EXTREMES[choice / 8usize.pow(i) % 8];
            let d = vec![word(0), word(1), word(2) | 1 << 63];
            // The top words are those of the divisor, but less by 1 or 2.
            let mut top = d.clone();
            subtract(&mut top, &[1 + word(4) % 2]);
            let u = [&[word(3)], &top[..]].concat();
            let divisor = Divisor::new(Zeroizing::new(d.clone()));
            let mut complement: Vec<u64> = u.iter().map(|word| !word).collect();
            divisor.reduce_complement_by_word(&mut complement);
            let remainder: Vec<u64> = complement.iter().map(|word| !word).collect();
            assert_eq!(remainder[..3], remainder_of_shifted(&u, 0, &d), "{u:x?} mod {d:x?}");
            assert_eq!(remainder[3], 0);
        }
    }
}
