//! Bytes and words from objects with Python's buffer protocol, such as bytearray, memoryview and numpy's arrays.

use crate::convert::{Number, Words, type_name};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList, PyMemoryView, PySlice, PyTuple};
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
    if !buffer.is_of_words() {
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

/// The rows of a buffer that takes results: a number in each, in words of 64 bits, the lowest first.
pub(crate) struct RowsOut<'py> {
    /// The buffer's bytes; None if it has none.
    octets: Option<Bound<'py, PyAny>>,
    /// The words of a row.
    length: usize,
}

impl<'py> RowsOut<'py> {
    /// The rows of a C-contiguous two-dimensional buffer of `count` rows of uint64, each of `words` words or more.
    pub(crate) fn of(value: &Bound<'py, PyAny>, count: usize, words: usize) -> PyResult<RowsOut<'py>> {
        let py = value.py();
        let refused = |line: String| Err(PyValueError::new_err(line));
        let is_fitting =
            |buffer: &Buffer<'_>| buffer.shape.len() == 2 && buffer.is_native && buffer.is_of_words();
        let Some(buffer) = Buffer::of(value)?.filter(is_fitting) else {
            let line = "out must be a two-dimensional buffer of uint64, such as a numpy array of zeros";
            return Err(PyTypeError::new_err(line));
        };
        if buffer.view.getattr(intern!(py, "readonly"))?.extract()? {
            return refused("out is read-only: give a buffer that can be written".into());
        }
        if !buffer.view.getattr(intern!(py, "c_contiguous"))?.extract::<bool>()? {
            return refused("out is not contiguous: give a copy of it".into());
        }
        let (rows, length) = (buffer.shape[0], buffer.shape[1]);
        if rows != count {
            return refused(format!("out has {rows} rows, and there are {count} results: give as many"));
        }
        if length < words {
            return refused(format!(
                "out has rows of {length} words, and the modulus has {words}: give longer ones"
            ));
        }
        let octets = match rows * length {
            0 => None,
            _ => Some(buffer.view.call_method1(intern!(py, "cast"), (intern!(py, "B"),))?),
        };
        Ok(RowsOut { octets, length })
    }

    /// Writes a number to each row.
    pub(crate) fn write(&self, numbers: &[Number]) -> PyResult<()> {
        let Some(octets) = &self.octets else { return Ok(()) };
        let py = octets.py();
        let contents = PyBytes::new_with(py, 8 * self.length * numbers.len(), |contents| {
            for (row, number) in contents.chunks_exact_mut(8 * self.length).zip(numbers) {
                for (octets, word) in row.chunks_exact_mut(8).zip(number.0.iter()) {
                    octets.copy_from_slice(&word.to_ne_bytes());
                }
            }
            Ok(())
        })?;
        octets.set_item(PySlice::full(py), contents)
    }
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
    /// Whether that is the order of this machine, and the format says so in the way that Python's own views do.
    is_native: bool,
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
        Ok(Some(Buffer { view, kind, word, is_native: order == '@', item_size, shape }))
    }

    /// Whether the items are unsigned words of 64 bits.
    fn is_of_words(&self) -> bool {
        matches!(self.kind, 'Q' | 'L' | 'N') && self.item_size == 8
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
