//! Proofs of the bounds that the comments of the lanes argue, for every number of digits that a modulus may take.

use super::columns::{MOST_DIGITS, RAISED_CARRY, carried, clear, product, raised, square};
use super::digits::{self, Lines};
use super::moduli::digits_for;
use super::reduction::{Divisors, ROWS};
use super::{DIGIT_BITS, MOST_BITS};
use crate::arch::tested::detect_or_say;
use crate::arch::x86_64::fma::{Digits, Fma, Line};
use crate::arch::{InstructionSet, Task};
use alloc::vec;
use alloc::vec::Vec;
use num_bigint::BigUint;

const LARGEST: u64 = (1 << DIGIT_BITS) - 1;

/// The number of digits, and the bits of the largest modulus that has so many.
fn classes() -> Vec<(usize, usize)> {
    let mut classes: Vec<(usize, usize)> = Vec::new();
    for n_bits in 2..=MOST_BITS {
        let d = digits_for(n_bits);
        if classes.last().is_some_and(|&(last, _)| last == d) {
            classes.pop();
        }
        classes.push((d, n_bits));
    }
    classes
}

/// The product or the square of two numbers of d equal digits, as columns.
struct Columns {
    d: usize,
    digits: [u64; 2],
    is_square: bool,
}

impl Task<Fma> for Columns {
    type Output = Lines;

    #[inline(always)]
    fn run(self, fma: Fma) -> Lines {
        let [x, y] = self.digits.map(|digit| vec![Digits([digit as f64; 4]); self.d]);
        let mut t = digits::lines(2 * self.d);
        match self.is_square {
            true => square::<ROWS>(fma, &mut t, &x, &mut digits::zero(self.d)),
            false => product::<ROWS>(fma, &mut t, &x, &y),
        }
        t
    }
}

/// The sum of a column as it is, without what [`raised`] adds.
fn sum(c: usize, column: &Line) -> i128 {
    i128::from(column.0[0]) - i128::from(raised(c))
}

/// Σ of the columns' sums, each by its weight, is the number that they are; and no column needs more than D·2^52.
#[test]
fn columns_are_the_products_of_their_factors_and_stay_within_their_bounds() {
    let Some(fma) = detect_or_say::<Fma>() else { return };
    for d in (ROWS..40).chain([64, 81, MOST_DIGITS]) {
        for digits in [[LARGEST, LARGEST], [0, LARGEST], [1, 1 << 50], [LARGEST, 1]] {
            for is_square in [false, true] {
                let factors = if is_square { [digits[0]; 2] } else { digits };
                let [x, y] = factors.map(|digit| {
                    (0..d).fold(BigUint::ZERO, |sum, j| sum + (BigUint::from(digit) << (51 * j)))
                });
                let columns = fma.run(Columns { d, digits, is_square });
                let (mut above, mut number) = (0, BigUint::ZERO);
                for (c, column) in columns.iter().enumerate() {
                    let sum = sum(c, column);
                    assert!(sum.unsigned_abs() <= (d as u128) << 52, "column {c} of {d} digits");
                    above += sum;
                    number += BigUint::from((above & i128::from(LARGEST)) as u64) << (51 * c);
                    above >>= DIGIT_BITS;
                }
                assert!(above == 0 && number == x * y, "{d} digits, {digits:?}");
            }
        }
    }
}

/// A product and a reduction each add at most D low parts, from −2^51 to 2^51, and high parts of D·2^51 in all.
#[test]
fn raised_columns_stay_between_zero_and_two_to_the_63() {
    let most = |d: u128| 2 * (d << 51) + 2 * (d << 51) + (1 << 13);
    let least = |d: u128| 2 * (d << 51);
    assert!(most(MOST_DIGITS as u128) <= 1 << 62 && most(MOST_DIGITS as u128 + 1) > 1 << 62);
    assert!(least(MOST_DIGITS as u128) + u128::from(RAISED_CARRY) <= 1 << 62);
    assert!(digits_for(MOST_BITS) <= MOST_DIGITS);
    // A carry is below 2^13, as that bound needs.
    const { assert!(((1_u64 << 63) - 1) >> DIGIT_BITS < 1 << 13) };
}

#[test]
fn what_raises_columns_leaves_their_digits_as_they_are() {
    struct Raised;
    impl Task<Fma> for Raised {
        type Output = ();

        #[inline(always)]
        fn run(self, fma: Fma) {
            let mut t = digits::lines(4);
            clear(fma, &mut t);
            let columns = super::columns::lowest::<4>(fma, &t);
            let (digits, above) = carried(fma, columns);
            let mut line = Line::default();
            for digit in digits {
                fma.store(&mut line, fma.integer(digit));
                assert_eq!(line.0, [0; 4]);
            }
            fma.store(&mut line, above);
            assert_eq!(line.0, [RAISED_CARRY; 4]);
        }
    }
    if let Some(fma) = detect_or_say::<Fma>() {
        fma.run(Raised);
    }
}

/// Whether a product of numbers below 4·n is below 3·n where R = 2^r_bits.
fn products_stay_bounded(n: &BigUint, r_bits: usize) -> bool {
    let largest = 4u32 * n - 1u32;
    ((&largest * &largest) >> r_bits) + 2u32 * n < 3u32 * n
}

/// The most that the blocks add to a number, divided by n.
fn added_by_blocks(d: usize) -> BigUint {
    let power = |digits: usize| BigUint::from(1u32) << (DIGIT_BITS as usize * digits);
    let (first, one) = (d % ROWS, BigUint::from(1u32));
    // A quotient and the inverse of n are below 2^(51·B); the last block takes their product mod 2^(51·B).
    let mut sum = (power(first) - &one) * (power(first) - &one);
    for position in (first..d - ROWS).step_by(ROWS) {
        sum += (power(ROWS) - &one) * (power(ROWS) - &one) * power(position);
    }
    sum + (power(ROWS) - &one) * power(d - ROWS)
}

#[test]
fn residues_in_lanes_stay_below_four_times_the_modulus() {
    for (d, n_bits) in classes() {
        let (r_bits, one) = (DIGIT_BITS as usize * d, BigUint::from(1u32));
        let (n, r) = ((&one << n_bits) - &one, &one << r_bits);
        assert!(r >= 16u32 * &n, "{n_bits} bits");
        assert!(added_by_blocks(d) < 2u32 * &r, "{d} digits");
        assert!(products_stay_bounded(&n, r_bits), "{n_bits} bits");
        // A chunk below R times a number below n, as in `enter`.
        assert!((((&r - &one) * (&n - &one)) >> r_bits) + 2u32 * &n < 3u32 * &n, "{n_bits} bits");
        assert!(!products_stay_bounded(&n, n_bits + 3));
    }
}

/// z·R = t + q·n for some q below 2R, for numbers t whose digits are all the largest or all 0 but one.
#[test]
fn a_reduction_divides_by_r() {
    struct Reduce<'a> {
        n: &'a [u64],
        n0: u64,
        t: Vec<u64>,
    }
    impl Task<Fma> for Reduce<'_> {
        type Output = Vec<u64>;

        #[inline(always)]
        fn run(self, fma: Fma) -> Vec<u64> {
            let digits = |x: &[u64]| x.iter().map(|&digit| Digits([digit as f64; 4])).collect::<Vec<_>>();
            let d = self.n.len();
            let divisors = Divisors::new(fma, digits(self.n).into(), Digits([self.n0 as f64; 4]));
            let mut t = digits::lines(2 * d);
            clear(fma, &mut t);
            for (column, digit) in t.iter_mut().zip(self.t) {
                column.0.iter_mut().for_each(|lane| *lane += digit);
            }
            let mut z = digits::zero(d);
            divisors.reduce(fma, d, &mut z, &mut t);
            z.iter().map(|digit| digit.0[3] as u64).collect()
        }
    }
    let Some(fma) = detect_or_say::<Fma>() else { return };
    let number = |digits: &[u64]| {
        digits.iter().rev().fold(BigUint::ZERO, |sum, &digit| (sum << DIGIT_BITS) + BigUint::from(digit))
    };
    for d in ROWS..3 * ROWS + 2 {
        let mut n = vec![LARGEST; d];
        (n[0], n[d - 1]) = (LARGEST - 6, LARGEST >> 4);
        let n0 = crate::n0::newton_hensel::<crate::ring::Integers<u64>>(n[0]) & LARGEST;
        let mut numbers = vec![vec![0; 2 * d], vec![LARGEST; 2 * d]];
        numbers.extend((0..2 * d - 1).map(|c| (0..2 * d).map(|i| u64::from(i == c) * LARGEST).collect()));
        for mut t in numbers {
            // Below R·n, so that the quotient stays below R.
            t[2 * d - 1] = 0;
            let z = number(&fma.run(Reduce { n: &n, n0, t: t.clone() }));
            let (n, t) = (number(&n), number(&t));
            let multiple = (z << (DIGIT_BITS as usize * d)) - t;
            assert!(&multiple % &n == BigUint::ZERO && multiple / n < BigUint::from(2u32) << (51 * d));
        }
    }
}
