//! Encryption of RSA.

use super::{MonproRsaPrivate, MonproRsaPublic, hash_at};
use crate::border::{
    bytes, message as message_at, place_of, reference, status_of, writable, write, write_with_length,
};
use crate::random::{MonproRandom, Source};
use crate::status::MonproStatus;
use monpro_rsa::{EncryptionScheme, Oaep};
use std::ffi::c_char;
use zeroize::Zeroizing;

/// The parameters of RSAES-OAEP. A structure of zeros, and a null pointer to one, stand for SHA-256, also for MGF1, and
/// the empty label.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct MonproOaep {
    /// The name of the hash function of the label; null is sha256.
    pub hash: *const c_char,
    /// The name of the hash function of MGF1; null is that of the label.
    pub mgf1_hash: *const c_char,
    /// What the ciphertext is bound to: it decrypts with this label only.
    pub label: *const u8,
    /// The number of bytes of the label.
    pub label_length: usize,
}

impl MonproOaep {
    /// The scheme.
    ///
    /// # Safety
    /// The pointer is null, or the parameters can be read, their names are null or strings, and the bytes of the label
    /// can be read and are not written while the scheme lives.
    unsafe fn read<'a>(parameters: *const MonproOaep) -> Result<EncryptionScheme<'a>, MonproStatus> {
        // SAFETY: the caller's promise.
        let Some(parameters) = (unsafe { parameters.as_ref() }) else {
            return Ok(EncryptionScheme::default());
        };
        // SAFETY: the caller's promises.
        let (hash, mgf1_hash, label) = unsafe {
            let label = message_at(parameters.label, parameters.label_length)?;
            (hash_at(parameters.hash)?.unwrap_or_default(), hash_at(parameters.mgf1_hash)?, label)
        };
        Ok(EncryptionScheme::Oaep(Oaep { hash, mgf1_hash, label }))
    }
}

/// Encrypts a message by RSAES-OAEP. ciphertext_length must be what monpro_rsa_public_bytes returns. The seed is random;
/// null takes the system's source. The ciphertext may overlap the message. MONPRO_STATUS_MESSAGE_TOO_LONG tells that the
/// message has more bytes than the modulus, less two hashes and 2.
///
/// # Safety
/// The key is one of this library that has not been freed, or null. The parameters are null or can be read, with names
/// that are null or strings, and with a label that can be read; random is null or a source. The bytes of message can be
/// read, those of ciphertext written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn monpro_rsa_encrypt_oaep(
    key: *const MonproRsaPublic,
    parameters: *const MonproOaep,
    message: *const u8,
    message_length: usize,
    random: *const MonproRandom,
    ciphertext: *mut u8,
    ciphertext_length: usize,
) -> MonproStatus {
    // SAFETY: the caller's promises.
    status_of(|| unsafe {
        let scheme = MonproOaep::read(parameters)?;
        encrypt(key, scheme, (message, message_length), random, ciphertext, ciphertext_length)
    })
}

/// Encrypts a message by RSAES-PKCS1-v1_5, for peers that support nothing better. The message has at most 11 bytes less
/// than the modulus. Otherwise as monpro_rsa_encrypt_oaep.
///
/// # Safety
/// As monpro_rsa_encrypt_oaep.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn monpro_rsa_encrypt_pkcs1(
    key: *const MonproRsaPublic,
    message: *const u8,
    message_length: usize,
    random: *const MonproRandom,
    ciphertext: *mut u8,
    ciphertext_length: usize,
) -> MonproStatus {
    // SAFETY: the caller's promises.
    status_of(|| unsafe {
        let scheme = EncryptionScheme::Pkcs1v15;
        encrypt(key, scheme, (message, message_length), random, ciphertext, ciphertext_length)
    })
}

/// Decrypts a ciphertext of RSAES-OAEP. capacity must be at least what monpro_rsa_private_bytes returns, whatever the
/// length of the message; *message_length is set to that length if the status is MONPRO_STATUS_OK, else to 0. The
/// computation is blinded by random bytes; null takes those of the system. The message may overlap the ciphertext.
///
/// MONPRO_STATUS_DECRYPTION tells that it is no ciphertext of this key with these parameters, and not why.
///
/// # Safety
/// The key is one of this library that has not been freed, or null. The parameters are as for monpro_rsa_encrypt_oaep;
/// random is null or a source. The bytes of ciphertext can be read, and capacity bytes at message can be written;
/// message_length is null or can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn monpro_rsa_decrypt_oaep(
    key: *const MonproRsaPrivate,
    parameters: *const MonproOaep,
    ciphertext: *const u8,
    ciphertext_length: usize,
    random: *const MonproRandom,
    message: *mut u8,
    capacity: usize,
    message_length: *mut usize,
) -> MonproStatus {
    // SAFETY: the caller's promises.
    status_of(|| unsafe {
        let place = Place::new(message, capacity, message_length)?;
        let scheme = MonproOaep::read(parameters)?;
        decrypt(key, scheme, (ciphertext, ciphertext_length), random, &place)
    })
}

/// Decrypts a ciphertext of RSAES-PKCS1-v1_5. A malformed one decrypts to a message that key and ciphertext determine, so
/// that nobody who sends ciphertexts learns which are malformed; MONPRO_STATUS_DECRYPTION tells of a wrong length, and of
/// a number that is not below the modulus. Otherwise as monpro_rsa_decrypt_oaep.
///
/// # Safety
/// As monpro_rsa_decrypt_oaep.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn monpro_rsa_decrypt_pkcs1(
    key: *const MonproRsaPrivate,
    ciphertext: *const u8,
    ciphertext_length: usize,
    random: *const MonproRandom,
    message: *mut u8,
    capacity: usize,
    message_length: *mut usize,
) -> MonproStatus {
    // SAFETY: the caller's promises.
    status_of(|| unsafe {
        let place = Place::new(message, capacity, message_length)?;
        decrypt(key, EncryptionScheme::Pkcs1v15, (ciphertext, ciphertext_length), random, &place)
    })
}

/// Where a decrypted message goes, and its length.
struct Place {
    message: *mut u8,
    capacity: usize,
    length: *mut usize,
}

impl Place {
    /// The place, with the length 0.
    ///
    /// # Safety
    /// `length` is null or can be written.
    unsafe fn new(message: *mut u8, capacity: usize, length: *mut usize) -> Result<Place, MonproStatus> {
        if length.is_null() {
            return Err(MonproStatus::NullPointer);
        }
        // SAFETY: not null, and the caller's promise.
        unsafe { length.write(0) };
        Ok(Place { message, capacity, length })
    }
}

/// # Safety
/// As [`monpro_rsa_encrypt_oaep`].
unsafe fn encrypt(
    key: *const MonproRsaPublic,
    scheme: EncryptionScheme<'_>,
    (message, message_length): (*const u8, usize),
    random: *const MonproRandom,
    ciphertext: *mut u8,
    ciphertext_length: usize,
) -> Result<(), MonproStatus> {
    let (MonproRsaPublic(key), message, mut source) =
        // SAFETY: the caller's promises.
        unsafe { (reference(key)?, message_at(message, message_length)?, Source::new(random)?) };
    place_of(key.octets(), ciphertext, ciphertext_length)?;
    let encrypted = key.encrypt(scheme, message, &mut source)?;
    // SAFETY: the caller's promise, and the length is that of the result.
    unsafe { write(ciphertext, &encrypted) };
    Ok(())
}

/// # Safety
/// As [`monpro_rsa_decrypt_oaep`]; the place can be written.
unsafe fn decrypt(
    key: *const MonproRsaPrivate,
    scheme: EncryptionScheme<'_>,
    (ciphertext, ciphertext_length): (*const u8, usize),
    random: *const MonproRandom,
    place: &Place,
) -> Result<(), MonproStatus> {
    let (MonproRsaPrivate(key), ciphertext, mut source) =
        // SAFETY: the caller's promises.
        unsafe { (reference(key)?, bytes(ciphertext, ciphertext_length)?, Source::new(random)?) };
    writable(place.message, place.capacity)?;
    // A status that told whether the message fits would tell of malformed ciphertexts, too.
    if place.capacity < key.public_key().octets() {
        return Err(MonproStatus::SpaceTooShort);
    }
    let decrypted: Zeroizing<Vec<u8>> = key.decrypt(scheme, ciphertext, &mut source)?;
    // SAFETY: the caller's promises; the message is shorter than the modulus.
    unsafe { write_with_length(place.message, place.capacity, place.length, &decrypted) }
}
