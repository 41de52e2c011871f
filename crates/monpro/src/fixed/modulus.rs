//! An odd modulus of S limbs, and the arithmetic of its residues.

use super::choice::Choice;
use super::limbs;
use super::reduction::Reduction;
use super::residue::Residue;
use crate::error::Error;
use crate::natural;
use crate::power::stack::{self, CopyMonoid};
use core::fmt;
use zeroize::Zeroize;

/// An odd modulus 1 ≤ n < R = 2^(64·S), with R mod n and R² mod n.
///
/// S is at least 1. The modulus may have fewer limbs than S; a smaller S is then faster. Every operation takes residues of
/// this modulus, which are below n, and returns such residues.
#[derive(Clone, Copy)]
pub struct Modulus<const S: usize> {
    reduction: Reduction<S>,
    /// R mod n, the residue of 1.
    r: Residue<S>,
    /// R² mod n: the product with it leads into Montgomery form.
    r2: Residue<S>,
}

impl<const S: usize> Modulus<S> {
    /// The modulus n. It is public: the compiler may make branches that depend on it. Where the modulus is not a constant of
    /// the program, this takes about 65·S additions and 6 products.
    ///
    /// # Errors
    /// [`Error::ZeroModulus`], [`Error::EvenModulus`].
    pub const fn new(n: [u64; S]) -> Result<Self, Error> {
        const { assert!(S > 0, "a modulus has at least one word") };
        if n[0] & 1 == 0 {
            return Err(if is_zero(&n) { Error::ZeroModulus } else { Error::EvenModulus });
        }
        let reduction = Reduction::new(n);
        // 1 mod n, which is 0 for n = 1.
        let mut power = reduction.reduced_constant(&limbs::of_word(1), 0);
        let mut doublings = 0;
        while doublings < 64 * S {
            power = doubled(&reduction, &power);
            doublings += 1;
        }
        let r = power;
        // The square of the residue R·2ᵃ is R·2^(2a). From a = S, six squares lead to R·2^(64·S) = R².
        while doublings < 65 * S {
            power = doubled(&reduction, &power);
            doublings += 1;
        }
        let mut squares = 0;
        while squares < 6 {
            let (t, top) = reduction.product(&power, &power);
            power = reduction.reduced_constant(&t, top);
            squares += 1;
        }
        Ok(Modulus { reduction, r: Residue(r), r2: Residue(power) })
    }

    /// The secret odd modulus n of n_bits ≥ 2 bits. Time and addresses depend on n_bits, not on n. The caller erases it.
    #[inline(always)]
    pub(crate) fn of_secret(n: &[u64; S], n_bits: usize) -> Self {
        let reduction = Reduction::new(*n);
        let double = |x: &mut [u64; S]| {
            let (top, t) = limbs::add(x, x);
            *x = reduction.reduced(&t, top);
        };
        // 2^(n_bits − 2) is below n.
        let start = n_bits - 2;
        let mut power = [0; S];
        power[start / 64] = 1 << (start % 64);
        (start..64 * S).for_each(|_| double(&mut power));
        let r = power;
        // As in `new`: from R·2^S, six squares lead to R².
        (0..S).for_each(|_| double(&mut power));
        for _ in 0..6 {
            let (t, top) = reduction.square(&power);
            power = reduction.reduced(&t, top);
        }
        Modulus { reduction, r: Residue(r), r2: Residue(power) }
    }

    /// Overwrites the modulus and what was derived from it by zeros.
    #[inline]
    pub(crate) fn erase(&mut self) {
        self.reduction.erase();
        self.r.zeroize();
        self.r2.zeroize();
    }

    /// n.
    #[inline]
    #[must_use]
    pub const fn number(&self) -> &[u64; S] {
        self.reduction.n()
    }

    /// The residue of 1: R mod n.
    #[inline]
    #[must_use]
    pub const fn one(&self) -> Residue<S> {
        self.r
    }

    /// The residue of any x < R that is a constant or public: the compiler may make branches that depend on it.
    #[must_use]
    pub const fn residue_of_constant(&self, x: [u64; S]) -> Residue<S> {
        let (t, top) = self.reduction.product(&x, &self.r2.0);
        Residue(self.reduction.reduced_constant(&t, top))
    }

    /// The residue of any x, of any number of words. That number is public, x is not.
    ///
    /// Horner's rule takes S words at a time: c₀ + R·(c₁ + R·(c₂ + …)). A chunk c < R need not be below n: the product of c
    /// and R² mod n is below (R·n + R·n)/R = 2n before its subtraction.
    #[inline]
    #[must_use]
    pub fn residue(&self, x: &[u64]) -> Residue<S> {
        let mut sum: Option<Residue<S>> = None;
        for words in x.chunks(S).rev() {
            let mut chunk = [0; S];
            chunk[..words.len()].copy_from_slice(words);
            let low = self.mul(Residue(chunk), self.r2);
            sum = Some(sum.map_or(low, |sum| self.add(self.mul(sum, self.r2), low)));
        }
        sum.unwrap_or(Residue::ZERO)
    }

    /// The residue of an x below n. The answer whether x is below n is public.
    ///
    /// # Errors
    /// [`Error::NotReduced`].
    pub fn residue_of_reduced(&self, x: [u64; S]) -> Result<Residue<S>, Error> {
        let (is_below_n, _) = limbs::subtract(&x, self.reduction.n());
        match is_below_n {
            1 => Ok(self.mul(Residue(x), self.r2)),
            _ => Err(Error::NotReduced),
        }
    }

    /// The number below n whose residue is x.
    #[inline]
    #[must_use]
    pub fn to_number(&self, x: Residue<S>) -> [u64; S] {
        self.reduction.divided_by_r(&x.0)
    }

    /// x + y mod n.
    #[inline]
    #[must_use]
    pub fn add(&self, x: Residue<S>, y: Residue<S>) -> Residue<S> {
        // x + y < 2n.
        let (top, t) = limbs::add(&x.0, &y.0);
        Residue(self.reduction.reduced(&t, top))
    }

    /// x − y mod n.
    #[inline]
    #[must_use]
    pub fn sub(&self, x: Residue<S>, y: Residue<S>) -> Residue<S> {
        let (borrow, t) = limbs::subtract(&x.0, &y.0);
        // Where x < y, t = x − y + R. Adding n carries out of R and leaves x − y + n < n.
        let n_or_0 = limbs::select(Choice::from_bit(borrow).mask(), &[0; S], self.reduction.n());
        Residue(limbs::add(&t, &n_or_0).1)
    }

    /// −x mod n.
    #[inline]
    #[must_use]
    pub fn neg(&self, x: Residue<S>) -> Residue<S> {
        self.sub(Residue::ZERO, x)
    }

    /// x·y mod n. The Montgomery forms a and b give a·b·R⁻¹ mod n.
    #[inline]
    #[must_use]
    pub fn mul(&self, x: Residue<S>, y: Residue<S>) -> Residue<S> {
        // Below 2n, since y < n and x < R; x may be a chunk of a number that is not below n.
        let (t, top) = self.reduction.product(&x.0, &y.0);
        Residue(self.reduction.reduced(&t, top))
    }

    /// x² mod n.
    #[inline]
    #[must_use]
    pub fn square(&self, x: Residue<S>) -> Residue<S> {
        let (t, top) = self.reduction.square(&x.0);
        Residue(self.reduction.reduced(&t, top))
    }

    /// xᵉ mod n by fixed windows. Time and addresses depend on the number of words of e, not on its value.
    #[must_use]
    pub fn pow(&self, x: Residue<S>, e: &[u64]) -> Residue<S> {
        self.pow_bounded(x, e, 64 * e.len())
    }

    /// x^(e mod 2^e_bits) mod n by fixed windows. Time and addresses depend on e_bits, not on the value of e. The table of
    /// powers is erased.
    pub fn pow_bounded(&self, x: Residue<S>, e: &[u64], e_bits: usize) -> Residue<S> {
        stack::fixed_window(self, self.r, &x, (e, e_bits), Residue::select)
    }

    /// xᵉ mod n by sliding windows. The time depends on e, not on x.
    #[must_use]
    pub fn pow_vartime(&self, x: Residue<S>, e: &[u64]) -> Residue<S> {
        match natural::bit_length(e) {
            0 => self.r,
            _ => stack::sliding_window_vartime(self, &x, e),
        }
    }

    /// x⁻¹ mod n for a prime n, as x^(n − 2); 0 for x = 0. The time depends on n alone. Where n is not prime, the result is
    /// not an inverse.
    #[must_use]
    pub fn inverse_modulo_prime(&self, x: Residue<S>) -> Residue<S> {
        // Modulo 1, where n − 2 wraps, every power is 0.
        let (_, e) = limbs::subtract(self.reduction.n(), &limbs::of_word(2));
        self.pow_vartime(x, &e)
    }
}

/// The residues under the Montgomery product.
impl<const S: usize> CopyMonoid for Modulus<S> {
    type Element = Residue<S>;

    #[inline(always)]
    fn mul(&self, x: &Residue<S>, y: &Residue<S>) -> Residue<S> {
        Modulus::mul(self, *x, *y)
    }

    #[inline(always)]
    fn square(&self, x: &Residue<S>) -> Residue<S> {
        Modulus::square(self, *x)
    }
}

impl<const S: usize> fmt::Debug for Modulus<S> {
    /// n, which is public.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Modulus(0x")?;
        self.number().iter().rev().try_for_each(|word| write!(f, "{word:016x}"))?;
        f.write_str(")")
    }
}

/// 2x mod n for x < n.
const fn doubled<const S: usize>(reduction: &Reduction<S>, x: &[u64; S]) -> [u64; S] {
    let (top, t) = limbs::add(x, x);
    reduction.reduced_constant(&t, top)
}

const fn is_zero(words: &[u64]) -> bool {
    match words {
        [] => true,
        [first, rest @ ..] => *first == 0 && is_zero(rest),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_left_of_an_erased_modulus() {
        let mut n = Modulus::of_secret(&[u64::MAX, 5], 67);
        n.erase();
        assert_eq!((n.number(), n.reduction.n0()), (&[0; 2], 0));
        assert_eq!([n.r.0, n.r2.0], [[0; 2]; 2]);
    }
}
