//! The bits of an exponent, read from its bytes.

use crate::natural;
use alloc::vec::Vec;

/// e = the lowest `bits` bits of a big-endian number; the highest of them is set, unless there is none.
#[derive(Clone, Copy)]
pub(super) struct Exponent<'a> {
    bytes: &'a [u8],
    bits: usize,
}

impl<'a> Exponent<'a> {
    /// The number with these bytes, the highest first.
    pub(super) fn new(bytes: &'a [u8]) -> Exponent<'a> {
        Exponent { bytes, bits: bit_length(bytes) }
    }

    /// e mod 2^bits.
    pub(super) fn low_bits(self, bits: usize) -> Exponent<'a> {
        let kept = &self.bytes[self.bytes.len().saturating_sub(bits.div_ceil(8))..];
        let Some((&first, rest)) = kept.split_first().filter(|_| bits < 8 * kept.len()) else {
            return Exponent::new(kept);
        };
        let bits_of_first = 8 - (first & (0xff >> (8 * kept.len() - bits))).leading_zeros() as usize;
        match bits_of_first {
            0 => Exponent::new(rest),
            _ => Exponent { bytes: kept, bits: 8 * rest.len() + bits_of_first },
        }
    }

    /// The bit length of e.
    pub(super) fn bits(self) -> usize {
        self.bits
    }

    /// e, where it is below 2^32.
    pub(super) fn small(self) -> Option<u32> {
        (self.bits <= 32).then(|| (0..self.bits).rev().fold(0, |e, i| e << 1 | u32::from(self.bit(i))))
    }

    /// e in words.
    pub(super) fn words(self) -> Vec<u64> {
        let mut words = natural::from_be_bytes(&self.bytes[self.bytes.len() - self.bits.div_ceil(8)..]);
        if let Some(top) = words.last_mut() {
            *top &= u64::MAX >> (64 * self.bits.div_ceil(64) - self.bits);
        }
        words
    }

    /// Bit i of e.
    #[inline(always)]
    pub(super) fn bit(self, i: usize) -> bool {
        self.bytes[self.bytes.len() - 1 - i / 8] >> (i % 8) & 1 == 1
    }

    /// The `count` ≤ 8 bits from bit `position` up, for position + count ≤ bits.
    #[inline(always)]
    pub(super) fn bits_at(self, position: usize, count: u32) -> usize {
        let last = self.bytes.len() - 1 - position / 8;
        let above = if last > 0 { self.bytes[last - 1] } else { 0 };
        (usize::from(above) << 8 | usize::from(self.bytes[last])) >> (position % 8) & ((1 << count) - 1)
    }

    /// The number of 1 bits.
    pub(super) fn ones(self) -> usize {
        let whole = &self.bytes[self.bytes.len() - self.bits / 8..];
        let rest = (8 * whole.len()..self.bits).filter(|&i| self.bit(i)).count();
        whole.iter().map(|byte| byte.count_ones() as usize).sum::<usize>() + rest
    }
}

fn bit_length(bytes: &[u8]) -> usize {
    let zeros = bytes.iter().take_while(|&&byte| byte == 0).count();
    bytes.get(zeros).map_or(0, |top| 8 * (bytes.len() - zeros) - top.leading_zeros() as usize)
}
