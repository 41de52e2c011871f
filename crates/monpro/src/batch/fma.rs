//! Exponentiation in four lanes of AVX2, by windows of a fixed width, with products of digits in floating point.

#[cfg(test)]
mod bounds;
mod columns;
mod digits;
mod moduli;
#[cfg(feature = "columns")]
mod one_modulus;
mod reduction;
mod table;

use super::engine::{BatchEngine, EngineError};
use super::halves::{CrtHalves, Quotient};
use super::task::PowTask;
use crate::arch::InstructionSet;
use crate::arch::x86_64::fma::{Fma, LANES, Line};
use crate::power::window::{Layout, Windowed, fixed_windows, multiply_windows};
#[cfg(feature = "columns")]
use alloc::boxed::Box;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use digits::Numbers;
use moduli::Moduli;
#[cfg(feature = "columns")]
use one_modulus::OneModulus;
use table::Table;

/// The bits of a digit.
const DIGIT_BITS: u32 = 51;
/// What a high part of a product has too much, the bits of 2^103.
const HIGH_BIAS: u64 = (1023 + 103) << 52;

/// The most bits of a modulus that was tested. The sums of columns would allow 26 000.
const MOST_BITS: usize = 16384;
/// The widest windows.
const MOST_WIDTH: u32 = 8;

/// The engine: 1 to 4 powers at once.
pub(super) struct Lanes;

impl BatchEngine for Lanes {
    fn name(&self) -> &str {
        "batch-fma"
    }

    fn needs(&self) -> &str {
        Fma::INSTRUCTIONS
    }

    fn unavailable_reason(&self) -> Option<String> {
        (!self.is_available()).then(|| format!("needs {}, which this CPU lacks", self.needs()))
    }

    fn is_available(&self) -> bool {
        Fma::detect().is_some()
    }

    fn supports(&self, task: &PowTask<'_>) -> bool {
        task.is_odd() && (2..=MOST_BITS).contains(&task.modulus_bits())
    }

    /// From the times of four lanes, and of one power by `sos-adx`, on AMD's family 25 model 1, and by how much `cios-fma` and
    /// `redc-fma` are faster than that: three lanes of four save 5 to 15 %. Where the CPU has AVX-512 IFMA, a single power by
    /// `redc-ifma` and the other engines use wider vectors.
    fn pays_from(&self, modulus_bits: usize, exponent_bits: usize) -> usize {
        match (modulus_bits, exponent_bits) {
            _ if has_ifma() => usize::MAX,
            // More than the engine takes: powers on the stack are faster.
            (..=128, _) | (..=192, ..=80) | (..=256, ..=40) | (..=320, ..=24) | (..=384, ..=10) => LANES + 1,
            (..=576 | 6145.., _) => 4,
            _ => 3,
        }
    }

    fn tasks_at_once(&self) -> usize {
        LANES
    }

    fn pow(&self, tasks: &[PowTask<'_>]) -> Result<Vec<Vec<u64>>, EngineError> {
        Ok(powers(self.ready(tasks.iter())?, tasks))
    }

    #[cfg(feature = "columns")]
    fn with_modulus(
        &self,
        modulus: &[u64],
        exponent_vartime: Option<&[u64]>,
    ) -> Option<Box<dyn BatchEngine>> {
        let fma = Fma::detect()?;
        if !self.supports(&PowTask::new(&[], &[], modulus)) {
            return None;
        }
        Some(Box::new(OneModulus::new(fma, modulus, exponent_vartime)))
    }

    fn quotients(&self, halves: &[CrtHalves<'_>]) -> Option<Result<Vec<Quotient>, EngineError>> {
        let ready = self.ready(halves.iter().map(CrtHalves::task_modulo_p));
        Some(ready.map(|fma| quotients(fma, halves)))
    }
}

/// Whether the engines of AVX-512 IFMA run here.
#[cfg(vpclmulqdq_intrinsics)]
fn has_ifma() -> bool {
    crate::arch::x86_64::ifma::Ifma::detect().is_some()
}

/// A compiler without the intrinsics leaves these engines out.
#[cfg(not(vpclmulqdq_intrinsics))]
fn has_ifma() -> bool {
    false
}

impl Lanes {
    /// The instruction set; an error if the CPU lacks it or the engine does not take these tasks at once.
    fn ready<'a>(&self, tasks: impl ExactSizeIterator<Item = &'a PowTask<'a>>) -> Result<Fma, EngineError> {
        let fma = Fma::detect().ok_or_else(|| format!("it needs {}", self.needs()))?;
        if !(1..=LANES).contains(&tasks.len()) || !tasks.into_iter().all(|task| self.supports(task)) {
            return Err(
                format!("it takes 1 to {LANES} tasks with odd moduli of 2 to {MOST_BITS} bits").into()
            );
        }
        Ok(fma)
    }
}

/// xᵉ mod n for 1 to 4 tasks.
fn powers(fma: Fma, tasks: &[PowTask<'_>]) -> Vec<Vec<u64>> {
    let mut moduli = Moduli::new(fma, lanes(tasks).map(|task| task.modulus()));
    powers_modulo(fma, &mut moduli, tasks)
}

/// The tasks of all lanes; those without a task repeat the first.
fn lanes<'a>(tasks: &[PowTask<'a>]) -> [PowTask<'a>; LANES] {
    core::array::from_fn(|lane| *tasks.get(lane).unwrap_or(&tasks[0]))
}

/// The same powers with these moduli.
fn powers_modulo(fma: Fma, moduli: &mut Moduli, tasks: &[PowTask<'_>]) -> Vec<Vec<u64>> {
    let lanes = lanes(tasks);
    let bits = lanes.iter().map(PowTask::exponent_bits).max().expect("there are four");
    let bases = moduli.enter(lanes.map(|task| task.base()));
    let power = fixed_window(fma, moduli, &bases, lanes.map(|task| task.exponent()), bits);
    moduli.leave(power, &lanes.map(|task| task.power_words())[..tasks.len()])
}

/// (a − b)·q⁻¹ mod p for 1 to 4 pairs of powers; lanes without a pair repeat the first.
fn quotients(fma: Fma, halves: &[CrtHalves<'_>]) -> Vec<Quotient> {
    let lanes: [CrtHalves<'_>; LANES] = core::array::from_fn(|lane| *halves.get(lane).unwrap_or(&halves[0]));
    let mut moduli = Moduli::new(fma, lanes.map(|halves| halves.p()));
    let words = lanes.map(|halves| halves.a().len());
    let q_inverse = moduli.enter(lanes.map(|halves| halves.q_inverse()));
    let mut one = moduli.enter(lanes.map(|halves| halves.q()));
    moduli.mul_assign(&mut one, &q_inverse);
    let mut quotient = moduli.enter(lanes.map(|halves| halves.a()));
    let mut b = moduli.enter(lanes.map(|halves| halves.b()));
    moduli.sub_assign(&mut quotient, &mut b);
    moduli.mul_assign(&mut quotient, &q_inverse);
    let words = &words[..halves.len()];
    let ones = moduli.leave(one, words);
    let quotients = moduli.leave(quotient, words);
    let is_one = |number: &[u64]| (number[0] ^ 1) | number[1..].iter().fold(0, |bits, word| bits | word) == 0;
    quotients.into_iter().zip(ones).map(|(quotient, one)| is_one(&one).then_some(quotient)).collect()
}

/// The residues x^(e mod 2^bits): after every `width` squares, one product with powers of x. These are selected by
/// reading the whole table.
fn fixed_window(
    fma: Fma,
    moduli: &mut Moduli,
    x: &Numbers,
    exponents: [&[u64]; LANES],
    bits: usize,
) -> Numbers {
    let exponents = digits::words(exponents);
    let width = window_width(bits, x.len());
    let table = powers_below(moduli, x, 1 << width);
    let windows = fixed_windows(bits, width);
    let indices =
        |(position, count): (usize, u32)| (position, digits::window(fma, &exponents, position, count));
    let (value, factor) = (moduli.one().clone(), moduli.zero());
    let mut power = Power { fma, moduli, table: &table, value, factor };
    multiply_windows(&mut power, windows.map(indices));
    power.value
}

/// A running power in each lane.
struct Power<'a> {
    fma: Fma,
    moduli: &'a mut Moduli,
    table: &'a Table,
    value: Numbers,
    /// The powers selected from the table.
    factor: Numbers,
}

/// The indices of a window choose a factor for each lane.
impl Windowed<Line> for Power<'_> {
    fn begin(&mut self, indices: Line) {
        self.table.read(self.fma, &indices, &mut self.value);
    }

    fn append(&mut self, squares: usize, indices: Line) {
        self.square(squares);
        self.table.read(self.fma, &indices, &mut self.factor);
        self.moduli.mul_assign(&mut self.value, &self.factor);
    }

    fn square(&mut self, times: usize) {
        self.moduli.square_repeatedly(&mut self.value, times);
    }
}

/// The residues x⁰, x¹, … x^(count − 1).
fn powers_below(moduli: &mut Moduli, x: &Numbers, count: usize) -> Table {
    let mut table = Table::zero(count, moduli.digits());
    table.set(0, moduli.one());
    table.set(1, x);
    let mut power = moduli.zero();
    for i in 2..count {
        if i % 2 == 0 {
            power.copy_from_slice(table.entry(i / 2));
            moduli.square_repeatedly(&mut power, 1);
        } else {
            moduli.mul_assign(&mut power, x);
        }
        table.set(i, &power);
    }
    table
}

/// The width of windows for numbers of D digits. The unit of cost is a tenth of D cycles. A product, of 2·D² products of
/// vectors at 1.5 cycles each, costs 30·D. Reading a vector of the table costs 8.
fn window_width(bits: usize, d: usize) -> u32 {
    Layout::Fixed.width(bits, MOST_WIDTH, 30 * d, |entries| 8 * entries)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lanes_wait_for_tasks_where_wider_vectors_are_there() {
        let pays_from = [128, 129, 576, 577, 6144, 6145].map(|bits| Lanes.pays_from(bits, bits));
        let expected = if has_ifma() { [usize::MAX; 6] } else { [5, 4, 4, 3, 3, 4] };
        assert_eq!(pays_from, expected);
    }

    #[test]
    fn lanes_leave_short_exponents_modulo_few_words_to_powers_on_the_stack() {
        let lengths =
            [(192, 80), (192, 81), (256, 40), (256, 41), (320, 24), (320, 25), (384, 10), (384, 11)];
        let pays_from = lengths.map(|(modulus, exponent)| Lanes.pays_from(modulus, exponent));
        let expected = if has_ifma() { [usize::MAX; 8] } else { [5, 4, 5, 4, 5, 4, 5, 4] };
        assert_eq!(pays_from, expected);
    }
}
