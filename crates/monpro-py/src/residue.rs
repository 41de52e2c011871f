//! The class Residue.

use crate::convert::{from_words, integer, method};
use crate::modulus::{PyModulus, not_invertible};
use monpro::ring::RingName;
use monpro::{Method, Residue};
use num_bigint::{BigInt, BigUint, Sign};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// A value modulo n in Montgomery form.
#[pyclass(name = "Residue", module = "monpro", frozen, eq)]
#[derive(PartialEq)]
pub(crate) struct PyResidue(pub(crate) Residue);

impl PyResidue {
    pub(crate) fn to_integer(&self, py: Python<'_>) -> PyResult<BigUint> {
        Ok(py.detach(|| from_words(&self.0.to_number())))
    }

    /// xᵉ; for a negative e, the power of the inverse, which exists over the integers if x and n share no
    /// factor.
    pub(crate) fn power(&self, py: Python<'_>, e: &Bound<'_, PyAny>, name: &str) -> PyResult<PyResidue> {
        let method = method(name)?;
        let (sign, magnitude) = integer(e, "the exponent e")?.into_parts();
        let inverse = match sign {
            Sign::Minus => Some(self.inverse()?),
            _ => None,
        };
        let x = inverse.as_ref().unwrap_or(&self.0);
        let (bits, e) = (magnitude.bits() as usize, magnitude.to_u64_digits());
        Ok(PyResidue(py.detach(|| match method {
            Method::BinaryVartime => x.pow_binary_vartime(&e),
            Method::FixedWindow => x.pow_bounded(&e, bits),
            Method::SlidingWindowVartime => x.pow_vartime(&e),
        })))
    }

    fn inverse(&self) -> PyResult<Residue> {
        let modulus = self.0.modulus();
        if modulus.kernel().ring == RingName::BinaryPolynomials {
            return Err(PyValueError::new_err("a negative exponent needs a kernel of the integers"));
        }
        let n = BigInt::from(from_words(modulus.number()));
        let inverse = BigInt::from(from_words(&self.0.to_number())).modinv(&n).ok_or_else(not_invertible)?;
        Ok(modulus.residue(&inverse.into_parts().1.to_u64_digits()))
    }

    fn check_same_modulus(&self, other: &PyResidue) -> PyResult<()> {
        if self.0.modulus() == other.0.modulus() {
            return Ok(());
        }
        Err(PyValueError::new_err("the residues have different moduli or kernels: they cannot be combined"))
    }
}

#[pymethods]
impl PyResidue {
    /// The modulus.
    #[getter]
    fn modulus(&self) -> PyModulus {
        PyModulus(self.0.modulus().clone())
    }

    /// The s words of the Montgomery form x·R mod n, lowest first.
    #[getter]
    fn words(&self) -> Vec<u64> {
        self.0.words()
    }

    fn __int__(&self, py: Python<'_>) -> PyResult<BigUint> {
        self.to_integer(py)
    }

    fn __add__(&self, other: &PyResidue) -> PyResult<PyResidue> {
        self.check_same_modulus(other)?;
        Ok(PyResidue(&self.0 + &other.0))
    }

    fn __sub__(&self, other: &PyResidue) -> PyResult<PyResidue> {
        self.check_same_modulus(other)?;
        Ok(PyResidue(&self.0 - &other.0))
    }

    fn __mul__(&self, other: &PyResidue) -> PyResult<PyResidue> {
        self.check_same_modulus(other)?;
        Ok(PyResidue(&self.0 * &other.0))
    }

    fn __neg__(&self) -> PyResidue {
        PyResidue(-&self.0)
    }

    fn __pow__(
        &self,
        py: Python<'_>,
        e: &Bound<'_, PyAny>,
        modulo: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<PyResidue> {
        match modulo {
            None => self.power(py, e, "fixed_window"),
            Some(_) => Err(PyValueError::new_err("a residue has its modulus: write x ** e")),
        }
    }

    fn __repr__(&self) -> String {
        let modulus = self.0.modulus();
        format!("<Residue modulo {} bits, kernel {}>", modulus.bits(), modulus.kernel().name)
    }
}
