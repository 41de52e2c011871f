//! Sums of unreduced products over GF(2)\[x\].
#![allow(unsafe_code)]

use crate::ring::{BinaryPolynomials, Ring};

/// t += x·y for x and y of equal length and t of twice that length.
pub(super) type AddProduct = fn(t: &mut [u64], x: &[u64], y: &[u64]);

/// The fastest way on this CPU.
pub(super) fn fastest() -> AddProduct {
    #[cfg(target_arch = "x86_64")]
    if pclmulqdq::is_available() {
        return pclmulqdq::add_product;
    }
    add_product
}

/// Row by row, in portable code.
fn add_product(t: &mut [u64], x: &[u64], y: &[u64]) {
    let s = x.len();
    for i in 0..s {
        let mut c = 0;
        for j in 0..s {
            (c, t[i + j]) = BinaryPolynomials::<u64>::mul_add(t[i + j], x[j], y[i], c);
        }
        t[i + s] ^= c;
    }
}

#[cfg(target_arch = "x86_64")]
mod pclmulqdq {
    use core::arch::x86_64::{
        _mm_clmulepi64_si128, _mm_cvtsi64_si128, _mm_cvtsi128_si64, _mm_setzero_si128, _mm_unpackhi_epi64,
        _mm_xor_si128,
    };

    cpufeatures::new!(has_pclmulqdq, "pclmulqdq", "sse2");

    pub(super) fn is_available() -> bool {
        has_pclmulqdq::get()
    }

    pub(super) fn add_product(t: &mut [u64], x: &[u64], y: &[u64]) {
        assert!(is_available());
        // SAFETY: this CPU has the instructions.
        unsafe { by_columns(t, x, y) }
    }

    /// Column by column, so that a column's sum stays in a register.
    // SAFETY: to be called only where the CPU has the instructions.
    #[target_feature(enable = "pclmulqdq,sse2")]
    unsafe fn by_columns(t: &mut [u64], x: &[u64], y: &[u64]) {
        let s = x.len();
        for column in 0..2 * s - 1 {
            let first = column.saturating_sub(s - 1);
            let last = column.min(s - 1);
            let (high, low) =
                sum_of_products(x[first..=last].iter().zip(y[column - last..=column - first].iter().rev()));
            t[column] ^= low;
            t[column + 1] ^= high;
        }
    }

    /// (H, L) with H·x⁶⁴ + L = Σ a·b over the pairs.
    #[inline(always)]
    fn sum_of_products<'a>(pairs: impl Iterator<Item = (&'a u64, &'a u64)>) -> (u64, u64) {
        // SAFETY: called only by `by_columns`, where the CPU has the instructions.
        unsafe {
            let mut sum = _mm_setzero_si128();
            for (&a, &b) in pairs {
                let (a, b) = (_mm_cvtsi64_si128(a as i64), _mm_cvtsi64_si128(b as i64));
                sum = _mm_xor_si128(sum, _mm_clmulepi64_si128::<0>(a, b));
            }
            (_mm_cvtsi128_si64(_mm_unpackhi_epi64(sum, sum)) as u64, _mm_cvtsi128_si64(sum) as u64)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;
    use alloc::vec::Vec;

    #[test]
    fn the_fastest_way_agrees_with_portable_code() {
        let mut state = 1u64;
        let mut random = |length: usize| -> Vec<u64> {
            (0..length)
                .map(|_| {
                    state = state.wrapping_mul(0xd134_2543_de82_ef95).wrapping_add(1);
                    state ^ state >> 29
                })
                .collect()
        };
        for s in 1..=20 {
            let (x, y) = (random(s), random(s));
            let (mut t, mut expected) = (vec![u64::MAX; 2 * s], vec![u64::MAX; 2 * s]);
            fastest()(&mut t, &x, &y);
            add_product(&mut expected, &x, &y);
            assert_eq!(t, expected);
        }
    }
}
