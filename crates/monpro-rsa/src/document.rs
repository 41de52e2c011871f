//! Keys as documents: PKCS#1, PKCS#8 and SubjectPublicKeyInfo, in DER and PEM.

use crate::error::Error;
use crate::number::{Words, are_equal, from_octets};
use crate::private_key::PrivateKey;
use crate::public_key::PublicKey;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;
use monpro::natural;
use pkcs1::{ALGORITHM_OID, RsaPrivateKeyRef, RsaPublicKeyRef, UintRef};
use pkcs8::PrivateKeyInfoRef;
use pkcs8::der::pem::{Decoder, LineEnding};
use pkcs8::der::{Decode, Encode, SecretDocument};
use pkcs8::der::{Document, asn1::AnyRef, asn1::BitStringRef, asn1::OctetStringRef};
use pkcs8::spki::{AlgorithmIdentifierRef, SubjectPublicKeyInfoRef};
use zeroize::Zeroizing;

/// The most octets of a document in DER. The longest private key has about 10,000; the rest is for attributes.
const MOST_OCTETS: usize = 1 << 16;
const PRIVATE_PKCS1: &str = "RSA PRIVATE KEY";
const PRIVATE_PKCS8: &str = "PRIVATE KEY";
const PUBLIC_PKCS1: &str = "RSA PUBLIC KEY";
const PUBLIC: &str = "PUBLIC KEY";

impl PrivateKey {
    /// The key of a document in PEM, of PKCS#8 or PKCS#1.
    ///
    /// # Errors
    /// [`Error::TooLong`], [`Error::Malformed`], [`Error::NotRsa`], [`Error::MultiPrime`]; for its numbers [`Error::Modulus`],
    /// [`Error::PublicExponent`], [`Error::Factors`], [`Error::NotPrime`], [`Error::PrivateExponent`].
    pub fn from_pem(pem: &str) -> Result<PrivateKey, Error> {
        let (label, der) = decode(pem)?;
        match label {
            PRIVATE_PKCS1 | PRIVATE_PKCS8 => PrivateKey::from_der(&der),
            _ => Err(Error::Malformed),
        }
    }

    /// The key of a document in DER, of PKCS#8 or PKCS#1.
    ///
    /// # Errors
    /// Those of [`PrivateKey::from_pem`].
    pub fn from_der(der: &[u8]) -> Result<PrivateKey, Error> {
        check_length(der.len())?;
        let Ok(info) = PrivateKeyInfoRef::from_der(der) else {
            return PrivateKey::from_pkcs1(der);
        };
        check_algorithm(&info.algorithm)?;
        PrivateKey::from_pkcs1(info.private_key.as_bytes())
    }

    fn from_pkcs1(der: &[u8]) -> Result<PrivateKey, Error> {
        let key = RsaPrivateKeyRef::from_der(der).map_err(|_| Error::Malformed)?;
        if key.other_prime_infos.is_some() {
            return Err(Error::MultiPrime);
        }
        let public = PublicKey::new(key.modulus.as_bytes(), key.public_exponent.as_bytes())?;
        // No other number of a key is longer than n. The time of all that follows depends on the lengths.
        let bits = public.bits();
        let number = |number: UintRef<'_>, error| from_octets(number.as_bytes(), bits).ok_or(error);
        let d = number(key.private_exponent, Error::PrivateExponent)?;
        let (p, q) = (number(key.prime1, Error::Factors)?, number(key.prime2, Error::Factors)?);
        let coefficient = number(key.coefficient, Error::PrivateExponent)?;
        let private = PrivateKey::of_numbers(public, &d, &p, &q, &coefficient)?;
        let [.., dp, dq, _] = private.numbers();
        let agrees = |given: UintRef<'_>, ours: &Words| {
            number(given, Error::PrivateExponent).is_ok_and(|given| are_equal(&given, ours))
        };
        match agrees(key.exponent1, &dp) & agrees(key.exponent2, &dq) {
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
    #[expect(clippy::missing_panics_doc, reason = "the label is one of PEM")]
    pub fn to_pem(&self) -> Zeroizing<String> {
        self.pkcs8().to_pem(PRIVATE_PKCS8, LineEnding::LF).expect("the label is one of PEM")
    }

    fn pkcs8(&self) -> SecretDocument {
        let octets = self.numbers().map(|number| Zeroizing::new(minimal_octets(&number)));
        let [modulus, public_exponent, private_exponent, prime1, prime2, exponent1, exponent2, coefficient] =
            octets.each_ref().map(|octets| uint(octets));
        let key = RsaPrivateKeyRef {
            modulus,
            public_exponent,
            private_exponent,
            prime1,
            prime2,
            exponent1,
            exponent2,
            coefficient,
            other_prime_infos: None,
        };
        let inner = SecretDocument::encode_msg(&key).expect("a key has fewer octets than DER can hold");
        let inner = OctetStringRef::new(inner.as_bytes()).expect("as above");
        let info = PrivateKeyInfoRef::new(algorithm(), inner);
        SecretDocument::encode_msg(&info).expect("as above")
    }
}

impl PublicKey {
    /// The key of a document in PEM: SubjectPublicKeyInfo, PKCS#1, or a private key's public half.
    ///
    /// # Errors
    /// [`Error::TooLong`], [`Error::Malformed`], [`Error::NotRsa`]; for its numbers [`Error::Modulus`],
    /// [`Error::PublicExponent`]; for a private key also those of [`PrivateKey::from_pem`].
    pub fn from_pem(pem: &str) -> Result<PublicKey, Error> {
        let (label, der) = decode(pem)?;
        match label {
            PUBLIC | PUBLIC_PKCS1 => PublicKey::from_der(&der),
            PRIVATE_PKCS1 | PRIVATE_PKCS8 => Ok(PrivateKey::from_der(&der)?.public_key().clone()),
            _ => Err(Error::Malformed),
        }
    }

    /// The key of a document in DER, SubjectPublicKeyInfo or PKCS#1.
    ///
    /// # Errors
    /// Those of [`PublicKey::from_pem`] for a public key.
    pub fn from_der(der: &[u8]) -> Result<PublicKey, Error> {
        check_length(der.len())?;
        let Ok(info) = SubjectPublicKeyInfoRef::from_der(der) else {
            return PublicKey::from_pkcs1(der);
        };
        check_algorithm(&info.algorithm)?;
        PublicKey::from_pkcs1(info.subject_public_key.as_bytes().ok_or(Error::Malformed)?)
    }

    fn from_pkcs1(der: &[u8]) -> Result<PublicKey, Error> {
        let key = RsaPublicKeyRef::from_der(der).map_err(|_| Error::Malformed)?;
        PublicKey::new(key.modulus.as_bytes(), key.public_exponent.as_bytes())
    }

    /// The key as SubjectPublicKeyInfo in DER.
    #[must_use]
    pub fn to_der(&self) -> Vec<u8> {
        self.spki().into_vec()
    }

    /// The key as SubjectPublicKeyInfo in PEM.
    #[must_use]
    #[expect(clippy::missing_panics_doc, reason = "the label is one of PEM")]
    pub fn to_pem(&self) -> String {
        self.spki().to_pem(PUBLIC, LineEnding::LF).expect("the label is one of PEM")
    }

    fn spki(&self) -> Document {
        let (n, e) = (self.n(), self.e());
        let key = RsaPublicKeyRef { modulus: uint(&n), public_exponent: uint(&e) };
        let inner = key.to_der().expect("a key has fewer octets than DER can hold");
        let subject_public_key = BitStringRef::from_bytes(&inner).expect("as above");
        Document::encode_msg(&SubjectPublicKeyInfoRef { algorithm: algorithm(), subject_public_key })
            .expect("as above")
    }
}

/// The identifier of RSA keys.
fn algorithm() -> AlgorithmIdentifierRef<'static> {
    AlgorithmIdentifierRef { oid: ALGORITHM_OID, parameters: Some(AnyRef::NULL) }
}

/// The label and the DER of a document in PEM. As in OpenSSL, its lines may have any length that is the same
/// for all.
fn decode(pem: &str) -> Result<(&str, Zeroizing<Vec<u8>>), Error> {
    let mut decoder = Decoder::new_detect_wrap(pem.as_bytes()).map_err(|_| Error::Malformed)?;
    check_length(decoder.remaining_len())?;
    let mut der = Zeroizing::new(vec![0; decoder.remaining_len()]);
    decoder.decode(&mut der).map_err(|_| Error::Malformed)?;
    Ok((decoder.type_label(), der))
}

/// Refuses a document in DER that is far longer than any key.
fn check_length(octets: usize) -> Result<(), Error> {
    match octets <= MOST_OCTETS {
        true => Ok(()),
        false => Err(Error::TooLong),
    }
}

/// Refuses a key of another algorithm. The parameters of RSA are NULL \[RFC 3279, §2.3.1\]; as elsewhere, none at all are
/// taken, too.
fn check_algorithm(algorithm: &AlgorithmIdentifierRef<'_>) -> Result<(), Error> {
    match algorithm.parameters.is_none_or(AnyRef::is_null) {
        _ if algorithm.oid != ALGORITHM_OID => Err(Error::NotRsa),
        true => Ok(()),
        false => Err(Error::Malformed),
    }
}

fn uint(octets: &[u8]) -> UintRef<'_> {
    UintRef::new(octets).expect("a number of a key has fewer octets than DER can hold")
}

/// The octets of a number, big-endian, without leading zeros.
fn minimal_octets(number: &[u64]) -> Vec<u8> {
    natural::to_be_bytes(number, natural::bit_length(number).div_ceil(8).max(1))
}
