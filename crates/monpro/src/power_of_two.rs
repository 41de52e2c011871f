//! Arithmetic modulo 2^k, for the even part of a modulus.

use crate::monoid::{Cells, Monoid};
use crate::natural::{add_product, resized, subtract};
use alloc::vec;
use alloc::vec::Vec;
use zeroize::Zeroizing;

/// The residues modulo 2^k, k ≥ 1, in ⌈k/64⌉ words; products are truncated, in constant time.
pub(crate) struct PowerOfTwo {
    k: usize,
}

impl PowerOfTwo {
    pub(crate) fn new(k: usize) -> PowerOfTwo {
        PowerOfTwo { k }
    }

    /// x mod 2^k.
    pub(crate) fn reduce(&self, x: &[u64]) -> Cells {
        let mut z = Zeroizing::new(resized(x, self.words()));
        self.truncate(&mut z);
        z
    }

    /// The number below 2^k·m, in `length` words, that is `low` modulo 2^k and `odd` < m modulo m (Garner):
    /// odd + m·((low − odd)·m⁻¹ mod 2^k).
    pub(crate) fn recombine(&self, low: &[u64], odd: &[u64], m: &[u64], length: usize) -> Vec<u64> {
        let mut difference = Zeroizing::new(low.to_vec());
        subtract(&mut difference, odd);
        let mut quotient = Zeroizing::new(vec![0; self.words()]);
        self.mul(&mut quotient, &difference, &self.inverse(m), &mut []);
        let mut z = resized(odd, length);
        add_product(&mut z, &quotient, m);
        z
    }

    /// m⁻¹ mod 2^k for odd m, by Newton–Hensel lifting: y ← y·(2 − m·y) doubles the number of right bits.
    fn inverse(&self, m: &[u64]) -> Cells {
        let mut y = self.one();
        let mut right_bits = 1;
        while right_bits < self.k {
            let mut product = Zeroizing::new(vec![0; self.words()]);
            add_product(&mut product, m, &y);
            let mut correction = Zeroizing::new(resized(&[2], self.words()));
            subtract(&mut correction, &product);
            let mut lifted = Zeroizing::new(vec![0; self.words()]);
            add_product(&mut lifted, &correction, &y);
            y = lifted;
            right_bits *= 2;
        }
        self.truncate(&mut y);
        y
    }

    fn words(&self) -> usize {
        self.k.div_ceil(64)
    }

    fn truncate(&self, z: &mut [u64]) {
        if self.k % 64 != 0 {
            z[self.k / 64] &= (1 << (self.k % 64)) - 1;
        }
    }
}

impl Monoid for PowerOfTwo {
    fn one(&self) -> Cells {
        self.reduce(&[1])
    }

    fn scratch(&self) -> Cells {
        Cells::default()
    }

    fn mul(&self, z: &mut [u64], x: &[u64], y: &[u64], _scratch: &mut [u64]) {
        z.fill(0);
        add_product(z, x, y);
        self.truncate(z);
    }

    fn square(&self, z: &mut [u64], x: &[u64], scratch: &mut [u64]) {
        self.mul(z, x, x, scratch);
    }
}
