//! Powers of one base to many exponents, by a table made once (Lim and Lee, "More flexible exponentiation with
//! precomputation", CRYPTO 1994).

use super::Power;
use crate::cancellation::checkpoint;
use crate::monoid::{Cells, Monoid, Temporary};
use crate::natural;
use alloc::vec;
use alloc::vec::Vec;

/// The number of rows times the number of blocks: one square serves this many bits of the exponent.
const ROWS_TIMES_BLOCKS: usize = 24;

/// Products of x^(2^i), so that a power to e_bits bits takes e_bits/24 squares and e_bits/rows products.
///
/// Bit k of block j of row i of the exponent has the position (i·blocks + j)·block_bits + k. Entry b of table j,
/// where b has the bits bᵢ, is the product of x^(bᵢ·2^((i·blocks + j)·block_bits)) over the rows i. After k squares
/// it is the contribution of bit k of block j of all rows.
pub(crate) struct FixedBaseTable {
    rows: usize,
    tables: Vec<Cells>,
    block_bits: usize,
    e_bits: usize,
}

impl FixedBaseTable {
    /// The table for powers of x to exponents of at most e_bits bits.
    pub(crate) fn new<M: Monoid>(monoid: &M, x: &[u64], e_bits: usize) -> FixedBaseTable {
        let block_bits = e_bits.div_ceil(ROWS_TIMES_BLOCKS).max(1);
        let cells = x.len();
        let rows = rows_for(cells);
        let one = monoid.one();
        let mut tables = vec![Cells::zeros(cells << rows); ROWS_TIMES_BLOCKS / rows];
        let mut scratch = monoid.scratch();
        let mut power = Power::new(monoid, cells);
        power.set(x);
        for i in 0..rows {
            for table in &mut tables {
                if i == 0 {
                    table[..cells].copy_from_slice(&one);
                }
                // An entry with bit i is the entry without it, times the power.
                let (without, with) = table.split_at_mut(cells << i);
                checkpoint();
                for (z, y) in with.chunks_exact_mut(cells).zip(without.chunks_exact(cells)) {
                    monoid.step(z, y, &power.value, &mut scratch);
                }
                power.square(block_bits);
            }
        }
        FixedBaseTable { rows, tables, block_bits, e_bits }
    }

    /// The most bits of an exponent.
    pub(crate) fn e_bits(&self) -> usize {
        self.e_bits
    }

    /// x^(e mod 2^e_bits). No branch or address depends on e or x.
    pub(crate) fn pow<M: Monoid>(&self, monoid: &M, e: &[u64]) -> Cells {
        let one = monoid.one();
        let mut power = Power::new(monoid, one.len());
        power.set(&one);
        let mut factor = Temporary::new(one.len());
        for k in (0..self.block_bits).rev() {
            for (j, table) in self.tables.iter().enumerate() {
                // The last block may end above the most bits of an exponent.
                let bit = |i: usize| match (i * self.tables.len() + j) * self.block_bits + k {
                    place if place < self.e_bits => natural::bits_at(e, place, 1),
                    _ => 0,
                };
                let column = (0..self.rows).fold(0, |bits, i| bits | bit(i) << i);
                monoid.select(&mut factor, table, column);
                power.append(usize::from(j == 0), &factor);
            }
        }
        power.finish()
    }
}

/// The number of rows with the least work. Each column takes a product and the reading of 2^rows entries; a product
/// costs as much as reading 8·cells entries.
fn rows_for(cells: usize) -> usize {
    let work = |rows: usize| ROWS_TIMES_BLOCKS / rows * (8 * cells + (1 << rows));
    [3, 4, 6].into_iter().min_by_key(|&rows| work(rows)).expect("the list is not empty")
}
