//! Proofs of the bounds that the comments of this kernel argue, for every number of digits that a modulus may take.

use super::super::bounds::{Class, MOST, Subject, W, carries_fit, classes_of, columns_fit, value};
use super::super::{DIGIT_BITS, PADDING};
use super::{KERNEL, constants, digits};
use crate::arch::x86_64::fma::{CELLS_BELOW, LANES, bits_of, integer_of};
use crate::kernel::contract::Constants;
use alloc::vec;
use alloc::vec::Vec;
use num_bigint::BigInt;

fn classes() -> Vec<Class> {
    classes_of(&KERNEL, digits)
}

fn power(exponent: usize) -> BigInt {
    BigInt::from(1) << (DIGIT_BITS as usize * exponent)
}

/// A column has a low part for each digit of two products at most, and a high part likewise.
#[test]
fn every_column_stays_within_its_limits() {
    for Class { s, .. } in classes() {
        assert!(columns_fit(2 * s as i64));
    }
    assert!(carries_fit(LANES as i64));
}

/// The largest u of a step for these largest x and y, where R has s digits.
fn largest_result(x: &BigInt, y: &BigInt, n: &BigInt, s: usize) -> BigInt {
    let (blocks, block) = (s.div_ceil(LANES), value(&[MOST; LANES]));
    let mut t = (x * y) << (DIGIT_BITS as usize * (LANES * blocks - s));
    for j in 0..blocks {
        let multiple = if j + 1 < blocks { n * power(LANES) } else { n.clone() };
        t += &block * multiple * power(LANES * j);
    }
    t / power(LANES * blocks)
}

#[test]
fn residues_that_are_never_reduced_stay_below_three_times_the_modulus() {
    for class in classes() {
        let Class { n_bits, s, .. } = class;
        let n: BigInt = (BigInt::from(1) << n_bits) - 1;
        let most: BigInt = 3 * &n - 1;
        assert!(power(s) >= 16 * &n, "{class:?}");
        assert!(largest_result(&most, &most, &n, s) <= most, "{class:?}");
        // The factors of `product`.
        let half: BigInt = power(s) / 2 - 1;
        assert!(largest_result(&half, &(&n - 1), &n, s) <= most, "{class:?}");
        // The highest digit: what is above the others, at most, and at least.
        let others = value(&vec![MOST; s - 1]);
        assert!(others < 2 * power(s - 1) && most < 3 * power(s) / 16, "{class:?}");
    }
}

#[test]
fn steps_take_and_return_every_form_of_a_number() {
    let subject = Subject { kernel: &KERNEL, most: 3, highest: -1..=W / 16 * 3 };
    subject.check_steps_of(classes().into_iter().filter(|class| class.s <= 48));
}

#[test]
fn the_derived_constants_are_those_of_the_modulus() {
    for s in 1..=20 {
        let digit = |i: usize| (i as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 14 | 1;
        for n in [vec![W - 1; s], (0..s).map(|i| digit(i) as i64).collect()] {
            let mut cells = vec![0; (KERNEL.cells)(s)];
            for (cell, &digit) in cells[PADDING..].iter_mut().zip(&n) {
                *cell = bits_of(digit);
            }
            let constants = Constants { n: &cells, n0: 0, s, n_bits: 50 * s, derived: &[] };
            let derived: Vec<i64> = constants::derive(&constants).into_iter().map(integer_of).collect();
            let (n_prime, n_hat) = derived.split_at(CELLS_BELOW + LANES);
            assert!(derived.iter().all(|digit| (0..W).contains(digit)));
            assert_eq!(value(&n_prime[..CELLS_BELOW]) + value(&n_hat[..PADDING]), BigInt::ZERO);
            assert!(n_hat.len() == cells.len() && value(&n_hat[PADDING + s..]) == BigInt::ZERO);
            let product = value(&n) * value(&n_prime[CELLS_BELOW..]) + 1;
            assert_eq!(product, value(&n_hat[PADDING..]) * power(LANES));
        }
    }
}
