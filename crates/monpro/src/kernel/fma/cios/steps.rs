//! MonPro, and the steps of a power. Between steps a residue may be any number below 3·n that is congruent to it, in s digits
//! from −2^12 to 2^50 + 2^14, of which the highest may be −1, where R = W^s ≥ 16·n for W = 2^50.
//!
//! - A step returns such a number. Of b blocks of digits the lowest block of one factor has only s − 4·(b − 1), so that
//!   u = (x·y·W^(4·b − s) + Σ q_j·n·n'·W^(4·j) + m·n·W^(4·b − 4))/W^(4·b), where the sum is over all blocks of the quotient but
//!   the last, m. They are from 0 to W^4 + W^4/2^35, since their digits may exceed 2^50. So u < 9·n·n/R + 2·n + n/2^33 < 3·n.
//! - The highest digit of u needs no carry: it is below 3/16·W, as u is below 3/16·R, and at least −1, as the digits
//!   below it amount to less than 1 + 2^−35 times W^(s − 1).

use super::super::arithmetic::reduce_once;
use super::super::carries::{Carries, carry_of_zeros};
use super::super::{HIGH_BIAS, PADDING, clear_padding, load, store};
use super::constants::Derived;
use crate::arch::x86_64::fma::{CELLS_BELOW, Fma, LANES, LOW_BIAS, SUM_CELLS, Vector};
use crate::arch::{InstructionSet, Task};
use crate::kernel::contract::{Constants, PowerSteps};
use crate::monoid::square_repeatedly;
use core::ops::Range;

/// The steps.
pub(super) const STEPS: PowerSteps = PowerSteps {
    multiply: |z, x, y, constants, t| Fma::in_use().run(Step { z, a: y, b: x, constants, t }),
    square_repeatedly: |z, times, constants, t| {
        Fma::in_use().run(SquareRepeatedly { z, times, constants, t });
    },
    append: None,
    append_entries: None,
    finish,
};

/// z = x·y·R⁻¹ mod n for x < R/2 and y < n.
pub(super) fn product(z: &mut [u64], x: &[u64], y: &[u64], constants: &Constants, t: &mut [u64]) {
    Fma::in_use().run(Step { z, a: y, b: x, constants, t });
    finish(z, constants);
}

/// z = x²·R⁻¹ mod n for x < n.
pub(super) fn square(z: &mut [u64], x: &[u64], constants: &Constants, t: &mut [u64]) {
    product(z, x, x, constants, t);
}

/// z = z mod n for z < 3·n.
fn finish(z: &mut [u64], constants: &Constants) {
    reduce_once(z, constants);
    reduce_once(z, constants);
}

/// The vectors of columns of a product of four digits with s. Its high parts reach one column further.
fn vectors(s: usize) -> usize {
    (s + LANES - 1).div_ceil(LANES)
}

/// The digits of the first block of a factor: the others have four each.
fn first_block(s: usize) -> usize {
    (s - 1) % LANES + 1
}

/// The cells of scratch for residues of s digits: a residue, the sums and the blocks of a quotient.
pub(super) fn temporary_cells(s: usize) -> usize {
    s.next_multiple_of(LANES) + 2 * PADDING + SUM_CELLS * (vectors(s) + 2) + 3 * LANES
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
        let (other, t) = t.split_at_mut(z.len());
        clear_padding(fma, other);
        square_repeatedly(z, times, other, |squared, power| {
            fma.run(Step { z: squared, a: power, b: power, constants, t });
        });
    }
}

/// z = a·b·R⁻¹ mod n, in the digits of a number between steps.
struct Step<'a> {
    z: &'a mut [u64],
    a: &'a [u64],
    b: &'a [u64],
    constants: &'a Constants<'a>,
    t: &'a mut [u64],
}

impl Task<Fma> for Step<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self, fma: Fma) {
        let Step { z, a, b, constants, t } = self;
        let s = constants.s;
        let Derived { n_prime, n_hat } = Derived::of(constants);
        let (m_sums, t) = t.split_at_mut(SUM_CELLS);
        let (blocks, t) = t.split_at_mut(3 * LANES);
        let (m, blocks) = blocks.split_at_mut(LANES);
        let (mut q, mut next_q) = blocks.split_at_mut(LANES);
        let mut columns = Columns::new(fma, t, s);
        let (first, b) = b[PADDING..][..s].split_at(first_block(s));

        // The lowest columns become a block of the quotient, and the last block m, while the others are summed.
        let v = vectors(s);
        let (lowest, others) = (0..v.min(VECTORS_AHEAD), v.min(VECTORS_AHEAD)..v);
        columns.add_first(lowest.clone(), a, first);
        columns.put_lowest(q);
        if b.is_empty() {
            last_block(fma, m, m_sums, (n_prime, q));
        }
        columns.add_first(others.clone(), a, first);
        let mut rest = b.chunks_exact(LANES);
        while let Some(b) = rest.next() {
            columns.add_and_move(lowest.clone(), (a, b), (n_hat, q));
            columns.put_lowest(next_q);
            if rest.len() == 0 {
                last_block(fma, m, m_sums, (n_prime, next_q));
            }
            columns.add_and_move(others.clone(), (a, b), (n_hat, q));
            core::mem::swap(&mut q, &mut next_q);
        }
        columns.end(z, m, constants.n, q);
    }
}

/// How many vectors are summed before the lowest one becomes a block of the quotient: its sums are complete then, and there are
/// others to do until the block can be used.
const VECTORS_AHEAD: usize = 3;

/// m = q·n' mod W^4.
#[inline(always)]
fn last_block(fma: Fma, m: &mut [u64], sums: &mut [u64], (n_prime, q): (&[u64], &[u64])) {
    sums.fill(0);
    fma.add_rows_of_one::<HIGH_BIAS>(sums, (n_prime, q));
    let Parts { low, high } = Parts::of_vector(fma, sums, 0).less(fma, Parts::biases(fma, LANES));
    Carries::modulo_r(fma).put(m, 0, fma.add(low, fma.up_word(high, fma.zero())));
}

/// Sums of low and of high parts for a vector of columns.
#[derive(Clone, Copy)]
struct Parts {
    low: Vector,
    high: Vector,
}

impl Parts {
    /// The biases of so many products.
    #[inline(always)]
    fn biases(fma: Fma, products: usize) -> Self {
        let all = |bias: u64| fma.splat(bias.wrapping_mul(products as u64));
        Parts { low: all(LOW_BIAS), high: all(HIGH_BIAS) }
    }

    /// Those of vector k.
    #[inline(always)]
    fn of_vector(fma: Fma, sums: &[u64], k: usize) -> Self {
        Parts { low: load(fma, sums, SUM_CELLS * k), high: load(fma, sums, SUM_CELLS * k + LANES) }
    }

    /// These less the others.
    #[inline(always)]
    fn less(self, fma: Fma, others: Parts) -> Self {
        Parts { low: fma.sub(self.low, others.low), high: fma.sub(self.high, others.high) }
    }
}

/// The digits of a block.
#[inline(always)]
fn block(digits: &[u64]) -> &[u64; LANES] {
    digits.try_into().expect("a block has four digits")
}

/// The columns of t, of which the lowest four are cleared and left behind by every block of the quotient. From the sums of a
/// vector the biases are taken off at the start, of all products that it has until it is the lowest.
struct Columns<'a> {
    fma: Fma,
    s: usize,
    sums: &'a mut [u64],
    /// Has in its last word the high parts that belong to the lowest column.
    below: Vector,
    carries: Carries,
}

impl<'a> Columns<'a> {
    #[inline(always)]
    fn new(fma: Fma, cells: &'a mut [u64], s: usize) -> Self {
        let v = vectors(s);
        let sums = &mut cells[..SUM_CELLS * (v + 1)];
        // Vector k has the products of a row for each digit of the first block, and then k times eight. The one above the
        // others has none of the first block.
        let (of_first, of_eight) = (Parts::biases(fma, first_block(s)), Parts::biases(fma, 2 * LANES));
        let mut missing = Parts::biases(fma, 0);
        for k in 0..=v {
            let Parts { low, high } = if k < v { missing.less(fma, of_first) } else { missing };
            store(fma, sums, SUM_CELLS * k, low);
            store(fma, sums, SUM_CELLS * k + LANES, high);
            missing = missing.less(fma, of_eight);
        }
        Columns { fma, s, sums, below: fma.zero(), carries: Carries::modulo_r(fma) }
    }

    /// Adds the rows of the first block, the highest of four, to these vectors.
    #[inline(always)]
    fn add_first(&mut self, vectors: Range<usize>, a: &[u64], b: &[u64]) {
        let lowest = PADDING - CELLS_BELOW + LANES * vectors.start - (LANES - b.len());
        let sums = &mut self.sums[SUM_CELLS * vectors.start..SUM_CELLS * vectors.end];
        self.fma.add_rows_of_one::<HIGH_BIAS>(sums, (&a[lowest..], b));
    }

    /// Adds the rows of the blocks b and d to these vectors, which were one higher until now.
    #[inline(always)]
    fn add_and_move(&mut self, vectors: Range<usize>, (a, b): (&[u64], &[u64]), (c, d): (&[u64], &[u64])) {
        let lowest = PADDING - CELLS_BELOW + LANES * vectors.start;
        let sums = &mut self.sums[SUM_CELLS * vectors.start..SUM_CELLS * (vectors.end + 1)];
        self.fma.add_rows_of_two::<HIGH_BIAS>(sums, (&a[lowest..], block(b)), (&c[lowest..], block(d)));
    }

    /// Stores the digits of the lowest vector, and carries into the next.
    #[inline(always)]
    fn put_lowest(&mut self, cells: &mut [u64]) {
        let Parts { low, high } = Parts::of_vector(self.fma, self.sums, 0);
        let columns = self.fma.add(low, self.fma.up_word(high, self.below));
        self.below = high;
        self.carries.put(cells, 0, columns);
    }

    /// Stores the digits of (t + m·n)/W^4 in z, where q is the lowest block of t, and t + m·n is a multiple of W^4.
    #[inline(always)]
    fn end(self, z: &mut [u64], m: &[u64], n: &[u64], q: &[u64]) {
        let Columns { fma, s, sums, below, carries } = self;
        let blocks = s.div_ceil(LANES);
        sums[..SUM_CELLS].fill(0);
        fma.add_rows_of_one::<HIGH_BIAS>(
            &mut sums[..SUM_CELLS * (blocks + 1)],
            (&n[PADDING - CELLS_BELOW..], m),
        );
        let (mut excess, of_eight) = (Parts::biases(fma, LANES), Parts::biases(fma, 2 * LANES));
        let Parts { low, high } = Parts::of_vector(fma, sums, 0).less(fma, excess);
        let lowest =
            fma.add(fma.add(low, fma.up_word(high, fma.zero())), fma.integer(fma.digits(load(fma, q, 0))));
        let mut below = fma.add(below, high);
        let mut carries = Carries::above_r(fma, fma.add(carries.carry, carry_of_zeros(fma, lowest)));
        for k in 1..=blocks {
            // Biases were taken off for eight products more in each vector than in the one below it, and they are not coming.
            excess = excess.less(fma, of_eight);
            let Parts { low, high } = Parts::of_vector(fma, sums, k).less(fma, excess);
            let columns = fma.add(low, fma.up_word(high, below));
            below = high;
            let i = PADDING + LANES * (k - 1);
            match k == blocks {
                false => carries.put(z, i, columns),
                true => carries.put_highest(z, i, columns, first_block(s) - 1),
            }
        }
    }
}
