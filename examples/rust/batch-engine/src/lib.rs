//! A batch engine for monpro, written in another crate: it spreads the tasks over the cores of the machine.
//!
//! All that it takes is a type that implements [`BatchEngine`], and a line where it is used:
//! `pow_batch_on(&[&Threads], &tasks)`.

use monpro::{BatchEngine, EngineError, PowTask, pow_batch};
use std::num::NonZeroUsize;
use std::sync::Mutex;
use std::thread;

/// The tasks that a thread takes at a time: as many as monpro's own engine has lanes.
const TASKS_AT_A_TIME: usize = 8;

/// A thread on every core. Each takes the next few tasks and computes them as [`pow_batch`] does.
pub struct Threads;

/// The index of a group of tasks, and their powers.
type Done = (usize, Vec<Vec<u64>>);

impl BatchEngine for Threads {
    fn name(&self) -> &str {
        "threads"
    }

    fn needs(&self) -> &str {
        "more than one core"
    }

    fn unavailable_reason(&self) -> Option<String> {
        (cores() == 1).then(|| "needs more than one core, and this machine lends one".to_owned())
    }

    /// All, odd and even: what [`pow_batch`] does is whatever the CPU does fastest.
    fn supports(&self, _: &PowTask<'_>) -> bool {
        true
    }

    /// From two groups on, a second thread has something to do.
    fn pays_from(&self, _modulus_bits: usize, _exponent_bits: usize) -> usize {
        TASKS_AT_A_TIME + 1
    }

    fn pow(&self, tasks: &[PowTask<'_>]) -> Result<Vec<Vec<u64>>, EngineError> {
        let groups = Mutex::new(tasks.chunks(TASKS_AT_A_TIME).enumerate());
        let next = || groups.lock().ok()?.next();
        let work = || -> Result<Vec<Done>, monpro::Error> {
            let power_group = |(i, group)| Ok((i, pow_batch(group).into_iter().collect::<Result<_, _>>()?));
            std::iter::from_fn(next).map(power_group).collect()
        };
        let mut done = thread::scope(|scope| -> Result<Vec<Done>, EngineError> {
            let start = |_| thread::Builder::new().spawn_scoped(scope, work);
            let threads = (0..cores()).map(start).collect::<Result<Vec<_>, _>>()?;
            let mut done = Vec::new();
            for thread in threads {
                done.extend(thread.join().map_err(|_| "a thread ended before its time")??);
            }
            Ok(done)
        })?;
        done.sort_by_key(|&(i, _)| i);
        Ok(done.into_iter().flat_map(|(_, powers)| powers).collect())
    }
}

/// The cores that this process may use.
fn cores() -> usize {
    thread::available_parallelism().map_or(1, NonZeroUsize::get)
}
