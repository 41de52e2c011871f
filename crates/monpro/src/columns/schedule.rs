//! The order in which rows are computed, and the parts that threads take.

use super::MOST_OCTETS;
use super::column::{Column, Layout};
use super::error::ColumnError;
use super::octets::{bit_length, gathered, set_words};
use super::operation::{Batch, Call, Computation, Number, Operand, Operation, Sizes};
use super::status::Status;
use alloc::vec;
use alloc::vec::Vec;
use core::cmp::Reverse;
use core::ops::Range;
use zeroize::Zeroizing;

/// The products of words in a part: about a millisecond's in lanes. With a quarter of it, waking threads took four per cent
/// of the time of short powers.
const PRODUCTS: u64 = 1 << 24;
/// A part has a multiple of this number of rows, as the lanes of a batch engine.
pub(super) const LANES: usize = 8;
/// The rows whose public lengths are read at once.
const ROWS_AT_ONCE: usize = 256;
/// The most rows of a part.
const MOST_ROWS: usize = 1024;

/// A row that is computed.
struct Entry {
    row: usize,
    /// The public sizes of the row, in words.
    size: [u32; 3],
    products: u64,
}

/// The rows that are computed, like ones together, and the others with their statuses.
pub(super) struct Schedule {
    entries: Vec<Entry>,
    pub(super) refused: Vec<(usize, Status)>,
    next: usize,
}

/// The number of rows, of which every operand has as many or is a constant.
pub(super) fn row_count(operation: &dyn Operation, operands: &[Column<'_>]) -> Result<usize, ColumnError> {
    if operands.len() != operation.operands() {
        return Err(ColumnError::OperandCount { expected: operation.operands(), given: operands.len() });
    }
    let counts = operands.iter().filter_map(|column| column.places.rows()).collect::<Vec<_>>();
    let &expected = counts.first().ok_or(ColumnError::NoColumn)?;
    if let Some(&given) = counts.iter().find(|&&count| count != expected) {
        return Err(ColumnError::RowCounts { expected, given });
    }
    Ok(expected)
}

/// The constants of a call and the lengths of its operands.
pub(super) fn call(operands: &[Column<'_>], rows: usize) -> Call {
    let constants: Vec<Option<Number>> = operands.iter().map(constant).collect();
    let longest = |column: &Column<'_>| {
        let places = (0..rows).map(|row| column.places.of_row(row));
        places.filter(|places| !is_too_long(places)).map(|places| places.len()).max().unwrap_or(0)
    };
    let most_bits = |(column, constant): (&Column<'_>, &Option<Number>)| match constant {
        Some(constant) => constant.bits,
        None => 8 * longest(column),
    };
    let most_bits = operands.iter().zip(&constants).map(most_bits).collect();
    Call { constants, most_bits, rows }
}

/// The number of a constant that is not too long; 0 stands for one that is, whose rows are refused.
fn constant(column: &Column<'_>) -> Option<Number> {
    if column.places.rows().is_some() {
        return None;
    }
    let places = Some(column.places.of_row(0)).filter(|places| !is_too_long(places));
    let octets = gathered(column.octets, places.into_iter());
    let mut words = Zeroizing::new(vec![0; octets.len().div_ceil(8)]);
    set_words(&mut words, &octets);
    Some(Number { words, bits: bit_length(&octets) })
}

fn is_too_long(places: &Range<usize>) -> bool {
    places.len() > MOST_OCTETS
}

/// What a row is judged by.
pub(super) struct Judge<'a> {
    pub(super) operation: &'a dyn Operation,
    pub(super) computation: &'a dyn Computation,
    pub(super) call: &'a Call,
    pub(super) operands: &'a [Column<'a>],
    pub(super) results: &'a Layout,
}

impl Schedule {
    pub(super) fn new(judge: &Judge<'_>) -> Schedule {
        let rows = judge.call.rows;
        let mut schedule = Schedule { entries: Vec::with_capacity(rows), refused: Vec::new(), next: 0 };
        let mut sizes = Vec::with_capacity(judge.operands.len());
        for start in (0..rows).step_by(ROWS_AT_ONCE) {
            let rows = start..rows.min(start + ROWS_AT_ONCE);
            for (row, public_bits) in rows.clone().zip(judge.public_bits(rows)) {
                match judge.entry(row, public_bits, &mut sizes) {
                    Ok(entry) => schedule.entries.push(entry),
                    Err(status) => schedule.refused.push((row, status)),
                }
            }
        }
        // The longest first, so that no thread begins a long part when the others have ended.
        schedule.entries.sort_by_key(|entry| Reverse(entry.size));
        schedule
    }

    /// The number of rows that are computed.
    pub(super) fn len(&self) -> usize {
        self.entries.len()
    }

    /// The rows of the next part, for so many threads.
    pub(super) fn next_part(&mut self, threads: usize) -> Option<Vec<usize>> {
        let rest = &self.entries[self.next..];
        let most = rest.len().div_ceil(2 * threads).next_multiple_of(LANES).min(MOST_ROWS);
        let mut products = 0;
        let mut count = 0;
        while count < most.min(rest.len()) && (count % LANES != 0 || products < PRODUCTS) {
            products += rest[count].products;
            count += 1;
        }
        self.next += count;
        (count > 0).then(|| rest[..count].iter().map(|entry| entry.row).collect())
    }
}

impl Judge<'_> {
    /// The bit lengths of the operand of which they are public; zeros if there is none, if it is a constant, and where it
    /// is null or too long.
    fn public_bits(&self, rows: Range<usize>) -> Vec<usize> {
        let column = self.operation.public_length().map(|operand| &self.operands[operand]);
        let Some(column) = column.filter(|column| column.places.rows().is_some()) else {
            return vec![0; rows.len()];
        };
        let is_read = |row: usize, places: &Range<usize>| !column.is_null(row) && !is_too_long(places);
        let places = |row: usize| Some(column.places.of_row(row)).filter(|places| is_read(row, places));
        let octets = gathered(column.octets, rows.clone().filter_map(places));
        let mut rest = &octets[..];
        let bits = |row: usize| {
            let (number, others) = rest.split_at(places(row).map_or(0, |places| places.len()));
            rest = others;
            bit_length(number)
        };
        rows.map(bits).collect()
    }

    /// The row with its public sizes, or the status of a row that is refused. `sizes` becomes the bits of its operands.
    fn entry(&self, row: usize, public_bits: usize, sizes: &mut Vec<usize>) -> Result<Entry, Status> {
        if self.operands.iter().any(|column| column.is_null(row)) {
            return Err(Status::NullOperand);
        }
        let places = self.operands.iter().map(|column| column.places.of_row(row));
        if places.clone().any(|places| is_too_long(&places)) {
            return Err(Status::TooWide);
        }
        let bits_of = |(i, places): (usize, Range<usize>)| match &self.call.constants[i] {
            Some(constant) => constant.bits,
            None if self.operation.public_length() == Some(i) => public_bits,
            None => 8 * places.len(),
        };
        sizes.clear();
        sizes.extend(places.enumerate().map(bits_of));
        let cost = self.computation.cost(&Sizes(sizes))?;
        if cost.result_bits > 8 * self.results.of_row(row).len() {
            return Err(Status::TooWide);
        }
        // The longest modulus, then the longest exponent, then the longest base, as a batch engine groups its tasks.
        let mut size = [0; 3];
        for (size, bits) in size.iter_mut().zip(sizes.iter().rev()) {
            *size = bits.div_ceil(64) as u32;
        }
        Ok(Entry { row, size, products: cost.products })
    }
}

/// Reads these rows.
pub(super) fn read<'a>(call: &'a Call, operands: &[Column<'_>], rows: Vec<usize>) -> Batch<'a> {
    let operand = |column: &Column<'_>| match column.places.rows() {
        None => Operand::default(),
        Some(_) => {
            let places = || rows.iter().map(|&row| column.places.of_row(row));
            let octets = gathered(column.octets, places());
            let lengths: Vec<usize> = places().map(|places| places.len()).collect();
            Operand::new(&octets, &lengths)
        }
    };
    Batch { call, operands: operands.iter().map(operand).collect(), rows }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The parts of so many rows, each of so many products, for so many threads.
    fn parts(rows: usize, products: u64, threads: usize) -> Vec<Vec<usize>> {
        let entries = (0..rows).map(|row| Entry { row, size: [0; 3], products }).collect();
        let mut schedule = Schedule { entries, refused: Vec::new(), next: 0 };
        core::iter::from_fn(|| schedule.next_part(threads)).collect()
    }

    #[test]
    fn a_row_that_is_too_long_does_not_lengthen_what_is_prepared() {
        let octets = vec![1; MOST_OCTETS + 4];
        let column = Column::variable(&octets, vec![0, 3, MOST_OCTETS + 4]).expect("places in order");
        let call = call(&[Column::constant(&[2]), column, Column::constant(&[5])], 2);
        assert_eq!(call.most_bits, [2, 24, 3]);
    }

    #[test]
    fn parts_are_whole_lanes_of_enough_products_for_all_threads() {
        let cases: [(usize, u64, usize, &[usize]); 7] = [
            (0, 1, 1, &[]),
            (1, 1, 1, &[1]),
            // The last part is what is left.
            (13, PRODUCTS, 1, &[8, 5]),
            // Eight rows have just the products of a part.
            (32, PRODUCTS / 8, 1, &[8, 8, 8, 8]),
            // They lack a few of them. Half of the rows are kept for later, so that the parts end small.
            (32, PRODUCTS / 8 - 1, 1, &[16, 8, 8]),
            // Short rows: a sixth of what is left, in whole lanes.
            (96, 0, 3, &[16, 16, 16, 8, 8, 8, 8, 8, 8]),
            (2400, 0, 1, &[1024, 688, 344, 176, 88, 40, 24, 8, 8]),
        ];
        for (rows, products, threads, expected) in cases {
            let parts = parts(rows, products, threads);
            assert!(parts.concat().into_iter().eq(0..rows));
            let lengths: Vec<usize> = parts.iter().map(Vec::len).collect();
            assert_eq!(lengths, expected, "{rows} rows of {products} products, {threads} threads");
        }
    }
}
