//! Reads an entry of a table without revealing which.

use super::{PADDING, load, store};
use crate::arch::x86_64::ifma::{Ifma, LANES};
use crate::arch::{InstructionSet, Task};

/// The most vectors of an entry that are selected at a time, in registers.
const MOST_VECTORS: usize = 6;

/// entry = entry `index` of the table. All of the table is read except the padding, which `entry` already has.
pub(super) fn select(entry: &mut [u64], table: &[u64], index: u64) {
    Ifma::in_use().run(Selection { entry, table, index });
}

struct Selection<'a> {
    entry: &'a mut [u64],
    table: &'a [u64],
    index: u64,
}

impl Task<Ifma> for Selection<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self, ifma: Ifma) {
        // Opaque to the optimiser, so that it cannot know that one entry is enough.
        let index = core::hint::black_box(self.index);
        let end = (self.entry.len() - PADDING) / LANES;
        let mut first = PADDING / LANES;
        while first < end {
            let width = MOST_VECTORS.min(end - first);
            match width {
                1 => select_vectors::<1>(ifma, self.entry, self.table, first, index),
                2 => select_vectors::<2>(ifma, self.entry, self.table, first, index),
                3 => select_vectors::<3>(ifma, self.entry, self.table, first, index),
                4 => select_vectors::<4>(ifma, self.entry, self.table, first, index),
                5 => select_vectors::<5>(ifma, self.entry, self.table, first, index),
                _ => select_vectors::<MOST_VECTORS>(ifma, self.entry, self.table, first, index),
            }
            first += width;
        }
    }
}

/// Vectors first … first + W − 1 of the entry.
#[inline(always)]
fn select_vectors<const W: usize>(ifma: Ifma, entry: &mut [u64], table: &[u64], first: usize, index: u64) {
    let (index, one) = (ifma.splat(index), ifma.splat(1));
    let mut chosen = [ifma.zero(); W];
    let mut i = ifma.zero();
    for candidate in table.chunks_exact(entry.len()) {
        let candidate = &candidate[LANES * first..][..LANES * W];
        let is_chosen = ifma.is_equal(i, index);
        for k in 0..W {
            chosen[k] = ifma.select(is_chosen, chosen[k], load(ifma, candidate, k));
        }
        i = ifma.add(i, one);
    }
    let entry = &mut entry[LANES * first..][..LANES * W];
    for k in 0..W {
        store(ifma, entry, k, chosen[k]);
    }
}
