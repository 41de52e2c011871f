//! The assignment of tasks to engines.

use super::cost::{Lengths, groups_that_pay};
use super::engine::{BatchEngine, EngineError, EngineFailure};
use super::singles::Singles;
use super::task::PowTask;
use crate::error::Error;
use crate::progress::advance;
use alloc::borrow::ToOwned;
use alloc::format;
use alloc::vec::Vec;
use zeroize::Zeroize;

/// The powers of a batch, and the engines that failed.
#[derive(Debug)]
pub struct BatchOutcome {
    /// The powers in the order of the tasks, or an error in place of a power.
    pub powers: Vec<Result<Vec<u64>, Error>>,
    /// The engines that failed, each once. The powers are complete nevertheless.
    pub failures: Vec<EngineFailure>,
}

/// The powers of the tasks. Each engine in turn takes the tasks that pay for it; the rest is computed one after the other.
pub(super) fn assign(engines: &[&dyn BatchEngine], tasks: &[PowTask<'_>]) -> BatchOutcome {
    let mut powers: Vec<Option<Vec<u64>>> = tasks.iter().map(|_| None).collect();
    let mut failures = Vec::new();
    ask_each(engines, &mut failures, |engine| compute_by(engine, tasks, &mut powers));
    let mut singles = Singles::default();
    let mut single = |task| {
        let power = singles.pow(task);
        advance(1);
        power
    };
    let powers =
        tasks.iter().zip(powers).map(|(task, power)| power.map_or_else(|| single(task), Ok)).collect();
    BatchOutcome { powers, failures }
}

/// Calls `part` with each engine that runs here and has not failed yet, and records failures.
pub(super) fn ask_each(
    engines: &[&dyn BatchEngine],
    failures: &mut Vec<EngineFailure>,
    mut part: impl FnMut(&dyn BatchEngine) -> Result<(), EngineError>,
) {
    for &engine in engines {
        let has_failed = failures.iter().any(|failure| failure.engine == engine.name());
        if has_failed || !engine.is_available() {
            continue;
        }
        if let Err(error) = part(engine) {
            failures.push(EngineFailure { engine: engine.name().to_owned(), error });
        }
    }
}

/// Computes by this engine the missing powers that it supports and that pay for it.
fn compute_by(
    engine: &dyn BatchEngine,
    tasks: &[PowTask<'_>],
    powers: &mut [Option<Vec<u64>>],
) -> Result<(), EngineError> {
    let is_open =
        |&i: &usize| powers[i].is_none() && tasks[i].modulus_bits() > 0 && engine.supports(&tasks[i]);
    let open = (0..tasks.len()).filter(is_open).map(|i| (i, tasks[i].lengths())).collect();
    let pays_from = |like: Lengths| engine.pays_from(64 * like.words, like.exponent_bits);
    for group in groups_that_pay(open, engine.tasks_at_once(), pays_from) {
        let group_tasks: Vec<PowTask<'_>> = group.iter().map(|&i| tasks[i]).collect();
        for (&i, power) in group.iter().zip(checked_powers(engine, &group_tasks)?) {
            powers[i] = Some(power);
        }
        advance(group.len());
    }
    Ok(())
}

/// The engine's powers; an error unless their number and their lengths are right.
fn checked_powers(engine: &dyn BatchEngine, tasks: &[PowTask<'_>]) -> Result<Vec<Vec<u64>>, EngineError> {
    let mut powers = engine.pow(tasks)?;
    let lengths = tasks.iter().map(PowTask::power_words);
    if powers.iter().map(Vec::len).eq(lengths) {
        return Ok(powers);
    }
    powers.zeroize();
    Err(format!("it returned powers of a wrong number or length for {} tasks", tasks.len()).into())
}
