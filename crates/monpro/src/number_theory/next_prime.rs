//! The primes next to a number.

use super::primality::{is_prime_vartime, is_probably_prime};
use super::small_primes::{BOUND, ODD_PRIMES, remainder};
use crate::cancellation::checkpoint;
use crate::natural::{bit_length, resized, subtract};
use alloc::vec;
use alloc::vec::Vec;

/// Up to so many bits, each odd number is tested by itself.
const SMALL_BITS: usize = 2 * BOUND.ilog2() as usize + 1;

/// The least prime above n, by [`is_prime_vartime`], without leading zeros. Time depends on n.
#[must_use]
pub fn next_prime_vartime(n: &[u64]) -> Vec<u64> {
    match bit_length(n) <= 1 {
        true => vec![2],
        false => first_prime(moved(n, 1 + (n[0] & 1), Direction::Up), Direction::Up),
    }
}

/// The largest prime below n, by [`is_prime_vartime`], without leading zeros; None for n ≤ 2. Time depends on n.
#[must_use]
pub fn previous_prime_vartime(n: &[u64]) -> Option<Vec<u64>> {
    match n.first().copied().unwrap_or(0) {
        0..=2 if bit_length(n) <= 2 => None,
        3 if bit_length(n) == 2 => Some(vec![2]),
        low => Some(first_prime(moved(n, 1 + (low & 1), Direction::Down), Direction::Down)),
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Direction {
    Up,
    Down,
}

/// The first prime among the odd numbers start, start ± 2, start ± 4, …; there is one.
fn first_prime(mut start: Vec<u64>, direction: Direction) -> Vec<u64> {
    while bit_length(&start) <= SMALL_BITS {
        if is_prime_vartime(&start) {
            return start;
        }
        start = moved(&start, 2, direction);
    }
    loop {
        // A prime is found among so many odd numbers mostly; the average distance is 0.35·bits of them.
        let count = bit_length(&start);
        let survivors = sieve(&start, count, direction);
        let prime = survivors.into_iter().map(|i| moved(&start, 2 * i as u64, direction)).find(|candidate| {
            checkpoint();
            is_probably_prime(candidate)
        });
        match prime {
            Some(prime) => return prime,
            None => start = moved(&start, 2 * count as u64, direction),
        }
    }
}

/// The i < count for which no odd prime below [`BOUND`] divides start ± 2·i.
fn sieve(start: &[u64], count: usize, direction: Direction) -> Vec<usize> {
    let mut is_composite = vec![false; count];
    for prime in ODD_PRIMES.map(u64::from) {
        let rest = remainder(start, prime);
        // start + 2·i = 0 for i = −start/2 modulo the prime, where 1/2 = (prime + 1)/2.
        let distance = match direction {
            Direction::Up => prime - rest,
            Direction::Down => rest,
        };
        let first = distance * prime.div_ceil(2) % prime;
        for i in (first as usize..count).step_by(prime as usize) {
            is_composite[i] = true;
        }
    }
    (0..count).filter(|&i| !is_composite[i]).collect()
}

/// n ± by, without leading zeros.
fn moved(n: &[u64], by: u64, direction: Direction) -> Vec<u64> {
    let mut z = resized(n, n.len() + 1);
    match direction {
        Direction::Up => add_word(&mut z, by),
        Direction::Down => subtract(&mut z, &[by]),
    }
    z.truncate(bit_length(&z).div_ceil(64));
    z
}

/// z += word modulo 2^(64·len z).
fn add_word(z: &mut [u64], word: u64) {
    let mut carry = word;
    for word in z {
        let (sum, is_over) = word.overflowing_add(carry);
        (*word, carry) = (sum, u64::from(is_over));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sieve_leaves_the_numbers_without_a_factor_below_its_bound() {
        // The first is a multiple of 3, 5, 7, 11 and 13, so that its own place falls in both directions.
        for start in [15_015 << 70 | 15_015, (1 << 25) + 40_001, (1 << 64) + 13, (1 << 100) - 1u128] {
            for (direction, step) in [(Direction::Up, 2), (Direction::Down, -2)] {
                let has_no_factor = |&i: &usize| {
                    let candidate = start.wrapping_add_signed(step * i as i128);
                    (3..BOUND).step_by(2).all(|d| candidate % d as u128 != 0)
                };
                let expected: Vec<_> = (0..300).filter(has_no_factor).collect();
                let left = sieve(&[start as u64, (start >> 64) as u64], 300, direction);
                assert_eq!(left, expected, "{start} in steps of {step}");
            }
        }
    }
}
