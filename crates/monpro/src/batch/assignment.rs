//! The assignment of tasks to engines.

use super::engine::{BatchEngine, EngineError, EngineFailure};
use super::singles::Singles;
use super::task::PowTask;
use crate::error::Error;
use alloc::borrow::ToOwned;
use alloc::format;
use alloc::vec::Vec;
use core::cmp::Reverse;
use core::ops::Range;
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
    let powers =
        tasks.iter().zip(powers).map(|(task, power)| power.map_or_else(|| singles.pow(task), Ok)).collect();
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
        if has_failed || engine.unavailable_reason().is_some() {
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
    let mut order: Vec<usize> = (0..tasks.len()).filter(is_open).collect();
    order.sort_by_key(|&i| Reverse((tasks[i].work(), i)));
    let works: Vec<u128> = order.iter().map(|&i| tasks[i].work()).collect();
    for group in groups_that_pay(&works, engine.tasks_at_once().max(1), engine.pays_from()) {
        let group = &order[group];
        let group_tasks: Vec<PowTask<'_>> = group.iter().map(|&i| tasks[i]).collect();
        for (&i, power) in group.iter().zip(checked_powers(engine, &group_tasks)?) {
            powers[i] = Some(power);
        }
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

/// Splits tasks, given by their work in descending order, into groups of at most `size` neighbours. The work of a group is
/// at least `pays_from` times that of its first task; tasks that start no such group are left out.
fn groups_that_pay(works: &[u128], size: usize, pays_from: usize) -> Vec<Range<usize>> {
    // before[i] is the sum of the works below index i.
    let sum_next = |sum: &mut u128, &work: &u128| {
        *sum = sum.saturating_add(work);
        Some(*sum)
    };
    let before: Vec<u128> = [0].into_iter().chain(works.iter().scan(0, sum_next)).collect();
    let (mut groups, mut start) = (Vec::new(), 0);
    while start < works.len() {
        let end = start.saturating_add(size).min(works.len());
        if before[end] - before[start] >= works[start].saturating_mul(pays_from as u128) {
            groups.push(start..end);
            start = end;
        } else {
            start += 1;
        }
    }
    groups
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Where the groups begin and end.
    fn groups(works: &[u128], size: usize, pays_from: usize) -> Vec<(usize, usize)> {
        let groups = groups_that_pay(works, size, pays_from);
        groups.into_iter().map(|group| (group.start, group.end)).collect()
    }

    #[test]
    fn groups_have_enough_work_for_their_largest_task() {
        assert_eq!(groups(&[5, 5], 8, 3), []);
        assert_eq!(groups(&[100, 5, 5, 5], 8, 3), [(1, 4)]);
        assert_eq!(groups(&[4, 4, 2, 2], 8, 3), [(0, 4)]);
        assert_eq!(groups(&[4, 4, 2, 1], 8, 3), []);
    }

    #[test]
    fn groups_are_as_large_as_the_engine_takes() {
        assert_eq!(groups(&[1; 19], 8, 3), [(0, 8), (8, 16), (16, 19)]);
        assert_eq!(groups(&[1; 18], 8, 3), [(0, 8), (8, 16)]);
        assert_eq!(groups(&[1; 19], usize::MAX, 3), [(0, 19)]);
        assert_eq!(groups(&[1, 1], 1, 1), [(0, 1), (1, 2)]);
        assert_eq!(groups(&[], 8, 3), []);
    }
}
