//! The instruction sets of x86-64, one file each.
#![allow(unsafe_code)]

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
pub(crate) mod mulx;
pub(crate) mod pclmulqdq;
#[cfg(vpclmulqdq_intrinsics)]
mod vpclmulqdq;

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
                #[target_feature(enable = $features)]
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
