//! The classes BinaryField and FieldElement.

use crate::convert::{Number, Words, integer, natural, positive, size, type_name, value_error};
use crate::kernel::{PyKernel, by_name};
use crate::long::{power_work, run, slowness};
use monpro::{BinaryField, FieldElement};
use num_bigint::BigInt;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::PyBytes;
use zeroize::Zeroizing;

/// The field GF(2^k) of the polynomials over GF(2) modulo an irreducible polynomial of degree k.
///
/// The polynomial is a list of exponents, an integer whose bit i is the coefficient of xⁱ, or big-endian
/// bytes.
#[pyclass(name = "BinaryField", module = "monpro", frozen, eq)]
#[derive(PartialEq)]
pub(crate) struct PyBinaryField(pub(crate) BinaryField);

#[pymethods]
impl PyBinaryField {
    #[new]
    #[pyo3(signature = (polynomial, *, kernel = None))]
    fn new(py: Python<'_>, polynomial: &Bound<'_, PyAny>, kernel: Option<&str>) -> PyResult<PyBinaryField> {
        let polynomial = self::polynomial(polynomial)?;
        let kernel = kernel.map(by_name).transpose()?;
        let work = power_work(0, 64 * polynomial.len(), polynomial.len()) * kernel.map_or(1, slowness);
        let field = run(py, work, move || match kernel {
            None => BinaryField::new(&polynomial),
            Some(kernel) => BinaryField::with_kernel(kernel, &polynomial),
        })?;
        field.map(PyBinaryField).map_err(value_error)
    }

    /// k, the degree of the field over GF(2).
    #[getter]
    fn degree(&self) -> usize {
        self.0.degree()
    }

    /// The polynomial: bit i is the coefficient of xⁱ.
    #[getter]
    fn polynomial(&self) -> Number {
        Number::new(self.0.modulus().number().to_vec())
    }

    /// ⌈k/8⌉, the number of bytes of an element.
    #[getter]
    fn octets(&self) -> usize {
        self.0.octets()
    }

    /// The kernel that computes the products.
    #[getter]
    fn kernel(&self) -> PyKernel {
        PyKernel(self.0.modulus().kernel())
    }

    /// The element whose coefficient of xⁱ is bit i of the integer.
    fn __call__(&self, x: &Bound<'_, PyAny>) -> PyResult<PyFieldElement> {
        self.0.element(&natural(x, "the element")?).map(PyFieldElement).map_err(value_error)
    }

    /// The element in these ⌈k/8⌉ bytes, the highest coefficients first.
    #[pyo3(name = "from_bytes")]
    fn element_from_bytes(&self, octets: PyBackedBytes) -> PyResult<PyFieldElement> {
        self.0.element_from_be_bytes(&octets).map(PyFieldElement).map_err(value_error)
    }

    /// Σ xᵢ·yᵢ, with one reduction for the whole sum.
    fn dot(
        &self,
        py: Python<'_>,
        xs: Vec<Py<PyFieldElement>>,
        ys: Vec<Py<PyFieldElement>>,
    ) -> PyResult<PyFieldElement> {
        let (xs, ys) = (self.elements(&xs)?, self.elements(&ys)?);
        py.detach(|| self.0.dot(&xs, &ys)).map(PyFieldElement).map_err(value_error)
    }

    /// The inverses of all elements, by a single inversion and three products for each element.
    fn batch_inverse(&self, py: Python<'_>, xs: Vec<Py<PyFieldElement>>) -> PyResult<Vec<PyFieldElement>> {
        let xs: Vec<FieldElement> = self.elements(&xs)?.into_iter().cloned().collect();
        let work =
            inverse_work(&self.0) + xs.len() as u128 * power_work(0, 0, self.0.modulus().number().len());
        let field = self.0.clone();
        let inverses = run(py, work, move || field.batch_inverse(&xs))?.map_err(value_error)?;
        Ok(inverses.into_iter().map(PyFieldElement).collect())
    }

    fn __repr__(&self) -> String {
        format!("<BinaryField of degree {}, kernel {}>", self.0.degree(), self.0.modulus().kernel().name)
    }
}

impl PyBinaryField {
    /// The elements in a list, which must be of this field.
    fn elements<'a>(&self, list: &'a [Py<PyFieldElement>]) -> PyResult<Vec<&'a FieldElement>> {
        let elements: Vec<_> = list.iter().map(|element| &element.get().0).collect();
        match elements.iter().all(|element| *element.field() == self.0) {
            true => Ok(elements),
            false => Err(PyValueError::new_err("an element is of another field: they cannot be combined")),
        }
    }
}

/// The polynomial given as a list of exponents, an integer or bytes.
fn polynomial(value: &Bound<'_, PyAny>) -> PyResult<Words> {
    if let Ok(octets) = value.extract::<PyBackedBytes>() {
        return Ok(Zeroizing::new(monpro::natural::from_be_bytes(&octets)));
    }
    if value.hasattr("__index__")? {
        return positive(value, "the polynomial");
    }
    let Ok(exponents) = value.extract::<Vec<Bound<'_, PyAny>>>() else {
        return Err(PyTypeError::new_err(format!(
            "the polynomial must be a list of exponents, an integer or bytes, not {}",
            type_name(value)
        )));
    };
    let exponents: Vec<usize> = exponents.iter().map(exponent).collect::<PyResult<_>>()?;
    BinaryField::polynomial_of(&exponents).map(Zeroizing::new).map_err(value_error)
}

fn exponent(value: &Bound<'_, PyAny>) -> PyResult<usize> {
    size(value, "an exponent of the polynomial", 0)
}

/// The work of an inverse, by division steps or, with a portable kernel, by Fermat's theorem.
fn inverse_work(field: &BinaryField) -> u128 {
    let (kernel, words) = (field.modulus().kernel(), field.modulus().number().len());
    match slowness(kernel) {
        1 => 16 * (field.degree() * words) as u128,
        slowness => slowness * power_work(0, field.degree(), words),
    }
}

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
        let x = self.0.clone();
        run(py, inverse_work(x.field()), move || x.inverse())?.map_err(value_error)
    }

    /// The work of a power to e_bits bits.
    fn work(&self, e_bits: usize) -> u128 {
        let modulus = self.0.field().modulus();
        power_work(0, e_bits, modulus.number().len()) * slowness(modulus.kernel())
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
    fn __int__(&self) -> Number {
        Number::new(self.0.to_number())
    }

    /// The polynomial in ⌈k/8⌉ bytes, the highest coefficients first.
    fn __bytes__<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &Zeroizing::new(self.0.to_be_bytes()))
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
        let e = integer(e, "the exponent e")?;
        let base = if e.is_negative { self.inverse(py)? } else { self.0.clone() };
        let bits = e.bits();
        run(py, self.work(bits), move || base.pow_bounded(&e.magnitude, bits)).map(PyFieldElement)
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
        let x = self.0.clone();
        let half_trace = run(py, self.work(x.field().degree()), move || x.half_trace())?;
        half_trace.map(PyFieldElement).map_err(value_error)
    }

    /// x^(2ⁿ), the n-th power of the Frobenius automorphism; n may be negative.
    fn frobenius(&self, py: Python<'_>, n: &Bound<'_, PyAny>) -> PyResult<PyFieldElement> {
        let degree = BigInt::from(self.0.field().degree());
        let remainder = integer(n, "n")?.to_big().modpow(&BigInt::from(1), &degree);
        let n = usize::try_from(remainder).expect("a remainder by the degree is as small as the degree");
        let x = self.0.clone();
        run(py, self.work(n), move || x.frobenius(n)).map(PyFieldElement)
    }

    fn __repr__(&self) -> String {
        format!("<FieldElement of GF(2^{})>", self.0.field().degree())
    }
}
