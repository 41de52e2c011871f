//! The least cycles that the multiplications of schoolbook products take, with everything else hidden behind
//! them.
//!
//! | way | a cycle does | a product takes | a square takes |
//! |---|---|---|---|
//! | MULX, s words of 64 bits | 1.5 of 64 by 64 bits | 2·s² + s | s·(s + 1)/2 + s² + s |
//! | IFMA, one operand, d limbs of 52 bits | 2 of 8 half products | 4·d·⌈d/8⌉ | as a product |
//! | IFMA, 8 operands, for each of them | 2 of 8 half products | d·(4·d + 1)/8 | (d·(d + 1) + d·(2·d + 1))/8 |
//!
//! The work of a cycle was measured on the AMD EPYC of family 26. A power takes a square for each bit and,
//! for windows of the best width, a product for each window and each entry of the table.

use super::{BATCH, POWER, PRODUCT, SQUARE};
use crate::contender::Operation;
use crate::record::Limit;

/// The cycles of a product and a square of `bits` bits.
type Cycles = fn(bits: f64) -> (f64, f64);

/// The ways, each with the operation that is a power in this way.
const WAYS: [(&str, Cycles, Operation); 3] =
    [("MULX", by_mulx, POWER), ("IFMA, one operand", by_ifma, POWER), ("IFMA, 8 operands", by_lanes, BATCH)];

pub fn all(sizes_bits: &[usize]) -> Vec<Limit> {
    let of_way = |(name, cycles, of_power): (&'static str, Cycles, Operation)| {
        sizes_bits.iter().flat_map(move |&bits| {
            let (product, square) = cycles(bits as f64);
            [(PRODUCT, product), (SQUARE, square), (of_power, power(bits, product, square))]
                .map(|(operation, cycles)| Limit { operation: operation.name, bits, name, cycles })
        })
    };
    WAYS.into_iter().flat_map(of_way).collect()
}

/// The least cycles of xᵉ for an e of `bits` bits, for each of eight operands.
pub fn least_power_in_lanes(bits: usize) -> f64 {
    let (product, square) = by_lanes(bits as f64);
    power(bits, product, square)
}

fn by_mulx(bits: f64) -> (f64, f64) {
    let s = (bits / 64.0).ceil();
    ((2.0 * s * s + s) / 1.5, (s * (s + 1.0) / 2.0 + s * s + s) / 1.5)
}

fn by_ifma(bits: f64) -> (f64, f64) {
    let d = (bits / 52.0).ceil();
    let product = 4.0 * d * (d / 8.0).ceil() / 2.0;
    (product, product)
}

fn by_lanes(bits: f64) -> (f64, f64) {
    let d = (bits / 52.0).ceil();
    (d * (4.0 * d + 1.0) / 16.0, (d * (d + 1.0) + d * (2.0 * d + 1.0)) / 16.0)
}

/// The cycles of xᵉ for an e of `bits` bits. The table's entries 1 and x cost nothing, and neither does the
/// top window.
fn power(bits: usize, product: f64, square: f64) -> f64 {
    let of_width = |width: usize| {
        let windows = bits.div_ceil(width) - 1;
        (windows + (1 << width) - 2) as f64 * product + (windows * width) as f64 * square
    };
    (1..=8).map(of_width).fold(f64::INFINITY, f64::min)
}
