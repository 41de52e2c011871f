//! What the methods of keys take: bytes, texts, passphrases and hash objects.

use crate::buffer;
use monpro_rsa::Octets;
use pyo3::prelude::*;
use pyo3::pybacked::{PyBackedBytes, PyBackedStr};
use zeroize::Zeroizing;

/// The bytes of an object with Python's buffer protocol; error messages call it `name`.
pub(super) fn octets(value: &Bound<'_, PyAny>, name: &str) -> PyResult<PyBackedBytes> {
    buffer::octets(value, name).map(PyBackedBytes::from)
}

/// The bytes of an object, or None for None.
pub(super) fn optional_octets(
    value: Option<&Bound<'_, PyAny>>,
    name: &str,
) -> PyResult<Option<PyBackedBytes>> {
    value.map(|value| octets(value, name)).transpose()
}

/// A document: bytes, or a text.
pub(super) fn document(value: &Bound<'_, PyAny>) -> PyResult<Octets> {
    text_or_octets(value, "a document")
}

/// A passphrase: bytes, or a text, which is taken in UTF-8.
pub(super) fn passphrase_of(value: Option<&Bound<'_, PyAny>>) -> PyResult<Option<Octets>> {
    value.map(|value| text_or_octets(value, "the passphrase")).transpose()
}

fn text_or_octets(value: &Bound<'_, PyAny>, name: &str) -> PyResult<Octets> {
    let octets = match value.extract::<PyBackedStr>() {
        Ok(text) => text.as_bytes().to_vec(),
        Err(_) => octets(value, name)?.to_vec(),
    };
    Ok(Zeroizing::new(octets))
}

/// What is signed or verified.
pub(super) enum Signed {
    Message(PyBackedBytes),
    /// The hash of a message, and the name of its function where the object tells it.
    Hash {
        digest: PyBackedBytes,
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

    /// The message that is still to be hashed.
    pub(super) fn message(&self) -> Option<&[u8]> {
        match self {
            Signed::Message(message) => Some(message),
            Signed::Hash { .. } => None,
        }
    }

    pub(super) fn hash_name(&self) -> Option<&str> {
        match self {
            Signed::Hash { name: Some(name), .. } => Some(name),
            _ => None,
        }
    }
}
