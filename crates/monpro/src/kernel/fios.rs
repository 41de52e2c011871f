//! Finely Integrated Operand Scanning \[koc96, §6\]: product and reduction in one inner loop.
//!
//! The paper has one carry C, and adds its overflow to t\[j+1\] by ADD, whose propagation takes a time that depends
//! on the values. Here the product and the reduction each have a carry of one word: the sums are the same, and the
//! time is constant.

use super::scanning::{ScanningMethod, add_cross_product};
use crate::ring::Ring;
use crate::word::Word;

pub(super) struct Method;

impl ScanningMethod for Method {
    const PAPER: &'static str = "koc96";

    fn temporary_words(s: usize) -> usize {
        s + 1
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
        let t = &mut t[..s + 1];
        t.fill(R::Word::ZERO);
        for i in 0..s {
            let (mut c_product, sum) = R::mul_add(t[0], x[0], y[i], R::Word::ZERO);
            let m = R::mul_low(sum, n0);
            let (mut c_reduction, _) = R::mul_add(sum, m, n[0], R::Word::ZERO);
            for j in 1..s {
                let sum;
                (c_product, sum) = R::mul_add(t[j], x[j], y[i], c_product);
                (c_reduction, t[j - 1]) = R::mul_add(sum, m, n[j], c_reduction);
            }
            close_row::<R>(t, R::add(t[s], c_product), c_reduction);
        }
        R::finish(z, &t[..s], t[s], n);
    }

    /// Row i has the digits of the halved square of \[koc96, §4\]: zeros below i, then xᵢ, then the digits of
    /// 2·Σ_{j>i} xⱼWʲ.
    #[inline(always)]
    fn square<R: Ring>(z: &mut [R::Word], x: &[R::Word], n: &[R::Word], n0: R::Word, t: &mut [R::Word]) {
        let s = n.len();
        let t = &mut t[..s + 1];
        t.fill(R::Word::ZERO);
        for i in 0..s {
            // In row 0, x₀² contributes to the word that determines m.
            let (mut c_product, sum) = if i == 0 { R::add_square(t[0], x[0]) } else { (R::Word::ZERO, t[0]) };
            let m = R::mul_low(sum, n0);
            let (mut c_reduction, _) = R::mul_add(sum, m, n[0], R::Word::ZERO);
            for j in 1..i {
                (c_reduction, t[j - 1]) = R::mul_add(t[j], m, n[j], c_reduction);
            }
            if i > 0 {
                let sum;
                (c_product, sum) = R::add_square(t[i], x[i]);
                (c_reduction, t[i - 1]) = R::mul_add(sum, m, n[i], c_reduction);
            }
            let mut below = R::Word::ZERO;
            for j in i + 1..s {
                let sum;
                (c_product, sum) = add_cross_product::<R>(t[j], R::twice(x[j], below), x[i], c_product);
                (c_reduction, t[j - 1]) = R::mul_add(sum, m, n[j], c_reduction);
                below = x[j];
            }
            let top = add_cross_product::<R>(t[s], R::twice(R::Word::ZERO, below), x[i], c_product);
            close_row::<R>(t, top, c_reduction);
        }
        R::finish(z, &t[..s], t[s], n);
    }
}

/// Ends a row. `top` = (C, S) is the row's sum at weight W^s; it takes the reduction's carry and moves down by a
/// word, like the rest of the row. Between rows t < 3R, so t\[s\] ≤ 2.
#[inline(always)]
fn close_row<R: Ring>(t: &mut [R::Word], top: (R::Word, R::Word), c_reduction: R::Word) {
    let s = t.len() - 1;
    let (c_product, sum) = top;
    let c;
    (c, t[s - 1]) = R::add(sum, c_reduction);
    (_, t[s]) = R::add(c_product, c);
}
