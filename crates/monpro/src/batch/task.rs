//! What a batch is asked for.

use crate::natural;

/// One exponentiation of a batch: xᵉ mod n, of little-endian slices of 64-bit words of any length.
#[derive(Clone, Copy)]
pub struct PowTask<'a> {
    /// x, which need not be below n.
    pub base: &'a [u64],
    /// e; its bit length is public, its value is not.
    pub exponent: &'a [u64],
    /// n ≥ 1, odd or even; its bit length is public.
    pub modulus: &'a [u64],
}

/// A task with a bound on its exponent that is public: e < 2^exponent_bits.
#[derive(Clone, Copy)]
pub(super) struct BoundedTask<'a> {
    pub(super) task: PowTask<'a>,
    pub(super) exponent_bits: usize,
}

impl<'a> From<PowTask<'a>> for BoundedTask<'a> {
    fn from(task: PowTask<'a>) -> Self {
        BoundedTask { task, exponent_bits: natural::bit_length(task.exponent) }
    }
}

impl BoundedTask<'_> {
    /// A measure of the time that the task takes: exponent times the square of the modulus, in words.
    pub(super) fn work(&self) -> usize {
        let words = natural::bit_length(self.task.modulus).div_ceil(64);
        words * words * self.exponent_bits.max(1)
    }
}
