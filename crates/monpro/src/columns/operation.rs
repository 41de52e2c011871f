//! What an operation on columns is.

use super::octets::set_words;
use super::status::Status;
use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;
use core::ops::Range;
use zeroize::Zeroizing;

/// A number with its public length.
pub struct Number {
    /// The lowest word first.
    pub words: Zeroizing<Vec<u64>>,
    /// Its bit length.
    pub bits: usize,
}

/// What is known before the first row is read.
pub struct Call {
    /// The constants, in the order of the operands; None for a column.
    pub constants: Vec<Option<Number>>,
    /// The most bits that a number of each operand may have, by the widths of those of its rows that are not too long;
    /// the bit length of a constant.
    pub most_bits: Vec<usize>,
    /// The number of rows.
    pub rows: usize,
}

/// The public sizes of a row: for each operand the bits of its width, or the bit length of a constant, or of the
/// operand whose length is public.
pub struct Sizes<'a>(pub &'a [usize]);

/// What the computation of a row costs and gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cost {
    /// The products of words, roughly.
    pub products: u64,
    /// The most bits of the result, which are public.
    pub result_bits: usize,
}

/// An operation on the rows of columns.
pub trait Operation: Sync {
    /// The number of its operands.
    fn operands(&self) -> usize;

    /// The operand whose bit length is public in each row, if there is one: a modulus. Of the others only the widths of
    /// rows are.
    fn public_length(&self) -> Option<usize>;

    /// Computes what all rows share.
    fn prepare<'a>(&'a self, call: &'a Call) -> Box<dyn Computation + 'a>;
}

/// An operation with what all rows share. Several threads compute by it.
pub trait Computation: Sync {
    /// The cost of a row of these sizes. It depends on nothing else.
    ///
    /// # Errors
    /// The status of a row that is refused.
    fn cost(&self, sizes: &Sizes<'_>) -> Result<Cost, Status>;

    /// The results of the rows of a batch, in their order, or the status of a row in place of its result. They are erased
    /// when they were written, and when nobody takes them because the call was stopped.
    fn compute(&self, batch: &Batch<'_>) -> Vec<Result<Zeroizing<Vec<u64>>, Status>>;
}

/// Some rows that were read; erased when dropped.
pub struct Batch<'a> {
    pub(super) call: &'a Call,
    pub(super) rows: Vec<usize>,
    /// In their order; nothing for a constant.
    pub(super) operands: Vec<Operand>,
}

/// The numbers of an operand in the rows of a batch.
#[derive(Default)]
pub(super) struct Operand {
    /// Those of all rows, one after the other.
    words: Zeroizing<Vec<u64>>,
    /// Where the number of each row is, and the bits of its width.
    rows: Vec<(Range<usize>, usize)>,
}

impl Operand {
    /// Big-endian numbers of these lengths, one after the other.
    pub(super) fn new(octets: &[u8], lengths: &[usize]) -> Operand {
        let mut operand = Operand {
            words: Zeroizing::new(vec![0; lengths.iter().map(|length| length.div_ceil(8)).sum()]),
            rows: Vec::with_capacity(lengths.len()),
        };
        let (mut rest, mut start) = (octets, 0);
        for &length in lengths {
            let (number, others) = rest.split_at(length);
            let place = start..start + length.div_ceil(8);
            set_words(&mut operand.words[place.clone()], number);
            (rest, start) = (others, place.end);
            operand.rows.push((place, 8 * length));
        }
        operand
    }
}

impl Batch<'_> {
    /// The number of rows.
    #[must_use]
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether there are no rows.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The number of an operand in row i of the batch, the lowest word first.
    #[must_use]
    pub fn number(&self, operand: usize, i: usize) -> &[u64] {
        match &self.call.constants[operand] {
            Some(constant) => &constant.words,
            None => &self.operands[operand].words[self.operands[operand].rows[i].0.clone()],
        }
    }

    /// The public bound on the bits of this number: those of the width of its row, or the bit length of a constant.
    #[must_use]
    pub fn bits(&self, operand: usize, i: usize) -> usize {
        match &self.call.constants[operand] {
            Some(constant) => constant.bits,
            None => self.operands[operand].rows[i].1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_batch_has_as_many_rows_as_were_read() {
        let call = Call { constants: Vec::new(), most_bits: Vec::new(), rows: 9 };
        for rows in [vec![], vec![8], vec![0, 3]] {
            let count = rows.len();
            let batch = Batch { call: &call, rows, operands: Vec::new() };
            assert_eq!((batch.len(), batch.is_empty()), (count, count == 0));
        }
    }
}
