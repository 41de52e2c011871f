//! Signatures: PKCS#1 v1.5 and PSS \[RFC 8017, §8\].

use crate::error::Error;
use crate::hash::Hash;
use crate::private_key::PrivateKey;
use crate::public_key::PublicKey;
use alloc::vec;
use alloc::vec::Vec;
use monpro::natural;
use rand_core::CryptoRng;
use subtle::ConstantTimeEq;

/// How a hash becomes a number to sign.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SignatureScheme {
    /// RSASSA-PKCS1-v1_5: deterministic, and the scheme that most verifiers support.
    #[default]
    Pkcs1v15,
    /// RSASSA-PSS with MGF1 of the same hash function. Signatures are made with a salt as long as the hash;
    /// salts of any length are verified.
    Pss,
}

impl PrivateKey {
    /// The signature of a message, in as many octets as n has.
    ///
    /// # Errors
    /// [`Error::ModulusTooShort`], [`Error::Fault`].
    pub fn sign<R: CryptoRng + ?Sized>(
        &self,
        scheme: SignatureScheme,
        hash: Hash,
        message: &[u8],
        random: &mut R,
    ) -> Result<Vec<u8>, Error> {
        let digest = hash.digest(&[message]);
        let encoded = match scheme {
            SignatureScheme::Pkcs1v15 => pkcs1v15(hash, &digest, self.public_key().octets())?,
            SignatureScheme::Pss => {
                let mut salt = vec![0; hash.octets()];
                random.fill_bytes(&mut salt);
                pss(hash, &digest, &salt, self.public_key().bits() - 1)?
            }
        };
        Ok(self.raw(&encoded, random)?.to_vec())
    }
}

impl PublicKey {
    /// Whether this is a signature of the message.
    ///
    /// # Errors
    /// [`Error::BadSignature`] where it is not; [`Error::ModulusTooShort`].
    pub fn verify(
        &self,
        scheme: SignatureScheme,
        hash: Hash,
        message: &[u8],
        signature: &[u8],
    ) -> Result<(), Error> {
        if signature.len() != self.octets() {
            return Err(Error::BadSignature);
        }
        let encoded = self.power(&natural::from_be_bytes(signature)).map_err(|_| Error::BadSignature)?;
        let digest = hash.digest(&[message]);
        let is_good = match scheme {
            SignatureScheme::Pkcs1v15 => {
                let expected = pkcs1v15(hash, &digest, self.octets())?;
                natural::to_be_bytes(&encoded, self.octets()) == expected
            }
            SignatureScheme::Pss => pss_verifies(hash, &digest, &encoded, self.bits() - 1),
        };
        is_good.then_some(()).ok_or(Error::BadSignature)
    }
}

/// EMSA-PKCS1-v1_5: 0 1 255 … 255 0 and the DigestInfo \[RFC 8017, §9.2\].
fn pkcs1v15(hash: Hash, digest: &[u8], octets: usize) -> Result<Vec<u8>, Error> {
    let prefix = hash.digest_info_prefix();
    let information = prefix.len() + digest.len();
    if octets < information + 11 {
        return Err(Error::ModulusTooShort);
    }
    let mut encoded = vec![0xff; octets];
    (encoded[0], encoded[1], encoded[octets - information - 1]) = (0, 1, 0);
    encoded[octets - information..octets - digest.len()].copy_from_slice(&prefix);
    encoded[octets - digest.len()..].copy_from_slice(digest);
    Ok(encoded)
}

/// EMSA-PSS-ENCODE into at most `bits` bits \[RFC 8017, §9.1.1\].
fn pss(hash: Hash, digest: &[u8], salt: &[u8], bits: usize) -> Result<Vec<u8>, Error> {
    let octets = bits.div_ceil(8);
    if octets < digest.len() + salt.len() + 2 {
        return Err(Error::ModulusTooShort);
    }
    let h = hash.digest(&[&[0; 8], digest, salt]);
    let mut encoded = vec![0; octets];
    let (db, rest) = encoded.split_at_mut(octets - h.len() - 1);
    let padding = db.len() - salt.len() - 1;
    db[padding] = 1;
    db[padding + 1..].copy_from_slice(salt);
    hash.mask(db, &h);
    db[0] &= 0xff >> (8 * octets - bits);
    rest[..h.len()].copy_from_slice(&h);
    rest[h.len()] = 0xbc;
    Ok(encoded)
}

/// EMSA-PSS-VERIFY \[RFC 8017, §9.1.2\], for a salt of any length.
fn pss_verifies(hash: Hash, digest: &[u8], encoded: &[u64], bits: usize) -> bool {
    let octets = bits.div_ceil(8);
    if octets < digest.len() + 2 || natural::bit_length(encoded) > bits {
        return false;
    }
    let encoded = natural::to_be_bytes(encoded, octets);
    let (db, rest) = encoded.split_at(octets - digest.len() - 1);
    let (h, trailer) = rest.split_at(digest.len());
    let mut db = db.to_vec();
    hash.mask(&mut db, h);
    db[0] &= 0xff >> (8 * octets - bits);
    let Some(separator) = db.iter().position(|&octet| octet != 0) else {
        return false;
    };
    let expected = hash.digest(&[&[0; 8], digest, &db[separator + 1..]]);
    db[separator] == 1 && trailer == [0xbc] && bool::from(expected.ct_eq(h))
}
