//! Reads an entry of a table without revealing which.

use super::{PADDING, load, store};
use crate::arch::x86_64::fma::{Fma, LANES};
use crate::arch::{InstructionSet, Task};

/// The most vectors of an entry that are selected at a time, in registers.
const MOST_VECTORS: usize = 8;

/// entry = entry `index` of the table. All of the table is read except the padding, which `entry` already has.
pub(super) fn select(entry: &mut [u64], table: &[u64], index: u64) {
    Fma::in_use().run(Selection { entry, table, index });
}

struct Selection<'a> {
    entry: &'a mut [u64],
    table: &'a [u64],
    index: u64,
}

impl Task<Fma> for Selection<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self, fma: Fma) {
        let Selection { entry, table, index } = self;
        let end = (entry.len() - PADDING) / LANES;
        let mut first = PADDING / LANES;
        while first < end {
            first += match end - first {
                1 => select_vectors::<1>(fma, entry, table, first, index),
                2 => select_vectors::<2>(fma, entry, table, first, index),
                3 => select_vectors::<3>(fma, entry, table, first, index),
                4 => select_vectors::<4>(fma, entry, table, first, index),
                5 => select_vectors::<5>(fma, entry, table, first, index),
                6 => select_vectors::<6>(fma, entry, table, first, index),
                7 => select_vectors::<7>(fma, entry, table, first, index),
                _ => select_vectors::<MOST_VECTORS>(fma, entry, table, first, index),
            };
        }
    }
}

/// Vectors first … first + V − 1 of the entry; returns V.
#[inline(always)]
fn select_vectors<const V: usize>(
    fma: Fma,
    entry: &mut [u64],
    table: &[u64],
    first: usize,
    index: u64,
) -> usize {
    let (index, one) = (fma.splat(index), fma.splat(1));
    let mut chosen = [fma.digits(fma.zero()); V];
    let mut i = fma.zero();
    for candidate in table.chunks_exact(entry.len()) {
        let candidate = &candidate[LANES * first..][..LANES * V];
        let is_chosen = fma.is_equal(i, index);
        for k in 0..V {
            chosen[k] = fma.fill_digits(is_chosen, chosen[k], fma.digits(load(fma, candidate, LANES * k)));
        }
        i = fma.add(i, one);
    }
    let entry = &mut entry[LANES * first..][..LANES * V];
    for k in 0..V {
        store(fma, entry, LANES * k, fma.cells(chosen[k]));
    }
    V
}
