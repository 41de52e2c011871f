//! The class FixedBase.

use crate::convert::{natural, size, value_error};
use crate::long::{power_work, run, slowness};
use crate::modulus::PyResidue;
use monpro::{FixedBase, Modulus, natural::bit_length};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::sync::Arc;

/// A residue with a table of its powers, for many exponents of at most e_bits bits.
#[pyclass(name = "FixedBase", module = "monpro", frozen)]
pub(crate) struct PyFixedBase {
    table: Arc<FixedBase>,
    modulus: Modulus,
}

#[pymethods]
impl PyFixedBase {
    #[new]
    fn new(py: Python<'_>, x: &PyResidue, e_bits: &Bound<'_, PyAny>) -> PyResult<PyFixedBase> {
        let e_bits = size(e_bits, "e_bits", 0)?;
        let (x, modulus) = (x.0.clone(), x.0.modulus().clone());
        let table =
            run(py, work(&modulus, e_bits), move || FixedBase::new(&x, e_bits))?.map_err(value_error)?;
        Ok(PyFixedBase { table: Arc::new(table), modulus })
    }

    /// The largest number of bits of an exponent.
    #[getter]
    fn e_bits(&self) -> usize {
        self.table.e_bits()
    }

    /// xᵉ for 0 ≤ e < 2^e_bits.
    fn pow(&self, py: Python<'_>, e: &Bound<'_, PyAny>) -> PyResult<PyResidue> {
        let e = natural(e, "the exponent e")?;
        let (bits, most) = (bit_length(&e), self.table.e_bits());
        if bits > most {
            let line = format!("the exponent e has {bits} bits: this table is for at most {most}");
            return Err(PyValueError::new_err(line));
        }
        let table = self.table.clone();
        run(py, work(&self.modulus, most) / 3, move || table.pow(&e)).map(PyResidue)
    }

    fn __repr__(&self) -> String {
        format!("<FixedBase for exponents of {} bits>", self.table.e_bits())
    }
}

/// The work of a table for exponents of e_bits bits, of which a power takes about a third.
fn work(modulus: &Modulus, e_bits: usize) -> u128 {
    power_work(0, e_bits, modulus.number().len()) * slowness(modulus.kernel())
}
