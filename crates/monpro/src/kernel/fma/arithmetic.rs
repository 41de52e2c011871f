//! The operations on residues other than products, a digit at a time.

use super::{DIGIT_BITS, PADDING};
use crate::arch::x86_64::fma::{bits_of, integer_of};
use crate::kernel::contract::{Arithmetic, Constants};
use crate::n0::newton_hensel;
use crate::ring::Integers;

/// The largest digit.
pub(super) const LARGEST: u64 = (1 << DIGIT_BITS) - 1;

pub(super) const ARITHMETIC: &Arithmetic = &Arithmetic {
    word: |x, i| integer_of(x[PADDING + i]) as u64,
    set_word: |z, i, word| z[PADDING + i] = bits_of(word as i64),
    n0: |n| newton_hensel::<Integers<u64>>(integer_of(n[PADDING]) as u64) & LARGEST,
    mul_x: |z, constants, _| {
        for digit in digits_mut(z, constants.s) {
            *digit = bits_of(2 * integer_of(*digit));
        }
        reduce_once(z, constants);
    },
    add: |z, a, b, constants, _| {
        let (a, b) = (digits(a, constants.s), digits(b, constants.s));
        for ((z, &a), &b) in digits_mut(z, constants.s).iter_mut().zip(a).zip(b) {
            *z = bits_of(integer_of(a) + integer_of(b));
        }
        reduce_once(z, constants);
    },
    sub: |z, a, b, constants| {
        let (a, b) = (digits(a, constants.s), digits(b, constants.s));
        for ((z, &a), &b) in digits_mut(z, constants.s).iter_mut().zip(a).zip(b) {
            *z = bits_of(integer_of(a) - integer_of(b));
        }
        let is_negative = carry_through(z, constants, 0, 0);
        carry_through(z, constants, core::hint::black_box(is_negative), 0);
    },
    is_reduced: |a, constants| {
        let pairs = digits(a, constants.s).iter().zip(digits(constants.n, constants.s));
        pairs.fold(0, |borrow, (&a, &n)| (integer_of(a) - integer_of(n) + borrow) >> DIGIT_BITS) == -1
    },
};

#[inline(always)]
fn digits(cells: &[u64], s: usize) -> &[u64] {
    &cells[PADDING..][..s]
}

#[inline(always)]
fn digits_mut(cells: &mut [u64], s: usize) -> &mut [u64] {
    &mut cells[PADDING..][..s]
}

/// z = z mod n for z < 2·n < R, whose digits may be any integers of 51 bits and a sign.
pub(super) fn reduce_once(z: &mut [u64], constants: &Constants) {
    let is_negative = carry_through(z, constants, 0, -1);
    carry_through(z, constants, core::hint::black_box(is_negative), 0);
}

/// z = z + n where `add` is −1 and not 0, less n where `take` is −1 and not 0, mod R. The digits of z may be any integers of 51
/// bits and a sign, and become digits of 50 bits. Returns −1 if the number was negative, and 0 if it was not.
#[inline(always)]
fn carry_through(z: &mut [u64], constants: &Constants, add: i64, take: i64) -> i64 {
    let n = digits(constants.n, constants.s);
    let mut carry = 0;
    for (digit, &n) in digits_mut(z, constants.s).iter_mut().zip(n) {
        let n = integer_of(n);
        let sum = integer_of(*digit) + (n & add) - (n & take) + carry;
        carry = sum >> DIGIT_BITS;
        *digit = bits_of(sum & LARGEST as i64);
    }
    carry
}
