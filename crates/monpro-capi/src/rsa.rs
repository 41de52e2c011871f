//! RSA: keys, documents of keys, and the plain operations.

mod encryption;
mod signature;

pub use encryption::{
    MonproOaep, monpro_rsa_decrypt_oaep, monpro_rsa_decrypt_pkcs1, monpro_rsa_encrypt_oaep,
    monpro_rsa_encrypt_pkcs1,
};
pub use signature::{
    MONPRO_SALT_ANY, MONPRO_SALT_AS_HASH, MONPRO_SALT_NONE, MonproPss, monpro_rsa_sign_pkcs1,
    monpro_rsa_sign_pss, monpro_rsa_verify_pkcs1, monpro_rsa_verify_pss,
};

use crate::border::{
    bytes, free, hand_out, place_of, reference, status_of, string, writable, write, write_with_length,
};
use crate::kernels;
use crate::random::{MonproRandom, Source};
use crate::status::MonproStatus;
use monpro_rsa::{Hash, PrivateKey, PublicKey};
use std::ffi::{CString, c_char};
use std::ptr;
use std::str::from_utf8;
use std::sync::OnceLock;

/// An RSA key with its two primes; to be freed by monpro_rsa_private_free. Threads may share it.
pub struct MonproRsaPrivate(PrivateKey);

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
/// makes it possible to stop.
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
        Ok(MonproRsaPrivate(PrivateKey::generate(bits, &mut source)?))
    };
    // SAFETY: the caller's promise.
    unsafe { hand_out(key, make) }
}

/// Reads a private key in PEM, of PKCS#8 or PKCS#1. The document has length bytes; a 0 at its end does not count.
///
/// *key is set in every case, to null if the status is not MONPRO_STATUS_OK: MONPRO_STATUS_NOT_A_KEY,
/// MONPRO_STATUS_OTHER_ALGORITHM, MONPRO_STATUS_UNSUPPORTED_KEY, MONPRO_STATUS_DAMAGED_KEY.
///
/// # Safety
/// The length bytes at pem can be read, key is null or can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn monpro_rsa_private_from_pem(
    pem: *const c_char,
    length: usize,
    key: *mut *mut MonproRsaPrivate,
) -> MonproStatus {
    // SAFETY: the caller's promises.
    unsafe { read(pem.cast(), length, key, |pem| Ok(MonproRsaPrivate(PrivateKey::from_pem(text(pem)?)?))) }
}

/// Reads a private key in DER, of PKCS#8 or PKCS#1; otherwise as monpro_rsa_private_from_pem.
///
/// # Safety
/// The length bytes at der can be read, key is null or can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn monpro_rsa_private_from_der(
    der: *const u8,
    length: usize,
    key: *mut *mut MonproRsaPrivate,
) -> MonproStatus {
    // SAFETY: the caller's promises.
    unsafe { read(der, length, key, |der| Ok(MonproRsaPrivate(PrivateKey::from_der(der)?))) }
}

/// Writes the key as PKCS#8 in PEM, with a 0 at its end that does not count. *length is set to the length of the
/// document if there is a key; if capacity is not larger, the status is MONPRO_STATUS_SPACE_TOO_SHORT. The document is
/// secret: erase it after use.
///
/// # Safety
/// The key is one of this library that has not been freed, or null. capacity bytes at pem can be written; length is null
/// or can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn monpro_rsa_private_to_pem(
    key: *const MonproRsaPrivate,
    pem: *mut c_char,
    capacity: usize,
    length: *mut usize,
) -> MonproStatus {
    status_of(|| {
        // SAFETY: the caller's promise.
        let MonproRsaPrivate(key) = unsafe { reference(key) }?;
        // SAFETY: the caller's promises.
        unsafe { write_text(pem, capacity, length, &key.to_pem()) }
    })
}

/// Writes the key as PKCS#8 in DER. *length is set to the length of the document if there is a key; if capacity is
/// smaller, the status is MONPRO_STATUS_SPACE_TOO_SHORT. The document is secret: erase it after use.
///
/// # Safety
/// The key is one of this library that has not been freed, or null. capacity bytes at der can be written; length is null
/// or can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn monpro_rsa_private_to_der(
    key: *const MonproRsaPrivate,
    der: *mut u8,
    capacity: usize,
    length: *mut usize,
) -> MonproStatus {
    status_of(|| {
        // SAFETY: the caller's promise.
        let MonproRsaPrivate(key) = unsafe { reference(key) }?;
        // SAFETY: the caller's promises.
        unsafe { write_with_length(der, capacity, length, &key.to_der()) }
    })
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

/// Reads a public key in PEM: SubjectPublicKeyInfo, PKCS#1, or the public half of a private key. Otherwise as
/// monpro_rsa_private_from_pem.
///
/// # Safety
/// The length bytes at pem can be read, key is null or can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn monpro_rsa_public_from_pem(
    pem: *const c_char,
    length: usize,
    key: *mut *mut MonproRsaPublic,
) -> MonproStatus {
    // SAFETY: the caller's promises.
    unsafe { read(pem.cast(), length, key, |pem| Ok(MonproRsaPublic(PublicKey::from_pem(text(pem)?)?))) }
}

/// Reads a public key in DER: SubjectPublicKeyInfo or PKCS#1. Otherwise as monpro_rsa_private_from_pem.
///
/// # Safety
/// The length bytes at der can be read, key is null or can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn monpro_rsa_public_from_der(
    der: *const u8,
    length: usize,
    key: *mut *mut MonproRsaPublic,
) -> MonproStatus {
    // SAFETY: the caller's promises.
    unsafe { read(der, length, key, |der| Ok(MonproRsaPublic(PublicKey::from_der(der)?))) }
}

/// Writes the key as SubjectPublicKeyInfo in PEM; otherwise as monpro_rsa_private_to_pem, but the document is public.
///
/// # Safety
/// As monpro_rsa_private_to_pem.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn monpro_rsa_public_to_pem(
    key: *const MonproRsaPublic,
    pem: *mut c_char,
    capacity: usize,
    length: *mut usize,
) -> MonproStatus {
    status_of(|| {
        // SAFETY: the caller's promise.
        let MonproRsaPublic(key) = unsafe { reference(key) }?;
        // SAFETY: the caller's promises.
        unsafe { write_text(pem, capacity, length, &key.to_pem()) }
    })
}

/// Writes the key as SubjectPublicKeyInfo in DER; otherwise as monpro_rsa_private_to_der, but the document is public.
///
/// # Safety
/// As monpro_rsa_private_to_der.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn monpro_rsa_public_to_der(
    key: *const MonproRsaPublic,
    der: *mut u8,
    capacity: usize,
    length: *mut usize,
) -> MonproStatus {
    status_of(|| {
        // SAFETY: the caller's promise.
        let MonproRsaPublic(key) = unsafe { reference(key) }?;
        // SAFETY: the caller's promises.
        unsafe { write_with_length(der, capacity, length, &key.to_der()) }
    })
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

/// Makes a key from a document.
///
/// # Safety
/// The length bytes at the document can be read, key is null or can be written.
unsafe fn read<T>(
    document: *const u8,
    length: usize,
    key: *mut *mut T,
    parse: impl FnOnce(&[u8]) -> Result<T, MonproStatus>,
) -> MonproStatus {
    let make = || {
        kernels::obey_environment()?;
        // SAFETY: the caller's promise.
        parse(unsafe { bytes(document, length) }?)
    };
    // SAFETY: the caller's promise.
    unsafe { hand_out(key, make) }
}

/// The text of a document in PEM, whose last byte may be the 0 of a string.
fn text(pem: &[u8]) -> Result<&str, MonproStatus> {
    from_utf8(pem.strip_suffix(&[0]).unwrap_or(pem)).map_err(|_| MonproStatus::NotAKey)
}

/// Writes a text and a 0 that does not count.
///
/// # Safety
/// As [`write_with_length`].
unsafe fn write_text(
    result: *mut c_char,
    capacity: usize,
    length: *mut usize,
    text: &str,
) -> Result<(), MonproStatus> {
    writable(result.cast(), capacity)?;
    // SAFETY: the caller's promises. A place without any byte is too short for every text, and is not written.
    unsafe {
        write_with_length(result.cast(), capacity.saturating_sub(1), length, text.as_bytes())?;
        write(result.cast::<u8>().add(text.len()), &[0]);
    }
    Ok(())
}
