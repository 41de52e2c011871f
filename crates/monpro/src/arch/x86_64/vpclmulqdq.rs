//! The test for VPCLMULQDQ, for any width of vectors.

use core::arch::x86_64::__cpuid_count;
use core::sync::atomic::{AtomicU8, Ordering};

/// The bit of CPUID, leaf 7, ECX.
const VPCLMULQDQ: u32 = 1 << 10;

/// Whether this CPU has VPCLMULQDQ. To be called only on a CPU with AVX2, which has leaf 7.
///
/// `cpufeatures` detects VPCLMULQDQ too, but reports it missing where the operating system does not save 512-bit
/// registers, and so on every CPU that has the instruction for 256 bits alone.
#[inline]
pub(super) fn is_there() -> bool {
    const UNKNOWN: u8 = 2;
    static ANSWER: AtomicU8 = AtomicU8::new(UNKNOWN);
    match ANSWER.load(Ordering::Relaxed) {
        UNKNOWN => {
            // Compilers differ on whether this intrinsic, which every x86-64 CPU has, is unsafe.
            #[allow(unused_unsafe)]
            // SAFETY: a CPU with AVX2 has CPUID and its leaf 7.
            let leaf = unsafe { __cpuid_count(7, 0) };
            let answer = leaf.ecx & VPCLMULQDQ != 0;
            ANSWER.store(u8::from(answer), Ordering::Relaxed);
            answer
        }
        answer => answer == 1,
    }
}
