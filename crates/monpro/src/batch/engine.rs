//! What an engine of batches is, and what it may fail with.

use super::halves::{CrtHalves, Quotient};
use super::task::PowTask;
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

/// Why an engine could not compute, in its own type; `Err("the device is lost".into())` makes one of a line of text.
pub type EngineError = Box<dyn core::error::Error + Send + Sync>;

/// A way to compute many powers at once: lanes of vectors, threads, a graphics processor.
///
/// An engine is a value that implements this trait, in any crate: [`pow_batch_on`](super::pow_batch_on) and
/// [`pow_crt_batch_on`](super::pow_crt_batch_on) take a list of them, [`BATCH_ENGINES`](super::BATCH_ENGINES) is the
/// list of those of this crate.
///
/// # The contract
/// - Powers come in the order of the tasks, each below n and in exactly [`PowTask::power_words`] words, the lowest
///   first.
/// - Time, addresses, and what leaves the processor's core otherwise than as the numbers themselves depend on what is
///   public of the tasks alone, which [`PowTask`] says. What an engine chooses by, it takes from there.
/// - What an engine copies of the numbers, and what it computes on the way, it erases. The powers are the caller's.
/// - An engine that fails returns an error, and no powers. It does not panic: the other tasks of the batch would be lost.
pub trait BatchEngine: Sync {
    /// The name by which it is listed, among all engines the only one.
    fn name(&self) -> &str;

    /// What it needs of the machine, in words: instructions, or a device and its driver; empty where nothing.
    fn needs(&self) -> &str;

    /// Why it cannot compute on this machine, in words that follow "the engine"; None where it can.
    fn unavailable_reason(&self) -> Option<String>;

    /// Whether it can compute the power, by what is public of the task; n is not 0.
    fn supports(&self, task: &PowTask<'_>) -> bool;

    /// The least work, in units of the largest task's, for which the engine is faster than one power after the other.
    ///
    /// A task's work is the bits of its exponent times the square of the words of its modulus. Where it is 3, three
    /// tasks of one size are enough, and two of a size with two of half that work.
    fn pays_from(&self) -> usize {
        1
    }

    /// The most tasks that it takes at once; any number, unless it says otherwise.
    fn tasks_at_once(&self) -> usize {
        usize::MAX
    }

    /// The powers xᵉ mod n for 1 to [`tasks_at_once`](BatchEngine::tasks_at_once) tasks that it supports.
    ///
    /// # Errors
    /// The engine's own, where it computed none of them. Its tasks are then another engine's, and this one is not asked
    /// again in the same batch.
    fn pow(&self, tasks: &[PowTask<'_>]) -> Result<Vec<Vec<u64>>, EngineError>;

    /// (a − b)·q⁻¹ mod p in the words of p, by which Garner's recombination goes on, for 1 to
    /// [`tasks_at_once`](BatchEngine::tasks_at_once) pairs of powers whose tasks modulo p it supports; None in the place
    /// of those where q·qInv mod p is not 1. An engine without a fast way of its own leaves this method out.
    fn quotients(&self, _halves: &[CrtHalves<'_>]) -> Option<Result<Vec<Quotient>, EngineError>> {
        None
    }
}

/// An engine that failed in a batch: its tasks were computed by another one, or one after the other.
#[derive(Debug)]
pub struct EngineFailure {
    /// The name of the engine.
    pub engine: String,
    /// Why it failed.
    pub error: EngineError,
}

impl fmt::Display for EngineFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "engine {}: {}", self.engine, self.error)
    }
}

impl core::error::Error for EngineFailure {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        Some(&*self.error)
    }
}
