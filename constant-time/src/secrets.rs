//! The secret inputs of the checks.

/// The inputs of one run. Over the integers the value of n is secret, its length is public; over GF(2) n is
/// not used.
#[derive(Clone)]
pub struct Secrets {
    pub n: Vec<u64>,
    pub x: Vec<u64>,
    /// At most e_bits bits; e_bits is public.
    pub e: Vec<u64>,
    pub e_bits: usize,
}

impl Secrets {
    /// The secrets for a modulus of `bits` bits and an exponent of e_bits bits. Seed 0 gives x = e = 0, seed
    /// 1 sets all their bits, and any other seed gives random words.
    pub fn new(bits: usize, e_bits: usize, seed: u64) -> Secrets {
        let length = bits.div_ceil(64);
        let mut random = Random::new(seed);
        let mut n = random.words(length);
        // Odd, and without a borrow in n − 2.
        n[0] |= 3;
        n[length - 1] |= 1 << ((bits - 1) % 64);
        n[length - 1] &= u64::MAX >> (64 * length - bits);
        let (mut x, mut e) = (random.words(length), random.words(e_bits.div_ceil(64)));
        match seed {
            0 => [&mut x, &mut e].map(|number| number.fill(0)),
            1 => [&mut x, &mut e].map(|number| number.fill(u64::MAX)),
            _ => [(); 2],
        };
        if let Some(top) = e.last_mut() {
            *top &= u64::MAX >> (e_bits.next_multiple_of(64) - e_bits);
        }
        Secrets { n, x, e, e_bits }
    }
}

/// The generator SplitMix64.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(seed)
    }

    fn words(&mut self, count: usize) -> Vec<u64> {
        (0..count).map(|_| self.next()).collect()
    }

    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }
}
