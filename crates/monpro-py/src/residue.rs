//! The class Residue.

use crate::binary_field::PyFieldElement;
use crate::convert::{Integer, Number, abbreviated, integer, method, not_invertible};
use crate::euclid::inverse;
use crate::long::{is_long, power_work, product_work, run, slowness};
use crate::modulus::PyModulus;
use monpro::ring::RingName;
use monpro::{Method, Residue, natural};
use pyo3::exceptions::{PyTypeError, PyValueError, PyZeroDivisionError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyInt, PyList, PyString};
use zeroize::Zeroizing;

/// A value modulo n, between 0 and n − 1, in Montgomery form; made by calling a Modulus.
///
/// Residues of one modulus and kernel are added, subtracted, multiplied and divided; other residues are refused by a
/// ValueError. An int y on either side counts as modulus(y), so that sum and math.prod work; over GF(2)[x] it is 0 or 1. A
/// division by a residue that has no inverse is a ZeroDivisionError.
///
/// Two residues are equal if modulus, kernel and value are. A residue equals the int that is its value, and no other:
/// Modulus(7)(3) == 3, but != 10. So equal objects have equal hashes, as those of sets and dictionaries must. To compare
/// modulo n, write x == modulus(10).
///
/// int(x), operator.index(x), str(x) and format(x, "x") are those of the value; bytes(x) has it big-endian in as many
/// bytes as n has. The value is shown by repr, too: whoever keeps it from Python's tracebacks keeps it from Python.
#[pyclass(name = "Residue", module = "monpro", frozen)]
pub(crate) struct PyResidue(pub(crate) Residue);

/// Of so few words, a product by the slowest kernel is not long: 2·64²·2048 < 2^26. The work need not be computed.
const ALWAYS_SHORT_WORDS: usize = 64;

/// A function of two residues of one modulus.
type Operation = fn(&Residue, &Residue) -> Residue;

/// A residue, or NotImplemented.
type Outcome = PyResult<Option<Residue>>;

impl PyResidue {
    pub(crate) fn to_integer(&self, py: Python<'_>) -> PyResult<Number> {
        let residue = self.0.clone();
        run(py, self.work(0), move || Number::new(residue.to_number()))
    }

    /// The work of a power to e_bits bits.
    fn work(&self, e_bits: usize) -> u128 {
        let modulus = self.0.modulus();
        power_work(0, e_bits, modulus.number().len()) * slowness(modulus.kernel())
    }

    /// xᵉ; for a negative e, the power of the inverse, which exists over the integers if x and n share no
    /// factor.
    pub(crate) fn power(&self, py: Python<'_>, e: &Bound<'_, PyAny>, name: &str) -> PyResult<PyResidue> {
        let method = method(name)?;
        let e = integer(e, "the exponent")?;
        let (x, bits) = (self.0.clone(), e.bits());
        let power = run(py, self.work(bits), move || {
            let x = if e.is_negative { inverse(&x)?.ok_or_else(not_invertible)? } else { x };
            Ok(match method {
                Method::BinaryVartime => x.pow_binary_vartime(&e.magnitude),
                Method::FixedWindow => x.pow_bounded(&e.magnitude, bits),
                Method::SlidingWindowVartime => x.pow_vartime(&e.magnitude),
            })
        })?;
        power.map(PyResidue)
    }

    fn check_same_modulus(&self, other: &Residue) -> PyResult<()> {
        if self.0.modulus() == other.modulus() {
            return Ok(());
        }
        Err(PyValueError::new_err("the residues have different moduli or kernels: they cannot be combined"))
    }

    /// The residue that the other operand stands for: itself, or an integer modulo n. None for what is neither, which may
    /// know by itself what to do, as an array does.
    fn operand(&self, other: &Bound<'_, PyAny>) -> Outcome {
        if let Ok(other) = other.cast::<PyResidue>() {
            self.check_same_modulus(&other.get().0)?;
            return Ok(Some(other.get().0.clone()));
        }
        if !is_integer(other)? {
            return Ok(None);
        }
        let modulus = self.0.modulus();
        if modulus.kernel().ring == RingName::BinaryPolynomials {
            let Integer { is_negative, magnitude } = integer(other, "the other operand")?;
            return match magnitude[..] {
                [] => Ok(Some(modulus.zero())),
                [1] if !is_negative => Ok(Some(modulus.one())),
                _ => Err(PyTypeError::new_err(
                    "an integer other than 0 and 1 is no polynomial over GF(2): make a residue of it by calling the modulus",
                )),
            };
        }
        let modulus = PyModulus(modulus.clone());
        modulus.residue(other.py(), other, "the other operand").map(|residue| Some(residue.0))
    }

    /// operation(x, y), or operation(y, x) for reflected operands.
    fn combined(&self, other: &Bound<'_, PyAny>, operation: Operation, is_reflected: bool) -> Outcome {
        let words = self.0.modulus().number().len();
        let is_short = words < ALWAYS_SHORT_WORDS || !is_long(self.product_work());
        if let (true, Ok(other)) = (is_short, other.cast_exact::<PyResidue>()) {
            let other = &other.get().0;
            self.check_same_modulus(other)?;
            return Ok(Some(if is_reflected {
                operation(other, &self.0)
            } else {
                operation(&self.0, other)
            }));
        }
        let Some(y) = self.operand(other)? else { return Ok(None) };
        let (left, right) = if is_reflected { (y, self.0.clone()) } else { (self.0.clone(), y) };
        run(other.py(), self.product_work(), move || Some(operation(&left, &right)))
    }

    fn product_work(&self) -> u128 {
        let modulus = self.0.modulus();
        product_work(modulus.number().len()) * slowness(modulus.kernel())
    }

    /// x/y or, for reflected operands, y/x.
    fn quotient(&self, other: &Bound<'_, PyAny>, is_reflected: bool) -> Outcome {
        let Some(y) = self.operand(other)? else { return Ok(None) };
        let (dividend, divisor) = if is_reflected { (y, self.0.clone()) } else { (self.0.clone(), y) };
        let quotient = run(other.py(), self.work(0), move || {
            let inverse = inverse(&divisor)?.ok_or_else(|| {
                let is_zero = divisor == divisor.modulus().zero();
                PyZeroDivisionError::new_err(match is_zero {
                    true => "division by the residue 0",
                    false => "the divisor has no inverse modulo n: they share a factor",
                })
            })?;
            Ok(&dividend * &inverse)
        })?;
        quotient.map(Some)
    }
}

/// Whether an operand stands for an integer: an int, or an object with `__index__` that is no array and no element of a
/// field.
fn is_integer(value: &Bound<'_, PyAny>) -> PyResult<bool> {
    let py = value.py();
    if value.is_instance_of::<PyInt>() {
        return Ok(true);
    }
    if value.is_instance_of::<PyFieldElement>() || !value.hasattr(intern!(py, "__index__"))? {
        return Ok(false);
    }
    match value.getattr_opt(intern!(py, "ndim"))? {
        Some(dimensions) => dimensions.eq(0),
        None => Ok(true),
    }
}

/// A residue for Python.
fn answer(py: Python<'_>, outcome: Outcome) -> PyResult<Py<PyAny>> {
    match outcome? {
        Some(residue) => Ok(Py::new(py, PyResidue(residue))?.into_any()),
        None => Ok(py.NotImplemented()),
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
    fn words<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        PyList::new(py, Zeroizing::new(self.0.words()).iter())
    }

    fn __int__(&self, py: Python<'_>) -> PyResult<Number> {
        self.to_integer(py)
    }

    fn __index__(&self, py: Python<'_>) -> PyResult<Number> {
        self.to_integer(py)
    }

    /// The value in as many bytes as the modulus has, big-endian.
    fn __bytes__<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        let length = self.0.modulus().bits().div_ceil(8);
        let number = Zeroizing::new(self.0.to_number());
        PyBytes::new(py, &Zeroizing::new(natural::to_be_bytes(&number, length)))
    }

    /// Whether the residue is not 0.
    fn __bool__(&self) -> bool {
        self.0 != self.0.modulus().zero()
    }

    fn __add__(&self, py: Python<'_>, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        answer(py, self.combined(other, |x, y| x + y, false))
    }

    fn __radd__(&self, py: Python<'_>, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        answer(py, self.combined(other, |x, y| x + y, true))
    }

    fn __sub__(&self, py: Python<'_>, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        answer(py, self.combined(other, |x, y| x - y, false))
    }

    fn __rsub__(&self, py: Python<'_>, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        answer(py, self.combined(other, |x, y| x - y, true))
    }

    fn __mul__(&self, py: Python<'_>, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        answer(py, self.combined(other, |x, y| x * y, false))
    }

    fn __rmul__(&self, py: Python<'_>, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        answer(py, self.combined(other, |x, y| x * y, true))
    }

    fn __truediv__(&self, py: Python<'_>, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        answer(py, self.quotient(other, false))
    }

    fn __rtruediv__(&self, py: Python<'_>, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        answer(py, self.quotient(other, true))
    }

    fn __neg__(&self) -> PyResidue {
        PyResidue(-&self.0)
    }

    fn __pos__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    /// xᵉ for an int e; for a negative e, the power of the inverse.
    fn __pow__(
        &self,
        py: Python<'_>,
        exp: &Bound<'_, PyAny>,
        modulo: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<PyResidue> {
        match modulo {
            None => self.power(py, exp, "fixed_window"),
            Some(_) => Err(PyValueError::new_err("a residue has its modulus: write x ** e")),
        }
    }

    fn __eq__(&self, py: Python<'_>, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        let is_equal = if let Ok(other) = other.cast::<PyResidue>() {
            self.0 == other.get().0
        } else if other.is_instance_of::<PyInt>() {
            let Integer { is_negative, magnitude } = integer(other, "the other")?;
            let value = self.to_integer(py)?.0;
            !is_negative && value[..natural::bit_length(&value).div_ceil(64)] == magnitude[..]
        } else {
            return Ok(py.NotImplemented());
        };
        Ok(is_equal.into_pyobject(py)?.to_owned().into_any().unbind())
    }

    fn __hash__(&self, py: Python<'_>) -> PyResult<isize> {
        self.to_integer(py)?.into_pyobject(py)?.hash()
    }

    fn __str__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyString>> {
        self.to_integer(py)?.into_pyobject(py)?.str()
    }

    fn __format__<'py>(&self, py: Python<'py>, spec: &Bound<'py, PyString>) -> PyResult<Bound<'py, PyAny>> {
        self.to_integer(py)?.into_pyobject(py)?.call_method1(intern!(py, "__format__"), (spec,))
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let value = self.to_integer(py)?.0;
        Ok(format!("<Residue {} modulo {}>", abbreviated(&value), abbreviated(self.0.modulus().number())))
    }

    fn __copy__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __deepcopy__(slf: Py<Self>, _memo: &Bound<'_, PyAny>) -> Py<Self> {
        slf
    }

    fn __reduce__(&self, py: Python<'_>) -> PyResult<(PyModulus, (Number,))> {
        Ok((self.modulus(), (self.to_integer(py)?,)))
    }
}
