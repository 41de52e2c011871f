//! Lanes with one modulus, whose constants are computed once.

use super::digits::Numbers;
use super::moduli::Moduli;
use super::{Lanes, lanes, powers_modulo};
use crate::arch::x86_64::fma::{Fma, LANES};
use crate::batch::engine::{BatchEngine, EngineError};
use crate::batch::task::PowTask;
use crate::natural::{bit_length, bits_at, is_equal};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use std::sync::Mutex;
use zeroize::Zeroizing;

/// The most bits of a public exponent for which the binary method is taken: from there on windows save products.
const MOST_BINARY_BITS: usize = 32;

/// The engine for tasks with one modulus, and with one exponent if that is public.
pub(super) struct OneModulus {
    fma: Fma,
    modulus: Zeroizing<Vec<u64>>,
    moduli: Moduli,
    exponent: Option<Vec<u64>>,
    /// Copies of the moduli with which no thread computes. There are as many as threads have computed at once.
    idle: Mutex<Vec<Moduli>>,
}

impl OneModulus {
    /// The engine for an odd modulus that [`Lanes`] supports.
    pub(super) fn new(fma: Fma, modulus: &[u64], exponent: Option<&[u64]>) -> OneModulus {
        OneModulus {
            fma,
            modulus: Zeroizing::new(trimmed(modulus).to_vec()),
            moduli: Moduli::new(fma, [modulus; LANES]),
            exponent: exponent.map(|exponent| trimmed(exponent).to_vec()),
            idle: Mutex::default(),
        }
    }

    /// The powers that `compute` finds with moduli of its own.
    fn with_moduli(&self, compute: impl FnOnce(&mut Moduli) -> Vec<Vec<u64>>) -> Vec<Vec<u64>> {
        let idle = || self.idle.lock().expect("nobody panics with it");
        let last = idle().pop();
        let mut moduli = last.unwrap_or_else(|| self.moduli.clone());
        let powers = compute(&mut moduli);
        idle().push(moduli);
        powers
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

    fn pays_from(&self, modulus_bits: usize, exponent_bits: usize) -> usize {
        Lanes.pays_from(modulus_bits, exponent_bits)
    }

    fn tasks_at_once(&self) -> usize {
        LANES
    }

    fn pow(&self, tasks: &[PowTask<'_>]) -> Result<Vec<Vec<u64>>, EngineError> {
        if !(1..=LANES).contains(&tasks.len()) || !tasks.iter().all(|task| self.supports(task)) {
            return Err(format!("it takes 1 to {LANES} tasks with its modulus and exponent").into());
        }
        Ok(self.with_moduli(|moduli| match &self.exponent {
            Some(exponent) if bit_length(exponent) <= MOST_BINARY_BITS => {
                let bases = moduli.enter(lanes(tasks).map(|task| task.base()));
                let power = binary_vartime(moduli, &bases, exponent);
                moduli.leave(power, &lanes(tasks).map(|task| task.power_words())[..tasks.len()])
            }
            _ => powers_modulo(self.fma, moduli, tasks),
        }))
    }
}

/// The residues xᵉ for a public e: a square for each of its bits but the highest, and a product for each that is 1.
fn binary_vartime(moduli: &mut Moduli, x: &Numbers, e: &[u64]) -> Numbers {
    let bits = bit_length(e);
    let mut power = if bits == 0 { moduli.one().clone() } else { x.clone() };
    let mut squares = 0;
    for i in (0..bits.saturating_sub(1)).rev() {
        squares += 1;
        if i == 0 || bits_at(e, i, 1) == 1 {
            moduli.square_repeatedly(&mut power, core::mem::take(&mut squares));
        }
        if bits_at(e, i, 1) == 1 {
            moduli.mul_assign(&mut power, x);
        }
    }
    power
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arch::tested::detect_or_say;
    use crate::pow::pow;
    use alloc::vec;

    /// The largest and other bases of this many words.
    fn bases(words: usize) -> [Vec<u64>; 3] {
        let mixed = (1..=words as u64).map(|i| i.wrapping_mul(0x9e37_79b9_7f4a_7c15)).collect();
        [vec![u64::MAX; words], mixed, vec![0; words]]
    }

    #[test]
    fn powers_to_a_public_exponent_are_right_for_bases_of_every_length() {
        let Some(fma) = detect_or_say::<Fma>() else { return };
        let moduli =
            [vec![3], vec![u64::MAX; 3], vec![1, 1 << 63], vec![1, 0, 0, 1 << 8], vec![u64::MAX; 13]];
        for modulus in moduli {
            for exponent in [0, 1, 2, 3, 17, 65537, u64::from(u32::MAX), 1 << 32] {
                let engine = OneModulus::new(fma, &modulus, Some(&[exponent]));
                for words in (0..6).chain(12..16).chain([29]) {
                    let bases = bases(words);
                    let exponent = [exponent];
                    let tasks: Vec<PowTask<'_>> =
                        bases.iter().map(|base| PowTask::new(base, &exponent, &modulus)).collect();
                    let expected: Vec<Vec<u64>> =
                        bases.iter().map(|base| pow(base, &exponent, &modulus).unwrap()).collect();
                    assert_eq!(engine.pow(&tasks).unwrap(), expected, "{modulus:x?}, {exponent:?}, {words}");
                }
                // One copy of the moduli served all calls.
                assert_eq!(engine.idle.lock().unwrap().len(), 1);
            }
        }
    }

    #[test]
    fn tasks_with_another_modulus_or_exponent_are_refused() {
        let Some(fma) = detect_or_say::<Fma>() else { return };
        let engine = OneModulus::new(fma, &[9, 1], Some(&[65537]));
        let task = |exponent, modulus| PowTask::new(&[2], exponent, modulus);
        assert!(engine.supports(&task(&[65537, 0], &[9, 1, 0])));
        for wrong in [task(&[65537], &[9]), task(&[65537], &[9, 2]), task(&[3], &[9, 1])] {
            assert!(!engine.supports(&wrong) && engine.pow(&[wrong]).is_err());
        }
        assert!(engine.pow(&[]).is_err() && engine.pow(&[task(&[65537], &[9, 1]); LANES + 1]).is_err());
    }
}
