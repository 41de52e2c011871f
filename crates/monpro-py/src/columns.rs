//! Columns of numbers in buffers of Python's: one operation on many rows, on every core.

mod memory;

use crate::convert::{size, value_error};
use crate::rsa::random::{System, with_random};
use crate::rsa::refused;
use memory::{InPlace, Memory, Written};
use monpro::columns::{Column, ColumnError, Host, OPERATIONS, Operation, Primes, Results, Status, compute};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use rand_core::Rng;
use std::cell::RefCell;

/// The numbers of an operand, in a buffer that is read where it lies: big-endian, with any leading zeros.
///
/// With neither `width` nor `offsets`, all bytes are one number for all rows. With `width`, each row has so many bytes.
/// With `offsets`, a buffer of signed integers of `offset_bytes` bytes, 4 or 8, in the order of this machine, row i lies
/// between offset i and offset i + 1. `start` is the first row that counts, and `rows` is their number. Where the buffer
/// `validity` has the bit start + i clear, the lowest bit of a byte first, row i is null.
#[pyclass(name = "Column", module = "monpro._native", frozen)]
pub(crate) struct PyColumn {
    memory: Memory,
    layout: Layout,
    nulls: Vec<bool>,
}

enum Layout {
    Constant,
    Fixed { start: usize, width: usize, rows: usize },
    Variable(Vec<usize>),
}

#[pymethods]
impl PyColumn {
    #[new]
    #[pyo3(signature = (values, *, width = None, offsets = None, offset_bytes = 4, start = 0, rows = 0, validity = None))]
    #[expect(clippy::too_many_arguments, reason = "what describes a column, by name")]
    fn new(
        py: Python<'_>,
        values: &Bound<'_, PyAny>,
        width: Option<usize>,
        offsets: Option<&Bound<'_, PyAny>>,
        offset_bytes: usize,
        start: usize,
        rows: usize,
        validity: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<PyColumn> {
        let memory = Memory::of(values)?;
        let layout = match (width, offsets) {
            (None, None) => Layout::Constant,
            (Some(width), None) => {
                let start = start.checked_mul(width).ok_or_else(|| too_short("the start of the rows"))?;
                Layout::Fixed { start, width, rows }
            }
            (None, Some(offsets)) => {
                Layout::Variable(offsets_of(&Memory::of(offsets)?, py, offset_bytes, start, rows)?)
            }
            (Some(_), Some(_)) => {
                return Err(PyValueError::new_err("a column has a width or offsets: give one of them"));
            }
        };
        let nulls = validity.map(|bits| nulls_of(&Memory::of(bits)?, py, start, rows)).transpose()?;
        Ok(PyColumn { memory, layout, nulls: nulls.unwrap_or_default() })
    }
}

fn too_short(name: &str) -> PyErr {
    PyValueError::new_err(format!("{name} are beyond the end of the buffer: give all of it"))
}

/// The offsets of these rows, one more than there are rows.
fn offsets_of(
    memory: &Memory,
    py: Python<'_>,
    size: usize,
    start: usize,
    rows: usize,
) -> PyResult<Vec<usize>> {
    if !matches!(size, 4 | 8) {
        return Err(PyValueError::new_err(format!("offsets have 4 or 8 bytes, not {size}")));
    }
    let end = start.checked_add(rows).and_then(|end| end.checked_add(1)?.checked_mul(size));
    let Some(end) = end.filter(|&end| end <= memory.octet_count()) else {
        return Err(too_short("the offsets"));
    };
    let offset = |(row, octets): (usize, &[u8])| {
        let value = match *octets {
            [a, b, c, d] => i64::from(i32::from_ne_bytes([a, b, c, d])),
            _ => i64::from_ne_bytes(octets.try_into().expect("an offset has 4 or 8 bytes")),
        };
        usize::try_from(value).map_err(|_| PyValueError::new_err(format!("offset {row} is negative")))
    };
    memory.copy(py, start * size..end)?.chunks_exact(size).enumerate().map(offset).collect()
}

/// Which of these rows are null.
fn nulls_of(memory: &Memory, py: Python<'_>, start: usize, rows: usize) -> PyResult<Vec<bool>> {
    let end = start.checked_add(rows).filter(|&end| end.div_ceil(8) <= memory.octet_count());
    let Some(end) = end else { return Err(too_short("the bits of validity")) };
    let octets = memory.copy(py, start / 8..end.div_ceil(8))?;
    Ok((start..end).map(|row| octets[row / 8 - start / 8] >> (row % 8) & 1 == 0).collect())
}

/// Computes an operation on each row of its operands, without the GIL.
///
/// The result of row i is written big-endian to bytes width·i … width·(i + 1) − 1 of `out`, or without a width to as many
/// bytes as the last operand has in row i, one row after the other. `statuses` gets a byte for each row, of
/// `column_statuses`; where it is not 0, the result is 0. Nothing may share memory with `out` and `statuses`, and nobody
/// may write to the operands meanwhile: what the results would be is not defined.
///
/// `threads` are as many as there are cores by default. `progress` is called with the number of rows done and that of all.
/// If it raises an exception, or there is an interrupt, the call ends; some results are written then.
#[pyfunction]
#[pyo3(signature = (operation, operands, out, width, statuses, *, threads = None, progress = None))]
#[expect(clippy::too_many_arguments, reason = "what is read and what is written, by name")]
pub(crate) fn compute_columns(
    py: Python<'_>,
    operation: &str,
    operands: Vec<PyRef<'_, PyColumn>>,
    out: &Bound<'_, PyAny>,
    width: Option<usize>,
    statuses: &Bound<'_, PyAny>,
    threads: Option<&Bound<'_, PyAny>>,
    progress: Option<Py<PyAny>>,
) -> PyResult<()> {
    let run =
        |operation: &dyn Operation| run(py, operation, &operands, out, width, statuses, threads, progress);
    match OPERATIONS.iter().find(|named| named.name == operation).map(|named| named.operation) {
        Some(Some(operation)) => run(operation),
        Some(None) => {
            let primes = Primes::new(|octets: &mut [u8]| System.fill_bytes(octets));
            with_random(|_| Ok(run(&primes))).map_err(refused)?
        }
        None => Err(PyValueError::new_err(format!("no operation on columns has the name {operation:?}"))),
    }
}

/// The names of the operations, each with those of its operands.
#[pyfunction]
pub(crate) fn column_operations() -> Vec<(&'static str, Vec<&'static str>)> {
    OPERATIONS.iter().map(|named| (named.name, named.operands.to_vec())).collect()
}

/// The numbers of the statuses of rows, with what they say.
#[pyfunction]
pub(crate) fn column_statuses() -> Vec<(u8, &'static str)> {
    Status::ALL.iter().map(|&status| (status as u8, status.meaning())).collect()
}

/// Computes an operation on columns, as [`compute_columns`] says.
#[expect(clippy::too_many_arguments, reason = "those of the functions for Python")]
pub(crate) fn run(
    py: Python<'_>,
    operation: &dyn Operation,
    operands: &[PyRef<'_, PyColumn>],
    out: &Bound<'_, PyAny>,
    width: Option<usize>,
    statuses: &Bound<'_, PyAny>,
    threads: Option<&Bound<'_, PyAny>>,
    progress: Option<Py<PyAny>>,
) -> PyResult<()> {
    let threads = threads.map(|threads| size(threads, "the number of threads", 1)).transpose()?;
    let (out, statuses) = (Memory::writable(out, "out")?, Memory::writable(statuses, "statuses")?);
    let mut written = Written::default();
    written.add(&out, "out")?;
    written.add(&statuses, "statuses")?;
    operands.iter().try_for_each(|column| written.check(&column.memory))?;
    let error = RefCell::default();
    let in_place = |memory| InPlace { py, memory, error: &error };
    let inputs: Vec<InPlace<'_>> = operands.iter().map(|column| in_place(&column.memory)).collect();
    let columns = operands.iter().zip(&inputs).map(|(operand, input)| operand.column(input));
    let columns = columns.collect::<Result<Vec<_>, _>>().map_err(value_error)?;
    let (mut out, mut statuses) = (in_place(&out), in_place(&statuses));
    let mut results = match (width, operands.last().map(|column| &column.layout)) {
        (Some(width), _) => Results::fixed(&mut out, width),
        (None, Some(Layout::Fixed { width, .. })) => Results::fixed(&mut out, *width),
        (None, Some(Layout::Variable(offsets))) => {
            let rebased = offsets.iter().map(|offset| offset.saturating_sub(offsets[0])).collect();
            Results::variable(&mut out, rebased).map_err(value_error)?
        }
        _ => {
            return Err(PyValueError::new_err(
                "the last operand is a constant: give the width of the results",
            ));
        }
    };
    let mut caller = Caller { py, progress, error: &error };
    let outcome = compute(operation, &columns, &mut results, &mut statuses, threads, &mut caller);
    match error.take() {
        Some(error) => Err(error),
        None => outcome.map(|_| ()).map_err(value_error),
    }
}

impl PyColumn {
    /// The column with its octets.
    fn column<'a>(&self, octets: &'a InPlace<'_>) -> Result<Column<'a>, ColumnError> {
        let column = match &self.layout {
            Layout::Constant => return Ok(Column::constant(octets)),
            Layout::Fixed { start, width, rows } => Column::fixed_from(octets, *start, *width, *rows),
            Layout::Variable(offsets) => Column::variable(octets, offsets.clone()),
        };
        match self.nulls.is_empty() {
            true => column,
            false => column?.with_nulls(self.nulls.clone()),
        }
    }
}

/// The thread that has the GIL.
struct Caller<'a> {
    py: Python<'a>,
    progress: Option<Py<PyAny>>,
    /// The error that ends the computation.
    error: &'a RefCell<Option<PyErr>>,
}

impl Host for Caller<'_> {
    fn pause(&mut self, wait: &mut (dyn FnMut() + Send)) {
        self.py.detach(wait);
    }

    fn is_to_go_on(&mut self, done: usize, total: usize) -> bool {
        let told = self.progress.as_ref().map(|progress| progress.call1(self.py, (done, total))).transpose();
        if let Err(error) = told.and_then(|_| self.py.check_signals()) {
            self.error.borrow_mut().get_or_insert(error);
        }
        self.error.borrow().is_none()
    }
}
