//! num-bigint: `BigUint::modpow`, which computes the constants of the modulus in every call.

use super::POWER_VARTIME;
use crate::contender::Contender;
use crate::operands::Operands;
use num_bigint::BigUint;

pub const LIBRARY: &str = "num-bigint";

pub fn contenders(operands: &Operands) -> Vec<Contender> {
    let (e, n) = (operands.e.clone(), operands.n.clone());
    let power = move |z: &mut BigUint| *z = z.modpow(&e, &n);
    vec![Contender::new((LIBRARY, "modpow"), POWER_VARTIME, operands.x.clone(), power, BigUint::clone)]
}
