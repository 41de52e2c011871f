//! Keys of RSA as documents, in PEM and DER.

use super::{MonproRsaPrivate, MonproRsaPublic};
use crate::border::{bytes, hand_out, message, reference, status_of, writable, write, write_with_length};
use crate::kernels;
use crate::random::{MonproRandom, Source};
use crate::status::MonproStatus;
use monpro_rsa::{PrivateKey, PublicKey};
use std::ffi::c_char;

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
    unsafe { read(pem.cast(), length, key, |pem| Ok(MonproRsaPrivate(PrivateKey::from_pem(pem)?))) }
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

/// Reads a private key in PEM or DER, whichever it is: as monpro_rsa_private_from_pem, and encrypted PKCS#8 (PBES2) with
/// the passphrase. A null passphrase is none. MONPRO_STATUS_PASSPHRASE_NEEDED and MONPRO_STATUS_WRONG_PASSPHRASE tell of
/// encrypted documents. What an encrypted document may cost is bounded: 10,000,000 iterations of PBKDF2, or 128 MiB of
/// scrypt.
///
/// # Safety
/// The bytes of document and passphrase can be read, key is null or can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn monpro_rsa_private_load(
    document: *const u8,
    length: usize,
    passphrase: *const u8,
    passphrase_length: usize,
    key: *mut *mut MonproRsaPrivate,
) -> MonproStatus {
    // SAFETY: the caller's promises.
    unsafe {
        read(document, length, key, |document| {
            let given = message(passphrase, passphrase_length)?;
            let passphrase = (!passphrase.is_null()).then_some(given);
            Ok(MonproRsaPrivate(PrivateKey::load(document, passphrase)?))
        })
    }
}

/// Reads a public key in PEM or DER, whichever it is: SubjectPublicKeyInfo, PKCS#1, an X.509 certificate, which is not
/// checked, or the public half of a private key, with its passphrase if it is encrypted. Otherwise as
/// monpro_rsa_private_load.
///
/// # Safety
/// The bytes of document and passphrase can be read, key is null or can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn monpro_rsa_public_load(
    document: *const u8,
    length: usize,
    passphrase: *const u8,
    passphrase_length: usize,
    key: *mut *mut MonproRsaPublic,
) -> MonproStatus {
    // SAFETY: the caller's promises.
    unsafe {
        read(document, length, key, |document| {
            let given = message(passphrase, passphrase_length)?;
            let passphrase = (!passphrase.is_null()).then_some(given);
            Ok(MonproRsaPublic(PublicKey::load(document, passphrase)?))
        })
    }
}

/// Writes the key as encrypted PKCS#8 in PEM, with a 0 at its end that does not count: by AES-256 in CBC mode, with
/// 600,000 iterations of PBKDF2, which take a good part of a second, and HMAC-SHA-256. Salt and initial value are random;
/// null takes the system's source. *length is set as by monpro_rsa_private_to_pem; 16384 bytes suffice for every key.
/// MONPRO_STATUS_EMPTY_PASSPHRASE tells that the passphrase is empty.
///
/// # Safety
/// The key is one of this library that has not been freed, or null; random is null or a source. The bytes of passphrase
/// can be read, and capacity bytes at pem can be written; length is null or can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn monpro_rsa_private_to_encrypted_pem(
    key: *const MonproRsaPrivate,
    passphrase: *const u8,
    passphrase_length: usize,
    random: *const MonproRandom,
    pem: *mut c_char,
    capacity: usize,
    length: *mut usize,
) -> MonproStatus {
    status_of(|| {
        let (MonproRsaPrivate(key), passphrase, mut source) =
            // SAFETY: the caller's promises.
            unsafe { (reference(key)?, message(passphrase, passphrase_length)?, Source::new(random)?) };
        let text = key.to_encrypted_pem(passphrase, &mut source)?;
        // SAFETY: the caller's promises.
        unsafe { write_text(pem, capacity, length, &text) }
    })
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
    unsafe { read(pem.cast(), length, key, |pem| Ok(MonproRsaPublic(PublicKey::from_pem(pem)?))) }
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
