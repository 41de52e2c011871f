//! The instruction sets, the only home of `unsafe` code in this crate.
//!
//! A value of an instruction set's type exists only where the CPU has the instructions; so its operations are safe, and
//! the algorithms above this folder are safe code.

#[cfg(target_arch = "x86_64")]
pub(crate) mod blocks;
#[cfg(target_arch = "x86_64")]
pub(crate) mod lanes;
#[cfg(target_arch = "x86_64")]
pub(crate) mod x86_64;
