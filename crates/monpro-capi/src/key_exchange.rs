//! Diffie–Hellman: groups, private keys, shared secrets.

use crate::border::{bytes, free, hand_out, number, place_of, reference, status_of, string, write};
use crate::field::MonproField;
use crate::kernels;
use crate::memory::reserve;
use crate::random::{MonproRandom, Source};
use crate::status::MonproStatus;
use arithmetic::diffie_hellman::{Group, PrivateKey};
use rand_core::Rng;
use std::ffi::{CString, c_char};
use std::ptr;
use std::sync::OnceLock;
use zeroize::Zeroizing;

/// A group for key exchange: the powers of a generator; to be freed by monpro_group_free. Threads may share it.
pub struct MonproGroup(Group);

/// A private key of a group, with its public value; to be freed by monpro_dh_key_free. Threads may share it.
pub struct MonproDhKey(PrivateKey);

/// The name of the group at this place of the list, from 0 on; null after the last one. It lives as long as the
/// program.
// SAFETY: nothing else has a name that begins with monpro_.
#[unsafe(no_mangle)]
pub extern "C" fn monpro_group_name(place: usize) -> *const c_char {
    static NAMES: OnceLock<Vec<CString>> = OnceLock::new();
    let names = NAMES.get_or_init(|| Group::names().filter_map(|name| CString::new(name).ok()).collect());
    names.get(place).map_or(ptr::null(), |name| name.as_ptr())
}

/// Makes the group of this name: modp2048 to modp8192 of RFC 3526, ffdhe2048 to ffdhe8192 of RFC 7919. *group is set
/// in every case, to null if the status is not MONPRO_STATUS_OK.
///
/// # Safety
/// name is null or a string, group is null or can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn monpro_group_named(
    name: *const c_char,
    group: *mut *mut MonproGroup,
) -> MonproStatus {
    let make = || {
        kernels::obey_environment()?;
        // SAFETY: the caller's promise.
        let name = unsafe { string(name) }?.ok_or(MonproStatus::UnknownGroup)?;
        Ok(MonproGroup(Group::named(name)?))
    };
    // SAFETY: the caller's promise.
    unsafe { hand_out(group, make) }
}

/// Makes the group of the powers of g modulo a prime p of at most 2^14 bits; order is the order of g, or null with the
/// length 0 where it is not known. The caller vouches that p is prime and that the order is that of g. Without the order
/// a peer's value is refused only if it is 0, 1 or p - 1; p should then be a safe prime.
///
/// *group is set in every case, to null if the status is not MONPRO_STATUS_OK. MONPRO_STATUS_UNUSABLE_GROUP tells that p
/// is even, below 5 or too long, that g is 0, 1, p - 1 or not below p, or that g^order is not 1.
///
/// # Safety
/// The bytes of p, g and order can be read, group is null or can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn monpro_group_integers(
    p: *const u8,
    p_length: usize,
    g: *const u8,
    g_length: usize,
    order: *const u8,
    order_length: usize,
    group: *mut *mut MonproGroup,
) -> MonproStatus {
    let make = || {
        kernels::obey_environment()?;
        let [p, g, order] =
            // SAFETY: the caller's promises.
            unsafe { [bytes(p, p_length)?, bytes(g, g_length)?, bytes(order, order_length)?] };
        reserve((p.len() + g.len() + order.len()) / 4)?;
        let [p, g, order] = [p, g, order].map(number);
        let order = (!order.is_empty()).then_some(order.as_slice());
        Ok(MonproGroup(Group::integers(&p, &g, order)?))
    };
    // SAFETY: the caller's promise.
    unsafe { hand_out(group, make) }
}

/// Makes the group of the powers of an element g of GF(2^k); order is the order of g, or null with the length 0 where it
/// is not known. Discrete logarithms in such groups are easy to find, whatever k is: secrets that matter must not rest
/// on one.
///
/// *group is set in every case, to null if the status is not MONPRO_STATUS_OK. MONPRO_STATUS_UNUSABLE_GROUP tells that g
/// is 0 or 1, or that g^order is not 1.
///
/// # Safety
/// The field is one of this library that has not been freed, or null. The bytes of g and order can be read; group is null
/// or can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn monpro_group_binary_field(
    field: *const MonproField,
    g: *const u8,
    g_length: usize,
    order: *const u8,
    order_length: usize,
    group: *mut *mut MonproGroup,
) -> MonproStatus {
    let make = || {
        let (field, [g, order]) =
            // SAFETY: the caller's promises.
            unsafe { (reference(field)?, [bytes(g, g_length)?, bytes(order, order_length)?]) };
        let g = field.field().element_from_be_bytes(g)?;
        reserve(order.len() / 4)?;
        let order = number(order);
        let order = (!order.is_empty()).then_some(order.as_slice());
        Ok(MonproGroup(Group::binary_field(&g, order)?))
    };
    // SAFETY: the caller's promise.
    unsafe { hand_out(group, make) }
}

/// Frees a group; null is ignored. Its keys stay.
///
/// # Safety
/// The group is null, or is one of this library that has not been freed and is not in use.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn monpro_group_free(group: *mut MonproGroup) {
    // SAFETY: the caller's promise.
    unsafe { free(group) }
}

/// The number of bytes of a public value and of a secret. 0 for null.
///
/// # Safety
/// The group is null, or is one of this library that has not been freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn monpro_group_bytes(group: *const MonproGroup) -> usize {
    // SAFETY: the caller's promise.
    unsafe { group.as_ref() }.map_or(0, |group| group.0.octets())
}

/// The number of random bytes that a private key needs: for a named group the length that RFC 7919 advises for its
/// strength, else the length of the order, else monpro_group_bytes. 0 for null.
///
/// # Safety
/// The group is null, or is one of this library that has not been freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn monpro_group_private_bytes(group: *const MonproGroup) -> usize {
    // SAFETY: the caller's promise.
    unsafe { group.as_ref() }.map_or(0, |group| group.0.private_octets())
}

/// Makes a private key of random bytes; null takes those of the system. *key is set in every case, to null if the status
/// is not MONPRO_STATUS_OK. The group may be freed before the key.
///
/// # Safety
/// The group is one of this library that has not been freed, or null; random is null or a source; key is null or can be
/// written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn monpro_dh_key_generate(
    group: *const MonproGroup,
    random: *const MonproRandom,
    key: *mut *mut MonproDhKey,
) -> MonproStatus {
    let make = || {
        // SAFETY: the caller's promises.
        let (MonproGroup(group), mut source) = unsafe { (reference(group)?, Source::new(random)?) };
        let mut octets = Zeroizing::new(vec![0; group.private_octets()]);
        source.fill_bytes(&mut octets);
        // Of a source that works, 0 or a multiple of the order never comes.
        let key = group.private_key(&octets).map_err(|_| MonproStatus::RandomSource)?;
        Ok(MonproDhKey(key))
    };
    // SAFETY: the caller's promise.
    unsafe { hand_out(key, make) }
}

/// Makes the private key with this exponent, big-endian, of monpro_group_private_bytes to monpro_group_bytes bytes.
/// *key is set in every case, to null if the status is not MONPRO_STATUS_OK. MONPRO_STATUS_DEGENERATE_PRIVATE_KEY tells
/// that the public value would be 1 or -1.
///
/// # Safety
/// The group is one of this library that has not been freed, or null. The bytes of exponent can be read; key is null or
/// can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn monpro_dh_key_new(
    group: *const MonproGroup,
    exponent: *const u8,
    exponent_length: usize,
    key: *mut *mut MonproDhKey,
) -> MonproStatus {
    let make = || {
        let (MonproGroup(group), exponent) =
            // SAFETY: the caller's promises.
            unsafe { (reference(group)?, bytes(exponent, exponent_length)?) };
        Ok(MonproDhKey(group.private_key(exponent)?))
    };
    // SAFETY: the caller's promise.
    unsafe { hand_out(key, make) }
}

/// Erases and frees a private key; null is ignored.
///
/// # Safety
/// The key is null, or is one of this library that has not been freed and is not in use.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn monpro_dh_key_free(key: *mut MonproDhKey) {
    // SAFETY: the caller's promise.
    unsafe { free(key) }
}

/// The number of bytes of the key's public value and of its secrets, which is that of its group. 0 for null.
///
/// # Safety
/// The key is null, or is one of this library that has not been freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn monpro_dh_key_bytes(key: *const MonproDhKey) -> usize {
    // SAFETY: the caller's promise.
    unsafe { key.as_ref() }.map_or(0, |key| key.0.group().octets())
}

/// Writes the public value, g^d for the private exponent d, which is to be sent to the peer. length must be what
/// monpro_dh_key_bytes returns.
///
/// # Safety
/// The key is one of this library that has not been freed, or null; length bytes at value can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn monpro_dh_public_value(
    key: *const MonproDhKey,
    value: *mut u8,
    length: usize,
) -> MonproStatus {
    status_of(|| {
        // SAFETY: the caller's promise.
        let MonproDhKey(key) = unsafe { reference(key) }?;
        place_of(key.public_value().len(), value, length)?;
        // SAFETY: the caller's promise, and the length is that of the result.
        unsafe { write(value, key.public_value()) };
        Ok(())
    })
}

/// Writes the secret that both sides share, y^d for the peer's public value y: an element of the group, and no key yet;
/// derive keys from it, for example by HKDF. Time does not depend on d or on the secret. peer_length and secret_length
/// must be what monpro_dh_key_bytes returns; the secret may overlap the peer's value.
///
/// MONPRO_STATUS_PEER_REFUSED tells that y is not below the modulus, is 0, 1 or -1, is not in the group of the generator
/// where its order is known, or leads to the secret 0, 1 or -1. Then end the exchange.
///
/// # Safety
/// The key is one of this library that has not been freed, or null. The bytes of peer can be read, and those of secret
/// can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn monpro_dh_agree(
    key: *const MonproDhKey,
    peer: *const u8,
    peer_length: usize,
    secret: *mut u8,
    secret_length: usize,
) -> MonproStatus {
    status_of(|| {
        // SAFETY: the caller's promises.
        let (MonproDhKey(key), peer) = unsafe { (reference(key)?, bytes(peer, peer_length)?) };
        place_of(key.group().octets(), secret, secret_length)?;
        let agreed = key.agree(peer)?;
        // SAFETY: the caller's promise, and the length is that of the result.
        unsafe { write(secret, agreed.octets()) };
        Ok(())
    })
}
