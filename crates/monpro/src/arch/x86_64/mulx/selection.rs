//! Selects an entry of a table in constant time, by AVX2 where the CPU has it.

use crate::arch::x86_64::token;
use crate::arch::{InstructionSet, Task};
use crate::monoid::{self, Temporary, select_parts};
use core::arch::x86_64::{
    __m256i, _mm_add_epi64, _mm_and_si128, _mm_cmpeq_epi64, _mm_loadu_si128, _mm_or_si128, _mm_set1_epi64x,
    _mm_setzero_si128, _mm_storeu_si128, _mm256_add_epi64, _mm256_and_si256, _mm256_cmpeq_epi64,
    _mm256_loadu_si256, _mm256_or_si256, _mm256_set1_epi64x, _mm256_setzero_si256, _mm256_storeu_si256,
};
use core::ops::Range;

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
    let words = 0..entry.len();
    select_words(entry, words, table, index);
}

/// Calls `take` with entry `index` of the table, whose entries have `width` words, for one index after the other. The whole
/// table is read for each. The loop is compiled for AVX2, so that a selection begins while `take` still runs.
pub(super) fn for_each_entry(
    width: usize,
    table: &[u64],
    indices: impl Iterator<Item = u64>,
    take: impl FnMut(&[u64]),
) {
    let entry = &mut Temporary::new(width);
    match Avx2::detect() {
        Some(avx2) => avx2.run(ForEachEntry { entry, table, indices, take }),
        None => monoid::for_each_entry(entry, table, indices, take),
    }
}

/// As [`select`], where only these words of the entry are to be read, because it has the others already.
pub(crate) fn select_words(entry: &mut [u64], words: Range<usize>, table: &[u64], index: u64) {
    match Avx2::detect() {
        Some(avx2) => avx2.run(Selection { entry, words, table, index }),
        None => monoid::select(entry, table, index),
    }
}

struct Selection<'a> {
    entry: &'a mut [u64],
    words: Range<usize>,
    table: &'a [u64],
    index: u64,
}

impl Task<Avx2> for Selection<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self, avx2: Avx2) {
        let Selection { entry, words, table, index } = self;
        if words.len() < entry.len() {
            avx2.select_parts(entry, words, table, index);
        } else {
            avx2.select(entry, table, index);
        }
    }
}

struct ForEachEntry<'a, Indices, Take> {
    entry: &'a mut [u64],
    table: &'a [u64],
    indices: Indices,
    take: Take,
}

impl<Indices: Iterator<Item = u64>, Take: FnMut(&[u64])> Task<Avx2> for ForEachEntry<'_, Indices, Take> {
    type Output = ();

    #[inline(always)]
    fn run(self, avx2: Avx2) {
        let ForEachEntry { entry, table, indices, mut take } = self;
        for index in indices {
            avx2.select(entry, table, index);
            take(entry);
        }
    }
}

/// Calls `take` with each row of `width` words, four in each turn of the loop while there are four. By loops, since the compiler
/// does not put each iterator's methods into code for AVX2.
#[inline(always)]
fn for_each_row(table: &[u64], width: usize, mut take: impl FnMut(&[u64])) {
    let mut rest = table;
    while let Some((four, more)) = rest.split_at_checked(4 * width) {
        for k in 0..4 {
            take(&four[k * width..][..width]);
        }
        rest = more;
    }
    while let Some((row, more)) = rest.split_at_checked(width) {
        take(row);
        rest = more;
    }
}

impl Avx2 {
    #[inline(always)]
    fn select(self, entry: &mut [u64], table: &[u64], index: u64) {
        match entry.len() {
            3 => self.select_three(entry, table, index),
            4 => self.select_few::<1>(entry, table, index),
            5..=8 => self.select_few::<2>(entry, table, index),
            9..=12 => self.select_few::<3>(entry, table, index),
            width => self.select_parts(entry, 0..width, table, index),
        }
    }

    /// Selects these words of the entry, as many vectors at a time as stay in registers.
    #[inline(always)]
    fn select_parts(self, entry: &mut [u64], words: Range<usize>, table: &[u64], index: u64) {
        let words = self.select_part::<8>(entry, words, table, index);
        let words = self.select_part::<4>(entry, words, table, index);
        let words = self.select_part::<2>(entry, words, table, index);
        let words = self.select_part::<1>(entry, words, table, index);
        if !words.is_empty() {
            select_parts::<1>(entry, words.start, table, index);
        }
    }

    /// Selects an entry of 4 to 4·V words in one pass over the table. The last vector ends with the entry, so that it may
    /// overlap the one before.
    #[inline(always)]
    fn select_few<const V: usize>(self, entry: &mut [u64], table: &[u64], index: u64) {
        let width = entry.len();
        assert!((LANES..=LANES * V).contains(&width) && width > LANES * (V - 1));
        let places: [usize; V] = core::array::from_fn(|k| (LANES * k).min(width - LANES));
        // SAFETY: `self` exists only where the CPU has the instructions; every vector that is read or written begins at least
        // a vector before the end of a slice of `width` words.
        unsafe {
            let (wanted, one) = (_mm256_set1_epi64x(index as i64), _mm256_set1_epi64x(1));
            let mut number = _mm256_setzero_si256();
            let mut found = [_mm256_setzero_si256(); V];
            for_each_row(table, width, |row| {
                let mask = _mm256_cmpeq_epi64(number, wanted);
                for (vector, place) in found.iter_mut().zip(places) {
                    let words = row.as_ptr().add(place).cast::<__m256i>();
                    *vector = _mm256_or_si256(*vector, _mm256_and_si256(mask, _mm256_loadu_si256(words)));
                }
                number = _mm256_add_epi64(number, one);
            });
            for (vector, place) in found.into_iter().zip(places) {
                _mm256_storeu_si256(entry.as_mut_ptr().add(place).cast::<__m256i>(), vector);
            }
        }
    }

    /// Selects an entry of 3 words in one pass over the table, by two half vectors that overlap.
    #[inline(always)]
    fn select_three(self, entry: &mut [u64], table: &[u64], index: u64) {
        let entry: &mut [u64; 3] = entry.try_into().expect("the entry has 3 words");
        // SAFETY: `self` exists only where the CPU has the instructions; each half vector that is read or written begins with
        // word 0 or 1 of 3 words.
        unsafe {
            let (wanted, one) = (_mm_set1_epi64x(index as i64), _mm_set1_epi64x(1));
            let (mut number, mut lower, mut upper) =
                (_mm_setzero_si128(), _mm_setzero_si128(), _mm_setzero_si128());
            for_each_row(table, 3, |row| {
                let mask = _mm_cmpeq_epi64(number, wanted);
                let words = row.as_ptr();
                lower = _mm_or_si128(lower, _mm_and_si128(mask, _mm_loadu_si128(words.cast())));
                upper = _mm_or_si128(upper, _mm_and_si128(mask, _mm_loadu_si128(words.add(1).cast())));
                number = _mm_add_epi64(number, one);
            });
            _mm_storeu_si128(entry.as_mut_ptr().cast(), lower);
            _mm_storeu_si128(entry.as_mut_ptr().add(1).cast(), upper);
        }
    }

    /// Selects these words of the entry, K vectors at a time while that many are left; returns what is left.
    #[inline(always)]
    fn select_part<const K: usize>(
        self,
        entry: &mut [u64],
        words: Range<usize>,
        table: &[u64],
        index: u64,
    ) -> Range<usize> {
        let width = entry.len();
        let mut rest = entry[words.clone()].chunks_exact_mut(LANES * K);
        let mut place = words.start;
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
        place..words.end
    }
}
