//! Primes and square roots of many words, against num-bigint and against each other.

mod random;

use monpro::Error;
use monpro::diffie_hellman::Group;
use monpro::number_theory::{
    is_prime_vartime, jacobi_vartime, next_prime_vartime, previous_prime_vartime, sqrt_vartime,
};
use num_bigint::BigUint;
use random::Random;

fn big(x: &[u64]) -> BigUint {
    BigUint::from_slice(&x.iter().flat_map(|&word| [word as u32, (word >> 32) as u32]).collect::<Vec<_>>())
}

fn words(x: &BigUint) -> Vec<u64> {
    x.to_u64_digits()
}

fn decimal(digits: &str) -> BigUint {
    digits.parse().unwrap()
}

/// 2^bits − less.
fn below_power(bits: u32, less: u64) -> BigUint {
    BigUint::from(2u32).pow(bits) - less
}

/// Primes of many shapes: of few bits and of many, with few factors 2 in p − 1 and with many.
fn primes() -> Vec<BigUint> {
    let goldilocks = below_power(64, (1 << 32) - 1);
    let p224 = below_power(224, 1) - BigUint::from(2u32).pow(96) + 2u32;
    let proth = BigUint::from(3u32) * BigUint::from(2u32).pow(189) + 1u32;
    let group = Group::named("modp2048").unwrap();
    let mut primes = vec![goldilocks, p224, proth, big(group.modulus().number())];
    primes.extend([89, 127, 521, 607, 1279].map(|bits| below_power(bits, 1)));
    primes.extend(
        [(255, 19), (130, 5), (127, 1), (414, 17), (64, 59), (63, 25)].map(|(b, l)| below_power(b, l)),
    );
    primes
}

#[test]
fn known_primes_are_prime_and_their_products_are_not() {
    let primes = primes();
    for (i, p) in primes.iter().enumerate() {
        assert!(is_prime_vartime(&words(p)), "{p}");
        for q in &primes[i..] {
            assert!(!is_prime_vartime(&words(&(p * q))), "{p}·{q}");
        }
    }
}

/// Arnault, "Constructing Carmichael numbers which are strong pseudoprimes to several bases", Journal of Symbolic
/// Computation 20, 1995: this one passes the round of Miller and Rabin with each prime base below 307.
#[test]
fn a_number_made_to_pass_miller_rabin_is_found_out() {
    let p = decimal(concat!(
        "29674495668685510550154174642905332730771991799853043350995075531276838753171770199594238596428121188",
        "033664754218345562493168782883"
    ));
    let less_one = &p - 1u32;
    let n = &p * (&less_one * 313u32 + 1u32) * (&less_one * 353u32 + 1u32);
    let one = BigUint::from(1u32);
    for base in [2u32, 3, 5, 7, 293] {
        let power = BigUint::from(base).modpow(&((&n - 1u32) >> 1), &n);
        assert!(power == one || power == &n - 1u32);
    }
    assert!(!is_prime_vartime(&words(&n)));
}

#[test]
fn the_primes_next_to_a_number_have_no_prime_between() {
    let mut last = 0;
    for n in 0..30_000 {
        let is_prime = is_prime_vartime(&[n]);
        let expected = if last == 0 { None } else { Some(vec![last]) };
        assert_eq!(previous_prime_vartime(&[n, 0]), expected, "below {n}");
        if is_prime {
            for before in last..n {
                assert_eq!(next_prime_vartime(&[before, 0]), [n], "above {before}");
            }
            last = n;
        }
    }
    assert_eq!((next_prime_vartime(&[]), previous_prime_vartime(&[])), (vec![2], None));
}

#[test]
fn a_number_above_a_word_is_not_taken_for_its_low_word() {
    // Between the primes 2^64 − 59 and 2^64 + 13 there is none.
    for low in 0..=13 {
        let before = previous_prime_vartime(&[low, 1]).unwrap();
        assert_eq!(before, [u64::MAX - 58], "below 2^64 + {low}");
        assert!(low == 13 || next_prime_vartime(&[low, 1]) == [13, 1], "above 2^64 + {low}");
    }
}

#[test]
fn the_primes_next_to_a_long_number_have_no_prime_between() {
    let mut starts: Vec<_> =
        (1..=6).flat_map(|length| [Random(7).words(length), vec![u64::MAX; length]]).collect();
    starts.extend([vec![1 << 24], vec![1 << 25], vec![(1 << 25) + 40], vec![0, 1], vec![0, 0, 1]]);
    for start in starts {
        let (above, below) = (next_prime_vartime(&start), previous_prime_vartime(&start).unwrap());
        assert!(big(&below) < big(&start) && big(&start) < big(&above));
        assert!(is_prime_vartime(&above) && is_prime_vartime(&below));
        let mut between = big(&below) + 1u32;
        while between < big(&above) {
            assert!(between == big(&start) || !is_prime_vartime(&words(&between)), "{between}");
            between += 1u32;
        }
        let to_start = is_prime_vartime(&start);
        assert_eq!(next_prime_vartime(&below), if to_start { start.clone() } else { above });
    }
}

#[test]
fn roots_are_roots_and_the_others_have_none() {
    for p in primes() {
        let modulus = words(&p);
        let mut without = 0;
        for i in 0..12u64 {
            let number = Random(i).words(modulus.len() + (i % 3) as usize);
            match sqrt_vartime(&number, &modulus) {
                Ok(root) => {
                    let root = big(&root);
                    assert_eq!(root.modpow(&BigUint::from(2u32), &p), big(&number) % &p);
                    assert!(&root + &root <= p, "the other root is smaller");
                }
                Err(error) => {
                    without += 1;
                    assert_eq!(error, Error::NoSquareRoot);
                    assert_eq!(big(&number).modpow(&((&p - 1u32) >> 1), &p), &p - 1u32);
                }
            }
        }
        assert!((1..12).contains(&without), "{without} of 12 modulo {p}");
        let root = big(&Random(77).words(modulus.len())) % &p;
        let found = big(&sqrt_vartime(&words(&(&root * &root)), &modulus).unwrap());
        assert!(found == root || found == &p - &root);
    }
}

#[test]
fn symbols_of_long_numbers_are_multiplicative() {
    for length in 1..8 {
        for other in 1..8 {
            let mut n = Random(length as u64).words(length);
            n[0] |= 1;
            let (a, b) = (Random(other as u64 + 50).words(other), Random(other as u64 + 90).words(3));
            let [of_a, of_b] = [&a, &b].map(|x| jacobi_vartime(x, &n).unwrap());
            assert_eq!(jacobi_vartime(&words(&(big(&a) * big(&b))), &n), Some(of_a * of_b));
            assert_eq!(jacobi_vartime(&words(&(big(&a) % big(&n))), &n), Some(of_a));
        }
    }
}
