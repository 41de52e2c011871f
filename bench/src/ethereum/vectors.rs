//! The vectors of `vectors/modexp.json`. Each is a name, the input of the contract and its output.

use crate::operands::Operands;
use num_bigint::BigUint;
use serde::Deserialize;

const VECTORS: &str = include_str!("../../../vectors/modexp.json");
/// The input begins with three lengths in bytes; each length is a number of 32 bytes.
const LENGTH_BYTES: usize = 32;

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Vector {
    name: String,
    input: String,
    gas: u64,
}

/// The operands of every vector, with its name as their shape.
pub fn all() -> Vec<Operands> {
    read().into_iter().map(operands).collect()
}

/// What the virtual machine charges for the vector of this name, by EIP-7883.
pub fn gas(name: &str) -> Option<u64> {
    read().into_iter().find(|vector| vector.name == name).map(|vector| vector.gas)
}

fn read() -> Vec<Vector> {
    serde_json::from_str(VECTORS).expect("the file is a list of vectors")
}

fn operands(vector: Vector) -> Operands {
    let mut rest = vector.input.as_str();
    let mut take = |bytes: usize| {
        let (digits, after) = rest.split_at(2 * bytes);
        rest = after;
        BigUint::parse_bytes(digits.as_bytes(), 16).unwrap_or_default()
    };
    let lengths = [(); 3].map(|()| take(LENGTH_BYTES).try_into().expect("a length is small"));
    let [x, e, n] = lengths.map(&mut take);
    Operands { bits: n.bits() as usize, shape: Some(vector.name), n, x, y: BigUint::ZERO, e }
}
