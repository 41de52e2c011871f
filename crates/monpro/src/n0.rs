//! n0 = −n⁻¹ mod W for the lowest word of n, by two algorithms over either ring.
//!
//! The text of the paper calls n0' "the inverse of the least significant word"; its formula and its methods
//! need the negative of that inverse.

use crate::ring::Ring;
use crate::word::Word;

/// −n⁻¹ mod W, one bit of the inverse at a time: w − 1 word products \[koc96, §4\], after Dussé and Kaliski.
///
/// The lowest coefficient of `n` must be 1. Before step i, n·y = 1 mod xⁱ; if coefficient i of n·y is 1, the
/// step adds xⁱ to y. Constant time: the coefficient is shifted into place, not tested.
pub fn dusse_kaliski<R: Ring>(n: R::Word) -> R::Word {
    let mut y = R::Word::ONE;
    for i in 1..R::Word::BITS {
        let coefficient = R::mul_low(n, y) >> i & R::Word::ONE;
        y = y | coefficient << i;
    }
    R::neg(y)
}

/// −n⁻¹ mod W by Newton–Hensel lifting, y ← y·(2 − n·y): 2·log₂ w word products.
///
/// The lowest coefficient of `n` must be 1. If n·y = 1 + ε·xⁱ, then n·y·(2 − n·y) = 1 − ε²·x²ⁱ: each step
/// doubles the number of right coefficients. Over GF(2), where 2 = 0 and −1 = 1, the step is y ← n·y².
pub fn newton_hensel<R: Ring>(n: R::Word) -> R::Word {
    let (_, two) = R::add(R::Word::ONE, R::Word::ONE);
    let mut y = R::Word::ONE;
    let mut right_bits = 1;
    while right_bits < R::Word::BITS {
        let (_, correction) = R::add(two, R::neg(R::mul_low(n, y)));
        y = R::mul_low(y, correction);
        right_bits *= 2;
    }
    R::neg(y)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ring::{BinaryPolynomials, Integers};

    fn both_invert<R: Ring>() {
        let minus_one = R::neg(R::Word::ONE);
        let mut n = R::Word::ONE;
        for step in 0..2000u64 {
            let n0 = newton_hensel::<R>(n);
            assert_eq!(n0, dusse_kaliski::<R>(n));
            assert_eq!(R::mul_low(n, n0), minus_one, "n = {n:?}");
            // Small odd words first, then words all over the range.
            let next = if step < 500 { 2 * step + 3 } else { step.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1 };
            n = R::Word::truncate(next);
        }
        assert_eq!(R::mul_low(!R::Word::ZERO, newton_hensel::<R>(!R::Word::ZERO)), minus_one);
    }

    #[test]
    fn both_algorithms_give_the_negative_inverse_in_both_rings_and_word_sizes() {
        both_invert::<Integers<u32>>();
        both_invert::<Integers<u64>>();
        both_invert::<BinaryPolynomials<u32>>();
        both_invert::<BinaryPolynomials<u64>>();
    }
}
