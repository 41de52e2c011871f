//! A library's way to do one operation, as a chain of steps: each step needs the result of the one before.

use crate::operands::Operands;
use nix::time::ClockId;
use num_bigint::BigUint;
use std::hint::black_box;
use std::time::Duration;

/// The operation that is timed.
#[derive(Clone, Copy)]
pub struct Operation {
    /// Its name in the recorded figures.
    pub name: &'static str,
    /// Its name in the tables.
    pub title: &'static str,
    /// The number of operations in a step.
    pub count: u64,
    /// The running value after one step from z, by plain arithmetic: every contender must give the same.
    pub step: fn(z: &BigUint, operands: &Operands) -> BigUint,
}

impl PartialEq for Operation {
    fn eq(&self, other: &Operation) -> bool {
        self.name == other.name
    }
}

impl Operation {
    /// The first three values of a chain, which starts with x.
    pub fn answers(&self, operands: &Operands) -> [BigUint; 3] {
        let first = (self.step)(&operands.x, operands);
        let second = (self.step)(&first, operands);
        let third = (self.step)(&second, operands);
        [first, second, third]
    }
}

/// A library's way to do an operation on the operands of one size; the running value starts as x.
pub struct Contender {
    pub library: String,
    /// Which of the library's ways it is, such as the name of a kernel.
    pub engine: String,
    pub operation: Operation,
    chain: Box<dyn Chain>,
}

impl Contender {
    /// A contender within this program whose running value is a `Z`: `step` advances it by one step, `value`
    /// returns the number that it represents.
    pub fn new<Z: 'static>(
        (library, engine): (&str, &str),
        operation: Operation,
        start: Z,
        step: impl FnMut(&mut Z) + 'static,
        value: impl Fn(&Z) -> BigUint + 'static,
    ) -> Contender {
        Contender::of_chain((library, engine), operation, Box::new(Running { z: start, step, value }))
    }

    /// A contender with its own kind of chain.
    pub fn of_chain(
        (library, engine): (&str, &str),
        operation: Operation,
        chain: Box<dyn Chain>,
    ) -> Contender {
        Contender { library: library.to_owned(), engine: engine.to_owned(), operation, chain }
    }

    /// Does `steps` steps. Returns their time in nanoseconds, as the CPU time of the thread that does them,
    /// so that other threads do not count.
    pub fn time_ns(&mut self, steps: u64) -> f64 {
        self.chain.time_ns(steps)
    }

    /// Does the first three steps, and returns whether they give these answers.
    pub fn is_right(&mut self, answers: &[BigUint; 3]) -> bool {
        answers.iter().all(|answer| {
            self.chain.time_ns(1);
            self.chain.value() == *answer
        })
    }
}

/// A running value that advances by steps.
pub trait Chain {
    /// Does `steps` steps, and returns their time in nanoseconds.
    fn time_ns(&mut self, steps: u64) -> f64;
    /// The running value.
    fn value(&self) -> BigUint;
}

struct Running<Z, S, V> {
    z: Z,
    step: S,
    value: V,
}

impl<Z, S: FnMut(&mut Z), V: Fn(&Z) -> BigUint> Chain for Running<Z, S, V> {
    fn time_ns(&mut self, steps: u64) -> f64 {
        let start = thread_time();
        for _ in 0..steps {
            (self.step)(&mut self.z);
        }
        black_box(&self.z);
        (thread_time() - start).as_nanos() as f64
    }

    fn value(&self) -> BigUint {
        (self.value)(&self.z)
    }
}

/// The CPU time of this thread.
pub fn thread_time() -> Duration {
    Duration::from(ClockId::CLOCK_THREAD_CPUTIME_ID.now().expect("the kernel has a clock for each thread"))
}
