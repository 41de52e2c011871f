//! RSA: keys, and the operations without padding.

mod document;
mod encryption;
mod signature;

pub use document::*;
pub use encryption::*;
pub use signature::*;

use crate::border::{
    bytes, free, hand_out, place_of, reference, status_of, string, write, write_with_length,
};
use crate::kernels;
use crate::progress::told;
use crate::random::{MonproRandom, Source};
use crate::status::MonproStatus;
use monpro_rsa::{Hash, PrivateKey, PublicKey};
use std::ffi::{CString, c_char};
use std::ptr;
use std::sync::OnceLock;

/// An RSA key with its two primes; to be freed by monpro_rsa_private_free. Threads may share it.
pub struct MonproRsaPrivate(PrivateKey);

impl MonproRsaPrivate {
    pub(crate) fn key(&self) -> &PrivateKey {
        &self.0
    }
}

/// The public half of an RSA key; to be freed by monpro_rsa_public_free. Threads may share it.
pub struct MonproRsaPublic(PublicKey);

/// The name of the hash function at this place of the list, from 0 on; null after the last one. It lives as long as the
/// program.
// SAFETY: nothing else has a name that begins with monpro_.
#[unsafe(no_mangle)]
pub extern "C" fn monpro_hash_name(place: usize) -> *const c_char {
    static NAMES: OnceLock<Vec<CString>> = OnceLock::new();
    let names =
        NAMES.get_or_init(|| Hash::ALL.iter().filter_map(|hash| CString::new(hash.name()).ok()).collect());
    names.get(place).map_or(ptr::null(), |name| name.as_ptr())
}

/// The hash function of this name; None for null.
///
/// # Safety
/// The pointer is null or one of a string.
unsafe fn hash_at(name: *const c_char) -> Result<Option<Hash>, MonproStatus> {
    if name.is_null() {
        return Ok(None);
    }
    // SAFETY: the caller's promise.
    let name = unsafe { string(name) }?;
    let hash = Hash::ALL.iter().find(|hash| Some(hash.name()) == name);
    hash.copied().map(Some).ok_or(MonproStatus::UnknownHash)
}

/// Makes a key with a modulus of exactly so many bits and the public exponent 65537, as FIPS 186-5 says, from random
/// bytes; null takes those of the system. The bits are even and from 512 to 16384; a key of less than 2048 bits protects
/// nothing today. A key of 2048 bits takes about half a second, one of 16384 bits minutes: monpro_cancellation_watch
/// makes it possible to stop, and monpro_progress_watch tells how far it is.
///
/// *key is set in every case, to null if the status is not MONPRO_STATUS_OK.
///
/// # Safety
/// random is null or a source, key is null or can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn monpro_rsa_private_generate(
    bits: usize,
    random: *const MonproRandom,
    key: *mut *mut MonproRsaPrivate,
) -> MonproStatus {
    let make = || {
        kernels::obey_environment()?;
        // SAFETY: the caller's promise.
        let mut source = unsafe { Source::new(random) }?;
        Ok(MonproRsaPrivate(told(0, || PrivateKey::generate(bits, &mut source))?))
    };
    // SAFETY: the caller's promise.
    unsafe { hand_out(key, make) }
}

/// The numbers of a private key, big-endian. p and q may be null with the length 0: then they are computed from d, or
/// the one from the other.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct MonproRsaNumbers {
    /// The modulus.
    pub n: *const u8,
    /// The number of bytes of n.
    pub n_length: usize,
    /// The public exponent.
    pub e: *const u8,
    /// The number of bytes of e.
    pub e_length: usize,
    /// The private exponent.
    pub d: *const u8,
    /// The number of bytes of d.
    pub d_length: usize,
    /// The first prime.
    pub p: *const u8,
    /// The number of bytes of p.
    pub p_length: usize,
    /// The second prime.
    pub q: *const u8,
    /// The number of bytes of q.
    pub q_length: usize,
}

/// Makes a private key of its numbers. *key is set in every case, to null if the status is not MONPRO_STATUS_OK:
/// MONPRO_STATUS_UNSUPPORTED_KEY for n and e, MONPRO_STATUS_DAMAGED_KEY if the numbers do not belong together. If the
/// primes are computed from d, the time tells how many factors 2 divide e·d - 1.
///
/// # Safety
/// The numbers are null or can be read, and so can their bytes; key is null or can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn monpro_rsa_private_new(
    numbers: *const MonproRsaNumbers,
    key: *mut *mut MonproRsaPrivate,
) -> MonproStatus {
    let make = || {
        kernels::obey_environment()?;
        // SAFETY: the caller's promise.
        let numbers = unsafe { reference(numbers) }?;
        // SAFETY: the caller's promises.
        let [n, e, d, p, q] = unsafe {
            [
                bytes(numbers.n, numbers.n_length)?,
                bytes(numbers.e, numbers.e_length)?,
                bytes(numbers.d, numbers.d_length)?,
                bytes(numbers.p, numbers.p_length)?,
                bytes(numbers.q, numbers.q_length)?,
            ]
        };
        let primes: Vec<&[u8]> = [p, q].into_iter().filter(|prime| !prime.is_empty()).collect();
        Ok(MonproRsaPrivate(PrivateKey::from_numbers(n, e, d, &primes)?))
    };
    // SAFETY: the caller's promise.
    unsafe { hand_out(key, make) }
}

/// Erases and frees a private key; null is ignored.
///
/// # Safety
/// The key is null, or is one of this library that has not been freed and is not in use.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn monpro_rsa_private_free(key: *mut MonproRsaPrivate) {
    // SAFETY: the caller's promise.
    unsafe { free(key) }
}

/// The number of bytes of the modulus, which signatures and ciphertexts have too. 0 for null.
///
/// # Safety
/// The key is null, or is one of this library that has not been freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn monpro_rsa_private_bytes(key: *const MonproRsaPrivate) -> usize {
    // SAFETY: the caller's promise.
    unsafe { key.as_ref() }.map_or(0, |key| key.0.public_key().octets())
}

/// c^d mod n for a number c below n, without any padding; both have monpro_rsa_private_bytes bytes. The computation is
/// blinded by random bytes, null takes those of the system, and its result is checked. The result may overlap c.
/// MONPRO_STATUS_NOT_REDUCED tells that c is not below n.
///
/// # Safety
/// The key is one of this library that has not been freed, or null; random is null or a source. length bytes at c can be
/// read, and at result written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn monpro_rsa_private_raw(
    key: *const MonproRsaPrivate,
    c: *const u8,
    random: *const MonproRandom,
    result: *mut u8,
    length: usize,
) -> MonproStatus {
    status_of(|| {
        let (MonproRsaPrivate(key), c, mut source) =
            // SAFETY: the caller's promises.
            unsafe { (reference(key)?, bytes(c, length)?, Source::new(random)?) };
        place_of(key.public_key().octets(), result, length)?;
        let power = key.raw(c, &mut source)?;
        // SAFETY: the caller's promise, and the length is that of the result.
        unsafe { write(result, &power) };
        Ok(())
    })
}

/// Makes the public half of a key. *public_key is set in every case, to null if the status is not MONPRO_STATUS_OK. The
/// halves are freed apart, in any order.
///
/// # Safety
/// The key is one of this library that has not been freed, or null; public_key is null or can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn monpro_rsa_public_of(
    key: *const MonproRsaPrivate,
    public_key: *mut *mut MonproRsaPublic,
) -> MonproStatus {
    // SAFETY: the caller's promises.
    let make = || Ok(MonproRsaPublic(unsafe { reference(key) }?.0.public_key().clone()));
    // SAFETY: the caller's promise.
    unsafe { hand_out(public_key, make) }
}

/// Makes the public key of a modulus n and an exponent e, big-endian. *key is set in every case, to null if the status
/// is not MONPRO_STATUS_OK; MONPRO_STATUS_UNSUPPORTED_KEY tells that n is even or not of 512 to 16384 bits, or that e is
/// even, below 3, or longer than 256 bits.
///
/// # Safety
/// The bytes of n and e can be read, key is null or can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn monpro_rsa_public_new(
    n: *const u8,
    n_length: usize,
    e: *const u8,
    e_length: usize,
    key: *mut *mut MonproRsaPublic,
) -> MonproStatus {
    let make = || {
        kernels::obey_environment()?;
        // SAFETY: the caller's promises.
        let (n, e) = unsafe { (bytes(n, n_length)?, bytes(e, e_length)?) };
        Ok(MonproRsaPublic(PublicKey::new(n, e)?))
    };
    // SAFETY: the caller's promise.
    unsafe { hand_out(key, make) }
}

/// Frees a public key; null is ignored.
///
/// # Safety
/// The key is null, or is one of this library that has not been freed and is not in use.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn monpro_rsa_public_free(key: *mut MonproRsaPublic) {
    // SAFETY: the caller's promise.
    unsafe { free(key) }
}

/// The length of the modulus in bits. 0 for null.
///
/// # Safety
/// The key is null, or is one of this library that has not been freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn monpro_rsa_public_bits(key: *const MonproRsaPublic) -> usize {
    // SAFETY: the caller's promise.
    unsafe { key.as_ref() }.map_or(0, |key| key.0.bits())
}

/// The number of bytes of the modulus, which signatures and ciphertexts have too. 0 for null.
///
/// # Safety
/// The key is null, or is one of this library that has not been freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn monpro_rsa_public_bytes(key: *const MonproRsaPublic) -> usize {
    // SAFETY: the caller's promise.
    unsafe { key.as_ref() }.map_or(0, |key| key.0.octets())
}

/// Writes the modulus, big-endian. length must be what monpro_rsa_public_bytes returns.
///
/// # Safety
/// The key is one of this library that has not been freed, or null; length bytes at modulus can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn monpro_rsa_public_modulus(
    key: *const MonproRsaPublic,
    modulus: *mut u8,
    length: usize,
) -> MonproStatus {
    status_of(|| {
        // SAFETY: the caller's promise.
        let MonproRsaPublic(key) = unsafe { reference(key) }?;
        place_of(key.octets(), modulus, length)?;
        // SAFETY: the caller's promise, and the length is that of the result.
        unsafe { write(modulus, &key.n()) };
        Ok(())
    })
}

/// Writes the public exponent, big-endian, without leading zeros; it has at most 32 bytes. *length is set to its length
/// if there is a key; if capacity is smaller, the status is MONPRO_STATUS_SPACE_TOO_SHORT.
///
/// # Safety
/// The key is one of this library that has not been freed, or null. capacity bytes at exponent can be written; length is
/// null or can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn monpro_rsa_public_exponent(
    key: *const MonproRsaPublic,
    exponent: *mut u8,
    capacity: usize,
    length: *mut usize,
) -> MonproStatus {
    status_of(|| {
        // SAFETY: the caller's promise.
        let MonproRsaPublic(key) = unsafe { reference(key) }?;
        // SAFETY: the caller's promises.
        unsafe { write_with_length(exponent, capacity, length, &key.e()) }
    })
}

/// m^e mod n for a number m below n, without any padding; both have monpro_rsa_public_bytes bytes. The time depends on e,
/// not on m. The result may overlap m. MONPRO_STATUS_NOT_REDUCED tells that m is not below n.
///
/// # Safety
/// The key is one of this library that has not been freed, or null. length bytes at m can be read, and at result written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn monpro_rsa_public_raw(
    key: *const MonproRsaPublic,
    m: *const u8,
    result: *mut u8,
    length: usize,
) -> MonproStatus {
    status_of(|| {
        // SAFETY: the caller's promises.
        let (MonproRsaPublic(key), m) = unsafe { (reference(key)?, bytes(m, length)?) };
        place_of(key.octets(), result, length)?;
        let power = key.raw(m)?;
        // SAFETY: the caller's promise, and the length is that of the result.
        unsafe { write(result, &power) };
        Ok(())
    })
}
