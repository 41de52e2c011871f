//! Encodings that are wrong in one thing: each is made here, octet by octet, passes through the raw operation, and
//! is refused. One that is right in everything shows each time that only that thing is wrong.

mod guidance;

use getrandom::SysRng;
use guidance::synthetic_message;
use monpro_rsa::{
    EncryptionScheme, Error, Hash, Oaep, PrivateKey, Pss, PublicKey, SaltLength, SignatureScheme,
};
use rand_core::{TryCryptoRng, TryRng, UnwrapErr};
use sha2::{Digest, Sha256};
use std::convert::Infallible;
use std::sync::LazyLock;

/// 1032 bits: 129 whole octets. A good part of the numbers with the highest of these bits is below n.
static KEY: LazyLock<PrivateKey> = LazyLock::new(|| PrivateKey::from_pem(KEY_OF_1032_BITS).unwrap());
const OCTETS: usize = 129;
const MESSAGE: &[u8] = b"message";

/// The name of a fault, and the change that makes it.
type Row<Parts> = (&'static str, fn(&mut Parts));

fn random() -> UnwrapErr<SysRng> {
    UnwrapErr(SysRng)
}

fn sha256(parts: &[&[u8]]) -> Vec<u8> {
    Sha256::digest(parts.concat()).to_vec()
}

/// data ⊕ MGF1(seed) with SHA-256 [RFC 8017, §B.2.1].
fn masked(data: &[u8], seed: &[u8]) -> Vec<u8> {
    let mask = (0u32..).flat_map(|counter| sha256(&[seed, &counter.to_be_bytes()]));
    data.iter().zip(mask).map(|(octet, bits)| octet ^ bits).collect()
}

/// The encoding of a PSS signature, whose parts a test changes.
struct PssParts {
    padding: Vec<u8>,
    separator: Vec<u8>,
    salt: Vec<u8>,
    /// What is added to the hash.
    change: u8,
    trailer: u8,
    /// What is added to the first octet after masking.
    top: u8,
}

impl PssParts {
    fn right() -> PssParts {
        let mut salt = vec![0; 32];
        random().try_fill_bytes(&mut salt).unwrap();
        let padding = vec![0; OCTETS - 33 - 33];
        PssParts { padding, separator: vec![1], salt, change: 0, trailer: 0xbc, top: 0 }
    }

    fn encoded(&self) -> Vec<u8> {
        let mut h = sha256(&[&[0; 8], &sha256(&[MESSAGE]), &self.salt]);
        h[7] ^= self.change;
        let db = [self.padding.as_slice(), &self.separator, &self.salt].concat();
        let mut db = masked(&db, &h);
        db[0] = db[0] & 0x7f | self.top;
        [db.as_slice(), &h, &[self.trailer]].concat()
    }
}

/// The verdict on a PSS signature with changed parts. The first encoding below n is taken: only what has too many
/// bits can be above.
fn pss_verdict(salt_length: SaltLength, change: fn(&mut PssParts)) -> Result<(), Error> {
    let signature = (0..100).find_map(|_| {
        let mut parts = PssParts::right();
        change(&mut parts);
        KEY.raw(&parts.encoded(), &mut random()).ok()
    });
    let scheme = SignatureScheme::Pss(Pss { salt_length, mgf1_hash: None });
    KEY.public_key().verify(scheme, Hash::Sha256, MESSAGE, &signature.unwrap())
}

#[test]
fn pss_encodings() {
    let rows: [Row<PssParts>; 9] = [
        ("trailer", |parts| parts.trailer = 0xcc),
        ("separator", |parts| parts.separator = vec![2]),
        ("separator with a higher bit", |parts| parts.separator = vec![0x81]),
        ("no separator", |parts| (parts.separator, parts.salt) = (vec![0], vec![0; 32])),
        ("first octet of the padding", |parts| parts.padding[0] = 2),
        ("last octet of the padding", |parts| *parts.padding.last_mut().unwrap() = 3),
        ("the padding begins with the separator", |parts| parts.padding[0] = 1),
        ("hash", |parts| parts.change = 1),
        ("a bit above those of the encoding", |parts| parts.top = 0x80),
    ];
    for salt_length in [SaltLength::Hash, SaltLength::Octets(32), SaltLength::Any] {
        assert_eq!(pss_verdict(salt_length, |_| ()), Ok(()));
        for (name, change) in rows {
            assert_eq!(pss_verdict(salt_length, change), Err(Error::BadSignature), "{name}, {salt_length:?}");
        }
    }
}

#[test]
fn pss_salts_of_another_length() {
    let rows: [fn(&mut PssParts); 3] = [
        |parts| (parts.padding, parts.salt) = (vec![0; OCTETS - 33 - 32], vec![7; 31]),
        |parts| (parts.padding, parts.salt) = (vec![0; OCTETS - 33 - 34], vec![7; 33]),
        |parts| (parts.padding, parts.salt) = (vec![0; OCTETS - 33 - 1], vec![]),
    ];
    for change in rows {
        assert_eq!(pss_verdict(SaltLength::Hash, change), Err(Error::BadSignature));
        assert_eq!(pss_verdict(SaltLength::Octets(32), change), Err(Error::BadSignature));
        assert_eq!(pss_verdict(SaltLength::Any, change), Ok(()));
    }
    assert_eq!(pss_verdict(SaltLength::Octets(31), rows[0]), Ok(()));
}

/// Where n has one bit more than whole octets, the encoding is an octet shorter than the signature.
#[test]
fn a_pss_encoding_of_too_many_octets() {
    let key = PrivateKey::from_pem(KEY_OF_1025_BITS).unwrap();
    let scheme = SignatureScheme::Pss(Pss::default());
    let mut is_seen = false;
    for _ in 0..100 {
        let signature = key.sign(scheme, Hash::Sha256, MESSAGE, &mut random()).unwrap();
        assert_eq!(key.public_key().verify(scheme, Hash::Sha256, MESSAGE, &signature), Ok(()));
        let mut encoded = key.public_key().raw(&signature).unwrap();
        assert_eq!(encoded[0], 0);
        encoded[0] = 1;
        let Ok(signature) = key.raw(&encoded, &mut random()) else { continue };
        is_seen = true;
        assert_eq!(
            key.public_key().verify(scheme, Hash::Sha256, MESSAGE, &signature),
            Err(Error::BadSignature)
        );
    }
    assert!(is_seen);
}

/// 0 1, padding, 0 and what follows, in 129 octets.
fn pkcs1v15(information: &[u8]) -> Vec<u8> {
    [&[0, 1][..], &vec![0xff; OCTETS - 3 - information.len()], &[0], information].concat()
}

/// The verdict on a PKCS#1 v1.5 signature of the message with this encoding.
fn pkcs1v15_verdict(encoded: &[u8]) -> Result<(), Error> {
    assert_eq!(encoded.len(), OCTETS);
    let signature = KEY.raw(encoded, &mut random()).unwrap();
    KEY.public_key().verify(SignatureScheme::Pkcs1v15, Hash::Sha256, MESSAGE, &signature)
}

/// The beginning of a DigestInfo: lengths, then the algorithm.
const SHA256: [u8; 19] = [0x30, 0x31, 0x30, 13, 6, 9, 0x60, 0x86, 0x48, 1, 0x65, 3, 4, 2, 1, 5, 0, 4, 32];

#[test]
fn pkcs1v15_digest_infos() {
    let digest = sha256(&[MESSAGE]);
    let after = |prefix: &[u8]| pkcs1v15(&[prefix, &digest].concat());
    assert_eq!(pkcs1v15_verdict(&after(&SHA256)), Ok(()));
    let with = |at: usize, removed: usize, inserted: &[u8], outer: u8, inner: u8| {
        let mut prefix = SHA256.to_vec();
        prefix.splice(at..at + removed, inserted.iter().copied());
        prefix[1] = prefix[1].wrapping_add(outer);
        prefix[3] = prefix[3].wrapping_add(inner);
        after(&prefix)
    };
    let minus = |less: u8| 0u8.wrapping_sub(less);
    let rows = [
        ("no NULL", with(15, 2, &[], minus(2), minus(2))),
        ("NULL of BER, in the long form", with(15, 2, &[5, 0x81, 0], 1, 1)),
        ("NULL with a content", with(15, 2, &[5, 1, 0], 1, 1)),
        ("an OCTET STRING for NULL", with(15, 2, &[4, 0], 0, 0)),
        ("NULL twice", with(17, 0, &[5, 0], 2, 2)),
        ("outer length in the long form", with(1, 1, &[0x80, 0x31], 1, 0)),
        ("indefinite outer length", with(1, 1, &[0x80], 0, 0)),
        ("inner length in the long form", with(3, 1, &[0x81, 13], 1, 0)),
        ("length of the hash in the long form", with(18, 1, &[0x81, 32], 1, 0)),
        ("length of the hash", with(18, 1, &[31], 0, 0)),
        ("outer length", with(0, 0, &[], 1, 0)),
        ("inner length", with(0, 0, &[], 0, 1)),
        ("BIT STRING", with(17, 1, &[3], 0, 0)),
        ("SET", with(0, 1, &[0x31], 0, 0)),
        ("the identifier of SHA-384", with(14, 1, &[2], 0, 0)),
        ("the identifier of sha256WithRSAEncryption", {
            with(5, 10, &[9, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 1, 0x0b], 0, 0)
        }),
        ("the hash alone", pkcs1v15(&digest)),
        ("no hash", pkcs1v15(&SHA256)),
        ("nothing", pkcs1v15(&[])),
    ];
    for (name, encoded) in rows {
        assert_eq!(pkcs1v15_verdict(&encoded), Err(Error::BadSignature), "{name}");
    }
}

#[test]
fn pkcs1v15_paddings() {
    let information = [&SHA256[..], &sha256(&[MESSAGE])].concat();
    let right = pkcs1v15(&information);
    let changed = |i: usize, octet: u8| {
        let mut encoded = right.clone();
        encoded[i] = octet;
        encoded
    };
    assert_eq!(pkcs1v15_verdict(&right), Ok(()));
    for i in 0..OCTETS {
        assert_eq!(pkcs1v15_verdict(&changed(i, right[i] ^ 1)), Err(Error::BadSignature), "octet {i}");
    }
    let separator = OCTETS - information.len() - 1;
    let short = |padding: usize, after: &[u8], end: &[u8]| {
        let mut encoded = [&[0, 1][..], &vec![0xff; padding], &[0], after, &information, end].concat();
        encoded.resize(OCTETS, 0x5a);
        encoded
    };
    let rows = [
        ("first octet", changed(0, 1)),
        ("block type 0", changed(1, 0)),
        ("block type 2", changed(1, 2)),
        ("first octet of the padding", changed(2, 0xfe)),
        ("last octet of the padding", changed(separator - 1, 0)),
        ("separator", changed(separator, 1)),
        ("no separator", changed(separator, 0xff)),
        ("short padding, garbage after the hash", short(8, &[], &[])),
        ("no padding, garbage after the hash", short(0, &[], &[])),
        ("short padding, zeros after the hash", short(20, &[], &[0; 54])),
        ("one octet of garbage", short(separator - 3, &[], &[])),
        ("garbage before the hash", short(separator - 3, &[0], &[])),
    ];
    for (name, encoded) in rows {
        assert_eq!(pkcs1v15_verdict(&encoded), Err(Error::BadSignature), "{name}");
    }
}

/// Bleichenbacher's forgery for e = 3: the cube of a number that nobody signed begins as an encoding with a short
/// padding does, and ends with garbage. A verifier that does not look at the end takes it.
#[test]
fn cubes_that_begin_as_signatures_do() {
    let octets = 384;
    let mut n = vec![0xff; octets];
    n[octets - 1] = 0x0f;
    let public = PublicKey::new(&n, &[3]).unwrap();
    let information = [&SHA256[..], &sha256(&[MESSAGE])].concat();
    for padding in [0, 1, 8, 60] {
        let beginning = [&[0, 1][..], &vec![0xff; padding], &[0], &information].concat();
        let mut target = beginning.clone();
        target.resize(octets, 0xff);
        // The largest root with a cube of at most `target`, bit by bit; no cube reaches n.
        let mut root = vec![0; octets];
        for bit in (0..8 * octets / 3).rev() {
            root[octets - 1 - bit / 8] ^= 1 << (bit % 8);
            if public.raw(&root).unwrap() > target {
                root[octets - 1 - bit / 8] ^= 1 << (bit % 8);
            }
        }
        assert!(public.raw(&root).unwrap().starts_with(&beginning), "the forgery is one");
        let verdict = public.verify(SignatureScheme::Pkcs1v15, Hash::Sha256, MESSAGE, &root);
        assert_eq!(verdict, Err(Error::BadSignature));
    }
    for trivial in [0, 1] {
        let mut root = vec![0; octets];
        root[octets - 1] = trivial;
        let verdict = public.verify(SignatureScheme::Pkcs1v15, Hash::Sha256, MESSAGE, &root);
        assert_eq!(verdict, Err(Error::BadSignature));
    }
}

/// The same number in more or fewer octets, or plus n, is another signature, and none.
#[test]
fn signatures_of_another_length_or_from_the_modulus_up() {
    let key = PrivateKey::generate(1026, &mut random()).unwrap();
    for scheme in [SignatureScheme::Pkcs1v15, SignatureScheme::Pss(Pss::default())] {
        let mut is_short_seen = false;
        for message in (0..200).map(|i| [i]) {
            let verdict =
                |signature: &[u8]| key.public_key().verify(scheme, Hash::Sha256, &message, signature);
            let signature = key.sign(scheme, Hash::Sha256, &message, &mut random()).unwrap();
            assert_eq!(verdict(&signature), Ok(()));
            assert_eq!(verdict(&[&[0], signature.as_slice()].concat()), Err(Error::BadSignature));
            assert_eq!(verdict(&sum(&signature, &key.public_key().n())), Err(Error::BadSignature));
            if signature[0] == 0 {
                is_short_seen = true;
                assert_eq!(verdict(&signature[1..]), Err(Error::BadSignature));
                break;
            }
        }
        assert!(is_short_seen);
    }
}

/// a + b, which fits in as many octets.
fn sum(a: &[u8], b: &[u8]) -> Vec<u8> {
    let mut carry = 0;
    let mut digits: Vec<u8> = Vec::new();
    for (x, y) in a.iter().rev().zip(b.iter().rev()) {
        let digit = u16::from(*x) + u16::from(*y) + carry;
        digits.push(digit as u8);
        carry = digit >> 8;
    }
    assert_eq!(carry, 0);
    digits.into_iter().rev().collect()
}

/// The encoding of an OAEP ciphertext, whose parts a test changes.
struct OaepParts {
    first: u8,
    label: &'static [u8],
    padding: Vec<u8>,
    separator: Vec<u8>,
    message: Vec<u8>,
}

impl OaepParts {
    fn right() -> OaepParts {
        let padding = vec![0; OCTETS - 2 * 32 - 2 - 6];
        OaepParts { first: 0, label: b"label", padding, separator: vec![1], message: b"secret".to_vec() }
    }

    fn encoded(&self) -> Vec<u8> {
        let mut seed = [0; 32];
        random().try_fill_bytes(&mut seed).unwrap();
        let label = sha256(&[self.label]);
        let db = [label.as_slice(), &self.padding, &self.separator, &self.message].concat();
        let db = masked(&db, &seed);
        [&[self.first], masked(&seed, &db).as_slice(), &db].concat()
    }
}

#[test]
fn oaep_encodings() {
    let scheme = EncryptionScheme::Oaep(Oaep { label: b"label", ..Oaep::default() });
    let decrypted = |change: fn(&mut OaepParts)| {
        let mut parts = OaepParts::right();
        change(&mut parts);
        let ciphertext = KEY.public_key().raw(&parts.encoded()).unwrap();
        KEY.decrypt(scheme, &ciphertext, &mut random()).map(|message| message.to_vec())
    };
    assert_eq!(decrypted(|_| ()), Ok(b"secret".to_vec()));
    let without_message: fn(&mut OaepParts) = |parts| {
        (parts.padding, parts.message) = (vec![0; OCTETS - 2 * 32 - 2], vec![]);
    };
    assert_eq!(decrypted(without_message), Ok(vec![]));
    let rows: [Row<OaepParts>; 10] = [
        ("first octet", |parts| parts.first = 1),
        ("highest bit that a number below n may have", |parts| parts.first = 0x40),
        ("another label", |parts| parts.label = b"Label"),
        ("no label", |parts| parts.label = b""),
        ("separator", |parts| parts.separator = vec![2]),
        ("separator with a higher bit", |parts| parts.separator = vec![0x81]),
        ("first octet of the padding", |parts| parts.padding[0] = 2),
        ("last octet of the padding", |parts| *parts.padding.last_mut().unwrap() = 0x80),
        ("nothing after the label's hash", |parts| {
            (parts.separator, parts.message) = (vec![0], vec![0; 6]);
        }),
        ("no separator, but a message", |parts| {
            (parts.separator, parts.message) = (vec![0], vec![0, 0, 2, 3, 4, 5]);
        }),
    ];
    for (name, change) in rows {
        assert_eq!(decrypted(change), Err(Error::Decryption), "{name}");
    }
}

#[test]
fn ciphertexts_of_another_length_or_from_the_modulus_up() {
    for scheme in [EncryptionScheme::default(), EncryptionScheme::Pkcs1v15] {
        let refused = |ciphertext: &[u8]| KEY.decrypt(scheme, ciphertext, &mut random()).unwrap_err();
        let ciphertext = KEY.public_key().encrypt(scheme, MESSAGE, &mut random()).unwrap();
        let n = KEY.public_key().n();
        assert_eq!(refused(&[&[0], ciphertext.as_slice()].concat()), Error::Decryption);
        assert_eq!(refused(&ciphertext[1..]), Error::Decryption);
        assert_eq!(refused(&[]), Error::Decryption);
        assert_eq!(refused(&n), Error::Decryption);
        assert_eq!(refused(&[0xff; OCTETS]), Error::Decryption);
    }
}

#[test]
fn pkcs1v15_ciphertexts() {
    let encoded = |first: u8, kind: u8, padding: usize, message: &[u8]| {
        let fill = OCTETS - 3 - padding - message.len();
        assert_eq!(fill, 0, "{padding} and {message:?}");
        [&[first, kind][..], &vec![0xa5; padding], &[0], message].concat()
    };
    let decrypted = |encoded: &[u8]| {
        let ciphertext = KEY.public_key().raw(encoded).unwrap();
        let message = KEY.decrypt(EncryptionScheme::Pkcs1v15, &ciphertext, &mut random()).unwrap();
        (message.to_vec(), synthetic_message(&KEY, &ciphertext))
    };
    // From the shortest padding to the longest; and a message with zeros.
    for padding in [8, 9, OCTETS - 4, OCTETS - 3] {
        let message: Vec<u8> = (0..OCTETS - 3 - padding).map(|i| (i % 3) as u8).collect();
        assert_eq!(decrypted(&encoded(0, 2, padding, &message)).0, message, "{padding}");
    }
    let all = |octet| [&[0, 2][..], &[octet; OCTETS - 2]].concat();
    let rows = [
        ("first octet", encoded(1, 2, 100, &[7; 26])),
        ("first octet, highest bit", encoded(0x40, 2, 100, &[7; 26])),
        ("block type 1", encoded(0, 1, 100, &[7; 26])),
        ("block type 0", encoded(0, 0, 100, &[7; 26])),
        ("block type 3", encoded(0, 3, 100, &[7; 26])),
        ("block type with a higher bit", encoded(0, 0x82, 100, &[7; 26])),
        ("a padding of 7 octets", encoded(0, 2, 7, &[7; OCTETS - 10])),
        ("a padding of 1 octet", encoded(0, 2, 1, &[7; OCTETS - 4])),
        ("no padding", encoded(0, 2, 0, &[7; OCTETS - 3])),
        ("zeros", all(0)),
        ("no separator", all(0xa5)),
        ("the number 0", vec![0; OCTETS]),
    ];
    for (name, encoded) in rows {
        let (message, synthetic) = decrypted(&encoded);
        assert_eq!(message, synthetic, "{name}");
    }
}

/// The mask of the synthetic length changes where the longest length passes a power of two: at 74 octets.
#[test]
fn synthetic_messages_by_keys_around_a_power_of_two() {
    for octets in [73, 74, 75] {
        let key = PrivateKey::generate(8 * octets, &mut random()).unwrap();
        let mut lengths = std::collections::BTreeSet::new();
        for last in 2..60 {
            let mut ciphertext = vec![0; octets];
            ciphertext[octets - 1] = last;
            let message = key.decrypt(EncryptionScheme::Pkcs1v15, &ciphertext, &mut random()).unwrap();
            assert_eq!(*message, synthetic_message(&key, &ciphertext));
            lengths.insert(message.len());
        }
        assert!(lengths.len() > 10, "{lengths:?}");
    }
}

/// A random source whose octets are 0 three times out of four.
struct ManyZeros(u8);

impl TryRng for ManyZeros {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        rand_core::utils::next_word_via_fill(self)
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        rand_core::utils::next_word_via_fill(self)
    }

    fn try_fill_bytes(&mut self, target: &mut [u8]) -> Result<(), Infallible> {
        for octet in target {
            self.0 = self.0.wrapping_add(1);
            *octet = if self.0.is_multiple_of(4) { self.0 | 1 } else { 0 };
        }
        Ok(())
    }
}

impl TryCryptoRng for ManyZeros {}

#[test]
fn random_octets_of_a_padding_are_not_zero() {
    let encoded = KEY.public_key().encode(EncryptionScheme::Pkcs1v15, MESSAGE, &mut ManyZeros(0)).unwrap();
    let (padding, rest) = encoded[2..].split_at(OCTETS - 3 - MESSAGE.len());
    assert_eq!((encoded[..2].to_vec(), rest), (vec![0, 2], [&[0], MESSAGE].concat().as_slice()));
    assert!(padding.iter().all(|&octet| octet != 0), "{padding:?}");
}

/// Made by `openssl genrsa 1025`.
const KEY_OF_1025_BITS: &str = "\
-----BEGIN PRIVATE KEY-----
MIICeAIBADANBgkqhkiG9w0BAQEFAASCAmIwggJeAgEAAoGBATSG8ULjWoqmnZJu
it30cQrodoq7izMVmT1TEuNbigrIVGeXOvhGgM6CEAu95CW6C1TK5HnGAqlzIpXY
Oau3+3XEIHr3EPrjcUMgHC762WYQ7cRNECOLCkQUzWZT0Vh/GnfYBBzGQkcPJfrb
3fdSOEK+wFGHTNkS2zmiVaINvX7TAgMBAAECgYEArxyMIOfDwwBQXQVK4jFUW9mX
NqS9nA/9OtZE2TBiiD4t0eH/AV2azBr8Gn372QHgXo8N4KPnbN/BWIUyLmmtWVcI
cnn5h3+D0xTJh9/O8JBNL9AYRZSz1+h86uo7o1oO9DgkB4XaU7TDNYth/LfdQvuk
v4UI6TuelHHUgqGj0KkCQQGMkUDIUq86DES9EzQDBWiWL2TVoWQln7RVkWCBbke7
FGJvAxszS0e5u67aPp/gi8DJbVoTnno1OuS8M8Uom67PAkEAxyqgI/5BlDAgeHZX
j1Qyj5ByWz/FfnjBZLoTYsCuWeysH91BSn7Zg9KvZWXjPOMOv+mgGL4fTCEgR/iU
bjeQvQJASoZRglPnkiUUFeQx9g9iJDcr3+nAhEGLBjmXxTsQR9wA05Pl3LHc/M6E
gYcbTHt282OVdfJmTPKQYb3o40S+iQJBALhcS7qlrBy5ZAU+PpUNcnQUWNcAtBb7
PsG3wSQjigDxpO8mBz8nJr/wsa1h4DRHVirt3uWocB4vd8tHXlacFt0CQQGBmwmi
9BlYgAUWoAKkCzlMx/xsaLVWq+NQBdoyLU6rZQNZ2gZi56uUdHUrOkPt8OIAzgYv
uk2KiVFh4dCbYS7T
-----END PRIVATE KEY-----
";

/// Made by `openssl genrsa 1032`.
const KEY_OF_1032_BITS: &str = "\
-----BEGIN PRIVATE KEY-----
MIICegIBADANBgkqhkiG9w0BAQEFAASCAmQwggJgAgEAAoGCANlo4FD8cyQFYQhn
ARiy1x2r/rdWl78reQqBWBEcyDSbERFhWsFxOL1whSipm2qWdWPYfBtYUG2iv5sZ
dQzSRe0W/ffEwfRw5GhN/K2HBOKIfOr0FLTI4Fq4E42gvmgdex85jbUyGaepCg5B
aG+HjDprmK2m2M9ANwYOnbByGNyG1QIDAQABAoGBVc6Iyi35G7xrwa81xZPAR1u8
2ot4tODpkvXd1lMvyWNyZxOviC2xoUMpqxTV3Emp51BoGzrN85eKXCK+CeNr6c3H
Wr/nJwFaSsXaHX/YsaNSl8MeiTcANCXpo4APEtQMUMdEGuMINWpVflCqsnpbuW8j
ducoCiOntRhw+mKsme7BAkEO94MjK7LQpYlfBlO40DWVRCV0ORTVmcRpFmGy45Mh
mIVSxLhWRjq9ruMn+CtOll29ZnpXduLZaWL5r8N6k5EmKQJBDoatkSibSgxavtpy
fUje80x0wuDoFdy3ObE/Er7pxtM2eo+QGPCeH2f9GISajg3f5fzGb2aAvkah33HE
eJwIOM0CQQyvHNcQsKF8uNfsb8WfxtlygF9oBM0lXLxGuJO3pDiDnvHPP/311NBu
R5rXCjS24EikcahwW74vPy8mEv9t0kRJAkELhMAdWxXIogNTU+V1c1NXmkj8P1vJ
+jtQhDx/oOO/xbxtc2nQXP0F6m/IAV6NRnNE7CxuKdntCBVUGeKxwQjEAQJBDjXa
BT1lFcmbK+DG+Jp66CW7m2SdmyghwAiOLQI1d63VnnsIua8KtyBlIkKhSaXDY67b
KIl/DN335yrBJmQQD6c=
-----END PRIVATE KEY-----
";
