//! The powers that windows choose from, read in constant time.

use super::digits::Digits;
use crate::ifma::{Ifma, LANES, Task};
use alloc::vec;
use alloc::vec::Vec;
use zeroize::Zeroizing;

/// The digits of an entry that are read together, with the same mask: a digit takes two cycles to pass a mask, and two
/// pass in a cycle.
const GROUP: usize = 4;

/// Tables of `count` residues, one for each lane: a group of digits of all residues, then the next group.
pub(super) struct Table {
    groups: Zeroizing<Vec<[Digits; GROUP]>>,
    count: usize,
}

impl Table {
    /// Of `count` residues of D digits, all 0.
    pub(super) fn zero(count: usize, d: usize) -> Self {
        Table { groups: Zeroizing::new(vec![Default::default(); count * d.div_ceil(GROUP)]), count }
    }

    /// Makes x entry i.
    pub(super) fn set(&mut self, i: usize, x: &[Digits]) {
        for (groups, digits) in self.groups.chunks_exact_mut(self.count).zip(x.chunks(GROUP)) {
            groups[i][..digits.len()].copy_from_slice(digits);
        }
    }

    /// Makes z, in each lane, the entry with the lane's index: every entry is read, and one kept by masks.
    pub(super) fn choose(&self, ifma: Ifma, z: &mut [Digits], indices: &[u64; LANES]) {
        ifma.run(Choose { table: self, z, indices });
    }
}

struct Choose<'a> {
    table: &'a Table,
    z: &'a mut [Digits],
    indices: &'a [u64; LANES],
}

impl Task for Choose<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self, ifma: Ifma) {
        let (indices, one) = (ifma.load(self.indices), ifma.splat(1));
        let groups = self.table.groups.chunks_exact(self.table.count);
        for (digits, entries) in self.z.chunks_mut(GROUP).zip(groups) {
            let (mut chosen, mut index) = ([ifma.zero(); GROUP], ifma.zero());
            for entry in entries {
                let is_index = ifma.is_equal(indices, index);
                for k in 0..GROUP {
                    chosen[k] = ifma.select(is_index, chosen[k], ifma.load(&entry[k].0));
                }
                index = ifma.add(index, one);
            }
            for (digit, chosen) in digits.iter_mut().zip(chosen) {
                ifma.store(&mut digit.0, chosen);
            }
        }
    }
}
