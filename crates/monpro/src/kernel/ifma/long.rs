//! MonPro for residues of any length. Columns are summed a few vectors at a time, and stored in memory between. Each
//! kind of sum is a function of its own, so the code stays small for every length. A digit is a limb of 52 or 51
//! bits.

use super::carries::{Normalise, reduce_once};
use super::columns::{
    MOST_VECTORS, carry_into_r, high_columns, low_columns, square_columns, squares_together,
};
use super::constants::Derived;
use super::temporary::{Temporary, pad, put};
use super::{MonPro, PADDING, digits, load, store};
use crate::arch::x86_64::ifma::{Ifma, LANES};
use crate::arch::{InstructionSet, Task};
use core::ops::Range;

/// MonPro, or its square.
pub(super) struct Long<'a, const B: u32, const SQUARE: bool>(pub(super) MonPro<'a>);

impl<const B: u32, const SQUARE: bool> Task<Ifma> for Long<'_, B, SQUARE> {
    type Output = ();

    #[inline(always)]
    fn run(self, ifma: Ifma) {
        let MonPro { z, x, y, constants, t } = self.0;
        let digits = digits::<B>(constants.n_bits);
        let s = constants.s;
        let vectors = s / LANES;
        let derived = Derived::of(constants, s);
        let Temporary { low, m, high, difference } = Temporary::of(t, s);
        let end = (s + digits).div_ceil(LANES);
        pad(ifma, low, s);
        pad(ifma, m, s);
        for k in 0..vectors {
            store(ifma, high, k, ifma.zero());
        }

        // t = x·y.
        let product = Operands::<B> { a: y, b: x, a_digits: digits, b_digits: s };
        let carry_of_t;
        if SQUARE {
            product.put_square(ifma, &mut low[PADDING..], 0..vectors);
            carry_of_t = ifma.run(Normalise::<B>(&mut low[PADDING..][..s]));
            product.put_square(ifma, high, vectors..(2 * digits).div_ceil(LANES));
        } else {
            product.put_low(ifma, &mut low[PADDING..], 0..vectors);
            carry_of_t = ifma.run(Normalise::<B>(&mut low[PADDING..][..s]));
            product.add_high(ifma, high, vectors..end);
        }

        // m = t·n' mod R.
        let product = Operands::<B> { a: derived.n_prime, b: low, a_digits: s, b_digits: s };
        product.put_low(ifma, &mut m[PADDING..], 0..vectors);
        ifma.run(Normalise::<B>(&mut m[PADDING..][..s]));

        // u = (t + m·n)/R.
        let t_top = load(ifma, &low[PADDING..], vectors - 1);
        let carry = carry_into_r::<B>(ifma, &m[PADDING..][..s], derived.reversed, t_top);
        let carry = ifma.add(carry, ifma.in_first(carry_of_t));
        store(ifma, high, 0, ifma.add(load(ifma, high, 0), carry));
        let product = Operands::<B> { a: constants.n, b: m, a_digits: digits, b_digits: s };
        product.add_high(ifma, high, vectors..end);
        reduce_once::<B>(ifma, &mut z[PADDING..][..s], high, derived.complement, difference);
    }
}

/// Two padded numbers and their numbers of digits.
pub(super) struct Operands<'a, const B: u32> {
    pub(super) a: &'a [u64],
    pub(super) b: &'a [u64],
    pub(super) a_digits: usize,
    pub(super) b_digits: usize,
}

/// Runs a task for each part of the range of vectors, with the number of its vectors as a constant.
macro_rules! for_each_part {
    ($ifma:ident, $this:ident, $sums:ident, $range:ident, $task:ident, $width:expr) => {
        let mut first = $range.start;
        while first < $range.end {
            let width = $width(first);
            let sums = &mut $sums[LANES * (first - $range.start)..];
            let part = Part { operands: $this, sums, first };
            match width {
                1 => $ifma.run($task::<1, B>(part)),
                2 => $ifma.run($task::<2, B>(part)),
                3 => $ifma.run($task::<3, B>(part)),
                4 => $ifma.run($task::<4, B>(part)),
                _ => $ifma.run($task::<MOST_VECTORS, B>(part)),
            }
            first += width;
        }
    };
}

impl<const B: u32> Operands<'_, B> {
    /// sums = the vectors of columns of a·b in the range.
    #[inline(always)]
    pub(super) fn put_low(&self, ifma: Ifma, sums: &mut [u64], range: Range<usize>) {
        let width = even_width(&range);
        for_each_part!(ifma, self, sums, range, PutLow, |first| width.min(range.end - first));
    }

    /// sums += the vectors of columns of a·b in the range.
    #[inline(always)]
    pub(super) fn add_high(&self, ifma: Ifma, sums: &mut [u64], range: Range<usize>) {
        let width = even_width(&range);
        for_each_part!(ifma, self, sums, range, AddHigh, |first| width.min(range.end - first));
    }

    /// sums = the vectors of columns of a² in the range.
    #[inline(always)]
    pub(super) fn put_square(&self, ifma: Ifma, sums: &mut [u64], range: Range<usize>) {
        let width = even_width(&range);
        for_each_part!(ifma, self, sums, range, PutSquare, |first| {
            squares_together(self.a_digits, first, width.min(range.end - first))
        });
    }
}

/// The number of vectors in each part, if the range is split into about equal parts.
#[inline(always)]
fn even_width(range: &Range<usize>) -> usize {
    range.len().div_ceil(range.len().div_ceil(MOST_VECTORS).max(1))
}

/// The sums of columns from vector `first` on.
struct Part<'a, const B: u32> {
    operands: &'a Operands<'a, B>,
    sums: &'a mut [u64],
    first: usize,
}

struct PutLow<'a, const W: usize, const B: u32>(Part<'a, B>);

impl<const W: usize, const B: u32> Task<Ifma> for PutLow<'_, W, B> {
    type Output = ();

    #[inline(always)]
    fn run(self, ifma: Ifma) {
        let Part { operands: Operands { a, b, .. }, sums, first } = self.0;
        put(ifma, sums, low_columns::<W, B>(ifma, a, b, first));
    }
}

struct AddHigh<'a, const W: usize, const B: u32>(Part<'a, B>);

impl<const W: usize, const B: u32> Task<Ifma> for AddHigh<'_, W, B> {
    type Output = ();

    #[inline(always)]
    fn run(self, ifma: Ifma) {
        let Part { operands: Operands { a, b, a_digits, b_digits }, sums, first } = self.0;
        let mut columns = high_columns::<W, B>(ifma, a, b, *a_digits, *b_digits, first);
        for k in 0..W {
            columns[k] = ifma.add(columns[k], load(ifma, sums, k));
        }
        put(ifma, sums, columns);
    }
}

struct PutSquare<'a, const W: usize, const B: u32>(Part<'a, B>);

impl<const W: usize, const B: u32> Task<Ifma> for PutSquare<'_, W, B> {
    type Output = ();

    #[inline(always)]
    fn run(self, ifma: Ifma) {
        let Part { operands: Operands { a, a_digits, .. }, sums, first } = self.0;
        put(ifma, sums, square_columns::<W, B>(ifma, a, *a_digits, first));
    }
}
