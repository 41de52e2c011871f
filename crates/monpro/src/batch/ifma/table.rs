//! The powers that windows choose from, read in constant time.

use super::digits::Digits;
use crate::arch::x86_64::ifma::{Ifma, Vector};
use crate::arch::{InstructionSet, Task};
use alloc::vec;
use alloc::vec::Vec;
use zeroize::Zeroizing;

/// The digits of an entry that are read together, with the same mask.
const GROUP: usize = 4;
/// The entries of a part of a reading.
const PART: usize = 4;

/// Groups of digits, erased when dropped.
pub(super) type Groups = Zeroizing<Vec<[Digits; GROUP]>>;

/// Tables of 2^width residues, one for each lane: the first group of digits of a part's entries, their next group and
/// so on, then the next part. In this order they are read.
pub(super) struct Table {
    groups: Groups,
    /// The entries that are read, at least a part.
    count: usize,
}

impl Table {
    /// Of `count` residues of D digits, all 0.
    pub(super) fn zero(count: usize, d: usize) -> Self {
        let count = count.next_multiple_of(PART);
        Table { groups: zero(count * d.div_ceil(GROUP)), count }
    }

    /// Makes entry i x.
    pub(super) fn set(&mut self, i: usize, x: &[Digits]) {
        let first = self.first_group(i);
        for (group, digits) in self.groups[first..].iter_mut().step_by(PART).zip(x.chunks(GROUP)) {
            group[..digits.len()].copy_from_slice(digits);
        }
    }

    /// Makes x entry i.
    pub(super) fn get(&self, i: usize, x: &mut [Digits]) {
        let first = self.first_group(i);
        for (group, digits) in self.groups[first..].iter().step_by(PART).zip(x.chunks_mut(GROUP)) {
            digits.copy_from_slice(&group[..digits.len()]);
        }
    }

    /// The place of the first group of entry i; PART further on is the next.
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

    /// Begins to make z, in each lane, the entry with the lane's index.
    pub(super) fn read<'a>(&'a self, indices: Digits, z: &'a mut [[Digits; GROUP]]) -> Reading<'a> {
        Reading { indices, z, rest: &self.groups, group: 0, index: 0 }
    }
}

/// Groups of zeros.
fn zero(groups: usize) -> Groups {
    Zeroizing::new(vec![Default::default(); groups])
}

/// A choice of entries that is under way: every entry is read, and one kept by masks.
///
/// It goes on in parts that are small enough to find room between products: what a processor has under way at a time
/// is bounded most of all by loads. Each part is for another group than the one before, since the group's digits that
/// are chosen so far come back from memory later than that.
pub(super) struct Reading<'a> {
    indices: Digits,
    z: &'a mut [[Digits; GROUP]],
    /// What was not read yet, from entry `index` of group `group`.
    rest: &'a [[Digits; GROUP]],
    group: usize,
    index: usize,
}

impl Reading<'_> {
    /// Nothing to read.
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

    /// Reads what is left.
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
