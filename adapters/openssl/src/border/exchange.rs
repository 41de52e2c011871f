//! Key exchange by Diffie–Hellman: the functions that OpenSSL calls.

use super::key_management::key;
use super::{
    Dispatch, at, handed_out,
    provider::{list, provider},
    status, taken_back, write,
};
use crate::exchanging::Exchanging;
use crate::parameters::{Parameter, Parameters};
use std::ffi::{c_int, c_uchar, c_void};

pub(super) static FUNCTIONS: [Dispatch; 11] = [
    Dispatch::new(1, new as *const ()),
    Dispatch::new(2, init as *const ()),
    Dispatch::new(3, derive as *const ()),
    Dispatch::new(4, set_peer as *const ()),
    Dispatch::new(5, free as *const ()),
    Dispatch::new(6, duplicate as *const ()),
    Dispatch::new(7, set_params as *const ()),
    Dispatch::new(8, settable_params as *const ()),
    Dispatch::new(9, get_params as *const ()),
    Dispatch::new(10, gettable_params as *const ()),
    Dispatch::END,
];

/// # Safety
/// The context is the provider's.
unsafe extern "C" fn new(context: *mut c_void) -> *mut c_void {
    // SAFETY: the core's promise.
    handed_out(|| unsafe { provider(context) }.map(Exchanging::new))
}

/// # Safety
/// The pointer is one of this file, and used no more.
unsafe extern "C" fn free(exchanging: *mut c_void) {
    // SAFETY: the core's promise.
    unsafe { taken_back::<Exchanging>(exchanging) }
}

/// # Safety
/// The pointer is one of this file.
unsafe extern "C" fn duplicate(exchanging: *mut c_void) -> *mut c_void {
    // SAFETY: the core's promise.
    handed_out(|| unsafe { at::<Exchanging>(exchanging) }?.duplicate())
}

/// # Safety
/// The pointers are one of this file and one of a slot or null, and the list ends.
unsafe extern "C" fn init(exchanging: *mut c_void, slot: *mut c_void, list: *const Parameter) -> c_int {
    // SAFETY: the core's promise.
    status(|| unsafe { at::<Exchanging>(exchanging)?.begin(key(slot), Parameters::at(list)) })
}

/// # Safety
/// The pointers are one of this file and one of a slot.
unsafe extern "C" fn set_peer(exchanging: *mut c_void, slot: *mut c_void) -> c_int {
    // SAFETY: the core's promise.
    status(|| unsafe { at::<Exchanging>(exchanging)?.set_peer(key(slot)?) })
}

/// Derives a secret: by monpro, or else by the default provider, which also says how long a secret may be.
///
/// # Safety
/// The pointer is one of this file; space and length are as `EVP_PKEY_derive` has them.
unsafe extern "C" fn derive(
    exchanging: *mut c_void,
    space: *mut c_uchar,
    length: *mut usize,
    space_length: usize,
) -> c_int {
    status(|| {
        // SAFETY: the core's promise.
        let exchanging = unsafe { at::<Exchanging>(exchanging) }?;
        let operation = exchanging.operation()?;
        if !space.is_null() {
            if let Some(secret) = exchanging.derive(space_length) {
                // SAFETY: the core's promise.
                return unsafe { write(&secret, space, length, space_length) };
            }
        }
        // SAFETY: the core's promise. The length is at first how much space the default provider has.
        unsafe {
            *length.as_mut()? = space_length;
            operation.derive(space, length).then_some(())
        }
    })
}

/// # Safety
/// The pointer is one of this file, and the list may be answered.
unsafe extern "C" fn get_params(exchanging: *mut c_void, list: *mut Parameter) -> c_int {
    // SAFETY: the core's promise.
    status(|| unsafe {
        at::<Exchanging>(exchanging)?.operation()?.answer(Parameters::at(list)).then_some(())
    })
}

/// # Safety
/// The pointer is one of this file, and the list ends.
unsafe extern "C" fn set_params(exchanging: *mut c_void, list: *const Parameter) -> c_int {
    // SAFETY: the core's promise.
    status(|| unsafe { at::<Exchanging>(exchanging)?.set(Parameters::at(list)) })
}

/// # Safety
/// The context is the provider's.
unsafe extern "C" fn gettable_params(_exchanging: *mut c_void, context: *mut c_void) -> *const Parameter {
    // SAFETY: the core's promise.
    unsafe { list(context, |child| child.exchange_lists()[0]) }
}

/// # Safety
/// The context is the provider's.
unsafe extern "C" fn settable_params(_exchanging: *mut c_void, context: *mut c_void) -> *const Parameter {
    // SAFETY: the core's promise.
    unsafe { list(context, |child| child.exchange_lists()[1]) }
}
