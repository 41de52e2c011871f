//! Columns of products of padded numbers. Column k of a·b sums the low parts of a\[j\]·b\[i\] for i + j = k, and the high
//! parts for i + j = k − 1. Four columns are a vector: vector k holds columns 4·k … 4·k + 3.
//!
//! Row i of vector k is the contribution of b\[i\]: its product with the four digits of a from a\[4·k − i\] on, which are
//! loaded unaligned. Its low parts go to the columns of the vector, and its high parts to those one column higher: these
//! are summed apart, and joined to the columns when all rows are in.

use super::{HIGH_BIAS, PADDING, load};
use crate::arch::x86_64::fma::{Fma, LANES, LOW_BIAS, MOST_VECTORS, Rows, Sums, Vector};
use core::ops::Range;

/// Two padded numbers, and the number of their digits that are not known to be zeros.
#[derive(Clone, Copy)]
pub(super) struct Operands<'a> {
    pub(super) a: &'a [u64],
    pub(super) a_digits: usize,
    pub(super) b: &'a [u64],
    pub(super) b_digits: usize,
}

impl Operands<'_> {
    /// The rows of vector k.
    #[inline(always)]
    fn rows(&self, k: usize) -> Range<usize> {
        let end = (LANES * k + LANES).min(self.b_digits);
        self.first_row(k).min(end)..end
    }

    /// The rows of vector k of a square, for which b is a, that have j > i in every lane, where lane l of row i is
    /// a\[i\]·a\[j\] with j = 4·k + l − i.
    #[inline(always)]
    fn rows_of_square(&self, k: usize) -> Range<usize> {
        self.first_row(k).min(2 * k)..2 * k
    }

    /// The lowest row of vector k whose digits of a are not all above the digits that a has.
    #[inline(always)]
    fn first_row(&self, k: usize) -> usize {
        (LANES * k + 1).saturating_sub(self.a_digits)
    }
}

/// The sums of adjacent vectors of columns, and how many products each of them has.
pub(super) struct Block {
    fma: Fma,
    first: usize,
    width: usize,
    sums: Sums,
    products: [usize; MOST_VECTORS],
}

impl Block {
    /// Vectors first … first + width − 1, without products.
    #[inline(always)]
    pub(super) fn new(fma: Fma, first: usize, width: usize) -> Self {
        let sums = Sums { low: [fma.zero(); MOST_VECTORS], high: [fma.zero(); MOST_VECTORS] };
        Block { fma, first, width, sums, products: [0; MOST_VECTORS] }
    }

    /// Adds a·b.
    #[inline(always)]
    pub(super) fn add_product(&mut self, operands: &Operands) {
        self.add_rows(operands, |k| operands.rows(k));
    }

    /// Adds a·b, or a² to no other products, where b is a.
    #[inline(always)]
    pub(super) fn add_factors<const SQUARE: bool>(&mut self, operands: &Operands) {
        match SQUARE {
            true => self.add_square(operands),
            false => self.add_product(operands),
        }
    }

    #[inline(always)]
    fn add_square(&mut self, operands: &Operands) {
        self.add_rows(operands, |k| operands.rows_of_square(k));
        for place in 0..self.width {
            self.double_and_add_squares(operands.a, place);
        }
    }

    /// Adds these rows of each vector. A vector whose rows would begin after those of the first one end begins there, with rows
    /// of zeros.
    #[inline(always)]
    fn add_rows(&mut self, operands: &Operands, rows: impl Fn(usize) -> Range<usize>) {
        let Operands { a, b, .. } = *operands;
        let first = rows(self.first);
        let (mut last, mut parts) = (first.clone(), Rows::default());
        self.products[0] += first.len();
        for place in 1..self.width {
            let Range { start, end } = rows(self.first + place);
            let next = start.min(first.end)..end;
            self.products[place] += next.len();
            parts.begin[place - 1] = next.start - last.start;
            parts.end[place - 1] = next.end - last.end;
            last = next;
        }
        parts.all = first.end - last.start;
        let top = PADDING + LANES * self.first;
        self.fma.add_rows::<HIGH_BIAS>(
            self.width,
            &mut self.sums,
            (a, top),
            (&b[PADDING..], first.start),
            &parts,
        );
    }

    /// Doubles the sums at this place and adds the two rows of its vector of a square that have j > i in some lanes, and j = i
    /// in one.
    #[inline(always)]
    fn double_and_add_squares(&mut self, a: &[u64], place: usize) {
        let (fma, k) = (self.fma, self.first + place);
        let (low, high) = (&mut self.sums.low[place], &mut self.sums.high[place]);
        let a = &a[PADDING + 2 * k - 1..][..LANES + 1];
        let even = fma.weigh(fma.digits(load(fma, a, 1)), [1.0, 2.0, 2.0, 2.0]);
        let odd = fma.weigh(fma.digits(load(fma, a, 0)), [0.0, 0.0, 1.0, 2.0]);
        let (even_low, even_high) = fma.product::<HIGH_BIAS>(even, fma.broadcast(&a[1]));
        let (odd_low, odd_high) = fma.product::<HIGH_BIAS>(odd, fma.broadcast(&a[2]));
        *low = fma.add(fma.add(*low, *low), fma.add(even_low, odd_low));
        *high = fma.add(fma.add(*high, *high), fma.add(even_high, odd_high));
        self.products[place] = 2 * self.products[place] + 2;
    }

    /// The columns of the vector at this place. `below` has in its last word the high parts that belong to the lowest of them;
    /// then it has those that belong to the column above the highest.
    #[inline(always)]
    pub(super) fn columns(&self, place: usize, below: &mut Vector) -> Vector {
        let (fma, products) = (self.fma, self.products[place] as u64);
        let low = fma.sub(self.sums.low[place], fma.splat(LOW_BIAS.wrapping_mul(products)));
        let high = fma.sub(self.sums.high[place], fma.splat(HIGH_BIAS.wrapping_mul(products)));
        let columns = fma.add(low, fma.up_word(high, *below));
        *below = high;
        columns
    }
}

/// Calls the function for blocks of adjacent vectors, with the first one and their number, about equally many in each.
#[inline(always)]
pub(super) fn for_each_block(vectors: Range<usize>, mut function: impl FnMut(usize, usize)) {
    let most = vectors.len().div_ceil(vectors.len().div_ceil(MOST_VECTORS).max(1));
    let mut first = vectors.start;
    while first < vectors.end {
        let width = most.min(vectors.end - first);
        function(first, width);
        first += width;
    }
}
