//! The least cycles that the multiplications of schoolbook products take, with everything else hidden behind
//! them.
//!
//! | way | instructions of a product | of a square |
//! |---|---|---|
//! | MULX, s words of 64 bits | 2·s² + s | s·(s + 1)/2 + s² + s |
//! | IFMA on 512 bits, one operand, d limbs of 52 bits | 4·d·⌈d/8⌉ | as a product |
//! | IFMA on 512 bits, 8 operands, for each of them | d·(4·d + 1)/8 | (d·(d + 1) + d·(2·d + 1))/8 |
//!
//! A power takes a square for each bit and, for windows of the best width, a product for each window and each
//! entry of the table. How many of the instructions a CPU does in a cycle depends on the CPU: the table `KNOWN`
//! says it, and on any other CPU `bench/peers/multipliers.c` measures it.

use super::{BATCH, POWER, PRODUCT, SQUARE};
use crate::contender::Operation;
use crate::machine::Machine;
use crate::peers;
use crate::record::{Limit, Multipliers};
use std::process::Command;

/// What is known of a CPU: how its description ends, the instructions in a cycle, and the source.
const KNOWN: [(&str, f64, f64, &str); 3] = [
    ("AMD EPYC family 25 model 17", 1.0, 1.0, "multipliers.c: 1.00 MULX and 1.00 VPMADD52"),
    ("AMD EPYC family 26 model 2", 1.5, 2.0, "docs/0006 for MULX, docs/0007 for IFMA"),
    (
        "Intel(R) Xeon(R) Processor family 6 model 207",
        1.0,
        2.0,
        "multipliers.c: 1.00 MULX and 1.89 VPMADD52, which issue on two ports",
    ),
];

/// The instructions of a product and of a square of `bits` bits.
type Instructions = fn(bits: f64) -> (f64, f64);

/// The ways, each with the operation that is a power in this way.
const WAYS: [(&str, Instructions, Operation); 3] =
    [(MULX, by_mulx, POWER), ("IFMA, one operand", by_ifma, POWER), (IFMA_IN_LANES, by_lanes, BATCH)];
const MULX: &str = "MULX";
pub const IFMA_IN_LANES: &str = "IFMA, 8 operands";

impl Multipliers {
    /// Those of this machine's CPU: as the table says, else as they are measured; none without a C compiler.
    pub fn of(machine: &Machine) -> Option<Multipliers> {
        let known = KNOWN.iter().find(|(cpu, ..)| *cpu == machine.cpu);
        known.map_or_else(Multipliers::measured, |&(_, mulx, ifma, source)| {
            Some(Multipliers { mulx, ifma, source: source.to_owned() })
        })
    }

    fn measured() -> Option<Multipliers> {
        let program = peers::compile("multipliers.c", "multipliers", &[]).ok()?;
        let printed = peers::output(Command::new(program)).ok()?;
        let (mulx, ifma) = printed.trim().split_once(' ')?;
        let source = "measured in this run".to_owned();
        Some(Multipliers { mulx: mulx.parse().ok()?, ifma: ifma.parse().ok()?, source })
    }

    /// The instructions of this way in a cycle; None where the CPU has none of them.
    fn rate(&self, way: &str) -> Option<f64> {
        let rate = if way == MULX { self.mulx } else { self.ifma };
        (rate > 0.0).then_some(rate)
    }

    /// The limits of all operations and ways at these sizes.
    pub fn limits(&self, sizes_bits: &[usize]) -> Vec<Limit> {
        let of_way = |&(name, instructions, of_power): &(&'static str, Instructions, Operation)| {
            let rate = self.rate(name)?;
            Some(sizes_bits.iter().flat_map(move |&bits| {
                let (product, square) = instructions(bits as f64);
                [(PRODUCT, product), (SQUARE, square), (of_power, power(bits, product, square))].map(
                    |(operation, count)| Limit {
                        operation: operation.name,
                        bits,
                        name,
                        cycles: count / rate,
                    },
                )
            }))
        };
        WAYS.iter().filter_map(of_way).flatten().collect()
    }

    /// The least cycles of xᵉ for an e of `bits` bits, for each of eight operands.
    pub fn least_power_in_lanes(&self, bits: usize) -> Option<f64> {
        let (product, square) = by_lanes(bits as f64);
        self.rate(IFMA_IN_LANES).map(|rate| power(bits, product, square) / rate)
    }
}

fn by_mulx(bits: f64) -> (f64, f64) {
    let s = (bits / 64.0).ceil();
    (2.0 * s * s + s, s * (s + 1.0) / 2.0 + s * s + s)
}

fn by_ifma(bits: f64) -> (f64, f64) {
    let d = (bits / 52.0).ceil();
    let product = 4.0 * d * (d / 8.0).ceil();
    (product, product)
}

fn by_lanes(bits: f64) -> (f64, f64) {
    let d = (bits / 52.0).ceil();
    (d * (4.0 * d + 1.0) / 8.0, (d * (d + 1.0) + d * (2.0 * d + 1.0)) / 8.0)
}

/// The instructions of xᵉ for an e of `bits` bits. The table's entries 1 and x cost nothing, and neither does the
/// top window.
fn power(bits: usize, product: f64, square: f64) -> f64 {
    let of_width = |width: usize| {
        let windows = bits.div_ceil(width) - 1;
        (windows + (1 << width) - 2) as f64 * product + (windows * width) as f64 * square
    };
    (1..=8).map(of_width).fold(f64::INFINITY, f64::min)
}
