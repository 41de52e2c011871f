//! The parameters of id-RSASSA-PSS keys.

use crate::error::Error;
use crate::hash::Hash;
use crate::public_key::{KeyUse, PssLimits};
use alloc::vec::Vec;
use pkcs1::{RsaPssParamsOwned, RsaPssParamsRef, TrailerField};
use pkcs8::der::Encode;
use pkcs8::der::asn1::{AnyRef, ObjectIdentifier};
use pkcs8::spki::{AlgorithmIdentifier, AlgorithmIdentifierOwned, AlgorithmIdentifierRef};

/// id-RSASSA-PSS \[RFC 8017, §C\].
pub(super) const PSS_OID: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.2.840.113549.1.1.10");
const MGF1_OID: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.2.840.113549.1.1.8");

/// What the parameters of an id-RSASSA-PSS key allow: without any, each hash function and salt.
///
/// # Errors
/// [`Error::PssParameters`] if they are malformed, or of functions that are not supported.
pub(super) fn key_use(parameters: Option<AnyRef<'_>>) -> Result<KeyUse, Error> {
    let Some(parameters) = parameters else { return Ok(KeyUse::Pss) };
    let limits = parameters.decode_as::<RsaPssParamsOwned>().ok().and_then(|parameters| {
        let mgf1 = parameters.mask_gen.parameters.filter(|_| parameters.mask_gen.oid == MGF1_OID)?;
        Some(PssLimits {
            hash: hash(&parameters.hash)?,
            mgf1_hash: hash(&mgf1)?,
            least_salt_octets: usize::from(parameters.salt_len),
        })
    });
    limits.map(KeyUse::PssWithin).ok_or(Error::PssParameters)
}

fn hash(algorithm: &AlgorithmIdentifierOwned) -> Option<Hash> {
    let is_it = |hash: &&Hash| hash.identifier() == algorithm.oid.as_bytes();
    let is_null = algorithm.parameters.as_ref().is_none_or(|parameters| parameters.to_ref().is_null());
    Hash::ALL.iter().find(is_it).copied().filter(|_| is_null)
}

/// The parameters in DER.
pub(super) fn parameters(limits: &PssLimits) -> Vec<u8> {
    let identifier = |hash: Hash| AlgorithmIdentifierRef {
        oid: ObjectIdentifier::from_bytes(hash.identifier())
            .expect("the identifier of a hash function is one"),
        parameters: Some(AnyRef::NULL),
    };
    let salt_octets = u8::try_from(limits.least_salt_octets).expect("the length was read from an octet");
    let parameters = RsaPssParamsRef {
        hash: identifier(limits.hash),
        mask_gen: AlgorithmIdentifier { oid: MGF1_OID, parameters: Some(identifier(limits.mgf1_hash)) },
        salt_len: salt_octets,
        trailer_field: TrailerField::BC,
    };
    parameters.to_der().expect("parameters have fewer octets than DER can hold")
}
