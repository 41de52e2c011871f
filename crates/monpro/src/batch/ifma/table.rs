//! The powers that windows select from, read in constant time.

use super::digits::Digits;
use crate::arch::x86_64::ifma::{Ifma, Vector};
use crate::arch::{InstructionSet, Task};
use alloc::vec;
use alloc::vec::Vec;
use zeroize::Zeroizing;

/// The digits of an entry that are read together, with the same mask.
const GROUP: usize = 4;
/// The number of entries in a part of a reading.
const PART: usize = 4;

/// Groups of digits, erased when dropped.
pub(super) type Groups = Zeroizing<Vec<[Digits; GROUP]>>;

/// Tables of 2^width residues, one for each lane. A part of the entries is stored together: the first group of digits
/// of each of its entries, then their next groups. The next part follows. The groups are read in this order.
pub(super) struct Table {
    groups: Groups,
    /// The number of entries, a multiple of PART.
    count: usize,
}

impl Table {
    /// A table of `count` residues of D digits, all 0.
    pub(super) fn zero(count: usize, d: usize) -> Self {
        let count = count.next_multiple_of(PART);
        Table { groups: zero(count * d.div_ceil(GROUP)), count }
    }

    pub(super) fn set(&mut self, i: usize, x: &[Digits]) {
        let first = self.first_group(i);
        for (group, digits) in self.groups[first..].iter_mut().step_by(PART).zip(x.chunks(GROUP)) {
            group[..digits.len()].copy_from_slice(digits);
        }
    }

    pub(super) fn get(&self, i: usize, x: &mut [Digits]) {
        let first = self.first_group(i);
        for (group, digits) in self.groups[first..].iter().step_by(PART).zip(x.chunks_mut(GROUP)) {
            digits.copy_from_slice(&group[..digits.len()]);
        }
    }

    /// The index of the first group of entry i; the next group of i is PART further on.
    fn first_group(&self, i: usize) -> usize {
        i / PART * PART * self.groups_of_entry() + i % PART
    }

    fn groups_of_entry(&self) -> usize {
        self.groups.len() / self.count
    }

    /// Space for an entry that is read.
    pub(super) fn space(&self) -> Groups {
        zero(self.groups_of_entry())
    }

    /// Begins to set z, in each lane, to the entry with the lane's index.
    pub(super) fn read<'a>(&'a self, indices: Digits, z: &'a mut [[Digits; GROUP]]) -> Reading<'a> {
        Reading { indices, z, rest: &self.groups, group: 0, index: 0 }
    }
}

fn zero(groups: usize) -> Groups {
    Zeroizing::new(vec![Default::default(); groups])
}

/// A selection of entries that is in progress: every entry is read, and masks keep one.
///
/// It proceeds in parts, small enough to fit between products: loads are the tightest limit on the instructions that
/// a processor has in flight. Consecutive parts read different groups, because the digits of a group that are
/// selected so far would not be back from memory in time.
pub(super) struct Reading<'a> {
    indices: Digits,
    z: &'a mut [[Digits; GROUP]],
    /// The rest to be read, from entry `index` of group `group`.
    rest: &'a [[Digits; GROUP]],
    group: usize,
    index: usize,
}

impl Reading<'_> {
    pub(super) fn of_nothing() -> Self {
        Reading { indices: Digits::default(), z: &mut [], rest: &[], group: 0, index: 0 }
    }

    /// Reads the next part, if there is one.
    #[inline(always)]
    pub(super) fn proceed(&mut self, ifma: Ifma) {
        let Some((entries, rest)) = self.rest.split_first_chunk::<PART>() else { return };
        let digits = &mut self.z[self.group];
        let indices = ifma.load(&self.indices.0);
        let mut index = ifma.splat(self.index as u64);
        let mut chosen: [Vector; GROUP] = core::array::from_fn(|k| ifma.load(&digits[k].0));
        for entry in entries {
            let is_index = ifma.is_equal(indices, index);
            for k in 0..GROUP {
                chosen[k] = ifma.select(is_index, chosen[k], ifma.load(&entry[k].0));
            }
            index = ifma.add(index, ifma.splat(1));
        }
        for k in 0..GROUP {
            ifma.store(&mut digits[k].0, chosen[k]);
        }
        self.rest = rest;
        self.group += 1;
        if self.group == self.z.len() {
            (self.group, self.index) = (0, self.index + PART);
        }
    }

    /// Reads the rest.
    pub(super) fn finish(mut self, ifma: Ifma) {
        ifma.run(Finish { reading: &mut self });
    }
}

struct Finish<'a, 'r> {
    reading: &'a mut Reading<'r>,
}

impl Task<Ifma> for Finish<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn run(self, ifma: Ifma) {
        while !self.reading.rest.is_empty() {
            self.reading.proceed(ifma);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::digits;
    use super::*;
    use crate::arch::tested::detect_or_say;

    #[test]
    fn every_lane_reads_every_entry_of_the_widest_table() {
        let Some(ifma) = detect_or_say::<Ifma>() else { return };
        const ENTRIES: usize = 256;
        for d in [4, 5, 7, 20] {
            let digit = |entry: usize, j: usize, lane: usize| (entry << 20 | j << 8 | lane) as u64 + 1;
            let mut table = Table::zero(ENTRIES, d);
            let entry = |i: usize| -> Vec<Digits> {
                (0..d).map(|j| Digits(core::array::from_fn(|lane| digit(i, j, lane)))).collect()
            };
            for i in 0..ENTRIES {
                table.set(i, &entry(i));
            }
            for i in 0..ENTRIES {
                // Another entry in each lane.
                let indices: [usize; 8] = core::array::from_fn(|lane| (i + 37 * lane) % ENTRIES);
                let mut z = table.space();
                table.read(Digits(indices.map(|index| index as u64)), &mut z).finish(ifma);
                for (j, digits) in z.as_flattened()[..d].iter().enumerate() {
                    assert_eq!(
                        digits.0,
                        core::array::from_fn(|lane| digit(indices[lane], j, lane)),
                        "{i}, {j}"
                    );
                }
            }
        }
    }

    #[test]
    fn windows_of_every_width_have_the_bits_of_every_lane() {
        let Some(ifma) = detect_or_say::<Ifma>() else { return };
        let numbers: [[u64; 3]; 8] = core::array::from_fn(|lane| {
            [1, 2, 3].map(|i| (8 * i + lane as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15))
        });
        let words = digits::words(numbers.each_ref().map(|number| &number[..]));
        for count in 1..=8 {
            for position in 0..200 {
                let window = digits::window(ifma, &words, position, count);
                assert_eq!(window.0, numbers.map(|number| crate::natural::bits_at(&number, position, count)));
            }
        }
    }
}
