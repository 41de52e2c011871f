//! Products and reductions by columns: B digits of one factor go over all digits of the other at once, with the
//! columns that they meet in registers.
//!
//! Column c is a sum of halves of digit products, of weight 2^(52·c), each half below 2^52; carries wait until a
//! column is read for good. A product of two numbers of D digits puts at most 2D halves into a column, a reduction
//! as many again, and a carry is below 2^12: less than 2^64 as long as 4D + 1 ≤ 2^12.

use super::digits::Digits;
use super::table::Reading;
use crate::ifma::{DIGIT_BITS, Ifma, Vector};

/// B columns, one beside the other, to which B rows add at once: low halves of products to one sum, high halves to
/// another, so that half as many additions wait for each other.
pub(super) struct Window<const B: usize> {
    ifma: Ifma,
    low: [Vector; B],
    high: [Vector; B],
}

impl<const B: usize> Window<B> {
    /// These columns.
    #[inline(always)]
    pub(super) fn new(ifma: Ifma, columns: [Vector; B]) -> Self {
        Window { ifma, low: columns, high: [ifma.zero(); B] }
    }

    /// The B lowest columns of t, of which those from `known` up count as 0, and `carry` in the lowest.
    #[inline(always)]
    pub(super) fn load(ifma: Ifma, t: &[Digits], known: usize, carry: Vector) -> Self {
        let column = |k: usize| if k < known { ifma.load(&t[k].0) } else { ifma.zero() };
        let mut window = Window::new(ifma, core::array::from_fn(column));
        window.high[0] = carry;
        window
    }

    /// The sums.
    #[inline(always)]
    pub(super) fn columns(self) -> [Vector; B] {
        let mut sums = self.low;
        for k in 0..B {
            sums[k] = self.ifma.add(sums[k], self.high[k]);
        }
        sums
    }

    /// Into the B lowest columns of t.
    #[inline(always)]
    fn store(self, t: &mut [Digits]) {
        let ifma = self.ifma;
        for (column, sum) in t[..B].iter_mut().zip(self.columns()) {
            ifma.store(&mut column.0, sum);
        }
    }

    /// Adds Σ x[k]·y at columns k and moves the window up by a column, which holds `next` so far. Returns the column
    /// that it leaves.
    #[inline(always)]
    pub(super) fn step(&mut self, x: &[Vector; B], y: Vector, next: Vector) -> Vector {
        let ifma = self.ifma;
        let left = ifma.add(ifma.add_product_low(self.low[0], x[0], y), self.high[0]);
        for k in 1..B {
            self.low[k - 1] = ifma.add_product_low(self.low[k], x[k], y);
            self.high[k - 1] = ifma.add_product_high(self.high[k], x[k - 1], y);
        }
        self.low[B - 1] = next;
        self.high[B - 1] = ifma.add_product_high(ifma.zero(), x[B - 1], y);
        left
    }

    /// Adds x·y to t, from whose lowest columns the window was loaded, while a table is read. The columns from `known` up
    /// count as 0; t has B more than y.
    #[inline(always)]
    pub(super) fn sweep(
        mut self,
        x: &[Vector; B],
        y: &[Digits],
        t: &mut [Digits],
        known: usize,
        reading: &mut Reading<'_>,
    ) {
        let (y, y_alone) = y.split_at(known.saturating_sub(B));
        let t = self.steps::<true>(x, y, t, reading);
        let t = self.steps::<false>(x, y_alone, t, reading);
        self.store(t);
    }

    /// The steps for digits y, the columns above the window being LOADED from t or else 0. Returns the columns from the
    /// window up. B steps at a time: then each sum is back in its register,
    /// and a part of the table is read: what products leave idle loads and selects.
    #[inline(always)]
    fn steps<'t, const LOADED: bool>(
        &mut self,
        x: &[Vector; B],
        y: &[Digits],
        mut t: &'t mut [Digits],
        reading: &mut Reading<'_>,
    ) -> &'t mut [Digits] {
        let ifma = self.ifma;
        let blocks = y.chunks_exact(B);
        let single = blocks.remainder();
        for y in blocks {
            let (left, above) = t.split_at_mut(B);
            assert!(!LOADED || above.len() >= B);
            for i in 0..B {
                let next = if LOADED { ifma.load(&above[i].0) } else { ifma.zero() };
                let column = self.step(x, ifma.load(&y[i].0), next);
                ifma.store(&mut left[i].0, column);
            }
            reading.proceed(ifma);
            t = above;
        }
        for y in single {
            let next = if LOADED { ifma.load(&t[B].0) } else { ifma.zero() };
            let column = self.step(x, ifma.load(&y.0), next);
            let (left, above) = t.split_at_mut(1);
            ifma.store(&mut left[0].0, column);
            t = above;
        }
        t
    }
}

/// Calls a function for blocks of $block rows of `count`, then for one with those that are left.
macro_rules! by_blocks {
    ($block:expr, $count:expr, |$row:ident| $function:ident::<_>($($argument:expr),*)) => {{
        let count = $count;
        let mut $row = 0;
        while $row + $block <= count {
            $function::<{ $block }>($($argument),*);
            $row += $block;
        }
        match count - $row {
            0 => {}
            1 => $function::<1>($($argument),*),
            2 => $function::<2>($($argument),*),
            3 => $function::<3>($($argument),*),
            _ => $function::<4>($($argument),*),
        }
    }};
}

/// t = x·y; t has as many columns as x and y together.
#[inline(always)]
pub(super) fn product<const B: usize>(ifma: Ifma, t: &mut [Digits], x: &[Digits], y: &[Digits]) {
    by_blocks!(B, x.len(), |row| product_rows::<_>(ifma, t, x, y, row));
}

/// Adds the rows from `row` up of x·y to t, which holds those below.
#[inline(always)]
fn product_rows<const B: usize>(ifma: Ifma, t: &mut [Digits], x: &[Digits], y: &[Digits], row: usize) {
    let t = &mut t[row..];
    let rows = lowest::<B>(ifma, &x[row..]);
    let known = if row == 0 { 0 } else { y.len() };
    Window::load(ifma, t, known, ifma.zero()).sweep(&rows, y, t, known, &mut Reading::of_nothing());
}

/// t = x², while a table is read; t has twice as many columns as x.
#[inline(always)]
pub(super) fn square<const B: usize>(ifma: Ifma, t: &mut [Digits], x: &[Digits], reading: &mut Reading<'_>) {
    by_blocks!(B, x.len(), |row| square_rows::<_>(ifma, t, x, row, reading));
}

/// Completes the 2·B columns from 2·row up of x². The rows' products with the digits above them come first, then
/// those of two different ones of them; then a column has all its products of two different digits, and is doubled.
#[inline(always)]
fn square_rows<const B: usize>(
    ifma: Ifma,
    t: &mut [Digits],
    x: &[Digits],
    row: usize,
    reading: &mut Reading<'_>,
) {
    let rows = lowest::<B>(ifma, &x[row..]);
    let above = &x[row + B..];
    let from_above = &mut t[2 * row + B..];
    let known = if row == 0 { 0 } else { above.len() };
    Window::load(ifma, from_above, known, ifma.zero()).sweep(&rows, above, from_above, known, reading);
    let t = &mut t[2 * row..2 * (row + B)];
    for c in 0..2 * B {
        let mut low = if row == 0 && c < B { ifma.zero() } else { ifma.load(&t[c].0) };
        let mut high = ifma.zero();
        for i in 0..B {
            for j in i + 1..B {
                if i + j == c {
                    low = ifma.add_product_low(low, rows[i], rows[j]);
                }
                if i + j + 1 == c {
                    high = ifma.add_product_high(high, rows[i], rows[j]);
                }
            }
        }
        let once = ifma.add(low, high);
        let twice = ifma.add(once, once);
        let sum = match c % 2 {
            0 => ifma.add_product_low(twice, rows[c / 2], rows[c / 2]),
            _ => ifma.add_product_high(twice, rows[c / 2], rows[c / 2]),
        };
        ifma.store(&mut t[c].0, sum);
    }
}

/// The lowest B digits of x, in registers.
#[inline(always)]
pub(super) fn lowest<const B: usize>(ifma: Ifma, x: &[Digits]) -> [Vector; B] {
    core::array::from_fn(|k| ifma.load(&x[k].0))
}

/// Moves what columns have above 52 bits one column up, leaving it where it is; returns what leaves the last.
#[inline(always)]
pub(super) fn carry<const B: usize>(ifma: Ifma, columns: &mut [Vector; B]) -> Vector {
    for k in 1..B {
        columns[k] = ifma.add(columns[k], ifma.shift_right::<DIGIT_BITS>(columns[k - 1]));
    }
    ifma.shift_right::<DIGIT_BITS>(columns[B - 1])
}
