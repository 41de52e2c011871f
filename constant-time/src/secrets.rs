//! The secret inputs of the checks.

use monpro_rsa::PrivateKey;
use rand_core::{TryCryptoRng, TryRng};
use std::cell::RefCell;
use std::convert::Infallible;
use std::ops::Range;
use zeroize::Zeroizing;

/// The state from which every run draws its random octets. What is drawn again and again until it fits, as a unit
/// modulo n, then takes as long in each run.
const RANDOM_STATE: u64 = 7;

/// The seeds from this one on give random words.
pub const RANDOM_SEEDS: u64 = 2;

/// The inputs of one run. Over the integers the value of n is secret, its length is public; over GF(2) n is
/// not used.
#[derive(Default)]
pub struct Secrets {
    pub n: Vec<u64>,
    pub x: Vec<u64>,
    /// At most e_bits bits; e_bits is public.
    pub e: Vec<u64>,
    pub e_bits: usize,
    /// A document or a message of the subject.
    pub octets: Vec<u8>,
    /// The octets of it that are secret.
    pub secret_octets: Vec<Range<usize>>,
    /// A public input of the subject.
    pub ciphertext: Vec<u8>,
    /// The key of the document, if the subject begins with a key that is loaded.
    key: Option<PrivateKey>,
    random_state: u64,
    /// What anybody may see, and what may therefore be left in memory.
    published: RefCell<Vec<u8>>,
    /// The numbers and octets that may not be left in memory, if not everything is forbidden that was not published.
    kept: Vec<u8>,
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
        Secrets { n, x, e, e_bits, random_state: RANDOM_STATE, ..Secrets::default() }
    }

    /// n·2^134; the power of 2 in a modulus is public. Two words of a residue modulo that power are full, by which the check
    /// of erasure recognises it.
    pub fn even_modulus(&self) -> Zeroizing<Vec<u64>> {
        let mut even = Zeroizing::new(vec![0; self.n.len() + 3]);
        for (i, word) in self.n.iter().enumerate() {
            even[i + 2] |= word << 6;
            even[i + 3] = word >> 58;
        }
        even
    }

    /// Copies all inputs to where the own ones lie. The loaded key stays: another copy of it lies at other addresses,
    /// which takes another time.
    pub fn copy_inputs(&mut self, other: &Secrets) {
        self.n.clone_from(&other.n);
        self.x.clone_from(&other.x);
        self.e.clone_from(&other.e);
        self.octets.clone_from(&other.octets);
        self.ciphertext.clone_from(&other.ciphertext);
    }

    /// The memory that is secret. The length of n is public and n is odd, so the lowest byte and the highest word of n
    /// decide branches: they are left out.
    pub fn hidden(&self) -> Vec<&[u8]> {
        let middle = &as_bytes(&self.n[..self.n.len() - 1])[1..];
        let state = as_bytes(std::slice::from_ref(&self.random_state));
        let mut hidden = vec![middle, as_bytes(&self.x), as_bytes(&self.e), state];
        hidden.extend(self.secret_octets.iter().map(|range| &self.octets[range.clone()]));
        hidden
    }

    /// Loads the key of the document.
    pub fn load_key(&mut self) {
        self.key = Some(PrivateKey::from_der(&self.octets).expect("the document is one of a key"));
    }

    /// The key that was loaded.
    pub fn key(&self) -> &PrivateKey {
        self.key.as_ref().expect("the subject begins with a key")
    }

    /// The random source of the run.
    pub fn random(&self) -> Random {
        Random::new(self.random_state)
    }

    /// The first octets of x, as a message.
    pub fn message(&self, octets: usize) -> Zeroizing<Vec<u8>> {
        Zeroizing::new(as_bytes(&self.x)[..octets].to_vec())
    }

    /// Notes what anybody may see.
    pub fn publish(&self, octets: &[u8]) {
        self.published.borrow_mut().extend_from_slice(octets);
        // Zeros on both sides, as there are beside a number.
        self.published.borrow_mut().extend_from_slice(&[0; 8]);
    }

    /// Notes what may not be left in memory. Then other things may be.
    pub fn keep(&mut self, octets: &[u8]) {
        self.kept.extend_from_slice(octets);
        self.kept.extend_from_slice(&[0; 8]);
    }

    /// What may not be left in memory, with zeros between; nothing if all may not that was not published.
    pub fn kept(&self) -> &[u8] {
        &self.kept
    }

    /// What anybody may see, with zeros between.
    pub fn published(&self) -> Vec<u8> {
        self.published.borrow().clone()
    }
}

/// The bytes of the words, the lowest first.
pub fn as_bytes(words: &[u64]) -> &[u8] {
    // SAFETY: the words are initialised memory of this length, and bytes need no alignment.
    unsafe { std::slice::from_raw_parts(words.as_ptr().cast(), size_of_val(words)) }
}

/// The generator SplitMix64. Without a branch, so under memcheck all that comes of a secret state is secret.
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

impl TryRng for Random {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        Ok(self.next() as u32)
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        Ok(self.next())
    }

    fn try_fill_bytes(&mut self, octets: &mut [u8]) -> Result<(), Infallible> {
        for chunk in octets.chunks_mut(8) {
            chunk.copy_from_slice(&self.next().to_le_bytes()[..chunk.len()]);
        }
        Ok(())
    }
}

/// Of keys and paddings that protect nothing.
impl TryCryptoRng for Random {}
