//! The standard method over GF(2)\[x\], against which \[koc97, §6\] compares: the product, then its reduction modulo n
//! one coefficient at a time. R = 1.

use super::Divisor;
use super::scanning::{ScanningMethod, multiply};
use crate::ring::Ring;
use crate::word::Word;

pub(super) struct Method;

impl ScanningMethod for Method {
    const PAPER: &'static str = "koc97";
    const DIVISOR: Divisor = Divisor::One;

    fn temporary_words(s: usize) -> usize {
        3 * s + 1
    }

    #[inline(always)]
    fn product<R: Ring>(
        z: &mut [R::Word],
        x: &[R::Word],
        y: &[R::Word],
        n: &[R::Word],
        _n0: R::Word,
        t: &mut [R::Word],
    ) {
        let s = n.len();
        let (t, aligned) = t[..3 * s + 1].split_at_mut(2 * s);
        multiply::<R>(t, x, y);
        reduce(t, aligned, n);
        z.copy_from_slice(&t[..s]);
    }

    #[inline(always)]
    fn square<R: Ring>(z: &mut [R::Word], x: &[R::Word], n: &[R::Word], _n0: R::Word, t: &mut [R::Word]) {
        let s = n.len();
        let (t, aligned) = t[..3 * s + 1].split_at_mut(2 * s);
        for i in 0..s {
            (t[2 * i + 1], t[2 * i]) = R::add_square(R::Word::ZERO, x[i]);
        }
        reduce(t, aligned, n);
        z.copy_from_slice(&t[..s]);
    }
}

/// t = t mod n for t of 2s words, in place; the top word of n is not 0.
///
/// For each word from the top, n is aligned with it once, then moved right a bit at a time, and added where the
/// word has a coefficient that n's leading one meets; the addition is masked, so that the time is constant.
#[inline(always)]
fn reduce<W: Word>(t: &mut [W], aligned: &mut [W], n: &[W]) {
    let s = n.len();
    let leading = n[s - 1].bit_length() - 1;
    for p in (s - 1..2 * s).rev() {
        align(aligned, n, W::BITS - 1 - leading);
        // In word s − 1 the coefficients from n's degree up are to be cleared, and nothing is moved out of n.
        let lowest = if p == s - 1 { leading } else { 0 };
        for j in (lowest..W::BITS).rev() {
            let mask = W::mask(t[p] >> j & W::ONE);
            for i in 0..s {
                t[p - i] = t[p - i] ^ (aligned[s - i] & mask);
            }
            if p >= s {
                t[p - s] = t[p - s] ^ (aligned[0] & mask);
            }
            shift_right(aligned);
        }
    }
}

/// aligned = n·W·x^shift, in s + 1 words.
#[inline(always)]
fn align<W: Word>(aligned: &mut [W], n: &[W], shift: u32) {
    aligned[0] = W::ZERO;
    let mut below = W::ZERO;
    for (word, &n_word) in aligned[1..].iter_mut().zip(n) {
        // Two shifts, since a shift by w bits is none.
        *word = n_word << shift | below >> 1 >> (W::BITS - 1 - shift);
        below = n_word;
    }
}

/// aligned = ⌊aligned/x⌋.
#[inline(always)]
fn shift_right<W: Word>(aligned: &mut [W]) {
    let mut above = W::ZERO;
    for word in aligned.iter_mut().rev() {
        let moved = *word >> 1 | above << (W::BITS - 1);
        above = core::mem::replace(word, moved);
    }
}
