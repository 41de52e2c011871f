//! The public half of a key.

use crate::error::Error;
use crate::hash::Hash;
use crate::number::{from_octets, is_below};
use alloc::vec::Vec;
use monpro::{Modulus, natural};
use zeroize::Zeroizing;

/// The least number of bits of a modulus; below 2048 bits nothing is protected today.
pub(crate) const LEAST_BITS: usize = 512;
/// The largest number of bits of a modulus; longer ones would serve only to keep a machine busy.
pub(crate) const MOST_BITS: usize = 16384;
const MOST_EXPONENT_BITS: usize = 256;

/// Shorter moduli protect nothing that matters today \[SP 800-131A, §3\].
const LEAST_SECURE_BITS: usize = 2048;

/// What a key may be used for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum KeyUse {
    /// Everything: the key's document says rsaEncryption, or there was none.
    #[default]
    Any,
    /// Signatures by PSS: the document says id-RSASSA-PSS.
    Pss,
    /// Signatures by PSS within limits.
    PssWithin(PssLimits),
}

/// To what the parameters of an id-RSASSA-PSS key bind its signatures \[RFC 4055, §3.3\].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PssLimits {
    /// The hash function.
    pub hash: Hash,
    /// The hash function of MGF1.
    pub mgf1_hash: Hash,
    /// The least octets of a salt.
    pub least_salt_octets: usize,
}

/// The modulus n and the public exponent e, and what the key may be used for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PublicKey {
    modulus: Modulus,
    exponent: Vec<u64>,
    usage: KeyUse,
}

impl PublicKey {
    /// The key of n and e, big-endian octets.
    ///
    /// # Errors
    /// [`Error::Modulus`] unless n is odd and of 512 to 16384 bits; [`Error::PublicExponent`] unless e is odd, at
    /// least 3, below n, and of at most 256 bits.
    pub fn new(n: &[u8], e: &[u8]) -> Result<PublicKey, Error> {
        let n = from_octets(n, MOST_BITS).ok_or(Error::Modulus)?;
        let e = from_octets(e, MOST_EXPONENT_BITS).ok_or(Error::PublicExponent)?;
        PublicKey::of_words(&n, &e)
    }

    pub(crate) fn of_words(n: &[u64], e: &[u64]) -> Result<PublicKey, Error> {
        if !(LEAST_BITS..=MOST_BITS).contains(&natural::bit_length(n)) {
            return Err(Error::Modulus);
        }
        let modulus = Modulus::new(n).map_err(|_| Error::Modulus)?;
        let exponent_bits = natural::bit_length(e);
        match e.first().is_some_and(|low| low & 1 == 1) && (2..=MOST_EXPONENT_BITS).contains(&exponent_bits) {
            true => Ok(PublicKey {
                modulus,
                exponent: e[..exponent_bits.div_ceil(64)].to_vec(),
                usage: KeyUse::Any,
            }),
            false => Err(Error::PublicExponent),
        }
    }

    /// n as a modulus.
    pub(crate) fn modulus(&self) -> &Modulus {
        &self.modulus
    }

    /// e in words.
    pub(crate) fn exponent(&self) -> &[u64] {
        &self.exponent
    }

    /// The length of n in bits.
    #[must_use]
    pub fn bits(&self) -> usize {
        self.modulus.bits()
    }

    /// Whether n has fewer than 2048 bits, which protect nothing that matters today. Such keys are for study and for old
    /// systems.
    #[must_use]
    pub fn is_short(&self) -> bool {
        self.bits() < LEAST_SECURE_BITS
    }

    /// What the key may be used for.
    #[must_use]
    pub fn key_use(&self) -> KeyUse {
        self.usage
    }

    /// The same key for this use.
    pub(crate) fn with_use(self, usage: KeyUse) -> PublicKey {
        PublicKey { usage, ..self }
    }

    /// The length of n in octets, which ciphertexts and signatures have too.
    #[must_use]
    pub fn octets(&self) -> usize {
        self.bits().div_ceil(8)
    }

    /// n, big-endian, in [`PublicKey::octets`] octets.
    #[must_use]
    pub fn n(&self) -> Vec<u8> {
        natural::to_be_bytes(self.modulus.number(), self.octets())
    }

    /// e, big-endian.
    #[must_use]
    pub fn e(&self) -> Vec<u8> {
        natural::to_be_bytes(&self.exponent, natural::bit_length(&self.exponent).div_ceil(8))
    }

    /// m^e mod n for a number m < n, big-endian; in [`PublicKey::octets`] octets. The time depends on e, not
    /// on m.
    ///
    /// # Errors
    /// [`Error::OutOfRange`].
    pub fn raw(&self, m: &[u8]) -> Result<Vec<u8>, Error> {
        let power = self.power(&Zeroizing::new(natural::from_be_bytes(m)))?;
        Ok(natural::to_be_bytes(&power, self.octets()))
    }

    pub(crate) fn power(&self, m: &[u64]) -> Result<Vec<u64>, Error> {
        match is_below(m, self.modulus.number()) {
            true => Ok(self.modulus.residue(m).pow_vartime(&self.exponent).to_number()),
            false => Err(Error::OutOfRange),
        }
    }
}
