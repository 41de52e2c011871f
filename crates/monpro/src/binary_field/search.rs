//! The search for irreducible and primitive polynomials.

use super::{BinaryField, FieldError, irreducible};
use crate::cancellation::checkpoint;
use crate::modulus::Modulus;
use alloc::vec;
use alloc::vec::Vec;

/// Primitive polynomials of degree 2, 3, … 8.
const PRIMITIVE: [u16; 7] = [0b111, 0b1011, 0b1_0011, 0b10_0101, 0b100_0011, 0b1000_0011, 0b1_0001_1101];

impl BinaryField {
    /// The highest degree of polynomials that are searched for. Up to it, a trinomial or a pentanomial is irreducible in
    /// every degree (Seroussi, Table of Low-Weight Binary Irreducible Polynomials, HPL-98-135).
    pub const MAX_SEARCH_DEGREE: usize = 10_000;

    /// The exponents, from k down, of the irreducible polynomial of degree k with the fewest terms, and among those, of
    /// the least one as a number: x^k + x^a + 1 with the least a, or else x^k + x^a + x^b + x^c + 1 with the least a, then
    /// b, then c. For k = 1 it is x + 1, because a field needs the term 1.
    ///
    /// # Errors
    /// [`FieldError::ConstantPolynomial`] for k = 0, [`FieldError::DegreeTooHighToSearch`].
    pub fn irreducible_polynomial(k: usize) -> Result<Vec<usize>, FieldError> {
        let is_irreducible = |exponents: &[usize]| {
            let polynomial = BinaryField::polynomial_of(exponents)?;
            Ok(irreducible::root_of_x(&Modulus::of_polynomial(&polynomial)?).is_some())
        };
        first(k, BinaryField::MAX_SEARCH_DEGREE, is_irreducible)
    }

    /// The same of the primitive polynomials, those whose root x generates the multiplicative group of the field.
    ///
    /// # Errors
    /// [`FieldError::ConstantPolynomial`] for k = 0, [`FieldError::UnknownGroupOrder`] for k above
    /// [`BinaryField::MAX_ORDER_DEGREE`].
    pub fn primitive_polynomial(k: usize) -> Result<Vec<usize>, FieldError> {
        if k > BinaryField::MAX_ORDER_DEGREE {
            return Err(FieldError::UnknownGroupOrder { degree: k });
        }
        let is_primitive = |exponents: &[usize]| match BinaryField::from_exponents(exponents) {
            Ok(field) => field.is_primitive(),
            Err(FieldError::Reducible { .. }) => Ok(false),
            Err(error) => Err(error),
        };
        first(k, BinaryField::MAX_ORDER_DEGREE, is_primitive)
    }
}

/// The first polynomial of degree k, in the order of the search, that passes the test.
fn first(
    k: usize,
    most: usize,
    passes: impl Fn(&[usize]) -> Result<bool, FieldError>,
) -> Result<Vec<usize>, FieldError> {
    match k {
        0 => return Err(FieldError::ConstantPolynomial),
        1 => return Ok(vec![1, 0]),
        _ if k > most => return Err(FieldError::DegreeTooHighToSearch { degree: k }),
        _ => {}
    }
    let trinomials = (1..k).map(|a| vec![k, a, 0]);
    let pentanomials =
        (3..k).flat_map(|a| (2..a).flat_map(move |b| (1..b).map(move |c| vec![k, a, b, c, 0])));
    let sieve = Sieve::new(k);
    for exponents in trinomials.chain(pentanomials) {
        checkpoint();
        if !sieve.finds_a_factor(&exponents) && passes(&exponents)? {
            return Ok(exponents);
        }
    }
    unreachable!("every degree up to {most} has an irreducible and a primitive polynomial of 3 or 5 terms")
}

/// The powers of generators of the fields of degree d < k, d ≤ 8.
struct Sieve(Vec<Vec<u16>>);

impl Sieve {
    fn new(k: usize) -> Sieve {
        Sieve(PRIMITIVE.iter().filter(|&&f| (f.ilog2() as usize) < k).map(|&f| powers_of_x(f)).collect())
    }

    /// Whether an element of one of the fields is a root of the polynomial, which then has a factor of degree d or of a
    /// divisor of d.
    fn finds_a_factor(&self, exponents: &[usize]) -> bool {
        self.0.iter().any(|powers| {
            let order = powers.len();
            let value = |j: usize| exponents.iter().fold(0, |sum, e| sum ^ powers[j * (e % order) % order]);
            (1..order).any(|j| value(j) == 0)
        })
    }
}

/// 1, x, … x^(2^d − 2) modulo a primitive polynomial f of degree d.
fn powers_of_x(f: u16) -> Vec<u16> {
    let d = f.ilog2();
    let next = |&x: &u16| Some((x << 1) ^ (f * (x >> (d - 1))));
    core::iter::successors(Some(1), next).take((1 << d) - 1).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// f mod g over GF(2), for g of degree 1 or more.
    fn remainder(mut f: u32, g: u32) -> u32 {
        while f >= 1 << g.ilog2() {
            f ^= g << (f.ilog2() - g.ilog2());
        }
        f
    }

    #[test]
    fn the_powers_of_x_are_all_elements_but_0() {
        for f in PRIMITIVE {
            let mut powers = powers_of_x(f);
            for i in 1..powers.len() {
                let expected = remainder(u32::from(powers[i - 1]) << 1, f.into());
                assert_eq!(u32::from(powers[i]), expected, "x^{i} modulo {f:b}");
            }
            assert_eq!(powers[0], 1);
            powers.sort_unstable();
            assert!(powers.into_iter().eq(1..1 << f.ilog2()), "{f:b} is primitive");
        }
    }

    #[test]
    fn the_sieve_finds_exactly_the_factors_of_degrees_2_to_8() {
        let is_irreducible = |&g: &u32| (2..1 << (g.ilog2() / 2 + 1)).all(|h| remainder(g, h) != 0);
        let factors: Vec<u32> = (0b100..0b10_0000_0000).filter(is_irreducible).collect();
        let mut counts = [0; 2];
        for k in 3..=12 {
            let sieve = Sieve::new(k);
            for (a, b) in (1..k).flat_map(|a| (0..a).map(move |b| (a, b))) {
                // Three terms where b = 0, and otherwise five.
                let exponents: Vec<usize> = match b {
                    0 => vec![k, a, 0],
                    1 => continue,
                    _ => vec![k, a, b, b - 1, 0],
                };
                let f: u32 = exponents.iter().map(|&e| 1 << e).sum();
                let has_factor = factors.iter().any(|&g| g.ilog2() < f.ilog2() && remainder(f, g) == 0);
                assert_eq!(sieve.finds_a_factor(&exponents), has_factor, "{exponents:?}");
                counts[usize::from(has_factor)] += 1;
            }
        }
        assert!(counts.iter().all(|&count| count > 50), "{counts:?}");
    }
}
