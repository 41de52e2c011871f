//! The scratch of a product.

use super::{PADDING, is_split, split, store};
use crate::arch::x86_64::ifma::{Ifma, LANES, Vector};

/// The bytes of a cache line, as many as a vector has.
const LINE_BYTES: usize = 64;

/// The intermediate numbers of a product.
pub(super) struct Temporary<'a> {
    /// t mod R, padded with zeros.
    pub(super) low: &'a mut [u64],
    /// m, padded with zeros.
    pub(super) m: &'a mut [u64],
    /// The s columns of t from R on; later the columns of u.
    pub(super) high: &'a mut [u64],
    /// The columns of u − n + R.
    pub(super) difference: &'a mut [u64],
}

/// The words of scratch for residues of s words.
pub(super) fn cells<const B: u32>(s: usize) -> usize {
    if is_split::<B>(s) {
        return split::cells(s);
    }
    2 * (s + 2 * PADDING) + 2 * s + LANES
}

impl<'a> Temporary<'a> {
    /// The parts of the scratch, each of which begins at a cache line.
    #[inline(always)]
    pub(super) fn of(t: &'a mut [u64], s: usize) -> Self {
        let offset = t.as_ptr().align_offset(LINE_BYTES);
        let (low, t) = t[offset..].split_at_mut(s + 2 * PADDING);
        let (m, t) = t.split_at_mut(s + 2 * PADDING);
        let (high, t) = t.split_at_mut(s);
        Temporary { low, m, high, difference: &mut t[..s] }
    }
}

/// Sets the padding of a number of s words to zero.
#[inline(always)]
pub(super) fn pad(ifma: Ifma, padded: &mut [u64], s: usize) {
    store(ifma, padded, 0, ifma.zero());
    store(ifma, padded, 1 + s / LANES, ifma.zero());
}

/// words = the vectors, one after the other.
#[inline(always)]
pub(super) fn put<const V: usize>(ifma: Ifma, words: &mut [u64], vectors: [Vector; V]) {
    let words = &mut words[..LANES * V];
    for k in 0..V {
        store(ifma, words, k, vectors[k]);
    }
}
