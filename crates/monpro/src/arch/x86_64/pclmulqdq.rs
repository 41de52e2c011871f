//! PCLMULQDQ: the product of two words over GF(2)\[x\], 64 × 64 coefficients at once.

use super::{by_intrinsics, token};
use crate::arch::InstructionSet;
use crate::arch::lanes::Lanes;
use crate::ring::mulgf2::Mulgf2;
use crate::word::Word;
use core::arch::x86_64::*;

cpufeatures::new!(has_pclmulqdq, "pclmulqdq", "sse2");
cpufeatures::new!(has_pclmulqdq_avx, "pclmulqdq", "avx");
cpufeatures::new!(has_pclmulqdq_avx2, "pclmulqdq", "avx2");

token!(
    /// PCLMULQDQ alone.
    Pclmulqdq,
    "PCLMULQDQ",
    has_pclmulqdq::get(),
    "pclmulqdq,sse2"
);

token!(
    /// PCLMULQDQ on one lane, in the encoding of AVX.
    PclmulqdqAvx,
    "PCLMULQDQ and AVX",
    has_pclmulqdq_avx::get(),
    "pclmulqdq,avx"
);

token!(
    /// PCLMULQDQ, with vectors of AVX2 that the compiler makes of loops over words.
    PclmulqdqAvx2,
    "PCLMULQDQ, AVX2",
    has_pclmulqdq_avx2::get(),
    "pclmulqdq,avx2"
);

/// The product and the square of a kernel; C is the type of the constants of a modulus. Both are `#[inline(always)]`.
pub(crate) trait Products<C> {
    /// z = x·y·R⁻¹ mod n.
    fn product(z: &mut [u64], x: &[u64], y: &[u64], constants: &C, t: &mut [u64]);
    /// z = x²·R⁻¹ mod n.
    fn square(z: &mut [u64], x: &[u64], constants: &C, t: &mut [u64]);
}

/// Products over GF(2)\[x\] in words W, for any way F to multiply two words.
pub(crate) trait ProductsByWords<W: Word, C> {
    /// These products by F.
    type By<F: Mulgf2<W>>: Products<C>;
}

mod sealed {
    /// An instruction set with PCLMULQDQ. Only this file can name this trait, and so implement it.
    pub(crate) trait HasPclmulqdq {}
}

impl sealed::HasPclmulqdq for Pclmulqdq {}
impl sealed::HasPclmulqdq for PclmulqdqAvx2 {}

/// An instruction set with PCLMULQDQ, for which products are compiled.
///
/// Products are no [`Task`](crate::arch::Task): the shortest take less time than handing over their many arguments in
/// memory.
pub(crate) trait CompilesProducts: InstructionSet + sealed::HasPclmulqdq {
    /// P's product.
    fn product<P: Products<C>, C>(self, z: &mut [u64], x: &[u64], y: &[u64], constants: &C, t: &mut [u64]);
    /// P's square.
    fn square<P: Products<C>, C>(self, z: &mut [u64], x: &[u64], constants: &C, t: &mut [u64]);

    /// P's product, with words multiplied by PCLMULQDQ.
    #[inline(always)]
    fn product_by_instruction<P: ProductsByWords<W, C>, W: Word, C>(
        self,
        z: &mut [u64],
        x: &[u64],
        y: &[u64],
        constants: &C,
        t: &mut [u64],
    ) {
        self.product::<P::By<Instruction>, C>(z, x, y, constants, t);
    }

    /// P's square, with words multiplied by PCLMULQDQ.
    #[inline(always)]
    fn square_by_instruction<P: ProductsByWords<W, C>, W: Word, C>(
        self,
        z: &mut [u64],
        x: &[u64],
        constants: &C,
        t: &mut [u64],
    ) {
        self.square::<P::By<Instruction>, C>(z, x, constants, t);
    }
}

/// Compiles products for an instruction set, given the compiler's names for its instructions.
macro_rules! compiles_products {
    ($name:ident, $features:literal) => {
        impl CompilesProducts for $name {
            #[inline(always)]
            fn product<P: Products<C>, C>(
                self,
                z: &mut [u64],
                x: &[u64],
                y: &[u64],
                constants: &C,
                t: &mut [u64],
            ) {
                // SAFETY: to be called only where the CPU has the instructions.
                #[target_feature(enable = $features)]
                unsafe fn compiled<P: Products<C>, C>(
                    z: &mut [u64],
                    x: &[u64],
                    y: &[u64],
                    c: &C,
                    t: &mut [u64],
                ) {
                    P::product(z, x, y, c, t);
                }
                // SAFETY: `self` exists only where the CPU has the instructions.
                unsafe { compiled::<P, C>(z, x, y, constants, t) }
            }

            #[inline(always)]
            fn square<P: Products<C>, C>(self, z: &mut [u64], x: &[u64], constants: &C, t: &mut [u64]) {
                // SAFETY: to be called only where the CPU has the instructions.
                #[target_feature(enable = $features)]
                unsafe fn compiled<P: Products<C>, C>(z: &mut [u64], x: &[u64], c: &C, t: &mut [u64]) {
                    P::square(z, x, c, t);
                }
                // SAFETY: `self` exists only where the CPU has the instructions.
                unsafe { compiled::<P, C>(z, x, constants, t) }
            }
        }
    };
}

compiles_products!(Pclmulqdq, "pclmulqdq,sse2");
compiles_products!(PclmulqdqAvx2, "pclmulqdq,avx2");

/// MULGF2 by PCLMULQDQ, which \[koc97, §6\] could only predict.
///
/// A [`Mulgf2`] is a type and carries no token, so the type itself stands for one. It is private to this file, which
/// passes it to others only as the F of [`ProductsByWords::By`], in functions that hold a value of an instruction set
/// with PCLMULQDQ. No other file can define such an instruction set. So every caller of `mulgf2` runs on a CPU that
/// has the instruction.
struct Instruction;

impl<W: Word> Mulgf2<W> for Instruction {
    #[inline(always)]
    fn mulgf2(a: W, b: W) -> (W, W) {
        // SAFETY: this CPU has the instruction, for the reason above.
        let (high, low) = unsafe { words(carryless_product(a.widen(), b.widen())) };
        if W::BITS == 64 {
            return (W::truncate(high), W::truncate(low));
        }
        (W::truncate(low >> W::BITS), W::truncate(low))
    }
}

impl Pclmulqdq {
    /// (H, L) with H·x⁶⁴ + L = Σ a·b over the pairs.
    #[inline(always)]
    pub(crate) fn sum_of_products<'a>(self, pairs: impl Iterator<Item = (&'a u64, &'a u64)>) -> (u64, u64) {
        // SAFETY: `self` exists only where the CPU has the instructions.
        unsafe {
            let mut sum = _mm_setzero_si128();
            for (&a, &b) in pairs {
                sum = _mm_xor_si128(sum, carryless_product(a, b));
            }
            words(sum)
        }
    }
}

/// a·b.
// SAFETY: to be called only where the CPU has the instructions.
#[inline(always)]
unsafe fn carryless_product(a: u64, b: u64) -> __m128i {
    // SAFETY: the CPU has the instructions.
    unsafe { _mm_clmulepi64_si128::<0>(_mm_cvtsi64_si128(a as i64), _mm_cvtsi64_si128(b as i64)) }
}

/// (H, L) with H·x⁶⁴ + L = a.
// SAFETY: to be called only where the CPU has the instructions.
#[inline(always)]
unsafe fn words(a: __m128i) -> (u64, u64) {
    // SAFETY: the CPU has the instructions.
    unsafe { (_mm_cvtsi128_si64(_mm_unpackhi_epi64(a, a)) as u64, _mm_cvtsi128_si64(a) as u64) }
}

impl Lanes for PclmulqdqAvx {
    type Digit = __m128i;
    const LANES: usize = 1;

    #[inline(always)]
    fn load(self, words: &[u64]) -> __m128i {
        let words = &words[..2];
        // SAFETY: `self` exists only where the CPU has the instructions, and there are 2 words.
        unsafe { _mm_loadu_si128(words.as_ptr().cast()) }
    }

    #[inline(always)]
    fn store(self, words: &mut [u64], a: __m128i) {
        let words = &mut words[..2];
        // SAFETY: `self` exists only where the CPU has the instructions, and there are 2 words.
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
        fn low_words(self, a: __m128i, b: __m128i) -> __m128i { _mm_unpacklo_epi64(a, b) }
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
