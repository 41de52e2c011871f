//! Powers modulo an odd number of six to eight words, by the products and runs of squares for exactly so many.

use crate::arch::blocks::Blocks;
use crate::arch::x86_64::mulx::Mulx;
use crate::kernel::blocks::negated_inverse_of_two_words;
use crate::power::stack::CopyMonoid;
use core::cell::RefCell;

/// The residues of an odd modulus n of exactly S words, below n.
pub(super) struct ByBlocks<const S: usize> {
    mulx: Mulx,
    n: [u64; S],
    /// −n⁻¹ mod W².
    n0: u128,
    scratch: RefCell<[u64; Mulx::SHORT_SCRATCH]>,
}

impl<const S: usize> ByBlocks<S> {
    /// The residues modulo n, where n0 = −n⁻¹ mod W.
    pub(super) fn new(mulx: Mulx, n: &[u64; S], n0: u64) -> Self {
        let n0 = negated_inverse_of_two_words(n, n0);
        ByBlocks { mulx, n: *n, n0, scratch: RefCell::new([0; Mulx::SHORT_SCRATCH]) }
    }
}

impl<const S: usize> CopyMonoid for ByBlocks<S> {
    type Element = [u64; S];

    #[inline(always)]
    fn mul(&self, x: &[u64; S], y: &[u64; S]) -> [u64; S] {
        let mut z = [0; S];
        self.mulx.multiply_short(&mut z, [x, y], (&self.n, self.n0), &mut *self.scratch.borrow_mut());
        z
    }

    #[inline(always)]
    fn square(&self, x: &[u64; S]) -> [u64; S] {
        let mut z = [0; S];
        self.mulx.square_short(&mut z, Some(x), 1, (&self.n, self.n0), &mut *self.scratch.borrow_mut());
        z
    }

    #[inline(always)]
    fn square_repeatedly(&self, x: &mut [u64; S], times: usize) {
        if times > 0 {
            self.mulx.square_short(x, None, times, (&self.n, self.n0), &mut *self.scratch.borrow_mut());
        }
    }
}
