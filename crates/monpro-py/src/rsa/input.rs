//! What the methods of keys take: bytes, texts, passphrases and hash objects.

use crate::convert::type_name;
use monpro_rsa::Octets;
use pyo3::buffer::PyBuffer;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::pybacked::{PyBackedBytes, PyBackedStr};
use std::ops::Deref;
use zeroize::Zeroizing;

/// Bytes: those of a Python object in place, or a copy that is erased.
pub(super) enum Bytes {
    InPlace(PyBackedBytes),
    Copied(Octets),
}

impl Deref for Bytes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            Bytes::InPlace(octets) => octets,
            Bytes::Copied(octets) => octets,
        }
    }
}

/// The bytes of an object with Python's buffer protocol; error messages call it `name`.
pub(super) fn octets(value: &Bound<'_, PyAny>, name: &str) -> PyResult<Bytes> {
    if let Ok(bytes) = value.extract() {
        return Ok(Bytes::InPlace(bytes));
    }
    let Ok(buffer) = PyBuffer::<u8>::get(value) else {
        let line = format!("{name} must be bytes, not {}", type_name(value));
        return Err(PyTypeError::new_err(line));
    };
    buffer.to_vec(value.py()).map(|octets| Bytes::Copied(Zeroizing::new(octets)))
}

/// The bytes of an object, or None for None.
pub(super) fn optional_octets(value: Option<&Bound<'_, PyAny>>, name: &str) -> PyResult<Option<Bytes>> {
    value.map(|value| octets(value, name)).transpose()
}

/// A document: bytes, or a text.
pub(super) fn document(value: &Bound<'_, PyAny>) -> PyResult<Bytes> {
    match value.extract::<PyBackedStr>() {
        Ok(text) => Ok(Bytes::Copied(Zeroizing::new(text.as_bytes().to_vec()))),
        Err(_) => octets(value, "a document"),
    }
}

/// A passphrase: bytes, or a text, which is taken in UTF-8.
pub(super) fn passphrase_of(value: Option<&Bound<'_, PyAny>>) -> PyResult<Option<Octets>> {
    let Some(value) = value else { return Ok(None) };
    let octets = match value.extract::<PyBackedStr>() {
        Ok(text) => text.as_bytes().to_vec(),
        Err(_) => octets(value, "the passphrase")?.to_vec(),
    };
    Ok(Some(Zeroizing::new(octets)))
}

/// What is signed or verified.
pub(super) enum Signed {
    Message(Bytes),
    /// The hash of a message, and the name of its function where the object tells it.
    Hash {
        digest: Bytes,
        name: Option<PyBackedStr>,
    },
}

impl Signed {
    /// A message, the hash of one if `is_hash`, or the hash that a hash object of hashlib has.
    pub(super) fn of(value: &Bound<'_, PyAny>, is_hash: bool) -> PyResult<Signed> {
        match (value.getattr("digest"), value.getattr("name")) {
            (Ok(digest), Ok(name)) => {
                let digest = octets(&digest.call0()?, "the hash")?;
                Ok(Signed::Hash { digest, name: Some(name.extract()?) })
            }
            _ if is_hash => Ok(Signed::Hash { digest: octets(value, "the hash")?, name: None }),
            _ => Ok(Signed::Message(octets(value, "the message")?)),
        }
    }

    pub(super) fn hash_name(&self) -> Option<&str> {
        match self {
            Signed::Hash { name: Some(name), .. } => Some(name),
            _ => None,
        }
    }
}
