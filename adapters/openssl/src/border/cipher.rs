//! Encryption by RSA: the functions that OpenSSL calls.

use super::key_management::key;
use super::{
    Dispatch, at, handed_out, octets,
    provider::{list, provider},
    status, taken_back, write,
};
use crate::decrypting::{Decrypted, Decrypting};
use crate::libcrypto::{Purpose, Reason};
use crate::parameters::{Parameter, Parameters};
use std::ffi::{c_int, c_uchar, c_void};

pub(super) static FUNCTIONS: [Dispatch; 12] = [
    Dispatch::new(1, new as *const ()),
    Dispatch::new(2, encrypt_init as *const ()),
    Dispatch::new(3, encrypt as *const ()),
    Dispatch::new(4, decrypt_init as *const ()),
    Dispatch::new(5, decrypt as *const ()),
    Dispatch::new(6, free as *const ()),
    Dispatch::new(7, duplicate as *const ()),
    Dispatch::new(8, get_params as *const ()),
    Dispatch::new(9, gettable_params as *const ()),
    Dispatch::new(10, set_params as *const ()),
    Dispatch::new(11, settable_params as *const ()),
    Dispatch::END,
];

/// # Safety
/// The context is the provider's.
unsafe extern "C" fn new(context: *mut c_void) -> *mut c_void {
    // SAFETY: the core's promise.
    handed_out(|| unsafe { provider(context) }.map(Decrypting::new))
}

/// # Safety
/// The pointer is one of this file, and used no more.
unsafe extern "C" fn free(decrypting: *mut c_void) {
    // SAFETY: the core's promise.
    unsafe { taken_back::<Decrypting>(decrypting) }
}

/// # Safety
/// The pointer is one of this file.
unsafe extern "C" fn duplicate(decrypting: *mut c_void) -> *mut c_void {
    // SAFETY: the core's promise.
    handed_out(|| unsafe { at::<Decrypting>(decrypting) }?.duplicate())
}

/// # Safety
/// The pointers are one of this file and one of a slot or null, and the list ends.
unsafe extern "C" fn encrypt_init(
    decrypting: *mut c_void,
    slot: *mut c_void,
    list: *const Parameter,
) -> c_int {
    // SAFETY: the core's promise.
    status(|| unsafe {
        at::<Decrypting>(decrypting)?.begin(Purpose::Encrypt, key(slot), Parameters::at(list))
    })
}

/// # Safety
/// As `encrypt_init`.
unsafe extern "C" fn decrypt_init(
    decrypting: *mut c_void,
    slot: *mut c_void,
    list: *const Parameter,
) -> c_int {
    // SAFETY: the core's promise.
    status(|| unsafe {
        at::<Decrypting>(decrypting)?.begin(Purpose::Decrypt, key(slot), Parameters::at(list))
    })
}

/// # Safety
/// The pointer is one of this file; space, length and message are as `EVP_PKEY_encrypt` has them.
unsafe extern "C" fn encrypt(
    decrypting: *mut c_void,
    space: *mut c_uchar,
    length: *mut usize,
    space_length: usize,
    message: *const c_uchar,
    message_length: usize,
) -> c_int {
    // SAFETY: the core's promise.
    status(|| unsafe {
        let message = octets(message, message_length)?;
        *length.as_mut()? = space_length;
        at::<Decrypting>(decrypting)?.operation()?.run(Purpose::Encrypt, space, length, message).then_some(())
    })
}

/// # Safety
/// The pointer is one of this file; space, length and ciphertext are as `EVP_PKEY_decrypt` has them.
unsafe extern "C" fn decrypt(
    decrypting: *mut c_void,
    space: *mut c_uchar,
    length: *mut usize,
    space_length: usize,
    ciphertext: *const c_uchar,
    ciphertext_length: usize,
) -> c_int {
    status(|| {
        let (decrypting, ciphertext) =
            // SAFETY: the core's promise.
            unsafe { (at::<Decrypting>(decrypting)?, octets(ciphertext, ciphertext_length)?) };
        let operation = decrypting.operation()?;
        if !space.is_null() {
            match decrypting.decrypt(ciphertext, space_length) {
                Decrypted::HandedOn => {}
                Decrypted::Refused => {
                    operation.raise(Reason::InvalidArgument);
                    return None;
                }
                Decrypted::Message(message) => {
                    // SAFETY: the core's promise.
                    let written = unsafe { write(&message, space, length, space_length) };
                    if written.is_none() {
                        operation.raise(Reason::InvalidArgument);
                    }
                    return written;
                }
            }
        }
        // SAFETY: the core's promise.
        unsafe {
            *length.as_mut()? = space_length;
            operation.run(Purpose::Decrypt, space, length, ciphertext).then_some(())
        }
    })
}

/// # Safety
/// The pointer is one of this file, and the list may be answered.
unsafe extern "C" fn get_params(decrypting: *mut c_void, list: *mut Parameter) -> c_int {
    // SAFETY: the core's promise.
    status(|| unsafe {
        at::<Decrypting>(decrypting)?.operation()?.answer(Parameters::at(list)).then_some(())
    })
}

/// # Safety
/// The pointer is one of this file, and the list ends.
unsafe extern "C" fn set_params(decrypting: *mut c_void, list: *const Parameter) -> c_int {
    // SAFETY: the core's promise.
    status(|| unsafe { at::<Decrypting>(decrypting)?.operation()?.set(Parameters::at(list)).then_some(()) })
}

/// # Safety
/// The context is the provider's.
unsafe extern "C" fn gettable_params(_decrypting: *mut c_void, context: *mut c_void) -> *const Parameter {
    // SAFETY: the core's promise.
    unsafe { list(context, |child| child.cipher_lists()[0]) }
}

/// # Safety
/// The context is the provider's.
unsafe extern "C" fn settable_params(_decrypting: *mut c_void, context: *mut c_void) -> *const Parameter {
    // SAFETY: the core's promise.
    unsafe { list(context, |child| child.cipher_lists()[1]) }
}
