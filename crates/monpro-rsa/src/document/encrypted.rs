//! Encrypted PKCS#8: PBES2 \[RFC 8018, §6.2\] with PBKDF2 or scrypt, and AES or, for reading alone, triple DES.

use crate::error::{Error, Found};
use aes::{Aes128, Aes192, Aes256};
use alloc::vec;
use alloc::vec::Vec;
use cbc::cipher::block_padding::Pkcs7;
use cbc::cipher::{BlockDecryptMut, BlockEncryptMut, KeyIvInit};
use cbc::{Decryptor, Encryptor};
use des::TdesEde3;
use pbkdf2::pbkdf2_hmac;
use pkcs8::der::asn1::{AnyRef, ObjectIdentifier, OctetStringRef, UintRef};
use pkcs8::der::{self, Decode, Encode, Header, Reader, SliceReader, Tag, Tagged};
use pkcs8::spki::AlgorithmIdentifierRef;
use rand_core::CryptoRng;
use sha1::Sha1;
use sha2::{Sha224, Sha256, Sha384, Sha512, Sha512_224, Sha512_256};
use zeroize::Zeroizing;

/// The iterations of PBKDF2 with HMAC-SHA-256 in what is written.
const ITERATIONS: u32 = 600_000;
/// The bounds of what a document may cost: seconds, and 128 MiB.
const MOST_ITERATIONS: u64 = 10_000_000;
const MOST_SCRYPT_BLOCKS: u64 = 1 << 20; // N·r, of 128 octets each
const MOST_SCRYPT_STEPS: u64 = 1 << 22; // N·r·p
const MOST_SCRYPT_LANES: u64 = 1 << 16; // r·p
const SALT_OCTETS: usize = 16;
const KEY_OCTETS: usize = 32;
const IV_OCTETS: usize = 16;

const PBES2: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.2.840.113549.1.5.13");
const PBKDF2: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.2.840.113549.1.5.12");
const SCRYPT: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.3.6.1.4.1.11591.4.11");
const HMAC_WITH_SHA256: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.2.840.113549.2.9");
const AES_256_CBC: ObjectIdentifier = ObjectIdentifier::new_unwrap("2.16.840.1.101.3.4.1.42");

/// Derives a key from a passphrase, a salt and a number of iterations.
type Derive = fn(&[u8], &[u8], u32, &mut [u8]);
/// Decrypts in place with a key and an initial vector; what is decrypted is as long as it tells.
type Decrypt = fn(&[u8], &[u8], &mut [u8]) -> Option<usize>;

/// The functions of PBKDF2.
const FUNCTIONS: [(&str, Derive); 7] = [
    ("1.2.840.113549.2.7", pbkdf2_hmac::<Sha1>),
    ("1.2.840.113549.2.8", pbkdf2_hmac::<Sha224>),
    ("1.2.840.113549.2.9", pbkdf2_hmac::<Sha256>),
    ("1.2.840.113549.2.10", pbkdf2_hmac::<Sha384>),
    ("1.2.840.113549.2.11", pbkdf2_hmac::<Sha512>),
    ("1.2.840.113549.2.12", pbkdf2_hmac::<Sha512_224>),
    ("1.2.840.113549.2.13", pbkdf2_hmac::<Sha512_256>),
];

/// The ciphers, with the octets of their keys.
const CIPHERS: [(&str, usize, Decrypt); 4] = [
    ("2.16.840.1.101.3.4.1.2", 16, decrypt_with::<Decryptor<Aes128>>),
    ("2.16.840.1.101.3.4.1.22", 24, decrypt_with::<Decryptor<Aes192>>),
    ("2.16.840.1.101.3.4.1.42", 32, decrypt_with::<Decryptor<Aes256>>),
    ("1.2.840.113549.3.7", 24, decrypt_with::<Decryptor<TdesEde3>>),
];

/// An EncryptedPrivateKeyInfo \[RFC 5958, §3\].
pub(super) struct Encrypted<'a> {
    algorithm: AlgorithmIdentifierRef<'a>,
    content: &'a [u8],
}

/// How a document is encrypted, within the bounds of what it may cost.
pub(super) struct Scheme<'a> {
    derivation: Derivation<'a>,
    key_octets: usize,
    decrypt: Decrypt,
    iv: &'a [u8],
}

/// How the key is derived from a passphrase.
enum Derivation<'a> {
    Pbkdf2 { derive: Derive, salt: &'a [u8], iterations: u32 },
    Scrypt { salt: &'a [u8], parameters: scrypt::Params },
}

impl<'a> Encrypted<'a> {
    /// The parts of a document, or None if it is not an encrypted one.
    pub(super) fn read(der: &'a [u8]) -> Option<Encrypted<'a>> {
        let read = |reader: &mut SliceReader<'a>| {
            let algorithm = AlgorithmIdentifierRef::decode(reader)?;
            let content = <&OctetStringRef>::decode(reader)?.as_bytes();
            Ok::<_, der::Error>(Encrypted { algorithm, content })
        };
        AnyRef::from_der(der).ok()?.sequence(read).ok()
    }

    /// How the document is encrypted; no passphrase is needed to tell.
    ///
    /// # Errors
    /// [`Error::Found`] for another way to encrypt; [`Error::Malformed`]; [`Error::TooCostly`].
    pub(super) fn scheme(&self) -> Result<Scheme<'a>, Error> {
        if self.algorithm.oid != PBES2 {
            return Err(Error::Found(Found::OldEncryption));
        }
        let parameters = self.algorithm.parameters.ok_or(Error::Malformed)?;
        let read = |reader: &mut SliceReader<'a>| {
            let derivation = AlgorithmIdentifierRef::decode(reader)?;
            Ok::<_, der::Error>((derivation, AlgorithmIdentifierRef::decode(reader)?))
        };
        let (derivation, cipher) = parameters.sequence(read).map_err(|_| Error::Malformed)?;
        let (_, key_octets, decrypt) =
            *find(&CIPHERS, cipher.oid, |row| row.0).ok_or(Error::Found(Found::OtherEncryption))?;
        let iv = cipher.parameters.and_then(|iv| iv.decode_as::<&OctetStringRef>().ok());
        let iv = iv.ok_or(Error::Malformed)?.as_bytes();
        Ok(Scheme { derivation: Derivation::read(&derivation, key_octets)?, key_octets, decrypt, iv })
    }

    /// What is encrypted. That a passphrase is wrong shows in the padding, but for one in 256.
    ///
    /// # Errors
    /// [`Error::WrongPassphrase`], [`Error::OutOfMemory`].
    pub(super) fn decrypt(
        &self,
        scheme: &Scheme<'_>,
        passphrase: &[u8],
    ) -> Result<Zeroizing<Vec<u8>>, Error> {
        let mut key = Zeroizing::new(vec![0; scheme.key_octets]);
        scheme.derivation.derive(passphrase, &mut key)?;
        let mut content = Zeroizing::new(self.content.to_vec());
        let length = (scheme.decrypt)(&key, scheme.iv, &mut content).ok_or(Error::WrongPassphrase)?;
        content.truncate(length);
        Ok(content)
    }
}

/// The row of a table with this identifier.
fn find<Row>(table: &[Row], oid: ObjectIdentifier, name: impl Fn(&Row) -> &str) -> Option<&Row> {
    table.iter().find(|row| ObjectIdentifier::new(name(row)) == Ok(oid))
}

/// Malformed unless the condition holds.
fn check(condition: bool) -> Result<(), Error> {
    condition.then_some(()).ok_or(Error::Malformed)
}

impl<'a> Derivation<'a> {
    /// The derivation of a key of so many octets.
    fn read(identifier: &AlgorithmIdentifierRef<'a>, key_octets: usize) -> Result<Derivation<'a>, Error> {
        let parameters = identifier.parameters.ok_or(Error::Malformed)?;
        let (derivation, key_length) = match identifier.oid {
            PBKDF2 => parameters.sequence(Pbkdf2::read).map_err(|_| Error::Malformed)?.checked()?,
            SCRYPT => parameters.sequence(Scrypt::read).map_err(|_| Error::Malformed)?.checked()?,
            _ => return Err(Error::Found(Found::OtherEncryption)),
        };
        check(key_length.is_none_or(|length| length == key_octets as u64))?;
        Ok(derivation)
    }

    /// Derives the key.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`].
    fn derive(&self, passphrase: &[u8], key: &mut [u8]) -> Result<(), Error> {
        match self {
            Derivation::Pbkdf2 { derive, salt, iterations } => derive(passphrase, salt, *iterations, key),
            Derivation::Scrypt { salt, parameters } => {
                check_memory(parameters)?;
                scrypt::scrypt(passphrase, salt, parameters, key)
                    .expect("the key has octets, and not too many");
            }
        }
        Ok(())
    }
}

/// An error unless there is the memory for scrypt, 128 octets for each of N·r + r·p + r blocks, and a little beside. The
/// library allocates it by means that end the program where it is missing.
fn check_memory(parameters: &scrypt::Params) -> Result<(), Error> {
    let (n, r, p) = (1 << parameters.log_n(), parameters.r() as usize, parameters.p() as usize);
    let octets = 128 * (n * r + r * p + r) + (1 << 16);
    let mut space: Vec<u8> = Vec::new();
    space.try_reserve_exact(octets).map_err(|_| Error::OutOfMemory)?;
    // Seen by nobody, the allocation could be left out.
    core::hint::black_box(space.as_ptr());
    Ok(())
}

/// PBKDF2-params \[RFC 8018, §A.2\].
struct Pbkdf2<'a> {
    salt: AnyRef<'a>,
    iterations: u64,
    key_length: Option<u64>,
    function: ObjectIdentifier,
}

impl<'a> Pbkdf2<'a> {
    fn read(reader: &mut SliceReader<'a>) -> Result<Pbkdf2<'a>, der::Error> {
        let (salt, iterations) = (AnyRef::decode(reader)?, number(reader)?);
        let key_length = optional_number(reader)?;
        let function = match reader.is_finished() {
            true => ObjectIdentifier::new_unwrap(FUNCTIONS[0].0),
            false => AlgorithmIdentifierRef::decode(reader)?.oid,
        };
        Ok(Pbkdf2 { salt, iterations, key_length, function })
    }

    /// The derivation, and the length of its key if that is given.
    fn checked(&self) -> Result<(Derivation<'a>, Option<u64>), Error> {
        let Pbkdf2 { salt, iterations, key_length, function } = *self;
        let (_, derive) = find(&FUNCTIONS, function, |row| row.0)
            .filter(|_| salt.tag() == Tag::OctetString)
            .ok_or(Error::Found(Found::OtherEncryption))?;
        check(iterations > 0)?;
        let iterations = u32::try_from(iterations).ok().filter(|_| iterations <= MOST_ITERATIONS);
        let iterations = iterations.ok_or(Error::TooCostly)?;
        Ok((Derivation::Pbkdf2 { derive: *derive, salt: salt.value(), iterations }, key_length))
    }
}

/// scrypt-params \[RFC 7914, §7.1\].
struct Scrypt<'a> {
    salt: &'a [u8],
    n: u64,
    r: u64,
    p: u64,
    key_length: Option<u64>,
}

impl<'a> Scrypt<'a> {
    fn read(reader: &mut SliceReader<'a>) -> Result<Scrypt<'a>, der::Error> {
        let salt = <&OctetStringRef>::decode(reader)?.as_bytes();
        let (n, r, p) = (number(reader)?, number(reader)?, number(reader)?);
        Ok(Scrypt { salt, n, r, p, key_length: optional_number(reader)? })
    }

    /// The derivation, and the length of its key if that is given.
    fn checked(&self) -> Result<(Derivation<'a>, Option<u64>), Error> {
        let Scrypt { salt, n, r, p, key_length } = *self;
        check(n.is_power_of_two() && n > 1)?;
        let is_within = n.saturating_mul(r) <= MOST_SCRYPT_BLOCKS
            && n.saturating_mul(r).saturating_mul(p) <= MOST_SCRYPT_STEPS
            && r.saturating_mul(p) <= MOST_SCRYPT_LANES;
        if !is_within {
            return Err(Error::TooCostly);
        }
        let parameters = scrypt::Params::new(n.ilog2() as u8, r as u32, p as u32, KEY_OCTETS);
        let parameters = parameters.map_err(|_| Error::Malformed)?;
        Ok((Derivation::Scrypt { salt, parameters }, key_length))
    }
}

/// A number ≥ 0; the largest of its type stands for all above.
fn number(reader: &mut SliceReader<'_>) -> Result<u64, der::Error> {
    let octets = UintRef::decode(reader)?;
    let append = |number: u64, &octet: &u8| number << 8 | u64::from(octet);
    Ok(match octets.as_bytes().len() {
        ..=8 => octets.as_bytes().iter().fold(0, append),
        _ => u64::MAX,
    })
}

fn optional_number(reader: &mut SliceReader<'_>) -> Result<Option<u64>, der::Error> {
    match !reader.is_finished() && Header::peek(reader)?.tag() == Tag::Integer {
        true => number(reader).map(Some),
        false => Ok(None),
    }
}

fn decrypt_with<C: BlockDecryptMut + KeyIvInit>(key: &[u8], iv: &[u8], content: &mut [u8]) -> Option<usize> {
    let cipher = C::new_from_slices(key, iv).ok()?;
    cipher.decrypt_padded_mut::<Pkcs7>(content).ok().map(<[u8]>::len)
}

/// The document of a private key, encrypted with AES-256 and a key that PBKDF2 derives from the passphrase.
pub(super) fn encrypt<R: CryptoRng + ?Sized>(document: &[u8], passphrase: &[u8], random: &mut R) -> Vec<u8> {
    let (mut salt, mut iv) = ([0; SALT_OCTETS], [0; IV_OCTETS]);
    random.fill_bytes(&mut salt);
    random.fill_bytes(&mut iv);
    let mut key = Zeroizing::new([0; KEY_OCTETS]);
    pbkdf2_hmac::<Sha256>(passphrase, &salt, ITERATIONS, &mut key[..]);
    let cipher = Encryptor::<Aes256>::new(key[..].into(), iv[..].into());
    let mut content = Zeroizing::new(vec![0; document.len() + IV_OCTETS]);
    content[..document.len()].copy_from_slice(document);
    let content = cipher.encrypt_padded_mut::<Pkcs7>(&mut content, document.len());
    let content = content.expect("there is room for the padding").to_vec();
    let hmac = algorithm(HMAC_WITH_SHA256, AnyRef::NULL.to_der());
    let derivation = sequence(&[octet_string(&salt), ITERATIONS.to_der(), Ok(hmac)]);
    let derivation = algorithm(PBKDF2, Ok(derivation));
    let parameters = sequence(&[Ok(derivation), Ok(algorithm(AES_256_CBC, octet_string(&iv)))]);
    sequence(&[Ok(algorithm(PBES2, Ok(parameters))), octet_string(&content)])
}

/// An element in DER.
type Element = der::Result<Vec<u8>>;

fn octet_string(octets: &[u8]) -> Element {
    OctetStringRef::new(octets)?.to_der()
}

fn sequence(elements: &[Element]) -> Vec<u8> {
    let elements = elements.iter().map(|element| element.as_deref().expect("short elements fit in DER"));
    let content = elements.collect::<Vec<_>>().concat();
    let sequence = AnyRef::new(Tag::Sequence, &content).and_then(|sequence| sequence.to_der());
    sequence.expect("as above")
}

fn algorithm(oid: ObjectIdentifier, parameters: Element) -> Vec<u8> {
    sequence(&[oid.to_der(), parameters])
}
