//! Documents with numbers of megabits: each is refused soon, on a small stack.

mod der;

use der::{D, DP, DQ, N, Numbers, P, Q, Q_INV};
use getrandom::SysRng;
use monpro_rsa::{Error, PrivateKey, PublicKey};
use rand_core::UnwrapErr;
use std::thread;
use std::time::{Duration, Instant};

const STACK_BYTES: usize = 256 << 10;
/// Far above what a document takes here, a few milliseconds on a machine with other work, and far below what it took
/// when the numbers were multiplied.
const MOST_TIME: Duration = Duration::from_millis(500);

/// The most octets that a document in DER may have.
const MOST_OCTETS: usize = 1 << 16;

fn on_a_small_stack<T: Send + 'static>(run: impl FnOnce() -> T + Send + 'static) -> T {
    thread::Builder::new().stack_size(STACK_BYTES).spawn(run).unwrap().join().unwrap()
}

/// 2^(8·(octets − 1)) + 1.
fn huge(octets: usize) -> Vec<u8> {
    let mut number = vec![0; octets];
    (number[0], number[octets - 1]) = (1, 1);
    number
}

fn pem(label: &str, der: &[u8]) -> String {
    use pkcs8::der::pem::{LineEnding, encode_string};
    encode_string(label, LineEnding::LF, der).unwrap()
}

/// The numbers of a good key, with these huge ones in place of some.
fn hostile_numbers() -> Vec<Numbers> {
    let good = Numbers::of(&PrivateKey::generate(512, &mut UnwrapErr(SysRng)).unwrap());
    let fields: [&[usize]; 9] =
        [&[P, Q], &[P], &[Q], &[N], &[D], &[DP], &[DQ], &[Q_INV], &[N, D, P, Q, DP, DQ, Q_INV]];
    // The shorter ones pass any bound on the length of a document; the longer ones make documents of 2 MiB.
    let sizes = [4 << 10, 7 << 10, 60 << 10, 2 << 20];
    let mut hostile = Vec::new();
    for (fields, octets) in fields.iter().flat_map(|fields| sizes.map(|octets| (*fields, octets))) {
        let mut numbers = good.clone();
        for &field in fields {
            numbers.0[field] = huge(octets / fields.len());
        }
        hostile.push(numbers);
    }
    hostile
}

#[test]
fn huge_private_documents_are_refused_soon_and_on_a_small_stack() {
    for numbers in hostile_numbers() {
        let documents = [numbers.pkcs1(), numbers.pkcs8()];
        let texts = [pem("RSA PRIVATE KEY", &documents[0]), pem("PRIVATE KEY", &documents[1])];
        on_a_small_stack(move || {
            let begin = Instant::now();
            for (document, text) in documents.iter().zip(&texts) {
                let private = [PrivateKey::from_der(document), PrivateKey::from_pem(text)];
                let public = [PublicKey::from_der(document), PublicKey::from_pem(text)];
                let errors = private.map(|read| read.unwrap_err());
                assert!(document.len() <= MOST_OCTETS || errors == [Error::TooLong; 2]);
                assert!(public[1] == Err(errors[1]) && public[0].is_err());
            }
            let lengths = numbers.0.each_ref().map(Vec::len);
            assert!(begin.elapsed() < 8 * MOST_TIME, "{lengths:?}: {:?}", begin.elapsed());
        });
    }
}

#[test]
fn huge_public_documents_are_refused_soon_and_on_a_small_stack() {
    let n = PrivateKey::generate(512, &mut UnwrapErr(SysRng)).unwrap().public_key().n();
    on_a_small_stack(move || {
        for octets in [4 << 10, 60 << 10, 2 << 20] {
            let huge = huge(octets);
            for (n, e, error) in [(&n, &huge, Error::PublicExponent), (&huge, &n, Error::Modulus)] {
                let begin = Instant::now();
                assert_eq!(PublicKey::new(n, e), Err(error));
                for der in [der::public_pkcs1(n, e), der::public_spki(n, e)] {
                    let expected = if der.len() <= MOST_OCTETS { error } else { Error::TooLong };
                    assert_eq!(PublicKey::from_der(&der), Err(expected));
                }
                assert!(PublicKey::from_pem(pem("PUBLIC KEY", &der::public_spki(n, e))).is_err());
                assert!(begin.elapsed() < 4 * MOST_TIME, "{octets}: {:?}", begin.elapsed());
            }
        }
    });
}

/// What an exponent is worth does not change with a multiple of λ(n), but its length does.
#[test]
fn an_exponent_from_the_modulus_up_is_refused() {
    let good = Numbers::of(&PrivateKey::generate(512, &mut UnwrapErr(SysRng)).unwrap());
    // d + (p − 1)·(q − 1)·2^8000, where (p − 1)·(q − 1) = n − p − q + 1.
    let [n, _, d, p, q, ..] = &good.0;
    let mut phi = vec![0u8; 64];
    let mut carry = 1i32;
    for i in (0..64).rev() {
        let octet = |x: &[u8]| (i + x.len()).checked_sub(64).map_or(0, |i| i32::from(x[i]));
        carry += octet(n) - octet(p) - octet(q);
        phi[i] = carry.rem_euclid(256) as u8;
        carry = carry.div_euclid(256);
    }
    let mut longer = phi;
    longer.extend(vec![0; 1000]);
    let start = longer.len() - d.len();
    longer[start..].copy_from_slice(d);
    let refused = PrivateKey::from_der(&good.with([(D, &longer)]).pkcs8());
    assert_eq!(refused.unwrap_err(), Error::PrivateExponent);
}
