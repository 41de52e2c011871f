//! MonPro as \[koc96, §2\] first states it, by AVX-512 IFMA on vectors of eight digits: t = x·y, then m = t·n' mod R,
//! then u = (t + m·n)/R, and u − n if u is not below n. A digit is a limb of B = 52 or 51 bits.
//!
//! R = 2^(B·s) for s a multiple of 8, so a residue is V = s/8 whole vectors. n' = −n⁻¹ mod R is as long as R, so the
//! quotient m is one product, not s digits each of which waits for the one before. Of t·n' only the columns below R
//! are summed, and of m·n only the columns from R on, since t + m·n is known to be a multiple of R. So there are as
//! many products of digits as in a digit-serial method, and the products of a step do not wait for one another.
//! docs/0005 has the measurements, and the alternatives that were tried.

mod arithmetic;
#[cfg(test)]
mod bounds;
mod carries;
mod columns;
mod constants;
mod long;
mod registers;
mod selection;
mod short;
mod split;
mod steps;
mod temporary;

use super::contract::{Constants, Divisor, Kernel, Requirement};
use crate::arch::InstructionSet;
use crate::arch::x86_64::ifma::{DIGIT_BITS, Ifma, LANES, Vector};
use crate::ring::RingName;

/// The kernel of this name, with digits of B bits.
///
/// The instructions multiply digits of 52 bits. With B = 51, a digit of t or m may exceed 2^51, so that no carry has
/// to move further than one column, except in the result.
pub(super) const fn kernel<const B: u32>(name: &'static str) -> Kernel {
    Kernel {
        name,
        paper: "koc96",
        ring: RingName::Integers,
        radix_bits: B,
        requires: Requirement::of::<Ifma>(),
        takes: if B == DIGIT_BITS { "any modulus" } else { "moduli of up to 32768 bits" },
        supports: |_, n_bits| B == DIGIT_BITS || n_bits <= MOST_BITS,
        words_for: words_for::<B>,
        cells: |s| s + 2 * PADDING,
        divisor: Divisor::PowerOfX,
        derive: constants::derive::<B>,
        temporary_cells: temporary::cells::<B>,
        product: |z, x, y, constants, t| mon_pro::<B, false>(MonPro { z, x, y, constants, t }),
        square: |z, x, constants, t| mon_pro::<B, true>(MonPro { z, x, y: x, constants, t }),
        select: selection::select,
        power_steps: |s| has_steps::<B>(s).then_some(&steps::STEPS),
        almost_inverse: None,
        arithmetic: arithmetic::arithmetic::<B>(),
    }
}

/// The number of zeros below the digits of a residue, and of zeros above them. They let eight digits be loaded from
/// any offset.
const PADDING: usize = LANES;

/// A column of t + m·n sums at most 4·s + 2 numbers below 2^52, or 6·s + 2 with B = 51, where high halves count twice.
/// Then s ≤ 648, which keeps the sum below 2^64 − 2^13. `bounds` proves this and the bounds below.
const MOST_BITS: usize = 32768;

/// The most digits of a residue of a modulus of at most [`MOST_BITS`] bits. Longer ones are for [`split`].
const MOST_DIGITS: usize = MOST_BITS.div_ceil(DIGIT_BITS as usize).next_multiple_of(LANES);

/// The number of digits of a residue of a modulus of n_bits bits.
fn words_for<const B: u32>(n_bits: usize) -> usize {
    match n_bits <= MOST_BITS {
        true => digits::<B>(n_bits).next_multiple_of(LANES),
        false => split::words_for(n_bits),
    }
}

/// The number of digits that hold n, or 8·n with B = 51.
///
/// With B = 52, m < R, so u < n·n/R + n is below 2·n. With B = 51, m may reach R + R/2^38, and R > 8·n, as the steps of
/// a power need, keeps u < n·n/R + n·m/R below 2·n.
#[inline(always)]
fn digits<const B: u32>(n_bits: usize) -> usize {
    (n_bits + 3 * (DIGIT_BITS - B) as usize).div_ceil(B as usize)
}

/// Whether residues of s digits of B bits are short enough to stay in registers, in a form that saves carries.
#[inline(always)]
const fn has_steps<const B: u32>(s: usize) -> bool {
    B == registers::BITS && s <= LANES * registers::MOST_VECTORS
}

/// Whether residues of s digits are so long that their products split them.
#[inline(always)]
const fn is_split<const B: u32>(s: usize) -> bool {
    B == DIGIT_BITS && s > MOST_DIGITS
}

/// The operands of z = x·y·R⁻¹ mod n for x < R/2 and y < n, all padded with zeros. For a square, y is x, and x < n.
struct MonPro<'a> {
    z: &'a mut [u64],
    x: &'a [u64],
    y: &'a [u64],
    constants: &'a Constants<'a>,
    t: &'a mut [u64],
}

fn mon_pro<const B: u32, const SQUARE: bool>(mon_pro: MonPro) {
    let (ifma, vectors) = (Ifma::in_use(), mon_pro.constants.s / LANES);
    if has_steps::<B>(mon_pro.constants.s) {
        return steps::mon_pro::<SQUARE>(mon_pro);
    }
    if is_split::<B>(mon_pro.constants.s) {
        return split::mon_pro::<SQUARE>(ifma, mon_pro);
    }
    match vectors {
        1 => ifma.run(short::Short::<1, B, SQUARE>(mon_pro)),
        2 => ifma.run(short::Short::<2, B, SQUARE>(mon_pro)),
        3 => ifma.run(short::Short::<3, B, SQUARE>(mon_pro)),
        4 => ifma.run(short::Short::<4, B, SQUARE>(mon_pro)),
        5 => ifma.run(short::Short::<5, B, SQUARE>(mon_pro)),
        _ => ifma.run(long::Long::<B, SQUARE>(mon_pro)),
    }
}

#[inline(always)]
fn load(ifma: Ifma, words: &[u64], k: usize) -> Vector {
    ifma.load(words[LANES * k..][..LANES].try_into().expect("there are 8 words"))
}

#[inline(always)]
fn store(ifma: Ifma, words: &mut [u64], k: usize, a: Vector) {
    ifma.store((&mut words[LANES * k..][..LANES]).try_into().expect("there are 8 words"), a);
}
