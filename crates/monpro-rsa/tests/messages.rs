//! Signatures and encryption: round trips, and what is refused.

use getrandom::SysRng;
use monpro_rsa::{EncryptionScheme, Error, Hash, Oaep, PrivateKey, Pss, SaltLength, SignatureScheme};
use rand_core::UnwrapErr;
use std::sync::LazyLock;

static KEY: LazyLock<PrivateKey> = LazyLock::new(|| PrivateKey::generate(1032, &mut random()).unwrap());
const PSS: SignatureScheme = SignatureScheme::Pss(Pss { salt_length: SaltLength::Hash, mgf1_hash: None });
const SIGNATURES: [SignatureScheme; 2] = [SignatureScheme::Pkcs1v15, PSS];

fn random() -> UnwrapErr<SysRng> {
    UnwrapErr(SysRng)
}

#[test]
fn signatures_verify_and_nothing_else_does() {
    let public = KEY.public_key();
    let hashes = Hash::ALL.iter().copied().filter(|&hash| hash != Hash::Sha1);
    for (scheme, hash) in hashes.flat_map(|hash| SIGNATURES.map(|scheme| (scheme, hash))) {
        if scheme == PSS && matches!(hash, Hash::Sha512 | Hash::Sha3_512) {
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

#[test]
fn hash_functions_have_the_names_of_hashlib() {
    let names: Vec<_> = Hash::ALL.iter().map(|hash| hash.name()).collect();
    let sha2 = ["sha1", "sha224", "sha256", "sha384", "sha512", "sha512_224", "sha512_256"];
    assert_eq!(names, [&sha2[..], &["sha3_224", "sha3_256", "sha3_384", "sha3_512"]].concat());
}

/// PSS encodes into one bit less than n has, rounded up to octets: these lengths are around a whole octet.
#[test]
fn pss_signatures_of_lengths_around_an_octet() {
    for bits in [544, 546, 550, 552] {
        let key = PrivateKey::generate(bits, &mut random()).unwrap();
        let signature = key.sign(PSS, Hash::Sha256, b"m", &mut random()).unwrap();
        assert_eq!(key.public_key().verify(PSS, Hash::Sha256, b"m", &signature), Ok(()));
    }
}

#[test]
fn a_modulus_may_be_too_short() {
    let key = PrivateKey::generate(512, &mut random()).unwrap();
    for (scheme, hash) in
        [(SignatureScheme::Pkcs1v15, Hash::Sha512), (PSS, Hash::Sha256), (PSS, Hash::Sha512)]
    {
        assert_eq!(key.sign(scheme, hash, b"", &mut random()), Err(Error::ModulusTooShort));
    }
    // A verifier cannot know whose fault it is; of PKCS#1 v1.5 it can.
    for (scheme, verdict) in [(SignatureScheme::Pkcs1v15, Error::ModulusTooShort), (PSS, Error::BadSignature)]
    {
        assert_eq!(key.public_key().verify(scheme, Hash::Sha512, b"", &[1; 64]), Err(verdict));
    }
    let oaep = EncryptionScheme::default();
    assert_eq!(key.public_key().encrypt(oaep, b"", &mut random()), Err(Error::MessageTooLong));
    assert_eq!(key.decrypt(oaep, &[1; 64], &mut random()).unwrap_err(), Error::Decryption);
}

/// PKCS#1 v1.5 needs 11 octets beside the DigestInfo, PSS 2 beside the hash and the salt.
#[test]
fn the_shortest_moduli() {
    let no_salt = SignatureScheme::Pss(Pss { salt_length: SaltLength::Octets(0), mgf1_hash: None });
    for (scheme, hash, least_bits) in [
        (SignatureScheme::Pkcs1v15, Hash::Sha384, 8 * (19 + 48 + 10) + 2),
        (SignatureScheme::Pkcs1v15, Hash::Sha512, 8 * (19 + 64 + 10) + 2),
        (no_salt, Hash::Sha512, 8 * (64 + 1) + 2),
        (PSS, Hash::Sha384, 8 * (48 + 48 + 1) + 2),
    ] {
        let short = PrivateKey::generate(least_bits - 2, &mut random()).unwrap();
        assert_eq!(short.sign(scheme, hash, b"m", &mut random()), Err(Error::ModulusTooShort));
        let octets = short.public_key().octets();
        let verdict = short.public_key().verify(scheme, hash, b"m", &vec![1; octets]);
        assert!(matches!(verdict, Err(Error::ModulusTooShort | Error::BadSignature)), "{verdict:?}");
        let key = PrivateKey::generate(least_bits, &mut random()).unwrap();
        let signature = key.sign(scheme, hash, b"m", &mut random()).unwrap();
        assert_eq!(key.public_key().verify(scheme, hash, b"m", &signature), Ok(()));
    }
}

/// OAEP needs 2 octets beside the seed and the label's hash, and then has room for the empty message.
#[test]
fn the_shortest_modulus_of_oaep() {
    let scheme = EncryptionScheme::default();
    let short = PrivateKey::generate(8 * 65, &mut random()).unwrap();
    assert_eq!(short.public_key().encrypt(scheme, b"", &mut random()), Err(Error::MessageTooLong));
    assert_eq!(short.decrypt(scheme, &[1; 65], &mut random()).unwrap_err(), Error::Decryption);
    let key = PrivateKey::generate(8 * 65 + 2, &mut random()).unwrap();
    let ciphertext = key.public_key().encrypt(scheme, b"", &mut random()).unwrap();
    assert_eq!(*key.decrypt(scheme, &ciphertext, &mut random()).unwrap(), b"");
    assert_eq!(key.public_key().encrypt(scheme, b"m", &mut random()), Err(Error::MessageTooLong));
}

#[test]
fn messages_of_every_length_come_back() {
    let oaep = |hash, mgf1_hash, label| EncryptionScheme::Oaep(Oaep { hash, mgf1_hash, label });
    let longest = [
        (EncryptionScheme::default(), 129 - 66),
        (oaep(Hash::Sha384, None, b"a label"), 129 - 98),
        (oaep(Hash::Sha1, Some(Hash::Sha512), b""), 129 - 42),
        (oaep(Hash::Sha3_224, Some(Hash::Sha1), &[0; 1000]), 129 - 58),
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

#[test]
fn a_salt_has_the_length_that_is_asked_for() {
    let pss = |salt_length| SignatureScheme::Pss(Pss { salt_length, mgf1_hash: None });
    let verdict = |signed, verified| {
        let signature = KEY.sign(pss(signed), Hash::Sha384, b"m", &mut random()).unwrap();
        KEY.public_key().verify(pss(verified), Hash::Sha384, b"m", &signature)
    };
    // The longest salt: 129 octets hold a hash, the salt and 2 more.
    let lengths = [SaltLength::Hash, SaltLength::Octets(0), SaltLength::Octets(47), SaltLength::Octets(79)];
    for signed in lengths {
        for verified in lengths {
            let expected = if signed == verified { Ok(()) } else { Err(Error::BadSignature) };
            assert_eq!(verdict(signed, verified), expected, "{signed:?}, {verified:?}");
        }
        assert_eq!(verdict(signed, SaltLength::Any), Ok(()), "{signed:?}");
    }
    assert_eq!(verdict(SaltLength::Any, SaltLength::Hash), Ok(()));
    assert_eq!(verdict(SaltLength::Hash, SaltLength::Octets(48)), Ok(()));
    for octets in [80, usize::MAX] {
        let scheme = pss(SaltLength::Octets(octets));
        assert_eq!(KEY.sign(scheme, Hash::Sha384, b"m", &mut random()), Err(Error::ModulusTooShort));
        assert_eq!(verdict(SaltLength::Hash, SaltLength::Octets(octets)), Err(Error::BadSignature));
    }
}

#[test]
fn mgf1_has_the_hash_function_that_is_asked_for() {
    let pss = |mgf1_hash| SignatureScheme::Pss(Pss { salt_length: SaltLength::Hash, mgf1_hash });
    let signature = KEY.sign(pss(Some(Hash::Sha1)), Hash::Sha256, b"m", &mut random()).unwrap();
    for (mgf1_hash, verdict) in [
        (Some(Hash::Sha1), Ok(())),
        (Some(Hash::Sha256), Err(Error::BadSignature)),
        (None, Err(Error::BadSignature)),
    ] {
        assert_eq!(KEY.public_key().verify(pss(mgf1_hash), Hash::Sha256, b"m", &signature), verdict);
    }
    let oaep = |mgf1_hash| EncryptionScheme::Oaep(Oaep { mgf1_hash, ..Oaep::default() });
    let ciphertext = KEY.public_key().encrypt(oaep(Some(Hash::Sha512)), b"m", &mut random()).unwrap();
    assert_eq!(*KEY.decrypt(oaep(Some(Hash::Sha512)), &ciphertext, &mut random()).unwrap(), b"m");
    assert_eq!(KEY.decrypt(oaep(None), &ciphertext, &mut random()).unwrap_err(), Error::Decryption);
}

#[test]
fn signatures_are_not_made_with_sha1() {
    for scheme in SIGNATURES {
        assert_eq!(KEY.sign(scheme, Hash::Sha1, b"m", &mut random()), Err(Error::WeakHash));
    }
}

#[test]
fn salts_and_seeds_are_fresh() {
    let signature = || KEY.sign(PSS, Hash::Sha256, b"m", &mut random()).unwrap();
    assert_ne!(signature(), signature());
    for scheme in [EncryptionScheme::default(), EncryptionScheme::Pkcs1v15] {
        let ciphertext = || KEY.public_key().encrypt(scheme, b"m", &mut random()).unwrap();
        assert_ne!(ciphertext(), ciphertext());
    }
}

/// The signature of a hash is that of its message, and a hash of another length is refused.
#[test]
fn hashes_are_signed_in_place_of_messages() {
    use sha2::{Digest, Sha256};
    let key = PrivateKey::generate(1024, &mut random()).unwrap();
    let (digest, public) = (Sha256::digest(b"message"), key.public_key());
    for scheme in [SignatureScheme::Pkcs1v15, SignatureScheme::Pss(Pss::default())] {
        let signature = key.sign_prehashed(scheme, Hash::Sha256, &digest, &mut random()).unwrap();
        assert_eq!(public.verify(scheme, Hash::Sha256, b"message", &signature), Ok(()));
        let signature = key.sign(scheme, Hash::Sha256, b"message", &mut random()).unwrap();
        assert_eq!(public.verify_prehashed(scheme, Hash::Sha256, &digest, &signature), Ok(()));
        for wrong in [&digest[1..], &[&digest[..], &[0]].concat(), &[]] {
            let refused = key.sign_prehashed(scheme, Hash::Sha256, wrong, &mut random());
            assert_eq!(refused, Err(Error::HashLength));
            let refused = public.verify_prehashed(scheme, Hash::Sha256, wrong, &signature);
            assert_eq!(refused, Err(Error::HashLength));
        }
        let refused = key.sign_prehashed(scheme, Hash::Sha1, &[0; 20], &mut random());
        assert_eq!(refused, Err(Error::WeakHash));
    }
}

#[test]
fn a_batch_is_the_powers_of_single_operations() {
    let public = KEY.public_key();
    for count in [0, 1, 2, 3, 8, 11] {
        let numbers: Vec<Vec<u8>> = (0..count).map(|i| vec![i + 1; usize::from(7 * i) + 1]).collect();
        let numbers: Vec<&[u8]> = numbers.iter().map(Vec::as_slice).collect();
        let powers = KEY.raw_batch(&numbers, &mut random());
        let singles = numbers.iter().map(|number| KEY.raw(number, &mut random()));
        assert_eq!(powers, singles.collect::<Vec<_>>());
    }
    let n = public.n();
    let powers = KEY.raw_batch(&[&[2], &n, &[3], &[4]], &mut random());
    assert_eq!(powers[1], Err(Error::OutOfRange));
    assert!([0, 2, 3].iter().all(|&i| powers[i].is_ok()));
}

#[test]
fn encodings_and_powers_apart_are_signatures_and_decryption() {
    let public = KEY.public_key();
    for scheme in SIGNATURES {
        let encoded = public.encode_prehashed(scheme, Hash::Sha256, &[7; 32], &mut random()).unwrap();
        let signature = KEY.raw(&encoded, &mut random()).unwrap();
        assert_eq!(public.verify_prehashed(scheme, Hash::Sha256, &[7; 32], &signature), Ok(()));
        let encode = |hash, digest: &[u8]| public.encode_prehashed(scheme, hash, digest, &mut random());
        assert_eq!(encode(Hash::Sha1, &[7; 20]), Err(Error::WeakHash));
        assert_eq!(encode(Hash::Sha256, &[7; 31]), Err(Error::HashLength));
    }
    for scheme in [EncryptionScheme::Pkcs1v15, EncryptionScheme::Oaep(Oaep::default())] {
        let ciphertext = public.encrypt(scheme, b"message", &mut random()).unwrap();
        let power = KEY.raw(&ciphertext, &mut random()).unwrap();
        assert_eq!(*KEY.decode(scheme, &power, &ciphertext).unwrap(), b"message");
        assert_eq!(KEY.decode(scheme, &power[1..], &ciphertext), Err(Error::Decryption));
        assert_eq!(KEY.decode(scheme, &power, &ciphertext[1..]), Err(Error::Decryption));
    }
}
