//! draft-irtf-cfrg-rsa-guidance, §7, from its text: an oracle for implicit rejection.

use hmac::{Hmac, Mac};
use monpro_rsa::PrivateKey;
use pkcs8::der::Decode;
use sha2::{Digest, Sha256};

/// What a malformed ciphertext decrypts to.
pub(crate) fn synthetic_message(key: &PrivateKey, ciphertext: &[u8]) -> Vec<u8> {
    let k = key.public_key().octets();
    let der = key.to_der();
    let pkcs8 = pkcs8::PrivateKeyInfoRef::from_der(&der).unwrap();
    let numbers = pkcs1::RsaPrivateKeyRef::from_der(pkcs8.private_key.as_bytes()).unwrap();
    let d = numbers.private_exponent.as_bytes();
    let d = [vec![0; k - d.len()], d.to_vec()].concat();
    let hmac = |key: &[u8], text: &[u8]| {
        Hmac::<Sha256>::new_from_slice(key).unwrap().chain_update(text).finalize().into_bytes().to_vec()
    };
    let derivation_key = hmac(&Sha256::digest(&d), ciphertext);
    let prf = |label: &[u8], length: usize| -> Vec<u8> {
        let bits = ((8 * length) as u16).to_be_bytes();
        let blocks = (0u16..).flat_map(|i| hmac(&derivation_key, &[&i.to_be_bytes(), label, &bits].concat()));
        blocks.take(length).collect()
    };
    let lengths = prf(b"length", 256);
    let longest = k - 2 - 8;
    let ones = usize::BITS - longest.leading_zeros();
    let mut candidates =
        lengths.chunks(2).map(|pair| (usize::from(pair[0]) << 8 | usize::from(pair[1])) % (1 << ones));
    let length = candidates.rfind(|&candidate| candidate < longest).unwrap_or(0);
    prf(b"message", k)[k - length..].to_vec()
}
