//! Proofs of the bounds that the comments of the lanes argue, for every number of digits that a modulus may take.
//!
//! As for one operand (`kernel::ifma::bounds`), the code itself tells how many halves of products a column sums.

use super::MOST_BITS;
use super::columns::{Window, lowest, product, square};
use super::digits::Digits;
use super::moduli::digits_for;
use super::table::Reading;
use crate::arch::tested::detect_or_say;
use crate::arch::x86_64::ifma::{DIGIT_BITS, Ifma};
use alloc::vec;
use alloc::vec::Vec;
use num_bigint::BigUint;

/// The largest half of a product of two digits.
const LARGEST_HALF: u128 = (1 << DIGIT_BITS) - 1;

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

/// The most halves in a column of those that `add` makes of a number of d digits.
fn most_halves(d: usize, add: impl Fn(&mut [Digits], &[Digits])) -> u128 {
    // 1·1 has the low half 1; 2^51·2^51 has the high half 2^50, and neither has another.
    let [low, high] = [1, 1 << 51].map(|digit| {
        let mut columns = vec![Digits::default(); 2 * d];
        add(&mut columns, &vec![Digits([digit; 8]); d]);
        columns
    });
    let count = |(low, high): (&Digits, &Digits)| u128::from(low.0[0]) + u128::from(high.0[0] >> 50);
    low.iter().zip(&high).map(count).max().expect("there are columns")
}

/// Adds the rows of a reduction by blocks of B rows, as `Divisors::reduce` does, for these digits of quotients.
fn add_rows<const B: usize>(ifma: Ifma, t: &mut [Digits], quotients: &[Digits], m: &[Digits]) {
    fn sweep<const B: usize>(ifma: Ifma, t: &mut [Digits], quotients: &[Digits], m: &[Digits]) {
        let window = Window::<B>::with_carry(ifma, t, ifma.zero());
        window.sweep(&lowest(ifma, quotients), m, t, m.len() + B, &mut Reading::of_nothing());
    }
    let first = quotients.len() % B;
    match first {
        0 => {}
        1 => sweep::<1>(ifma, t, quotients, m),
        2 => sweep::<2>(ifma, t, quotients, m),
        3 => sweep::<3>(ifma, t, quotients, m),
        _ => sweep::<4>(ifma, t, quotients, m),
    }
    for row in (first..quotients.len()).step_by(B) {
        sweep::<B>(ifma, &mut t[row..], &quotients[row..], m);
    }
}

fn check_columns<const B: usize>(ifma: Ifma, d: usize) {
    let of_product = most_halves(d, |t, x| product::<B>(ifma, t, x, x));
    let of_square = most_halves(d, |t, x| square::<B>(ifma, t, x, &mut Reading::of_nothing()));
    let of_reduction = most_halves(d, |t, x| add_rows::<B>(ifma, t, x, x));
    let halves = of_product.max(of_square) + of_reduction;
    assert!(halves <= 4 * d as u128, "{halves} halves in a column of {d} digits");
    // Two carries of 12 bits: one of the block below, one of the column below.
    let sum = halves * LARGEST_HALF + 2 * (u128::from(u64::MAX) >> DIGIT_BITS);
    assert!(sum < 1 << 64, "{d} digits");
}

#[test]
fn every_column_stays_below_two_to_the_64() {
    let Some(ifma) = detect_or_say::<Ifma>() else { return };
    for (d, _) in classes() {
        check_columns::<4>(ifma, d);
        if d >= 5 {
            check_columns::<5>(ifma, d);
        }
    }
    // Where the comment says that it ends.
    let sum = |d: u128| (4 * d + 1) * LARGEST_HALF;
    assert!(sum(digits_for(53_000) as u128) < 1 << 64 && sum(1024) >= 1 << 64);
}

/// Whether a product of numbers below 4·n is below 3·n where R = 2^r_bits.
fn products_stay_bounded(n: &BigUint, r_bits: usize) -> bool {
    let largest = 4u32 * n - 1u32;
    ((&largest * &largest) >> r_bits) + 2u32 * n < 3u32 * n
}

/// The most that the blocks of B digits add to a number, divided by n.
fn added_by_blocks(d: usize, block: usize) -> BigUint {
    let power = |digits: usize| BigUint::from(1u32) << (DIGIT_BITS as usize * digits);
    let (first, one) = (d % block, BigUint::from(1u32));
    // A quotient and the inverse of n are below 2^(52·B); the last block takes their product mod 2^(52·B).
    let mut sum = (power(first) - &one) * (power(first) - &one);
    for position in (first..d - block).step_by(block) {
        sum += (power(block) - &one) * (power(block) - &one) * power(position);
    }
    sum + (power(block) - &one) * power(d - block)
}

#[test]
fn residues_in_lanes_stay_below_four_times_the_modulus() {
    for (d, n_bits) in classes() {
        let (r_bits, one) = (DIGIT_BITS as usize * d, BigUint::from(1u32));
        let (n, r) = ((&one << n_bits) - &one, &one << r_bits);
        assert!(r >= 16u32 * &n, "{n_bits} bits");
        for block in [4, 5] {
            assert!(d < block || added_by_blocks(d, block) < 2u32 * &r, "{d} digits by {block}");
        }
        assert!(products_stay_bounded(&n, r_bits), "{n_bits} bits");
        // A chunk below R times a number below n, as in `enter`.
        assert!((((&r - &one) * (&n - &one)) >> r_bits) + 2u32 * &n < 3u32 * &n, "{n_bits} bits");
        assert!(!products_stay_bounded(&n, n_bits + 3));
    }
}
