//! The classes BinaryField and FieldElement.

use crate::buffer;
use crate::convert::{Integer, Number, Words, integer, natural, positive, size, type_name, value_error};
use crate::kernel::{PyKernel, by_name};
use crate::long::{power_work, run, slowness};
use monpro::natural::bit_length;
use monpro::{BinaryField, FieldElement, FieldError, Modulus};
use num_bigint::BigInt;
use pyo3::exceptions::{PyTypeError, PyValueError, PyZeroDivisionError};
use pyo3::prelude::*;
use pyo3::types::{IntoPyDict, PyByteArray, PyBytes, PyInt, PyMemoryView};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Mutex;
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

    /// The field of this name, such as B-571 or AES.
    #[staticmethod]
    fn named(py: Python<'_>, name: &str) -> PyResult<PyBinaryField> {
        py.detach(|| BinaryField::named(name)).map(PyBinaryField).map_err(value_error)
    }

    /// The names that `named` knows.
    #[staticmethod]
    fn names() -> Vec<&'static str> {
        BinaryField::names().collect()
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
    fn element_from_bytes(&self, octets: &Bound<'_, PyAny>) -> PyResult<PyFieldElement> {
        let octets = buffer::octets(octets, "the element")?;
        self.0.element_from_be_bytes(octets.as_bytes()).map(PyFieldElement).map_err(value_error)
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

    /// Whether the element x generates the multiplicative group; for degrees up to 128.
    #[getter]
    fn is_primitive(&self) -> PyResult<bool> {
        self.0.is_primitive().map_err(value_error)
    }

    /// The generator of the multiplicative group that is the least as an integer; for degrees up to 128.
    #[getter]
    fn generator(&self) -> PyResult<PyFieldElement> {
        self.0.generator().map(PyFieldElement).map_err(value_error)
    }

    /// The array of elements of the field, by `monpro.arrays.FieldArray`, which needs NumPy.
    #[pyo3(signature = (data, *, copy = Some(true)))]
    fn array<'py>(
        slf: &Bound<'py, Self>,
        data: &Bound<'py, PyAny>,
        copy: Option<bool>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = slf.py();
        let arguments = [("copy", copy)].into_py_dict(py)?;
        py.import("monpro.arrays")?.getattr("FieldArray")?.call((slf, data), Some(&arguments))
    }

    /// Whether the value is an element of this field.
    fn __contains__(&self, value: &Bound<'_, PyAny>) -> bool {
        value.cast::<PyFieldElement>().is_ok_and(|element| *element.get().0.field() == self.0)
    }

    /// The elements in the order of their integers, 0 first.
    fn __iter__(&self) -> PyElements {
        PyElements { field: self.0.clone(), next: Some(Vec::new()) }
    }

    fn __hash__(&self) -> u64 {
        hash(self.0.modulus().number())
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Pickled<'py, (Number, Option<&'static str>)>> {
        let (polynomial, kernel) = parts(&self.0)?;
        Ok((helper(py, "restore_field")?, (polynomial, kernel)))
    }

    fn __copy__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    fn __deepcopy__<'py>(slf: Bound<'py, Self>, _memo: &Bound<'py, PyAny>) -> Bound<'py, Self> {
        slf
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

/// The elements of a field, one after the other.
#[pyclass(module = "monpro._native")]
struct PyElements {
    field: BinaryField,
    /// The next element as a number; None after the last one.
    next: Option<Vec<u64>>,
}

#[pymethods]
impl PyElements {
    fn __iter__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    fn __next__(&mut self) -> Option<PyFieldElement> {
        let mut number = self.next.take()?;
        let element = self.field.element(&number).ok()?;
        let carry = number.iter_mut().all(|word| {
            *word = word.wrapping_add(1);
            *word == 0
        });
        if carry {
            number.push(1);
        }
        self.next = Some(number);
        Some(PyFieldElement(element))
    }
}

/// The exponents, from k down, of the irreducible polynomial of degree k with the fewest terms, and among those of the
/// least one as an integer.
#[pyfunction]
pub(crate) fn irreducible_poly(py: Python<'_>, k: &Bound<'_, PyAny>) -> PyResult<Vec<usize>> {
    search(py, k, BinaryField::irreducible_polynomial)
}

/// The same of the primitive polynomials, for k up to 128.
#[pyfunction]
pub(crate) fn primitive_poly(py: Python<'_>, k: &Bound<'_, PyAny>) -> PyResult<Vec<usize>> {
    search(py, k, BinaryField::primitive_polynomial)
}

fn search(
    py: Python<'_>,
    k: &Bound<'_, PyAny>,
    find: fn(usize) -> Result<Vec<usize>, FieldError>,
) -> PyResult<Vec<usize>> {
    let k = size(k, "the degree k", 1)?;
    // About k/8 candidates are left by the sieve, each tested by k squares.
    let work = (k as u128).pow(2) / 8 * power_work(0, 0, k.div_ceil(64)) / 32;
    run(py, work, move || find(k))?.map_err(value_error)
}

/// What `__reduce__` returns.
type Pickled<'py, T> = (Bound<'py, PyAny>, T);

/// A function of the native module, by which an object is restored.
fn helper<'py>(py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
    py.import("monpro._native")?.getattr(name)
}

/// The polynomial, and the kernel's name if it is not the one that is chosen for the polynomial.
fn parts(field: &BinaryField) -> PyResult<(Number, Option<&'static str>)> {
    let polynomial = field.modulus().number();
    let name = field.modulus().kernel().name;
    let chosen = Modulus::of_polynomial(polynomial).map_err(value_error)?.kernel().name;
    Ok((Number::new(polynomial.to_vec()), (name != chosen).then_some(name)))
}

/// The field with this polynomial, of which a pickle tells.
#[pyfunction]
pub(crate) fn restore_field(
    py: Python<'_>,
    polynomial: &Bound<'_, PyAny>,
    kernel: Option<&str>,
) -> PyResult<PyBinaryField> {
    /// The last field that was restored. A list of elements names its field with each of them, and to test a polynomial
    /// takes longer than to restore an element.
    static LAST: Mutex<Option<(Option<String>, BinaryField)>> = Mutex::new(None);
    let number = positive(polynomial, "the polynomial")?;
    let last = LAST.lock().map_or(None, |last| last.clone());
    if let Some((its_kernel, field)) = last {
        if *field.modulus().number() == **number && its_kernel.as_deref() == kernel {
            return Ok(PyBinaryField(field));
        }
    }
    let field = PyBinaryField::new(py, polynomial, kernel)?;
    if let Ok(mut last) = LAST.lock() {
        *last = Some((kernel.map(String::from), field.0.clone()));
    }
    Ok(field)
}

/// The element of the field with this polynomial, of which a pickle tells.
#[pyfunction]
pub(crate) fn restore_element(
    py: Python<'_>,
    polynomial: &Bound<'_, PyAny>,
    kernel: Option<&str>,
    x: &Bound<'_, PyAny>,
) -> PyResult<PyFieldElement> {
    restore_field(py, polynomial, kernel)?.__call__(x)
}

fn hash(value: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

/// The polynomial given as a list of exponents, an integer or bytes.
fn polynomial(value: &Bound<'_, PyAny>) -> PyResult<Words> {
    // An array of numbers is rather a list of exponents.
    let is_octets = value.is_instance_of::<PyBytes>() || value.is_instance_of::<PyByteArray>();
    if is_octets || value.is_instance_of::<PyMemoryView>() {
        let octets = buffer::octets(value, "the polynomial")?;
        return Ok(Zeroizing::new(monpro::natural::from_be_bytes(octets.as_bytes())));
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
    let exponent = natural(value, "an exponent of the polynomial")?;
    match exponent[..] {
        [] => Ok(0),
        [word] if word <= BinaryField::MAX_DEGREE as u64 => Ok(word as usize),
        _ => Err(PyValueError::new_err(format!(
            "an exponent of the polynomial has {} bits: a field has degree {} at most",
            bit_length(&exponent),
            BinaryField::MAX_DEGREE
        ))),
    }
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
///
/// Two elements are equal if field, kernel and polynomial are. As with residues, an element equals the int that is its
/// value, and no other: F(3) == 3. So equal objects have equal hashes. In sums and products only the ints 0 and 1 are
/// elements.
#[pyclass(name = "FieldElement", module = "monpro", frozen)]
pub(crate) struct PyFieldElement(pub(crate) FieldElement);

impl PyFieldElement {
    /// The other operand as an element of this one's field: an element, or the integer 0 or 1. None if it is neither an
    /// element nor an integer.
    fn operand(&self, other: &Bound<'_, PyAny>) -> PyResult<Option<FieldElement>> {
        let field = self.0.field();
        if let Ok(other) = other.cast::<PyFieldElement>() {
            let other = &other.get().0;
            if field != other.field() {
                let line = "the elements are of different fields or kernels: they cannot be combined";
                return Err(PyValueError::new_err(line));
            }
            return Ok(Some(other.clone()));
        }
        let is_integer = other.is_instance_of::<PyInt>() || other.hasattr("__index__")?;
        let number = match is_integer.then(|| integer(other, "the other operand")) {
            Some(Ok(number)) => number,
            // Arrays have `__index__` too, but one that refuses.
            Some(Err(error)) if !error.is_instance_of::<PyTypeError>(other.py()) => return Err(error),
            _ => return Ok(None),
        };
        match number.magnitude[..] {
            [] => Ok(Some(field.zero())),
            [1] if !number.is_negative => Ok(Some(field.one())),
            _ => Err(PyTypeError::new_err(
                "an integer other than 0 and 1 is no element of a field GF(2^k): make one of it by calling the field",
            )),
        }
    }

    /// The result of an operation with another operand; NotImplemented if that is none.
    fn combine<'py>(
        &self,
        other: &Bound<'py, PyAny>,
        operation: impl FnOnce(&FieldElement, &FieldElement) -> PyResult<FieldElement>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = other.py();
        match self.operand(other)? {
            Some(other) => Ok(Bound::new(py, PyFieldElement(operation(&self.0, &other)?))?.into_any()),
            None => Ok(py.NotImplemented().into_bound(py)),
        }
    }

    fn inverse_of(py: Python<'_>, x: &FieldElement) -> PyResult<FieldElement> {
        let x = x.clone();
        run(py, inverse_work(x.field()), move || x.inverse())?.map_err(value_error)
    }

    /// The work of a power to e_bits bits.
    fn work(&self, e_bits: usize) -> u128 {
        let modulus = self.0.field().modulus();
        power_work(0, e_bits, modulus.number().len()) * slowness(modulus.kernel())
    }
}

/// x/y; ZeroDivisionError for y = 0.
fn quotient(py: Python<'_>, x: &FieldElement, y: &FieldElement) -> PyResult<FieldElement> {
    if y.is_zero() {
        return Err(PyZeroDivisionError::new_err("division by the element 0"));
    }
    Ok(x * &PyFieldElement::inverse_of(py, y)?)
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

    fn __add__<'py>(&self, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        self.combine(other, |x, y| Ok(x + y))
    }

    fn __radd__<'py>(&self, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        self.__add__(other)
    }

    fn __sub__<'py>(&self, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        self.__add__(other)
    }

    fn __rsub__<'py>(&self, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        self.__add__(other)
    }

    fn __mul__<'py>(&self, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        self.combine(other, |x, y| Ok(x * y))
    }

    fn __rmul__<'py>(&self, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        self.__mul__(other)
    }

    fn __truediv__<'py>(&self, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        self.combine(other, |x, y| quotient(other.py(), x, y))
    }

    fn __rtruediv__<'py>(&self, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        self.combine(other, |x, y| quotient(other.py(), y, x))
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
        let base = if e.is_negative { PyFieldElement::inverse_of(py, &self.0)? } else { self.0.clone() };
        let bits = e.bits();
        run(py, self.work(bits), move || base.pow_bounded(&e.magnitude, bits)).map(PyFieldElement)
    }

    /// x⁻¹.
    fn inv(&self, py: Python<'_>) -> PyResult<PyFieldElement> {
        PyFieldElement::inverse_of(py, &self.0).map(PyFieldElement)
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

    /// The multiplicative order, the least e > 0 with xᵉ = 1; for degrees up to 128. Its time depends on x.
    fn order(&self) -> PyResult<u128> {
        self.0.order_vartime().map_err(value_error)
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        let py = other.py();
        let is_equal = if let Ok(other) = other.cast::<PyFieldElement>() {
            self.0 == other.get().0
        } else if other.is_instance_of::<PyInt>() {
            let value = Integer::from_words(Zeroizing::new(self.0.to_number()));
            let other = integer(other, "the other")?;
            !other.is_negative && *value.magnitude == *other.magnitude
        } else {
            return Ok(py.NotImplemented());
        };
        Ok(is_equal.into_pyobject(py)?.to_owned().into_any().unbind())
    }

    fn __hash__(&self, py: Python<'_>) -> PyResult<isize> {
        self.__int__().into_pyobject(py)?.hash()
    }

    fn __reduce__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<Pickled<'py, (Number, Option<&'static str>, Number)>> {
        let (polynomial, kernel) = parts(self.0.field())?;
        Ok((helper(py, "restore_element")?, (polynomial, kernel, self.__int__())))
    }

    fn __copy__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    fn __deepcopy__<'py>(slf: Bound<'py, Self>, _memo: &Bound<'py, PyAny>) -> Bound<'py, Self> {
        slf
    }

    fn __repr__(&self) -> String {
        format!("<FieldElement of GF(2^{})>", self.0.field().degree())
    }
}
