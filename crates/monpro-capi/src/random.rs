//! The random source: the system's, or one of the caller's.

use crate::status::MonproStatus;
use getrandom::SysRng;
use rand_core::{TryCryptoRng, TryRng};
use std::convert::Infallible;
use std::ffi::{c_int, c_void};
use std::panic::resume_unwind;

/// A random source of the caller's. It must be fit for cryptography: its bytes are secret, and nobody can predict
/// them. Functions that take a pointer to one take null for the system's source.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct MonproRandom {
    /// Fills length bytes, and returns 0; any other value says that there are none, and ends the call with
    /// MONPRO_STATUS_RANDOM_SOURCE. It is called in the thread of the call, must return, and may be called by many
    /// threads at once if they share the source.
    pub fill: Option<extern "C" fn(context: *mut c_void, bytes: *mut u8, length: usize) -> c_int>,
    /// What fill gets as its first argument.
    pub context: *mut c_void,
}

/// The payload of the unwinding that ends a computation without random bytes.
pub(crate) struct NoRandom;

/// Where random bytes come from.
#[derive(Clone)]
pub(crate) struct Source(Option<MonproRandom>);

// SAFETY: MonproRandom says that the function may be called by many threads at once.
unsafe impl Send for Source {}
// SAFETY: the same.
unsafe impl Sync for Source {}

impl Source {
    /// The source at the pointer, or that of the system.
    ///
    /// # Safety
    /// The pointer is null, or the source can be read, and its function fills bytes as [`MonproRandom`] says.
    pub(crate) unsafe fn new(random: *const MonproRandom) -> Result<Source, MonproStatus> {
        // SAFETY: the caller's promise.
        match unsafe { random.as_ref() } {
            Some(MonproRandom { fill: None, .. }) => Err(MonproStatus::NullPointer),
            source => Ok(Source(source.copied())),
        }
    }

    fn has_filled(&self, bytes: &mut [u8]) -> bool {
        match self.0 {
            Some(MonproRandom { fill: Some(fill), context }) => {
                fill(context, bytes.as_mut_ptr(), bytes.len()) == 0
            }
            _ => SysRng.try_fill_bytes(bytes).is_ok(),
        }
    }
}

impl TryRng for Source {
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

    /// Without random bytes nothing can go on: unwinding ends the computation, and erases its numbers.
    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        match self.has_filled(bytes) {
            true => Ok(()),
            false => resume_unwind(Box::new(NoRandom)),
        }
    }
}

impl TryCryptoRng for Source {}

#[cfg(test)]
mod tests {
    use super::*;

    extern "C" fn counting(_context: *mut c_void, bytes: *mut u8, length: usize) -> c_int {
        // SAFETY: so many bytes can be written.
        (0..length).for_each(|i| unsafe { bytes.add(i).write(i as u8 + 1) });
        0
    }

    #[test]
    fn words_are_bytes_with_the_lowest_first() {
        let random = MonproRandom { fill: Some(counting), context: std::ptr::null_mut() };
        // SAFETY: it can be read, and its function fills bytes.
        let mut source = unsafe { Source::new(&raw const random) }.unwrap();
        assert_eq!(source.try_next_u32(), Ok(0x0403_0201));
        assert_eq!(source.try_next_u64(), Ok(0x0807_0605_0403_0201));
    }
}
