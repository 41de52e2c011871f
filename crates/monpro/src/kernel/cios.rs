//! Coarsely Integrated Operand Scanning \[koc96, §5\], with the shift integrated into the reduction.

use super::scanning::{ScanningMethod, add_square_row};
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
            for j in 0..s {
                (c, t[j]) = R::mul_add(t[j], x[j], y[i], c);
            }
            (c, t[s]) = R::add(t[s], c);
            t[s + 1] = c;
            reduce_and_shift::<R>(t, n, n0);
        }
        R::finish(z, &t[..s], t[s], n);
    }

    /// Step i adds row i of the square, where the product adds x·yᵢ. All terms of weight Wⁱ come from rows up to i/2,
    /// so the word to be reduced is complete. Rows are at most doubled, so between rows t < 3R and t\[s\] ≤ 2.
    #[inline(always)]
    fn square<R: Ring>(z: &mut [R::Word], x: &[R::Word], n: &[R::Word], n0: R::Word, t: &mut [R::Word]) {
        let s = n.len();
        let t = &mut t[..s + 2];
        t.fill(R::Word::ZERO);
        for i in 0..s {
            t[s + 1] = add_square_row::<R>(&mut t[i..=s], x, i);
            reduce_and_shift::<R>(t, n, n0);
        }
        R::finish(z, &t[..s], t[s], n);
    }
}

/// t = (t + m·n)/W with m = t\[0\]·n0 mod W, for t of s + 2 words of which the result fills s + 1.
#[inline(always)]
pub(super) fn reduce_and_shift<R: Ring>(t: &mut [R::Word], n: &[R::Word], n0: R::Word) {
    let s = n.len();
    let m = R::mul_low(t[0], n0);
    let (mut c, _) = R::mul_add(t[0], m, n[0], R::Word::ZERO);
    for j in 1..s {
        (c, t[j - 1]) = R::mul_add(t[j], m, n[j], c);
    }
    (c, t[s - 1]) = R::add(t[s], c);
    (_, t[s]) = R::add(t[s + 1], c);
}
