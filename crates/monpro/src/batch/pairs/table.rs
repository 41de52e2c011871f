//! The powers that windows select from, read in constant time.

use super::digits::{Pair, zero};
use super::moduli::Moduli;
use crate::arch::x86_64::ifma::{HALF, Ifma, Line, Vector};
use crate::arch::{InstructionSet, Task};
use crate::cancellation::checkpoint;

/// The most vectors of an entry that are selected at a time, in registers.
const MOST_VECTORS: usize = 5;

/// Pairs of residues, one after the other.
pub(super) struct Table {
    entries: Pair,
    /// The vectors of a pair.
    vectors: usize,
}

impl Table {
    /// x⁰, x¹, … x^(count − 1).
    pub(super) fn of_powers(moduli: &mut Moduli, x: &Pair, count: usize) -> Table {
        let v = x.len();
        let mut entries = zero(count * v);
        let mut power = moduli.one();
        for i in 0..count {
            checkpoint();
            if i % 2 == 0 && i > 0 {
                power.copy_from_slice(&entries[i / 2 * v..][..v]);
                moduli.square_repeatedly(&mut power, 1);
            } else if i > 1 {
                moduli.mul_assign(&mut power, x);
            } else if i == 1 {
                power.copy_from_slice(x);
            }
            entries[i * v..][..v].copy_from_slice(&power);
        }
        Table { entries, vectors: v }
    }

    /// The number of entries.
    pub(super) fn len(&self) -> usize {
        self.entries.len() / self.vectors
    }

    /// pair = the first number of entry indices\[0\] and the second of entry indices\[1\]. The whole table is read.
    pub(super) fn select(&self, indices: [u64; 2], pair: &mut [Line]) {
        Ifma::in_use().run(Selection { table: self, indices, pair });
    }
}

struct Selection<'a> {
    table: &'a Table,
    indices: [u64; 2],
    pair: &'a mut [Line],
}

impl Task<Ifma> for Selection<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self, ifma: Ifma) {
        let index = Line(core::array::from_fn(|lane| self.indices[lane / HALF]));
        let index = ifma.load(&index.0);
        for (part, pair) in self.pair.chunks_mut(MOST_VECTORS).enumerate() {
            let first = MOST_VECTORS * part;
            match pair.len() {
                3 => select::<3>(ifma, self.table, first, index, pair),
                4 => select::<4>(ifma, self.table, first, index, pair),
                _ => select::<MOST_VECTORS>(ifma, self.table, first, index, pair),
            }
        }
    }
}

/// Vectors first … first + W − 1 of the pair that is selected.
#[inline(always)]
fn select<const W: usize>(ifma: Ifma, table: &Table, first: usize, index: Vector, pair: &mut [Line]) {
    let mut chosen = [ifma.zero(); W];
    let (mut i, one) = (ifma.zero(), ifma.splat(1));
    for entry in table.entries.chunks_exact(table.vectors) {
        let is_chosen = ifma.is_equal(i, index);
        for (chosen, line) in chosen.iter_mut().zip(&entry[first..][..W]) {
            *chosen = ifma.select(is_chosen, *chosen, ifma.load(&line.0));
        }
        i = ifma.add(i, one);
    }
    for (line, chosen) in pair.iter_mut().zip(chosen) {
        ifma.store(&mut line.0, chosen);
    }
}
