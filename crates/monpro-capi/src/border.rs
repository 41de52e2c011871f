//! The boundary to C and to the system: pointers become slices, errors and panics become a status.

use crate::MONPRO_MAX_BYTES;
use crate::status::MonproStatus;
use arithmetic::natural;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::{ptr, slice};
use zeroize::Zeroizing;

/// The `length` bytes at a pointer, which may be null if `length` is 0.
///
/// # Safety
/// `length` bytes at `pointer` can be read and are not written while the slice lives.
pub(crate) unsafe fn bytes<'a>(pointer: *const u8, length: usize) -> Result<&'a [u8], MonproStatus> {
    match (pointer.is_null(), length) {
        (_, 0) => Ok(&[]),
        (true, _) => Err(MonproStatus::NullPointer),
        (false, _) if length > MONPRO_MAX_BYTES => Err(MonproStatus::TooLong),
        // SAFETY: the caller's promise; the pointer is not null.
        (false, _) => Ok(unsafe { slice::from_raw_parts(pointer, length) }),
    }
}

/// An error if the place of a result is null, unless the result is empty.
pub(crate) fn writable(result: *mut u8, length: usize) -> Result<(), MonproStatus> {
    match result.is_null() && length > 0 {
        true => Err(MonproStatus::NullPointer),
        false => Ok(()),
    }
}

/// Writes a result. It is a copy between pointers, since the caller's inputs may lie at the same place.
///
/// # Safety
/// `bytes.len()` bytes at `result` can be written, and no reference to them is alive.
pub(crate) unsafe fn write(result: *mut u8, bytes: &[u8]) {
    if !bytes.is_empty() {
        // SAFETY: the caller's promise; the pointer is not null, because the result is not empty.
        unsafe { ptr::copy(bytes.as_ptr(), result, bytes.len()) };
    }
}

/// A copy of the `count` items at a pointer, which may be null if `count` is 0.
///
/// # Safety
/// `count` items at `items` can be read.
pub(crate) unsafe fn copy_of<T: Copy>(items: *const T, count: usize) -> Result<Vec<T>, MonproStatus> {
    let mut copy = Vec::new();
    if count == 0 {
        return Ok(copy);
    }
    if items.is_null() {
        return Err(MonproStatus::NullPointer);
    }
    if count > isize::MAX as usize / size_of::<T>() {
        return Err(MonproStatus::TooLong);
    }
    copy.try_reserve_exact(count).map_err(|_| MonproStatus::OutOfMemory)?;
    // SAFETY: the caller's promise; the pointer is not null, and no array is longer.
    copy.extend_from_slice(unsafe { slice::from_raw_parts(items, count) });
    Ok(copy)
}

/// The number of big-endian bytes.
pub(crate) fn number(bytes: &[u8]) -> Zeroizing<Vec<u64>> {
    Zeroizing::new(natural::from_be_bytes(bytes))
}

/// The status of a computation. A panic, which would be a mistake in this library, becomes a status too.
pub(crate) fn status_of(compute: impl FnOnce() -> Result<(), MonproStatus>) -> MonproStatus {
    match catch_unwind(AssertUnwindSafe(compute)) {
        Ok(Ok(())) => MonproStatus::Ok,
        Ok(Err(status)) => status,
        Err(_) => MonproStatus::Internal,
    }
}

/// Whether the program has rights that the user who started it may not have, by a set-user-ID bit or by a capability of
/// its file. Then that user's environment must not steer it.
#[cfg(target_os = "linux")]
pub(crate) fn has_rights_of_another() -> bool {
    // SAFETY: it takes a number and reads what the kernel has given to the process.
    unsafe { libc::getauxval(libc::AT_SECURE) != 0 }
}

#[cfg(all(unix, not(target_os = "linux")))]
pub(crate) fn has_rights_of_another() -> bool {
    // SAFETY: these have no arguments and cannot fail.
    unsafe { libc::getuid() != libc::geteuid() || libc::getgid() != libc::getegid() }
}

#[cfg(not(unix))]
pub(crate) fn has_rights_of_another() -> bool {
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_becomes_a_status() {
        assert_eq!(status_of(|| panic!("a mistake")), MonproStatus::Internal);
        assert_eq!(status_of(|| Err(MonproStatus::TooLong)), MonproStatus::TooLong);
        assert_eq!(status_of(|| Ok(())), MonproStatus::Ok);
    }
}
