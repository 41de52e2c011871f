//! Keys from and to numbers, and keys of more than two primes.

mod der;

use der::{Numbers, element, integer, sequence};
use getrandom::SysRng;
use monpro::{Modulus, natural};
use monpro_rsa::{EncryptionScheme, Error, Hash, PrivateKey, PublicKey, SignatureScheme};
use rand_core::UnwrapErr;
use std::sync::LazyLock;

static KEY: LazyLock<PrivateKey> =
    LazyLock::new(|| PrivateKey::generate(512, &mut UnwrapErr(SysRng)).unwrap());

fn random() -> UnwrapErr<SysRng> {
    UnwrapErr(SysRng)
}

fn octets(words: &[u64]) -> Vec<u8> {
    natural::to_be_bytes(words, natural::bit_length(words).div_ceil(8).max(1))
}

/// x·y for big-endian octets.
fn product(x: &[u8], y: &[u8]) -> Vec<u8> {
    let mut digits = vec![0u32; x.len() + y.len()];
    for (i, a) in x.iter().rev().enumerate() {
        let mut carry = 0;
        for (j, b) in y.iter().rev().chain([&0]).enumerate().take(digits.len() - i) {
            let sum = digits[i + j] + u32::from(*a) * u32::from(*b) + carry;
            (digits[i + j], carry) = (sum & 0xff, sum >> 8);
        }
    }
    digits.iter().rev().map(|&digit| digit as u8).collect()
}

#[test]
fn keys_from_numbers_are_the_keys_of_the_documents() {
    for bits in [512, 514, 768, 1024] {
        let key = PrivateKey::generate(bits, &mut random()).unwrap();
        let [n, e, d, p, q, ..] = Numbers::of(&key).0;
        let same = |primes: &[&[u8]]| PrivateKey::from_numbers(&n, &e, &d, primes).unwrap();
        assert_eq!(*same(&[&p, &q]).to_der(), *key.to_der());
        assert_eq!(*same(&[&p]).to_der(), *key.to_der());
        assert_eq!(*same(&[&[&[0; 9], &p[..]].concat()]).to_der(), *key.to_der());
        let swapped = same(&[&q, &p]).private_numbers();
        assert_eq!((&*swapped.p, &*swapped.q), (&q, &p));
        assert_eq!(*same(&[&q]).to_der(), *same(&[&q, &p]).to_der());
        // The larger prime comes first where both were computed.
        let recovered = same(&[]).private_numbers();
        assert_eq!((&*recovered.p, &*recovered.q), if p > q { (&p, &q) } else { (&q, &p) });
    }
}

#[test]
fn the_numbers_of_a_key_are_those_of_its_document() {
    let numbers = KEY.private_numbers();
    let [_, _, d, p, q, dp, dq, q_inverse] = Numbers::of(&KEY).0;
    assert_eq!([&*numbers.d, &*numbers.p, &*numbers.q], [&d, &p, &q]);
    assert_eq!([&*numbers.dp, &*numbers.dq, &*numbers.q_inverse], [&dp, &dq, &q_inverse]);
    assert!(numbers.others.is_empty());
}

/// n, e, d, the primes, and the error that they give.
type Row<'a> = (&'a [u8], &'a [u8], &'a [u8], &'a [&'a [u8]], Error);

#[test]
fn numbers_that_are_no_keys_are_refused() {
    let numbers = Numbers::of(&KEY);
    let [n, e, d, p, q, ..] = &numbers.0;
    let changed = |x: &[u8], bits: u8| [&x[..x.len() - 1], &[x[x.len() - 1] ^ bits]].concat();
    let long = vec![0xff; 3000];
    let rows: [Row<'_>; 22] = [
        (&[], e, d, &[], Error::Modulus),
        (&changed(n, 1), e, d, &[], Error::Modulus),
        (&long, e, d, &[], Error::Modulus),
        (n, &[], d, &[], Error::PublicExponent),
        (n, &[4], d, &[], Error::PublicExponent),
        (n, &long, d, &[], Error::PublicExponent),
        (n, e, &[], &[], Error::PrivateExponent),
        (n, e, &[1], &[], Error::PrivateExponent),
        (n, e, &changed(d, 1), &[], Error::PrivateExponent),
        (n, e, &changed(d, 2), &[], Error::PrivateExponent),
        (n, e, &changed(d, 2), &[p, q], Error::PrivateExponent),
        (n, e, n, &[], Error::PrivateExponent),
        (n, e, &long, &[], Error::PrivateExponent),
        (n, &[3], d, &[], Error::PrivateExponent),
        (n, e, d, &[&[]], Error::Factors),
        (n, e, d, &[&[1]], Error::Factors),
        (n, e, d, &[&[1], n], Error::Factors),
        (n, e, d, &[n], Error::Factors),
        (n, e, d, &[&long], Error::Factors),
        (n, e, d, &[&changed(p, 2)], Error::Factors),
        (n, e, d, &[p, &changed(q, 2)], Error::Factors),
        (n, e, d, &[&[3], &[3], &[3], &[3], &[3], &[3]], Error::MultiPrime),
    ];
    for (n, e, d, primes, error) in rows {
        let refused = PrivateKey::from_numbers(n, e, d, primes).unwrap_err();
        assert_eq!(refused, error, "{n:02x?} {e:02x?} {d:02x?} {primes:02x?}");
    }
}

fn primes(count: usize) -> Vec<Vec<u8>> {
    let both = |key: &PrivateKey| [key.private_numbers().p.to_vec(), key.private_numbers().q.to_vec()];
    let mut primes = both(&KEY).to_vec();
    while primes.len() < count {
        primes.extend(both(&PrivateKey::generate(512, &mut random()).unwrap()));
    }
    primes.truncate(count);
    primes
}

/// The product of primes and an inverse of 65537 for all of them, found by this test's own arithmetic.
fn of_primes(primes: &[Vec<u8>]) -> (Vec<u8>, Vec<u8>) {
    let whole = |primes: &[Vec<u8>]| primes.iter().fold(vec![1], |whole, prime| product(&whole, prime));
    // With φ the product of all primes less one and k = −φ⁻¹ mod e, d = (k·φ + 1)/e.
    let less_one = |prime: &Vec<u8>| [&prime[..prime.len() - 1], &[prime[prime.len() - 1] - 1]].concat();
    let phi = whole(&primes.iter().map(less_one).collect::<Vec<_>>());
    let remainder = |x: &[u8]| x.iter().fold(0u64, |r, &digit| (r << 8 | u64::from(digit)) % 65537);
    let k = (1..65537u64).find(|k| (k * remainder(&phi) + 1) % 65537 == 0).unwrap();
    let mut multiple = product(&phi, &k.to_be_bytes());
    let last = multiple.len() - 1;
    // φ is a multiple of 4, so that 1 carries nothing.
    multiple[last] += 1;
    let mut r_of_division = 0;
    for digit in &mut multiple {
        let dividend = r_of_division << 8 | u64::from(*digit);
        (*digit, r_of_division) = ((dividend / 65537) as u8, dividend % 65537);
    }
    assert_eq!(r_of_division, 0);
    (whole(primes), multiple)
}

fn of_three_primes() -> (Vec<u8>, Vec<u8>, [Vec<u8>; 3]) {
    let primes = primes(3);
    let (n, d) = of_primes(&primes);
    (n, d, primes.try_into().unwrap())
}

#[test]
fn keys_of_five_primes_are_the_longest() {
    let from = |count| {
        let primes = primes(count);
        let (n, d) = of_primes(&primes);
        let primes: Vec<&[u8]> = primes.iter().map(Vec::as_slice).collect();
        PrivateKey::from_numbers(&n, &[1, 0, 1], &d, &primes)
    };
    for count in [4, 5] {
        let key = from(count).unwrap();
        assert_eq!(key.private_numbers().others.len(), count - 2);
        assert_eq!(*PrivateKey::from_der(&key.to_der()).unwrap().to_der(), *key.to_der());
    }
    assert_eq!(from(6).unwrap_err(), Error::MultiPrime);
}

#[test]
fn a_prime_may_be_3() {
    let [p, q] = primes(2).try_into().unwrap();
    let primes = [vec![3], p, q];
    let (n, d) = of_primes(&primes);
    let [three, p, q] = primes.each_ref().map(Vec::as_slice);
    for order in [[three, p, q], [p, three, q], [p, q, three]] {
        let key = PrivateKey::from_numbers(&n, &[1, 0, 1], &d, &order).unwrap();
        assert_eq!(&*key.private_numbers().p, order[0]);
    }
}

#[test]
fn keys_of_three_primes_compute_and_are_written() {
    let (n, d, [p, q, r]) = of_three_primes();
    let key = PrivateKey::from_numbers(&n, &[1, 0, 1], &d, &[&p, &q, &r]).unwrap();
    let modulus = Modulus::new(&natural::from_be_bytes(&n)).unwrap();
    for m in [&[0][..], &[1], &[2], &[0xab; 90], &p, &q, &r] {
        let power = modulus.residue(&natural::from_be_bytes(m)).pow(&natural::from_be_bytes(&d)).to_number();
        let found = key.raw(m, &mut random()).unwrap();
        assert_eq!(octets(&natural::from_be_bytes(&found)), octets(&power), "{m:02x?}");
    }
    let signature = key.sign(SignatureScheme::Pkcs1v15, Hash::Sha256, b"m", &mut random()).unwrap();
    assert_eq!(key.public_key().verify(SignatureScheme::Pkcs1v15, Hash::Sha256, b"m", &signature), Ok(()));
    let scheme = EncryptionScheme::Pkcs1v15;
    let ciphertext = key.public_key().encrypt(scheme, b"m", &mut random()).unwrap();
    assert_eq!(*key.decrypt(scheme, &ciphertext, &mut random()).unwrap(), b"m");
    for again in [PrivateKey::from_der(&key.to_der()), PrivateKey::from_der(&key.to_pkcs1_der())] {
        let again = again.unwrap();
        assert_eq!(*again.to_der(), *key.to_der());
        assert_eq!(*again.private_numbers().others[0].prime, r);
    }
    assert_eq!(PublicKey::from_pem(key.to_pem()).as_ref(), Ok(key.public_key()));
    // Two primes cannot be found from d where there are three.
    assert_eq!(PrivateKey::from_numbers(&n, &[1, 0, 1], &d, &[]).unwrap_err(), Error::NotPrime);
}

/// Each number of a third prime is checked as those of the first two are.
#[test]
fn wrong_numbers_of_a_third_prime_are_refused() {
    let (n, d, primes) = of_three_primes();
    let [p, q, r] = &primes;
    let key = PrivateKey::from_numbers(&n, &[1, 0, 1], &d, &[p, q, r]).unwrap();
    let numbers = key.private_numbers();
    let other = &numbers.others[0];
    let document = |third: [&[u8]; 3]| {
        let third = sequence(&third.map(integer));
        let before = [&[1][..], &n, &[1, 0, 1], &d, p, q, &numbers.dp, &numbers.dq, &numbers.q_inverse];
        sequence(&before.into_iter().map(integer).chain([sequence(&[third])]).collect::<Vec<_>>())
    };
    let even = |x: &[u8]| [&x[..x.len() - 1], &[x[x.len() - 1] ^ 1]].concat();
    let good: [&[u8]; 3] = [&other.prime, &other.exponent, &other.coefficient];
    assert_eq!(*PrivateKey::from_der(&document(good)).unwrap().to_der(), *key.to_der());
    for (place, error) in [(0, Error::Factors), (1, Error::PrivateExponent), (2, Error::PrivateExponent)] {
        let mut wrong = good;
        let changed = even(good[place]);
        wrong[place] = &changed;
        assert_eq!(PrivateKey::from_der(&document(wrong)).unwrap_err(), error, "{place}");
    }
    // A coefficient that is worth the same, but is not below the prime.
    let sum = natural::from_be_bytes(&other.coefficient).iter().zip(natural::from_be_bytes(r)).fold(
        (vec![], 0),
        |(mut words, carry), (x, y)| {
            let sum = u128::from(*x) + u128::from(y) + carry;
            words.push(sum as u64);
            (words, sum >> 64)
        },
    );
    let longer = octets(&[&sum.0[..], &[sum.1 as u64]].concat());
    let refused = PrivateKey::from_der(&document([good[0], good[1], &longer])).unwrap_err();
    assert_eq!(refused, Error::PrivateExponent);
    // An exponent d that fits p and q, but not the third prime.
    let [_, _, d_of_two, ..] = Numbers::of(&KEY).0;
    let refused = PrivateKey::from_numbers(&n, &[1, 0, 1], &d_of_two, &[p, q, r]).unwrap_err();
    assert_eq!(refused, Error::PrivateExponent);
    // A prime twice: it has no inverse modulo itself.
    let square = product(&product(p, q), q);
    let refused = PrivateKey::from_numbers(&square, &[1, 0, 1], &d, &[p, q, q]).unwrap_err();
    assert_eq!(refused, Error::PrivateExponent);
}

#[test]
fn an_empty_list_of_other_primes_is_malformed() {
    let numbers = Numbers::of(&KEY);
    let of = |rest: Vec<u8>| {
        let numbers = [&[1][..]].into_iter().chain(numbers.0.iter().map(Vec::as_slice)).map(integer);
        PrivateKey::from_der(&sequence(&numbers.chain([rest]).collect::<Vec<_>>()))
    };
    assert_eq!(of(sequence(&[])).unwrap_err(), Error::Malformed);
    assert_eq!(of(element(der::OCTET_STRING, &[])).unwrap_err(), Error::Malformed);
}
