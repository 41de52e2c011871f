//! n0 = −n⁻¹ mod W for the lowest word of n, by two algorithms over either ring.
//!
//! The text of the paper calls n0' "the inverse of the least significant word"; its formula and its methods
//! need the negative of that inverse.

use crate::ring::Ring;
use crate::word::Word;
#[cfg(target_arch = "x86_64")]
use crate::{natural, product::add_two_rows, ring::Integers};
#[cfg(target_arch = "x86_64")]
use alloc::{vec, vec::Vec};
#[cfg(target_arch = "x86_64")]
use zeroize::Zeroizing;

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

/// W⁻¹ mod n for an odd n of S words, where n0 = −n⁻¹ mod W: (n0·n + 1)/W, which is below n, since n0 is below W.
#[inline]
pub(crate) fn inverse_of_w<const S: usize>(n: &[u64; S], n0: u64) -> [u64; S] {
    let mut v = [0; S];
    let (mut carry, _) = u64::mul_add(1, n0, n[0], 0);
    for i in 1..S {
        (carry, v[i - 1]) = u64::mul_add(0, n0, n[i], carry);
    }
    v[S - 1] = carry;
    v
}

/// −n⁻¹ mod 2^(B·s) for an odd n; both have s digits of B bits. The time depends on s alone.
///
/// The quotients of the word-level reduction of the number 1 \[koc96, §4\], two words of 64 bits at a time: q with
/// 1 + q·n = 0. They are computed in whole words, of which there are fewer than digits, and of each product only the
/// columns that count.
#[cfg(target_arch = "x86_64")]
pub(crate) fn negative_inverse<const B: u32>(n: &[u64]) -> Zeroizing<Vec<u64>> {
    let words = (n.len() * B as usize).div_ceil(64).next_multiple_of(2);
    let number = Zeroizing::new(natural::from_digits::<B>(n.iter().copied(), words));
    let n0 = newton_hensel::<Integers<u64>>(number[0]);
    let [mut q, mut t] = [(); 2].map(|()| Zeroizing::new(vec![0u64; words]));
    t[0] = 1;
    for (q, i) in q.chunks_exact_mut(2).zip((0..words).step_by(2)) {
        let t = &mut t[i..];
        q[0] = t[0].wrapping_mul(n0);
        let (carry, _) = u64::mul_add(t[0], q[0], number[0], 0);
        let (_, next) = u64::mul_add(t[1], q[0], number[1], carry);
        q[1] = next.wrapping_mul(n0);
        add_two_rows(t, [q[0], q[1]], &number, 0, 0);
    }
    Zeroizing::new((0..n.len()).map(|j| natural::bits_at(&q, j * B as usize, B)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ring::{BinaryPolynomials, Integers};
    #[cfg(target_arch = "x86_64")]
    use num_bigint::BigUint;

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

    /// Digits of the widths of the kernels, all ones and without a pattern, odd and even numbers of words.
    #[cfg(target_arch = "x86_64")]
    #[test]
    fn the_negative_inverse_of_digits_times_the_number_is_minus_one() {
        fn check<const B: u32>() {
            let number = |digits: &[u64]| {
                let number =
                    |sum: BigUint, &digit: &u64| (sum << B) + BigUint::from(digit & (u64::MAX >> (64 - B)));
                digits.iter().rev().fold(BigUint::ZERO, number)
            };
            for s in 1..=70u64 {
                let ones = (0..s).map(|_| u64::MAX >> (64 - B)).collect();
                let any =
                    (0..s).map(|i| ((i + s).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - B)) | 1).collect();
                let n: [Vec<u64>; 2] = [ones, any];
                for n in n {
                    let m = negative_inverse::<B>(&n);
                    assert!(m.len() == n.len() && m.iter().all(|digit| digit >> B == 0));
                    let sum = number(&n) * number(&m) + 1u32;
                    assert_eq!(
                        sum % (BigUint::from(1u32) << (s * u64::from(B))),
                        BigUint::ZERO,
                        "{s} digits of {B} bits"
                    );
                }
            }
        }
        check::<50>();
        check::<51>();
        check::<52>();
    }
}
