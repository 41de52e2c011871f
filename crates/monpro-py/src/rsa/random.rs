//! The system's random source.

use getrandom::SysRng;
use monpro_rsa::Error;
use rand_core::{TryCryptoRng, TryRng};
use std::convert::Infallible;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

/// The system's random source. Where the system gives no random numbers, unwinding ends the computation, which erases
/// its numbers.
pub(crate) struct System;

/// The payload of that unwinding.
struct NoRandom;

/// What the function computes with random numbers; [`Error::RandomSource`] if the system gives none.
pub(crate) fn with_random<T>(compute: impl FnOnce(&mut System) -> Result<T, Error>) -> Result<T, Error> {
    match catch_unwind(AssertUnwindSafe(|| compute(&mut System))) {
        Ok(result) => result,
        Err(payload) if payload.is::<NoRandom>() => Err(Error::RandomSource),
        Err(payload) => resume_unwind(payload),
    }
}

impl TryRng for System {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        let mut bytes = [0; 4];
        self.try_fill_bytes(&mut bytes)?;
        Ok(u32::from_le_bytes(bytes))
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        let mut bytes = [0; 8];
        self.try_fill_bytes(&mut bytes)?;
        Ok(u64::from_le_bytes(bytes))
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        match SysRng.try_fill_bytes(bytes) {
            Ok(()) => Ok(()),
            Err(_) => resume_unwind(Box::new(NoRandom)),
        }
    }
}

impl TryCryptoRng for System {}
