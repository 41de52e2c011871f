//! The instruction sets of AArch64, one file each.
#![allow(unsafe_code)]

pub(crate) mod umulh;
