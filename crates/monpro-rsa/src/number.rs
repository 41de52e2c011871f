//! The numbers of keys: little-endian words of 64 bits, erased when dropped.
//!
//! Every function takes time that depends on the lengths of its arguments alone, unless it says otherwise. The
//! length of a number in bits is public wherever a function reads it: it is that of a modulus or a prime.

use crate::error::Error;
use alloc::vec;
use alloc::vec::Vec;
use monpro::natural;
use rand_core::CryptoRng;
use zeroize::Zeroizing;

/// A number in words of 64 bits, the lowest first; erased when dropped.
pub(crate) type Words = Zeroizing<Vec<u64>>;

/// The number of draws after which a random source counts as broken. A working one needs so many with a probability
/// below 2^-128, since each draw is used with a probability above 1/2.
pub(crate) const MOST_DRAWS: usize = 128;

/// The number with these octets, big-endian, or None if it has more than `most_bits` bits. Only a number within the
/// bound is copied.
pub(crate) fn from_octets(octets: &[u8], most_bits: usize) -> Option<Words> {
    let start = octets.iter().position(|&octet| octet != 0).unwrap_or(octets.len());
    let octets = &octets[start..];
    let top_bits = octets.first().map_or(0, |top| top.ilog2() as usize + 1);
    match 8 * octets.len().saturating_sub(1) + top_bits <= most_bits {
        true => Some(Zeroizing::new(natural::from_be_bytes(octets))),
        false => None,
    }
}

/// Whether the numbers are equal, whatever their leading zeros.
pub(crate) fn are_equal(a: &[u64], b: &[u64]) -> bool {
    let length = a.len().max(b.len());
    (0..length).fold(0, |bits, i| bits | (word(a, i) ^ word(b, i))) == 0
}

/// Whether a < b.
pub(crate) fn is_below(a: &[u64], b: &[u64]) -> bool {
    let length = a.len().max(b.len());
    (0..length).fold(false, |borrow, i| {
        let (difference, under) = word(a, i).overflowing_sub(word(b, i));
        under | difference.overflowing_sub(u64::from(borrow)).1
    })
}

/// Word i of a number, which has zeros above its words.
fn word(x: &[u64], i: usize) -> u64 {
    x.get(i).copied().unwrap_or(0)
}

/// x·y.
pub(crate) fn product(x: &[u64], y: &[u64]) -> Words {
    let mut z = Zeroizing::new(vec![0; x.len() + y.len()]);
    for (i, &x) in x.iter().enumerate() {
        let mut carry = 0;
        for (z, &y) in z[i..].iter_mut().zip(y.iter().chain([&0])) {
            // At most (W − 1)² + 2·(W − 1) = W² − 1 for W = 2^64.
            let sum = u128::from(x) * u128::from(y) + u128::from(*z) + u128::from(carry);
            (*z, carry) = (sum as u64, (sum >> 64) as u64);
        }
    }
    z
}

/// x − 1 for an odd x.
pub(crate) fn predecessor(x: &[u64]) -> Words {
    let mut z = Zeroizing::new(x.to_vec());
    z[0] &= !1;
    z
}

/// z −= x·mask mod W^(len z), for a mask of 0 or W − 1 and W = 2^64; whether there is a borrow from above.
pub(crate) fn subtract_masked(z: &mut [u64], x: &[u64], mask: u64) -> bool {
    (0..z.len()).fold(false, |borrow, i| {
        let (difference, under) = z[i].overflowing_sub(word(x, i) & mask);
        let (difference, under_again) = difference.overflowing_sub(u64::from(borrow));
        z[i] = difference;
        under | under_again
    })
}

/// z += x mod W^(len z), for W = 2^64.
pub(crate) fn add(z: &mut [u64], x: &[u64]) {
    z.iter_mut().enumerate().fold(false, |carry, (i, z)| {
        let (sum, is_over) = z.overflowing_add(word(x, i));
        let (sum, is_over_again) = sum.overflowing_add(u64::from(carry));
        *z = sum;
        is_over | is_over_again
    });
}

/// |x − y|, in as many words as the longer one.
pub(crate) fn distance(x: &[u64], y: &[u64]) -> Words {
    let difference = |x: &[u64], y: &[u64]| {
        let mut z = Zeroizing::new(vec![0; x.len().max(y.len())]);
        z[..x.len()].copy_from_slice(x);
        let is_negative = subtract_masked(&mut z, y, u64::MAX);
        (z, mask_of(is_negative))
    };
    let ((mut z, is_negative), (other, _)) = (difference(x, y), difference(y, x));
    z.iter_mut()
        .zip(other.iter())
        .for_each(|(word, other)| *word = *other & is_negative | *word & !is_negative);
    z
}

/// W − 1 for true, 0 for false, where the compiler cannot see which.
fn mask_of(choice: bool) -> u64 {
    core::hint::black_box(u64::from(choice)).wrapping_neg()
}

/// x ← ⌊x/2⌋ where the mask is W − 1; x stays where it is 0.
pub(crate) fn halve_masked(x: &mut [u64], mask: u64) {
    for i in 0..x.len() {
        let half = x[i] >> 1 | word(x, i + 1) << 63;
        x[i] = half & mask | x[i] & !mask;
    }
}

/// ⌊a/m⌋ for m ≥ 1. The length of m in bits is a secret, too: only its words are public.
pub(crate) fn quotient(a: &[u64], m: &[u64]) -> Words {
    divide(a, m, 1).0
}

/// a mod m for m ≥ 1. The length of m in bits is public.
pub(crate) fn remainder(a: &[u64], m: &[u64]) -> Words {
    divide(a, m, natural::bit_length(m)).1
}

/// ⌊a/m⌋ and a mod m for an m of `least_bits` ≥ 1 bits or more, bit by bit; the remainder has the words of m.
fn divide(a: &[u64], m: &[u64], least_bits: usize) -> (Words, Words) {
    // The highest bits of a, fewer than m has, are a remainder already.
    let ready = least_bits.min(64 * a.len() + 1) - 1;
    let rest = 64 * a.len() - ready;
    let (mut quotient, mut remainder) =
        (Zeroizing::new(vec![0; a.len()]), Zeroizing::new(vec![0; m.len() + 1]));
    for i in 0..ready.div_ceil(64) {
        let (from, shift) = (rest / 64 + i, rest % 64);
        remainder[i] = a[from] >> shift | if shift == 0 { 0 } else { word(a, from + 1) << (64 - shift) };
    }
    let mut difference = remainder.clone();
    for i in (0..rest).rev() {
        // r < m becomes 2·r + bit < 2·m, and then r − m where that is not negative.
        let mut below = a[i / 64] >> (i % 64) & 1;
        for word in remainder.iter_mut() {
            (*word, below) = (*word << 1 | below, *word >> 63);
        }
        difference.copy_from_slice(&remainder);
        let is_below = mask_of(subtract_masked(&mut difference, m, u64::MAX));
        let choice = |(word, difference): (&mut u64, &u64)| *word = *word & is_below | difference & !is_below;
        remainder.iter_mut().zip(difference.iter()).for_each(choice);
        quotient[i / 64] |= (!is_below & 1) << (i % 64);
    }
    remainder.truncate(m.len());
    (quotient, remainder)
}

/// x mod m for a public m of 2 to 32 bits.
pub(crate) fn remainder_by_word(x: &[u64], m: u64) -> u64 {
    let reciprocal = u64::MAX / m;
    let step = |r: u64, digit: u64| small_remainder(r << 32 | digit, m, reciprocal);
    x.iter().rev().fold(0, |r, word| step(step(r, word >> 32), word & 0xffff_ffff))
}

/// x mod m for the public reciprocal ⌊(2^64 − 1)/m⌋, without a division, whose time may depend on x.
///
/// With W = 2^64 the quotient is estimated as ⌊x·⌊(W − 1)/m⌋/W⌋. That is at most x/m, and above
/// x·(W/m − 1)/W − 1 > x/m − 2. So the remainder is below 2·m, where one subtraction suffices.
pub(crate) fn small_remainder(x: u64, m: u64, reciprocal: u64) -> u64 {
    let quotient = ((u128::from(x) * u128::from(reciprocal)) >> 64) as u64;
    let (r, is_below) = (x - quotient * m).overflowing_sub(m);
    r.wrapping_add(m & mask_of(is_below))
}

/// The greatest common divisor of a and b, which are not both 0, by halving and subtracting.
pub(crate) fn gcd(a: &[u64], b: &[u64]) -> Words {
    let length = a.len().max(b.len());
    let resized = |x: &[u64]| {
        let mut z = Zeroizing::new(vec![0; length]);
        z[..x.len()].copy_from_slice(x);
        z
    };
    let (mut a, mut b) = (resized(a), resized(b));
    let mut twos = 0;
    // Each step halves a or b, so that one of them is 0 after as many steps as they have bits together. The last
    // subtraction of equal numbers leaves the other one odd.
    for _ in 0..128 * length {
        let are_odd = mask_of(a[0] & b[0] & 1 == 1);
        let is_less = mask_of(is_below(&a, &b));
        subtract_masked(&mut a, &b, are_odd & !is_less);
        subtract_masked(&mut b, &a, are_odd & is_less);
        let (a_even, b_even) = (mask_of(a[0] & 1 == 0), mask_of(b[0] & 1 == 0));
        twos += a_even & b_even & 1;
        halve_masked(&mut a, a_even);
        halve_masked(&mut b, b_even);
    }
    a.iter_mut().zip(b.iter()).for_each(|(word, other)| *word |= other);
    // Once one is 0 and the other even, both are halved as before; an odd one stays.
    for i in 0..64 * length as u64 {
        let mask = mask_of(i < twos);
        let mut below = 0;
        for word in a.iter_mut() {
            let double = *word << 1 | below;
            below = *word >> 63;
            *word = double & mask | *word & !mask;
        }
    }
    a
}

/// A random number of at most `bits` bits.
pub(crate) fn random_number<R: CryptoRng + ?Sized>(bits: usize, random: &mut R) -> Words {
    let mut octets = Zeroizing::new(vec![0; bits.div_ceil(8)]);
    random.fill_bytes(&mut octets);
    octets[0] &= 0xff >> (8 * octets.len() - bits);
    Zeroizing::new(natural::from_be_bytes(&octets))
}

/// A random number below n. How many draws it takes says nothing about the last one, which alone is used; of n it tells
/// how near it is to a power of 2.
pub(crate) fn random_below<R: CryptoRng + ?Sized>(n: &[u64], random: &mut R) -> Result<Words, Error> {
    let bits = natural::bit_length(n);
    (0..MOST_DRAWS).map(|_| random_number(bits, random)).find(|x| is_below(x, n)).ok_or(Error::RandomSource)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Constant, Script, random};
    use crypto_bigint::{BoxedUint, ConcatenatingMul, Gcd, NonZero, Resize};

    fn boxed(x: &[u64]) -> BoxedUint {
        BoxedUint::from_be_slice_truncated(&natural::to_be_bytes(x, 8 * x.len()), 64 * x.len() as u32)
    }

    fn words(x: &BoxedUint) -> Vec<u64> {
        natural::from_be_bytes(&x.to_be_bytes())
    }

    /// Numbers of 0 to 4 words: random ones, and ones of extreme words.
    fn numbers() -> Vec<Words> {
        let mut numbers: Vec<Words> =
            (1..=256).step_by(17).map(|bits| random_number(bits, &mut random())).collect();
        for length in 0..=4 {
            for choice in 0..3usize.pow(length) {
                let word = |i| [0, 1, u64::MAX][choice / 3usize.pow(i) % 3];
                numbers.push(Zeroizing::new((0..length).map(word).collect()));
            }
        }
        numbers
    }

    #[test]
    fn products_quotients_and_remainders_are_those_of_a_library() {
        let (a, m) = (numbers(), numbers());
        for (a, m) in a.iter().flat_map(|a| m.iter().map(move |m| (a, m))) {
            if a.is_empty() || natural::bit_length(m) == 0 {
                continue;
            }
            assert_eq!(*product(a, m), words(&boxed(a).concatenating_mul(&boxed(m))));
            let (whole, rest) = boxed(a).div_rem(&NonZero::new(boxed(m)).unwrap());
            assert!(are_equal(&quotient(a, m), &words(&whole)), "{a:x?} / {m:x?}");
            assert!(are_equal(&remainder(a, m), &words(&rest)), "{a:x?} mod {m:x?}");
        }
    }

    #[test]
    fn remainders_by_a_word_are_remainders() {
        for x in numbers() {
            for m in [3, 5, 4093 * 4091, 65537, u64::from(u32::MAX)] {
                assert!(are_equal(&[remainder_by_word(&x, m)], &remainder(&x, &[m])), "{x:x?} mod {m}");
            }
        }
        for m in [2, 3, 65537, 0xffff_fffb, 0xffff_ffff] {
            for x in [0, 1, m - 1, m, m + 1, m * m - 1, m * m, u64::MAX - 1, u64::MAX] {
                assert_eq!(small_remainder(x, m, u64::MAX / m), x % m, "{x} mod {m}");
            }
        }
    }

    #[test]
    fn greatest_common_divisors_are_those_of_a_library() {
        let (a, b) = (numbers(), numbers());
        for (a, b) in a.iter().flat_map(|a| b.iter().map(move |b| (a, b))) {
            let length = a.len().max(b.len()) as u32;
            if natural::bit_length(a) + natural::bit_length(b) == 0 {
                continue;
            }
            let resized = |x: &[u64]| boxed(x).resize(64 * length);
            assert!(are_equal(&gcd(a, b), &words(&resized(a).gcd(&resized(b)))), "{a:x?}, {b:x?}");
        }
    }

    #[test]
    fn distances_and_predecessors() {
        assert_eq!(*distance(&[1, 5], &[2]), [u64::MAX, 4]);
        assert_eq!(*distance(&[2], &[1, 5]), [u64::MAX, 4]);
        assert_eq!(*distance(&[7], &[7]), [0]);
        assert_eq!(*predecessor(&[1, 1]), [0, 1]);
    }

    #[test]
    fn comparisons_ignore_leading_zeros() {
        assert!(are_equal(&[3, 0, 0], &[3]) && are_equal(&[], &[0]) && !are_equal(&[3, 1], &[3]));
        // Differences that are alike do not cancel.
        assert!(!are_equal(&[2, 2], &[3, 3]));
        assert!(
            is_below(&[u64::MAX], &[0, 1]) && !is_below(&[0, 1], &[u64::MAX]) && !is_below(&[5], &[5, 0])
        );
    }

    #[test]
    fn octets_beyond_the_bound_are_refused() {
        assert_eq!(*from_octets(&[0, 0, 1, 2], 9).unwrap(), [0x0102]);
        assert_eq!(from_octets(&[1, 2], 8), None);
        assert_eq!(from_octets(&[3, 0], 9), None);
        assert_eq!(*from_octets(&[0, 0], 0).unwrap(), [0; 0]);
    }

    #[test]
    fn random_numbers_fill_their_bits_and_stay_below() {
        assert_eq!(*random_number(9, &mut Constant(0xff)), [0x1ff]);
        // The first draw is not below 2^8 + 1, the second is.
        let mut script = Script::new([alloc::vec![1, 1], alloc::vec![0xff, 0]]);
        assert_eq!(*random_below(&[0x101], &mut script).unwrap(), [0x100]);
        assert_eq!(script.drawn.len(), 2);
        assert_eq!(random_below(&[0x101], &mut Constant(0xff)), Err(Error::RandomSource));
    }
}
