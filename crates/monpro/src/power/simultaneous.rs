//! Products of powers, x₁^e₁·x₂^e₂·…, whose squares are shared (Straus; interleaved, Möller 2001).

use super::window::{SlidingWindows, Windowed, fixed_windows, multiply_windows, sliding_width};
use super::{Power, odd_powers, powers_below, width_in_constant_time};
use crate::cancellation::checkpoint;
use crate::monoid::{Cells, Monoid, Temporary};
use crate::natural;
use alloc::vec::Vec;

/// The widest windows: 8 bits, so that a table has at most 256 entries.
const MOST_WIDTH: u32 = 8;

/// The most cells of the tables of all terms: 128 MiB. More terms are computed in parts, each with its own squares,
/// which are few beside the products of so many terms.
const MOST_TABLE_CELLS: usize = 1 << 24;

/// Π x^(e mod 2^e_bits) over the terms (x, e), by windows of a fixed width: after every `width` squares, one product
/// for each term with a power of x that is selected by reading its whole table. No branch or address depends on a
/// value.
pub(crate) fn product_of_powers<M: Monoid>(monoid: &M, terms: &[(&[u64], &[u64])], e_bits: usize) -> Cells {
    let cells = cells_of(monoid, terms);
    let width = width_in_constant_time(e_bits, cells, MOST_WIDTH);
    by_parts(monoid, terms, cells << width, |part| match part {
        [(x, e)] if e_bits > 0 => by_fixed_windows_of_one(monoid, x, e, e_bits, width),
        _ => by_fixed_windows(monoid, part, e_bits, width),
    })
}

/// x^(e mod 2^e_bits) for e_bits ≥ 1. With a single term a kernel may take all windows in one call.
fn by_fixed_windows_of_one<M: Monoid>(monoid: &M, x: &[u64], e: &[u64], e_bits: usize, width: u32) -> Cells {
    let table = powers_below(monoid, x, 1 << width);
    let mut power = Power::new(monoid, x.len());
    let Power { value, spare, scratch, .. } = &mut power;
    let index_of = |(position, bits)| natural::bits_at(e, position, bits);
    let mut indices = fixed_windows(e_bits, width).inspect(|_| checkpoint()).map(index_of);
    monoid.select(value, &table, indices.next().unwrap_or_default());
    // After the first, each window lies `width` bits below the one before; the last one ends with bit 0.
    monoid.append_entries(value, width as usize, (&table, &mut indices), spare, scratch);
    power.finish()
}

/// The cells of an element.
fn cells_of<M: Monoid>(monoid: &M, terms: &[(&[u64], &[u64])]) -> usize {
    terms.first().map_or_else(|| monoid.one().len(), |(x, _)| x.len())
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
    if parts.len() == 0 {
        return first;
    }
    let (mut scratch, mut spare) = (monoid.scratch(), first.clone());
    parts.fold(first, |mut product, part| {
        monoid.mul(&mut spare, &product, &power_of(part), &mut scratch);
        core::mem::swap(&mut product, &mut spare);
        product
    })
}

/// Π x^(e mod 2^e_bits) over the terms (x, e), with the tables of all terms at once.
fn by_fixed_windows<M: Monoid>(monoid: &M, terms: &[(&[u64], &[u64])], e_bits: usize, width: u32) -> Cells {
    let cells = cells_of(monoid, terms);
    if e_bits == 0 || terms.is_empty() {
        return monoid.one();
    }
    let mut power = ByTables { power: Power::new(monoid, cells), factor: Temporary::new(cells) };
    let tables: Vec<Cells> = terms.iter().map(|(x, _)| powers_below(monoid, x, 1 << width)).collect();
    let windows = fixed_windows(e_bits, width).flat_map(|(position, bits)| {
        terms.iter().zip(&tables).map(move |((_, e), table)| {
            let index = natural::bits_at(e, position, bits);
            (position, Entry { table, index })
        })
    });
    multiply_windows(&mut power, windows);
    power.power.finish()
}

/// Entry `index` of a table, where the index is a secret.
struct Entry<'a> {
    table: &'a [u64],
    index: u64,
}

/// A power whose factors are selected by reading whole tables.
struct ByTables<'a, M: Monoid> {
    power: Power<'a, M>,
    factor: Temporary,
}

impl<M: Monoid> Windowed<Entry<'_>> for ByTables<'_, M> {
    fn begin(&mut self, Entry { table, index }: Entry<'_>) {
        let monoid = self.power.monoid;
        monoid.select(&mut self.power.value, table, index);
    }

    fn append(&mut self, squares: usize, Entry { table, index }: Entry<'_>) {
        self.power.monoid.select(&mut self.factor, table, index);
        self.power.append(squares, &self.factor);
    }

    fn square(&mut self, times: usize) {
        self.power.square(times);
    }
}

/// Π xᵉ over the terms (x, e), by windows that begin and end with a 1 bit: only odd powers of x are tabled.
pub(crate) fn product_of_powers_vartime<M: Monoid>(monoid: &M, terms: &[(&[u64], &[u64])]) -> Cells {
    let table_cells = cells_of(monoid, terms) << (MOST_WIDTH - 1);
    by_parts(monoid, terms, table_cells, |part| by_sliding_windows(monoid, part))
}

/// Π xᵉ over the terms (x, e), with the tables of all terms at once.
fn by_sliding_windows<M: Monoid>(monoid: &M, terms: &[(&[u64], &[u64])]) -> Cells {
    let cells = cells_of(monoid, terms);
    let mut power = Power::new(monoid, cells);
    if let [(x, e)] = terms {
        by_windows_of(&mut power, x, e);
        return power.finish();
    }
    let tables: Vec<(Cells, u32)> = terms.iter().map(|(x, e)| table_of_odd_powers(monoid, x, e)).collect();
    let windows =
        terms.iter().zip(&tables).flat_map(|((_, e), (table, width))| windows_of(e, *width, table, cells));
    let mut windows: Vec<(usize, &[u64])> = windows.collect();
    windows.sort_by_key(|&(position, _)| core::cmp::Reverse(position));
    power.set(&monoid.one());
    multiply_windows(&mut power, windows.into_iter());
    power.finish()
}

/// power = xᵉ, by windows of e. Where these are single bits, their table is x.
fn by_windows_of<M: Monoid>(power: &mut Power<'_, M>, x: &[u64], e: &[u64]) {
    let monoid = power.monoid;
    if natural::bit_length(e) == 0 {
        return power.set(&monoid.one());
    }
    let width = sliding_width(e, MOST_WIDTH);
    if width == 1 {
        return multiply_windows(power, windows_of(e, 1, x, x.len()));
    }
    let (table, _) = table_of_odd_powers(monoid, x, e);
    multiply_windows(power, windows_of(e, width, &table, x.len()));
}

/// The positions of the windows of e, each with its odd power.
fn windows_of<'a>(
    e: &'a [u64],
    width: u32,
    table: &'a [u64],
    cells: usize,
) -> impl Iterator<Item = (usize, &'a [u64])> {
    SlidingWindows::new(e, width).map(move |(position, index)| {
        checkpoint();
        (position, &table[index * cells..][..cells])
    })
}

/// The odd powers of x for the windows of e, and the width of these windows.
fn table_of_odd_powers<M: Monoid>(monoid: &M, x: &[u64], e: &[u64]) -> (Cells, u32) {
    let width = sliding_width(e, MOST_WIDTH);
    (odd_powers(monoid, x, 1 << (width - 1)), width)
}

impl<M: Monoid> Windowed<&[u64]> for Power<'_, M> {
    fn begin(&mut self, factor: &[u64]) {
        self.set(factor);
    }

    fn append(&mut self, squares: usize, factor: &[u64]) {
        Power::append(self, squares, factor);
    }

    fn square(&mut self, times: usize) {
        Power::square(self, times);
    }
}

#[cfg(test)]
mod tests {
    use super::super::small::Sums;
    use super::*;
    use crate::monoid;
    use alloc::vec;
    use core::cell::RefCell;

    /// The integers under addition, with the indices of each call for many windows.
    #[derive(Default)]
    struct Calls(RefCell<Vec<Vec<u64>>>);

    impl Monoid for Calls {
        fn one(&self) -> Cells {
            Sums(1).one()
        }

        fn scratch(&self) -> Temporary {
            Sums(1).scratch()
        }

        fn mul(&self, z: &mut [u64], x: &[u64], y: &[u64], scratch: &mut [u64]) {
            Sums(1).mul(z, x, y, scratch);
        }

        fn square(&self, z: &mut [u64], x: &[u64], scratch: &mut [u64]) {
            Sums(1).square(z, x, scratch);
        }

        fn append_entries(
            &self,
            z: &mut [u64],
            times: usize,
            (table, indices): (&[u64], &mut dyn Iterator<Item = u64>),
            spare: &mut [u64],
            scratch: &mut [u64],
        ) {
            let indices: Vec<u64> = indices.collect();
            monoid::append_entries(self, z, times, (table, &mut indices.iter().copied()), spare, scratch);
            self.0.borrow_mut().push(indices);
        }
    }

    /// A kernel that computes them in one call saves a tenth of a power of few words.
    #[test]
    fn all_windows_of_a_single_power_after_the_first_are_one_call() {
        let e = 0x0123_4567_89ab_cdef;
        for e_bits in [1, 7, 64] {
            let monoid = Calls::default();
            let power = product_of_powers(&monoid, &[(&[5], &[e])], e_bits);
            assert_eq!(power[0], (e & u64::MAX >> (64 - e_bits)) * 5, "{e_bits} bits");
            let windows = fixed_windows(e_bits, width_in_constant_time(e_bits, 1, MOST_WIDTH));
            let indices = windows.map(|(position, bits)| natural::bits_at(&[e], position, bits));
            assert_eq!(monoid.0.into_inner(), [indices.skip(1).collect::<Vec<u64>>()], "{e_bits} bits");
        }
    }

    /// Real tables of so many cells would take long.
    #[test]
    fn parts_have_the_terms_whose_tables_fit_and_the_product_is_that_of_all() {
        let bases: [u64; 10] = core::array::from_fn(|i| 1 << i);
        for (table_cells, count, lengths) in [
            (MOST_TABLE_CELLS / 10, 10, &[10][..]),
            (MOST_TABLE_CELLS / 10 + 1, 10, &[9, 1]),
            (MOST_TABLE_CELLS / 3, 10, &[3, 3, 3, 1]),
            (MOST_TABLE_CELLS / 3, 6, &[3, 3]),
            (MOST_TABLE_CELLS, 4, &[1; 4]),
            (MOST_TABLE_CELLS + 1, 4, &[1; 4]),
            (1, 0, &[0]),
        ] {
            let terms: Vec<(&[u64], &[u64])> =
                bases[..count].iter().map(|x| (core::slice::from_ref(x), &[1][..])).collect();
            let parts = RefCell::new(Vec::new());
            let product = by_parts(&Sums(1), &terms, table_cells, |part| {
                parts.borrow_mut().push(part.len());
                vec![part.iter().map(|(x, _)| x[0]).sum()].into()
            });
            assert_eq!(parts.into_inner(), lengths, "{table_cells} cells");
            assert_eq!(product[0], (1 << count) - 1, "{table_cells} cells");
        }
    }
}
