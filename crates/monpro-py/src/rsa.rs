//! The classes of monpro.rsa.

pub(crate) mod columns;
mod input;
mod options;
pub(crate) mod random;

use crate::convert::{Number, natural, size, value_error};
use crate::long::{power_work, run};
use input::{Signed, document, octets, optional_octets, passphrase_of};
use monpro::natural::{from_be_bytes, to_be_bytes};
use monpro_rsa::{Error, KeyUse, Octets, PrivateKey, PublicKey};
use options::{SignatureOptions, encryption_scheme};
use pyo3::create_exception;
use pyo3::exceptions::{PyMemoryError, PyRuntimeError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString, PyTuple, PyType};
use random::with_random;
use std::sync::Arc;
use zeroize::Zeroizing;

create_exception!(
    monpro.rsa,
    PassphraseNeeded,
    PyValueError,
    "The key is encrypted, and no passphrase was given."
);

create_exception!(
    monpro.rsa,
    RandomSourceError,
    PyRuntimeError,
    "The system gave no random numbers, or none that can be used."
);

/// A RuntimeError for a withheld result or a broken random source, which are faults of the machine; a ValueError for an
/// error in the input.
pub(crate) fn refused(error: Error) -> PyErr {
    match error {
        Error::Fault => PyRuntimeError::new_err(error.to_string()),
        Error::RandomSource => RandomSourceError::new_err(error.to_string()),
        Error::PassphraseNeeded => PassphraseNeeded::new_err(error.to_string()),
        Error::OutOfMemory => PyMemoryError::new_err(error.to_string()),
        other => value_error(other),
    }
}

/// The number of these octets.
fn number(octets: &[u8]) -> Number {
    Number::new(from_be_bytes(octets))
}

/// A Python integer ≥ 0 as octets.
fn number_of(value: &Bound<'_, PyAny>, name: &str) -> PyResult<Octets> {
    let words = natural(value, name)?;
    Ok(Zeroizing::new(to_be_bytes(&words, 8 * words.len())))
}

/// Whether keys are written as PKCS#1, and not as PKCS#8 or SubjectPublicKeyInfo, which is called `other`.
fn is_pkcs1(format: &str, other: &str) -> PyResult<bool> {
    match format {
        "pkcs1" => Ok(true),
        format if format == other => Ok(false),
        _ => Err(PyValueError::new_err(format!("the format is {other} or pkcs1"))),
    }
}

/// The modulus and the public exponent.
#[pyclass(name = "RsaPublicKey", module = "monpro.rsa", frozen, eq)]
#[derive(PartialEq)]
pub(crate) struct PyRsaPublicKey(PublicKey);

#[pymethods]
impl PyRsaPublicKey {
    /// The key of a document in PEM: SubjectPublicKeyInfo, PKCS#1, an X.509 certificate, which is not checked, or a
    /// private key's public half.
    #[staticmethod]
    #[pyo3(signature = (pem, *, passphrase = None))]
    fn from_pem(
        py: Python<'_>,
        pem: &Bound<'_, PyAny>,
        passphrase: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<PyRsaPublicKey> {
        read_key(py, pem, passphrase, |pem, passphrase| match passphrase {
            None => PublicKey::from_pem(pem),
            _ => PublicKey::load(pem, passphrase),
        })
        .map(PyRsaPublicKey)
    }

    /// The key of a document in DER, of the same kinds.
    #[staticmethod]
    #[pyo3(signature = (der, *, passphrase = None))]
    fn from_der(
        py: Python<'_>,
        der: &Bound<'_, PyAny>,
        passphrase: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<PyRsaPublicKey> {
        read_key(py, der, passphrase, |der, passphrase| match passphrase {
            None => PublicKey::from_der(der),
            _ => PublicKey::load(der, passphrase),
        })
        .map(PyRsaPublicKey)
    }

    /// The key of a document in PEM or DER, whichever it is.
    #[staticmethod]
    #[pyo3(signature = (data, *, passphrase = None))]
    fn load(
        py: Python<'_>,
        data: &Bound<'_, PyAny>,
        passphrase: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<PyRsaPublicKey> {
        read_key(py, data, passphrase, PublicKey::load).map(PyRsaPublicKey)
    }

    /// The key of the modulus n and the public exponent e.
    #[staticmethod]
    fn from_numbers(n: &Bound<'_, PyAny>, e: &Bound<'_, PyAny>) -> PyResult<PyRsaPublicKey> {
        let (n, e) = (number_of(n, "n")?, number_of(e, "e")?);
        PublicKey::new(&n, &e).map(PyRsaPublicKey).map_err(refused)
    }

    /// The key in PEM: as SubjectPublicKeyInfo (spki), or as PKCS#1 (pkcs1).
    #[pyo3(signature = (*, format = "spki"))]
    fn to_pem(&self, format: &str) -> PyResult<String> {
        Ok(if is_pkcs1(format, "spki")? { self.0.to_pkcs1_pem() } else { self.0.to_pem() })
    }

    /// The key in DER: as SubjectPublicKeyInfo (spki), or as PKCS#1 (pkcs1).
    #[pyo3(signature = (*, format = "spki"))]
    fn to_der<'py>(&self, py: Python<'py>, format: &str) -> PyResult<Bound<'py, PyBytes>> {
        let der = if is_pkcs1(format, "spki")? { self.0.to_pkcs1_der() } else { self.0.to_der() };
        Ok(PyBytes::new(py, &der))
    }

    /// The length of the modulus in bits.
    #[getter]
    fn bits(&self) -> usize {
        self.0.bits()
    }

    /// Whether the modulus has fewer than 2048 bits, which protect nothing that matters today.
    #[getter]
    fn is_short(&self) -> bool {
        self.0.is_short()
    }

    /// The modulus.
    #[getter]
    fn n(&self) -> Number {
        number(&self.0.n())
    }

    /// The public exponent.
    #[getter]
    fn e(&self) -> Number {
        number(&self.0.e())
    }

    /// None for a key of any use; for an id-RSASSA-PSS key, hash function, MGF1's and least salt, as far as it is bound.
    #[getter]
    fn pss_limits<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyTuple>>> {
        match self.0.key_use() {
            KeyUse::PssWithin(limits) => {
                let names = (limits.hash.name(), limits.mgf1_hash.name(), limits.least_salt_octets);
                names.into_pyobject(py).map(Some)
            }
            KeyUse::Pss => Ok(Some(PyTuple::empty(py))),
            _ => Ok(None),
        }
    }

    /// m^e mod n for a number below n, big-endian; in as many bytes as n has.
    fn raw<'py>(&self, py: Python<'py>, m: &Bound<'_, PyAny>) -> PyResult<Bound<'py, PyBytes>> {
        let m = octets(m, "the number")?;
        let power = py.detach(|| self.0.raw(&m)).map_err(refused)?;
        Ok(PyBytes::new(py, &power))
    }

    /// A ciphertext of the message.
    #[pyo3(signature = (message, *, padding = "oaep", hash = "sha256", mgf1_hash = None, label = None))]
    fn encrypt<'py>(
        &self,
        py: Python<'py>,
        message: &Bound<'_, PyAny>,
        padding: &str,
        hash: &str,
        mgf1_hash: Option<&str>,
        label: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let (message, label) = (octets(message, "the message")?, optional_octets(label, "the label")?);
        let [padding, hash] = [padding, hash].map(str::to_owned);
        let (mgf1_hash, key) = (mgf1_hash.map(str::to_owned), self.0.clone());
        let work = self.work() + hashing_work(label.as_deref());
        let ciphertext = run(py, work, move || {
            let scheme = encryption_scheme(&padding, &hash, mgf1_hash.as_deref(), label.as_deref())?;
            with_random(|random| key.encrypt(scheme, &message, random)).map_err(refused)
        })??;
        Ok(PyBytes::new(py, &ciphertext))
    }

    /// The padded message as an integer, big-endian, for callers that exponentiate elsewhere (hardware).
    #[pyo3(signature = (message, *, padding = "oaep", hash = "sha256", mgf1_hash = None, label = None))]
    fn encode<'py>(
        &self,
        py: Python<'py>,
        message: &Bound<'_, PyAny>,
        padding: &str,
        hash: &str,
        mgf1_hash: Option<&str>,
        label: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let (message, label) = (octets(message, "the message")?, optional_octets(label, "the label")?);
        let scheme = encryption_scheme(padding, hash, mgf1_hash, label.as_deref())?;
        let encoded =
            py.detach(|| with_random(|random| self.0.encode(scheme, &message, random))).map_err(refused)?;
        Ok(PyBytes::new(py, &encoded))
    }

    /// Whether this is a signature of the message: bytes, a hash object of hashlib, or the hash itself if `prehashed`.
    #[pyo3(signature = (
        message, signature, *, padding = None, hash = None, salt_length = None, mgf1_hash = None, prehashed = false
    ))]
    #[expect(clippy::too_many_arguments, reason = "Python's options are the function's arguments")]
    fn verify(
        &self,
        py: Python<'_>,
        message: &Bound<'_, PyAny>,
        signature: &Bound<'_, PyAny>,
        padding: Option<&str>,
        hash: Option<&str>,
        salt_length: Option<&Bound<'_, PyAny>>,
        mgf1_hash: Option<&str>,
        prehashed: bool,
    ) -> PyResult<bool> {
        let options = SignatureOptions { padding, hash, salt_length, mgf1_hash };
        let message = Signed::of(message, prehashed)?;
        let signature = octets(signature, "the signature")?;
        let (scheme, hash) = options.resolve(&self.0, message.hash_name())?;
        let (key, work) = (self.0.clone(), self.work() + hashing_work(message.message()));
        let verdict = run(py, work, move || match &message {
            Signed::Message(message) => key.verify(scheme, hash, message, &signature),
            Signed::Hash { digest, .. } => key.verify_prehashed(scheme, hash, digest, &signature),
        });
        match verdict? {
            Ok(()) => Ok(true),
            Err(Error::BadSignature) => Ok(false),
            Err(other) => Err(refused(other)),
        }
    }

    fn __hash__(&self, py: Python<'_>) -> PyResult<isize> {
        PyBytes::new(py, &self.0.to_der()).hash()
    }

    /// A pickle holds the document in DER.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyType>,))> {
        let caller = py.import("operator")?.getattr("methodcaller")?;
        let read = caller.call1(("from_der", PyBytes::new(py, &self.0.to_der())))?;
        Ok((read, (py.get_type::<PyRsaPublicKey>(),)))
    }

    fn __repr__(&self) -> String {
        format!("<RsaPublicKey of {} bits>", self.0.bits())
    }
}

/// What reads a key from a document, with or without a passphrase.
type Reader<Key> = fn(&[u8], Option<&[u8]>) -> Result<Key, Error>;

/// The key that a function reads from a document.
fn read_key<Key: Send + 'static>(
    py: Python<'_>,
    data: &Bound<'_, PyAny>,
    passphrase: Option<&Bound<'_, PyAny>>,
    read: Reader<Key>,
) -> PyResult<Key> {
    let (data, passphrase) = (document(data)?, passphrase_of(passphrase)?);
    let work = work_of_document(data.len(), passphrase.is_some());
    run(py, work, move || read(&data, passphrase.as_ref().map(|octets| &octets[..])))?.map_err(refused)
}

/// The work of checking the numbers of a private key, whose document has about 4.5 times the octets of the modulus. A
/// passphrase makes it long.
fn work_of_document(octets: usize, has_passphrase: bool) -> u128 {
    let octets = octets.min(1 << 16);
    power_work(0, 8 * octets / 4, octets / 32) + if has_passphrase { 1 << 30 } else { 0 }
}

impl PyRsaPublicKey {
    /// The work of a public operation.
    fn work(&self) -> u128 {
        power_work(0, 8 * self.0.e().len(), self.0.bits().div_ceil(64))
    }
}

/// The work of hashing these octets by the slowest of the functions, a tenth of a microsecond for eight.
fn hashing_work(octets: Option<&[u8]>) -> u128 {
    64 * octets.map_or(0, |octets| octets.len() as u128)
}

/// The private numbers of a key: whoever has d or a prime has the key.
#[pyclass(name = "RsaPrivateNumbers", module = "monpro.rsa", frozen, get_all)]
pub(crate) struct PyRsaPrivateNumbers {
    n: Py<PyAny>,
    e: Py<PyAny>,
    d: Py<PyAny>,
    p: Py<PyAny>,
    q: Py<PyAny>,
    /// d mod (p − 1).
    dp: Py<PyAny>,
    /// d mod (q − 1).
    dq: Py<PyAny>,
    /// q⁻¹ mod p.
    q_inverse: Py<PyAny>,
    /// Of each prime r beyond p and q: r, d mod (r − 1), and the inverse modulo r of the product of the primes before.
    others: Py<PyTuple>,
    bits: usize,
}

#[pymethods]
impl PyRsaPrivateNumbers {
    fn __repr__(&self) -> String {
        format!("<RsaPrivateNumbers of {} bits>", self.bits)
    }
}

/// Whether a document in DER has the outline of a private key, of RSA or of another algorithm, encrypted or not.
#[pyfunction]
pub(crate) fn is_private_key(der: &Bound<'_, PyAny>) -> PyResult<bool> {
    Ok(monpro_rsa::is_private_key(&octets(der, "the document")?))
}

/// A key with its primes.
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
        let key = run(py, work, move || with_random(|random| PrivateKey::generate(bits, random)))?;
        key.map(PyRsaPrivateKey::new).map_err(refused)
    }

    /// The key of a document in PEM, of PKCS#8, encrypted or not, or of PKCS#1.
    #[staticmethod]
    #[pyo3(signature = (pem, *, passphrase = None))]
    fn from_pem(
        py: Python<'_>,
        pem: &Bound<'_, PyAny>,
        passphrase: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<PyRsaPrivateKey> {
        read_key(py, pem, passphrase, |pem, passphrase| match passphrase {
            None => PrivateKey::from_pem(pem),
            Some(passphrase) => PrivateKey::from_encrypted_pem(pem, passphrase),
        })
        .map(PyRsaPrivateKey::new)
    }

    /// The key of a document in DER, of the same kinds.
    #[staticmethod]
    #[pyo3(signature = (der, *, passphrase = None))]
    fn from_der(
        py: Python<'_>,
        der: &Bound<'_, PyAny>,
        passphrase: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<PyRsaPrivateKey> {
        read_key(py, der, passphrase, |der, passphrase| match passphrase {
            None => PrivateKey::from_der(der),
            Some(passphrase) => PrivateKey::from_encrypted_der(der, passphrase),
        })
        .map(PyRsaPrivateKey::new)
    }

    /// The key of a document in PEM or DER, whichever it is.
    #[staticmethod]
    #[pyo3(signature = (data, *, passphrase = None))]
    fn load(
        py: Python<'_>,
        data: &Bound<'_, PyAny>,
        passphrase: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<PyRsaPrivateKey> {
        read_key(py, data, passphrase, PrivateKey::load).map(PyRsaPrivateKey::new)
    }

    /// The key of its numbers. A prime that is missing is computed from the other one, and both are from d.
    #[staticmethod]
    #[pyo3(signature = (n, e, d, p = None, q = None))]
    fn from_numbers(
        py: Python<'_>,
        n: &Bound<'_, PyAny>,
        e: &Bound<'_, PyAny>,
        d: &Bound<'_, PyAny>,
        p: Option<&Bound<'_, PyAny>>,
        q: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<PyRsaPrivateKey> {
        let (n, e, d) = (number_of(n, "n")?, number_of(e, "e")?, number_of(d, "d")?);
        let read =
            |prime: Option<&Bound<'_, PyAny>>, name| prime.map(|prime| number_of(prime, name)).transpose();
        let primes: Vec<Octets> = [read(p, "p")?, read(q, "q")?].into_iter().flatten().collect();
        // The powers of a modulus of more bits are not computed.
        let words = n.len().min(2048) / 8 + 1;
        let work = 4 * power_work(0, 64 * words, words);
        let key = run(py, work, move || {
            let primes: Vec<&[u8]> = primes.iter().map(|prime| &prime[..]).collect();
            PrivateKey::from_numbers(&n, &e, &d, &primes)
        })?;
        key.map(PyRsaPrivateKey::new).map_err(refused)
    }

    /// All numbers of the key, for callers that compute with them elsewhere.
    fn private_numbers(&self, py: Python<'_>) -> PyResult<PyRsaPrivateNumbers> {
        let numbers = self.0.private_numbers();
        let public = self.0.public_key();
        let integer = |octets: &[u8]| Ok::<_, PyErr>(number(octets).into_pyobject(py)?.into_any());
        let other = |other: &monpro_rsa::OtherPrimeNumbers| {
            PyTuple::new(
                py,
                [integer(&other.prime)?, integer(&other.exponent)?, integer(&other.coefficient)?],
            )
        };
        let others = numbers.others.iter().map(other).collect::<PyResult<Vec<_>>>()?;
        Ok(PyRsaPrivateNumbers {
            n: integer(&public.n())?.unbind(),
            e: integer(&public.e())?.unbind(),
            d: integer(&numbers.d)?.unbind(),
            p: integer(&numbers.p)?.unbind(),
            q: integer(&numbers.q)?.unbind(),
            dp: integer(&numbers.dp)?.unbind(),
            dq: integer(&numbers.dq)?.unbind(),
            q_inverse: integer(&numbers.q_inverse)?.unbind(),
            others: PyTuple::new(py, others)?.unbind(),
            bits: public.bits(),
        })
    }

    /// The key in PEM: as PKCS#8 (pkcs8), encrypted if there is a passphrase, or as PKCS#1 (pkcs1).
    #[pyo3(signature = (*, format = "pkcs8", passphrase = None))]
    fn to_pem<'py>(
        &self,
        py: Python<'py>,
        format: &str,
        passphrase: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Bound<'py, PyString>> {
        Ok(match Format::of(format, passphrase)? {
            Format::Pkcs1 => PyString::new(py, &self.0.to_pkcs1_pem()),
            Format::Pkcs8 => PyString::new(py, &self.0.to_pem()),
            Format::Encrypted(passphrase) => {
                let pem = py.detach(|| with_random(|random| self.0.to_encrypted_pem(&passphrase, random)));
                PyString::new(py, &pem.map_err(refused)?)
            }
        })
    }

    /// The key in DER: as PKCS#8 (pkcs8), encrypted if there is a passphrase, or as PKCS#1 (pkcs1).
    #[pyo3(signature = (*, format = "pkcs8", passphrase = None))]
    fn to_der<'py>(
        &self,
        py: Python<'py>,
        format: &str,
        passphrase: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        Ok(match Format::of(format, passphrase)? {
            Format::Pkcs1 => PyBytes::new(py, &self.0.to_pkcs1_der()),
            Format::Pkcs8 => PyBytes::new(py, &self.0.to_der()),
            Format::Encrypted(passphrase) => {
                let der = py.detach(|| with_random(|random| self.0.to_encrypted_der(&passphrase, random)));
                PyBytes::new(py, &der.map_err(refused)?)
            }
        })
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

    /// The modulus.
    #[getter]
    fn n(&self) -> Number {
        number(&self.0.public_key().n())
    }

    /// The public exponent.
    #[getter]
    fn e(&self) -> Number {
        number(&self.0.public_key().e())
    }

    /// c^d mod n for a number below n, big-endian; in as many bytes as n has.
    fn raw<'py>(&self, py: Python<'py>, c: &Bound<'_, PyAny>) -> PyResult<Bound<'py, PyBytes>> {
        let (key, c) = (self.0.clone(), octets(c, "the number")?);
        let power =
            run(py, self.work(), move || with_random(|random| key.raw(&c, random)))?.map_err(refused)?;
        Ok(PyBytes::new(py, &power))
    }

    /// The message of a ciphertext.
    #[pyo3(signature = (ciphertext, *, padding = "oaep", hash = "sha256", mgf1_hash = None, label = None))]
    fn decrypt<'py>(
        &self,
        py: Python<'py>,
        ciphertext: &Bound<'_, PyAny>,
        padding: &str,
        hash: &str,
        mgf1_hash: Option<&str>,
        label: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let (ciphertext, label) =
            (octets(ciphertext, "the ciphertext")?, optional_octets(label, "the label")?);
        let [padding, hash] = [padding, hash].map(str::to_owned);
        let (mgf1_hash, key) = (mgf1_hash.map(str::to_owned), self.0.clone());
        let message = run(py, self.work() + hashing_work(label.as_deref()), move || {
            let scheme = encryption_scheme(&padding, &hash, mgf1_hash.as_deref(), label.as_deref())?;
            with_random(|random| key.decrypt(scheme, &ciphertext, random)).map_err(refused)
        })??;
        Ok(PyBytes::new(py, &message))
    }

    /// The signature of a message: bytes, a hash object of hashlib, or the hash itself if `prehashed`.
    #[pyo3(signature = (
        message, *, padding = None, hash = None, salt_length = None, mgf1_hash = None, prehashed = false
    ))]
    #[expect(clippy::too_many_arguments, reason = "Python's options are the function's arguments")]
    fn sign<'py>(
        &self,
        py: Python<'py>,
        message: &Bound<'_, PyAny>,
        padding: Option<&str>,
        hash: Option<&str>,
        salt_length: Option<&Bound<'_, PyAny>>,
        mgf1_hash: Option<&str>,
        prehashed: bool,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let options = SignatureOptions { padding, hash, salt_length, mgf1_hash };
        let message = Signed::of(message, prehashed)?;
        let (scheme, hash) = options.resolve(self.0.public_key(), message.hash_name())?;
        let (key, work) = (self.0.clone(), self.work() + hashing_work(message.message()));
        let signature = run(py, work, move || {
            with_random(|random| match &message {
                Signed::Message(message) => key.sign(scheme, hash, message, random),
                Signed::Hash { digest, .. } => key.sign_prehashed(scheme, hash, digest, random),
            })
        })?;
        Ok(PyBytes::new(py, &signature.map_err(refused)?))
    }

    fn __copy__(slf: Py<PyRsaPrivateKey>) -> Py<PyRsaPrivateKey> {
        slf
    }

    fn __deepcopy__(slf: Py<PyRsaPrivateKey>, _memo: &Bound<'_, PyAny>) -> Py<PyRsaPrivateKey> {
        slf
    }

    /// Always a TypeError, so that no key gets into a pickle by mistake.
    fn __reduce__(&self) -> PyResult<()> {
        Err(PyTypeError::new_err(
            "private keys are not pickled, since a pickle is not secret: write one on purpose by to_der()",
        ))
    }

    fn __repr__(&self) -> String {
        format!("<RsaPrivateKey of {} bits>", self.0.public_key().bits())
    }
}

/// How a private key is written.
enum Format {
    Pkcs1,
    Pkcs8,
    Encrypted(Octets),
}

impl Format {
    fn of(format: &str, passphrase: Option<&Bound<'_, PyAny>>) -> PyResult<Format> {
        match (is_pkcs1(format, "pkcs8")?, passphrase_of(passphrase)?) {
            (true, None) => Ok(Format::Pkcs1),
            (false, None) => Ok(Format::Pkcs8),
            (false, Some(passphrase)) => Ok(Format::Encrypted(passphrase)),
            (true, Some(_)) => Err(PyValueError::new_err(
                "PKCS#1 is not written encrypted: omit the passphrase, or the format",
            )),
        }
    }
}

impl PyRsaPrivateKey {
    fn new(key: PrivateKey) -> PyRsaPrivateKey {
        PyRsaPrivateKey(Arc::new(key))
    }

    /// The work of a private operation: two powers, each modulo a number of half the length.
    fn work(&self) -> u128 {
        let bits = self.0.public_key().bits() / 2;
        2 * power_work(0, bits, bits.div_ceil(64))
    }
}
