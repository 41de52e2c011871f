//! The word-level product \[koc97, §3\] and square \[koc97, §4\] with w = 64. Products of even and of odd words are
//! summed separately; a digit is a vector of L lanes.
//!
//! A vector product multiplies every other word, so the sum is kept as Σ even\[j\]·Xʲ + x^64·Σ odd\[j\]·Xʲ. Division
//! by x^64 turns the odd products into even ones, and moves the even ones down by a lane.
//!
//! The paper divides the sum c by x^64 after adding m·n, m = c₀·n0 mod x^64. Here all steps but the last add c₀·ñ
//! with ñ = n·n0 = 1 + x^64·p instead, as \[blum01, §3.2\] does in Z. The sum becomes ⌊c/x^64⌋ + c₀·p, and the chain
//! of steps has no product by n0. The degrees of a·bᵢ and of c₀·p are at most k + 62, and so is the degree of the
//! sum. The last step is the paper's, and brings the degree below k. All scratch is in registers.

use super::method::{Method, has_top, inverses};
use super::{Constants, Lanes};
use alloc::vec::Vec;

pub(in super::super) struct Words;

/// The number of digits of the longest residues, which are kept in registers.
const MOST_DIGITS: usize = 5;

/// Evaluates the call with Z, the number of digits, as a constant.
macro_rules! with_digits {
    ($constants:expr, |$z:ident| $call:expr) => {
        match $constants.s.div_ceil(I::WORDS) {
            1 => with_digits!(1, $z, $call),
            2 => with_digits!(2, $z, $call),
            3 => with_digits!(3, $z, $call),
            4 => with_digits!(4, $z, $call),
            MOST_DIGITS => with_digits!(MOST_DIGITS, $z, $call),
            _ => unreachable!("such a modulus is not supported"),
        }
    };
    ($value:expr, $z:ident, $call:expr) => {{
        const $z: usize = $value;
        $call
    }};
}

impl<I: Lanes> Method<I> for Words {
    const TAKES: &'static str = match I::LANES {
        1 => "polynomials of degree up to 640",
        2 => "polynomials of degree up to 1280",
        _ => "polynomials of degree up to 2560",
    };

    fn supports(_: &[u64], n_bits: usize) -> bool {
        n_bits <= 64 * MOST_DIGITS * I::WORDS + 1
    }

    /// x^(−64) mod n.
    fn derive(constants: &Constants) -> Vec<u64> {
        inverses(constants, 1).1
    }

    fn temporary_words(_: usize) -> usize {
        0
    }

    #[inline(always)]
    fn product(lanes: I, z: &mut [u64], a: &[u64], b: &[u64], constants: &Constants, _: &mut [u64]) {
        with_digits!(constants, |Z| product::<I, Z>(lanes, z, a, b, constants));
    }

    #[inline(always)]
    fn square(lanes: I, z: &mut [u64], a: &[u64], constants: &Constants, _: &mut [u64]) {
        with_digits!(constants, |Z| {
            let a: [I::Digit; Z] = digits(lanes, a);
            let mut square = [[lanes.zero(); 2]; Z];
            for j in 0..Z {
                square[j] = [lanes.square_lower(a[j]), lanes.square_upper(a[j])];
            }
            reduce(lanes, z, &square, constants);
        });
    }

    #[inline(always)]
    fn reduce(lanes: I, z: &mut [u64], v: &[u64], constants: &Constants, _: &mut [u64]) {
        with_digits!(constants, |Z| {
            let mut pairs = [[lanes.zero(); 2]; Z];
            for (pair, words) in pairs.iter_mut().zip(v.chunks_exact(2 * I::WORDS)) {
                *pair = digits(lanes, words);
            }
            reduce(lanes, z, &pairs, constants);
        });
    }
}

/// z = a·b·x^(−64·s) mod n, for deg a + deg b ≤ 64·s + k − 2.
#[inline(always)]
fn product<I: Lanes, const Z: usize>(lanes: I, z: &mut [u64], a: &[u64], b: &[u64], constants: &Constants) {
    let a = digits(lanes, a);
    let p = digits(lanes, constants.derived);
    let mut sum = Sum::<I, Z> { lanes, even: [lanes.zero(); Z], odd: [lanes.zero(); Z] };
    let (&last, rest) = b[..constants.s].split_last().expect("there is a word");
    for &word in rest {
        sum.add_product(&a, lanes.splat(word));
        sum.reduce(&p);
    }
    sum.add_product(&a, lanes.splat(last));
    let m = sum.finish(constants);
    sum.store(z, m, constants);
}

/// z = v·x^(−64·s) mod n for a v of 2·Z digits, deg v < 2·k: the s lowest words are reduced, the others added.
#[inline(always)]
fn reduce<I: Lanes, const Z: usize>(lanes: I, z: &mut [u64], v: &[[I::Digit; 2]; Z], constants: &Constants) {
    let v = v.as_flattened();
    let p = digits(lanes, constants.derived);
    let mut sum = Sum::<I, Z> { lanes, even: [lanes.zero(); Z], odd: [lanes.zero(); Z] };
    sum.even.copy_from_slice(&v[..Z]);
    let top_words = constants.s - I::WORDS * (Z - 1);
    sum.even[Z - 1] = lanes.first_words(sum.even[Z - 1], top_words);
    for _ in 1..constants.s {
        sum.reduce(&p);
    }
    let m = sum.finish(constants);
    for j in 0..Z {
        let high = lanes.down_words(v[Z + j], v[Z + j - 1], top_words);
        sum.even[j] = lanes.xor(sum.even[j], high);
    }
    sum.store(z, m, constants);
}

/// The first Z digits of the words.
#[inline(always)]
fn digits<I: Lanes, const Z: usize>(lanes: I, words: &[u64]) -> [I::Digit; Z] {
    let mut digits = [lanes.zero(); Z];
    for (digit, words) in digits.iter_mut().zip(words.chunks_exact(I::WORDS)) {
        *digit = lanes.load(words);
    }
    digits
}

/// The polynomial Σ even\[j\]·Xʲ + x^64·Σ odd\[j\]·Xʲ.
struct Sum<I: Lanes, const Z: usize> {
    lanes: I,
    even: [I::Digit; Z],
    odd: [I::Digit; Z],
}

impl<I: Lanes, const Z: usize> Sum<I, Z> {
    /// sum += a·b for a word b, which every word of `b` holds.
    #[inline(always)]
    fn add_product(&mut self, a: &[I::Digit; Z], b: I::Digit) {
        for j in 0..Z {
            self.even[j] = self.lanes.xor(self.even[j], self.lanes.product_low(a[j], b));
            self.odd[j] = self.lanes.xor(self.odd[j], self.lanes.product_high(a[j], b));
        }
    }

    /// sum = ⌊sum/x^64⌋. The high word of the lowest even product is added to word 0.
    #[inline(always)]
    fn shift(&mut self) {
        let lanes = self.lanes;
        let left = lanes.first_words(lanes.next_words(self.even[0]), 1);
        let mut odd = [lanes.zero(); Z];
        for j in 0..Z {
            let above = if j + 1 < Z { self.even[j + 1] } else { lanes.zero() };
            odd[j] = lanes.down_lane(above, self.even[j]);
        }
        self.even = core::mem::replace(&mut self.odd, odd);
        self.even[0] = lanes.xor(self.even[0], left);
    }

    /// sum = sum·x^(−64) mod n, where the degree may reach k + 62.
    #[inline(always)]
    fn reduce(&mut self, p: &[I::Digit; Z]) {
        let c0 = self.lanes.broadcast_word(self.even[0]);
        self.shift();
        self.add_product(p, c0);
    }

    /// sum = (sum + m·n)/x^64, of a degree below k; returns m. [`Sum::store`] adds the term m·x^(64·s)/x^64, if n has
    /// the coefficient that its words leave out.
    #[inline(always)]
    fn finish(&mut self, constants: &Constants) -> u64 {
        let m = self.lanes.product_low(self.even[0], self.lanes.splat(constants.n0));
        self.add_product(&digits(self.lanes, constants.n), self.lanes.broadcast_word(m));
        self.shift();
        self.lanes.word(m)
    }

    /// z = sum, whose last step added m·n.
    #[inline(always)]
    fn store(&self, z: &mut [u64], m: u64, constants: &Constants) {
        let lanes = self.lanes;
        let mut below = lanes.zero();
        for (j, z) in z.chunks_exact_mut(I::WORDS).take(Z).enumerate() {
            lanes.store(z, lanes.xor(self.even[j], lanes.up_word(self.odd[j], below)));
            below = self.odd[j];
        }
        if has_top(constants) {
            z[constants.s - 1] ^= m;
        }
    }
}
