//! Monoids: the elements, and their product, that an exponentiation works on.

use alloc::vec;
use alloc::vec::Vec;
use core::ops::{Deref, DerefMut};
use zeroize::Zeroize;

/// The words of elements in u64 cells, erased when dropped. Many words begin at a cache line, so that vectors of them are not
/// read across lines: by `cios-fma` powers take up to 5 % more on Zen 3 where the allocator begins between the halves of a
/// line (docs/0028).
///
/// In place of `zeroize::Zeroizing`, which erases an empty vector, too: it calls `memset` for no octets at an address that
/// is not mapped. By the masked stores of glibc that takes about 220 cycles on Zen 4, twice for each vector.
#[derive(Default)]
#[cfg_attr(test, derive(Debug))]
pub(crate) struct Cells {
    words: Vec<u64>,
    /// Where the elements begin. The words below are 0.
    start: usize,
}

impl Cells {
    /// The words of a cache line.
    const LINE: usize = 8;
    /// Fewer words are not aligned, since the kernels for them read word by word.
    const LEAST_ALIGNED: usize = 12;

    /// So many words, all 0.
    pub(crate) fn zeros(length: usize) -> Cells {
        let most = if length < Self::LEAST_ALIGNED { 0 } else { Self::LINE - 1 };
        let mut words = vec![0; length + most];
        let start = words.as_ptr().align_offset(8 * Self::LINE).min(most);
        words.truncate(start + length);
        Cells { words, start }
    }
}

impl From<Vec<u64>> for Cells {
    fn from(mut words: Vec<u64>) -> Cells {
        if words.len() < Self::LEAST_ALIGNED {
            return Cells { words, start: 0 };
        }
        let cells = Cells::from(&words[..]);
        words.zeroize();
        cells
    }
}

impl From<&[u64]> for Cells {
    fn from(words: &[u64]) -> Cells {
        let mut cells = Cells::zeros(words.len());
        cells.copy_from_slice(words);
        cells
    }
}

impl Clone for Cells {
    fn clone(&self) -> Cells {
        Cells::from(&**self)
    }
}

impl PartialEq for Cells {
    fn eq(&self, other: &Cells) -> bool {
        **self == **other
    }
}

impl Eq for Cells {}

impl Deref for Cells {
    type Target = [u64];

    fn deref(&self) -> &[u64] {
        &self.words[self.start..]
    }
}

impl DerefMut for Cells {
    fn deref_mut(&mut self) -> &mut [u64] {
        &mut self.words[self.start..]
    }
}

impl Drop for Cells {
    #[inline]
    fn drop(&mut self) {
        if !self.words.is_empty() {
            self.words.zeroize();
        }
    }
}

/// The most words of a [`Temporary`] on the stack, which hold the scratch of kernels for a few words.
pub(crate) const MOST_ON_STACK: usize = 44;

/// Words of intermediate results, 0 at first: on the stack where they are few, since an allocation takes as long as some
/// products of few words. Erased when dropped. It should not be moved once it holds a secret, as that leaves a copy.
#[repr(align(64))]
pub(crate) struct Temporary {
    few: [u64; MOST_ON_STACK],
    length: usize,
    many: Cells,
}

impl Temporary {
    #[inline]
    pub(crate) fn new(length: usize) -> Temporary {
        let many = if length > MOST_ON_STACK { Cells::zeros(length) } else { Cells::default() };
        Temporary { few: [0; MOST_ON_STACK], length, many }
    }

    /// Overwrites the words on the stack by zeros. Where there are many words, none of them was written.
    #[inline]
    fn erase_few(&mut self) {
        if self.length <= MOST_ON_STACK {
            self.few.zeroize();
        }
    }
}

impl Deref for Temporary {
    type Target = [u64];

    #[inline(always)]
    fn deref(&self) -> &[u64] {
        if self.length > MOST_ON_STACK { &self.many } else { &self.few[..self.length] }
    }
}

impl DerefMut for Temporary {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [u64] {
        if self.length > MOST_ON_STACK { &mut self.many } else { &mut self.few[..self.length] }
    }
}

impl Drop for Temporary {
    #[inline]
    fn drop(&mut self) {
        self.erase_few();
    }
}

/// What an exponentiation needs: elements in cells, a product, and a neutral element.
pub(crate) trait Monoid {
    /// The neutral element.
    fn one(&self) -> Cells;
    /// Scratch for a product or a square.
    fn scratch(&self) -> Temporary;
    /// z = x·y.
    fn mul(&self, z: &mut [u64], x: &[u64], y: &[u64], scratch: &mut [u64]);
    /// z = x².
    fn square(&self, z: &mut [u64], x: &[u64], scratch: &mut [u64]);
    /// z = x·y, as a step of a power. Until [`Monoid::finish`], x, y and z may be in a form that only steps
    /// accept.
    fn step(&self, z: &mut [u64], x: &[u64], y: &[u64], scratch: &mut [u64]) {
        self.mul(z, x, y, scratch);
    }
    /// z = z^(2^times), by `times` steps.
    fn square_repeatedly(&self, z: &mut [u64], times: usize, spare: &mut [u64], scratch: &mut [u64]) {
        square_repeatedly(z, times, spare, |z, x| self.square(z, x, scratch));
    }
    /// z = z^(2^times)·y, by steps.
    fn append(&self, z: &mut [u64], times: usize, y: &[u64], spare: &mut [u64], scratch: &mut [u64]) {
        append(self, z, times, y, spare, scratch);
    }
    /// z = z^(2^times)·y for times ≥ 1, by steps, where y is entry `index` of the table, for one index after the other; every
    /// entry is read for each.
    fn append_entries(
        &self,
        z: &mut [u64],
        times: usize,
        (table, indices): (&[u64], &mut dyn Iterator<Item = u64>),
        spare: &mut [u64],
        scratch: &mut [u64],
    ) {
        append_entries(self, z, times, (table, indices), spare, scratch);
    }
    /// Brings z, the result of a step, into the form of an element.
    fn finish(&self, _z: &mut [u64]) {}
    /// z = element `index` of the table; every entry is read.
    fn select(&self, z: &mut [u64], table: &[u64], index: u64) {
        select(z, table, index);
    }
}

/// z = z^(2^times) by `times` calls of square(z, x), which sets z = x².
#[inline(always)]
pub(crate) fn square_repeatedly(
    z: &mut [u64],
    times: usize,
    spare: &mut [u64],
    mut square: impl FnMut(&mut [u64], &[u64]),
) {
    let (mut power, mut next) = (&mut *z, &mut *spare);
    for _ in 0..times {
        square(next, power);
        core::mem::swap(&mut power, &mut next);
    }
    if times % 2 == 1 {
        z.copy_from_slice(spare);
    }
}

/// z = z^(2^times)·y, by the squares, then the product.
pub(crate) fn append<M: Monoid + ?Sized>(
    monoid: &M,
    z: &mut [u64],
    times: usize,
    y: &[u64],
    spare: &mut [u64],
    scratch: &mut [u64],
) {
    monoid.square_repeatedly(z, times, spare, scratch);
    monoid.step(spare, z, y, scratch);
    z.copy_from_slice(spare);
}

/// The same by a selection and [`Monoid::append`] for each index.
pub(crate) fn append_entries<M: Monoid + ?Sized>(
    monoid: &M,
    z: &mut [u64],
    times: usize,
    (table, indices): (&[u64], &mut dyn Iterator<Item = u64>),
    spare: &mut [u64],
    scratch: &mut [u64],
) {
    let mut y = Temporary::new(z.len());
    for index in indices {
        monoid.select(&mut y, table, index);
        monoid.append(z, times, &y, spare, scratch);
    }
}

/// entry = entry `index` of the table; every entry is read.
#[inline(always)]
pub(crate) fn select(entry: &mut [u64], table: &[u64], index: u64) {
    // At most 16 words at a time, which stay in registers.
    let start = select_parts::<16>(entry, 0, table, index);
    let start = select_parts::<8>(entry, start, table, index);
    let start = select_parts::<4>(entry, start, table, index);
    select_parts::<1>(entry, start, table, index);
}

/// Calls `take` with entry `index` of the table, in `entry`, for one index after the other; every entry is read for each.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
pub(crate) fn for_each_entry(
    entry: &mut [u64],
    table: &[u64],
    indices: impl Iterator<Item = u64>,
    mut take: impl FnMut(&[u64]),
) {
    for index in indices {
        select(entry, table, index);
        take(entry);
    }
}

/// Copies the words of entry `index` from `start` up, K at a time while at least K remain. Returns the index
/// of the first word that was not copied.
#[inline(always)]
pub(crate) fn select_parts<const K: usize>(
    entry: &mut [u64],
    mut start: usize,
    table: &[u64],
    index: u64,
) -> usize {
    let width = entry.len();
    while start + K <= width {
        entry[start..start + K].copy_from_slice(&select_part::<K>(table, width, start, index));
        start += K;
    }
    start
}

/// K words from `start` up of entry `index` of the table, whose entries are `width` words.
#[inline(always)]
fn select_part<const K: usize>(table: &[u64], width: usize, start: usize, index: u64) -> [u64; K] {
    let mut part = [0; K];
    for (i, candidate) in table.chunks_exact(width).enumerate() {
        // i ^ index is below 2^63, so only i ^ index = 0 wraps to a set top bit.
        let is_chosen = (i as u64 ^ index).wrapping_sub(1) >> 63;
        let mask = core::hint::black_box(is_chosen.wrapping_neg());
        for (word, &candidate_word) in part.iter_mut().zip(&candidate[start..start + K]) {
            *word |= candidate_word & mask;
        }
    }
    part
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_words_begin_at_a_cache_line_and_few_are_alone() {
        for length in (0..80).chain([1000]) {
            let words: Vec<u64> = (1..=length as u64).collect();
            let mut zeros = Cells::zeros(length);
            assert_eq!(*zeros, vec![0; length]);
            assert_eq!(zeros == Cells::from(words.clone()), length == 0, "{length} words");
            zeros.copy_from_slice(&words);
            // Side by side, not all would begin at a line by chance.
            let mut all: Vec<Cells> = (0..4).map(|_| Cells::from(words.clone())).collect();
            all.extend([zeros.clone(), zeros]);
            for cells in all {
                assert_eq!(*cells, words[..]);
                let is_aligned = cells.as_ptr().align_offset(64) == 0;
                assert!(is_aligned || length < Cells::LEAST_ALIGNED, "{length} words");
                assert!(cells.start == 0 || length >= Cells::LEAST_ALIGNED, "{length} words");
            }
        }
    }

    #[test]
    fn words_on_the_stack_are_erased_and_many_words_are_not_there() {
        for length in [0, 1, MOST_ON_STACK, MOST_ON_STACK + 1] {
            let mut words = Temporary::new(length);
            words.fill(7);
            assert_eq!(words.few.contains(&7), (1..=MOST_ON_STACK).contains(&length), "{length} words");
            words.erase_few();
            assert_eq!(words.few, [0; MOST_ON_STACK], "{length} words");
        }
    }
}
