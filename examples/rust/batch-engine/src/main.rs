//! Powers by an engine from outside, and what is left by those of monpro.

use monpro::{BATCH_ENGINES, BatchEngine, PowTask, pow_batch_on};
use monpro_example_batch_engine::Threads;

fn main() {
    // 3^(2^61 − 1) modulo 40 numbers of 256 bits.
    let moduli: Vec<[u64; 4]> = (1..=40).map(|i| [2 * i + 1, 0, 0, 1 << 63]).collect();
    let tasks: Vec<PowTask<'_>> =
        moduli.iter().map(|modulus| PowTask::new(&[3], &[(1 << 61) - 1], modulus)).collect();

    let engines = [&[&Threads as &dyn BatchEngine], BATCH_ENGINES].concat();
    let outcome = pow_batch_on(&engines, &tasks);

    for failure in &outcome.failures {
        eprintln!("{failure}; its powers were computed otherwise");
    }
    for engine in engines {
        let state = engine.unavailable_reason().unwrap_or_else(|| "runs here".to_owned());
        println!("engine {:<12} {state}", engine.name());
    }
    let powers = outcome.powers.iter().filter(|power| power.is_ok()).count();
    println!("{powers} of {} powers computed", tasks.len());
}
