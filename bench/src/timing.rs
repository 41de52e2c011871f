//! Times contenders against each other in rounds: each takes its turn in every round, so that a disturbance
//! affects all.

use crate::clock::cycles_per_ns;
use crate::contender::Contender;
use std::time::Duration;

/// How long to measure.
#[derive(Clone, Copy)]
pub struct Plan {
    /// The number of rounds; in each, every contender runs one batch.
    pub rounds: usize,
    /// The least time of a batch; a batch has at least one step.
    pub batch: Duration,
}

/// The time of an operation: the quartiles over the rounds in nanoseconds, the median and the minimum in
/// cycles.
#[derive(Clone, Copy)]
pub struct Timing {
    pub quartile1_ns: f64,
    pub median_ns: f64,
    pub quartile3_ns: f64,
    pub median_cycles: f64,
    pub least_cycles: f64,
}

/// The time of an operation in one batch.
#[derive(Clone, Copy)]
struct Sample {
    time_ns: f64,
    cycles: f64,
}

impl Timing {
    fn of(samples: &[Sample]) -> Timing {
        let sorted = |value: fn(&Sample) -> f64| {
            let mut values: Vec<f64> = samples.iter().map(value).collect();
            values.sort_by(f64::total_cmp);
            values
        };
        let at = |values: &[f64], share: f64| values[((values.len() - 1) as f64 * share).round() as usize];
        let (times_ns, cycles) = (sorted(|sample| sample.time_ns), sorted(|sample| sample.cycles));
        Timing {
            quartile1_ns: at(&times_ns, 0.25),
            median_ns: at(&times_ns, 0.5),
            quartile3_ns: at(&times_ns, 0.75),
            median_cycles: at(&cycles, 0.5),
            least_cycles: cycles[0],
        }
    }
}

/// Contenders that do the same operation on the same operands, with their times so far.
pub struct Heat {
    runners: Vec<Runner>,
}

struct Runner {
    contender: Contender,
    steps: u64,
    samples: Vec<Sample>,
}

impl Heat {
    /// Finds how many steps of each contender take the time of a batch.
    pub fn new(contenders: Vec<Contender>, batch: Duration) -> Heat {
        let runner = |mut contender| {
            let steps = steps_of_batch(&mut contender, batch);
            Runner { contender, steps, samples: Vec::new() }
        };
        Heat { runners: contenders.into_iter().map(runner).collect() }
    }

    /// Lets each contender run a batch.
    pub fn run_round(&mut self) {
        for runner in &mut self.runners {
            runner.samples.push(sample(&mut runner.contender, runner.steps));
        }
    }

    /// Each contender with its timing over the rounds, of which there was at least one.
    pub fn timings(&self) -> impl Iterator<Item = (&Contender, Timing)> {
        self.runners.iter().map(|runner| (&runner.contender, Timing::of(&runner.samples)))
    }
}

/// Times one batch. The clock of the core is measured before and after it.
fn sample(contender: &mut Contender, steps: u64) -> Sample {
    let before = cycles_per_ns();
    let time_ns = contender.time_ns(steps) / (steps * contender.operation.count) as f64;
    Sample { time_ns, cycles: time_ns * (before + cycles_per_ns()) / 2.0 }
}

/// The number of steps that fill a batch. The search also warms up.
fn steps_of_batch(contender: &mut Contender, batch: Duration) -> u64 {
    let batch_ns = batch.as_nanos() as f64;
    let mut steps = 1;
    loop {
        let needed_ns = contender.time_ns(steps);
        if needed_ns >= batch_ns {
            return steps;
        }
        let factor = (1.1 * batch_ns / needed_ns.max(1.0)).clamp(1.1, 10.0);
        steps = (steps as f64 * factor).ceil() as u64;
    }
}
