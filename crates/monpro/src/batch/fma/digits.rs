//! Four numbers in lanes: lane l of digit j is digit j of number l. A digit is a limb of 51 bits.

use super::DIGIT_BITS;
use crate::arch::x86_64::fma::{Digits, Fma, LANES, Line, Vector};
use crate::arch::{InstructionSet, Task};
use alloc::vec;
use alloc::vec::Vec;
use zeroize::Zeroizing;

/// Four numbers, erased when dropped.
pub(super) type Numbers = Zeroizing<Vec<Digits>>;
/// Columns of sums; or the 64-bit words of four numbers. Erased when dropped.
pub(super) type Lines = Zeroizing<Vec<Line>>;

/// Four zeros, of `digits` digits each.
pub(super) fn zero(digits: usize) -> Numbers {
    Zeroizing::new(vec![Digits::default(); digits])
}

/// As many lines of 0.
pub(super) fn lines(count: usize) -> Lines {
    Zeroizing::new(vec![Line::default(); count])
}

/// The words of the numbers: lane l of line i is word i of number l.
pub(super) fn words(numbers: [&[u64]; LANES]) -> Lines {
    let mut z = lines(numbers.into_iter().map(<[u64]>::len).max().expect("there are four"));
    for (lane, number) in numbers.into_iter().enumerate() {
        for (words, &word) in z.iter_mut().zip(number) {
            words.0[lane] = word;
        }
    }
    z
}

/// The `count` < 64 bits from bit `position` up of the numbers with these words, which have zeros above.
#[inline(always)]
fn bits_at(fma: Fma, words: &[Line], position: usize, count: u32) -> Vector {
    let (i, shift) = (position / 64, (position % 64) as u32);
    let word = |i: usize| words.get(i).map_or(fma.zero(), |word| fma.load(word));
    let bits = fma.or(fma.shift_right_by(word(i), shift), fma.shift_left_by(word(i + 1), 64 - shift));
    fma.and(bits, fma.splat((1 << count) - 1))
}

/// The bits of [`bits_at`], in memory.
pub(super) fn window(fma: Fma, words: &[Line], position: usize, count: u32) -> Line {
    let mut window = Line::default();
    fma.run(Window { window: &mut window, words, position, count });
    window
}

struct Window<'a> {
    window: &'a mut Line,
    words: &'a [Line],
    position: usize,
    count: u32,
}

impl Task<Fma> for Window<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self, fma: Fma) {
        fma.store(self.window, bits_at(fma, self.words, self.position, self.count));
    }
}

/// The digits from digit `first` up of the numbers with these words.
pub(super) fn of_words(fma: Fma, words: &[Line], first: usize, digits: usize) -> Numbers {
    let mut z = zero(digits);
    set_from_words(fma, &mut z, words, first);
    z
}

/// Sets z to the digits from digit `first` up of the numbers with these words.
pub(super) fn set_from_words(fma: Fma, z: &mut [Digits], words: &[Line], first: usize) {
    fma.run(SetFromWords { z, words, first });
}

struct SetFromWords<'a> {
    z: &'a mut [Digits],
    words: &'a [Line],
    first: usize,
}

impl Task<Fma> for SetFromWords<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self, fma: Fma) {
        for (j, digit) in self.z.iter_mut().enumerate() {
            let position = (self.first + j) * DIGIT_BITS as usize;
            fma.store_digits(digit, fma.factor(bits_at(fma, self.words, position, DIGIT_BITS)));
        }
    }
}

/// The numbers in the first lanes, each in so many words; bits that do not fit must be 0.
pub(super) fn numbers(fma: Fma, x: &[Digits], counts: &[usize]) -> Vec<Vec<u64>> {
    let mut words = lines(counts.iter().copied().max().unwrap_or(0));
    fma.run(SetFromDigits { words: &mut words, x });
    let number = |(lane, &count): (usize, &usize)| words[..count].iter().map(|word| word.0[lane]).collect();
    counts.iter().enumerate().map(number).collect()
}

struct SetFromDigits<'a> {
    words: &'a mut [Line],
    x: &'a [Digits],
}

impl Task<Fma> for SetFromDigits<'_> {
    type Output = ();

    /// A word has the bits of two digits, or of three.
    #[inline(always)]
    fn run(self, fma: Fma) {
        for (i, word) in self.words.iter_mut().enumerate() {
            let (j, shift) = (64 * i / DIGIT_BITS as usize, (64 * i % DIGIT_BITS as usize) as u32);
            let digit = |j: usize| self.x.get(j).map_or(fma.zero(), |digit| fma.load_integers(digit));
            let low = fma.shift_right_by(digit(j), shift);
            let middle = fma.shift_left_by(digit(j + 1), DIGIT_BITS - shift);
            let high = fma.shift_left_by(digit(j + 2), 2 * DIGIT_BITS - shift);
            fma.store(word, fma.or(fma.or(low, middle), high));
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
        let Some(fma) = detect_or_say::<Fma>() else { return };
        for count in [1, 2, 4, 13, 14, 32, 51, 64] {
            let number = |lane: u64| -> Vec<u64> {
                (1..=count).map(|i| (i + 50 * lane).wrapping_mul(0x9e37_79b9_7f4a_7c15)).collect()
            };
            let expected: [Vec<u64>; LANES] = core::array::from_fn(|lane| number(lane as u64));
            let words = words(expected.each_ref().map(|number| &number[..]));
            let digits = (64 * count as usize).div_ceil(DIGIT_BITS as usize);
            let x = of_words(fma, &words, 0, digits);
            assert!(x.iter().flat_map(|digit| digit.0).all(|digit| digit < (1u64 << DIGIT_BITS) as f64));
            assert_eq!(numbers(fma, &x, &[count as usize; LANES]), expected);
        }
    }

    /// A window is made of shifts and masks, so what it does with each single bit, it does with all numbers.
    #[test]
    fn a_window_holds_each_bit_in_its_place() {
        let Some(fma) = detect_or_say::<Fma>() else { return };
        for bit in 0..192 {
            let mut number = [0u64; 3];
            number[bit / 64] = 1 << (bit % 64);
            let numbers = words([&number; LANES]);
            for position in 0..192 {
                for count in [1, 2, 3, 4, 5, 6, 7, 8, DIGIT_BITS] {
                    let expected = natural::bits_at(&number, position, count);
                    assert_eq!(window(fma, &numbers, position, count).0, [expected; LANES]);
                }
            }
        }
    }
}
