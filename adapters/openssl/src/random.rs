//! The system's random source, in the interface of monpro's.

use core::convert::Infallible;
use getrandom::SysRng;
use rand_core::{TryCryptoRng, TryRng};

/// The system's source, which may fail. Then it gives zeros, and what was drawn must not be used.
#[derive(Default)]
pub(crate) struct Random {
    has_failed: bool,
}

impl Random {
    /// What is computed with random numbers; None if they could not be had.
    pub(crate) fn with<T>(compute: impl FnOnce(&mut Random) -> T) -> Option<T> {
        let mut random = Random::default();
        let result = compute(&mut random);
        (!random.has_failed).then_some(result)
    }

    fn octets<const N: usize>(&mut self) -> [u8; N] {
        let mut octets = [0; N];
        self.fill(&mut octets);
        octets
    }

    fn fill(&mut self, octets: &mut [u8]) {
        if SysRng.try_fill_bytes(octets).is_err() {
            self.has_failed = true;
            octets.fill(0);
        }
    }
}

impl TryRng for Random {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        Ok(u32::from_le_bytes(self.octets()))
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        Ok(u64::from_le_bytes(self.octets()))
    }

    fn try_fill_bytes(&mut self, octets: &mut [u8]) -> Result<(), Infallible> {
        self.fill(octets);
        Ok(())
    }
}

impl TryCryptoRng for Random {}
