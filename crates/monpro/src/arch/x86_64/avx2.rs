//! VPCLMULQDQ on the two lanes of AVX2.

use super::{by_intrinsics, token, vpclmulqdq};
use crate::arch::lanes::Lanes;
use core::arch::x86_64::*;

cpufeatures::new!(has_avx2, "avx2");

token!(
    /// The instruction set.
    Avx2,
    "VPCLMULQDQ and AVX2",
    (has_avx2::get() && vpclmulqdq::is_there()),
    "vpclmulqdq,avx2"
);

impl Lanes for Avx2 {
    type Digit = __m256i;
    const LANES: usize = 2;

    #[inline(always)]
    fn load(self, words: &[u64]) -> __m256i {
        let words = &words[..4];
        // SAFETY: `self` exists only where the CPU has the instructions, and there are 4 words.
        unsafe { _mm256_loadu_si256(words.as_ptr().cast()) }
    }

    #[inline(always)]
    fn store(self, words: &mut [u64], a: __m256i) {
        let words = &mut words[..4];
        // SAFETY: `self` exists only where the CPU has the instructions, and there are 4 words.
        unsafe { _mm256_storeu_si256(words.as_mut_ptr().cast(), a) }
    }

    by_intrinsics! {
        fn zero(self) -> __m256i { _mm256_setzero_si256() }
        fn splat(self, word: u64) -> __m256i { _mm256_set1_epi64x(word as i64) }
        fn word(self, a: __m256i) -> u64 { _mm_cvtsi128_si64(_mm256_castsi256_si128(a)) as u64 }

        fn xor(self, a: __m256i, b: __m256i) -> __m256i { _mm256_xor_si256(a, b) }
        fn xor_from<const I: usize>(self, a: __m256i, b: __m256i) -> __m256i {
            match I {
                0 => _mm256_xor_si256(a, b),
                _ => _mm256_xor_si256(a, _mm256_blend_epi32::<0xf0>(_mm256_setzero_si256(), b)),
            }
        }
        fn xor_below<const I: usize>(self, a: __m256i, b: __m256i) -> __m256i {
            match I {
                0 => a,
                _ => _mm256_xor_si256(a, _mm256_blend_epi32::<0x0f>(_mm256_setzero_si256(), b)),
            }
        }
        fn keep_if_equal(self, a: __m256i, index: __m256i, wanted: __m256i) -> __m256i {
            _mm256_and_si256(a, _mm256_cmpeq_epi64(index, wanted))
        }
        fn fold(self, a: __m256i) -> __m256i { _mm256_xor_si256(a, _mm256_shuffle_epi32::<0x4e>(a)) }
        fn product_low(self, a: __m256i, b: __m256i) -> __m256i { _mm256_clmulepi64_epi128::<0x00>(a, b) }
        fn product_high(self, a: __m256i, b: __m256i) -> __m256i { _mm256_clmulepi64_epi128::<0x11>(a, b) }
        fn square_lower(self, a: __m256i) -> __m256i {
            let words = _mm256_permute4x64_epi64::<0b01_01_00_00>(a);
            _mm256_clmulepi64_epi128::<0x00>(words, words)
        }
        fn square_upper(self, a: __m256i) -> __m256i {
            let words = _mm256_permute4x64_epi64::<0b11_11_10_10>(a);
            _mm256_clmulepi64_epi128::<0x00>(words, words)
        }

        fn broadcast_word(self, a: __m256i) -> __m256i {
            _mm256_broadcastq_epi64(_mm256_castsi256_si128(a))
        }
        fn broadcast<const I: usize>(self, a: __m256i) -> __m256i {
            match I {
                0 => _mm256_permute4x64_epi64::<0b01_00_01_00>(a),
                _ => _mm256_permute4x64_epi64::<0b11_10_11_10>(a),
            }
        }
        fn rotate<const I: usize>(self, a: __m256i) -> __m256i {
            match I {
                0 => a,
                _ => _mm256_permute4x64_epi64::<0b01_00_11_10>(a),
            }
        }
        fn low_words(self, a: __m256i, b: __m256i) -> __m256i { _mm256_unpacklo_epi64(a, b) }
        fn next_words(self, a: __m256i) -> __m256i { _mm256_unpackhi_epi64(a, a) }
        fn down_lane(self, above: __m256i, below: __m256i) -> __m256i {
            _mm256_permute2x128_si256::<0x21>(below, above)
        }
        fn up_lane(self, above: __m256i, below: __m256i) -> __m256i {
            _mm256_permute2x128_si256::<0x21>(below, above)
        }
        fn up_word(self, above: __m256i, below: __m256i) -> __m256i {
            _mm256_alignr_epi8::<8>(above, _mm256_permute2x128_si256::<0x21>(below, above))
        }
        fn down_words(self, above: __m256i, below: __m256i, count: usize) -> __m256i {
            let middle = _mm256_permute2x128_si256::<0x21>(below, above);
            match count {
                0 => below,
                1 => _mm256_alignr_epi8::<8>(middle, below),
                2 => middle,
                3 => _mm256_alignr_epi8::<8>(above, middle),
                _ => above,
            }
        }
        fn join_bits(self, high: __m256i, low: __m256i, bits: usize) -> __m256i {
            let down = _mm256_srl_epi64(low, _mm_cvtsi64_si128(bits as i64));
            let up = _mm256_sll_epi64(high, _mm_cvtsi64_si128(64 - bits as i64));
            _mm256_or_si256(down, up)
        }
        fn first_words(self, a: __m256i, count: usize) -> __m256i {
            let positions = _mm256_setr_epi64x(0, 1, 2, 3);
            _mm256_and_si256(a, _mm256_cmpgt_epi64(_mm256_set1_epi64x(count as i64), positions))
        }
        fn first_bits(self, a: __m256i, count: usize) -> __m256i {
            // Each word loses its `dropped` upper bits; 64 or more drop the whole word.
            let kept = _mm256_sub_epi64(_mm256_set1_epi64x(count as i64), _mm256_setr_epi64x(0, 64, 128, 192));
            let dropped = _mm256_sub_epi64(_mm256_set1_epi64x(64), kept);
            let dropped = _mm256_and_si256(dropped, _mm256_cmpgt_epi64(dropped, _mm256_setzero_si256()));
            _mm256_and_si256(a, _mm256_srlv_epi64(_mm256_set1_epi64x(-1), dropped))
        }
    }
}
