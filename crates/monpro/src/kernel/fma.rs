//! MonPro as \[koc96, §2\] first states it, by exact products in floating point on vectors of four digits: t = x·y, then
//! m = t·n' mod R, then u = (t + m·n)/R. A digit is a limb of 50 bits, kept as a double.
//!
//! R = 2^(50·s) for s a multiple of 4, so a residue is s/4 whole vectors. The method is that of `redc-ifma`; docs/0026 says
//! what differs, and has the measurements. [`cios`] is another kernel on the same digits, for shorter moduli.

mod arithmetic;
#[cfg(test)]
mod bounds;
mod carries;
pub(super) mod cios;
mod columns;
mod constants;
mod steps;

use super::contract::{Divisor, Kernel, Requirement};
use crate::arch::x86_64::fma::{Fma, LANES, MOST_VECTORS, Vector};
use crate::arch::x86_64::mulx;
use crate::ring::RingName;

/// The bits of a digit. A digit of t or m may exceed 2^50 by 2^14, so that no carry has to move further than one column,
/// except in a residue.
const DIGIT_BITS: u32 = 50;

/// What a high part of a product has too much, the bits of 5·2^100. The parts of products from −2^100 to 3·2^100 are right.
const HIGH_BIAS: u64 = (1023 + 102) << 52 | 1 << 50;

/// The number of zeros below the digits of a residue, and of zeros above them. They let the vectors of a row be loaded from
/// any offset.
const PADDING: usize = MOST_VECTORS * LANES;

/// The most bits of a modulus that was tested. `bounds` proves that no column overflows.
const MOST_BITS: usize = 16384;

pub(super) const KERNEL: Kernel = Kernel {
    name: "redc-fma",
    paper: "koc96",
    ring: RingName::Integers,
    radix_bits: DIGIT_BITS,
    requires: Requirement::of::<Fma>(),
    takes: "moduli of up to 16384 bits",
    supports: |_, n_bits| n_bits <= MOST_BITS,
    words_for: |n_bits| digits(n_bits).next_multiple_of(LANES),
    cells: |s| s.next_multiple_of(LANES) + 2 * PADDING,
    divisor: Divisor::PowerOfX,
    derive: constants::derive,
    temporary_cells: steps::temporary_cells,
    product: steps::product,
    square: steps::square,
    select,
    power_steps: |_| Some(&steps::STEPS),
    almost_inverse: None,
    arithmetic: arithmetic::ARITHMETIC,
};

/// The number of digits of a number below 2·n between steps: of 8·n, and one more, since the highest of these may be −1.
/// `steps` says why. R has at least as many.
#[inline(always)]
fn digits(n_bits: usize) -> usize {
    (n_bits + 3).div_ceil(DIGIT_BITS as usize) + 1
}

/// Four cells, from cell i on.
#[inline(always)]
fn load(fma: Fma, cells: &[u64], i: usize) -> Vector {
    fma.load_cells(cells[i..][..LANES].try_into().expect("there are 4 cells"))
}

/// Stores a in four cells, from cell i on.
#[inline(always)]
fn store(fma: Fma, cells: &mut [u64], i: usize, a: Vector) {
    fma.store_cells((&mut cells[i..][..LANES]).try_into().expect("there are 4 cells"), a);
}

/// Makes the padding of a number zeros.
#[inline(always)]
fn clear_padding(fma: Fma, padded: &mut [u64]) {
    let above = padded.len() - PADDING;
    for i in (0..PADDING).step_by(LANES) {
        store(fma, padded, i, fma.zero());
        store(fma, padded, above + i, fma.zero());
    }
}

/// entry = entry `index` of the table, of which all but the padding is read.
fn select(entry: &mut [u64], table: &[u64], index: u64) {
    let digits = PADDING..entry.len() - PADDING;
    mulx::select_words(entry, digits, table, index);
}
