//! EME-PKCS1-v1_5 \[RFC 8017, §7.2\], decoded with implicit rejection \[draft-irtf-cfrg-rsa-guidance, §7\].

use crate::error::Error;
use crate::hash::Hash;
use crate::number::MOST_DRAWS;
use alloc::vec;
use alloc::vec::Vec;
use hmac::{Hmac, Mac};
use rand_core::CryptoRng;
use sha2::Sha256;
use subtle::{Choice, ConditionallySelectable, ConstantTimeEq, ConstantTimeGreater, ConstantTimeLess};
use zeroize::Zeroizing;

/// The least number of random octets.
const LEAST_PADDING: usize = 8;
/// The number of octets from which the length of a synthetic message is drawn.
const LENGTH_OCTETS: usize = 256;

/// 0, 2, random octets that are not 0, then 0 and the message.
///
/// # Errors
/// [`Error::MessageTooLong`]; [`Error::RandomSource`] if the random source gives nothing but zeros.
pub(super) fn encode<R: CryptoRng + ?Sized>(
    message: &[u8],
    octets: usize,
    random: &mut R,
) -> Result<Zeroizing<Vec<u8>>, Error> {
    if octets < message.len() + LEAST_PADDING + 3 {
        return Err(Error::MessageTooLong);
    }
    let start = octets - message.len();
    let mut encoded = Zeroizing::new(vec![0; octets]);
    encoded[1] = 2;
    for octet in &mut encoded[2..start - 1] {
        let mut draws = 0..MOST_DRAWS;
        while *octet == 0 {
            draws.next().ok_or(Error::RandomSource)?;
            random.fill_bytes(core::slice::from_mut(octet));
        }
    }
    encoded[start..].copy_from_slice(message);
    Ok(encoded)
}

/// The message or, if the encoding is malformed, a synthetic message that d and the ciphertext determine. No
/// branch and no address depends on which of the two it is, except through the length of the returned
/// message.
pub(super) fn decode(encoded: &[u8], d: &[u8], ciphertext: &[u8]) -> Zeroizing<Vec<u8>> {
    let octets = encoded.len() as u64;
    let key = derivation_key(d, ciphertext);
    let synthetic = expanded(&key, b"message", encoded.len());
    let synthetic_start = octets - synthetic_length(&expanded(&key, b"length", LENGTH_OCTETS), octets);
    let (mut start, mut is_found) = (0u64, Choice::from(0));
    for (i, octet) in (0u64..).zip(encoded).skip(2) {
        let is_separator = !is_found & octet.ct_eq(&0);
        start.conditional_assign(&(i + 1), is_separator);
        is_found |= is_separator;
    }
    // Without a separator, `start` is 0 still.
    let is_padded = start.ct_gt(&(LEAST_PADDING as u64 + 2));
    let is_good = encoded[0].ct_eq(&0) & encoded[1].ct_eq(&2) & is_padded;
    let message =
        synthetic.iter().zip(encoded).map(|(other, own)| u8::conditional_select(other, own, is_good));
    let message: Zeroizing<Vec<u8>> = Zeroizing::new(message.collect());
    let start = u64::conditional_select(&synthetic_start, &start, is_good);
    Zeroizing::new(message[start as usize..].to_vec())
}

/// HMAC-SHA-256 of the ciphertext, with the hash of d as its key.
fn derivation_key(d: &[u8], ciphertext: &[u8]) -> Zeroizing<Vec<u8>> {
    authenticated(&Zeroizing::new(Hash::Sha256.digest(&[d])), &[ciphertext])
}

/// HMAC-SHA-256 of the parts, one after the other.
fn authenticated(key: &[u8], parts: &[&[u8]]) -> Zeroizing<Vec<u8>> {
    let mac = Hmac::<Sha256>::new_from_slice(key).expect("HMAC takes keys of any length");
    let mac = parts.iter().fold(mac, hmac::Mac::chain_update);
    Zeroizing::new(mac.finalize().into_bytes().to_vec())
}

/// `octets` octets that the key and the label determine.
fn expanded(key: &[u8], label: &[u8], octets: usize) -> Zeroizing<Vec<u8>> {
    let bits = (8 * octets as u16).to_be_bytes();
    let mut output = Zeroizing::new(Vec::with_capacity(octets.next_multiple_of(32)));
    for counter in 0..octets.div_ceil(32) as u16 {
        output.extend_from_slice(&authenticated(key, &[&counter.to_be_bytes(), label, &bits]));
    }
    output.truncate(octets);
    output
}

/// The length of the synthetic message. The candidates are numbers of two octets, masked to the bits of the
/// longest length; the last one below the longest length is taken, or 0 if there is none.
fn synthetic_length(candidates: &[u8], octets: u64) -> u64 {
    let longest = octets - 2 - LEAST_PADDING as u64;
    let mask = longest.next_power_of_two() - 1;
    // The mask covers `longest` itself if that is a power of two.
    let mask = if longest.is_power_of_two() { 2 * longest - 1 } else { mask };
    candidates.chunks_exact(2).fold(0, |length, pair| {
        let candidate = u64::from(u16::from_be_bytes([pair[0], pair[1]])) & mask;
        u64::conditional_select(&length, &candidate, candidate.ct_lt(&longest))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Constant;

    #[test]
    fn a_random_source_of_zeros_is_an_error_and_not_an_endless_loop() {
        assert_eq!(encode(b"m", 64, &mut Constant(0)).err(), Some(Error::RandomSource));
        assert_eq!(
            encode(b"m", 12, &mut Constant(7)).unwrap()[..],
            *b"\0\x02\x07\x07\x07\x07\x07\x07\x07\x07\0m"
        );
    }
}
