//! The arithmetic of words, in Z or GF(2)\[x\], in which every method is written.

mod binary_polynomials;
mod integers;
pub mod mulgf2;

pub use binary_polynomials::BinaryPolynomials;
pub use integers::Integers;

use crate::word::Word;
use core::fmt;

/// Which ring a kernel works in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RingName {
    /// Z: residues are the integers 0 … n − 1.
    Integers,
    /// GF(2)\[x\]: residues are the polynomials of degree below deg n; bit i is the coefficient of xⁱ.
    BinaryPolynomials,
}

impl fmt::Display for RingName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            RingName::Integers => "integers",
            RingName::BinaryPolynomials => "gf2",
        })
    }
}

/// Arithmetic of words, and the few operations on s words that surround a Montgomery product.
///
/// With x = 2 in Z, one notation serves both rings: W = x^w, R = x^(w·s), and a number is Σ t\[i\]·Wⁱ. A pair
/// (C, S) is C·W + S, as in \[koc96, §2\]. Over GF(2) a sum has no carry, so C is non-zero only after a
/// product; the methods need no other distinction \[koc97, §4\].
///
/// Every operation takes time independent of the values of the words, except with the [`mulgf2::Tables`].
pub trait Ring: 'static {
    /// The word, of w bits.
    type Word: Word;
    /// The ring's name.
    const NAME: RingName;
    /// Whether 2 = 0. If so, the cross products of a square vanish, because they come in pairs.
    const CHARACTERISTIC_TWO: bool;

    /// (C, S) = t + a·b + c.
    fn mul_add(t: Self::Word, a: Self::Word, b: Self::Word, c: Self::Word) -> (Self::Word, Self::Word);

    /// (C, S) = t + a².
    fn add_square(t: Self::Word, a: Self::Word) -> (Self::Word, Self::Word);

    /// (C, S) = t + c.
    fn add(t: Self::Word, c: Self::Word) -> (Self::Word, Self::Word);

    /// a·b mod W.
    fn mul_low(a: Self::Word, b: Self::Word) -> Self::Word;

    /// −a mod W.
    fn neg(a: Self::Word) -> Self::Word;

    /// One word of 2·t: `word` moved up by a bit, and below it the top bit of the next lower word, `below`; 0
    /// if 2 = 0.
    fn twice(word: Self::Word, below: Self::Word) -> Self::Word;

    /// Step 3 of MonPro: z = u − n if u ≥ n, else z = u, for u = `top`·W^s + Σ `u`\[i\]·Wⁱ < 2n \[koc96,
    /// §4\]. Over GF(2) deg u < deg n already \[koc97, §4\], so z = u.
    fn finish(z: &mut [Self::Word], u: &[Self::Word], top: Self::Word, n: &[Self::Word]);

    /// z = x·z mod n for z < n, where x is the ring's variable, 2 in Z; n has n_bits bits. `t` is scratch of
    /// s words.
    fn mul_x(z: &mut [Self::Word], n: &[Self::Word], n_bits: usize, t: &mut [Self::Word]);

    /// z = a + b mod n for a, b < n; `t` is scratch of s words.
    fn add_mod(
        z: &mut [Self::Word],
        a: &[Self::Word],
        b: &[Self::Word],
        n: &[Self::Word],
        t: &mut [Self::Word],
    );

    /// z = a − b mod n for a, b < n.
    fn sub_mod(z: &mut [Self::Word], a: &[Self::Word], b: &[Self::Word], n: &[Self::Word]);

    /// Whether a < n, that is, whether a is a residue of n (over GF(2): deg a < deg n).
    /// n has n_bits bits.
    fn is_reduced(a: &[Self::Word], n: &[Self::Word], n_bits: usize) -> bool;
}

#[cfg(test)]
mod tests {
    use super::RingName;
    use alloc::format;

    #[test]
    fn rings_are_shown_by_their_names_in_the_width_asked_for() {
        let shown =
            [RingName::Integers, RingName::BinaryPolynomials].map(|ring| format!("{ring}|{ring:>9}|"));
        assert_eq!(shown, ["integers| integers|", "gf2|      gf2|"]);
    }
}
