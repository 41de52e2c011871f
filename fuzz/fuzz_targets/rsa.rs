//! RSA there and back, and with one octet changed: in the signature, in the ciphertext, or in the encoding below it.
#![no_main]

use libfuzzer_sys::fuzz_target;
use monpro_fuzz::input::{Input, Random};
use monpro_rsa::{EncryptionScheme, Error, Hash, Oaep, PrivateKey, Pss, SaltLength, SignatureScheme};
use std::sync::LazyLock;

/// Lengths that are whole octets, and some that are not.
const SIZES_BITS: [usize; 4] = [1024, 1026, 1032, 1056];
const HASHES: [Hash; 3] = [Hash::Sha256, Hash::Sha384, Hash::Sha512];
const MGF1_HASHES: [Option<Hash>; 3] = [None, Some(Hash::Sha256), Some(Hash::Sha512)];
const SALT_LENGTHS: [SaltLength; 4] =
    [SaltLength::Hash, SaltLength::Octets(0), SaltLength::Octets(20), SaltLength::Any];
const MOST_LABEL_OCTETS: usize = 8;
const MOST_MESSAGE_OCTETS: usize = 40;
const LEAST_PADDING: usize = 8;

static KEYS: LazyLock<Vec<PrivateKey>> = LazyLock::new(|| {
    let key = |(seed, &bits): (u64, &usize)| PrivateKey::generate(bits, &mut Random::new(seed));
    (0..).zip(&SIZES_BITS).map(key).collect::<Result<_, _>>().expect("keys have such lengths")
});

fuzz_target!(|bytes: &[u8]| {
    let mut input = Input::new(bytes);
    let key = &KEYS[input.below(KEYS.len())];
    let (kind, hash) = (input.below(5), input.one_of(&HASHES));
    let octets = input.below(MOST_MESSAGE_OCTETS + 1);
    let message = input.bytes(octets);
    let mgf1_hash = input.one_of(&MGF1_HASHES);
    let pss = Pss { salt_length: input.one_of(&SALT_LENGTHS), mgf1_hash };
    let label = input.below(MOST_LABEL_OCTETS + 1);
    let scheme = EncryptionScheme::Oaep(Oaep { hash, mgf1_hash, label: input.bytes(label) });
    match kind {
        0 => signatures(key, SignatureScheme::Pkcs1v15, hash, message, &mut input),
        1 => signatures(key, SignatureScheme::Pss(pss), hash, message, &mut input),
        2 => oaep(key, scheme, message, &mut input),
        3 => pkcs1v15(key, message, &mut input),
        _ => {
            let ciphertext = input.bytes(key.public_key().octets());
            for scheme in [scheme, EncryptionScheme::Pkcs1v15] {
                _ = key.decrypt(scheme, ciphertext, &mut Random::new(1));
            }
        }
    }
});

/// The octets with one of them changed, or none if the change is none.
fn changed(octets: &[u8], input: &mut Input<'_>) -> Option<Vec<u8>> {
    let mut changed = octets.to_vec();
    let (place, bits) = (input.below(octets.len().max(1)), input.byte());
    *changed.get_mut(place)? ^= bits;
    (bits != 0).then_some(changed)
}

/// A signature is one; a changed one, and one of a changed encoding, is none.
fn signatures(key: &PrivateKey, scheme: SignatureScheme, hash: Hash, message: &[u8], input: &mut Input<'_>) {
    let (public, mut random) = (key.public_key(), Random::new(2));
    let signature = match key.sign(scheme, hash, message, &mut random) {
        Ok(signature) => signature,
        Err(error) => return assert_eq!(error, Error::ModulusTooShort),
    };
    public.verify(scheme, hash, message, &signature).expect("the signature is one");
    let refused = |signature: &[u8]| {
        assert_eq!(
            public.verify(scheme, hash, message, signature),
            Err(Error::BadSignature),
            "{signature:x?}"
        );
    };
    changed(&signature, input).iter().for_each(|other| refused(other));
    changed(message, input).iter().for_each(|other| {
        assert_eq!(public.verify(scheme, hash, other, &signature), Err(Error::BadSignature));
    });
    let encoded = public.raw(&signature).expect("a signature is below n");
    let Some(encoded) = changed(&encoded, input) else { return };
    // Not below n, it is no number to sign.
    if let Ok(signature) = key.raw(&encoded, &mut random) {
        refused(&signature);
    }
}

/// A ciphertext decrypts; one of a changed encoding does not.
fn oaep(key: &PrivateKey, scheme: EncryptionScheme<'_>, message: &[u8], input: &mut Input<'_>) {
    let (public, mut random) = (key.public_key(), Random::new(3));
    let encoded = match public.encode(scheme, message, &mut random) {
        Ok(encoded) => encoded,
        Err(error) => return assert_eq!(error, Error::MessageTooLong),
    };
    let ciphertext = public.raw(&encoded).expect("an encoding is below n");
    assert_eq!(*key.decrypt(scheme, &ciphertext, &mut random).expect("the ciphertext is one"), message);
    for other in
        [changed(&encoded, input).and_then(|encoded| public.raw(&encoded).ok()), changed(&ciphertext, input)]
            .into_iter()
            .flatten()
    {
        assert_eq!(key.decrypt(scheme, &other, &mut random).err(), Some(Error::Decryption), "{other:x?}");
    }
}

/// A ciphertext decrypts; a malformed one decrypts to one message, always the same.
fn pkcs1v15(key: &PrivateKey, message: &[u8], input: &mut Input<'_>) {
    let (public, mut random, scheme) = (key.public_key(), Random::new(4), EncryptionScheme::Pkcs1v15);
    let encoded = public.encode(scheme, message, &mut random).expect("the message is short");
    let encoded = changed(&encoded, input).unwrap_or(encoded.to_vec());
    let Ok(ciphertext) = public.raw(&encoded) else { return };
    let found = key.decrypt(scheme, &ciphertext, &mut random).expect("every ciphertext decrypts");
    let again = key.decrypt(scheme, &ciphertext, &mut Random::new(5)).expect("every ciphertext decrypts");
    assert_eq!(found, again, "a message depends on random octets");
    let end = encoded.iter().skip(2).position(|&octet| octet == 0).map(|padding| (padding, padding + 3));
    match end {
        Some((padding, start)) if encoded[..2] == [0, 2] && padding >= LEAST_PADDING => {
            assert_eq!(found[..], encoded[start..], "a message is not that of its encoding");
        }
        _ => assert!(found.len() <= encoded.len() - LEAST_PADDING - 3, "a synthetic message is too long"),
    }
}
