//! Times contenders against each other: round by round, each in turn, so that what disturbs one disturbs all.

use crate::contender::Contender;
use std::time::Duration;

/// How long to measure.
#[derive(Clone, Copy)]
pub struct Plan {
    /// Every contender runs one batch a round.
    pub rounds: usize,
    /// What a batch takes at least; a batch has at least one step.
    pub batch: Duration,
}

/// What a step takes: the quartiles over the rounds, in nanoseconds.
#[derive(Clone, Copy)]
pub struct Timing {
    pub quartile1_ns: f64,
    pub median_ns: f64,
    pub quartile3_ns: f64,
}

impl Timing {
    fn of(mut rounds_ns: Vec<f64>) -> Timing {
        rounds_ns.sort_by(f64::total_cmp);
        let at = |share: f64| rounds_ns[((rounds_ns.len() - 1) as f64 * share).round() as usize];
        Timing { quartile1_ns: at(0.25), median_ns: at(0.5), quartile3_ns: at(0.75) }
    }
}

/// The timing of each contender.
pub fn race(contenders: &mut [&mut Contender], plan: Plan) -> Vec<Timing> {
    let steps: Vec<u64> =
        contenders.iter_mut().map(|contender| steps_of_batch(contender, plan.batch)).collect();
    let mut rounds_ns = vec![Vec::with_capacity(plan.rounds); contenders.len()];
    for _ in 0..plan.rounds {
        for (i, contender) in contenders.iter_mut().enumerate() {
            rounds_ns[i].push(contender.time_ns(steps[i]) / steps[i] as f64);
        }
    }
    rounds_ns.into_iter().map(Timing::of).collect()
}

/// How many steps fill a batch; finding it warms up.
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
