//! The bits of an exponent, read from its bytes.

use crate::natural;
use crate::power::window::Bits;
use crate::power_of_two;
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
    fn low_bits(self, bits: usize) -> Exponent<'a> {
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

    /// e, where it is below 2^32.
    pub(super) fn small(self) -> Option<u32> {
        (self.bits <= 32).then(|| (0..self.bits).rev().fold(0, |e, i| e << 1 | u32::from(self.is_one(i))))
    }

    /// e in words.
    pub(super) fn words(self) -> Vec<u64> {
        let mut words = natural::from_be_bytes(&self.bytes[self.bytes.len() - self.bits.div_ceil(8)..]);
        if let Some(top) = words.last_mut() {
            *top &= u64::MAX >> (64 * self.bits.div_ceil(64) - self.bits);
        }
        words
    }

    /// The exponent that gives xᵉ mod 2^k, where `low` is the lowest word of x; None where the power is 0.
    ///
    /// The order of an odd x divides 2^(k−2), or 2 if k ≤ 3, so the bits of e above have no effect. For an even x,
    /// x^k is 0.
    pub(super) fn modulo_two_to_k(self, low: u64, k: usize) -> Option<Exponent<'a>> {
        match low & 1 {
            0 => self.small().is_some_and(|e| (e as usize) < k).then_some(self),
            _ => Some(self.low_bits(power_of_two::order_bits(k))),
        }
    }
}

impl Bits for Exponent<'_> {
    #[inline(always)]
    fn length(&self) -> usize {
        self.bits
    }

    fn ones(&self) -> usize {
        let whole = &self.bytes[self.bytes.len() - self.bits / 8..];
        let rest = (8 * whole.len()..self.bits).filter(|&i| self.is_one(i)).count();
        whole.iter().map(|byte| byte.count_ones() as usize).sum::<usize>() + rest
    }

    #[inline(always)]
    fn is_one(&self, i: usize) -> bool {
        self.bytes[self.bytes.len() - 1 - i / 8] >> (i % 8) & 1 == 1
    }

    #[inline(always)]
    fn at(&self, position: usize, count: u32) -> usize {
        let last = self.bytes.len() - 1 - position / 8;
        let above = if last > 0 { self.bytes[last - 1] } else { 0 };
        (usize::from(above) << 8 | usize::from(self.bytes[last])) >> (position % 8) & ((1 << count) - 1)
    }
}

fn bit_length(bytes: &[u8]) -> usize {
    let zeros = bytes.iter().take_while(|&&byte| byte == 0).count();
    bytes.get(zeros).map_or(0, |top| 8 * (bytes.len() - zeros) - top.leading_zeros() as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(e: Exponent, number: u128) {
        let length = 128 - number.leading_zeros();
        assert_eq!((e.length(), e.ones()), (length as usize, number.count_ones() as usize), "{number:#x}");
        assert_eq!(e.small(), u32::try_from(number).ok(), "{number:#x}");
        let words = e.words().iter().rev().fold(0, |sum, &word| sum << 64 | u128::from(word));
        assert_eq!(words, number);
        for position in 0..length {
            assert_eq!(e.is_one(position as usize), number >> position & 1 == 1, "{number:#x}: {position}");
            for count in 1..=8.min(length - position) {
                let bits = (number >> position) as usize & ((1 << count) - 1);
                assert_eq!(e.at(position as usize, count), bits, "{number:#x}: {count} from {position}");
            }
        }
    }

    #[test]
    fn exponents_and_their_lowest_bits_are_read_as_their_numbers() {
        let numbers: [&[u8]; 9] = [
            &[],
            &[0],
            &[1],
            &[0xff],
            &[0, 0, 0x80, 0x01],
            &[0xff; 4],
            &[0x01, 0, 0, 0, 0],
            &[0, 0xff, 0, 0, 0xff, 0xff, 0xff, 0xff, 0xff],
            &[0x12, 0x34, 0x56, 0x78, 0x9a, 0xbc, 0xde, 0xf0, 0x0f, 0x1e, 0x2d, 0x3c],
        ];
        for bytes in numbers {
            let number = bytes.iter().fold(0, |number, &byte| number << 8 | u128::from(byte));
            check(Exponent::new(bytes), number);
            for bits in 0..=8 * bytes.len() + 9 {
                check(Exponent::new(bytes).low_bits(bits), number & ((1 << bits) - 1));
            }
        }
    }
}
