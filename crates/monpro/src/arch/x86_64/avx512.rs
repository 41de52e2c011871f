//! VPCLMULQDQ on the four lanes of AVX-512F.

use super::intrinsics::*;
use super::{AVX512_IN_SOFTWARE, by_intrinsics, token, vpclmulqdq};
use crate::arch::lanes::Lanes;

cpufeatures::new!(has_avx512f, "avx512f");

token!(
    /// The instruction set.
    Avx512,
    "VPCLMULQDQ and AVX-512F",
    (AVX512_IN_SOFTWARE || has_avx512f::get() && vpclmulqdq::is_there()),
    "vpclmulqdq,avx512f"
);

impl Lanes for Avx512 {
    type Digit = __m512i;
    const LANES: usize = 4;

    #[inline(always)]
    fn load(self, words: &[u64]) -> __m512i {
        let words = &words[..8];
        // SAFETY: `self` exists only where the CPU has the instructions, and there are 8 words.
        unsafe { _mm512_loadu_si512(words.as_ptr().cast()) }
    }

    #[inline(always)]
    fn store(self, words: &mut [u64], a: __m512i) {
        let words = &mut words[..8];
        // SAFETY: `self` exists only where the CPU has the instructions, and there are 8 words.
        unsafe { _mm512_storeu_si512(words.as_mut_ptr().cast(), a) }
    }

    by_intrinsics! {
        fn zero(self) -> __m512i { _mm512_setzero_si512() }
        fn splat(self, word: u64) -> __m512i { _mm512_set1_epi64(word as i64) }
        fn word(self, a: __m512i) -> u64 { _mm_cvtsi128_si64(_mm512_castsi512_si128(a)) as u64 }

        fn xor(self, a: __m512i, b: __m512i) -> __m512i { _mm512_xor_si512(a, b) }
        fn xor_from<const I: usize>(self, a: __m512i, b: __m512i) -> __m512i {
            _mm512_mask_xor_epi64(a, !first(2 * I), a, b)
        }
        fn xor_below<const I: usize>(self, a: __m512i, b: __m512i) -> __m512i {
            _mm512_mask_xor_epi64(a, first(2 * I), a, b)
        }
        fn keep_if_equal(self, a: __m512i, index: __m512i, wanted: __m512i) -> __m512i {
            _mm512_maskz_mov_epi64(_mm512_cmpeq_epi64_mask(index, wanted), a)
        }
        fn fold(self, a: __m512i) -> __m512i { _mm512_xor_si512(a, _mm512_shuffle_epi32::<0x4e>(a)) }
        fn product_low(self, a: __m512i, b: __m512i) -> __m512i { _mm512_clmulepi64_epi128::<0x00>(a, b) }
        fn product_high(self, a: __m512i, b: __m512i) -> __m512i { _mm512_clmulepi64_epi128::<0x11>(a, b) }
        fn square_lower(self, a: __m512i) -> __m512i {
            let words = _mm512_permutexvar_epi64(_mm512_setr_epi64(0, 0, 1, 1, 2, 2, 3, 3), a);
            _mm512_clmulepi64_epi128::<0x00>(words, words)
        }
        fn square_upper(self, a: __m512i) -> __m512i {
            let words = _mm512_permutexvar_epi64(_mm512_setr_epi64(4, 4, 5, 5, 6, 6, 7, 7), a);
            _mm512_clmulepi64_epi128::<0x00>(words, words)
        }

        fn broadcast_word(self, a: __m512i) -> __m512i {
            _mm512_broadcastq_epi64(_mm512_castsi512_si128(a))
        }
        fn broadcast<const I: usize>(self, a: __m512i) -> __m512i {
            match I {
                0 => _mm512_shuffle_i64x2::<0b00_00_00_00>(a, a),
                1 => _mm512_shuffle_i64x2::<0b01_01_01_01>(a, a),
                2 => _mm512_shuffle_i64x2::<0b10_10_10_10>(a, a),
                _ => _mm512_shuffle_i64x2::<0b11_11_11_11>(a, a),
            }
        }
        fn rotate<const I: usize>(self, a: __m512i) -> __m512i {
            match I {
                0 => a,
                1 => _mm512_alignr_epi64::<6>(a, a),
                2 => _mm512_alignr_epi64::<4>(a, a),
                _ => _mm512_alignr_epi64::<2>(a, a),
            }
        }
        fn low_words(self, a: __m512i, b: __m512i) -> __m512i { _mm512_unpacklo_epi64(a, b) }
        fn next_words(self, a: __m512i) -> __m512i { _mm512_unpackhi_epi64(a, a) }
        fn down_lane(self, above: __m512i, below: __m512i) -> __m512i { _mm512_alignr_epi64::<2>(above, below) }
        fn up_lane(self, above: __m512i, below: __m512i) -> __m512i { _mm512_alignr_epi64::<6>(above, below) }
        fn up_word(self, above: __m512i, below: __m512i) -> __m512i { _mm512_alignr_epi64::<7>(above, below) }
        fn down_words(self, above: __m512i, below: __m512i, count: usize) -> __m512i {
            let places = _mm512_setr_epi64(0, 1, 2, 3, 4, 5, 6, 7);
            let sources = _mm512_add_epi64(places, _mm512_set1_epi64(count as i64));
            _mm512_permutex2var_epi64(below, sources, above)
        }
        fn join_bits(self, high: __m512i, low: __m512i, bits: usize) -> __m512i {
            let down = _mm512_srl_epi64(low, _mm_cvtsi64_si128(bits as i64));
            let up = _mm512_sll_epi64(high, _mm_cvtsi64_si128(64 - bits as i64));
            _mm512_or_si512(down, up)
        }
        fn first_words(self, a: __m512i, count: usize) -> __m512i { _mm512_maskz_mov_epi64(first(count), a) }
        fn first_bits(self, a: __m512i, count: usize) -> __m512i {
            // Each word loses its `dropped` upper bits; 64 or more drop the whole word.
            let positions = _mm512_setr_epi64(0, 64, 128, 192, 256, 320, 384, 448);
            let kept = _mm512_sub_epi64(_mm512_set1_epi64(count as i64), positions);
            let dropped = _mm512_sub_epi64(_mm512_set1_epi64(64), kept);
            let dropped = _mm512_max_epi64(dropped, _mm512_setzero_si512());
            _mm512_and_si512(a, _mm512_srlv_epi64(_mm512_set1_epi64(-1), dropped))
        }
    }
}

/// The mask of the first `count` ≤ 8 words.
#[inline(always)]
const fn first(count: usize) -> u8 {
    ((1u32 << count) - 1) as u8
}
