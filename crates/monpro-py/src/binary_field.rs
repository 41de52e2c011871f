//! The class BinaryField.

use crate::convert::{from_words, integer, natural, positive, type_name, value_error};
use crate::field_element::PyFieldElement;
use crate::kernel::{PyKernel, by_name};
use monpro::{BinaryField, FieldElement, FieldError};
use num_bigint::{BigUint, Sign};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;

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
        let field = py.detach(|| match kernel {
            None => BinaryField::new(&polynomial),
            Some(kernel) => BinaryField::with_kernel(kernel, &polynomial),
        });
        field.map(PyBinaryField).map_err(value_error)
    }

    /// k, the degree of the field over GF(2).
    #[getter]
    fn degree(&self) -> usize {
        self.0.degree()
    }

    /// The polynomial: bit i is the coefficient of xⁱ.
    #[getter]
    fn polynomial(&self) -> BigUint {
        from_words(self.0.modulus().number())
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
        let xs = self.elements(&xs)?;
        let inverses = py.detach(|| self.0.batch_inverse(&xs)).map_err(value_error)?;
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
fn polynomial(value: &Bound<'_, PyAny>) -> PyResult<Vec<u64>> {
    if let Ok(octets) = value.extract::<PyBackedBytes>() {
        return Ok(monpro::natural::from_be_bytes(&octets));
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
    BinaryField::polynomial_of(&exponents).map_err(value_error)
}

fn exponent(value: &Bound<'_, PyAny>) -> PyResult<usize> {
    let (sign, magnitude) = integer(value, "an exponent of the polynomial")?.into_parts();
    if sign == Sign::Minus {
        return Err(PyValueError::new_err(
            "an exponent of the polynomial is negative: it must be at least 0",
        ));
    }
    usize::try_from(magnitude).map_err(|_| value_error(FieldError::DegreeTooHigh { degree: usize::MAX }))
}
