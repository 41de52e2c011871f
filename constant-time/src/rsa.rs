//! The private side of RSA, and the padding of what is encrypted. Of a key, p, q, d, d mod (p − 1), d mod (q − 1) and
//! q⁻¹ mod p are secret, and so are the random octets and the message.

use crate::keys;
use crate::secrets::{RANDOM_SEEDS, Random, Secrets};
use crate::subject::Subject;
use crate::trace;
use monpro_rsa::{
    EncryptionScheme, Hash, Oaep, PrivateKey, Pss, SaltLength, SignatureScheme, premaster_secret,
};
use rand_core::TryRng;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::hint::black_box;
use zeroize::Zeroizing;

/// The second size is for traces, which take long. It is too short for PSS and OAEP.
const SIZES_BITS: [usize; 2] = [1024, 512];
const MESSAGE_OCTETS: usize = 24;
const PREMASTER_OCTETS: usize = 48;
/// TLS 1.2.
const VERSION: u16 = 0x303;
const OAEP: EncryptionScheme<'static> =
    EncryptionScheme::Oaep(Oaep { hash: Hash::Sha256, mgf1_hash: None, label: b"" });
const OAEP_WITH_LABEL: EncryptionScheme<'static> =
    EncryptionScheme::Oaep(Oaep { hash: Hash::Sha384, mgf1_hash: Some(Hash::Sha256), label: b"label" });
const PSS: SignatureScheme = SignatureScheme::Pss(Pss { salt_length: SaltLength::Hash, mgf1_hash: None });
const PKCS1: EncryptionScheme<'static> = EncryptionScheme::Pkcs1v15;

thread_local! {
    /// The numbers without padding that were found, by the bits of the key and the seed.
    static REJECTED: RefCell<BTreeMap<usize, Vec<Vec<u8>>>> = const { RefCell::new(BTreeMap::new()) };
}

/// How a row begins.
type Prepare = fn(&mut Secrets, usize, u64);

/// A row: its name, the least bits of its modulus, its inputs, whether it begins with a key that is loaded, and what it
/// does.
type Row = (&'static str, usize, Prepare, bool, fn(&Secrets));

const ROWS: [Row; 16] = [
    ("RSA: load from DER", 512, keys::add_der, false, load_from_der),
    ("RSA: load from PEM", 1024, keys::add_pem, false, load_from_pem),
    ("RSA: private operation", 512, add_number, true, private_operation),
    ("RSA: private operations, a batch", 512, add_number, true, private_operations),
    ("RSA: sign, PKCS#1 v1.5", 1024, keys::add_der, true, |s| {
        sign(s, SignatureScheme::Pkcs1v15, Hash::Sha256)
    }),
    ("RSA: sign, PSS, SHA-256", 1024, keys::add_der, true, |s| sign(s, PSS, Hash::Sha256)),
    ("RSA: sign, PSS, SHA-384", 1024, keys::add_der, true, |s| sign(s, PSS, Hash::Sha384)),
    ("RSA: decrypt, OAEP", 1024, add_oaep, true, |s| decrypt(s, OAEP)),
    ("RSA: decrypt, OAEP with label", 1024, add_oaep_with_label, true, |s| decrypt(s, OAEP_WITH_LABEL)),
    ("RSA: decrypt, OAEP, malformed", 1024, add_number, true, |s| decrypt(s, OAEP)),
    ("RSA: decrypt, PKCS#1 v1.5", 512, add_pkcs1, true, |s| decrypt(s, PKCS1)),
    ("RSA: decrypt, PKCS#1 v1.5, well-formed or not", 512, add_pkcs1_or_none, true, |s| decrypt(s, PKCS1)),
    ("RSA: premaster secret", 512, add_premaster, true, premaster),
    ("RSA: premaster secret, well-formed or not", 512, add_premaster_or_none, true, premaster),
    ("RSA: encrypt, OAEP", 1024, add_oaep, true, |s| encrypt(s, OAEP)),
    ("RSA: encrypt, PKCS#1 v1.5", 1024, add_pkcs1, true, |s| encrypt(s, PKCS1)),
];

/// Every row at each of its sizes.
pub fn all() -> Vec<Subject> {
    let at_sizes = |&(name, least_bits, prepare, takes_key, run): &Row| {
        let sizes = SIZES_BITS.into_iter().filter(move |&bits| bits >= least_bits);
        sizes.map(move |bits| Subject {
            prepare: Box::new(prepare),
            takes_key,
            ..Subject::of_batch(name, bits, run)
        })
    };
    ROWS.iter().flat_map(at_sizes).collect()
}

/// A key, and a number below n of the seed: no ciphertext of any scheme.
fn add_number(secrets: &mut Secrets, bits: usize, seed: u64) {
    keys::add_der(secrets, bits, seed % keys::SEEDS_OF_A_KEY);
    secrets.ciphertext = number_below_n(bits, seed);
    secrets.publish(&secrets.ciphertext);
}

fn number_below_n(bits: usize, seed: u64) -> Vec<u8> {
    let mut number = Secrets::new(bits, 0, seed).message(bits / 8).to_vec();
    // The first bit of n is set.
    number[0] = 0;
    number
}

fn add_oaep(secrets: &mut Secrets, bits: usize, seed: u64) {
    add_ciphertext(secrets, bits, seed, OAEP);
}

fn add_oaep_with_label(secrets: &mut Secrets, bits: usize, seed: u64) {
    add_ciphertext(secrets, bits, seed, OAEP_WITH_LABEL);
}

fn add_pkcs1(secrets: &mut Secrets, bits: usize, seed: u64) {
    add_ciphertext(secrets, bits, seed, PKCS1);
}

/// A key, and of a seed without random words a ciphertext of PKCS#1 v1.5, of others none: a number whose message by
/// implicit rejection is as long, because the length of a message is no secret.
fn add_pkcs1_or_none(secrets: &mut Secrets, bits: usize, seed: u64) {
    // Both are made, so that memory is laid out in the same way for both.
    add_pkcs1(secrets, bits, seed);
    let (number, message) = without_padding(&secrets.octets, bits, seed);
    secrets.publish(&number);
    secrets.keep(&message);
    if seed >= RANDOM_SEEDS {
        secrets.ciphertext.copy_from_slice(&number);
    }
}

/// A number that is no ciphertext of PKCS#1 v1.5, with its message, by number of the seed.
fn without_padding(document: &[u8], bits: usize, seed: u64) -> (Vec<u8>, Zeroizing<Vec<u8>>) {
    let key = PrivateKey::from_der(document).expect("the document is one of a key");
    let decrypted = |number: &[u8]| {
        let message = key.decrypt(PKCS1, number, &mut Random::new(0));
        message.expect("implicit rejection has a message for every number below n")
    };
    REJECTED.with_borrow_mut(|rejected| {
        let found = rejected.entry(bits).or_default();
        // Those of all seeds that are traced are made, again for the layout of memory.
        let wanted = trace::SEEDS.len().max(seed as usize + 1);
        let (mut numbers, mut number) = (Random::new(found.len() as u64), vec![0; bits / 8]);
        while found.len() < wanted {
            // Below n, whose first bit is set.
            numbers.try_fill_bytes(&mut number[1..]).unwrap_or_else(|never| match never {});
            if decrypted(&number).len() == MESSAGE_OCTETS {
                found.push(number.clone());
            }
        }
        let number = found[seed as usize].clone();
        let message = decrypted(&number);
        (number, message)
    })
}

/// A key, and a ciphertext of this scheme, of a message that depends on the seed.
fn add_ciphertext(secrets: &mut Secrets, bits: usize, seed: u64, scheme: EncryptionScheme<'_>) {
    keys::add_der(secrets, bits, seed % keys::SEEDS_OF_A_KEY);
    let key = PrivateKey::from_der(&secrets.octets).expect("the document is one of a key");
    let (message, mut random) = (secrets.message(MESSAGE_OCTETS), secrets.random());
    let ciphertext = key.public_key().encrypt(scheme, &message, &mut random);
    secrets.ciphertext = ciphertext.expect("the message is short");
    secrets.publish(&secrets.ciphertext);
    let encoded = key.public_key().encode(scheme, &message, &mut secrets.random());
    secrets.keep(&encoded.expect("the message is short"));
    secrets.keep(&message);
}

/// A key, and a ciphertext of a premaster secret that depends on the seed.
fn add_premaster(secrets: &mut Secrets, bits: usize, seed: u64) {
    keys::add_der(secrets, bits, seed % keys::SEEDS_OF_A_KEY);
    let key = PrivateKey::from_der(&secrets.octets).expect("the document is one of a key");
    let mut power = Secrets::new(bits, 0, seed).message(bits / 8);
    let start = power.len() - PREMASTER_OCTETS;
    power[..start].iter_mut().for_each(|octet| *octet |= 1);
    power[..2].copy_from_slice(&[0, 2]);
    power[start - 1] = 0;
    power[start..start + 2].copy_from_slice(&VERSION.to_be_bytes());
    secrets.ciphertext = key.public_key().raw(&power).expect("it is below n");
    secrets.publish(&secrets.ciphertext);
    secrets.keep(&power);
}

/// A key, and of a seed without random words a ciphertext of a premaster secret, of others none.
fn add_premaster_or_none(secrets: &mut Secrets, bits: usize, seed: u64) {
    add_premaster(secrets, bits, seed);
    let number = number_below_n(bits, seed);
    secrets.publish(&number);
    if seed >= RANDOM_SEEDS {
        secrets.ciphertext.copy_from_slice(&number);
    }
}

fn load_from_der(secrets: &Secrets) {
    black_box(PrivateKey::from_der(&secrets.octets).is_ok());
}

fn load_from_pem(secrets: &Secrets) {
    // SAFETY: it was made from text.
    let pem = unsafe { std::str::from_utf8_unchecked(&secrets.octets) };
    black_box(PrivateKey::from_pem(pem).is_ok());
}

fn private_operation(secrets: &Secrets) {
    black_box(secrets.key().raw(&secrets.ciphertext, &mut secrets.random()).expect("nothing goes wrong"));
}

/// So many that they are computed in lanes where the CPU has them.
fn private_operations(secrets: &Secrets) {
    let numbers = [&secrets.ciphertext[..]; 5];
    for power in secrets.key().raw_batch(&numbers, &mut secrets.random()) {
        black_box(power.expect("nothing goes wrong"));
    }
}

fn sign(secrets: &Secrets, scheme: SignatureScheme, hash: Hash) {
    let message = secrets.message(MESSAGE_OCTETS);
    let signature = secrets.key().sign(scheme, hash, &message, &mut secrets.random());
    let signature = signature.expect("nothing goes wrong");
    secrets.publish(&signature);
    // Whoever has the signature has the number that was signed.
    secrets.publish(&secrets.key().public_key().raw(&signature).expect("a signature is below n"));
}

fn decrypt(secrets: &Secrets, scheme: EncryptionScheme<'_>) {
    let message = secrets.key().decrypt(scheme, &secrets.ciphertext, &mut secrets.random());
    // The caller knows the length of the message that it erases.
    drop(black_box(message));
}

fn premaster(secrets: &Secrets) {
    let power = secrets.key().raw(&secrets.ciphertext, &mut secrets.random()).expect("nothing goes wrong");
    let secret = premaster_secret(&power, VERSION, None, &[9; PREMASTER_OCTETS]);
    drop(black_box(secret.expect("the power is long enough")));
}

fn encrypt(secrets: &Secrets, scheme: EncryptionScheme<'_>) {
    let message: Zeroizing<Vec<u8>> = secrets.message(MESSAGE_OCTETS);
    let public = secrets.key().public_key();
    let ciphertext = public.encrypt(scheme, &message, &mut secrets.random()).expect("the message is short");
    secrets.publish(&ciphertext);
}
