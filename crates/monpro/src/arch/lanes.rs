//! The operations that the methods over GF(2)\[x\] need of an instruction set, on digits: vectors of 128-bit lanes.

use super::InstructionSet;

/// An instruction set with operations on digits.
///
/// A digit is a vector of L lanes, which is 2·L words or 128·L coefficients, the lowest first; X = x^(128·L). The
/// time of every operation depends on counts, but not on values.
pub(crate) trait Lanes: InstructionSet {
    /// A digit.
    type Digit: Copy;
    /// L.
    const LANES: usize;
    /// The words of a digit.
    const WORDS: usize = 2 * Self::LANES;

    /// The digit 0.
    fn zero(self) -> Self::Digit;
    /// Every word equal to `word`.
    fn splat(self, word: u64) -> Self::Digit;
    /// The first 2·L words.
    fn load(self, words: &[u64]) -> Self::Digit;
    /// Stores a in the first 2·L words.
    fn store(self, words: &mut [u64], a: Self::Digit);
    /// Word 0.
    fn word(self, a: Self::Digit) -> u64;

    /// a + b.
    fn xor(self, a: Self::Digit, b: Self::Digit) -> Self::Digit;
    /// a plus the lanes of b from lane I up.
    fn xor_from<const I: usize>(self, a: Self::Digit, b: Self::Digit) -> Self::Digit;
    /// a plus the lanes of b below lane I.
    fn xor_below<const I: usize>(self, a: Self::Digit, b: Self::Digit) -> Self::Digit;
    /// Each word of a where the words of `index` and `wanted` are equal, else 0.
    fn keep_if_equal(self, a: Self::Digit, index: Self::Digit, wanted: Self::Digit) -> Self::Digit;
    /// In each lane, the sum of its two words, as both words.
    fn fold(self, a: Self::Digit) -> Self::Digit;
    /// In each lane, the product of the low words.
    fn product_low(self, a: Self::Digit, b: Self::Digit) -> Self::Digit;
    /// In each lane, the product of the high words.
    fn product_high(self, a: Self::Digit, b: Self::Digit) -> Self::Digit;
    /// The squares of the words of the lower half of a.
    fn square_lower(self, a: Self::Digit) -> Self::Digit;
    /// The squares of the words of the upper half of a.
    fn square_upper(self, a: Self::Digit) -> Self::Digit;

    /// Word 0 as every word.
    fn broadcast_word(self, a: Self::Digit) -> Self::Digit;
    /// Lane I as every lane.
    fn broadcast<const I: usize>(self, a: Self::Digit) -> Self::Digit;
    /// Lane i moved to lane (i + I) mod L.
    fn rotate<const I: usize>(self, a: Self::Digit) -> Self::Digit;
    /// In each lane, the low word of a and above it the low word of b.
    fn low_words(self, a: Self::Digit, b: Self::Digit) -> Self::Digit;
    /// In each lane, the high word as the low word.
    fn next_words(self, a: Self::Digit) -> Self::Digit;
    /// The lower digit of (above·X + below)/x^128.
    fn down_lane(self, above: Self::Digit, below: Self::Digit) -> Self::Digit;
    /// The upper digit of (above·X + below)·x^128.
    fn up_lane(self, above: Self::Digit, below: Self::Digit) -> Self::Digit;
    /// The upper digit of (above·X + below)·x^64.
    fn up_word(self, above: Self::Digit, below: Self::Digit) -> Self::Digit;
    /// The lower digit of (above·X + below)/x^(64·count) for count ≤ 2·L; any digit for 2·L + 1.
    fn down_words(self, above: Self::Digit, below: Self::Digit, count: usize) -> Self::Digit;
    /// For each pair of words, the lower word of (high·x^64 + low)/x^bits, bits < 64.
    fn join_bits(self, high: Self::Digit, low: Self::Digit, bits: usize) -> Self::Digit;
    /// The first `count` words of a, then zeros, 0 < count ≤ 2·L.
    fn first_words(self, a: Self::Digit, count: usize) -> Self::Digit;
    /// The first `count` coefficients of a, then zeros, 0 < count ≤ 128·L.
    fn first_bits(self, a: Self::Digit, count: usize) -> Self::Digit;

    /// The lower digit of (above·X + below)/x^count, count ≤ 128·L.
    #[inline(always)]
    fn down_bits(self, above: Self::Digit, below: Self::Digit, count: usize) -> Self::Digit {
        // If `count` is a multiple of 64, all of `high` is shifted out.
        let low = self.down_words(above, below, count / 64);
        let high = self.down_words(above, below, count / 64 + 1);
        self.join_bits(high, low, count % 64)
    }
}
