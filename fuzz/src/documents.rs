//! Key documents that are almost right: a valid key whose numbers, order of numbers, encoding and octets are changed as
//! an input says.

use crate::gmp;
use crate::input::{Input, Random};
use monpro_rsa::{PrivateKey, PublicKey};
use std::sync::LazyLock;
use std::time::Duration;

/// The longest time that a document may take a parser, in processor time of its thread.
pub const LIMIT: Duration = Duration::from_millis(50);

/// The sizes of the keys whose documents are changed.
const SIZES_BITS: [usize; 5] = [512, 512, 514, 768, 1024];
/// The greatest exponent of 2 in a number that is put in place of another.
const MOST_BITS: usize = 1 << 22;
const MOST_CHANGES: usize = 6;
const MOST_OCTETS_CHANGED: usize = 4;
const LABELS: [&str; 5] = ["RSA PRIVATE KEY", "PRIVATE KEY", "RSA PUBLIC KEY", "PUBLIC KEY", "CERTIFICATE"];
/// The algorithm rsaEncryption, with NULL.
const ALGORITHM: [u8; 15] = [0x30, 13, 6, 9, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 1, 1, 5, 0];

const SEQUENCE: u8 = 0x30;
const INTEGER: u8 = 2;
const BIT_STRING: u8 = 3;
const OCTET_STRING: u8 = 4;

// The places of the numbers in a document.
const N: usize = 1;
const E: usize = 2;
const D: usize = 3;
const P: usize = 4;
const Q: usize = 5;
const DP: usize = 6;
const DQ: usize = 7;
const COEFFICIENT: usize = 8;

/// The numbers of a key, big-endian: version, n, e, d, p, q, d mod (p − 1), d mod (q − 1), q⁻¹ mod p.
type Numbers = Vec<Vec<u8>>;

static KEYS: LazyLock<Vec<Numbers>> = LazyLock::new(|| {
    let number_of = |(seed, &bits): (u64, &usize)| {
        let key = PrivateKey::generate(bits, &mut Random::new(seed)).expect("keys have such lengths");
        let document = key.to_der();
        // PKCS#8 ends with the document of PKCS#1, whose content begins with the version 0 and the tag of n.
        let version = [INTEGER, 1, 0, INTEGER];
        let start = document.windows(4).rposition(|window| window == version).expect("there is a version");
        integers(&document[start..])
    };
    (0..).zip(&SIZES_BITS).map(number_of).collect()
});

/// A document.
pub enum Document {
    Der(Vec<u8>),
    Pem(String),
}

/// The document that the input describes.
pub fn read(input: &mut Input<'_>) -> Document {
    let key = input.below(KEYS.len());
    let mut numbers = KEYS[key].clone();
    for _ in 0..input.below(MOST_CHANGES + 1) {
        change(&mut numbers, key, input);
    }
    let form = input.below(LABELS.len() - 1);
    let label = if input.byte() == 0 { input.one_of(&LABELS) } else { LABELS[form] };
    let mut der = encoded(&numbers, form);
    let is_pem = input.byte() & 1 == 1;
    if !is_pem {
        disturb(&mut der, input);
        return Document::Der(der);
    }
    let mut pem = in_pem(&der, label).into_bytes();
    disturb(&mut pem, input);
    Document::Pem(String::from_utf8_lossy(&pem).into_owned())
}

/// Gives the document to the parsers of its form. Of a key that is taken, another document must be taken, too.
pub fn parse(document: &Document) -> bool {
    let (private, public) = match document {
        Document::Der(der) => (PrivateKey::from_der(der), PublicKey::from_der(der)),
        Document::Pem(pem) => (PrivateKey::from_pem(pem), PublicKey::from_pem(pem)),
    };
    if let Ok(key) = &public {
        assert!(
            PublicKey::from_der(&key.to_der()).as_ref() == Ok(key),
            "a public key changes in its document"
        );
    }
    if let Ok(key) = &private {
        let again = PrivateKey::from_der(&key.to_der()).expect("a key's own document is taken");
        assert!(*again.to_der() == *key.to_der(), "a private key changes in its document");
    }
    private.is_ok() || public.is_ok()
}

/// Changes the numbers as the input says.
fn change(numbers: &mut Numbers, key: usize, input: &mut Input<'_>) {
    let (kind, place) = (input.below(10), input.below(numbers.len().max(1)));
    let other = input.below(numbers.len().max(1));
    if numbers.len() <= COEFFICIENT {
        return numbers.push(vec![1]);
    }
    match kind {
        0 | 1 => numbers[place] = extreme(input),
        2 => {
            let same = extreme(input);
            numbers[P].clone_from(&same);
            numbers[Q] = same;
        }
        3 => numbers[place] = numbers[other].clone(),
        4 => numbers.swap(place, other),
        5 => numbers[place] = gmp::sum(&numbers[place], &numbers[other]),
        6 => numbers[place] = KEYS[(key + 1) % KEYS.len()][place % (COEFFICIENT + 1)].clone(),
        7 => {
            let octet = input.below(numbers[place].len().max(1));
            if let Some(octet) = numbers[place].get_mut(octet) {
                *octet ^= input.byte();
            }
        }
        8 => complete(numbers),
        _ if input.byte() & 1 == 0 => numbers.push(extreme(input)),
        _ => drop(numbers.remove(place)),
    }
}

/// 0 to 3, or 2^k and its neighbours, with k from 0 up to the largest.
fn extreme(input: &mut Input<'_>) -> Vec<u8> {
    let bits = match input.below(4) {
        0 => input.below(64),
        1 => input.below(2048),
        2 => 1 << input.below(MOST_BITS.ilog2() as usize + 1),
        _ => input.below(MOST_BITS),
    };
    let mut power = vec![0; bits / 8 + 1];
    power[0] = 1 << (bits % 8);
    match input.below(5) {
        0 => vec![input.byte() & 3],
        1 => power,
        2 => gmp::sum(&power, &[1]),
        3 => gmp::difference(&power, &[1]),
        _ => {
            let last = power.len() - 1;
            power[last] |= input.byte() | 1;
            power
        }
    }
}

/// Makes n, the exponents and the coefficient belong to e, p and q, where these are small and as far as that is possible.
fn complete(numbers: &mut Numbers) {
    const MOST_OCTETS: usize = 1024;
    if numbers[E].len() + numbers[P].len() + numbers[Q].len() > MOST_OCTETS {
        return;
    }
    let (p, q) = (numbers[P].clone(), numbers[Q].clone());
    let (p1, q1) = (gmp::difference(&p, &[1]), gmp::difference(&q, &[1]));
    numbers[N] = gmp::product(&p, &q);
    let changed = [
        (D, gmp::inverse(&numbers[E], &gmp::product(&p1, &q1))),
        (DP, gmp::inverse(&numbers[E], &p1)),
        (DQ, gmp::inverse(&numbers[E], &q1)),
        (COEFFICIENT, gmp::inverse(&q, &p)),
    ];
    for (place, number) in changed {
        numbers[place] = number.unwrap_or_default();
    }
}

/// The numbers in one of four forms: a private key of PKCS#1 and PKCS#8, a public key of PKCS#1 and of X.509.
fn encoded(numbers: &Numbers, form: usize) -> Vec<u8> {
    let sequence = |numbers: &[Vec<u8>]| {
        let integers: Vec<u8> = numbers.iter().flat_map(|number| integer(number)).collect();
        tagged(SEQUENCE, &integers)
    };
    let public = |numbers: &Numbers| sequence(numbers.get(N..=E).unwrap_or_default());
    match form {
        0 => sequence(numbers),
        1 => {
            let inner = tagged(OCTET_STRING, &sequence(numbers));
            tagged(SEQUENCE, &[&integer(&[])[..], &ALGORITHM, &inner].concat())
        }
        2 => public(numbers),
        _ => {
            let bits = tagged(BIT_STRING, &[&[0], &public(numbers)[..]].concat());
            tagged(SEQUENCE, &[&ALGORITHM[..], &bits].concat())
        }
    }
}

/// Overwrites, removes or inserts a few octets as the input says.
fn disturb(octets: &mut Vec<u8>, input: &mut Input<'_>) {
    for _ in 0..input.below(2 * MOST_OCTETS_CHANGED).saturating_sub(MOST_OCTETS_CHANGED) {
        let (kind, place, octet) =
            (input.below(4), input.below(octets.len().clamp(1, 1 << 24)), input.byte());
        match kind {
            _ if octets.is_empty() => octets.push(octet),
            0 => octets[place] = octet,
            1 => octets.insert(place, octet),
            2 => drop(octets.remove(place)),
            _ => octets.truncate(place),
        }
    }
}

/// The numbers in a row of INTEGERs.
fn integers(mut der: &[u8]) -> Numbers {
    let mut numbers = Numbers::new();
    while let [INTEGER, first, after @ ..] = der {
        let long = usize::from(first.saturating_sub(0x80));
        let length = match long {
            0 => usize::from(*first),
            _ => after[..long].iter().fold(0, |length, &octet| length << 8 | usize::from(octet)),
        };
        let (number, rest) = after[long..].split_at(length);
        numbers.push(number.to_vec());
        der = rest;
    }
    numbers
}

fn integer(number: &[u8]) -> Vec<u8> {
    let zeros = number.iter().take_while(|&&octet| octet == 0).count();
    let significant = &number[zeros..];
    let needs_zero = significant.first().is_none_or(|octet| octet >> 7 == 1);
    tagged(INTEGER, &[&[0][..usize::from(needs_zero)], significant].concat())
}

fn tagged(tag: u8, content: &[u8]) -> Vec<u8> {
    let octets = content.len().to_be_bytes();
    let zeros = octets.iter().take_while(|&&octet| octet == 0).count();
    let length = match content.len() {
        short @ 0..0x80 => vec![short as u8],
        _ => [&[0x80 | (octets.len() - zeros) as u8], &octets[zeros..]].concat(),
    };
    [&[tag], &length[..], content].concat()
}

fn in_pem(der: &[u8], label: &str) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = format!("-----BEGIN {label}-----\n");
    for line in der.chunks(48) {
        for chunk in line.chunks(3) {
            let bits = [16, 8, 0]
                .iter()
                .zip(chunk)
                .fold(0, |bits, (shift, &octet)| bits | u32::from(octet) << shift);
            let digit = |i: usize| DIGITS[(bits >> (18 - 6 * i)) as usize & 63] as char;
            (0..=chunk.len()).for_each(|i| text.push(digit(i)));
            (chunk.len()..3).for_each(|_| text.push('='));
        }
        text.push('\n');
    }
    text + &format!("-----END {label}-----\n")
}
