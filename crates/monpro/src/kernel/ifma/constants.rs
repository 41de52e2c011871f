//! The constants that the kernel derives from n. A digit is a limb of 52 or 51 bits.

use super::{PADDING, is_split, split};
use crate::arch::InstructionSet;
use crate::arch::x86_64::ifma::{Ifma, LANES};
use crate::division::exact::negative_inverse;
use crate::kernel::contract::Constants;
use alloc::vec;
use alloc::vec::Vec;

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
    let inverse = match is_split::<B>(s) {
        true => split::negative_inverse(Ifma::in_use(), n),
        false => negative_inverse::<B>(n),
    };
    n_prime[PADDING..][..s].copy_from_slice(&inverse);
    for i in 0..s {
        complement[i] = largest::<B>() - n[i];
        reversed[i] = n[s - 1 - i];
    }
    // n is odd, so digit 0 of largest − n is even, and adding 1 carries nothing.
    complement[0] += 1;
    words
}
