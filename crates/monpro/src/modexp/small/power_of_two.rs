//! Powers modulo 2^k of K words, K known to the compiler.

use super::MOST_WORDS;
use crate::modexp::exponent::Exponent;
use crate::modexp::window::SmallMonoid;
use crate::modexp::word_of;
use crate::natural;
use crate::power_of_two::divide_exactly;
use crate::word::Word;

/// The residues modulo 2^k in K = ⌈k/64⌉ words.
pub(super) struct PowerOfTwo<const K: usize> {
    k: usize,
}

impl<const K: usize> PowerOfTwo<K> {
    pub(super) fn new(k: usize) -> Self {
        PowerOfTwo { k }
    }

    /// xᵉ mod 2^k, for e ≥ 1; bits of the words above k are arbitrary.
    ///
    /// An odd x has an order that divides 2^(k−2), or 2 where k ≤ 3: the bits of e above do nothing. An even x to the
    /// k-th power is 0.
    pub(super) fn pow_vartime(&self, x: &[u8], e: Exponent) -> [u64; K] {
        let mut words = [0; K];
        for (word, chunk) in words.iter_mut().zip(x.rchunks(8)) {
            *word = word_of(chunk);
        }
        if words[0] & 1 == 0 {
            return match e.small() {
                Some(small) if (small as usize) < self.k => self.power_vartime(&words, e),
                _ => [0; K],
            };
        }
        let e = e.low_bits(self.k.saturating_sub(2).max(1));
        match e.bits() {
            0 => one(),
            _ => self.power_vartime(&words, e),
        }
    }

    /// (low − odd)·m⁻¹ mod 2^k.
    pub(super) fn quotient(
        &self,
        low: &[u64; K],
        odd: &[u64; MOST_WORDS],
        m: &[u64; MOST_WORDS],
    ) -> [u64; K] {
        let mut quotient = *low;
        natural::subtract(&mut quotient, &odd[..K]);
        divide_exactly(&mut quotient, &m[..K]);
        if self.k % 64 != 0 {
            quotient[K - 1] &= (1 << (self.k % 64)) - 1;
        }
        quotient
    }
}

impl<const K: usize> SmallMonoid for PowerOfTwo<K> {
    type Element = [u64; K];

    /// x·y mod W^K.
    #[inline(always)]
    fn mul(&self, x: &[u64; K], y: &[u64; K]) -> [u64; K] {
        let mut z = [0; K];
        for i in 0..K {
            let mut carry = 0;
            for j in 0..K - i {
                (carry, z[i + j]) = u64::mul_add(z[i + j], x[i], y[j], carry);
            }
        }
        z
    }

    #[inline(always)]
    fn square(&self, x: &[u64; K]) -> [u64; K] {
        self.mul(x, x)
    }
}

fn one<const K: usize>() -> [u64; K] {
    let mut one = [0; K];
    one[0] = 1;
    one
}
