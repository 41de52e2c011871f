//! The two halves of a power modulo p·q, and Garner's recombination of them.

use super::cost::Lengths;
use super::task::PowTask;
use crate::crt;
use crate::error::Error;
use crate::modulus::Modulus;
use alloc::vec::Vec;
use zeroize::Zeroizing;

/// The operands of Garner's recombination: the powers a modulo p and b modulo q, for odd p and q.
#[derive(Clone, Copy)]
pub struct CrtHalves<'a> {
    a: &'a [u64],
    b: &'a [u64],
    modulo_p: PowTask<'a>,
    q: &'a [u64],
    q_inverse: &'a [u64],
}

/// (a − b)·q⁻¹ mod p, or None if q·q_inverse mod p is not 1.
pub type Quotient = Option<Vec<u64>>;

impl<'a> CrtHalves<'a> {
    /// The operands, from the tasks modulo p and modulo q and their powers.
    ///
    /// # Errors
    /// [`Error::ZeroModulus`] where a power is missing, [`Error::EvenModulus`].
    pub(super) fn new(
        tasks: &[PowTask<'a>],
        powers: &'a [Option<Zeroizing<Vec<u64>>>],
        q_inverse: &'a [u64],
    ) -> Result<Self, Error> {
        let ([modulo_p, modulo_q], [Some(a), Some(b)]) = (tasks, powers) else {
            return Err(Error::ZeroModulus);
        };
        if !(modulo_p.is_odd() && modulo_q.is_odd()) {
            return Err(Error::EvenModulus);
        }
        Ok(CrtHalves { a, b, modulo_p: *modulo_p, q: modulo_q.modulus(), q_inverse })
    }

    /// The power modulo p, in ⌈bits of p/64⌉ words.
    #[must_use]
    pub fn a(&self) -> &'a [u64] {
        self.a
    }

    /// The power modulo q, in ⌈bits of q/64⌉ words.
    #[must_use]
    pub fn b(&self) -> &'a [u64] {
        self.b
    }

    /// p, odd.
    #[must_use]
    pub fn p(&self) -> &'a [u64] {
        self.modulo_p.modulus()
    }

    /// q, odd.
    #[must_use]
    pub fn q(&self) -> &'a [u64] {
        self.q
    }

    /// The number given as q⁻¹ mod p. It may be wrong, and it need not be below p.
    #[must_use]
    pub fn q_inverse(&self) -> &'a [u64] {
        self.q_inverse
    }

    /// The task whose power is a.
    #[must_use]
    pub fn task_modulo_p(&self) -> &PowTask<'a> {
        &self.modulo_p
    }

    /// The lengths that determine the time of the quotient, which reduces all four operands modulo p.
    pub(super) fn lengths(&self) -> Lengths {
        let operand_words = self.a.len() + self.b.len() + self.q.len() + self.q_inverse.len();
        Lengths { exponent_bits: 0, operand_words, ..self.modulo_p.lengths() }
    }

    /// b + q·h, the number that is a modulo p and b modulo q, for the right quotient h.
    pub(super) fn recombine(&self, h: &[u64]) -> Vec<u64> {
        crt::sum(self.b, &self.q[..self.b.len()], h)
    }

    /// The quotient by a single kernel.
    pub(super) fn quotient(&self) -> Quotient {
        let p = Modulus::new(self.p()).expect("p is odd");
        let q_inverse = p.residue(self.q_inverse);
        let is_inverse = &p.residue(self.q) * &q_inverse == p.one();
        is_inverse.then(|| crt::quotient(&p.residue(self.a), self.b, &q_inverse))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;

    #[test]
    fn the_operands_of_a_quotient_are_counted_each_once() {
        let tasks = [PowTask::new(&[3], &[5], &[7, 1]), PowTask::new(&[3], &[5], &[9, 0, 0, 1])];
        let powers = [2, 4].map(|words| Some(Zeroizing::new(vec![1; words])));
        let inverse = [1; 9];
        let lengths = CrtHalves::new(&tasks, &powers, &inverse).unwrap().lengths();
        assert_eq!(
            lengths,
            Lengths { words: 2, least_words: 2, exponent_bits: 0, operand_words: 2 + 4 + 4 + 9 }
        );
    }
}
