//! Powers modulo 2^k of K words in variable time, K known to the compiler.

use super::MOST_WORDS;
use crate::division::exact::divide_exactly;
use crate::modexp::exponent::Exponent;
use crate::natural::{self, word_of_be_bytes};
use crate::power::stack::{CopyMonoid, sliding_window_vartime};
use crate::power::window::Bits;
use crate::word::Word;

/// The residues modulo 2^k in K = ⌈k/64⌉ words on the stack.
///
/// [`crate::power_of_two::PowerOfTwo`] serves any number of words, in cells on the heap. The two are different types,
/// because here the number of words is part of the type and an element is copied.
pub(super) struct SmallPowerOfTwo<const K: usize> {
    k: usize,
}

impl<const K: usize> SmallPowerOfTwo<K> {
    pub(super) fn new(k: usize) -> Self {
        SmallPowerOfTwo { k }
    }

    /// xᵉ mod 2^k, for e ≥ 1; bits of the words above k are arbitrary.
    pub(super) fn pow_vartime(&self, x: &[u8], e: Exponent) -> [u64; K] {
        let mut words = [0; K];
        for (word, chunk) in words.iter_mut().zip(x.rchunks(8)) {
            *word = word_of_be_bytes(chunk);
        }
        match e.modulo_two_to_k(words[0], self.k) {
            None => [0; K],
            Some(e) if e.length() == 0 => one(),
            Some(e) => sliding_window_vartime(self, &words, &e),
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

impl<const K: usize> CopyMonoid for SmallPowerOfTwo<K> {
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
