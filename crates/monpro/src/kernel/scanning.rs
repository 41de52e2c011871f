//! What the scanning methods have in common: one body over both rings and all word sizes.

use super::arithmetic::{words, words_mut, words_per_cell};
use super::contract::{Arithmetic, Constants, Divisor, Kernel, Requirement};
use crate::monoid;
use crate::ring::Ring;
use crate::word::Word;
use alloc::vec::Vec;

/// A way to scan the words of operands and product \[koc96, §3\].
///
/// In the methods x and y are the paper's a and b, `n0` its n'\[0\], `t` its t; z is the result.
pub(super) trait ScanningMethod: 'static {
    /// The bibliography key.
    const PAPER: &'static str;
    /// R, the divisor in the products.
    const DIVISOR: Divisor = Divisor::PowerOfX;

    /// The words of scratch for a product or square of s words.
    fn temporary_words(s: usize) -> usize;

    /// z = x·y·R⁻¹ mod n.
    fn product<R: Ring>(
        z: &mut [R::Word],
        x: &[R::Word],
        y: &[R::Word],
        n: &[R::Word],
        n0: R::Word,
        t: &mut [R::Word],
    );

    /// z = x²·R⁻¹ mod n, with each pair of equal cross products computed once.
    fn square<R: Ring>(z: &mut [R::Word], x: &[R::Word], n: &[R::Word], n0: R::Word, t: &mut [R::Word]);
}

/// The kernel of this name: method M over ring R.
pub(super) const fn kernel<M: ScanningMethod, R: Ring>(name: &'static str) -> Kernel {
    Kernel {
        name,
        paper: M::PAPER,
        ring: R::NAME,
        radix_bits: <R::Word as Word>::BITS,
        requires: Requirement::NONE,
        takes: "any modulus",
        supports: |_, _| true,
        words_for: |n_bits| n_bits.div_ceil(<R::Word as Word>::BITS as usize).max(1),
        cells: |s| s.div_ceil(words_per_cell::<R>()),
        divisor: M::DIVISOR,
        derive: |_| Vec::new(),
        temporary_cells: |s| M::temporary_words(s).div_ceil(words_per_cell::<R>()),
        product: product::<M, R>,
        square: square::<M, R>,
        select: monoid::select,
        power_steps: |_| None,
        almost_inverse: None,
        arithmetic: Arithmetic::of::<R>(),
    }
}

/// The product of method M over ring R as the table holds it. Inlined, so that it is compiled for the
/// instructions that its caller may use.
#[inline(always)]
pub(super) fn product<M: ScanningMethod, R: Ring>(
    z: &mut [u64],
    x: &[u64],
    y: &[u64],
    constants: &Constants,
    t: &mut [u64],
) {
    let s = constants.s;
    let (z, t) = (words_mut::<R>(z, s), words_mut::<R>(t, t.len() * words_per_cell::<R>()));
    let (x, y, n) = (words::<R>(x, s), words::<R>(y, s), words::<R>(constants.n, s));
    M::product::<R>(z, x, y, n, R::Word::truncate(constants.n0), t);
}

/// The square of method M over ring R as the table holds it, inlined likewise.
#[inline(always)]
pub(super) fn square<M: ScanningMethod, R: Ring>(
    z: &mut [u64],
    x: &[u64],
    constants: &Constants,
    t: &mut [u64],
) {
    let s = constants.s;
    let (z, t) = (words_mut::<R>(z, s), words_mut::<R>(t, t.len() * words_per_cell::<R>()));
    let (x, n) = (words::<R>(x, s), words::<R>(constants.n, s));
    M::square::<R>(z, x, n, R::Word::truncate(constants.n0), t);
}

/// t = x·y, row by row \[koc96, §4\]; `t` holds 2s words and may be anything before.
#[inline(always)]
pub(super) fn multiply<R: Ring>(t: &mut [R::Word], x: &[R::Word], y: &[R::Word]) {
    let s = x.len();
    t.fill(R::Word::ZERO);
    for i in 0..s {
        let mut c = R::Word::ZERO;
        for j in 0..s {
            (c, t[i + j]) = R::mul_add(t[i + j], x[j], y[i], c);
        }
        t[i + s] = c;
    }
}

/// Adds row i of the square of x to t, whose first word has the weight of xᵢ²; returns the carry C out of t.
///
/// Row i is xᵢ·(xᵢ + Dᵢ·W) with Dᵢ = 2·Σ_{j>i} xⱼ·W^(j−i−1), a number of s − i words whose last is 0 or 1. A doubled
/// product of two words would need one bit more than two words, so the digits of one factor are doubled instead, and
/// every carry is one word. \[koc96, §4\] prints `2*a[j]*a[i] + C` with a one-word C, which loses that bit, and omits
/// the store of the first sum. Over GF(2) Dᵢ = 0.
///
/// `t` holds s − i + 1 words.
#[inline(always)]
pub(super) fn add_square_row<R: Ring>(t: &mut [R::Word], x: &[R::Word], i: usize) -> R::Word {
    let (mut c, sum) = R::add_square(t[0], x[i]);
    t[0] = sum;
    let mut below = R::Word::ZERO;
    let row = &mut t[1..=x.len() - i];
    let (last, inner) = row.split_last_mut().expect("a row has s − i ≥ 1 doubled digits");
    for (word, &digit) in inner.iter_mut().zip(&x[i + 1..]) {
        (c, *word) = add_cross_product::<R>(*word, R::twice(digit, below), x[i], c);
        below = digit;
    }
    (c, *last) = add_cross_product::<R>(*last, R::twice(R::Word::ZERO, below), x[i], c);
    c
}

/// (C, S) = t + digit·x + c for a digit of a doubled number; over GF(2) this digit is 0.
#[inline(always)]
pub(super) fn add_cross_product<R: Ring>(
    t: R::Word,
    digit: R::Word,
    x: R::Word,
    c: R::Word,
) -> (R::Word, R::Word) {
    if R::CHARACTERISTIC_TWO { R::add(t, c) } else { R::mul_add(t, digit, x, c) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::cios;
    use crate::ring::Integers;

    #[test]
    fn a_kernel_tells_what_it_needs_and_whether_it_is_there() {
        let portable = kernel::<cios::Method, Integers<u64>>("portable");
        assert_eq!((portable.is_available(), portable.required_instructions()), (true, ""));
        let requires = Requirement { instructions: "IMAGINED", is_met: || false };
        let imagined = Kernel { requires, ..portable };
        assert_eq!((imagined.is_available(), imagined.required_instructions()), (false, "IMAGINED"));
    }

    #[test]
    fn the_addresses_are_those_of_the_product_and_of_the_square() {
        let kernel = kernel::<cios::Method, Integers<u64>>("portable");
        assert_eq!(kernel.code_addresses(), (kernel.product as usize, kernel.square as usize));
    }
}
