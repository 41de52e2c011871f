//! The instruction sets with carry-less products, a file each.
#![allow(unsafe_code)]

// Only compiled where the build script finds a compiler that has the intrinsics.
#[cfg(vpclmulqdq_intrinsics)]
#[allow(clippy::incompatible_msrv)]
mod avx2;
#[cfg(vpclmulqdq_intrinsics)]
#[allow(clippy::incompatible_msrv)]
mod avx512;
mod pclmulqdq;
#[cfg(vpclmulqdq_intrinsics)]
mod vpclmulqdq;

pub(in super::super) use pclmulqdq::Pclmulqdq;
#[cfg(vpclmulqdq_intrinsics)]
pub(in super::super) use {avx2::Avx2, avx512::Avx512};

/// Defines methods of [`Lanes`](super::Lanes) by intrinsics; for the files below this one.
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
