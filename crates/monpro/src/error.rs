//! The errors of the crate: each says in one clear line what is wrong with an input.

use crate::ring::RingName;
use core::fmt;

/// Why a modulus, a residue or an exponentiation was refused.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// The modulus is zero.
    ZeroModulus,
    /// The modulus is divisible by 2 (by x over GF(2)), so that no R⁻¹ exists.
    EvenModulus,
    /// The number given as q⁻¹ mod p is not the inverse of q modulo p.
    NotInverse,
    /// The number has no square root modulo the prime.
    NoSquareRoot,
    /// A square root is asked for modulo a number that is not prime.
    NotPrime,
    /// The exponent is not below the bound that was given for it.
    ExponentBound {
        /// The bits of the bound.
        bits: usize,
    },
    /// The bound on the bits of exponents is above [`MAX_EXPONENT_BITS`](crate::MAX_EXPONENT_BITS).
    ExponentBoundTooLarge {
        /// The bits of the bound.
        bits: usize,
    },
    /// No kernel of the table has this name.
    UnknownKernel,
    /// This CPU lacks instructions that the kernel needs.
    KernelUnavailable {
        /// The kernel's name in the table.
        kernel: &'static str,
        /// The instructions it needs.
        needs: &'static str,
    },
    /// The kernel does not take a modulus of this size or shape.
    UnsupportedModulus {
        /// The kernel's name in the table.
        kernel: &'static str,
        /// What it takes.
        takes: &'static str,
    },
    /// The operation needs one ring, and the kernel works over the other.
    WrongRing {
        /// The kernel's name in the table.
        kernel: &'static str,
        /// The ring of the operation.
        wanted: RingName,
    },
    /// A word array does not have exactly s words.
    WordCount {
        /// The modulus' number of words, s.
        expected: usize,
        /// The length of the array.
        given: usize,
    },
    /// A word array holds a value that is not below the modulus, or a word that is not below the radix.
    NotReduced,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::ZeroModulus => write!(f, "the modulus is 0: give a modulus of at least 1"),
            Error::EvenModulus => {
                write!(f, "the modulus is even: Montgomery form needs an odd modulus (pow takes any modulus)")
            }
            Error::NotInverse => {
                write!(
                    f,
                    "q times its given inverse is not 1 modulo p: give q⁻¹ mod p, of a q that is prime to p"
                )
            }
            Error::NoSquareRoot => write!(f, "the number is not a square modulo the prime: it has no root"),
            Error::NotPrime => write!(f, "the modulus is not prime: a square root needs a prime"),
            Error::ExponentBound { bits } => {
                write!(
                    f,
                    "the exponent has more than the {bits} bits that are given as its bound: give a larger bound"
                )
            }
            Error::ExponentBoundTooLarge { bits } => {
                let most = crate::power::MAX_EXPONENT_BITS;
                write!(f, "a bound of {bits} bits for exponents is too large: give at most {most}")
            }
            Error::UnknownKernel => write!(f, "no kernel has this name: see the table of kernels"),
            Error::KernelUnavailable { kernel, needs } => {
                write!(f, "kernel {kernel} needs {needs}, which this CPU lacks: choose another kernel")
            }
            Error::UnsupportedModulus { kernel, takes } => {
                write!(f, "kernel {kernel} takes {takes}: choose another kernel")
            }
            Error::WrongRing { kernel, wanted: RingName::Integers } => {
                write!(f, "kernel {kernel} works over GF(2)[x]: choose a kernel of the integers")
            }
            Error::WrongRing { kernel, wanted: RingName::BinaryPolynomials } => {
                write!(f, "kernel {kernel} works over the integers: choose a kernel of GF(2)[x]")
            }
            Error::WordCount { expected, given } => {
                write!(f, "{given} words given: a residue of this modulus has exactly {expected}")
            }
            Error::NotReduced => {
                write!(f, "the words are not those of a residue: reduce them below the modulus")
            }
        }
    }
}

impl core::error::Error for Error {}
