//! New keys, as FIPS 186-5, §A.1.1 and §A.1.3 make them.

use crate::error::Error;
use crate::number::{
    Words, are_equal, distance, gcd, is_below, predecessor, product, quotient, random_below,
    remainder_by_word,
};
use crate::prime::random_prime;
use crate::private_key::{PrivateKey, coefficient};
use crate::public_key::{LEAST_BITS, MOST_BITS, PublicKey};
use alloc::vec;
use monpro::natural;
use rand_core::CryptoRng;
use zeroize::Zeroizing;

/// The public exponent of new keys, the prime 2^16 + 1.
const PUBLIC_EXPONENT: u64 = 65537;
/// The pairs of primes that are tried. The first one serves, but with a probability below 2^-90.
const MOST_PAIRS: usize = 4;

impl PrivateKey {
    /// A new key with a modulus of exactly `bits` bits and e = 65537, by random primes that are probably prime
    /// \[FIPS 186-5, §A.1.3\].
    ///
    /// For every length: p and q are at least √2·2^(bits/2 − 1) and more than 2^(bits/2 − 100) apart, p − 1 and q − 1 are
    /// prime to e, d = e⁻¹ mod lcm(p − 1, q − 1) is above 2^(bits/2), and the key has computed (m^e)^d = m for a random m.
    /// The primes pass Miller–Rabin with random bases, as often as Table B.1 asks: from 2048 bits on 5 times, from 3072
    /// bits on 4 times. The standard makes no shorter keys; the primes of those pass 64 times.
    ///
    /// # Errors
    /// [`Error::KeyLength`] unless `bits` is even and from 512 to 16384; [`Error::RandomSource`] if the random source is
    /// broken; [`Error::Fault`] if the new key computes wrongly.
    pub fn generate<R: CryptoRng + ?Sized>(bits: usize, random: &mut R) -> Result<PrivateKey, Error> {
        if !(LEAST_BITS..=MOST_BITS).contains(&bits) || bits & 1 == 1 {
            return Err(Error::KeyLength);
        }
        for _ in 0..MOST_PAIRS {
            let p = random_prime(bits / 2, PUBLIC_EXPONENT, random)?;
            let q = random_prime(bits / 2, PUBLIC_EXPONENT, random)?;
            if let Some(key) = key_of(&p, &q, bits, random)? {
                return Ok(key);
            }
        }
        Err(Error::RandomSource)
    }

    /// Whether the key computes (m^e)^d = m for a random m \[SP 800-56B, §6.4.1.1\].
    ///
    /// # Errors
    /// [`Error::Fault`] if not; [`Error::RandomSource`].
    fn check_pair<R: CryptoRng + ?Sized>(&self, random: &mut R) -> Result<(), Error> {
        let m = random_below(self.public_key().modulus().number(), random)?;
        let c = self.public_key().power(&m)?;
        match are_equal(&self.power(&c, random)?, &m) {
            true => Ok(()),
            false => Err(Error::Fault),
        }
    }
}

/// The key of two primes, or None if they are too close to each other or their private exponent is too small.
fn key_of<R: CryptoRng + ?Sized>(
    p: &[u64],
    q: &[u64],
    bits: usize,
    random: &mut R,
) -> Result<Option<PrivateKey>, Error> {
    let d = private_exponent(p, q);
    if !are_apart(p, q, bits) || !is_long(&d, bits) {
        return Ok(None);
    }
    let public = PublicKey::of_words(&product(p, q), &[PUBLIC_EXPONENT])?;
    let key = PrivateKey::of_numbers(public, &d, p, q, &coefficient(p, q)?)?;
    key.check_pair(random)?;
    Ok(Some(key))
}

/// Whether |p − q| > 2^(bits/2 − 100) \[§A.1.3, step 5.4\]: close primes make n easy to factor.
fn are_apart(p: &[u64], q: &[u64], bits: usize) -> bool {
    let least = bits / 2 - 100;
    let mut bound = Zeroizing::new(vec![0; least / 64 + 1]);
    bound[least / 64] = 1 << (least % 64);
    is_below(&bound, &distance(p, q))
}

/// Whether the odd d is above 2^(bits/2) \[§A.1.1\].
fn is_long(d: &[u64], bits: usize) -> bool {
    natural::bit_length(d) > bits / 2
}

/// d = e⁻¹ modulo l = lcm(p − 1, q − 1), for the public exponent e, which is prime to l.
///
/// With k = −l⁻¹ mod e, the number k·l + 1 is a multiple of e, and d = (k·l + 1)/e is at most ((e − 1)·l + 1)/e ≤ l.
pub(crate) fn private_exponent(p: &[u64], q: &[u64]) -> Words {
    let (p1, q1) = (predecessor(p), predecessor(q));
    let lcm = product(&quotient(&p1, &gcd(&p1, &q1)), &q1);
    let k = PUBLIC_EXPONENT - inverse_modulo_exponent(remainder_by_word(&lcm, PUBLIC_EXPONENT));
    let mut multiple = product(&lcm, &[k]);
    let mut carry = 1;
    for word in multiple.iter_mut() {
        let (sum, is_over) = word.overflowing_add(carry);
        (*word, carry) = (sum, u64::from(is_over));
    }
    divide_by_exponent(&multiple)
}

/// x⁻¹ = x^(e − 2) modulo the prime e, for x from 1 to e − 1: e − 2 = 65535 has 16 bits, which are all 1.
fn inverse_modulo_exponent(x: u64) -> u64 {
    // The compiler divides by a constant without an instruction whose time depends on the values.
    (1..16).fold(x, |power, _| power * power % PUBLIC_EXPONENT * x % PUBLIC_EXPONENT)
}

/// x/e for a multiple x of the public exponent e.
fn divide_by_exponent(x: &[u64]) -> Words {
    let mut quotient = Zeroizing::new(x.to_vec());
    let mut remainder = 0;
    for word in quotient.iter_mut().rev() {
        // remainder < e < 2^32, so that both digits of the quotient are below 2^32.
        let high = remainder << 32 | *word >> 32;
        let low = (high % PUBLIC_EXPONENT) << 32 | *word & 0xffff_ffff;
        *word = ((high / PUBLIC_EXPONENT) << 32) | (low / PUBLIC_EXPONENT);
        remainder = low % PUBLIC_EXPONENT;
    }
    quotient
}

#[cfg(test)]
mod tests {
    extern crate std;

    use super::*;
    use crate::testing::{Constant, Script, hexadecimal, known_primes, random};
    use crate::{EncryptionScheme, Hash, Pss, SignatureScheme};
    use crypto_bigint::{BoxedUint, ConcatenatingMul, Gcd, NonZero, Resize};

    const P_OF_SHORT_EXPONENT: &str = "c0a1a40319636bd2ed4d3bbff70da97c765753be2aa266a7e21983488ce9f7e9";
    const Q_OF_SHORT_EXPONENT: &str = "f0ca0d03dfbc46c7a8a08aaff4d113db93ed28adb54b0051da9fe41ab02475e3";

    fn boxed(x: &[u64]) -> BoxedUint {
        BoxedUint::from_be_slice_truncated(&natural::to_be_bytes(x, 8 * x.len()), 64 * x.len() as u32)
    }

    #[test]
    fn private_exponents_are_inverses_modulo_the_least_common_multiple() {
        for bits in [256, 257, 300, 384] {
            let [p, q] = [0; 2].map(|_| random_prime(bits, PUBLIC_EXPONENT, &mut random()).unwrap());
            let (p1, q1) = (boxed(&predecessor(&p)), boxed(&predecessor(&q)));
            let gcd = NonZero::new(p1.gcd(&q1)).unwrap();
            let lcm = NonZero::new(p1.concatenating_mul(&q1).div_rem(&gcd).0).unwrap();
            let e = BoxedUint::from(PUBLIC_EXPONENT).resize(lcm.bits_precision());
            let expected = natural::from_be_bytes(&e.invert_mod(&lcm).unwrap().to_be_bytes());
            assert!(are_equal(&private_exponent(&p, &q), &expected));
        }
    }

    #[test]
    fn inverses_modulo_the_public_exponent() {
        for x in 1..PUBLIC_EXPONENT {
            assert_eq!(inverse_modulo_exponent(x) * x % PUBLIC_EXPONENT, 1);
        }
    }

    #[test]
    fn close_primes_make_no_key() {
        let [p, q] = known_primes(2048);
        assert!(key_of(&p, &q, 4096, &mut random()).unwrap().is_some());
        let mut close = p.clone();
        // For 4096 bits, the distance must be above 2^1948.
        close[1948 / 64] ^= 1 << (1948 % 64);
        assert!(!are_apart(&p, &close, 4096) && !are_apart(&close, &p, 4096) && !are_apart(&p, &p, 4096));
        assert!(key_of(&p, &close, 4096, &mut random()).unwrap().is_none());
        // With bit 1 of either number changed, one distance is 2^1948 + 2, and the other is 2^1948 − 2.
        let (mut p_changed, mut close_changed) = (p.clone(), close.clone());
        (p_changed[0], close_changed[0]) = (p[0] ^ 2, close[0] ^ 2);
        let is_farther = is_below(&p, &close) == (close[0] & 2 == 0);
        assert_eq!(are_apart(&p, &close_changed, 4096), is_farther);
        assert_eq!(are_apart(&p_changed, &close, 4096), !is_farther);
    }

    /// p − 1 and q − 1 share nearly all of their factors, so that d, though a good exponent, is short.
    #[test]
    fn short_private_exponents_make_no_key() {
        let (p, q) = (hexadecimal(P_OF_SHORT_EXPONENT), hexadecimal(Q_OF_SHORT_EXPONENT));
        let d = private_exponent(&p, &q);
        assert!(natural::bit_length(&d) <= 256 && are_apart(&p, &q, 512));
        assert!(key_of(&p, &q, 512, &mut random()).unwrap().is_none());
        assert!(!is_long(&[0, 0, 0, 1 << 63], 512) && is_long(&[1, 0, 0, 0, 1], 512));
    }

    #[test]
    fn a_key_that_computes_wrongly_is_none() {
        let [p, q] = known_primes(2048);
        let key = key_of(&p, &q, 4096, &mut random()).unwrap().unwrap();
        assert_eq!(key.check_pair(&mut random()), Ok(()));
        assert_eq!(key.with_a_fault().check_pair(&mut random()), Err(Error::Fault));
    }

    /// The test of a new key draws m, and the number that blinds its private operation.
    #[test]
    fn a_new_key_is_tested_before_it_leaves() {
        let [p, q] = known_primes(2048);
        let mut script = Script::default();
        assert!(key_of(&p, &q, 4096, &mut script).unwrap().is_some());
        assert!(script.drawn.iter().filter(|draw| draw.len() == 512).count() >= 2);
    }

    #[test]
    fn a_broken_source_gives_an_error() {
        for octet in [0, 1, 0xff] {
            assert_eq!(PrivateKey::generate(512, &mut Constant(octet)).unwrap_err(), Error::RandomSource);
        }
    }

    /// A source that repeats a good prime gives p = q, which is given up.
    #[test]
    fn a_source_that_repeats_itself_gives_an_error() {
        let [p, _] = known_primes(2048);
        let octets = natural::to_be_bytes(&p, 256);
        // The prime and its bases, all the same but one below the prime: 4 rounds for each prime.
        let mut base = octets.clone();
        base[0] = 1;
        let prime = core::iter::once(octets).chain(core::iter::repeat_n(base, 4));
        let mut script = Script::new(prime.cycle().take(5 * 2 * MOST_PAIRS));
        assert_eq!(PrivateKey::generate(4096, &mut script).unwrap_err(), Error::RandomSource);
        assert_eq!(script.drawn.len(), 5 * 2 * MOST_PAIRS);
    }

    /// All operations with the longest keys need less than 256 KiB of stack.
    #[test]
    fn the_longest_keys_work_on_a_small_stack() {
        let run = || {
            let [p, q] = known_primes(8192);
            let key = key_of(&p, &q, 16384, &mut random()).unwrap().unwrap();
            let key = PrivateKey::from_pem(key.to_pem()).unwrap();
            let public = PublicKey::from_pem(key.public_key().to_pem()).unwrap();
            for scheme in [SignatureScheme::Pkcs1v15, SignatureScheme::Pss(Pss::default())] {
                let signature = key.sign(scheme, Hash::Sha512, b"m", &mut random()).unwrap();
                public.verify(scheme, Hash::Sha512, b"m", &signature).unwrap();
            }
            for scheme in [EncryptionScheme::Pkcs1v15, EncryptionScheme::default()] {
                let ciphertext = public.encrypt(scheme, b"m", &mut random()).unwrap();
                assert_eq!(*key.decrypt(scheme, &ciphertext, &mut random()).unwrap(), b"m");
            }
            let numbers: [&[u8]; 9] = [&[1]; 9];
            assert!(
                key.raw_batch(&numbers, &mut random()).iter().all(|power| power.as_ref().unwrap()[2047] == 1)
            );
            let document = key.to_encrypted_der(b"words", &mut random()).unwrap();
            assert!(PrivateKey::load(&document, Some(b"words")).is_ok());
            assert!(PrivateKey::generate(1024, &mut random()).is_ok());
        };
        std::thread::Builder::new().stack_size(256 << 10).spawn(run).unwrap().join().unwrap();
    }
}
