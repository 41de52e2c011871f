//! Lanes with one modulus, whose constants are computed once.

use super::digits::Numbers;
use super::moduli::Moduli;
use super::{Lanes, lanes, powers_modulo};
use crate::arch::x86_64::ifma::{Ifma, LANES};
use crate::batch::engine::{BatchEngine, EngineError};
use crate::batch::task::PowTask;
use crate::natural::{bit_length, bits_at, is_equal};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use zeroize::Zeroizing;

/// The most bits of a public exponent for which the binary method is taken: from there on windows save products.
const MOST_BINARY_BITS: usize = 32;

/// The engine for tasks with one modulus, and with one exponent if that is public.
pub(super) struct OneModulus {
    ifma: Ifma,
    modulus: Zeroizing<Vec<u64>>,
    moduli: Moduli,
    exponent: Option<Vec<u64>>,
}

impl OneModulus {
    /// The engine for an odd modulus that [`Lanes`] supports.
    pub(super) fn new(ifma: Ifma, modulus: &[u64], exponent: Option<&[u64]>) -> OneModulus {
        OneModulus {
            ifma,
            modulus: Zeroizing::new(trimmed(modulus).to_vec()),
            moduli: Moduli::new(ifma, [modulus; LANES]),
            exponent: exponent.map(|exponent| trimmed(exponent).to_vec()),
        }
    }
}

fn trimmed(x: &[u64]) -> &[u64] {
    &x[..bit_length(x).div_ceil(64)]
}

impl BatchEngine for OneModulus {
    fn name(&self) -> &str {
        Lanes.name()
    }

    fn needs(&self) -> &str {
        Lanes.needs()
    }

    fn unavailable_reason(&self) -> Option<String> {
        None
    }

    fn supports(&self, task: &PowTask<'_>) -> bool {
        let is_exponent = |exponent: &Vec<u64>| trimmed(task.exponent()) == &exponent[..];
        is_equal(trimmed(task.modulus()), &self.modulus) && self.exponent.as_ref().is_none_or(is_exponent)
    }

    fn pays_from(&self, modulus_bits: usize) -> usize {
        Lanes.pays_from(modulus_bits)
    }

    fn tasks_at_once(&self) -> usize {
        LANES
    }

    fn pow(&self, tasks: &[PowTask<'_>]) -> Result<Vec<Vec<u64>>, EngineError> {
        if !(1..=LANES).contains(&tasks.len()) || !tasks.iter().all(|task| self.supports(task)) {
            return Err(format!("it takes 1 to {LANES} tasks with its modulus and exponent").into());
        }
        match &self.exponent {
            Some(exponent) if bit_length(exponent) <= MOST_BINARY_BITS => {
                Ok(self.binary_vartime(exponent, tasks))
            }
            _ => Ok(powers_modulo(self.ifma, self.moduli.clone(), tasks)),
        }
    }
}

impl OneModulus {
    /// The powers to the public exponent e: a square for each of its bits but the highest, and a product for each that is 1.
    fn binary_vartime(&self, e: &[u64], tasks: &[PowTask<'_>]) -> Vec<Vec<u64>> {
        let mut moduli = self.moduli.clone();
        let x = moduli.enter(lanes(tasks).map(|task| task.base()));
        let bits = bit_length(e);
        let mut power: Numbers = if bits == 0 { moduli.one() } else { x.clone() };
        for i in (0..bits.saturating_sub(1)).rev() {
            moduli.square_assign(&mut power);
            if bits_at(e, i, 1) == 1 {
                moduli.mul_assign(&mut power, &x);
            }
        }
        let words: Vec<usize> = tasks.iter().map(PowTask::power_words).collect();
        moduli.leave(power, &words)
    }
}
