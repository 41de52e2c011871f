//! From columns to digits.

use super::arithmetic::LARGEST;
use super::{DIGIT_BITS, HIGH_BIAS, PADDING, load, store};
use crate::arch::x86_64::fma::{Fma, LANES, LOW_BIAS, Vector};

/// How far a column is raised before its carry is taken, so that it is not negative: a multiple of 2^50.
pub(super) const RAISE: u64 = 1 << 62;
/// What a column carries too much because it is raised.
pub(super) const RAISED_CARRY: u64 = RAISE >> DIGIT_BITS;

/// Makes digits of columns, a vector after the other. A digit keeps the carry of the column below it.
pub(super) struct Carries {
    fma: Fma,
    /// What is added to a column.
    raise: Vector,
    /// What is taken off a digit, for what its column and the carry into it have too much.
    excess: Vector,
    /// Has in its last word the carry into the next column, `RAISED_CARRY` too much.
    pub(super) carry: Vector,
}

impl Carries {
    /// For the columns of a number mod R from the lowest on, of which the digits are not negative. Where a column is negative,
    /// or 0, it borrows from the column above, and the highest one from R.
    #[inline(always)]
    pub(super) fn modulo_r(fma: Fma) -> Self {
        Carries {
            fma,
            raise: fma.splat(RAISE - RAISED_CARRY),
            excess: fma.zero(),
            carry: fma.splat(RAISED_CARRY),
        }
    }

    /// For the columns from R on, of which the carry into the lowest is given. Digits may be negative. The highest column must
    /// be from 0 to 2^50 − 1: what it carries is lost.
    #[inline(always)]
    pub(super) fn above_r(fma: Fma, carry: Vector) -> Self {
        Carries { fma, raise: fma.splat(RAISE), excess: fma.splat(RAISED_CARRY), carry }
    }

    /// Stores the digits of these columns in four cells, from cell i on.
    #[inline(always)]
    pub(super) fn put(&mut self, cells: &mut [u64], i: usize, columns: Vector) {
        let fma = self.fma;
        let raised = fma.add(columns, self.raise);
        let carry = fma.shift_right::<{ DIGIT_BITS as i32 }>(raised);
        let digits = fma.add(fma.and(raised, fma.splat(LARGEST)), fma.up_word(carry, self.carry));
        self.carry = carry;
        store(fma, cells, i, fma.cells(fma.signed_digits(fma.sub(digits, self.excess))));
    }

    /// As [`put`](Carries::put), for columns from R on of which the highest is in this lane and takes the carry as it is. Those
    /// above it must be 0.
    #[inline(always)]
    pub(super) fn put_highest(&self, cells: &mut [u64], i: usize, columns: Vector, lane: usize) {
        let fma = self.fma;
        let lanes = |count: usize| load(fma, &LANES_BELOW, LANES - count);
        let (below, all) = (lanes(lane), lanes(lane + 1));
        let raised = fma.add(columns, fma.and(below, fma.splat(RAISE)));
        let carry = fma.up_word(fma.shift_right::<{ DIGIT_BITS as i32 }>(raised), self.carry);
        let carry = fma.and(all, fma.sub(carry, fma.splat(RAISED_CARRY)));
        let digits = fma.add(fma.select(below, raised, fma.and(raised, fma.splat(LARGEST))), carry);
        store(fma, cells, i, fma.cells(fma.signed_digits(digits)));
    }
}

/// From word 4 − k on, all bits in k words and none in the others.
const LANES_BELOW: [u64; 2 * LANES] = [u64::MAX, u64::MAX, u64::MAX, u64::MAX, 0, 0, 0, 0];

/// The carry of four columns, and of what the columns below carry into them, that amount to a multiple of W^4: in the last word.
///
/// A column is a sum of at most 2^9 low parts of at least −2^50, of high parts below 2^52, and of a digit: what is carried into the
/// last column is between −2^10 and 2^13. With it, that column is c·2^50 for the carry c. So c = ⌊(that column + 2^20)/2^50⌋.
#[inline(always)]
pub(super) fn carry_of_zeros(fma: Fma, columns: Vector) -> Vector {
    let raised = fma.add(columns, fma.splat(RAISE + (1 << 20)));
    fma.sub(fma.shift_right::<{ DIGIT_BITS as i32 }>(raised), fma.splat(RAISED_CARRY))
}

/// What the columns below R of t + m·n carry into R, in word 0, and in every word the sum of the high parts of m·n that
/// belong to column R.
///
/// t + m·n is a multiple of R, so [`carry_of_zeros`] needs only the column below R.
#[inline(always)]
pub(super) fn carry_into_r(fma: Fma, m: &[u64], t: &[u64], reversed: &[u64], s: usize) -> (Vector, Vector) {
    let (mut low, mut high, mut high_below) = (fma.zero(), fma.zero(), fma.zero());
    let mut i = 0;
    while i < s {
        let digits = fma.digits(load(fma, m, PADDING + i));
        let (column_low, column_high) = fma.product::<HIGH_BIAS>(digits, fma.digits(load(fma, reversed, i)));
        let (_, below) = fma.product::<HIGH_BIAS>(digits, fma.digits(load(fma, reversed, i + 1)));
        low = fma.add(low, column_low);
        high = fma.add(high, column_high);
        high_below = fma.add(high_below, below);
        i += LANES;
    }
    let (count, highs) = (s as u64, HIGH_BIAS.wrapping_mul(s as u64));
    let bias = highs.wrapping_add(LOW_BIAS.wrapping_mul(count));
    let column = fma.sub(fma.add_all_words(fma.add(low, high_below)), fma.splat(bias));
    let top = fma.repeat_last(fma.integer(fma.digits(load(fma, t, PADDING + s - LANES))));
    (
        fma.keep_first(carry_of_zeros(fma, fma.add(column, top))),
        fma.sub(fma.add_all_words(high), fma.splat(highs)),
    )
}
