//! Powers modulo a product of two primes by the powers modulo each, many at once: the private operation of RSA.

use super::{BatchKernel, BoundedTask, PowTask, pow_bounded_batch};
use crate::crt;
use crate::error::Error;
use crate::modulus::Modulus;
use crate::natural;
use alloc::vec::Vec;
use zeroize::Zeroizing;

/// One private operation of RSA, by the numbers of a key as \[blum01, §5.2\] and RFC 8017, §3.2 have them, of
/// little-endian slices of 64-bit words of any length.
#[derive(Clone, Copy)]
pub struct CrtTask<'a> {
    /// x, which may be of any size.
    pub base: &'a [u64],
    /// p, odd and prime to q; its bit length is public.
    pub p: &'a [u64],
    /// q, odd; its bit length is public.
    pub q: &'a [u64],
    /// dP = d mod (p − 1); its number of words is public, its bit length is not.
    pub d_p: &'a [u64],
    /// dQ = d mod (q − 1), likewise.
    pub d_q: &'a [u64],
    /// qInv = q⁻¹ mod p.
    pub q_inverse: &'a [u64],
}

/// For each of the tasks, in their order, the number below p·q that is x^dP modulo p and x^dQ modulo q, which is x^d mod
/// p·q for a key of RSA; in ⌈bits of p/64⌉ + ⌈bits of q/64⌉ words.
///
/// The powers are computed in lanes as by [`pow_batch`](super::pow_batch), two for each task. Time and addresses depend on
/// the bit lengths of p and q and on the numbers of words of the others. Nothing is blinded, and a fault of the
/// machine is not noticed: that is the caller's to do.
///
/// ```
/// use monpro::{CrtTask, pow_crt_batch};
///
/// // p = 11, q = 7, d = 43: 2^43 mod 77.
/// let task = CrtTask { base: &[2], p: &[11], q: &[7], d_p: &[3], d_q: &[1], q_inverse: &[8] };
/// assert_eq!(pow_crt_batch(&[task]), [Ok(vec![30, 0])]);
/// ```
///
/// # Errors
/// In the place of the power: [`Error::ZeroModulus`] and [`Error::EvenModulus`] for p and q; [`Error::NotInverse`]
/// where q·qInv mod p is not 1.
pub fn pow_crt_batch(tasks: &[CrtTask<'_>]) -> Vec<Result<Vec<u64>, Error>> {
    let powers = pow_bounded_batch(&tasks.iter().flat_map(CrtTask::halves).collect::<Vec<_>>());
    // Not as results: what lies beside the tag of one is copied from the stack, and not erased.
    let powers: Vec<_> = powers.into_iter().map(|power| power.ok().map(Zeroizing::new)).collect();
    let halves: Vec<Result<Halves<'_>, Error>> =
        tasks.iter().zip(powers.chunks_exact(2)).map(|(task, powers)| Halves::new(task, powers)).collect();
    let good: Vec<Halves<'_>> = halves.iter().flatten().copied().collect();
    let mut quotients = quotients(&good).into_iter();
    let mut recombine = |halves: Halves<'_>| {
        let quotient = quotients.next().expect("there is one for each");
        quotient.ok_or(Error::NotInverse).map(|h| halves.recombine(&Zeroizing::new(h)))
    };
    halves.into_iter().map(|halves| recombine(halves?)).collect()
}

impl<'a> CrtTask<'a> {
    /// The powers modulo p and modulo q.
    fn halves(&self) -> [BoundedTask<'a>; 2] {
        [(self.p, self.d_p), (self.q, self.d_q)].map(|(modulus, exponent)| BoundedTask {
            task: PowTask { base: self.base, exponent, modulus },
            exponent_bits: natural::bit_length(modulus).max(64 * exponent.len()),
        })
    }
}

/// What Garner's recombination starts from: a mod p and b mod q, of odd p and q.
#[derive(Clone, Copy)]
pub(super) struct Halves<'a> {
    pub(super) a: &'a [u64],
    pub(super) b: &'a [u64],
    pub(super) p: &'a [u64],
    pub(super) q: &'a [u64],
    pub(super) q_inverse: &'a [u64],
}

/// (a − b)·q⁻¹ mod p, or None where q·q_inverse mod p is not 1.
pub(super) type Quotient = Option<Vec<u64>>;

impl<'a> Halves<'a> {
    fn new(task: &CrtTask<'a>, powers: &'a [Option<Zeroizing<Vec<u64>>>]) -> Result<Self, Error> {
        let [Some(a), Some(b)] = powers else { return Err(Error::ZeroModulus) };
        if task.p[0] & task.q[0] & 1 == 0 {
            return Err(Error::EvenModulus);
        }
        Ok(Halves { a, b, p: task.p, q: task.q, q_inverse: task.q_inverse })
    }

    /// b + q·h.
    fn recombine(&self, h: &[u64]) -> Vec<u64> {
        crt::sum(self.b, &self.q[..self.b.len()], h)
    }

    /// The quotient by a single kernel.
    fn quotient(&self) -> Quotient {
        let p = Modulus::new(self.p).expect("p is odd");
        let q_inverse = p.residue(self.q_inverse);
        let is_inverse = &p.residue(self.q) * &q_inverse == p.one();
        is_inverse.then(|| crt::quotient(&p.residue(self.a), self.b, &q_inverse))
    }
}

/// The quotients of all, in lanes where there is a batch kernel: even one takes less time there, since the constants of
/// a modulus do.
fn quotients(halves: &[Halves<'_>]) -> Vec<Quotient> {
    let kernel = BatchKernel::fastest();
    let mut quotients: Vec<Quotient> = Vec::new();
    let mut rest = halves;
    while let [first, ..] = rest {
        let in_lanes =
            |kernel: &&BatchKernel| rest.iter().take_while(|halves| kernel.supports(halves.p)).count();
        match kernel.map(|kernel| (kernel, in_lanes(&kernel).min(kernel.lanes))) {
            Some((kernel, count @ 1..)) => {
                quotients.extend((kernel.quotients)(&rest[..count]));
                rest = &rest[count..];
            }
            _ => {
                quotients.push(first.quotient());
                rest = &rest[1..];
            }
        }
    }
    quotients
}
