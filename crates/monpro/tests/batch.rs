//! Batches of exponentiations against num-bigint: every number of digits, operands at the edges, mixed sizes.

use monpro::{BATCH_KERNELS, BatchKernel, Error, PowTask, natural, pow, pow_batch, pow_batch_by};
use num_bigint::BigUint;

mod random;
use random::Random;

fn integer(words: &[u64]) -> BigUint {
    BigUint::from_bytes_be(&natural::to_be_bytes(words, 8 * words.len()))
}

fn expected(task: &PowTask<'_>) -> Vec<u64> {
    let power = integer(task.base).modpow(&integer(task.exponent), &integer(task.modulus));
    let mut words = natural::from_be_bytes(&power.to_bytes_be());
    words.resize(natural::bit_length(task.modulus).div_ceil(64), 0);
    words
}

struct Owned {
    base: Vec<u64>,
    exponent: Vec<u64>,
    modulus: Vec<u64>,
}

impl Owned {
    fn task(&self) -> PowTask<'_> {
        PowTask { base: &self.base, exponent: &self.exponent, modulus: &self.modulus }
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

/// Eight tasks with moduli of this many bits at most: edges of modulus, base and exponent, each with each in turn.
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
            Owned { base: bases[(lane + turn / 3) % bases.len()].clone(), exponent, modulus }
        })
        .collect()
}

fn assert_right(kernel: &BatchKernel, tasks: &[PowTask<'_>]) {
    let powers = pow_batch_by(kernel, tasks);
    assert_eq!(powers.len(), tasks.len());
    for (lane, (power, task)) in powers.iter().zip(tasks).enumerate() {
        let bits = natural::bit_length(task.modulus);
        assert_eq!(power.as_ref(), Ok(&expected(task)), "{}: lane {lane}, {bits} bits", kernel.name);
    }
}

#[test]
fn every_kernel_is_right_at_the_edges_of_every_number_of_digits() {
    let mut random = Random(1);
    for kernel in BATCH_KERNELS.iter().filter(|kernel| kernel.is_available()) {
        for digits in 1..=160usize {
            for bits in [52 * digits - 4, (52 * digits).saturating_sub(55).max(3)] {
                let owned = edges(bits, bits, &mut random);
                let tasks: Vec<PowTask<'_>> = owned.iter().map(Owned::task).collect();
                assert_right(kernel, &tasks);
            }
        }
    }
}

#[test]
fn every_kernel_takes_long_exponents_of_different_lengths() {
    let mut random = Random(2);
    for kernel in BATCH_KERNELS.iter().filter(|kernel| kernel.is_available()) {
        for bits in [256, 512, 521, 1024, 2048] {
            let owned: Vec<Owned> = (0..8)
                .map(|lane| Owned {
                    base: random.words(bits / 64 + lane / 3),
                    exponent: random.words((lane + 1) * bits / 512 + 1),
                    modulus: odd(bits, &mut random),
                })
                .collect();
            let tasks: Vec<PowTask<'_>> = owned.iter().map(Owned::task).collect();
            assert_right(kernel, &tasks);
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
        for kernel in BATCH_KERNELS.iter().filter(|kernel| kernel.is_available()) {
            assert_right(kernel, &tasks);
        }
    }
}

#[test]
fn a_modulus_of_0_is_an_error_in_its_place() {
    let task = |modulus| PowTask { base: &[3], exponent: &[2], modulus };
    let powers = pow_batch(&[task(&[7]), task(&[]), task(&[5]), task(&[0, 0]), task(&[11])]);
    assert_eq!(
        powers,
        [Ok(vec![2]), Err(Error::ZeroModulus), Ok(vec![4]), Err(Error::ZeroModulus), Ok(vec![9])]
    );
    assert_eq!(pow(&[3], &[2], &[0]), Err(Error::ZeroModulus));
}
