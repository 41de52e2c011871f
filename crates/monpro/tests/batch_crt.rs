//! Powers by the Chinese remainder theorem against num-bigint: sizes, edges, keys of RSA, and refusals.

use monpro::{
    BATCH_ENGINES, BatchEngine, CrtHalves, CrtTask, EngineError, Error, PowTask, Quotient, natural,
    pow_crt_batch, pow_crt_batch_on,
};
use num_bigint::BigUint;
use std::sync::Mutex;

mod random;
use random::Random;

fn integer(words: &[u64]) -> BigUint {
    BigUint::from_bytes_be(&natural::to_be_bytes(words, 8 * words.len()))
}

fn words(number: &BigUint) -> Vec<u64> {
    natural::from_be_bytes(&number.to_bytes_be())
}

struct Key {
    p: BigUint,
    q: BigUint,
    d_p: Vec<u64>,
    d_q: Vec<u64>,
}

struct Operation {
    base: Vec<u64>,
    key: Key,
    p: Vec<u64>,
    q: Vec<u64>,
    q_inverse: Vec<u64>,
}

impl Operation {
    /// The operation with no, one or two leading words of 0 before p, q and the inverse, which change nothing.
    fn new(base: Vec<u64>, key: Key) -> Operation {
        let longer = |number: &BigUint, zeros: usize| [words(number), vec![0; zeros]].concat();
        let q_inverse = longer(&key.q.modinv(&key.p).unwrap(), base.len() % 2);
        let (p, q) = (longer(&key.p, base.len() % 3), longer(&key.q, (base.len() + 1) % 3));
        Operation { base, p, q, q_inverse, key }
    }

    fn task(&self) -> CrtTask<'_> {
        CrtTask {
            base: &self.base,
            p: &self.p,
            q: &self.q,
            d_p: &self.key.d_p,
            d_q: &self.key.d_q,
            q_inverse: &self.q_inverse,
        }
    }

    /// Whether z is the number below p·q that the powers modulo p and q determine.
    fn assert_right(&self, z: &[u64]) {
        let (Key { p, q, d_p, d_q }, x, number) = (&self.key, integer(&self.base), integer(z));
        let sizes = (p.bits(), q.bits());
        assert_eq!(z.len() as u64, p.bits().div_ceil(64) + q.bits().div_ceil(64), "{sizes:?}");
        assert!(number < p * q, "{sizes:?}");
        assert_eq!(&number % p, x.modpow(&integer(d_p), p), "{sizes:?}");
        assert_eq!(&number % q, x.modpow(&integer(d_q), q), "{sizes:?}");
    }
}

fn assert_right(operations: &[Operation]) {
    let tasks: Vec<CrtTask<'_>> = operations.iter().map(Operation::task).collect();
    let powers = pow_crt_batch(&tasks);
    assert_eq!(powers.len(), operations.len());
    for (operation, power) in operations.iter().zip(powers) {
        operation.assert_right(&power.unwrap());
    }
}

/// Odd numbers without a common factor, of this many bits, and exponents of one word.
fn key(p_bits: usize, q_bits: usize, random: &mut Random) -> Key {
    let mut odd = |bits: usize| {
        let mut words = random.words(bits.div_ceil(64));
        words[0] |= 1;
        (integer(&words) | (BigUint::from(1u8) << (bits - 1))) % (BigUint::from(1u8) << bits)
    };
    loop {
        let (p, q) = (odd(p_bits), odd(q_bits));
        if q.modinv(&p).is_some() {
            return Key { p, q, d_p: random.words(1), d_q: random.words(1) };
        }
    }
}

#[test]
fn every_size_and_mixed_sizes_come_back_in_order() {
    let mut random = Random(1);
    let sizes = [(1024, 1024), (3, 700), (256, 256), (512, 511), (1024, 1023), (2, 3), (64, 65), (521, 1536)];
    for count in 0..=sizes.len() {
        let operations: Vec<Operation> = sizes[..count]
            .iter()
            .map(|&(p_bits, q_bits)| {
                Operation::new(random.words(p_bits % 50), key(p_bits, q_bits, &mut random))
            })
            .collect();
        assert_right(&operations);
    }
    for bits in [256, 512, 768, 1024, 1280, 1536, 2048] {
        let operations: Vec<Operation> = (0..5)
            .map(|i| Operation::new(random.words(bits / 32), key(bits - i % 2, bits - i % 3, &mut random)))
            .collect();
        assert_right(&operations);
        operations.chunks(1).for_each(assert_right);
    }
}

#[test]
fn edges_of_moduli_bases_and_exponents() {
    let one = BigUint::from(1u8);
    for bits in [2, 63, 64, 65, 128, 256, 520, 1024, 1040] {
        let p: BigUint = (&one << bits) - 1u8;
        let q: BigUint = &p - 2u8;
        let n: BigUint = &p * &q;
        let bases = [BigUint::ZERO, one.clone(), p.clone(), q.clone(), &n - 1u8, n.clone(), &n * &n + 2u8];
        let exponents = [vec![], vec![0], vec![1], vec![u64::MAX], vec![2, 0]];
        let operation = |(i, base): (usize, &BigUint)| {
            let [d_p, d_q] = [i, i / 2].map(|i| exponents[i % exponents.len()].clone());
            let (p, q) = if i % 2 == 0 { (p.clone(), q.clone()) } else { (q.clone(), p.clone()) };
            Operation::new(words(base), Key { p, q, d_p, d_q })
        };
        assert_right(&bases.iter().enumerate().map(operation).collect::<Vec<_>>());
    }
}

#[test]
fn every_word_of_an_exponent_counts_beside_short_primes_and_long_ones() {
    let mut random = Random(4);
    for [p_bits, q_bits, words] in [[64, 65, 3], [7, 3, 2], [64, 64, 1], [256, 200, 9], [512, 512, 9]] {
        let operations: Vec<Operation> = (0..3)
            .map(|_| {
                let mut key = key(p_bits, q_bits, &mut random);
                (key.d_p, key.d_q) = (random.words(words), random.words(words));
                Operation::new(random.words(5), key)
            })
            .collect();
        assert_right(&operations);
        assert_right(&operations[..1]);
    }
}

#[test]
fn private_operations_of_rsa_undo_public_ones() {
    let e = BigUint::from(65537u32);
    // Mersenne primes.
    let primes = [521u32, 607, 1279].map(|bits| (BigUint::from(1u8) << bits) - 1u8);
    let mut random = Random(2);
    let operations: Vec<Operation> = [(0, 1), (1, 0), (2, 1), (0, 2), (2, 0)]
        .into_iter()
        .map(|(i, j)| {
            let (p, q) = (primes[i].clone(), primes[j].clone());
            let d = |prime: &BigUint| words(&e.modinv(&(prime - 1u8)).unwrap());
            let message = integer(&random.words(16));
            let cipher = message.modpow(&e, &(&p * &q));
            Operation::new(words(&cipher), Key { d_p: d(&p), d_q: d(&q), p, q })
        })
        .collect();
    let tasks: Vec<CrtTask<'_>> = operations.iter().map(Operation::task).collect();
    for (operation, power) in operations.iter().zip(pow_crt_batch(&tasks)) {
        let n = &operation.key.p * &operation.key.q;
        assert_eq!(integer(&power.unwrap()).modpow(&e, &n), integer(&operation.base));
    }
}

#[test]
fn what_is_not_a_key_is_refused_in_its_place() {
    let good = CrtTask { base: &[2], p: &[11], q: &[7], d_p: &[3], d_q: &[1], q_inverse: &[8] };
    let tasks = [
        good,
        CrtTask { p: &[0], ..good },
        CrtTask { q: &[], ..good },
        CrtTask { p: &[10], ..good },
        CrtTask { q: &[6], ..good },
        CrtTask { q_inverse: &[7], ..good },
        CrtTask { p: &[21], ..good },
        CrtTask { p: &[11, 0, 0], q: &[7, 0], q_inverse: &[8 + 11, 0], ..good },
    ];
    let expected = [
        Ok(vec![30, 0]),
        Err(Error::ZeroModulus),
        Err(Error::ZeroModulus),
        Err(Error::EvenModulus),
        Err(Error::EvenModulus),
        Err(Error::NotInverse),
        Err(Error::NotInverse),
        Ok(vec![30, 0]),
    ];
    assert_eq!(pow_crt_batch(&tasks), expected);
}

type Quotients = Option<Result<Vec<Quotient>, EngineError>>;

/// An engine of another crate; the function computes its quotients.
struct Outside(fn(&[CrtHalves<'_>]) -> Quotients);

impl BatchEngine for Outside {
    fn name(&self) -> &str {
        "outside"
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

    fn pow(&self, tasks: &[PowTask<'_>]) -> Result<Vec<Vec<u64>>, EngineError> {
        Ok(tasks.iter().map(power).collect())
    }

    fn quotients(&self, halves: &[CrtHalves<'_>]) -> Quotients {
        self.0(halves)
    }
}

/// xᵉ mod n.
fn power(task: &PowTask<'_>) -> Vec<u64> {
    let power = integer(task.base()).modpow(&integer(task.exponent()), &integer(task.modulus()));
    natural::from_be_bytes(&natural::to_be_bytes(&words(&power), 8 * task.power_words()))
}

/// (a − b)·q⁻¹ mod p.
fn quotient(halves: &CrtHalves<'_>) -> Quotient {
    let [a, b, p, q, q_inverse] =
        [halves.a(), halves.b(), halves.p(), halves.q(), halves.q_inverse()].map(integer);
    let h = words(&((a + &b * (&p - 1u8)) * &q_inverse % &p));
    let h = natural::from_be_bytes(&natural::to_be_bytes(&h, 8 * halves.a().len()));
    (q * q_inverse % p == BigUint::from(1u8)).then_some(h)
}

#[test]
fn quotients_are_an_engines_that_has_them_and_else_the_next_ones() {
    let mut random = Random(3);
    let operations: Vec<Operation> = [(512, 512), (256, 320), (64, 65)]
        .map(|(p_bits, q_bits)| Operation::new(random.words(9), key(p_bits, q_bits, &mut random)))
        .into();
    let tasks: Vec<CrtTask<'_>> = operations.iter().map(Operation::task).collect();
    let engines = [
        (Outside(|_| None), None),
        (Outside(|halves| Some(Ok(halves.iter().map(quotient).collect()))), None),
        (Outside(|_| Some(Err("the device is lost".into()))), Some("the device is lost")),
        (
            Outside(|halves| Some(Ok(halves[1..].iter().map(quotient).collect()))),
            Some("it returned quotients of a wrong number or length"),
        ),
        (
            Outside(|halves| Some(Ok(halves.iter().map(|_| Some(vec![1; 99])).collect()))),
            Some("it returned quotients of a wrong number or length"),
        ),
    ];
    for (outside, failure) in &engines {
        for rest in [BATCH_ENGINES, &[]] {
            let outcome = pow_crt_batch_on(&[&[outside as &dyn BatchEngine], rest].concat(), &tasks);
            for (operation, power) in operations.iter().zip(outcome.powers) {
                operation.assert_right(&power.unwrap());
            }
            let failures: Vec<String> =
                outcome.failures.iter().map(|failure| failure.error.to_string()).collect();
            assert_eq!(failures, failure.iter().copied().collect::<Vec<_>>());
        }
    }
    let bad = CrtTask { base: &[2], p: &[11], q: &[7], d_p: &[3], d_q: &[1], q_inverse: &[7] };
    for (outside, _) in &engines[..2] {
        assert_eq!(pow_crt_batch_on(&[outside], &[bad]).powers, [Err(Error::NotInverse)]);
    }
}

/// An engine for moduli of up to so many bits. It records the bit lengths of p in the quotients that it is asked for.
struct UpTo {
    name: &'static str,
    bits: usize,
    asked: Mutex<Vec<usize>>,
}

impl BatchEngine for UpTo {
    fn name(&self) -> &str {
        self.name
    }

    fn needs(&self) -> &str {
        ""
    }

    fn unavailable_reason(&self) -> Option<String> {
        None
    }

    fn supports(&self, task: &PowTask<'_>) -> bool {
        task.modulus_bits() <= self.bits
    }

    fn pow(&self, tasks: &[PowTask<'_>]) -> Result<Vec<Vec<u64>>, EngineError> {
        Ok(tasks.iter().map(power).collect())
    }

    fn quotients(&self, halves: &[CrtHalves<'_>]) -> Quotients {
        self.asked.lock().unwrap().extend(halves.iter().map(|halves| halves.task_modulo_p().modulus_bits()));
        Some(Ok(halves.iter().map(quotient).collect()))
    }
}

#[test]
fn an_engine_is_asked_for_missing_quotients_modulo_what_it_supports() {
    let mut random = Random(5);
    let operations: Vec<Operation> = [(512, 64), (64, 512), (64, 60), (2048, 64)]
        .map(|(p_bits, q_bits)| Operation::new(random.words(3), key(p_bits, q_bits, &mut random)))
        .into();
    let tasks: Vec<CrtTask<'_>> = operations.iter().map(Operation::task).collect();
    let engine = |name, bits| UpTo { name, bits, asked: Mutex::default() };
    let [short, long] = [engine("short", 100), engine("long", 600)];
    let outcome = pow_crt_batch_on(&[&short, &long], &tasks);
    for (operation, power) in operations.iter().zip(outcome.powers) {
        operation.assert_right(&power.unwrap());
    }
    let [short, long] = [short, long].map(|engine| engine.asked.into_inner().unwrap());
    assert_eq!((outcome.failures.len(), short, long), (0, vec![64, 64], vec![512]));
}

/// An engine that loses its device with the powers.
struct Lost;

impl BatchEngine for Lost {
    fn name(&self) -> &str {
        "lost"
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

    fn pow(&self, _: &[PowTask<'_>]) -> Result<Vec<Vec<u64>>, EngineError> {
        Err("the device is lost".into())
    }

    fn quotients(&self, _: &[CrtHalves<'_>]) -> Quotients {
        panic!("asked for quotients after a failure");
    }
}

#[test]
fn an_engine_that_fails_with_the_powers_is_not_asked_for_quotients() {
    let good = CrtTask { base: &[2], p: &[11], q: &[7], d_p: &[3], d_q: &[1], q_inverse: &[8] };
    let outcome = pow_crt_batch_on(&[&Lost], &[good; 4]);
    assert_eq!(outcome.powers, [Ok(vec![30, 0]), Ok(vec![30, 0]), Ok(vec![30, 0]), Ok(vec![30, 0])]);
    assert_eq!(outcome.failures.len(), 1);
}
