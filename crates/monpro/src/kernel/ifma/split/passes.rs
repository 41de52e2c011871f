//! Passes over numbers in digits of 52 bits, eight digits at a time, whose time is proportional to the number of digits.
//!
//! W^k is 2^(52·k).

use crate::arch::Task;
use crate::arch::x86_64::ifma::{DIGIT_BITS, Ifma, LANES, Mask, Vector};
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

/// What goes from the columns below into the next eight.
///
/// Columns become digits eight at a time, from the lowest up. Once the upper part of each column has been added to the
/// next one, a column is below 2^53. It generates a carry if it exceeds 2^52 − 1, and passes one on if it equals 2^52 − 1.
/// With a bit of a word for each of eight columns, one addition moves every carry as far as it goes.
struct Carry {
    ifma: Ifma,
    /// The sums of the last vector without their lowest 52 bits; only the last column's is added.
    upper: Vector,
    /// 0 or 1, which is added too.
    digit: u64,
}

impl Carry {
    /// A carry of 0 or 1.
    #[inline(always)]
    fn of(ifma: Ifma, digit: u64) -> Carry {
        Carry { ifma, upper: ifma.zero(), digit }
    }

    /// The digits of eight columns below 2^64 − 2^12.
    #[inline(always)]
    fn digits(&mut self, columns: Vector) -> Vector {
        let ifma = self.ifma;
        let upper = ifma.shift_right::<DIGIT_BITS>(columns);
        let columns = ifma.add(ifma.and(columns, ones(ifma)), ifma.up_word(upper, self.upper));
        self.upper = upper;
        let generate = u64::from(ifma.is_below(ones(ifma), columns));
        self.move_on(columns, generate << 1)
    }

    /// The digits of eight columns of at most 2^53 − 2, given where the columns below generate carries.
    #[inline(always)]
    fn move_on(&mut self, columns: Vector, generate: u64) -> Vector {
        let ifma = self.ifma;
        let pass_on = u64::from(ifma.is_equal(columns, ones(ifma)));
        let sum = ifma.opaque_word(pass_on + (generate | self.digit));
        self.digit = sum >> LANES;
        let digits = ifma.add_where((sum ^ pass_on) as Mask, columns, ifma.splat(1));
        ifma.and(digits, ones(ifma))
    }
}

/// Makes the columns of z digits of the same number mod W^(len z).
#[inline(always)]
pub(super) fn normalise(ifma: Ifma, z: &mut [u64]) {
    let mut carry = Carry::of(ifma, 0);
    for k in 0..z.len() / LANES {
        store(ifma, z, k, carry.digits(load(ifma, z, k)));
    }
}

/// Makes the k columns of z digits of the same number mod W^k − 1, where 0 may be W^k − 1.
///
/// What leaves the columns has the weight W^k, which is congruent to 1. The upper part of the last column is known before
/// the others are added. Upper parts are at most 2^12, and with them the number is at most W^k − 1 + 2^12·(W^k − 1)/(W − 1),
/// which is below 2·W^k − 1. So a carry of 0 or 1 is left, and if it is 1, the digits are not all 2^52 − 1, and no second
/// carry follows.
#[inline(always)]
fn fold(ifma: Ifma, z: &mut [u64]) {
    let vectors = z.len() / LANES;
    let around = ifma.shift_right::<DIGIT_BITS>(load(ifma, z, vectors - 1));
    let mut carry = Carry { ifma, upper: around, digit: 0 };
    for k in 0..vectors {
        store(ifma, z, k, carry.digits(load(ifma, z, k)));
    }
    for k in 0..vectors {
        store(ifma, z, k, carry.move_on(load(ifma, z, k), 0));
    }
}

/// Whether a < b, as a word of ones or of zeros, for a b that may be shorter.
#[inline(always)]
fn is_less(ifma: Ifma, a: &[u64], b: &[u64]) -> u64 {
    let mut borrow = 0u64;
    for k in 0..a.len() / LANES {
        let (a, b) = (load(ifma, a, k), load_or_zero(ifma, b, k));
        // A bit for each digit; the highest one that is set decides, as in a comparison of the two words.
        let (below, above) = (ifma.is_below(a, b), ifma.is_below(b, a));
        borrow = ifma.opaque_word(u64::from(above).wrapping_sub(u64::from(below) + borrow) >> 63);
    }
    borrow.wrapping_neg()
}

/// Vector k of a number with zeros above.
#[inline(always)]
fn load_or_zero(ifma: Ifma, digits: &[u64], k: usize) -> Vector {
    if k < digits.len() / LANES { load(ifma, digits, k) } else { ifma.zero() }
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
        let is_negative = is_less(ifma, a, b);
        let mask = ifma.opaque_word(is_negative) as Mask;
        // a − b = a + (W^k − 1 − b) + 1 mod W^k.
        let mut carry = Carry::of(ifma, 1);
        for k in 0..a.len() / LANES {
            let (a, b) = (load(ifma, a, k), load_or_zero(ifma, b, k));
            let (larger, smaller) = (ifma.select(mask, a, b), ifma.select(mask, b, a));
            store(ifma, z, k, carry.digits(ifma.add(larger, ifma.sub(ones(ifma), smaller))));
        }
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
            let p_or_complement = complement_where(ifma, mask, load(ifma, p, k));
            let sum = ifma.add(load(ifma, z0, k), load_or_zero(ifma, z2, k));
            store(ifma, p, k, ifma.add(sum, p_or_complement));
        }
        // −p = (W^j − 1 − p) + 1 mod W^j for the j digits of z from h on, where p has zeros from 2·h on.
        let (middle, above) = z[p.len() / 2..].split_at_mut(p.len());
        let mut carry = Carry::of(ifma, is_subtracted & 1);
        for k in 0..p.len() / LANES {
            store(ifma, middle, k, carry.digits(ifma.add(load(ifma, middle, k), load(ifma, p, k))));
        }
        let zero_or_complement = complement_where(ifma, mask, ifma.zero());
        for k in 0..above.len() / LANES {
            store(ifma, above, k, carry.digits(ifma.add(load(ifma, above, k), zero_or_complement)));
        }
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
        let (z, mut carry) = (&mut z[first..], Carry::of(ifma, 0));
        for k in 0..a.len() / LANES {
            let sum = ifma.add(load(ifma, a, k), load(ifma, b, k));
            store(ifma, z, k, carry.digits(ifma.add(load(ifma, z, k), sum)));
        }
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
        let SumOfTwo { z, a, b } = self;
        for k in 0..z.len() / LANES {
            store(ifma, z, k, ifma.add(load(ifma, a, k), load(ifma, b, k)));
        }
        fold(ifma, z);
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
