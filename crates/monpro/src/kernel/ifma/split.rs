//! MonPro for residues of any number of digits by products that split their factors: t = x·y, then m = t·n' mod R, then
//! u = (t + m·n)/R, and u − n if u is not below n. A digit is a limb of 52 bits, and all digits are below 2^52.
//!
//! u = (t + m·n)/R is congruent to t + m·n mod R − 1, since R is congruent to 1. Residues have so many digits that
//! 4·n < R, so u < 2·n < R − 1 is that remainder. Hence of m·n only the remainder mod R − 1 is needed, which takes half
//! as many products of digits as m·n. docs/0018 has the measurements.

mod cyclic;
mod inverse;
mod passes;
mod product;
#[cfg(test)]
mod tests;

pub(super) use inverse::negative_inverse;
#[cfg(test)]
pub(super) use product::MOST_OF_LOW as MOST_DIGITS_UNSPLIT;

use super::carries::reduce_once;
use super::constants::Derived;
use super::{MonPro, PADDING};
use crate::arch::x86_64::ifma::{DIGIT_BITS, Ifma, LANES};
use crate::arch::{InstructionSet, Task};
use core::ops::Range;
use passes::SumOfThree;

/// R has a multiple of so many digits, so that it is the square of a number of whole vectors, as [`cyclic`] needs.
const GRANULE: usize = 2 * LANES;
/// The bytes of a cache line.
const LINE_BYTES: usize = 64;

/// The number of digits of a residue of a modulus of n_bits bits: 4·n < R.
pub(super) fn words_for(n_bits: usize) -> usize {
    (n_bits + 2).div_ceil(DIGIT_BITS as usize).next_multiple_of(GRANULE)
}

/// The words of scratch for residues of s digits.
pub(super) fn cells(s: usize) -> usize {
    let work = product::work_of_product(s).max(product::work_of_low(s)).max(cyclic::work(s));
    4 * s + work + LANES
}

/// MonPro, or its square.
pub(super) fn mon_pro<const SQUARE: bool>(ifma: Ifma, mon_pro: MonPro) {
    let MonPro { z, x, y, constants, t } = mon_pro;
    let s = constants.s;
    let digits: Range<usize> = PADDING..PADDING + s;
    let derived = Derived::of(constants, s);
    let offset = t.as_ptr().align_offset(LINE_BYTES);
    let (t, rest) = t[offset..].split_at_mut(2 * s);
    let (m, rest) = rest.split_at_mut(s);
    let (remainder, work) = rest.split_at_mut(s);

    // t = x·y.
    if SQUARE {
        product::square(ifma, t, &x[digits.clone()], work);
    } else {
        product::multiply(ifma, t, &x[digits.clone()], &y[digits.clone()], work);
    }
    // m = t·n' mod R.
    product::multiply_low(ifma, m, &t[..s], &derived.n_prime[digits.clone()], work);
    // u = t + m·n mod R − 1.
    cyclic::multiply(ifma, remainder, m, &constants.n[digits.clone()], work);
    let (low, high) = t.split_at_mut(s);
    ifma.run(SumOfThree { z: low, a: high, b: remainder });
    ifma.run(Reduction { z: &mut z[digits], u: low, complement: derived.complement, difference: m });
}

/// z = u mod n for a u < 2·n.
struct Reduction<'a> {
    z: &'a mut [u64],
    u: &'a mut [u64],
    complement: &'a [u64],
    difference: &'a mut [u64],
}

impl Task<Ifma> for Reduction<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self, ifma: Ifma) {
        reduce_once::<DIGIT_BITS>(ifma, self.z, self.u, self.complement, self.difference);
    }
}
