//! The word-level reduction \[koc97, §3\] with w = 128·L, column by column: its words are digits, vectors of L lanes.
//!
//! For z = v·R⁻¹ mod n, R = x^(64·s), v is shifted up so that its 64·s lowest coefficients end with a whole digit,
//! digit Z − 1. Below this digit, a quotient digit q is the digit of the sum itself: instead of it, q·p with
//! p = X⁻¹ mod n is added to the digits above, as in [`super::words`]. The last quotient digit is the paper's: with
//! q = c·n⁻¹ mod X, the sum c + q·n loses digit Z − 1, and its degree is below k.
//!
//! The short digit has to be the first. If it were the last, the degree would stay at k + 128·L less the short
//! digit's length. Scratch: the Z digits q.

use super::columns::Columns;
use super::method::{has_top, inverses};
use super::{Constants, Lanes};
use alloc::vec::Vec;
use core::ops::Range;

/// n⁻¹ mod X, one digit, then X⁻¹ mod n, Z digits.
pub(super) fn derive<I: Lanes>(constants: &Constants) -> Vec<u64> {
    let (mut derived, p) = inverses(constants, I::WORDS);
    derived.extend(p);
    derived
}

/// The digits of a number, the lowest first.
pub(super) trait Digits<I: Lanes> {
    fn next(&mut self) -> I::Digit;
}

/// The digits of a number in words.
pub(super) struct Stored<'a, I: Lanes> {
    pub(super) lanes: I,
    pub(super) words: &'a [u64],
}

impl<I: Lanes> Digits<I> for Stored<'_, I> {
    #[inline(always)]
    fn next(&mut self) -> I::Digit {
        let digit = self.lanes.load(self.words);
        self.words = &self.words[I::WORDS..];
        digit
    }
}

/// The digits of a square \[koc97, §4\].
pub(super) struct Squared<'a, I: Lanes> {
    lanes: I,
    a: &'a [u64],
    count: usize,
}

impl<'a, I: Lanes> Squared<'a, I> {
    #[inline(always)]
    pub(super) fn new(lanes: I, a: &'a [u64]) -> Self {
        Squared { lanes, a, count: 0 }
    }
}

impl<I: Lanes> Digits<I> for Squared<'_, I> {
    #[inline(always)]
    fn next(&mut self) -> I::Digit {
        let digit = self.lanes.load(&self.a[self.count / 2 * I::WORDS..]);
        self.count += 1;
        if self.count % 2 == 1 { self.lanes.square_lower(digit) } else { self.lanes.square_upper(digit) }
    }
}

/// z = v·x^(−64·s) mod n for a v of 2·Z digits, deg v < 64·s + k; `q` holds Z digits.
#[inline(always)]
pub(super) fn reduce<I: Lanes>(
    lanes: I,
    z: &mut [u64],
    v: impl Digits<I>,
    constants: &Constants,
    q: &mut [u64],
) {
    let shape = Shape::new::<I>(constants.s);
    let modulus = Modulus::new::<I>(constants);
    // Small numbers of digits are constants for the compiler, which then unrolls the loops.
    match shape.last {
        0 => reduce_shape(lanes, Shape { last: 0, ..shape }, z, v, modulus, q),
        1 => reduce_shape(lanes, Shape { last: 1, ..shape }, z, v, modulus, q),
        2 if I::LANES == 1 => reduce_shape(lanes, Shape { last: 2, ..shape }, z, v, modulus, q),
        3 if I::LANES == 1 => reduce_shape(lanes, Shape { last: 3, ..shape }, z, v, modulus, q),
        4 if I::LANES == 1 => reduce_shape(lanes, Shape { last: 4, ..shape }, z, v, modulus, q),
        _ => reduce_shape(lanes, shape, z, v, modulus, q),
    }
}

/// The layout of s words in Z = last + 1 digits, with `top_words` ≥ 1 of them in the last.
#[derive(Clone, Copy)]
struct Shape {
    last: usize,
    top_words: usize,
}

impl Shape {
    #[inline(always)]
    fn new<I: Lanes>(s: usize) -> Shape {
        let last = (s - 1) / I::WORDS;
        Shape { last, top_words: s - last * I::WORDS }
    }

    /// The used words of digit i of a number that is shifted up to end with a whole digit.
    #[inline(always)]
    fn moved_words<I: Lanes>(self, i: usize) -> Range<usize> {
        if i == 0 { I::WORDS - self.top_words..I::WORDS } else { 0..I::WORDS }
    }
}

/// The constants of n that the reduction needs.
#[derive(Clone, Copy)]
struct Modulus<'a> {
    n: &'a [u64],
    has_top: bool,
    /// n⁻¹ mod X.
    inverse: &'a [u64],
    /// X⁻¹ mod n.
    p: &'a [u64],
}

impl<'a> Modulus<'a> {
    #[inline(always)]
    fn new<I: Lanes>(constants: &Constants<'a>) -> Self {
        let (inverse, p) = constants.derived.split_at(I::WORDS);
        Modulus { n: constants.n, has_top: has_top(constants), inverse, p }
    }
}

#[inline(always)]
fn reduce_shape<I: Lanes>(
    lanes: I,
    shape: Shape,
    z: &mut [u64],
    v: impl Digits<I>,
    modulus: Modulus,
    q: &mut [u64],
) {
    let last = shape.last;
    let mut v = Moved { lanes, digits: v, below: lanes.zero(), shape };

    let mut columns = Columns::new(lanes);
    for c in 0..last {
        add_reduced(lanes, &mut columns, modulus.p, q, 0..c, c, shape);
        let digit = lanes.xor(v.next(), columns.next_digit());
        lanes.store(&mut q[c * I::WORDS..], digit);
    }
    add_reduced(lanes, &mut columns, modulus.p, q, 0..last, last, shape);
    let digit = lanes.xor(v.next(), columns.next_digit());
    let mut product = Columns::new(lanes);
    product.add_short_product(digit, shape.moved_words::<I>(last), lanes.load(modulus.inverse));
    let q_last = product.next_digit();

    // Digit `last` of the sum becomes 0: only the carry of q·n out of this digit is needed.
    let mut product = Columns::new(lanes);
    product.add_short_product(q_last, shape.moved_words::<I>(last), lanes.load(modulus.n));
    product.next_digit();
    columns.add_column(product);
    for c in last + 1..=2 * last + 1 {
        add_reduced(lanes, &mut columns, modulus.p, q, c - last - 1..last, c, shape);
        if c < 2 * last {
            columns.add_product(q_last, digit_at(lanes, modulus.n, c - last));
        } else if c == 2 * last {
            columns.add_short_product(digit_at(lanes, modulus.n, last), 0..shape.top_words, q_last);
        }
        let digit = lanes.xor(v.next(), columns.next_digit());
        lanes.store(&mut z[(c - last - 1) * I::WORDS..], digit);
    }
    if modulus.has_top {
        add_top(lanes, z, shape, q_last);
    }
}

#[inline(always)]
fn digit_at<I: Lanes>(lanes: I, words: &[u64], i: usize) -> I::Digit {
    lanes.load(&words[i * I::WORDS..])
}

/// Adds to column c the contribution of these digits of q to q·p·X.
#[inline(always)]
fn add_reduced<I: Lanes>(
    lanes: I,
    columns: &mut Columns<I>,
    p: &[u64],
    q: &[u64],
    digits: Range<usize>,
    c: usize,
    shape: Shape,
) {
    for i in digits {
        let (q, p) = (digit_at(lanes, q, i), digit_at(lanes, p, c - 1 - i));
        if i == 0 {
            columns.add_short_product(q, shape.moved_words::<I>(0), p);
        } else if c - 1 - i == shape.last {
            columns.add_short_product(p, 0..shape.top_words, q);
        } else {
            columns.add_product(q, p);
        }
    }
}

/// The digits of v·x^(64·(2·L·Z − s)).
struct Moved<I: Lanes, V: Digits<I>> {
    lanes: I,
    digits: V,
    below: I::Digit,
    shape: Shape,
}

impl<I: Lanes, V: Digits<I>> Moved<I, V> {
    #[inline(always)]
    fn next(&mut self) -> I::Digit {
        let digit = self.digits.next();
        let below = core::mem::replace(&mut self.below, digit);
        self.lanes.down_words(digit, below, self.shape.top_words)
    }
}

/// z += q·x^(64·s)/X.
#[inline(always)]
fn add_top<I: Lanes>(lanes: I, z: &mut [u64], shape: Shape, q: I::Digit) {
    let Shape { last, top_words } = shape;
    let moved = lanes.down_words(lanes.zero(), q, I::WORDS - top_words);
    let top = &mut z[last * I::WORDS..];
    lanes.store(top, lanes.xor(lanes.load(top), moved));
    if last > 0 && top_words < I::WORDS {
        let moved = lanes.down_words(q, lanes.zero(), I::WORDS - top_words);
        let next = &mut z[(last - 1) * I::WORDS..];
        lanes.store(next, lanes.xor(lanes.load(next), moved));
    }
}
