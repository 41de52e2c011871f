//! An entry of a table in constant time, by wider vectors where the CPU has them.
#![allow(unsafe_code)]

use crate::monoid;

cpufeatures::new!(has_avx2, "avx2");

/// Entry `index` of the table, by reading all of it.
pub(in super::super) fn select(entry: &mut [u64], table: &[u64], index: u64) {
    // SAFETY: to be called only where the CPU has the instructions.
    #[target_feature(enable = "avx2")]
    unsafe fn compiled(entry: &mut [u64], table: &[u64], index: u64) {
        monoid::select(entry, table, index);
    }
    if has_avx2::get() {
        // SAFETY: the CPU has the instructions.
        unsafe { compiled(entry, table, index) }
    } else {
        monoid::select(entry, table, index);
    }
}
