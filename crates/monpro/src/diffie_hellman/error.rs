//! The errors of groups, keys and peers' values: each says in one clear line what is wrong.

use core::fmt;

/// Why a group, a private key or a peer's public value was refused.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum GroupError {
    /// No group has this name.
    UnknownName,
    /// The modulus is even or below 5.
    DegenerateModulus,
    /// The modulus has more bits than [`Group::MAX_BITS`](super::Group::MAX_BITS).
    ModulusTooLong {
        /// Its bits.
        bits: usize,
    },
    /// The generator is 0, 1 or −1, or not below the modulus.
    DegenerateGenerator,
    /// The generator to the power of the given order is not 1, or the order is 0 or too long for the group.
    GeneratorOrder,
    /// The number of octets of a private key does not fit the group.
    PrivateOctetCount {
        /// The smallest number that fits.
        least: usize,
        /// The largest number that fits.
        most: usize,
        /// The number given.
        given: usize,
    },
    /// The public value of a private key is 1 or −1.
    DegeneratePrivateKey,
    /// A peer's public value does not have the length of an element.
    OctetCount {
        /// The length of an element.
        expected: usize,
        /// The length given.
        given: usize,
    },
    /// A peer's public value is not below the modulus.
    PeerOutOfRange,
    /// A peer's public value is 0, 1 or −1, or leads to such a secret.
    DegeneratePeer,
    /// A peer's public value is not a power of the generator.
    PeerOutsideSubgroup,
}

impl fmt::Display for GroupError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GroupError::UnknownName => {
                write!(f, "no group has this name: take one of")?;
                super::named::names().try_for_each(|name| write!(f, " {name}"))
            }
            GroupError::DegenerateModulus => write!(f, "the modulus is even or below 5: give a large prime"),
            GroupError::ModulusTooLong { bits } => {
                write!(f, "the modulus has {bits} bits: give a prime of at most {}", super::Group::MAX_BITS)
            }
            GroupError::DegenerateGenerator => write!(
                f,
                "the generator is 0, 1, −1 or not below the modulus: give an element of large prime order"
            ),
            GroupError::GeneratorOrder => {
                write!(f, "the generator does not have the order given: check generator, order and modulus")
            }
            GroupError::PrivateOctetCount { least, most, given } => {
                write!(f, "{given} octets given: a private key of this group has {least} to {most}")
            }
            GroupError::DegeneratePrivateKey => {
                write!(f, "the private key makes the public value 1 or −1: give random octets")
            }
            GroupError::OctetCount { expected, given } => write!(
                f,
                "{given} octets given: a public value of this group has {expected} exactly, with leading zeros"
            ),
            GroupError::PeerOutOfRange => {
                write!(f, "the peer's public value is not below the modulus: end the exchange")
            }
            GroupError::DegeneratePeer => {
                write!(f, "the peer's public value leads to the secret 0, 1 or −1: end the exchange")
            }
            GroupError::PeerOutsideSubgroup => write!(
                f,
                "the peer's public value is outside the generator's group and could reveal bits of the key: \
                 end the exchange"
            ),
        }
    }
}

impl core::error::Error for GroupError {}
