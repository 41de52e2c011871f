//! Pairs of numbers in digits: vector k holds digits 4·k … 4·k + 3 of the first number in its lower half, and those of
//! the second in its upper half. A digit is a limb of 52 bits.

use crate::arch::x86_64::ifma::{DIGIT_BITS, HALF, Ifma, Line, Vector, for_each};
use crate::natural;
use alloc::vec;
use alloc::vec::Vec;
use zeroize::Zeroizing;

/// The digits below digit 0 that a window may begin with.
pub(super) const DIGITS_BELOW: usize = HALF - 1;
/// The most vectors of a factor whose digits stay in registers, each spread over its half.
const MOST_KEPT: usize = 5;

/// Vectors of a pair, erased when dropped.
pub(super) type Pair = Zeroizing<Vec<Line>>;

/// A pair of zeros, in `vectors` vectors.
pub(super) fn zero(vectors: usize) -> Pair {
    Zeroizing::new(vec![Line::default(); vectors])
}

/// The digits from digit `first` up of two numbers in words, in `vectors` vectors.
pub(super) fn of_words(numbers: [&[u64]; 2], first: usize, vectors: usize) -> Pair {
    let digit = |number: &[u64], j| natural::bits_at(number, (first + j) * DIGIT_BITS as usize, DIGIT_BITS);
    of_digits(vectors, |half, j| digit(numbers[half], j))
}

/// The pair whose digits are digit(half, j), for half 0 and 1.
pub(super) fn of_digits(vectors: usize, digit: impl Fn(usize, usize) -> u64) -> Pair {
    let line = |k| Line(core::array::from_fn(|lane| digit(lane / HALF, HALF * k + lane % HALF)));
    Zeroizing::new((0..vectors).map(line).collect())
}

/// Digit j of the number in this half; 0 outside the number.
pub(super) fn digit(pair: &[Line], half: usize, j: usize) -> u64 {
    pair.get(j / HALF).map_or(0, |line| line.0[HALF * half + j % HALF])
}

/// The number in this half, in `words` words; bits that do not fit must be 0.
pub(super) fn number(pair: &[Line], half: usize, words: usize) -> Vec<u64> {
    natural::from_digits::<DIGIT_BITS>((0..HALF * pair.len()).map(|j| digit(pair, half, j)), words)
}

/// The number of lines of the windows of a pair of V vectors.
pub(super) const fn window_lines(v: usize) -> usize {
    HALF * v + DIGITS_BELOW
}

/// The windows of a pair: line i holds digits i − 3 … i of each number, zeros outside the number.
pub(super) fn windows_of(pair: &[Line]) -> Pair {
    let digit = |i: usize, lane: usize| {
        let above = i + lane % HALF;
        if above < DIGITS_BELOW { 0 } else { digit(pair, lane / HALF, above - DIGITS_BELOW) }
    };
    let line = |i| Line(core::array::from_fn(|lane| digit(i, lane)));
    Zeroizing::new((0..window_lines(pair.len())).map(line).collect())
}

/// The windows of a pair in registers.
#[inline(always)]
pub(super) fn put_windows<const V: usize>(ifma: Ifma, windows: &mut [Line], pair: &[Vector; V]) {
    let windows = &mut windows[..window_lines(V)];
    for_each!(K in 0 1 2 3 4 5 6 7 8 9 10 => {
        if const { K < V + 1 } {
            let above = pair.get(K).copied().unwrap_or(ifma.zero());
            let below = K.checked_sub(1).map_or(ifma.zero(), |k| pair[k]);
            ifma.store(&mut windows[HALF * K].0, ifma.align_halves::<3>(above, below));
            ifma.store(&mut windows[HALF * K + 1].0, ifma.align_halves::<2>(above, below));
            ifma.store(&mut windows[HALF * K + 2].0, ifma.align_halves::<1>(above, below));
            if K < V {
                ifma.store(&mut windows[HALF * K + 3].0, above);
            }
        }
    });
}

/// The vectors of a pair.
#[inline(always)]
pub(super) fn get<const V: usize>(ifma: Ifma, pair: &[Line]) -> [Vector; V] {
    let mut vectors = [ifma.zero(); V];
    for (vector, line) in vectors.iter_mut().zip(&pair[..V]) {
        *vector = ifma.load(&line.0);
    }
    vectors
}

/// pair = the vectors.
#[inline(always)]
pub(super) fn put<const V: usize>(ifma: Ifma, pair: &mut [Line], vectors: &[Vector; V]) {
    for (line, &vector) in pair[..V].iter_mut().zip(vectors) {
        ifma.store(&mut line.0, vector);
    }
}

/// A factor of a product, whose digits are spread over the halves of vectors.
pub(super) struct Factor<const V: usize> {
    pub(super) vectors: [Vector; V],
    kept: [Vector; HALF * MOST_KEPT],
}

impl<const V: usize> Factor<V> {
    #[inline(always)]
    pub(super) fn new(ifma: Ifma, vectors: [Vector; V]) -> Self {
        let mut factor = Factor { vectors, kept: [ifma.zero(); HALF * MOST_KEPT] };
        for_each!(ROW in 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 => {
            if const { V <= MOST_KEPT && ROW < HALF * V } {
                factor.kept[ROW] = factor.spread::<ROW>(ifma);
            }
        });
        factor
    }

    /// Digit ROW of each number, in all four lanes of its half.
    #[inline(always)]
    pub(super) fn digit<const ROW: usize>(&self, ifma: Ifma) -> Vector {
        if const { V <= MOST_KEPT } { self.kept[ROW] } else { self.spread::<ROW>(ifma) }
    }

    #[inline(always)]
    fn spread<const ROW: usize>(&self, ifma: Ifma) -> Vector {
        let (ifma, vector) = (ifma.in_order(), self.vectors[ROW / HALF]);
        match ROW % HALF {
            0 => ifma.spread::<0>(vector),
            1 => ifma.spread::<1>(vector),
            2 => ifma.spread::<2>(vector),
            _ => ifma.spread::<3>(vector),
        }
    }
}
