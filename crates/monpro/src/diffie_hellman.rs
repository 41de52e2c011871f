//! Diffie–Hellman key agreement in a subgroup of Z_p* or of GF(2^k)*, the application that \[koc97, §1\]
//! names.
//!
//! The elements of both groups are residues of a [`Modulus`], so everything below serves both. The module
//! draws no random numbers: the caller gives the octets of a private key, fresh and from a cryptographic
//! source. Operations on secrets take constant time, and secrets are erased when dropped. The peer's value is
//! public; it is refused if it could reveal bits of the key.
//!
//! **Take a named group. GF(2^k) is for study and for old systems.** Discrete logarithms in GF(2^k) are far
//! easier than modulo a prime of the same size: algorithms of quasi-polynomial time have been known since
//! 2013, and logarithms have been computed for k = 1279 (2014) and for k = 30750 (2019). A k with many
//! divisors is weaker still, and so is a 2^k − 1 with small factors only. Secrets that matter must not rest
//! on GF(2^k), whatever k is.
//!
//! ```
//! use monpro::diffie_hellman::Group;
//!
//! let group = Group::named("ffdhe2048")?;
//! # let random = |seed: u8| vec![seed; group.private_octets()];
//! let (alice, bob) = (group.private_key(&random(1))?, group.private_key(&random(2))?);
//! let secret = alice.agree(bob.public_value())?;
//! assert_eq!(secret.octets(), bob.agree(alice.public_value())?.octets());
//! # Ok::<(), monpro::diffie_hellman::GroupError>(())
//! ```

mod error;
mod named;

pub use error::GroupError;

use crate::binary_field::FieldElement;
use crate::modulus::Modulus;
use crate::natural;
use crate::number_theory::jacobi_vartime;
use crate::residue::Residue;
use crate::ring::RingName;
use alloc::vec::Vec;
use core::fmt;
use zeroize::Zeroizing;

/// The powers of a generator g in Z_p* or GF(2^k)*. Everything in it is public.
///
/// The caller vouches that p is prime, and that q, if given, is the order of g: take them from a source that
/// you trust.
#[derive(Clone, PartialEq, Eq)]
pub struct Group {
    generator: Residue,
    /// q, if it is known, in as many words as the modulus has.
    order: Option<Vec<u64>>,
    octets: usize,
    private_octets: usize,
}

impl Group {
    /// The group of this name: `modp2048` … `modp8192` of RFC 3526 (groups 14 to 18), `ffdhe2048` …
    /// `ffdhe8192` of RFC 7919. In each p = 2q + 1 is a safe prime, and g = 2 has the prime order q.
    ///
    /// # Errors
    /// [`GroupError::UnknownName`].
    pub fn named(name: &str) -> Result<Group, GroupError> {
        let (p, private_octets) = named::prime(name).ok_or(GroupError::UnknownName)?;
        let group = Group::integers(&p, &[2], Some(&natural::shift_right(&p, 1)))?;
        Ok(Group { private_octets, ..group })
    }

    /// The names that [`Group::named`] knows.
    pub fn names() -> impl Iterator<Item = &'static str> {
        named::names()
    }

    /// The most bits of a prime p. A power then takes about a second.
    pub const MAX_BITS: usize = 1 << 14;

    /// The powers of g modulo the prime p; q is the order of g, if it is known.
    ///
    /// Without q, a peer's value is refused only if it is 0, 1 or p − 1; p should then be a safe prime.
    ///
    /// # Errors
    /// [`GroupError::ModulusTooLong`] where p has more than [`Group::MAX_BITS`] bits,
    /// [`GroupError::DegenerateModulus`] where p is even or below 5, [`GroupError::DegenerateGenerator`]
    /// where g is 0, 1, p − 1 or not below p, [`GroupError::GeneratorOrder`] where g^q ≠ 1.
    pub fn integers(p: &[u64], g: &[u64], order: Option<&[u64]>) -> Result<Group, GroupError> {
        let bits = natural::bit_length(p);
        if bits > Group::MAX_BITS {
            return Err(GroupError::ModulusTooLong { bits });
        }
        let modulus = match Modulus::new(p) {
            Ok(modulus) if modulus.bits() > 2 => modulus,
            _ => return Err(GroupError::DegenerateModulus),
        };
        let octets = modulus.bits().div_ceil(8);
        let generator = modulus.residue(g);
        if !is_number_of(&generator, g) {
            return Err(GroupError::DegenerateGenerator);
        }
        Group::of(generator, order, octets)
    }

    /// The powers of an element g of GF(2^k); q is the order of g, if it is known. The head of this module
    /// says how little such a group protects.
    ///
    /// Without q, a peer's value is refused only if it is 0 or 1, and 2^k − 1 mostly has small factors. A
    /// private key that is used more than once then reveals bits to a peer who sends elements of small order.
    ///
    /// # Errors
    /// [`GroupError::DegenerateGenerator`] where g is 0 or 1, [`GroupError::GeneratorOrder`] where g^q ≠ 1.
    pub fn binary_field(generator: &FieldElement, order: Option<&[u64]>) -> Result<Group, GroupError> {
        Group::of(generator.residue().clone(), order, generator.field().octets())
    }

    fn of(generator: Residue, order: Option<&[u64]>, octets: usize) -> Result<Group, GroupError> {
        if is_degenerate(&generator) {
            return Err(GroupError::DegenerateGenerator);
        }
        let private_octets = order.map_or(octets, |order| natural::bit_length(order).div_ceil(8));
        let order = order.map(|order| natural::resized(order, generator.modulus().number().len()));
        let group = Group { generator, order, octets, private_octets };
        match (1..=octets).contains(&private_octets) && group.may_contain(&group.generator) {
            true => Ok(group),
            false => Err(GroupError::GeneratorOrder),
        }
    }

    /// The number of octets of a public value and of a secret.
    #[must_use]
    pub fn octets(&self) -> usize {
        self.octets
    }

    /// The number of random octets that a private key needs. For a named group it is the length that RFC
    /// 7919, appendix A, advises for the group's strength (225 bits for 2048, 400 bits for 8192); else the
    /// length of q, if it is known; else [`Group::octets`].
    #[must_use]
    pub fn private_octets(&self) -> usize {
        self.private_octets
    }

    /// The modulus p, or the polynomial of the field, with its kernel.
    #[must_use]
    pub fn modulus(&self) -> &Modulus {
        self.generator.modulus()
    }

    /// The generator g.
    #[must_use]
    pub fn generator(&self) -> &Residue {
        &self.generator
    }

    /// q, the order of the generator, if it is known.
    #[must_use]
    pub fn order(&self) -> Option<&[u64]> {
        self.order.as_deref()
    }

    /// The name by which [`Group::named`] knows the group.
    #[must_use]
    pub fn name(&self) -> Option<&'static str> {
        named::names_of_length(self.modulus().bits())
            .find(|name| Group::named(name).is_ok_and(|group| group == *self))
    }

    /// The private key that has these octets, big-endian, as its exponent, with its public value. Give
    /// [`Group::private_octets`] fresh random octets.
    ///
    /// # Errors
    /// [`GroupError::PrivateOctetCount`] if there are fewer octets, or more than an element has;
    /// [`GroupError::DegeneratePrivateKey`] if the public value is 1 or −1, as it is for an exponent of 0.
    pub fn private_key(&self, octets: &[u8]) -> Result<PrivateKey, GroupError> {
        if !(self.private_octets..=self.octets).contains(&octets.len()) {
            let (least, most) = (self.private_octets, self.octets);
            return Err(GroupError::PrivateOctetCount { least, most, given: octets.len() });
        }
        let exponent =
            Exponent { number: Zeroizing::new(natural::from_be_bytes(octets)), bits: 8 * octets.len() };
        let public = exponent.apply(&self.generator);
        match is_degenerate(&public) {
            true => Err(GroupError::DegeneratePrivateKey),
            false => {
                Ok(PrivateKey { group: self.clone(), exponent, public_value: self.encode(&public).to_vec() })
            }
        }
    }

    /// The element that a peer sent.
    ///
    /// # Errors
    /// [`GroupError::OctetCount`], [`GroupError::PeerOutOfRange`], [`GroupError::DegeneratePeer`],
    /// [`GroupError::PeerOutsideSubgroup`].
    fn peer(&self, octets: &[u8]) -> Result<Residue, GroupError> {
        if octets.len() != self.octets {
            return Err(GroupError::OctetCount { expected: self.octets, given: octets.len() });
        }
        let number = natural::from_be_bytes(octets);
        let element = self.modulus().residue(&number);
        if !is_number_of(&element, &number) {
            return Err(GroupError::PeerOutOfRange);
        }
        if is_degenerate(&element) {
            return Err(GroupError::DegeneratePeer);
        }
        match self.may_contain(&element) {
            true => Ok(element),
            false => Err(GroupError::PeerOutsideSubgroup),
        }
    }

    /// Whether element^q = 1; true where q is not known. Time depends on element and q, which are public.
    fn may_contain(&self, element: &Residue) -> bool {
        let Some(order) = &self.order else {
            return true;
        };
        let modulus = self.modulus();
        let is_prime = modulus.kernel().ring == RingName::Integers;
        if is_prime && *order == natural::shift_right(modulus.number(), 1) {
            return jacobi_vartime(&element.to_number(), modulus.number()) == Some(1);
        }
        element.pow_vartime(order) == modulus.one()
    }

    fn encode(&self, element: &Residue) -> Zeroizing<Vec<u8>> {
        let number = Zeroizing::new(element.to_number());
        Zeroizing::new(natural::to_be_bytes(&number, self.octets))
    }
}

/// Whether the element is 0, 1 or −1, whose powers are known whatever the exponent.
fn is_degenerate(element: &Residue) -> bool {
    let modulus = element.modulus();
    let one = modulus.one();
    // All three are compared, so that no branch tells which of them it is.
    [modulus.zero(), -&one, one].iter().fold(false, |found, value| found | (value == element))
}

/// Whether the number that the residue was made of was reduced already, so that the residue equals it.
fn is_number_of(residue: &Residue, number: &[u64]) -> bool {
    let reduced = residue.to_number();
    natural::bit_length(number) <= 64 * reduced.len() && natural::resized(number, reduced.len()) == reduced
}

impl fmt::Debug for Group {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Group").field("modulus", self.modulus()).finish_non_exhaustive()
    }
}

/// A secret exponent; erased when dropped.
#[derive(Clone)]
struct Exponent {
    number: Zeroizing<Vec<u64>>,
    bits: usize,
}

impl Exponent {
    /// element^exponent, in time that depends on the length alone.
    fn apply(&self, element: &Residue) -> Residue {
        element.pow_bounded(&self.number, self.bits)
    }
}

/// A private key of a [`Group`] with its public value; erased when dropped.
#[derive(Clone)]
pub struct PrivateKey {
    group: Group,
    exponent: Exponent,
    public_value: Vec<u8>,
}

impl PrivateKey {
    /// The group.
    #[must_use]
    pub fn group(&self) -> &Group {
        &self.group
    }

    /// g^d for the private exponent d, to be sent to the peer: [`Group::octets`] octets, big-endian.
    #[must_use]
    pub fn public_value(&self) -> &[u8] {
        &self.public_value
    }

    /// y^d for the peer's public value y: the secret that both sides share.
    ///
    /// # Errors
    /// [`GroupError::OctetCount`] unless y has [`Group::octets`] octets; [`GroupError::PeerOutOfRange`]
    /// unless it is below the modulus; [`GroupError::DegeneratePeer`] where y or the secret is 0, 1 or −1;
    /// [`GroupError::PeerOutsideSubgroup`] where y^q ≠ 1 and q is known.
    pub fn agree(&self, peer: &[u8]) -> Result<SharedSecret, GroupError> {
        let secret = self.exponent.apply(&self.group.peer(peer)?);
        match is_degenerate(&secret) {
            true => Err(GroupError::DegeneratePeer),
            false => Ok(SharedSecret(self.group.encode(&secret))),
        }
    }
}

impl fmt::Debug for PrivateKey {
    /// The group; never the key.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PrivateKey").field("group", &self.group).finish_non_exhaustive()
    }
}

/// The secret that two parties share; erased when dropped. It is an element of the group, not a key: derive
/// keys from it with a key derivation function such as HKDF.
pub struct SharedSecret(Zeroizing<Vec<u8>>);

impl SharedSecret {
    /// The secret in [`Group::octets`] octets, big-endian, leading zeros included.
    #[must_use]
    pub fn octets(&self) -> &[u8] {
        &self.0
    }
}

impl fmt::Debug for SharedSecret {
    /// Never the value.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SharedSecret(…)")
    }
}
