//! Finely Integrated Product Scanning \[koc96, §7\]: a column of x·y and of m·n at a time.
//!
//! The accumulator is the paper's three words t\[0\], t\[1\], t\[2\]. As in the paper, the words of m are stored
//! where the result is built. A column sums at most 2s products, less than 2s·W² in all; three words hold it for
//! 2s < W.

use super::scanning::ScanningMethod;
use crate::ring::Ring;
use crate::word::Word;

pub(super) struct Method;

impl ScanningMethod for Method {
    const PAPER: &'static str = "koc96";

    fn temporary_words(s: usize) -> usize {
        s
    }

    #[inline(always)]
    fn product<R: Ring>(
        z: &mut [R::Word],
        x: &[R::Word],
        y: &[R::Word],
        n: &[R::Word],
        n0: R::Word,
        t: &mut [R::Word],
    ) {
        let s = n.len();
        let m = &mut t[..s];
        let mut column = Accumulator::<R>::ZERO;
        for i in 0..s {
            for j in 0..i {
                column.add_product(x[j], y[i - j]);
                column.add_product(m[j], n[i - j]);
            }
            column.add_product(x[i], y[0]);
            m[i] = column.reduce(n[0], n0);
        }
        for i in s..2 * s {
            for j in i - s + 1..s {
                column.add_product(x[j], y[i - j]);
                column.add_product(m[j], n[i - j]);
            }
            m[i - s] = column.shift();
        }
        R::finish(z, m, column.words[0], n);
    }

    #[inline(always)]
    fn square<R: Ring>(z: &mut [R::Word], x: &[R::Word], n: &[R::Word], n0: R::Word, t: &mut [R::Word]) {
        let s = n.len();
        let m = &mut t[..s];
        let mut column = Accumulator::<R>::ZERO;
        for i in 0..s {
            column.add_square_column(x, i, 0);
            for j in 0..i {
                column.add_product(m[j], n[i - j]);
            }
            m[i] = column.reduce(n[0], n0);
        }
        for i in s..2 * s {
            column.add_square_column(x, i, i - s + 1);
            for j in i - s + 1..s {
                column.add_product(m[j], n[i - j]);
            }
            m[i - s] = column.shift();
        }
        R::finish(z, m, column.words[0], n);
    }
}

/// The sum of a column, with its carries into the next two columns.
struct Accumulator<R: Ring> {
    words: [R::Word; 3],
}

impl<R: Ring> Accumulator<R> {
    const ZERO: Self = Accumulator { words: [R::Word::ZERO; 3] };

    #[inline(always)]
    fn add_product(&mut self, a: R::Word, b: R::Word) {
        let [t0, t1, t2] = self.words;
        let (c, t0) = R::mul_add(t0, a, b, R::Word::ZERO);
        self.words = Self::carry([t0, t1, t2], c);
    }

    /// Adds the carry C out of the lowest word to the other two words.
    #[inline(always)]
    fn carry([t0, t1, t2]: [R::Word; 3], c: R::Word) -> [R::Word; 3] {
        let (c, t1) = R::add(t1, c);
        let (_, t2) = R::add(t2, c);
        [t0, t1, t2]
    }

    /// Adds Σ xⱼ·x_(i−j) over first ≤ j ≤ i − first: each pair once, then doubled, then the middle square.
    #[inline(always)]
    fn add_square_column(&mut self, x: &[R::Word], i: usize, first: usize) {
        if !R::CHARACTERISTIC_TWO {
            let mut pairs = Self::ZERO;
            for j in first..i.div_ceil(2) {
                pairs.add_product(x[j], x[i - j]);
            }
            self.add_twice(&pairs);
        }
        // Column 2s − 1, the last one, is odd, so that i/2 < s.
        if i % 2 == 0 {
            let [t0, t1, t2] = self.words;
            let (c, t0) = R::add_square(t0, x[i / 2]);
            self.words = Self::carry([t0, t1, t2], c);
        }
    }

    #[inline(always)]
    fn add_twice(&mut self, other: &Self) {
        let (mut below, mut carry) = (R::Word::ZERO, R::Word::ZERO);
        for (word, &pair) in self.words.iter_mut().zip(&other.words) {
            let (c, sum) = R::add(*word, R::twice(pair, below));
            let (d, sum) = R::add(sum, carry);
            *word = sum;
            (below, carry) = (pair, c | d);
        }
    }

    /// Returns the column's m = t\[0\]·n0 mod W and adds m·n\[0\], which clears the column; moves to the next.
    #[inline(always)]
    fn reduce(&mut self, n_low: R::Word, n0: R::Word) -> R::Word {
        let m = R::mul_low(self.words[0], n0);
        self.add_product(m, n_low);
        self.shift();
        m
    }

    /// Returns the column's word and moves to the next column.
    #[inline(always)]
    fn shift(&mut self) -> R::Word {
        let [t0, t1, t2] = self.words;
        self.words = [t1, t2, R::Word::ZERO];
        t0
    }
}
