//! Kernels of GF(2)\[x\] on vectors of 128-bit lanes, with a carry-less product of two words in every lane.
//!
//! The algorithms are written once, in safe code, for digits of L lanes. [`Lanes`] supplies the operations of the CPU
//! for L = 1, 2 and 4, and compiles the algorithms for it. A residue fills whole digits. docs/0003 explains why the
//! leading coefficient of n may be left out, docs/0004 which kernel is fast for which modulus.

mod columns;
mod division_steps;
mod karatsuba;
mod method;
mod reduction;
mod row;
mod selection;
mod sparse;
mod words;

use super::contract::{Constants, Divisor};
use crate::arch::lanes::Lanes;
pub(super) use karatsuba::Karatsuba;
pub(super) use row::kernel;
pub(super) use sparse::Sparse;
pub(super) use words::Words;
