//! Sums of products of digits, which are vectors of L lanes, column by column.
//!
//! A product of lanes, 128 by 128 coefficients, takes three products of words, Karatsuba's a₀·b₀, a₁·b₁ and
//! (a₀ + a₁)·(b₀ + b₁). Their sums are kept separate until a column is complete. Only then are they shifted to their
//! weights and added, once for the whole column.

use super::Lanes;
use core::ops::Range;

/// The column of Xᶜ, and its carry into the next column.
///
/// Lane i of `low` has the weight of lane i of this column; lane i of `high` has the weight of lane i of the next
/// column.
pub(super) struct Columns<I: Lanes> {
    lanes: I,
    low: Sums<I>,
    high: Sums<I>,
    /// The previous column's middle sums, which count x^64 and so reach into this column.
    below_middle: I::Digit,
    /// The previous column's sums of a₁·b₁, which count x^128 and so reach into this column.
    below_high: I::Digit,
}

/// Sums of the three products of words, lane by lane.
struct Sums<I: Lanes> {
    low: I::Digit,
    middle: I::Digit,
    high: I::Digit,
}

/// The factors of a product, and for each lane of a factor the sum of its words.
struct Factors<I: Lanes> {
    a: I::Digit,
    a_sum: I::Digit,
    b: I::Digit,
    b_sum: I::Digit,
}

impl<I: Lanes> Sums<I> {
    #[inline(always)]
    fn zero(lanes: I) -> Self {
        Sums { low: lanes.zero(), middle: lanes.zero(), high: lanes.zero() }
    }
}

impl<I: Lanes> Columns<I> {
    /// Column 0 of an empty sum.
    #[inline(always)]
    pub(super) fn new(lanes: I) -> Self {
        let zero = lanes.zero();
        let (low, high) = (Sums::zero(lanes), Sums::zero(lanes));
        Columns { lanes, low, high, below_middle: zero, below_high: zero }
    }

    /// Adds a·b to the column.
    #[inline(always)]
    pub(super) fn add_product(&mut self, a: I::Digit, b: I::Digit) {
        self.add_short_product(a, 0..I::WORDS, b);
    }

    /// Adds a·b to the column, for an a that is zero outside its words `a_words`.
    #[inline(always)]
    pub(super) fn add_short_product(&mut self, a: I::Digit, a_words: Range<usize>, b: I::Digit) {
        let factors = Factors { a, a_sum: self.lanes.fold(a), b, b_sum: self.lanes.fold(b) };
        self.add_lane::<0>(&a_words, &factors);
        if I::LANES > 1 {
            self.add_lane::<1>(&a_words, &factors);
        }
        if I::LANES > 2 {
            self.add_lane::<2>(&a_words, &factors);
            self.add_lane::<3>(&a_words, &factors);
        }
    }

    /// Adds lane R of a times b.
    #[inline(always)]
    fn add_lane<const R: usize>(&mut self, a_words: &Range<usize>, factors: &Factors<I>) {
        if a_words.end <= 2 * R || a_words.start > 2 * R + 1 {
            return;
        }
        let lanes = self.lanes;
        let (a, b) = (lanes.broadcast::<R>(factors.a), lanes.rotate::<R>(factors.b));
        let (a_sum, b_sum) = (lanes.broadcast::<R>(factors.a_sum), lanes.rotate::<R>(factors.b_sum));
        let low = lanes.product_low(a, b);
        let middle = lanes.product_low(a_sum, b_sum);
        let high = lanes.product_high(a, b);
        self.low.low = lanes.xor_from::<R>(self.low.low, low);
        self.low.middle = lanes.xor_from::<R>(self.low.middle, middle);
        self.low.high = lanes.xor_from::<R>(self.low.high, high);
        if R > 0 {
            self.high.low = lanes.xor_below::<R>(self.high.low, low);
            self.high.middle = lanes.xor_below::<R>(self.high.middle, middle);
            self.high.high = lanes.xor_below::<R>(self.high.high, high);
        }
    }

    /// The digit of the column; the next column becomes this one.
    #[inline(always)]
    pub(super) fn next_digit(&mut self) -> I::Digit {
        let lanes = self.lanes;
        let Sums { low, middle, high } = core::mem::replace(&mut self.low, Sums::zero(lanes));
        core::mem::swap(&mut self.low, &mut self.high);
        let middle = lanes.xor(lanes.xor(middle, low), high);
        let digit = lanes.xor(low, lanes.up_word(middle, self.below_middle));
        let digit = lanes.xor(digit, lanes.up_lane(high, self.below_high));
        (self.below_middle, self.below_high) = (middle, high);
        digit
    }

    /// Adds the same column of `other`, and the carry into it.
    #[inline(always)]
    pub(super) fn add_column(&mut self, other: Self) {
        let lanes = self.lanes;
        self.low.low = lanes.xor(self.low.low, other.low.low);
        self.low.middle = lanes.xor(self.low.middle, other.low.middle);
        self.low.high = lanes.xor(self.low.high, other.low.high);
        self.below_middle = lanes.xor(self.below_middle, other.below_middle);
        self.below_high = lanes.xor(self.below_high, other.below_high);
    }
}
