//! What the fuzz targets share: the oracle GMP, numbers from bytes, key documents, and the clock of a thread.

pub mod clock;
pub mod documents;
pub mod gmp;
pub mod input;
