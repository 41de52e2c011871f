//! The instruction sets of AArch64, a file each.
#![allow(unsafe_code)]

pub(crate) mod umulh;
