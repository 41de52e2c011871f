//! What a document is that is not the key that was asked for.

use crate::document::certificate;
use crate::error::{Error, Found};
use alloc::vec::Vec;
use pkcs1::RsaPublicKeyRef;
use pkcs8::der::asn1::{AnyRef, ObjectIdentifier};
use pkcs8::der::{Decode, Reader, SliceReader, Tag, Tagged};
use pkcs8::spki::{AlgorithmIdentifierRef, SubjectPublicKeyInfoRef};

const ALGORITHMS: [(&str, Found); 8] = [
    ("1.2.840.10045.2.1", Found::EllipticCurve),
    ("1.3.101.110", Found::Edwards),
    ("1.3.101.111", Found::Edwards),
    ("1.3.101.112", Found::Edwards),
    ("1.3.101.113", Found::Edwards),
    ("1.2.840.10040.4.1", Found::Dsa),
    ("1.2.840.113549.1.3.1", Found::DiffieHellman),
    ("1.2.840.10046.2.1", Found::DiffieHellman),
];
/// 1.2.840.113549.1.7, the content types of PKCS#7.
const PKCS7: &[u8] = &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 7];

/// The labels of PEM that are of no key that is read here.
const LABELS: [(&[u8], Found); 17] = [
    (b"EC PRIVATE KEY", Found::EllipticCurve),
    (b"DSA PRIVATE KEY", Found::Dsa),
    (b"OPENSSH PRIVATE KEY", Found::OpenSshPrivate),
    (b"SSH2 ENCRYPTED PRIVATE KEY", Found::OpenSshPrivate),
    (b"PUBLIC KEY", Found::PublicKey),
    (b"RSA PUBLIC KEY", Found::PublicKey),
    (b"CERTIFICATE", Found::Certificate),
    (b"X509 CERTIFICATE", Found::Certificate),
    (b"TRUSTED CERTIFICATE", Found::Certificate),
    (b"CERTIFICATE REQUEST", Found::CertificateRequest),
    (b"NEW CERTIFICATE REQUEST", Found::CertificateRequest),
    (b"X509 CRL", Found::RevocationList),
    (b"PKCS7", Found::Pkcs7),
    (b"CMS", Found::Pkcs7),
    (b"PGP PRIVATE KEY BLOCK", Found::OpenPgp),
    (b"PGP PUBLIC KEY BLOCK", Found::OpenPgp),
    (b"PGP MESSAGE", Found::OpenPgp),
];

/// The error for a key of this algorithm.
pub(super) fn algorithm(oid: ObjectIdentifier) -> Error {
    let name = |(text, _): &&(&str, Found)| ObjectIdentifier::new(text) == Ok(oid);
    let found = ALGORITHMS.iter().find(name).map(|&(_, found)| found);
    Error::Found(found.unwrap_or(Found::OtherAlgorithm))
}

/// The error for blocks of PEM with these labels, none of which is of a key. Parameters, which may precede a key, do not
/// tell what a document is.
pub(super) fn labels<'a>(labels: impl Iterator<Item = &'a [u8]>) -> Error {
    let mut found = Found::OtherLabel;
    for label in labels {
        found = match LABELS.iter().find(|(known, _)| *known == label) {
            Some(&(_, found)) => return Error::Found(found),
            None if label.ends_with(b" PARAMETERS") => Found::Parameters,
            None => found,
        };
    }
    Error::Found(found)
}

/// The error for a document in DER that is not a key, or not the one that was asked for.
pub(super) fn der(der: &[u8]) -> Error {
    let children = children(der).unwrap_or_default();
    let tags: Vec<Tag> = children.iter().map(AnyRef::tag).collect();
    match tags[..] {
        [Tag::Integer, Tag::Sequence, Tag::OctetString, ..] => of_algorithm(children[1], Error::Malformed),
        [Tag::Sequence, Tag::BitString] => of_algorithm(children[0], Error::Found(Found::PublicKey)),
        [Tag::Sequence, Tag::Sequence, Tag::BitString] => signed(der, children[0]),
        [Tag::Integer, Tag::Sequence] | [Tag::Integer, Tag::Sequence, Tag::Sequence] => {
            Error::Found(Found::Pkcs12)
        }
        [Tag::ObjectIdentifier, ..] if children[0].value().starts_with(PKCS7) => Error::Found(Found::Pkcs7),
        [Tag::Integer, Tag::OctetString, ..] => Error::Found(Found::EllipticCurve),
        [Tag::Integer, Tag::Integer, Tag::Integer, Tag::Integer, Tag::Integer, Tag::Integer]
            if children[0].value() == [0] =>
        {
            Error::Found(Found::Dsa)
        }
        [Tag::Integer, Tag::Integer] if RsaPublicKeyRef::from_der(der).is_ok() => {
            Error::Found(Found::PublicKey)
        }
        _ => Error::Malformed,
    }
}

/// Whether a document in DER has the outline of a private key, of RSA or of another algorithm, encrypted or not: that of
/// PKCS#1, PKCS#8, PKCS#12, SEC1 or of DSA by OpenSSL. Nothing else is looked at, so it may be one that is not read here.
#[must_use]
pub fn is_private_key(der: &[u8]) -> bool {
    let tags: Vec<Tag> = children(der).unwrap_or_default().iter().map(AnyRef::tag).collect();
    match tags[..] {
        [Tag::Sequence, Tag::OctetString] => true,
        [Tag::Integer, Tag::Sequence | Tag::OctetString, ..] => true,
        // A public key has two numbers, and parameters of Diffie–Hellman have three.
        [Tag::Integer, Tag::Integer, ..] => tags.len() >= 6,
        _ => false,
    }
}

/// The elements of a sequence.
fn children(der: &[u8]) -> Option<Vec<AnyRef<'_>>> {
    let mut reader =
        SliceReader::new(AnyRef::from_der(der).ok().filter(|any| any.tag() == Tag::Sequence)?.value())
            .ok()?;
    let mut children = Vec::new();
    // A private key of five primes has 11 elements.
    while !reader.is_finished() && children.len() < 12 {
        children.push(AnyRef::decode(&mut reader).ok()?);
    }
    Some(children)
}

/// The error for a key with this identifier of an algorithm, which is another one if it is of RSA.
fn of_algorithm(identifier: AnyRef<'_>, of_rsa: Error) -> Error {
    match identifier.decode_as::<AlgorithmIdentifierRef<'_>>() {
        Ok(identifier) if crate::document::is_of_rsa(identifier.oid) => of_rsa,
        Ok(identifier) => algorithm(identifier.oid),
        Err(_) => Error::Malformed,
    }
}

/// The error for what is signed: a certificate, a request for one, or a list of revoked ones.
fn signed(der: &[u8], content: AnyRef<'_>) -> Error {
    // A request begins with a version, the subject and its key.
    let is_request = content.sequence(|content| {
        AnyRef::decode(content)?;
        AnyRef::decode(content)?;
        SubjectPublicKeyInfoRef::decode(content)?;
        content.drain(content.remaining_len())
    });
    match certificate::public_key_info(der) {
        Ok(_) => Error::Found(Found::Certificate),
        Err(_) if is_request.is_ok() => Error::Found(Found::CertificateRequest),
        Err(_) => Error::Found(Found::RevocationList),
    }
}
