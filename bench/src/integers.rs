//! The integers: Montgomery products, squares and modular exponentiations. Each library is a file; to add
//! one, write its file and a line in `contenders`, or for a program in another language in `peers.rs`.

mod crypto_bigint;
mod limits;
mod monpro;
mod num_bigint;
pub mod peers;
pub mod table;

pub use limits::IFMA_IN_LANES;
pub use monpro::LIBRARY;

use crate::contender::{Contender, Operation};
use crate::machine::locked_version;
use crate::operands::Operands;
use crate::peers::Peer;
use crate::race::Race;
use crate::record::{Limit, Multipliers, Results};
use ::monpro::ring::RingName;
use ::monpro::{KERNELS, Kernel};
use ::num_bigint::BigUint;
use std::collections::BTreeMap;

const SIZES_BITS: &[usize] = &[256, 512, 1024, 1536, 2048, 3072, 4096];
/// Multiples of words, of vectors and of neither, so that sudden losses would show.
const SWEEP_BITS: &[usize] = &[
    192, 256, 320, 384, 448, 512, 521, 576, 640, 768, 832, 896, 1024, 1088, 1280, 1472, 1536, 1792, 2048,
    2112, 2304, 2560, 2816, 3072, 3328, 3584, 4096, 4160, 4608, 5120, 5632, 6144, 7168, 8192,
];

/// z·y, one Montgomery product; operands stay in Montgomery form.
const PRODUCT: Operation = Operation {
    name: "monmul",
    title: "Montgomery product",
    count: 1,
    step: |z, operands| z * &operands.y % &operands.n,
};
/// z², one Montgomery square.
const SQUARE: Operation = Operation {
    name: "monsqr",
    title: "Montgomery square",
    count: 1,
    step: |z, operands| z * z % &operands.n,
};
/// zᵉ for an e as long as n, in time independent of the values.
pub const POWER: Operation = Operation {
    name: "modexp",
    title: "Modular exponentiation, constant time",
    count: 1,
    step: |z, operands| z.modpow(&operands.e, &operands.n),
};
/// zᵉ, in a time that may depend on the values.
const POWER_VARTIME: Operation = Operation {
    name: "modexp-vartime",
    title: "Modular exponentiation, variable time",
    count: 1,
    step: |z, operands| z.modpow(&operands.e, &operands.n),
};

/// One of the eight powers (z ⊕ i)ᵉ mod n, 0 ≤ i < 8, computed together in time independent of the values.
/// Their ⊕ is the next z.
pub const BATCH: Operation = Operation {
    name: "modexp-batch",
    title: "Modular exponentiation, constant time, one of a batch of 8",
    count: BATCH_SIZE,
    step: |z, operands| {
        let power = |i: u64| (z ^ BigUint::from(i)).modpow(&operands.e, &operands.n);
        (0..BATCH_SIZE).map(power).fold(BigUint::ZERO, |sum, power| sum ^ power)
    },
};
const BATCH_SIZE: u64 = 8;

/// The race over the integers.
pub struct Integers {
    sizes_bits: &'static [usize],
    operations: Vec<Operation>,
    file_name: &'static str,
    /// The kernels that race; none stands for the one that monpro selects.
    kernels: Vec<&'static Kernel>,
    peers: Vec<Peer>,
}

impl Integers {
    /// Finds the installed libraries and reports the missing ones. The named kernels race; if none is named,
    /// all race that run here.
    pub fn prepare(named: Vec<&'static Kernel>) -> Integers {
        let runs = |kernel: &&Kernel| kernel.ring == RingName::Integers && kernel.is_available();
        let kernels = if named.is_empty() { KERNELS.iter().filter(runs).collect() } else { named };
        let operations = vec![PRODUCT, SQUARE, POWER, POWER_VARTIME, BATCH];
        Integers {
            sizes_bits: SIZES_BITS,
            operations,
            file_name: "bench.json",
            kernels,
            peers: peers::find(),
        }
    }

    /// Powers only, at many sizes; if no kernel is named, by the kernel that monpro selects for the size.
    pub fn prepare_sweep(kernels: Vec<&'static Kernel>) -> Integers {
        let operations = vec![POWER, BATCH];
        Integers {
            sizes_bits: SWEEP_BITS,
            operations,
            file_name: "sweep.json",
            kernels,
            peers: peers::find(),
        }
    }
}

impl Race for Integers {
    fn file_name(&self) -> &'static str {
        self.file_name
    }

    fn libraries(&self) -> BTreeMap<String, String> {
        let crates = [monpro::LIBRARY, crypto_bigint::LIBRARY, num_bigint::LIBRARY];
        let crates = crates.map(|name| (name.to_owned(), locked_version(name)));
        let peers = self.peers.iter().map(|peer| (peer.library.to_owned(), peer.version.clone()));
        peers.chain(crates).collect()
    }

    fn operations(&self) -> Vec<Operation> {
        self.operations.clone()
    }

    fn operands(&self) -> Vec<Operands> {
        self.sizes_bits.iter().map(|&bits| Operands::of_integers(bits)).collect()
    }

    fn contenders(&self, operands: &Operands) -> Result<Vec<Contender>, String> {
        let mut contenders = monpro::contenders(&self.kernels, operands);
        contenders.push(monpro::batch(operands));
        contenders.extend(crypto_bigint::contenders(operands));
        contenders.extend(num_bigint::contenders(operands));
        for peer in &self.peers {
            contenders.extend(peer.contenders(&self.operations(), operands)?);
        }
        Ok(contenders)
    }

    fn uses_multipliers(&self) -> bool {
        true
    }

    fn limits(&self, multipliers: &Multipliers) -> Vec<Limit> {
        multipliers.limits(self.sizes_bits)
    }

    fn render(&self, results: &Results) -> String {
        table::render(results, &self.operations())
    }
}
