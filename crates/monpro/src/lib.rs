//! Montgomery arithmetic over the integers and over GF(2)\[x\]: the product x·y·R⁻¹ mod n by every good
//! method, and exponentiation with it.
//!
//! A [`Modulus`] holds n, the [`Kernel`] chosen for it and every constant of that kernel; a [`Residue`] is a
//! value in Montgomery form. Numbers are little-endian slices of 64-bit words; [`natural`] converts them from
//! and to bytes.
//!
//! ```
//! use monpro::Modulus;
//!
//! let n = Modulus::new(&[101])?;
//! let x = n.residue(&[7]);
//! assert_eq!((&x * &x).to_number(), [49]);
//! assert_eq!(x.pow(&[100]).to_number(), [1]);
//! # Ok::<(), monpro::Error>(())
//! ```
//!
//! Every operation takes time independent of the values, except where its name ends in `_vartime`; lengths
//! are public. [`pow()`] and, for many powers at once, [`pow_batch()`] take any modulus ≥ 1, odd or even.

#![no_std]

extern crate alloc;
#[cfg(feature = "cancellation")]
extern crate std;

#[cfg(any(target_arch = "aarch64", target_arch = "x86_64"))]
mod arch;
mod array_field;
mod batch;
mod binary_field;
pub mod cancellation;
#[cfg(feature = "columns")]
pub mod columns;
mod crt;
pub mod diffie_hellman;
mod division;
mod error;
pub mod fixed;
mod inverse;
mod kernel;
mod modexp;
mod modulus;
mod monoid;
pub mod n0;
pub mod natural;
pub mod number_theory;
mod pow;
mod power;
mod power_of_two;
mod powers;
mod product;
pub mod progress;
mod residue;
pub mod ring;
pub mod word;

pub use array_field::{ARRAY_ENGINES, ArrayEngine, ArrayField, ArrayWord, Shape};
pub use batch::{
    BATCH_ENGINES, BatchEngine, BatchOutcome, CrtHalves, CrtTask, EngineError, EngineFailure, PowTask,
    Quotient, TwoModuli, pow_batch, pow_batch_on, pow_crt_batch, pow_crt_batch_on,
};
pub use binary_field::{BinaryField, FieldElement, FieldError};
pub use crt::garner;
pub use error::Error;
pub use inverse::{inverse, inverse_vartime};
pub use kernel::{KERNELS, Kernel};
pub use modexp::{modexp, modexp_vartime};
pub use modulus::Modulus;
pub use pow::{pow, pow_with};
pub use power::{MAX_EXPONENT_BITS, Method};
pub use powers::FixedBase;
pub use residue::{Residue, Scratch};
