//! Powers modulo an odd number of five to eight words, by the products and runs of squares for exactly so many.

use crate::arch::blocks::Blocks;
use crate::arch::x86_64::mulx::Mulx;
use crate::kernel::blocks::negated_inverse_of_two_words;
use crate::power::stack::CopyMonoid;
use core::cell::RefCell;

/// The words of scratch for a product, by either instruction set.
const SCRATCH: usize = Mulx::SHORT_SCRATCH;

/// The residues of an odd modulus n of exactly S words, below n.
pub(super) struct ByBlocks<I, const S: usize> {
    blocks: I,
    n: [u64; S],
    /// −n⁻¹ mod W².
    n0: u128,
    scratch: RefCell<[u64; SCRATCH]>,
}

impl<I: Blocks, const S: usize> ByBlocks<I, S> {
    /// The residues modulo n, where n0 = −n⁻¹ mod W.
    pub(super) fn new(blocks: I, n: &[u64; S], n0: u64) -> Self {
        const { assert!(I::SHORT_SCRATCH <= SCRATCH, "the scratch holds what a product needs") }
        let n0 = negated_inverse_of_two_words(n, n0);
        ByBlocks { blocks, n: *n, n0, scratch: RefCell::new([0; SCRATCH]) }
    }
}

impl<I: Blocks, const S: usize> CopyMonoid for ByBlocks<I, S> {
    type Element = [u64; S];

    #[inline(always)]
    fn mul(&self, x: &[u64; S], y: &[u64; S]) -> [u64; S] {
        let mut z = [0; S];
        self.blocks.multiply_short(&mut z, [x, y], (&self.n, self.n0), &mut *self.scratch.borrow_mut());
        z
    }

    #[inline(always)]
    fn square(&self, x: &[u64; S]) -> [u64; S] {
        let mut z = [0; S];
        self.blocks.square_short(&mut z, Some(x), 1, (&self.n, self.n0), &mut *self.scratch.borrow_mut());
        z
    }

    #[inline(always)]
    fn square_repeatedly(&self, x: &mut [u64; S], times: usize) {
        if times > 0 {
            self.blocks.square_short(x, None, times, (&self.n, self.n0), &mut *self.scratch.borrow_mut());
        }
    }

    #[inline(always)]
    fn append(&self, x: &mut [u64; S], squares: usize, y: &[u64; S]) {
        match squares {
            0 => *x = self.mul(x, y),
            _ => {
                let scratch = &mut *self.scratch.borrow_mut();
                self.blocks.append_short(x, squares, y, (&self.n, self.n0), scratch);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::montgomery::Montgomery;
    use super::*;
    use crate::arch::tested::detect_or_say;
    use crate::arch::x86_64::mulx::Adx;
    use crate::modexp::exponent::Exponent;

    /// Words without a pattern, the first odd, the last one small or large.
    fn modulus<const S: usize>(seed: u64) -> [u64; S] {
        let mut n: [u64; S] = core::array::from_fn(|i| {
            (i as u64 + seed).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(31) ^ seed << 9
        });
        (n[0], n[S - 1]) = (n[0] | 1, if seed % 3 == 0 { 1 } else { n[S - 1] | 1 << 63 });
        n
    }

    fn compare<I: Blocks, const S: usize>(blocks: I) {
        for seed in 1..40u64 {
            let modulus = Montgomery::<S>::new(modulus::<S>(seed));
            let bytes = |length: u64| -> alloc::vec::Vec<u8> {
                (1..=length).map(|i| (i * seed).wrapping_mul(0x9e37_79b9) as u8 | 1).collect()
            };
            // Exponents of every width of window, one of runs of squares alone, and one of products alone.
            for e in [bytes(1), bytes(3), bytes(8), bytes(70), alloc::vec![0x80, 0, 0], alloc::vec![0xff; 3]]
            {
                for x in [bytes(5), bytes(8 * S as u64), bytes(19 * S as u64)] {
                    let [x, e] = [&x[..], &e[..]];
                    let power = modulus.pow_by_blocks_vartime(blocks, x, Exponent::new(e));
                    assert_eq!(
                        power,
                        modulus.pow_vartime(x, Exponent::new(e)),
                        "{S} words, {seed}, {x:?}^{e:?}"
                    );
                }
            }
        }
    }

    fn compare_every_number_of_words<I: Blocks>() {
        let Some(blocks) = detect_or_say::<I>() else { return };
        compare::<I, 5>(blocks);
        compare::<I, 6>(blocks);
        compare::<I, 7>(blocks);
        compare::<I, 8>(blocks);
    }

    #[test]
    fn powers_by_either_instruction_set_are_those_without_them() {
        compare_every_number_of_words::<Mulx>();
        compare_every_number_of_words::<Adx>();
    }
}
