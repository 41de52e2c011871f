//! Signatures and encryption: round trips, and what is refused.

use getrandom::SysRng;
use monpro_rsa::{EncryptionScheme, Error, Hash, PrivateKey, SignatureScheme};
use rand_core::UnwrapErr;
use std::sync::LazyLock;

static KEY: LazyLock<PrivateKey> = LazyLock::new(|| PrivateKey::generate(1032, &mut random()).unwrap());
const HASHES: [Hash; 3] = [Hash::Sha256, Hash::Sha384, Hash::Sha512];
const SIGNATURES: [SignatureScheme; 2] = [SignatureScheme::Pkcs1v15, SignatureScheme::Pss];

fn random() -> UnwrapErr<SysRng> {
    UnwrapErr(SysRng)
}

#[test]
fn signatures_verify_and_nothing_else_does() {
    let public = KEY.public_key();
    for (scheme, hash) in SIGNATURES.into_iter().flat_map(|scheme| HASHES.map(|hash| (scheme, hash))) {
        if (scheme, hash) == (SignatureScheme::Pss, Hash::Sha512) {
            continue; // it needs 1,041 bits
        }
        let signature = KEY.sign(scheme, hash, b"message", &mut random()).unwrap();
        assert_eq!(public.verify(scheme, hash, b"message", &signature), Ok(()));
        assert_eq!(public.verify(scheme, hash, b"messagf", &signature), Err(Error::BadSignature));
        for i in [0, 1, 64, signature.len() - 1] {
            let mut changed = signature.clone();
            changed[i] ^= 4;
            assert_eq!(public.verify(scheme, hash, b"message", &changed), Err(Error::BadSignature));
        }
        for wrong in [&signature[1..], &[], &[0xff; 129]] {
            assert_eq!(public.verify(scheme, hash, b"message", wrong), Err(Error::BadSignature));
        }
    }
}

#[test]
fn a_signature_of_one_scheme_is_none_of_the_other() {
    for (own, other) in [(SIGNATURES[0], SIGNATURES[1]), (SIGNATURES[1], SIGNATURES[0])] {
        let signature = KEY.sign(own, Hash::Sha256, b"", &mut random()).unwrap();
        let verdict = KEY.public_key().verify(other, Hash::Sha256, b"", &signature);
        assert_eq!(verdict, Err(Error::BadSignature));
    }
}

/// PSS encodes into one bit less than n has, rounded up to octets: these lengths are around a whole octet.
#[test]
fn pss_signatures_of_lengths_around_an_octet() {
    for bits in [544, 546, 550, 552] {
        let key = PrivateKey::generate(bits, &mut random()).unwrap();
        let signature = key.sign(SignatureScheme::Pss, Hash::Sha256, b"m", &mut random()).unwrap();
        assert_eq!(key.public_key().verify(SignatureScheme::Pss, Hash::Sha256, b"m", &signature), Ok(()));
    }
}

#[test]
fn a_modulus_may_be_too_short() {
    let key = PrivateKey::generate(512, &mut random()).unwrap();
    for (scheme, hash) in [(SignatureScheme::Pkcs1v15, Hash::Sha512), (SignatureScheme::Pss, Hash::Sha256)] {
        assert_eq!(key.sign(scheme, hash, b"", &mut random()), Err(Error::ModulusTooShort));
    }
    let oaep = EncryptionScheme::Oaep(Hash::Sha256);
    assert_eq!(key.public_key().encrypt(oaep, b"", &mut random()), Err(Error::MessageTooLong));
    assert_eq!(key.decrypt(oaep, &[1; 64], &mut random()).unwrap_err(), Error::Decryption);
}

#[test]
fn messages_of_every_length_come_back() {
    let longest = [
        (EncryptionScheme::Oaep(Hash::Sha256), 129 - 66),
        (EncryptionScheme::Oaep(Hash::Sha384), 129 - 98),
        (EncryptionScheme::Pkcs1v15, 129 - 11),
    ];
    for (scheme, longest) in longest {
        for length in 0..=longest {
            let message = vec![length as u8; length];
            let ciphertext = KEY.public_key().encrypt(scheme, &message, &mut random()).unwrap();
            assert_eq!(*KEY.decrypt(scheme, &ciphertext, &mut random()).unwrap(), message);
        }
        let message = vec![1; longest + 1];
        assert_eq!(KEY.public_key().encrypt(scheme, &message, &mut random()), Err(Error::MessageTooLong));
    }
}

#[test]
fn a_changed_oaep_ciphertext_does_not_decrypt() {
    let scheme = EncryptionScheme::default();
    let ciphertext = KEY.public_key().encrypt(scheme, b"secret", &mut random()).unwrap();
    for i in [2, 64, 128] {
        let mut changed = ciphertext.clone();
        changed[i] ^= 1;
        assert_eq!(KEY.decrypt(scheme, &changed, &mut random()).unwrap_err(), Error::Decryption);
    }
    for wrong in [&ciphertext[1..], &[], &[0xff; 129]] {
        assert_eq!(KEY.decrypt(scheme, wrong, &mut random()).unwrap_err(), Error::Decryption);
    }
}

#[test]
fn a_changed_pkcs1_ciphertext_decrypts_to_a_message_of_its_own() {
    let scheme = EncryptionScheme::Pkcs1v15;
    let ciphertext = KEY.public_key().encrypt(scheme, b"secret", &mut random()).unwrap();
    let mut lengths = std::collections::BTreeSet::new();
    for i in 60..100 {
        let mut changed = ciphertext.clone();
        changed[i] ^= 1;
        let message = KEY.decrypt(scheme, &changed, &mut random()).unwrap();
        assert_eq!(*message, *KEY.decrypt(scheme, &changed, &mut random()).unwrap());
        assert_ne!(*message, b"secret");
        assert!(message.len() < 129 - 10);
        lengths.insert(message.len());
    }
    assert!(lengths.len() > 8, "the lengths are drawn from many: {lengths:?}");
}
