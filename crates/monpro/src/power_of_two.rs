//! Arithmetic modulo 2^k, for the even part of a modulus.

use crate::division::exact::divide_exactly;
#[cfg(target_arch = "x86_64")]
use crate::kernel::faster::{Faster, with_faster};
use crate::monoid::{Cells, Monoid, Temporary};
use crate::natural::{resized, subtract};
#[cfg(target_arch = "x86_64")]
use crate::product::by_blocks;
use crate::product::{add_product, multiply_low, square_low};
use alloc::vec::Vec;
use zeroize::Zeroizing;

/// The words from which products by blocks are faster than portable ones: measured on Intel's family 6, model 167.
#[cfg(target_arch = "x86_64")]
const LEAST_WORDS_OF_BLOCKS: usize = 10;

/// The residues modulo 2^k, k ≥ 1, in ⌈k/64⌉ words, or for products by blocks rounded up to a multiple of 4; products are
/// truncated, in constant time.
pub(crate) struct PowerOfTwo {
    k: usize,
    #[cfg(target_arch = "x86_64")]
    blocks: Option<Faster>,
}

impl PowerOfTwo {
    pub(crate) fn new(k: usize) -> PowerOfTwo {
        PowerOfTwo {
            k,
            #[cfg(target_arch = "x86_64")]
            blocks: if k.div_ceil(64) >= LEAST_WORDS_OF_BLOCKS { Faster::of_both(k) } else { None },
        }
    }

    /// k.
    pub(crate) fn k(&self) -> usize {
        self.k
    }

    /// x mod 2^k.
    pub(crate) fn reduce(&self, x: &[u64]) -> Cells {
        let mut z = Cells::from(resized(x, self.words()));
        self.truncate(&mut z);
        z
    }

    /// The number below 2^k·m, in `length` words, that is `low` modulo 2^k and `odd` < m modulo m (Garner):
    /// odd + m·((low − odd)·m⁻¹ mod 2^k).
    pub(crate) fn recombine(&self, low: &[u64], odd: &[u64], m: &[u64], length: usize) -> Vec<u64> {
        let mut quotient = Zeroizing::new(low[..self.k.div_ceil(64)].to_vec());
        subtract(&mut quotient, odd);
        divide_exactly(&mut quotient, m);
        self.truncate(&mut quotient);
        let mut z = resized(odd, length);
        add_product(&mut z, &quotient, m);
        z
    }

    fn words(&self) -> usize {
        let words = self.k.div_ceil(64);
        #[cfg(target_arch = "x86_64")]
        if self.blocks.is_some() {
            return words.next_multiple_of(4);
        }
        words
    }

    fn truncate(&self, z: &mut [u64]) {
        let (whole, bits) = (self.k / 64, self.k % 64);
        if let Some((top, above)) = z[whole..].split_first_mut() {
            *top &= (1 << bits) - 1;
            above.fill(0);
        }
    }
}

impl Monoid for PowerOfTwo {
    fn one(&self) -> Cells {
        self.reduce(&[1])
    }

    fn scratch(&self) -> Temporary {
        #[cfg(target_arch = "x86_64")]
        if self.blocks.is_some() {
            return Temporary::new(self.words().next_multiple_of(8));
        }
        Temporary::new(0)
    }

    fn mul(&self, z: &mut [u64], x: &[u64], y: &[u64], _scratch: &mut [u64]) {
        #[cfg(target_arch = "x86_64")]
        if let Some(blocks) = self.blocks {
            with_faster!(blocks, |blocks| by_blocks::multiply_low(blocks, z, x, y));
            return self.truncate(z);
        }
        multiply_low(z, x, y);
        self.truncate(z);
    }

    #[cfg_attr(
        not(target_arch = "x86_64"),
        expect(unused_variables, reason = "squares by blocks alone need scratch")
    )]
    fn square(&self, z: &mut [u64], x: &[u64], scratch: &mut [u64]) {
        #[cfg(target_arch = "x86_64")]
        if let Some(blocks) = self.blocks {
            with_faster!(blocks, |blocks| by_blocks::square_low(blocks, scratch, x));
            z.copy_from_slice(&scratch[..x.len()]);
            return self.truncate(z);
        }
        square_low(z, x);
        self.truncate(z);
    }
}

/// The number b ≥ 1 for which x^(2^b) = 1 mod 2^k for every odd x.
pub(crate) fn order_bits(k: usize) -> usize {
    k.saturating_sub(2).max(1)
}
