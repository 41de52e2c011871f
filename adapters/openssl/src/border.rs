//! The border to OpenSSL: pointers become values, and panics become failures.

mod cipher;
mod exchange;
mod key_management;
mod provider;
mod signature;

pub use provider::OSSL_provider_init;

use std::ffi::{c_int, c_uchar, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr;
use std::slice;

/// A function of a table, by its number; 0 ends a table.
#[repr(C)]
pub struct Dispatch {
    id: c_int,
    function: *const c_void,
}

// SAFETY: tables are constant.
unsafe impl Sync for Dispatch {}

impl Dispatch {
    const END: Dispatch = Dispatch { id: 0, function: ptr::null() };

    const fn new(id: c_int, function: *const ()) -> Dispatch {
        Dispatch { id, function: function.cast() }
    }
}

/// What a function gives, or this if it panics, which would be a mistake in this module.
pub(crate) fn caught<T>(otherwise: T, compute: impl FnOnce() -> T) -> T {
    catch_unwind(AssertUnwindSafe(compute)).unwrap_or(otherwise)
}

/// 1 for a success, 0 for a failure or a panic.
fn status(compute: impl FnOnce() -> Option<()>) -> c_int {
    c_int::from(caught(None, compute).is_some())
}

/// A value on the heap, for OpenSSL to keep; null for none or a panic.
fn handed_out<T>(make: impl FnOnce() -> Option<T>) -> *mut c_void {
    caught(ptr::null_mut(), || make().map_or(ptr::null_mut(), |value| Box::into_raw(Box::new(value)).cast()))
}

/// The value that was handed out; None for null.
///
/// # Safety
/// The pointer is null or one of [`handed_out`] for a value of this type, and no other reference to it is in use.
unsafe fn at<'a, T>(pointer: *mut c_void) -> Option<&'a mut T> {
    // SAFETY: the caller's promise.
    unsafe { pointer.cast::<T>().as_mut() }
}

/// Drops the value that was handed out; null is ignored.
///
/// # Safety
/// The pointer is null or one of [`handed_out`] for a value of this type that is not used any more.
unsafe fn taken_back<T>(pointer: *mut c_void) {
    if !pointer.is_null() {
        // SAFETY: the caller's promise.
        caught((), || drop(unsafe { Box::from_raw(pointer.cast::<T>()) }));
    }
}

/// The octets at a pointer, which may be null if there are none.
///
/// # Safety
/// So many octets can be read, and are not written while the slice lives.
unsafe fn octets<'a>(pointer: *const c_uchar, length: usize) -> Option<&'a [u8]> {
    match (pointer.is_null(), length) {
        (_, 0) => Some(&[]),
        (true, _) => None,
        // SAFETY: the caller's promise; the pointer is not null.
        (false, _) => Some(unsafe { slice::from_raw_parts(pointer, length) }),
    }
}

/// Writes a result and its length, if the space suffices.
///
/// # Safety
/// The length can be written, and so can the space.
unsafe fn write(result: &[u8], space: *mut c_uchar, length: *mut usize, space_length: usize) -> Option<()> {
    if result.len() > space_length {
        return None;
    }
    // SAFETY: the caller's promise; the result is no longer than the space.
    unsafe {
        ptr::copy(result.as_ptr(), space, result.len());
        *length = result.len();
    }
    Some(())
}
