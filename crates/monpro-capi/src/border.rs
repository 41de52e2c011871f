//! The boundary to C: pointers become slices, errors and panics become a status.
#![allow(unsafe_code)]

use crate::status::MonproStatus;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::slice;

/// The `length` bytes at a pointer, which may be null if `length` is 0.
///
/// # Safety
/// `length` bytes at `pointer` can be read and are not written while the slice lives.
pub(crate) unsafe fn bytes<'a>(pointer: *const u8, length: usize) -> Result<&'a [u8], MonproStatus> {
    match (pointer.is_null(), length) {
        (_, 0) => Ok(&[]),
        (true, _) => Err(MonproStatus::NullPointer),
        (false, _) if length > isize::MAX as usize => Err(MonproStatus::WrongLength),
        // SAFETY: the caller's promise; the pointer is not null, and no array is longer.
        (false, _) => Ok(unsafe { slice::from_raw_parts(pointer, length) }),
    }
}

/// The `length` bytes to be written at a pointer, which may be null if `length` is 0.
///
/// # Safety
/// `length` bytes at `pointer` can be written, and nothing else reads or writes them while the slice lives.
pub(crate) unsafe fn bytes_mut<'a>(pointer: *mut u8, length: usize) -> Result<&'a mut [u8], MonproStatus> {
    match (pointer.is_null(), length) {
        (_, 0) => Ok(&mut []),
        (true, _) => Err(MonproStatus::NullPointer),
        (false, _) if length > isize::MAX as usize => Err(MonproStatus::WrongLength),
        // SAFETY: the caller's promise; the pointer is not null, and no array is longer.
        (false, _) => Ok(unsafe { slice::from_raw_parts_mut(pointer, length) }),
    }
}

/// The status of a computation. A panic, which would be a mistake in this library, becomes a status too.
pub(crate) fn status_of(compute: impl FnOnce() -> Result<(), MonproStatus>) -> MonproStatus {
    match catch_unwind(AssertUnwindSafe(compute)) {
        Ok(Ok(())) => MonproStatus::Ok,
        Ok(Err(status)) => status,
        Err(_) => MonproStatus::Internal,
    }
}
