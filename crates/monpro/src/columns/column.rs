//! The numbers of an operand, and the places of the results.

use super::error::ColumnError;
use super::octets::{Octets, OctetsMut};
use alloc::vec::Vec;
use core::ops::Range;

/// Where the rows of a buffer are.
#[derive(Clone)]
pub(super) enum Places {
    /// All octets are one number for all rows.
    Constant(usize),
    /// Rows of this many octets, from this octet on.
    Fixed { start: usize, width: usize, rows: usize },
    /// Row i has the octets from offset i to offset i + 1.
    Variable(Vec<usize>),
}

impl Places {
    fn fixed(start: usize, width: usize, rows: usize, given: usize) -> Result<Places, ColumnError> {
        let expected = width.checked_mul(rows).and_then(|octets| octets.checked_add(start));
        match expected.unwrap_or(usize::MAX) {
            expected if expected <= given => Ok(Places::Fixed { start, width, rows }),
            expected => Err(ColumnError::BufferTooShort { expected, given }),
        }
    }

    fn variable(offsets: Vec<usize>, given: usize) -> Result<Places, ColumnError> {
        let decreasing = offsets.windows(2).position(|pair| pair[0] > pair[1]);
        match (decreasing, offsets.last()) {
            (Some(row), _) => Err(ColumnError::Offsets { row }),
            (None, Some(&last)) if last > given => Err(ColumnError::Offsets { row: offsets.len() - 1 }),
            _ => Ok(Places::Variable(offsets)),
        }
    }

    /// The number of rows; None for a constant.
    pub(super) fn rows(&self) -> Option<usize> {
        match self {
            Places::Constant(_) => None,
            Places::Fixed { rows, .. } => Some(*rows),
            Places::Variable(offsets) => Some(offsets.len().saturating_sub(1)),
        }
    }

    pub(super) fn of_row(&self, row: usize) -> Range<usize> {
        match self {
            Places::Constant(octets) => 0..*octets,
            Places::Fixed { start, width, .. } => start + width * row..start + width * (row + 1),
            Places::Variable(offsets) => offsets[row]..offsets[row + 1],
        }
    }
}

/// The numbers of an operand: one in each row, or one for all rows. They are big-endian, with any leading zeros.
pub struct Column<'a> {
    pub(super) octets: &'a dyn Octets,
    pub(super) places: Places,
    /// Whether the operand of a row is null; empty if none is.
    pub(super) nulls: Vec<bool>,
}

impl<'a> Column<'a> {
    /// All octets as one number for all rows. No octets are the number 0.
    #[must_use]
    pub fn constant(octets: &'a dyn Octets) -> Column<'a> {
        Column { octets, places: Places::Constant(octets.octet_count()), nulls: Vec::new() }
    }

    /// `rows` rows of `width` octets each. A row of no octets is the number 0.
    ///
    /// # Errors
    /// [`ColumnError::BufferTooShort`].
    pub fn fixed(octets: &'a dyn Octets, width: usize, rows: usize) -> Result<Column<'a>, ColumnError> {
        Column::fixed_from(octets, 0, width, rows)
    }

    /// The same from this octet on, as in a slice of a longer column.
    ///
    /// # Errors
    /// [`ColumnError::BufferTooShort`].
    pub fn fixed_from(
        octets: &'a dyn Octets,
        start: usize,
        width: usize,
        rows: usize,
    ) -> Result<Column<'a>, ColumnError> {
        let places = Places::fixed(start, width, rows, octets.octet_count())?;
        Ok(Column { octets, places, nulls: Vec::new() })
    }

    /// Rows of any widths, each between two offsets: one more offset than rows.
    ///
    /// # Errors
    /// [`ColumnError::Offsets`].
    pub fn variable(octets: &'a dyn Octets, offsets: Vec<usize>) -> Result<Column<'a>, ColumnError> {
        let places = Places::variable(offsets, octets.octet_count())?;
        Ok(Column { octets, places, nulls: Vec::new() })
    }

    /// The same column, of which the rows with `true` are null. They are not read.
    ///
    /// # Errors
    /// [`ColumnError::RowCounts`]. A constant has no rows, and cannot be null.
    pub fn with_nulls(self, nulls: Vec<bool>) -> Result<Column<'a>, ColumnError> {
        match self.places.rows().unwrap_or(0) {
            rows if rows == nulls.len() => Ok(Column { nulls, ..self }),
            rows => Err(ColumnError::RowCounts { expected: rows, given: nulls.len() }),
        }
    }

    pub(super) fn is_null(&self, row: usize) -> bool {
        self.nulls.get(row).copied().unwrap_or(false)
    }
}

/// Where the results go.
pub struct Results<'a> {
    pub(super) octets: &'a mut dyn OctetsMut,
    pub(super) places: Layout,
}

/// How the results lie.
pub(super) enum Layout {
    /// Rows of this many octets.
    Fixed(usize),
    Variable(Places),
}

impl<'a> Results<'a> {
    /// Rows of `width` octets each, as many as the columns have.
    #[must_use]
    pub fn fixed(octets: &'a mut dyn OctetsMut, width: usize) -> Results<'a> {
        Results { octets, places: Layout::Fixed(width) }
    }

    /// Rows of any widths, each between two offsets: one more offset than rows.
    ///
    /// # Errors
    /// [`ColumnError::Offsets`].
    pub fn variable(octets: &'a mut dyn OctetsMut, offsets: Vec<usize>) -> Result<Results<'a>, ColumnError> {
        let places = Places::variable(offsets, octets.octet_count())?;
        Ok(Results { octets, places: Layout::Variable(places) })
    }

    /// An error unless there are as many rows.
    pub(super) fn check(&self, rows: usize) -> Result<(), ColumnError> {
        match &self.places {
            Layout::Fixed(width) => Places::fixed(0, *width, rows, self.octets.octet_count()).map(|_| ()),
            Layout::Variable(places) => match places.rows().unwrap_or(0) {
                given if given == rows => Ok(()),
                given => Err(ColumnError::RowCounts { expected: rows, given }),
            },
        }
    }
}

impl Layout {
    pub(super) fn of_row(&self, row: usize) -> Range<usize> {
        match self {
            Layout::Fixed(width) => width * row..width * (row + 1),
            Layout::Variable(places) => places.of_row(row),
        }
    }
}
