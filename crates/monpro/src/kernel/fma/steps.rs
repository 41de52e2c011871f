//! MonPro, and the steps of a power. Between steps a residue may be any number below 2·n that is congruent to it, in D digits
//! from −2^12 to 2^50 + 2^14, where W^(D − 1) ≥ 8·n for W = 2^50, and R ≥ W^D.
//!
//! - A step returns such a number: u = (x·y + m·n)/R < 4·n·n/R + n + n/2^35 < 2·n. In this bound m is below R + R/2^35, since
//!   its digits may exceed 2^50.
//! - The highest of D digits is 0 or −1, since the number is below W^(D − 1)/4 and at least 0, and the digits below the highest
//!   amount to less than 1 + 2^−35 times W^(D − 1) and more than −2^−35 times that.
//! - So nothing is carried beyond the highest digit of u: its column has at most the high part of a product of two such digits,
//!   which is 0 or, if the CPU rounds up, 1. With D − 1 digits the column could be the high part of a product of −1 and a
//!   larger digit, which is −1 if the CPU rounds down.

use super::arithmetic::reduce_once;
use super::carries::{Carries, carry_into_r};
use super::columns::{Block, Operands, for_each_block};
use super::constants::Derived;
use super::{PADDING, clear_padding, digits};
use crate::arch::x86_64::fma::{Fma, LANES};
use crate::arch::{InstructionSet, Task};
use crate::kernel::contract::{Constants, PowerSteps};
use crate::monoid::square_repeatedly;

/// The steps.
pub(super) const STEPS: PowerSteps = PowerSteps {
    multiply: |z, x, y, constants, t| {
        let x_digits = digits(constants.n_bits);
        Fma::in_use().run(Multiply { z, x, x_digits, y, constants, t });
    },
    square_repeatedly: |z, times, constants, t| {
        Fma::in_use().run(SquareRepeatedly { z, times, constants, t });
    },
    append: None,
    append_entries: None,
    finish: reduce_once,
};

/// z = x·y·R⁻¹ mod n for x < R/2 and y < n.
pub(super) fn product(z: &mut [u64], x: &[u64], y: &[u64], constants: &Constants, t: &mut [u64]) {
    Fma::in_use().run(Multiply { z, x, x_digits: constants.s, y, constants, t });
    reduce_once(z, constants);
}

/// z = x²·R⁻¹ mod n for x < n.
pub(super) fn square(z: &mut [u64], x: &[u64], constants: &Constants, t: &mut [u64]) {
    z.copy_from_slice(x);
    Fma::in_use().run(SquareRepeatedly { z, times: 1, constants, t });
    reduce_once(z, constants);
}

/// The cells of scratch for residues of s digits.
pub(super) fn temporary_cells(s: usize) -> usize {
    3 * (s + 2 * PADDING)
}

struct Multiply<'a> {
    z: &'a mut [u64],
    x: &'a [u64],
    x_digits: usize,
    y: &'a [u64],
    constants: &'a Constants<'a>,
    t: &'a mut [u64],
}

impl Task<Fma> for Multiply<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self, fma: Fma) {
        let Multiply { z, x, x_digits, y, constants, t } = self;
        let (mut step, _) = Step::new(fma, constants, t);
        let operands = Operands { a: y, a_digits: step.digits, b: x, b_digits: x_digits };
        fma.run(Reduce::<false> { step: &mut step, operands, z });
    }
}

struct SquareRepeatedly<'a> {
    z: &'a mut [u64],
    times: usize,
    constants: &'a Constants<'a>,
    t: &'a mut [u64],
}

impl Task<Fma> for SquareRepeatedly<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self, fma: Fma) {
        let SquareRepeatedly { z, times, constants, t } = self;
        let (mut step, other) = Step::new(fma, constants, t);
        square_repeatedly(z, times, other, |squared, power| {
            let operands = Operands { a: power, a_digits: step.digits, b: power, b_digits: step.digits };
            fma.run(Reduce::<true> { step: &mut step, operands, z: squared });
        });
    }
}

/// The constants of a step, and its intermediate numbers.
struct Step<'a> {
    constants: &'a Constants<'a>,
    /// D.
    digits: usize,
    /// t mod R, padded with zeros.
    low: &'a mut [u64],
    /// m, padded with zeros.
    m: &'a mut [u64],
}

impl<'a> Step<'a> {
    /// The step, and a padded number.
    #[inline(always)]
    fn new(fma: Fma, constants: &'a Constants<'a>, t: &'a mut [u64]) -> (Self, &'a mut [u64]) {
        let s = constants.s;
        let (low, t) = t.split_at_mut(s + 2 * PADDING);
        let (m, t) = t.split_at_mut(s + 2 * PADDING);
        let other = &mut t[..s + 2 * PADDING];
        for padded in [&mut *low, &mut *m, &mut *other] {
            clear_padding(fma, padded);
        }
        (Step { constants, digits: digits(constants.n_bits), low, m }, other)
    }
}

/// z = (t + m·n)/R, where t is the product or the square of the operands, and m = t·n' mod R.
struct Reduce<'a, 'b, const SQUARE: bool> {
    step: &'a mut Step<'b>,
    operands: Operands<'a>,
    z: &'a mut [u64],
}

impl<const SQUARE: bool> Task<Fma> for Reduce<'_, '_, SQUARE> {
    type Output = ();

    #[inline(always)]
    fn run(self, fma: Fma) {
        let Reduce { step, operands, z } = self;
        let s = step.constants.s;
        let vectors = s / LANES;
        let derived = Derived::of(step.constants);

        // t mod R.
        let (mut below, mut carries) = (fma.zero(), Carries::modulo_r(fma));
        for_each_block(0..vectors, |first, width| {
            let mut block = Block::new(fma, first, width);
            block.add_factors::<SQUARE>(&operands);
            for place in 0..width {
                let columns = block.columns(place, &mut below);
                carries.put(step.low, PADDING + LANES * (first + place), columns);
            }
        });
        let carry_of_t = carries.carry;

        // m = t·n' mod R.
        let quotient = Operands { a: derived.n_prime, a_digits: s, b: step.low, b_digits: s };
        let (mut below_m, mut carries) = (fma.zero(), Carries::modulo_r(fma));
        for_each_block(0..vectors, |first, width| {
            let mut block = Block::new(fma, first, width);
            block.add_product(&quotient);
            for place in 0..width {
                let columns = block.columns(place, &mut below_m);
                carries.put(step.m, PADDING + LANES * (first + place), columns);
            }
        });

        // u = (t + m·n)/R.
        let (carry, high) = carry_into_r(fma, step.m, step.low, derived.reversed, s);
        let multiple = Operands { a: step.constants.n, a_digits: step.digits - 1, b: step.m, b_digits: s };
        let (mut below, mut carries) = (fma.add(below, high), Carries::above_r(fma, carry_of_t));
        let mut carry = carry;
        for_each_block(vectors..2 * vectors, |first, width| {
            let mut block = Block::new(fma, first, width);
            block.add_factors::<SQUARE>(&operands);
            block.add_product(&multiple);
            for place in 0..width {
                let columns = fma.add(block.columns(place, &mut below), carry);
                carry = fma.zero();
                carries.put(z, PADDING + LANES * (first + place - vectors), columns);
            }
        });
    }
}
