//! The clock of the core: measures how many cycles a nanosecond has at this moment.

use crate::contender::thread_time;
use std::hint::black_box;

/// How often a calibration times its loop. What interrupts the loop makes it longer and nothing makes it shorter, so that
/// the shortest time counts: a peer's threads may still be at work when its turn is over.
const TRIALS: usize = 3;
/// Turns of the loop, each of 8 steps of 2 cycles: about 20 µs in all.
const TURNS: u64 = 5_000;
const CYCLES_OF_TURN: u64 = 16;

/// The cycles in a nanosecond, by a chain of additions and exclusive-ors in registers. Each waits for the one
/// before and takes one cycle on every processor that this runs on. The two alternate so that no compiler can
/// shorten the chain.
pub fn cycles_per_ns() -> f64 {
    let times_ns = (0..TRIALS).map(|_| time_of_chain_ns());
    (TURNS * CYCLES_OF_TURN) as f64 / times_ns.fold(f64::INFINITY, f64::min)
}

fn time_of_chain_ns() -> f64 {
    let (addend, mask) = (black_box(0x9e37_79b9_7f4a_7c15_u64), black_box(0xbf58_476d_1ce4_e5b9_u64));
    let mut x = black_box(1_u64);
    let start = thread_time();
    for _ in 0..TURNS {
        for _ in 0..CYCLES_OF_TURN / 2 {
            x = x.wrapping_add(addend) ^ mask;
        }
    }
    black_box(x);
    (thread_time() - start).as_nanos() as f64
}
