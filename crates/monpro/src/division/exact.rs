//! Exact divisions modulo a power of 2, in time that depends on the lengths alone.

use crate::n0::newton_hensel;
#[cfg(target_arch = "x86_64")]
use crate::natural;
use crate::product::add_row;
#[cfg(target_arch = "x86_64")]
use crate::product::add_two_rows;
use crate::ring::Integers;
use crate::word::Word;
#[cfg(target_arch = "x86_64")]
use alloc::{vec, vec::Vec};
#[cfg(target_arch = "x86_64")]
use zeroize::Zeroizing;

/// z = z·m⁻¹ mod W^(len z) for odd m, from the lowest word up: the q with z + q·m = 0 is −z·m⁻¹.
pub(crate) fn divide_exactly(z: &mut [u64], m: &[u64]) {
    let n0 = newton_hensel::<Integers<u64>>(m[0]);
    for i in 0..z.len() {
        let q = z[i].wrapping_mul(n0);
        let rest = &mut z[i..];
        let (low, high) = rest.split_at_mut(m.len().min(rest.len()));
        let mut carry = add_row(low, q, m);
        for word in high {
            (carry, *word) = Word::carrying_add(*word, carry, 0);
        }
        z[i] = q;
    }
    let mut borrow = 0;
    for word in z {
        (borrow, *word) = Word::borrowing_sub(0, *word, borrow);
    }
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

// As one attribute with `all`, cargo-mutants would take the tests for code.
#[cfg(test)]
#[cfg(target_arch = "x86_64")]
mod tests {
    use super::*;
    use num_bigint::BigUint;

    /// Digits of the widths of the kernels, all ones and without a pattern, odd and even numbers of words.
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
