//! The class FixedBase.

use crate::convert::{natural, value_error};
use crate::modulus::PyResidue;
use monpro::{FixedBase, natural::bit_length};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// A residue with a table of its powers, for many exponents of at most e_bits bits.
#[pyclass(name = "FixedBase", module = "monpro", frozen)]
pub(crate) struct PyFixedBase(FixedBase);

#[pymethods]
impl PyFixedBase {
    #[new]
    fn new(py: Python<'_>, x: &PyResidue, e_bits: usize) -> PyResult<PyFixedBase> {
        py.detach(|| FixedBase::new(&x.0, e_bits)).map(PyFixedBase).map_err(value_error)
    }

    /// The largest number of bits of an exponent.
    #[getter]
    fn e_bits(&self) -> usize {
        self.0.e_bits()
    }

    /// xᵉ for 0 ≤ e < 2^e_bits.
    fn pow(&self, py: Python<'_>, e: &Bound<'_, PyAny>) -> PyResult<PyResidue> {
        let e = natural(e, "the exponent e")?;
        let (bits, most) = (bit_length(&e), self.0.e_bits());
        if bits > most {
            let line = format!("the exponent e has {bits} bits: this table is for at most {most}");
            return Err(PyValueError::new_err(line));
        }
        Ok(PyResidue(py.detach(|| self.0.pow(&e))))
    }

    fn __repr__(&self) -> String {
        format!("<FixedBase for exponents of {} bits>", self.0.e_bits())
    }
}
