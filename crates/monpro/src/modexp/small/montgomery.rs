//! Powers modulo an odd number of S words in variable time, S known to the compiler.

use super::MOST_WORDS;
#[cfg(target_arch = "x86_64")]
use super::{by_blocks::ByBlocks, four_words::InRegisters};
#[cfg(target_arch = "x86_64")]
use crate::arch::{blocks::Blocks, x86_64::mulx::Mulx};
use crate::division::Divisor;
use crate::fixed::Reduction;
use crate::modexp::exponent::Exponent;
use crate::natural::word_of_be_bytes;
use crate::power::stack::{CopyMonoid, sliding_window_vartime};
use crate::word::{Word, inverse_of_w};

/// An odd modulus n of exactly S words, for one power.
///
/// It differs from [`crate::fixed::Modulus`] in two ways. It has no powers of R, since computing them takes longer than one
/// division. Its residues are below R = W^S but not always below n: a product subtracts n only where it reaches R, which
/// its time reveals.
pub(super) struct Montgomery<const S: usize> {
    reduction: Reduction<S>,
}

impl<const S: usize> Montgomery<S> {
    /// The most words of a base that are divided one after the other; a longer one pays for a power of W.
    const MOST_WORDS_BY_DIVISION: usize = 4 * S + 8;

    pub(super) fn new(n: [u64; S]) -> Self {
        Montgomery { reduction: Reduction::new(n) }
    }

    fn n(&self) -> &[u64; S] {
        self.reduction.n()
    }

    /// xᵉ mod n for e ≥ 1.
    pub(super) fn pow_vartime(&self, x: &[u8], e: Exponent) -> [u64; S] {
        self.pow_by(self, x, e)
    }

    /// xᵉ mod n for e ≥ 1, by products modulo n that `monoid` computes.
    fn pow_by<M: CopyMonoid<Element = [u64; S]>>(&self, monoid: &M, x: &[u8], e: Exponent) -> [u64; S] {
        if x.len() > 8 * Self::MOST_WORDS_BY_DIVISION {
            return self.leave(&sliding_window_vartime(monoid, &self.enter_from_below(monoid, x), &e));
        }
        match self.enter(x) {
            Entered::Itself(power) => power,
            Entered::Residue(x) => self.leave(&sliding_window_vartime(monoid, &x, &e)),
        }
    }

    /// xᵉ mod n for e ≥ 1 and x < R, where r2 = R² mod n.
    pub(super) fn pow_ready_vartime(&self, x: &[u8], r2: &[u64; S], e: Exponent) -> [u64; S] {
        self.pow_ready_by(self, x, r2, e)
    }

    /// The same, by products modulo n that `monoid` computes.
    fn pow_ready_by<M: CopyMonoid<Element = [u64; S]>>(
        &self,
        monoid: &M,
        x: &[u8],
        r2: &[u64; S],
        e: Exponent,
    ) -> [u64; S] {
        self.leave(&sliding_window_vartime(monoid, &monoid.mul(&words_of(x), r2), &e))
    }

    /// x·R mod n, by a division: one power is too little work to pay for R² mod n.
    #[inline(always)]
    fn enter(&self, x: &[u8]) -> Entered<S> {
        let mut remainder = Remainder::new(self.n());
        let mut above = 0u64;
        for chunk in x.rchunks(8).rev() {
            let word = word_of_be_bytes(chunk);
            remainder.append(spliced(above, word, remainder.shift));
            above = word;
        }
        remainder.append(above << remainder.shift);
        let reduced = remainder.number();
        let above_one = reduced[1..].iter().fold(reduced[0] & !1, |bits, word| bits | word);
        if above_one == 0 {
            return Entered::Itself(reduced);
        }
        remainder.append_zeros(S);
        Entered::Residue(remainder.number())
    }

    /// x·R mod n, below R, for a base of many words: half of the word products of a division, and no quotients to wait for.
    ///
    /// The words x₀, x₁, … of x, and zeros above, are L words. Each goes in at the top, weighing R, after ⌊u/W⌋ + (u mod W)·v
    /// has replaced the sum u, for v = W⁻¹ mod n; so u becomes x·R·W^(1 − L). A step of a Montgomery product brings it
    /// below 2R + n, as x·R·W^(−L), and the product with W^L·R gives x·R.
    fn enter_from_below<M: CopyMonoid<Element = [u64; S]>>(&self, monoid: &M, x: &[u8]) -> [u64; S] {
        let v = inverse_of_w(self.n(), self.reduction.n0());
        let (length, power_of_w) = self.form_of_power_of_w(monoid, x.len().div_ceil(8));
        let (mut t, mut top, mut above) = ([0; S], 0, 0);
        for word in x.rchunks(8).map(word_of_be_bytes).chain(core::iter::repeat(0)).take(length) {
            // u = t + (top + above·W)·R < 2·W·R. So ⌊u/W⌋ < 2·R, and with (W − 1)·(n − 1) and the word times R the sum is
            // below 2·R + (W − 1)·(2·R − 2) < 2·W·R again.
            let lowest = t[0];
            let mut carry = 0;
            for i in 0..S {
                let next = if i + 1 < S { t[i + 1] } else { top };
                (carry, t[i]) = u64::mul_add(next, lowest, v[i], carry);
            }
            let sum = u128::from(carry) + u128::from(above) + u128::from(word);
            (top, above) = (sum as u64, (sum >> 64) as u64);
        }
        let q = t[0].wrapping_mul(self.reduction.n0());
        let (mut carry, _) = u64::mul_add(t[0], q, self.n()[0], 0);
        for i in 1..S {
            (carry, t[i - 1]) = u64::mul_add(t[i], q, self.n()[i], carry);
        }
        (carry, t[S - 1]) = Word::carrying_add(top, carry, 0);
        above += carry;
        while above > 0 {
            let borrow;
            (t, borrow) = self.difference(&t);
            above -= borrow;
        }
        monoid.mul(&t, &power_of_w)
    }

    /// A length L of at least so many words, and W^L·R mod n, by squares of a W^a·R that takes a few steps of a division.
    fn form_of_power_of_w<M: CopyMonoid<Element = [u64; S]>>(
        &self,
        monoid: &M,
        least: usize,
    ) -> (usize, [u64; S]) {
        let squares = (least / S).ilog2() as usize;
        let length = least.next_multiple_of(1 << squares);
        let mut remainder = Remainder::new(self.n());
        remainder.append(1 << remainder.shift);
        remainder.append_zeros(S + (length >> squares));
        let mut power = remainder.number();
        monoid.square_repeatedly(&mut power, squares);
        (length, power)
    }

    /// x·R⁻¹ mod n, below n.
    #[inline(always)]
    fn leave(&self, x: &[u64; S]) -> [u64; S] {
        let t = self.reduction.divided_by_r(x);
        // For x < R it is at most n.
        if t == *self.n() { [0; S] } else { t }
    }

    /// u = top·R + t if u < R, else u − n: below R, for u < R + n.
    #[inline(always)]
    fn reduced_once(&self, t: [u64; S], top: u64) -> [u64; S] {
        if top == 0 { t } else { self.difference(&t).0 }
    }

    /// t − n mod R, and the borrow.
    #[inline(always)]
    fn difference(&self, t: &[u64; S]) -> ([u64; S], u64) {
        let mut borrow = 0;
        let words = core::array::from_fn(|i| {
            let word;
            (borrow, word) = Word::borrowing_sub(t[i], self.n()[i], borrow);
            word
        });
        (words, borrow)
    }
}

#[cfg(target_arch = "x86_64")]
impl Montgomery<4> {
    /// [`Montgomery::pow_vartime`] in registers.
    pub(super) fn pow_in_registers_vartime(&self, mulx: Mulx, x: &[u8], e: Exponent) -> [u64; 4] {
        self.pow_by(&InRegisters::new(mulx, self.n(), self.reduction.n0()), x, e)
    }

    /// [`Montgomery::pow_ready_vartime`] in registers.
    pub(super) fn pow_ready_in_registers_vartime(
        &self,
        mulx: Mulx,
        x: &[u8],
        r2: &[u64; 4],
        e: Exponent,
    ) -> [u64; 4] {
        self.pow_ready_by(&InRegisters::new(mulx, self.n(), self.reduction.n0()), x, r2, e)
    }
}

#[cfg(target_arch = "x86_64")]
impl<const S: usize> Montgomery<S> {
    /// [`Montgomery::pow_vartime`] by the products for exactly S words, of which there are 5 to 8 here.
    pub(super) fn pow_by_blocks_vartime<I: Blocks>(&self, blocks: I, x: &[u8], e: Exponent) -> [u64; S] {
        self.pow_by(&ByBlocks::new(blocks, self.n(), self.reduction.n0()), x, e)
    }

    /// [`Montgomery::pow_ready_vartime`] by them.
    pub(super) fn pow_ready_by_blocks_vartime<I: Blocks>(
        &self,
        blocks: I,
        x: &[u8],
        r2: &[u64; S],
        e: Exponent,
    ) -> [u64; S] {
        self.pow_ready_by(&ByBlocks::new(blocks, self.n(), self.reduction.n0()), x, r2, e)
    }
}

/// A base, reduced modulo n.
enum Entered<const S: usize> {
    /// 0 or 1, which are their own powers.
    Itself([u64; S]),
    /// x·R mod n.
    Residue([u64; S]),
}

impl<const S: usize> CopyMonoid for Montgomery<S> {
    type Element = [u64; S];

    /// x·y·R⁻¹ mod n: below R + n for x, y < R, then below R.
    #[inline(always)]
    fn mul(&self, x: &[u64; S], y: &[u64; S]) -> [u64; S] {
        let (t, top) = self.reduction.product(x, y);
        self.reduced_once(t, top)
    }

    #[inline(always)]
    fn square(&self, x: &[u64; S]) -> [u64; S] {
        let (t, top) = self.reduction.square(x);
        self.reduced_once(t, top)
    }
}

/// The remainder of a number that is read from the top, one word at a time. Number and divisor n are shifted to the left, so
/// that the top bit of the divisor is set.
struct Remainder<const S: usize> {
    divisor: Divisor<[u64; S]>,
    shift: u32,
    /// The complement of the remainder is in the S words from `lowest` up. The next word takes the place below, so that no
    /// word is moved.
    words: [u64; MOST_WORDS + MOST_APPENDED],
    lowest: usize,
}

/// The most words that a remainder reads: a base that is divided, the bits that its shift moves out of it, and zeros.
const MOST_APPENDED: usize = Montgomery::<MOST_WORDS>::MOST_WORDS_BY_DIVISION + 1 + MOST_WORDS;

impl<const S: usize> Remainder<S> {
    /// The remainder of 0.
    #[inline(always)]
    fn new(n: &[u64; S]) -> Self {
        let shift = n[S - 1].leading_zeros();
        let divisor = Divisor::new(shifted_left(n, shift));
        Remainder { divisor, shift, words: [!0; MOST_WORDS + MOST_APPENDED], lowest: MOST_APPENDED }
    }

    /// remainder·W + word modulo the divisor.
    #[inline(always)]
    fn append(&mut self, word: u64) {
        self.lowest -= 1;
        let words = &mut self.words[self.lowest..][..=S];
        words[0] = !word;
        // If the top word is 0 and the next word is below the divisor's top word, there is nothing to subtract.
        if S == 1 || !words[S] != 0 || !words[S - 1] >= self.divisor.words()[S - 1] {
            self.divisor.reduce_complement_by_word(words);
        }
    }

    #[inline(always)]
    fn append_zeros(&mut self, words: usize) {
        for _ in 0..words {
            self.append(0);
        }
    }

    /// The remainder modulo n.
    #[inline(always)]
    fn number(&self) -> [u64; S] {
        shifted_right_by_bits(&core::array::from_fn(|i| !self.words[self.lowest + i]), self.shift)
    }
}

/// The number of at most 8·S big-endian bytes.
#[inline(always)]
fn words_of<const S: usize>(bytes: &[u8]) -> [u64; S] {
    let mut words = [0; S];
    for (word, chunk) in words.iter_mut().zip(bytes.rchunks(8)) {
        *word = word_of_be_bytes(chunk);
    }
    words
}

/// The upper word of (high·W + low)·2^shift mod W².
#[inline(always)]
fn spliced(high: u64, low: u64, shift: u32) -> u64 {
    ((u128::from(high) << 64 | u128::from(low)) << shift >> 64) as u64
}

/// x·2^shift mod W^S, for shift < 64.
#[inline(always)]
fn shifted_left<const S: usize>(x: &[u64; S], shift: u32) -> [u64; S] {
    core::array::from_fn(|i| spliced(x[i], if i > 0 { x[i - 1] } else { 0 }, shift))
}

/// ⌊x/2^shift⌋ for shift < 64.
#[inline(always)]
fn shifted_right_by_bits<const S: usize>(x: &[u64; S], shift: u32) -> [u64; S] {
    let pair = |i: usize| u128::from(if i + 1 < S { x[i + 1] } else { 0 }) << 64 | u128::from(x[i]);
    core::array::from_fn(|i| (pair(i) >> shift) as u64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use num_bigint::BigUint;

    fn integer(words: &[u64]) -> BigUint {
        words.iter().rev().fold(BigUint::ZERO, |number, &word| (number << 64) + word)
    }

    /// Words without a pattern, the first odd, the last one with its top bit set.
    fn modulus<const S: usize>() -> Montgomery<S> {
        let mut n: [u64; S] =
            core::array::from_fn(|i| (i as u64 + 3).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29));
        n[0] |= 1;
        n[S - 1] |= 1 << 63;
        Montgomery::new(n)
    }

    /// A base is filled up to the length L, so a longer one costs time.
    fn check_powers_of_w<const S: usize>() {
        let modulus = modulus::<S>();
        for least in S..=12 * S + 40 {
            let (length, power) = modulus.form_of_power_of_w(&modulus, least);
            assert!((least..least + least.div_ceil(S)).contains(&length), "{S} words: {length} for {least}");
            let expected = BigUint::from(1u32) << (64 * (length + S));
            let n = integer(modulus.n());
            assert_eq!(integer(&power) % &n, expected % n, "{S} words, {length}");
        }
    }

    #[test]
    fn powers_of_w_are_little_longer_than_the_base() {
        check_powers_of_w::<1>();
        check_powers_of_w::<3>();
        check_powers_of_w::<8>();
    }

    #[cfg(target_arch = "x86_64")]
    mod by_instructions {
        use super::*;
        use crate::arch::tested::detect_or_say;
        use crate::arch::x86_64::mulx::Adx;

        /// x^(2^squares)·y by the products of `monoid`, against those of the portable code.
        fn check_append<M: CopyMonoid<Element = [u64; S]>, const S: usize>(of: impl Fn(&[u64; S], u64) -> M) {
            let modulus = modulus::<S>();
            let monoid = of(modulus.n(), modulus.reduction.n0());
            // Below n, whose top bit is set.
            let [x, y] = [5, 7].map(|seed: u64| {
                core::array::from_fn(|i| (seed << i).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 1)
            });
            for squares in 0..4 {
                let (mut z, mut expected) = (x, x);
                monoid.append(&mut z, squares, &y);
                for _ in 0..squares {
                    expected = modulus.square(&expected);
                }
                expected = modulus.mul(&expected, &y);
                assert_eq!(modulus.leave(&z), modulus.leave(&expected), "{S} words, {squares} squares");
            }
        }

        fn check_append_by_blocks<I: Blocks>() {
            let Some(blocks) = detect_or_say::<I>() else { return };
            check_append::<_, 5>(|n, n0| ByBlocks::new(blocks, n, n0));
            check_append::<_, 8>(|n, n0| ByBlocks::new(blocks, n, n0));
        }

        /// The instructions square at least once.
        #[test]
        fn a_product_after_any_number_of_squares_or_none_is_that_of_the_portable_code() {
            check_append_by_blocks::<Mulx>();
            check_append_by_blocks::<Adx>();
            let Some(mulx) = detect_or_say::<Mulx>() else { return };
            check_append(|n, n0| InRegisters::new(mulx, n, n0));
        }
    }
}
