//! Remainders of public numbers: the time depends on the values. Those of powers of 2 modulo a secret number are in
//! [`secret`].

#[cfg(target_arch = "x86_64")]
mod by_blocks;
pub(crate) mod exact;
pub(crate) mod secret;

#[cfg(target_arch = "x86_64")]
use crate::arch::{InstructionSet, x86_64::mulx::Mulx};
use crate::cancellation::checkpoint;
use crate::natural::shift_right_into;
use crate::product::add_row;
use crate::word::Word;
use alloc::vec;
use alloc::vec::Vec;

/// The words of a divisor from which blocks of eight quotient words are faster than single ones.
#[cfg(target_arch = "x86_64")]
const LEAST_WORDS_OF_BLOCKS: usize = 16;

/// The words that a divisor of s words has for a fast division: s, or for blocks a multiple of 4.
fn words_for(s: usize) -> usize {
    #[cfg(target_arch = "x86_64")]
    if s >= LEAST_WORDS_OF_BLOCKS && Mulx::detect().is_some() {
        return s.next_multiple_of(4);
    }
    s
}

/// A divisor of at least one word, with its top bit set, and the reciprocal of its top word or top two words.
///
/// The reciprocals and the quotient words are computed as in Möller and Granlund, "Improved division by
/// invariant integers" (IEEE Transactions on Computers 60, 2011): Algorithm 4 for one word, Algorithm 5 for
/// more.
#[derive(Clone, Copy)]
pub(crate) struct Divisor<D> {
    words: D,
    reciprocal: u64,
}

impl<D: AsRef<[u64]>> Divisor<D> {
    /// The divisor with these words; the top bit of the last one is set.
    #[inline(always)]
    pub(crate) fn new(words: D) -> Divisor<D> {
        let reciprocal = match *words.as_ref() {
            [.., d0, d1] => reciprocal_of_two_words(d1, d0),
            [d] => reciprocal_of_word(d),
            [] => unreachable!("a divisor has a word with its top bit set"),
        };
        Divisor { words, reciprocal }
    }

    /// The words of the divisor.
    #[inline(always)]
    pub(crate) fn words(&self) -> &[u64] {
        self.words.as_ref()
    }

    /// Reduces u modulo the divisor, which has s words: the remainder is left in the lowest s words of u, and
    /// the other words are 0. The top s words of u must be below the divisor.
    pub(crate) fn reduce(&self, u: &mut [u64]) {
        let s = self.words().len();
        complement(u);
        for i in (0..self.reduce_complement_by_blocks(u) - s).rev() {
            checkpoint();
            self.reduce_complement_by_word(&mut u[i..=i + s]);
        }
        complement(u);
    }

    /// Reduces the complement u as far as blocks of quotient words are faster than single ones. Returns the number of words
    /// that are left.
    fn reduce_complement_by_blocks(&self, u: &mut [u64]) -> usize {
        #[cfg(target_arch = "x86_64")]
        if let (true, Some(mulx)) = (self.takes_blocks(), Mulx::detect()) {
            return by_blocks::reduce_complement(mulx, self, u);
        }
        u.len()
    }

    #[cfg(target_arch = "x86_64")]
    fn takes_blocks(&self) -> bool {
        let s = self.words().len();
        s >= LEAST_WORDS_OF_BLOCKS && s % 4 == 0
    }

    /// The same for a u of s + 1 words, with a quotient of one word. Here u is given and left as its
    /// complement, W^(s+1) − 1 − u, so that multiples of the divisor are added: a sum passes its carry on
    /// sooner than a difference its borrow.
    #[inline(always)]
    pub(crate) fn reduce_complement_by_word(&self, u: &mut [u64]) {
        match *self.words() {
            [d] => {
                u[0] = !remainder_by_word(!u[1], !u[0], d, self.reciprocal);
                u[1] = !0;
            }
            _ => {
                self.divide_complement_by_word(u);
            }
        }
    }

    /// The same for a divisor of at least two words; returns the quotient.
    #[inline(always)]
    fn divide_complement_by_word(&self, u: &mut [u64]) -> u64 {
        let [ref low @ .., d0, d1] = *self.words() else {
            unreachable!("a divisor of one word has a division of its own")
        };
        let (u_low, u_top) = u.split_at_mut(low.len());
        let u_top: &mut [u64; 3] = u_top.try_into().expect("u has a word more than the divisor");
        let [u0, u1, u2] = u_top.map(|word| !word);
        if u2 == d1 && u1 == d0 {
            self.subtract_largest_multiple(u);
            return u64::MAX;
        }
        let (q, r) = divide_three_words([u0, u1, u2], d1, d0, self.reciprocal);
        let borrow = add_row(u_low, q, low);
        let (r, is_negative) = r.overflowing_sub(u128::from(borrow));
        *u_top = [!(r as u64), !((r >> 64) as u64), !0];
        if is_negative {
            self.add_divisor(u);
            return q - 1;
        }
        q
    }

    /// u − (W − 1)·d for a u < W·d whose top two words are those of d. The result is in 0 … d − 1, since u ≥
    /// W·d − W^(s−1) and d ≥ W^(s−1).
    #[cold]
    fn subtract_largest_multiple(&self, u: &mut [u64]) {
        let s = self.words().len();
        let borrow = add_row(&mut u[..s], u64::MAX, self.words());
        u[s] = u[s].wrapping_add(borrow);
    }

    /// u + d in the lowest s words, for a quotient that was 1 too large.
    #[cold]
    fn add_divisor(&self, u: &mut [u64]) {
        let mut borrow = 0;
        for (target, &word) in u.iter_mut().zip(self.words()) {
            (borrow, *target) = Word::borrowing_sub(*target, word, borrow);
        }
    }
}

/// Remainders modulo one n, in a workspace of their own.
pub(crate) struct Remainders {
    /// n·2^normalization, which may have words more than n, the lowest ones, which are 0.
    divisor: Divisor<Vec<u64>>,
    normalization: usize,
    u: Vec<u64>,
}

impl Remainders {
    /// Those modulo an n whose top word is not 0.
    pub(crate) fn modulo(n: &[u64]) -> Remainders {
        let words = words_for(n.len());
        let normalization = 64 * (words - n.len()) + n[n.len() - 1].leading_zeros() as usize;
        let divisor = Divisor::new(shifted_left(n, normalization, words));
        Remainders { divisor, normalization, u: Vec::new() }
    }

    /// z = x·2^shift mod n, in the words of n.
    pub(crate) fn reduce(&mut self, z: &mut [u64], x: &[u64], shift: usize) {
        // One word more than the number needs, and at least a word more than the divisor has, so that the words above the
        // lowest are below the divisor.
        let words = (64 * x.len() + shift + self.normalization).div_ceil(64);
        self.reduce_in(words.max(self.divisor.words().len()) + 1, z, x, shift);
    }

    /// z = t mod n for a t < n² in twice the words s of n. t·2^normalization is below W^s times the divisor. So it has s words
    /// more than the divisor, and the words above the lowest s are below the divisor.
    pub(crate) fn reduce_product(&mut self, z: &mut [u64], t: &[u64]) {
        self.reduce_in(z.len() + self.divisor.words().len(), z, t, 0);
    }

    /// z = x·2^shift mod n, by so many words.
    fn reduce_in(&mut self, length: usize, z: &mut [u64], x: &[u64], shift: usize) {
        self.u.clear();
        self.u.resize(length, 0);
        shift_left(&mut self.u, x, shift + self.normalization);
        self.divisor.reduce(&mut self.u);
        shift_right_into(z, &self.u, self.normalization);
    }
}

/// x·2^shift mod n in the words of n, for an n whose top word is not 0.
pub(crate) fn remainder_of_shifted(x: &[u64], shift: usize, n: &[u64]) -> Vec<u64> {
    let mut z = vec![0; n.len()];
    Remainders::modulo(n).reduce(&mut z, x, shift);
    z
}

/// x·2^shift mod W^length.
fn shifted_left(x: &[u64], shift: usize, length: usize) -> Vec<u64> {
    let mut z = vec![0; length];
    shift_left(&mut z, x, shift);
    z
}

/// z = x·2^shift mod W^(len z), for a z of zeros.
fn shift_left(z: &mut [u64], x: &[u64], shift: usize) {
    let (z, bits) = (z.get_mut(shift / 64..).unwrap_or_default(), shift % 64);
    if bits == 0 {
        let length = x.len().min(z.len());
        return z[..length].copy_from_slice(&x[..length]);
    }
    let mut below = 0;
    for (target, &word) in z.iter_mut().zip(x) {
        *target = word << bits | below >> (64 - bits);
        below = word;
    }
    if let Some(top) = z.get_mut(x.len()) {
        *top = below >> (64 - bits);
    }
}

/// ⌊(W² − 1)/d⌋ − W for a d with its top bit set.
#[inline(always)]
fn reciprocal_of_word(d: u64) -> u64 {
    (u128::from(!d) << 64 | u128::from(u64::MAX)).div_euclid(u128::from(d)) as u64
}

/// ⌊(W³ − 1)/(d1·W + d0)⌋ − W for a d1 with its top bit set: Algorithm 6.
#[inline(always)]
fn reciprocal_of_two_words(d1: u64, d0: u64) -> u64 {
    let mut v = reciprocal_of_word(d1);
    let (mut p, is_over) = d1.wrapping_mul(v).overflowing_add(d0);
    if is_over {
        v -= 1;
        if p >= d1 {
            v -= 1;
            p -= d1;
        }
        p = p.wrapping_sub(d1);
    }
    let t = u128::from(v) * u128::from(d0);
    let (p, is_over) = p.overflowing_add((t >> 64) as u64);
    if is_over {
        v -= 1;
        if u128::from(p) << 64 | u128::from(t as u64) >= u128::from(d1) << 64 | u128::from(d0) {
            v -= 1;
        }
    }
    v
}

/// u1·W + u0 mod d, for u1 < d.
#[inline(always)]
fn remainder_by_word(u1: u64, u0: u64, d: u64, reciprocal: u64) -> u64 {
    let q = u128::from(reciprocal) * u128::from(u1) + (u128::from(u1) << 64 | u128::from(u0));
    let q1 = ((q >> 64) as u64).wrapping_add(1);
    let mut r = u0.wrapping_sub(q1.wrapping_mul(d));
    if r > q as u64 {
        r = r.wrapping_add(d);
    }
    if r >= d {
        r -= d;
    }
    r
}

/// Quotient and remainder of u2·W² + u1·W + u0 by d1·W + d0, for (u2, u1) < (d1, d0).
#[inline(always)]
fn divide_three_words([u0, u1, u2]: [u64; 3], d1: u64, d0: u64, reciprocal: u64) -> (u64, u128) {
    let d = u128::from(d1) << 64 | u128::from(d0);
    let q = u128::from(reciprocal) * u128::from(u2) + (u128::from(u2) << 64 | u128::from(u1));
    let mut q1 = (q >> 64) as u64;
    let r1 = u1.wrapping_sub(q1.wrapping_mul(d1));
    let product = u128::from(d0) * u128::from(q1);
    let mut r = (u128::from(r1) << 64 | u128::from(u0)).wrapping_sub(product).wrapping_sub(d);
    q1 = q1.wrapping_add(1);
    if (r >> 64) as u64 >= q as u64 {
        q1 = q1.wrapping_sub(1);
        r = r.wrapping_add(d);
    }
    if r >= d {
        q1 = q1.wrapping_add(1);
        r -= d;
    }
    (q1, r)
}

/// W^(len u) − 1 − u.
fn complement(u: &mut [u64]) {
    for word in u {
        *word = !*word;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::natural::{shift_right, subtract};
    use crate::product::{add_product, multiply};

    /// Words that make estimated quotient words too large, or top words equal.
    const EXTREMES: [u64; 6] = [0, 1, 1 << 63, u64::MAX - 1, u64::MAX, 0x9e37_79b9_7f4a_7c15];

    fn extreme_words(mut choice: usize, count: usize) -> Vec<u64> {
        let mut word = || {
            let word = EXTREMES[choice % EXTREMES.len()];
            choice /= EXTREMES.len();
            word
        };
        (0..count).map(|_| word()).collect()
    }

    #[test]
    fn the_remainder_of_a_multiple_and_a_residue_is_the_residue() {
        for s in 1..=4 {
            for choice in 0..EXTREMES.len().pow(5) {
                let mut n = extreme_words(choice, s);
                n[s - 1] |= 1 << (choice % 64);
                // The residues n − 1, 0 and ⌊n/2⌋.
                let mut largest = n.clone();
                subtract(&mut largest, &[1]);
                let q = extreme_words(choice / 7 + choice, 3);
                for residue in [&largest, &vec![0; s], &shift_right(&n, 1)] {
                    let mut u = vec![0; s + 4];
                    multiply(&mut u[..s + 3], &q, &n);
                    add_product(&mut u, residue, &[1]);
                    assert_eq!(remainder_of_shifted(&u, 0, &n), *residue, "{q:x?}·{n:x?}");
                }
            }
        }
    }

    /// A quotient of the top words that is 1 or 2 too large, or would be W⁸, occurs for hardly any number: a divisor whose
    /// upper words are the least and whose lower words are the largest makes them.
    #[test]
    fn remainders_by_blocks_are_those_of_multiples_and_residues() {
        let quotient_words = [0, 1, 2, 3, 1 << 63, u64::MAX - 3, u64::MAX - 2, u64::MAX - 1, u64::MAX];
        for s in 15..=21 {
            for (choice, &quotient_word) in quotient_words.iter().cycle().take(72).enumerate() {
                let mut n = vec![u64::MAX; s];
                let upper = [1 << 63, (1 << 63) - 1, 1, EXTREMES[choice % EXTREMES.len()]][choice / 9 % 4];
                n[s - 8..].fill(if choice >= 36 { upper } else { 0 });
                n[s - 1] = upper.max(1);
                for (quotient_length, lowest) in [(1, 0), (8, 0), (16, 1), (16, 2), (17, 2), (17, 3)] {
                    // The lowest word of a block, whose place depends on the length.
                    let mut q = vec![u64::MAX; quotient_length];
                    q[lowest] = quotient_word;
                    let mut largest = n.clone();
                    subtract(&mut largest, &[1]);
                    for residue in [&largest, &vec![0; s], &shift_right(&n, 1)] {
                        let mut u = vec![0; s + quotient_length + 1];
                        multiply(&mut u[..s + quotient_length], &q, &n);
                        add_product(&mut u, residue, &[1]);
                        assert_eq!(remainder_of_shifted(&u, 0, &n), *residue, "{q:x?}·{n:x?}");
                    }
                }
            }
        }
    }

    /// Without this, the numbers above could all be reduced by single quotient words.
    #[cfg(target_arch = "x86_64")]
    #[test]
    fn long_divisors_are_made_ready_for_blocks_and_leave_less_than_a_block() {
        if Mulx::detect().is_none() {
            return;
        }
        for (s, words) in [(1, 1), (3, 3), (15, 15), (16, 16), (17, 20), (20, 20), (21, 24)] {
            let divisor = Remainders::modulo(&vec![u64::MAX; s]).divisor;
            assert_eq!(divisor.words().len(), words, "{s} words");
            for quotient_words in 1..=17 {
                // The complement of 0.
                let mut u = vec![u64::MAX; words + quotient_words];
                let left = if s < 16 { quotient_words } else { quotient_words % 8 };
                assert_eq!(divisor.reduce_complement_by_blocks(&mut u), words + left, "{s} words");
            }
        }
    }

    /// (n − 1)² is 1 modulo n.
    #[test]
    fn products_of_residues_of_any_length_are_reduced() {
        for s in [1, 2, 3, 15, 16, 17, 21] {
            for top in [3, 1 << 63, u64::MAX] {
                let mut n = vec![u64::MAX; s];
                n[s - 1] = top;
                let mut largest = n.clone();
                subtract(&mut largest, &[1]);
                let (mut t, mut z) = (vec![0; 2 * s], vec![u64::MAX; s]);
                multiply(&mut t, &largest, &largest);
                Remainders::modulo(&n).reduce_product(&mut z, &t);
                assert!(z[0] == 1 && z[1..].iter().all(|&word| word == 0), "{z:x?} modulo {n:x?}");
            }
        }
    }

    #[test]
    fn words_that_are_shifted_beyond_the_length_are_left_out() {
        for (shift, expected) in [
            (0, [3, 5, 0]),
            (1, [6, 10, 0]),
            (63, [1 << 63, 1 | 1 << 63, 2]),
            (64, [0, 3, 5]),
            (65, [0, 6, 10]),
            (128, [0, 0, 3]),
            (191, [0, 0, 1 << 63]),
            (192, [0; 3]),
            (500, [0; 3]),
        ] {
            assert_eq!(shifted_left(&[3, 5], shift, 3), expected, "{shift}");
            assert_eq!(shifted_left(&[3, 5], shift, 2), expected[..2], "{shift}");
        }
    }

    #[test]
    fn a_shift_is_a_product_with_a_power_of_two() {
        let n = [0x0123_4567_89ab_cdef, 0xfedc];
        for shift in 0..300 {
            let mut shifted = vec![0; 6];
            shifted[shift / 64] = 1 << (shift % 64);
            let expected = remainder_of_shifted(&shifted, 0, &n);
            assert_eq!(remainder_of_shifted(&[1], shift, &n), expected);
            assert_eq!(remainder_of_shifted(&[1, 0, 0], shift, &n), expected);
        }
    }
}
