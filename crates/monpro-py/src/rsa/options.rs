//! The options of signatures and encryption.

use monpro_rsa::{EncryptionScheme, Hash, KeyUse, Oaep, Pss, PublicKey, SaltLength, SignatureScheme};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedStr;

fn hash_of(name: &str) -> PyResult<Hash> {
    let found = Hash::ALL.iter().copied().find(|hash| hash.name() == name);
    found.ok_or_else(|| {
        let names: Vec<_> = Hash::ALL.iter().map(|hash| hash.name()).collect();
        PyValueError::new_err(format!("the hash function is one of {}", names.join(", ")))
    })
}

fn salt_length_of(value: &Bound<'_, PyAny>) -> PyResult<SaltLength> {
    if let Ok(octets) = value.extract() {
        return Ok(SaltLength::Octets(octets));
    }
    match value.extract::<PyBackedStr>().as_deref() {
        Ok("hash") => Ok(SaltLength::Hash),
        Ok("any") => Ok(SaltLength::Any),
        _ => Err(PyValueError::new_err("the length of the salt is hash, any, or a number of bytes")),
    }
}

/// The options of a signature. What is None is as the key asks, or else the default.
pub(super) struct SignatureOptions<'a, 'py> {
    pub(super) padding: Option<&'a str>,
    pub(super) hash: Option<&'a str>,
    pub(super) salt_length: Option<&'a Bound<'py, PyAny>>,
    pub(super) mgf1_hash: Option<&'a str>,
}

impl SignatureOptions<'_, '_> {
    /// The scheme and the hash function for this key, of a message whose own hash function may be known.
    pub(super) fn resolve(
        &self,
        key: &PublicKey,
        own_hash: Option<&str>,
    ) -> PyResult<(SignatureScheme, Hash)> {
        let limits = match key.key_use() {
            KeyUse::PssWithin(limits) => Some(limits),
            _ => None,
        };
        let default_padding = if key.key_use() == KeyUse::Any { "pkcs1v15" } else { "pss" };
        let hash = match (self.hash, own_hash) {
            (Some(given), Some(own)) if given != own => {
                return Err(PyValueError::new_err(format!(
                    "the message was hashed with {own}, and not with {given}"
                )));
            }
            (Some(name), _) | (None, Some(name)) => hash_of(name)?,
            (None, None) => limits.map_or(Hash::Sha256, |limits| limits.hash),
        };
        let scheme = match self.padding.unwrap_or(default_padding) {
            "pkcs1v15" if self.salt_length.is_none() && self.mgf1_hash.is_none() => SignatureScheme::Pkcs1v15,
            "pkcs1v15" => {
                return Err(PyValueError::new_err(
                    "a salt and MGF1 belong to the padding pss: give that, or omit salt_length and mgf1_hash",
                ));
            }
            "pss" => {
                let salt_length = self.salt_length.map(salt_length_of).transpose()?;
                let least = limits.map(|limits| SaltLength::Octets(limits.least_salt_octets));
                let mgf1_hash = self.mgf1_hash.map(hash_of).transpose()?;
                SignatureScheme::Pss(Pss {
                    salt_length: salt_length.or(least).unwrap_or_default(),
                    mgf1_hash: mgf1_hash.or(limits.map(|limits| limits.mgf1_hash)),
                })
            }
            _ => return Err(PyValueError::new_err("the padding of a signature is pkcs1v15 or pss")),
        };
        Ok((scheme, hash))
    }
}

/// The scheme of an encryption.
pub(super) fn encryption_scheme<'a>(
    padding: &str,
    hash: &str,
    mgf1_hash: Option<&str>,
    label: Option<&'a [u8]>,
) -> PyResult<EncryptionScheme<'a>> {
    match padding {
        "oaep" => {
            let (hash, mgf1_hash) = (hash_of(hash)?, mgf1_hash.map(hash_of).transpose()?);
            Ok(EncryptionScheme::Oaep(Oaep { hash, mgf1_hash, label: label.unwrap_or_default() }))
        }
        "pkcs1v15" if mgf1_hash.is_none() && label.is_none() => Ok(EncryptionScheme::Pkcs1v15),
        "pkcs1v15" => Err(PyValueError::new_err(
            "MGF1 and a label belong to the padding oaep: give that, or omit mgf1_hash and label",
        )),
        _ => Err(PyValueError::new_err("the padding of an encryption is oaep or pkcs1v15")),
    }
}
