//! Powers modulo a product of two primes by the powers modulo each, many at once: the private operation of RSA.

use super::assignment::{BatchOutcome, ask_each, assign};
use super::cost::groups_that_pay;
use super::engine::{BatchEngine, EngineError, EngineFailure};
use super::halves::{CrtHalves, Quotient};
use super::table;
use super::task::PowTask;
use crate::error::Error;
use crate::natural;
use alloc::vec::Vec;
use zeroize::{Zeroize, Zeroizing};

/// One private operation of RSA, with the numbers of a key as in \[blum01, §5.2\] and RFC 8017, §3.2. The numbers are
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

/// For each of the tasks, in their order, the number below p·q that is x^dP modulo p and x^dQ modulo q. For a key of
/// RSA it is x^d mod p·q. It has ⌈bits of p/64⌉ + ⌈bits of q/64⌉ words.
///
/// The powers are computed in lanes as by [`pow_batch`](super::pow_batch), two for each task. Time and addresses
/// depend on the bit lengths of p and q and on the numbers of words of the other numbers. Nothing is blinded, and
/// faults of the machine are not detected: both are left to the caller.
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
/// In place of the power: [`Error::ZeroModulus`] and [`Error::EvenModulus`] for p and q; [`Error::NotInverse`] if
/// q·qInv mod p is not 1.
#[must_use]
pub fn pow_crt_batch(tasks: &[CrtTask<'_>]) -> Vec<Result<Vec<u64>, Error>> {
    pow_crt_batch_on(table::selected(), tasks).powers
}

/// The same by the engines of this list, which [`pow_batch_on`](super::pow_batch_on) describes. The first engine that
/// computes quotients does so for the recombination; quotients that no engine computes are computed one after the
/// other.
#[expect(clippy::missing_panics_doc, reason = "there is a quotient for each pair of halves")]
pub fn pow_crt_batch_on(engines: &[&dyn BatchEngine], tasks: &[CrtTask<'_>]) -> BatchOutcome {
    let half_tasks: Vec<PowTask<'_>> = tasks.iter().flat_map(CrtTask::halves).collect();
    let BatchOutcome { powers, mut failures } = assign(engines, &half_tasks);
    // Not as `Result`s: the bytes beside the tag of a `Result` are copied from the stack, and are not erased.
    let powers: Vec<_> = powers.into_iter().map(|power| power.ok().map(Zeroizing::new)).collect();
    let halves: Vec<Result<CrtHalves<'_>, Error>> = tasks
        .iter()
        .zip(half_tasks.chunks_exact(2).zip(powers.chunks_exact(2)))
        .map(|(task, (half_tasks, powers))| CrtHalves::new(half_tasks, powers, task.q_inverse))
        .collect();
    let good: Vec<CrtHalves<'_>> = halves.iter().flatten().copied().collect();
    let mut quotients = quotients(engines, &mut failures, &good).into_iter();
    let mut recombine = |halves: CrtHalves<'_>| {
        let quotient = quotients.next().expect("there is one for each");
        quotient.ok_or(Error::NotInverse).map(|h| halves.recombine(&Zeroizing::new(h)))
    };
    let powers = halves.into_iter().map(|halves| recombine(halves?)).collect();
    BatchOutcome { powers, failures }
}

impl<'a> CrtTask<'a> {
    /// The powers modulo p and modulo q.
    fn halves(&self) -> [PowTask<'a>; 2] {
        [(self.p, self.d_p), (self.q, self.d_q)].map(|(modulus, exponent)| {
            let exponent_bits = natural::bit_length(modulus).max(64 * exponent.len());
            PowTask::of_lengths(self.base, exponent, modulus, exponent_bits)
        })
    }
}

/// All quotients, by the engines that compute quotients. An engine is faster even for a single one, because it computes
/// the constants of a modulus faster. An engine that failed before is not asked.
fn quotients(
    engines: &[&dyn BatchEngine],
    failures: &mut Vec<EngineFailure>,
    halves: &[CrtHalves<'_>],
) -> Vec<Quotient> {
    let mut quotients: Vec<Option<Quotient>> = halves.iter().map(|_| None).collect();
    ask_each(engines, failures, |engine| quotients_by(engine, halves, &mut quotients));
    let singly = |(halves, quotient): (&CrtHalves<'_>, Option<Quotient>)| {
        quotient.unwrap_or_else(|| halves.quotient())
    };
    halves.iter().zip(quotients).map(singly).collect()
}

/// Computes the missing quotients by this engine, if it computes quotients, where it supports the modulus.
fn quotients_by(
    engine: &dyn BatchEngine,
    halves: &[CrtHalves<'_>],
    quotients: &mut [Option<Quotient>],
) -> Result<(), EngineError> {
    let is_open = |&i: &usize| quotients[i].is_none() && engine.supports(halves[i].task_modulo_p());
    let open = (0..halves.len()).filter(is_open).map(|i| (i, halves[i].lengths())).collect();
    // A single quotient pays.
    for group in groups_that_pay(open, engine.tasks_at_once(), |_| 1) {
        let group_halves: Vec<CrtHalves<'_>> = group.iter().map(|&i| halves[i]).collect();
        let Some(computed) = engine.quotients(&group_halves) else { break };
        for (&i, quotient) in group.iter().zip(checked_quotients(computed?, &group_halves)?) {
            quotients[i] = Some(quotient);
        }
    }
    Ok(())
}

/// The engine's quotients; an error unless their number and their lengths are right.
fn checked_quotients(
    mut quotients: Vec<Quotient>,
    halves: &[CrtHalves<'_>],
) -> Result<Vec<Quotient>, EngineError> {
    let is_long = |(quotient, halves): (&Quotient, &CrtHalves<'_>)| {
        quotient.as_ref().is_none_or(|h| h.len() == halves.a().len())
    };
    if quotients.len() == halves.len() && quotients.iter().zip(halves).all(is_long) {
        return Ok(quotients);
    }
    quotients.zeroize();
    Err("it returned quotients of a wrong number or length".into())
}
