//! Products of powers, x₁^e₁·x₂^e₂·…, whose squares are shared (Straus; interleaved, Möller 2001).

use super::window::{SlidingWindows, Windowed, fixed_windows, multiply_windows, sliding_width};
use super::{Power, Table, odd_powers, powers_below, width_in_constant_time};
use crate::monoid::{Cells, Monoid};
use crate::natural;
use alloc::vec;
use alloc::vec::Vec;
use zeroize::Zeroizing;

/// The widest windows: 8 bits, so that a table has at most 256 entries.
const MOST_WIDTH: u32 = 8;

/// The most cells of the tables of all terms: 128 MiB. More terms are computed in parts, each with its own squares,
/// which are few beside the products of so many terms.
const MOST_TABLE_CELLS: usize = 1 << 24;

/// Π x^(e mod 2^e_bits) over the terms (x, e), by windows of a fixed width: after every `width` squares, one product
/// for each term with a power of x that is selected by reading its whole table. No branch or address depends on a
/// value.
pub(crate) fn product_of_powers<M: Monoid>(monoid: &M, terms: &[(&[u64], &[u64])], e_bits: usize) -> Cells {
    let cells = monoid.one().len();
    let width = width_in_constant_time(e_bits, cells, MOST_WIDTH);
    by_parts(monoid, terms, cells << width, |part| by_fixed_windows(monoid, part, e_bits, width))
}

/// The product of the powers of parts of the terms, whose tables have `table_cells` cells each.
fn by_parts<M: Monoid>(
    monoid: &M,
    terms: &[(&[u64], &[u64])],
    table_cells: usize,
    power_of: impl Fn(&[(&[u64], &[u64])]) -> Cells,
) -> Cells {
    let mut parts = terms.chunks((MOST_TABLE_CELLS / table_cells).max(1));
    let first = power_of(parts.next().unwrap_or_default());
    let (mut scratch, mut spare) = (monoid.scratch(), first.clone());
    parts.fold(first, |mut product, part| {
        monoid.mul(&mut spare, &product, &power_of(part), &mut scratch);
        core::mem::swap(&mut product, &mut spare);
        product
    })
}

/// Π x^(e mod 2^e_bits) over the terms (x, e), with the tables of all terms at once.
fn by_fixed_windows<M: Monoid>(monoid: &M, terms: &[(&[u64], &[u64])], e_bits: usize, width: u32) -> Cells {
    let power = Power::new(monoid, monoid.one());
    let cells = power.value.len();
    let tables: Vec<Table> = terms.iter().map(|(x, _)| powers_below(monoid, x, 1 << width)).collect();
    let windows = fixed_windows(e_bits, width).flat_map(|(position, bits)| {
        terms.iter().zip(&tables).map(move |((_, e), table)| {
            let index = natural::bits_at(e, position, bits);
            (position, Entry { table, index })
        })
    });
    let mut power = ByTables { power, factor: Zeroizing::new(vec![0; cells]) };
    multiply_windows(&mut power, windows);
    power.power.finish()
}

/// Entry `index` of a table, where the index is a secret.
struct Entry<'a> {
    table: &'a Table,
    index: u64,
}

/// A power whose factors are selected by reading whole tables.
struct ByTables<'a, M: Monoid> {
    power: Power<'a, M>,
    factor: Cells,
}

impl<M: Monoid> Windowed<Entry<'_>> for ByTables<'_, M> {
    fn begin(&mut self, Entry { table, index }: Entry<'_>) {
        self.power.monoid.select(&mut self.power.value, table.elements(), index);
    }

    fn append(&mut self, squares: usize, Entry { table, index }: Entry<'_>) {
        self.power.square(squares);
        self.power.monoid.select(&mut self.factor, table.elements(), index);
        self.power.multiply(&self.factor);
    }

    fn square(&mut self, times: usize) {
        self.power.square(times);
    }
}

/// Π xᵉ over the terms (x, e), by windows that begin and end with a 1 bit: only odd powers of x are tabled.
pub(crate) fn product_of_powers_vartime<M: Monoid>(monoid: &M, terms: &[(&[u64], &[u64])]) -> Cells {
    let table_cells = monoid.one().len() << (MOST_WIDTH - 1);
    by_parts(monoid, terms, table_cells, |part| by_sliding_windows(monoid, part))
}

/// Π xᵉ over the terms (x, e), with the tables of all terms at once.
fn by_sliding_windows<M: Monoid>(monoid: &M, terms: &[(&[u64], &[u64])]) -> Cells {
    let tables: Vec<(Cells, u32)> = terms.iter().map(|(x, e)| table_of_odd_powers(monoid, x, e)).collect();
    let mut windows: Vec<(usize, &[u64])> = Vec::new();
    for ((x, e), (table, width)) in terms.iter().zip(&tables) {
        let entry = |(position, index)| (position, &table[index * x.len()..][..x.len()]);
        windows.extend(SlidingWindows::new(*e, *width).map(entry));
    }
    windows.sort_by_key(|&(position, _)| core::cmp::Reverse(position));
    let mut power = Power::new(monoid, monoid.one());
    multiply_windows(&mut power, windows.into_iter());
    power.finish()
}

/// The odd powers of x for the windows of e, and the width of these windows.
fn table_of_odd_powers<M: Monoid>(monoid: &M, x: &[u64], e: &[u64]) -> (Cells, u32) {
    let width = sliding_width(e, MOST_WIDTH);
    (odd_powers(monoid, x, 1 << (width - 1)), width)
}

impl<M: Monoid> Windowed<&[u64]> for Power<'_, M> {
    fn begin(&mut self, factor: &[u64]) {
        self.value.copy_from_slice(factor);
    }

    fn append(&mut self, squares: usize, factor: &[u64]) {
        Power::square(self, squares);
        self.multiply(factor);
    }

    fn square(&mut self, times: usize) {
        Power::square(self, times);
    }
}
