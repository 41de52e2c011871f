//! The machine word of a kernel: u64, u32 (koc96's w = 32), or the u8 and u16 of koc97.

use bytemuck::Pod;
use core::fmt::Debug;
use core::ops::{BitAnd, BitOr, BitXor, Not, Shl, Shr};

/// A word of w = [`Word::BITS`] bits; W = 2^w. Every operation takes time independent of the values.
pub trait Word:
    Pod
    + Eq
    + Debug
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + Not<Output = Self>
    + Shl<u32, Output = Self>
    + Shr<u32, Output = Self>
{
    /// w, the number of bits.
    const BITS: u32;
    /// The word 0.
    const ZERO: Self;
    /// The word 1.
    const ONE: Self;

    /// value mod W.
    fn truncate(value: u64) -> Self;
    /// The word as an integer.
    fn widen(self) -> u64;
    /// −self mod W.
    #[must_use]
    fn wrapping_neg(self) -> Self;
    /// self·other mod W.
    #[must_use]
    fn wrapping_mul(self, other: Self) -> Self;
    /// (C, S) with C·W + S = self + a·b + c; it fits, since (W−1) + (W−1)² + (W−1) = W² − 1.
    fn mul_add(self, a: Self, b: Self, c: Self) -> (Self, Self);
    /// (C, S) with C·W + S = self + other + carry, for a carry of 0 or 1.
    fn carrying_add(self, other: Self, carry: Self) -> (Self, Self);
    /// (B, D) with D − B·W = self − other − borrow, for a borrow of 0 or 1.
    fn borrowing_sub(self, other: Self, borrow: Self) -> (Self, Self);
    /// The position of the highest bit set, plus one; 0 for the word 0.
    fn bit_length(self) -> u32;

    /// W − 1 if bit is 1, 0 if bit is 0. The optimiser cannot see which, and so cannot make a branch of it.
    #[inline(always)]
    fn mask(bit: Self) -> Self {
        core::hint::black_box(bit.wrapping_neg())
    }
}

macro_rules! word {
    ($word:ty, $double:ty) => {
        impl Word for $word {
            const BITS: u32 = <$word>::BITS;
            const ZERO: Self = 0;
            const ONE: Self = 1;

            #[inline(always)]
            fn truncate(value: u64) -> Self {
                value as $word
            }

            #[inline(always)]
            fn widen(self) -> u64 {
                u64::from(self)
            }

            #[inline(always)]
            fn wrapping_neg(self) -> Self {
                <$word>::wrapping_neg(self)
            }

            #[inline(always)]
            fn wrapping_mul(self, other: Self) -> Self {
                <$word>::wrapping_mul(self, other)
            }

            #[inline(always)]
            fn mul_add(self, a: Self, b: Self, c: Self) -> (Self, Self) {
                let sum = a as $double * b as $double + self as $double + c as $double;
                ((sum >> Self::BITS) as $word, sum as $word)
            }

            #[inline(always)]
            fn carrying_add(self, other: Self, carry: Self) -> (Self, Self) {
                let sum = self as $double + other as $double + carry as $double;
                ((sum >> Self::BITS) as $word, sum as $word)
            }

            #[inline(always)]
            fn borrowing_sub(self, other: Self, borrow: Self) -> (Self, Self) {
                let difference =
                    (self as $double).wrapping_sub(other as $double).wrapping_sub(borrow as $double);
                ((difference >> Self::BITS) as $word & 1, difference as $word)
            }

            #[inline(always)]
            fn bit_length(self) -> u32 {
                Self::BITS - self.leading_zeros()
            }
        }
    };
}

word!(u8, u16);
word!(u16, u32);
word!(u32, u64);
word!(u64, u128);

/// W⁻¹ mod n for an odd n of S words, where n0 = −n⁻¹ mod W: (n0·n + 1)/W, which is below n, since n0 is below W.
#[inline]
pub(crate) fn inverse_of_w<const S: usize>(n: &[u64; S], n0: u64) -> [u64; S] {
    let mut v = [0; S];
    let (mut carry, _) = u64::mul_add(1, n0, n[0], 0);
    for i in 1..S {
        (carry, v[i - 1]) = u64::mul_add(0, n0, n[i], carry);
    }
    v[S - 1] = carry;
    v
}
