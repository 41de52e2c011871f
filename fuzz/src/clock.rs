//! The processor time of this thread, which other processes do not lengthen.

use nix::time::{ClockId, clock_gettime};
use std::time::Duration;

/// The least processor time of a function over a few runs. It is run again only if a run takes longer than the limit,
/// but not so much longer that nothing else can be the reason.
pub fn time_within(limit: Duration, mut run: impl FnMut()) -> Duration {
    const RUNS: usize = 3;
    const MUCH: u32 = 4;
    let mut least = time_of(&mut run);
    for _ in 1..RUNS {
        if least > limit && least < MUCH * limit {
            least = least.min(time_of(&mut run));
        }
    }
    least
}

/// The processor time of a function.
pub fn time_of(mut run: impl FnMut()) -> Duration {
    let start = now();
    run();
    now() - start
}

fn now() -> Duration {
    clock_gettime(ClockId::CLOCK_THREAD_CPUTIME_ID).expect("a thread has a clock").into()
}
