//! The class FixedBase.

use crate::convert::{abbreviated, natural, size, value_error};
use crate::long::{power_work, run, slowness};
use crate::residue::PyResidue;
use monpro::{FixedBase, Modulus, Residue, natural::bit_length};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyType;
use std::sync::Arc;

/// A residue with a table of its powers, for many exponents of at most exp_bits bits.
///
/// A pickle holds the residue and the number of bits; whoever reads it computes the table again.
#[pyclass(name = "FixedBase", module = "monpro", frozen)]
pub(crate) struct PyFixedBase {
    table: Arc<FixedBase>,
    base: Residue,
}

#[pymethods]
impl PyFixedBase {
    #[new]
    fn new(py: Python<'_>, base: &PyResidue, exp_bits: &Bound<'_, PyAny>) -> PyResult<PyFixedBase> {
        let exp_bits = size(exp_bits, "exp_bits", 0)?;
        let (base, x) = (base.0.clone(), base.0.clone());
        let table = run(py, work(base.modulus(), exp_bits), move || FixedBase::new(&x, exp_bits))?;
        Ok(PyFixedBase { table: Arc::new(table.map_err(value_error)?), base })
    }

    /// The residue.
    #[getter]
    fn base(&self) -> PyResidue {
        PyResidue(self.base.clone())
    }

    /// The largest number of bits of an exponent.
    #[getter]
    fn exp_bits(&self) -> usize {
        self.table.e_bits()
    }

    /// baseᵉ for e = exp, 0 ≤ e < 2^exp_bits.
    fn pow(&self, py: Python<'_>, exp: &Bound<'_, PyAny>) -> PyResult<PyResidue> {
        let e = natural(exp, "the exponent")?;
        let (bits, most) = (bit_length(&e), self.table.e_bits());
        if bits > most {
            let line = format!("the exponent has {bits} bits: this table is for at most {most}");
            return Err(PyValueError::new_err(line));
        }
        let table = self.table.clone();
        run(py, work(self.base.modulus(), most) / 3, move || table.pow(&e)).map(PyResidue)
    }

    fn __repr__(&self) -> String {
        let modulus = abbreviated(self.base.modulus().number());
        format!("<FixedBase modulo {modulus} for exponents of {} bits>", self.table.e_bits())
    }

    fn __copy__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __deepcopy__(slf: Py<Self>, _memo: &Bound<'_, PyAny>) -> Py<Self> {
        slf
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> (Bound<'py, PyType>, (PyResidue, usize)) {
        (slf.get_type(), (slf.get().base(), slf.get().exp_bits()))
    }
}

/// The work of a table for exponents of exp_bits bits, of which a power takes about a third.
fn work(modulus: &Modulus, exp_bits: usize) -> u128 {
    power_work(0, exp_bits, modulus.number().len()) * slowness(modulus.kernel())
}
