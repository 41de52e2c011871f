//! Eight numbers side by side in digits of 52 bits: lane l of vector j is digit j of number l.

use crate::ifma::{DIGIT_BITS, LANES};
use crate::natural;
use alloc::vec;
use alloc::vec::Vec;
use zeroize::{DefaultIsZeroes, Zeroizing};

/// A digit of each of the eight numbers; a column of sums while a product grows.
#[derive(Clone, Copy, Default)]
#[repr(C, align(64))]
pub(super) struct Digits(pub(super) [u64; LANES]);

impl DefaultIsZeroes for Digits {}

/// Eight numbers, erased when dropped.
pub(super) type Numbers = Zeroizing<Vec<Digits>>;

/// Eight times 0, in so many digits.
pub(super) fn zero(digits: usize) -> Numbers {
    Zeroizing::new(vec![Digits::default(); digits])
}

/// The digits from digit `first` up of the numbers.
pub(super) fn interleaved(numbers: [&[u64]; LANES], first: usize, digits: usize) -> Numbers {
    let mut z = zero(digits);
    for (lane, number) in numbers.into_iter().enumerate() {
        for (j, digit) in z.iter_mut().enumerate() {
            digit.0[lane] = natural::bits_at(number, (first + j) * DIGIT_BITS as usize, DIGIT_BITS);
        }
    }
    z
}

/// The number in a lane, in so many words; what does not fit must be 0.
pub(super) fn number(x: &[Digits], lane: usize, words: usize) -> Vec<u64> {
    let mut number = vec![0; words];
    for (j, digit) in x.iter().enumerate() {
        let (word, shift) = (j * DIGIT_BITS as usize / 64, j as u32 * DIGIT_BITS % 64);
        let spread = u128::from(digit.0[lane]) << shift;
        for (target, part) in number.iter_mut().skip(word).zip([spread as u64, (spread >> 64) as u64]) {
            *target |= part;
        }
    }
    number
}
