//! The numbers of one size that every contender computes with.

use num_bigint::BigUint;

/// A modulus n, x and y reduced modulo n, and an exponent e of exactly `bits` bits, all without pattern.
pub struct Operands {
    /// The number of bits of n; over GF(2), where bit i of a number is the coefficient of xⁱ, the degree of
    /// n.
    pub bits: usize,
    /// What distinguishes n among the moduli of its size.
    pub shape: Option<String>,
    pub n: BigUint,
    pub x: BigUint,
    pub y: BigUint,
    pub e: BigUint,
}

impl Operands {
    /// Operands with an odd modulus of this size, a multiple of 64; the same at every call.
    pub fn of_integers(bits: usize) -> Operands {
        let mut numbers = Numbers::new(bits);
        let top = BigUint::from(1u8) << (bits - 1);
        let n = numbers.next() | &top | BigUint::from(1u8);
        let (x, y) = (numbers.next() % &n, numbers.next() % &n);
        Operands { bits, shape: None, n, x, y, e: numbers.next() | top }
    }

    /// Operands of RSA: the modulus n = p·q, y = p, and e = d, the private exponent that inverts 65537; the
    /// same at every call.
    pub fn of_rsa(bits: usize) -> Operands {
        let mut numbers = Numbers::new(bits / 2);
        let (p, q) = (numbers.next_prime(), numbers.next_prime());
        let one = BigUint::from(1u8);
        let n = &p * &q;
        let totient = (&p - &one) * (&q - &one);
        let d = BigUint::from(65537u32).modinv(&totient).expect("the primes are not 1 modulo 65537");
        Operands { bits, shape: None, x: Numbers::new(bits).next() % &n, n, y: p, e: d }
    }

    /// The number in ⌈bits/64⌉ words, or more if it needs more, the lowest first.
    pub fn words(&self, number: &BigUint) -> Vec<u64> {
        let mut words = number.to_u64_digits();
        words.resize(words.len().max(self.bits.div_ceil(64)), 0);
        words
    }
}

/// Numbers below 2^bits without pattern, from the generator splitmix64 with seed `bits`.
pub struct Numbers {
    bits: usize,
    state: u64,
}

impl Numbers {
    pub fn new(bits: usize) -> Numbers {
        Numbers { bits, state: bits as u64 }
    }

    pub fn next(&mut self) -> BigUint {
        let words: Vec<u64> = (0..self.bits.div_ceil(64)).map(|_| splitmix64(&mut self.state)).collect();
        from_words(&words) % (BigUint::from(1u8) << self.bits)
    }

    /// A prime of exactly `bits` bits with the two highest set, tested by Fermat's test to base 2.
    fn next_prime(&mut self) -> BigUint {
        let three = BigUint::from(3u8);
        let candidates = || self.next() | &three << (self.bits - 2) | BigUint::from(1u8);
        std::iter::repeat_with(candidates).find(is_prime).expect("there are primes")
    }
}

fn is_prime(candidate: &BigUint) -> bool {
    let two = BigUint::from(2u8);
    let has_factor = |factor: u32| (candidate % factor) == BigUint::ZERO;
    !(3..2000).step_by(2).any(has_factor) && two.modpow(&(candidate - 1u8), candidate) == BigUint::from(1u8)
}

/// The number with these words, the lowest first.
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
