//! Four digits of one number in the lanes of a vector. A digit is kept as the bits of a double in a u64 cell.

use super::{Factor, Fma, LANES, LOW_BASE, LOW_BIAS, Vector};
use crate::arch::x86_64::by_intrinsics;
use core::arch::x86_64::*;

/// The bits of the double of an integer of at most 51 bits and a sign; those of 0 are zeros.
#[inline(always)]
pub(crate) fn bits_of(integer: i64) -> u64 {
    (integer as f64).to_bits()
}

/// The integer of at most 51 bits and a sign that a double with these bits is.
#[inline(always)]
pub(crate) fn integer_of(bits: u64) -> i64 {
    (f64::from_bits(bits) + LOW_BASE).to_bits().wrapping_sub(LOW_BIAS) as i64
}

impl Fma {
    /// The four cells.
    #[inline(always)]
    pub(crate) fn load_cells(self, cells: &[u64; LANES]) -> Vector {
        // SAFETY: `self` exists only where the CPU has the instructions, and there are 4 cells.
        unsafe { _mm256_loadu_si256(cells.as_ptr().cast()) }
    }

    /// Stores a in the four cells.
    #[inline(always)]
    pub(crate) fn store_cells(self, cells: &mut [u64; LANES], a: Vector) {
        // SAFETY: `self` exists only where the CPU has the instructions, and there are 4 cells.
        unsafe { _mm256_storeu_si256(cells.as_mut_ptr().cast(), a) }
    }

    by_intrinsics! {
        /// The cells as doubles.
        pub(crate) fn digits(self, cells: Vector) -> Factor { _mm256_castsi256_pd(cells) }
        /// The doubles as cells.
        pub(crate) fn cells(self, digits: Factor) -> Vector { _mm256_castpd_si256(digits) }
        /// The doubles of integers of at most 51 bits and a sign.
        pub(crate) fn signed_digits(self, a: Vector) -> Factor {
            let biased = self.add(a, self.splat(LOW_BIAS));
            _mm256_sub_pd(self.digits(biased), _mm256_set1_pd(LOW_BASE))
        }
        /// The double with these bits in every lane.
        pub(crate) fn broadcast(self, bits: &u64) -> Factor { _mm256_broadcast_sd(&*core::ptr::from_ref(bits).cast::<f64>()) }
        /// The digits times 0, 1 or 2.
        pub(crate) fn weigh(self, digits: Factor, weights: [f64; LANES]) -> Factor {
            _mm256_mul_pd(digits, _mm256_setr_pd(weights[0], weights[1], weights[2], weights[3]))
        }

        /// Word 3 of `below`, then words 0 to 2 of `above`.
        pub(crate) fn up_word(self, above: Vector, below: Vector) -> Vector {
            _mm256_alignr_epi8::<8>(above, _mm256_permute2x128_si256::<0x21>(below, above))
        }
        /// The sum of the words mod 2^64, in every lane.
        pub(crate) fn add_all_words(self, a: Vector) -> Vector {
            let a = _mm256_add_epi64(a, _mm256_permute2x128_si256::<0x01>(a, a));
            _mm256_add_epi64(a, _mm256_shuffle_epi32::<0b01_00_11_10>(a))
        }
        /// Word 3 in every lane.
        pub(crate) fn repeat_last(self, a: Vector) -> Vector { _mm256_permute4x64_epi64::<0b11_11_11_11>(a) }
        /// Word 0, and zeros in the other lanes.
        pub(crate) fn keep_first(self, a: Vector) -> Vector { _mm256_blend_epi32::<0b11>(_mm256_setzero_si256(), a) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arch::tested::detect_or_say;

    #[test]
    fn words_move_between_lanes() {
        let Some(fma) = detect_or_say::<Fma>() else { return };
        let (below, above) = (fma.load_cells(&[1, 2, 3, 4]), fma.load_cells(&[5, 6, 7, 1 << 63]));
        let cells = |a| {
            let mut cells = [0; LANES];
            fma.store_cells(&mut cells, a);
            cells
        };
        assert_eq!(cells(fma.up_word(above, below)), [4, 5, 6, 7]);
        assert_eq!(cells(fma.add_all_words(above)), [(1 << 63) + 18; LANES]);
        assert_eq!(cells(fma.repeat_last(above)), [1 << 63; LANES]);
        assert_eq!(cells(fma.keep_first(above)), [5, 0, 0, 0]);
    }

    #[test]
    fn integers_become_cells_and_integers_again() {
        let Some(fma) = detect_or_say::<Fma>() else { return };
        for integer in [0, 1, -1, 2, (1 << 50) - 1, -1 << 50, (1 << 51) - 1, -1 << 51] {
            assert_eq!(f64::from_bits(bits_of(integer)), integer as f64);
            assert_eq!(integer_of(bits_of(integer)), integer);
            let digits = fma.signed_digits(fma.splat(integer as u64));
            let mut cells = [0; LANES];
            fma.store_cells(&mut cells, fma.cells(digits));
            assert_eq!(cells, [bits_of(integer); LANES]);
        }
    }
}
