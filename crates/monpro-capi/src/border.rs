//! The boundary to C and to the system: pointers become slices, errors and panics become a status.

use crate::MONPRO_MAX_BYTES;
use crate::cancellation;
use crate::random::NoRandom;
use crate::status::MonproStatus;
use arithmetic::natural;
use std::ffi::{CStr, c_char};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::{ptr, slice};
use zeroize::Zeroizing;

/// The `length` bytes of a number, which may be at null if `length` is 0.
///
/// # Safety
/// `length` bytes at `pointer` can be read and are not written while the slice lives.
pub(crate) unsafe fn bytes<'a>(pointer: *const u8, length: usize) -> Result<&'a [u8], MonproStatus> {
    // SAFETY: the caller's promise.
    unsafe { bytes_up_to(MONPRO_MAX_BYTES, pointer, length) }
}

/// The `length` bytes of a message, which may be at null if `length` is 0.
///
/// # Safety
/// As [`bytes`].
pub(crate) unsafe fn message<'a>(pointer: *const u8, length: usize) -> Result<&'a [u8], MonproStatus> {
    // SAFETY: the caller's promise.
    unsafe { bytes_up_to(isize::MAX as usize, pointer, length) }
}

/// # Safety
/// As [`bytes`].
unsafe fn bytes_up_to<'a>(most: usize, pointer: *const u8, length: usize) -> Result<&'a [u8], MonproStatus> {
    match (pointer.is_null(), length) {
        (_, 0) => Ok(&[]),
        (true, _) => Err(MonproStatus::NullPointer),
        (false, _) if length > most => Err(MonproStatus::TooLong),
        // SAFETY: the caller's promise; the pointer is not null, and no slice is longer than isize::MAX.
        (false, _) => Ok(unsafe { slice::from_raw_parts(pointer, length) }),
    }
}

/// The string at a pointer that is not null; None if it is not text.
///
/// # Safety
/// The pointer is null or one of a string, which is not written while the result lives.
pub(crate) unsafe fn string<'a>(pointer: *const c_char) -> Result<Option<&'a str>, MonproStatus> {
    match pointer.is_null() {
        true => Err(MonproStatus::NullPointer),
        // SAFETY: the caller's promise; the pointer is not null.
        false => Ok(unsafe { CStr::from_ptr(pointer) }.to_str().ok()),
    }
}

/// An error if the place of a result is null, unless the result is empty.
pub(crate) fn writable(result: *mut u8, length: usize) -> Result<(), MonproStatus> {
    match result.is_null() && length > 0 {
        true => Err(MonproStatus::NullPointer),
        false => Ok(()),
    }
}

/// An error unless the place of a result is not null and has the length of the result.
pub(crate) fn place_of(wanted: usize, result: *mut u8, length: usize) -> Result<(), MonproStatus> {
    writable(result, length)?;
    match length == wanted {
        true => Ok(()),
        false => Err(MonproStatus::WrongLength),
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

/// Writes a result whose length the caller learns. `length` receives how long it is, also where the space is too short.
///
/// # Safety
/// `length` is null or can be written, and so can `capacity` bytes at `result`; no reference to them is alive.
pub(crate) unsafe fn write_with_length(
    result: *mut u8,
    capacity: usize,
    length: *mut usize,
    bytes: &[u8],
) -> Result<(), MonproStatus> {
    if length.is_null() {
        return Err(MonproStatus::NullPointer);
    }
    // SAFETY: not null, and the caller's promise.
    unsafe { length.write(bytes.len()) };
    writable(result, capacity)?;
    match bytes.len() <= capacity {
        // SAFETY: the caller's promise, and the space suffices.
        true => unsafe { write(result, bytes) },
        false => return Err(MonproStatus::SpaceTooShort),
    }
    Ok(())
}

/// The value of a handle.
///
/// # Safety
/// The handle is null, or one of [`hand_out`] that is not freed while the reference lives.
pub(crate) unsafe fn reference<'a, T>(handle: *const T) -> Result<&'a T, MonproStatus> {
    // SAFETY: the caller's promise.
    unsafe { handle.as_ref() }.ok_or(MonproStatus::NullPointer)
}

/// Makes a value and hands it out: `handle` is set in every case, to null where there is no value.
///
/// # Safety
/// `handle` is null or can be written.
pub(crate) unsafe fn hand_out<T>(
    handle: *mut *mut T,
    make: impl FnOnce() -> Result<T, MonproStatus>,
) -> MonproStatus {
    if handle.is_null() {
        return MonproStatus::NullPointer;
    }
    let mut made = ptr::null_mut();
    let status = status_of(|| {
        made = Box::into_raw(Box::new(make()?));
        Ok(())
    });
    // SAFETY: not null, and the caller's promise.
    unsafe { handle.write(made) };
    status
}

/// Drops the value of a handle; null is ignored.
///
/// # Safety
/// The handle is null, or one of [`hand_out`] that is not used any more.
pub(crate) unsafe fn free<T>(handle: *mut T) {
    if !handle.is_null() {
        // SAFETY: the caller's promise.
        drop(unsafe { Box::from_raw(handle) });
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

/// The status of a computation, which the cancellation of this thread can stop. A panic, which would be a mistake in
/// this library, becomes a status too.
pub(crate) fn status_of(compute: impl FnOnce() -> Result<(), MonproStatus>) -> MonproStatus {
    match catch_unwind(AssertUnwindSafe(|| cancellation::run(compute))) {
        Ok(Some(Ok(()))) => MonproStatus::Ok,
        Ok(Some(Err(status))) => status,
        Ok(None) => MonproStatus::Cancelled,
        Err(payload) if payload.is::<NoRandom>() => MonproStatus::RandomSource,
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
