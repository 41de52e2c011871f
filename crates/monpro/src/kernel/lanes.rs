//! Kernels of GF(2)\[x\] on vectors of lanes: 128 bits each, with a carry-less product of two words in every lane.
//!
//! The algorithms are written once, in safe code, for digits of L lanes; [`Lanes`] is what L = 1, 2 and 4 of them take
//! from the CPU, and compiles the algorithms for it. Residues lie in whole digits. docs/0003 says why the
//! leading coefficient of n may be left out, docs/0004 which kernel is fast where.

mod columns;
mod division_steps;
mod karatsuba;
mod method;
mod reduction;
mod selection;
mod sparse;
mod words;

use super::contract::{Constants, Divisor};
use crate::arch::lanes::Lanes;
pub(super) use karatsuba::Karatsuba;
pub(super) use method::kernel;
pub(super) use sparse::Sparse;
pub(super) use words::Words;
