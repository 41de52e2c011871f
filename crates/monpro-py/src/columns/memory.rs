//! Memory of Python's objects that is read and written where it lies.
//!
//! Other threads of Python may write to it at any time, so that no slice of Rust's can stand for it. Some rows are copied
//! at a time, by Python's own functions and with the GIL: they would have to be turned into words anyway.

use monpro::columns::{Octets, OctetsMut};
use pyo3::buffer::PyBuffer;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyMemoryView, PySlice};
use std::cell::RefCell;
use std::ops::Range;

/// The octets of an object with a contiguous buffer.
pub(super) struct Memory {
    view: Py<PyAny>,
    /// It keeps the memory at its place.
    buffer: PyBuffer<u8>,
}

impl Memory {
    pub(super) fn of(value: &Bound<'_, PyAny>) -> PyResult<Memory> {
        let py = value.py();
        let view = PyMemoryView::from(value)
            .map_err(|_| PyTypeError::new_err("a column needs an object with a buffer, such as bytes"))?;
        if !view.getattr("c_contiguous")?.extract::<bool>()? {
            return Err(PyValueError::new_err("the buffer of a column is not contiguous: give a copy of it"));
        }
        // An empty view cannot be cast, and has nothing to read or write.
        let view = match view.getattr("nbytes")?.extract::<usize>()? {
            0 => PyMemoryView::from(PyByteArray::new(py, &[]).as_any())?.into_any(),
            _ => view.call_method1("cast", ("B",))?,
        };
        Ok(Memory { buffer: PyBuffer::get(&view)?, view: view.unbind() })
    }

    /// The same of a buffer that can be written; error messages call it `name`.
    pub(super) fn writable(value: &Bound<'_, PyAny>, name: &str) -> PyResult<Memory> {
        match Memory::of(value)? {
            memory if memory.buffer.readonly() => {
                Err(PyTypeError::new_err(format!("{name} cannot be written: give a bytearray or an array")))
            }
            memory => Ok(memory),
        }
    }

    /// A copy of these octets, which exist.
    pub(super) fn copy(&self, py: Python<'_>, places: Range<usize>) -> PyResult<Vec<u8>> {
        let mut copy = vec![0; places.len()];
        self.part(py, places)?.copy_to_slice(py, &mut copy)?;
        Ok(copy)
    }

    pub(super) fn octet_count(&self) -> usize {
        self.buffer.len_bytes()
    }

    fn part(&self, py: Python<'_>, places: Range<usize>) -> PyResult<PyBuffer<u8>> {
        let slice = PySlice::new(py, places.start as isize, places.end as isize, 1);
        PyBuffer::get(&self.view.bind(py).get_item(slice)?)
    }

    fn addresses(&self) -> Range<usize> {
        let start = self.buffer.buf_ptr() as usize;
        start..start + self.buffer.len_bytes()
    }
}

/// The memory that is written, which nothing else may share.
#[derive(Default)]
pub(super) struct Written(Vec<(Range<usize>, &'static str)>);

impl Written {
    /// Adds memory; an error if it shares some with what was added before.
    pub(super) fn add(&mut self, memory: &Memory, name: &'static str) -> PyResult<()> {
        self.check(memory)?;
        self.0.push((memory.addresses(), name));
        Ok(())
    }

    /// An error if this memory is written, too.
    pub(super) fn check(&self, memory: &Memory) -> PyResult<()> {
        let other = memory.addresses();
        match self.0.iter().find(|(written, _)| written.start < other.end && other.start < written.end) {
            None => Ok(()),
            Some((_, name)) => {
                let line = format!("{name} shares memory with another column: give it memory of its own");
                Err(PyValueError::new_err(line))
            }
        }
    }
}

/// Memory that is read or written while the GIL is held. The first error is kept, and ends the computation.
pub(super) struct InPlace<'a> {
    pub(super) py: Python<'a>,
    pub(super) memory: &'a Memory,
    pub(super) error: &'a RefCell<Option<PyErr>>,
}

impl InPlace<'_> {
    fn keep(&self, outcome: PyResult<()>) {
        if let Err(error) = outcome {
            self.error.borrow_mut().get_or_insert(error);
        }
    }
}

impl Octets for InPlace<'_> {
    fn octet_count(&self) -> usize {
        self.memory.octet_count()
    }

    fn read(&self, start: usize, copy: &mut [u8]) {
        let part = self.memory.part(self.py, start..start + copy.len());
        self.keep(part.and_then(|part| part.copy_to_slice(self.py, copy)));
    }
}

impl OctetsMut for InPlace<'_> {
    fn octet_count(&self) -> usize {
        self.memory.octet_count()
    }

    fn write(&mut self, start: usize, octets: &[u8]) {
        let part = self.memory.part(self.py, start..start + octets.len());
        self.keep(part.and_then(|part| part.copy_from_slice(self.py, octets)));
    }
}
