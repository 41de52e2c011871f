//! Products of many words by the blocks of an instruction set, in time that depends on the lengths alone. The numbers of
//! words are multiples of 4.

use crate::arch::blocks::Blocks;
#[cfg(target_arch = "x86_64")]
use crate::arch::blocks::LowBlocks;

/// t = x·y for s ≥ 8 words.
pub(crate) fn multiply<I: Blocks>(blocks: I, t: &mut [u64], x: &[u64], y: &[u64]) {
    let s = y.len();
    let (block, mut x) = x.split_first_chunk().expect("s is at least 8");
    blocks.multiply_8(&mut t[..s + 8], block, y);
    let mut i = 8;
    while let Some((block, rest)) = x.split_first_chunk() {
        blocks.accumulate_8(&mut t[i..i + s + 8], block, y);
        (x, i) = (rest, i + 8);
    }
    if let Some(block) = x.first_chunk() {
        blocks.accumulate_4(&mut t[i..], block, y);
    }
}

/// t = Σ xᵢ·xⱼ·W^(i+j) over i < j, for s ≥ 8 words.
pub(crate) fn cross_products<I: Blocks>(blocks: I, t: &mut [u64], x: &[u64]) {
    let s = x.len();
    blocks.first_cross_products_8(&mut t[..s + 8], x);
    let mut i = 8;
    while s - i >= 8 {
        blocks.cross_products_8(&mut t[2 * i..i + s + 8], &x[i..]);
        i += 8;
    }
    if i < s {
        blocks.cross_products_4(&mut t[2 * i..], &x[i..]);
    }
}

/// t = x² for s ≥ 8 words.
#[cfg(target_arch = "x86_64")]
pub(crate) fn square<I: Blocks>(blocks: I, t: &mut [u64], x: &[u64]) {
    cross_products(blocks, t, x);
    blocks.double_and_add_squares(t, x);
}

/// t = x·y mod W^s for s ≥ 8 words.
#[cfg(target_arch = "x86_64")]
pub(crate) fn multiply_low<I: LowBlocks>(blocks: I, t: &mut [u64], x: &[u64], y: &[u64]) {
    let (block, rest) = x.split_first_chunk().expect("s is at least 8");
    blocks.multiply_low_8(t, block, y);
    accumulate_low(blocks, &mut t[8..], rest, y);
}

/// t = t + x·y mod W^s, where t and x have s words, and y as many or more, of which the lowest s count.
#[cfg(target_arch = "x86_64")]
fn accumulate_low<I: LowBlocks>(blocks: I, mut t: &mut [u64], mut x: &[u64], y: &[u64]) {
    while let Some((block, rest)) = x.split_first_chunk() {
        blocks.accumulate_low_8(t, block, &y[..x.len()]);
        (t, x) = (&mut t[8..], rest);
    }
    if let (Some(t), Some(x), Some(y)) = (t.first_chunk_mut(), x.first_chunk(), y.first_chunk()) {
        blocks.accumulate_low_4(t, x, y);
    }
}

/// t mod W^s = x² mod W^s for s ≥ 12 words and a t of s words, or of s + 4 where s is not a multiple of 8.
///
/// For x = l + u·W^h with h ≥ s/2 and a multiple of 4, x² = l² + 2·l·u·W^h mod W^s. So Σ lᵢ·lⱼ·W^(i+j) over i < j and
/// the product l·u mod W^(s−h) are doubled together.
#[cfg(target_arch = "x86_64")]
pub(crate) fn square_low<I: LowBlocks>(blocks: I, t: &mut [u64], x: &[u64]) {
    let s = x.len();
    let (lower, upper) = x.split_at((s / 2).next_multiple_of(4));
    cross_products(blocks, t, lower);
    accumulate_low(blocks, &mut t[lower.len()..s], upper, lower);
    blocks.double_and_add_squares(t, lower);
}

// As one attribute with `all`, cargo-mutants would take the tests for code.
#[cfg(test)]
#[cfg(target_arch = "x86_64")]
mod tests {
    use super::*;
    use crate::arch::tested::detect_or_say;
    use crate::arch::x86_64::mulx::{Adx, Mulx};
    use crate::product;
    use alloc::vec;
    use alloc::vec::Vec;

    #[test]
    fn all_products_are_those_of_the_portable_code() {
        compare::<Mulx>();
        compare::<Adx>();
    }

    fn compare<I: LowBlocks>() {
        let Some(blocks) = detect_or_say::<I>() else { return };
        for s in (8..=72).step_by(4) {
            for seed in 0..12u64 {
                let words = |offset: u64| -> Vec<u64> {
                    let word = |i: u64| match (seed + offset + i) % 5 {
                        0 => u64::MAX,
                        1 if seed > 3 => 0,
                        _ if seed == 0 => u64::MAX,
                        _ => (seed + offset + i).wrapping_mul(0x9e37_79b9_7f4a_7c15),
                    };
                    (0..s as u64).map(word).collect()
                };
                let (x, y) = (words(0), words(99));
                let (mut expected, mut t) = (vec![0; 2 * s], vec![7; 2 * s]);
                product::multiply(&mut expected, &x, &y);
                multiply(blocks, &mut t, &x, &y);
                assert_eq!(t, expected, "{s} words");
                t.fill(9);
                multiply_low(blocks, &mut t[..s], &x, &y);
                assert_eq!(t[..s], expected[..s], "lower {s} words");
                product::multiply(&mut expected, &x, &x);
                square(blocks, &mut t, &x);
                assert_eq!(t, expected, "square of {s} words");
                if s >= 12 {
                    t.fill(9);
                    square_low(blocks, &mut t[..s.next_multiple_of(8)], &x);
                    assert_eq!(t[..s], expected[..s], "lower {s} words of a square");
                }
            }
        }
    }
}
