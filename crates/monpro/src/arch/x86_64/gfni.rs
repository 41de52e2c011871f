//! GFNI: products and inverses in GF(2^8) modulo x⁸ + x⁴ + x³ + x + 1, and 8 × 8 matrices of bits, on 64 bytes at once.

use super::token;
use core::arch::x86_64::*;

cpufeatures::new!(has_gfni, "gfni", "avx512f", "avx512bw");

token!(
    /// The instruction set.
    Gfni,
    "GFNI and AVX-512BW",
    has_gfni::get(),
    "gfni,avx512f,avx512bw"
);

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
}
