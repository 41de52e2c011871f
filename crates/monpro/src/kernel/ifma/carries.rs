//! Carries: sums of columns become digits, in constant time. A digit is a limb of 52 or 51 bits. A sum is below
//! 2^64 − 2^12.

use super::{load, store};
use crate::arch::x86_64::ifma::{DIGIT_BITS, Ifma, LANES, Mask, Vector};
use crate::arch::{InstructionSet, Task};

/// The most vectors whose carries, one bit for each column, fit a word.
const GROUP: usize = 8;

/// The digits of Σ sums\[i\]·2^(B·i) and the carry out of them, for V < 8.
///
/// The digits are below 2^52, so that they can be multiplied. With B < 52, a digit may exceed 2^B by the upper part
/// of the column below, so that no carry has to move further than one column.
#[inline(always)]
pub(super) fn normalise<const V: usize, const B: u32>(ifma: Ifma, sums: [Vector; V]) -> ([Vector; V], u64) {
    if B < DIGIT_BITS {
        let (columns, upper) = add_upper_parts::<V, B>(ifma, sums, ifma.zero());
        return (columns, ifma.last(upper));
    }
    let propagation = Propagation::<V, B>::of(ifma, sums, Carry::none(ifma));
    (propagation.digits(ifma), propagation.carry.out(ifma))
}

/// Moves the upper part of each sum, beyond B bits, to the next column. Returns the columns, each at most
/// 2^B + 2^(64 − B), and the upper parts of the last vector. `below` holds the upper parts of the vector before the
/// first.
#[inline(always)]
pub(super) fn add_upper_parts<const V: usize, const B: u32>(
    ifma: Ifma,
    sums: [Vector; V],
    below: Vector,
) -> ([Vector; V], Vector) {
    let largest = ifma.splat((1 << B) - 1);
    let (mut columns, mut below) = (sums, below);
    for k in 0..V {
        let upper = ifma.shift_right::<B>(sums[k]);
        columns[k] = ifma.add(ifma.and(sums[k], largest), ifma.up_word(upper, below));
        below = upper;
    }
    (columns, below)
}

/// The digits of u mod n, for a u < 2·n given as sums of columns, and V < 8; `complement` is R − n.
#[inline(always)]
pub(super) fn subtract_once<const V: usize, const B: u32>(
    ifma: Ifma,
    u: [Vector; V],
    complement: &[u64],
) -> [Vector; V] {
    let mut difference = u;
    for k in 0..V {
        difference[k] = ifma.add(u[k], load(ifma, complement, k));
    }
    let mut chosen = Propagation::<V, B>::of(ifma, u, Carry::none(ifma));
    let difference = Propagation::<V, B>::of(ifma, difference, Carry::none(ifma));
    // u + R − n ≥ R exactly if u ≥ n.
    let is_reached = ifma.opaque_word(difference.carry.out(ifma).wrapping_neg());
    for k in 0..V {
        chosen.columns[k] = ifma.select(is_reached as Mask, chosen.columns[k], difference.columns[k]);
    }
    chosen.carries ^= is_reached & (chosen.carries ^ difference.carries);
    chosen.digits(ifma)
}

/// z = u mod n for a u < 2·n given as sums of columns, which are overwritten; `complement` is R − n.
#[inline(always)]
pub(super) fn reduce_once<const B: u32>(
    ifma: Ifma,
    z: &mut [u64],
    u: &mut [u64],
    complement: &[u64],
    difference: &mut [u64],
) {
    let vectors = z.len() / LANES;
    for k in 0..vectors {
        store(ifma, difference, k, ifma.add(load(ifma, u, k), load(ifma, complement, k)));
    }
    ifma.run(Normalise::<B>(u));
    let is_reached = ifma.opaque_word(ifma.run(Normalise::<B>(difference)).wrapping_neg()) as Mask;
    for k in 0..vectors {
        store(ifma, z, k, ifma.select(is_reached, load(ifma, u, k), load(ifma, difference, k)));
    }
}

/// sums = the digits of Σ sums\[i\]·2^(B·i), for any number of vectors; returns the carry out of them.
pub(super) struct Normalise<'a, const B: u32>(pub(super) &'a mut [u64]);

impl<const B: u32> Task<Ifma> for Normalise<'_, B> {
    type Output = u64;

    #[inline(always)]
    fn run(self, ifma: Ifma) -> u64 {
        let mut carry = Carry::none(ifma);
        for group in self.0.chunks_mut(GROUP * LANES) {
            carry = match group.len() / LANES {
                1 => normalise_group::<1, B>(ifma, group, carry),
                2 => normalise_group::<2, B>(ifma, group, carry),
                3 => normalise_group::<3, B>(ifma, group, carry),
                4 => normalise_group::<4, B>(ifma, group, carry),
                5 => normalise_group::<5, B>(ifma, group, carry),
                6 => normalise_group::<6, B>(ifma, group, carry),
                7 => normalise_group::<7, B>(ifma, group, carry),
                _ => normalise_group::<GROUP, B>(ifma, group, carry),
            };
        }
        carry.out(ifma)
    }
}

/// Normalises V vectors, given the carry out of the vectors below.
#[inline(always)]
fn normalise_group<const V: usize, const B: u32>(ifma: Ifma, words: &mut [u64], carry: Carry) -> Carry {
    let mut sums = [ifma.zero(); V];
    for k in 0..V {
        sums[k] = load(ifma, words, k);
    }
    let propagation = Propagation::<V, B>::of(ifma, sums, carry);
    let digits = propagation.digits(ifma);
    for k in 0..V {
        store(ifma, words, k, digits[k]);
    }
    propagation.carry
}

/// The carry from some vectors into the next.
#[derive(Clone, Copy)]
struct Carry {
    /// The upper parts of the sums of the last vector; only the last column's is added.
    upper: Vector,
    /// 0 or 1, which is added too.
    digit: u64,
}

impl Carry {
    #[inline(always)]
    fn none(ifma: Ifma) -> Carry {
        Carry { upper: ifma.zero(), digit: 0 }
    }

    #[inline(always)]
    fn out(self, ifma: Ifma) -> u64 {
        ifma.last(self.upper) + self.digit
    }
}

/// Sums of columns that become digits when a carry of 0 or 1 is added to each.
///
/// Once the upper part of each sum has been added to the next column, a column is below 2^(B + 1). It generates a
/// carry if it exceeds 2^B − 1, and passes one on if it equals 2^B − 1. Each kind is a word with one bit for each
/// column. One addition of the two words moves every carry as far as it goes.
struct Propagation<const V: usize, const B: u32> {
    columns: [Vector; V],
    /// Bit i is the carry into column i.
    carries: u64,
    /// The carry out of the columns.
    carry: Carry,
}

impl<const V: usize, const B: u32> Propagation<V, B> {
    /// From sums of columns, and the carry from the columns below.
    #[inline(always)]
    fn of(ifma: Ifma, sums: [Vector; V], carry: Carry) -> Self {
        let largest = ifma.splat((1 << B) - 1);
        let (columns, upper) = add_upper_parts::<V, B>(ifma, sums, carry.upper);
        let (mut generate, mut propagate) = (0, 0);
        for k in 0..V {
            // Opaque to the optimiser, which would otherwise collect the bits in vectors, in twice the time.
            let exceeds = u64::from(ifma.is_below(largest, columns[k]));
            generate = ifma.opaque_word(generate | exceeds << (LANES * k));
            let equals = u64::from(ifma.is_equal(columns[k], largest));
            propagate = ifma.opaque_word(propagate | equals << (LANES * k));
        }
        let (sum, over) = u64::overflowing_add(propagate, generate << 1 | carry.digit);
        let carries = sum ^ propagate;
        let digit = match V {
            GROUP => generate >> 63 | u64::from(over),
            _ => carries >> (LANES * V) & 1,
        };
        Propagation { columns, carries, carry: Carry { upper, digit } }
    }

    #[inline(always)]
    fn digits(&self, ifma: Ifma) -> [Vector; V] {
        let (one, largest) = (ifma.splat(1), ifma.splat((1 << B) - 1));
        let mut digits = self.columns;
        for k in 0..V {
            let carries = (self.carries >> (LANES * k)) as Mask;
            digits[k] = ifma.and(ifma.add_where(carries, digits[k], one), largest);
        }
        digits
    }
}
