//! The numbers of one size that every contender computes with.

use num_bigint::BigUint;

/// An odd modulus n of exactly `bits` bits, x, y < n, and an exponent e of exactly `bits` bits, without pattern.
pub struct Operands {
    pub bits: usize,
    pub n: BigUint,
    pub x: BigUint,
    pub y: BigUint,
    pub e: BigUint,
}

impl Operands {
    /// The operands of this size, a multiple of 64; the same at every call.
    pub fn new(bits: usize) -> Operands {
        let mut state = bits as u64;
        let mut number = || from_words(&(0..bits / 64).map(|_| splitmix64(&mut state)).collect::<Vec<_>>());
        let top = BigUint::from(1u8) << (bits - 1);
        let n = number() | &top | BigUint::from(1u8);
        let (x, y) = (number() % &n, number() % &n);
        Operands { bits, n, x, y, e: number() | top }
    }

    /// The number in ⌈bits/64⌉ words, the lowest first.
    pub fn words(&self, number: &BigUint) -> Vec<u64> {
        let mut words = number.to_u64_digits();
        words.resize(self.bits / 64, 0);
        words
    }
}

/// The number of these words, the lowest first.
pub fn from_words(words: &[u64]) -> BigUint {
    BigUint::from_bytes_le(&words.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<_>>())
}

/// The generator splitmix64.
fn splitmix64(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let z = (*state ^ (*state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
