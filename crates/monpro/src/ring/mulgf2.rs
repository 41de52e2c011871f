//! MULGF2, the product of two words over GF(2), by the methods of \[koc97, §6\] and two more.
//!
//! (H, L) are the words with H·x^w + L = a(x)·b(x).

use crate::word::Word;
use core::sync::atomic::{Ordering, compiler_fence};

/// One way to multiply two words of w coefficients.
pub trait Mulgf2<W: Word>: 'static {
    /// (H, L) with H·x^w + L = a·b.
    fn mulgf2(a: W, b: W) -> (W, W);
}

/// Integer products of operands thinned to every fifth bit: portable, constant time.
///
/// At most ⌈64/5⌉ = 13 terms add up in a column of such a product, so the column's sum stays below 2⁵ and its
/// lowest bit is the sum over GF(2).
pub struct Thinned;

impl<W: Word> Mulgf2<W> for Thinned {
    #[inline(always)]
    fn mulgf2(a: W, b: W) -> (W, W) {
        let thinned = |value: W, class: u32| u128::from(value.widen()) & (EVERY_FIFTH_BIT << class);
        let mut product = 0;
        for class in 0..5 {
            let mut columns = 0;
            for i in 0..5 {
                columns ^= thinned(a, i).wrapping_mul(thinned(b, (class + 5 - i) % 5));
            }
            product |= columns & (EVERY_FIFTH_BIT << class);
        }
        split(product)
    }
}

/// Emulation by shifts and exclusive ors, one bit of b at a time \[koc97, §6\]. Constant time: the bit masks
/// the addition that in the paper depends on it.
pub struct Emulation;

impl<W: Word> Mulgf2<W> for Emulation {
    #[inline(always)]
    fn mulgf2(a: W, b: W) -> (W, W) {
        let (mut high, mut low) = (W::ZERO, W::ZERO);
        for j in (0..W::BITS).rev() {
            high = high << 1 | low >> (W::BITS - 1);
            low = low << 1 ^ (a & W::mask(b >> j & W::ONE));
        }
        (high, low)
    }
}

/// Emulation as the paper's program has it: a branch on each bit of b decides about the exclusive or \[koc97, §6\].
/// The time depends on b: never for secrets.
pub struct BranchingEmulation;

impl<W: Word> Mulgf2<W> for BranchingEmulation {
    #[inline(always)]
    fn mulgf2(a: W, b: W) -> (W, W) {
        let (mut high, mut low) = (W::ZERO, W::ZERO);
        for j in (0..W::BITS).rev() {
            high = high << 1 | low >> (W::BITS - 1);
            low = low << 1;
            if b >> j & W::ONE == W::ONE {
                low = low ^ a;
                compiler_fence(Ordering::SeqCst); // keeps the branch: the compiler would make a mask of it
            }
        }
        (high, low)
    }
}

/// Two tables of 256 × 256 bytes \[koc97, §6\]. For w = 8 a product is one look-up in each; for wider words
/// it is the hybrid, one look-up in each for every pair of bytes. Addresses depend on the operands: never for
/// secrets.
///
/// The paper's hybrid shifts the middle bytes right; they must go left, as here.
pub struct Tables;

impl<W: Word> Mulgf2<W> for Tables {
    #[inline(always)]
    fn mulgf2(a: W, b: W) -> (W, W) {
        let byte = |value: W, i: u32| (value >> (8 * i)).widen() as u8 as usize;
        let mut product = 0;
        for i in 0..W::BITS / 8 {
            for j in 0..W::BITS / 8 {
                let (a, b) = (byte(a, i), byte(b, j));
                let bytes = u16::from_le_bytes([LOW_BYTES[a][b], HIGH_BYTES[a][b]]);
                product ^= u128::from(bytes) << (8 * (i + j));
            }
        }
        split(product)
    }
}

/// (H, L) of the square of a word: coefficient i goes to coefficient 2i \[koc97, §4\].
#[inline(always)]
pub fn spread<W: Word>(a: W) -> (W, W) {
    const EVERY: [(u32, u128); 6] = [
        (32, 0x0000_0000_ffff_ffff_0000_0000_ffff_ffff),
        (16, 0x0000_ffff_0000_ffff_0000_ffff_0000_ffff),
        (8, 0x00ff_00ff_00ff_00ff_00ff_00ff_00ff_00ff),
        (4, 0x0f0f_0f0f_0f0f_0f0f_0f0f_0f0f_0f0f_0f0f),
        (2, 0x3333_3333_3333_3333_3333_3333_3333_3333),
        (1, 0x5555_5555_5555_5555_5555_5555_5555_5555),
    ];
    let mut square = u128::from(a.widen());
    for (shift, kept) in EVERY {
        square = (square | square << shift) & kept;
    }
    split(square)
}

/// (H, L) of a product that fits two words.
#[inline(always)]
fn split<W: Word>(product: u128) -> (W, W) {
    (W::truncate((product >> W::BITS) as u64), W::truncate(product as u64))
}

/// Bits 0, 5, 10, … 125.
const EVERY_FIFTH_BIT: u128 = {
    let mut mask = 0;
    let mut position = 0;
    while position < u128::BITS {
        mask |= 1 << position;
        position += 5;
    }
    mask
};

/// L of the product of two bytes.
static LOW_BYTES: [[u8; 256]; 256] = byte_products(0);
/// H of the product of two bytes.
static HIGH_BYTES: [[u8; 256]; 256] = byte_products(8);

const fn byte_products(shift: u32) -> [[u8; 256]; 256] {
    let mut table = [[0; 256]; 256];
    let mut a = 0;
    while a < 256 {
        let mut b = 0;
        while b < 256 {
            let mut product: u16 = 0;
            let mut j = 0;
            while j < 8 {
                product ^= (a as u16 * (b as u16 >> j & 1)) << j;
                j += 1;
            }
            table[a][b] = (product >> shift) as u8;
            b += 1;
        }
        a += 1;
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all_agree<W: Word>() {
        let mut state = 1u64;
        for step in 0..3000 {
            state = state.wrapping_mul(0xd134_2543_de82_ef95).wrapping_add(1);
            let a = if step % 7 == 0 { u64::MAX } else { state >> (step % 60) };
            let b = if step % 11 == 0 { u64::MAX } else { state.rotate_left(29) };
            let (a, b) = (W::truncate(a), W::truncate(b));
            let mut product = 0u128;
            for j in 0..W::BITS {
                product ^= (u128::from(a.widen()) * u128::from(b.widen() >> j & 1)) << j;
            }
            let expected: (W, W) = split(product);
            assert_eq!(Thinned::mulgf2(a, b), expected);
            assert_eq!(Emulation::mulgf2(a, b), expected);
            assert_eq!(BranchingEmulation::mulgf2(a, b), expected);
            assert_eq!(Tables::mulgf2(a, b), expected);
            assert_eq!(spread(a), Thinned::mulgf2(a, a));
        }
    }

    #[test]
    fn every_way_gives_the_bitwise_product_for_every_word() {
        all_agree::<u8>();
        all_agree::<u16>();
        all_agree::<u32>();
        all_agree::<u64>();
    }
}
