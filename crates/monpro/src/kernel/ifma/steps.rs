//! The steps of a power for numbers of up to four vectors, which stay in registers. A digit is a limb of 51 bits.
//!
//! Between steps a residue may be any number below 2·n that is congruent to it, in digits below 2^52. A step returns
//! such a number because R > 8·n: u = (x·y + m·n)/R < 4·n·n/R + n + n/2^38 < 2·n. In this bound m is below
//! R + R/2^38, since its digits may exceed 2^51 by 2^13.

use super::carries::{add_upper_parts, subtract_once};
use super::constants::Derived;
use super::registers::{BITS, Digits, add_product, carry_into_r, square};
use super::temporary::{Temporary, put};
use super::{MonPro, PADDING, digits, load};
use crate::arch::x86_64::ifma::{Ifma, LANES, Vector};
use crate::arch::{InstructionSet, Task};
use crate::kernel::contract::{Constants, PowerSteps};

/// The steps, for residues of at most four vectors.
pub(super) const STEPS: PowerSteps = PowerSteps {
    multiply: |z, x, y, constants, t| multiply(MonPro { z, x, y, constants, t }),
    square_repeatedly,
    append: None,
    append_entries: None,
    finish,
};

/// Runs a task on numbers of V vectors whose highest EMPTY digits are known to be zeros: as many as in a number of
/// 256, 512, 1024 or 1536 bits, or none.
macro_rules! run {
    ($constants:expr, $task:ident $fields:tt) => {{
        let (ifma, s) = (Ifma::in_use(), $constants.s);
        match (s / LANES, s - digits::<BITS>($constants.n_bits)) {
            (1, 2..) => ifma.run($task::<1, 2> $fields),
            (1, _) => ifma.run($task::<1, 0> $fields),
            (2, 5..) => ifma.run($task::<2, 5> $fields),
            (2, _) => ifma.run($task::<2, 0> $fields),
            (3, 3..) => ifma.run($task::<3, 3> $fields),
            (3, _) => ifma.run($task::<3, 0> $fields),
            (_, 1..) => ifma.run($task::<4, 1> $fields),
            _ => ifma.run($task::<4, 0> $fields),
        }
    }};
}

/// MonPro, or its square: a step, then the reduction of its result to a residue.
pub(super) fn mon_pro<const SQUARE: bool>(MonPro { z, x, y, constants, t }: MonPro) {
    if SQUARE {
        z.copy_from_slice(x);
        square_repeatedly(z, 1, constants, t);
    } else {
        multiply(MonPro { z, x, y, constants, t });
    }
    finish(z, constants);
}

/// z = x·y·R⁻¹ mod n, as one step.
pub(super) fn multiply(mon_pro: MonPro) {
    run!(mon_pro.constants, Multiply(mon_pro));
}

/// z = z^(2^times)·R^(1 − 2^times) mod n, as `times` steps.
pub(super) fn square_repeatedly(z: &mut [u64], times: usize, constants: &Constants, t: &mut [u64]) {
    run!(constants, SquareRepeatedly { z, times, constants, t });
}

/// z = z mod n after a step.
pub(super) fn finish(z: &mut [u64], constants: &Constants) {
    run!(constants, Finish { z, constants });
}

struct Multiply<'a, const V: usize, const EMPTY: usize>(MonPro<'a>);

impl<const V: usize, const EMPTY: usize> Task<Ifma> for Multiply<'_, V, EMPTY> {
    type Output = ();

    #[inline(always)]
    fn run(self, ifma: Ifma) {
        let MonPro { z, x, y, constants, t } = self.0;
        let modulus = Modulus::<V, EMPTY>::of(constants);
        let Temporary { low, m, high, .. } = Temporary::of(t, LANES * V);
        let (x, y) = (Digits::put(ifma, high, get(ifma, x)), get::<V>(ifma, y));
        let sums = add_product::<V, 0, EMPTY>(ifma, [ifma.zero(); V], &y, &x);
        let (t, carry) = digits_of(ifma, low, sums);
        let sums = add_product::<V, V, EMPTY>(ifma, carry, &y, &x);
        put(ifma, &mut z[PADDING..], modulus.reduce(ifma, t, sums, m));
    }
}

struct SquareRepeatedly<'a, const V: usize, const EMPTY: usize> {
    z: &'a mut [u64],
    times: usize,
    constants: &'a Constants<'a>,
    t: &'a mut [u64],
}

impl<const V: usize, const EMPTY: usize> Task<Ifma> for SquareRepeatedly<'_, V, EMPTY> {
    type Output = ();

    #[inline(always)]
    fn run(self, ifma: Ifma) {
        let modulus = Modulus::<V, EMPTY>::of(self.constants);
        let Temporary { low, m, high, .. } = Temporary::of(self.t, LANES * V);
        let mut power = get(ifma, self.z);
        for _ in 0..self.times {
            let x = Digits::put(ifma, high, power);
            let (t, carry) = digits_of(ifma, low, square::<V, 0, EMPTY>(ifma, &x));
            let mut sums = square::<V, V, EMPTY>(ifma, &x);
            sums[0] = ifma.add(sums[0], carry[0]);
            power = modulus.reduce(ifma, t, sums, m);
        }
        put(ifma, &mut self.z[PADDING..], power);
    }
}

struct Finish<'a, const V: usize, const EMPTY: usize> {
    z: &'a mut [u64],
    constants: &'a Constants<'a>,
}

impl<const V: usize, const EMPTY: usize> Task<Ifma> for Finish<'_, V, EMPTY> {
    type Output = ();

    #[inline(always)]
    fn run(self, ifma: Ifma) {
        let complement = Derived::of(self.constants, LANES * V).complement;
        let z = subtract_once::<V, BITS>(ifma, get(ifma, self.z), complement);
        put(ifma, &mut self.z[PADDING..], z);
    }
}

/// The vectors of a padded number.
#[inline(always)]
fn get<const V: usize>(ifma: Ifma, padded: &[u64]) -> [Vector; V] {
    let words = &padded[PADDING..][..LANES * V];
    let mut vectors = [ifma.zero(); V];
    for k in 0..V {
        vectors[k] = load(ifma, words, k);
    }
    vectors
}

/// The sums of columns mod R as digits below 2^52, which are also stored in the words; and the carry beyond R.
#[inline(always)]
fn digits_of<'a, const V: usize>(
    ifma: Ifma,
    words: &'a mut [u64],
    sums: [Vector; V],
) -> (Digits<'a, V>, [Vector; V]) {
    let (digits, upper) = add_upper_parts::<V, BITS>(ifma, sums, ifma.zero());
    let mut beyond = [ifma.zero(); V];
    beyond[0] = ifma.up_word(ifma.zero(), upper);
    (Digits::put(ifma, words, ifma.opaque_vectors(digits)), beyond)
}

/// The constants of n that a step needs, in slices of known lengths.
struct Modulus<'a, const V: usize, const EMPTY: usize> {
    n: &'a [u64],
    n_prime: &'a [u64],
    reversed: &'a [u64],
}

impl<'a, const V: usize, const EMPTY: usize> Modulus<'a, V, EMPTY> {
    #[inline(always)]
    fn of(constants: &Constants<'a>) -> Self {
        let s = LANES * V;
        let Derived { n_prime, reversed, .. } = Derived::of(constants, s);
        Modulus {
            n: &constants.n[..s + 2 * PADDING],
            n_prime: &n_prime[..s + 2 * PADDING],
            reversed: &reversed[..s + LANES],
        }
    }

    /// (t + m·n)/R, given t mod R and the columns of t from R on. `m` is scratch for the quotient.
    #[inline(always)]
    fn reduce(&self, ifma: Ifma, t: Digits<V>, high: [Vector; V], m: &mut [u64]) -> [Vector; V] {
        let high = ifma.opaque_vectors(high);
        let sums = add_product::<V, 0, EMPTY>(ifma, [ifma.zero(); V], &self.n_prime, &t);
        let (m, _) = digits_of(ifma, m, sums);
        let carry = carry_into_r(ifma, &m, self.reversed, t.vectors[V - 1]);
        let u = add_product::<V, V, EMPTY>(ifma, high, &self.n, &m);
        add_upper_parts::<V, BITS>(ifma, u, carry).0
    }
}
