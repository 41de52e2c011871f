//! Keys as documents: PKCS#1, PKCS#8 and SubjectPublicKeyInfo, in DER and PEM; certificates for public keys.

mod certificate;
mod encrypted;
mod found;
mod pem;
mod pss;

use crate::error::Error;
use crate::number::{Words, are_equal, from_octets};
use crate::numbers::MOST_PRIMES;
use crate::private_key::{OtherPrime, PrivateKey};
use crate::public_key::{KeyUse, PublicKey};
use alloc::string::String;
use alloc::vec::Vec;
use encrypted::Encrypted;
pub use found::is_private_key;
use pem::Block;
use pkcs1::{ALGORITHM_OID, OtherPrimeInfo, RsaPrivateKeyRef, RsaPublicKeyRef, UintRef};
use pkcs8::PrivateKeyInfoRef;
use pkcs8::der::asn1::{AnyRef, BitStringRef, ObjectIdentifier, OctetStringRef};
use pkcs8::der::pem::{LineEnding, encode_string};
use pkcs8::der::{Decode, Encode, SecretDocument};
use pkcs8::spki::{AlgorithmIdentifierRef, SubjectPublicKeyInfoRef};
use pss::PSS_OID;
use rand_core::CryptoRng;
use zeroize::Zeroizing;

/// The most octets of a document in DER. The longest private key has about 10,000; the rest is for attributes.
const MOST_OCTETS: usize = 1 << 16;
const PRIVATE_PKCS1: &str = "RSA PRIVATE KEY";
const PRIVATE_PKCS8: &str = "PRIVATE KEY";
const PRIVATE_ENCRYPTED: &str = "ENCRYPTED PRIVATE KEY";
const PUBLIC_PKCS1: &str = "RSA PUBLIC KEY";
const PUBLIC: &str = "PUBLIC KEY";
/// The labels of blocks from which a key is read, by preference.
const PRIVATE_LABELS: &[&str] = &[PRIVATE_PKCS8, PRIVATE_PKCS1, PRIVATE_ENCRYPTED];
const PUBLIC_LABELS: &[&str] =
    &[PUBLIC, PUBLIC_PKCS1, "CERTIFICATE", "X509 CERTIFICATE", "TRUSTED CERTIFICATE"];
const OPEN_PRIVATE_LABELS: &[&str] = &[PRIVATE_PKCS8, PRIVATE_PKCS1];

impl PrivateKey {
    /// The key of a document in PEM, of PKCS#8 or PKCS#1: the first private key among its blocks.
    ///
    /// # Errors
    /// [`Error::Found`] for what is not such a key; [`Error::PassphraseNeeded`], [`Error::TooLong`],
    /// [`Error::Malformed`], [`Error::MultiPrime`], [`Error::PssParameters`]; for its numbers [`Error::Modulus`],
    /// [`Error::PublicExponent`], [`Error::Factors`], [`Error::NotPrime`], [`Error::PrivateExponent`].
    pub fn from_pem(pem: impl AsRef<[u8]>) -> Result<PrivateKey, Error> {
        PrivateKey::in_pem(pem.as_ref(), None)
    }

    /// The key of a document in DER, of PKCS#8 or PKCS#1.
    ///
    /// # Errors
    /// Those of [`PrivateKey::from_pem`].
    pub fn from_der(der: &[u8]) -> Result<PrivateKey, Error> {
        PrivateKey::in_der(der, None)
    }

    /// The key of an encrypted document in PEM; a document that is not encrypted is read, too.
    ///
    /// What the derivation of the key may cost is bounded: 10,000,000 iterations of PBKDF2, and for scrypt 128 MiB and
    /// N·r·p of 2^22.
    ///
    /// # Errors
    /// Those of [`PrivateKey::from_pem`]; [`Error::WrongPassphrase`], [`Error::TooCostly`], [`Error::OutOfMemory`].
    pub fn from_encrypted_pem(pem: impl AsRef<[u8]>, passphrase: &[u8]) -> Result<PrivateKey, Error> {
        PrivateKey::in_pem(pem.as_ref(), Some(passphrase))
    }

    /// The key of an encrypted document in DER; a document that is not encrypted is read, too.
    ///
    /// # Errors
    /// Those of [`PrivateKey::from_encrypted_pem`].
    pub fn from_encrypted_der(der: &[u8], passphrase: &[u8]) -> Result<PrivateKey, Error> {
        PrivateKey::in_der(der, Some(passphrase))
    }

    /// The key of a document in PEM or DER, whichever it is. The passphrase is for an encrypted one.
    ///
    /// # Errors
    /// Those of [`PrivateKey::from_encrypted_pem`].
    pub fn load(document: &[u8], passphrase: Option<&[u8]>) -> Result<PrivateKey, Error> {
        match pem::is_pem(document) {
            true => PrivateKey::in_pem(document, passphrase),
            false => PrivateKey::in_der(document, passphrase),
        }
    }

    fn in_pem(pem: &[u8], passphrase: Option<&[u8]>) -> Result<PrivateKey, Error> {
        let blocks = pem::blocks(pem)?;
        let Some(block) = first_of(&blocks, PRIVATE_LABELS) else {
            return Err(found::labels(blocks.iter().map(|block| block.label)));
        };
        PrivateKey::in_der(&block.der()?, passphrase)
    }

    fn in_der(der: &[u8], passphrase: Option<&[u8]>) -> Result<PrivateKey, Error> {
        check_length(der.len())?;
        if let Ok(info) = PrivateKeyInfoRef::from_der(der) {
            return PrivateKey::from_info(&info);
        }
        if let Ok(key) = RsaPrivateKeyRef::from_der(der) {
            return PrivateKey::from_pkcs1(&key, KeyUse::Any);
        }
        let Some(encrypted) = Encrypted::read(der) else { return Err(error_of(der)) };
        // No passphrase is asked for where none would help.
        let scheme = encrypted.scheme()?;
        let der = encrypted.decrypt(&scheme, passphrase.ok_or(Error::PassphraseNeeded)?)?;
        PrivateKey::from_info(&PrivateKeyInfoRef::from_der(&der).map_err(|_| Error::WrongPassphrase)?)
    }

    fn from_info(info: &PrivateKeyInfoRef<'_>) -> Result<PrivateKey, Error> {
        let usage = key_use(&info.algorithm)?;
        let key = RsaPrivateKeyRef::from_der(info.private_key.as_bytes()).map_err(|_| Error::Malformed)?;
        PrivateKey::from_pkcs1(&key, usage)
    }

    fn from_pkcs1(key: &RsaPrivateKeyRef<'_>, usage: KeyUse) -> Result<PrivateKey, Error> {
        let infos = key.other_prime_infos.as_deref().unwrap_or_default();
        if infos.len() + 2 > MOST_PRIMES {
            return Err(Error::MultiPrime);
        }
        let public = PublicKey::new(key.modulus.as_bytes(), key.public_exponent.as_bytes())?;
        let public = public.with_use(usage);
        // No other number of a key is longer than n. The time of all that follows depends on the lengths.
        let bits = public.bits();
        let number = |number: UintRef<'_>, error| from_octets(number.as_bytes(), bits).ok_or(error);
        let d = number(key.private_exponent, Error::PrivateExponent)?;
        let (p, q) = (number(key.prime1, Error::Factors)?, number(key.prime2, Error::Factors)?);
        let coefficient = number(key.coefficient, Error::PrivateExponent)?;
        let other = |info: &OtherPrimeInfo<UintRef<'_>>| {
            let coefficient = number(info.coefficient, Error::PrivateExponent)?;
            Ok(OtherPrime { prime: number(info.prime, Error::Factors)?, coefficient })
        };
        let others: Vec<OtherPrime> = infos.iter().map(other).collect::<Result<_, _>>()?;
        let private = PrivateKey::of_primes(public, &d, &p, &q, &coefficient, &others)?;
        let [.., dp, dq, _] = private.numbers();
        let agrees = |given: UintRef<'_>, ours: &Words| {
            number(given, Error::PrivateExponent).is_ok_and(|given| are_equal(&given, ours))
        };
        let others_agree = infos
            .iter()
            .zip(private.other_numbers())
            .fold(true, |all, (info, [_, ours, _])| all & agrees(info.exponent, &ours));
        match agrees(key.exponent1, &dp) & agrees(key.exponent2, &dq) & others_agree {
            true => Ok(private),
            false => Err(Error::PrivateExponent),
        }
    }

    /// The key as PKCS#8 in DER.
    #[must_use]
    pub fn to_der(&self) -> Zeroizing<Vec<u8>> {
        Zeroizing::new(self.pkcs8().as_bytes().to_vec())
    }

    /// The key as PKCS#8 in PEM.
    #[must_use]
    pub fn to_pem(&self) -> Zeroizing<String> {
        secret_text(&self.pkcs8(), PRIVATE_PKCS8)
    }

    /// The key as PKCS#1 in DER, which says nothing of what the key is for.
    #[must_use]
    pub fn to_pkcs1_der(&self) -> Zeroizing<Vec<u8>> {
        Zeroizing::new(self.pkcs1().as_bytes().to_vec())
    }

    /// The key as PKCS#1 in PEM, which says nothing of what the key is for.
    #[must_use]
    pub fn to_pkcs1_pem(&self) -> Zeroizing<String> {
        secret_text(&self.pkcs1(), PRIVATE_PKCS1)
    }

    /// The key as encrypted PKCS#8 in DER: by AES-256 in CBC mode, with 600,000 iterations of PBKDF2 and HMAC-SHA-256.
    ///
    /// # Errors
    /// [`Error::EmptyPassphrase`].
    pub fn to_encrypted_der<R: CryptoRng + ?Sized>(
        &self,
        passphrase: &[u8],
        random: &mut R,
    ) -> Result<Vec<u8>, Error> {
        match passphrase {
            [] => Err(Error::EmptyPassphrase),
            _ => Ok(encrypted::encrypt(self.pkcs8().as_bytes(), passphrase, random)),
        }
    }

    /// The same in PEM.
    ///
    /// # Errors
    /// [`Error::EmptyPassphrase`].
    #[expect(clippy::missing_panics_doc, reason = "the label is one of PEM")]
    pub fn to_encrypted_pem<R: CryptoRng + ?Sized>(
        &self,
        passphrase: &[u8],
        random: &mut R,
    ) -> Result<String, Error> {
        let der = self.to_encrypted_der(passphrase, random)?;
        Ok(encode_string(PRIVATE_ENCRYPTED, LineEnding::LF, &der).expect("the label is one of PEM"))
    }

    fn pkcs8(&self) -> SecretDocument {
        let inner = self.pkcs1();
        let inner = OctetStringRef::new(inner.as_bytes()).expect("a key has fewer octets than DER can hold");
        let parameters = parameters(self.public_key().key_use());
        let info = PrivateKeyInfoRef::new(algorithm(self.public_key().key_use(), &parameters), inner);
        SecretDocument::encode_msg(&info).expect("as above")
    }

    fn pkcs1(&self) -> SecretDocument {
        let (n, e) = (self.public_key().n(), self.public_key().e());
        let numbers = self.private_numbers();
        let others = numbers.others.iter().map(|other| OtherPrimeInfo {
            prime: uint(&other.prime),
            exponent: uint(&other.exponent),
            coefficient: uint(&other.coefficient),
        });
        let others: Vec<_> = others.collect();
        let key = RsaPrivateKeyRef {
            modulus: uint(&n),
            public_exponent: uint(&e),
            private_exponent: uint(&numbers.d),
            prime1: uint(&numbers.p),
            prime2: uint(&numbers.q),
            exponent1: uint(&numbers.dp),
            exponent2: uint(&numbers.dq),
            coefficient: uint(&numbers.q_inverse),
            other_prime_infos: if others.is_empty() { None } else { Some(others) },
        };
        SecretDocument::encode_msg(&key).expect("a key has fewer octets than DER can hold")
    }
}

impl PublicKey {
    /// The key of a document in PEM: SubjectPublicKeyInfo, PKCS#1, an X.509 certificate, or a private key's public half.
    /// Of several blocks, the first public key or certificate is read. A certificate is not checked.
    ///
    /// # Errors
    /// [`Error::Found`] for what is no such key; [`Error::TooLong`], [`Error::Malformed`], [`Error::PssParameters`];
    /// for its numbers [`Error::Modulus`], [`Error::PublicExponent`]; for a private key also those of
    /// [`PrivateKey::from_pem`].
    pub fn from_pem(pem: impl AsRef<[u8]>) -> Result<PublicKey, Error> {
        PublicKey::in_pem(pem.as_ref(), None)
    }

    /// The key of a document in DER: SubjectPublicKeyInfo, PKCS#1, an X.509 certificate, or a private key's public half.
    ///
    /// # Errors
    /// Those of [`PublicKey::from_pem`].
    pub fn from_der(der: &[u8]) -> Result<PublicKey, Error> {
        PublicKey::in_der(der, None)
    }

    /// The key of a document in PEM or DER, whichever it is. The passphrase is for an encrypted private key.
    ///
    /// # Errors
    /// Those of [`PublicKey::from_pem`] and [`PrivateKey::from_encrypted_pem`].
    pub fn load(document: &[u8], passphrase: Option<&[u8]>) -> Result<PublicKey, Error> {
        match pem::is_pem(document) {
            true => PublicKey::in_pem(document, passphrase),
            false => PublicKey::in_der(document, passphrase),
        }
    }

    fn in_pem(pem: &[u8], passphrase: Option<&[u8]>) -> Result<PublicKey, Error> {
        let blocks = pem::blocks(pem)?;
        let block = [PUBLIC_LABELS, OPEN_PRIVATE_LABELS, PRIVATE_LABELS]
            .iter()
            .find_map(|labels| first_of(&blocks, labels));
        let Some(block) = block else { return Err(found::labels(blocks.iter().map(|block| block.label))) };
        PublicKey::in_der(&block.der()?, passphrase)
    }

    fn in_der(der: &[u8], passphrase: Option<&[u8]>) -> Result<PublicKey, Error> {
        check_length(der.len())?;
        if let Ok(info) = SubjectPublicKeyInfoRef::from_der(der) {
            return PublicKey::from_info(&info);
        }
        if let Ok(key) = RsaPublicKeyRef::from_der(der) {
            return PublicKey::from_pkcs1(&key);
        }
        if let Ok(info) = certificate::public_key_info(der) {
            return PublicKey::from_info(&info);
        }
        Ok(PrivateKey::in_der(der, passphrase)?.public_key().clone())
    }

    fn from_info(info: &SubjectPublicKeyInfoRef<'_>) -> Result<PublicKey, Error> {
        let usage = key_use(&info.algorithm)?;
        let der = info.subject_public_key.as_bytes().ok_or(Error::Malformed)?;
        let key = RsaPublicKeyRef::from_der(der).map_err(|_| Error::Malformed)?;
        Ok(PublicKey::from_pkcs1(&key)?.with_use(usage))
    }

    fn from_pkcs1(key: &RsaPublicKeyRef<'_>) -> Result<PublicKey, Error> {
        PublicKey::new(key.modulus.as_bytes(), key.public_exponent.as_bytes())
    }

    /// The key as SubjectPublicKeyInfo in DER.
    #[must_use]
    #[expect(clippy::missing_panics_doc, reason = "a key has fewer octets than DER can hold")]
    pub fn to_der(&self) -> Vec<u8> {
        let (key, parameters) = (self.to_pkcs1_der(), parameters(self.key_use()));
        let subject_public_key =
            BitStringRef::from_bytes(&key).expect("a key has fewer octets than DER can hold");
        let algorithm = algorithm(self.key_use(), &parameters);
        SubjectPublicKeyInfoRef { algorithm, subject_public_key }.to_der().expect("as above")
    }

    /// The key as SubjectPublicKeyInfo in PEM.
    #[must_use]
    #[expect(clippy::missing_panics_doc, reason = "the label is one of PEM")]
    pub fn to_pem(&self) -> String {
        encode_string(PUBLIC, LineEnding::LF, &self.to_der()).expect("the label is one of PEM")
    }

    /// The key as PKCS#1 in DER, which says nothing of what the key is for.
    #[must_use]
    #[expect(clippy::missing_panics_doc, reason = "a key has fewer octets than DER can hold")]
    pub fn to_pkcs1_der(&self) -> Vec<u8> {
        let (n, e) = (self.n(), self.e());
        let key = RsaPublicKeyRef { modulus: uint(&n), public_exponent: uint(&e) };
        key.to_der().expect("a key has fewer octets than DER can hold")
    }

    /// The key as PKCS#1 in PEM, which says nothing of what the key is for.
    #[must_use]
    #[expect(clippy::missing_panics_doc, reason = "the label is one of PEM")]
    pub fn to_pkcs1_pem(&self) -> String {
        encode_string(PUBLIC_PKCS1, LineEnding::LF, &self.to_pkcs1_der()).expect("the label is one of PEM")
    }
}

/// The first block with one of these labels.
fn first_of<'a>(blocks: &[Block<'a>], labels: &[&str]) -> Option<Block<'a>> {
    blocks.iter().find(|block| labels.iter().any(|label| label.as_bytes() == block.label)).copied()
}

/// Whether keys of this algorithm are keys of RSA.
fn is_of_rsa(oid: ObjectIdentifier) -> bool {
    [ALGORITHM_OID, PSS_OID].contains(&oid)
}

/// What a key with this identifier of its algorithm is for.
///
/// The parameters of rsaEncryption are NULL \[RFC 3279, §2.3.1\]; as elsewhere, none at all are taken, too.
fn key_use(algorithm: &AlgorithmIdentifierRef<'_>) -> Result<KeyUse, Error> {
    match algorithm.oid {
        ALGORITHM_OID if algorithm.parameters.is_none_or(AnyRef::is_null) => Ok(KeyUse::Any),
        ALGORITHM_OID => Err(Error::Malformed),
        PSS_OID => pss::key_use(algorithm.parameters),
        other => Err(found::algorithm(other)),
    }
}

/// The parameters in DER of the algorithm of a key.
fn parameters(usage: KeyUse) -> Option<Vec<u8>> {
    match usage {
        KeyUse::Any => AnyRef::NULL.to_der().ok(),
        KeyUse::Pss => None,
        KeyUse::PssWithin(limits) => Some(pss::parameters(&limits)),
    }
}

/// The identifier of the algorithm of a key.
fn algorithm(usage: KeyUse, parameters: &Option<Vec<u8>>) -> AlgorithmIdentifierRef<'_> {
    let oid = if usage == KeyUse::Any { ALGORITHM_OID } else { PSS_OID };
    AlgorithmIdentifierRef { oid, parameters: parameters.as_deref().map(parsed) }
}

fn parsed(der: &[u8]) -> AnyRef<'_> {
    AnyRef::from_der(der).expect("parameters are an element")
}

/// Refuses a document in DER that is far longer than any key.
fn check_length(octets: usize) -> Result<(), Error> {
    match octets <= MOST_OCTETS {
        true => Ok(()),
        false => Err(Error::TooLong),
    }
}

/// The error of a document that is not a key in DER.
fn error_of(document: &[u8]) -> Error {
    match found::der(document) {
        Error::Malformed => pem::error_of(document),
        error => error,
    }
}

fn secret_text(document: &SecretDocument, label: &'static str) -> Zeroizing<String> {
    document.to_pem(label, LineEnding::LF).expect("the label is one of PEM")
}

fn uint(octets: &[u8]) -> UintRef<'_> {
    UintRef::new(octets).expect("a number of a key has fewer octets than DER can hold")
}
