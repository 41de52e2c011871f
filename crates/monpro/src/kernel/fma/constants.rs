//! The constants that the kernel derives from n.

use super::PADDING;
use crate::arch::x86_64::fma::{LANES, bits_of, integer_of};
use crate::division::exact::negative_inverse;
use crate::kernel::contract::Constants;
use alloc::vec;
use alloc::vec::Vec;
use zeroize::Zeroizing;

/// The constants beyond n0.
pub(super) struct Derived<'a> {
    /// n' = −n⁻¹ mod R, padded with zeros.
    pub(super) n_prime: &'a [u64],
    /// The digits of n, the highest first, then zeros.
    pub(super) reversed: &'a [u64],
}

impl<'a> Derived<'a> {
    #[inline(always)]
    pub(super) fn of(constants: &Constants<'a>) -> Self {
        let (n_prime, reversed) = constants.derived.split_at(constants.s + 2 * PADDING);
        Derived { n_prime, reversed: &reversed[..constants.s + LANES] }
    }
}

/// The cells of [`Derived`], one after the other.
pub(super) fn derive(constants: &Constants) -> Vec<u64> {
    let s = constants.s;
    let n = &constants.n[PADDING..][..s];
    let mut cells = vec![0; (s + 2 * PADDING) + (s + LANES)];
    let (n_prime, reversed) = cells.split_at_mut(s + 2 * PADDING);
    let integers: Zeroizing<Vec<u64>> =
        Zeroizing::new(n.iter().map(|&digit| integer_of(digit) as u64).collect());
    let inverse = negative_inverse::<{ super::DIGIT_BITS }>(&integers);
    for i in 0..s {
        n_prime[PADDING + i] = bits_of(inverse[i] as i64);
        reversed[i] = n[s - 1 - i];
    }
    cells
}
