//! Lanes with one modulus, whose constants are computed once.

use super::digits::{self, Numbers};
use super::moduli::Moduli;
use super::{Lanes, lanes, powers_modulo};
use crate::arch::x86_64::ifma::{DIGIT_BITS, Ifma, LANES};
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
    ifma: Ifma,
    modulus: Zeroizing<Vec<u64>>,
    moduli: Moduli,
    exponent: Option<Vec<u64>>,
    /// The spaces in which no thread computes. There are as many as threads have computed at once.
    idle: Mutex<Vec<Space>>,
}

/// The memory of a computation. The next one uses it again, and it is erased when the engine is dropped.
struct Space {
    moduli: Moduli,
    /// The words of the bases, then those of the powers.
    words: Numbers,
    base: Numbers,
    power: Numbers,
}

impl OneModulus {
    /// The engine for an odd modulus that [`Lanes`] supports.
    pub(super) fn new(ifma: Ifma, modulus: &[u64], exponent: Option<&[u64]>) -> OneModulus {
        OneModulus {
            ifma,
            modulus: Zeroizing::new(trimmed(modulus).to_vec()),
            moduli: Moduli::new(ifma, [modulus; LANES]),
            exponent: exponent.map(|exponent| trimmed(exponent).to_vec()),
            idle: Mutex::default(),
        }
    }

    /// The powers that `compute` finds in a space.
    fn in_space(&self, compute: impl FnOnce(&mut Space) -> Vec<Vec<u64>>) -> Vec<Vec<u64>> {
        let idle = || self.idle.lock().expect("nobody panics with it");
        let last = idle().pop();
        let mut space = last.unwrap_or_else(|| Space::new(&self.moduli));
        let powers = compute(&mut space);
        idle().push(space);
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
        Ok(self.in_space(|space| match &self.exponent {
            Some(exponent) if bit_length(exponent) <= MOST_BINARY_BITS => {
                space.binary_vartime(self.ifma, exponent, tasks)
            }
            _ => powers_modulo(self.ifma, &mut space.moduli, tasks),
        }))
    }
}

impl Space {
    fn new(moduli: &Moduli) -> Space {
        let moduli = moduli.clone();
        let [words, base, power] = [digits::zero(0), moduli.zero(), moduli.zero()];
        Space { moduli, words, base, power }
    }

    /// The powers to the public exponent e: a square for each of its bits but the highest, and a product for each that is 1.
    ///
    /// If e is odd, the last product is with x itself and not with its residue x·R: x·(x^(e − 1)·R)·R⁻¹ is no residue
    /// but the power. It is below 3.5n if x < R/2, because the other factor is below 3n.
    fn binary_vartime(&mut self, ifma: Ifma, e: &[u64], tasks: &[PowTask<'_>]) -> Vec<Vec<u64>> {
        let Space { moduli, words, base, power } = self;
        digits::set_words(words, lanes(tasks).map(|task| task.base()));
        moduli.enter_words(base, words);
        let bits = bit_length(e);
        let is_short = 64 * words.len() < DIGIT_BITS as usize * moduli.digits();
        let ends_with_number = bits > 1 && bits_at(e, 0, 1) == 1 && is_short;
        power.copy_from_slice(if bits == 0 { moduli.one() } else { base });
        for i in (0..bits.saturating_sub(1)).rev() {
            moduli.square_assign(power);
            if i == 0 && ends_with_number {
                digits::set_from_words(ifma, base, words, 0);
            }
            if bits_at(e, i, 1) == 1 {
                moduli.mul_assign(power, base);
            }
        }
        match ends_with_number {
            true => moduli.reduce(power),
            false => moduli.divide_by_r(power),
        }
        let counts: Vec<usize> = tasks.iter().map(PowTask::power_words).collect();
        digits::numbers(ifma, power, &counts, words)
    }
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
        let Some(ifma) = detect_or_say::<Ifma>() else { return };
        // The smallest and the largest modulus of a number of digits, which decides how long a base may stay a number.
        let moduli =
            [vec![3], vec![u64::MAX; 3], vec![1, 1 << 63], vec![1, 0, 0, 1 << 8], vec![u64::MAX; 13]];
        for modulus in moduli {
            for exponent in [0, 1, 2, 3, 17, 65537, u64::from(u32::MAX), 1 << 32] {
                let engine = OneModulus::new(ifma, &modulus, Some(&[exponent]));
                for words in (0..6).chain(12..16).chain([29]) {
                    let bases = bases(words);
                    let exponent = [exponent];
                    let tasks: Vec<PowTask<'_>> =
                        bases.iter().map(|base| PowTask::new(base, &exponent, &modulus)).collect();
                    let expected: Vec<Vec<u64>> =
                        bases.iter().map(|base| pow(base, &exponent, &modulus).unwrap()).collect();
                    assert_eq!(engine.pow(&tasks).unwrap(), expected, "{modulus:x?}, {exponent:?}, {words}");
                }
                // One space served all calls.
                assert_eq!(engine.idle.lock().unwrap().len(), 1);
            }
        }
    }
}
