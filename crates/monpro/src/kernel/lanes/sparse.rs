//! Products modulo a sparse n = x^k + f, where f has few terms or a small degree. R = 1: the upper half of the
//! product is folded onto the lower half. A digit is a vector of L lanes.
//!
//! Let h = ⌊t/x^k⌋, deg h < k, and e = deg f ≤ k/2.
//! * For e < 64, t = h·f + t mod x^k. The same step then folds o = ⌊h·f/x^k⌋, which has a degree below e; the degree
//!   of o·f is below 2·e ≤ k. This takes two word products a digit, whatever the number of terms.
//! * Otherwise ⌊t/n⌋ = q = h + Σ ⌊h·xᵉ/x^k⌋ over the terms xᵉ of f but 1. The overflow of the sum would have a degree
//!   below 2·e − k ≤ 0, so it is 0. Then t mod n = t + q·(1 + Σ xᵉ) mod x^k. This takes a few shifts a digit and a
//!   term.
//!
//! Shifts and loops depend only on the shape of n, which is public. \[koc97\] has no such kernel; it replaces the
//! paper's standard method where n allows it. Scratch: 2·Z digits for the product, then the larger of the product's
//! own scratch and Z + Z/2 + 3 digits for q between zeros.

use super::karatsuba::{self, Product};
use super::method::{Method, degree, whole_digits};
use super::reduction::{Digits, Squared};
use super::{Constants, Divisor, Lanes};
use crate::natural;
use alloc::vec;
use alloc::vec::Vec;

pub(in super::super) struct Sparse;

/// The most terms that are folded by shifts, besides x^k and 1.
const MOST_TERMS: usize = 3;

impl<I: Lanes> Method<I> for Sparse {
    const DIVISOR: Divisor = Divisor::One;
    const TAKES: &'static str =
        "polynomials x^k + f with deg f ≤ k/2, where deg f < 64 or f has at most four terms";

    fn supports(n: &[u64], n_bits: usize) -> bool {
        if n_bits < 2 {
            return false;
        }
        let exponents = exponents(n, n_bits - 1);
        let largest = exponents.first().map_or(0, |&e| e as usize);
        2 * largest < n_bits && (largest < 64 || exponents.len() <= MOST_TERMS)
    }

    /// f if it fits a word; else 0 and the exponents of its terms but 1, the highest first.
    fn derive(constants: &Constants) -> Vec<u64> {
        let mut exponents = exponents(constants.n, degree(constants));
        if exponents.first().is_none_or(|&e| e < 64) {
            return vec![exponents.iter().fold(1, |f, e| f | 1 << e)];
        }
        exponents.insert(0, 0);
        exponents
    }

    fn temporary_words(s: usize) -> usize {
        let words = whole_digits::<I>(s);
        2 * words + karatsuba::temporary_words::<I>(words).max(folding_words::<I>(words))
    }

    #[inline(always)]
    fn product(lanes: I, z: &mut [u64], a: &[u64], b: &[u64], constants: &Constants, t: &mut [u64]) {
        let words = whole_digits::<I>(constants.s);
        let (product, temporary) = t.split_at_mut(2 * words);
        lanes.run(Product { t: product, x: &a[..words], y: &b[..words], temporary });
        fold(lanes, z, product, constants, temporary);
    }

    #[inline(always)]
    fn square(lanes: I, z: &mut [u64], a: &[u64], constants: &Constants, t: &mut [u64]) {
        let (square, temporary) = t.split_at_mut(2 * whole_digits::<I>(constants.s));
        let mut digits = Squared::new(lanes, a);
        for t in square.chunks_exact_mut(I::WORDS) {
            lanes.store(t, digits.next());
        }
        fold(lanes, z, square, constants, temporary);
    }

    #[inline(always)]
    fn reduce(lanes: I, z: &mut [u64], v: &[u64], constants: &Constants, t: &mut [u64]) {
        fold(lanes, z, v, constants, t);
    }
}

/// The exponents of n between 0 and its degree k, the highest first.
fn exponents(n: &[u64], k: usize) -> Vec<u64> {
    (1..k).rev().filter(|&e| natural::bits_at(n, e, 1) == 1).map(|e| e as u64).collect()
}

/// The words of q and of the zeros around it in [`fold_digits`].
fn folding_words<I: Lanes>(words: usize) -> usize {
    let digits = words / I::WORDS;
    (digits + digits / 2 + 3) * I::WORDS
}

/// z = t mod n for a t of 2·Z digits, deg t < 2·k.
#[inline(always)]
fn fold<I: Lanes>(lanes: I, z: &mut [u64], t: &[u64], constants: &Constants, temporary: &mut [u64]) {
    let k = degree(constants);
    match *constants.derived {
        [0, ref exponents @ ..] if constants.s <= I::WORDS => fold_digit(lanes, z, t, k, exponents),
        [0, ref exponents @ ..] => fold_digits(lanes, z, t, k, exponents, temporary),
        [f, ..] => fold_by_word(lanes, z, t, k, f),
        [] => unreachable!("derived has a word"),
    }
}

/// [`fold`] where f is one word.
#[inline(always)]
fn fold_by_word<I: Lanes>(lanes: I, z: &mut [u64], t: &[u64], k: usize, f: u64) {
    let w = I::WORDS;
    let last = (k - 1) / (64 * w);
    let top_bits = k - 64 * w * last;
    let f = lanes.splat(f);
    let (mut below, mut odd_below, mut folded) = (lanes.load(&t[last * w..]), lanes.zero(), lanes.zero());
    for j in 0..=last {
        let above = lanes.load(&t[(last + 1 + j) * w..]);
        let h = lanes.down_bits(above, below, top_bits);
        below = above;
        let odd = lanes.product_high(h, f);
        folded = lanes.xor(lanes.product_low(h, f), lanes.up_word(odd, odd_below));
        odd_below = odd;
        lanes.store(&mut z[j * w..], lanes.xor(lanes.load(&t[j * w..]), folded));
    }
    let o = lanes.down_bits(lanes.up_word(lanes.zero(), odd_below), folded, top_bits);
    let top = &mut z[last * w..];
    lanes.store(top, lanes.first_bits(lanes.load(top), top_bits));
    lanes.store(z, lanes.xor(lanes.load(z), lanes.product_low(o, f)));
}

/// [`fold`] by shifts, for residues of one digit.
#[inline(always)]
fn fold_digit<I: Lanes>(lanes: I, z: &mut [u64], t: &[u64], k: usize, exponents: &[u64]) {
    let (low, zero) = (lanes.load(t), lanes.zero());
    let h = lanes.down_bits(lanes.load(&t[I::WORDS..]), low, k);
    let mut q = h;
    for &e in exponents {
        q = lanes.xor(q, lanes.down_bits(zero, h, k - e as usize));
    }
    let mut sum = lanes.xor(low, q);
    for &e in exponents {
        sum = lanes.xor(sum, lanes.down_bits(q, zero, 64 * I::WORDS - e as usize));
    }
    lanes.store(z, lanes.first_bits(sum, k));
}

/// [`fold`] by shifts. q has digits of zeros below and above, so that it can be read from any position.
#[inline(always)]
fn fold_digits<I: Lanes>(
    lanes: I,
    z: &mut [u64],
    t: &[u64],
    k: usize,
    exponents: &[u64],
    temporary: &mut [u64],
) {
    let w = I::WORDS;
    let digits = t.len() / (2 * w);
    let e_max = exponents[0] as usize;
    let start = (e_max / (64 * w) + 1) * w;
    let q = &mut temporary[..start + (digits + 2) * w];
    for (i, words) in q.chunks_exact_mut(w).enumerate() {
        let j = (i * w).wrapping_sub(start);
        let digit = if j < digits * w { digit_from(lanes, t, k + 64 * j) } else { lanes.zero() };
        lanes.store(words, digit);
    }
    // The degree of h·xᵉ/x^k is at most e − 1. A digit is read before it is written, and the digits above it still
    // hold h.
    for j in (0..e_max).step_by(64 * w) {
        let words = start + j / 64;
        let mut digit = lanes.load(&q[words..]);
        for &e in exponents {
            if e as usize > j {
                digit = lanes.xor(digit, digit_from(lanes, &q[start..], k - e as usize + j));
            }
        }
        lanes.store(&mut q[words..], digit);
    }
    for (j, z) in z.chunks_exact_mut(w).enumerate().take(digits) {
        let mut digit = lanes.xor(lanes.load(&t[j * w..]), lanes.load(&q[start + j * w..]));
        for &e in exponents {
            digit = lanes.xor(digit, digit_from(lanes, q, 64 * (start + j * w) - e as usize));
        }
        if j == digits - 1 {
            digit = lanes.first_bits(digit, k - 64 * w * j);
        }
        lanes.store(z, digit);
    }
}

/// The digit of t from bit `position` up.
#[inline(always)]
fn digit_from<I: Lanes>(lanes: I, t: &[u64], position: usize) -> I::Digit {
    let i = position / (64 * I::WORDS) * I::WORDS;
    let above = if i + I::WORDS < t.len() { lanes.load(&t[i + I::WORDS..]) } else { lanes.zero() };
    lanes.down_bits(above, lanes.load(&t[i..]), position % (64 * I::WORDS))
}
