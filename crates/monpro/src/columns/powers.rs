//! base^exponent mod modulus.

use super::operation::{Batch, Call, Computation, Cost, Operation, Sizes};
use super::status::Status;
use crate::batch::{BatchEngine, PowTask, pow_batch_on, selected};
use crate::modexp::modexp_vartime;
use crate::modulus::Modulus;
use crate::natural::{from_be_bytes, to_be_bytes};
use crate::powers::FixedBase;
use alloc::boxed::Box;
use alloc::vec::Vec;
use zeroize::Zeroizing;

const BASE: usize = 0;
const EXPONENT: usize = 1;
const MODULUS: usize = 2;

/// From so many rows on, a table of powers of the base pays: it takes as long to make as one power, and each power by it
/// saves more than half.
const ROWS_FOR_TABLE: usize = 16;

/// The operation; its values are [`POW`], [`POW_VARTIME`], [`MODEXP`] and [`MODEXP_VARTIME`].
pub struct Power {
    /// Whether the result modulo 0 is 0, as in the Ethereum virtual machine.
    has_zero_moduli: bool,
    is_vartime: bool,
}

/// base^exponent mod modulus for any modulus ≥ 1, odd or even. Public are the widths of rows, the bit length of a constant
/// exponent, the bit lengths of moduli, and the largest k for which 2^k divides a modulus. The time depends on nothing else.
pub static POW: Power = Power { has_zero_moduli: false, is_vartime: false };

/// The same in a time that depends on all values, for public numbers.
pub static POW_VARTIME: Power = Power { has_zero_moduli: false, is_vartime: true };

/// [`POW`] by the rules of the Ethereum virtual machine's MODEXP (EIP-198): the result modulo 0 is 0.
pub static MODEXP: Power = Power { has_zero_moduli: true, is_vartime: false };

/// The same in a time that depends on all values, for public numbers, such as the virtual machine's.
pub static MODEXP_VARTIME: Power = Power { has_zero_moduli: true, is_vartime: true };

impl Operation for Power {
    fn operands(&self) -> usize {
        3
    }

    fn public_length(&self) -> Option<usize> {
        Some(MODULUS)
    }

    fn prepare<'a>(&'a self, call: &'a Call) -> Box<dyn Computation + 'a> {
        match table(call) {
            Some(table) => Box::new(ByTable { table }),
            None => Box::new(Prepared { power: self, engine: self.engine(call) }),
        }
    }
}

impl Power {
    /// An engine with the constants of a constant modulus, and with a constant exponent that is public.
    fn engine(&self, call: &Call) -> Option<Box<dyn BatchEngine>> {
        let modulus = call.constants[MODULUS].as_ref()?;
        let exponent = call.constants[EXPONENT].as_ref().filter(|_| self.is_vartime);
        let exponent = exponent.map(|exponent| &exponent.words[..]);
        selected().iter().find_map(|engine| engine.with_modulus(&modulus.words, exponent))
    }

    /// Whether a power modulo this number is computed by [`single_vartime`]: never one of secret numbers.
    fn is_single(&self, modulus: &[u64]) -> bool {
        self.is_vartime && is_even(modulus)
    }
}

/// The table of the powers of a constant base modulo a constant odd modulus, if it pays, and if the exponents,
/// which are a column then, are not too long for one.
fn table(call: &Call) -> Option<FixedBase> {
    let (base, modulus) = (call.constants[BASE].as_ref()?, call.constants[MODULUS].as_ref()?);
    if call.rows < ROWS_FOR_TABLE {
        return None;
    }
    let modulus = Modulus::new(&modulus.words).ok()?;
    FixedBase::new(&modulus.residue(&base.words), call.most_bits[EXPONENT]).ok()
}

/// The cost of a power, or the status of one that is not computed.
fn cost(sizes: &Sizes<'_>) -> Result<Cost, Status> {
    let &[base, exponent, modulus] = sizes.0 else { unreachable!("a power has three operands") };
    let [base, words] = [base, modulus].map(|bits| bits.div_ceil(64) as u64);
    let products = 2 * words * (words * (exponent as u64 + 16) + 2 * base) + 64;
    match modulus {
        0 => Err(Status::ZeroModulus),
        _ => Ok(Cost { products, result_bits: modulus }),
    }
}

/// Powers of one base modulo one modulus, by a table of powers.
struct ByTable {
    table: FixedBase,
}

impl Computation for ByTable {
    fn cost(&self, sizes: &Sizes<'_>) -> Result<Cost, Status> {
        let Cost { products, result_bits } = cost(sizes)?;
        Ok(Cost { products: products / 3, result_bits })
    }

    fn compute(&self, batch: &Batch<'_>) -> Vec<Result<Zeroizing<Vec<u64>>, Status>> {
        let power = |i| self.table.pow(batch.number(EXPONENT, i)).to_number();
        (0..batch.len()).map(|i| Ok(Zeroizing::new(power(i)))).collect()
    }
}

/// Powers of which each has a base or a modulus of its own.
struct Prepared<'a> {
    power: &'a Power,
    /// The engine that has the constants of all tasks.
    engine: Option<Box<dyn BatchEngine>>,
}

impl Computation for Prepared<'_> {
    fn cost(&self, sizes: &Sizes<'_>) -> Result<Cost, Status> {
        match cost(sizes) {
            Err(Status::ZeroModulus) if self.power.has_zero_moduli => {
                Ok(Cost { products: 1, result_bits: 0 })
            }
            cost => cost,
        }
    }

    fn compute(&self, batch: &Batch<'_>) -> Vec<Result<Zeroizing<Vec<u64>>, Status>> {
        let is_single = |i| self.power.is_single(batch.number(MODULUS, i));
        let others = (0..batch.len()).filter(|&i| !is_single(i));
        let tasks: Vec<PowTask<'_>> = others.map(|i| self.task(batch, i)).collect();
        let own = self.engine.iter().map(|engine| &**engine);
        let engines: Vec<&dyn BatchEngine> = own.chain(selected().iter().copied()).collect();
        let mut powers = pow_batch_on(&engines, &tasks).powers.into_iter();
        let result = |i| match is_single(i) {
            true => single_vartime(batch, i),
            // Modulo 0, which comes here only where it is allowed, the result is 0.
            false => powers.next().expect("there is a power for each task").unwrap_or_default(),
        };
        (0..batch.len()).map(result).map(Zeroizing::new).map(Ok).collect()
    }
}

fn is_even(n: &[u64]) -> bool {
    n.first().is_none_or(|low| low & 1 == 0)
}

/// The power of public numbers by the function for one. It is faster for even moduli, which no engine takes.
fn single_vartime(batch: &Batch<'_>, i: usize) -> Vec<u64> {
    let octets = |operand| to_be_bytes(batch.number(operand, i), 8 * batch.number(operand, i).len());
    from_be_bytes(&modexp_vartime(&octets(BASE), &octets(EXPONENT), &octets(MODULUS)))
}

impl Prepared<'_> {
    fn task<'b>(&self, batch: &'b Batch<'_>, i: usize) -> PowTask<'b> {
        let [x, e, n] = [BASE, EXPONENT, MODULUS].map(|operand| batch.number(operand, i));
        match self.power.is_vartime {
            true => PowTask::new(x, e, n),
            false => {
                PowTask::bounded(x, e, n, batch.bits(EXPONENT, i)).expect("the width bounds the exponent")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_powers_of_public_numbers_modulo_an_even_one_are_computed_in_variable_time() {
        let moduli: [(&[u64], bool); 7] = [
            (&[], true),
            (&[0], true),
            (&[1], false),
            (&[2], true),
            (&[3], false),
            (&[2, 1], true),
            (&[u64::MAX, 2], false),
        ];
        for (modulus, is_even) in moduli {
            for power in [&POW, &MODEXP] {
                assert!(!power.is_single(modulus), "{modulus:?}");
            }
            for power in [&POW_VARTIME, &MODEXP_VARTIME] {
                assert_eq!(power.is_single(modulus), is_even, "{modulus:?}");
            }
        }
    }
}
