//! Inverses of public numbers, beside the constant-time ones, which are computed in another way, and beside the definition.

mod random;

use monpro::{Error, inverse, inverse_vartime, natural};
use num_bigint::BigUint;
use random::Random;

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

fn integer(words: &[u64]) -> BigUint {
    words.iter().rev().fold(BigUint::ZERO, |high, &word| (high << 64) + word)
}

/// Shows that the inverse is right if there is one, and that there is one if the constant-time function finds it.
fn check(x: &[u64], n: &[u64]) {
    let found = inverse_vartime(x, n).unwrap();
    assert_eq!(found, inverse(x, n).unwrap(), "{x:x?} modulo {n:x?}");
    if let Some(y) = found {
        assert_eq!(y.len(), natural::bit_length(n).div_ceil(64));
        let (x, y, n) = (integer(x), integer(&y), integer(n));
        assert!(y < n && x * y % &n == BigUint::from(1u8) % n);
    }
}

#[test]
fn all_inverses_modulo_small_numbers_are_right() {
    for n in 1..300u64 {
        for x in 0..2 * n {
            let found = inverse_vartime(&[x, 0], &[n, 0]).unwrap();
            assert_eq!(found.is_some(), gcd(x, n) == 1, "{x} mod {n}");
            if let Some(y) = found {
                assert!(y.len() == 1 && y[0] < n && x * y[0] % n == 1 % n, "{x} mod {n}");
            }
        }
    }
}

#[test]
fn zero_is_no_modulus_and_has_no_inverse() {
    for zero in [&[][..], &[0], &[0, 0]] {
        assert_eq!(inverse_vartime(&[3], zero), Err(Error::ZeroModulus));
        assert_eq!(inverse_vartime(zero, &[7]), Ok(None));
        assert_eq!(inverse_vartime(zero, &[1, 0]), Ok(Some(vec![0])));
    }
}

/// Words that are random, 0, 1, or full, in any mixture: numbers that are close, far apart or of long runs of bits.
fn number(words: usize, random: &mut impl FnMut() -> u64) -> Vec<u64> {
    let kind = random() % 4;
    let word = |_| match (kind, random() % 4) {
        (0, _) | (1, 0) => random(),
        (1, 1) | (2, 0) => 0,
        (1, 2) | (2, 1) => u64::MAX,
        _ => random() >> (random() % 64),
    };
    (0..words).map(word).collect()
}

#[test]
fn inverses_are_those_of_the_constant_time_function() {
    let mut source = Random(1);
    let mut random = || source.words(1)[0];
    for round in 0..4000 {
        let (of_n, of_x) = (1 + random() % 9, random() % 12);
        let mut n = number(of_n as usize, &mut random);
        n[0] |= round % 2;
        if natural::bit_length(&n) > 0 {
            check(&number(of_x as usize, &mut random), &n);
        }
    }
}

/// Neighbours, fractions and powers of two next to the modulus: quotients that are long, or 1 for long.
#[test]
fn numbers_with_long_quotients_are_inverted() {
    for bits in [64, 65, 127, 128, 129, 500, 2048] {
        let one = BigUint::from(1u8);
        for n in [(&one << bits) - 1u8, (&one << bits) + 1u8, &one << bits, BigUint::from(3u8).pow(bits)] {
            for shift in 0..bits.min(140) {
                for x in [&n >> shift, (&n >> shift) + 1u8, &n - (&one << shift), (&one << shift) - 1u8] {
                    check(&x.to_u64_digits(), &n.to_u64_digits());
                }
            }
        }
    }
}

/// Of consecutive Fibonacci numbers all quotients are 1, and there are the most of them.
#[test]
fn fibonacci_numbers_are_inverted() {
    let (mut a, mut b) = (BigUint::from(1u8), BigUint::from(2u8));
    for _ in 0..3000 {
        check(&a.to_u64_digits(), &b.to_u64_digits());
        (a, b) = (b.clone(), a + b);
    }
}

#[test]
fn long_numbers_are_inverted() {
    let mut source = Random(2);
    let mut random = || source.words(1)[0];
    for words in [63, 64, 65, 300, 1000] {
        let mut n = number(words, &mut random);
        (n[0], n[words - 1]) = (n[0] | 1, random() | 1);
        check(&number(words, &mut random), &n);
        check(&number(3 * words, &mut random), &n);
        check(&[random()], &n);
    }
}
