//! Whether the memory for a computation can be had, asked before it begins.
//!
//! The arithmetic allocates by Rust's ordinary means, which end the program if there is no memory. So the sum of what
//! it is about to allocate is allocated here first, by a call that can fail, and is given back.

use crate::status::MonproStatus;
use std::hint::black_box;

/// The largest number of words that is not asked for. A program that cannot have them is at its end anyway.
const UNASKED: usize = (1 << 20) / 8;

/// The lengths in bytes of the numbers of a power.
pub(crate) struct Lengths {
    pub(crate) base: usize,
    pub(crate) exponent: usize,
    pub(crate) modulus: usize,
}

impl Lengths {
    /// Those of base, exponent and modulus.
    pub(crate) fn of([base, exponent, modulus]: &[&[u8]; 3]) -> Lengths {
        Lengths { base: base.len(), exponent: exponent.len(), modulus: modulus.len() }
    }

    /// A modulus for which no power is computed yet.
    pub(crate) fn of_modulus(modulus: usize) -> Lengths {
        Lengths { base: 0, exponent: 0, modulus }
    }

    /// At least as many words as the power takes at any time.
    ///
    /// The table has at most 256 powers of the base, and no more than the exponent has bits. A modulus has about a
    /// dozen constants, and scratch as long as a few of them. A vector of limbs of 52 bits is up to half as long
    /// again.
    pub(crate) fn words(&self) -> usize {
        let [base, exponent, modulus] =
            [self.base, self.exponent, self.modulus].map(|bytes| bytes.div_ceil(8));
        let powers = (8 * self.exponent).clamp(2, 256) + 24;
        powers * (modulus + modulus / 2) + 4 * base + 4 * exponent
    }

    /// The same in variable time, where the windows of the exponent are listed: three words for every few bits, sorted
    /// with the help of half as many.
    pub(crate) fn words_vartime(&self) -> usize {
        self.words() + 8 * self.exponent
    }

    /// At least as many words as a product of powers takes at any time, of terms with these lengths of base and exponent.
    /// Each has a table of its own, and all tables have at most `MOST_TABLE_WORDS` together unless one is larger.
    pub(crate) fn words_of_terms(terms: &[(usize, usize)], modulus: usize) -> usize {
        const MOST_TABLE_WORDS: usize = 1 << 24;
        let exponent = terms.iter().map(|&(_, exponent)| exponent).max().unwrap_or(0);
        let base = terms.iter().map(|&(base, _)| base).max().unwrap_or(0);
        let one = Lengths { base, exponent, modulus }.words_vartime();
        let number = |&(_, exponent): &(usize, usize)| exponent.div_ceil(8) * 9 + modulus / 4 + 64;
        let tables = one.saturating_mul(terms.len()).min(one + MOST_TABLE_WORDS + MOST_TABLE_WORDS / 2);
        terms.iter().map(number).sum::<usize>() + tables
    }

    /// The same for a batch: all numbers, and the work on eight of the largest at a time.
    pub(crate) fn words_of_batch(tasks: &[Lengths]) -> usize {
        let numbers = |task: &Lengths| (task.base + task.exponent + 4 * task.modulus) / 8 + 64;
        let all: usize = tasks.iter().map(numbers).sum();
        all + 8 * tasks.iter().map(Lengths::words).max().unwrap_or(0)
    }
}

/// An error if that many words of memory cannot be had.
pub(crate) fn reserve(words: usize) -> Result<(), MonproStatus> {
    if words <= UNASKED {
        return Ok(());
    }
    let mut space: Vec<u64> = Vec::new();
    space.try_reserve_exact(words).map_err(|_| MonproStatus::OutOfMemory)?;
    // Seen by nobody, the allocation could be left out.
    black_box(space.as_ptr());
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_of_a_power_are_those_of_table_constants_and_numbers() {
        let words = |base, exponent, modulus| Lengths { base, exponent, modulus }.words();
        // 256 powers and 24 constants, of one word and a half for every word of the modulus.
        assert_eq!(words(0, 32, 800), 280 * 150 + 4 * 4);
        assert_eq!(words(0, 1000, 800), 280 * 150 + 4 * 125);
        // 2⁸ possible exponents of one byte take 8 powers; without an exponent there are two.
        assert_eq!(words(0, 1, 800), 32 * 150 + 4);
        assert_eq!(words(17, 0, 800), 26 * 150 + 4 * 3);
        assert_eq!(Lengths::of_modulus(800).words(), 26 * 150);
        assert_eq!(Lengths { base: 17, exponent: 33, modulus: 0 }.words_vartime(), 4 * 3 + 4 * 5 + 8 * 33);
    }

    #[test]
    fn the_words_of_a_batch_are_all_numbers_and_the_work_on_eight() {
        let [short, long] = [80, 800].map(|modulus| Lengths { base: 16, exponent: 32, modulus });
        let most = 8 * long.words();
        assert_eq!(
            Lengths::words_of_batch(&[short, long]),
            (48 + 320) / 8 + 64 + (48 + 3200) / 8 + 64 + most
        );
        assert_eq!(Lengths::words_of_batch(&[]), 0);
    }

    #[test]
    fn memory_is_asked_for_where_it_may_be_missing() {
        assert_eq!(reserve(UNASKED), Ok(()));
        assert_eq!(reserve(UNASKED + 1), Ok(()));
        assert_eq!(reserve(usize::MAX), Err(MonproStatus::OutOfMemory));
        assert_eq!(UNASKED, 131_072);
    }

    #[test]
    fn the_words_of_terms_are_their_digits_and_tables_up_to_a_bound() {
        let one = Lengths { base: 40, exponent: 33, modulus: 800 }.words_vartime();
        let numbers = (5 * 9 + 200 + 64) + (9 + 200 + 64);
        assert_eq!(Lengths::words_of_terms(&[(16, 33), (40, 8)], 800), numbers + 2 * one);
        assert_eq!(Lengths::words_of_terms(&[], 800), 0);
        let one = Lengths { base: 512, exponent: 512, modulus: 512 }.words_vartime();
        let numbers = 100_000 * (64 * 9 + 128 + 64);
        assert_eq!(Lengths::words_of_terms(&vec![(512, 512); 100_000], 512), numbers + one + (3 << 23));
    }
}
