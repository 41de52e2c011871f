//! Coarsely Integrated Hybrid Scanning \[koc96, §8\], with two lines of the paper corrected. The low half of x·y is
//! computed by rows; the high half by columns, between the rows of the reduction.
//!
//! The paper's line `t[s+1] := C`, at the end of the first i-loop and of the last j-loop, overwrites the carries of
//! earlier rows and columns. Both lines must add C to t\[s+1\], as here. If either is left as printed, some products
//! are wrong: for w = 4, s = 3, n = 0xfff, a = b = 0xffe the paper's algorithm gives a wrong result.

use super::cios::reduce_and_shift;
use super::scanning::{ScanningMethod, add_cross_product};
use crate::ring::Ring;
use crate::word::Word;

pub(super) struct Method;

impl ScanningMethod for Method {
    const PAPER: &'static str = "koc96";

    fn temporary_words(s: usize) -> usize {
        s + 2
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
        let t = &mut t[..s + 2];
        t.fill(R::Word::ZERO);
        for i in 0..s {
            let mut c = R::Word::ZERO;
            for j in 0..s - i {
                (c, t[i + j]) = R::mul_add(t[i + j], x[j], y[i], c);
            }
            add_to_top::<R>(t, s, c);
        }
        for i in 0..s {
            reduce_and_shift::<R>(t, n, n0);
            t[s + 1] = R::Word::ZERO;
            for j in i + 1..s {
                let c;
                (c, t[s - 1]) = R::mul_add(t[s - 1], y[j], x[s - j + i], R::Word::ZERO);
                add_to_top::<R>(t, s, c);
            }
        }
        R::finish(z, &t[..s], t[s], n);
    }

    /// Row p of the halved square is x_p times these digits: x_p at weight 2p and, for p < q ≤ s, digit q of
    /// 2·Σ_{j>p} xⱼ·Wʲ at weight p + q. As in the product, rows sum the weights below s, and column i sums weight
    /// s + i.
    #[inline(always)]
    fn square<R: Ring>(z: &mut [R::Word], x: &[R::Word], n: &[R::Word], n0: R::Word, t: &mut [R::Word]) {
        let s = n.len();
        let t = &mut t[..s + 2];
        t.fill(R::Word::ZERO);
        for p in 0..s.div_ceil(2) {
            let mut c;
            (c, t[2 * p]) = R::add_square(t[2 * p], x[p]);
            for q in p + 1..s - p {
                (c, t[p + q]) = add_cross_product::<R>(t[p + q], doubled_digit::<R>(x, p, q), x[p], c);
            }
            add_to_top::<R>(t, s, c);
        }
        for i in 0..s {
            reduce_and_shift::<R>(t, n, n0);
            t[s + 1] = R::Word::ZERO;
            for q in (s + i) / 2 + 1..=s {
                let p = s + i - q;
                let c;
                (c, t[s - 1]) =
                    add_cross_product::<R>(t[s - 1], doubled_digit::<R>(x, p, q), x[p], R::Word::ZERO);
                add_to_top::<R>(t, s, c);
            }
            if (s + i) % 2 == 0 {
                let middle = x[(s + i) / 2];
                let c;
                (c, t[s - 1]) = R::add_square(t[s - 1], middle);
                add_to_top::<R>(t, s, c);
            }
        }
        R::finish(z, &t[..s], t[s], n);
    }
}

/// Digit q, p < q ≤ s, of 2·Σ_{j>p} xⱼ·Wʲ.
#[inline(always)]
fn doubled_digit<R: Ring>(x: &[R::Word], p: usize, q: usize) -> R::Word {
    let word = if q < x.len() { x[q] } else { R::Word::ZERO };
    let below = if q > p + 1 { x[q - 1] } else { R::Word::ZERO };
    R::twice(word, below)
}

/// Adds C to t\[s\], and the carry of this addition to t\[s+1\].
#[inline(always)]
fn add_to_top<R: Ring>(t: &mut [R::Word], s: usize, c: R::Word) {
    let (c, sum) = R::add(t[s], c);
    t[s] = sum;
    (_, t[s + 1]) = R::add(t[s + 1], c);
}
