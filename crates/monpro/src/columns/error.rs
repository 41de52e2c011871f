//! Why columns as a whole are refused.

use core::fmt;

/// Why columns as a whole are refused. Nothing is computed or written then.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ColumnError {
    /// The operation has another number of operands.
    OperandCount {
        /// Of the operation.
        expected: usize,
        /// The number of columns.
        given: usize,
    },
    /// Every operand is a constant.
    NoColumn,
    /// Columns, results or statuses have different numbers of rows.
    RowCounts {
        /// Of the first column.
        expected: usize,
        /// Of another one.
        given: usize,
    },
    /// The buffer is too short for its rows.
    BufferTooShort {
        /// The octets of all rows.
        expected: usize,
        /// Those of the buffer.
        given: usize,
    },
    /// An offset is above the next one, or beyond the buffer.
    Offsets {
        /// The row that the offset begins or ends.
        row: usize,
    },
    /// The number of threads is 0.
    NoThreads,
    /// The system starts no thread.
    ThreadRefused,
}

impl fmt::Display for ColumnError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ColumnError::OperandCount { expected, given } => {
                write!(f, "the operation has {expected} operands, and {given} are given")
            }
            ColumnError::NoColumn => write!(f, "every operand is a constant: give a column to one of them"),
            ColumnError::RowCounts { expected, given } => {
                write!(f, "a column has {given} rows and another has {expected}: give as many")
            }
            ColumnError::BufferTooShort { expected, given } => {
                write!(f, "a buffer has {given} bytes, and its rows have {expected}: give all of them")
            }
            ColumnError::Offsets { row } => {
                write!(
                    f,
                    "the offsets of row {row} decrease or lie beyond the buffer: give those of the column"
                )
            }
            ColumnError::NoThreads => write!(f, "the number of threads is 0: give at least 1"),
            ColumnError::ThreadRefused => write!(f, "the system starts no thread: give it room for one"),
        }
    }
}

impl core::error::Error for ColumnError {}
