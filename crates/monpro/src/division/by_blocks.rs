//! Long division by eight quotient words at a time: operand scanning by the blocks of an instruction set.

use super::Divisor;
use crate::arch::blocks::Blocks;
use crate::cancellation::checkpoint;
use crate::word::Word;

/// Reduces the complement u, as [`Divisor::reduce`] does, while it has at least 8 words more than the divisor. Returns the
/// number of words that are left; those above are W − 1. The divisor has s ≥ 12 words, a multiple of 4.
pub(super) fn reduce_complement<I: Blocks, D: AsRef<[u64]>>(
    blocks: I,
    divisor: &Divisor<D>,
    u: &mut [u64],
) -> usize {
    let s = divisor.words().len();
    let mut length = u.len();
    while length >= s + 8 {
        checkpoint();
        reduce_complement_by_block(blocks, divisor, &mut u[length - s - 8..length]);
        length -= 8;
    }
    length
}

/// Reduces the complement u of s + 8 words, whose top s words are below the divisor d.
///
/// The quotient q of the top 16 words of u by the top 8 words of d is the one of u by d, or is 1 or 2 larger (Knuth, The Art
/// of Computer Programming, volume 2, 4.3.1, Theorem B, in base W⁸). If the top 8 words are equal, q would be W⁸, and the
/// quotient is found word by word.
fn reduce_complement_by_block<I: Blocks, D: AsRef<[u64]>>(blocks: I, divisor: &Divisor<D>, u: &mut [u64]) {
    let d = divisor.words();
    let s = d.len();
    let (low, high) = d.split_at(s - 8);
    if u[s..].iter().zip(high).all(|(u, d)| !u == *d) {
        for i in (0..8).rev() {
            divisor.reduce_complement_by_word(&mut u[i..=i + s]);
        }
        return;
    }
    let top = Divisor { words: high, reciprocal: divisor.reciprocal };
    let mut q = [0; 8];
    for i in (0..8).rev() {
        q[i] = top.divide_complement_by_word(&mut u[s - 8 + i..=s + i]);
    }
    let (remainder, _) = u[s - 8..].split_first_chunk::<8>().expect("u has 16 words there");
    let remainder = *remainder;
    blocks.accumulate_8(&mut u[..s], &q, low);
    let mut carry = 0;
    for (target, word) in u[s - 8..s].iter_mut().zip(remainder) {
        (carry, *target) = Word::carrying_add(*target, word, carry);
    }
    // A carry means that u − q·d is negative. Each d that is added to it takes a d from the complement.
    while carry == 1 {
        let mut borrow = 0;
        for (target, &word) in u[..s].iter_mut().zip(d) {
            (borrow, *target) = Word::borrowing_sub(*target, word, borrow);
        }
        carry -= borrow;
    }
}
