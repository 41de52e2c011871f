//! Two exponentiations in one loop, by AVX-512 IFMA: the lower half of each vector belongs to one number, the upper half
//! to the other. A digit is a limb of 52 bits.
//!
//! The method is that of the kernel `redc-ifma` \[koc96, §2\]: t = x·y, then m = t·n' mod R, then (t + m·n)/R. A half
//! holds four digits, so fewer products of a vector are with digits that do not exist than where one number fills the
//! vectors; and each instruction serves two numbers. RSA's private operation is such a pair. docs/0013 has the measurements.

#[cfg(test)]
mod bounds;
mod carries;
mod columns;
mod digits;
mod moduli;
mod table;

use super::engine::{BatchEngine, EngineError};
use super::task::PowTask;
use crate::arch::InstructionSet;
use crate::arch::x86_64::ifma::Ifma;
use crate::kernel::Kernel;
use crate::modulus::Modulus;
use crate::natural;
use crate::power::window::{Layout, Windowed, fixed_windows, multiply_windows};
use crate::ring::RingName;
use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;
use digits::Pair;
use moduli::{Moduli, Size};
use table::Table;
use zeroize::Zeroize;

/// The widest windows.
const MOST_WIDTH: u32 = 6;

/// The engine: one or two powers at once.
pub(super) struct Pairs;

impl BatchEngine for Pairs {
    fn name(&self) -> &str {
        "batch-ifma-pairs"
    }

    fn needs(&self) -> &str {
        Ifma::INSTRUCTIONS
    }

    fn unavailable_reason(&self) -> Option<String> {
        (!self.is_available()).then(|| format!("needs {}, which this CPU lacks", self.needs()))
    }

    fn is_available(&self) -> bool {
        Ifma::detect().is_some()
    }

    fn supports(&self, task: &PowTask<'_>) -> bool {
        task.is_odd() && task.modulus_bits() >= 2 && Size::of(task.modulus_bits()).is_some()
    }

    fn pays_from(&self, modulus_bits: usize, _exponent_bits: usize) -> usize {
        // More than the engine takes, where a pair is slower.
        if pays(modulus_bits) { 2 } else { 3 }
    }

    fn tasks_at_once(&self) -> usize {
        2
    }

    fn pow(&self, tasks: &[PowTask<'_>]) -> Result<Vec<Vec<u64>>, EngineError> {
        let ifma = Ifma::detect().ok_or_else(|| format!("it needs {}", self.needs()))?;
        let (Some(first), Some(last), 1..=2) = (tasks.first(), tasks.last(), tasks.len()) else {
            return Err("it takes 1 or 2 tasks".into());
        };
        if !tasks.iter().all(|task| self.supports(task)) {
            return Err(format!("it takes odd moduli of 2 to {} bits", Size::LARGEST.most_bits()).into());
        }
        let pair = [first, last];
        let moduli = ReadyPair::new(ifma, pair.map(PowTask::modulus)).ok_or("the moduli are too long")?;
        let bits = first.exponent_bits().max(last.exponent_bits());
        let [power, mut other] = moduli.pow(pair.map(PowTask::base), pair.map(PowTask::exponent), bits);
        if tasks.len() == 1 {
            other.zeroize();
            return Ok(vec![power]);
        }
        Ok(vec![power, other])
    }
}

/// Two odd moduli, ready for powers at once.
#[derive(Clone)]
pub(super) struct ReadyPair(Moduli);

impl ReadyPair {
    /// The moduli, if there is code for their size.
    fn new(ifma: Ifma, moduli: [&[u64]; 2]) -> Option<ReadyPair> {
        let size = Size::of(moduli.map(natural::bit_length).into_iter().max()?)?;
        Some(ReadyPair(Moduli::new(ifma, size, moduli)))
    }

    /// The moduli, if a pair of powers is faster than one after the other on this CPU, and no kernel was chosen for them.
    pub(super) fn where_it_pays(moduli: [&Modulus; 2]) -> Option<ReadyPair> {
        let ifma = Ifma::detect()?;
        let is_chosen = |n: &Modulus| {
            let ring = RingName::Integers;
            Kernel::override_of(ring).is_some()
                || !core::ptr::eq(n.kernel(), Kernel::fastest(ring, n.number()))
        };
        let pays = |n: &Modulus| pays(n.bits()) && !is_chosen(n);
        moduli.into_iter().all(pays).then(|| ReadyPair::new(ifma, moduli.map(Modulus::number)))?
    }

    /// x^(e mod 2^bits) modulo each of the two, in as many words as the modulus. Time and addresses depend on the lengths
    /// and on `bits`.
    pub(super) fn pow(&self, bases: [&[u64]; 2], exponents: [&[u64]; 2], bits: usize) -> [Vec<u64>; 2] {
        let mut moduli = self.0.clone();
        let bases = moduli.enter(bases);
        let power = fixed_window(&mut moduli, &bases, exponents, bits);
        moduli.leave(power)
    }
}

/// Whether a pair of powers modulo numbers of so many bits takes less time than two by the kernels for one, from the times on
/// Intel's family 6 model 207: where the modulus nearly fills the digits of its size.
fn pays(modulus_bits: usize) -> bool {
    matches!(modulus_bits, 416..=516 | 608..=776 | 864..=1036 | 1472..=1556 | 1920..=2076)
}

/// The residues x^(e mod 2^bits): after every `width` squares, one product with powers of x, which are selected by reading
/// the whole table.
fn fixed_window(moduli: &mut Moduli, x: &Pair, exponents: [&[u64]; 2], bits: usize) -> Pair {
    let table = Table::of_powers(moduli, x, 1 << window_width(bits, x.len()));
    let width = table.len().ilog2();
    let indices =
        |(position, count): (usize, u32)| (position, exponents.map(|e| natural::bits_at(e, position, count)));
    let (value, factor) = (moduli.one(), digits::zero(x.len()));
    let mut power = Power { moduli, table: &table, value, factor };
    multiply_windows(&mut power, fixed_windows(bits, width).map(indices));
    power.value
}

/// A running power of each number.
struct Power<'a> {
    moduli: &'a mut Moduli,
    table: &'a Table,
    value: Pair,
    /// The powers selected from the table.
    factor: Pair,
}

/// The indices of a window choose a factor for each number.
impl Windowed<[u64; 2]> for Power<'_> {
    fn begin(&mut self, indices: [u64; 2]) {
        self.table.select(indices, &mut self.value);
    }

    fn append(&mut self, squares: usize, indices: [u64; 2]) {
        self.table.select(indices, &mut self.factor);
        self.moduli.square_repeatedly(&mut self.value, squares);
        self.moduli.mul_assign(&mut self.value, &self.factor);
    }

    fn square(&mut self, times: usize) {
        self.moduli.square_repeatedly(&mut self.value, times);
    }
}

/// The width of windows for pairs of V vectors. The unit of cost is a cycle in which one product is added: a product takes
/// about 19·V² of them, and reading an entry of the table V.
fn window_width(bits: usize, v: usize) -> u32 {
    Layout::Fixed.width(bits, MOST_WIDTH, 19 * v, |entries| entries)
}

#[cfg(test)]
mod tests {
    extern crate std;

    use super::*;
    use std::is_x86_feature_detected;

    #[test]
    fn the_engine_tells_what_it_needs_and_whether_it_is_there() {
        assert_eq!((Pairs.name(), Pairs.needs()), ("batch-ifma-pairs", "AVX-512F and AVX-512 IFMA"));
        let is_there = cfg!(avx512_in_software)
            || is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512ifma");
        let lacks = "needs AVX-512F and AVX-512 IFMA, which this CPU lacks";
        let reason = (!is_there).then(|| lacks.into());
        assert_eq!((Pairs.is_available(), Pairs.unavailable_reason()), (is_there, reason));
    }

    #[test]
    fn a_pair_is_for_moduli_that_nearly_fill_the_digits_of_their_size() {
        let pays_from =
            [415, 416, 516, 517, 607, 608, 776, 777, 2076, 2077].map(|bits| Pairs.pays_from(bits, 99));
        assert_eq!(pays_from, [3, 2, 2, 3, 3, 2, 2, 3, 2, 3]);
    }
}
