//! Conversion of Python integers, names and errors.

use crate::binary_field::PyFieldElement;
use crate::residue::PyResidue;
use monpro::Method;
use monpro::natural::bit_length;
use monpro::ring::RingName;
use num_bigint::{BigInt, BigUint, Sign};
use num_integer::Integer as _;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBytes, PyInt, PyList, PyTuple};
use std::fmt::Display;
use std::ops::Range;
use zeroize::Zeroizing;

/// A number in words of 64 bits, the lowest first, erased when dropped.
pub(crate) type Words = Zeroizing<Vec<u64>>;

/// An integer from Python.
#[derive(Clone)]
pub(crate) struct Integer {
    pub(crate) is_negative: bool,
    /// The absolute value; its last word is not 0.
    pub(crate) magnitude: Words,
}

impl Integer {
    /// The number ≥ 0 with these words.
    pub(crate) fn from_words(mut magnitude: Words) -> Integer {
        let length = bit_length(&magnitude).div_ceil(64);
        magnitude.truncate(length);
        Integer { is_negative: false, magnitude }
    }

    /// The bit length of the absolute value.
    pub(crate) fn bits(&self) -> usize {
        bit_length(&self.magnitude)
    }

    /// The number modulo n ≥ 1.
    pub(crate) fn modulo(&self, n: &[u64]) -> Words {
        let remainder = self.to_big().mod_floor(&to_big(n).into());
        Zeroizing::new(remainder.magnitude().to_u64_digits())
    }

    /// The same for the arithmetic of num-bigint, which does not erase its numbers.
    pub(crate) fn to_big(&self) -> BigInt {
        let sign = if self.is_negative { Sign::Minus } else { Sign::Plus };
        BigInt::from_biguint(sign, to_big(&self.magnitude))
    }
}

/// A number ≥ 0 for Python.
pub(crate) struct Number(pub(crate) Words);

impl Number {
    pub(crate) fn new(words: Vec<u64>) -> Number {
        Number(Zeroizing::new(words))
    }
}

impl<'py> IntoPyObject<'py> for Number {
    type Target = PyInt;
    type Output = Bound<'py, PyInt>;
    type Error = PyErr;

    fn into_pyobject(self, py: Python<'py>) -> PyResult<Bound<'py, PyInt>> {
        match self.0[..] {
            [] => Ok(0u64.into_pyobject(py)?),
            [word] => Ok(word.into_pyobject(py)?),
            ref words => {
                let octets = PyBytes::new_with(py, 8 * words.len(), |octets| {
                    for (chunk, word) in octets.chunks_exact_mut(8).zip(words) {
                        chunk.copy_from_slice(&word.to_le_bytes());
                    }
                    Ok(())
                })?;
                let arguments = (octets, intern!(py, "little"));
                let integer = IntegerClass::of(py)?.from_bytes.bind(py).call1(arguments)?;
                Ok(integer.cast_into()?)
            }
        }
    }
}

/// An integer for Python.
pub(crate) struct Signed(pub(crate) BigInt);

impl<'py> IntoPyObject<'py> for Signed {
    type Target = PyAny;
    type Output = Bound<'py, PyAny>;
    type Error = PyErr;

    fn into_pyobject(self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let magnitude = Number::new(self.0.magnitude().to_u64_digits()).into_pyobject(py)?;
        match self.0.sign() {
            Sign::Minus => magnitude.neg(),
            _ => Ok(magnitude.into_any()),
        }
    }
}

/// A Python integer, or any object with `__index__`; error messages call it `name`.
pub(crate) fn integer(value: &Bound<'_, PyAny>, name: impl Display + Copy) -> PyResult<Integer> {
    let py = value.py();
    let value = plain_integer(value, name)?;
    let class = IntegerClass::of(py)?;
    let is_negative = value.lt(0)?;
    let magnitude = if is_negative { value.neg()? } else { value.into_any() };
    // A comparison costs a fraction of a method's call.
    if magnitude.lt(&class.two_to_64)? {
        let word: u64 = magnitude.extract()?;
        let magnitude = if word == 0 { Vec::new() } else { vec![word] };
        return Ok(Integer { is_negative, magnitude: Zeroizing::new(magnitude) });
    }
    let bits: usize = class.bit_length.bind(py).call1((&magnitude,))?.extract()?;
    let arguments = (&magnitude, 8 * bits.div_ceil(64), intern!(py, "little"));
    let octets = class.to_bytes.bind(py).call1(arguments)?.cast_into::<PyBytes>()?;
    let word = |chunk: &[u8]| u64::from_le_bytes(chunk.try_into().expect("a chunk has eight octets"));
    let words = octets.as_bytes().chunks_exact(8).map(word);
    Ok(Integer { is_negative, magnitude: Zeroizing::new(words.collect()) })
}

/// What conversions take from Python's class of integers. Looking a method up for each call costs more than many a
/// conversion.
struct IntegerClass {
    two_to_64: Py<PyAny>,
    bit_length: Py<PyAny>,
    to_bytes: Py<PyAny>,
    from_bytes: Py<PyAny>,
}

impl IntegerClass {
    fn of(py: Python<'_>) -> PyResult<&IntegerClass> {
        static CLASS: PyOnceLock<IntegerClass> = PyOnceLock::new();
        CLASS.get_or_try_init(py, || {
            let class = py.get_type::<PyInt>();
            Ok(IntegerClass {
                two_to_64: 1u8.into_pyobject(py)?.lshift(64)?.unbind(),
                bit_length: class.getattr("bit_length")?.unbind(),
                to_bytes: class.getattr("to_bytes")?.unbind(),
                from_bytes: class.getattr("from_bytes")?.unbind(),
            })
        })
    }
}

/// The value as an integer of Python's own class, whose methods can be relied on.
fn plain_integer<'py>(value: &Bound<'py, PyAny>, name: impl Display) -> PyResult<Bound<'py, PyInt>> {
    if let Ok(integer) = value.cast_exact::<PyInt>() {
        return Ok(integer.clone());
    }
    let py = value.py();
    // Their `__index__` is for Python's own functions. Here it would let moduli and fields mix unseen.
    let is_of_a_modulus = value.is_instance_of::<PyResidue>() || value.is_instance_of::<PyFieldElement>();
    if is_of_a_modulus || !value.hasattr(intern!(py, "__index__"))? {
        let hint = if is_of_a_modulus { ": take int() of it" } else { "" };
        let line = format!("{name} must be an integer, not {}{hint}", type_name(value));
        return Err(PyTypeError::new_err(line));
    }
    let plain = py.import(intern!(py, "operator"))?.call_method1(intern!(py, "index"), (value,))?;
    Ok(plain.cast_into()?)
}

/// The items of a pair (base, exponent), number `i` in its list.
pub(crate) fn pair<'py>(
    value: &Bound<'py, PyAny>,
    i: usize,
) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
    match items(value) {
        Some(items) if items.len() == 2 => Ok((items[0].clone(), items[1].clone())),
        items => {
            let given = items.map_or_else(|| type_name(value), |items| format!("{} items", items.len()));
            Err(PyTypeError::new_err(format!("pair {i}: give a pair (base, exponent), not {given}")))
        }
    }
}

/// The items of a tuple or a list; None for anything else.
pub(crate) fn items<'py>(value: &Bound<'py, PyAny>) -> Option<Vec<Bound<'py, PyAny>>> {
    if let Ok(tuple) = value.cast::<PyTuple>() {
        return Some(tuple.iter().collect());
    }
    value.cast::<PyList>().ok().map(|list| list.iter().collect())
}

/// A Python integer ≥ 0 as words.
pub(crate) fn natural(value: &Bound<'_, PyAny>, name: impl Display + Copy) -> PyResult<Words> {
    match integer(value, name)? {
        Integer { is_negative: true, .. } => Err(negative(name, 0)),
        Integer { magnitude, .. } => Ok(magnitude),
    }
}

/// A Python integer ≥ 1 as words.
pub(crate) fn positive(value: &Bound<'_, PyAny>, name: impl Display + Copy) -> PyResult<Words> {
    match integer(value, name)? {
        Integer { is_negative: false, magnitude } if !magnitude.is_empty() => Ok(magnitude),
        _ => Err(PyValueError::new_err(format!("{name} must be at least 1"))),
    }
}

/// A Python integer from `least` up as a size.
pub(crate) fn size(value: &Bound<'_, PyAny>, name: &str, least: usize) -> PyResult<usize> {
    let Integer { is_negative, magnitude } = integer(value, name)?;
    let size = match magnitude[..] {
        [] => 0,
        [word] => word.try_into().unwrap_or(usize::MAX),
        _ => usize::MAX,
    };
    match (is_negative, size) {
        (true, _) => Err(negative(name, least)),
        (false, usize::MAX) => {
            let line = format!("{name} has {} bits: give a smaller one", bit_length(&magnitude));
            Err(PyValueError::new_err(line))
        }
        (false, size) if size < least => {
            Err(PyValueError::new_err(format!("{name} is {size}: it must be at least {least}")))
        }
        (false, size) => Ok(size),
    }
}

fn negative(name: impl Display, least: usize) -> PyErr {
    PyValueError::new_err(format!("{name} is negative: it must be at least {least}"))
}

/// The number with these words for the arithmetic of num-bigint, which does not erase its numbers.
pub(crate) fn to_big(words: &[u64]) -> BigUint {
    BigUint::new(words.iter().flat_map(|&word| [word as u32, (word >> 32) as u32]).collect())
}

/// The error for a base that has no inverse where the exponent is negative.
pub(crate) fn not_invertible() -> PyErr {
    PyValueError::new_err(
        "the exponent is negative and the base has no inverse modulo n: they share a factor",
    )
}

/// The number as `repr` shows it: decimal up to 64 bits, else hexadecimal, and in the middle of a long one only dots.
pub(crate) fn abbreviated(words: &[u64]) -> String {
    const ENDS: usize = 12;
    let length = bit_length(words).div_ceil(4);
    let digit = |i: usize| char::from_digit((words[i / 16] >> (4 * (i % 16)) & 15) as u32, 16);
    let digits = |places: Range<usize>| places.rev().filter_map(digit).collect::<String>();
    match length {
        ..=16 => words.first().copied().unwrap_or(0).to_string(),
        _ if length <= 4 * ENDS => format!("0x{}", digits(0..length)),
        _ => format!("0x{}…{}", digits(length - ENDS..length), digits(0..ENDS)),
    }
}

/// An error in the caller's input, as a ValueError.
pub(crate) fn value_error(error: impl std::error::Error) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// The name of a value's type, for error messages.
pub(crate) fn type_name(value: &Bound<'_, PyAny>) -> String {
    value.get_type().name().map_or_else(|_| "?".into(), |name| name.to_string())
}

/// The ring of this name.
pub(crate) fn ring(name: &str) -> PyResult<RingName> {
    match name {
        "integers" => Ok(RingName::Integers),
        "gf2" => Ok(RingName::BinaryPolynomials),
        _ => Err(PyValueError::new_err(format!("no ring {name:?}: choose integers or gf2"))),
    }
}

/// The exponentiation method of this name.
pub(crate) fn method(name: &str) -> PyResult<Method> {
    match name {
        "binary_vartime" => Ok(Method::BinaryVartime),
        "fixed_window" => Ok(Method::FixedWindow),
        "sliding_window_vartime" => Ok(Method::SlidingWindowVartime),
        _ => Err(PyValueError::new_err(format!(
            "no method {name:?}: choose binary_vartime, fixed_window or sliding_window_vartime"
        ))),
    }
}
