//! id-RSASSA-PSS keys: what their parameters allow, and that they are written as they were read.

mod der;

use der::{BIT_STRING, NULL, Numbers, OCTET_STRING, algorithm, element, integer, public_pkcs1, sequence};
use getrandom::SysRng;
use monpro_rsa::{
    EncryptionScheme, Error, Hash, KeyUse, PrivateKey, Pss, PssLimits, PublicKey, SaltLength, SignatureScheme,
};
use rand_core::UnwrapErr;
use std::sync::LazyLock;

const RSASSA_PSS: &[u8] = &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 1, 10];
const MGF1: &[u8] = &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 1, 8];
const SHA1: &[u8] = &[0x2b, 0x0e, 3, 2, 26];
const SHA256: &[u8] = &[0x60, 0x86, 0x48, 1, 0x65, 3, 4, 2, 1];
const SHA384: &[u8] = &[0x60, 0x86, 0x48, 1, 0x65, 3, 4, 2, 2];
const SHAKE256: &[u8] = &[0x60, 0x86, 0x48, 1, 0x65, 3, 4, 2, 12];

static KEY: LazyLock<PrivateKey> =
    LazyLock::new(|| PrivateKey::generate(1024, &mut UnwrapErr(SysRng)).unwrap());

fn random() -> UnwrapErr<SysRng> {
    UnwrapErr(SysRng)
}

fn tagged(tag: u8, content: &[u8]) -> Vec<u8> {
    element(0xa0 | tag, content)
}

fn hash(oid: &[u8]) -> Vec<u8> {
    algorithm(oid, &[NULL, 0])
}

fn mgf1(oid: &[u8]) -> Vec<u8> {
    algorithm(MGF1, &hash(oid))
}

/// The parameters for SHA-384, MGF1 with SHA-256 and salts of 30 octets.
fn parameters() -> Vec<u8> {
    sequence(&[tagged(0, &hash(SHA384)), tagged(1, &mgf1(SHA256)), tagged(2, &integer(&[30]))])
}

fn private(parameters: &[u8]) -> Vec<u8> {
    let key = element(OCTET_STRING, &Numbers::of(&KEY).pkcs1());
    sequence(&[integer(&[0]), algorithm(RSASSA_PSS, parameters), key])
}

fn public(parameters: &[u8]) -> Vec<u8> {
    let key = public_pkcs1(&KEY.public_key().n(), &KEY.public_key().e());
    sequence(&[algorithm(RSASSA_PSS, parameters), element(BIT_STRING, &[&[0], &key[..]].concat())])
}

fn pss(salt_length: SaltLength, mgf1_hash: Option<Hash>) -> SignatureScheme {
    SignatureScheme::Pss(Pss { salt_length, mgf1_hash })
}

#[test]
fn parameters_are_read_and_written() {
    let limits = |hash, mgf1_hash, least_salt_octets| {
        KeyUse::PssWithin(PssLimits { hash, mgf1_hash, least_salt_octets })
    };
    let rows = [
        (vec![], KeyUse::Pss),
        (sequence(&[]), limits(Hash::Sha1, Hash::Sha1, 20)),
        (parameters(), limits(Hash::Sha384, Hash::Sha256, 30)),
        (sequence(&[tagged(1, &mgf1(SHA256))]), limits(Hash::Sha1, Hash::Sha256, 20)),
        (sequence(&[tagged(2, &integer(&[0]))]), limits(Hash::Sha1, Hash::Sha1, 0)),
    ];
    for (parameters, usage) in rows {
        let key = PrivateKey::from_der(&private(&parameters)).unwrap();
        assert_eq!(key.public_key().key_use(), usage);
        assert_eq!(*key.to_der(), private(&parameters));
        assert_eq!(PublicKey::from_der(&public(&parameters)).as_ref(), Ok(key.public_key()));
        assert_eq!(key.public_key().to_der(), public(&parameters));
        assert_ne!(key.public_key(), KEY.public_key());
    }
}

#[test]
fn parameters_that_are_not_supported_are_refused() {
    let rows = [
        element(NULL, &[]),
        sequence(&[tagged(0, &hash(SHAKE256))]),
        sequence(&[tagged(0, &algorithm(SHA1, &integer(&[1])))]),
        sequence(&[tagged(1, &mgf1(SHAKE256))]),
        sequence(&[tagged(1, &algorithm(SHA256, &hash(SHA256)))]),
        sequence(&[tagged(1, &algorithm(MGF1, &[]))]),
        sequence(&[tagged(2, &integer(&[1, 0]))]),
        sequence(&[tagged(3, &integer(&[2]))]),
        sequence(&[tagged(4, &integer(&[2]))]),
    ];
    for parameters in rows {
        let error = Some(Error::PssParameters);
        assert_eq!(PrivateKey::from_der(&private(&parameters)).err(), error, "{parameters:02x?}");
        assert_eq!(PublicKey::from_der(&public(&parameters)).err(), error, "{parameters:02x?}");
    }
}

#[test]
fn keys_without_parameters_make_and_take_signatures_by_pss_alone() {
    let key = PrivateKey::from_der(&private(&[])).unwrap();
    let scheme = pss(SaltLength::Octets(3), Some(Hash::Sha3_224));
    let signature = key.sign(scheme, Hash::Sha512, b"m", &mut random()).unwrap();
    assert_eq!(key.public_key().verify(scheme, Hash::Sha512, b"m", &signature), Ok(()));
    assert_eq!(KEY.public_key().verify(scheme, Hash::Sha512, b"m", &signature), Ok(()));
    refuses_the_rest(&key);
}

fn refuses_the_rest(key: &PrivateKey) {
    let only = Error::PssOnly;
    let scheme = SignatureScheme::Pkcs1v15;
    assert_eq!(key.sign(scheme, Hash::Sha384, b"m", &mut random()), Err(only));
    assert_eq!(key.public_key().verify(scheme, Hash::Sha384, b"m", &[0; 128]), Err(only));
    for scheme in [EncryptionScheme::default(), EncryptionScheme::Pkcs1v15] {
        assert_eq!(key.public_key().encrypt(scheme, b"m", &mut random()), Err(only));
        assert_eq!(key.public_key().encode(scheme, b"m", &mut random()).unwrap_err(), only);
        assert_eq!(key.decrypt(scheme, &[0; 128], &mut random()).unwrap_err(), only);
    }
}

#[test]
fn keys_with_parameters_refuse_others() {
    let key = PrivateKey::from_der(&private(&parameters())).unwrap();
    refuses_the_rest(&key);
    let sha256 = Some(Hash::Sha256);
    let rows = [
        (pss(SaltLength::Hash, sha256), Hash::Sha384, true),
        (pss(SaltLength::Octets(30), sha256), Hash::Sha384, true),
        (pss(SaltLength::Any, sha256), Hash::Sha384, true),
        (pss(SaltLength::Octets(29), sha256), Hash::Sha384, false),
        (pss(SaltLength::Hash, sha256), Hash::Sha256, false),
        (pss(SaltLength::Hash, None), Hash::Sha384, false),
        (pss(SaltLength::Hash, Some(Hash::Sha384)), Hash::Sha384, false),
    ];
    for (scheme, hash, is_allowed) in rows {
        let error = if is_allowed { None } else { Some(Error::PssLimits) };
        assert_eq!(key.sign(scheme, hash, b"m", &mut random()).err(), error, "{scheme:?} {hash:?}");
        // The key without limits makes what the other one has to judge.
        let signature = KEY.sign(scheme, hash, b"m", &mut random()).unwrap();
        assert_eq!(
            key.public_key().verify(scheme, hash, b"m", &signature).err(),
            error,
            "{scheme:?} {hash:?}"
        );
    }
    let short = KEY.sign(pss(SaltLength::Octets(29), sha256), Hash::Sha384, b"m", &mut random()).unwrap();
    let any = pss(SaltLength::Any, sha256);
    assert_eq!(KEY.public_key().verify(any, Hash::Sha384, b"m", &short), Ok(()));
    assert_eq!(key.public_key().verify(any, Hash::Sha384, b"m", &short), Err(Error::BadSignature));
}

/// With any salt, signatures are made with one as long as the hash, or as the key asks if that is longer.
#[test]
fn salts_of_signatures_are_as_long_as_the_key_asks() {
    let parameters =
        sequence(&[tagged(0, &hash(SHA256)), tagged(1, &mgf1(SHA256)), tagged(2, &integer(&[50]))]);
    let key = PrivateKey::from_der(&private(&parameters)).unwrap();
    let signature = key.sign(pss(SaltLength::Any, None), Hash::Sha256, b"m", &mut random()).unwrap();
    let verdict = |octets| {
        let scheme = pss(SaltLength::Octets(octets), None);
        KEY.public_key().verify(scheme, Hash::Sha256, b"m", &signature)
    };
    assert_eq!((verdict(50), verdict(32)), (Ok(()), Err(Error::BadSignature)));
    let refused = key.sign(pss(SaltLength::Hash, None), Hash::Sha256, b"m", &mut random());
    assert_eq!(refused, Err(Error::PssLimits));
}
