//! MULGF2 by the instruction PCLMULQDQ, which \[koc97, §6\] could only predict: 64 × 64 coefficients at once.
#![allow(unsafe_code)]

use super::arithmetic::{Arithmetic, Constants};
use super::scanning::{self, ScanningMethod};
use super::{Kernel, Requirement};
use crate::ring::BinaryPolynomials;
use crate::ring::mulgf2::Mulgf2;
use crate::word::Word;
use core::arch::x86_64::{_mm_clmulepi64_si128, _mm_cvtsi64_si128, _mm_cvtsi128_si64, _mm_unpackhi_epi64};

cpufeatures::new!(has_pclmulqdq, "pclmulqdq", "sse2");

/// The CPUs that can run what is compiled here.
pub(super) const PCLMULQDQ: Requirement =
    Requirement { instructions: "PCLMULQDQ", is_met: || has_pclmulqdq::get() };

/// The kernel of a scanning method over GF(2)\[x\] with words W, multiplied by PCLMULQDQ.
pub(super) const fn scanning_by_instruction<M: ScanningMethod, W: Word>(name: &'static str) -> Kernel {
    Kernel {
        requires: PCLMULQDQ,
        product: product::<M, W>,
        square: square::<M, W>,
        arithmetic: Arithmetic::of::<BinaryPolynomials<W>>(),
        ..Kernel::scanning::<M, BinaryPolynomials<W>>(name)
    }
}

fn product<M: ScanningMethod, W: Word>(
    z: &mut [u64],
    x: &[u64],
    y: &[u64],
    constants: &Constants,
    t: &mut [u64],
) {
    // SAFETY: to be called only where the CPU has the instructions.
    #[target_feature(enable = "pclmulqdq,sse2")]
    unsafe fn compiled<M: ScanningMethod, W: Word>(
        z: &mut [u64],
        x: &[u64],
        y: &[u64],
        c: &Constants,
        t: &mut [u64],
    ) {
        scanning::product::<M, BinaryPolynomials<W, Instruction>>(z, x, y, c, t);
    }
    // SAFETY: constants exist only within a Modulus, which refuses a kernel whose Requirement is not met.
    unsafe { compiled::<M, W>(z, x, y, constants, t) }
}

fn square<M: ScanningMethod, W: Word>(z: &mut [u64], x: &[u64], constants: &Constants, t: &mut [u64]) {
    // SAFETY: to be called only where the CPU has the instructions.
    #[target_feature(enable = "pclmulqdq,sse2")]
    unsafe fn compiled<M: ScanningMethod, W: Word>(z: &mut [u64], x: &[u64], c: &Constants, t: &mut [u64]) {
        scanning::square::<M, BinaryPolynomials<W, Instruction>>(z, x, c, t);
    }
    // SAFETY: constants exist only within a Modulus, which refuses a kernel whose Requirement is not met.
    unsafe { compiled::<M, W>(z, x, constants, t) }
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
