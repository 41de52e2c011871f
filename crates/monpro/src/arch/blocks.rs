//! The operations that operand scanning needs of an instruction set: in blocks of 4 and 8 words, and on a few words.

use super::InstructionSet;

/// An instruction set with operations on blocks of words. W = 2⁶⁴.
///
/// The time of every operation depends on lengths, but not on values.
pub(crate) trait Blocks: InstructionSet {
    /// The numbers of words for which there are short products, in order.
    const SHORT: &'static [usize];
    /// The words of scratch for a short product.
    const SHORT_SCRATCH: usize;

    /// z = x·y·W⁻ˢ mod n for x·y < n·W^s, where s is in [`Blocks::SHORT`]; the modulus is n with −n⁻¹ mod W².
    fn multiply_short(self, z: &mut [u64], factors: [&[u64]; 2], modulus: (&[u64], u128), t: &mut [u64]);
    /// z = x^(2^times)·W^(s − s·2^times) mod n, likewise, for times ≥ 1 and x < n; without an x, the same of z.
    fn square_short(
        self,
        z: &mut [u64],
        x: Option<&[u64]>,
        times: usize,
        modulus: (&[u64], u128),
        t: &mut [u64],
    );
    /// z = z^(2^times)·y·W^(−s·2^times) mod n, likewise, for times ≥ 1, z < n and y < W^s.
    fn append_short(self, z: &mut [u64], times: usize, y: &[u64], modulus: (&[u64], u128), t: &mut [u64]);

    /// t = x·y for a y of m ≥ 4 words, a multiple of 4, and a t of m + 8 words.
    fn multiply_8(self, t: &mut [u64], x: &[u64; 8], y: &[u64]);
    /// t = t mod W^m + x·y, likewise.
    fn accumulate_8(self, t: &mut [u64], x: &[u64; 8], y: &[u64]);
    /// The same with 4 for 8.
    fn accumulate_4(self, t: &mut [u64], x: &[u64; 4], y: &[u64]);

    /// t = Σ xᵢ·xⱼ·W^(i+j) over i < 8 and i < j, for an x of s ≥ 8 words, a multiple of 4, and a t of s + 8
    /// words.
    fn first_cross_products_8(self, t: &mut [u64], x: &[u64]);
    /// t = t mod W^s + Σ xᵢ·xⱼ·W^(i+j), likewise.
    fn cross_products_8(self, t: &mut [u64], x: &[u64]);
    /// The same with 4 for 8.
    fn cross_products_4(self, t: &mut [u64], x: &[u64]);
    /// t = 2·t + Σ xᵢ²·W^(2i) for an x of a multiple of 4 words.
    fn double_and_add_squares(self, t: &mut [u64], x: &[u64]);

    /// t = t + q·n + carry·W^s, where t has s + 8 words and q < W⁸ makes the lowest 8 words of the sum 0; these words
    /// then hold q instead. Returns the carry. Both carries are 0 or 1. s > 8 is a multiple of 4.
    fn reduce_8(self, t: &mut [u64], n: &[u64], n0: u64, carry: u64) -> u64;
    /// The same with 4 for 8.
    fn reduce_4(self, t: &mut [u64], n: &[u64], n0: u64, carry: u64) -> u64;
    /// z = u − n where u + carry·W^s ≥ n, else u, for an s that is a multiple of 4.
    fn subtract_once(self, z: &mut [u64], u: &[u64], n: &[u64], carry: u64);

    /// z = entry `index` of the table, whose entries are as long as z. The whole table is read.
    fn select(self, z: &mut [u64], table: &[u64], index: u64);
    /// Calls `take` with entry `index` of the table, whose entries have `width` words, for one index after the other. The
    /// whole table is read for each.
    fn for_each_entry(
        self,
        width: usize,
        table: &[u64],
        indices: impl Iterator<Item = u64>,
        take: impl FnMut(&[u64]),
    );
}

/// Blocks of products modulo a power of W, without the word products that are multiples of it.
#[cfg(target_arch = "x86_64")]
pub(crate) trait LowBlocks: Blocks {
    /// t = x·y mod W^m for a y of m ≥ 8 words, a multiple of 4, and a t of m words.
    fn multiply_low_8(self, t: &mut [u64], x: &[u64; 8], y: &[u64]);
    /// t = t + x·y mod W^m, likewise.
    fn accumulate_low_8(self, t: &mut [u64], x: &[u64; 8], y: &[u64]);
    /// t = t + x·y mod W⁴.
    fn accumulate_low_4(self, t: &mut [u64; 4], x: &[u64; 4], y: &[u64; 4]);
}
