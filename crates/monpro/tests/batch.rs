//! Batches of exponentiations against num-bigint: every number of digits, operands at the edges, mixed sizes.

use monpro::{
    BATCH_ENGINES, BatchEngine, BatchOutcome, EngineError, Error, Modulus, PowTask, TwoModuli, natural, pow,
    pow_batch, pow_batch_on,
};
use num_bigint::BigUint;
use std::error::Error as _;
use std::io::Write;
use std::sync::Mutex;

mod random;
use random::Random;

fn integer(words: &[u64]) -> BigUint {
    BigUint::from_bytes_be(&natural::to_be_bytes(words, 8 * words.len()))
}

fn expected(task: &PowTask<'_>) -> Vec<u64> {
    let power = integer(task.base()).modpow(&integer(task.exponent()), &integer(task.modulus()));
    let mut words = natural::from_be_bytes(&power.to_bytes_be());
    words.resize(natural::bit_length(task.modulus()).div_ceil(64), 0);
    words
}

struct Owned {
    base: Vec<u64>,
    exponent: Vec<u64>,
    modulus: Vec<u64>,
}

impl Owned {
    fn task(&self) -> PowTask<'_> {
        PowTask::new(&self.base, &self.exponent, &self.modulus)
    }
}

/// 2^bits − 1.
fn all_ones(bits: usize) -> Vec<u64> {
    let mut words = vec![u64::MAX; bits.div_ceil(64)];
    *words.last_mut().unwrap() >>= (64 - bits % 64) % 64;
    words
}

/// An odd number of this many bits.
fn odd(bits: usize, random: &mut Random) -> Vec<u64> {
    let mut words = random.words(bits.div_ceil(64));
    words.iter_mut().zip(all_ones(bits)).for_each(|(word, mask)| *word &= mask);
    words[(bits - 1) / 64] |= 1 << ((bits - 1) % 64);
    words[0] |= 1;
    words
}

/// Eight tasks with moduli of at most this many bits: each edge of modulus, base and exponent is combined with the
/// others in turn.
fn edges(bits: usize, turn: usize, random: &mut Random) -> Vec<Owned> {
    let mut power_of_two_and_1 = vec![0; bits.div_ceil(64)];
    power_of_two_and_1[(bits - 1) / 64] = 1 << ((bits - 1) % 64);
    power_of_two_and_1[0] |= 1;
    let mut minus_radix = all_ones(bits);
    minus_radix[0] = 1;
    let moduli = [all_ones(bits), power_of_two_and_1, minus_radix, odd(bits, random), odd(bits - 1, random)];
    let exponents = [vec![u64::MAX], random.words(1), vec![0], vec![1], vec![2, 0], vec![], vec![65537]];
    (0..8)
        .map(|lane| {
            let modulus = moduli[(lane + turn) % moduli.len()].clone();
            let mut minus_1 = modulus.clone();
            minus_1[0] -= 1;
            let words = modulus.len();
            let bases = [
                minus_1,
                vec![u64::MAX; words],
                vec![0],
                vec![1],
                random.words(words),
                modulus.clone(),
                vec![],
                random.words(3 * words + 1),
            ];
            let exponent = exponents[(lane + turn / 2) % exponents.len()].clone();
            // Leading words of 0 change nothing.
            let modulus = [modulus, vec![0; (lane + turn) % 3]].concat();
            Owned { base: bases[(lane + turn / 3) % bases.len()].clone(), exponent, modulus }
        })
        .collect()
}

/// The engines of the table that run here. Prints the engines that do not run, past the test program's capture. Fails
/// if the table has no engine for a CPU that should have one.
fn engines() -> Vec<&'static dyn BatchEngine> {
    let say = |line: String| writeln!(std::io::stderr(), "batch: NOT RUN: {line}").expect("stderr is open");
    for engine in BATCH_ENGINES {
        if let Some(reason) = engine.unavailable_reason() {
            say(format!("engine {}: it {reason}", engine.name()));
        }
    }
    let here: Vec<_> =
        BATCH_ENGINES.iter().copied().filter(|engine| engine.unavailable_reason().is_none()).collect();
    assert!(!here.is_empty() || !has_lanes(), "no engine of the table runs here, though this CPU has lanes");
    if here.is_empty() {
        say("any engine: the table has none for this CPU and compiler".into());
    }
    here
}

/// Whether this CPU has the instructions of an engine in lanes.
#[cfg(target_arch = "x86_64")]
fn has_lanes() -> bool {
    is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma")
}

#[cfg(not(target_arch = "x86_64"))]
fn has_lanes() -> bool {
    false
}

/// Asserts that the engine is right about the tasks that it supports, given as many at a time as it takes.
fn assert_right(engine: &dyn BatchEngine, tasks: &[PowTask<'_>]) {
    let supported: Vec<PowTask<'_>> = tasks.iter().filter(|task| engine.supports(task)).copied().collect();
    for group in supported.chunks(engine.tasks_at_once()) {
        let powers = engine.pow(group).expect("the engine runs here and takes the tasks");
        assert_eq!(powers.len(), group.len());
        for (lane, (power, task)) in powers.iter().zip(group).enumerate() {
            let (name, bits) = (engine.name(), task.modulus_bits());
            assert_eq!(*power, expected(task), "{name}: lane {lane}, {bits} bits");
        }
    }
}

/// Asserts that the powers of a batch are right.
fn assert_powers(outcome: &BatchOutcome, tasks: &[PowTask<'_>]) {
    let right: Vec<Result<Vec<u64>, Error>> = tasks.iter().map(|task| Ok(expected(task))).collect();
    assert_eq!(outcome.powers, right);
}

#[test]
fn every_engine_is_right_at_the_edges_of_every_number_of_digits() {
    let mut random = Random(1);
    for engine in engines() {
        for digits in 1..=160usize {
            // A number of digits of 52 or of 51 bits that is full, and one that has just begun.
            let lengths =
                [52, 51].map(|bits| [bits * digits - 4, (bits * digits).saturating_sub(bits + 3).max(3)]);
            for bits in lengths.concat() {
                let owned = edges(bits, bits, &mut random);
                let tasks: Vec<PowTask<'_>> = owned.iter().map(Owned::task).collect();
                assert_right(engine, &tasks);
            }
        }
    }
}

#[test]
fn every_engine_takes_long_exponents_of_different_lengths() {
    let mut random = Random(2);
    for engine in engines() {
        for bits in [256, 512, 521, 1024, 2048] {
            let owned: Vec<Owned> = (0..8)
                .map(|lane| Owned {
                    base: random.words(bits / 64 + lane / 3),
                    exponent: random.words((lane + 1) * bits / 512 + 1),
                    modulus: odd(bits, &mut random),
                })
                .collect();
            let tasks: Vec<PowTask<'_>> = owned.iter().map(Owned::task).collect();
            assert_right(engine, &tasks);
        }
    }
}

#[test]
fn any_number_of_tasks_of_any_sizes_comes_back_in_order() {
    let mut random = Random(3);
    for count in 0..=17 {
        let owned: Vec<Owned> = (0..count)
            .map(|i| {
                let bits = [3, 256, 1024, 1000, 257, 64, 1024, 1][(i * 5 + count) % 8];
                let mut modulus = odd(bits, &mut random);
                // Even ones, too.
                modulus[0] &= u64::MAX << (u32::from(bits > 1 && i % 6 >= 4) * (i as u32 % 3));
                Owned { base: random.words(5 + i % 16), exponent: random.words(i % 3), modulus }
            })
            .collect();
        let tasks: Vec<PowTask<'_>> = owned.iter().map(Owned::task).collect();
        let right: Vec<Result<Vec<u64>, Error>> = tasks.iter().map(|task| Ok(expected(task))).collect();
        assert_eq!(pow_batch(&tasks), right, "{count} tasks");
        assert_eq!(pow_batch_on(&[], &tasks).powers, right, "{count} tasks one after the other");
        for engine in engines() {
            assert_right(engine, &tasks);
        }
    }
}

#[test]
fn two_ready_moduli_have_the_powers_of_each() {
    let mut random = Random(7);
    for [p_bits, q_bits] in [
        [64, 64],
        [448, 512],
        [512, 521],
        [768, 640],
        [1024, 1024],
        [1023, 870],
        [1536, 1500],
        [2048, 2000],
        [4096, 3],
    ] {
        let numbers = [odd(p_bits, &mut random), odd(q_bits, &mut random)];
        let [p, q] = numbers.each_ref().map(|n| Modulus::new(n).expect("it is odd"));
        let ready = TwoModuli::new([&p, &q]);
        for (words, e_bits) in [(1, 64), (0, 0), (7, 400), (p_bits / 64, p_bits), (p_bits / 64 + 1, 3)] {
            let [x, y] = [random.words(2 * p_bits / 64 + 1), random.words(words)];
            let [e, f] = [0; 2].map(|_| random.words(words));
            let powers = ready.clone().pow_bounded([&x, &y], [&e, &f], e_bits);
            let expected = [p.residue(&x).pow_bounded(&e, e_bits), q.residue(&y).pow_bounded(&f, e_bits)];
            assert_eq!(powers, expected, "{p_bits} and {q_bits} bits, exponents of {e_bits} bits");
        }
    }
}

#[test]
fn a_modulus_of_0_is_an_error_in_its_place() {
    let task = |modulus| PowTask::new(&[3], &[2], modulus);
    let powers = pow_batch(&[task(&[7]), task(&[]), task(&[5]), task(&[0, 0]), task(&[11])]);
    assert_eq!(
        powers,
        [Ok(vec![2]), Err(Error::ZeroModulus), Ok(vec![4]), Err(Error::ZeroModulus), Ok(vec![9])]
    );
    assert_eq!(pow(&[3], &[2], &[0]), Err(Error::ZeroModulus));
}

#[test]
fn every_engine_refuses_what_is_not_for_it_at_once() {
    for engine in engines() {
        let good = PowTask::new(&[3], &[2], &[7]);
        assert!(engine.supports(&good));
        assert!(engine.pow(&vec![good; engine.tasks_at_once().min(8)]).is_ok());
        let one_too_many = engine.tasks_at_once().checked_add(1).map(|count| vec![good; count]);
        assert!(one_too_many.is_none_or(|tasks| engine.pow(&tasks).is_err()), "{}", engine.name());
        let even = PowTask::new(&[3], &[2], &[8]);
        assert!(engine.supports(&even) || engine.pow(&[good, even]).is_err(), "{}", engine.name());
    }
}

#[test]
fn exponents_have_public_bounds_that_hold() {
    let task = |exponent, bits| PowTask::bounded(&[3], exponent, &[1009], bits);
    for (exponent, bits) in [(&[5, 1][..], 65), (&[5, 1], 200), (&[0, 0], 0), (&[u64::MAX], 64), (&[5, 0], 3)]
    {
        let task = task(exponent, bits).unwrap();
        assert_eq!(task.exponent_bits(), bits);
        let tasks = [task; 3];
        assert_powers(&pow_batch_on(BATCH_ENGINES, &tasks), &tasks);
        assert_powers(&pow_batch_on(&[], &tasks), &tasks);
    }
    for (exponent, bits) in [(&[5, 1][..], 64), (&[5], 2), (&[1], 0), (&[u64::MAX], 63), (&[0, 0, 1], 100)] {
        assert_eq!(task(exponent, bits).err(), Some(Error::ExponentBound { bits }), "{exponent:?}");
    }
}

type Powers = Result<Vec<Vec<u64>>, EngineError>;

/// An engine of another crate. It does what its functions say, and records the bit lengths of the moduli in each
/// call.
struct Outside {
    name: &'static str,
    unavailable_reason: Option<&'static str>,
    supports: fn(&PowTask<'_>) -> bool,
    pays_from: fn(usize, usize) -> usize,
    tasks_at_once: usize,
    pow: fn(&[PowTask<'_>]) -> Powers,
    asked: Mutex<Vec<Vec<usize>>>,
}

impl Outside {
    /// An engine for any number of any tasks.
    fn new(pow: fn(&[PowTask<'_>]) -> Powers) -> Outside {
        let asked = Mutex::new(Vec::new());
        let supports = |_: &PowTask<'_>| true;
        Outside {
            name: "outside",
            unavailable_reason: None,
            supports,
            pays_from: |_, _| 1,
            tasks_at_once: usize::MAX,
            pow,
            asked,
        }
    }

    fn asked(&self) -> Vec<Vec<usize>> {
        self.asked.lock().unwrap().clone()
    }
}

impl BatchEngine for Outside {
    fn name(&self) -> &str {
        self.name
    }

    fn needs(&self) -> &str {
        ""
    }

    fn unavailable_reason(&self) -> Option<String> {
        self.unavailable_reason.map(str::to_owned)
    }

    fn supports(&self, task: &PowTask<'_>) -> bool {
        (self.supports)(task)
    }

    fn pays_from(&self, modulus_bits: usize, exponent_bits: usize) -> usize {
        (self.pays_from)(modulus_bits, exponent_bits)
    }

    fn tasks_at_once(&self) -> usize {
        self.tasks_at_once
    }

    fn pow(&self, tasks: &[PowTask<'_>]) -> Powers {
        self.asked.lock().unwrap().push(tasks.iter().map(PowTask::modulus_bits).collect());
        (self.pow)(tasks)
    }
}

/// The same engine with what every engine must have; the rest is the default.
struct Defaults(Outside);

impl BatchEngine for Defaults {
    fn name(&self) -> &str {
        self.0.name()
    }

    fn needs(&self) -> &str {
        self.0.needs()
    }

    fn unavailable_reason(&self) -> Option<String> {
        self.0.unavailable_reason()
    }

    fn supports(&self, task: &PowTask<'_>) -> bool {
        self.0.supports(task)
    }

    fn pow(&self, tasks: &[PowTask<'_>]) -> Powers {
        self.0.pow(tasks)
    }
}

fn right_powers(tasks: &[PowTask<'_>]) -> Powers {
    Ok(tasks.iter().map(expected).collect())
}

/// Tasks with moduli of these bit lengths and exponents of 64 bits.
fn of_bits(bits: &[usize]) -> Vec<Owned> {
    let mut random = Random(4);
    let exponent = vec![u64::MAX];
    let task =
        |&bits| Owned { base: random.words(3), exponent: exponent.clone(), modulus: odd(bits, &mut random) };
    bits.iter().map(task).collect()
}

#[test]
fn an_engine_from_outside_takes_whole_lists_of_like_tasks_the_largest_first() {
    let owned = of_bits(&[900, 1024, 960, 64, 1000, 64]);
    let tasks: Vec<PowTask<'_>> = owned.iter().map(Owned::task).collect();
    let outside = Defaults(Outside::new(right_powers));
    let next = Outside { name: "next", ..Outside::new(right_powers) };
    let outcome = pow_batch_on(&[&outside, &next], &tasks);
    assert_powers(&outcome, &tasks);
    assert!(outcome.failures.is_empty() && next.asked().is_empty());
    assert_eq!(outside.0.asked(), [vec![1000, 1024, 960, 900], vec![64, 64]]);
}

#[test]
fn from_how_many_tasks_an_engine_pays_is_asked_for_the_bits_of_the_words_of_the_modulus() {
    let owned = of_bits(&[1000, 100, 1000, 64, 100, 64]);
    let tasks: Vec<PowTask<'_>> = owned.iter().map(Owned::task).collect();
    let pays_from = |bits, _| if bits == 1024 || bits == 64 { 2 } else { 9 };
    let outside = Outside { pays_from, ..Outside::new(right_powers) };
    assert_powers(&pow_batch_on(&[&outside], &tasks), &tasks);
    assert_eq!(outside.asked(), [vec![1000; 2], vec![64; 2]]);
}

#[test]
fn from_how_many_tasks_an_engine_pays_is_asked_for_the_longest_exponent() {
    let owned = of_bits(&[64; 3]);
    let of_exponents = |bounds: [usize; 3]| {
        let tasks: Vec<PowTask<'_>> = (owned.iter().zip(bounds))
            .map(|(owned, bound)| PowTask::bounded(&[2], &[1], &owned.modulus, bound))
            .collect::<Result<_, _>>()
            .expect("1 is below the bounds");
        let pays_from = |_, exponent_bits| if exponent_bits == 40 { 3 } else { 9 };
        let outside = Outside { pays_from, ..Outside::new(right_powers) };
        assert_powers(&pow_batch_on(&[&outside], &tasks), &tasks);
        outside.asked()
    };
    assert_eq!(of_exponents([40, 40, 40]), [vec![64; 3]]);
    assert_eq!(of_exponents([39, 40, 39]), [vec![64; 3]]);
    assert_eq!(of_exponents([41, 40, 40]), [[0; 0]; 0]);
}

#[cfg(feature = "cancellation")]
#[test]
fn progress_counts_powers_by_engines_at_once_and_then_one_after_the_other() {
    use std::{cell::RefCell, rc::Rc};
    let owned = of_bits(&[1024, 64, 64, 64, 64, 64, 2048]);
    let tasks: Vec<PowTask<'_>> = owned.iter().map(Owned::task).collect();
    let outside = Outside { pays_from: |_, _| 2, tasks_at_once: 3, ..Outside::new(right_powers) };
    let told = Rc::new(RefCell::new(Vec::new()));
    let listener = told.clone();
    let tell = move |done| listener.borrow_mut().push(done);
    let outcome = monpro::progress::listen(tell, || pow_batch_on(&[&outside], &tasks));
    assert_powers(&outcome, &tasks);
    assert_eq!(outside.asked(), [vec![64; 3], vec![64; 2]]);
    assert_eq!(*told.borrow(), [3, 5, 6, 7]);
}

#[test]
fn an_engine_is_asked_for_what_it_supports_where_it_pays_as_many_at_once_as_it_takes() {
    let owned = of_bits(&[1024, 64, 64, 2048, 64, 64, 1, 64, 128]);
    let mut tasks: Vec<PowTask<'_>> = owned.iter().map(Owned::task).collect();
    let outside = Outside {
        supports: |task| task.is_odd() && task.modulus_bits() > 1 && task.modulus_bits() < 2000,
        pays_from: |_, _| 2,
        tasks_at_once: 3,
        ..Outside::new(right_powers)
    };
    // The tasks of 1024 and of 128 bits are alone of their size, which does not pay. The five tasks of 64 bits do, three
    // and two at a time.
    assert_powers(&pow_batch_on(&[&outside], &tasks), &tasks);
    assert_eq!(outside.asked(), [vec![64, 64, 64], vec![64, 64]]);
    tasks.push(PowTask::new(&[1], &[1], &[0]));
    let outcome = pow_batch_on(&[&Outside::new(right_powers)], &tasks);
    assert_eq!(outcome.powers.last(), Some(&Err(Error::ZeroModulus)));
}

#[test]
fn the_tasks_of_an_engine_that_fails_are_the_next_ones() {
    let owned = of_bits(&[256; 12]);
    let tasks: Vec<PowTask<'_>> = owned.iter().map(Owned::task).collect();
    let failing = Outside { tasks_at_once: 4, ..Outside::new(|_| Err("the device is lost".into())) };
    let next = Outside { name: "next", ..Outside::new(right_powers) };
    let outcome = pow_batch_on(&[&failing, &next], &tasks);
    assert_powers(&outcome, &tasks);
    let lines: Vec<String> = outcome.failures.iter().map(ToString::to_string).collect();
    assert_eq!(lines, ["engine outside: the device is lost"]);
    let source = outcome.failures[0].source().map(ToString::to_string);
    assert_eq!(source.as_deref(), Some("the device is lost"));
    assert_eq!((failing.asked(), next.asked()), (vec![vec![256; 4]], vec![vec![256; 12]]));
    for rest in [BATCH_ENGINES, &[]] {
        let engines = [&[&failing as &dyn BatchEngine], rest].concat();
        let outcome = pow_batch_on(&engines, &tasks);
        assert_powers(&outcome, &tasks);
        assert_eq!(outcome.failures.len(), 1);
    }
}

#[test]
fn an_engine_that_fails_midway_keeps_what_it_has_computed() {
    let owned = of_bits(&[1024, 1024, 512, 512, 256, 256]);
    let tasks: Vec<PowTask<'_>> = owned.iter().map(Owned::task).collect();
    let pow = |tasks: &[PowTask<'_>]| match tasks[0].modulus_bits() {
        512 => Err("the device is lost".into()),
        _ => right_powers(tasks),
    };
    let failing = Outside { tasks_at_once: 2, ..Outside::new(pow) };
    let outcome = pow_batch_on(&[&failing], &tasks);
    assert_powers(&outcome, &tasks);
    assert_eq!((outcome.failures.len(), failing.asked()), (1, vec![vec![1024; 2], vec![512; 2]]));
}

#[test]
fn answers_of_a_wrong_number_or_length_are_a_failure() {
    let owned = of_bits(&[256; 3]);
    let tasks: Vec<PowTask<'_>> = owned.iter().map(Owned::task).collect();
    let too_few = |tasks: &[PowTask<'_>]| right_powers(&tasks[1..]);
    let too_long =
        |tasks: &[PowTask<'_>]| Ok(tasks.iter().map(|task| vec![0; task.power_words() + 1]).collect());
    for outside in [Outside::new(too_few), Outside::new(too_long)] {
        let outcome = pow_batch_on(&[&outside], &tasks);
        assert_powers(&outcome, &tasks);
        let line = outcome.failures[0].to_string();
        assert_eq!(line, "engine outside: it returned powers of a wrong number or length for 3 tasks");
    }
}

#[test]
fn an_engine_that_does_not_run_here_is_passed_over() {
    let owned = of_bits(&[256; 3]);
    let tasks: Vec<PowTask<'_>> = owned.iter().map(Owned::task).collect();
    let absent = Outside { unavailable_reason: Some("finds no device"), ..Outside::new(right_powers) };
    let outcome = pow_batch_on(&[&absent], &tasks);
    assert_powers(&outcome, &tasks);
    assert!(outcome.failures.is_empty() && absent.asked().is_empty());
}
