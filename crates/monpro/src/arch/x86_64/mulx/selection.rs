//! Selects an entry of a table in constant time, by AVX2 where the CPU has it.

use crate::arch::x86_64::token;
use crate::arch::{InstructionSet, Task};
use crate::monoid::{self, select_parts};
use core::arch::x86_64::{
    __m256i, _mm256_add_epi64, _mm256_and_si256, _mm256_cmpeq_epi64, _mm256_loadu_si256, _mm256_or_si256,
    _mm256_set1_epi64x, _mm256_setzero_si256, _mm256_storeu_si256,
};

cpufeatures::new!(has_avx2, "avx2");

token!(
    /// Vectors of four words.
    Avx2,
    "AVX2",
    has_avx2::get(),
    "avx2"
);

/// The words of a vector.
const LANES: usize = 4;

/// entry = entry `index` of the table; the whole table is read.
pub(super) fn select(entry: &mut [u64], table: &[u64], index: u64) {
    match Avx2::detect() {
        Some(avx2) => avx2.run(Selection { entry, table, index }),
        None => monoid::select(entry, table, index),
    }
}

struct Selection<'a> {
    entry: &'a mut [u64],
    table: &'a [u64],
    index: u64,
}

impl Task<Avx2> for Selection<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self, avx2: Avx2) {
        let Selection { entry, table, index } = self;
        // As many vectors at a time as stay in registers.
        let start = avx2.select_part::<8>(entry, 0, table, index);
        let start = avx2.select_part::<4>(entry, start, table, index);
        let start = avx2.select_part::<2>(entry, start, table, index);
        let start = avx2.select_part::<1>(entry, start, table, index);
        select_parts::<1>(entry, start, table, index);
    }
}

impl Avx2 {
    /// Selects words of the entry from `start` on, K vectors at a time while that many are left; returns where it
    /// ends.
    #[inline(always)]
    fn select_part<const K: usize>(
        self,
        entry: &mut [u64],
        start: usize,
        table: &[u64],
        index: u64,
    ) -> usize {
        let width = entry.len();
        let mut rest = entry[start..].chunks_exact_mut(LANES * K);
        let mut place = start;
        for part in rest.by_ref() {
            // SAFETY: `self` exists only where the CPU has the instructions; every vector that is read or written lies
            // within a slice of K of them.
            unsafe {
                let (wanted, one) = (_mm256_set1_epi64x(index as i64), _mm256_set1_epi64x(1));
                let mut number = _mm256_setzero_si256();
                let mut found = [_mm256_setzero_si256(); K];
                for row in table.chunks_exact(width) {
                    let words = row[place..][..LANES * K].as_ptr().cast::<__m256i>();
                    let mask = _mm256_cmpeq_epi64(number, wanted);
                    for (k, vector) in found.iter_mut().enumerate() {
                        let chosen = _mm256_and_si256(mask, _mm256_loadu_si256(words.add(k)));
                        *vector = _mm256_or_si256(*vector, chosen);
                    }
                    number = _mm256_add_epi64(number, one);
                }
                for (k, vector) in found.into_iter().enumerate() {
                    _mm256_storeu_si256(part.as_mut_ptr().cast::<__m256i>().add(k), vector);
                }
            }
            place += LANES * K;
        }
        place
    }
}
