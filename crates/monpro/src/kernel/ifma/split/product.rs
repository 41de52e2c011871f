//! Products of numbers of the same number of digits, which is a multiple of eight. A digit is a limb of 52 bits, and all
//! digits are below 2^52. W^k is 2^(52·k).
//!
//! A long factor is split in two, a = a0 + a1·W^h. By Karatsuba's method, a0·b1 + a1·b0 = a0·b0 + a1·b1 −
//! (a0 − a1)·(b0 − b1), so three products of half of the length make one. The differences are taken as absolute values
//! and signs, which are masks.

use super::passes::{AddAbove, AddMiddle, Difference, normalise};
use crate::arch::x86_64::ifma::{DIGIT_BITS, Ifma, LANES};
use crate::arch::{InstructionSet, Task};
use crate::kernel::ifma::long::Operands;
use crate::kernel::ifma::temporary::pad;
use crate::kernel::ifma::{PADDING, load, store};

/// The most digits of factors that are not split. A column of their product sums fewer than 2·k halves below 2^52 for k
/// digits, so k ≤ 2048 keeps it below 2^64 − 2^12, as carries need. Measured, splitting pays above these.
const MOST_OF_PRODUCT: usize = 160;
/// The same for squares.
const MOST_OF_SQUARE: usize = 240;
/// The same for products mod W^k, the longest of all.
pub(in crate::kernel::ifma) const MOST_OF_LOW: usize = 640;

/// The number of digits of the lower half of k digits: whole vectors, and no less than the upper half.
pub(super) fn lower_half(k: usize) -> usize {
    (k / 2).next_multiple_of(LANES)
}

/// The words of work of [`multiply`] and of [`square`] for factors of k digits.
pub(super) fn work_of_product(k: usize) -> usize {
    if k <= MOST_OF_PRODUCT.min(MOST_OF_SQUARE) {
        return 2 * (k + 2 * PADDING);
    }
    let h = lower_half(k);
    (2 * (k + 2 * PADDING)).max(4 * h + work_of_product(h))
}

/// The words of work of [`multiply_low`] for factors of k digits.
pub(super) fn work_of_low(k: usize) -> usize {
    if k <= MOST_OF_LOW {
        return 2 * (k + 2 * PADDING);
    }
    let h = lower_half(k);
    2 * h + work_of_product(h).max(2 * (k - h) + work_of_low(k - h))
}

/// z = a·b, in twice as many digits.
pub(super) fn multiply(ifma: Ifma, z: &mut [u64], a: &[u64], b: &[u64], work: &mut [u64]) {
    if a.len() <= MOST_OF_PRODUCT {
        return ifma.run(Unsplit { z, a, b, work });
    }
    let h = lower_half(a.len());
    let ((a0, a1), (b0, b1)) = (a.split_at(h), b.split_at(h));
    let (p, work) = work.split_at_mut(2 * h);
    let (d, work) = work.split_at_mut(h);
    let (e, work) = work.split_at_mut(h);
    let sign_of_d = ifma.run(Difference { z: d, a: a0, b: a1 });
    let sign_of_e = ifma.run(Difference { z: e, a: b0, b: b1 });
    multiply(ifma, p, d, e, work);
    multiply(ifma, &mut z[..2 * h], a0, b0, work);
    multiply(ifma, &mut z[2 * h..], a1, b1, work);
    ifma.run(AddMiddle { z, p, is_subtracted: !(sign_of_d ^ sign_of_e) });
}

/// z = a², in twice as many digits.
pub(super) fn square(ifma: Ifma, z: &mut [u64], a: &[u64], work: &mut [u64]) {
    if a.len() <= MOST_OF_SQUARE {
        return ifma.run(UnsplitSquare { z, a, work });
    }
    let h = lower_half(a.len());
    let (a0, a1) = a.split_at(h);
    let (p, work) = work.split_at_mut(2 * h);
    let (d, work) = work.split_at_mut(h);
    ifma.run(Difference { z: d, a: a0, b: a1 });
    square(ifma, p, d, work);
    square(ifma, &mut z[..2 * h], a0, work);
    square(ifma, &mut z[2 * h..], a1, work);
    ifma.run(AddMiddle { z, p, is_subtracted: u64::MAX });
}

/// z = a·b mod W^k, all of k digits: a0·b0 + (a0·b1 + a1·b0)·W^h, where the latter two products are taken mod W^(k − h).
pub(super) fn multiply_low(ifma: Ifma, z: &mut [u64], a: &[u64], b: &[u64], work: &mut [u64]) {
    let k = a.len();
    if k <= MOST_OF_LOW {
        return ifma.run(UnsplitLow { z, a, b, work });
    }
    let h = lower_half(k);
    let ((a0, a1), (b0, b1)) = (a.split_at(h), b.split_at(h));
    let (p, work) = work.split_at_mut(2 * h);
    multiply(ifma, p, a0, b0, work);
    z.copy_from_slice(&p[..k]);
    let (c, work) = work.split_at_mut(k - h);
    let (d, work) = work.split_at_mut(k - h);
    multiply_low(ifma, c, &a0[..k - h], b1, work);
    multiply_low(ifma, d, a1, &b0[..k - h], work);
    ifma.run(AddAbove { z, a: c, b: d });
}

/// padded = the digits of a between zeros.
#[inline(always)]
fn put_padded(ifma: Ifma, padded: &mut [u64], a: &[u64]) {
    pad(ifma, padded, a.len());
    for k in 0..a.len() / LANES {
        store(ifma, padded, k + 1, load(ifma, a, k));
    }
}

/// The factors between zeros, in the work.
#[inline(always)]
fn padded<'a>(ifma: Ifma, a: &[u64], b: &[u64], work: &'a mut [u64]) -> Operands<'a, DIGIT_BITS> {
    let k = a.len();
    let (padded_a, work) = work.split_at_mut(k + 2 * PADDING);
    let padded_b = &mut work[..k + 2 * PADDING];
    put_padded(ifma, padded_a, a);
    put_padded(ifma, padded_b, b);
    Operands { a: padded_a, b: padded_b, a_digits: k, b_digits: k }
}

/// z = a·b, by columns.
struct Unsplit<'a> {
    z: &'a mut [u64],
    a: &'a [u64],
    b: &'a [u64],
    work: &'a mut [u64],
}

impl Task<Ifma> for Unsplit<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self, ifma: Ifma) {
        let Unsplit { z, a, b, work } = self;
        let operands = padded(ifma, a, b, work);
        let (low, high) = z.split_at_mut(a.len());
        let vectors = a.len() / LANES;
        operands.put_low(ifma, low, 0..vectors);
        for k in 0..vectors {
            store(ifma, high, k, ifma.zero());
        }
        operands.add_high(ifma, high, vectors..2 * vectors);
        normalise(ifma, z);
    }
}

/// z = a·b mod W^k, by columns.
struct UnsplitLow<'a> {
    z: &'a mut [u64],
    a: &'a [u64],
    b: &'a [u64],
    work: &'a mut [u64],
}

impl Task<Ifma> for UnsplitLow<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self, ifma: Ifma) {
        let UnsplitLow { z, a, b, work } = self;
        padded(ifma, a, b, work).put_low(ifma, z, 0..a.len() / LANES);
        normalise(ifma, z);
    }
}

/// z = a², by columns.
struct UnsplitSquare<'a> {
    z: &'a mut [u64],
    a: &'a [u64],
    work: &'a mut [u64],
}

impl Task<Ifma> for UnsplitSquare<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self, ifma: Ifma) {
        let UnsplitSquare { z, a, work } = self;
        let padded = &mut work[..a.len() + 2 * PADDING];
        put_padded(ifma, padded, a);
        let operands = Operands::<DIGIT_BITS> { a: padded, b: padded, a_digits: a.len(), b_digits: a.len() };
        operands.put_square(ifma, z, 0..z.len() / LANES);
        normalise(ifma, z);
    }
}
