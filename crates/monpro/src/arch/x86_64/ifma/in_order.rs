//! Instructions that the compiler keeps in program order; it only allocates the registers.
//!
//! Otherwise the compiler sorts hundreds of products by its model of latency, and loads their factors so early that
//! they do not fit the registers.

use super::{Ifma, LANES, Vector};
#[cfg(avx512_in_software)]
use crate::arch::x86_64::intrinsics::*;
#[cfg(not(avx512_in_software))]
use core::arch::asm;

/// The instruction set, in order.
#[derive(Clone, Copy)]
pub(crate) struct InOrder(Ifma);

impl Ifma {
    /// The same instructions, in order.
    #[inline(always)]
    pub(crate) fn in_order(self) -> InOrder {
        InOrder(self)
    }
}

/// Defines methods of one instruction each, or where AVX-512 is in software, of what it computes by intrinsics. An `asm!`
/// without the option `pure` is neither removed nor moved past another.
macro_rules! by_instruction {
    ($(
        $(#[$documentation:meta])*
        fn $name:ident $(<$(const $i:ident: usize),*>)? ($($argument:ident: $kind:ty),*)
            $(where $condition:expr)? => $result:ident = $instruction:literal [$($operand:tt)*] or $by_intrinsics:expr;
    )*) => {$(
        $(#[$documentation])*
        #[inline(always)]
        pub(crate) fn $name $(<$(const $i: usize),*>)? (self, $($argument: $kind),*) -> Vector {
            // SAFETY: to be called only where the CPU has the instruction, and where the condition holds.
            #[cfg(not(avx512_in_software))]
            #[inline]
            #[target_feature(enable = "avx512f,avx512ifma")]
            unsafe fn execute $(<$(const $i: usize),*>)? ($($argument: $kind),*) -> Vector {
                let $result;
                // SAFETY: the instruction is there, and reads only what there is.
                unsafe {
                    asm!($instruction, $($operand)*, options(readonly, nostack, preserves_flags));
                }
                $result
            }
            $(assert!($condition);)?
            // SAFETY: `self` exists only where the CPU has the instructions.
            #[cfg(not(avx512_in_software))]
            unsafe {
                execute $(::<$($i),*>)? ($($argument),*)
            }
            #[cfg(avx512_in_software)]
            $by_intrinsics
        }
    )*};
}

pub(super) use by_instruction;

impl InOrder {
    by_instruction! {
        /// Words 8·VECTOR − BELOW … 8·VECTOR − BELOW + 7 of a number with 8 words of padding below word 0.
        fn load<const VECTOR: usize, const BELOW: usize>(padded: &[u64])
            where BELOW <= LANES && padded.len() >= LANES * (VECTOR + 2) - BELOW
            => result = "vmovdqu64 {}, [{} + {}]"
            [lateout(zmm_reg) result, in(reg) padded.as_ptr(), const 8 * (LANES * (VECTOR + 1) - BELOW)]
            or load(&padded[LANES * (VECTOR + 1) - BELOW..]);
        /// Word 8·VECTOR + PLACE in every lane.
        fn splat<const VECTOR: usize, const PLACE: usize>(words: &[u64])
            where words.len() > LANES * VECTOR + PLACE
            => result = "vpbroadcastq {}, [{} + {}]"
            [lateout(zmm_reg) result, in(reg) words.as_ptr(), const 8 * (LANES * VECTOR + PLACE)]
            or _mm512_set1_epi64(words[LANES * VECTOR + PLACE] as i64);
        /// In each lane, the word of a whose index `places` has in this lane.
        fn choose(places: Vector, a: Vector)
            => result = "vpermq {}, {}, {}" [lateout(zmm_reg) result, in(zmm_reg) places, in(zmm_reg) a]
            or _mm512_permutexvar_epi64(places, a);
        /// The highest COUNT words of `below`, then the lower ones of `above`, for COUNT from 1 to 7.
        fn align<const COUNT: usize>(above: Vector, below: Vector)
            => result = "valignq {}, {}, {}, {}"
            [lateout(zmm_reg) result, in(zmm_reg) above, in(zmm_reg) below, const LANES - COUNT]
            or _mm512_permutex2var_epi64(below, places_from(LANES - COUNT), above);
        /// c + (a·b mod 2^52), of the lowest 52 bits of each word of a and b.
        fn add_product_low(c: Vector, a: Vector, b: Vector)
            => result = "vpmadd52luq {}, {}, {}" [inout(zmm_reg) c => result, in(zmm_reg) a, in(zmm_reg) b]
            or _mm512_madd52lo_epu64(c, a, b);
        /// c + ⌊a·b/2^52⌋, likewise.
        fn add_product_high(c: Vector, a: Vector, b: Vector)
            => result = "vpmadd52huq {}, {}, {}" [inout(zmm_reg) c => result, in(zmm_reg) a, in(zmm_reg) b]
            or _mm512_madd52hi_epu64(c, a, b);
    }
}

/// The first eight words.
#[cfg(avx512_in_software)]
#[inline(always)]
pub(super) fn load(words: &[u64]) -> Vector {
    // SAFETY: there are 8 words.
    unsafe { _mm512_loadu_si512(words[..LANES].as_ptr().cast()) }
}

/// The numbers `first` … `first` + 7.
#[cfg(avx512_in_software)]
#[inline(always)]
fn places_from(first: usize) -> Vector {
    _mm512_add_epi64(_mm512_setr_epi64(0, 1, 2, 3, 4, 5, 6, 7), _mm512_set1_epi64(first as i64))
}
