//! Key exchange by Diffie–Hellman. The default provider's operation keeps the settings and judges them; where they are
//! ordinary, monpro computes the power by the private key.

use crate::key::{G, Key, P, PUBLIC, X, Y};
use crate::libcrypto::{Operation, Purpose};
use crate::parameters::Parameters;
use crate::provider::Provider;
use crate::random::Random;
use monpro::Modulus;
use monpro::number_theory::jacobi_vartime;
use rand_core::Rng;
use std::cmp::Ordering;
use std::ffi::CStr;
use std::sync::Arc;
use zeroize::Zeroizing;

const IS_PADDED: &CStr = c"pad";
const DERIVATION: &CStr = c"kdf-type";
const PRIVATE_LENGTH: &CStr = c"priv_len";
const GROUP: &CStr = c"group";

/// The groups of RFC 7919 and RFC 3526, with the bits of their private keys \[RFC 7919, appendix A\]. Their order q is a
/// prime, and p = 2·q + 1.
const SAFE_PRIMES: [(&[u8], usize); 11] = [
    (b"ffdhe2048", 225),
    (b"ffdhe3072", 275),
    (b"ffdhe4096", 325),
    (b"ffdhe6144", 375),
    (b"ffdhe8192", 400),
    (b"modp_1536", 200),
    (b"modp_2048", 225),
    (b"modp_3072", 275),
    (b"modp_4096", 325),
    (b"modp_6144", 375),
    (b"modp_8192", 400),
];

/// The lengths of primes that the default provider takes.
const BITS: std::ops::RangeInclusive<usize> = 512..=10_000;

/// A private exponent with its group.
pub(crate) struct Exponent {
    modulus: Modulus,
    /// In words, the least significant one first.
    x: Zeroizing<Vec<u64>>,
    /// A bound on the bits of the exponent. It is public.
    bits: usize,
}

impl Exponent {
    /// The exponent of a list of numbers; None if the group is one that monpro leaves to the default provider.
    pub(crate) fn read(provider: &Provider, numbers: Parameters<'_>) -> Option<Exponent> {
        let modulus = provider.modulus(&words(&numbers.number(P)?))?;
        let x = words(&numbers.number(X)?);
        let told = numbers.integer(PRIVATE_LENGTH).and_then(|bits| usize::try_from(bits).ok());
        let bits = bound_on_bits(&x, told.or_else(|| private_bits(numbers)), modulus.bits());
        BITS.contains(&modulus.bits()).then_some(Exponent { modulus, x, bits })
    }

    /// A new exponent of a group of RFC 7919 or RFC 3526, as the default provider draws it: uniformly from 1 to 2^bits − 1.
    /// With its octets x and y = g^x, big-endian. None in other groups, where another length was set, or without random numbers.
    pub(crate) fn random(
        provider: &Provider,
        group: Parameters<'_>,
    ) -> Option<(Exponent, [Zeroizing<Vec<u8>>; 2])> {
        let told = group.integer(PRIVATE_LENGTH);
        let bits = private_bits(group).filter(|&bits| told.is_none_or(|told| told == bits as i64))?;
        let modulus = provider.modulus(&words(&group.number(P)?))?;
        let mut octets = Zeroizing::new(vec![0; bits.div_ceil(8)]);
        Random::with(|random| random.fill_bytes(&mut octets))?;
        octets[0] &= 0xff >> (8 * octets.len() - bits);
        let exponent = Exponent { modulus, x: words(&octets), bits };
        // Of 0 the power is 1, so that it is no exponent.
        let y = exponent.power(&group.number(G)?)?;
        Some((exponent, [octets, y]))
    }

    /// The octets of the prime.
    fn octets(&self) -> usize {
        self.modulus.bits().div_ceil(8)
    }

    /// y^x mod p, big-endian and as long as p. None if it is 0, 1 or p − 1. The time does not depend on x.
    fn power(&self, y: &[u8]) -> Option<Zeroizing<Vec<u8>>> {
        let power = self.modulus.residue(&words(y)).pow_bounded(&self.x, self.bits);
        let one = self.modulus.one();
        let is_degenerate = power == self.modulus.zero() || power == one || power == -&one;
        let number = Zeroizing::new(power.to_number());
        // A vector that grows would leave copies behind.
        let mut octets = Zeroizing::new(Vec::with_capacity(8 * number.len()));
        number.iter().for_each(|word| octets.extend_from_slice(&word.to_le_bytes()));
        octets.truncate(self.octets());
        octets.reverse();
        (!is_degenerate).then_some(octets)
    }
}

/// The words of a big-endian number, the least significant one first.
fn words(octets: &[u8]) -> Zeroizing<Vec<u64>> {
    let word = |octets: &[u8]| octets.iter().fold(0, |word, &octet| word << 8 | u64::from(octet));
    Zeroizing::new(octets.rchunks(8).map(word).collect())
}

/// A bound on the bits of x that is public: the one that is told, unless it is more than those of the prime, since a
/// document can tell any number and so many squares are computed. Of a key that is longer than told, the length in words.
fn bound_on_bits(x: &[u64], told: Option<usize>, prime_bits: usize) -> usize {
    told.filter(|&told| told <= prime_bits && !is_longer(x, told)).unwrap_or(64 * x.len())
}

/// Whether a number has more bits than this, in time that depends on the two lengths alone.
fn is_longer(words: &[u64], bits: usize) -> bool {
    let beyond = |(i, &word): (usize, &u64)| match bits.saturating_sub(64 * i) {
        64.. => 0,
        kept => word >> kept,
    };
    words.iter().enumerate().map(beyond).fold(0, |all, word| all | word) != 0
}

/// The bits of private keys in a group of RFC 7919 or RFC 3526; None of other groups.
fn private_bits(numbers: Parameters<'_>) -> Option<usize> {
    let group = numbers.string(GROUP)?;
    SAFE_PRIMES.iter().find(|(name, _)| *name == group).map(|&(_, bits)| bits)
}

/// Whether a public value is a power of the generator and none of 0, 1 and p − 1, in a group of RFC 7919 or RFC 3526. There
/// the powers are the squares: y^q, which the default provider computes up to OpenSSL 3.3, is Jacobi's symbol (y/p). Of other
/// groups, None.
pub(crate) fn is_power(numbers: Parameters<'_>) -> Option<bool> {
    private_bits(numbers)?;
    let [p, y] = [P, Y].map(|name| numbers.number(name));
    let (p, y) = (words(&p?), words(&y?));
    // −1 is no square, since p = 3 mod 4.
    Some(is_less(&y, &p) && !is_less(&y, &[2]) && jacobi_vartime(&y, &p) == Some(1))
}

/// Whether one number is less than another; the time depends on both.
fn is_less(one: &[u64], other: &[u64]) -> bool {
    let word = |number: &[u64], i: usize| number.get(i).copied().unwrap_or(0);
    let places = (0..one.len().max(other.len())).rev();
    places.map(|i| word(one, i).cmp(&word(other, i))).find(|order| order.is_ne()) == Some(Ordering::Less)
}

/// An operation with a key, and with the public half of a peer.
pub(crate) struct Exchanging {
    provider: Arc<Provider>,
    current: Option<Current>,
}

/// What an operation has that was begun.
struct Current {
    key: Arc<Key>,
    peer: Option<Arc<Key>>,
    operation: Operation,
    /// Whether a secret keeps its leading zeros. The default provider takes this setting, and does not tell it.
    is_padded: bool,
}

impl Exchanging {
    pub(crate) fn new(provider: &Arc<Provider>) -> Exchanging {
        Exchanging { provider: provider.clone(), current: None }
    }

    /// Begins anew; without a key, with the one of before.
    pub(crate) fn begin(&mut self, key: Option<Arc<Key>>, settings: Parameters<'_>) -> Option<()> {
        let key = key.or_else(|| self.current.take().map(|current| current.key))?;
        let operation = Operation::begin(&key.child, Purpose::Derive, settings)?;
        let is_padded = settings.flag(IS_PADDED).unwrap_or(false);
        self.current = Some(Current { key, peer: None, operation, is_padded });
        Some(())
    }

    /// Takes the public half of the other side.
    pub(crate) fn set_peer(&mut self, peer: Arc<Key>) -> Option<()> {
        let current = self.current.as_mut().filter(|current| current.operation.set_peer(&peer.child))?;
        current.peer = Some(peer);
        Some(())
    }

    /// Takes settings.
    pub(crate) fn set(&mut self, settings: Parameters<'_>) -> Option<()> {
        let current = self.current.as_mut().filter(|current| current.operation.set(settings))?;
        current.is_padded = settings.flag(IS_PADDED).unwrap_or(current.is_padded);
        Some(())
    }

    /// The operation of the default provider, for what monpro has not computed.
    pub(crate) fn operation(&self) -> Option<&Operation> {
        self.current.as_ref().map(|current| &current.operation)
    }

    /// The secret by monpro, for a space of so many octets; None if the default provider is to derive it, or to say why not.
    pub(crate) fn derive(&self, space: usize) -> Option<Zeroizing<Vec<u8>>> {
        let secret = self.current.as_ref().and_then(|current| current.secret(space));
        match &secret {
            Some(_) => self.provider.counts.count_batch(1),
            None => self.provider.counts.count_handed_on(),
        }
        secret
    }

    /// A copy in the same state.
    pub(crate) fn duplicate(&self) -> Option<Exchanging> {
        let current = match &self.current {
            None => None,
            Some(Current { key, peer, operation, is_padded }) => Some(Current {
                key: key.clone(),
                peer: peer.clone(),
                operation: operation.duplicate()?,
                is_padded: *is_padded,
            }),
        };
        Some(Exchanging { provider: self.provider.clone(), current })
    }
}

impl Current {
    fn secret(&self, space: usize) -> Option<Zeroizing<Vec<u8>>> {
        let is_plain = self.operation.text(DERIVATION)?.is_empty();
        let own = self.key.exponent().filter(|own| is_plain && space >= own.octets())?;
        let y = self.peer.as_ref()?.child.read(PUBLIC, |numbers| numbers.number(Y))?;
        let mut secret = own.power(&y)?;
        if !self.is_padded {
            // The length of such a secret tells of it, as that of the default provider does.
            let zeros = secret.iter().take_while(|&&octet| octet == 0).count();
            secret.rotate_left(zeros);
            let length = secret.len() - zeros;
            secret.truncate(length);
        }
        Some(secret)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_become_words() {
        assert_eq!(words(&[1, 2, 3, 4, 5, 6, 7, 8, 9])[..], [0x0203_0405_0607_0809, 1]);
        assert!(words(&[]).is_empty());
        let longest = |words: &[u64]| (0..200).find(|&bits| !is_longer(words, bits));
        let bits = [&[][..], &[0, 0], &[1, 0], &[0, 1], &[5, 1 << 63]].map(longest);
        assert_eq!(bits, [0, 0, 1, 65, 128].map(Some));
    }

    #[test]
    fn a_document_does_not_decide_how_many_squares_are_computed() {
        for (told, expected) in [(None, 128), (Some(1), 128), (Some(65), 65), (Some(2048), 2048)] {
            assert_eq!(bound_on_bits(&[0, 1], told, 2048), expected, "{told:?}");
        }
        assert_eq!(bound_on_bits(&[0, 1], Some(2049), 2048), 128);
    }

    #[test]
    fn numbers_are_compared() {
        for (one, other, expected) in [
            (&[5, 1][..], &[4, 2][..], true),
            (&[4, 2], &[5, 1], false),
            (&[3], &[3, 0], false),
            (&[], &[1], true),
            (&[0, 0, 1], &[7], false),
        ] {
            assert_eq!(is_less(one, other), expected, "{one:?} {other:?}");
        }
    }

    fn exponent(p: &[u8], x: u64) -> Exponent {
        Exponent { modulus: Modulus::new(&words(p)).unwrap(), x: Zeroizing::new(vec![x]), bits: 64 }
    }

    #[test]
    fn secrets_are_as_long_as_the_prime_and_never_degenerate() {
        // 3^5 = 243 modulo 2^16 + 1.
        let own = exponent(&[1, 0, 1], 5);
        assert_eq!(own.power(&[3]).as_deref(), Some(&vec![0, 0, 243]));
        for degenerate in [&[][..], &[0], &[1], &[1, 0, 0], &[1, 0, 1], &[1, 0, 2]] {
            assert!(own.power(degenerate).is_none(), "{degenerate:?}");
        }
    }
}
