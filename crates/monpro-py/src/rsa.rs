//! The classes of monpro.rsa.

use crate::convert::{size, value_error};
use crate::long::{power_work, run};
use getrandom::SysRng;
use monpro_rsa::{
    EncryptionScheme, Error, Hash, Oaep, PrivateKey, Pss, PublicKey, SaltLength, SignatureScheme,
};
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::pybacked::{PyBackedBytes, PyBackedStr};
use pyo3::types::{PyBytes, PyString};
use rand_core::UnwrapErr;
use std::sync::Arc;

/// The system's random source; it panics if the system has no random numbers to give.
fn random() -> UnwrapErr<SysRng> {
    UnwrapErr(SysRng)
}

/// A RuntimeError for a withheld result, which is a fault of the machine; a ValueError for an error in the
/// input.
fn refused(error: Error) -> PyErr {
    match error {
        Error::Fault => PyRuntimeError::new_err(error.to_string()),
        other => value_error(other),
    }
}

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

fn signature_scheme(
    padding: &str,
    salt_length: Option<&Bound<'_, PyAny>>,
    mgf1_hash: Option<&str>,
) -> PyResult<SignatureScheme> {
    match padding {
        "pkcs1v15" if salt_length.is_none() && mgf1_hash.is_none() => Ok(SignatureScheme::Pkcs1v15),
        "pkcs1v15" => Err(PyValueError::new_err(
            "a salt and MGF1 belong to the padding pss: give that, or omit salt_length and mgf1_hash",
        )),
        "pss" => {
            let salt_length = salt_length.map(salt_length_of).transpose()?.unwrap_or_default();
            let mgf1_hash = mgf1_hash.map(hash_of).transpose()?;
            Ok(SignatureScheme::Pss(Pss { salt_length, mgf1_hash }))
        }
        _ => Err(PyValueError::new_err("the padding of a signature is pkcs1v15 or pss")),
    }
}

fn encryption_scheme<'a>(
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

/// The modulus and the public exponent.
#[pyclass(name = "RsaPublicKey", module = "monpro.rsa", frozen, eq)]
#[derive(PartialEq)]
pub(crate) struct PyRsaPublicKey(PublicKey);

#[pymethods]
impl PyRsaPublicKey {
    /// The key of a document in PEM: SubjectPublicKeyInfo, PKCS#1, or a private key's public half.
    #[staticmethod]
    fn from_pem(py: Python<'_>, pem: PyBackedStr) -> PyResult<PyRsaPublicKey> {
        py.detach(|| PublicKey::from_pem(&pem)).map(PyRsaPublicKey).map_err(refused)
    }

    /// The key of a document in DER, SubjectPublicKeyInfo or PKCS#1.
    #[staticmethod]
    fn from_der(py: Python<'_>, der: PyBackedBytes) -> PyResult<PyRsaPublicKey> {
        py.detach(|| PublicKey::from_der(&der)).map(PyRsaPublicKey).map_err(refused)
    }

    /// The key as SubjectPublicKeyInfo in PEM.
    fn to_pem(&self) -> String {
        self.0.to_pem()
    }

    /// The key as SubjectPublicKeyInfo in DER.
    fn to_der<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.0.to_der())
    }

    /// The length of the modulus in bits.
    #[getter]
    fn bits(&self) -> usize {
        self.0.bits()
    }

    /// m^e mod n for a number below n, big-endian; in as many bytes as n has.
    fn raw<'py>(&self, py: Python<'py>, m: PyBackedBytes) -> PyResult<Bound<'py, PyBytes>> {
        let power = py.detach(|| self.0.raw(&m)).map_err(refused)?;
        Ok(PyBytes::new(py, &power))
    }

    /// A ciphertext of the message.
    #[pyo3(signature = (message, *, padding = "oaep", hash = "sha256", mgf1_hash = None, label = None))]
    fn encrypt<'py>(
        &self,
        py: Python<'py>,
        message: PyBackedBytes,
        padding: &str,
        hash: &str,
        mgf1_hash: Option<&str>,
        label: Option<PyBackedBytes>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let scheme = encryption_scheme(padding, hash, mgf1_hash, label.as_deref())?;
        let ciphertext = py.detach(|| self.0.encrypt(scheme, &message, &mut random())).map_err(refused)?;
        Ok(PyBytes::new(py, &ciphertext))
    }

    /// The padded message as an integer, big-endian, for callers that exponentiate elsewhere (hardware).
    #[pyo3(signature = (message, *, padding = "oaep", hash = "sha256", mgf1_hash = None, label = None))]
    fn encode<'py>(
        &self,
        py: Python<'py>,
        message: PyBackedBytes,
        padding: &str,
        hash: &str,
        mgf1_hash: Option<&str>,
        label: Option<PyBackedBytes>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let scheme = encryption_scheme(padding, hash, mgf1_hash, label.as_deref())?;
        let encoded = py.detach(|| self.0.encode(scheme, &message, &mut random())).map_err(refused)?;
        Ok(PyBytes::new(py, &encoded))
    }

    /// Whether this is a signature of the message.
    #[pyo3(signature = (message, signature, *, padding = "pkcs1v15", hash = "sha256", salt_length = None, mgf1_hash = None))]
    #[expect(clippy::too_many_arguments, reason = "Python's options are the function's arguments")]
    fn verify(
        &self,
        py: Python<'_>,
        message: PyBackedBytes,
        signature: PyBackedBytes,
        padding: &str,
        hash: &str,
        salt_length: Option<&Bound<'_, PyAny>>,
        mgf1_hash: Option<&str>,
    ) -> PyResult<bool> {
        let (scheme, hash) = (signature_scheme(padding, salt_length, mgf1_hash)?, hash_of(hash)?);
        match py.detach(|| self.0.verify(scheme, hash, &message, &signature)) {
            Ok(()) => Ok(true),
            Err(Error::BadSignature) => Ok(false),
            Err(other) => Err(refused(other)),
        }
    }

    fn __repr__(&self) -> String {
        format!("<RsaPublicKey of {} bits>", self.0.bits())
    }
}

/// The work of checking the numbers of a private key, whose document has about 4.5 times the octets of the modulus.
fn work_of_document(octets: usize) -> u128 {
    power_work(0, 8 * octets / 4, octets / 32)
}

/// A key with its two primes.
#[pyclass(name = "RsaPrivateKey", module = "monpro.rsa", frozen)]
pub(crate) struct PyRsaPrivateKey(Arc<PrivateKey>);

#[pymethods]
impl PyRsaPrivateKey {
    /// A new key with a modulus of exactly `bits` bits and e = 65537.
    #[staticmethod]
    fn generate(py: Python<'_>, bits: &Bound<'_, PyAny>) -> PyResult<PyRsaPrivateKey> {
        let bits = size(bits, "the length of a key", 0)?;
        // About a hundred numbers are tested for each prime.
        let work = 100 * power_work(0, bits, bits.div_ceil(64));
        let key = run(py, work, move || PrivateKey::generate(bits, &mut random()))?;
        key.map(|key| PyRsaPrivateKey(Arc::new(key))).map_err(refused)
    }

    /// The key of a document in PEM, of PKCS#8 or PKCS#1.
    #[staticmethod]
    fn from_pem(py: Python<'_>, pem: PyBackedStr) -> PyResult<PyRsaPrivateKey> {
        let key = run(py, work_of_document(pem.len()), move || PrivateKey::from_pem(&pem))?;
        key.map(|key| PyRsaPrivateKey(Arc::new(key))).map_err(refused)
    }

    /// The key of a document in DER, of PKCS#8 or PKCS#1.
    #[staticmethod]
    fn from_der(py: Python<'_>, der: PyBackedBytes) -> PyResult<PyRsaPrivateKey> {
        let key = run(py, work_of_document(der.len()), move || PrivateKey::from_der(&der))?;
        key.map(|key| PyRsaPrivateKey(Arc::new(key))).map_err(refused)
    }

    /// The key as PKCS#8 in PEM.
    fn to_pem<'py>(&self, py: Python<'py>) -> Bound<'py, PyString> {
        PyString::new(py, &self.0.to_pem())
    }

    /// The key as PKCS#8 in DER.
    fn to_der<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.0.to_der())
    }

    /// The public half.
    #[getter]
    fn public_key(&self) -> PyRsaPublicKey {
        PyRsaPublicKey(self.0.public_key().clone())
    }

    /// The length of the modulus in bits.
    #[getter]
    fn bits(&self) -> usize {
        self.0.public_key().bits()
    }

    /// c^d mod n for a number below n, big-endian; in as many bytes as n has.
    fn raw<'py>(&self, py: Python<'py>, c: PyBackedBytes) -> PyResult<Bound<'py, PyBytes>> {
        let key = self.0.clone();
        let power = run(py, self.work(), move || key.raw(&c, &mut random()))?.map_err(refused)?;
        Ok(PyBytes::new(py, &power))
    }

    /// The message of a ciphertext.
    #[pyo3(signature = (ciphertext, *, padding = "oaep", hash = "sha256", mgf1_hash = None, label = None))]
    fn decrypt<'py>(
        &self,
        py: Python<'py>,
        ciphertext: PyBackedBytes,
        padding: &str,
        hash: &str,
        mgf1_hash: Option<&str>,
        label: Option<PyBackedBytes>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let [padding, hash] = [padding, hash].map(str::to_owned);
        let (mgf1_hash, key) = (mgf1_hash.map(str::to_owned), self.0.clone());
        let message = run(py, self.work(), move || {
            let scheme = encryption_scheme(&padding, &hash, mgf1_hash.as_deref(), label.as_deref())?;
            key.decrypt(scheme, &ciphertext, &mut random()).map_err(refused)
        })??;
        Ok(PyBytes::new(py, &message))
    }

    /// The signature of a message.
    #[pyo3(signature = (message, *, padding = "pkcs1v15", hash = "sha256", salt_length = None, mgf1_hash = None))]
    fn sign<'py>(
        &self,
        py: Python<'py>,
        message: PyBackedBytes,
        padding: &str,
        hash: &str,
        salt_length: Option<&Bound<'_, PyAny>>,
        mgf1_hash: Option<&str>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let (scheme, hash) = (signature_scheme(padding, salt_length, mgf1_hash)?, hash_of(hash)?);
        let key = self.0.clone();
        let signature = run(py, self.work(), move || key.sign(scheme, hash, &message, &mut random()))?;
        let signature = signature.map_err(refused)?;
        Ok(PyBytes::new(py, &signature))
    }

    fn __repr__(&self) -> String {
        format!("<RsaPrivateKey of {} bits>", self.0.public_key().bits())
    }
}

impl PyRsaPrivateKey {
    /// The work of a private operation: two powers, each modulo a number of half the length.
    fn work(&self) -> u128 {
        let bits = self.0.public_key().bits() / 2;
        2 * power_work(0, bits, bits.div_ceil(64))
    }
}
