//! The products, the passes and the inverse against whole numbers of num-bigint.

use super::passes::{Difference, SumOfThree, SumOfTwo};
use super::{cyclic, negative_inverse, product};
use crate::arch::InstructionSet;
use crate::arch::tested::detect_or_say;
use crate::arch::x86_64::ifma::{DIGIT_BITS, Ifma, LANES};
use crate::kernel::ifma::constants::largest;
use alloc::vec;
use alloc::vec::Vec;
use num_bigint::BigUint;

const ONES: u64 = largest::<DIGIT_BITS>();

fn number(digits: &[u64]) -> BigUint {
    assert!(digits.iter().all(|&digit| digit <= ONES));
    let words = crate::natural::from_digits::<DIGIT_BITS>(digits.iter().copied(), digits.len());
    words.iter().rev().fold(BigUint::ZERO, |number, &word| (number << 64) + word)
}

/// W^k.
fn power_of_w(k: usize) -> BigUint {
    BigUint::from(1u32) << (DIGIT_BITS as usize * k)
}

/// Digits of k digits: 0, 1, all ones, the largest lower or upper half, equal halves, and two that are random.
fn numbers(k: usize) -> Vec<Vec<u64>> {
    let h = product::lower_half(k);
    let random = |seed: u64| {
        let digit =
            |i: u64| ((seed + i).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ seed.rotate_left(i as u32)) & ONES;
        (0..k as u64).map(digit).collect::<Vec<_>>()
    };
    let of = |digit: &dyn Fn(usize) -> u64| (0..k).map(digit).collect::<Vec<_>>();
    let (a, b) = (random(3 * k as u64 + 1), random(7 * k as u64 + 5));
    let halves_of_a = of(&|i| a[i % h]);
    vec![
        vec![0; k],
        of(&|i| u64::from(i == 0)),
        vec![ONES; k],
        of(&|i| if i < h { ONES } else { 0 }),
        of(&|i| if i < h { 0 } else { ONES }),
        of(&|i| if i + 1 < k { ONES } else { ONES - 1 }),
        halves_of_a,
        a,
        b,
    ]
}

/// Lengths of every depth of splitting, even and odd numbers of vectors.
fn lengths() -> impl Iterator<Item = usize> {
    let short = (1..=25).map(|vectors| LANES * vectors);
    short.chain([240, 248, 256, 312, 320, 328, 336, 480, 632, 640, 648, 656, 664, 672, 968, 1264])
}

/// Calls the function for pairs of numbers of each length: all pairs if they are short.
fn for_each_pair(check: impl Fn(&[u64], &[u64])) {
    for k in lengths() {
        let numbers = numbers(k);
        for (i, a) in numbers.iter().enumerate() {
            for (j, b) in numbers.iter().enumerate() {
                if k <= 328 || i == j || (i + 2 * j) % 5 == 0 {
                    check(a, b);
                }
            }
        }
    }
}

#[test]
fn products_and_squares_are_those_of_the_numbers() {
    let Some(ifma) = detect_or_say::<Ifma>() else { return };
    for_each_pair(|a, b| {
        let k = a.len();
        let (mut z, mut work) = (vec![ONES; 2 * k], vec![ONES; product::work_of_product(k)]);
        product::multiply(ifma, &mut z, a, b, &mut work);
        assert_eq!(number(&z), number(a) * number(b), "{k} digits");
        if a == b {
            product::square(ifma, &mut z, a, &mut work);
            assert_eq!(number(&z), number(a).pow(2), "{k} digits");
        }
    });
}

#[test]
fn low_products_are_those_of_the_numbers_below_the_power() {
    let Some(ifma) = detect_or_say::<Ifma>() else { return };
    for_each_pair(|a, b| {
        let k = a.len();
        let (mut z, mut work) = (vec![ONES; k], vec![ONES; product::work_of_low(k)]);
        product::multiply_low(ifma, &mut z, a, b, &mut work);
        assert_eq!(number(&z), number(a) * number(b) % power_of_w(k), "{k} digits");
    });
}

#[test]
fn cyclic_products_are_those_of_the_numbers_modulo_the_power_less_one() {
    let Some(ifma) = detect_or_say::<Ifma>() else { return };
    for_each_pair(|a, b| {
        let k = a.len();
        let modulus = power_of_w(k) - 1u32;
        let (mut z, mut work) = (vec![ONES; k], vec![ONES; cyclic::work(k)]);
        cyclic::multiply(ifma, &mut z, a, b, &mut work);
        assert_eq!(number(&z) % &modulus, number(a) * number(b) % &modulus, "{k} digits");
    });
}

#[test]
fn sums_and_differences_are_those_of_the_numbers() {
    let Some(ifma) = detect_or_say::<Ifma>() else { return };
    for_each_pair(|a, b| {
        let k = a.len();
        let modulus = power_of_w(k) - 1u32;
        let (a_number, b_number) = (number(a), number(b));
        let mut z = vec![ONES; k];
        let is_negative = ifma.run(Difference { z: &mut z, a, b });
        let is_less = a_number < b_number;
        assert_eq!(is_negative, if is_less { u64::MAX } else { 0 });
        assert_eq!(number(&z), if is_less { &b_number - &a_number } else { &a_number - &b_number });
        ifma.run(SumOfTwo { z: &mut z, a, b });
        assert_eq!(number(&z) % &modulus, (&a_number + &b_number) % &modulus);
        z.copy_from_slice(a);
        ifma.run(SumOfThree { z: &mut z, a, b });
        assert_eq!(number(&z), (&a_number + &a_number + &b_number) % &modulus);
        // A shorter number is one with zeros above.
        let l = k - product::lower_half(k);
        if l > 0 {
            let is_negative = ifma.run(Difference { z: &mut z, a, b: &b[..l] });
            let (large, small) = (a_number.clone().max(number(&b[..l])), a_number.min(number(&b[..l])));
            assert_eq!(number(&z), large - small);
            assert_eq!(is_negative != 0, number(a) < number(&b[..l]));
        }
    });
}

#[test]
fn the_inverse_times_the_number_is_minus_one() {
    let Some(ifma) = detect_or_say::<Ifma>() else { return };
    for k in lengths() {
        for mut n in numbers(k) {
            n[0] |= 1;
            let m = negative_inverse(ifma, &n);
            assert_eq!((number(&n) * number(&m) + 1u32) % power_of_w(k), BigUint::ZERO, "{k} digits");
        }
    }
}
