//! The fields GF(2^k): products, squares, inverses and powers modulo a random ("dense") and a few-term ("sparse")
//! irreducible polynomial.

mod every_degree;
mod floor;
mod moduli;
mod monpro;
mod peers;
mod reference;
mod table;

use crate::contender::{Contender, Operation};
use crate::machine::locked_version;
use crate::operands::Operands;
use crate::peers::Peer;
use crate::race::{self, Race};
use crate::record::{Floor, Results};
use ::monpro::Kernel;
use std::collections::BTreeMap;

/// z·y.
const PRODUCT: Operation =
    Operation { name: "mul", title: "Product", count: 1, step: reference::product_step };
/// z².
const SQUARE: Operation = Operation { name: "sqr", title: "Square", count: 1, step: reference::square_step };
/// z⁻¹ + y. The sum costs almost nothing; without it the chain would alternate between two values.
const INVERSE: Operation =
    Operation { name: "inv", title: "Inverse", count: 1, step: reference::inverse_step };
/// zᵉ for e of k bits; monpro in time independent of the values.
const POWER: Operation =
    Operation { name: "pow", title: "Power to k bits", count: 1, step: reference::power_step };

/// The race over the fields GF(2^k).
pub struct BinaryFields {
    kernels: Vec<&'static Kernel>,
    peers: Vec<Peer>,
    product_ns: Option<f64>,
}

/// Compares the values of these kernels (if none is named, of all that this CPU can run) with those of the
/// peers and of the oracle, in fields of every small degree. Returns one line: what was compared or, as an
/// error, the first difference.
pub fn check(named: Vec<&'static Kernel>) -> Result<String, String> {
    let kernels = if named.is_empty() { monpro::available_kernels() } else { named };
    let fields = BinaryFields { kernels, peers: peers::find(), product_ns: None };
    if !fields.peers.iter().any(|peer| peer.library.starts_with("NTL")) {
        eprintln!("NOT COMPARED WITH NTL: it is not installed (apt-get install libntl-dev)");
    }
    let mut polynomials = 0;
    for k in every_degree::DEGREES {
        for operands in every_degree::operands(k) {
            race::check_all(&fields, &operands)?;
            polynomials += 1;
        }
    }
    let peers =
        fields.peers.iter().map(|peer| format!("{} {} ({})", peer.library, peer.version, peer.engine));
    let peers = peers.chain(["a bitwise oracle".to_owned()]).collect::<Vec<_>>();
    let names: Vec<_> = fields.operations().iter().map(|operation| operation.name).collect();
    Ok(format!(
        "{} kernels agree in {} modulo {polynomials} polynomials of degree {} to {} with {}",
        fields.kernels.len(),
        names.join(", "),
        every_degree::DEGREES.start(),
        every_degree::DEGREES.end(),
        peers.join(", "),
    ))
}

impl BinaryFields {
    /// Finds the installed libraries, reports the missing ones, and measures the multiplier of this CPU. The
    /// named kernels race; if none is named, those race that need an instruction and have words of 64 bits.
    pub fn prepare(named: Vec<&'static Kernel>) -> BinaryFields {
        let kernels = if named.is_empty() { monpro::instructed_kernels() } else { named };
        BinaryFields { kernels, peers: peers::find(), product_ns: peers::measure_product_ns() }
    }
}

impl Race for BinaryFields {
    fn file_name(&self) -> &'static str {
        "gf2.json"
    }

    fn libraries(&self) -> BTreeMap<String, String> {
        let peers = self.peers.iter().map(|peer| (peer.library.to_owned(), peer.version.clone()));
        peers.chain([(monpro::LIBRARY.to_owned(), locked_version("monpro"))]).collect()
    }

    fn operations(&self) -> Vec<Operation> {
        vec![PRODUCT, SQUARE, INVERSE, POWER]
    }

    fn operands(&self) -> Vec<Operands> {
        moduli::DEGREES.into_iter().flat_map(|k| [moduli::dense(k), moduli::sparse(k)]).collect()
    }

    fn contenders(&self, operands: &Operands) -> Result<Vec<Contender>, String> {
        let mut contenders = monpro::contenders(&self.kernels, operands)?;
        for peer in &self.peers {
            contenders.extend(peer.contenders(&self.operations(), operands)?);
        }
        Ok(contenders)
    }

    fn floors(&self) -> Vec<Floor> {
        self.product_ns.map_or(Vec::new(), |product_ns| floor::all(product_ns, &self.operands()))
    }

    fn render(&self, results: &Results) -> String {
        let floor_note = match self.product_ns {
            Some(product_ns) => floor::note(product_ns),
            None => "no floor: this CPU has no PCLMULQDQ, or there is no C compiler".to_owned(),
        };
        format!("{}\n{floor_note}\n", table::render(results, &self.operations()))
    }
}
