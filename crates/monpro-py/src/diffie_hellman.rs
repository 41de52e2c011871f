//! The classes Group and PrivateKey of monpro.dh.

use crate::binary_field::PyFieldElement;
use crate::buffer;
use crate::convert::{Number, Words, natural, positive, value_error};
use crate::long::{power_work, run, slowness};
use crate::modulus::PyModulus;
use monpro::BinaryField;
use monpro::diffie_hellman::{Group, PrivateKey};
use monpro::natural::bit_length;
use monpro::ring::RingName;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyTuple};
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use zeroize::Zeroizing;

/// The powers of a generator modulo a prime, or in a binary field.
#[pyclass(name = "Group", module = "monpro.dh", frozen, eq)]
#[derive(PartialEq)]
pub(crate) struct PyGroup(Group);

#[pymethods]
impl PyGroup {
    /// The group of this name: modp2048 … modp8192 of RFC 3526, ffdhe2048 … ffdhe8192 of RFC 7919.
    #[staticmethod]
    fn named(py: Python<'_>, name: &str) -> PyResult<PyGroup> {
        py.detach(|| Group::named(name)).map(PyGroup).map_err(value_error)
    }

    /// The names that `named` knows.
    #[staticmethod]
    fn names() -> Vec<&'static str> {
        Group::names().collect()
    }

    /// The powers of g modulo the prime p; order is the prime order of g, if it is known.
    #[staticmethod]
    #[pyo3(signature = (p, g, order = None))]
    fn integers(
        py: Python<'_>,
        p: &Bound<'_, PyAny>,
        g: &Bound<'_, PyAny>,
        order: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<PyGroup> {
        let (p, g) = (positive(p, "the modulus p")?, natural(g, "the generator g")?);
        let order = optional_order(order)?;
        let work = power_work(g.len(), order.as_ref().map_or(0, |order| bit_length(order)), p.len());
        let group = run(py, work, move || Group::integers(&p, &g, order.as_deref().map(Vec::as_slice)))?;
        group.map(PyGroup).map_err(value_error)
    }

    /// The powers of an element of a binary field; order is the order of that element, if it is known.
    #[staticmethod]
    #[pyo3(signature = (generator, order = None))]
    fn binary_field(
        py: Python<'_>,
        generator: &PyFieldElement,
        order: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<PyGroup> {
        let order = optional_order(order)?;
        let generator = generator.0.clone();
        let modulus = generator.field().modulus();
        let bits = order.as_ref().map_or(0, |order| bit_length(order));
        let work = power_work(0, bits, modulus.number().len()) * slowness(modulus.kernel());
        let group =
            run(py, work, move || Group::binary_field(&generator, order.as_deref().map(Vec::as_slice)))?;
        group.map(PyGroup).map_err(value_error)
    }

    /// The prime p, or the polynomial of the field.
    #[getter]
    fn modulus(&self) -> PyModulus {
        PyModulus(self.0.modulus().clone())
    }

    /// The generator.
    #[getter]
    fn generator(&self) -> Number {
        Number::new(self.0.generator().to_number())
    }

    /// The number of bytes of a public value and of a secret.
    #[getter]
    fn octets(&self) -> usize {
        self.0.octets()
    }

    /// The number of random bytes that a private key needs.
    #[getter]
    fn private_octets(&self) -> usize {
        self.0.private_octets()
    }

    /// A new private key, from random bytes of the module secrets.
    fn generate(&self, py: Python<'_>) -> PyResult<PyPrivateKey> {
        let random = py.import("secrets")?.call_method1("token_bytes", (self.private_octets(),))?;
        self.private_key(py, &random)
    }

    /// The private key with these bytes, big-endian, as its exponent.
    fn private_key(&self, py: Python<'_>, octets: &Bound<'_, PyAny>) -> PyResult<PyPrivateKey> {
        let octets = Zeroizing::new(buffer::octets(octets, "the private key")?.as_bytes().to_vec());
        let group = self.0.clone();
        let key = run(py, work(&group), move || group.private_key(&octets))?;
        key.map(PyPrivateKey).map_err(value_error)
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        (self.0.modulus().number(), self.0.generator().words()).hash(&mut hasher);
        hasher.finish()
    }

    fn __copy__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __deepcopy__(slf: Py<Self>, _memo: &Bound<'_, PyAny>) -> Py<Self> {
        slf
    }

    /// The constructor with its arguments, which are checked anew when the pickle is read.
    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let (py, group) = (slf.py(), &slf.get().0);
        let (modulus, generator) = (group.modulus(), group.generator().to_number());
        let order = group.order().map(|order| Number::new(order.to_vec()));
        let (constructor, arguments) = if let Some(name) = group.name() {
            ("named", (name,).into_pyobject(py)?)
        } else if modulus.kernel().ring == RingName::Integers {
            let [p, g] = [modulus.number().to_vec(), generator].map(Number::new);
            ("integers", (p, g, order).into_pyobject(py)?)
        } else {
            let field = BinaryField::with_kernel(modulus.kernel(), modulus.number()).map_err(value_error)?;
            let generator = field.element(&generator).map_err(value_error)?;
            ("binary_field", (PyFieldElement(generator), order).into_pyobject(py)?)
        };
        Ok((slf.get_type().getattr(constructor)?, arguments))
    }

    fn __repr__(&self) -> String {
        let modulus = self.0.modulus();
        format!("<Group modulo {} bits, kernel {}>", modulus.bits(), modulus.kernel().name)
    }
}

/// The work of a power to a private exponent.
fn work(group: &Group) -> u128 {
    let modulus = group.modulus();
    power_work(0, 8 * group.private_octets(), modulus.number().len()) * slowness(modulus.kernel())
}

fn optional_order(order: Option<&Bound<'_, PyAny>>) -> PyResult<Option<Words>> {
    order.map(|order| positive(order, "the order")).transpose()
}

/// A private key of a Group.
#[pyclass(name = "PrivateKey", module = "monpro.dh", frozen)]
pub(crate) struct PyPrivateKey(PrivateKey);

#[pymethods]
impl PyPrivateKey {
    /// The group.
    #[getter]
    fn group(&self) -> PyGroup {
        PyGroup(self.0.group().clone())
    }

    /// The public value, to be sent to the peer: big-endian, with leading zeros.
    #[getter]
    fn public<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, self.0.public_value())
    }

    /// The secret shared with the peer who sent this public value: big-endian, with leading zeros.
    fn agree<'py>(&self, py: Python<'py>, peer_public: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyBytes>> {
        let peer_public = buffer::octets(peer_public, "the public value")?.as_bytes().to_vec();
        let key = self.0.clone();
        let secret =
            run(py, 2 * work(self.0.group()), move || key.agree(&peer_public))?.map_err(value_error)?;
        Ok(PyBytes::new(py, secret.octets()))
    }

    fn __copy__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __deepcopy__(slf: Py<Self>, _memo: &Bound<'_, PyAny>) -> Py<Self> {
        slf
    }

    fn __reduce__(&self) -> PyResult<()> {
        Err(PyTypeError::new_err(
            "a private key is not pickled, since a pickle would hold its secret: give Group.private_key the same bytes",
        ))
    }

    fn __repr__(&self) -> String {
        format!("<PrivateKey modulo {} bits>", self.0.group().modulus().bits())
    }
}
