//! Base blinding: a private operation computes with c·rᵉ for a random r, and divides its result by r.

use crate::error::Error;
use crate::number::{MOST_DRAWS, random_below};
use crate::public_key::PublicKey;
#[cfg(feature = "columns")]
use alloc::vec::Vec;
use crypto_bigint::{BoxedUint, Odd};
use monpro::{Modulus, Residue, natural};
use rand_core::CryptoRng;

/// rᵉ and r⁻¹ modulo n for a random unit r: what hides one operation.
pub(crate) struct Blinding {
    power: Residue,
    inverse: Residue,
}

/// c·rᵉ. The operation by the primes takes nothing else, so that no base reaches it unblinded.
pub(crate) struct Blinded(Residue);

impl Blinding {
    /// A blinding for one operation, from a new r.
    ///
    /// # Errors
    /// [`Error::RandomSource`].
    pub(crate) fn new<R: CryptoRng + ?Sized>(key: &PublicKey, random: &mut R) -> Result<Blinding, Error> {
        let (r, inverse) = random_unit(key.modulus(), random)?;
        Ok(Blinding { power: r.pow_vartime(key.exponent()), inverse })
    }

    /// As many blindings, each from a new r, by one inversion.
    ///
    /// With the product P of all r and of another random unit, of which an inversion tells nothing, r⁻¹ is P⁻¹ times the
    /// others (Montgomery's trick).
    ///
    /// # Errors
    /// [`Error::RandomSource`].
    #[cfg(feature = "columns")]
    pub(crate) fn several<R: CryptoRng + ?Sized>(
        key: &PublicKey,
        count: usize,
        random: &mut R,
    ) -> Result<Vec<Blinding>, Error> {
        let n = key.modulus();
        for _ in 0..MOST_DRAWS {
            let mut draw = || Ok(n.residue(&random_below(n.number(), random)?));
            let mut rest = draw()?;
            let mut numbers = Vec::with_capacity(count);
            for _ in 0..count {
                let r = draw()?;
                let before = rest.clone();
                rest = &rest * &r;
                numbers.push((r, before));
            }
            let Some(mut rest) = inverse(&rest) else { continue };
            let mut blindings = Vec::with_capacity(count);
            for (r, before) in numbers.into_iter().rev() {
                blindings.push(Blinding { power: r.pow_vartime(key.exponent()), inverse: &rest * &before });
                rest = &rest * &r;
            }
            return Ok(blindings);
        }
        Err(Error::RandomSource)
    }

    /// c·rᵉ mod n.
    pub(crate) fn hide(&self, c: &Residue) -> Blinded {
        Blinded(c * &self.power)
    }

    /// The power c^d mod n of root = (c·rᵉ)^d = c^d·r mod n.
    pub(crate) fn reveal(&self, root: &Residue) -> Residue {
        root * &self.inverse
    }
}

impl Blinded {
    pub(crate) fn residue(&self) -> &Residue {
        &self.0
    }
}

/// A random unit r modulo n, and r⁻¹.
///
/// The inverse is r⁻¹ = s·(r·s)⁻¹ for a second random unit s. The product r·s is a random unit, whatever r is, so what
/// its inversion leaves in memory says nothing about r.
fn random_unit<R: CryptoRng + ?Sized>(n: &Modulus, random: &mut R) -> Result<(Residue, Residue), Error> {
    for _ in 0..MOST_DRAWS {
        let mut draw = || Ok(n.residue(&random_below(n.number(), random)?));
        let (r, s) = (draw()?, draw()?);
        // Numbers that share a factor with n do not occur by chance, 0 among them.
        if let Some(inverse) = inverse(&(&r * &s)) {
            return Ok((r, &inverse * &s));
        }
    }
    Err(Error::RandomSource)
}

/// x⁻¹ mod n, or None if x is no unit.
fn inverse(x: &Residue) -> Option<Residue> {
    let octets = x.modulus().bits().div_ceil(8);
    let boxed = |words: &[u64]| {
        let octets = natural::to_be_bytes(words, octets);
        BoxedUint::from_be_slice_truncated(&octets, 8 * octets.len() as u32)
    };
    let n = Odd::new(boxed(x.modulus().number())).into_option()?;
    let inverse = boxed(&x.to_number()).invert_odd_mod(&n).into_option()?;
    Some(x.modulus().residue(&natural::from_be_bytes(&inverse.to_be_bytes())))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Constant, Script, known_primes, random};
    use alloc::vec;
    use alloc::vec::Vec;

    fn key() -> PublicKey {
        let [p, q] = known_primes(2048);
        PublicKey::of_words(&crate::number::product(&p, &q), &[65537]).unwrap()
    }

    /// Draws of as many octets as n has, for small numbers.
    fn draws(numbers: &[u8], octets: usize) -> Vec<Vec<u8>> {
        let draw = |&number| {
            let mut draw = vec![0; octets];
            draw[octets - 1] = number;
            draw
        };
        numbers.iter().map(draw).collect()
    }

    #[test]
    fn a_base_is_hidden_by_the_power_of_the_number_drawn() {
        let key = key();
        let n = key.modulus();
        let mut script = Script::new(draws(&[7, 11], key.octets()));
        let blinding = Blinding::new(&key, &mut script).unwrap();
        let c = n.residue(&[3]);
        assert_eq!(*blinding.hide(&c).residue(), &c * &n.residue(&[7]).pow(&[65537]));
        assert_eq!(blinding.reveal(&n.residue(&[3 * 7])), c);
        assert_eq!(script.drawn.len(), 2);
    }

    #[test]
    fn each_operation_is_hidden_anew() {
        let key = key();
        let c = key.modulus().residue(&[3]);
        let [one, other] = [0; 2].map(|_| Blinding::new(&key, &mut random()).unwrap().hide(&c).0);
        assert!(one != c && other != c && one != other);
    }

    /// 0 and the multiples of a prime have no inverse; a source that gives nothing else is broken.
    #[test]
    fn numbers_without_an_inverse_are_drawn_again() {
        let key = key();
        let mut script = Script::new(draws(&[0, 1, 1, 0, 7, 11], key.octets()));
        let blinding = Blinding::new(&key, &mut script).unwrap();
        assert_eq!(blinding.reveal(&key.modulus().residue(&[7])), key.modulus().one());
        assert_eq!(script.drawn.len(), 6);
        for octet in [0, 0xff] {
            assert_eq!(Blinding::new(&key, &mut Constant(octet)).err(), Some(Error::RandomSource));
        }
    }
}
