//! Garner's recombination: a number modulo p·q from its residues modulo p and modulo q.

use crate::natural;
use crate::product::add_product;
use crate::residue::Residue;
use alloc::vec::Vec;
use zeroize::Zeroizing;

/// The number x < p·q with x = a mod p and x = b mod q, where q_inverse is q⁻¹ mod p: b + q·((a − b)·q⁻¹ mod p), in
/// ⌈bits of p/64⌉ + ⌈bits of q/64⌉ words.
///
/// RSA's private operation by the Chinese remainder theorem ends with it (RFC 8017, §5.1.2). If q_inverse is not q⁻¹ mod p,
/// the result is still below p·q and still b modulo q, but it is another number modulo p. Time and addresses depend only
/// on the bit lengths of p and q. Intermediate values are erased; the caller erases the result.
///
/// ```
/// use monpro::{Modulus, garner};
///
/// let (p, q) = (Modulus::new(&[11])?, Modulus::new(&[7])?);
/// // 7·8 = 1 mod 11, and 30 is 8 modulo 11 and 2 modulo 7.
/// assert_eq!(garner(&p.residue(&[8]), &q.residue(&[2]), &p.residue(&[8])), [30, 0]);
/// # Ok::<(), monpro::Error>(())
/// ```
///
/// # Panics
/// Where a and q_inverse have different moduli.
#[must_use]
pub fn garner(a: &Residue, b: &Residue, q_inverse: &Residue) -> Vec<u64> {
    let b_number = Zeroizing::new(b.to_number());
    let h = Zeroizing::new(quotient(a, &b_number, q_inverse));
    sum(&b_number, b.modulus().number(), &h)
}

/// (a − b)·q⁻¹ mod p for a number b of any size.
pub(crate) fn quotient(a: &Residue, b: &[u64], q_inverse: &Residue) -> Vec<u64> {
    (&(a - &a.modulus().residue(b)) * q_inverse).to_number()
}

/// b + q·h, in as many words as b and h have together; q has as many words as b. For b < q and h < p it is at most
/// q − 1 + q·(p − 1) = p·q − 1.
pub(crate) fn sum(b: &[u64], q: &[u64], h: &[u64]) -> Vec<u64> {
    let mut z = natural::resized(b, b.len() + h.len());
    add_product(&mut z, h, q);
    z
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::modulus::Modulus;
    use crate::natural;

    /// Shows the claim of [`garner`] for all residues and all values of q_inverse modulo these p and q.
    fn check(p_number: u64, q_number: u64) {
        let [p, q] = [p_number, q_number].map(|n| Modulus::new(&[n]).expect("it is odd"));
        for inverse in 0..p_number {
            let is_inverse = q_number * inverse % p_number == 1 % p_number;
            let q_inverse = p.residue(&[inverse]);
            for a_number in 0..p_number {
                let a = p.residue(&[a_number]);
                for b_number in 0..q_number {
                    let x = garner(&a, &q.residue(&[b_number]), &q_inverse);
                    assert_eq!((x.len(), natural::bit_length(&x) <= 64), (2, true));
                    assert!(x[0] < p_number * q_number);
                    assert_eq!(x[0] % q_number, b_number);
                    assert!(!is_inverse || x[0] % p_number == a_number, "p = {p_number}, q = {q_number}");
                }
            }
        }
    }

    #[test]
    fn all_residues_modulo_small_numbers_recombine() {
        let is_prime_to = |p: u64, q: u64| (2..=p.min(q)).all(|d| p % d != 0 || q % d != 0);
        for p in (1..=15).step_by(2) {
            for q in (1..=15).step_by(2).filter(|&q| is_prime_to(p, q)) {
                check(p, q);
            }
        }
    }
}
