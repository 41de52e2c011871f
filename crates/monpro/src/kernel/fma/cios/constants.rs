//! The constants that the kernel derives from n.

use super::super::arithmetic::LARGEST;
use super::super::{DIGIT_BITS, PADDING};
use crate::arch::x86_64::fma::{CELLS_BELOW, LANES, bits_of, integer_of};
use crate::division::exact::negative_inverse;
use crate::kernel::contract::Constants;
use alloc::vec;
use alloc::vec::Vec;
use zeroize::Zeroizing;

/// The constants beyond n0.
pub(super) struct Derived<'a> {
    /// n' = −n⁻¹ mod W^4, above `CELLS_BELOW` zeros.
    pub(super) n_prime: &'a [u64],
    /// n̂ = (n·n' + 1)/W^4, padded with zeros.
    pub(super) n_hat: &'a [u64],
}

impl<'a> Derived<'a> {
    #[inline(always)]
    pub(super) fn of(constants: &Constants<'a>) -> Self {
        let (n_prime, n_hat) = constants.derived.split_at(CELLS_BELOW + LANES);
        Derived { n_prime, n_hat }
    }
}

/// The cells of [`Derived`], one after the other.
pub(super) fn derive(constants: &Constants) -> Vec<u64> {
    let s = constants.s;
    // Of a modulus of fewer than 4 digits the others are 0.
    let mut n = Zeroizing::new(vec![0; s.max(LANES)]);
    for (i, digit) in n[..s].iter_mut().enumerate() {
        *digit = integer_of(constants.n[PADDING + i]) as u64;
    }
    let n_prime = negative_inverse::<DIGIT_BITS>(&n[..LANES]);
    let mut cells = vec![0; CELLS_BELOW + LANES + constants.n.len()];
    let (n_prime_cells, n_hat) = cells.split_at_mut(CELLS_BELOW + LANES);
    for (cell, &digit) in n_prime_cells[CELLS_BELOW..].iter_mut().zip(n_prime.iter()) {
        *cell = bits_of(digit as i64);
    }
    // A column sums at most 4 products below 2^100, and a carry.
    let mut carry = 1;
    for column in 0..s + LANES {
        let rows = column.saturating_sub(s - 1)..LANES.min(column + 1);
        let sum = rows.fold(carry, |sum, i| sum + u128::from(n_prime[i]) * u128::from(n[column - i]));
        carry = sum >> DIGIT_BITS;
        if column >= LANES {
            n_hat[PADDING + column - LANES] = bits_of(sum as i64 & LARGEST as i64);
        }
    }
    cells
}
