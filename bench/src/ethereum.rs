//! Modular exponentiation from bytes to bytes in the shapes of Ethereum's MODEXP: moduli may be even, nothing
//! is precomputed, and times may depend on the values.

mod table;
mod vectors;

use crate::contender::{Contender, Operation};
use crate::integers::LIBRARY as MONPRO;
use crate::integers::peers::gmp_builds;
use crate::machine::locked_version;
use crate::operands::Operands;
use crate::peers::Peer;
use crate::race::Race;
use crate::record::Results;
use num_bigint::BigUint;
use std::collections::BTreeMap;

const AURORA: &str = "aurora-engine-modexp";

/// xᵉ mod n, of the same numbers in every step.
const POWER_OF_BYTES: Operation = Operation {
    name: "modexp-bytes",
    title: "Modular exponentiation, bytes to bytes",
    count: 1,
    step: |_, operands| operands.x.modpow(&operands.e, &operands.n),
};

/// A function from the bytes of base, exponent and modulus to the bytes of the power.
type Modexp = fn(&[u8], &[u8], &[u8]) -> Vec<u8>;

/// The race over the vectors.
pub struct Ethereum {
    peers: Vec<Peer>,
}

impl Ethereum {
    /// Finds GMP, or reports that it is not installed.
    pub fn prepare() -> Ethereum {
        Ethereum { peers: gmp_builds() }
    }
}

impl Race for Ethereum {
    fn file_name(&self) -> &'static str {
        "modexp.json"
    }

    fn libraries(&self) -> BTreeMap<String, String> {
        let crates = [MONPRO, AURORA].map(|name| (name.to_owned(), locked_version(name)));
        let peers = self.peers.iter().map(|peer| (peer.library.to_owned(), peer.version.clone()));
        peers.chain(crates).collect()
    }

    fn operations(&self) -> Vec<Operation> {
        vec![POWER_OF_BYTES]
    }

    fn operands(&self) -> Vec<Operands> {
        vectors::all()
    }

    fn contenders(&self, operands: &Operands) -> Result<Vec<Contender>, String> {
        let mut contenders = vec![
            of_crate((MONPRO, "modexp_vartime"), ::monpro::modexp_vartime, operands),
            of_crate((AURORA, "modexp"), aurora_engine_modexp::modexp, operands),
        ];
        for peer in &self.peers {
            contenders.extend(peer.contenders(&self.operations(), operands)?);
        }
        Ok(contenders)
    }

    fn render(&self, results: &Results) -> String {
        table::render(results)
    }
}

fn of_crate(name: (&str, &str), modexp: Modexp, operands: &Operands) -> Contender {
    let [x, e, n] = [&operands.x, &operands.e, &operands.n].map(BigUint::to_bytes_be);
    let step = move |z: &mut Vec<u8>| *z = modexp(&x, &e, &n);
    Contender::new(name, POWER_OF_BYTES, Vec::new(), step, |z| BigUint::from_bytes_be(z))
}
