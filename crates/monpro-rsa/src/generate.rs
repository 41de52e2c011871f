//! New keys.

use crate::error::Error;
use crate::number::words;
use crate::private_key::PrivateKey;
use crate::public_key::{LEAST_BITS, MOST_BITS, PublicKey};
use crypto_bigint::{BoxedUint, ConcatenatingMul, Gcd, NonZero, Resize};
use crypto_primes::{Flavor, random_prime};
use rand_core::CryptoRng;

/// The public exponent of new keys, 2^16 + 1.
const PUBLIC_EXPONENT: u64 = 65537;

impl PrivateKey {
    /// A new key with a modulus of exactly `bits` bits and e = 65537. The primes meet FIPS 186-5, §A.1.3.
    ///
    /// # Errors
    /// [`Error::KeyLength`] unless `bits` is even and from 512 to 16384.
    pub fn generate<R: CryptoRng + ?Sized>(bits: usize, random: &mut R) -> Result<PrivateKey, Error> {
        if !(LEAST_BITS..=MOST_BITS).contains(&bits) || bits & 1 == 1 {
            return Err(Error::KeyLength);
        }
        let e = BoxedUint::from(PUBLIC_EXPONENT);
        loop {
            let p = prime(bits / 2, random);
            let q = prime(bits / 2, random);
            // The primes are too close, so that n is easy to factor. This does not happen by chance.
            let difference = if p > q { &p - &q } else { &q - &p };
            if (difference.bits() as usize) < bits / 2 - 100 {
                continue;
            }
            // The product of two primes of bits/2 bits has `bits` bits or one less.
            let n = p.concatenating_mul(&q);
            if n.bits() as usize != bits {
                continue;
            }
            let d = inverse(&e, &p, &q);
            // FIPS 186-5 requires d > 2^(bits/2). A smaller d does not happen by chance.
            if d.bits() as usize <= bits / 2 {
                continue;
            }
            let public = PublicKey::of_words(&words(&n), &[PUBLIC_EXPONENT])?;
            return PrivateKey::of_numbers(public, &words(&d), &words(&p), &words(&q));
        }
    }
}

/// A random prime p of exactly `bits` bits such that e is prime to p − 1.
fn prime<R: CryptoRng + ?Sized>(bits: usize, random: &mut R) -> BoxedUint {
    loop {
        let p: BoxedUint = random_prime(random, Flavor::Any, bits as u32);
        // The prime e is prime to p − 1 unless it divides p − 1.
        let e = NonZero::new(BoxedUint::from(PUBLIC_EXPONENT)).expect("e is not 0");
        let predecessor = &p - BoxedUint::one();
        if bool::from(predecessor.rem(&e).is_nonzero()) {
            return p;
        }
    }
}

/// e⁻¹ modulo the least common multiple of p − 1 and q − 1.
fn inverse(e: &BoxedUint, p: &BoxedUint, q: &BoxedUint) -> BoxedUint {
    let (p1, q1) = (p - BoxedUint::one(), q - BoxedUint::one());
    let gcd = NonZero::new(p1.gcd(&q1)).expect("p − 1 is not 0");
    let lcm = p1.concatenating_mul(&q1).div_rem(&gcd).0;
    let lcm = NonZero::new(lcm).expect("q − 1 is not 0");
    e.clone().resize(lcm.bits_precision()).invert_mod(&lcm).expect("e is prime to p − 1 and q − 1")
}
