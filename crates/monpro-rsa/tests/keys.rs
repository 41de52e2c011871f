//! Keys: generation, documents, and what is refused.

use getrandom::SysRng;
use monpro_rsa::{Error, Found, PrivateKey, PublicKey};
use rand_core::UnwrapErr;

fn random() -> UnwrapErr<SysRng> {
    UnwrapErr(SysRng)
}

#[test]
fn new_keys_have_the_length_that_is_asked_for_and_work() {
    for bits in [512, 514, 768, 1024] {
        let key = PrivateKey::generate(bits, &mut random()).unwrap();
        assert_eq!(key.public_key().bits(), bits);
        assert_eq!(key.public_key().e(), [1, 0, 1]);
        for m in [&[0][..], &[1], &[0xab; 60]] {
            let c = key.public_key().raw(m).unwrap();
            let back = key.raw(&c, &mut random()).unwrap();
            assert_eq!(back[back.len() - m.len()..], *m);
        }
    }
}

#[test]
fn lengths_that_are_not_made() {
    for bits in [0, 510, 1023, 16386] {
        assert_eq!(PrivateKey::generate(bits, &mut random()).unwrap_err(), Error::KeyLength);
    }
}

#[test]
fn documents_keep_the_key() {
    let key = PrivateKey::generate(512, &mut random()).unwrap();
    let again = PrivateKey::from_pem(key.to_pem()).unwrap();
    assert_eq!(*again.to_der(), *key.to_der());
    assert_eq!(*PrivateKey::from_der(&key.to_der()).unwrap().to_pem(), *key.to_pem());
    let public = key.public_key();
    for read in [
        PublicKey::from_pem(public.to_pem()),
        PublicKey::from_der(&public.to_der()),
        PublicKey::from_pem(key.to_pem()),
        PublicKey::new(&public.n(), &public.e()),
    ] {
        assert_eq!(read.as_ref(), Ok(public));
    }
}

#[test]
fn numbers_from_the_modulus_up_are_refused() {
    let key = PrivateKey::generate(512, &mut random()).unwrap();
    let n = key.public_key().n();
    assert_eq!(key.public_key().raw(&n), Err(Error::OutOfRange));
    assert_eq!(key.raw(&n, &mut random()).unwrap_err(), Error::OutOfRange);
}

#[test]
fn public_keys_that_are_none() {
    let n = PrivateKey::generate(512, &mut random()).unwrap().public_key().n();
    let mut even = n.clone();
    *even.last_mut().unwrap() ^= 1;
    assert_eq!(PublicKey::new(&even, &[3]), Err(Error::Modulus));
    assert_eq!(PublicKey::new(&n[1..], &[3]), Err(Error::Modulus));
    assert_eq!(PublicKey::new(&[0xff; 2049], &[3]), Err(Error::Modulus));
    for e in [&[][..], &[0], &[1], &[4], &[0xff; 33]] {
        assert_eq!(PublicKey::new(&n, e), Err(Error::PublicExponent), "{e:?}");
    }
}

#[test]
fn damaged_documents_are_refused() {
    let pem = PrivateKey::generate(512, &mut random()).unwrap().to_pem();
    let found = |found| Error::Found(found);
    assert_eq!(PrivateKey::from_pem("no key").unwrap_err(), Error::Malformed);
    assert_eq!(PrivateKey::from_pem(&pem[..pem.len() / 2]).unwrap_err(), found(Found::NoEnd));
    let other = pem.replace("PRIVATE", "OPEN");
    assert_eq!(PrivateKey::from_pem(other).unwrap_err(), found(Found::OtherLabel));
}

/// Changes every octet of a key's document: the result is an error or, if the octet carries no information,
/// the same key.
#[test]
fn no_change_of_a_document_passes_as_another_key() {
    let key = PrivateKey::generate(512, &mut random()).unwrap();
    let der = key.to_der();
    for i in 0..der.len() {
        let mut changed = der.to_vec();
        changed[i] ^= 1;
        if let Ok(other) = PrivateKey::from_der(&changed) {
            assert_eq!(other.public_key(), key.public_key(), "octet {i}");
        }
    }
}

#[test]
fn short_keys_say_so() {
    let of = |bits: usize| {
        PublicKey::new(&[vec![0x80 >> (7 - (bits - 1) % 8)], vec![0xff; (bits - 1) / 8]].concat(), &[3])
    };
    assert_eq!([2046, 2047, 2048, 3072].map(|bits| of(bits).unwrap().is_short()), [true, true, false, false]);
}

/// Every message is one line without control characters, which says something of its own.
#[test]
fn messages_are_lines() {
    let texts: Vec<String> = Found::ALL.iter().map(|&found| Error::Found(found).to_string()).collect();
    assert!(texts.iter().all(|text| text.len() > 20 && !text.chars().any(char::is_control)), "{texts:?}");
    let different: std::collections::HashSet<_> = texts.iter().collect();
    assert_eq!(different.len(), texts.len());
}
