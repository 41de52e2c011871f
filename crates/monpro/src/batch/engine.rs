//! The trait of batch engines, and their failures.

use super::halves::{CrtHalves, Quotient};
use super::task::PowTask;
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

/// The reason why an engine could not compute, of any type. `Err("the device is lost".into())` makes one from text.
pub type EngineError = Box<dyn core::error::Error + Send + Sync>;

/// A way to compute many powers at once: lanes of vectors, threads, a graphics processor.
///
/// Any crate can implement this trait. [`pow_batch_on`](super::pow_batch_on) and
/// [`pow_crt_batch_on`](super::pow_crt_batch_on) take a list of engines; [`BATCH_ENGINES`](super::BATCH_ENGINES) lists
/// the engines of this crate.
///
/// # The contract
/// - Powers come in the order of the tasks, each below n and in exactly [`PowTask::power_words`] words, the lowest
///   first.
/// - Time, addresses and every choice of the engine depend only on what is public of the tasks. [`PowTask`] says what
///   that is.
/// - The engine erases its copies of the numbers and its intermediate values. The powers are the caller's to erase.
/// - An engine that fails returns an error and no powers. It does not panic, because the other tasks of the batch would
///   be lost.
pub trait BatchEngine: Sync {
    /// The name of the engine; no two engines of a list have the same.
    fn name(&self) -> &str;

    /// The instructions, devices or drivers that the engine needs, in words; empty if it needs none.
    fn needs(&self) -> &str;

    /// The reason why the engine cannot run on this machine, in words that follow "the engine"; None if it can.
    fn unavailable_reason(&self) -> Option<String>;

    /// Whether the engine can run on this machine. The default asks for the reason, which takes memory; every batch asks
    /// for this.
    fn is_available(&self) -> bool {
        self.unavailable_reason().is_none()
    }

    /// Whether the engine can compute the power, judged by what is public of the task. The modulus is not 0.
    fn supports(&self, task: &PowTask<'_>) -> bool;

    /// The number of like tasks, with moduli and exponents of these bit lengths, from which on the engine is faster than one
    /// power after the other.
    ///
    /// A group of unlike tasks is taken to cost as much as like ones, each with the longest modulus, exponent and base of
    /// the group, because each lane does the work of all. The engine gets a group only if its tasks apart cost at least
    /// `pays_from` times as much as one such task, less one part in 32. The cost of a power is about the number of bits of its
    /// exponent times the square of the number of words of its modulus.
    fn pays_from(&self, _modulus_bits: usize, _exponent_bits: usize) -> usize {
        1
    }

    /// The largest number of tasks that the engine takes at once. The default is any number.
    fn tasks_at_once(&self) -> usize {
        usize::MAX
    }

    /// The powers xᵉ mod n of 1 to [`tasks_at_once`](BatchEngine::tasks_at_once) tasks that the engine supports. A list
    /// from [`pow_batch_on`](super::pow_batch_on) begins with the longest modulus.
    ///
    /// # Errors
    /// The engine's own. Other engines then compute these tasks, and this engine is not asked again in the same batch.
    fn pow(&self, tasks: &[PowTask<'_>]) -> Result<Vec<Vec<u64>>, EngineError>;

    /// The engine with the constants of this odd modulus, for many lists of tasks. It supports only tasks with this modulus,
    /// and, where a public exponent is given, only tasks with this one. Its time may depend on that exponent.
    ///
    /// The default, None, is for an engine that would gain nothing.
    fn with_modulus(
        &self,
        _modulus: &[u64],
        _exponent_vartime: Option<&[u64]>,
    ) -> Option<Box<dyn BatchEngine>> {
        None
    }

    /// The quotients (a − b)·q⁻¹ mod p of Garner's recombination, each in as many words as a, for 1 to
    /// [`tasks_at_once`](BatchEngine::tasks_at_once) pairs of powers whose tasks modulo p the engine supports. A quotient
    /// is None if q·qInv mod p is not 1.
    ///
    /// The default, None, is for an engine without a fast way to compute them.
    ///
    /// # Errors
    /// As those of [`pow`](BatchEngine::pow).
    fn quotients(&self, _halves: &[CrtHalves<'_>]) -> Option<Result<Vec<Quotient>, EngineError>> {
        None
    }
}

/// An engine that failed in a batch. Its tasks were computed by other engines, or one after the other.
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
