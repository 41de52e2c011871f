//! −n⁻¹ mod W^k, where W^k is 2^(52·k), by Newton's method. A digit is a limb of 52 bits.

use super::product::{lower_half, multiply_low, work_of_low};
use crate::arch::x86_64::ifma::{DIGIT_BITS, Ifma};
use crate::division::exact;
use crate::kernel::ifma::constants::largest;
use alloc::vec;
use alloc::vec::Vec;
use zeroize::Zeroizing;

/// The most digits that are computed one after the other.
const MOST_IN_TURN: usize = 64;

/// −n⁻¹ mod W^k for the k digits of an odd n. The time depends on k alone.
///
/// If n·m = −1 mod W^h, then n·m = −1 + ε·W^h, and n·m·(1 + ε·W^h) = −1 + ε²·W^(2·h). So m + (m·ε)·W^h is right mod
/// W^(2·h). The lower h digits of n·m are all 2^52 − 1, so ε is the number of its upper digits, plus 1.
pub(in crate::kernel::ifma) fn negative_inverse(ifma: Ifma, n: &[u64]) -> Zeroizing<Vec<u64>> {
    let k = n.len();
    if k <= MOST_IN_TURN {
        return exact::negative_inverse::<DIGIT_BITS>(n);
    }
    let h = lower_half(k);
    let zeros = |length| Zeroizing::new(vec![0; length]);
    let (mut m, mut product, mut work) = (zeros(k), zeros(k), zeros(work_of_low(k)));
    m[..h].copy_from_slice(&negative_inverse(ifma, &n[..h]));
    multiply_low(ifma, &mut product, n, &m, &mut work);
    let epsilon = &mut product[h..];
    add_one(epsilon);
    let (low, high) = m.split_at_mut(h);
    multiply_low(ifma, high, &low[..k - h], epsilon, &mut work);
    m
}

/// z = z + 1 mod W^(len z).
fn add_one(z: &mut [u64]) {
    let mut carry = 1;
    for digit in z {
        let sum = *digit + carry;
        carry = sum >> DIGIT_BITS;
        *digit = sum & largest::<DIGIT_BITS>();
    }
}
