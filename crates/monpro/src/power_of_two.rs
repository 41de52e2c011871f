//! Arithmetic modulo 2^k, for the even part of a modulus.

use crate::monoid::{Cells, Monoid, Temporary};
use crate::n0::newton_hensel;
use crate::natural::{resized, subtract};
use crate::product::{add_product, add_row, multiply_low, square_low};
use crate::ring::Integers;
use crate::word::Word;
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

    /// k.
    pub(crate) fn k(&self) -> usize {
        self.k
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
        let mut quotient = Zeroizing::new(low.to_vec());
        subtract(&mut quotient, odd);
        divide_exactly(&mut quotient, m);
        self.truncate(&mut quotient);
        let mut z = resized(odd, length);
        add_product(&mut z, &quotient, m);
        z
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

    fn scratch(&self) -> Temporary {
        Temporary::new(0)
    }

    fn mul(&self, z: &mut [u64], x: &[u64], y: &[u64], _scratch: &mut [u64]) {
        multiply_low(z, x, y);
        self.truncate(z);
    }

    fn square(&self, z: &mut [u64], x: &[u64], _scratch: &mut [u64]) {
        square_low(z, x);
        self.truncate(z);
    }
}

/// The number b ≥ 1 for which x^(2^b) = 1 mod 2^k for every odd x.
pub(crate) fn order_bits(k: usize) -> usize {
    k.saturating_sub(2).max(1)
}

/// z = z·m⁻¹ mod W^(len z) for odd m, from the lowest word up: the q with z + q·m = 0 is −z·m⁻¹.
pub(crate) fn divide_exactly(z: &mut [u64], m: &[u64]) {
    let n0 = newton_hensel::<Integers<u64>>(m[0]);
    for i in 0..z.len() {
        let q = z[i].wrapping_mul(n0);
        let rest = &mut z[i..];
        let (low, high) = rest.split_at_mut(m.len().min(rest.len()));
        let mut carry = add_row(low, q, m);
        for word in high {
            (carry, *word) = Word::carrying_add(*word, carry, 0);
        }
        z[i] = q;
    }
    let mut borrow = 0;
    for word in z {
        (borrow, *word) = Word::borrowing_sub(0, *word, borrow);
    }
}
