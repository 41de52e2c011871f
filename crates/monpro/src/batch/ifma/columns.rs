//! Products and reductions by columns. A digit is a limb of 52 bits. In one sweep, B digits of one factor are
//! multiplied by all digits of the other. The columns to which these products are added stay in registers.
//!
//! Column c, of weight 2^(52·c), is a sum of halves of products of digits, each half below 2^52. Carries wait until a
//! column is read for the last time. A product of two numbers of D digits adds at most 2D halves to a column, a
//! reduction as many again, and a carry is below 2^12. So a column is below 2^64 as long as 4D + 1 ≤ 2^12.

use super::digits::Digits;
use super::table::Reading;
use crate::arch::x86_64::ifma::{DIGIT_BITS, Ifma, Vector};

/// B adjacent columns, to which B rows are added at once. Low halves of products go to one sum, high halves to
/// another, so that half as many additions wait for each other.
#[derive(Clone, Copy)]
pub(super) struct Window<const B: usize> {
    ifma: Ifma,
    low: [Vector; B],
    high: [Vector; B],
}

impl<const B: usize> Window<B> {
    #[inline(always)]
    pub(super) fn new(ifma: Ifma, columns: [Vector; B]) -> Self {
        Window { ifma, low: columns, high: [ifma.zero(); B] }
    }

    /// The B lowest columns of t, of which the lowest `held` count.
    #[inline(always)]
    pub(super) fn lowest(ifma: Ifma, t: &[Digits], held: usize) -> Self {
        let column = |k: usize| if k < held { ifma.load(&t[k].0) } else { ifma.zero() };
        Window::new(ifma, core::array::from_fn(column))
    }

    /// The B lowest columns of t, with a carry in the lowest.
    #[inline(always)]
    pub(super) fn with_carry(ifma: Ifma, t: &[Digits], carry: Vector) -> Self {
        let mut window = Window::lowest(ifma, t, B);
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

    /// Adds Σ x\[k\]·y at columns k, then moves the window up by one column. `next` is the sum so far of the column
    /// that enters the window, so that no addition of its own is needed for it. Returns the column that leaves it.
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

    /// Adds x·y to t while a table is read, where the window has the B lowest columns of t. The lowest `held` columns of t
    /// count, the others become new: all, none, or those below the last B; t has B columns more than y.
    #[inline(always)]
    pub(super) fn sweep(
        mut self,
        x: &[Vector; B],
        y: &[Digits],
        t: &mut [Digits],
        held: usize,
        reading: &mut Reading<'_>,
    ) {
        let t = &mut t[..y.len() + B];
        if held == 0 {
            self.steps::<false>(x, y, t, reading);
        } else {
            let (y_held, y_new) = y.split_at(held.saturating_sub(B));
            self.steps::<true>(x, y_held, &mut t[..y_held.len() + B], reading);
            self.steps::<false>(x, y_new, &mut t[y_held.len()..], &mut Reading::of_nothing());
        }
        for (column, sum) in t[y.len()..].iter_mut().zip(self.columns()) {
            self.ifma.store(&mut column.0, sum);
        }
    }

    /// The steps for the digits of y. The columns that enter the window are those HELD by t, or else 0.
    ///
    /// B steps are done at a time: after them each sum is back in its register. A part of the table is read among
    /// them, by units for loads and selections that the products leave idle.
    #[inline(always)]
    fn steps<const HELD: bool>(
        &mut self,
        x: &[Vector; B],
        y: &[Digits],
        t: &mut [Digits],
        reading: &mut Reading<'_>,
    ) {
        let mut j = 0;
        while j + B <= y.len() {
            let (y, t) = (&y[j..j + B], &mut t[j..j + 2 * B]);
            for i in 0..B {
                self.step_in_place::<HELD>(x, &y[i], t, i);
                if i == B / 2 {
                    reading.proceed(self.ifma);
                }
            }
            j += B;
        }
        while j < y.len() {
            self.step_in_place::<HELD>(x, &y[j], t, j);
            j += 1;
        }
    }

    /// A step from which column j leaves, and into which column j + B comes, if it is HELD by t.
    #[inline(always)]
    fn step_in_place<const HELD: bool>(&mut self, x: &[Vector; B], y: &Digits, t: &mut [Digits], j: usize) {
        let ifma = self.ifma;
        let next = if HELD { ifma.load(&t[j + B].0) } else { ifma.zero() };
        let column = self.step(x, ifma.load(&y.0), next);
        ifma.store(&mut t[j].0, column);
    }
}

/// Calls a function for each block of $block rows of `count`, then for one block of the rows that are left.
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

/// Adds B rows of x·y, from `row` on, to t, which holds the rows below.
#[inline(always)]
fn product_rows<const B: usize>(ifma: Ifma, t: &mut [Digits], x: &[Digits], y: &[Digits], row: usize) {
    let t = &mut t[row..];
    let rows = lowest::<B>(ifma, &x[row..]);
    let held = held(row, y);
    Window::lowest(ifma, t, held).sweep(&rows, y, t, held, &mut Reading::of_nothing());
}

/// t = x², while a table is read; t has twice as many columns as x.
#[inline(always)]
pub(super) fn square<const B: usize>(ifma: Ifma, t: &mut [Digits], x: &[Digits], reading: &mut Reading<'_>) {
    by_blocks!(B, x.len(), |row| square_rows::<_>(ifma, t, x, row, reading));
}

/// Completes the 2·B columns of x² from 2·row on. First the rows' products with the digits above them are added, then
/// the products of two different digits of the rows. Then a column has all its products of two different digits: it
/// is doubled, and the square of a digit is added.
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
    let held = held(row, above);
    Window::lowest(ifma, from_above, held).sweep(&rows, above, from_above, held, reading);
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

/// How many columns the rows below `row` have left, when the products of the rows from it on with y are added.
fn held(row: usize, y: &[Digits]) -> usize {
    if row == 0 { 0 } else { y.len() }
}

/// The lowest B digits of x, in registers.
#[inline(always)]
pub(super) fn lowest<const B: usize>(ifma: Ifma, x: &[Digits]) -> [Vector; B] {
    core::array::from_fn(|k| ifma.load(&x[k].0))
}

/// Adds the part of each column above 52 bits to the next column, without clearing it; returns the carry out of the
/// last column.
#[inline(always)]
pub(super) fn carry<const B: usize>(ifma: Ifma, columns: &mut [Vector; B]) -> Vector {
    for k in 1..B {
        columns[k] = ifma.add(columns[k], ifma.shift_right::<DIGIT_BITS>(columns[k - 1]));
    }
    ifma.shift_right::<DIGIT_BITS>(columns[B - 1])
}
