//! Powers modulo an odd number of four words, by the instructions of x86-64 for them.

use crate::arch::x86_64::mulx::Mulx;
use crate::arch::x86_64::mulx::four_words::FourWords;
use crate::power::stack::CopyMonoid;

/// The residues of an odd modulus of exactly four words: below R = W⁴, but not always below n.
pub(super) struct InRegisters {
    mulx: Mulx,
    modulus: FourWords,
}

impl InRegisters {
    /// The residues modulo n, where n0 = −n⁻¹ mod W.
    pub(super) fn new(mulx: Mulx, n: &[u64; 4], n0: u64) -> InRegisters {
        InRegisters { mulx, modulus: FourWords::new(n, n0) }
    }
}

impl CopyMonoid for InRegisters {
    type Element = [u64; 4];

    #[inline(always)]
    fn mul(&self, x: &[u64; 4], y: &[u64; 4]) -> [u64; 4] {
        self.mulx.multiply_four_words(x, y, &self.modulus)
    }

    #[inline(always)]
    fn square_repeatedly(&self, x: &mut [u64; 4], times: usize) {
        if times > 0 {
            self.mulx.square_four_words(x, times, &self.modulus);
        }
    }

    #[inline(always)]
    fn append(&self, x: &mut [u64; 4], squares: usize, y: &[u64; 4]) {
        match squares {
            0 => *x = self.mul(x, y),
            _ => self.mulx.append_four_words(x, squares, y, &self.modulus),
        }
    }

    #[inline(always)]
    fn square(&self, x: &[u64; 4]) -> [u64; 4] {
        let mut z = *x;
        self.square_repeatedly(&mut z, 1);
        z
    }
}
