//! Products of long polynomials by Karatsuba's method, and the method that reduces them by [`super::reduction`].
//!
//! x·y = x₀·y₀ + ((x₀ + x₁)·(y₀ + y₁) + x₀·y₀ + x₁·y₁)·Xʰ + x₁·y₁·X²ʰ with h = ⌈Z/2⌉, down to products of words.
//! Numbers of two digits, which are vectors of L lanes, are multiplied in registers. With one lane there is no
//! Karatsuba step for three and for five digits: columns cost less there. Scratch: the two sums and the middle
//! product of each level.

use super::columns::Columns;
use super::method::{Method, whole_digits};
use super::reduction::{self, Squared, Stored, reduce};
use super::{Constants, Lanes};
use crate::arch::Task;
use alloc::vec::Vec;

/// The method: Karatsuba's product, the square by spreading, and the word-level reduction with digits as its words.
pub(in super::super) struct Karatsuba;

impl<I: Lanes> Method<I> for Karatsuba {
    const TAKES: &'static str = "any polynomial";

    fn supports(_: &[u64], _: usize) -> bool {
        true
    }

    fn derive(constants: &Constants) -> Vec<u64> {
        reduction::derive::<I>(constants)
    }

    /// The product, then the larger of its own scratch and the Z digits of the reduction.
    fn temporary_words(s: usize) -> usize {
        let words = whole_digits::<I>(s);
        2 * words + temporary_words::<I>(words).max(words)
    }

    #[inline(always)]
    fn product(lanes: I, z: &mut [u64], a: &[u64], b: &[u64], constants: &Constants, t: &mut [u64]) {
        let words = whole_digits::<I>(constants.s);
        let (product, temporary) = t.split_at_mut(2 * words);
        lanes.run(Product { t: product, x: &a[..words], y: &b[..words], temporary });
        reduce(lanes, z, Stored { lanes, words: product }, constants, temporary);
    }

    #[inline(always)]
    fn square(lanes: I, z: &mut [u64], a: &[u64], constants: &Constants, t: &mut [u64]) {
        reduce(lanes, z, Squared::new(lanes, a), constants, t);
    }

    #[inline(always)]
    fn reduce(lanes: I, z: &mut [u64], v: &[u64], constants: &Constants, t: &mut [u64]) {
        reduce(lanes, z, Stored { lanes, words: v }, constants, t);
    }
}

/// The words of scratch for a product of two numbers of `words` words.
pub(super) fn temporary_words<I: Lanes>(words: usize) -> usize {
    let digits = words / I::WORDS;
    if digits <= 2 {
        return 0;
    }
    let half = digits.div_ceil(2) * I::WORDS;
    4 * half + temporary_words::<I>(half)
}

/// t = x·y for x and y of the same number of digits, and a t of twice as many.
pub(super) struct Product<'a> {
    pub(super) t: &'a mut [u64],
    pub(super) x: &'a [u64],
    pub(super) y: &'a [u64],
    pub(super) temporary: &'a mut [u64],
}

impl<I: Lanes> Task<I> for Product<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self, lanes: I) {
        match (I::LANES, self.x.len() / I::WORDS) {
            (_, 1) => self.by_columns(lanes, 1),
            (_, 2) => self.in_registers(lanes),
            (1, 3) => self.by_columns(lanes, 3),
            (1, 5) => self.by_columns(lanes, 5),
            (_, digits) => self.by_halves(lanes, digits.div_ceil(2) * I::WORDS),
        }
    }
}

impl Product<'_> {
    /// h is the number of words of the lower half.
    #[inline(always)]
    fn by_halves<I: Lanes>(self, lanes: I, h: usize) {
        let Product { t, x, y, temporary } = self;
        let (x_low, x_high) = x.split_at(h);
        let (y_low, y_high) = y.split_at(h);
        let (x_sum, temporary) = temporary.split_at_mut(h);
        let (y_sum, temporary) = temporary.split_at_mut(h);
        let (middle, temporary) = temporary.split_at_mut(2 * h);
        add(lanes, x_sum, x_low, x_high);
        add(lanes, y_sum, y_low, y_high);
        let (low, high) = t.split_at_mut(2 * h);
        lanes.run(Product { t: low, x: x_low, y: y_low, temporary });
        lanes.run(Product { t: high, x: x_high, y: y_high, temporary });
        lanes.run(Product { t: middle, x: x_sum, y: y_sum, temporary });
        for i in (0..2 * h).step_by(I::WORDS) {
            let mut digit = lanes.xor(lanes.load(&middle[i..]), lanes.load(&low[i..]));
            if i < high.len() {
                digit = lanes.xor(digit, lanes.load(&high[i..]));
            }
            lanes.store(&mut middle[i..], digit);
        }
        // If the upper half is shorter, the top of the middle product is 0.
        for (t, middle) in t[h..].chunks_exact_mut(I::WORDS).zip(middle.chunks_exact(I::WORDS)) {
            lanes.store(t, lanes.xor(lanes.load(t), lanes.load(middle)));
        }
    }

    #[inline(always)]
    fn by_columns<I: Lanes>(self, lanes: I, digits: usize) {
        let (w, last) = (I::WORDS, digits - 1);
        let (t, x, y) = (&mut self.t[..2 * digits * w], &self.x[..digits * w], &self.y[..digits * w]);
        let mut columns = Columns::new(lanes);
        for c in 0..2 * digits {
            for i in c.saturating_sub(last)..=c.min(last) {
                columns.add_product(lanes.load(&x[i * w..]), lanes.load(&y[(c - i) * w..]));
            }
            lanes.store(&mut t[c * w..], columns.next_digit());
        }
    }

    /// The product of numbers of two digits, by one Karatsuba step.
    #[inline(always)]
    fn in_registers<I: Lanes>(self, lanes: I) {
        let w = I::WORDS;
        let (x0, x1) = (lanes.load(self.x), lanes.load(&self.x[w..]));
        let (y0, y1) = (lanes.load(self.y), lanes.load(&self.y[w..]));
        let [low0, low1] = product_of_digits(lanes, x0, y0);
        let [high0, high1] = product_of_digits(lanes, x1, y1);
        let [middle0, middle1] = product_of_digits(lanes, lanes.xor(x0, x1), lanes.xor(y0, y1));
        let shared = lanes.xor(low1, high0);
        lanes.store(self.t, low0);
        lanes.store(&mut self.t[w..], lanes.xor(lanes.xor(shared, middle0), low0));
        lanes.store(&mut self.t[2 * w..], lanes.xor(lanes.xor(shared, middle1), high1));
        lanes.store(&mut self.t[3 * w..], high1);
    }
}

#[inline(always)]
fn product_of_digits<I: Lanes>(lanes: I, x: I::Digit, y: I::Digit) -> [I::Digit; 2] {
    let mut columns = Columns::new(lanes);
    columns.add_product(x, y);
    let low = columns.next_digit();
    [low, columns.next_digit()]
}

/// z = a + b, where a is as long as z and b is not longer.
#[inline(always)]
fn add<I: Lanes>(lanes: I, z: &mut [u64], a: &[u64], b: &[u64]) {
    for i in (0..z.len()).step_by(I::WORDS) {
        let b = if i < b.len() { lanes.load(&b[i..]) } else { lanes.zero() };
        lanes.store(&mut z[i..], lanes.xor(lanes.load(&a[i..]), b));
    }
}
