//! The powers that windows select from, read in constant time.

use super::digits::{self, Numbers};
use crate::arch::x86_64::fma::{Digits, Fma, Line};
use crate::arch::{InstructionSet, Task};

/// The digits of an entry that are read together, with the same masks.
const GROUP: usize = 3;

/// Tables of residues of D ≥ GROUP digits, one for each lane.
pub(super) struct Table {
    /// The entries, one after the other.
    entries: Numbers,
    d: usize,
}

impl Table {
    /// A table of `count` residues of D digits, all 0.
    pub(super) fn zero(count: usize, d: usize) -> Self {
        Table { entries: digits::zero(count * d), d }
    }

    /// Entry i.
    pub(super) fn entry(&self, i: usize) -> &[Digits] {
        &self.entries[i * self.d..][..self.d]
    }

    pub(super) fn set(&mut self, i: usize, x: &[Digits]) {
        self.entries[i * self.d..][..self.d].copy_from_slice(x);
    }

    /// Sets z, in each lane, to the entry with the lane's index. Every entry is read.
    pub(super) fn read(&self, fma: Fma, indices: &Line, z: &mut [Digits]) {
        fma.run(Read { table: self, indices, z });
    }
}

struct Read<'a> {
    table: &'a Table,
    indices: &'a Line,
    z: &'a mut [Digits],
}

impl Task<Fma> for Read<'_> {
    type Output = ();

    /// Groups of digits one after the other; the last may share digits with the one before.
    #[inline(always)]
    fn run(self, fma: Fma) {
        let (d, indices) = (self.table.d, fma.load(self.indices));
        for first in (0..d).step_by(GROUP).map(|first| first.min(d - GROUP)) {
            let mut chosen = [fma.load_digits(&Digits::default()); GROUP];
            let mut index = fma.zero();
            for entry in self.table.entries.chunks_exact(d) {
                let is_index = fma.is_equal(indices, index);
                for (chosen, digit) in chosen.iter_mut().zip(&entry[first..first + GROUP]) {
                    *chosen = fma.fill_digits(is_index, *chosen, fma.load_digits(digit));
                }
                index = fma.add(index, fma.splat(1));
            }
            for (digit, chosen) in self.z[first..first + GROUP].iter_mut().zip(chosen) {
                fma.store_digits(digit, chosen);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arch::tested::detect_or_say;
    use crate::arch::x86_64::fma::LANES;
    use alloc::vec::Vec;

    #[test]
    fn every_lane_reads_every_entry_of_the_widest_table() {
        let Some(fma) = detect_or_say::<Fma>() else { return };
        const ENTRIES: usize = 256;
        for d in [3, 4, 5, 6, 7, 21] {
            let digit = |entry: usize, j: usize, lane: usize| (entry << 20 | j << 8 | lane) as f64 + 1.0;
            let mut table = Table::zero(ENTRIES, d);
            for i in 0..ENTRIES {
                let entry: Vec<Digits> =
                    (0..d).map(|j| Digits(core::array::from_fn(|lane| digit(i, j, lane)))).collect();
                table.set(i, &entry);
                assert_eq!(table.entry(i)[d - 1].0, entry[d - 1].0);
            }
            for i in 0..ENTRIES {
                // Another entry in each lane.
                let indices: [usize; LANES] = core::array::from_fn(|lane| (i + 37 * lane) % ENTRIES);
                let mut z = digits::zero(d);
                table.read(fma, &Line(indices.map(|index| index as u64)), &mut z);
                for (j, digits) in z.iter().enumerate() {
                    let expected = core::array::from_fn(|lane| digit(indices[lane], j, lane));
                    assert_eq!(digits.0, expected, "{i}, {j}");
                }
            }
        }
    }
}
