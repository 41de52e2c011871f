//! Powers of unlike sizes in one batch: each compared with GMP, and all together no dearer than twice one after the
//! other.
#![no_main]

use libfuzzer_sys::fuzz_target;
use monpro::{CrtTask, PowTask, pow, pow_batch, pow_crt_batch};
use monpro_fuzz::clock::{time_of, time_within};
use monpro_fuzz::gmp;
use monpro_fuzz::input::{Input, Random};
use std::time::Duration;

const MOST_TASKS: usize = 9;
const WORDS: [usize; 12] = [1, 2, 3, 4, 5, 8, 9, 16, 20, 32, 64, 128];
const EXPONENT_BITS: [usize; 10] = [0, 1, 5, 17, 64, 256, 1000, 4000, 16_384, 32_768];
/// The most work of a task, in the units of `PowTask`, so that an input takes milliseconds.
const MOST_WORK: usize = 1 << 15;
/// The most that a batch may take, in times of its tasks one after the other.
const MOST_RATIO: u32 = 2;
/// Differences below this are of the clock, not of the batch.
const SLACK: Duration = Duration::from_millis(2);

/// Base, exponent and modulus.
type Task = [Vec<u64>; 3];

fuzz_target!(|bytes: &[u8]| {
    let mut input = Input::new(bytes);
    let is_crt = input.byte() & 1 == 1;
    let mut tasks: Vec<Task> = Vec::new();
    for _ in 0..1 + input.below(MOST_TASKS) {
        let task = read(&mut input, tasks.last());
        tasks.push(task);
    }
    if is_crt { check_crt(&tasks) } else { check(&tasks) }
});

/// A task; the numbers are those of a seed, and the modulus, which may be that of its neighbour, has up to three leading
/// words of 0.
fn read(input: &mut Input<'_>, neighbour: Option<&Task>) -> Task {
    let (words, bits, seed, kind) =
        (input.one_of(&WORDS), input.one_of(&EXPONENT_BITS), input.byte(), input.byte());
    let bits = bits.min(MOST_WORK / (words * words));
    let mut random = Random::new(u64::from(seed));
    let mut number = |count: usize| (0..count).map(|_| random.word()).collect::<Vec<u64>>();
    let (mut n, x, mut e) = (number(words), number(words + usize::from(kind & 1)), number(bits.div_ceil(64)));
    let spare = 64 * e.len() - bits;
    if let Some(top) = e.last_mut() {
        *top = *top >> spare | 1 << (63 - spare);
    }
    match (kind >> 1 & 3, neighbour) {
        (0, _) => n.fill(u64::MAX),
        (1, _) => n[0] &= !63,
        (2, Some([_, _, neighbour])) if neighbour.len() <= words => n.clone_from(neighbour),
        _ => n[0] |= 1,
    }
    while n.last() == Some(&0) {
        n.pop();
    }
    if n.is_empty() {
        n.push(1)
    }
    n.resize(n.len() + usize::from(kind >> 3 & 3), 0);
    [x, e, n]
}

fn check(tasks: &[Task]) {
    let batch: Vec<_> = tasks.iter().map(|[x, e, n]| PowTask::new(x, e, n)).collect();
    for ([x, e, n], power) in tasks.iter().zip(pow_batch(&batch)) {
        assert_eq!(power.ok(), gmp::powm(x, e, n), "{x:x?}^{e:x?} mod {n:x?}");
    }
    let singly = || tasks.iter().for_each(|[x, e, n]| drop(pow(x, e, n)));
    check_cost(singly, || drop(pow_batch(&batch)));
}

/// The task's modulus as one factor, made odd, and the same less 2 as the other, so that (p − 1)/2 is q⁻¹ mod p.
fn check_crt(tasks: &[Task]) {
    let factors: Vec<[Vec<u64>; 3]> = tasks
        .iter()
        .map(|[_, _, n]| {
            let (mut p, mut inverse) = (n.clone(), n.clone());
            p[0] |= 7;
            let mut q = p.clone();
            q[0] -= 2;
            for i in 0..p.len() {
                inverse[i] = p[i] >> 1 | p.get(i + 1).map_or(0, |above| above << 63);
            }
            [p, q, inverse]
        })
        .collect();
    let batch: Vec<_> = tasks
        .iter()
        .zip(&factors)
        .map(|([x, e, _], [p, q, q_inverse])| CrtTask { base: x, p, q, d_p: e, d_q: e, q_inverse })
        .collect();
    for (([x, e, _], [p, q, _]), power) in tasks.iter().zip(&factors).zip(pow_crt_batch(&batch)) {
        let power = power.expect("the factors are odd, and the inverse is right");
        for factor in [p, q] {
            assert_eq!(
                gmp::powm(&power, &[1], factor),
                gmp::powm(x, e, factor),
                "{x:x?}^{e:x?} mod {factor:x?}"
            );
        }
    }
    let singly = || batch.iter().for_each(|task| drop(pow_crt_batch(&[*task])));
    check_cost(singly, || drop(pow_crt_batch(&batch)));
}

/// The batch may not take much longer than its tasks one after the other.
fn check_cost(mut singly: impl FnMut(), batch: impl FnMut()) {
    let mut limit = MOST_RATIO * time_of(&mut singly) + SLACK;
    let time = time_within(limit, batch);
    if time > limit {
        limit = MOST_RATIO * time_of(&mut singly) + SLACK;
    }
    assert!(time <= limit, "a batch takes {time:?} where {limit:?} are allowed");
}
