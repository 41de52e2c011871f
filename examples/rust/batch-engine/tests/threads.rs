//! The engine in its trade: powers of many sizes, RSA's private operations, and beside an engine that fails.

use monpro::{
    BatchEngine, CrtTask, EngineError, PowTask, pow, pow_batch_on, pow_crt_batch, pow_crt_batch_on,
};
use monpro_example_batch_engine::Threads;
use std::process::Command;

/// Bases, exponents and moduli, odd and even, of 1 to 9 words, each longer or shorter than its neighbour.
fn numbers() -> Vec<[Vec<u64>; 3]> {
    let words = |count: usize, seed: u64| -> Vec<u64> {
        (1..=count as u64).map(|i| (i + seed).wrapping_mul(0x9e37_79b9_7f4a_7c15)).collect()
    };
    (0..50).map(|i| [words(i % 7, 1), words(i % 3 + 1, 2), words(i * 5 % 9 + 1, i as u64 + 3)]).collect()
}

fn tasks(numbers: &[[Vec<u64>; 3]]) -> Vec<PowTask<'_>> {
    numbers.iter().map(|[base, exponent, modulus]| PowTask::new(base, exponent, modulus)).collect()
}

#[test]
fn powers_on_all_cores_are_those_computed_singly() {
    let numbers = numbers();
    let tasks = tasks(&numbers);
    let powers = Threads.pow(&tasks).unwrap();
    let expected = |[x, e, n]: &[Vec<u64>; 3]| pow(x, e, n).unwrap();
    assert_eq!(powers, numbers.iter().map(expected).collect::<Vec<_>>());
}

#[test]
fn a_list_with_the_engine_computes_every_task() {
    let numbers = numbers();
    let outcome = pow_batch_on(&[&Threads], &tasks(&numbers));
    assert!(outcome.failures.is_empty());
    for ([x, e, n], power) in numbers.iter().zip(outcome.powers) {
        assert_eq!(power, pow(x, e, n));
    }
}

#[test]
fn private_operations_of_rsa_take_the_engine_too() {
    // p = 11, q = 7, d = 43.
    let bases: Vec<[u64; 1]> = (0..77).map(|x| [x]).collect();
    let task = |base| CrtTask { base, p: &[11], q: &[7], d_p: &[3], d_q: &[1], q_inverse: &[8] };
    let tasks: Vec<CrtTask<'_>> = bases.iter().map(|base| task(base)).collect();
    let outcome = pow_crt_batch_on(&[&Threads], &tasks);
    assert!(outcome.failures.is_empty());
    assert_eq!(outcome.powers, pow_crt_batch(&tasks));
}

/// A device that is gone.
struct Lost;

impl BatchEngine for Lost {
    fn name(&self) -> &str {
        "lost"
    }

    fn needs(&self) -> &str {
        "a device"
    }

    fn unavailable_reason(&self) -> Option<String> {
        None
    }

    fn supports(&self, _: &PowTask<'_>) -> bool {
        true
    }

    fn pow(&self, _: &[PowTask<'_>]) -> Result<Vec<Vec<u64>>, EngineError> {
        Err("the device is lost".into())
    }
}

#[test]
fn the_engine_takes_over_where_another_one_fails() {
    let numbers = numbers();
    let outcome = pow_batch_on(&[&Lost, &Threads], &tasks(&numbers));
    let failures: Vec<String> = outcome.failures.iter().map(ToString::to_string).collect();
    assert_eq!(failures, ["engine lost: the device is lost"]);
    assert!(outcome.powers.into_iter().zip(&numbers).all(|(power, [x, e, n])| power == pow(x, e, n)));
}

#[test]
fn the_program_says_what_it_did() {
    let ended = Command::new(env!("CARGO_BIN_EXE_monpro-example-batch-engine")).output().unwrap();
    let told = String::from_utf8(ended.stdout).unwrap();
    assert!(ended.status.success() && ended.stderr.is_empty(), "{told}");
    assert!(told.starts_with("engine threads") && told.ends_with("40 of 40 powers computed\n"), "{told}");
}
