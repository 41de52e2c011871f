//! The private half of a key, and the private operation.

use crate::error::Error;
use crate::number::{Words, are_equal, boxed, is_below, modulo_predecessor, random_unit, words};
use crate::public_key::PublicKey;
use alloc::vec::Vec;
use core::fmt;
use crypto_bigint::{BoxedUint, ConcatenatingMul, Integer, Odd};
use monpro::{Modulus, Residue, garner, natural};
use rand_core::CryptoRng;
use zeroize::Zeroizing;

/// A key with its two primes; erased when dropped.
#[derive(Clone)]
pub struct PrivateKey {
    public: PublicKey,
    d: Words,
    p: Factor,
    q: Factor,
    /// q⁻¹ mod p.
    coefficient: Residue,
}

/// A prime of the modulus with its private exponent.
#[derive(Clone)]
struct Factor {
    modulus: Modulus,
    /// d mod (p − 1).
    exponent: Words,
}

impl Factor {
    fn new(prime: &BoxedUint, d: &BoxedUint) -> Result<Factor, Error> {
        let modulus = Modulus::new(&words(prime)).map_err(|_| Error::Factors)?;
        Ok(Factor { modulus, exponent: words(&modulo_predecessor(d, prime)) })
    }

    /// c^d modulo the prime, in time that depends on the length of the prime alone.
    fn power(&self, c: &[u64]) -> Residue {
        self.modulus.residue(c).pow_bounded(&self.exponent, self.modulus.bits())
    }

    /// Whether e·d ≡ 1 (mod p − 1).
    fn inverts(&self, e: &BoxedUint) -> bool {
        let prime = boxed(self.modulus.number(), 0);
        let product = boxed(&self.exponent, 0).concatenating_mul(e);
        bool::from(modulo_predecessor(&product, &prime).is_one())
    }
}

impl PrivateKey {
    /// The key of n, e, d, p and q; its other numbers follow from these.
    ///
    /// # Errors
    /// [`Error::Factors`] if p·q ≠ n or if p or q is even or 1; [`Error::PrivateExponent`] if d is not an
    /// inverse of e modulo p − 1 and q − 1.
    pub(crate) fn of_numbers(
        public: PublicKey,
        d: &[u64],
        p: &[u64],
        q: &[u64],
    ) -> Result<PrivateKey, Error> {
        let (p, q) = (boxed(p, 0), boxed(q, 0));
        let is_proper = |prime: &BoxedUint| bool::from(prime.is_odd()) && prime.bits() >= 2;
        if !is_proper(&p)
            || !is_proper(&q)
            || !are_equal(&words(&p.concatenating_mul(&q)), public.modulus().number())
        {
            return Err(Error::Factors);
        }
        let (e, boxed_d) = (boxed(public.exponent(), 0), boxed(d, 0));
        let (factor_p, factor_q) = (Factor::new(&p, &boxed_d)?, Factor::new(&q, &boxed_d)?);
        if !factor_p.inverts(&e) || !factor_q.inverts(&e) {
            return Err(Error::PrivateExponent);
        }
        let q_mod_p = factor_p.modulus.residue(&words(&q)).to_number();
        let odd_p = Odd::new(p).into_option().ok_or(Error::Factors)?;
        let coefficient = boxed(&q_mod_p, 0).invert_odd_mod(&odd_p).into_option().ok_or(Error::Factors)?;
        let coefficient = factor_p.modulus.residue(&words(&coefficient));
        Ok(PrivateKey { public, d: Zeroizing::new(d.to_vec()), p: factor_p, q: factor_q, coefficient })
    }

    /// The public half.
    #[must_use]
    pub fn public_key(&self) -> &PublicKey {
        &self.public
    }

    /// n, e, d, p, q, d mod (p − 1), d mod (q − 1), q⁻¹ mod p, as in a document.
    pub(crate) fn numbers(&self) -> [Words; 8] {
        let copy = |words: &[u64]| Zeroizing::new(words.to_vec());
        [
            copy(self.public.modulus().number()),
            copy(self.public.exponent()),
            self.d.clone(),
            copy(self.p.modulus.number()),
            copy(self.q.modulus.number()),
            self.p.exponent.clone(),
            self.q.exponent.clone(),
            Zeroizing::new(self.coefficient.to_number()),
        ]
    }

    /// c^d mod n for a number c < n, big-endian; in as many octets as n has.
    ///
    /// # Errors
    /// [`Error::OutOfRange`]; [`Error::Fault`] where the result would have been wrong.
    pub fn raw<R: CryptoRng + ?Sized>(&self, c: &[u8], random: &mut R) -> Result<Zeroizing<Vec<u8>>, Error> {
        let power = self.power(&natural::from_be_bytes(c), random)?;
        Ok(Zeroizing::new(natural::to_be_bytes(&power, self.public.octets())))
    }

    /// c^d mod n. A random r blinds the base, as (c·r^e)^d·r⁻¹, so the time of the computation and all that
    /// it reveals belong to a number that nobody knows.
    pub(crate) fn power<R: CryptoRng + ?Sized>(&self, c: &[u64], random: &mut R) -> Result<Words, Error> {
        let n = self.public.modulus();
        if !is_below(c, n.number()) {
            return Err(Error::OutOfRange);
        }
        let (r, inverse) = random_unit(n.number(), random);
        let blinded = &n.residue(c) * &n.residue(&r).pow_vartime(self.public.exponent());
        let root = self.root(&Zeroizing::new(blinded.to_number()));
        // If one half alone were wrong, the result would reveal a factor of n.
        if root.pow_vartime(self.public.exponent()) != blinded {
            return Err(Error::Fault);
        }
        Ok(Zeroizing::new((&root * &n.residue(&inverse)).to_number()))
    }

    /// c^d mod n by the Chinese remainder theorem: of c^d mod p and c^d mod q, Garner's recombination makes c^d mod n.
    fn root(&self, c: &[u64]) -> Residue {
        let root = Zeroizing::new(garner(&self.p.power(c), &self.q.power(c), &self.coefficient));
        self.public.modulus().residue(&root)
    }
}

impl fmt::Debug for PrivateKey {
    /// The public half; never the rest.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PrivateKey").field("public", &self.public).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use getrandom::SysRng;
    use rand_core::UnwrapErr;

    fn key() -> PrivateKey {
        PrivateKey::generate(512, &mut UnwrapErr(SysRng)).unwrap()
    }

    #[test]
    fn a_computation_that_went_wrong_is_withheld() {
        let mut wrongs = [key(), key(), key()];
        wrongs[0].coefficient = wrongs[0].coefficient.square();
        wrongs[1].p.exponent[0] ^= 4;
        wrongs[2].q.exponent[1] ^= 1;
        for wrong in wrongs {
            assert_eq!(wrong.power(&[2], &mut UnwrapErr(SysRng)), Err(Error::Fault));
        }
    }

    #[test]
    fn numbers_that_do_not_belong_together_are_refused() {
        let [n, e, d, p, q, ..] = key().numbers();
        let of = |d: &[u64], p: &[u64], q: &[u64]| {
            PrivateKey::of_numbers(PublicKey::of_words(&n, &e).unwrap(), d, p, q).map(|_| ()).unwrap_err()
        };
        let changed = |words: &Words, bit: u64| {
            let mut words = words.clone();
            words[0] ^= bit;
            words
        };
        assert_eq!(of(&d, &changed(&p, 2), &q), Error::Factors);
        assert_eq!(of(&d, &changed(&p, 1), &q), Error::Factors);
        assert_eq!(of(&d, &[1], &n), Error::Factors);
        assert_eq!(of(&d, &[], &q), Error::Factors);
        assert_eq!(of(&changed(&d, 2), &p, &q), Error::PrivateExponent);
        assert_eq!(of(&[0], &p, &q), Error::PrivateExponent);
    }

    #[test]
    fn debug_shows_no_secret() {
        let shown = alloc::format!("{:?}", key());
        assert!(shown.contains("bits: 512") && shown.len() < 200, "{shown}");
    }
}
