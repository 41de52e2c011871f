//! GF(2)\[x\], with words of w coefficients.

use super::mulgf2::{Mulgf2, Thinned, spread};
use super::{Ring, RingName};
use crate::word::Word;
use core::marker::PhantomData;

/// The polynomials over GF(2), in words W: bit i of word j is the coefficient of x^(j·w + i). M multiplies words.
pub struct BinaryPolynomials<W, M = Thinned>(PhantomData<(W, M)>);

impl<W: Word, M: Mulgf2<W>> Ring for BinaryPolynomials<W, M> {
    type Word = W;
    const NAME: RingName = RingName::BinaryPolynomials;
    const CHARACTERISTIC_TWO: bool = true;

    #[inline(always)]
    fn mul_add(t: W, a: W, b: W, c: W) -> (W, W) {
        let (high, low) = M::mulgf2(a, b);
        (high, low ^ t ^ c)
    }

    #[inline(always)]
    fn add_square(t: W, a: W) -> (W, W) {
        let (high, low) = spread(a);
        (high, low ^ t)
    }

    #[inline(always)]
    fn add(t: W, c: W) -> (W, W) {
        (W::ZERO, t ^ c)
    }

    #[inline(always)]
    fn mul_low(a: W, b: W) -> W {
        M::mulgf2(a, b).1
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
        // Now deg z ≤ deg n: subtract n if the coefficient of x^(deg n) is 1. If deg n = w·s, the shift moved
        // it out of z.
        let (w, degree) = (W::BITS as usize, n_bits - 1);
        let leading = match z.get(degree / w) {
            Some(&word) => word >> (degree % w) as u32 & W::ONE,
            None => below >> (W::BITS - 1),
        };
        let mask = W::mask(leading);
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

    fn is_reduced(a: &[W], _n: &[W], n_bits: usize) -> bool {
        let top = a.iter().rposition(|&word| word != W::ZERO);
        top.is_none_or(|i| i * W::BITS as usize + (a[i].bit_length() as usize) < n_bits)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    type Bytes = BinaryPolynomials<u8>;

    #[test]
    fn words_are_added_without_carries() {
        for (a, b) in (0..=255).flat_map(|a| [0, 1, 0x80, 0xa5, 0xff].map(|b| (a, b))) {
            assert_eq!(Bytes::add(a, b), (0, a ^ b));
            assert_eq!(Bytes::neg(a), a);
            assert_eq!(Bytes::twice(a, b), 0);
        }
    }

    #[test]
    fn polynomials_of_a_lower_degree_are_reduced() {
        for n_bits in 1..=17 {
            for a in (0..16).flat_map(|i| [0, 1 << i, 1 << i | 1, (1 << i) - 1, 0xffff >> i]) {
                let is_reduced = Bytes::is_reduced(&u16::to_le_bytes(a), &[], n_bits);
                assert_eq!(is_reduced, u32::from(a) < 1 << (n_bits - 1), "{a:#b} modulo {n_bits} bits");
            }
        }
    }
}
