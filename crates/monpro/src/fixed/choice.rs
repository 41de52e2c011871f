//! A secret yes or no.

use crate::word::Word;
use core::fmt;
use core::ops::{BitAnd, BitOr, Not};

/// A yes or no that nothing branches on, until [`Choice::to_bool`] reveals it.
#[derive(Clone, Copy)]
pub struct Choice(u64);

impl Choice {
    /// Whether the lowest bit of the word is 1.
    #[inline(always)]
    #[must_use]
    pub const fn from_bit(word: u64) -> Choice {
        Choice(word & 1)
    }

    /// The answer, for a caller that may know it and branch on it.
    #[inline(always)]
    #[must_use]
    pub const fn to_bool(self) -> bool {
        self.0 == 1
    }

    /// Ones where the answer is yes, zeros where it is no.
    #[inline(always)]
    pub(super) fn mask(self) -> u64 {
        Word::mask(self.0)
    }
}

impl Not for Choice {
    type Output = Choice;

    #[inline(always)]
    fn not(self) -> Choice {
        Choice(self.0 ^ 1)
    }
}

impl BitAnd for Choice {
    type Output = Choice;

    #[inline(always)]
    fn bitand(self, other: Choice) -> Choice {
        Choice(self.0 & other.0)
    }
}

impl BitOr for Choice {
    type Output = Choice;

    #[inline(always)]
    fn bitor(self, other: Choice) -> Choice {
        Choice(self.0 | other.0)
    }
}

impl fmt::Debug for Choice {
    /// Never the answer, which may be secret.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Choice(_)")
    }
}
