//! The kernels: every way this crate computes z = x·y·R⁻¹ mod n, and the choice of one for a modulus.

mod arithmetic;
#[cfg(any(target_arch = "aarch64", target_arch = "x86_64"))]
pub(crate) mod blocks;
mod cihs;
mod cios;
mod cios_pairs;
mod contract;
#[cfg(target_arch = "x86_64")]
pub(crate) mod faster;
mod fios;
mod fips;
#[cfg(target_arch = "x86_64")]
mod fma;
#[cfg(all(target_arch = "x86_64", vpclmulqdq_intrinsics))]
mod ifma;
#[cfg(target_arch = "x86_64")]
mod lanes;
#[cfg(target_arch = "x86_64")]
mod pclmulqdq;
mod preferred;
mod scanning;
mod select;
mod sos;
mod standard;
mod table;

pub use contract::Kernel;
pub(crate) use contract::{AlmostInverse, Constants, Divisor, PowerSteps};
pub use table::KERNELS;
