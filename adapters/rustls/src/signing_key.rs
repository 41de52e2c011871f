//! A private key and what it signs.

use crate::random::Random;
use monpro_rsa::{Hash, KeyUse, PrivateKey, Pss};
use rustls::crypto::SecureRandom;
use rustls::pki_types::{PrivateKeyDer, SubjectPublicKeyInfoDer};
use rustls::sign::{Signer, SigningKey};
use rustls::{Error, SignatureAlgorithm, SignatureScheme};
use std::fmt;
use std::sync::Arc;

/// What TLS calls a scheme, and what it is; the first that the peer offers is used.
const SCHEMES: [(SignatureScheme, monpro_rsa::SignatureScheme, Hash); 6] = {
    const PSS: monpro_rsa::SignatureScheme =
        monpro_rsa::SignatureScheme::Pss(Pss { salt_length: monpro_rsa::SaltLength::Hash, mgf1_hash: None });
    const PKCS1: monpro_rsa::SignatureScheme = monpro_rsa::SignatureScheme::Pkcs1v15;
    [
        (SignatureScheme::RSA_PSS_SHA512, PSS, Hash::Sha512),
        (SignatureScheme::RSA_PSS_SHA384, PSS, Hash::Sha384),
        (SignatureScheme::RSA_PSS_SHA256, PSS, Hash::Sha256),
        (SignatureScheme::RSA_PKCS1_SHA512, PKCS1, Hash::Sha512),
        (SignatureScheme::RSA_PKCS1_SHA384, PKCS1, Hash::Sha384),
        (SignatureScheme::RSA_PKCS1_SHA256, PKCS1, Hash::Sha256),
    ]
};

/// The key of a document.
pub(crate) fn read(document: &PrivateKeyDer<'_>) -> Result<PrivateKey, monpro_rsa::Error> {
    match document {
        PrivateKeyDer::Pkcs1(_) | PrivateKeyDer::Pkcs8(_) => PrivateKey::from_der(document.secret_der()),
        _ => Err(monpro_rsa::Error::Malformed),
    }
}

/// A private RSA key that signs for rustls; erased when dropped.
#[derive(Clone)]
pub struct RsaSigningKey {
    key: Arc<PrivateKey>,
    random: &'static dyn SecureRandom,
}

impl RsaSigningKey {
    /// The key of a document in DER, of PKCS#1 or PKCS#8. Salts and blinding take numbers of the random source.
    ///
    /// # Errors
    /// [`Error::General`] for what is no RSA key, for a key that is shorter than 2048 bits, whose numbers do not belong
    /// together, or that is for the signatures of id-RSASSA-PSS alone, which rustls does not offer.
    pub fn new(
        document: &PrivateKeyDer<'_>,
        random: &'static dyn SecureRandom,
    ) -> Result<RsaSigningKey, Error> {
        RsaSigningKey::of(read(document), random)
    }

    pub(crate) fn of(
        key: Result<PrivateKey, monpro_rsa::Error>,
        random: &'static dyn SecureRandom,
    ) -> Result<RsaSigningKey, Error> {
        let key = key.map_err(general)?;
        let (bits, usage) = (key.public_key().bits(), key.public_key().key_use());
        if key.public_key().is_short() {
            return Err(Error::General(format!(
                "an RSA key of {bits} bits protects nothing: give one of 2048 or more"
            )));
        }
        match usage {
            KeyUse::Any => Ok(RsaSigningKey { key: Arc::new(key), random }),
            _ => Err(Error::General(
                "rustls has no signatures for id-RSASSA-PSS keys: give one of rsaEncryption".into(),
            )),
        }
    }
}

/// rustls' error with the line of monpro's, which holds no secret.
fn general(error: monpro_rsa::Error) -> Error {
    Error::General(error.to_string())
}

impl SigningKey for RsaSigningKey {
    fn choose_scheme(&self, offered: &[SignatureScheme]) -> Option<Box<dyn Signer>> {
        let &(name, scheme, hash) = SCHEMES.iter().find(|(name, ..)| offered.contains(name))?;
        Some(Box::new(RsaSigner { key: self.clone(), name, scheme, hash }))
    }

    fn public_key(&self) -> Option<SubjectPublicKeyInfoDer<'_>> {
        Some(self.key.public_key().to_der().into())
    }

    fn algorithm(&self) -> SignatureAlgorithm {
        SignatureAlgorithm::RSA
    }
}

impl fmt::Debug for RsaSigningKey {
    /// The public half; never the rest.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RsaSigningKey").field("public", self.key.public_key()).finish_non_exhaustive()
    }
}

/// A key and a scheme that was chosen for it.
#[derive(Debug)]
struct RsaSigner {
    key: RsaSigningKey,
    name: SignatureScheme,
    scheme: monpro_rsa::SignatureScheme,
    hash: Hash,
}

impl Signer for RsaSigner {
    fn sign(&self, message: &[u8]) -> Result<Vec<u8>, Error> {
        let mut random = Random::new(self.key.random);
        let signature = self.key.key.sign(self.scheme, self.hash, message, &mut random);
        match random.has_failed() {
            true => Err(Error::FailedToGetRandomBytes),
            false => signature.map_err(general),
        }
    }

    fn scheme(&self) -> SignatureScheme {
        self.name
    }
}
