//! AVX2 with FMA: vectors of four 64-bit words, and exact products of digits in floating point. A digit is a limb of B bits,
//! kept as a double; each word of a vector is a lane.
//!
//! Let H be a multiple of 2^B from 2^(52 + B) to 2^(53 + B), as the sum H + a·b of a product must be, too. Then a product is
//! two operations on doubles and a subtraction between them:
//!
//! - h = H + a·b, rounded. The doubles in this range are the multiples of 2^B there, so h = H + a·b − r with |r| ≤ 2^B,
//!   however it is rounded.
//! - (H + 3·2^51) − h is exact: a multiple of 2^B of at most 53 bits.
//! - l = a·b + that = 3·2^51 + r is exact for B ≤ 51: the doubles from 2^52 to 2^53 are the integers there.
//!
//! As integers, the bits of h are those of H and (a·b − r)/2^B more, and those of l are `LOW_BIAS` + r. Additions of integers
//! sum them without loss; the biases of many products are taken off at once. No operand is subnormal, infinite or no number.

use super::{by_intrinsics, token};
use core::arch::x86_64::*;
use zeroize::DefaultIsZeroes;

/// The instructions that add the parts of a product to sums: of a digit in every lane, with four digits in memory. The arguments are
/// the names of the operands, and the address. The assembly around it names the others.
macro_rules! add_product {
    ($digit:expr, $address:expr, $low:expr, $high:expr) => {
        concat!(
            "vmovapd {h}, {base}\n",
            "vfmadd231pd {h}, {",
            $digit,
            "}, ymmword ptr [",
            $address,
            "]\n",
            "vsubpd {l}, {bases}, {h}\n",
            "vpaddq {",
            $high,
            "}, {",
            $high,
            "}, {h}\n",
            "vfmadd231pd {l}, {",
            $digit,
            "}, ymmword ptr [",
            $address,
            "]\n",
            "vpaddq {",
            $low,
            "}, {",
            $low,
            "}, {l}\n",
        )
    };
}

mod rows;
mod sliding;
mod windows;
pub(crate) use rows::{MOST_VECTORS, Rows, Sums};
pub(crate) use sliding::{CELLS_BELOW, SUM_CELLS};
pub(crate) use windows::{bits_of, integer_of};

cpufeatures::new!(has_fma, "avx2", "fma");

/// The words of a vector.
pub(crate) const LANES: usize = 4;

/// Four words of 64 bits, the first in the lowest lane.
pub(crate) type Vector = __m256i;
/// Four doubles, likewise.
pub(crate) type Factor = __m256d;

/// Four words in memory.
#[derive(Clone, Copy, Default)]
#[repr(C, align(32))]
pub(crate) struct Line(pub(crate) [u64; LANES]);

impl DefaultIsZeroes for Line {}

/// A digit of each of four numbers in memory, as doubles.
#[derive(Clone, Copy, Default)]
#[repr(C, align(32))]
pub(crate) struct Digits(pub(crate) [f64; LANES]);

impl DefaultIsZeroes for Digits {}

/// 3·2^51.
const LOW_BASE: f64 = f64::from_bits(LOW_BIAS);
/// The bits of 3·2^51.
pub(crate) const LOW_BIAS: u64 = (1023 + 52) << 52 | 1 << 51;
/// The bits of 2^52, above which a double has an integer below 2^52 in its lowest bits.
const INTEGER_BIAS: u64 = (1023 + 52) << 52;

token!(
    /// The instruction set.
    Fma,
    "AVX2 and FMA",
    has_fma::get(),
    "avx2,fma"
);

impl Fma {
    /// The four words.
    #[inline(always)]
    pub(crate) fn load(self, words: &Line) -> Vector {
        // SAFETY: `self` exists only where the CPU has the instructions, and there are 4 aligned words.
        unsafe { _mm256_load_si256(words.0.as_ptr().cast()) }
    }

    /// Stores a in the four words.
    #[inline(always)]
    pub(crate) fn store(self, words: &mut Line, a: Vector) {
        // SAFETY: `self` exists only where the CPU has the instructions, and there are 4 aligned words.
        unsafe { _mm256_store_si256(words.0.as_mut_ptr().cast(), a) }
    }

    /// The four digits.
    #[inline(always)]
    pub(crate) fn load_digits(self, digits: &Digits) -> Factor {
        // SAFETY: `self` exists only where the CPU has the instructions, and there are 4 aligned doubles.
        unsafe { _mm256_load_pd(digits.0.as_ptr()) }
    }

    /// The four digits, as integers.
    #[inline(always)]
    pub(crate) fn load_integers(self, digits: &Digits) -> Vector {
        self.integer(self.load_digits(digits))
    }

    /// Stores a in the four digits.
    #[inline(always)]
    pub(crate) fn store_digits(self, digits: &mut Digits, a: Factor) {
        // SAFETY: `self` exists only where the CPU has the instructions, and there are 4 aligned doubles.
        unsafe { _mm256_store_pd(digits.0.as_mut_ptr(), a) }
    }

    /// The same mask, about which the optimiser knows nothing. If it knew that a lane has all bits or none, it would make a
    /// choice that is stored a store to some of the lanes, whose time depends on the mask.
    #[inline(always)]
    fn opaque(self, mask: Vector) -> Vector {
        // SAFETY: to be called only where the CPU has the registers.
        #[inline]
        #[target_feature(enable = "avx2")]
        unsafe fn opaque(mut mask: Vector) -> Vector {
            // SAFETY: no instruction is executed.
            unsafe {
                core::arch::asm!("/* {0} */", inout(ymm_reg) mask, options(pure, nomem, nostack, preserves_flags));
            }
            mask
        }
        // SAFETY: `self` exists only where the CPU has the instructions.
        unsafe { opaque(mask) }
    }

    by_intrinsics! {
        /// 0 in every lane.
        pub(crate) fn zero(self) -> Vector { _mm256_setzero_si256() }
        /// The word in every lane.
        pub(crate) fn splat(self, word: u64) -> Vector { _mm256_set1_epi64x(word as i64) }

        /// `LOW_BIAS` + r, and the bits of h, for the H with these bits.
        pub(crate) fn product<const H: u64>(self, a: Factor, b: Factor) -> (Vector, Vector) {
            let base = f64::from_bits(H);
            let high = _mm256_fmadd_pd(a, b, _mm256_set1_pd(base));
            let rest = _mm256_sub_pd(_mm256_set1_pd(base + LOW_BASE), high);
            let low = _mm256_fmadd_pd(a, b, rest);
            (_mm256_castpd_si256(low), _mm256_castpd_si256(high))
        }
        /// The doubles of the integers a < 2^52.
        pub(crate) fn factor(self, a: Vector) -> Factor {
            let bias = self.splat(INTEGER_BIAS);
            _mm256_sub_pd(_mm256_castsi256_pd(_mm256_or_si256(a, bias)), _mm256_castsi256_pd(bias))
        }
        /// The integers a < 2^52 of these doubles.
        pub(crate) fn integer(self, a: Factor) -> Vector {
            let bias = self.splat(INTEGER_BIAS);
            _mm256_xor_si256(_mm256_castpd_si256(_mm256_add_pd(a, _mm256_castsi256_pd(bias))), bias)
        }
        /// 2a.
        pub(crate) fn twice(self, a: Factor) -> Factor { _mm256_add_pd(a, a) }

        /// a + b mod 2^64.
        pub(crate) fn add(self, a: Vector, b: Vector) -> Vector { _mm256_add_epi64(a, b) }
        /// a − b mod 2^64.
        pub(crate) fn sub(self, a: Vector, b: Vector) -> Vector { _mm256_sub_epi64(a, b) }
        /// The bits that are set in both.
        pub(crate) fn and(self, a: Vector, b: Vector) -> Vector { _mm256_and_si256(a, b) }
        /// The bits that are set in either.
        pub(crate) fn or(self, a: Vector, b: Vector) -> Vector { _mm256_or_si256(a, b) }
        /// ⌊a/2^BITS⌋.
        pub(crate) fn shift_right<const BITS: i32>(self, a: Vector) -> Vector { _mm256_srli_epi64::<BITS>(a) }
        /// a·2^BITS mod 2^64.
        pub(crate) fn shift_left<const BITS: i32>(self, a: Vector) -> Vector { _mm256_slli_epi64::<BITS>(a) }
        /// ⌊a/2^bits⌋, 0 from 64 bits on.
        pub(crate) fn shift_right_by(self, a: Vector, bits: u32) -> Vector { _mm256_srl_epi64(a, _mm_cvtsi32_si128(bits as i32)) }
        /// a·2^bits mod 2^64, 0 from 64 bits on.
        pub(crate) fn shift_left_by(self, a: Vector, bits: u32) -> Vector { _mm256_sll_epi64(a, _mm_cvtsi32_si128(bits as i32)) }

        /// All bits where a = b, else none.
        pub(crate) fn is_equal(self, a: Vector, b: Vector) -> Vector { _mm256_cmpeq_epi64(a, b) }
        /// b where the mask has all bits, a where it has none.
        pub(crate) fn select(self, mask: Vector, a: Vector, b: Vector) -> Vector {
            let mask = self.opaque(mask);
            _mm256_or_si256(_mm256_andnot_si256(mask, a), _mm256_and_si256(mask, b))
        }
        /// The digits b where the mask has all bits, a where it has none.
        pub(crate) fn select_digits(self, mask: Vector, a: Factor, b: Factor) -> Factor {
            _mm256_castsi256_pd(self.select(mask, _mm256_castpd_si256(a), _mm256_castpd_si256(b)))
        }
        /// The digits b where the mask has all bits, a where it has none, for digits a that are 0 where it has all.
        pub(crate) fn fill_digits(self, mask: Vector, a: Factor, b: Factor) -> Factor {
            let mask = _mm256_castsi256_pd(self.opaque(mask));
            _mm256_or_pd(a, _mm256_and_pd(mask, b))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arch::tested::detect_or_say;
    use alloc::vec::Vec;

    /// Digits at the edges, and some between.
    fn digits(b: u32) -> Vec<u64> {
        let largest = (1 << b) - 1;
        let mixed = (1..40u64).map(|i| i.wrapping_mul(0x9e37_79b9_7f4a_7c15) & largest);
        let half = 1 << (b - 1);
        [0, 1, 2, 3, largest, largest - 1, half, half - 1, half + 1].into_iter().chain(mixed).collect()
    }

    #[test]
    fn a_product_is_exact_also_of_a_doubled_digit() {
        const POWER: u64 = (1023 + 103) << 52;
        const FIVE_QUARTERS: u64 = (1023 + 102) << 52 | 1 << 50;
        let Some(fma) = detect_or_say::<Fma>() else { return };
        check_products::<51, POWER>(fma, 0);
        check_products::<50, FIVE_QUARTERS>(fma, 1 << 14);
    }

    /// Digits may be negative, or larger than 2^B, by so much.
    fn check_products<const B: u32, const H: u64>(fma: Fma, more: u64) {
        let signed = digits(B).into_iter().flat_map(|digit| {
            let digit = digit as i64;
            [digit + more as i64, digit - (more as i64).min(digit + more as i64)]
        });
        let signed: Vec<i64> = signed.collect();
        for &a in &signed {
            for &b in &signed {
                for twice in [0, 1] {
                    let (a, b) = (a as f64, (b << twice) as f64);
                    let [x, y] = [a, b].map(|digit| fma.load_digits(&Digits([digit; LANES])));
                    let (low, high) = fma.product::<H>(x, y);
                    let mut lines = [Line::default(); 2];
                    fma.store(&mut lines[0], low);
                    fma.store(&mut lines[1], high);
                    for lane in 0..LANES {
                        let low = lines[0].0[lane].wrapping_sub(LOW_BIAS) as i64;
                        let high = lines[1].0[lane].wrapping_sub(H) as i64;
                        let product = (i128::from(high) << B) + i128::from(low);
                        assert_eq!(product, a as i128 * b as i128, "{a} {b}");
                        assert!(low.unsigned_abs() <= 1 << B);
                    }
                }
            }
        }
    }

    #[test]
    fn integers_become_doubles_and_integers_again() {
        let Some(fma) = detect_or_say::<Fma>() else { return };
        for a in digits(51).into_iter().chain([(1 << 52) - 1]) {
            let mut digit = Digits::default();
            fma.store_digits(&mut digit, fma.factor(fma.splat(a)));
            assert_eq!(digit.0, [a as f64; LANES]);
            let mut line = Line::default();
            fma.store(&mut line, fma.integer(fma.load_digits(&digit)));
            assert_eq!(line.0, [a; LANES]);
        }
    }
}
