//! GF(2)\[x\], with words of w coefficients.

use super::{Ring, RingName};
use crate::word::Word;
use core::marker::PhantomData;

/// The polynomials over GF(2), in words W: bit i of word j is the coefficient of x^(j·w + i).
///
/// The word product is portable and takes constant time: integer products of thinned operands.
pub struct BinaryPolynomials<W>(PhantomData<W>);

impl<W: Word> Ring for BinaryPolynomials<W> {
    type Word = W;
    const NAME: RingName = RingName::BinaryPolynomials;
    const CHARACTERISTIC_TWO: bool = true;

    #[inline(always)]
    fn mul_add(t: W, a: W, b: W, c: W) -> (W, W) {
        let (high, low) = a.carryless_mul(b);
        (high, low ^ t ^ c)
    }

    #[inline(always)]
    fn add(t: W, c: W) -> (W, W) {
        (W::ZERO, t ^ c)
    }

    #[inline(always)]
    fn mul_low(a: W, b: W) -> W {
        a.carryless_mul(b).1
    }

    #[inline(always)]
    fn neg(a: W) -> W {
        a
    }

    #[inline(always)]
    fn twice(_word: W, _below: W) -> W {
        W::ZERO
    }

    #[inline(always)]
    fn finish(z: &mut [W], u: &[W], _top: W, n: &[W]) {
        z.copy_from_slice(&u[..n.len()]);
    }

    fn mul_x(z: &mut [W], n: &[W], n_bits: usize, _t: &mut [W]) {
        let mut below = W::ZERO;
        for word in z.iter_mut() {
            let shifted = *word << 1 | below >> (W::BITS - 1);
            below = core::mem::replace(word, shifted);
        }
        // deg z ≤ deg n now; subtract n where the coefficient of x^(deg n) is set.
        let w = W::BITS as usize;
        let degree = n_bits - 1;
        let mask = W::mask(z[degree / w] >> (degree % w) as u32 & W::ONE);
        for i in 0..n.len() {
            z[i] = z[i] ^ (n[i] & mask);
        }
    }

    fn add_mod(z: &mut [W], a: &[W], b: &[W], n: &[W], _t: &mut [W]) {
        Self::sub_mod(z, a, b, n);
    }

    fn sub_mod(z: &mut [W], a: &[W], b: &[W], n: &[W]) {
        for i in 0..n.len() {
            z[i] = a[i] ^ b[i];
        }
    }

    fn is_reduced(a: &[W], n: &[W]) -> bool {
        let degree_bound = |words: &[W]| {
            let top = words.iter().rposition(|&word| word != W::ZERO);
            top.map_or(0, |i| i * W::BITS as usize + words[i].bit_length() as usize)
        };
        degree_bound(a) < degree_bound(n)
    }
}
