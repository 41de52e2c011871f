//! The table of kernels.

use crate::convert::{Number, positive, size};
use monpro::ring::RingName;
use monpro::{Error, KERNELS, Kernel};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyString, PyType};

/// The most bits of an example, for which memory can be had everywhere.
const MOST_BITS: usize = 1 << 24;

/// One way to compute x·y·R⁻¹ mod n: a row of the table.
#[pyclass(name = "Kernel", module = "monpro", frozen)]
pub(crate) struct PyKernel(pub(crate) &'static Kernel);

#[pymethods]
impl PyKernel {
    /// The kernel of this name.
    #[new]
    fn new(name: &str) -> PyResult<PyKernel> {
        by_name(name).map(PyKernel)
    }

    /// The name in the table.
    #[getter]
    fn name(&self) -> &str {
        self.0.name
    }

    /// The bibliography key of the paper that describes the method.
    #[getter]
    fn paper(&self) -> &str {
        self.0.paper
    }

    /// "integers" or "gf2".
    #[getter]
    fn ring(&self) -> String {
        self.0.ring.to_string()
    }

    /// The bits of a word; R = 2^(radix_bits·s).
    #[getter]
    fn radix_bits(&self) -> u32 {
        self.0.radix_bits
    }

    /// The bound of operands and result.
    #[getter]
    fn bound(&self) -> &str {
        match self.0.ring {
            RingName::Integers => "x, y, z < n",
            RingName::BinaryPolynomials => "deg x, y, z < deg n",
        }
    }

    /// Whether this CPU has the instructions that the kernel needs.
    #[getter]
    fn available(&self) -> bool {
        self.0.is_available()
    }

    /// Why the kernel is not available; None if it is.
    #[getter]
    fn unavailable_reason(&self) -> Option<String> {
        (!self.0.is_available()).then(|| format!("needs {}", self.0.required_instructions()))
    }

    /// Whether the kernel takes the odd modulus n.
    fn supports(&self, n: &Bound<'_, PyAny>) -> PyResult<bool> {
        Ok(self.0.supports(&positive(n, "the modulus")?))
    }

    /// An odd modulus of exactly `bits` ≤ 2^24 bits that the kernel takes; None if there is none.
    fn example_modulus(&self, bits: &Bound<'_, PyAny>) -> PyResult<Option<Number>> {
        let bits = size(bits, "the number of bits", 0)?;
        if bits > MOST_BITS {
            let line = format!("the number of bits is {bits}: give at most {MOST_BITS}");
            return Err(PyValueError::new_err(line));
        }
        Ok(example_modulus(self.0, bits).map(Number::new))
    }

    fn __repr__(&self) -> String {
        format!("<Kernel {}>", self.0.name)
    }

    fn __eq__(&self, other: &PyKernel) -> bool {
        std::ptr::eq(self.0, other.0)
    }

    fn __hash__(&self, py: Python<'_>) -> PyResult<isize> {
        PyString::new(py, self.0.name).hash()
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> (Bound<'py, PyType>, (&'static str,)) {
        (slf.get_type(), (slf.get().0.name,))
    }
}

/// All kernels, available on this CPU or not.
#[pyfunction]
pub(crate) fn kernels() -> Vec<PyKernel> {
    KERNELS.iter().map(PyKernel).collect()
}

/// Selects the kernel of this name for every modulus that it takes, from now on.
#[pyfunction]
pub(crate) fn override_kernel(name: &str) -> PyResult<()> {
    by_name(name)?.override_selection().map_err(super::convert::value_error)
}

/// The address in this process of a kernel's compiled product ("mul") or square ("sqr"), for reports of code size.
#[pyfunction]
pub(crate) fn code_address(kernel: &str, operation: &str) -> PyResult<usize> {
    let (product, square) = by_name(kernel)?.code_addresses();
    match operation {
        "mul" => Ok(product),
        "sqr" => Ok(square),
        _ => Err(PyValueError::new_err("operation must be \"mul\" or \"sqr\"")),
    }
}

/// The kernel of this name. If there is none, the ValueError has the names that are most like it.
pub(crate) fn by_name(name: &str) -> PyResult<&'static Kernel> {
    Kernel::by_name(name).map_err(|error| match error {
        Error::UnknownKernel => Python::attach(|py| unknown(py, name)).unwrap_or_else(|error| error),
        other => super::convert::value_error(other),
    })
}

fn unknown(py: Python<'_>, name: &str) -> PyResult<PyErr> {
    let names: Vec<_> = KERNELS.iter().map(|kernel| kernel.name).collect();
    let close = py.import("difflib")?.call_method1("get_close_matches", (name, names, 3, 0.4))?;
    let close: Vec<String> = close.extract()?;
    let meant = if close.is_empty() { String::new() } else { format!("did you mean {}? ", close.join(", ")) };
    Ok(PyValueError::new_err(format!("no kernel {name:?}: {meant}monpro.kernels() lists all")))
}

/// An odd modulus of exactly `bits` bits that the kernel takes, if there is one. Its words are neither sparse
/// nor regular; if the kernel does not take such a modulus, a modulus of few terms is tried.
pub(crate) fn example_modulus(kernel: &Kernel, bits: usize) -> Option<Vec<u64>> {
    let top = bits.checked_sub(1)?;
    let mixed = |i: usize| (i as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let candidates: [&dyn Fn(usize) -> u64; 2] = [&mixed, &|i| if i == 0 { 0b10_1101 } else { 0 }];
    candidates.iter().find_map(|word| {
        let mut words: Vec<u64> = (0..bits.div_ceil(64)).map(word).collect();
        words[top / 64] = words[top / 64] & ((1 << (top % 64)) - 1) | 1 << (top % 64);
        words[0] |= 1;
        kernel.supports(&words).then_some(words)
    })
}
