//! Operations on two numbers in the halves of vectors: the lower four words of a vector belong to the first number, the
//! upper four to the second.
//!
//! Columns of products read windows of a number from memory. Line i of the windows holds words i − 3 … i of each of the
//! two numbers.

#[cfg(avx512_in_software)]
use super::in_order::load;
use super::in_order::{InOrder, by_instruction};
use super::{Ifma, Line, Mask, Vector};
use crate::arch::x86_64::by_intrinsics;
use crate::arch::x86_64::intrinsics::*;
#[cfg(not(avx512_in_software))]
use core::arch::asm;

/// The words of a half.
pub(crate) const HALF: usize = 4;

/// The line of the windows that row ROW of column vector COLUMN + UP multiplies: for the low halves of products if HIGH is
/// 0, and for the high halves if it is 1.
const fn line(column: usize, up: usize, row: usize, high: usize) -> isize {
    (HALF * (column + up) + HALF - 1) as isize - (row + high) as isize
}

/// Whether the windows have the line.
const fn has_line(windows: &[Line], line: isize) -> bool {
    line >= 0 && line < windows.len() as isize
}

impl InOrder {
    by_instruction! {
        /// Word PLACE of each half in all words of the half.
        fn spread<const PLACE: usize>(a: Vector)
            where PLACE < HALF
            => result = "vpermq {}, {}, {}" [lateout(zmm_reg) result, in(zmm_reg) a, const 0b01_01_01_01 * PLACE]
            or {
                let [lower, upper] = [PLACE as i64, (HALF + PLACE) as i64];
                _mm512_permutexvar_epi64(_mm512_setr_epi64(lower, lower, lower, lower, upper, upper, upper, upper), a)
            };
        /// c + (a·b mod 2^52), of the lowest 52 bits of each word, for the line b of row ROW.
        fn add_row_low<const COLUMN: usize, const UP: usize, const ROW: usize>(c: Vector, a: Vector, windows: &[Line])
            where has_line(windows, line(COLUMN, UP, ROW, 0))
            => result = "vpmadd52luq {}, {}, [{} + {}]"
            [inout(zmm_reg) c => result, in(zmm_reg) a, in(reg) windows.as_ptr(), const 64 * line(COLUMN, UP, ROW, 0)]
            or _mm512_madd52lo_epu64(c, a, load(&windows[line(COLUMN, UP, ROW, 0) as usize].0));
        /// c + ⌊a·b/2^52⌋, likewise.
        fn add_row_high<const COLUMN: usize, const UP: usize, const ROW: usize>(c: Vector, a: Vector, windows: &[Line])
            where has_line(windows, line(COLUMN, UP, ROW, 1))
            => result = "vpmadd52huq {}, {}, [{} + {}]"
            [inout(zmm_reg) c => result, in(zmm_reg) a, in(reg) windows.as_ptr(), const 64 * line(COLUMN, UP, ROW, 1)]
            or _mm512_madd52hi_epu64(c, a, load(&windows[line(COLUMN, UP, ROW, 1) as usize].0));
        /// [`add_row_low`](Self::add_row_low) where the mask is set, else c.
        fn add_row_low_where<const COLUMN: usize, const UP: usize, const ROW: usize>(
            mask: Mask, c: Vector, a: Vector, windows: &[Line]
        )
            where has_line(windows, line(COLUMN, UP, ROW, 0))
            => result = "vpmadd52luq {} {{{}}}, {}, [{} + {}]"
            [inout(zmm_reg) c => result, in(kreg) mask, in(zmm_reg) a, in(reg) windows.as_ptr(),
                const 64 * line(COLUMN, UP, ROW, 0)]
            or _mm512_mask_madd52lo_epu64(c, mask, a, load(&windows[line(COLUMN, UP, ROW, 0) as usize].0));
        /// [`add_row_high`](Self::add_row_high) where the mask is set, else c.
        fn add_row_high_where<const COLUMN: usize, const UP: usize, const ROW: usize>(
            mask: Mask, c: Vector, a: Vector, windows: &[Line]
        )
            where has_line(windows, line(COLUMN, UP, ROW, 1))
            => result = "vpmadd52huq {} {{{}}}, {}, [{} + {}]"
            [inout(zmm_reg) c => result, in(kreg) mask, in(zmm_reg) a, in(reg) windows.as_ptr(),
                const 64 * line(COLUMN, UP, ROW, 1)]
            or _mm512_mask_madd52hi_epu64(c, mask, a, load(&windows[line(COLUMN, UP, ROW, 1) as usize].0));
        /// a + b mod 2^64 where the mask is set, else a.
        fn add_where(mask: Mask, a: Vector, b: Vector)
            => result = "vpaddq {} {{{}}}, {0}, {}" [inout(zmm_reg) a => result, in(kreg) mask, in(zmm_reg) b]
            or _mm512_mask_add_epi64(a, mask, a, b);
    }
}

impl Ifma {
    by_intrinsics! {
        /// In each half, the highest COUNT words of `below`, then the lower ones of `above`, for COUNT from 0 to 3.
        pub(crate) fn align_halves<const COUNT: u32>(self, above: Vector, below: Vector) -> Vector {
            // Words 0 to 7 are those of `below`, words 8 to 15 those of `above`.
            let place = |half: i64, i: i64| {
                let from = i + 4 - i64::from(COUNT);
                half + if from < 4 { from } else { from + 4 }
            };
            let places = _mm512_setr_epi64(
                place(0, 0), place(0, 1), place(0, 2), place(0, 3), place(4, 0), place(4, 1), place(4, 2), place(4, 3),
            );
            _mm512_permutex2var_epi64(below, places, above)
        }
        /// Each of words 0 and 1 of each half twice.
        pub(crate) fn repeat_lower_of_halves(self, a: Vector) -> Vector { _mm512_permutex_epi64::<0b01_01_00_00>(a) }
        /// Each of words 2 and 3 of each half twice.
        pub(crate) fn repeat_upper_of_halves(self, a: Vector) -> Vector { _mm512_permutex_epi64::<0b11_11_10_10>(a) }
        /// The sum of the words of each half mod 2^64, in every word of the half.
        pub(crate) fn add_words_of_halves(self, a: Vector) -> Vector {
            let a = _mm512_add_epi64(a, _mm512_permutex_epi64::<0b01_00_11_10>(a));
            _mm512_add_epi64(a, _mm512_permutex_epi64::<0b10_11_00_01>(a))
        }
        /// c + (a·b mod 2^52) where the mask is set, else c; the mask may be known to the optimiser.
        pub(crate) fn add_product_low_masked(self, mask: Mask, c: Vector, a: Vector, b: Vector) -> Vector {
            _mm512_mask_madd52lo_epu64(c, mask, a, b)
        }
        /// c + ⌊a·b/2^52⌋, likewise.
        pub(crate) fn add_product_high_masked(self, mask: Mask, c: Vector, a: Vector, b: Vector) -> Vector {
            _mm512_mask_madd52hi_epu64(c, mask, a, b)
        }
    }
}
