//! Passes over numbers in digits of 52 bits, eight digits at a time, whose time is proportional to the number of digits.
//!
//! A carry is at most 2^12, and a sum of a few digits is far below 2^64 − 2^12. W^k is 2^(52·k).

use crate::arch::x86_64::ifma::{DIGIT_BITS, Ifma, LANES, Mask, Vector};
use crate::arch::{InstructionSet, Task};
use crate::kernel::ifma::carries::Normalise;
use crate::kernel::ifma::constants::largest;
use crate::kernel::ifma::{load, store};

/// 2^52 − 1 in every lane: what is left of it when a digit is subtracted is the complement of the digit.
#[inline(always)]
fn ones(ifma: Ifma) -> Vector {
    ifma.splat(largest::<DIGIT_BITS>())
}

/// The complements of the digits where the mask is set, else the digits.
#[inline(always)]
fn complement_where(ifma: Ifma, mask: Mask, digits: Vector) -> Vector {
    ifma.select(mask, digits, ifma.sub(ones(ifma), digits))
}

/// Adds the word to the lowest column.
#[inline(always)]
fn add_word(ifma: Ifma, columns: &mut [u64], word: u64) {
    store(ifma, columns, 0, ifma.add(load(ifma, columns, 0), ifma.in_first(word)));
}

/// Makes the columns digits of the same number mod W^k − 1, for k columns.
///
/// The carry c out of the columns has the weight W^k, which is congruent to 1. With it the number is below W^k + c, so if
/// there is a second carry, it is 1, and the digits are those of a number below c ≤ 2^12, to which 1 can be added.
#[inline(always)]
fn fold(ifma: Ifma, columns: &mut [u64]) {
    for _ in 0..2 {
        let carry = ifma.run(Normalise::<DIGIT_BITS>(columns));
        add_word(ifma, columns, carry);
    }
}

/// z = |a − b| for a z and an a of the same length, and a b that is not longer. The result is all ones if a < b, else 0.
pub(super) struct Difference<'a> {
    pub(super) z: &'a mut [u64],
    pub(super) a: &'a [u64],
    pub(super) b: &'a [u64],
}

impl Task<Ifma> for Difference<'_> {
    type Output = u64;

    #[inline(always)]
    fn run(self, ifma: Ifma) -> u64 {
        let Difference { z, a, b } = self;
        for k in 0..a.len() / LANES {
            let b = if k < b.len() / LANES { load(ifma, b, k) } else { ifma.zero() };
            store(ifma, z, k, ifma.add(load(ifma, a, k), ifma.sub(ones(ifma), b)));
        }
        // a + (W^k − 1 − b) + 1 has a carry out of it exactly if a ≥ b.
        add_word(ifma, z, 1);
        let is_positive = ifma.run(Normalise::<DIGIT_BITS>(z));
        let is_negative = ifma.opaque_word(is_positive.wrapping_sub(1));
        for k in 0..z.len() / LANES {
            store(ifma, z, k, complement_where(ifma, is_negative as Mask, load(ifma, z, k)));
        }
        add_word(ifma, z, is_negative & 1);
        ifma.run(Normalise::<DIGIT_BITS>(z));
        is_negative
    }
}

/// z = z0 + (z0 + z2 ± p)·W^h + z2·W^(2·h) mod W^(len z), for p of 2·h digits, and a z that holds z0 in its 2·h lowest
/// digits and z2 above. p, which is overwritten, is subtracted where `is_subtracted` is all ones, and added where it is 0.
pub(super) struct AddMiddle<'a> {
    pub(super) z: &'a mut [u64],
    pub(super) p: &'a mut [u64],
    pub(super) is_subtracted: u64,
}

impl Task<Ifma> for AddMiddle<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self, ifma: Ifma) {
        let AddMiddle { z, p, is_subtracted } = self;
        let is_subtracted = ifma.opaque_word(is_subtracted);
        let mask = is_subtracted as Mask;
        let (z0, z2) = z.split_at(p.len());
        for k in 0..p.len() / LANES {
            let z2 = if k < z2.len() / LANES { load(ifma, z2, k) } else { ifma.zero() };
            let p_or_complement = complement_where(ifma, mask, load(ifma, p, k));
            let sum = ifma.add(ifma.add(load(ifma, z0, k), z2), p_or_complement);
            store(ifma, p, k, sum);
        }
        // −p = (W^j − 1 − p) + 1 mod W^j for the j digits of z from h on, where p has the digit 0 from 2·h on.
        let z = &mut z[p.len() / 2..];
        let above = complement_where(ifma, mask, ifma.zero());
        for k in 0..z.len() / LANES {
            let sum = if k < p.len() / LANES { load(ifma, p, k) } else { above };
            store(ifma, z, k, ifma.add(load(ifma, z, k), sum));
        }
        add_word(ifma, z, is_subtracted & 1);
        ifma.run(Normalise::<DIGIT_BITS>(z));
    }
}

/// z = z + (a + b)·W^h mod W^(len z) for a and b as long as the digits of z from h on.
pub(super) struct AddAbove<'a> {
    pub(super) z: &'a mut [u64],
    pub(super) a: &'a [u64],
    pub(super) b: &'a [u64],
}

impl Task<Ifma> for AddAbove<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self, ifma: Ifma) {
        let AddAbove { z, a, b } = self;
        let first = z.len() - a.len();
        let z = &mut z[first..];
        for k in 0..a.len() / LANES {
            let sum = ifma.add(load(ifma, a, k), load(ifma, b, k));
            store(ifma, z, k, ifma.add(load(ifma, z, k), sum));
        }
        ifma.run(Normalise::<DIGIT_BITS>(z));
    }
}

/// z = a + b mod W^k − 1, all of k digits; 0 may be W^k − 1.
pub(super) struct SumOfTwo<'a> {
    pub(super) z: &'a mut [u64],
    pub(super) a: &'a [u64],
    pub(super) b: &'a [u64],
}

impl Task<Ifma> for SumOfTwo<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self, ifma: Ifma) {
        for k in 0..self.z.len() / LANES {
            store(ifma, self.z, k, ifma.add(load(ifma, self.a, k), load(ifma, self.b, k)));
        }
        fold(ifma, self.z);
    }
}

/// z = z + a + b mod W^k − 1, all of k digits, where 0 is 0.
pub(super) struct SumOfThree<'a> {
    pub(super) z: &'a mut [u64],
    pub(super) a: &'a [u64],
    pub(super) b: &'a [u64],
}

impl Task<Ifma> for SumOfThree<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self, ifma: Ifma) {
        let SumOfThree { z, a, b } = self;
        for k in 0..z.len() / LANES {
            let sum = ifma.add(load(ifma, a, k), load(ifma, b, k));
            store(ifma, z, k, ifma.add(load(ifma, z, k), sum));
        }
        fold(ifma, z);
        let mut is_all_ones = 0xff;
        for k in 0..z.len() / LANES {
            is_all_ones &= ifma.is_equal(load(ifma, z, k), ones(ifma));
        }
        // 1 exactly for 0xff, as the 8 lanes may differ.
        let is_modulus = ifma.opaque_word((u64::from(is_all_ones) + 1) >> 8);
        let is_kept = is_modulus.wrapping_sub(1) as Mask;
        for k in 0..z.len() / LANES {
            store(ifma, z, k, ifma.keep(is_kept, load(ifma, z, k)));
        }
    }
}

/// z = c mod X² − 1 for the c with c = `minus` mod X − 1 and c = ±(p0 − p1) mod X + 1, where X = W^h and p = p0 + p1·X;
/// minus, p0 and p1 have h digits, and z has 2·h. The sign is − where `is_negative` is all ones.
///
/// With e = ±(p0 − p1) and w = (c − e)/2 mod X − 1, c = e + w + w·X: modulo X + 1 it is e, and modulo X − 1 it is
/// e + 2·w. Half of a number mod 2^j − 1 is the number with its j bits rotated by one place.
pub(super) struct Join<'a> {
    pub(super) z: &'a mut [u64],
    pub(super) minus: &'a [u64],
    pub(super) p: &'a [u64],
    pub(super) is_negative: u64,
}

impl Task<Ifma> for Join<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self, ifma: Ifma) {
        let Join { z, minus, p, is_negative } = self;
        let mask = ifma.opaque_word(is_negative) as Mask;
        let h = minus.len();
        let (p0, p1) = p.split_at(h);
        // The complement of a digit is its negative mod X − 1.
        for k in 0..h / LANES {
            let p0 = complement_where(ifma, !mask, load(ifma, p0, k));
            let p1 = complement_where(ifma, mask, load(ifma, p1, k));
            store(ifma, z, k, ifma.add(load(ifma, minus, k), ifma.add(p0, p1)));
        }
        fold(ifma, &mut z[..h]);
        z[h] = z[0];
        let one = ifma.splat(1);
        for k in 0..h / LANES {
            let lowest_above = ifma.and(load(ifma, &z[1..], k), one);
            let top = ifma.shift_left::<{ DIGIT_BITS - 1 }>(lowest_above);
            store(ifma, z, k, ifma.or(ifma.shift_right::<1>(load(ifma, z, k)), top));
        }
        // Modulo X² − 1, the negative of a number below X is the complement of its digits, and all ones above.
        let (low, high) = z.split_at_mut(h);
        for k in 0..h / LANES {
            let p0 = complement_where(ifma, mask, load(ifma, p0, k));
            let p1 = complement_where(ifma, !mask, load(ifma, p1, k));
            let w = load(ifma, low, k);
            store(ifma, low, k, ifma.add(w, ifma.add(p0, p1)));
            store(ifma, high, k, ifma.add(w, ones(ifma)));
        }
        fold(ifma, z);
    }
}
