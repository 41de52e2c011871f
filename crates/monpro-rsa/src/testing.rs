//! What the tests of several modules need: random sources that tell what was drawn, and known primes.

use crate::number::Words;
use alloc::collections::VecDeque;
use alloc::vec::Vec;
use core::convert::Infallible;
use getrandom::SysRng;
use monpro::diffie_hellman::Group;
use monpro::natural;
use rand_core::{TryCryptoRng, TryRng, UnwrapErr};
use zeroize::Zeroizing;

/// The system's random source.
pub(crate) fn random() -> UnwrapErr<SysRng> {
    UnwrapErr(SysRng)
}

/// A random source that first gives the octets of a script, draw by draw, and then those of the system. It keeps what it
/// has given.
#[derive(Default)]
pub(crate) struct Script {
    next: VecDeque<Vec<u8>>,
    pub(crate) drawn: Vec<Vec<u8>>,
}

impl Script {
    pub(crate) fn new(draws: impl IntoIterator<Item = Vec<u8>>) -> Script {
        Script { next: draws.into_iter().collect(), drawn: Vec::new() }
    }
}

impl TryRng for Script {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        unreachable!("numbers are drawn as octets")
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        unreachable!("numbers are drawn as octets")
    }

    fn try_fill_bytes(&mut self, octets: &mut [u8]) -> Result<(), Infallible> {
        match self.next.pop_front() {
            Some(draw) => octets.copy_from_slice(&draw),
            None => SysRng.try_fill_bytes(octets).unwrap(),
        }
        self.drawn.push(octets.to_vec());
        Ok(())
    }
}

impl TryCryptoRng for Script {}

/// A broken random source, which repeats one octet.
pub(crate) struct Constant(pub(crate) u8);

impl TryRng for Constant {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        unreachable!("numbers are drawn as octets")
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        unreachable!("numbers are drawn as octets")
    }

    fn try_fill_bytes(&mut self, octets: &mut [u8]) -> Result<(), Infallible> {
        octets.fill(self.0);
        Ok(())
    }
}

impl TryCryptoRng for Constant {}

/// Two primes of `bits` bits from the table of Diffie–Hellman groups, which has 2048, 3072, 4096, 6144 and 8192.
pub(crate) fn known_primes(bits: usize) -> [Words; 2] {
    let prime = |family: &str| {
        let group = Group::named(&alloc::format!("{family}{bits}")).unwrap();
        Zeroizing::new(group.modulus().number().to_vec())
    };
    [prime("modp"), prime("ffdhe")]
}

/// The number with these hexadecimal digits.
pub(crate) fn hexadecimal(digits: &str) -> Words {
    let digit = |digit: char| digit.to_digit(16).unwrap() as u8;
    let digits: Vec<u8> = digits.chars().rev().map(digit).collect();
    let octets: Vec<u8> =
        digits.chunks(2).rev().map(|pair| pair[0] | pair.get(1).unwrap_or(&0) << 4).collect();
    Zeroizing::new(natural::from_be_bytes(&octets))
}
