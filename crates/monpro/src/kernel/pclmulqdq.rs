//! MULGF2 by the instruction PCLMULQDQ, which \[koc97, §6\] could only predict: 64 × 64 coefficients at once.
#![allow(unsafe_code)]

use super::contract::{Constants, Kernel, Requirement};
use super::scanning::{self, ScanningMethod};
use crate::ring::mulgf2::Mulgf2;
use crate::ring::{BinaryPolynomials, Ring};
use crate::word::Word;
use core::arch::x86_64::{_mm_clmulepi64_si128, _mm_cvtsi64_si128, _mm_cvtsi128_si64, _mm_unpackhi_epi64};

cpufeatures::new!(has_pclmulqdq, "pclmulqdq", "sse2");
cpufeatures::new!(has_pclmulqdq_avx2, "pclmulqdq", "avx2");

/// The CPUs that can run what is compiled here.
pub(super) const PCLMULQDQ: Requirement =
    Requirement { instructions: "PCLMULQDQ", is_met: || has_pclmulqdq::get() };

/// The CPUs that can run what is compiled here for vectors.
const PCLMULQDQ_AVX2: Requirement =
    Requirement { instructions: "PCLMULQDQ, AVX2", is_met: || has_pclmulqdq_avx2::get() };

/// The kernel of a scanning method over GF(2)\[x\] with words W, multiplied by PCLMULQDQ.
pub(super) const fn scanning_by_instruction<M: ScanningMethod, W: Word>(name: &'static str) -> Kernel {
    Kernel {
        requires: PCLMULQDQ,
        product: narrow::product::<M, BinaryPolynomials<W, Instruction>>,
        square: narrow::square::<M, BinaryPolynomials<W, Instruction>>,
        ..scanning::kernel::<M, BinaryPolynomials<W>>(name)
    }
}

/// The kernel of a scanning method over GF(2)\[x\] with words W, multiplied by F, for a compiler that may use AVX2.
pub(super) const fn on_vectors<M: ScanningMethod, W: Word, F: Mulgf2<W>>(name: &'static str) -> Kernel {
    Kernel {
        requires: PCLMULQDQ_AVX2,
        product: wide::product::<M, BinaryPolynomials<W, F>>,
        square: wide::square::<M, BinaryPolynomials<W, F>>,
        ..scanning::kernel::<M, BinaryPolynomials<W>>(name)
    }
}

/// The same, multiplied by PCLMULQDQ.
pub(super) const fn on_vectors_by_instruction<M: ScanningMethod, W: Word>(name: &'static str) -> Kernel {
    on_vectors::<M, W, Instruction>(name)
}

/// The product and the square of a scanning method, compiled for these instructions.
macro_rules! compiled_for {
    ($instructions:literal) => {
        use super::*;

        pub(super) fn product<M: ScanningMethod, R: Ring>(
            z: &mut [u64],
            x: &[u64],
            y: &[u64],
            constants: &Constants,
            t: &mut [u64],
        ) {
            // SAFETY: to be called only where the CPU has the instructions.
            #[target_feature(enable = $instructions)]
            unsafe fn compiled<M: ScanningMethod, R: Ring>(
                z: &mut [u64],
                x: &[u64],
                y: &[u64],
                c: &Constants,
                t: &mut [u64],
            ) {
                scanning::product::<M, R>(z, x, y, c, t);
            }
            // SAFETY: constants exist only within a Modulus, which refuses a kernel whose Requirement is not met.
            unsafe { compiled::<M, R>(z, x, y, constants, t) }
        }

        pub(super) fn square<M: ScanningMethod, R: Ring>(
            z: &mut [u64],
            x: &[u64],
            constants: &Constants,
            t: &mut [u64],
        ) {
            // SAFETY: to be called only where the CPU has the instructions.
            #[target_feature(enable = $instructions)]
            unsafe fn compiled<M: ScanningMethod, R: Ring>(
                z: &mut [u64],
                x: &[u64],
                c: &Constants,
                t: &mut [u64],
            ) {
                scanning::square::<M, R>(z, x, c, t);
            }
            // SAFETY: constants exist only within a Modulus, which refuses a kernel whose Requirement is not met.
            unsafe { compiled::<M, R>(z, x, constants, t) }
        }
    };
}

mod narrow {
    compiled_for!("pclmulqdq,sse2");
}

mod wide {
    compiled_for!("pclmulqdq,avx2");
}

/// PCLMULQDQ. Private to this file, whose kernels run only where the CPU has the instruction.
struct Instruction;

impl<W: Word> Mulgf2<W> for Instruction {
    #[inline(always)]
    fn mulgf2(a: W, b: W) -> (W, W) {
        let (high, low) = carryless_product(a.widen(), b.widen());
        if W::BITS == 64 {
            return (W::truncate(high), W::truncate(low));
        }
        (W::truncate(low >> W::BITS), W::truncate(low))
    }
}

/// (H, L) with H·x⁶⁴ + L = a·b.
#[inline(always)]
fn carryless_product(a: u64, b: u64) -> (u64, u64) {
    // SAFETY: only the functions `compiled` above come here, and they run where the CPU has the instructions.
    unsafe {
        let product = _mm_clmulepi64_si128::<0>(_mm_cvtsi64_si128(a as i64), _mm_cvtsi64_si128(b as i64));
        let high = _mm_unpackhi_epi64(product, product);
        (_mm_cvtsi128_si64(high) as u64, _mm_cvtsi128_si64(product) as u64)
    }
}
