//! Exponentiation in eight lanes of AVX-512 IFMA, by windows of a fixed width.

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
use crate::arch::x86_64::ifma::{Ifma, LANES};
use crate::power::window::{Layout, Windowed, fixed_windows, multiply_windows};
#[cfg(feature = "columns")]
use alloc::boxed::Box;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use digits::{Digits, Numbers};
use moduli::Moduli;
#[cfg(feature = "columns")]
use one_modulus::OneModulus;
use table::{Groups, Table};

/// The most bits of a modulus that was tested. The sums of columns would allow 53 000.
const MOST_BITS: usize = 16384;
/// The widest windows.
const MOST_WIDTH: u32 = 8;

/// The engine: 1 to 8 powers at once.
pub(super) struct Lanes;

impl BatchEngine for Lanes {
    fn name(&self) -> &str {
        "batch-ifma"
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
        task.is_odd() && (2..=MOST_BITS).contains(&task.modulus_bits())
    }

    /// From the times of eight lanes and of one power by `redc-ifma`, on AMD's families 25 and 26 and Intel's family 6
    /// model 207; the greatest of the three numbers. The longer the modulus, the better a single power uses its vectors; and eight numbers of 6000 bits no
    /// longer fit in the first cache.
    fn pays_from(&self, modulus_bits: usize, _exponent_bits: usize) -> usize {
        match modulus_bits {
            ..=640 => 3,
            641..=1280 => 4,
            1281..=3584 => 5,
            3585..=6656 => 6,
            _ => 7,
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
        let ifma = Ifma::detect()?;
        if !self.supports(&PowTask::new(&[], &[], modulus)) {
            return None;
        }
        Some(Box::new(OneModulus::new(ifma, modulus, exponent_vartime)))
    }

    fn quotients(&self, halves: &[CrtHalves<'_>]) -> Option<Result<Vec<Quotient>, EngineError>> {
        let ready = self.ready(halves.iter().map(CrtHalves::task_modulo_p));
        Some(ready.map(|ifma| quotients(ifma, halves)))
    }
}

impl Lanes {
    /// The instruction set; an error if the CPU lacks it or the engine does not take these tasks at once.
    fn ready<'a>(&self, tasks: impl ExactSizeIterator<Item = &'a PowTask<'a>>) -> Result<Ifma, EngineError> {
        let ifma = Ifma::detect().ok_or_else(|| format!("it needs {}", self.needs()))?;
        if !(1..=LANES).contains(&tasks.len()) || !tasks.into_iter().all(|task| self.supports(task)) {
            return Err(
                format!("it takes 1 to {LANES} tasks with odd moduli of 2 to {MOST_BITS} bits").into()
            );
        }
        Ok(ifma)
    }
}

/// xᵉ mod n for 1 to 8 tasks.
fn powers(ifma: Ifma, tasks: &[PowTask<'_>]) -> Vec<Vec<u64>> {
    let mut moduli = Moduli::new(ifma, lanes(tasks).map(|task| task.modulus()));
    powers_modulo(ifma, &mut moduli, tasks)
}

/// The tasks of all lanes; those without a task repeat the first.
fn lanes<'a>(tasks: &[PowTask<'a>]) -> [PowTask<'a>; LANES] {
    core::array::from_fn(|lane| *tasks.get(lane).unwrap_or(&tasks[0]))
}

/// The same powers with these moduli.
fn powers_modulo(ifma: Ifma, moduli: &mut Moduli, tasks: &[PowTask<'_>]) -> Vec<Vec<u64>> {
    let lanes = lanes(tasks);
    let bits = lanes.iter().map(PowTask::exponent_bits).max().expect("there are eight");
    let bases = moduli.enter(lanes.map(|task| task.base()));
    let power = fixed_window(ifma, moduli, &bases, lanes.map(|task| task.exponent()), bits);
    moduli.leave(power, &lanes.map(|task| task.power_words())[..tasks.len()])
}

/// (a − b)·q⁻¹ mod p for 1 to 8 pairs of powers; lanes without a pair repeat the first.
fn quotients(ifma: Ifma, halves: &[CrtHalves<'_>]) -> Vec<Quotient> {
    let lanes: [CrtHalves<'_>; LANES] = core::array::from_fn(|lane| *halves.get(lane).unwrap_or(&halves[0]));
    let mut moduli = Moduli::new(ifma, lanes.map(|halves| halves.p()));
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
/// reading the whole table during the squares.
fn fixed_window(
    ifma: Ifma,
    moduli: &mut Moduli,
    x: &[Digits],
    exponents: [&[u64]; LANES],
    bits: usize,
) -> Numbers {
    let exponents = digits::words(exponents);
    let width = window_width(bits, x.len());
    let table = powers_below(moduli, x, 1 << width);
    let windows = fixed_windows(bits, width);
    let indices =
        |(position, count): (usize, u32)| (position, digits::window(ifma, &exponents, position, count));
    let (value, factor) = (moduli.one().clone(), table.space());
    let mut power = Power { ifma, moduli, table: &table, value, factor };
    multiply_windows(&mut power, windows.map(indices));
    power.value
}

/// A running power in each lane.
struct Power<'a> {
    ifma: Ifma,
    moduli: &'a mut Moduli,
    table: &'a Table,
    value: Numbers,
    /// The powers selected from the table.
    factor: Groups,
}

/// The indices of a window choose a factor for each lane.
impl Windowed<Digits> for Power<'_> {
    fn begin(&mut self, indices: Digits) {
        self.table.read(indices, &mut self.factor).finish(self.ifma);
        let digits = self.value.len();
        self.value.copy_from_slice(&self.factor.as_flattened()[..digits]);
    }

    fn append(&mut self, squares: usize, indices: Digits) {
        let mut reading = self.table.read(indices, &mut self.factor);
        for _ in 0..squares {
            self.moduli.square_assign_reading(&mut self.value, &mut reading);
        }
        reading.finish(self.ifma);
        let digits = self.value.len();
        self.moduli.mul_assign(&mut self.value, &self.factor.as_flattened()[..digits]);
    }

    fn square(&mut self, times: usize) {
        for _ in 0..times {
            self.moduli.square_assign(&mut self.value);
        }
    }
}

/// The residues x⁰, x¹, … x^(count − 1).
fn powers_below(moduli: &mut Moduli, x: &[Digits], count: usize) -> Table {
    let mut table = Table::zero(count, moduli.digits());
    table.set(0, moduli.one());
    table.set(1, x);
    let mut power = moduli.zero();
    for i in 2..count {
        if i % 2 == 0 {
            table.get(i / 2, &mut power);
            moduli.square_assign(&mut power);
        } else {
            moduli.mul_assign(&mut power, x);
        }
        table.set(i, &power);
    }
    table
}

/// The width of windows for numbers of D digits. The unit of cost is a tenth of D cycles. A product, of 2·D² cycles,
/// costs 20·D. Reading a vector of the table costs 3 if the table fits in 40 KiB of the first cache, and 5 from the
/// second.
fn window_width(bits: usize, d: usize) -> u32 {
    let reading = |entries: usize| if d * entries <= 640 { 3 * entries } else { 5 * entries };
    Layout::Fixed.width(bits, MOST_WIDTH, 20 * d, reading)
}
