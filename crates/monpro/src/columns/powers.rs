//! base^exponent mod modulus.

use super::MOST_OCTETS;
use super::operation::{Batch, Call, Computation, Cost, Operation, Sizes};
use super::status::Status;
use crate::batch::{BatchEngine, PowTask, pow_batch_on, selected};
use crate::modexp::modexp_vartime;
use crate::modulus::Modulus;
use crate::natural::{from_be_bytes, to_be_bytes};
use crate::power::MAX_EXPONENT_BITS;
use crate::powers::FixedBase;
use alloc::boxed::Box;
use alloc::vec::Vec;
use std::sync::OnceLock;
use zeroize::Zeroizing;

const BASE: usize = 0;
const EXPONENT: usize = 1;
const MODULUS: usize = 2;

// The exponents of rows that are computed are short enough for a table.
const _: () = assert!(8 * MOST_OCTETS <= MAX_EXPONENT_BITS);

/// From so many rows on, a table of powers of the base pays: it takes as long to make as one power, and each power by it
/// saves more than half.
const ROWS_FOR_TABLE: usize = 16;

/// The operation; its values are [`POW`], [`POW_VARTIME`], [`MODEXP`] and [`MODEXP_VARTIME`].
pub struct Power {
    /// Whether the result modulo 0 is 0, as in the Ethereum virtual machine.
    has_zero_moduli: bool,
    is_vartime: bool,
}

/// base^exponent mod modulus for any modulus ≥ 1, odd or even. Public are the widths of rows, the bit lengths of constants and
/// of moduli, and the largest k for which 2^k divides a modulus. The time depends on nothing else.
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
        match ByTable::new(call) {
            Some(by_table) => Box::new(by_table),
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

/// Powers of one base modulo one odd modulus, by a table of powers.
struct ByTable<'a> {
    base: &'a [u64],
    modulus: &'a [u64],
    exponent_bits: usize,
    /// Made by the first thread that needs it, since its squares can take minutes, in which the caller's thread must be able
    /// to stop them.
    table: OnceLock<FixedBase>,
}

impl<'a> ByTable<'a> {
    /// The powers of a call with a constant base and a constant odd modulus, if a table pays.
    fn new(call: &'a Call) -> Option<ByTable<'a>> {
        let (base, modulus) = (call.constants[BASE].as_ref()?, call.constants[MODULUS].as_ref()?);
        let pays = call.rows >= ROWS_FOR_TABLE && !is_even(&modulus.words);
        pays.then(|| ByTable {
            base: &base.words,
            modulus: &modulus.words,
            exponent_bits: call.most_bits[EXPONENT],
            table: OnceLock::new(),
        })
    }

    fn table(&self) -> &FixedBase {
        self.table.get_or_init(|| {
            let modulus = Modulus::new(self.modulus).expect("the modulus is odd");
            let base = modulus.residue(self.base);
            FixedBase::new(&base, self.exponent_bits).expect("rows of longer exponents are refused")
        })
    }
}

impl Computation for ByTable<'_> {
    fn cost(&self, sizes: &Sizes<'_>) -> Result<Cost, Status> {
        let Cost { products, result_bits } = cost(sizes)?;
        Ok(Cost { products: products / 3, result_bits })
    }

    fn compute(&self, batch: &Batch<'_>) -> Vec<Result<Zeroizing<Vec<u64>>, Status>> {
        let table = self.table();
        let power = |i| table.pow(batch.number(EXPONENT, i)).to_number();
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
    use super::super::operation::Number;
    use super::*;
    use crate::cancellation::Cancellation;
    use alloc::vec;

    /// A call of so many rows with a constant base and modulus of so many words of ones, and with exponents of so many bits.
    fn call_with_constants(words: usize, exponent_bits: usize, rows: usize) -> Call {
        let number = || Number { words: Zeroizing::new(vec![u64::MAX; words]), bits: 64 * words };
        let most_bits = vec![64 * words, exponent_bits, 64 * words];
        Call { constants: vec![Some(number()), None, Some(number())], most_bits, rows }
    }

    #[test]
    fn a_table_is_made_where_it_can_be_stopped() {
        let call = call_with_constants(2, 1 << 16, ROWS_FOR_TABLE);
        let by_table = ByTable::new(&call).expect("it pays");
        let cancellation = Cancellation::default();
        cancellation.cancel();
        // What is prepared by the caller's thread passes no place where it could be stopped: it is short.
        assert!(cancellation.run(|| POW.prepare(&call).cost(&Sizes(&[128, 9, 128])).is_ok()).is_some());
        assert!(cancellation.run(|| by_table.table().e_bits()).is_none());
        // The thread that comes next makes what one that was stopped has left.
        assert_eq!(by_table.table().e_bits(), 1 << 16);
    }

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
