//! The trait of the methods on lanes, and the shape of their numbers.

use super::super::contract::{Constants, Divisor};
use super::Lanes;
use crate::ring::{BinaryPolynomials, Ring};
use alloc::vec;
use alloc::vec::Vec;

/// A way to multiply modulo an n of degree k on digits.
///
/// Residues are s = ⌈k/64⌉ words in Z whole digits, with zeros above; a digit is a vector of L lanes. R = x^(64·s),
/// or 1. The content of scratch before a call does not matter.
pub(in super::super) trait Method<I: Lanes>: 'static {
    /// R, the divisor in the products.
    const DIVISOR: Divisor = Divisor::PowerOfX;
    /// The n that the method takes, as the end of a sentence.
    const TAKES: &'static str;

    /// Whether the method takes the n of n_bits bits.
    fn supports(n: &[u64], n_bits: usize) -> bool;
    /// The constants of n that the method needs, in a layout of its own.
    fn derive(constants: &Constants) -> Vec<u64>;
    /// The words of scratch for a product, a square or a reduction of residues of s words.
    fn temporary_words(s: usize) -> usize;

    /// z = a·b·R⁻¹ mod n for residues a and b, or a of s words and a residue b.
    fn product(lanes: I, z: &mut [u64], a: &[u64], b: &[u64], constants: &Constants, t: &mut [u64]);
    /// z = a²·R⁻¹ mod n for a residue a.
    fn square(lanes: I, z: &mut [u64], a: &[u64], constants: &Constants, t: &mut [u64]);
    /// z = v·R⁻¹ mod n for a v of 2·Z digits and a degree below 2·k.
    fn reduce(lanes: I, z: &mut [u64], v: &[u64], constants: &Constants, t: &mut [u64]);
}

/// The number of words in the whole digits that hold s words.
#[inline(always)]
pub(super) fn whole_digits<I: Lanes>(s: usize) -> usize {
    s.div_ceil(I::WORDS) * I::WORDS
}

/// k, the degree of n.
#[inline(always)]
pub(super) fn degree(constants: &Constants) -> usize {
    constants.n_bits - 1
}

/// Whether n has a term x^(64·s), which its s words leave out.
#[inline(always)]
pub(super) fn has_top(constants: &Constants) -> bool {
    degree(constants) == 64 * constants.s
}

/// (q, p) with q = n⁻¹ mod x^(64·count) and p = x^(−64·count) mod n: since 1 + q·n = p·x^(64·count), `count` steps of
/// the word-level reduction \[koc97, §3\] of the number 1 give both.
pub(super) fn inverses(constants: &Constants, count: usize) -> (Vec<u64>, Vec<u64>) {
    let (n, s) = (constants.n, constants.s);
    let mut q = Vec::with_capacity(count);
    let mut p = vec![0; n.len()];
    p[0] = 1;
    for _ in 0..count {
        let m = BinaryPolynomials::<u64>::mul_low(p[0], constants.n0);
        let mut c = 0;
        for j in 0..s {
            (c, p[j]) = BinaryPolynomials::<u64>::mul_add(p[j], m, n[j], c);
        }
        p.copy_within(1..s, 0);
        p[s - 1] = if has_top(constants) { c ^ m } else { c };
        q.push(m);
    }
    (q, p)
}
