//! Exponentiation in eight lanes of AVX-512 IFMA, by windows of a fixed width.

mod columns;
mod digits;
mod moduli;
mod reduction;
mod table;

use super::{BatchKernel, PowTask};
use crate::ifma::{Ifma, LANES};
use crate::kernel::Requirement;
use crate::natural;
use alloc::vec::Vec;
use digits::{Digits, Numbers};
use moduli::Moduli;
use table::Table;

/// The most bits of a modulus that was tested. The sums of columns would allow 53 000.
const MOST_BITS: usize = 16384;

pub(super) const KERNEL: BatchKernel = BatchKernel {
    name: "batch-ifma",
    lanes: LANES,
    requires: Requirement { instructions: Ifma::INSTRUCTIONS, is_met: || Ifma::detect().is_some() },
    supports: |n_bits| (2..=MOST_BITS).contains(&n_bits),
    pays_from: 3,
    pow,
};

/// xᵉ mod n for 1 to 8 tasks; those that are missing repeat the first.
fn pow(tasks: &[PowTask<'_>]) -> Vec<Vec<u64>> {
    let ifma = Ifma::detect().expect("the kernel is available");
    let task = |lane: usize| tasks.get(lane).unwrap_or(&tasks[0]);
    let mut moduli = Moduli::new(ifma, core::array::from_fn(|lane| task(lane).modulus));
    let bases = moduli.enter(core::array::from_fn(|lane| task(lane).base));
    let power = fixed_window(ifma, &mut moduli, &bases, core::array::from_fn(|lane| task(lane).exponent));
    let words: Vec<usize> = tasks.iter().map(|task| natural::bit_length(task.modulus).div_ceil(64)).collect();
    moduli.leave(power, &words)
}

/// The residues xᵉ: after each width squares, one product with powers of x that are chosen by reading the whole
/// table. The longest exponent determines the windows.
fn fixed_window(ifma: Ifma, moduli: &mut Moduli, x: &[Digits], exponents: [&[u64]; LANES]) -> Numbers {
    let bits = 64 * exponents.into_iter().map(<[u64]>::len).max().expect("there are eight");
    let width = window_width(bits, x.len());
    let table = powers_below(moduli, x, 1 << width);
    let mut power = moduli.one();
    let mut factor = moduli.zero();
    for window in (0..bits.div_ceil(width as usize)).rev() {
        let position = window * width as usize;
        let count = width.min((bits - position) as u32);
        let indices = exponents.map(|exponent| natural::bits_at(exponent, position, count));
        if position + width as usize >= bits {
            table.choose(ifma, &mut power, &indices);
            continue;
        }
        for _ in 0..width {
            moduli.square_assign(&mut power);
        }
        table.choose(ifma, &mut factor, &indices);
        moduli.mul_assign(&mut power, &factor);
    }
    power
}

/// The residues x⁰, x¹, … x^(count − 1).
fn powers_below(moduli: &mut Moduli, x: &[Digits], count: usize) -> Table {
    let mut table = Table::zero(count, moduli.digits());
    let mut power = moduli.one();
    table.set(0, &power);
    power.copy_from_slice(x);
    for i in 1..count {
        table.set(i, &power);
        moduli.mul_assign(&mut power, x);
    }
    table
}

/// The width b ≥ 1 with the least work, in tenths of D cycles: 2^b products of 2·D² cycles for the table, and for each
/// of the windows a product and the reading of the table. A vector of that takes 0.7 cycles where the table fits in
/// 40 KiB of the first cache, and twice that from the second.
fn window_width(bits: usize, d: usize) -> u32 {
    let work = |b: u32| {
        let entry = if d << b <= 640 { 7 } else { 14 };
        ((20 * d) << b) + bits.div_ceil(b as usize) * (20 * d + (entry << b))
    };
    (1..=8).min_by_key(|&b| work(b)).expect("the range is not empty")
}
