//! Carries: sums of columns become digits below 2^52, in constant time, one vector after the other.

use crate::arch::x86_64::ifma::{DIGIT_BITS, HALF, Ifma, Mask, Vector};

/// Bit 0 of each half of a word of two sets of bits: those of the first number, and those of the second.
const LOWEST_BITS: u64 = 0x1_0000_0001;
/// The place of the second set, minus the four bits by which it is higher in a mask.
const APART: u32 = 28;

/// What vectors of columns carry into the next.
#[derive(Clone, Copy)]
pub(super) struct Carry {
    /// The upper parts of the last vector of columns; only those of the last column of each half are carried.
    upper: Vector,
    /// For each of the two numbers 0 or 1, which is carried too.
    bits: u64,
}

impl Carry {
    /// No carry.
    #[inline(always)]
    pub(super) fn none(ifma: Ifma) -> Carry {
        Carry { upper: ifma.zero(), bits: 0 }
    }

    /// The words in lane 3 of each half, as a carry.
    #[inline(always)]
    pub(super) fn of_last(upper: Vector) -> Carry {
        Carry { upper, bits: 0 }
    }

    /// The carry as a number to add to the next vector of columns.
    #[inline(always)]
    pub(super) fn to_columns(self, ifma: Ifma) -> Vector {
        let upper = ifma.align_halves::<1>(ifma.zero(), self.upper);
        ifma.in_order().add_where(to_mask(ifma, self.bits), upper, ifma.splat(1))
    }

    /// The digits of the next vector of columns, sums below 2^64 − 2^12, with the carry added; it becomes the carry out of
    /// them.
    ///
    /// Once the upper part of each sum has been added to the next column, a column is below 2^53. It generates a carry if
    /// it exceeds 2^52 − 1, and passes one on if it equals 2^52 − 1. Each kind is a set of bits, one for each column of a
    /// number. One addition of the two sets moves every carry as far as it goes, at most into bit 4, which is free.
    #[inline(always)]
    pub(super) fn digits(&mut self, ifma: Ifma, sums: Vector) -> Vector {
        let largest = ifma.splat((1 << DIGIT_BITS) - 1);
        let upper = ifma.shift_right::<DIGIT_BITS>(sums);
        let columns = ifma.add(ifma.and(sums, largest), ifma.align_halves::<1>(upper, self.upper));
        let generate = to_bits(ifma, ifma.is_below(largest, columns));
        let propagate = to_bits(ifma, ifma.is_equal(columns, largest));
        let carries = (propagate + (2 * generate + self.bits)) ^ propagate;
        *self = Carry { upper, bits: carries >> HALF & LOWEST_BITS };
        let sums = ifma.in_order().add_where(to_mask(ifma, carries), columns, ifma.splat(1));
        ifma.and(sums, largest)
    }

    /// digits = the digits of the next vectors of columns.
    #[inline(always)]
    pub(super) fn put_digits(&mut self, ifma: Ifma, digits: &mut [Vector], sums: &[Vector]) {
        for (digits, &sums) in digits.iter_mut().zip(sums) {
            *digits = self.digits(ifma, sums);
        }
    }
}

/// The two sets of bits of a mask.
#[inline(always)]
fn to_bits(ifma: Ifma, mask: Mask) -> u64 {
    // Opaque to the optimiser, which would otherwise collect the bits in vectors, in twice the time.
    let mask = ifma.opaque_word(mask.into());
    (mask | mask << APART) & (0xf * LOWEST_BITS)
}

/// The mask of two sets of bits, of which only the lowest four count.
#[inline(always)]
fn to_mask(ifma: Ifma, bits: u64) -> Mask {
    let bits = bits & (0xf * LOWEST_BITS);
    ifma.opaque_word(bits | bits >> APART) as Mask
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arch::tested::detect_or_say;
    use crate::arch::x86_64::ifma::Line;
    use crate::arch::{InstructionSet, Task};
    use alloc::vec::Vec;

    struct Digits<'a>(&'a mut [Line]);

    impl Task<Ifma> for Digits<'_> {
        type Output = Line;

        #[inline(always)]
        fn run(self, ifma: Ifma) -> Line {
            let mut carry = Carry::none(ifma);
            for line in self.0 {
                let digits = carry.digits(ifma, ifma.load(&line.0));
                ifma.store(&mut line.0, digits);
            }
            let mut out = Line::default();
            ifma.store(&mut out.0, carry.to_columns(ifma));
            out
        }
    }

    /// The digits of a number in columns, and the carry out of them.
    fn expected(columns: &[u64]) -> (Vec<u64>, u64) {
        let mut carry = 0;
        let digits = columns.iter().map(|&column| {
            let sum = u128::from(column) + u128::from(carry);
            carry = (sum >> DIGIT_BITS) as u64;
            sum as u64 & ((1 << DIGIT_BITS) - 1)
        });
        (digits.collect(), carry)
    }

    /// Columns that pass a carry on, generate one, do neither, or have a long upper part, in every arrangement of eight
    /// columns of either number, beside each other kind in the other number.
    #[test]
    fn carries_move_as_far_as_they_go_in_each_number() {
        let Some(ifma) = detect_or_say::<Ifma>() else { return };
        const LARGEST: u64 = (1 << DIGIT_BITS) - 1;
        let kinds = [LARGEST, LARGEST + 1, 5, u64::MAX - (1 << 12)];
        for arrangement in 0..4usize.pow(8) {
            let column = |half: usize, j: usize| kinds[((arrangement >> (2 * j)) ^ (half * (j % 3 + 1))) & 3];
            let columns = |half| -> Vec<u64> { (0..8).map(|j| column(half, j)).collect() };
            let mut lines: [Line; 2] = core::array::from_fn(|k| {
                Line(core::array::from_fn(|lane| column(lane / HALF, HALF * k + lane % HALF)))
            });
            let out = ifma.run(Digits(&mut lines));
            for half in 0..2 {
                let (digits, carry) = expected(&columns(half));
                let found: Vec<u64> = (0..8).map(|j| lines[j / HALF].0[HALF * half + j % HALF]).collect();
                assert_eq!((found, out.0[HALF * half]), (digits, carry), "{:x?}", columns(half));
            }
            assert_eq!([out.0[1..4].iter().sum::<u64>(), out.0[5..].iter().sum()], [0; 2]);
        }
    }
}
