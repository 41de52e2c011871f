//! The operations that operand scanning in blocks of 4 and 8 words needs of an instruction set.

use super::InstructionSet;

/// An instruction set with operations on blocks of words. W = 2⁶⁴.
///
/// The time of every operation depends on lengths, but not on values.
pub(crate) trait Blocks: InstructionSet {
    /// z = x·y·W⁻⁴ mod n for x, y < n.
    fn product_4(self, z: &mut [u64; 4], x: &[u64; 4], y: &[u64; 4], n: &[u64; 4], n0: u64);
    /// z = x·y·W⁻⁶ mod n for x, y < n.
    fn product_6(self, z: &mut [u64; 6], x: &[u64; 6], y: &[u64; 6], n: &[u64; 6], n0: u64);
    /// z = x·y·W⁻⁸ mod n for x, y < n.
    fn product_8(self, z: &mut [u64; 8], x: &[u64; 8], y: &[u64; 8], n: &[u64; 8], n0: u64);

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
}
