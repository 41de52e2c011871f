//! Many exponentiations at once, each with a base, an exponent and a modulus of its own, by engines that compute several
//! together.

mod assignment;
mod cost;
mod crt;
mod engine;
#[cfg(target_arch = "x86_64")]
mod fma;
mod halves;
#[cfg(all(target_arch = "x86_64", vpclmulqdq_intrinsics))]
mod ifma;
#[cfg(all(target_arch = "x86_64", vpclmulqdq_intrinsics))]
mod pairs;
mod singles;
mod table;
mod task;
mod two_moduli;

pub use assignment::BatchOutcome;
pub use crt::{CrtTask, pow_crt_batch, pow_crt_batch_on};
pub use engine::{BatchEngine, EngineError, EngineFailure};
pub use halves::{CrtHalves, Quotient};
pub use table::BATCH_ENGINES;
#[cfg(feature = "columns")]
pub(crate) use table::selected;
pub use task::PowTask;
pub use two_moduli::TwoModuli;

use crate::error::Error;
use alloc::vec::Vec;

/// xᵉ mod n for each of the tasks, in their order, each in ⌈bits of n/64⌉ words.
///
/// Where there are enough tasks of about one size, an engine of this crate computes them together, if that costs no more
/// than the tasks apart. Other tasks are computed one after the other. So are all tasks if the CPU has no such engine, or if
/// [`Kernel::override_selection`](crate::Kernel::override_selection) has chosen a kernel.
///
/// Time and addresses depend on the bit lengths of moduli, on the bounds of exponents, on the numbers of words of
/// bases, and on whether neighbouring tasks have the same modulus. Among tasks computed in lanes, the longest
/// exponent determines the time of all.
///
/// ```
/// use monpro::{PowTask, pow_batch};
///
/// let moduli = [[7], [11], [13]];
/// let tasks = moduli.each_ref().map(|modulus| PowTask::new(&[3], &[2], modulus));
/// assert_eq!(pow_batch(&tasks), [Ok(vec![2]), Ok(vec![9]), Ok(vec![9])]);
/// ```
///
/// # Errors
/// [`Error::ZeroModulus`], in place of the power.
#[must_use]
pub fn pow_batch(tasks: &[PowTask<'_>]) -> Vec<Result<Vec<u64>, Error>> {
    pow_batch_on(table::selected(), tasks).powers
}

/// The same powers by the engines of this list. Each engine in turn takes the tasks that it supports and that pay for
/// it; tasks that no engine takes are computed one after the other. [`BATCH_ENGINES`] may be part of the list:
/// `[&[&outside as &dyn BatchEngine], BATCH_ENGINES].concat()`.
///
/// An engine that cannot run on this machine is passed over. An engine that fails is not asked again in this call: its
/// tasks go on to the next one, and the outcome has its name and the reason.
/// [`Kernel::override_selection`](crate::Kernel::override_selection) applies to the powers computed one after the other.
pub fn pow_batch_on(engines: &[&dyn BatchEngine], tasks: &[PowTask<'_>]) -> BatchOutcome {
    assignment::assign(engines, tasks)
}
