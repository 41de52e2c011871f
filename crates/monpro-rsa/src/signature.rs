//! Signatures: PKCS#1 v1.5 and PSS \[RFC 8017, §8\].

use crate::error::Error;
use crate::hash::Hash;
use crate::private_key::PrivateKey;
use crate::public_key::{KeyUse, PublicKey};
use alloc::vec;
use alloc::vec::Vec;
use monpro::natural;
use rand_core::CryptoRng;

/// How a hash becomes a number to sign.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SignatureScheme {
    /// RSASSA-PKCS1-v1_5: deterministic, and the scheme that most verifiers support.
    #[default]
    Pkcs1v15,
    /// RSASSA-PSS.
    Pss(Pss),
}

/// The parameters of RSASSA-PSS. The default is a salt as long as the hash, and MGF1 with the same hash
/// function.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pss {
    /// The length of the salt.
    pub salt_length: SaltLength,
    /// The hash function of MGF1; `None` stands for that of the message.
    pub mgf1_hash: Option<Hash>,
}

/// The length of the salt of RSASSA-PSS. FIPS 186-5, §5.4, allows at most that of the hash.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SaltLength {
    /// As long as the hash.
    #[default]
    Hash,
    /// Exactly this number of octets.
    Octets(usize),
    /// Any length is verified; signatures are made with a salt as long as the hash.
    Any,
}

impl SaltLength {
    /// The one length that is verified, in octets; `None` for any.
    fn required(self, hash: Hash) -> Option<usize> {
        match self {
            SaltLength::Hash => Some(hash.octets()),
            SaltLength::Octets(octets) => Some(octets),
            SaltLength::Any => None,
        }
    }
}

impl PrivateKey {
    /// The signature of a message, in as many octets as n has.
    ///
    /// # Errors
    /// [`Error::WeakHash`] for SHA-1; [`Error::ModulusTooShort`]; [`Error::PssOnly`], [`Error::PssLimits`];
    /// [`Error::Fault`].
    pub fn sign<R: CryptoRng + ?Sized>(
        &self,
        scheme: SignatureScheme,
        hash: Hash,
        message: &[u8],
        random: &mut R,
    ) -> Result<Vec<u8>, Error> {
        self.sign_prehashed(scheme, hash, &hash.digest(&[message]), random)
    }

    /// The signature of the message with this hash, for messages that are hashed piece by piece.
    ///
    /// # Errors
    /// Those of [`PrivateKey::sign`]; [`Error::HashLength`].
    pub fn sign_prehashed<R: CryptoRng + ?Sized>(
        &self,
        scheme: SignatureScheme,
        hash: Hash,
        digest: &[u8],
        random: &mut R,
    ) -> Result<Vec<u8>, Error> {
        let encoded = self.public_key().encode_prehashed(scheme, hash, digest, random)?;
        Ok(self.raw(&encoded, random)?.to_vec())
    }
}

impl PublicKey {
    /// The number whose private power is a signature of the message with this hash, for callers that exponentiate
    /// elsewhere or several at once; in as many octets as n has, or one less for PSS if n has one bit more than octets.
    ///
    /// # Errors
    /// [`Error::WeakHash`] for SHA-1; [`Error::HashLength`]; [`Error::ModulusTooShort`]; [`Error::PssOnly`],
    /// [`Error::PssLimits`].
    pub fn encode_prehashed<R: CryptoRng + ?Sized>(
        &self,
        scheme: SignatureScheme,
        hash: Hash,
        digest: &[u8],
        random: &mut R,
    ) -> Result<Vec<u8>, Error> {
        if hash == Hash::Sha1 {
            return Err(Error::WeakHash);
        }
        check_digest(hash, digest)?;
        let least_salt = self.least_salt(scheme, hash)?;
        match scheme {
            SignatureScheme::Pkcs1v15 => pkcs1v15(hash, digest, self.octets()),
            SignatureScheme::Pss(pss) => {
                let salt_octets = pss.salt_length.required(hash).unwrap_or(hash.octets().max(least_salt));
                pss.encode(hash, digest, salt_octets, self.bits() - 1, random)
            }
        }
    }

    /// Whether this is a signature of the message.
    ///
    /// # Errors
    /// [`Error::BadSignature`] where it is not; [`Error::ModulusTooShort`]; [`Error::PssOnly`], [`Error::PssLimits`].
    pub fn verify(
        &self,
        scheme: SignatureScheme,
        hash: Hash,
        message: &[u8],
        signature: &[u8],
    ) -> Result<(), Error> {
        self.verify_prehashed(scheme, hash, &hash.digest(&[message]), signature)
    }

    /// Whether this is a signature of the message with this hash, for messages that are hashed piece by piece.
    ///
    /// # Errors
    /// Those of [`PublicKey::verify`]; [`Error::HashLength`].
    pub fn verify_prehashed(
        &self,
        scheme: SignatureScheme,
        hash: Hash,
        digest: &[u8],
        signature: &[u8],
    ) -> Result<(), Error> {
        check_digest(hash, digest)?;
        let least_salt = self.least_salt(scheme, hash)?;
        if signature.len() != self.octets() {
            return Err(Error::BadSignature);
        }
        let encoded = self.power(&natural::from_be_bytes(signature)).map_err(|_| Error::BadSignature)?;
        let is_good = match scheme {
            SignatureScheme::Pkcs1v15 => {
                let expected = pkcs1v15(hash, digest, self.octets())?;
                natural::to_be_bytes(&encoded, self.octets()) == expected
            }
            SignatureScheme::Pss(pss) => pss
                .salt_octets(hash, digest, &encoded, self.bits() - 1)
                .is_some_and(|octets| octets >= least_salt),
        };
        is_good.then_some(()).ok_or(Error::BadSignature)
    }

    /// The least octets of a salt that the key allows: 0, but for a key that is bound to parameters of PSS.
    ///
    /// # Errors
    /// [`Error::PssOnly`], [`Error::PssLimits`] if the key is for other signatures.
    fn least_salt(&self, scheme: SignatureScheme, hash: Hash) -> Result<usize, Error> {
        let (limits, pss) = match (self.key_use(), scheme) {
            (KeyUse::Any, _) | (KeyUse::Pss, SignatureScheme::Pss(_)) => return Ok(0),
            (_, SignatureScheme::Pkcs1v15) => return Err(Error::PssOnly),
            (KeyUse::PssWithin(limits), SignatureScheme::Pss(pss)) => (limits, pss),
        };
        let least = limits.least_salt_octets;
        let is_long = pss.salt_length.required(hash).is_none_or(|octets| octets >= least);
        match hash == limits.hash && pss.mgf1_hash.unwrap_or(hash) == limits.mgf1_hash && is_long {
            true => Ok(least),
            false => Err(Error::PssLimits),
        }
    }

    /// Refuses encryption with a key that is for signatures.
    ///
    /// # Errors
    /// [`Error::PssOnly`].
    pub(crate) fn check_encrypts(&self) -> Result<(), Error> {
        match self.key_use() {
            KeyUse::Any => Ok(()),
            KeyUse::Pss | KeyUse::PssWithin(_) => Err(Error::PssOnly),
        }
    }
}

fn check_digest(hash: Hash, digest: &[u8]) -> Result<(), Error> {
    match digest.len() == hash.octets() {
        true => Ok(()),
        false => Err(Error::HashLength),
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

impl Pss {
    /// EMSA-PSS-ENCODE into at most `bits` bits \[RFC 8017, §9.1.1\].
    fn encode<R: CryptoRng + ?Sized>(
        self,
        hash: Hash,
        digest: &[u8],
        salt_octets: usize,
        bits: usize,
        random: &mut R,
    ) -> Result<Vec<u8>, Error> {
        let octets = bits.div_ceil(8);
        let padding = octets.checked_sub(digest.len() + 2).and_then(|room| room.checked_sub(salt_octets));
        let padding = padding.ok_or(Error::ModulusTooShort)?;
        let mut encoded = vec![0; octets];
        let (db, rest) = encoded.split_at_mut(octets - digest.len() - 1);
        db[padding] = 1;
        let salt = &mut db[padding + 1..];
        random.fill_bytes(salt);
        let h = hash.digest(&[&[0; 8], digest, salt]);
        self.mgf1_hash.unwrap_or(hash).mask(db, &h);
        db[0] &= 0xff >> (8 * octets - bits);
        rest[..h.len()].copy_from_slice(&h);
        rest[h.len()] = 0xbc;
        Ok(encoded)
    }

    /// The octets of the salt, or None if EMSA-PSS-VERIFY refuses the encoding \[RFC 8017, §9.1.2\].
    fn salt_octets(self, hash: Hash, digest: &[u8], encoded: &[u64], bits: usize) -> Option<usize> {
        let octets = bits.div_ceil(8);
        if octets < digest.len() + 2 || natural::bit_length(encoded) > bits {
            return None;
        }
        let encoded = natural::to_be_bytes(encoded, octets);
        let (db, rest) = encoded.split_at(octets - digest.len() - 1);
        let (h, trailer) = rest.split_at(digest.len());
        let mut db = db.to_vec();
        self.mgf1_hash.unwrap_or(hash).mask(&mut db, h);
        db[0] &= 0xff >> (8 * octets - bits);
        let separator = db.iter().position(|&octet| octet != 0)?;
        let salt = &db[separator + 1..];
        let expected = hash.digest(&[&[0; 8], digest, salt]);
        let is_good = self.salt_length.required(hash).is_none_or(|octets| octets == salt.len())
            && db[separator] == 1
            && trailer == [0xbc]
            && expected == h;
        is_good.then_some(salt.len())
    }
}
