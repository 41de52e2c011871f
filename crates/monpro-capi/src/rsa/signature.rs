//! Signatures of RSA.

use super::{MonproRsaPrivate, MonproRsaPublic, hash_at};
use crate::border::{bytes, message as message_at, place_of, reference, status_of, write};
use crate::random::{MonproRandom, Source};
use crate::status::MonproStatus;
use monpro_rsa::{Error, Hash, PrivateKey, Pss, PublicKey, SaltLength, SignatureScheme};
use std::ffi::c_char;

/// The salt is as long as the hash.
pub const MONPRO_SALT_AS_HASH: usize = 0;
/// A salt of any length is verified; signatures are made with one as long as the hash.
pub const MONPRO_SALT_ANY: usize = 1 << 29;
/// There is no salt.
pub const MONPRO_SALT_NONE: usize = 1 << 30;

/// The parameters of RSASSA-PSS. A structure of zeros, and a null pointer to one, stand for SHA-256, also for MGF1, and a
/// salt as long as the hash.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct MonproPss {
    /// The name of the hash function of the message; null is sha256.
    pub hash: *const c_char,
    /// The name of the hash function of MGF1; null is that of the message.
    pub mgf1_hash: *const c_char,
    /// The number of bytes of the salt, or a constant that begins with MONPRO_SALT.
    pub salt_length: usize,
}

impl MonproPss {
    /// The hash function of the message, and the scheme.
    ///
    /// # Safety
    /// The pointer is null, or the parameters can be read, and their names are null or strings.
    unsafe fn read(parameters: *const MonproPss) -> Result<(SignatureScheme, Hash), MonproStatus> {
        // SAFETY: the caller's promise.
        let Some(parameters) = (unsafe { parameters.as_ref() }) else {
            return Ok((SignatureScheme::Pss(Pss::default()), Hash::default()));
        };
        let salt_length = match parameters.salt_length {
            MONPRO_SALT_AS_HASH => SaltLength::Hash,
            MONPRO_SALT_ANY => SaltLength::Any,
            MONPRO_SALT_NONE => SaltLength::Octets(0),
            octets => SaltLength::Octets(octets),
        };
        // SAFETY: the caller's promise.
        let [hash, mgf1_hash] = unsafe { [hash_at(parameters.hash)?, hash_at(parameters.mgf1_hash)?] };
        Ok((SignatureScheme::Pss(Pss { salt_length, mgf1_hash }), hash.unwrap_or_default()))
    }
}

/// Signs a message by RSASSA-PSS. signature_length must be what monpro_rsa_private_bytes returns. Salt and blinding are
/// random; null takes the system's source. The signature may overlap the message.
///
/// The status may be MONPRO_STATUS_WEAK_HASH for sha1, MONPRO_STATUS_KEY_TOO_SHORT, MONPRO_STATUS_UNKNOWN_HASH,
/// MONPRO_STATUS_RANDOM_SOURCE, MONPRO_STATUS_FAULT; then nothing is written.
///
/// # Safety
/// The key is one of this library that has not been freed, or null. The parameters are null or can be read, with names
/// that are null or strings; random is null or a source. The bytes of message can be read, those of signature written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn monpro_rsa_sign_pss(
    key: *const MonproRsaPrivate,
    parameters: *const MonproPss,
    message: *const u8,
    message_length: usize,
    random: *const MonproRandom,
    signature: *mut u8,
    signature_length: usize,
) -> MonproStatus {
    // SAFETY: the caller's promises.
    status_of(|| unsafe {
        let scheme = MonproPss::read(parameters)?;
        sign(key, scheme, (message, message_length), random, (signature, signature_length), PrivateKey::sign)
    })
}

/// Signs a message by RSASSA-PKCS1-v1_5 with the hash function of this name; null is sha256. The signature does not
/// depend on the random bytes, which blind the computation. Otherwise as monpro_rsa_sign_pss.
///
/// # Safety
/// As monpro_rsa_sign_pss; hash is null or a string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn monpro_rsa_sign_pkcs1(
    key: *const MonproRsaPrivate,
    hash: *const c_char,
    message: *const u8,
    message_length: usize,
    random: *const MonproRandom,
    signature: *mut u8,
    signature_length: usize,
) -> MonproStatus {
    // SAFETY: the caller's promises.
    status_of(|| unsafe {
        let scheme = (SignatureScheme::Pkcs1v15, hash_at(hash)?.unwrap_or_default());
        sign(key, scheme, (message, message_length), random, (signature, signature_length), PrivateKey::sign)
    })
}

/// Verifies a signature of RSASSA-PSS: MONPRO_STATUS_OK if it is one of this message by this key with these parameters,
/// MONPRO_STATUS_BAD_SIGNATURE if not. Every other status tells that nothing was verified: compare with
/// MONPRO_STATUS_OK, which is 0.
///
/// # Safety
/// The key is one of this library that has not been freed, or null. The parameters are null or can be read, with names
/// that are null or strings. The bytes of message and signature can be read.
#[unsafe(no_mangle)]
#[must_use]
pub unsafe extern "C" fn monpro_rsa_verify_pss(
    key: *const MonproRsaPublic,
    parameters: *const MonproPss,
    message: *const u8,
    message_length: usize,
    signature: *const u8,
    signature_length: usize,
) -> MonproStatus {
    // SAFETY: the caller's promises.
    status_of(|| unsafe {
        let scheme = MonproPss::read(parameters)?;
        verify(key, scheme, (message, message_length), (signature, signature_length), PublicKey::verify)
    })
}

/// Verifies a signature of RSASSA-PKCS1-v1_5 with the hash function of this name; null is sha256. Otherwise as
/// monpro_rsa_verify_pss.
///
/// # Safety
/// As monpro_rsa_verify_pss; hash is null or a string.
#[unsafe(no_mangle)]
#[must_use]
pub unsafe extern "C" fn monpro_rsa_verify_pkcs1(
    key: *const MonproRsaPublic,
    hash: *const c_char,
    message: *const u8,
    message_length: usize,
    signature: *const u8,
    signature_length: usize,
) -> MonproStatus {
    // SAFETY: the caller's promises.
    status_of(|| unsafe {
        let scheme = (SignatureScheme::Pkcs1v15, hash_at(hash)?.unwrap_or_default());
        verify(key, scheme, (message, message_length), (signature, signature_length), PublicKey::verify)
    })
}

/// monpro_rsa_sign_pss of the message with this hash, by the hash function of the parameters, for messages that are hashed
/// piece by piece. MONPRO_STATUS_WRONG_LENGTH tells that the hash has another length than those of the function.
///
/// # Safety
/// As monpro_rsa_sign_pss; the bytes of hash can be read.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn monpro_rsa_sign_pss_prehashed(
    key: *const MonproRsaPrivate,
    parameters: *const MonproPss,
    hash: *const u8,
    hash_length: usize,
    random: *const MonproRandom,
    signature: *mut u8,
    signature_length: usize,
) -> MonproStatus {
    // SAFETY: the caller's promises.
    status_of(|| unsafe {
        let scheme = MonproPss::read(parameters)?;
        let sign_hash = PrivateKey::sign_prehashed::<Source>;
        sign(key, scheme, (hash, hash_length), random, (signature, signature_length), sign_hash)
    })
}

/// monpro_rsa_sign_pkcs1 of the message with this hash, by the hash function of this name; otherwise as
/// monpro_rsa_sign_pss_prehashed.
///
/// # Safety
/// As monpro_rsa_sign_pss_prehashed; name is null or a string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn monpro_rsa_sign_pkcs1_prehashed(
    key: *const MonproRsaPrivate,
    name: *const c_char,
    hash: *const u8,
    hash_length: usize,
    random: *const MonproRandom,
    signature: *mut u8,
    signature_length: usize,
) -> MonproStatus {
    // SAFETY: the caller's promises.
    status_of(|| unsafe {
        let scheme = (SignatureScheme::Pkcs1v15, hash_at(name)?.unwrap_or_default());
        let sign_hash = PrivateKey::sign_prehashed::<Source>;
        sign(key, scheme, (hash, hash_length), random, (signature, signature_length), sign_hash)
    })
}

/// monpro_rsa_verify_pss of the message with this hash; MONPRO_STATUS_WRONG_LENGTH as monpro_rsa_sign_pss_prehashed.
///
/// # Safety
/// As monpro_rsa_verify_pss; the bytes of hash can be read.
#[unsafe(no_mangle)]
#[must_use]
pub unsafe extern "C" fn monpro_rsa_verify_pss_prehashed(
    key: *const MonproRsaPublic,
    parameters: *const MonproPss,
    hash: *const u8,
    hash_length: usize,
    signature: *const u8,
    signature_length: usize,
) -> MonproStatus {
    // SAFETY: the caller's promises.
    status_of(|| unsafe {
        let scheme = MonproPss::read(parameters)?;
        verify(key, scheme, (hash, hash_length), (signature, signature_length), PublicKey::verify_prehashed)
    })
}

/// monpro_rsa_verify_pkcs1 of the message with this hash, by the hash function of this name; otherwise as
/// monpro_rsa_verify_pss_prehashed.
///
/// # Safety
/// As monpro_rsa_verify_pss_prehashed; name is null or a string.
#[unsafe(no_mangle)]
#[must_use]
pub unsafe extern "C" fn monpro_rsa_verify_pkcs1_prehashed(
    key: *const MonproRsaPublic,
    name: *const c_char,
    hash: *const u8,
    hash_length: usize,
    signature: *const u8,
    signature_length: usize,
) -> MonproStatus {
    // SAFETY: the caller's promises.
    status_of(|| unsafe {
        let scheme = (SignatureScheme::Pkcs1v15, hash_at(name)?.unwrap_or_default());
        verify(key, scheme, (hash, hash_length), (signature, signature_length), PublicKey::verify_prehashed)
    })
}

/// A function of Rust that signs a message, or its hash.
type Sign = fn(&PrivateKey, SignatureScheme, Hash, &[u8], &mut Source) -> Result<Vec<u8>, Error>;

/// A function of Rust that verifies a signature of a message, or of its hash.
type Verify = fn(&PublicKey, SignatureScheme, Hash, &[u8], &[u8]) -> Result<(), Error>;

/// # Safety
/// As [`monpro_rsa_sign_pss`].
unsafe fn sign(
    key: *const MonproRsaPrivate,
    (scheme, hash): (SignatureScheme, Hash),
    (message, message_length): (*const u8, usize),
    random: *const MonproRandom,
    (signature, signature_length): (*mut u8, usize),
    sign: Sign,
) -> Result<(), MonproStatus> {
    let (MonproRsaPrivate(key), message, mut source) =
        // SAFETY: the caller's promises.
        unsafe { (reference(key)?, message_at(message, message_length)?, Source::new(random)?) };
    place_of(key.public_key().octets(), signature, signature_length)?;
    let signed = sign(key, scheme, hash, message, &mut source)?;
    // SAFETY: the caller's promise, and the length is that of the result.
    unsafe { write(signature, &signed) };
    Ok(())
}

/// # Safety
/// As [`monpro_rsa_verify_pss`].
unsafe fn verify(
    key: *const MonproRsaPublic,
    (scheme, hash): (SignatureScheme, Hash),
    (message, message_length): (*const u8, usize),
    (signature, signature_length): (*const u8, usize),
    verify: Verify,
) -> Result<(), MonproStatus> {
    // SAFETY: the caller's promises.
    let (MonproRsaPublic(key), message, signature) = unsafe {
        (reference(key)?, message_at(message, message_length)?, bytes(signature, signature_length)?)
    };
    Ok(verify(key, scheme, hash, message, signature)?)
}
