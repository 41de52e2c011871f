//! num-bigint: `BigUint::modpow`, which computes the constants of the modulus at every call.

use crate::contender::{Contender, Operation};
use crate::operands::Operands;
use num_bigint::BigUint;

pub fn contenders(operands: &Operands) -> Vec<Contender> {
    let (e, n) = (operands.e.clone(), operands.n.clone());
    let power = move |z: &mut BigUint| *z = z.modpow(&e, &n);
    vec![Contender::new(
        ("num-bigint", "modpow"),
        Operation::PowerVartime,
        operands.x.clone(),
        power,
        BigUint::clone,
    )]
}
