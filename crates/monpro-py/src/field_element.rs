//! The class FieldElement.

use crate::binary_field::PyBinaryField;
use crate::convert::{from_words, integer, value_error};
use monpro::FieldElement;
use num_bigint::{BigInt, BigUint, Sign};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

/// An element of a BinaryField.
#[pyclass(name = "FieldElement", module = "monpro", frozen, eq)]
#[derive(PartialEq)]
pub(crate) struct PyFieldElement(pub(crate) FieldElement);

impl PyFieldElement {
    fn check_same_field(&self, other: &PyFieldElement) -> PyResult<()> {
        if self.0.field() == other.0.field() {
            return Ok(());
        }
        Err(PyValueError::new_err("the elements are of different fields or kernels: they cannot be combined"))
    }

    fn inverse(&self, py: Python<'_>) -> PyResult<FieldElement> {
        py.detach(|| self.0.inverse()).map_err(value_error)
    }
}

#[pymethods]
impl PyFieldElement {
    /// The field.
    #[getter]
    fn field(&self) -> PyBinaryField {
        PyBinaryField(self.0.field().clone())
    }

    /// The polynomial: bit i is the coefficient of xⁱ.
    fn __int__(&self) -> BigUint {
        from_words(&self.0.to_number())
    }

    /// The polynomial in ⌈k/8⌉ bytes, the highest coefficients first.
    fn __bytes__<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.0.to_be_bytes())
    }

    /// Whether the element is not 0.
    fn __bool__(&self) -> bool {
        !self.0.is_zero()
    }

    fn __add__(&self, other: &PyFieldElement) -> PyResult<PyFieldElement> {
        self.check_same_field(other)?;
        Ok(PyFieldElement(&self.0 + &other.0))
    }

    fn __sub__(&self, other: &PyFieldElement) -> PyResult<PyFieldElement> {
        self.__add__(other)
    }

    fn __mul__(&self, other: &PyFieldElement) -> PyResult<PyFieldElement> {
        self.check_same_field(other)?;
        Ok(PyFieldElement(&self.0 * &other.0))
    }

    fn __truediv__(&self, py: Python<'_>, other: &PyFieldElement) -> PyResult<PyFieldElement> {
        self.check_same_field(other)?;
        Ok(PyFieldElement(&self.0 * &other.inverse(py)?))
    }

    fn __neg__(&self) -> PyFieldElement {
        PyFieldElement(self.0.clone())
    }

    /// xᵉ; for a negative e, the power of the inverse.
    fn __pow__(
        &self,
        py: Python<'_>,
        e: &Bound<'_, PyAny>,
        modulo: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<PyFieldElement> {
        if modulo.is_some() {
            return Err(PyValueError::new_err("an element has its field: write x ** e"));
        }
        let (sign, magnitude) = integer(e, "the exponent e")?.into_parts();
        let base = match sign {
            Sign::Minus => self.inverse(py)?,
            _ => self.0.clone(),
        };
        let (bits, e) = (magnitude.bits() as usize, magnitude.to_u64_digits());
        Ok(PyFieldElement(py.detach(|| base.pow_bounded(&e, bits))))
    }

    /// x⁻¹.
    fn inv(&self, py: Python<'_>) -> PyResult<PyFieldElement> {
        self.inverse(py).map(PyFieldElement)
    }

    /// x².
    fn square(&self) -> PyFieldElement {
        PyFieldElement(self.0.square())
    }

    /// √x, the one element whose square is x.
    fn sqrt(&self) -> PyFieldElement {
        PyFieldElement(self.0.sqrt())
    }

    /// The trace Σ x^(2ⁱ) for 0 ≤ i < k: 0 or 1.
    fn trace(&self) -> u8 {
        self.0.trace().into()
    }

    /// The half-trace Σ x^(4ⁱ) for 0 ≤ i ≤ (k − 1)/2, for odd k: a solution z of z² + z = x + Tr(x).
    fn half_trace(&self, py: Python<'_>) -> PyResult<PyFieldElement> {
        py.detach(|| self.0.half_trace()).map(PyFieldElement).map_err(value_error)
    }

    /// x^(2ⁿ), the n-th power of the Frobenius automorphism; n may be negative.
    fn frobenius(&self, py: Python<'_>, n: &Bound<'_, PyAny>) -> PyResult<PyFieldElement> {
        let degree = BigInt::from(self.0.field().degree());
        let remainder = integer(n, "n")?.modpow(&BigInt::from(1), &degree);
        let n = usize::try_from(remainder).expect("a remainder by the degree is as small as the degree");
        Ok(PyFieldElement(py.detach(|| self.0.frobenius(n))))
    }

    fn __repr__(&self) -> String {
        format!("<FieldElement of GF(2^{})>", self.0.field().degree())
    }
}
