//! Elements with a product: what an exponentiation is made of.

use alloc::vec::Vec;
use zeroize::Zeroizing;

/// The words of an element in u64 cells, erased when dropped.
pub(crate) type Cells = Zeroizing<Vec<u64>>;

/// What an exponentiation needs: elements in cells, a product, and a neutral element.
pub(crate) trait Monoid {
    /// The neutral element.
    fn one(&self) -> Cells;
    /// Temporary space of a product or a square.
    fn scratch(&self) -> Cells;
    /// z = x·y.
    fn mul(&self, z: &mut [u64], x: &[u64], y: &[u64], scratch: &mut [u64]);
    /// z = x².
    fn square(&self, z: &mut [u64], x: &[u64], scratch: &mut [u64]);
    /// Element `index` of a table, by reading all of it.
    fn select(&self, z: &mut [u64], table: &[u64], index: u64) {
        select(z, table, index);
    }
}

/// Entry `index` of the table, by reading all of it.
pub(crate) fn select(entry: &mut [u64], table: &[u64], index: u64) {
    entry.fill(0);
    for (i, candidate) in table.chunks_exact(entry.len()).enumerate() {
        // The difference is below 2^63, so that only the difference 0 wraps to a set top bit.
        let is_chosen = (i as u64 ^ index).wrapping_sub(1) >> 63;
        let mask = core::hint::black_box(is_chosen.wrapping_neg());
        for (word, &candidate_word) in entry.iter_mut().zip(candidate) {
            *word |= candidate_word & mask;
        }
    }
}
