//! What a batch costs: never much more than its tasks apart, by the model and by the clock, however unlike they are.

use monpro::{BatchEngine, CrtTask, EngineError, PowTask, pow_batch, pow_batch_on, pow_crt_batch};
use proptest::prelude::*;
use std::sync::Mutex;
use std::time::{Duration, Instant};

mod random;
use random::Random;

/// An odd number of this many bits.
fn odd(bits: usize, random: &mut Random) -> Vec<u64> {
    let mut words = random.words(bits.div_ceil(64));
    let top = (bits - 1) % 64;
    let last = words.last_mut().expect("there is a word");
    *last = *last & ((1 << top) - 1) | 1 << top;
    words[0] |= 1;
    words
}

/// The bits of a modulus, the bits of an exponent, the words of a base.
type Lengths = [usize; 3];

struct Owned {
    base: Vec<u64>,
    exponent: Vec<u64>,
    modulus: Vec<u64>,
}

impl Owned {
    fn new([modulus_bits, exponent_bits, base_words]: Lengths, random: &mut Random) -> Owned {
        let base = random.words(base_words);
        Owned { base, exponent: odd(exponent_bits, random), modulus: odd(modulus_bits, random) }
    }

    fn task(&self) -> PowTask<'_> {
        PowTask::new(&self.base, &self.exponent, &self.modulus)
    }
}

/// An engine that records the lengths of the tasks in each call, and computes nothing.
struct Recorder {
    name: &'static str,
    pays_from: usize,
    tasks_at_once: usize,
    asked: Mutex<Vec<Vec<Lengths>>>,
}

impl BatchEngine for Recorder {
    fn name(&self) -> &str {
        self.name
    }

    fn needs(&self) -> &str {
        ""
    }

    fn unavailable_reason(&self) -> Option<String> {
        None
    }

    fn supports(&self, _: &PowTask<'_>) -> bool {
        true
    }

    fn pays_from(&self, _modulus_bits: usize, _exponent_bits: usize) -> usize {
        self.pays_from
    }

    fn tasks_at_once(&self) -> usize {
        self.tasks_at_once
    }

    fn pow(&self, tasks: &[PowTask<'_>]) -> Result<Vec<Vec<u64>>, EngineError> {
        let lengths =
            |task: &PowTask<'_>| [task.modulus_bits(), task.exponent_bits().max(1), task.base().len()];
        self.asked.lock().unwrap().push(tasks.iter().map(lengths).collect());
        Ok(tasks.iter().map(|task| vec![0; task.power_words()]).collect())
    }
}

impl Recorder {
    fn new(name: &'static str, pays_from: usize, tasks_at_once: usize) -> Recorder {
        Recorder { name, pays_from, tasks_at_once, asked: Mutex::default() }
    }
}

/// The groups of these tasks that an engine gets, if the engine pays from so many tasks and takes so many at once.
fn groups(tasks: &[PowTask<'_>], pays_from: usize, tasks_at_once: usize) -> Vec<Vec<Lengths>> {
    let recorder = Recorder::new("recorder", pays_from, tasks_at_once);
    // Takes what the first leaves, so that no power is computed.
    let rest = Recorder::new("rest", 0, usize::MAX);
    assert!(pow_batch_on(&[&recorder, &rest], tasks).failures.is_empty());
    recorder.asked.into_inner().unwrap()
}

/// The products of words of a power: squares and products modulo n, about a bit of the exponent each, and the reduction
/// of the base.
fn cost([modulus_bits, exponent_bits, base_words]: Lengths) -> usize {
    let words = modulus_bits.div_ceil(64);
    words * words * exponent_bits + 2 * words * base_words
}

/// The extremes of the lengths in a group, all of which each lane has to serve.
fn extremes(group: &[Lengths]) -> Lengths {
    let most = |i: usize| group.iter().map(|lengths| lengths[i]).max().expect("a group has a task");
    [most(0), most(1), most(2)]
}

fn any_lengths() -> impl Strategy<Value = Lengths> {
    let bits = prop_oneof![Just(2usize), Just(64), Just(65), 2..3000usize, Just(16384)];
    let exponent = prop_oneof![Just(1usize), Just(17), 1..4000usize, Just(65536)];
    let base = prop_oneof![Just(0usize), 0..300usize, Just(5000)];
    (bits, exponent, base).prop_map(|(bits, exponent, base)| [bits, exponent, base])
}

proptest! {
    #[test]
    fn no_group_costs_more_than_twice_its_tasks_apart(
        kinds in prop::collection::vec((any_lengths(), 1..9usize), 1..6),
        pays_from in 1..7usize,
        tasks_at_once in prop_oneof![1..20usize, Just(usize::MAX)],
    ) {
        let mut random = Random(6);
        let owned: Vec<Owned> = kinds
            .iter()
            .flat_map(|&(lengths, count)| vec![lengths; count])
            .map(|lengths| Owned::new(lengths, &mut random))
            .collect();
        let tasks: Vec<PowTask<'_>> = owned.iter().map(Owned::task).collect();
        for group in groups(&tasks, pays_from, tasks_at_once) {
            prop_assert!(group.len() <= tasks_at_once);
            let apart: usize = group.iter().copied().map(cost).sum();
            // The 16 squares of a modulus' constants count for the tasks, too, and they are many beside an exponent
            // of 1 bit.
            let constants: usize = group.iter().map(|task| 16 * task[0].div_ceil(64).pow(2)).sum();
            let together = pays_from * cost(extremes(&group));
            prop_assert!(together <= 2 * (apart + constants), "{group:?}: {together}, apart {apart}");
        }
    }
}

#[test]
fn like_tasks_make_full_groups() {
    let mut random = Random(7);
    for lengths in [[256, 256, 4], [1024, 17, 16], [2048, 2048, 32], [16384, 1, 256]] {
        for count in 0..=20 {
            let owned: Vec<Owned> = (0..count).map(|_| Owned::new(lengths, &mut random)).collect();
            let tasks: Vec<PowTask<'_>> = owned.iter().map(Owned::task).collect();
            let sizes: Vec<usize> = groups(&tasks, 3, 8).iter().map(Vec::len).collect();
            let rest = if count % 8 >= 3 { count % 8 } else { 0 };
            let expected: Vec<usize> = [vec![8; count / 8], vec![rest]].concat();
            assert_eq!(sizes, expected.into_iter().filter(|&size| size > 0).collect::<Vec<_>>());
        }
    }
}

#[test]
fn a_task_that_pays_with_none_is_left_out_and_the_group_after_it_is_full() {
    let mut random = Random(8);
    let kinds = [vec![[4096, 4096, 64]], vec![[2048, 65536, 32]], vec![[1024, 1024, 16]; 9]].concat();
    let owned: Vec<Owned> = kinds.into_iter().map(|lengths| Owned::new(lengths, &mut random)).collect();
    let tasks: Vec<PowTask<'_>> = owned.iter().map(Owned::task).collect();
    assert_eq!(groups(&tasks, 3, 8), [vec![[1024, 1024, 16]; 8]]);
}

#[test]
fn lanes_that_are_left_take_what_adds_no_cost() {
    let mut random = Random(9);
    let kinds = [vec![[2048, 2048, 32]; 5], vec![[2048, 17, 1]; 3]].concat();
    let owned: Vec<Owned> = kinds.iter().map(|&lengths| Owned::new(lengths, &mut random)).collect();
    let tasks: Vec<PowTask<'_>> = owned.iter().map(Owned::task).collect();
    assert_eq!(groups(&tasks, 4, 8), [kinds]);
}

/// How many times as long as its tasks one by one a batch may take. Lanes without full optimisation lose up to a factor of
/// four. Tasks in wrong groups take 10 to 1000 times as long.
const MOST: u32 = if cfg!(debug_assertions) { 8 } else { 2 };

/// The least times of runs in turn are compared after each turn, until they pass or 5 turns and 2 seconds are over: a busy
/// machine only makes the test take longer.
fn assert_costs_no_more(name: &str, apart: &dyn Fn(), together: &dyn Fn()) {
    let mut least = [Duration::MAX; 2];
    let start = Instant::now();
    let mut rounds = 0;
    while rounds < 5 || start.elapsed() < Duration::from_secs(2) {
        rounds += 1;
        for (least, work) in least.iter_mut().zip([apart, together]) {
            let before = Instant::now();
            work();
            *least = before.elapsed().min(*least);
        }
        if least[1] <= MOST * least[0] {
            return;
        }
    }
    let [apart, together] = least;
    panic!("{name}: {together:?} together, {apart:?} apart");
}

#[test]
#[cfg_attr(avx512_in_software, ignore = "instructions in software take other times")]
fn unlike_powers_take_no_longer_together_than_apart() {
    let mut random = Random(10);
    for kinds in [
        // Long moduli with short exponents beside short moduli with long ones, of equal work.
        [vec![[16384, 1, 256]; 6], vec![[64, 65536, 1]; 2]].concat(),
        [vec![[16384, 9, 256]; 6], vec![[2048, 4096, 32]; 2]].concat(),
        // A long base beside long moduli.
        [vec![[8192, 3, 128]; 6], vec![[64, 2, 100_000]; 2]].concat(),
        // Equal exponents, and moduli of which the short ones have far to go to the R of the long ones.
        [vec![[16384, 1, 1]; 4], vec![[64, 1, 1]; 4]].concat(),
    ] {
        let owned: Vec<Owned> = kinds.iter().map(|&lengths| Owned::new(lengths, &mut random)).collect();
        let tasks: Vec<PowTask<'_>> = owned.iter().map(Owned::task).collect();
        assert_costs_no_more(
            &format!("{kinds:?}"),
            &|| tasks.iter().for_each(|task| drop(pow_batch(std::slice::from_ref(task)))),
            &|| drop(pow_batch(&tasks)),
        );
    }
}

#[test]
fn unlike_powers_by_primes_take_no_longer_together_than_apart() {
    let mut random = Random(11);
    // The bits of p and q, the words of dP and dQ, the words of qInv.
    for kinds in [[[2048, 1, 32], [64, 4096, 1]], [[4096, 1, 64], [64, 1, 200_000]]] {
        let kinds = kinds.map(|kind| vec![kind; 2]).concat();
        let mut numbers = |[bits, exponent_words, inverse_words]: [usize; 3]| {
            let [p, q] = [odd(bits, &mut random), odd(bits, &mut random)];
            let [d_p, d_q] = [random.words(exponent_words), random.words(exponent_words)];
            [random.words(2 * bits / 64), p, q, d_p, d_q, random.words(inverse_words)]
        };
        let numbers: Vec<_> = kinds.iter().map(|&kind| numbers(kind)).collect();
        let tasks: Vec<CrtTask<'_>> = numbers
            .iter()
            .map(|[base, p, q, d_p, d_q, q_inverse]| CrtTask { base, p, q, d_p, d_q, q_inverse })
            .collect();
        assert_costs_no_more(
            &format!("{kinds:?}"),
            &|| tasks.iter().for_each(|task| drop(pow_crt_batch(std::slice::from_ref(task)))),
            &|| drop(pow_crt_batch(&tasks)),
        );
    }
}
