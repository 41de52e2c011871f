//! Signatures of RSA: the functions that OpenSSL calls.

use super::key_management::key;
use super::{
    Dispatch, at, caught, handed_out, octets,
    provider::{list, provider},
    status, taken_back, write,
};
use crate::libcrypto::{Purpose, Reason};
use crate::parameters::{Parameter, Parameters};
use crate::signing::Signing;
use std::ffi::{CStr, c_char, c_int, c_uchar, c_void};

pub(super) static FUNCTIONS: [Dispatch; 22] = [
    Dispatch::new(1, new as *const ()),
    Dispatch::new(2, sign_init as *const ()),
    Dispatch::new(3, sign as *const ()),
    Dispatch::new(4, verify_init as *const ()),
    Dispatch::new(5, verify as *const ()),
    Dispatch::new(6, recover_init as *const ()),
    Dispatch::new(7, recover as *const ()),
    Dispatch::new(8, digest_sign_init as *const ()),
    Dispatch::new(9, digest_update as *const ()),
    Dispatch::new(10, digest_sign_final as *const ()),
    Dispatch::new(11, digest_sign as *const ()),
    Dispatch::new(12, digest_verify_init as *const ()),
    Dispatch::new(13, digest_update as *const ()),
    Dispatch::new(14, digest_verify_final as *const ()),
    Dispatch::new(15, digest_verify as *const ()),
    Dispatch::new(16, free as *const ()),
    Dispatch::new(17, duplicate as *const ()),
    Dispatch::new(18, get_params as *const ()),
    Dispatch::new(19, gettable_params as *const ()),
    Dispatch::new(20, set_params as *const ()),
    Dispatch::new(21, settable_params as *const ()),
    Dispatch::END,
];

/// # Safety
/// The context is the provider's. The properties are not used: what the default provider computes is always its own.
unsafe extern "C" fn new(context: *mut c_void, _properties: *const c_char) -> *mut c_void {
    // SAFETY: the core's promise.
    handed_out(|| unsafe { provider(context) }.map(Signing::new))
}

/// # Safety
/// The pointer is one of this file, and used no more.
unsafe extern "C" fn free(signing: *mut c_void) {
    // SAFETY: the core's promise.
    unsafe { taken_back::<Signing>(signing) }
}

/// # Safety
/// The pointer is one of this file.
unsafe extern "C" fn duplicate(signing: *mut c_void) -> *mut c_void {
    // SAFETY: the core's promise.
    handed_out(|| unsafe { at::<Signing>(signing) }?.duplicate())
}

/// Begins an operation with a hash.
///
/// # Safety
/// The pointers are one of this file and one of a slot or null, and the list ends.
unsafe fn begin(purpose: Purpose, signing: *mut c_void, slot: *mut c_void, list: *const Parameter) -> c_int {
    // SAFETY: the caller's promise.
    status(|| unsafe { at::<Signing>(signing)?.begin(purpose, key(slot), Parameters::at(list)) })
}

/// # Safety
/// As [`begin`].
unsafe extern "C" fn sign_init(signing: *mut c_void, slot: *mut c_void, list: *const Parameter) -> c_int {
    // SAFETY: the core's promise.
    unsafe { begin(Purpose::Sign, signing, slot, list) }
}

/// # Safety
/// As [`begin`].
unsafe extern "C" fn verify_init(signing: *mut c_void, slot: *mut c_void, list: *const Parameter) -> c_int {
    // SAFETY: the core's promise.
    unsafe { begin(Purpose::Verify, signing, slot, list) }
}

/// # Safety
/// As [`begin`].
unsafe extern "C" fn recover_init(signing: *mut c_void, slot: *mut c_void, list: *const Parameter) -> c_int {
    // SAFETY: the core's promise.
    unsafe { begin(Purpose::Recover, signing, slot, list) }
}

/// Signs a hash: by monpro, or else by the default provider, which also says how long a signature is.
///
/// # Safety
/// The length can be read and written; the space is null, or can be written.
unsafe fn signed(
    signing: &Signing,
    space: *mut c_uchar,
    length: *mut usize,
    space_length: usize,
    hash: &[u8],
) -> Option<()> {
    let operation = signing.operation()?;
    if !space.is_null() {
        if let Some(signature) = signing.sign(hash) {
            // SAFETY: the caller's promise.
            let written = unsafe { write(&signature, space, length, space_length) };
            if written.is_none() {
                operation.raise(Reason::InvalidArgument);
            }
            return written;
        }
        // SAFETY: the caller's promise. It is how much space the default provider has.
        unsafe { *length = space_length };
    }
    // SAFETY: the caller's promise.
    unsafe { operation.run(Purpose::Sign, space, length, hash) }.then_some(())
}

/// # Safety
/// The pointer is one of this file; space, length and hash are as `EVP_PKEY_sign` has them.
unsafe extern "C" fn sign(
    signing: *mut c_void,
    space: *mut c_uchar,
    length: *mut usize,
    space_length: usize,
    hash: *const c_uchar,
    hash_length: usize,
) -> c_int {
    // SAFETY: the core's promise.
    status(|| unsafe {
        signed(at::<Signing>(signing)?, space, length, space_length, octets(hash, hash_length)?)
    })
}

/// # Safety
/// The pointer is one of this file; signature and hash can be read.
unsafe extern "C" fn verify(
    signing: *mut c_void,
    signature: *const c_uchar,
    signature_length: usize,
    hash: *const c_uchar,
    hash_length: usize,
) -> c_int {
    caught(None, || {
        // SAFETY: the core's promise.
        let (signature, hash) = unsafe { (octets(signature, signature_length)?, octets(hash, hash_length)?) };
        // SAFETY: the core's promise.
        Some(unsafe { at::<Signing>(signing) }?.operation()?.verify(signature, hash))
    })
    .unwrap_or(0)
}

/// # Safety
/// The pointer is one of this file; space, length and signature are as `EVP_PKEY_verify_recover` has them.
unsafe extern "C" fn recover(
    signing: *mut c_void,
    space: *mut c_uchar,
    length: *mut usize,
    space_length: usize,
    signature: *const c_uchar,
    signature_length: usize,
) -> c_int {
    // SAFETY: the core's promise.
    status(|| unsafe {
        let signature = octets(signature, signature_length)?;
        *length.as_mut()? = space_length;
        at::<Signing>(signing)?.operation()?.run(Purpose::Recover, space, length, signature).then_some(())
    })
}

/// Begins an operation with a message.
///
/// # Safety
/// As [`begin`]; the name is null or a string.
unsafe fn begin_message(
    purpose: Purpose,
    signing: *mut c_void,
    name: *const c_char,
    slot: *mut c_void,
    list: *const Parameter,
) -> c_int {
    // SAFETY: the caller's promise.
    status(|| unsafe {
        let name = if name.is_null() { c"" } else { CStr::from_ptr(name) };
        at::<Signing>(signing)?.begin_message(purpose, name, key(slot), Parameters::at(list))
    })
}

/// # Safety
/// As [`begin_message`].
unsafe extern "C" fn digest_sign_init(
    signing: *mut c_void,
    name: *const c_char,
    slot: *mut c_void,
    list: *const Parameter,
) -> c_int {
    // SAFETY: the core's promise.
    unsafe { begin_message(Purpose::Sign, signing, name, slot, list) }
}

/// # Safety
/// As [`begin_message`].
unsafe extern "C" fn digest_verify_init(
    signing: *mut c_void,
    name: *const c_char,
    slot: *mut c_void,
    list: *const Parameter,
) -> c_int {
    // SAFETY: the core's promise.
    unsafe { begin_message(Purpose::Verify, signing, name, slot, list) }
}

/// # Safety
/// The pointer is one of this file, and the piece can be read.
unsafe extern "C" fn digest_update(signing: *mut c_void, piece: *const c_uchar, length: usize) -> c_int {
    // SAFETY: the core's promise.
    status(|| unsafe { at::<Signing>(signing)?.update(octets(piece, length)?) })
}

/// # Safety
/// The pointer is one of this file; space and length are as `EVP_DigestSignFinal` has them.
unsafe extern "C" fn digest_sign_final(
    signing: *mut c_void,
    space: *mut c_uchar,
    length: *mut usize,
    space_length: usize,
) -> c_int {
    // SAFETY: the core's promise.
    status(|| unsafe {
        let signing = at::<Signing>(signing)?;
        let hash = if space.is_null() { Vec::new() } else { signing.finish()? };
        signed(signing, space, length, space_length, &hash)
    })
}

/// # Safety
/// The pointer is one of this file; space, length and message are as `EVP_DigestSign` has them.
unsafe extern "C" fn digest_sign(
    signing: *mut c_void,
    space: *mut c_uchar,
    length: *mut usize,
    space_length: usize,
    message: *const c_uchar,
    message_length: usize,
) -> c_int {
    // SAFETY: the core's promise.
    unsafe {
        match space.is_null() || digest_update(signing, message, message_length) == 1 {
            true => digest_sign_final(signing, space, length, space_length),
            false => 0,
        }
    }
}

/// # Safety
/// The pointer is one of this file, and the signature can be read.
unsafe extern "C" fn digest_verify_final(
    signing: *mut c_void,
    signature: *const c_uchar,
    length: usize,
) -> c_int {
    caught(None, || {
        // SAFETY: the core's promise.
        let (signing, signature) = unsafe { (at::<Signing>(signing)?, octets(signature, length)?) };
        let hash = signing.finish()?;
        Some(signing.operation()?.verify(signature, &hash))
    })
    .unwrap_or(0)
}

/// # Safety
/// The pointer is one of this file; signature and message can be read.
unsafe extern "C" fn digest_verify(
    signing: *mut c_void,
    signature: *const c_uchar,
    length: usize,
    message: *const c_uchar,
    message_length: usize,
) -> c_int {
    // SAFETY: the core's promise.
    unsafe {
        match digest_update(signing, message, message_length) == 1 {
            true => digest_verify_final(signing, signature, length),
            false => 0,
        }
    }
}

/// # Safety
/// The pointer is one of this file, and the list may be answered.
unsafe extern "C" fn get_params(signing: *mut c_void, list: *mut Parameter) -> c_int {
    // SAFETY: the core's promise.
    status(|| unsafe { at::<Signing>(signing)?.answer(Parameters::at(list)) })
}

/// # Safety
/// The pointer is one of this file, and the list ends.
unsafe extern "C" fn set_params(signing: *mut c_void, list: *const Parameter) -> c_int {
    // SAFETY: the core's promise.
    status(|| unsafe { at::<Signing>(signing)?.set(Parameters::at(list)) })
}

/// # Safety
/// The context is the provider's.
unsafe extern "C" fn gettable_params(_signing: *mut c_void, context: *mut c_void) -> *const Parameter {
    // SAFETY: the core's promise.
    unsafe { list(context, |child| child.signature_lists()[0]) }
}

/// # Safety
/// The context is the provider's.
unsafe extern "C" fn settable_params(_signing: *mut c_void, context: *mut c_void) -> *const Parameter {
    // SAFETY: the core's promise.
    unsafe { list(context, |child| child.signature_lists()[1]) }
}
