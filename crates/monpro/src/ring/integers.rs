//! Z, with words of w bits.

use super::{Ring, RingName};
use crate::word::Word;
use core::marker::PhantomData;

/// The integers, in words W.
pub struct Integers<W>(PhantomData<W>);

impl<W: Word> Ring for Integers<W> {
    type Word = W;
    const NAME: RingName = RingName::Integers;
    const CHARACTERISTIC_TWO: bool = false;

    #[inline(always)]
    fn mul_add(t: W, a: W, b: W, c: W) -> (W, W) {
        t.mul_add(a, b, c)
    }

    #[inline(always)]
    fn add_square(t: W, a: W) -> (W, W) {
        t.mul_add(a, a, W::ZERO)
    }

    #[inline(always)]
    fn add(t: W, c: W) -> (W, W) {
        t.carrying_add(c, W::ZERO)
    }

    #[inline(always)]
    fn mul_low(a: W, b: W) -> W {
        a.wrapping_mul(b)
    }

    #[inline(always)]
    fn neg(a: W) -> W {
        a.wrapping_neg()
    }

    #[inline(always)]
    fn twice(word: W, below: W) -> W {
        word << 1 | below >> (W::BITS - 1)
    }

    #[inline(always)]
    fn finish(z: &mut [W], u: &[W], top: W, n: &[W]) {
        let borrow = subtract(z, u, n);
        // u < n exactly if the subtraction borrows and the top word is 0; top ≤ 1 because u < 2n.
        let keep = W::mask(borrow & (top ^ W::ONE));
        for i in 0..n.len() {
            z[i] = z[i] ^ (keep & (z[i] ^ u[i]));
        }
    }

    fn mul_x(z: &mut [W], n: &[W], _n_bits: usize, t: &mut [W]) {
        let s = n.len();
        let mut below = W::ZERO;
        for i in 0..s {
            t[i] = Self::twice(z[i], below);
            below = z[i];
        }
        Self::finish(z, &t[..s], below >> (W::BITS - 1), n);
    }

    fn add_mod(z: &mut [W], a: &[W], b: &[W], n: &[W], t: &mut [W]) {
        let s = n.len();
        let mut carry = W::ZERO;
        for i in 0..s {
            (carry, t[i]) = a[i].carrying_add(b[i], carry);
        }
        Self::finish(z, &t[..s], carry, n);
    }

    fn sub_mod(z: &mut [W], a: &[W], b: &[W], n: &[W]) {
        let mask = W::mask(subtract(z, a, b));
        let mut carry = W::ZERO;
        for i in 0..n.len() {
            (carry, z[i]) = z[i].carrying_add(n[i] & mask, carry);
        }
    }

    fn is_reduced(a: &[W], n: &[W], _n_bits: usize) -> bool {
        let mut borrow = W::ZERO;
        for i in 0..n.len() {
            (borrow, _) = a[i].borrowing_sub(n[i], borrow);
        }
        borrow == W::ONE
    }
}

/// z = a − b mod W^s; returns the borrow, 1 where a < b.
#[inline(always)]
fn subtract<W: Word>(z: &mut [W], a: &[W], b: &[W]) -> W {
    let mut borrow = W::ZERO;
    for i in 0..b.len() {
        (borrow, z[i]) = a[i].borrowing_sub(b[i], borrow);
    }
    borrow
}
