//! The constants that the kernel derives from n. A digit is a limb of 52 or 51 bits.

use super::PADDING;
use crate::arch::x86_64::ifma::LANES;
use crate::kernel::contract::Constants;
use alloc::vec;
use alloc::vec::Vec;
use zeroize::Zeroizing;

pub(super) const fn largest<const B: u32>() -> u64 {
    (1 << B) - 1
}

/// The constants beyond n0.
pub(super) struct Derived<'a> {
    /// n' = −n⁻¹ mod R, padded with zeros.
    pub(super) n_prime: &'a [u64],
    /// R − n.
    pub(super) complement: &'a [u64],
    /// The digits of n, the highest first, then zeros.
    pub(super) reversed: &'a [u64],
}

impl<'a> Derived<'a> {
    #[inline(always)]
    pub(super) fn of(constants: &Constants<'a>, s: usize) -> Self {
        let (n_prime, rest) = constants.derived.split_at(s + 2 * PADDING);
        let (complement, reversed) = rest.split_at(s);
        Derived { n_prime, complement, reversed: &reversed[..s + LANES] }
    }
}

/// The words of [`Derived`], one after the other.
pub(super) fn derive<const B: u32>(constants: &Constants) -> Vec<u64> {
    let s = constants.s;
    let n = &constants.n[PADDING..][..s];
    let mut words = vec![0; (s + 2 * PADDING) + s + (s + LANES)];
    let (n_prime, rest) = words.split_at_mut(s + 2 * PADDING);
    let (complement, reversed) = rest.split_at_mut(s);
    negative_inverse::<B>(&mut n_prime[PADDING..][..s], n, constants.n0);
    for i in 0..s {
        complement[i] = largest::<B>() - n[i];
        reversed[i] = n[s - 1 - i];
    }
    // n is odd, so digit 0 of largest − n is even, and adding 1 carries nothing.
    complement[0] += 1;
    words
}

/// m = −n⁻¹ mod R, digit by digit: the quotients of the word-level reduction of the number 1 \[koc96, §4\].
fn negative_inverse<const B: u32>(m: &mut [u64], n: &[u64], n0: u64) {
    let s = n.len();
    let mut t = Zeroizing::new(vec![0u64; s]);
    t[0] = 1;
    for digit in m {
        *digit = t[0].wrapping_mul(n0) & largest::<B>();
        let mut carry = 0;
        for j in 0..s {
            let sum = u128::from(*digit) * u128::from(n[j]) + u128::from(t[j] + carry);
            if j > 0 {
                t[j - 1] = sum as u64 & largest::<B>();
            }
            carry = (sum >> B) as u64;
        }
        t[s - 1] = carry;
    }
}
