//! Eight numbers in lanes: lane l of vector j is digit j of number l. A digit is a limb of 52 bits.

use crate::arch::x86_64::ifma::{DIGIT_BITS, Ifma, LANES, Vector};
use crate::arch::{InstructionSet, Task};
use alloc::vec;
use alloc::vec::Vec;
use zeroize::Zeroizing;

/// One digit of each of the eight numbers; or a column of sums, while a product grows; or a 64-bit word of each
/// number, before it is converted.
pub(super) use crate::arch::x86_64::ifma::Line as Digits;

/// Eight numbers, erased when dropped.
pub(super) type Numbers = Zeroizing<Vec<Digits>>;

/// Eight zeros, of `digits` digits each.
pub(super) fn zero(digits: usize) -> Numbers {
    Zeroizing::new(vec![Digits::default(); digits])
}

/// The words of the numbers: lane l of vector i is word i of number l.
pub(super) fn words(numbers: [&[u64]; LANES]) -> Numbers {
    let mut z = zero(0);
    set_words(&mut z, numbers);
    z
}

/// Sets z to the [`words`] of the numbers. Its memory is used again where it has as many vectors.
pub(super) fn set_words(z: &mut Numbers, numbers: [&[u64]; LANES]) {
    make_room(z, numbers.into_iter().map(<[u64]>::len).max().expect("there are eight"));
    z.fill(Digits::default());
    for (lane, number) in numbers.into_iter().enumerate() {
        for (words, &word) in z.iter_mut().zip(number) {
            words.0[lane] = word;
        }
    }
}

/// Makes z as long as this.
fn make_room(z: &mut Numbers, length: usize) {
    if z.len() != length {
        *z = zero(length);
    }
}

/// The `count` < 64 bits from bit `position` up of the numbers with these words, which have zeros above.
#[inline(always)]
pub(super) fn bits_at(ifma: Ifma, words: &[Digits], position: usize, count: u32) -> Vector {
    let (i, shift) = (position / 64, (position % 64) as u32);
    let word = |i: usize| words.get(i).map_or(ifma.zero(), |word| ifma.load(&word.0));
    let bits = ifma.or(ifma.shift_right_by(word(i), shift), ifma.shift_left_by(word(i + 1), 64 - shift));
    ifma.and(bits, ifma.splat((1 << count) - 1))
}

/// The bits of [`bits_at`], in memory.
pub(super) fn window(ifma: Ifma, words: &[Digits], position: usize, count: u32) -> Digits {
    let mut window = Digits::default();
    ifma.run(Window { window: &mut window, words, position, count });
    window
}

struct Window<'a> {
    window: &'a mut Digits,
    words: &'a [Digits],
    position: usize,
    count: u32,
}

impl Task<Ifma> for Window<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self, ifma: Ifma) {
        ifma.store(&mut self.window.0, bits_at(ifma, self.words, self.position, self.count));
    }
}

/// The digits from digit `first` up of the numbers with these words.
pub(super) fn of_words(ifma: Ifma, words: &[Digits], first: usize, digits: usize) -> Numbers {
    let mut z = zero(digits);
    set_from_words(ifma, &mut z, words, first);
    z
}

/// Sets z to the digits from digit `first` up of the numbers with these words.
pub(super) fn set_from_words(ifma: Ifma, z: &mut [Digits], words: &[Digits], first: usize) {
    ifma.run(SetFromWords { z, words, first });
}

struct SetFromWords<'a> {
    z: &'a mut [Digits],
    words: &'a [Digits],
    first: usize,
}

impl Task<Ifma> for SetFromWords<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self, ifma: Ifma) {
        for (j, digit) in self.z.iter_mut().enumerate() {
            let position = (self.first + j) * DIGIT_BITS as usize;
            ifma.store(&mut digit.0, bits_at(ifma, self.words, position, DIGIT_BITS));
        }
    }
}

/// The numbers in the first lanes, each in so many words; bits that do not fit must be 0. `room` becomes the words of all
/// lanes.
pub(super) fn numbers(ifma: Ifma, x: &[Digits], counts: &[usize], room: &mut Numbers) -> Vec<Vec<u64>> {
    make_room(room, counts.iter().copied().max().unwrap_or(0));
    ifma.run(SetFromDigits { words: room, x });
    let number = |(lane, &count): (usize, &usize)| room[..count].iter().map(|word| word.0[lane]).collect();
    counts.iter().enumerate().map(number).collect()
}

struct SetFromDigits<'a> {
    words: &'a mut [Digits],
    x: &'a [Digits],
}

impl Task<Ifma> for SetFromDigits<'_> {
    type Output = ();

    /// A word has the bits of two digits, or of three.
    #[inline(always)]
    fn run(self, ifma: Ifma) {
        for (i, word) in self.words.iter_mut().enumerate() {
            let (j, shift) = (64 * i / DIGIT_BITS as usize, (64 * i % DIGIT_BITS as usize) as u32);
            let digit = |j: usize| self.x.get(j).map_or(ifma.zero(), |digit| ifma.load(&digit.0));
            let low = ifma.shift_right_by(digit(j), shift);
            let middle = ifma.shift_left_by(digit(j + 1), DIGIT_BITS - shift);
            let high = ifma.shift_left_by(digit(j + 2), 2 * DIGIT_BITS - shift);
            ifma.store(&mut word.0, ifma.or(ifma.or(low, middle), high));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arch::tested::detect_or_say;
    use crate::natural;

    #[test]
    fn words_become_digits_and_words_again() {
        let Some(ifma) = detect_or_say::<Ifma>() else { return };
        for count in [1, 2, 4, 13, 14, 32] {
            let number = |lane: u64| -> Vec<u64> {
                (1..=count).map(|i| (i + 50 * lane).wrapping_mul(0x9e37_79b9_7f4a_7c15)).collect()
            };
            let expected: [Vec<u64>; LANES] = core::array::from_fn(|lane| number(lane as u64));
            let words = words(expected.each_ref().map(|number| &number[..]));
            let digits = (64 * count as usize).div_ceil(DIGIT_BITS as usize);
            let x = of_words(ifma, &words, 0, digits);
            assert!(x.iter().flat_map(|digit| digit.0).all(|digit| digit < 1 << DIGIT_BITS));
            let found = numbers(ifma, &x, &[count as usize; LANES], &mut zero(0));
            assert_eq!(found, expected);
        }
    }

    /// A window is made of shifts and masks, so what it does with each single bit, it does with all numbers.
    #[test]
    fn a_window_holds_each_bit_in_its_place() {
        let Some(ifma) = detect_or_say::<Ifma>() else { return };
        for bit in 0..192 {
            let mut number = [0u64; 3];
            number[bit / 64] = 1 << (bit % 64);
            let numbers = words([&number; LANES]);
            for position in 0..192 {
                for count in [1, 2, 3, 4, 5, 6, 7, 8, DIGIT_BITS] {
                    let expected = natural::bits_at(&number, position, count);
                    assert_eq!(window(ifma, &numbers, position, count).0, [expected; LANES]);
                }
            }
        }
    }
}
