//! Montgomery products modulo an odd number of S limbs, before their last subtraction.

use super::limbs::{self, mul_add};
use crate::product;
use crate::word::Word;
use zeroize::Zeroize;

/// An odd n < R = W^S, and n0 = −n⁻¹ mod W: what a Montgomery product needs to divide by R.
///
/// A product is returned as (t, top), the number top·R + t. The caller brings it into the bounds of its residues: below n
/// in constant time by [`Reduction::reduced`], or below R in variable time by a branch on `top`.
#[derive(Clone, Copy)]
pub(crate) struct Reduction<const S: usize> {
    n: [u64; S],
    n0: u64,
}

impl<const S: usize> Reduction<S> {
    /// The constants of n, whose lowest bit must be 1.
    #[inline(always)]
    pub(crate) const fn new(n: [u64; S]) -> Self {
        Reduction { n0: negative_inverse(n[0]), n }
    }

    /// Overwrites the constants by zeros.
    #[inline]
    pub(super) fn erase(&mut self) {
        self.n.zeroize();
        self.n0.zeroize();
    }

    /// n.
    #[inline(always)]
    pub(crate) const fn n(&self) -> &[u64; S] {
        &self.n
    }

    /// −n⁻¹ mod W.
    #[inline(always)]
    pub(crate) const fn n0(&self) -> u64 {
        self.n0
    }

    /// x·y·R⁻¹ mod n as (x·y + q·n)/R, where q < R makes the division exact, by finely integrated operand scanning
    /// \[koc96, §6\].
    ///
    /// The result is below x·y/R + n: below R + n for x, y < R, and below 2n if also x < n or y < n. Between rows the
    /// number u = top·R + t is below R + n < 2R, so that top ≤ 1: row i turns u into (u + x·yᵢ + qᵢ·n)/W, which is
    /// below (R + n + (W − 1)·(R + n))/W = R + n.
    #[inline(always)]
    pub(crate) const fn product(&self, x: &[u64; S], y: &[u64; S]) -> ([u64; S], u64) {
        let (mut t, mut top) = ([0; S], 0);
        let mut i = 0;
        while i < S {
            let (mut cx, low) = mul_add(t[0], x[0], y[i], 0);
            let q = low.wrapping_mul(self.n0);
            let (mut cq, _) = mul_add(low, q, self.n[0], 0);
            let mut j = 1;
            while j < S {
                let sum;
                (cx, sum) = mul_add(t[j], x[j], y[i], cx);
                (cq, t[j - 1]) = mul_add(sum, q, self.n[j], cq);
                j += 1;
            }
            let column = top as u128 + cx as u128 + cq as u128;
            t[S - 1] = column as u64;
            top = (column >> 64) as u64;
            i += 1;
        }
        (t, top)
    }

    /// x²·R⁻¹ mod n as (x² + q·n)/R, with the bounds of [`Reduction::product`].
    ///
    /// Separated operand scanning \[koc96, §4\] needs about 3/4 of the word products. Measured for 1 to 8 limbs, it is the
    /// faster way for 4 and 5 limbs; for the others the product is.
    #[inline(always)]
    pub(crate) fn square(&self, x: &[u64; S]) -> ([u64; S], u64) {
        if S == 4 || S == 5 { self.separated_square(x) } else { self.product(x, x) }
    }

    #[inline(always)]
    fn separated_square(&self, x: &[u64; S]) -> ([u64; S], u64) {
        let mut halves = [[0; S]; 2];
        let t = halves.as_flattened_mut();
        product::square(t, x);
        let mut top = 0;
        for i in 0..S {
            let q = t[i].wrapping_mul(self.n0);
            let (mut carry, _) = mul_add(t[i], q, self.n[0], 0);
            for j in 1..S {
                (carry, t[i + j]) = mul_add(t[i + j], q, self.n[j], carry);
            }
            // The sum is at most 2·(W − 1) + 1, so that top ≤ 1.
            (top, t[i + S]) = Word::carrying_add(t[i + S], carry, top);
        }
        (halves[1], top)
    }

    /// x·R⁻¹ mod n as (x + q·n)/R for x < R: at most n, and below n for x < n, since x + q·n ≤ n − 1 + (R − 1)·n < R·n.
    #[inline(always)]
    pub(crate) fn divided_by_r(&self, x: &[u64; S]) -> [u64; S] {
        let mut t = *x;
        for _ in 0..S {
            let q = t[0].wrapping_mul(self.n0);
            let (mut carry, _) = mul_add(t[0], q, self.n[0], 0);
            for j in 1..S {
                (carry, t[j - 1]) = mul_add(t[j], q, self.n[j], carry);
            }
            t[S - 1] = carry;
        }
        t
    }

    /// top·R + t mod n, for top·R + t < 2n. The optimiser cannot make a branch of it, since it knows nothing of the mask.
    #[inline(always)]
    pub(crate) fn reduced(&self, t: &[u64; S], top: u64) -> [u64; S] {
        let (is_below_n, difference) = self.difference(t, top);
        limbs::select(Word::mask(is_below_n), &difference, t)
    }

    /// [`Reduction::reduced`] for constants. The optimiser may make a branch of it.
    pub(super) const fn reduced_constant(&self, t: &[u64; S], top: u64) -> [u64; S] {
        let (is_below_n, difference) = self.difference(t, top);
        limbs::select(is_below_n.wrapping_neg(), &difference, t)
    }

    /// (1, _) where top·R + t < n, else (0, top·R + t − n); for top·R + t < 2n.
    ///
    /// The number is below n exactly if the subtraction borrows and top does not cancel the borrow. top ≤ 1, because
    /// 2n < 2R.
    #[inline(always)]
    const fn difference(&self, t: &[u64; S], top: u64) -> (u64, [u64; S]) {
        let (borrow, difference) = limbs::subtract(t, &self.n);
        (borrow & (top ^ 1), difference)
    }
}

/// −n⁻¹ mod W for an odd n, by Newton–Hensel lifting as in [`crate::n0`]: each step doubles the number of right bits, and
/// n·n = 1 mod 8 gives three to begin with.
#[inline(always)]
const fn negative_inverse(n: u64) -> u64 {
    let (mut y, mut right_bits) = (n, 3);
    while right_bits < 64 {
        y = y.wrapping_mul(2u64.wrapping_sub(n.wrapping_mul(y)));
        right_bits *= 2;
    }
    y.wrapping_neg()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::n0::dusse_kaliski;
    use crate::ring::Integers;

    #[test]
    fn the_inverse_of_the_lowest_word_is_that_of_the_other_algorithms() {
        for n in (1..2000).step_by(2).chain([u64::MAX, u64::MAX - 2, 1 << 63 | 1, 0x9e37_79b9_7f4a_7c15]) {
            assert_eq!(negative_inverse(n), dusse_kaliski::<Integers<u64>>(n));
        }
    }

    #[test]
    fn products_of_any_words_stay_below_r_plus_n() {
        // The largest x, y < R, and the least and the largest n.
        for n in [[1, 0], [1, 1 << 63], [u64::MAX, u64::MAX]] {
            let x = [u64::MAX; 2];
            let (t, top) = Reduction::new(n).product(&x, &x);
            let (borrow, _) = limbs::subtract(&t, &n);
            assert!(top == 0 || (top == 1 && borrow == 1), "{n:x?}: {t:x?}, {top}");
            assert_eq!(Reduction::new(n).separated_square(&x), (t, top));
        }
    }

    #[test]
    fn a_number_of_any_words_divided_by_r_is_at_most_n() {
        let n = [u64::MAX - 4, 7];
        let of_n = Reduction::new(n);
        assert_eq!(of_n.divided_by_r(&n), n);
        assert_eq!(of_n.divided_by_r(&[0, 0]), [0, 0]);
        let largest = of_n.divided_by_r(&[u64::MAX; 2]);
        assert_eq!(limbs::subtract(&largest, &n).0, 1);
    }
}
