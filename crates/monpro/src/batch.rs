//! Many exponentiations at once: several numbers in the lanes of vectors, each with a modulus and an exponent of
//! its own.

mod crt;
#[cfg(all(target_arch = "x86_64", vpclmulqdq_intrinsics))]
mod ifma;
mod singles;
mod task;

pub use crt::{CrtTask, pow_crt_batch};
pub use task::PowTask;

use crate::error::Error;
use crate::kernel::{Kernel, Requirement};
use crate::natural;
use crate::ring::RingName;
use alloc::vec::Vec;
use crt::{Halves, Quotient};
use singles::Singles;
use task::BoundedTask;

/// One way to exponentiate modulo several odd moduli at once.
///
/// The contract of every batch kernel: 1 to `lanes` tasks, whose moduli are odd and that it supports; powers come
/// in the order of the tasks, in ⌈bits of n/64⌉ words; time and addresses depend on the bit lengths of the moduli,
/// on the longest bound of an exponent and on the numbers of words of bases, not on their values.
pub struct BatchKernel {
    /// The name in the table: `batch`, then the instruction set.
    pub name: &'static str,
    /// The exponentiations that it does in the time of one.
    pub lanes: usize,
    requires: Requirement,
    /// Whether it takes an odd modulus of n_bits bits.
    supports: fn(n_bits: usize) -> bool,
    /// The least sum of the tasks' work, each relative to the largest one's, for which the batch is faster than one
    /// after the other.
    pays_from: usize,
    pow: fn(tasks: &[BoundedTask<'_>]) -> Vec<Vec<u64>>,
    /// The same contract for the quotients of Garner's recombination.
    quotients: fn(halves: &[Halves<'_>]) -> Vec<Quotient>,
}

/// Every batch kernel there is, the fastest first. Tests and benchmarks walk this table.
pub static BATCH_KERNELS: &[BatchKernel] = &[
    #[cfg(all(target_arch = "x86_64", vpclmulqdq_intrinsics))]
    ifma::KERNEL,
];

impl BatchKernel {
    /// The fastest that there is on this CPU, unless a kernel of single exponentiations was chosen.
    fn fastest() -> Option<&'static BatchKernel> {
        let is_overridden = Kernel::override_of(RingName::Integers).is_some();
        BATCH_KERNELS.iter().find(|kernel| kernel.is_available() && !is_overridden)
    }

    /// Whether this CPU has the instructions that the kernel needs.
    pub fn is_available(&self) -> bool {
        (self.requires.is_met)()
    }

    /// The instructions that the kernel needs.
    pub fn required_instructions(&self) -> &'static str {
        self.requires.instructions
    }

    /// Whether the kernel takes this modulus.
    pub fn supports(&self, modulus: &[u64]) -> bool {
        modulus.first().is_some_and(|low| low & 1 == 1) && (self.supports)(natural::bit_length(modulus))
    }
}

/// xᵉ mod n for each of the tasks, in their order, each in ⌈bits of n/64⌉ words: in lanes where there are enough
/// tasks of about a size, one after the other where not, where the CPU has no batch kernel, or where
/// [`Kernel::override_selection`] has chosen a kernel.
///
/// Time and addresses depend on the bit lengths of moduli and exponents, on the numbers of words of bases, and on whether
/// neighbours have the same modulus. In lanes the longest exponent determines the time of all.
///
/// ```
/// use monpro::{PowTask, pow_batch};
///
/// let tasks = [7, 11, 13].map(|n| [n]).map(|modulus| (modulus, [3], [2]));
/// let tasks = tasks.each_ref().map(|(modulus, base, exponent)| PowTask { base, exponent, modulus });
/// assert_eq!(pow_batch(&tasks), [Ok(vec![2]), Ok(vec![9]), Ok(vec![9])]);
/// ```
///
/// # Errors
/// [`Error::ZeroModulus`], in the place of the power.
pub fn pow_batch(tasks: &[PowTask<'_>]) -> Vec<Result<Vec<u64>, Error>> {
    pow_bounded_batch(&tasks.iter().map(|&task| task.into()).collect::<Vec<_>>())
}

/// The same for exponents below bounds.
fn pow_bounded_batch(tasks: &[BoundedTask<'_>]) -> Vec<Result<Vec<u64>, Error>> {
    match BatchKernel::fastest() {
        Some(kernel) => pow_batch_with(kernel, kernel.pays_from, tasks),
        None => {
            let mut singles = Singles::default();
            tasks.iter().map(|task| singles.pow(task)).collect()
        }
    }
}

/// The same with this batch kernel, wherever it takes the modulus.
///
/// # Errors
/// [`Error::ZeroModulus`] and [`Error::KernelUnavailable`], in the place of the power.
pub fn pow_batch_by(kernel: &BatchKernel, tasks: &[PowTask<'_>]) -> Vec<Result<Vec<u64>, Error>> {
    if !kernel.is_available() {
        let error = Error::KernelUnavailable { kernel: kernel.name, needs: kernel.required_instructions() };
        return tasks.iter().map(|_| Err(error.clone())).collect();
    }
    pow_batch_with(kernel, 1, &tasks.iter().map(|&task| task.into()).collect::<Vec<_>>())
}

/// In lanes from the largest task down, as long as the next tasks' work is together `pays_from` times the largest's.
fn pow_batch_with(
    kernel: &BatchKernel,
    pays_from: usize,
    tasks: &[BoundedTask<'_>],
) -> Vec<Result<Vec<u64>, Error>> {
    let supports = |&i: &usize| kernel.supports(tasks[i].task.modulus);
    let mut order: Vec<usize> = (0..tasks.len()).filter(supports).collect();
    order.sort_by_key(|&i| core::cmp::Reverse((tasks[i].work(), i)));
    let mut powers: Vec<Option<Vec<u64>>> = tasks.iter().map(|_| None).collect();
    let mut rest = &order[..];
    while let [largest, ..] = rest {
        let group = &rest[..kernel.lanes.min(rest.len())];
        let group_work: usize = group.iter().map(|&i| tasks[i].work()).sum();
        if group_work < pays_from * tasks[*largest].work() {
            rest = &rest[1..];
            continue;
        }
        let group_tasks: Vec<BoundedTask<'_>> = group.iter().map(|&i| tasks[i]).collect();
        for (&i, power) in group.iter().zip((kernel.pow)(&group_tasks)) {
            powers[i] = Some(power);
        }
        rest = &rest[group.len()..];
    }
    let mut singles = Singles::default();
    tasks.iter().zip(powers).map(|(task, power)| power.map_or_else(|| singles.pow(task), Ok)).collect()
}
