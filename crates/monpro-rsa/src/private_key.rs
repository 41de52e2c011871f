//! The private half of a key, and the private operation.

use crate::blinding::Blinded;
use crate::error::Error;
use crate::number::{
    MOST_DRAWS, Words, add, are_equal, is_below, predecessor, product, remainder, subtract_masked,
};
use crate::prime::passes_miller_rabin;
use crate::public_key::PublicKey;
use alloc::vec::Vec;
use core::fmt;
use monpro::{CrtTask, Modulus, Residue, TwoModuli, garner, natural, pow_crt_batch};
use rand_core::CryptoRng;
use zeroize::Zeroizing;

/// The longest factors that are tested while a key is loaded. The test of a factor of b bits takes b³ steps, so that
/// longer ones would keep a machine busy with a document that was not asked for.
const MOST_TESTED_BITS: usize = 4096;

/// A key with its primes, two of them in most keys; erased when dropped.
#[derive(Clone)]
pub struct PrivateKey {
    public: PublicKey,
    d: Words,
    p: Factor,
    q: Factor,
    /// p and q, ready for a power modulo each.
    p_and_q: TwoModuli,
    /// q⁻¹ mod p.
    coefficient: Residue,
    others: Vec<OtherFactor>,
}

/// A prime of the modulus with its private exponent.
#[derive(Clone)]
struct Factor {
    modulus: Modulus,
    /// d mod (p − 1).
    d: Words,
    /// That less one: a blinded base is raised to d − 1.
    exponent: Words,
}

/// A prime r of the modulus beyond p and q.
#[derive(Clone)]
struct OtherFactor {
    factor: Factor,
    /// The product of the primes before r.
    before: Words,
    /// before⁻¹ mod r.
    coefficient: Residue,
}

/// A prime r of the modulus beyond p and q, and the inverse modulo r of the product of the primes before it.
pub(crate) struct OtherPrime {
    pub(crate) prime: Words,
    pub(crate) coefficient: Words,
}

impl Factor {
    fn new(prime: &[u64], d: &[u64]) -> Result<Factor, Error> {
        let modulus = Modulus::new(prime).map_err(|_| Error::Factors)?;
        if modulus.bits() < 2 {
            return Err(Error::Factors);
        }
        let d = remainder(d, &predecessor(modulus.number()));
        // An even d inverts no e, so that the key is refused.
        Ok(Factor { exponent: predecessor(&d), d, modulus })
    }

    /// c^(d − 1) modulo the prime, in time that depends on the length of the prime alone.
    fn power(&self, c: &[u64]) -> Residue {
        self.modulus.residue(c).pow_bounded(&self.exponent, self.modulus.bits())
    }

    /// Whether e·d ≡ 1 (mod p − 1).
    fn inverts(&self, e: &[u64]) -> bool {
        are_equal(&remainder(&product(&self.d, e), &predecessor(self.modulus.number())), &[1])
    }

    /// Whether the factor is short enough to be tested while a key is loaded, and is not prime.
    fn is_found_composite(&self) -> bool {
        self.modulus.bits() <= MOST_TESTED_BITS && !self.is_probably_prime()
    }

    /// Whether the factor passes Miller–Rabin with base 2. What was damaged or made by mistake does not pass. A composite
    /// that somebody chose may. Operations with it end in [`Error::Fault`], unless it is a Carmichael number: then every
    /// number to e·d is that number again, and the results are right.
    fn is_probably_prime(&self) -> bool {
        // Of 3, the base 2 is −1, with which a prime passes, too.
        passes_miller_rabin(&self.modulus.residue(&[2]))
    }
}

impl OtherFactor {
    fn new(other: &OtherPrime, before: Words, d: &[u64]) -> Result<OtherFactor, Error> {
        let factor = Factor::new(&other.prime, d)?;
        let coefficient = factor.modulus.residue(&other.coefficient);
        Ok(OtherFactor { factor, before, coefficient })
    }

    /// Whether the numbers belong to each other, and e·d ≡ 1 (mod r − 1).
    fn is_consistent(&self, given: &OtherPrime, e: &[u64]) -> bool {
        let r = &self.factor.modulus;
        let is_inverse = &self.coefficient * &r.residue(&self.before) == r.one();
        is_below(&given.coefficient, r.number()) & is_inverse & self.factor.inverts(e)
    }

    /// The number below before·r that is x modulo `before` and c^(d − 1) modulo r, for x below `before`: Garner's
    /// recombination x + before·h with h = (c^(d − 1) − x)·before⁻¹ mod r [RFC 8017, §5.1.2].
    fn extended(&self, x: &[u64], c: &[u64]) -> Words {
        let r = &self.factor.modulus;
        let difference = &self.factor.power(c) - &r.residue(x);
        let h = Zeroizing::new((&difference * &self.coefficient).to_number());
        let mut sum = product(&self.before, &h);
        add(&mut sum, x);
        sum
    }
}

/// q⁻¹ = q^(p − 2) modulo the prime p.
///
/// # Errors
/// [`Error::Factors`] if p is even or 1.
pub(crate) fn coefficient(p: &[u64], q: &[u64]) -> Result<Words, Error> {
    let p = Modulus::new(p).map_err(|_| Error::Factors)?;
    if p.bits() < 2 {
        return Err(Error::Factors);
    }
    let mut exponent = Zeroizing::new(p.number().to_vec());
    subtract_masked(&mut exponent, &[2], u64::MAX);
    Ok(Zeroizing::new(p.residue(q).pow_bounded(&exponent, p.bits()).to_number()))
}

/// The factors of a modulus beyond p and q.
///
/// # Errors
/// [`Error::Factors`] if the primes do not multiply to n, if p = q, or if one of the others is even or 1.
fn other_factors(
    n: &[u64],
    d: &[u64],
    p: &[u64],
    q: &[u64],
    others: &[OtherPrime],
) -> Result<Vec<OtherFactor>, Error> {
    let mut whole = product(p, q);
    let mut factors = Vec::new();
    for other in others {
        let longer = product(&whole, &other.prime);
        factors.push(OtherFactor::new(other, whole, d)?);
        whole = longer;
    }
    if !are_equal(&whole, n) || are_equal(p, q) {
        return Err(Error::Factors);
    }
    Ok(factors)
}

impl PrivateKey {
    /// The key of n, e, d, p, q and the coefficient q⁻¹ mod p; its other numbers follow from these.
    ///
    /// # Errors
    /// [`Error::Factors`] if p·q ≠ n, if p = q, or if p or q is even or 1; [`Error::NotPrime`] if p or q has at most
    /// 4096 bits and is not prime; [`Error::PrivateExponent`] if d is not below n, or not an inverse of e modulo p − 1
    /// and q − 1, or if the coefficient is not below p, or not an inverse of q.
    pub(crate) fn of_numbers(
        public: PublicKey,
        d: &[u64],
        p: &[u64],
        q: &[u64],
        coefficient: &[u64],
    ) -> Result<PrivateKey, Error> {
        PrivateKey::of_primes(public, d, p, q, coefficient, &[])
    }

    /// The same with any number of primes, whose product must be n; what is asked of p and q is asked of all.
    ///
    /// # Errors
    /// Those of [`PrivateKey::of_numbers`].
    pub(crate) fn of_primes(
        public: PublicKey,
        d: &[u64],
        p: &[u64],
        q: &[u64],
        coefficient: &[u64],
        given: &[OtherPrime],
    ) -> Result<PrivateKey, Error> {
        let (n, e) = (public.modulus().number(), public.exponent());
        let others = other_factors(n, d, p, q, given)?;
        let (p, q) = (Factor::new(p, d)?, Factor::new(q, d)?);
        let is_composite = |factor: &OtherFactor| factor.factor.is_found_composite();
        if p.is_found_composite() || q.is_found_composite() || others.iter().any(is_composite) {
            return Err(Error::NotPrime);
        }
        let is_reduced = is_below(d, n) & is_below(coefficient, p.modulus.number());
        let coefficient = p.modulus.residue(coefficient);
        let is_inverse = &coefficient * &p.modulus.residue(q.modulus.number()) == p.modulus.one();
        let are_consistent =
            others.iter().zip(given).fold(true, |all, (other, given)| all & other.is_consistent(given, e));
        match is_reduced & is_inverse & are_consistent & p.inverts(e) & q.inverts(e) {
            true => {
                let p_and_q = TwoModuli::new([&p.modulus, &q.modulus]);
                Ok(PrivateKey { public, d: Zeroizing::new(d.to_vec()), p, q, p_and_q, coefficient, others })
            }
            false => Err(Error::PrivateExponent),
        }
    }

    /// The public half.
    #[must_use]
    pub fn public_key(&self) -> &PublicKey {
        &self.public
    }

    /// n, e, d, p, q, d mod (p − 1), d mod (q − 1), q⁻¹ mod p, as in a document without the primes beyond p and q.
    pub(crate) fn numbers(&self) -> [Words; 8] {
        let copy = |words: &[u64]| Zeroizing::new(words.to_vec());
        [
            copy(self.public.modulus().number()),
            copy(self.public.exponent()),
            self.d.clone(),
            copy(self.p.modulus.number()),
            copy(self.q.modulus.number()),
            self.p.d.clone(),
            self.q.d.clone(),
            Zeroizing::new(self.coefficient.to_number()),
        ]
    }

    /// Of each prime r beyond p and q: r, d mod (r − 1), and the inverse modulo r of the product of the primes before it.
    pub(crate) fn other_numbers(&self) -> impl Iterator<Item = [Words; 3]> {
        self.others.iter().map(|OtherFactor { factor, coefficient, .. }| {
            let r = Zeroizing::new(factor.modulus.number().to_vec());
            [r, factor.d.clone(), Zeroizing::new(coefficient.to_number())]
        })
    }

    /// c^d mod n for a number c < n, big-endian; in as many octets as n has.
    ///
    /// # Errors
    /// [`Error::OutOfRange`]; [`Error::Fault`] or [`Error::NotPrime`] where the result would have been wrong;
    /// [`Error::RandomSource`].
    pub fn raw<R: CryptoRng + ?Sized>(&self, c: &[u8], random: &mut R) -> Result<Zeroizing<Vec<u8>>, Error> {
        let power = self.power(&Zeroizing::new(natural::from_be_bytes(c)), random)?;
        Ok(Zeroizing::new(natural::to_be_bytes(&power, self.public.octets())))
    }

    /// c^d mod n for each of these numbers, as [`PrivateKey::raw`], which may be computed together: three or more numbers
    /// take less time than apart where the CPU has a batch engine. Each is blinded by a random number of its own.
    ///
    /// # Errors
    /// Those of [`PrivateKey::raw`], in place of the power.
    #[must_use]
    pub fn raw_batch<R: CryptoRng + ?Sized>(
        &self,
        numbers: &[&[u8]],
        random: &mut R,
    ) -> Vec<Result<Zeroizing<Vec<u8>>, Error>> {
        let numbers: Vec<Words> = numbers.iter().map(|c| Zeroizing::new(natural::from_be_bytes(c))).collect();
        let numbers: Vec<&[u64]> = numbers.iter().map(|c| c.as_slice()).collect();
        let octets = |power: Words| Zeroizing::new(natural::to_be_bytes(&power, self.public.octets()));
        self.powers(&numbers, random).into_iter().map(|power| power.map(octets)).collect()
    }

    /// c^d mod n. A random r blinds the base, as (c·r^e)^(d − 1)·c·r^(e − 1), so the time of the computation and all that
    /// it reveals belong to a number that nobody knows.
    pub(crate) fn power<R: CryptoRng + ?Sized>(&self, c: &[u64], random: &mut R) -> Result<Words, Error> {
        let n = self.public.modulus();
        if !is_below(c, n.number()) {
            return Err(Error::OutOfRange);
        }
        let c = n.residue(c);
        for _ in 0..MOST_DRAWS {
            let blinded = Blinded::new(&c, &self.public, random)?;
            if let Some(power) = blinded.revealed(&self.power_by_primes(&blinded), &self.public) {
                return Ok(power);
            }
            let fault = self.fault();
            // A key of a composite with many small factors may have hardly any units, and each draw costs a power.
            if fault == Error::NotPrime || blinded.is_by_a_unit() {
                return Err(fault);
            }
        }
        Err(Error::RandomSource)
    }

    /// c^d mod n for each of these numbers, as [`PrivateKey::power`], by the batch engines if the key has two primes.
    pub(crate) fn powers<R: CryptoRng + ?Sized>(
        &self,
        numbers: &[&[u64]],
        random: &mut R,
    ) -> Vec<Result<Words, Error>> {
        if !self.others.is_empty() {
            return numbers.iter().map(|c| self.power(c, random)).collect();
        }
        let n = self.public.modulus();
        let blind = |c: &&[u64]| Blinded::new(&n.residue(c), &self.public, random);
        let blinded: Vec<Blinded> = match numbers.iter().map(blind).collect() {
            Ok(blinded) => blinded,
            Err(error) => return numbers.iter().map(|_| Err(error)).collect(),
        };
        let powers = self.powers_by_primes(&blinded);
        let revealed = |((c, blinded), power): ((&&[u64], &Blinded), Option<Residue>)| {
            let power = power.and_then(|power| blinded.revealed(&power, &self.public));
            match power.filter(|_| is_below(c, n.number())) {
                Some(power) => Ok(power),
                // It has the error, or another r.
                None => self.power(c, random),
            }
        };
        numbers.iter().zip(&blinded).zip(powers).map(revealed).collect()
    }

    /// The powers to d − 1 of blinded bases, for a key of two primes; None where the numbers of the key do not fit
    /// together.
    fn powers_by_primes(&self, blinded: &[Blinded]) -> Vec<Option<Residue>> {
        let bases: Vec<Words> = blinded.iter().map(|c| Zeroizing::new(c.base().to_number())).collect();
        let q_inverse = Zeroizing::new(self.coefficient.to_number());
        let (p, q) = (&self.p, &self.q);
        let task = |base| CrtTask {
            base,
            p: p.modulus.number(),
            q: q.modulus.number(),
            d_p: &p.exponent,
            d_q: &q.exponent,
            q_inverse: &q_inverse,
        };
        let tasks: Vec<CrtTask<'_>> = bases.iter().map(|base| task(base)).collect();
        let residue = |power: Vec<u64>| self.public.modulus().residue(&Zeroizing::new(power));
        pow_crt_batch(&tasks).into_iter().map(|power| power.ok().map(residue)).collect()
    }

    /// The power to d − 1 of a blinded base by the Chinese remainder theorem: of the powers modulo p and q, Garner's
    /// recombination makes the one modulo n.
    fn power_by_primes(&self, blinded: &Blinded) -> Residue {
        let c = Zeroizing::new(blinded.base().to_number());
        let (p, q) = (&self.p, &self.q);
        let e_bits = p.modulus.bits().max(q.modulus.bits());
        let [a, b] = self.p_and_q.pow_bounded([&c, &c], [&p.exponent, &q.exponent], e_bits);
        let power = Zeroizing::new(garner(&a, &b, &self.coefficient));
        let power = self.others.iter().fold(power, |power, other| other.extended(&power, &c));
        self.public.modulus().residue(&power)
    }

    /// Why a result was wrong: a factor that was too long to be tested while the key was loaded, or the machine.
    fn fault(&self) -> Error {
        let are_prime = self.others.iter().all(|other| other.factor.is_probably_prime());
        match are_prime & self.p.is_probably_prime() & self.q.is_probably_prime() {
            true => Error::Fault,
            false => Error::NotPrime,
        }
    }
}

impl fmt::Debug for PrivateKey {
    /// The public half; never the rest.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PrivateKey").field("public", &self.public).finish_non_exhaustive()
    }
}

#[cfg(test)]
impl PrivateKey {
    /// The key with a wrong exponent modulo p.
    pub(crate) fn with_a_fault(mut self) -> PrivateKey {
        self.p.exponent[0] ^= 4;
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Constant, Script, hexadecimal, known_primes, random};
    use crate::{EncryptionScheme, Hash, SignatureScheme};
    use alloc::vec;

    fn key() -> PrivateKey {
        PrivateKey::generate(512, &mut random()).unwrap()
    }

    /// The error of the key of these numbers, with e = 65537 and e⁻¹ modulo p − 1 and q − 1 as the private exponent.
    fn error_of_factors(p: &[u64], q: &[u64]) -> Error {
        let public = PublicKey::of_words(&product(p, q), &[65537]).unwrap();
        let d = crate::generate::private_exponent(p, q);
        PrivateKey::of_numbers(public, &d, p, q, &coefficient(p, q).unwrap()).map(|_| ()).unwrap_err()
    }

    #[test]
    fn a_computation_that_went_wrong_is_withheld() {
        let mut wrongs = [key(), key().with_a_fault(), key()];
        wrongs[0].coefficient = wrongs[0].coefficient.square();
        wrongs[2].q.exponent[1] ^= 1;
        for wrong in wrongs {
            assert_eq!(wrong.power(&[2], &mut random()), Err(Error::Fault));
        }
    }

    #[test]
    fn numbers_that_do_not_belong_together_are_refused() {
        let [n, e, d, p, q, _, _, coefficient] = key().numbers();
        let of = |d: &[u64], p: &[u64], q: &[u64], coefficient: &[u64]| {
            let public = PublicKey::of_words(&n, &e).unwrap();
            PrivateKey::of_numbers(public, d, p, q, coefficient).map(|_| ()).unwrap_err()
        };
        let changed = |words: &Words, bit: u64| {
            let mut words = words.clone();
            words[0] ^= bit;
            words
        };
        let sum = |x: &Words, y: &Words| {
            let mut sum = vec![0; x.len().max(y.len()) + 1];
            sum[..x.len()].copy_from_slice(x);
            let mut borrowed = Zeroizing::new(vec![0; sum.len()]);
            subtract_masked(&mut borrowed, y, u64::MAX);
            subtract_masked(&mut sum, &borrowed, u64::MAX);
            sum
        };
        assert_eq!(of(&d, &changed(&p, 2), &q, &coefficient), Error::Factors);
        assert_eq!(of(&d, &changed(&p, 1), &q, &coefficient), Error::Factors);
        assert_eq!(of(&d, &[1], &n, &coefficient), Error::Factors);
        assert_eq!(of(&d, &n, &[1], &[0]), Error::Factors);
        assert_eq!(of(&d, &[], &q, &coefficient), Error::Factors);
        assert_eq!(of(&changed(&d, 1), &p, &q, &coefficient), Error::PrivateExponent);
        assert_eq!(of(&changed(&d, 2), &p, &q, &coefficient), Error::PrivateExponent);
        assert_eq!(of(&[0], &p, &q, &coefficient), Error::PrivateExponent);
        assert_eq!(of(&d, &p, &q, &changed(&coefficient, 1)), Error::PrivateExponent);
        // Numbers that are worth the same, but too large.
        let phi = product(&predecessor(&p), &predecessor(&q));
        assert_eq!(of(&sum(&d, &phi), &p, &q, &coefficient), Error::PrivateExponent);
        assert_eq!(of(&d, &p, &q, &sum(&coefficient, &p)), Error::PrivateExponent);
    }

    /// An exponent that is an inverse of e modulo only one of p − 1 and q − 1.
    #[test]
    fn an_exponent_must_fit_both_factors() {
        let [n, e, _, p, q, _, _, coefficient] = key().numbers();
        for prime in [&p, &q] {
            // d = e⁻¹ mod (prime − 1), since e is prime to it.
            let d = crate::generate::private_exponent(prime, prime);
            let public = PublicKey::of_words(&n, &e).unwrap();
            let refused = PrivateKey::of_numbers(public, &d, &p, &q, &coefficient);
            assert_eq!(refused.map(|_| ()).unwrap_err(), Error::PrivateExponent);
        }
    }

    #[test]
    fn the_square_of_a_prime_is_no_modulus() {
        let [p, _] = known_primes(2048);
        assert_eq!(error_of_factors(&p, &p), Error::Factors);
    }

    /// One factor is a product of two primes, and the exponents fit p − 1 and q − 1. Where q is composite, all that is
    /// wrong with the key is just that.
    #[test]
    fn composite_factors_are_named() {
        let composite = hexadecimal("ffffffffffffffffffffffffffff9ede0000000000000000000000000936b15d");
        let [_, _, _, p, ..] = key().numbers();
        assert_eq!(error_of_factors(&composite, &p), Error::NotPrime);
        assert_eq!(error_of_factors(&p, &composite), Error::NotPrime);
    }

    /// Longer factors are not tested while a key is loaded; an operation that fails then names the reason.
    #[test]
    fn long_composite_factors_are_named_by_the_operation() {
        let [p, q] = known_primes(2048);
        let [third, fourth] = known_primes(3072);
        let (long, prime) = (product(&product(&p, &q), &third), fourth);
        let public = PublicKey::of_words(&product(&long, &prime), &[65537]).unwrap();
        let d = crate::generate::private_exponent(&prime, &long);
        let inverse = coefficient(&prime, &long).unwrap();
        let key = PrivateKey::of_numbers(public, &d, &prime, &long, &inverse).unwrap();
        assert_eq!(key.power(&[2], &mut random()), Err(Error::NotPrime));
        // No other number is drawn for one that is no unit: few of a key that somebody chose may be.
        let mut script = Script::new([natural::to_be_bytes(&prime, key.public.octets())]);
        assert_eq!(key.power(&[2], &mut script), Err(Error::NotPrime));
        assert_eq!(script.drawn.len(), 1);
        // Nor is it the machine where p is the composite one.
        let swapped = PrivateKey { p: key.q.clone(), q: key.p.clone(), ..key };
        assert_eq!(swapped.fault(), Error::NotPrime);
    }

    /// A batch engine computes modulo p and q alone, and a power that is wrong is computed once more, with another draw.
    #[test]
    fn keys_of_three_primes_take_no_batch() {
        let mut numbers = key().numbers();
        let r = crate::prime::random_prime(256, 65537, &mut random()).unwrap();
        let [n, e, _, p, q, ..] = &mut numbers;
        let other = OtherPrime { coefficient: coefficient(&r, n).unwrap(), prime: r };
        let whole = product(n, &other.prime);
        let lambda = [&*p, &*q, &other.prime].map(|prime| predecessor(prime));
        let phi = lambda.iter().fold(Zeroizing::new(vec![1]), |phi, factor| product(&phi, factor));
        let d = Zeroizing::new(monpro::inverse(e, &phi).unwrap().unwrap());
        let public = PublicKey::of_words(&whole, e).unwrap();
        let key = PrivateKey::of_primes(public, &d, p, q, &coefficient(p, q).unwrap(), &[other]).unwrap();
        let mut script = Script::default();
        let powers = key.powers(&[&[2], &[3], &[4]], &mut script);
        assert_eq!(powers, [2, 3, 4].map(|c| Ok(plain_power(&key, &[c]))));
        let long = script.drawn.iter().filter(|draw| draw.len() == key.public.octets());
        // Bits above those of n are dropped from the first octet of a draw. What is then not below n is drawn again.
        let unused_bits = 8 * key.public.octets() - natural::bit_length(&whole);
        let is_used = |draw: &&Vec<u8>| {
            let mut octets = Vec::clone(draw);
            octets[0] &= u8::MAX >> unused_bits;
            is_below(&natural::from_be_bytes(&octets), &whole)
        };
        assert_eq!(long.filter(is_used).count(), 3);
    }

    /// The power to d, without the primes and without a random number.
    fn plain_power(key: &PrivateKey, c: &[u64]) -> Words {
        Zeroizing::new(key.public.modulus().residue(c).pow(&key.d).to_number())
    }

    /// A key of these primes, with e = 65537.
    fn key_of_primes(p: &[u64], q: &[u64]) -> PrivateKey {
        let public = PublicKey::of_words(&product(p, q), &[65537]).unwrap();
        let d = crate::generate::private_exponent(p, q);
        PrivateKey::of_numbers(public, &d, p, q, &coefficient(p, q).unwrap()).unwrap()
    }

    #[test]
    fn powers_are_those_to_d_of_multiples_of_a_prime_too() {
        let key = key();
        let [n, _, _, p, q, ..] = key.numbers();
        let multiple = product(&q, &[0x1234_5678_9abc_def1]);
        let mut last = n.clone();
        last[0] -= 1;
        let numbers: [&[u64]; 8] = [&[], &[0], &[1], &[2], &last, &p, &q, &multiple];
        for c in numbers {
            assert_eq!(key.power(c, &mut random()), Ok(plain_power(&key, c)), "{c:x?}");
        }
        #[cfg(feature = "columns")]
        for (c, power) in numbers.iter().zip(key.powers(&numbers, &mut random())) {
            assert_eq!(power, Ok(plain_power(&key, c)), "{c:x?}");
        }
    }

    /// A multiple of a prime hides nothing of a number modulo this prime, and no power comes of it.
    #[test]
    fn numbers_without_an_inverse_are_drawn_again() {
        let key = key();
        let [_, _, _, p, ..] = key.numbers();
        let script = || Script::new([&p[..], &[7]].map(|r| natural::to_be_bytes(r, 64)));
        let mut random = script();
        assert_eq!(key.power(&[2], &mut random), Ok(plain_power(&key, &[2])));
        assert_eq!(random.drawn.len(), 2);
        #[cfg(feature = "columns")]
        {
            let mut random = script();
            assert_eq!(key.powers(&[&[2]], &mut random), [Ok(plain_power(&key, &[2]))]);
            assert_eq!(random.drawn.len(), 2);
        }
    }

    /// A third of all numbers are multiples of a prime, so that many operations draw again.
    #[test]
    fn keys_with_a_short_prime_compute_rightly() {
        let q = crate::prime::random_prime(600, 65537, &mut random()).unwrap();
        for key in [key_of_primes(&[3], &q), key_of_primes(&q, &[5])] {
            for c in 0..40 {
                assert_eq!(key.power(&[c], &mut random()), Ok(plain_power(&key, &[c])), "{c}");
            }
        }
    }

    /// Each operation draws a number of the length of n for its blinding, and another one than the last.
    #[test]
    fn every_private_operation_draws_anew() {
        let key = PrivateKey::generate(1024, &mut random()).unwrap();
        let ciphertext = key.public_key().encrypt(EncryptionScheme::Pkcs1v15, b"m", &mut random()).unwrap();
        let mut script = Script::default();
        let mut drawn = 0;
        for _ in 0..2 {
            let operations: [&dyn Fn(&mut Script); 3] = [
                &|random| drop(key.raw(&[2], random).unwrap()),
                &|random| drop(key.sign(SignatureScheme::Pkcs1v15, Hash::Sha256, b"m", random).unwrap()),
                &|random| drop(key.decrypt(EncryptionScheme::Pkcs1v15, &ciphertext, random).unwrap()),
            ];
            for operation in operations {
                operation(&mut script);
                assert!(script.drawn[drawn..].iter().any(|draw| draw.len() == 128));
                drawn = script.drawn.len();
            }
        }
        script.drawn.sort();
        assert!(script.drawn.windows(2).all(|pair| pair[0] != pair[1]));
    }

    #[test]
    fn a_broken_random_source_gives_an_error() {
        assert_eq!(key().power(&[2], &mut Constant(0)), Err(Error::RandomSource));
    }

    #[test]
    fn debug_shows_no_secret() {
        let shown = alloc::format!("{:?}", key());
        assert!(shown.contains("bits: 512") && shown.len() < 200, "{shown}");
    }
}
