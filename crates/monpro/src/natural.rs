//! Non-negative integers as little-endian slices of 64-bit words, the form of every number in this crate's
//! interface.
//!
//! Leading zero words are allowed everywhere. Over GF(2)\[x\] the same slices hold coefficients.

use alloc::vec;
use alloc::vec::Vec;

/// The position of the highest bit set, plus one; 0 for zero. Time depends on the value.
#[must_use]
pub fn bit_length(x: &[u64]) -> usize {
    let top = x.iter().rposition(|&word| word != 0);
    top.map_or(0, |i| 64 * i + 64 - x[i].leading_zeros() as usize)
}

/// The number whose big-endian bytes are given.
#[must_use]
pub fn from_be_bytes(bytes: &[u8]) -> Vec<u64> {
    bytes.rchunks(8).map(word_of_be_bytes).collect()
}

/// The number of at most eight big-endian bytes.
pub(crate) fn word_of_be_bytes(bytes: &[u8]) -> u64 {
    match bytes.first_chunk() {
        Some(whole) => u64::from_be_bytes(*whole),
        None => bytes.iter().fold(0, |word, &byte| word << 8 | u64::from(byte)),
    }
}

/// The `length` lowest bytes of the number, big-endian, with leading zeros.
#[must_use]
pub fn to_be_bytes(x: &[u64], length: usize) -> Vec<u8> {
    let mut bytes = vec![0; length];
    write_be_bytes(&mut bytes, x);
    bytes
}

/// Writes the lowest bytes of the number, big-endian, into bytes that are 0.
pub(crate) fn write_be_bytes(bytes: &mut [u8], x: &[u64]) {
    for (chunk, word) in bytes.rchunks_mut(8).zip(x) {
        let big_endian = word.to_be_bytes();
        chunk.copy_from_slice(&big_endian[8 - chunk.len()..]);
    }
}

/// The largest k for which 2^k divides x; x ≠ 0.
pub(crate) fn trailing_zeros(x: &[u64]) -> usize {
    let low = x.iter().position(|&word| word != 0).expect("zero has no lowest bit");
    64 * low + x[low].trailing_zeros() as usize
}

/// The `count` ≤ 64 bits of x from bit `position` up; x has zeros above its words.
#[inline]
pub(crate) fn bits_at(x: &[u64], position: usize, count: u32) -> u64 {
    let (i, shift) = (position / 64, (position % 64) as u32);
    let word = |i: usize| x.get(i).copied().unwrap_or(0);
    // By 64 − shift places, also where that is 64.
    let above = word(i + 1) << 1 << (63 - shift);
    (word(i) >> shift | above) & (u64::MAX >> (64 - count))
}

/// The number Σ digits\[j\]·2^(B·j) for digits below 2^B, in `words` words; bits that do not fit must be 0.
#[cfg(target_arch = "x86_64")]
pub(crate) fn from_digits<const B: u32>(digits: impl Iterator<Item = u64>, words: usize) -> Vec<u64> {
    let mut number = vec![0; words];
    for (j, digit) in digits.enumerate() {
        let (word, shift) = (j * B as usize / 64, j as u32 * B % 64);
        let spread = u128::from(digit) << shift;
        for (target, part) in number.iter_mut().skip(word).zip([spread as u64, (spread >> 64) as u64]) {
            *target |= part;
        }
    }
    number
}

/// Whether x < 2^bits; time and addresses depend on the lengths alone.
pub(crate) fn is_below_power_of_two(x: &[u64], bits: usize) -> bool {
    let above = x.iter().skip(bits / 64).enumerate();
    above.fold(0, |all, (i, &word)| all | if i == 0 { word >> (bits % 64) } else { word }) == 0
}

/// Whether x and y have the same words; time and addresses depend on the lengths alone.
pub(crate) fn is_equal(x: &[u64], y: &[u64]) -> bool {
    let difference = x.iter().zip(y).fold(0, |all, (x, y)| all | (x ^ y));
    // Hidden from the optimiser, which could otherwise return at the first difference.
    x.len() == y.len() && core::hint::black_box(difference) == 0
}

/// Whether a < b, both without leading zeros; the time depends on both.
pub(crate) fn is_less(a: &[u64], b: &[u64]) -> bool {
    a.len().cmp(&b.len()).then_with(|| a.iter().rev().cmp(b.iter().rev())).is_lt()
}

/// ⌊x/2^bits⌋.
pub(crate) fn shift_right(x: &[u64], bits: usize) -> Vec<u64> {
    let mut z = vec![0; x.len().saturating_sub(bits / 64)];
    shift_right_into(&mut z, x, bits);
    z
}

/// z = ⌊x/2^bits⌋ mod 2^(64·len z).
pub(crate) fn shift_right_into(z: &mut [u64], x: &[u64], bits: usize) {
    let (kept, shift) = (x.get(bits / 64..).unwrap_or_default(), bits % 64);
    let (z, above) = z.split_at_mut(z.len().min(kept.len()));
    above.fill(0);
    if shift == 0 {
        return z.copy_from_slice(&kept[..z.len()]);
    }
    let above = kept.iter().skip(1).chain([&0]);
    for (target, (low, high)) in z.iter_mut().zip(kept.iter().zip(above)) {
        *target = low >> shift | high << (64 - shift);
    }
}

/// z −= x mod 2^(64·len z).
pub(crate) fn subtract(z: &mut [u64], x: &[u64]) {
    let mut borrow = false;
    for (target, &word) in z.iter_mut().zip(x.iter().chain(core::iter::repeat(&0))) {
        let (difference, under) = target.overflowing_sub(word);
        let (difference, under_again) = difference.overflowing_sub(u64::from(borrow));
        *target = difference;
        borrow = under | under_again;
    }
}

/// The `length` lowest words of x, zeros where x has fewer.
pub(crate) fn resized(x: &[u64], length: usize) -> Vec<u64> {
    let mut words = vec![0; length];
    let kept = length.min(x.len());
    words[..kept].copy_from_slice(&x[..kept]);
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_and_words_convert_both_ways() {
        let bytes: Vec<u8> = (1..=19).collect();
        let words = from_be_bytes(&bytes);
        assert_eq!(words, [0x0c0d_0e0f_1011_1213, 0x0405_0607_0809_0a0b, 0x01_0203]);
        assert_eq!(to_be_bytes(&words, 19), bytes);
        assert_eq!(to_be_bytes(&words, 21)[..3], [0, 0, 1]);
        assert_eq!(to_be_bytes(&words, 2), [18, 19]);
        assert_eq!(from_be_bytes(&[]), []);
    }

    #[test]
    fn lengths_and_shifts_cross_words() {
        assert_eq!(bit_length(&[]), 0);
        assert_eq!(bit_length(&[0, 0]), 0);
        assert_eq!(bit_length(&[u64::MAX, 1, 0]), 65);
        assert_eq!(trailing_zeros(&[0, 8]), 67);
        assert_eq!(shift_right(&[0, 8], 67), [1]);
        assert_eq!(shift_right(&[1 << 63, 3], 63), [7, 0]);
        assert_eq!(shift_right(&[5, 9], 0), [5, 9]);
        assert_eq!(shift_right(&[5, 9], 128), []);
        assert_eq!(shift_right(&[5, 9], 300), []);
        for (bits, expected) in
            [(0, [5, 9, 0]), (1, [2 | 1 << 63, 4, 0]), (64, [9, 0, 0]), (65, [4, 0, 0]), (200, [0; 3])]
        {
            let mut z = [7; 3];
            shift_right_into(&mut z, &[5, 9], bits);
            assert_eq!(z, expected, "{bits} bits");
            shift_right_into(&mut z[..1], &[5, 9], bits);
            assert_eq!(z, expected, "{bits} bits, one word");
        }
        assert_eq!(bits_at(&[1 << 63, 0b101], 63, 3), 0b011);
        assert_eq!(bits_at(&[u64::MAX], 60, 52), 0b1111);
    }

    #[test]
    fn numbers_are_equal_if_every_word_is() {
        let x: Vec<u64> = (1..9).collect();
        assert!(is_equal(&x, &x.clone()) && is_equal(&[], &[]));
        assert!(!is_equal(&x, &x[..7]) && !is_equal(&x[..7], &x) && !is_equal(&[], &[0]));
        for bit in 0..512 {
            let mut y = x.clone();
            y[bit / 64] ^= 1 << (bit % 64);
            assert!(!is_equal(&x, &y), "bit {bit}");
            // The same difference in two words is not none.
            y[(bit / 64 + 1) % 8] ^= 1 << (bit % 64);
            assert!(!is_equal(&x, &y), "bit {bit} of two words");
        }
    }

    #[test]
    fn a_number_is_below_the_powers_of_two_above_its_highest_bit() {
        const POSITIONS: [usize; 9] = [0, 1, 62, 63, 64, 65, 127, 128, 191];
        for (high, low) in POSITIONS.iter().flat_map(|&i| POSITIONS.map(|j| (i, j.min(i)))) {
            let mut x = [0; 4];
            x[high / 64] |= 1 << (high % 64);
            x[low / 64] |= 1 << (low % 64);
            for bits in 0..300 {
                assert_eq!(is_below_power_of_two(&x, bits), high < bits, "2^{high} and 2^{low}: {bits} bits");
            }
        }
        assert!(is_below_power_of_two(&[], 0) && is_below_power_of_two(&[0, 0, 0], 0));
    }

    #[test]
    fn differences_wrap_at_the_length() {
        let mut z = [2, u64::MAX];
        subtract(&mut z, &[3]);
        assert_eq!(z, [u64::MAX, u64::MAX - 1]);
    }
}
