//! Bytes and words from objects with Python's buffer protocol, such as bytearray, memoryview and numpy's arrays.

use crate::convert::{Words, type_name};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList, PyMemoryView, PyTuple};
use zeroize::Zeroizing;

/// The bytes of a bytes object, or of a contiguous buffer of bytes in one dimension; error messages call it `name`.
pub(crate) fn octets<'py>(value: &Bound<'py, PyAny>, name: &str) -> PyResult<Bound<'py, PyBytes>> {
    if let Ok(bytes) = value.cast::<PyBytes>() {
        return Ok(bytes.clone());
    }
    let Some(buffer) = Buffer::of(value)? else {
        return Err(PyTypeError::new_err(format!("{name} must be bytes, not {}", type_name(value))));
    };
    if !matches!(buffer.kind, 'B' | 'b' | 'c') {
        let line = format!("{name} must be bytes, not a buffer of other items: give a view of its bytes");
        return Err(PyTypeError::new_err(line));
    }
    if buffer.shape.len() != 1 {
        let line = format!("{name} must be bytes in one dimension, not {}", buffer.shape.len());
        return Err(PyValueError::new_err(line));
    }
    buffer.contents(name)
}

/// The rows of a C-contiguous two-dimensional buffer of words of 64 bits. None for other objects, and for buffers of one
/// dimension, which are lists of their items.
pub(crate) fn rows(value: &Bound<'_, PyAny>) -> PyResult<Option<Vec<Words>>> {
    if value.is_instance_of::<PyList>() || value.is_instance_of::<PyTuple>() {
        return Ok(None);
    }
    let Some(buffer) = Buffer::of(value)?.filter(|buffer| buffer.shape.len() != 1) else {
        return Ok(None);
    };
    let [count, length] = buffer.shape[..] else {
        let line = format!("a buffer of numbers has two dimensions, not {}", buffer.shape.len());
        return Err(PyTypeError::new_err(line));
    };
    if !matches!(buffer.kind, 'Q' | 'L' | 'N') || buffer.item_size != 8 {
        let line = "the rows of a buffer of numbers must be of uint64, the lowest word first";
        return Err(PyTypeError::new_err(line));
    }
    let contents = buffer.contents("the buffer")?;
    let word = |chunk: &[u8]| (buffer.word)(chunk.try_into().expect("a chunk has eight octets"));
    let row = |i: usize| {
        let octets = &contents.as_bytes()[8 * i * length..][..8 * length];
        Zeroizing::new(octets.chunks_exact(8).map(word).collect())
    };
    Ok(Some((0..count).map(row).collect()))
}

/// A view of an object's memory.
///
/// It is Python's own. The buffers of pyo3 0.30 take words in the other byte order for those of the processor.
struct Buffer<'py> {
    view: Bound<'py, PyMemoryView>,
    /// The type of the items, a character of the module struct.
    kind: char,
    /// The word with these bytes, in the byte order of the items.
    word: fn([u8; 8]) -> u64,
    item_size: usize,
    shape: Vec<usize>,
}

impl<'py> Buffer<'py> {
    /// The buffer of an object, if it has one.
    fn of(value: &Bound<'py, PyAny>) -> PyResult<Option<Buffer<'py>>> {
        let Ok(view) = PyMemoryView::from(value) else { return Ok(None) };
        let py = value.py();
        let format: String = view.getattr(intern!(py, "format"))?.extract()?;
        let (order, kind) = match format.chars().collect::<Vec<_>>()[..] {
            [kind] => ('@', kind),
            [order, kind] => (order, kind),
            _ => ('@', '?'),
        };
        let word = match order {
            '<' => u64::from_le_bytes,
            '>' | '!' => u64::from_be_bytes,
            _ => u64::from_ne_bytes,
        };
        let item_size = view.getattr(intern!(py, "itemsize"))?.extract()?;
        let shape = view.getattr(intern!(py, "shape"))?.extract()?;
        Ok(Some(Buffer { view, kind, word, item_size, shape }))
    }

    /// A copy of all bytes, row by row.
    fn contents(&self, name: &str) -> PyResult<Bound<'py, PyBytes>> {
        let py = self.view.py();
        if !self.view.getattr(intern!(py, "c_contiguous"))?.extract::<bool>()? {
            let line = format!("{name} is not contiguous: give a copy of it");
            return Err(PyValueError::new_err(line));
        }
        Ok(self.view.call_method0(intern!(py, "tobytes"))?.cast_into()?)
    }
}
