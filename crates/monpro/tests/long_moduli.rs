//! Every kernel of the integers at every number of words from 1 to 160, and the one that splits its products at a few longer
//! lengths, where the bitwise oracle is too slow:
//! z·R = x·y mod n and z < n, against num-bigint, with operands that carry through every word, and conversions both
//! ways.

mod random;

use monpro::ring::RingName;
use monpro::{KERNELS, Kernel, Modulus, Residue};
use num_bigint::BigUint;
use random::Random;
use std::io::Write;

const MOST_WORDS: u64 = 160;

#[test]
fn every_kernel_multiplies_modulo_long_moduli() {
    for kernel in KERNELS.iter().filter(|kernel| kernel.ring == RingName::Integers && kernel.is_available()) {
        for words in 1..=MOST_WORDS {
            let n_bits = words * u64::from(kernel.radix_bits);
            for (i, n) in moduli(n_bits).iter().enumerate() {
                // A portable kernel treats all lengths alike, so one modulus of each length, in turn, is
                // enough.
                if !kernel.required_instructions().is_empty() || (words as usize + i) % 4 == 0 {
                    check(kernel, n);
                }
            }
        }
    }
}

/// The lengths from which products are split, once and more often, and the lengths of whole vectors.
const SPLIT: [u64; 9] = [32_767, 32_768, 32_769, 33_278, 33_279, 33_280, 49_152, 65_536, 100_000];

#[test]
fn products_that_are_split_are_right_modulo_very_long_moduli() {
    // No row where the compiler does not know the instructions.
    let kernel = Kernel::by_name("redc-ifma").ok().filter(|kernel| kernel.is_available());
    let Some(kernel) = kernel else {
        writeln!(
            std::io::stderr(),
            "products that are split: NOT RUN: this CPU or compiler lacks AVX-512 IFMA"
        )
        .expect("stderr is open");
        return;
    };
    for n_bits in SPLIT {
        let [ones, two_bits, random, _] = moduli(n_bits);
        for n in [&ones, &(&ones - 0xfeu8), &two_bits, &random] {
            check_extremes(kernel, n);
        }
    }
}

#[test]
fn powers_modulo_very_long_moduli_are_those_of_num_bigint() {
    for n_bits in [32_769, 65_536, 131_072] {
        let [ones, _, n, _] = moduli(n_bits);
        let (x, e) = (random(n_bits + 64), random(40));
        for n in [ones, n] {
            let modulus = Modulus::new(&n.to_u64_digits()).expect("n is odd");
            let residue = modulus.residue(&x.to_u64_digits());
            let expected = x.modpow(&e, &n);
            for power in [residue.pow(&e.to_u64_digits()), residue.pow_vartime(&e.to_u64_digits())] {
                assert_eq!(BigUint::from_slice(&halves(&power.to_number())), expected, "{n_bits} bits");
            }
        }
    }
}

/// The halves of 64-bit words, the lower first.
fn halves(words: &[u64]) -> Vec<u32> {
    words.iter().flat_map(|&word| [word as u32, (word >> 32) as u32]).collect()
}

/// Odd moduli of n_bits bits: all ones, two bits, random; and all ones of half as many bits.
fn moduli(n_bits: u64) -> [BigUint; 4] {
    let one = BigUint::from(1u8);
    let ones = |bits: u64| (&one << bits) - 1u8;
    let top = &one << (n_bits - 1);
    [ones(n_bits), &top | &one, &top | (random(n_bits) >> 1) | &one, ones(n_bits / 2 + 1)]
}

/// A number of at most `bits` bits.
fn random(bits: u64) -> BigUint {
    let words = Random(bits).words(bits.div_ceil(64) as usize);
    words.iter().fold(BigUint::ZERO, |number, &word| (number << 64) + word) % (BigUint::from(1u8) << bits)
}

fn check(kernel: &'static Kernel, n: &BigUint) {
    let modulus =
        Modulus::with_kernel(kernel, &n.to_u64_digits()).expect("the kernel takes any such modulus");
    let multiplied = |x: &BigUint, y: &BigUint, z: Residue| {
        let z = number(&z.words(), kernel);
        assert!(z < *n, "{}: z = {z:x} modulo {n:x}", kernel.name);
        let what = format!("{}: {x:x}·{y:x}/R modulo {n:x}", kernel.name);
        assert_eq!((z << modulus.r_exponent()) % n, x * y % n, "{what}");
    };
    let residue = |x: &BigUint| modulus.residue_from_words(&words(x, kernel, modulus.s())).expect("x < n");
    // All ones below the top, the largest, the top bit, its half, anything.
    let top = BigUint::from(1u8) << (n.bits() - 1);
    let operands = [&top - 1u8, n - 1u8, &top % n, n / 2u8, random(n.bits() + 1) % n];
    for x in &operands {
        for y in &operands {
            multiplied(x, y, &residue(x) * &residue(y));
        }
        multiplied(x, x, residue(x).square());
    }
    // Numbers are converted in chunks, which may exceed n, and back.
    let long = (&top << (2 * modulus.r_exponent())) - 1u8;
    let left = modulus.residue(&long.to_u64_digits()).to_number();
    assert_eq!(BigUint::from_bytes_be(&monpro::natural::to_be_bytes(&left, 8 * left.len())), long % n);
}

/// z·R = x·y mod n and z < n for the largest residue, all ones, 0, 1, and anything, by num-bigint.
fn check_extremes(kernel: &'static Kernel, n: &BigUint) {
    let modulus = Modulus::with_kernel(kernel, &n.to_u64_digits()).expect("the kernel takes any modulus");
    let residue = |x: &BigUint| modulus.residue_from_words(&words(x, kernel, modulus.s())).expect("x < n");
    let top = BigUint::from(1u8) << (n.bits() - 1);
    let operands = [n - 1u8, &top - 1u8, BigUint::ZERO, BigUint::from(1u8), random(n.bits()) % n];
    for (i, x) in operands.iter().enumerate() {
        let y = &operands[(2 * i + 4) % operands.len()];
        for (y, z) in [(y, &residue(x) * &residue(y)), (x, residue(x).square())] {
            let z = number(&z.words(), kernel);
            assert!(z < *n, "{}: modulo {n:x}", kernel.name);
            assert_eq!(
                (z << modulus.r_exponent()) % n,
                x * y % n,
                "{}: {x:x}·{y:x}/R modulo {n:x}",
                kernel.name
            );
        }
    }
}

/// Σ words\[i\]·2^(w·i).
fn number(words: &[u64], kernel: &Kernel) -> BigUint {
    words.iter().rev().fold(BigUint::ZERO, |number, &word| (number << kernel.radix_bits) + word)
}

/// The words of a number in the kernel's radix.
fn words(number: &BigUint, kernel: &Kernel, s: usize) -> Vec<u64> {
    let radix = BigUint::from(1u8) << kernel.radix_bits;
    let word = |i: usize| (number >> (i * kernel.radix_bits as usize)) % &radix;
    (0..s).map(|i| word(i).to_u64_digits().first().copied().unwrap_or(0)).collect()
}
