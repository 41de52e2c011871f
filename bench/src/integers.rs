//! The integers: Montgomery products, squares and modular exponentiations. The libraries are a file each; to add
//! one, write its file and add a line to `contenders`.

mod crypto_bigint;
mod monpro;
mod num_bigint;
mod table;

use crate::contender::{Contender, Operation};
use crate::machine::locked_version;
use crate::operands::Operands;
use crate::race::Race;
use crate::record::Results;
use ::monpro::ring::RingName;
use ::monpro::{KERNELS, Kernel};
use std::collections::BTreeMap;

const SIZES_BITS: [usize; 5] = [256, 512, 1024, 2048, 4096];

/// z·y, one Montgomery product; operands stay in Montgomery form.
const PRODUCT: Operation = Operation {
    name: "monmul",
    title: "Montgomery product",
    step: |z, operands| z * &operands.y % &operands.n,
};
/// z², one Montgomery square.
const SQUARE: Operation =
    Operation { name: "monsqr", title: "Montgomery square", step: |z, operands| z * z % &operands.n };
/// zᵉ for e as long as n, in time independent of the values.
const POWER: Operation = Operation {
    name: "modexp",
    title: "Modular exponentiation, constant time",
    step: |z, operands| z.modpow(&operands.e, &operands.n),
};
/// zᵉ, in a time that may depend on the values.
const POWER_VARTIME: Operation = Operation {
    name: "modexp-vartime",
    title: "Modular exponentiation, variable time",
    step: |z, operands| z.modpow(&operands.e, &operands.n),
};

/// The race over the integers.
pub struct Integers {
    kernels: Vec<&'static Kernel>,
}

impl Integers {
    /// These kernels race; where none is named, all that run here.
    pub fn prepare(named: Vec<&'static Kernel>) -> Integers {
        let runs = |kernel: &&Kernel| kernel.ring == RingName::Integers && kernel.is_available();
        let kernels = if named.is_empty() { KERNELS.iter().filter(runs).collect() } else { named };
        Integers { kernels }
    }
}

impl Race for Integers {
    fn file_name(&self) -> &'static str {
        "bench.json"
    }

    fn libraries(&self) -> BTreeMap<String, String> {
        let libraries = ["monpro", "crypto-bigint", "num-bigint"];
        libraries.into_iter().map(|name| (name.to_owned(), locked_version(name))).collect()
    }

    fn operations(&self) -> Vec<Operation> {
        vec![PRODUCT, SQUARE, POWER, POWER_VARTIME]
    }

    fn operands(&self) -> Vec<Operands> {
        SIZES_BITS.into_iter().map(Operands::of_integers).collect()
    }

    fn contenders(&self, operands: &Operands) -> Result<Vec<Contender>, String> {
        let mut contenders = monpro::contenders(&self.kernels, operands);
        contenders.extend(crypto_bigint::contenders(operands));
        contenders.extend(num_bigint::contenders(operands));
        Ok(contenders)
    }

    fn render(&self, results: &Results) -> String {
        table::render(results, &self.operations(), &SIZES_BITS)
    }
}
