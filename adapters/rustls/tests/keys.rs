//! Which keys are taken, by whom, and what they sign.

mod openssl;

use monpro_rustls::{RsaSigningKey, with_rsa};
use openssl::Folder;
use rustls::crypto::{GetRandomFailed, SecureRandom, ring};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{PrivateKeyDer, SubjectPublicKeyInfoDer};
use rustls::{Error, SignatureAlgorithm, SignatureScheme};

const SCHEMES: [SignatureScheme; 6] = [
    SignatureScheme::RSA_PSS_SHA512,
    SignatureScheme::RSA_PSS_SHA384,
    SignatureScheme::RSA_PSS_SHA256,
    SignatureScheme::RSA_PKCS1_SHA512,
    SignatureScheme::RSA_PKCS1_SHA384,
    SignatureScheme::RSA_PKCS1_SHA256,
];

fn random() -> &'static dyn SecureRandom {
    ring::default_provider().secure_random
}

fn load(key: PrivateKeyDer<'static>) -> Result<std::sync::Arc<dyn rustls::sign::SigningKey>, Error> {
    with_rsa(ring::default_provider()).key_provider.load_private_key(key)
}

/// The line of the refusal.
fn refusal(key: PrivateKeyDer<'static>) -> String {
    load(key).expect_err("the key is refused").to_string()
}

/// Each scheme signs, for the eyes of ring, whose verification has nothing of monpro.
#[test]
fn every_scheme_signs() {
    let folder = Folder::new();
    for bits in [2048, 2056, 3072] {
        folder.openssl(&format!("genrsa -traditional -out pkcs1.pem {bits}"));
        folder.openssl("pkey -in pkcs1.pem -out pkcs8.pem");
        folder.openssl("rsa -in pkcs1.pem -RSAPublicKey_out -outform DER -out public.der");
        let public = std::fs::read(folder.path().join("public.der")).unwrap();
        for name in ["pkcs1.pem", "pkcs8.pem"] {
            let key = load(folder.key(name)).unwrap();
            assert!(format!("{key:?}").starts_with("RsaSigningKey { public: PublicKey"), "{key:?}");
            assert_eq!(key.algorithm(), SignatureAlgorithm::RSA);
            for scheme in SCHEMES {
                let signer = key.choose_scheme(&[SignatureScheme::ED25519, scheme]).unwrap();
                assert_eq!(signer.scheme(), scheme);
                let signature = signer.sign(b"a message").unwrap();
                let known = ring::default_provider().signature_verification_algorithms.mapping;
                let (_, algorithms) = known.iter().find(|(name, _)| *name == scheme).unwrap();
                algorithms[0].verify_signature(&public, b"a message", &signature).unwrap();
                assert!(algorithms[0].verify_signature(&public, b"another", &signature).is_err());
            }
        }
    }
}

#[test]
fn the_strongest_scheme_that_is_offered_is_chosen() {
    let folder = Folder::new();
    folder.openssl("genrsa -out key.pem 2048");
    let key = load(folder.key("key.pem")).unwrap();
    let chosen = |offered: &[SignatureScheme]| key.choose_scheme(offered).map(|signer| signer.scheme());
    assert_eq!(chosen(&SCHEMES), Some(SignatureScheme::RSA_PSS_SHA512));
    assert_eq!(chosen(&SCHEMES[1..]), Some(SignatureScheme::RSA_PSS_SHA384));
    assert_eq!(
        chosen(&[SignatureScheme::RSA_PKCS1_SHA256, SignatureScheme::RSA_PKCS1_SHA512]),
        Some(SCHEMES[3])
    );
    assert_eq!(chosen(&[SignatureScheme::RSA_PKCS1_SHA1, SignatureScheme::ECDSA_NISTP256_SHA256]), None);
}

#[test]
fn the_public_key_is_that_of_openssl() {
    let folder = Folder::new();
    folder.openssl("genrsa -out key.pem 2048");
    folder.openssl("pkey -in key.pem -pubout -out public.pem");
    let expected = SubjectPublicKeyInfoDer::from_pem_file(folder.path().join("public.pem")).unwrap();
    assert_eq!(load(folder.key("key.pem")).unwrap().public_key(), Some(expected));
}

#[test]
fn keys_that_would_protect_nothing_or_cannot_be_used_are_refused() {
    let folder = Folder::new();
    folder.openssl("genrsa -out short.pem 1024");
    assert!(refusal(folder.key("short.pem")).contains("1024 bits protects nothing"));
    folder.openssl("genpkey -algorithm RSA-PSS -pkeyopt rsa_keygen_bits:2048 -out pss.pem");
    assert!(refusal(folder.key("pss.pem")).contains("id-RSASSA-PSS"));
    // A bit of the private exponent is wrong, deep inside of it.
    folder.openssl("genrsa -traditional -out key.pem 2048");
    let mut der = folder.key("key.pem").secret_der().to_vec();
    der[600] ^= 1;
    assert_ne!(refusal(PrivateKeyDer::Pkcs1(der.into())), "");
}

#[test]
fn keys_of_other_kinds_are_left_to_the_provider() {
    let folder = Folder::new();
    folder.openssl("genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out key.pem");
    assert_eq!(load(folder.key("key.pem")).unwrap().algorithm(), SignatureAlgorithm::ECDSA);
    let junk = PrivateKeyDer::Pkcs8(vec![48, 1, 2].into());
    assert!(refusal(junk.clone_key()).contains("failed to parse"), "the provider's own words");
    assert!(RsaSigningKey::new(&junk, random()).unwrap_err().to_string().contains("not a key"));
}

/// A random source that has failed.
#[derive(Debug)]
struct Broken;

impl SecureRandom for Broken {
    fn fill(&self, _buffer: &mut [u8]) -> Result<(), GetRandomFailed> {
        Err(GetRandomFailed)
    }
}

#[test]
fn without_random_numbers_nothing_is_signed() {
    let folder = Folder::new();
    folder.openssl("genrsa -out key.pem 2048");
    let key = RsaSigningKey::new(&folder.key("key.pem"), &Broken).unwrap();
    for scheme in SCHEMES {
        let signer = rustls::sign::SigningKey::choose_scheme(&key, &[scheme]).unwrap();
        assert_eq!(signer.sign(b"a message"), Err(Error::FailedToGetRandomBytes));
    }
}
