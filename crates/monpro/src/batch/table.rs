//! The table of the batch engines of this crate.

use super::engine::BatchEngine;
#[cfg(target_arch = "x86_64")]
use super::fma;
#[cfg(all(target_arch = "x86_64", vpclmulqdq_intrinsics))]
use super::{ifma, pairs};
use crate::kernel::Kernel;
use crate::ring::RingName;

/// Every batch engine of this crate, the fastest first. Tests walk this table.
pub static BATCH_ENGINES: &[&dyn BatchEngine] = &[
    #[cfg(all(target_arch = "x86_64", vpclmulqdq_intrinsics))]
    &ifma::Lanes,
    #[cfg(all(target_arch = "x86_64", vpclmulqdq_intrinsics))]
    &pairs::Pairs,
    #[cfg(target_arch = "x86_64")]
    &fma::Lanes,
];

/// The engines of this crate, unless a kernel of single exponentiations was chosen.
pub(crate) fn selected() -> &'static [&'static dyn BatchEngine] {
    match Kernel::override_of(RingName::Integers) {
        None => BATCH_ENGINES,
        Some(_) => &[],
    }
}
