//! Columns of numbers in, a column of numbers out: one operation on many rows, on every core.
//!
//! An operand is a [`Column`]: big-endian numbers in the rows of a buffer of somebody else's, all of one width or between
//! offsets, or one number for all rows. [`compute`] reads the rows where they lie, writes each result into its place, and
//! gives each row a [`Status`]. A row that cannot be computed changes nothing for its neighbours.
//!
//! ```
//! use monpro::columns::{Column, POW, Results, compute};
//!
//! // 3^5 mod 101, 2^10 mod 1000 and 7^1 mod 0; one byte, one byte and two bytes a row.
//! let (bases, exponents) = (&[3, 2, 7][..], &[5, 10, 1][..]);
//! let moduli = &[0, 101, 3, 232, 0, 0][..];
//! let operands = [Column::fixed(&bases, 1, 3)?, Column::fixed(&exponents, 1, 3)?, Column::fixed(&moduli, 2, 3)?];
//! let (mut powers, mut statuses) = ([0xff; 6], [0xff; 3]);
//! let mut results = Results::fixed(&mut powers, 2);
//! assert!(compute(&POW, &operands, &mut results, &mut statuses, None, &mut ())?);
//! assert_eq!((powers, statuses), ([0, 41, 0, 24, 0, 0], [0, 0, 2]));
//! # Ok::<(), monpro::columns::ColumnError>(())
//! ```
//!
//! The calling thread reads and writes; others compute. Rows are computed in the order of their sizes, so that like ones
//! share lanes. Sizes are the widths of rows, and the bit lengths of moduli, all of which are public. A constant modulus has
//! its constants computed once. A constant base and a constant odd modulus have a table of powers.
//!
//! The feature `columns` brings this module, because it needs the standard library.

mod column;
mod error;
mod inverses;
mod octets;
mod operation;
mod powers;
mod primes;
mod products;
mod run;
mod schedule;
mod status;
mod table;

pub use column::{Column, Results};
pub use error::ColumnError;
pub use inverses::INVERSE;
pub use octets::{Octets, OctetsMut};
pub use operation::{Batch, Call, Computation, Cost, Number, Operation, Sizes};
pub use powers::{MODEXP, MODEXP_VARTIME, POW, POW_VARTIME};
pub use primes::{Primes, ROUNDS};
pub use products::PRODUCT;
pub use run::{Host, compute};
pub use status::Status;
pub use table::{NamedOperation, OPERATIONS};

/// The most octets of a number in a row, and of a constant. A longer one gives its rows the status
/// [`Status::TooWide`]: no computation is so long that it cannot be stopped.
pub const MOST_OCTETS: usize = 1 << 16;
