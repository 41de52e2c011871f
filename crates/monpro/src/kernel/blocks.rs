//! Kernels of the integers that work on blocks of words: Separated Operand Scanning \[koc96, §4\], and for few words
//! short products and runs of squares, each written for its number of words.
//!
//! The paper's SOS works word by word. Here it works by blocks of 8 words, and a block of 4 if 4 words are left: the
//! product takes 8 words of x at a time; the reduction finds 8 words of q, then adds these words times n. Other
//! numbers of words are rounded up, so R may be larger than the paper's. docs/0006 and docs/0014 have measurements on
//! x86-64, docs/0008 counts of instructions on AArch64.

use super::contract::{Arithmetic, Constants, Divisor, Kernel, PowerSteps, Requirement};
use crate::arch::blocks::Blocks;
use crate::product::by_blocks::{cross_products, multiply};
use crate::ring::{Integers, RingName};
use alloc::vec::Vec;

/// The kernel of this name, on the instruction set I.
pub(super) const fn kernel<I: Blocks>(name: &'static str) -> Kernel {
    Kernel {
        name,
        paper: "koc96",
        ring: RingName::Integers,
        radix_bits: 64,
        requires: Requirement::of::<I>(),
        takes: "any modulus",
        supports: |_, _| true,
        words_for: words_for::<I>,
        cells: |s| s,
        divisor: Divisor::PowerOfX,
        derive: derive::<I>,
        temporary_cells: |s| if is_short::<I>(s) { I::SHORT_SCRATCH } else { 2 * s },
        product: product::<I>,
        square: square::<I>,
        select: |z, table, index| I::in_use().select(z, table, index),
        power_steps: |s| is_short::<I>(s).then_some(short_steps::<I>()),
        almost_inverse: None,
        arithmetic: Arithmetic::of::<Integers<u64>>(),
    }
}

/// s: a number of words for which there are short products, or a multiple of 4.
fn words_for<I: Blocks>(n_bits: usize) -> usize {
    let words = n_bits.div_ceil(64);
    I::SHORT.iter().copied().find(|&s| s >= words).unwrap_or(words.next_multiple_of(4))
}

/// Whether there are short products of s words.
fn is_short<I: Blocks>(s: usize) -> bool {
    I::SHORT.last().is_some_and(|&most| s <= most)
}

/// For short products, the upper word of −n⁻¹ mod W².
fn derive<I: Blocks>(constants: &Constants) -> Vec<u64> {
    if !is_short::<I>(constants.s) {
        return Vec::new();
    }
    let n0 = negated_inverse_of_two_words(constants.n, constants.n0);
    alloc::vec![(n0 >> 64) as u64]
}

/// −n⁻¹ mod W² for an odd n of two words or more, where n0 = −n⁻¹ mod W.
pub(crate) fn negated_inverse_of_two_words(n: &[u64], n0: u64) -> u128 {
    let (n, n0) = (u128::from(n[1]) << 64 | u128::from(n[0]), u128::from(n0));
    // With n·n0 = −1 + ε·W, the product n·n0·(2 + n·n0) is −1 + ε²·W².
    n0.wrapping_mul(n.wrapping_mul(n0).wrapping_add(2))
}

/// n and −n⁻¹ mod W², for short products.
#[inline(always)]
fn short_modulus<'a>(constants: &Constants<'a>) -> (&'a [u64], u128) {
    let n0 = u128::from(constants.derived[0]) << 64 | u128::from(constants.n0);
    (&constants.n[..constants.s], n0)
}

fn product<I: Blocks>(z: &mut [u64], x: &[u64], y: &[u64], constants: &Constants, t: &mut [u64]) {
    let (blocks, s, n0) = (I::in_use(), constants.s, constants.n0);
    let (z, x, y, n) = (&mut z[..s], &x[..s], &y[..s], &constants.n[..s]);
    if is_short::<I>(s) {
        return blocks.multiply_short(z, [x, y], short_modulus(constants), t);
    }
    let t = &mut t[..2 * s];
    multiply(blocks, t, x, y);
    finish(blocks, z, t, n, n0);
}

fn square<I: Blocks>(z: &mut [u64], x: &[u64], constants: &Constants, t: &mut [u64]) {
    let (blocks, s, n0) = (I::in_use(), constants.s, constants.n0);
    let (z, x, n) = (&mut z[..s], &x[..s], &constants.n[..s]);
    if is_short::<I>(s) {
        return blocks.square_short(z, Some(x), 1, short_modulus(constants), t);
    }
    let t = &mut t[..2 * s];
    cross_products(blocks, t, x);
    blocks.double_and_add_squares(t, x);
    finish(blocks, z, t, n, n0);
}

/// The steps of a power on few words: runs of squares, and those with a product, in one call. The residues stay reduced.
const fn short_steps<I: Blocks>() -> &'static PowerSteps {
    &PowerSteps {
        multiply: product::<I>,
        square_repeatedly: square_repeatedly::<I>,
        append: Some(append::<I>),
        append_entries: Some(append_entries::<I>),
        finish: |_, _| (),
    }
}

fn square_repeatedly<I: Blocks>(z: &mut [u64], times: usize, constants: &Constants, t: &mut [u64]) {
    if times > 0 {
        I::in_use().square_short(&mut z[..constants.s], None, times, short_modulus(constants), t);
    }
}

fn append<I: Blocks>(z: &mut [u64], times: usize, y: &[u64], constants: &Constants, t: &mut [u64]) {
    let s = constants.s;
    I::in_use().append_short(&mut z[..s], times, &y[..s], short_modulus(constants), t);
}

fn append_entries<I: Blocks>(
    z: &mut [u64],
    times: usize,
    (table, indices): (&[u64], &mut dyn Iterator<Item = u64>),
    constants: &Constants,
    t: &mut [u64],
) {
    let (blocks, s, modulus) = (I::in_use(), constants.s, short_modulus(constants));
    let z = &mut z[..s];
    blocks.for_each_entry(s, table, indices, |y| blocks.append_short(z, times, y, modulus, t));
}

/// z = t·R⁻¹ mod n for t < n·R.
fn finish<I: Blocks>(blocks: I, z: &mut [u64], t: &mut [u64], n: &[u64], n0: u64) {
    let carry = reduce(blocks, t, n, n0);
    blocks.subtract_once(z, &t[n.len()..], n, carry);
}

/// Sets the upper s words of t to (t + q·n)/R, where q < R makes the division exact; returns the carry out of them.
fn reduce<I: Blocks>(blocks: I, t: &mut [u64], n: &[u64], n0: u64) -> u64 {
    let s = n.len();
    let (mut carry, mut i) = (0, 0);
    while s - i >= 8 {
        carry = blocks.reduce_8(&mut t[i..i + s + 8], n, n0, carry);
        i += 8;
    }
    if i < s {
        carry = blocks.reduce_4(&mut t[i..], n, n0, carry);
    }
    carry
}

#[cfg(test)]
mod tests {
    extern crate std;

    use super::*;
    use crate::arch::InstructionSet;
    #[cfg(target_arch = "aarch64")]
    use crate::arch::aarch64::umulh::Umulh;
    #[cfg(target_arch = "x86_64")]
    use crate::arch::x86_64::mulx::{Adx, Mulx};
    use crate::natural;
    use num_bigint::BigUint;
    use std::io::Write;
    #[cfg(target_arch = "x86_64")]
    use std::is_x86_feature_detected;

    /// Pseudo-random words, most of which are 0, 1, W − 2 or W − 1, so that carries run through many.
    struct Edges(u64);

    impl Edges {
        fn words(&mut self, count: usize) -> Vec<u64> {
            (0..count).map(|_| self.next()).collect()
        }

        fn next(&mut self) -> u64 {
            self.0 = self.0.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
            match self.0 >> 60 {
                0..=7 => u64::MAX,
                8..=10 => 0,
                11 => 1,
                12 => u64::MAX - 1,
                _ => self.0 ^ self.0 >> 32,
            }
        }
    }

    fn array<const K: usize>(words: &[u64]) -> &[u64; K] {
        words.try_into().expect("the slice has K words")
    }

    fn integer(words: &[u64]) -> BigUint {
        BigUint::from_bytes_be(&natural::to_be_bytes(words, 8 * words.len()))
    }

    fn power_of_w(exponent: usize) -> BigUint {
        BigUint::from(1u64) << (64 * exponent)
    }

    /// Runs the check on each instruction set that this CPU has.
    macro_rules! with_each_instruction_set {
        ($check:ident) => {
            #[cfg(target_arch = "aarch64")]
            assert_ran("UMULH", true, Umulh::detect().map(|blocks| $check(blocks, &mut Edges(1))));
            #[cfg(target_arch = "x86_64")]
            {
                let (has_bmi2, has_adx) = (is_x86_feature_detected!("bmi2"), is_x86_feature_detected!("adx"));
                let by_mulx = Mulx::detect().map(|blocks| $check(blocks, &mut Edges(1)));
                assert_ran("BMI2", has_bmi2, by_mulx);
                let by_adx = Adx::detect().map(|blocks| $check(blocks, &mut Edges(2)));
                assert_ran("BMI2 and ADX", has_bmi2 && has_adx, by_adx);
            }
        };
    }

    /// Fails if a check did not run although the CPU has the instructions. If the CPU lacks them, prints a line that
    /// the test program does not capture.
    fn assert_ran(instructions: &str, cpu_has_them: bool, ran: Option<()>) {
        if ran.is_none() {
            assert!(!cpu_has_them, "nothing was checked by {instructions}, which this CPU has");
            writeln!(std::io::stderr(), "blocks: NOT RUN: by {instructions}, which this CPU lacks")
                .expect("stderr is open");
        }
    }

    /// An odd modulus of s words, in turn the largest, the least of s words, and any, whose top word is not 0.
    fn modulus(round: usize, edges: &mut Edges, s: usize) -> Vec<u64> {
        let mut n = if round < 4 { alloc::vec![u64::MAX; s] } else { edges.words(s) };
        if round == 1 {
            n[..s].fill(0);
        }
        (n[0], n[s - 1]) = (n[0] | 1, n[s - 1].max(1));
        n
    }

    /// A number below n: n − 1 first, later any whose words are those of n from above.
    fn residue(round: usize, edges: &mut Edges, n: &[u64]) -> Vec<u64> {
        let x = if round < 8 { integer(n) - 1u64 } else { integer(&edges.words(n.len())) % integer(n) };
        let mut words = x.to_u64_digits();
        words.resize(n.len(), 0);
        words
    }

    fn check_short_products<I: Blocks>(blocks: I, edges: &mut Edges) {
        for (round, &s) in I::SHORT.iter().cycle().take(700).enumerate() {
            let round = round / I::SHORT.len();
            let n = modulus(round, edges, s);
            let n0 = crate::n0::newton_hensel::<Integers<u64>>(n[0]);
            let constants = Constants { n: &n, n0, s, n_bits: 64 * s, derived: &[] };
            let derived = derive::<I>(&constants);
            let modulus = short_modulus(&Constants { derived: &derived, ..constants });
            assert_eq!((integer(&n) * modulus.1 + 1u64) % power_of_w(2), BigUint::ZERO);
            let r_inverse = power_of_w(s).modinv(&integer(&n)).unwrap();
            // One factor may be any number below R.
            let x = if round % 2 == 0 { alloc::vec![u64::MAX; s] } else { edges.words(s) };
            let y = residue(round, edges, &n);
            let (mut z, mut t) = (alloc::vec![0; s], edges.words(I::SHORT_SCRATCH));
            for factors in [[&x[..], &y[..]], [&y[..], &x[..]]] {
                blocks.multiply_short(&mut z, factors, modulus, &mut t);
                assert_eq!(integer(&z), integer(&x) * integer(&y) * &r_inverse % integer(&n), "{s} words");
            }
            let times = round % 7 + 1;
            let expected = (0..times).fold(integer(&y), |z, _| &z * &z * &r_inverse % integer(&n));
            blocks.square_short(&mut z, Some(&y), times, modulus, &mut t);
            assert_eq!(integer(&z), expected, "{s} words, {times} squares");
            z.copy_from_slice(&y);
            blocks.square_short(&mut z, None, times, modulus, &mut t);
            assert_eq!(integer(&z), expected, "{s} words, {times} squares in place");
            z.copy_from_slice(&y);
            blocks.append_short(&mut z, times, &x, modulus, &mut t);
            let expected = expected * integer(&x) * &r_inverse % integer(&n);
            assert_eq!(integer(&z), expected, "{s} words, {times} squares, then a product");
        }
    }

    fn check_products<I: Blocks>(blocks: I, edges: &mut Edges) {
        for (round, m) in (4..=24).step_by(4).cycle().take(600).enumerate() {
            // All ones first.
            let mut words = |count| if round < 6 { alloc::vec![u64::MAX; count] } else { edges.words(count) };
            let (x, y, before) = (words(8), words(m), words(m + 8));
            let mut t = before.clone();
            blocks.multiply_8(&mut t, array(&x), &y);
            assert_eq!(integer(&t), integer(&x) * integer(&y));
            t.copy_from_slice(&before);
            blocks.accumulate_8(&mut t, array(&x), &y);
            assert_eq!(integer(&t), integer(&before[..m]) + integer(&x) * integer(&y));
            t.copy_from_slice(&before);
            blocks.accumulate_4(&mut t[..m + 4], array(&x[..4]), &y);
            assert_eq!(integer(&t[..m + 4]), integer(&before[..m]) + integer(&x[..4]) * integer(&y));
        }
    }

    /// Σ xᵢ·xⱼ·W^(i+j) over i < count and i < j.
    fn sum_of_cross_products(x: &[u64], count: usize) -> BigUint {
        let row = |i| integer(&x[i..i + 1]) * integer(&x[i + 1..]) * power_of_w(2 * i + 1);
        (0..count).map(row).sum()
    }

    fn check_squares<I: Blocks>(blocks: I, edges: &mut Edges) {
        for (round, s) in (8..=24).step_by(4).cycle().take(600).enumerate() {
            let mut words = |count| if round < 5 { alloc::vec![u64::MAX; count] } else { edges.words(count) };
            let (x, before) = (words(s), words(2 * s));
            let mut t = before.clone();
            blocks.first_cross_products_8(&mut t[..s + 8], &x);
            assert_eq!(integer(&t[..s + 8]), sum_of_cross_products(&x, 8));
            // The sum fits in s + 4 words: t mod W^s is below W^s, the cross products are at most (W⁴ − 1)·(W^s − 1).
            t[..s].copy_from_slice(&before[..s]);
            t[0] = 0;
            blocks.cross_products_4(&mut t[..s + 4], &x);
            assert_eq!(
                integer(&t[..s + 4]),
                integer(&before[..s]) - before[0] + sum_of_cross_products(&x, 4)
            );
            t.copy_from_slice(&before);
            t[2 * s - 1] = 0;
            let expected = 2u64 * integer(&t)
                + x.iter()
                    .enumerate()
                    .map(|(i, &xi)| BigUint::from(xi).pow(2) * power_of_w(2 * i))
                    .sum::<BigUint>();
            blocks.double_and_add_squares(&mut t, &x);
            assert_eq!(integer(&t), expected % power_of_w(2 * s));
        }
    }

    fn check_reductions<I: Blocks>(blocks: I, edges: &mut Edges) {
        for (round, s) in (12..=24).step_by(4).cycle().take(600).enumerate() {
            let mut words = |count| if round < 4 { alloc::vec![u64::MAX; count] } else { edges.words(count) };
            let (mut n, before) = (words(s), words(s + 8));
            n[0] |= 1;
            let n0 = crate::n0::newton_hensel::<Integers<u64>>(n[0]);
            for (carry, width) in [(0, 8), (1, 8), (0, 4), (1, 4)] {
                let mut t = before[..s + width].to_vec();
                let reduce = if width == 8 { I::reduce_8 } else { I::reduce_4 };
                let carry_out = reduce(blocks, &mut t, &n, n0, carry);
                let (q, upper) = t.split_at(width);
                let sum = integer(&before[..s + width]) + integer(q) * integer(&n) + carry * power_of_w(s);
                assert_eq!(sum, integer(upper) * power_of_w(width) + carry_out * power_of_w(s + width));
            }
            let u = &before[..s];
            let mut z = alloc::vec![0; s];
            for carry in [0, 1] {
                blocks.subtract_once(&mut z, u, &n, carry);
                let whole = integer(u) + carry * power_of_w(s);
                let expected = if whole < integer(&n) { whole } else { whole - integer(&n) };
                assert_eq!(integer(&z), expected % power_of_w(s));
            }
        }
    }

    #[test]
    fn short_products_and_runs_of_squares_are_those_of_the_definition() {
        with_each_instruction_set!(check_short_products);
    }

    #[test]
    fn products_carry_through_every_word() {
        with_each_instruction_set!(check_products);
    }

    #[test]
    fn squares_carry_through_every_word() {
        with_each_instruction_set!(check_squares);
    }

    #[test]
    fn reductions_carry_through_every_word() {
        with_each_instruction_set!(check_reductions);
    }
}
