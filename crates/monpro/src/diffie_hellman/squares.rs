//! Which residues modulo a prime are squares.

use crate::natural::{bit_length, shift_right, subtract, trailing_zeros};

/// Whether y < p is a square other than 0 modulo the odd prime p. Time depends on both.
///
/// It is a square if Legendre's symbol (y/p) = y^((p−1)/2) is 1. Jacobi's rules find the symbol at the price
/// of a greatest common divisor: (2/n) = −1 where n = ±3 mod 8, (a/n)·(n/a) = −1 where a = n = 3 mod 4, and
/// (a/n) depends on a mod n alone.
pub(super) fn is_square(y: &[u64], p: &[u64]) -> bool {
    let (mut a, mut n) = (y.to_vec(), p.to_vec());
    let mut is_minus_one = false;
    while bit_length(&a) > 0 {
        let twos = trailing_zeros(&a);
        a = shift_right(&a, twos);
        is_minus_one ^= twos % 2 == 1 && matches!(n[0] % 8, 3 | 5);
        if is_below(&a, &n) {
            core::mem::swap(&mut a, &mut n);
            is_minus_one ^= a[0] % 4 == 3 && n[0] % 4 == 3;
        }
        subtract(&mut a, &n);
    }
    bit_length(&n) == 1 && !is_minus_one
}

/// Whether a < b.
fn is_below(a: &[u64], b: &[u64]) -> bool {
    let (a, b) = (&a[..bit_length(a).div_ceil(64)], &b[..bit_length(b).div_ceil(64)]);
    a.len().cmp(&b.len()).then_with(|| a.iter().rev().cmp(b.iter().rev())).is_lt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::modulus::Modulus;

    #[test]
    fn squares_are_the_residues_that_something_squares_to() {
        for p in (3..200u64).filter(|p| (2..*p).all(|d| p % d != 0)) {
            for y in 0..p {
                let expected = (1..p).any(|x| x * x % p == y);
                assert_eq!(is_square(&[y, 0], &[p]), expected, "{y} modulo {p}");
            }
        }
    }

    #[test]
    fn numbers_of_several_words_agree_with_eulers_criterion() {
        let p = [u64::MAX, u64::MAX >> 1];
        let modulus = Modulus::new(&p).unwrap();
        let q = shift_right(&p, 1);
        for i in 1..200u64 {
            let y = [i.wrapping_mul(0x9e37_79b9_7f4a_7c15), i];
            let expected = modulus.residue(&y).pow_vartime(&q) == modulus.one();
            assert_eq!(is_square(&y, &p), expected, "{y:?}");
        }
    }
}
