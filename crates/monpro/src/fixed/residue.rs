//! A value modulo n in Montgomery form, in S limbs.

use super::choice::Choice;
use super::limbs;
use core::fmt;
use zeroize::Zeroize;

/// x·R mod n for a value x, where R = 2^(64·S). The words hold a number below n.
///
/// The caller knows to which [`Modulus`](super::Modulus) a residue belongs. With another modulus it has another
/// value, and may be outside the bounds of the operations.
#[derive(Clone, Copy)]
pub struct Residue<const S: usize>(pub(super) [u64; S]);

impl<const S: usize> Residue<S> {
    /// The residue 0. It is the same for every modulus.
    pub const ZERO: Residue<S> = Residue([0; S]);

    /// Whether x = y, for residues of one modulus.
    #[inline]
    #[must_use]
    pub fn is_equal(self, y: Residue<S>) -> Choice {
        let difference = limbs::difference(&self.0, &y.0);
        // The top bit of d | −d is 1 exactly where d ≠ 0.
        !Choice::from_bit((difference | difference.wrapping_neg()) >> 63)
    }

    /// Whether x = 0.
    #[inline]
    #[must_use]
    pub fn is_zero(self) -> Choice {
        self.is_equal(Residue::ZERO)
    }

    /// y where the choice is yes, x where it is no.
    #[inline(always)]
    #[must_use]
    pub fn or(self, y: Residue<S>, choice: Choice) -> Residue<S> {
        Residue(limbs::select(choice.mask(), &self.0, &y.0))
    }

    /// Exchanges x and y where the choice is yes.
    #[inline(always)]
    pub fn swap(&mut self, y: &mut Residue<S>, choice: Choice) {
        (*self, *y) = (self.or(*y, choice), y.or(*self, choice));
    }

    /// Entry `index` of the table; 0 if the table is shorter. The whole table is read.
    #[inline(always)]
    #[must_use]
    pub fn select(table: &[Residue<S>], index: u64) -> Residue<S> {
        let chosen = |chosen: Residue<S>, (i, &entry): (usize, &Residue<S>)| {
            let other = i as u64 ^ index;
            // The top bit of d | −d is 0 exactly where d = 0.
            chosen.or(entry, !Choice::from_bit((other | other.wrapping_neg()) >> 63))
        };
        table.iter().enumerate().fold(Residue::ZERO, chosen)
    }
}

impl<const S: usize> PartialEq for Residue<S> {
    /// Whether x = y, in time independent of the values.
    fn eq(&self, other: &Residue<S>) -> bool {
        self.is_equal(*other).to_bool()
    }
}

impl<const S: usize> Eq for Residue<S> {}

impl<const S: usize> Zeroize for Residue<S> {
    /// Sets this copy to 0. The compiler may not leave this out.
    fn zeroize(&mut self) {
        self.0.zeroize();
    }
}

impl<const S: usize> fmt::Debug for Residue<S> {
    /// Never the value, which may be secret.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Residue<{S}>(_)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn residues_are_equal_if_every_bit_is() {
        for bit in 0..128 {
            let mut words = [0; 2];
            words[bit / 64] = 1 << (bit % 64);
            let x = Residue(words);
            assert!(x.is_equal(x).to_bool(), "bit {bit}");
            assert!(!x.is_equal(Residue::ZERO).to_bool() && !x.is_zero().to_bool(), "bit {bit}");
        }
    }

    #[test]
    fn an_index_above_the_table_selects_0() {
        let table = [Residue([7]), Residue([8]), Residue([9])];
        for index in [0, 1, 2, 3, 4, 1 << 62, 1 << 63, 1 << 63 | 2, u64::MAX] {
            let expected =
                table.iter().zip(0..).find(|&(_, i)| i == index).map_or(Residue::ZERO, |(&x, _)| x);
            assert_eq!(Residue::select(&table, index), expected, "entry {index:#x}");
        }
    }
}
