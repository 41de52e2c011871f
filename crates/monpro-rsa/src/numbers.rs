//! Keys from numbers, and the numbers of a key.

use crate::error::Error;
use crate::number::{Words, are_equal, from_octets, gcd, halve_masked, is_below, product, quotient};
use crate::private_key::{OtherPrime, PrivateKey, coefficient};
use crate::public_key::PublicKey;
use alloc::vec::Vec;
use monpro::natural;
use zeroize::Zeroizing;

/// The most primes of a modulus, as in OpenSSL.
pub(crate) const MOST_PRIMES: usize = 5;
/// The bases with which primes are looked for. A base fails with a probability of at most 1/2.
const BASES: [u64; 32] = [
    2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67, 71, 73, 79, 83, 89, 97, 101, 103,
    107, 109, 113, 127, 131,
];

/// The octets of a number, big-endian without leading zeros; erased when dropped.
pub type Octets = Zeroizing<Vec<u8>>;

/// The private numbers of a key \[RFC 8017, §3.2\]. Whoever has d or a prime has the key.
#[derive(Clone)]
pub struct PrivateNumbers {
    /// The private exponent.
    pub d: Octets,
    /// The first prime.
    pub p: Octets,
    /// The second prime.
    pub q: Octets,
    /// d mod (p − 1).
    pub dp: Octets,
    /// d mod (q − 1).
    pub dq: Octets,
    /// q⁻¹ mod p.
    pub q_inverse: Octets,
    /// The primes beyond p and q; in most keys there are none.
    pub others: Vec<OtherPrimeNumbers>,
}

/// The numbers of a prime beyond p and q.
#[derive(Clone)]
pub struct OtherPrimeNumbers {
    /// The prime r.
    pub prime: Octets,
    /// d mod (r − 1).
    pub exponent: Octets,
    /// The inverse modulo r of the product of the primes before it.
    pub coefficient: Octets,
}

impl PrivateKey {
    /// The key of n, e, d and the primes, as big-endian octets.
    ///
    /// Of no primes, two are computed from d; of one, the other is n divided by it. All numbers are checked as those of
    /// a document are. If no prime is given, the time tells how many factors 2 divide e·d − 1, and which base found them.
    ///
    /// # Errors
    /// [`Error::Modulus`], [`Error::PublicExponent`], [`Error::PrivateExponent`], [`Error::Factors`],
    /// [`Error::NotPrime`]; [`Error::MultiPrime`] for more than five primes.
    pub fn from_numbers(n: &[u8], e: &[u8], d: &[u8], primes: &[&[u8]]) -> Result<PrivateKey, Error> {
        let public = PublicKey::new(n, e)?;
        let bits = public.bits();
        let d = from_octets(d, bits).ok_or(Error::PrivateExponent)?;
        let read = |octets: &&[u8]| from_octets(octets, bits).filter(is_positive).ok_or(Error::Factors);
        if primes.len() > MOST_PRIMES {
            return Err(Error::MultiPrime);
        }
        let primes: Vec<Words> = primes.iter().map(read).collect::<Result<_, _>>()?;
        let primes = match &primes[..] {
            [] => primes_of(&public, &d)?,
            [p] => {
                let q = quotient(public.modulus().number(), p);
                [primes, Vec::from([q])].concat()
            }
            _ => primes,
        };
        let whole = primes[1..].iter().fold(primes[0].clone(), |whole, prime| product(&whole, prime));
        if !are_equal(&whole, public.modulus().number()) {
            return Err(Error::Factors);
        }
        let (p, q) = (&primes[0], &primes[1]);
        let mut before = product(p, q);
        let mut others = Vec::new();
        for prime in &primes[2..] {
            others.push(OtherPrime { prime: prime.clone(), coefficient: coefficient(prime, &before)? });
            before = product(&before, prime);
        }
        PrivateKey::of_primes(public, &d, p, q, &coefficient(p, q)?, &others)
    }

    /// The private numbers, for callers that compute with them elsewhere.
    #[must_use]
    pub fn private_numbers(&self) -> PrivateNumbers {
        let [_, _, d, p, q, dp, dq, q_inverse] = self.numbers().map(|number| minimal_octets(&number));
        let others = self.other_numbers().map(|numbers| {
            let [prime, exponent, coefficient] = numbers.map(|number| minimal_octets(&number));
            OtherPrimeNumbers { prime, exponent, coefficient }
        });
        let others = others.collect();
        PrivateNumbers { d, p, q, dp, dq, q_inverse, others }
    }
}

fn is_positive(x: &Words) -> bool {
    natural::bit_length(x) > 0
}

/// The octets of a number, big-endian, without leading zeros.
fn minimal_octets(number: &[u64]) -> Octets {
    Zeroizing::new(natural::to_be_bytes(number, natural::bit_length(number).div_ceil(8).max(1)))
}

/// The two factors p > q of n = p·q, from an inverse d of e modulo p − 1 and q − 1 \[SP 800-56B, §C.1\].
///
/// For each unit g, g^(e·d − 1) = 1. Of the powers g^((e·d − 1)/2^i), the last one before 1 is a square root x of 1. If x
/// is not −1, it is 1 modulo one prime and −1 modulo the other, and a prime is gcd(x − 1, n).
///
/// # Errors
/// [`Error::PrivateExponent`] if d is no inverse of e; [`Error::Factors`] if no base finds a factor.
fn primes_of(public: &PublicKey, d: &[u64]) -> Result<Vec<Words>, Error> {
    let n = public.modulus();
    let mut exponent = product(d, public.exponent());
    if exponent[0] & 1 == 0 {
        return Err(Error::PrivateExponent);
    }
    // An odd multiple of e, and e ≥ 3: the exponent stays above 0, so that the loop ends.
    exponent[0] -= 1;
    let mut twos = 0;
    while exponent[0] & 1 == 0 {
        halve_masked(&mut exponent, u64::MAX);
        twos += 1;
    }
    let one = n.one();
    for base in BASES {
        let mut root = n.residue(&[base]).pow_bounded(&exponent, natural::bit_length(&exponent));
        let steps = (0..twos).find(|_| {
            let square = root.square();
            let is_found = square == one;
            root = if is_found { root.clone() } else { square };
            is_found
        });
        steps.ok_or(Error::PrivateExponent)?;
        if root != one && root != -&one {
            let p = gcd(&Zeroizing::new((&root - &one).to_number()), n.number());
            let q = quotient(n.number(), &p);
            let is_swapped = is_below(&p, &q);
            return Ok(if is_swapped { Vec::from([q, p]) } else { Vec::from([p, q]) });
        }
    }
    Err(Error::Factors)
}
