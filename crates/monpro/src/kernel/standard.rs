//! The standard method over GF(2)\[x\], the baseline of \[koc97, §6\]: the product, then its reduction modulo n one
//! coefficient at a time. R = 1.
//!
//! [`Branching`] adds n only for the coefficients that are 1, as the paper's program does. Its time depends on the
//! operands.
//!
//! Today's compilers turn its loops over words into vector instructions, which the paper did not foresee. So there
//! are two versions of the baseline in constant time: [`Method`] is kept scalar, [`OnVectors`] is compiled for wide vectors.

use super::contract::Divisor;
use super::scanning::{ScanningMethod, multiply};
use crate::ring::Ring;
use crate::word::Word;
use core::sync::atomic::{Ordering, compiler_fence};

/// One word at a time.
pub(super) type Method = Standard<true, false>;
/// One word at a time, with a branch on every coefficient.
pub(super) type Branching = Standard<true, true>;
/// The compiler may take several words at once.
#[cfg(target_arch = "x86_64")]
pub(super) type OnVectors = Standard<false, false>;

pub(super) struct Standard<const SCALAR: bool, const BRANCHES: bool>;

impl<const SCALAR: bool, const BRANCHES: bool> ScanningMethod for Standard<SCALAR, BRANCHES> {
    const PAPER: &'static str = "koc97";
    const DIVISOR: Divisor = Divisor::One;

    fn temporary_words(s: usize) -> usize {
        3 * s + 2
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
        let (t, bordered) = t[..3 * s + 2].split_at_mut(2 * s);
        multiply::<R>(t, x, y);
        reduce::<R::Word, SCALAR, BRANCHES>(t, bordered, n);
        z.copy_from_slice(&t[..s]);
    }

    #[inline(always)]
    fn square<R: Ring>(z: &mut [R::Word], x: &[R::Word], n: &[R::Word], _n0: R::Word, t: &mut [R::Word]) {
        let s = n.len();
        let (t, bordered) = t[..3 * s + 2].split_at_mut(2 * s);
        for i in 0..s {
            (t[2 * i + 1], t[2 * i]) = R::add_square(R::Word::ZERO, x[i]);
            end_of_word::<SCALAR>();
        }
        reduce::<R::Word, SCALAR, BRANCHES>(t, bordered, n);
        z.copy_from_slice(&t[..s]);
    }
}

/// t = t mod n for t of 2s words, in place; the top word of n is not 0. `bordered` holds s + 2 words.
///
/// For each coefficient of t from the top, n is shifted so that its leading 1 meets this coefficient, and added if
/// the coefficient is 1. The addition is masked, so the time is constant, unless the method branches. The paper shifts n on by one bit each time.
/// Here n is always shifted from its original position, with as many operations: two shifts and an "or" a word. So no
/// shifted n is stored, which makes the scalar form nearly twice as fast, and the vector form up to four times.
#[inline(always)]
fn reduce<W: Word, const SCALAR: bool, const BRANCHES: bool>(t: &mut [W], bordered: &mut [W], n: &[W]) {
    let s = n.len();
    bordered[0] = W::ZERO;
    bordered[1..=s].copy_from_slice(n);
    bordered[s + 1] = W::ZERO;
    let leading = n[s - 1].bit_length() - 1;
    for p in (s - 1..2 * s).rev() {
        // In word s − 1 only the coefficients from n's degree up are cleared.
        let lowest = if p == s - 1 { leading } else { 0 };
        for j in (lowest..W::BITS).rev() {
            let mask = W::mask(t[p] >> j & W::ONE);
            if BRANCHES && mask == W::ZERO {
                continue;
            }
            if j >= leading {
                add_moved::<W, SCALAR>(&mut t[p + 1 - s..=p], &bordered[..=s], j - leading, mask);
            } else {
                add_moved::<W, SCALAR>(&mut t[p - s..=p], bordered, W::BITS - (leading - j), mask);
            }
        }
    }
}

/// t = t + ⌊n·x^shift/W⌋ where the mask is W − 1, with n a word longer than t and shift < w.
#[inline(always)]
fn add_moved<W: Word, const SCALAR: bool>(t: &mut [W], n: &[W], shift: u32, mask: W) {
    for (t, n) in t.iter_mut().zip(n.windows(2)) {
        // Two shifts, since a single shift by w bits is not allowed.
        let moved = n[1] << shift | n[0] >> 1 >> (W::BITS - 1 - shift);
        *t = *t ^ (moved & mask);
        end_of_word::<SCALAR>();
    }
}

/// In the scalar method, keeps the compiler from merging the stores before and after; emits no instruction.
#[inline(always)]
fn end_of_word<const SCALAR: bool>() {
    if SCALAR {
        compiler_fence(Ordering::SeqCst);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;
    use alloc::vec::Vec;
    use num_bigint::BigUint;

    fn number<W: Word>(words: &[W]) -> BigUint {
        words.iter().rev().fold(BigUint::ZERO, |number, word| number << W::BITS | BigUint::from(word.widen()))
    }

    /// t mod n by the definition: as long as the degree of t is not below that of n, n is moved there and added.
    fn remainder(mut t: BigUint, n: &BigUint) -> BigUint {
        while t.bits() >= n.bits() {
            t ^= n << (t.bits() - n.bits());
        }
        t
    }

    /// Moduli of every degree of 1 to 3 words, sparse and not, and t with all coefficients and with some.
    fn assert_remainders<W: Word, const SCALAR: bool, const BRANCHES: bool>() {
        let some = |i: usize| {
            W::truncate((i as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (u64::BITS - W::BITS))
        };
        let all = |_: usize| !W::ZERO;
        let none = |_: usize| W::ZERO;
        let fills: [&dyn Fn(usize) -> W; 3] = [&some, &all, &none];
        for (s, leading) in (1..=3).flat_map(|s| (0..W::BITS).map(move |leading| (s, leading))) {
            for (fill, fill_of_t) in fills.iter().flat_map(|n| fills[..2].iter().map(move |t| (n, t))) {
                let mut n: Vec<W> = (0..s).map(fill).collect();
                let one = W::ONE << leading;
                n[s - 1] = n[s - 1] >> 1 >> (W::BITS - 1 - leading) | one;
                n[0] = n[0] | W::ONE;
                let mut t: Vec<W> = (s..3 * s).map(fill_of_t).collect();
                let expected = remainder(number(&t), &number(&n));
                // Scratch may be anything before.
                reduce::<W, SCALAR, BRANCHES>(&mut t, &mut vec![!W::ZERO; s + 2], &n);
                assert_eq!(number(&t), expected, "{s} words of {} bits, top degree {leading}", W::BITS);
            }
        }
    }

    #[test]
    fn remainders_are_those_of_the_definition_for_every_degree() {
        assert_remainders::<u8, true, false>();
        assert_remainders::<u16, false, false>();
        assert_remainders::<u32, true, true>();
        assert_remainders::<u64, true, false>();
        assert_remainders::<u64, false, true>();
    }
}
