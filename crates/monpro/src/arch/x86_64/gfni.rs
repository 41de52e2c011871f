//! GFNI: products and inverses in GF(2^8) modulo x⁸ + x⁴ + x³ + x + 1, and 8 × 8 matrices of bits, on 64 bytes at once.

use super::intrinsics::*;
use super::{AVX512_IN_SOFTWARE, token};

cpufeatures::new!(has_gfni, "gfni", "avx512f", "avx512bw");

token!(
    /// The instruction set.
    Gfni,
    "GFNI and AVX-512BW",
    (AVX512_IN_SOFTWARE || has_gfni::get()),
    "gfni,avx512f,avx512bw"
);

/// The matrix with these columns, whose bit i belongs to row i, as the instructions take it: the row of bit i is byte
/// 7 − i, and bit j of a row belongs to column j.
pub(crate) fn matrix(columns: [u8; 8]) -> u64 {
    let bit = |i: usize, j: usize| u64::from(columns[j] >> i & 1) << (8 * (7 - i) + j);
    (0..64).fold(0, |matrix, k| matrix | bit(k / 8, k % 8))
}

/// GF(2^16) over the field of AES, as the matrices of maps that are linear over GF(2). An element is x₀ + x₁·Y, and its
/// inverse is (u + x₁·Y)/(x₀·u + N·x₁²). `array_field/tower.rs` derives it.
#[derive(Clone, Copy)]
pub(crate) struct Tower {
    /// x₀, of the low and the high byte of an element.
    pub(crate) x0: [u64; 2],
    /// x₁, of the same.
    pub(crate) x1: [u64; 2],
    /// u, of the same.
    pub(crate) u: [u64; 2],
    /// N·x₁², of x₁.
    pub(crate) norm_of_x1: u64,
    /// The low byte of an element, of its x₀ and its x₁.
    pub(crate) low: [u64; 2],
    /// The high byte, of the same.
    pub(crate) high: [u64; 2],
}

impl Gfni {
    /// The bytes of a vector.
    pub(crate) const BYTES: usize = 64;

    /// For each pair of bytes, from(to(x)·to(y)), the product in the field of AES. A matrix has the row of bit i as its
    /// byte 7 − i, and bit j of a row belongs to bit j of the vector.
    #[inline(always)]
    pub(crate) fn products(
        self,
        to: u64,
        from: u64,
        x: &[u8; Gfni::BYTES],
        y: &[u8; Gfni::BYTES],
    ) -> [u8; Gfni::BYTES] {
        let mut z = [0; Gfni::BYTES];
        // SAFETY: `self` exists only where the CPU has the instructions, and each array has 64 bytes.
        unsafe {
            let to = _mm512_set1_epi64(to as i64);
            let x = _mm512_gf2p8affine_epi64_epi8::<0>(_mm512_loadu_si512(x.as_ptr().cast()), to);
            let y = _mm512_gf2p8affine_epi64_epi8::<0>(_mm512_loadu_si512(y.as_ptr().cast()), to);
            let product = _mm512_gf2p8mul_epi8(x, y);
            let z_vector = _mm512_gf2p8affine_epi64_epi8::<0>(product, _mm512_set1_epi64(from as i64));
            _mm512_storeu_si512(z.as_mut_ptr().cast(), z_vector);
        }
        z
    }

    /// For each byte, from(to(x)⁻¹), the inverse in the field of AES, where that of 0 is 0. Matrices are as above.
    #[inline(always)]
    pub(crate) fn inverses(self, to: u64, from: u64, x: &[u8; Gfni::BYTES]) -> [u8; Gfni::BYTES] {
        let mut z = [0; Gfni::BYTES];
        // SAFETY: `self` exists only where the CPU has the instructions, and each array has 64 bytes.
        unsafe {
            let (to, from) = (_mm512_set1_epi64(to as i64), _mm512_set1_epi64(from as i64));
            let x = _mm512_gf2p8affine_epi64_epi8::<0>(_mm512_loadu_si512(x.as_ptr().cast()), to);
            let z_vector = _mm512_gf2p8affineinv_epi64_epi8::<0>(x, from);
            _mm512_storeu_si512(z.as_mut_ptr().cast(), z_vector);
        }
        z
    }

    /// For each word, its inverse in the field of degree 16 that the matrices are of, where that of 0 is 0.
    #[inline(always)]
    pub(crate) fn inverses_in_tower(self, tower: &Tower, x: &[u16; Gfni::BYTES]) -> [u16; Gfni::BYTES] {
        const ODD: u64 = 0xaaaa_aaaa_aaaa_aaaa;
        let mut z = [0; Gfni::BYTES];
        // SAFETY: `self` exists only where the CPU has the instructions, and each array has two vectors of 32 words.
        unsafe {
            let times = |matrix: u64, bytes| {
                _mm512_gf2p8affine_epi64_epi8::<0>(bytes, _mm512_set1_epi64(matrix as i64))
            };
            let of_both =
                |[a, b]: [u64; 2], x: __m512i, y: __m512i| _mm512_xor_si512(times(a, x), times(b, y));
            // Words i and i + 32 are neighbours in the vectors of low and of high bytes.
            let first = _mm512_loadu_si512(x.as_ptr().cast());
            let second = _mm512_loadu_si512(x.as_ptr().add(32).cast());
            let low = _mm512_mask_blend_epi8(ODD, first, _mm512_slli_epi16::<8>(second));
            let high = _mm512_mask_blend_epi8(ODD, _mm512_srli_epi16::<8>(first), second);
            let x0 = of_both(tower.x0, low, high);
            let x1 = of_both(tower.x1, low, high);
            let u = of_both(tower.u, low, high);
            let norm = _mm512_xor_si512(_mm512_gf2p8mul_epi8(x0, u), times(tower.norm_of_x1, x1));
            let inverse = _mm512_gf2p8affineinv_epi64_epi8::<0>(norm, _mm512_set1_epi64(IDENTITY as i64));
            let z0 = _mm512_gf2p8mul_epi8(u, inverse);
            let z1 = _mm512_gf2p8mul_epi8(x1, inverse);
            let low = of_both(tower.low, z0, z1);
            let high = of_both(tower.high, z0, z1);
            let first = _mm512_mask_blend_epi8(ODD, low, _mm512_slli_epi16::<8>(high));
            let second = _mm512_mask_blend_epi8(ODD, _mm512_srli_epi16::<8>(low), high);
            _mm512_storeu_si512(z.as_mut_ptr().cast(), first);
            _mm512_storeu_si512(z.as_mut_ptr().add(32).cast(), second);
        }
        z
    }
}

/// The matrix that changes nothing.
const IDENTITY: u64 = 0x0102_0408_1020_4080;
