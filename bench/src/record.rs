//! The figures as JSON.

use crate::contender::Contender;
use crate::machine::Machine;
use crate::operands::Operands;
use crate::timing::Timing;
use serde::Serialize;
use std::fs;
use std::io;
use std::path::Path;

/// Everything that one run measured.
#[derive(Serialize)]
pub struct Results {
    pub machine: Machine,
    /// The number of times that each figure was measured.
    pub rounds: usize,
    pub figures: Vec<Figure>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub floors: Vec<Floor>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub limits: Vec<Limit>,
    /// What the limits were computed from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub multipliers: Option<Multipliers>,
}

/// How many instructions the multipliers of a CPU do in a cycle.
#[derive(Clone, Serialize)]
pub struct Multipliers {
    /// MULX: products of 64 by 64 bits.
    pub mulx: f64,
    /// VPMADD52 on 512 bits: eight half products of 52 by 52 bits.
    pub ifma: f64,
    pub source: String,
}

/// The time of an operation.
#[derive(Serialize)]
pub struct Figure {
    pub operation: &'static str,
    pub bits: usize,
    /// What distinguishes the modulus among those of its size.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shape: Option<String>,
    pub library: String,
    pub engine: String,
    pub median_ns: f64,
    pub quartile1_ns: f64,
    pub quartile3_ns: f64,
    /// Cycles of the core, whose clock is measured around every batch.
    pub median_cycles: f64,
    pub least_cycles: f64,
}

/// A lower bound on the time of an operation on this CPU.
#[derive(Serialize)]
pub struct Floor {
    pub operation: &'static str,
    pub bits: usize,
    pub shape: Option<String>,
    pub floor_ns: f64,
}

/// A lower bound on the cycles of an operation in one way of computing it.
#[derive(Serialize)]
pub struct Limit {
    pub operation: &'static str,
    pub bits: usize,
    /// The name of the way.
    pub name: &'static str,
    pub cycles: f64,
}

impl Figure {
    pub fn new(operands: &Operands, contender: &Contender, timing: Timing) -> Figure {
        let Timing { quartile1_ns, median_ns, quartile3_ns, median_cycles, least_cycles } = timing;
        Figure {
            operation: contender.operation.name,
            bits: operands.bits,
            shape: operands.shape.clone(),
            library: contender.library.clone(),
            engine: contender.engine.clone(),
            median_ns,
            quartile1_ns,
            quartile3_ns,
            median_cycles,
            least_cycles,
        }
    }

    /// The interquartile range as a share of the median.
    pub fn spread(&self) -> f64 {
        (self.quartile3_ns - self.quartile1_ns) / self.median_ns
    }
}

impl Results {
    /// Writes the file, in full or not at all, and makes its folder if it is missing.
    pub fn write(&self, path: &Path) -> io::Result<()> {
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)?;
        }
        let beside = path.with_extension("partial");
        fs::write(&beside, serde_json::to_string_pretty(self)? + "\n")?;
        fs::rename(beside, path)
    }
}
