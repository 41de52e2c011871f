//! Encryption: OAEP and PKCS#1 v1.5 \[RFC 8017, §7\].

mod oaep;
mod pkcs1v15;

use crate::error::Error;
use crate::hash::Hash;
use crate::private_key::PrivateKey;
use crate::public_key::PublicKey;
use alloc::vec::Vec;
use monpro::natural;
use rand_core::CryptoRng;
use zeroize::Zeroizing;

/// How a message becomes a number to encrypt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EncryptionScheme {
    /// RSAES-OAEP with this hash function, MGF1 of the same, and the empty label.
    Oaep(Hash),
    /// RSAES-PKCS1-v1_5, for peers that know no better. A ciphertext that is not well formed decrypts to a message
    /// that the key and the ciphertext determine, so that nobody can tell; an attacker who could would decrypt others.
    Pkcs1v15,
}

impl Default for EncryptionScheme {
    fn default() -> Self {
        EncryptionScheme::Oaep(Hash::Sha256)
    }
}

impl PublicKey {
    /// A ciphertext of the message, in as many octets as n has.
    ///
    /// # Errors
    /// [`Error::MessageTooLong`].
    pub fn encrypt<R: CryptoRng + ?Sized>(
        &self,
        scheme: EncryptionScheme,
        message: &[u8],
        random: &mut R,
    ) -> Result<Vec<u8>, Error> {
        self.raw(&self.encode(scheme, message, random)?)
    }

    /// The number that a ciphertext of the message is a power of, for who computes the power elsewhere; in as many
    /// octets as n has. As secret as the message.
    ///
    /// # Errors
    /// [`Error::MessageTooLong`].
    pub fn encode<R: CryptoRng + ?Sized>(
        &self,
        scheme: EncryptionScheme,
        message: &[u8],
        random: &mut R,
    ) -> Result<Zeroizing<Vec<u8>>, Error> {
        match scheme {
            EncryptionScheme::Oaep(hash) => oaep::encode(hash, message, self.octets(), random),
            EncryptionScheme::Pkcs1v15 => pkcs1v15::encode(message, self.octets(), random),
        }
    }
}

impl PrivateKey {
    /// The message of a ciphertext.
    ///
    /// # Errors
    /// [`Error::Decryption`] where it is none, for PKCS#1 v1.5 only where it has the wrong length or is not below n;
    /// [`Error::Fault`].
    pub fn decrypt<R: CryptoRng + ?Sized>(
        &self,
        scheme: EncryptionScheme,
        ciphertext: &[u8],
        random: &mut R,
    ) -> Result<Zeroizing<Vec<u8>>, Error> {
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
        match scheme {
            EncryptionScheme::Oaep(hash) => oaep::decode(hash, &encoded),
            EncryptionScheme::Pkcs1v15 => {
                let [_, _, d, ..] = self.numbers();
                let d = Zeroizing::new(natural::to_be_bytes(&d, octets));
                Ok(pkcs1v15::decode(&encoded, &d, ciphertext))
            }
        }
    }
}
