//! Separated Operand Scanning \[koc96, §4\]: the whole product first, then the reduction.

use super::scanning::{ScanningMethod, add_square_row, multiply};
use crate::ring::Ring;
use crate::word::Word;

pub(super) struct Method;

impl ScanningMethod for Method {
    const PAPER: &'static str = "koc96";

    fn temporary_words(s: usize) -> usize {
        2 * s + 1
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
        let t = &mut t[..2 * n.len()];
        multiply::<R>(t, x, y);
        reduce::<R>(z, n, n0, t);
    }

    #[inline(always)]
    fn square<R: Ring>(z: &mut [R::Word], x: &[R::Word], n: &[R::Word], n0: R::Word, t: &mut [R::Word]) {
        let s = n.len();
        let t = &mut t[..2 * s + 1];
        t.fill(R::Word::ZERO);
        for i in 0..s {
            t[i + s + 1] = add_square_row::<R>(&mut t[2 * i..=i + s], x, i);
        }
        reduce::<R>(z, n, n0, t);
    }
}

/// z = t·R⁻¹ mod n for t < R·n in 2s words.
///
/// The paper propagates the carry C of each row through t by ADD until it dies out, in a time that depends on the
/// values. Here row i leaves at most one bit in `waiting`, and row i + 1 adds this bit to its last word.
#[inline(always)]
fn reduce<R: Ring>(z: &mut [R::Word], n: &[R::Word], n0: R::Word, t: &mut [R::Word]) {
    let s = n.len();
    let mut waiting = R::Word::ZERO;
    for i in 0..s {
        let m = R::mul_low(t[i], n0);
        let mut c = R::Word::ZERO;
        for j in 0..s {
            (c, t[i + j]) = R::mul_add(t[i + j], m, n[j], c);
        }
        // t[i+s] + C + waiting ≤ 2W − 1, so at most one of the two carries is set.
        let (carry_of_row, sum) = R::add(t[i + s], c);
        let (carry_of_bit, sum) = R::add(sum, waiting);
        t[i + s] = sum;
        waiting = carry_of_row | carry_of_bit;
    }
    R::finish(z, &t[s..2 * s], waiting, n);
}
