//! AVX-512 IFMA: vectors of eight 64-bit words, to which products of 52-bit digits are added. A digit is a limb of 52
//! bits; each word of a vector is a lane.

use super::intrinsics::*;
use super::{AVX512_IN_SOFTWARE, by_intrinsics, token};
use zeroize::DefaultIsZeroes;

cpufeatures::new!(has_ifma, "avx512f", "avx512ifma");

/// The bits of a digit.
pub(crate) const DIGIT_BITS: u32 = 52;
/// The words of a vector.
pub(crate) const LANES: usize = 8;

/// Eight words of 64 bits, the first in the lowest lane.
pub(crate) type Vector = __m512i;
/// A bit for each of the eight words, the first in bit 0.
pub(crate) type Mask = u8;

/// Eight words in memory, in one cache line.
#[derive(Clone, Copy, Default)]
#[repr(C, align(64))]
pub(crate) struct Line(pub(crate) [u64; LANES]);

impl DefaultIsZeroes for Line {}

/// Evaluates the block once for each of the numbers, as a constant.
macro_rules! for_each {
    ($name:ident in $($value:literal)* => $block:block) => {$({
        const $name: usize = $value;
        $block
    })*};
}
pub(crate) use for_each;

token!(
    /// The instruction set.
    Ifma,
    "AVX-512F and AVX-512 IFMA",
    (AVX512_IN_SOFTWARE || has_ifma::get()),
    "avx512f,avx512ifma"
);

mod in_order;
mod pairs;
pub(crate) use pairs::HALF;

impl Ifma {
    /// The eight words.
    #[inline(always)]
    pub(crate) fn load(self, words: &[u64; LANES]) -> Vector {
        // SAFETY: `self` exists only where the CPU has the instructions, and there are 8 words.
        unsafe { _mm512_loadu_si512(words.as_ptr().cast()) }
    }

    /// Stores a in the eight words.
    #[inline(always)]
    pub(crate) fn store(self, words: &mut [u64; LANES], a: Vector) {
        // SAFETY: `self` exists only where the CPU has the instructions, and there are 8 words.
        unsafe { _mm512_storeu_si512(words.as_mut_ptr().cast(), a) }
    }

    /// The same words, which the optimiser cannot recognise as the same.
    #[inline(always)]
    pub(crate) fn opaque(self, words: &[u64]) -> &[u64] {
        let mut start = words.as_ptr();
        // SAFETY: no instruction is executed.
        unsafe {
            core::arch::asm!("/* {0} */", inout(reg) start, options(readonly, nostack, preserves_flags));
        }
        // SAFETY: start and length are those of `words`.
        unsafe { core::slice::from_raw_parts(start, words.len()) }
    }

    /// The same word, about which the optimiser knows nothing, so that it makes no branch of it.
    #[inline(always)]
    pub(crate) fn opaque_word(self, mut word: u64) -> u64 {
        // SAFETY: no instruction is executed.
        unsafe {
            core::arch::asm!("/* {0} */", inout(reg) word, options(nomem, nostack, preserves_flags, pure));
        }
        word
    }

    /// The same vectors, about which the optimiser knows nothing. It computes them before later instructions of
    /// [`in_order`](Self::in_order).
    #[inline(always)]
    pub(crate) fn opaque_vectors<const V: usize>(self, mut vectors: [Vector; V]) -> [Vector; V] {
        // SAFETY: to be called only where the CPU has the registers.
        #[cfg(not(avx512_in_software))]
        #[inline]
        #[target_feature(enable = "avx512f")]
        unsafe fn opaque(mut a: Vector) -> Vector {
            // SAFETY: no instruction is executed.
            unsafe {
                core::arch::asm!("/* {0} */", inout(zmm_reg) a, options(nomem, nostack, preserves_flags));
            }
            a
        }
        #[cfg(not(avx512_in_software))]
        for a in &mut vectors {
            // SAFETY: `self` exists only where the CPU has the instructions.
            *a = unsafe { opaque(*a) };
        }
        vectors
    }

    /// c + (a·b mod 2^52) where the mask is set, else c.
    #[inline(always)]
    pub(crate) fn add_product_low_where(self, mask: Mask, c: Vector, a: Vector, b: Vector) -> Vector {
        // If the optimiser knew the mask, it would multiply in every lane and then blend.
        let mask = self.opaque_word(u64::from(mask)) as Mask;
        // SAFETY: `self` exists only where the CPU has the instructions.
        unsafe { _mm512_mask_madd52lo_epu64(c, mask, a, b) }
    }

    /// c + ⌊a·b/2^52⌋ where the mask is set, else c.
    #[inline(always)]
    pub(crate) fn add_product_high_where(self, mask: Mask, c: Vector, a: Vector, b: Vector) -> Vector {
        // As in `add_product_low_where`.
        let mask = self.opaque_word(u64::from(mask)) as Mask;
        // SAFETY: `self` exists only where the CPU has the instructions.
        unsafe { _mm512_mask_madd52hi_epu64(c, mask, a, b) }
    }

    by_intrinsics! {
        /// 0 in every lane.
        pub(crate) fn zero(self) -> Vector { _mm512_setzero_si512() }
        /// The word in every lane.
        pub(crate) fn splat(self, word: u64) -> Vector { _mm512_set1_epi64(word as i64) }

        /// c + (a·b mod 2^52), of the lowest 52 bits of each word of a and b.
        pub(crate) fn add_product_low(self, c: Vector, a: Vector, b: Vector) -> Vector { _mm512_madd52lo_epu64(c, a, b) }
        /// c + ⌊a·b/2^52⌋, likewise.
        pub(crate) fn add_product_high(self, c: Vector, a: Vector, b: Vector) -> Vector { _mm512_madd52hi_epu64(c, a, b) }

        /// The words from lane FIRST on, and zeros in the lanes below.
        pub(crate) fn keep_from<const FIRST: u32>(self, a: Vector) -> Vector {
            let ones = |place: u32| if place >= FIRST { -1 } else { 0 };
            let kept = _mm512_setr_epi64(ones(0), ones(1), ones(2), ones(3), ones(4), ones(5), ones(6), ones(7));
            _mm512_and_si512(a, kept)
        }
        /// Each of the words 0 to 3 twice.
        pub(crate) fn repeat_lower(self, a: Vector) -> Vector {
            _mm512_permutexvar_epi64(_mm512_setr_epi64(0, 0, 1, 1, 2, 2, 3, 3), a)
        }
        /// Each of the words 4 to 7 twice.
        pub(crate) fn repeat_upper(self, a: Vector) -> Vector {
            _mm512_permutexvar_epi64(_mm512_setr_epi64(4, 4, 5, 5, 6, 6, 7, 7), a)
        }
        /// The word in lane 0, and zeros in the others.
        pub(crate) fn in_first(self, word: u64) -> Vector { _mm512_zextsi128_si512(_mm_cvtsi64_si128(word as i64)) }
        /// a where the mask is set, else 0.
        pub(crate) fn keep(self, mask: Mask, a: Vector) -> Vector { _mm512_maskz_mov_epi64(mask, a) }
        /// The sum of the words mod 2^64, in every lane.
        pub(crate) fn add_all_words(self, a: Vector) -> Vector {
            let a = _mm512_add_epi64(a, _mm512_shuffle_i64x2::<0b01_00_11_10>(a, a));
            let a = _mm512_add_epi64(a, _mm512_permutex_epi64::<0b01_00_11_10>(a));
            _mm512_add_epi64(a, _mm512_permutex_epi64::<0b10_11_00_01>(a))
        }
        /// Word 7.
        pub(crate) fn last(self, a: Vector) -> u64 {
            _mm_extract_epi64::<1>(_mm512_extracti32x4_epi32::<3>(a)) as u64
        }

        /// a + b mod 2^64.
        pub(crate) fn add(self, a: Vector, b: Vector) -> Vector { _mm512_add_epi64(a, b) }
        /// a − b mod 2^64.
        pub(crate) fn sub(self, a: Vector, b: Vector) -> Vector { _mm512_sub_epi64(a, b) }
        /// The bits that are set in both.
        pub(crate) fn and(self, a: Vector, b: Vector) -> Vector { _mm512_and_si512(a, b) }
        /// The bits that are set in either.
        pub(crate) fn or(self, a: Vector, b: Vector) -> Vector { _mm512_or_si512(a, b) }
        /// ⌊a/2^BITS⌋.
        pub(crate) fn shift_right<const BITS: u32>(self, a: Vector) -> Vector { _mm512_srli_epi64::<BITS>(a) }
        /// a·2^BITS mod 2^64.
        pub(crate) fn shift_left<const BITS: u32>(self, a: Vector) -> Vector { _mm512_slli_epi64::<BITS>(a) }
        /// ⌊a/2^bits⌋, 0 for 64 bits.
        pub(crate) fn shift_right_by(self, a: Vector, bits: u32) -> Vector { _mm512_srl_epi64(a, _mm_cvtsi32_si128(bits as i32)) }
        /// a·2^bits mod 2^64, 0 for 64 bits.
        pub(crate) fn shift_left_by(self, a: Vector, bits: u32) -> Vector { _mm512_sll_epi64(a, _mm_cvtsi32_si128(bits as i32)) }
        /// Word 7 of `below`, then words 0 to 6 of `above`.
        pub(crate) fn up_word(self, above: Vector, below: Vector) -> Vector { _mm512_alignr_epi64::<7>(above, below) }

        /// Where a < b, unsigned.
        pub(crate) fn is_below(self, a: Vector, b: Vector) -> Mask { _mm512_cmplt_epu64_mask(a, b) }
        /// Where a = b.
        pub(crate) fn is_equal(self, a: Vector, b: Vector) -> Mask { _mm512_cmpeq_epi64_mask(a, b) }
        /// b where the mask is set, else a.
        pub(crate) fn select(self, mask: Mask, a: Vector, b: Vector) -> Vector { _mm512_mask_blend_epi64(mask, a, b) }
        /// a + b where the mask is set, else a.
        pub(crate) fn add_where(self, mask: Mask, a: Vector, b: Vector) -> Vector { _mm512_mask_add_epi64(a, mask, a, b) }
    }
}
