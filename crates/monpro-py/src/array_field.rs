//! The class ArrayField: products of buffers of words, for the arrays of `monpro.arrays`.

use crate::binary_field::PyBinaryField;
use crate::convert::value_error;
use crate::long::run;
use monpro::{ArrayField, ArrayWord, Shape};
use pyo3::buffer::{Element, PyBuffer};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// The arithmetic of GF(2^k), k ≤ 64, on contiguous buffers of unsigned words of 8, 16, 32 or 64 bits, the shortest that
/// hold an element.
#[pyclass(name = "ArrayField", module = "monpro._native", frozen)]
pub(crate) struct PyArrayField(ArrayField);

/// Calls a function for the words of the field: the shortest of at least k bits.
macro_rules! by_word {
    ($field:expr, $function:ident($($argument:expr),*)) => {
        match $field.degree() {
            0..=8 => $function::<u8>($($argument),*),
            9..=16 => $function::<u16>($($argument),*),
            17..=32 => $function::<u32>($($argument),*),
            _ => $function::<u64>($($argument),*),
        }
    };
}

#[pymethods]
impl PyArrayField {
    #[new]
    fn new(field: &PyBinaryField) -> PyResult<PyArrayField> {
        ArrayField::new(&field.0).map(PyArrayField).map_err(value_error)
    }

    /// The name of the engine that computes.
    #[getter]
    fn engine(&self) -> &'static str {
        self.0.engine().name
    }

    /// Whether the engine has instructions for inverses in this field. Else long arrays are inverted faster than short ones.
    #[getter]
    fn inverts_by_instructions(&self) -> bool {
        by_word!(self.0, has_inverses(&self.0))
    }

    /// z[i] = x[i]·y[i], or x[i]·y[0] if y has one element. The buffers are copied, so short ones are faster.
    fn multiply(
        &self,
        py: Python<'_>,
        x: &Bound<'_, PyAny>,
        y: &Bound<'_, PyAny>,
        z: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        by_word!(self.0, multiply(py, &self.0, x, y, z))
    }

    /// z[i] = x[i]⁻¹.
    fn invert(&self, py: Python<'_>, x: &Bound<'_, PyAny>, z: &Bound<'_, PyAny>) -> PyResult<()> {
        by_word!(self.0, invert(py, &self.0, x, z))
    }

    /// z = a·b, for matrices of rows × inner and inner × columns elements.
    #[expect(clippy::too_many_arguments, reason = "three matrices and their shape")]
    fn matrix_product(
        &self,
        py: Python<'_>,
        a: &Bound<'_, PyAny>,
        b: &Bound<'_, PyAny>,
        z: &Bound<'_, PyAny>,
        rows: usize,
        inner: usize,
        columns: usize,
    ) -> PyResult<()> {
        let shape = Shape { rows, inner, columns };
        by_word!(self.0, matrix_product(py, &self.0, shape, a, b, z))
    }
}

fn has_inverses<W: ArrayWord>(field: &ArrayField) -> bool {
    field.inverts_by_instructions::<W>()
}

fn multiply<W: ArrayWord + Element>(
    py: Python<'_>,
    field: &ArrayField,
    x: &Bound<'_, PyAny>,
    y: &Bound<'_, PyAny>,
    z: &Bound<'_, PyAny>,
) -> PyResult<()> {
    let (x, y) = (PyBuffer::<W>::get(x)?.to_vec(py)?, PyBuffer::<W>::get(y)?.to_vec(py)?);
    let buffer = PyBuffer::<W>::get(z)?;
    if x.len() != buffer.item_count() || (y.len() != x.len() && y.len() != 1) {
        return Err(PyValueError::new_err("the buffers of a product have different lengths"));
    }
    let products = py.detach(|| {
        let mut products = vec![W::ZERO; x.len()];
        let outcome = match y[..] {
            [single] => field.scale(&mut products, &x, single),
            _ => field.multiply(&mut products, &x, &y),
        };
        outcome.map(|()| products)
    });
    buffer.copy_from_slice(py, &products.map_err(value_error)?)
}

fn invert<W: ArrayWord + Element>(
    py: Python<'_>,
    field: &ArrayField,
    x: &Bound<'_, PyAny>,
    z: &Bound<'_, PyAny>,
) -> PyResult<()> {
    let mut inverses = PyBuffer::<W>::get(x)?.to_vec(py)?;
    let buffer = PyBuffer::<W>::get(z)?;
    if buffer.item_count() != inverses.len() {
        return Err(PyValueError::new_err("the buffers of inverses have different lengths"));
    }
    let field = field.clone();
    let work = 16 * inverses.len() as u128;
    let inverses = run(py, work, move || field.invert(&mut inverses).map(|()| inverses))?;
    buffer.copy_from_slice(py, &inverses.map_err(value_error)?)
}

fn matrix_product<W: ArrayWord + Element>(
    py: Python<'_>,
    field: &ArrayField,
    shape: Shape,
    a: &Bound<'_, PyAny>,
    b: &Bound<'_, PyAny>,
    z: &Bound<'_, PyAny>,
) -> PyResult<()> {
    let (a, b) = (PyBuffer::<W>::get(a)?.to_vec(py)?, PyBuffer::<W>::get(b)?.to_vec(py)?);
    let buffer = PyBuffer::<W>::get(z)?;
    let Shape { rows, inner, columns } = shape;
    let lengths = [(a.len(), rows, inner), (b.len(), inner, columns), (buffer.item_count(), rows, columns)];
    if lengths.iter().any(|&(length, rows, columns)| rows.checked_mul(columns) != Some(length)) {
        return Err(PyValueError::new_err(
            "the buffers of a matrix product have other lengths than its shape",
        ));
    }
    let field = field.clone();
    let work = rows as u128 * inner as u128 * columns as u128;
    let product = run(py, work, move || {
        let mut product = vec![W::ZERO; rows * columns];
        field.matrix_product(shape, &mut product, &a, &b).map(|()| product)
    })?;
    buffer.copy_from_slice(py, &product.map_err(value_error)?)
}
