//! Products by columns. A digit is a limb of 51 bits. In one sweep, B digits of one factor are multiplied by all digits of
//! the other. The columns to which these products are added stay in registers.
//!
//! Column c, of weight 2^(51·c), is a sum of low parts r of products, |r| ≤ 2^51, and of high parts from 0 to 2^51. A product
//! of two numbers of D digits adds at most D of each to a column, a reduction as many again; in a square, half as many may
//! be twice as high. Carries, which are below 2^13, wait until a column is read for the last time. Every column begins
//! [`raised`], so that it is not negative then: it stays between 0 and 2^63 as long as D·2^53 + 2^13 ≤ 2^62, which is so up
//! to [`MOST_DIGITS`].

use super::{DIGIT_BITS, HIGH_BIAS};
use crate::arch::x86_64::fma::{Digits, Factor, Fma, LOW_BIAS, Line, Vector};

/// The most digits for which no column overflows.
#[cfg(test)]
pub(super) const MOST_DIGITS: usize = 511;

/// How far a column is raised, a multiple of 2^51.
const RAISE: u64 = 1 << 62;
/// What a column carries too much because it is raised.
pub(super) const RAISED_CARRY: u64 = RAISE >> DIGIT_BITS;

/// 0, as column c of a sum begins: raised, less what the column below carries too much.
pub(super) const fn raised(c: usize) -> u64 {
    if c == 0 { RAISE } else { RAISE - RAISED_CARRY }
}

/// What so many low and high parts of products have too much.
const fn bias(lows: usize, highs: usize) -> u64 {
    LOW_BIAS.wrapping_mul(lows as u64).wrapping_add(HIGH_BIAS.wrapping_mul(highs as u64))
}

/// B adjacent columns, to which B rows are added at once.
#[derive(Clone, Copy)]
pub(super) struct Window<const B: usize> {
    fma: Fma,
    columns: [Vector; B],
}

impl<const B: usize> Window<B> {
    /// The window at these columns. The column at place k will get the low parts of rows 0 to k and the high parts of rows
    /// 0 to k − 1: their bias is taken off now.
    #[inline(always)]
    pub(super) fn new(fma: Fma, mut columns: [Vector; B]) -> Self {
        for (k, column) in columns.iter_mut().enumerate() {
            *column = fma.sub(*column, fma.splat(bias(k + 1, k)));
        }
        Window { fma, columns }
    }

    /// The columns. From the one at place k the bias of B low and B high parts was taken off as it came in, but it did not
    /// get the low parts of rows 0 to k and the high parts of rows 0 to k − 1: their bias is given back.
    #[inline(always)]
    pub(super) fn columns(self) -> [Vector; B] {
        let mut columns = self.columns;
        for (k, column) in columns.iter_mut().enumerate() {
            *column = self.fma.add(*column, self.fma.splat(bias(k + 1, k)));
        }
        columns
    }

    /// Adds Σ x\[k\]·y at columns k, then moves the window up by one column. `next` is the sum so far of the column that
    /// enters the window. Returns the column that leaves it, which has B low and B high parts of this window.
    #[inline(always)]
    pub(super) fn step(&mut self, x: &[Factor; B], y: Factor, next: Vector) -> Vector {
        let fma = self.fma;
        let (low, mut high) = fma.product::<HIGH_BIAS>(x[0], y);
        let left = fma.add(self.columns[0], low);
        for k in 1..B {
            let (low, above) = fma.product::<HIGH_BIAS>(x[k], y);
            self.columns[k - 1] = fma.add(fma.add(self.columns[k], high), low);
            high = above;
        }
        let next = fma.sub(next, fma.splat(bias(B, B)));
        self.columns[B - 1] = fma.add(next, high);
        left
    }

    /// Adds x·y to t, where the window has the B lowest columns of t, which has B columns more than y.
    #[inline(always)]
    pub(super) fn sweep(mut self, x: &[Factor; B], y: &[Digits], t: &mut [Line]) {
        let t = &mut t[..y.len() + B];
        let mut j = 0;
        while j + B <= y.len() {
            // After B steps each column is back in its register.
            let (y, t) = (&y[j..j + B], &mut t[j..j + 2 * B]);
            for i in 0..B {
                self.step_in_place(x, &y[i], t, i);
            }
            j += B;
        }
        while j < y.len() {
            self.step_in_place(x, &y[j], t, j);
            j += 1;
        }
        for (column, sum) in t[y.len()..].iter_mut().zip(self.columns()) {
            self.fma.store(column, sum);
        }
    }

    /// A step from which column j leaves, and into which column j + B comes.
    #[inline(always)]
    fn step_in_place(&mut self, x: &[Factor; B], y: &Digits, t: &mut [Line], j: usize) {
        let fma = self.fma;
        let column = self.step(x, fma.load_digits(y), fma.load(&t[j + B]));
        fma.store(&mut t[j], column);
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
            _ => $function::<3>($($argument),*),
        }
    }};
}

/// Sets the columns to 0.
#[inline(always)]
pub(super) fn clear(fma: Fma, t: &mut [Line]) {
    fma.store(&mut t[0], fma.splat(raised(0)));
    for column in &mut t[1..] {
        fma.store(column, fma.splat(raised(1)));
    }
}

/// t = x·y; t has as many columns as x and y together.
#[inline(always)]
pub(super) fn product<const B: usize>(fma: Fma, t: &mut [Line], x: &[Digits], y: &[Digits]) {
    clear(fma, t);
    by_blocks!(B, x.len(), |row| product_rows::<_>(fma, t, x, y, row));
}

/// Adds B rows of x·y, from `row` on, to t.
#[inline(always)]
fn product_rows<const B: usize>(fma: Fma, t: &mut [Line], x: &[Digits], y: &[Digits], row: usize) {
    let t = &mut t[row..];
    Window::new(fma, lowest(fma, t)).sweep(&factors::<B>(fma, &x[row..]), y, t);
}

/// t = x², with `doubled` for 2x; t has twice as many columns as x.
#[inline(always)]
pub(super) fn square<const B: usize>(fma: Fma, t: &mut [Line], x: &[Digits], doubled: &mut [Digits]) {
    clear(fma, t);
    for (twice, digit) in doubled.iter_mut().zip(x) {
        fma.store_digits(twice, fma.twice(fma.load_digits(digit)));
    }
    let doubled = &doubled[..x.len()];
    by_blocks!(B, x.len(), |row| square_rows::<_>(fma, t, x, doubled, row));
}

/// Adds the B rows of x² from `row` on: the squares of these digits, their doubled products with one another, and those with
/// all digits above. With all the digits above, a product of digits is below 2^102 and its double below 2^103.
#[inline(always)]
fn square_rows<const B: usize>(fma: Fma, t: &mut [Line], x: &[Digits], doubled: &[Digits], row: usize) {
    let (rows, twice) = (factors::<B>(fma, &x[row..]), factors::<B>(fma, &doubled[row..]));
    let t = &mut t[2 * row..];
    let (mut low, mut high) = (lowest::<B>(fma, t), lowest::<B>(fma, &t[B..]));
    let (mut lows, mut highs) = ([0; MOST_COLUMNS], [0; MOST_COLUMNS]);
    let mut add = |c: usize, part: Vector| {
        let column = if c < B { &mut low[c] } else { &mut high[c - B] };
        *column = fma.add(*column, part);
    };
    for i in 0..B {
        for j in i..B {
            let (low, high) = fma.product::<HIGH_BIAS>(rows[i], if i == j { rows[i] } else { twice[j] });
            add(i + j, low);
            add(i + j + 1, high);
            lows[i + j] += 1;
            highs[i + j + 1] += 1;
        }
    }
    for c in 0..2 * B {
        add(c, fma.splat(bias(lows[c], highs[c]).wrapping_neg()));
    }
    for (column, sum) in t.iter_mut().zip(low) {
        fma.store(column, sum);
    }
    Window::new(fma, high).sweep(&rows, &doubled[row + B..], &mut t[B..]);
}

/// The most columns of the squares of a block.
const MOST_COLUMNS: usize = 8;

/// The lowest B columns of t, in registers.
#[inline(always)]
pub(super) fn lowest<const B: usize>(fma: Fma, t: &[Line]) -> [Vector; B] {
    let mut columns = [fma.zero(); B];
    for (column, line) in columns.iter_mut().zip(&t[..B]) {
        *column = fma.load(line);
    }
    columns
}

/// The lowest B digits of x, in registers.
#[inline(always)]
pub(super) fn factors<const B: usize>(fma: Fma, x: &[Digits]) -> [Factor; B] {
    let mut factors = [fma.factor(fma.zero()); B];
    for (factor, digit) in factors.iter_mut().zip(&x[..B]) {
        *factor = fma.load_digits(digit);
    }
    factors
}

/// x·y mod 2^(51·B), in digits.
#[inline(always)]
pub(super) fn low_product<const B: usize>(fma: Fma, x: &[Factor; B], y: &[Factor; B]) -> [Factor; B] {
    let mut z = [fma.zero(); B];
    for (k, column) in z.iter_mut().enumerate() {
        *column = fma.splat(raised(k).wrapping_sub(bias(k + 1, k)));
    }
    for i in 0..B {
        for j in 0..B - i {
            let (low, high) = fma.product::<HIGH_BIAS>(x[i], y[j]);
            z[i + j] = fma.add(z[i + j], low);
            if i + j + 1 < B {
                z[i + j + 1] = fma.add(z[i + j + 1], high);
            }
        }
    }
    carried(fma, z).0
}

/// The digits of B columns, of which each takes the carry of the one below, and the carry out of the last column.
#[inline(always)]
pub(super) fn carried<const B: usize>(fma: Fma, columns: [Vector; B]) -> ([Factor; B], Vector) {
    let mask = fma.splat((1 << DIGIT_BITS) - 1);
    let (mut digits, mut above) = ([fma.factor(fma.zero()); B], fma.zero());
    for (digit, column) in digits.iter_mut().zip(columns) {
        let column = fma.add(column, above);
        above = carry(fma, column);
        *digit = fma.factor(fma.and(column, mask));
    }
    (digits, above)
}

/// What a column carries into the next one.
#[inline(always)]
pub(super) fn carry(fma: Fma, column: Vector) -> Vector {
    fma.shift_right::<{ DIGIT_BITS as i32 }>(column)
}
