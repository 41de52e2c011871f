//! Encryption: OAEP and PKCS#1 v1.5 \[RFC 8017, §7\], and what TLS makes of the latter.

mod oaep;
mod pkcs1v15;
mod premaster;

use crate::error::Error;
use crate::hash::Hash;
use crate::private_key::PrivateKey;
use crate::public_key::PublicKey;
use alloc::vec::Vec;
use monpro::natural;
pub use premaster::premaster_secret;
use rand_core::CryptoRng;
use zeroize::Zeroizing;

/// How a message becomes a number to encrypt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EncryptionScheme<'a> {
    /// RSAES-OAEP.
    Oaep(Oaep<'a>),
    /// RSAES-PKCS1-v1_5, for peers that support nothing better. A malformed ciphertext decrypts to a message
    /// that the key and the ciphertext determine. An attacker cannot recognise such a message; one who could
    /// would be able to decrypt other ciphertexts.
    Pkcs1v15,
}

impl Default for EncryptionScheme<'_> {
    fn default() -> Self {
        EncryptionScheme::Oaep(Oaep::default())
    }
}

/// The parameters of RSAES-OAEP. The default is SHA-256, also for MGF1, and the empty label.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Oaep<'a> {
    /// The hash function of the label, whose length the random seed has.
    pub hash: Hash,
    /// The hash function of MGF1; `None` stands for `hash`.
    pub mgf1_hash: Option<Hash>,
    /// What the ciphertext is bound to: it decrypts with this label only.
    pub label: &'a [u8],
}

impl PublicKey {
    /// A ciphertext of the message, in as many octets as n has.
    ///
    /// # Errors
    /// [`Error::MessageTooLong`]; [`Error::PssOnly`] for a key that is for signatures.
    pub fn encrypt<R: CryptoRng + ?Sized>(
        &self,
        scheme: EncryptionScheme<'_>,
        message: &[u8],
        random: &mut R,
    ) -> Result<Vec<u8>, Error> {
        self.raw(&self.encode(scheme, message, random)?)
    }

    /// The padded message as an integer, for callers that exponentiate elsewhere (hardware); in as many
    /// octets as n has. It is as secret as the message.
    ///
    /// # Errors
    /// [`Error::MessageTooLong`]; [`Error::PssOnly`] for a key that is for signatures.
    pub fn encode<R: CryptoRng + ?Sized>(
        &self,
        scheme: EncryptionScheme<'_>,
        message: &[u8],
        random: &mut R,
    ) -> Result<Zeroizing<Vec<u8>>, Error> {
        self.check_encrypts()?;
        match scheme {
            EncryptionScheme::Oaep(oaep) => oaep.encode(message, self.octets(), random),
            EncryptionScheme::Pkcs1v15 => pkcs1v15::encode(message, self.octets(), random),
        }
    }
}

impl PrivateKey {
    /// The message of a ciphertext.
    ///
    /// # Errors
    /// [`Error::Decryption`] if it is not a ciphertext of this key and scheme, for PKCS#1 v1.5 only if it has
    /// the wrong length or is not below n; [`Error::PssOnly`] for a key that is for signatures; [`Error::Fault`].
    pub fn decrypt<R: CryptoRng + ?Sized>(
        &self,
        scheme: EncryptionScheme<'_>,
        ciphertext: &[u8],
        random: &mut R,
    ) -> Result<Zeroizing<Vec<u8>>, Error> {
        self.public_key().check_encrypts()?;
        let octets = self.public_key().octets();
        if ciphertext.len() != octets {
            return Err(Error::Decryption);
        }
        let power = self.power(&natural::from_be_bytes(ciphertext), random);
        let power = power.map_err(|error| match error {
            Error::OutOfRange => Error::Decryption,
            other => other,
        })?;
        let encoded = Zeroizing::new(natural::to_be_bytes(&power, octets));
        self.decode(scheme, &encoded, ciphertext)
    }

    /// The message of a ciphertext from the ciphertext's private power, both in as many octets as n has, for callers that
    /// exponentiate elsewhere or several at once. The power is as secret as the message.
    ///
    /// # Errors
    /// [`Error::Decryption`] if it is not an encoding of this scheme, or if one of the two has another length;
    /// [`Error::PssOnly`] for a key that is for signatures.
    pub fn decode(
        &self,
        scheme: EncryptionScheme<'_>,
        encoded: &[u8],
        ciphertext: &[u8],
    ) -> Result<Zeroizing<Vec<u8>>, Error> {
        self.public_key().check_encrypts()?;
        let octets = self.public_key().octets();
        if encoded.len() != octets || ciphertext.len() != octets {
            return Err(Error::Decryption);
        }
        match scheme {
            EncryptionScheme::Oaep(oaep) => oaep.decode(encoded),
            EncryptionScheme::Pkcs1v15 => {
                let [_, _, d, ..] = self.numbers();
                let d = Zeroizing::new(natural::to_be_bytes(&d, octets));
                Ok(pkcs1v15::decode(encoded, &d, ciphertext))
            }
        }
    }
}
