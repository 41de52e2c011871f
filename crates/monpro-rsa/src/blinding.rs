//! Base blinding without an inverse: a private operation computes with c·rᵉ for a random r.
//!
//! For a unit r modulo n and e·d = 1 modulo the order of every unit,
//!
//!   c^d = (c·rᵉ)^(d − 1)·c·r^(e − 1),
//!
//! since r^(e·(d − 1)) = r^(1 − e). Modulo each prime the exponent may be replaced by d − 1 modulo the prime less one: for
//! a multiple c of the prime, both sides are 0. docs/0012 has the alternatives.

use crate::error::Error;
use crate::number::{Words, are_equal, gcd, predecessor, random_below};
use crate::public_key::PublicKey;
use monpro::Residue;
use rand_core::CryptoRng;
use zeroize::Zeroizing;

/// A number c that is hidden by a random r.
///
/// The operation by the primes takes nothing else, so that no base reaches it unblinded.
pub(crate) struct Blinded {
    c: Residue,
    r: Residue,
    /// c·r^(e − 1).
    cofactor: Residue,
    /// c·rᵉ.
    base: Residue,
}

impl Blinded {
    /// The number, hidden by a new r.
    ///
    /// # Errors
    /// [`Error::RandomSource`].
    pub(crate) fn new<R: CryptoRng + ?Sized>(
        c: &Residue,
        key: &PublicKey,
        random: &mut R,
    ) -> Result<Blinded, Error> {
        let n = c.modulus();
        let r = n.residue(&random_below(n.number(), random)?);
        // It does not come by chance, and would hide nothing.
        if r == n.zero() {
            return Err(Error::RandomSource);
        }
        let cofactor = c * &r.pow_vartime(&predecessor(key.exponent()));
        Ok(Blinded { c: c.clone(), base: &cofactor * &r, cofactor, r })
    }

    /// c·rᵉ mod n, whose power to d − 1 is wanted.
    pub(crate) fn base(&self) -> &Residue {
        &self.base
    }

    /// c^d mod n of the power of the base to d − 1; None if its power to e is not c, so that something went wrong. If one
    /// half alone were wrong, the result would reveal a factor of n.
    pub(crate) fn revealed(&self, power: &Residue, key: &PublicKey) -> Option<Words> {
        let result = power * &self.cofactor;
        match result.pow_vartime(key.exponent()) == self.c {
            true => Some(Zeroizing::new(result.to_number())),
            false => None,
        }
    }

    /// Whether r is prime to n. Otherwise a result that is wrong need not be a fault. Among long primes that does not come
    /// by chance.
    pub(crate) fn is_by_a_unit(&self) -> bool {
        let r = Zeroizing::new(self.r.to_number());
        are_equal(&gcd(&r, self.r.modulus().number()), &[1])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::number::product;
    use crate::testing::{Constant, Script, known_primes, random};
    use monpro::natural;

    fn key() -> PublicKey {
        let [p, q] = known_primes(2048);
        PublicKey::of_words(&product(&p, &q), &[65537]).unwrap()
    }

    /// A draw of as many octets as n has.
    fn draw(r: &[u64], key: &PublicKey) -> Script {
        Script::new([natural::to_be_bytes(r, key.octets())])
    }

    #[test]
    fn a_base_is_hidden_by_the_power_of_the_number_drawn() {
        let key = key();
        let n = key.modulus();
        let mut script = draw(&[7], &key);
        let c = n.residue(&[3]);
        let blinded = Blinded::new(&c, &key, &mut script).unwrap();
        assert_eq!(*blinded.base(), &c * &n.residue(&[7]).pow(&[65537]));
        assert_eq!(script.drawn.len(), 1);
    }

    /// The power 1 of the base is right for c = 0, and for c = 1 where r is 1, too.
    #[test]
    fn only_a_power_that_is_right_is_revealed() {
        let key = key();
        let n = key.modulus();
        let revealed = |c: u64, r: u64, power: &Residue| {
            let blinded = Blinded::new(&n.residue(&[c]), &key, &mut draw(&[r], &key)).unwrap();
            blinded.revealed(power, &key).map(|power| power[0])
        };
        assert_eq!(revealed(1, 1, &n.one()), Some(1));
        assert_eq!(revealed(1, 7, &n.one()), None);
        assert_eq!(revealed(3, 1, &n.one()), None);
        assert_eq!(revealed(0, 7, &n.one()), Some(0));
    }

    #[test]
    fn each_operation_is_hidden_anew() {
        let key = key();
        let c = key.modulus().residue(&[3]);
        let [one, other] = [0; 2].map(|_| Blinded::new(&c, &key, &mut random()).unwrap().base);
        assert!(one != c && other != c && one != other);
    }

    #[test]
    fn units_are_told_from_multiples_of_a_prime() {
        let key = key();
        let [p, _] = known_primes(2048);
        let c = key.modulus().residue(&[3]);
        let is_by_a_unit = |r: &[u64]| Blinded::new(&c, &key, &mut draw(r, &key)).unwrap().is_by_a_unit();
        assert!(is_by_a_unit(&[7]) && !is_by_a_unit(&p) && !is_by_a_unit(&product(&p, &[7])));
    }

    #[test]
    fn a_source_of_zeros_or_of_ones_is_broken() {
        let key = key();
        let c = key.modulus().residue(&[3]);
        for octet in [0, 0xff] {
            let refused = Blinded::new(&c, &key, &mut Constant(octet));
            assert_eq!(refused.err(), Some(Error::RandomSource));
        }
    }
}
