//! Conversion of Python integers, names and errors.

use monpro::Method;
use monpro::ring::RingName;
use num_bigint::{BigInt, BigUint, Sign};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyInt;

/// A Python integer, or any object with `__index__`; error messages call it `name`.
pub(crate) fn integer(value: &Bound<'_, PyAny>, name: &str) -> PyResult<BigInt> {
    let index = match value.cast::<PyInt>() {
        Ok(integer) => integer.clone().into_any(),
        Err(_) => value.call_method0("__index__").map_err(|_| {
            PyTypeError::new_err(format!("{name} must be an integer, not {}", type_name(value)))
        })?,
    };
    index.extract()
}

/// A Python integer ≥ 0 as words.
pub(crate) fn natural(value: &Bound<'_, PyAny>, name: &str) -> PyResult<Vec<u64>> {
    match integer(value, name)?.into_parts() {
        (Sign::Minus, _) => Err(PyValueError::new_err(format!("{name} is negative: it must be at least 0"))),
        (_, magnitude) => Ok(magnitude.to_u64_digits()),
    }
}

/// A Python integer ≥ 1 as words.
pub(crate) fn positive(value: &Bound<'_, PyAny>, name: &str) -> PyResult<Vec<u64>> {
    match integer(value, name)?.into_parts() {
        (Sign::Plus, magnitude) => Ok(magnitude.to_u64_digits()),
        _ => Err(PyValueError::new_err(format!("{name} must be at least 1"))),
    }
}

/// The integer with these words.
pub(crate) fn from_words(words: &[u64]) -> BigUint {
    BigUint::new(words.iter().flat_map(|&word| [word as u32, (word >> 32) as u32]).collect())
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
