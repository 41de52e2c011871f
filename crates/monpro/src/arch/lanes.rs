//! What the methods over GF(2)\[x\] ask of an instruction set: digits that are vectors of lanes, 128 bits each.

use super::InstructionSet;

/// An instruction set with operations on digits.
///
/// A digit is a vector of L lanes, 2·L words or 128·L coefficients, the lowest first; X = x^(128·L). All operations take
/// a time independent of the values, though not of counts.
pub(crate) trait Lanes: InstructionSet {
    /// A digit.
    type Digit: Copy;
    /// L.
    const LANES: usize;
    /// The words of a digit.
    const WORDS: usize = 2 * Self::LANES;

    /// The digit 0.
    fn zero(self) -> Self::Digit;
    /// The word in every place.
    fn splat(self, word: u64) -> Self::Digit;
    /// The first 2·L words.
    fn load(self, words: &[u64]) -> Self::Digit;
    /// Stores a in the first 2·L words.
    fn store(self, words: &mut [u64], a: Self::Digit);
    /// Word 0.
    fn word(self, a: Self::Digit) -> u64;

    /// a + b.
    fn xor(self, a: Self::Digit, b: Self::Digit) -> Self::Digit;
    /// a with the lanes of b from lane I up added.
    fn xor_from<const I: usize>(self, a: Self::Digit, b: Self::Digit) -> Self::Digit;
    /// a with the lanes of b below lane I added.
    fn xor_below<const I: usize>(self, a: Self::Digit, b: Self::Digit) -> Self::Digit;
    /// In each place, the word of a where that of `index` is that of `wanted`, else 0.
    fn keep_if_equal(self, a: Self::Digit, index: Self::Digit, wanted: Self::Digit) -> Self::Digit;
    /// In each lane, in both words, the sum of its words.
    fn fold(self, a: Self::Digit) -> Self::Digit;
    /// In each lane, the product of the low words.
    fn product_low(self, a: Self::Digit, b: Self::Digit) -> Self::Digit;
    /// In each lane, the product of the high words.
    fn product_high(self, a: Self::Digit, b: Self::Digit) -> Self::Digit;
    /// The squares of the words of the lower half of a.
    fn square_lower(self, a: Self::Digit) -> Self::Digit;
    /// The squares of the words of the upper half of a.
    fn square_upper(self, a: Self::Digit) -> Self::Digit;

    /// Word 0 in every place.
    fn broadcast_word(self, a: Self::Digit) -> Self::Digit;
    /// Lane I in every lane.
    fn broadcast<const I: usize>(self, a: Self::Digit) -> Self::Digit;
    /// Lane i moved to lane (i + I) mod L.
    fn rotate<const I: usize>(self, a: Self::Digit) -> Self::Digit;
    /// In each lane, the high word in the place of the low one.
    fn next_words(self, a: Self::Digit) -> Self::Digit;
    /// The lower digit of (above·X + below)/x^128.
    fn down_lane(self, above: Self::Digit, below: Self::Digit) -> Self::Digit;
    /// The upper digit of (above·X + below)·x^128.
    fn up_lane(self, above: Self::Digit, below: Self::Digit) -> Self::Digit;
    /// The upper digit of (above·X + below)·x^64.
    fn up_word(self, above: Self::Digit, below: Self::Digit) -> Self::Digit;
    /// The lower digit of (above·X + below)/x^(64·count) for count ≤ 2·L; any digit for 2·L + 1.
    fn down_words(self, above: Self::Digit, below: Self::Digit, count: usize) -> Self::Digit;
    /// In each place, the lower word of (high·x^64 + low)/x^bits, bits < 64.
    fn join_bits(self, high: Self::Digit, low: Self::Digit, bits: usize) -> Self::Digit;
    /// The first `count` words of a, then zeros, 0 < count ≤ 2·L.
    fn first_words(self, a: Self::Digit, count: usize) -> Self::Digit;
    /// The first `count` coefficients of a, then zeros, 0 < count ≤ 128·L.
    fn first_bits(self, a: Self::Digit, count: usize) -> Self::Digit;

    /// The lower digit of (above·X + below)/x^count, count ≤ 128·L.
    #[inline(always)]
    fn down_bits(self, above: Self::Digit, below: Self::Digit, count: usize) -> Self::Digit {
        // Where whole words are moved, `high` is moved out.
        let low = self.down_words(above, below, count / 64);
        let high = self.down_words(above, below, count / 64 + 1);
        self.join_bits(high, low, count % 64)
    }
}
