//! The random source of a provider, in the interface of monpro's.

use core::convert::Infallible;
use rand_core::{TryCryptoRng, TryRng};
use rustls::crypto::SecureRandom;

/// A random source that may fail. Then it gives zeros, which an operation refuses or whose result the caller withholds.
pub(crate) struct Random {
    source: &'static dyn SecureRandom,
    has_failed: bool,
}

impl Random {
    pub(crate) fn new(source: &'static dyn SecureRandom) -> Random {
        Random { source, has_failed: false }
    }

    /// Whether anything that was drawn is not random.
    pub(crate) fn has_failed(&self) -> bool {
        self.has_failed
    }

    fn octets<const N: usize>(&mut self) -> [u8; N] {
        let mut octets = [0; N];
        self.fill(&mut octets);
        octets
    }

    fn fill(&mut self, octets: &mut [u8]) {
        if self.source.fill(octets).is_err() {
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
