//! The tasks of a batch.

use super::cost::Lengths;
use crate::error::Error;
use crate::natural;
use crate::power::MAX_EXPONENT_BITS;

/// One exponentiation of a batch: xᵉ mod n, of little-endian slices of 64-bit words of any length.
///
/// The values are secret. Public are the number of words of x, the bound on the bits of e, the bit length of n, and the
/// largest k for which 2^k divides n.
#[derive(Clone, Copy)]
pub struct PowTask<'a> {
    base: &'a [u64],
    exponent: &'a [u64],
    modulus: &'a [u64],
    exponent_bits: usize,
    modulus_bits: usize,
}

impl<'a> PowTask<'a> {
    /// xᵉ mod n, with the bit length of e as its public bound.
    #[must_use]
    pub fn new(base: &'a [u64], exponent: &'a [u64], modulus: &'a [u64]) -> PowTask<'a> {
        PowTask::of_lengths(base, exponent, modulus, natural::bit_length(exponent))
    }

    /// xᵉ mod n for e < 2^exponent_bits. This bound is public; the bit length of e is secret.
    ///
    /// # Errors
    /// [`Error::ExponentBound`] if e is not below the bound; that this is so becomes public.
    /// [`Error::ExponentBoundTooLarge`] for a bound above [`MAX_EXPONENT_BITS`] and above the words of e.
    pub fn bounded(
        base: &'a [u64],
        exponent: &'a [u64],
        modulus: &'a [u64],
        exponent_bits: usize,
    ) -> Result<PowTask<'a>, Error> {
        if exponent_bits > MAX_EXPONENT_BITS.max(64 * exponent.len()) {
            return Err(Error::ExponentBoundTooLarge { bits: exponent_bits });
        }
        match natural::is_below_power_of_two(exponent, exponent_bits) {
            true => Ok(PowTask::of_lengths(base, exponent, modulus, exponent_bits)),
            false => Err(Error::ExponentBound { bits: exponent_bits }),
        }
    }

    /// The same for a bound that is known to hold, of any size.
    pub(super) fn of_lengths(
        base: &'a [u64],
        exponent: &'a [u64],
        modulus: &'a [u64],
        exponent_bits: usize,
    ) -> Self {
        let modulus_bits = natural::bit_length(modulus);
        PowTask {
            base,
            exponent,
            modulus: &modulus[..modulus_bits.div_ceil(64)],
            exponent_bits,
            modulus_bits,
        }
    }

    /// x, which need not be below n.
    #[must_use]
    pub fn base(&self) -> &'a [u64] {
        self.base
    }

    /// e, whose value is secret.
    #[must_use]
    pub fn exponent(&self) -> &'a [u64] {
        self.exponent
    }

    /// n, odd or even, without leading words of 0.
    #[must_use]
    pub fn modulus(&self) -> &'a [u64] {
        self.modulus
    }

    /// The public bound: e < 2^exponent_bits.
    #[must_use]
    pub fn exponent_bits(&self) -> usize {
        self.exponent_bits
    }

    /// The bit length of n, which is public.
    #[must_use]
    pub fn modulus_bits(&self) -> usize {
        self.modulus_bits
    }

    /// Whether n is odd, which is public.
    #[must_use]
    pub fn is_odd(&self) -> bool {
        self.modulus.first().is_some_and(|low| low & 1 == 1)
    }

    /// The number of words of the power, ⌈bits of n/64⌉.
    #[must_use]
    pub fn power_words(&self) -> usize {
        self.modulus_bits.div_ceil(64)
    }

    /// The lengths that determine the time of the task.
    pub(super) fn lengths(&self) -> Lengths {
        Lengths {
            words: self.power_words(),
            least_words: self.power_words(),
            exponent_bits: self.exponent_bits,
            operand_words: self.base.len(),
        }
    }
}
