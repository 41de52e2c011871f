//! The instruction sets of x86-64, a file each.
#![allow(unsafe_code)]

// Only compiled where the build script finds a compiler that has the intrinsics.
#[cfg(vpclmulqdq_intrinsics)]
#[allow(clippy::incompatible_msrv)]
pub(crate) mod avx2;
#[cfg(vpclmulqdq_intrinsics)]
#[allow(clippy::incompatible_msrv)]
pub(crate) mod avx512;
#[cfg(vpclmulqdq_intrinsics)]
pub(crate) mod ifma;
pub(crate) mod mulx;
pub(crate) mod pclmulqdq;
#[cfg(vpclmulqdq_intrinsics)]
mod vpclmulqdq;

/// Defines methods of [`Lanes`](super::lanes::Lanes) by intrinsics; for the files below this one.
macro_rules! by_intrinsics {
    ($(
        fn $name:ident $(<const $i:ident: usize>)? ($this:ident $(, $argument:ident: $kind:ty)*) -> $result:ty $body:block
    )*) => {$(
        #[inline(always)]
        fn $name $(<const $i: usize>)? ($this $(, $argument: $kind)*) -> $result {
            // SAFETY: `self` exists only where the CPU has the instructions.
            unsafe { $body }
        }
    )*};
}
use by_intrinsics;
