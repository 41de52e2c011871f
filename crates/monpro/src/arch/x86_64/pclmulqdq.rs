//! PCLMULQDQ on one lane, in the encoding of AVX.

use super::by_intrinsics;
use crate::arch::lanes::{Lanes, Task};
use core::arch::x86_64::*;

cpufeatures::new!(has_instructions, "pclmulqdq", "avx");

/// The instruction set.
#[derive(Clone, Copy)]
pub(crate) struct Pclmulqdq(());

impl Lanes for Pclmulqdq {
    type Digit = __m128i;
    const LANES: usize = 1;
    const INSTRUCTIONS: &'static str = "PCLMULQDQ and AVX";

    #[inline(always)]
    fn detect() -> Option<Self> {
        has_instructions::get().then_some(Pclmulqdq(()))
    }

    #[inline(always)]
    fn run<T: Task<Self>>(self, task: T) {
        // SAFETY: to be called only where the CPU has the instructions.
        #[target_feature(enable = "pclmulqdq,avx")]
        unsafe fn compiled<T: Task<Pclmulqdq>>(lanes: Pclmulqdq, task: T) {
            task.run(lanes);
        }
        // SAFETY: `self` exists only where the CPU has the instructions.
        unsafe { compiled(self, task) }
    }

    #[inline(always)]
    fn load(self, words: &[u64]) -> __m128i {
        let words = &words[..2];
        // SAFETY: as above, and there are 2 words.
        unsafe { _mm_loadu_si128(words.as_ptr().cast()) }
    }

    #[inline(always)]
    fn store(self, words: &mut [u64], a: __m128i) {
        let words = &mut words[..2];
        // SAFETY: as above, and there are 2 words.
        unsafe { _mm_storeu_si128(words.as_mut_ptr().cast(), a) }
    }

    by_intrinsics! {
        fn zero(self) -> __m128i { _mm_setzero_si128() }
        fn splat(self, word: u64) -> __m128i { _mm_set1_epi64x(word as i64) }
        fn word(self, a: __m128i) -> u64 { _mm_cvtsi128_si64(a) as u64 }

        fn xor(self, a: __m128i, b: __m128i) -> __m128i { _mm_xor_si128(a, b) }
        fn xor_from<const I: usize>(self, a: __m128i, b: __m128i) -> __m128i { _mm_xor_si128(a, b) }
        fn keep_if_equal(self, a: __m128i, index: __m128i, wanted: __m128i) -> __m128i {
            _mm_and_si128(a, _mm_cmpeq_epi64(index, wanted))
        }
        fn fold(self, a: __m128i) -> __m128i { _mm_xor_si128(a, _mm_shuffle_epi32::<0x4e>(a)) }
        fn product_low(self, a: __m128i, b: __m128i) -> __m128i { _mm_clmulepi64_si128::<0x00>(a, b) }
        fn product_high(self, a: __m128i, b: __m128i) -> __m128i { _mm_clmulepi64_si128::<0x11>(a, b) }
        fn square_lower(self, a: __m128i) -> __m128i { _mm_clmulepi64_si128::<0x00>(a, a) }
        fn square_upper(self, a: __m128i) -> __m128i { _mm_clmulepi64_si128::<0x11>(a, a) }

        fn broadcast_word(self, a: __m128i) -> __m128i { _mm_unpacklo_epi64(a, a) }
        fn next_words(self, a: __m128i) -> __m128i { _mm_unpackhi_epi64(a, a) }
        fn up_word(self, above: __m128i, below: __m128i) -> __m128i { _mm_alignr_epi8::<8>(above, below) }
        fn down_words(self, above: __m128i, below: __m128i, count: usize) -> __m128i {
            match count {
                0 => below,
                1 => _mm_alignr_epi8::<8>(above, below),
                _ => above,
            }
        }
        fn join_bits(self, high: __m128i, low: __m128i, bits: usize) -> __m128i {
            let down = _mm_srl_epi64(low, _mm_cvtsi64_si128(bits as i64));
            let up = _mm_sll_epi64(high, _mm_cvtsi64_si128(64 - bits as i64));
            _mm_or_si128(down, up)
        }
        fn first_words(self, a: __m128i, count: usize) -> __m128i {
            match count {
                1 => _mm_move_epi64(a),
                _ => a,
            }
        }
        fn first_bits(self, a: __m128i, count: usize) -> __m128i {
            let mask = u128::MAX >> (128 - count);
            _mm_and_si128(a, _mm_set_epi64x((mask >> 64) as i64, mask as i64))
        }
    }

    // With one lane, an operation between lanes has nothing to do.

    #[inline(always)]
    fn xor_below<const I: usize>(self, a: __m128i, _: __m128i) -> __m128i {
        a
    }

    #[inline(always)]
    fn broadcast<const I: usize>(self, a: __m128i) -> __m128i {
        a
    }

    #[inline(always)]
    fn rotate<const I: usize>(self, a: __m128i) -> __m128i {
        a
    }

    #[inline(always)]
    fn down_lane(self, above: __m128i, _: __m128i) -> __m128i {
        above
    }

    #[inline(always)]
    fn up_lane(self, _: __m128i, below: __m128i) -> __m128i {
        below
    }
}
