//! Reads an entry of a table without revealing which.

use super::Lanes;
use crate::arch::Task;

/// The digits of an entry that are selected at a time, in registers.
const BLOCK: usize = 4;

/// entry = entry `index` of the table, whose entries are whole digits. The whole table is read.
pub(super) struct Selection<'a> {
    pub(super) entry: &'a mut [u64],
    pub(super) table: &'a [u64],
    pub(super) index: u64,
}

impl<I: Lanes> Task<I> for Selection<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self, lanes: I) {
        // Opaque to the optimiser, so that it cannot know that one entry is enough.
        let index = lanes.splat(core::hint::black_box(self.index));
        let cells = self.entry.len();
        let mut blocks = self.entry.chunks_exact_mut(BLOCK * I::WORDS);
        let mut position = 0;
        for block in &mut blocks {
            select::<I, BLOCK>(lanes, block, self.table, cells, position, index);
            position += block.len();
        }
        for digit in blocks.into_remainder().chunks_exact_mut(I::WORDS) {
            select::<I, 1>(lanes, digit, self.table, cells, position, index);
            position += digit.len();
        }
    }
}

/// digits = the digits, from word `position` on, of an entry of a table with entries of `cells` cells. Every word of
/// `index` is the index of the entry.
#[inline(always)]
fn select<I: Lanes, const N: usize>(
    lanes: I,
    digits: &mut [u64],
    table: &[u64],
    cells: usize,
    position: usize,
    index: I::Digit,
) {
    let mut chosen = [lanes.zero(); N];
    for (i, entry) in table.chunks_exact(cells).enumerate() {
        let i = lanes.splat(i as u64);
        for j in 0..N {
            let digit = lanes.load(&entry[position + j * I::WORDS..]);
            chosen[j] = lanes.xor(chosen[j], lanes.keep_if_equal(digit, i, index));
        }
    }
    for j in 0..N {
        lanes.store(&mut digits[j * I::WORDS..], chosen[j]);
    }
}
