//! The classes of monpro.rsa.

use crate::convert::{size, value_error};
use crate::long::{power_work, run};
use getrandom::SysRng;
use monpro_rsa::{EncryptionScheme, Error, Hash, PrivateKey, PublicKey, SignatureScheme};
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::pybacked::{PyBackedBytes, PyBackedStr};
use pyo3::types::{PyBytes, PyString};
use rand_core::UnwrapErr;

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
    match name {
        "sha256" => Ok(Hash::Sha256),
        "sha384" => Ok(Hash::Sha384),
        "sha512" => Ok(Hash::Sha512),
        _ => Err(PyValueError::new_err("the hash function is sha256, sha384 or sha512")),
    }
}

fn signature_scheme(padding: &str) -> PyResult<SignatureScheme> {
    match padding {
        "pkcs1v15" => Ok(SignatureScheme::Pkcs1v15),
        "pss" => Ok(SignatureScheme::Pss),
        _ => Err(PyValueError::new_err("the padding of a signature is pkcs1v15 or pss")),
    }
}

fn encryption_scheme(padding: &str, hash: &str) -> PyResult<EncryptionScheme> {
    match padding {
        "oaep" => Ok(EncryptionScheme::Oaep(hash_of(hash)?)),
        "pkcs1v15" => Ok(EncryptionScheme::Pkcs1v15),
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
    #[pyo3(signature = (message, *, padding = "oaep", hash = "sha256"))]
    fn encrypt<'py>(
        &self,
        py: Python<'py>,
        message: PyBackedBytes,
        padding: &str,
        hash: &str,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let scheme = encryption_scheme(padding, hash)?;
        let ciphertext = py.detach(|| self.0.encrypt(scheme, &message, &mut random())).map_err(refused)?;
        Ok(PyBytes::new(py, &ciphertext))
    }

    /// The padded message as an integer, big-endian, for callers that exponentiate elsewhere (hardware).
    #[pyo3(signature = (message, *, padding = "oaep", hash = "sha256"))]
    fn encode<'py>(
        &self,
        py: Python<'py>,
        message: PyBackedBytes,
        padding: &str,
        hash: &str,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let scheme = encryption_scheme(padding, hash)?;
        let encoded = py.detach(|| self.0.encode(scheme, &message, &mut random())).map_err(refused)?;
        Ok(PyBytes::new(py, &encoded))
    }

    /// Whether this is a signature of the message.
    #[pyo3(signature = (message, signature, *, padding = "pkcs1v15", hash = "sha256"))]
    fn verify(
        &self,
        py: Python<'_>,
        message: PyBackedBytes,
        signature: PyBackedBytes,
        padding: &str,
        hash: &str,
    ) -> PyResult<bool> {
        let (scheme, hash) = (signature_scheme(padding)?, hash_of(hash)?);
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
pub(crate) struct PyRsaPrivateKey(PrivateKey);

#[pymethods]
impl PyRsaPrivateKey {
    /// A new key with a modulus of exactly `bits` bits and e = 65537.
    #[staticmethod]
    fn generate(py: Python<'_>, bits: &Bound<'_, PyAny>) -> PyResult<PyRsaPrivateKey> {
        let bits = size(bits, "the length of a key", 0)?;
        // About a hundred numbers are tested for each prime.
        let work = 100 * power_work(0, bits, bits.div_ceil(64));
        let key = run(py, work, move || PrivateKey::generate(bits, &mut random()))?;
        key.map(PyRsaPrivateKey).map_err(refused)
    }

    /// The key of a document in PEM, of PKCS#8 or PKCS#1.
    #[staticmethod]
    fn from_pem(py: Python<'_>, pem: PyBackedStr) -> PyResult<PyRsaPrivateKey> {
        let key = run(py, work_of_document(pem.len()), move || PrivateKey::from_pem(&pem))?;
        key.map(PyRsaPrivateKey).map_err(refused)
    }

    /// The key of a document in DER, of PKCS#8 or PKCS#1.
    #[staticmethod]
    fn from_der(py: Python<'_>, der: PyBackedBytes) -> PyResult<PyRsaPrivateKey> {
        let key = run(py, work_of_document(der.len()), move || PrivateKey::from_der(&der))?;
        key.map(PyRsaPrivateKey).map_err(refused)
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
    #[pyo3(signature = (ciphertext, *, padding = "oaep", hash = "sha256"))]
    fn decrypt<'py>(
        &self,
        py: Python<'py>,
        ciphertext: PyBackedBytes,
        padding: &str,
        hash: &str,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let scheme = encryption_scheme(padding, hash)?;
        let key = self.0.clone();
        let message = run(py, self.work(), move || key.decrypt(scheme, &ciphertext, &mut random()))?;
        let message = message.map_err(refused)?;
        Ok(PyBytes::new(py, &message))
    }

    /// The signature of a message.
    #[pyo3(signature = (message, *, padding = "pkcs1v15", hash = "sha256"))]
    fn sign<'py>(
        &self,
        py: Python<'py>,
        message: PyBackedBytes,
        padding: &str,
        hash: &str,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let (scheme, hash) = (signature_scheme(padding)?, hash_of(hash)?);
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
