//! A ring's operations on whole residues with the word type erased, so that moduli of all kernels are one type.
//!
//! A residue is stored in u64 cells. A cell holds 64/w words of w bits.

use super::contract::Arithmetic;
use crate::n0::newton_hensel;
use crate::ring::Ring;
use crate::word::Word;

impl Arithmetic {
    pub(crate) const fn of<R: Ring>() -> &'static Arithmetic {
        const {
            &Arithmetic {
                word: |x, i| words::<R>(x, i + 1)[i].widen(),
                set_word: |z, i, word| words_mut::<R>(z, i + 1)[i] = R::Word::truncate(word),
                n0: |n| newton_hensel::<R>(words::<R>(n, 1)[0]).widen(),
                mul_x: |z, c, t| {
                    R::mul_x(words_mut::<R>(z, c.s), words::<R>(c.n, c.s), c.n_bits, words_mut::<R>(t, c.s));
                },
                add: |z, a, b, c, t| {
                    let (a, b, n) = (words::<R>(a, c.s), words::<R>(b, c.s), words::<R>(c.n, c.s));
                    R::add_mod(words_mut::<R>(z, c.s), a, b, n, words_mut::<R>(t, c.s));
                },
                sub: |z, a, b, c| {
                    let (a, b, n) = (words::<R>(a, c.s), words::<R>(b, c.s), words::<R>(c.n, c.s));
                    R::sub_mod(words_mut::<R>(z, c.s), a, b, n);
                },
                is_reduced: |a, c| R::is_reduced(words::<R>(a, c.s), words::<R>(c.n, c.s), c.n_bits),
            }
        }
    }
}

/// The number of words of the ring in a cell.
pub(crate) const fn words_per_cell<R: Ring>() -> usize {
    (u64::BITS / R::Word::BITS) as usize
}

/// The first s words in the cells.
#[inline(always)]
pub(crate) fn words<R: Ring>(cells: &[u64], s: usize) -> &[R::Word] {
    &bytemuck::must_cast_slice(cells)[..s]
}

#[inline(always)]
pub(crate) fn words_mut<R: Ring>(cells: &mut [u64], s: usize) -> &mut [R::Word] {
    &mut bytemuck::must_cast_slice_mut(cells)[..s]
}
