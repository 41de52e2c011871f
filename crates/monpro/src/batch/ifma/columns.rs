//! Products and reductions by columns: B digits of one factor go over all digits of the other at once, with the
//! columns that they meet in registers.
//!
//! Column c is a sum of halves of digit products, of weight 2^(52·c), each half below 2^52; carries wait until a
//! column is read for good. A product of two numbers of D digits puts at most 2D halves into a column, a reduction
//! as many again, and a carry is below 2^12: less than 2^64 as long as 4D + 1 ≤ 2^12.

use super::digits::Digits;
use super::table::Reading;
use crate::arch::x86_64::ifma::{DIGIT_BITS, Ifma, Vector};

/// The columns to which a sweep adds; it counts the others as 0.
#[derive(Clone, Copy)]
pub(super) enum Held {
    None,
    AllBelowTheLastWindow,
    All,
}

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

    /// Columns of 0, with a carry in the lowest.
    #[inline(always)]
    pub(super) fn with_carry(ifma: Ifma, carry: Vector) -> Self {
        let mut window = Window::new(ifma, [ifma.zero(); B]);
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

    /// Adds x·y to t, of which these columns hold something, while a table is read; t has B columns more than y.
    #[inline(always)]
    pub(super) fn sweep(
        mut self,
        x: &[Vector; B],
        y: &[Digits],
        t: &mut [Digits],
        held: Held,
        reading: &mut Reading<'_>,
    ) {
        let ifma = self.ifma;
        let (t, top) = t.split_at_mut(y.len());
        match held {
            Held::None => self.steps::<false>(x, y, t, reading),
            Held::AllBelowTheLastWindow | Held::All => self.steps::<true>(x, y, t, reading),
        }
        for (column, sum) in top[..B].iter_mut().zip(self.columns()) {
            let sum = if let Held::All = held { ifma.add(sum, ifma.load(&column.0)) } else { sum };
            ifma.store(&mut column.0, sum);
        }
    }

    /// The steps for digits y. Their columns are ADDED to those of t, or else replace them, when they leave the window: a
    /// sweep then need not wait for the one before, which ends with columns that it begins with. B steps at a time: then
    /// each sum is back in its register. Among them a part of the table is read: what products leave idle loads and
    /// selects.
    #[inline(always)]
    fn steps<const ADDED: bool>(
        &mut self,
        x: &[Vector; B],
        y: &[Digits],
        t: &mut [Digits],
        reading: &mut Reading<'_>,
    ) {
        let (blocks, mut t_blocks) = (y.chunks_exact(B), t.chunks_exact_mut(B));
        let single = blocks.remainder();
        for (y, t) in blocks.zip(&mut t_blocks) {
            for i in 0..B {
                self.step_in_place::<ADDED>(x, &y[i], &mut t[i]);
                if i == B / 2 {
                    reading.proceed(self.ifma);
                }
            }
        }
        for (y, t) in single.iter().zip(t_blocks.into_remainder()) {
            self.step_in_place::<ADDED>(x, y, t);
        }
    }

    /// A step whose column is ADDED to t, or else replaces it.
    #[inline(always)]
    fn step_in_place<const ADDED: bool>(&mut self, x: &[Vector; B], y: &Digits, t: &mut Digits) {
        let ifma = self.ifma;
        let column = self.step(x, ifma.load(&y.0), ifma.zero());
        let column = if ADDED { ifma.add(column, ifma.load(&t.0)) } else { column };
        ifma.store(&mut t.0, column);
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
    Window::new(ifma, [ifma.zero(); B]).sweep(&rows, y, t, held(row), &mut Reading::of_nothing());
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
    Window::new(ifma, [ifma.zero(); B]).sweep(&rows, above, from_above, held(row), reading);
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

/// What the columns hold to which the rows from `row` up are added.
fn held(row: usize) -> Held {
    if row == 0 { Held::None } else { Held::AllBelowTheLastWindow }
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
