//! Keys of RSA as documents whose secret numbers are known by their places.

use crate::secrets::{Random, Secrets};
use crate::trace;
use monpro::{Modulus, natural};
use monpro_rsa::PrivateKey;
use pkcs1::der::pem::{LineEnding, encode_string};
use pkcs1::der::{Decode, Encode};
use pkcs1::{RsaPrivateKeyRef, UintRef};
use rand_core::TryRng;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::ops::Range;

const LABEL: &str = "RSA PRIVATE KEY";
/// The octets of a line of PEM.
const LINE_OCTETS: usize = 48;
/// Keys of one size; a key has two documents, one for each order of its primes, because the order is secret.
const KEYS: u64 = 4;
/// The first octets of a number tell its length, which is public. They are left out of the secrets, and so is the last
/// one, because that of a prime and of its exponents tells whether it is odd.
const PUBLIC_OCTETS: usize = 8;
/// The random octets that a run draws are at most so many times those of the modulus.
const DRAWS: usize = 4;

thread_local! {
    /// The keys that were made, because making one takes long.
    static MADE: RefCell<BTreeMap<(usize, u64), Vec<u8>>> = const { RefCell::new(BTreeMap::new()) };
}

/// So many seeds, from 0, have the same modulus.
pub const SEEDS_OF_A_KEY: u64 = 4;

/// Adds a document in DER and the places of its secret octets.
pub fn add_der(secrets: &mut Secrets, bits: usize, seed: u64) {
    let made = of_seed(bits, seed / SEEDS_OF_A_KEY % KEYS);
    // Both are made, so that memory is laid out in the same way for both.
    let swapped = with_primes_swapped(&made);
    secrets.octets = Vec::with_capacity(made.len().max(swapped.len()));
    secrets.octets.extend_from_slice(if seed & 1 == 1 { &swapped } else { &made });
    let key = numbers(&secrets.octets);
    let start = secrets.octets.as_ptr().addr();
    let place = |number: UintRef<'_>| {
        let first = number.as_bytes().as_ptr().addr() - start;
        first + PUBLIC_OCTETS..first + number.as_bytes().len() - 1
    };
    let secret =
        [key.private_exponent, key.prime1, key.prime2, key.exponent1, key.exponent2, key.coefficient];
    let places = secret.map(place).to_vec();
    let kept = secret.map(|number| number.as_bytes().to_vec());
    secrets.publish(key.modulus.as_bytes());
    secrets.publish(key.public_exponent.as_bytes());
    secrets.secret_octets = places;
    kept.iter().for_each(|number| secrets.keep(number));
    let mut drawn = vec![0; bits / 8 * DRAWS];
    secrets.random().try_fill_bytes(&mut drawn).unwrap_or_else(|never| match never {});
    secrets.keep(&drawn);
}

/// Adds a document in PEM and the places of the characters that stand for secret octets alone.
pub fn add_pem(secrets: &mut Secrets, bits: usize, seed: u64) {
    add_der(secrets, bits, seed);
    let pem = encode_string(LABEL, LineEnding::LF, &secrets.octets).expect("the label is one of PEM");
    let head = pem.find('\n').expect("a document in PEM has lines") + 1;
    // Three octets are four characters, and a line ends after 48 octets.
    let character = |octet: usize| head + octet / 3 * 4 + octet / LINE_OCTETS;
    let within_lines = |range: &Range<usize>| {
        let (start, end) = (range.start.next_multiple_of(3), range.end / 3 * 3);
        let mut cuts = vec![start];
        cuts.extend((start + 1..end).filter(|octet| octet % LINE_OCTETS == 0));
        cuts.push(end);
        cuts.windows(2).map(|ends| character(ends[0])..character(ends[1] - 3) + 4).collect::<Vec<_>>()
    };
    secrets.secret_octets = secrets.secret_octets.iter().flat_map(within_lines).collect();
    secrets.octets = pem.into_bytes();
}

/// The key of this size and number, in DER of PKCS#1. One that is traced has numbers of the same lengths in both orders
/// of its primes, because lengths are public.
fn of_seed(bits: usize, number: u64) -> Vec<u8> {
    MADE.with_borrow_mut(|made| {
        let document = made.entry((bits, number)).or_insert_with(|| {
            let mut documents = (number..).step_by(KEYS as usize).map(|seed| generated(bits, seed));
            let is_fit = |document: &Vec<u8>| {
                bits > trace::MODERATE_BITS || lengths(document) == lengths(&with_primes_swapped(document))
            };
            documents.find(is_fit).expect("one of four keys is fit")
        });
        document.clone()
    })
}

/// A new key of this size, in DER of PKCS#1.
fn generated(bits: usize, seed: u64) -> Vec<u8> {
    let key = PrivateKey::generate(bits, &mut Random::new(seed)).expect("keys have such lengths");
    let document = key.to_der();
    // A document of PKCS#8 ends with that of PKCS#1.
    let starts = 0..document.len();
    let inner = starts.map(|start| &document[start..]).find(|der| RsaPrivateKeyRef::from_der(der).is_ok());
    inner.expect("the document has a key in it").to_vec()
}

/// The lengths of the numbers in bits.
fn lengths(document: &[u8]) -> [usize; 5] {
    let key = numbers(document);
    [key.prime1, key.prime2, key.exponent1, key.exponent2, key.coefficient]
        .map(|number| natural::bit_length(&natural::from_be_bytes(number.as_bytes())))
}

fn numbers(document: &[u8]) -> RsaPrivateKeyRef<'_> {
    RsaPrivateKeyRef::from_der(document).expect("the document is one of a key")
}

/// The same key with the other prime first.
fn with_primes_swapped(document: &[u8]) -> Vec<u8> {
    let key = numbers(document);
    let words = |number: UintRef<'_>| natural::from_be_bytes(number.as_bytes());
    let q = Modulus::new(&words(key.prime2)).expect("a prime of a key is odd");
    // q ends in 11 or 01, so this borrows from no other word unless q is 2 + 1.
    let mut exponent = q.number().to_vec();
    exponent[0] -= 2;
    let inverse = q.residue(&words(key.prime1)).pow(&exponent).to_number();
    let octets = natural::to_be_bytes(&inverse, natural::bit_length(&inverse).div_ceil(8));
    let swapped = RsaPrivateKeyRef {
        prime1: key.prime2,
        prime2: key.prime1,
        exponent1: key.exponent2,
        exponent2: key.exponent1,
        coefficient: UintRef::new(&octets).expect("a number of a key has few octets"),
        ..key
    };
    swapped.to_der().expect("a key has fewer octets than DER can hold")
}
