//! The private operation on the rows of a column.

use super::random::{System, with_random};
use super::{PyRsaPrivateKey, refused};
use crate::columns::{PyColumn, run};
use monpro_rsa::PrivateColumn;
use pyo3::prelude::*;

/// Computes c^d mod n for each number c of a column, as compute_columns does with `operands`, `out` and `statuses`: blinded
/// row by row, and checked.
#[pyfunction]
#[pyo3(signature = (key, numbers, out, width, statuses, *, threads = None, progress = None))]
#[expect(clippy::too_many_arguments, reason = "what is read and what is written, by name")]
pub(crate) fn compute_rsa_private_columns(
    py: Python<'_>,
    key: &PyRsaPrivateKey,
    numbers: PyRef<'_, PyColumn>,
    out: &Bound<'_, PyAny>,
    width: Option<usize>,
    statuses: &Bound<'_, PyAny>,
    threads: Option<&Bound<'_, PyAny>>,
    progress: Option<Py<PyAny>>,
) -> PyResult<()> {
    let operation = PrivateColumn::new(&key.0, || System);
    with_random(|_| Ok(run(py, &operation, &[numbers], out, width, statuses, threads, progress)))
        .map_err(refused)?
}
