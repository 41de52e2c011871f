//! The instruction sets of x86-64, one file each.
#![allow(unsafe_code)]
// The functions of `in_software` are safe, and make nothing opaque.
#![cfg_attr(avx512_in_software, allow(unused_unsafe, unused_mut))]

// Only compiled where the build script finds a compiler that has the intrinsics.
#[cfg(vpclmulqdq_intrinsics)]
#[allow(clippy::incompatible_msrv)]
pub(crate) mod avx2;
#[cfg(vpclmulqdq_intrinsics)]
#[allow(clippy::incompatible_msrv)]
pub(crate) mod avx512;
pub(crate) mod cpu;
pub(crate) mod fma;
#[cfg(vpclmulqdq_intrinsics)]
#[allow(clippy::incompatible_msrv)]
pub(crate) mod gfni;
#[cfg(vpclmulqdq_intrinsics)]
#[allow(clippy::incompatible_msrv)]
pub(crate) mod ifma;
#[cfg(all(vpclmulqdq_intrinsics, avx512_in_software))]
mod in_software;
pub(crate) mod mulx;
pub(crate) mod pclmulqdq;
#[cfg(vpclmulqdq_intrinsics)]
mod vpclmulqdq;

#[cfg(all(vpclmulqdq_intrinsics, not(avx512_in_software)))]
use core::arch::x86_64 as intrinsics;
#[cfg(all(vpclmulqdq_intrinsics, avx512_in_software))]
use in_software as intrinsics;

/// Whether the instructions of AVX-512 are functions: see `in_software`.
#[cfg(vpclmulqdq_intrinsics)]
const AVX512_IN_SOFTWARE: bool = cfg!(avx512_in_software);

/// Defines the type of an instruction set; only `detect` makes values of it. The arguments are the documentation, the
/// name, the instructions, whether this CPU has them, and the compiler's names for them. Used by the files in this
/// folder.
macro_rules! token {
    ($(#[$documentation:meta])* $name:ident, $instructions:literal, $is_there:expr, $features:literal) => {
        $(#[$documentation])*
        #[derive(Clone, Copy)]
        pub(crate) struct $name(());

        impl $crate::arch::InstructionSet for $name {
            const INSTRUCTIONS: &'static str = $instructions;

            #[inline(always)]
            fn detect() -> Option<Self> {
                $is_there.then_some($name(()))
            }

            #[inline(always)]
            fn run<T: $crate::arch::Task<Self>>(self, task: T) -> T::Output {
                // SAFETY: to be called only where the CPU has the instructions.
                #[cfg_attr(not(avx512_in_software), target_feature(enable = $features))]
                unsafe fn compiled<T: $crate::arch::Task<$name>>(instructions: $name, task: T) -> T::Output {
                    task.run(instructions)
                }
                // SAFETY: `self` exists only where the CPU has the instructions.
                unsafe { compiled(self, task) }
            }
        }
    };
}
use token;

/// Defines methods of an instruction set by intrinsics. Used by the files in this folder.
macro_rules! by_intrinsics {
    ($(
        $(#[$documentation:meta])*
        $visibility:vis fn $name:ident $(<const $i:ident: $of:ty>)?
        ($this:ident $(, $argument:ident: $kind:ty)*) -> $result:ty $body:block
    )*) => {$(
        $(#[$documentation])*
        #[inline(always)]
        $visibility fn $name $(<const $i: $of>)? ($this $(, $argument: $kind)*) -> $result {
            // SAFETY: `self` exists only where the CPU has the instructions.
            unsafe { $body }
        }
    )*};
}
use by_intrinsics;
