//! Which numbers are prime.

use super::operation::{Batch, Call, Computation, Cost, Operation, Sizes};
use super::status::Status;
use crate::batch::{PowTask, pow_batch};
use crate::modulus::Modulus;
use crate::natural::{self, bit_length, is_equal, resized, shift_right, trailing_zeros};
use crate::number_theory::small_verdict;
use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;
use zeroize::Zeroizing;

/// The rounds of Miller and Rabin with random bases. A composite passes them with a probability below 4^-32 = 2^-64.
pub const ROUNDS: usize = 32;

/// The words that a random base has more than a number, so that its remainder is uniform but for a part in 2^64.
const MORE_WORDS: usize = 1;

/// number ↦ 1 if it is prime, else 0. Time depends on the numbers, which are public.
///
/// Numbers are divided by the primes below 2^12, and those that are left pass a round of Miller and Rabin with base 2 and
/// then [`ROUNDS`] with random bases (Rabin, "Probabilistic algorithm for testing primality", Journal of Number Theory 12,
/// 1980). Every prime is found prime. A composite, whoever chose it, is taken for prime with a probability below
/// 4^-[`ROUNDS`] if he did not know the bases. Below 2^24 there is no doubt.
pub struct Primes<F> {
    fill: F,
}

impl<F: Fn(&mut [u8]) + Sync> Primes<F> {
    /// The operation whose bases come from `fill`, which fills octets with random ones that nobody can predict, once for
    /// each call. The same bases serve all rows: they are chosen before the numbers are read.
    #[must_use]
    pub fn new(fill: F) -> Primes<F> {
        Primes { fill }
    }
}

impl<F: Fn(&mut [u8]) + Sync> Operation for Primes<F> {
    fn operands(&self) -> usize {
        1
    }

    fn public_length(&self) -> Option<usize> {
        Some(0)
    }

    fn prepare<'a>(&'a self, call: &'a Call) -> Box<dyn Computation + 'a> {
        let length = call.most_bits[0].div_ceil(64) + MORE_WORDS;
        let mut octets = vec![0; 8 * length * ROUNDS];
        (self.fill)(&mut octets);
        Box::new(Prepared { random: natural::from_be_bytes(&octets), length })
    }
}

struct Prepared {
    /// The random words of all bases.
    random: Vec<u64>,
    /// The words of a base.
    length: usize,
}

impl Prepared {
    /// The random bases for numbers of so many words, each a word longer; those for the longest have all words.
    fn bases(&self, words: usize) -> impl Iterator<Item = &[u64]> {
        self.random.chunks_exact(self.length).map(move |base| &base[..words + MORE_WORDS])
    }
}

impl Computation for Prepared {
    fn cost(&self, sizes: &Sizes<'_>) -> Result<Cost, Status> {
        let words = sizes.0[0].div_ceil(64) as u64;
        // Nine of ten numbers have a small factor.
        Ok(Cost { products: 16 * words * words * words + 64, result_bits: 1 })
    }

    fn compute(&self, batch: &Batch<'_>) -> Vec<Result<Zeroizing<Vec<u64>>, Status>> {
        let numbers: Vec<&[u64]> = (0..batch.len()).map(|i| trimmed(batch.number(0, i))).collect();
        let mut verdicts: Vec<Option<bool>> = numbers.iter().map(|n| small_verdict(n)).collect();
        let open = |verdicts: &[Option<bool>]| -> Vec<usize> {
            (0..verdicts.len()).filter(|&i| verdicts[i].is_none()).collect()
        };
        let rows = open(&verdicts);
        let candidates: Vec<Candidate> = rows.iter().map(|&i| Candidate::new(numbers[i])).collect();
        let first: Vec<(usize, &[u64])> = (0..rows.len()).map(|i| (i, &[2][..])).collect();
        let survivors: Vec<usize> = passing(&candidates, &first);
        let rounds: Vec<(usize, &[u64])> = survivors
            .iter()
            .flat_map(|&i| self.bases(candidates[i].n.len()).map(move |base| (i, base)))
            .collect();
        let passed = passing(&candidates, &rounds);
        for (i, &row) in rows.iter().enumerate() {
            verdicts[row] = Some(passed.iter().filter(|&&other| other == i).count() == ROUNDS);
        }
        let result = |verdict| Ok(Zeroizing::new(vec![u64::from(verdict == Some(true))]));
        verdicts.into_iter().map(result).collect()
    }
}

fn trimmed(n: &[u64]) -> &[u64] {
    &n[..bit_length(n).div_ceil(64)]
}

/// An odd n with n − 1 = m·2^a for an odd m.
struct Candidate<'a> {
    n: &'a [u64],
    less_one: Vec<u64>,
    m: Vec<u64>,
    a: usize,
}

impl Candidate<'_> {
    fn new(n: &[u64]) -> Candidate<'_> {
        let mut less_one = n.to_vec();
        less_one[0] -= 1;
        let a = trailing_zeros(&less_one);
        Candidate { n, m: shift_right(&less_one, a), less_one, a }
    }

    /// Whether the number passes the round whose base has this power to m: it is 1, or −1 after fewer than a squares. A base
    /// that is 0 modulo n, which has no say, passes.
    fn is_passed(&self, power: &[u64]) -> bool {
        let one = resized(&[1], power.len());
        if is_equal(power, &one) || is_equal(power, &self.less_one) || bit_length(power) == 0 {
            return true;
        }
        if self.a == 1 {
            return false;
        }
        let n = Modulus::new(self.n).expect("it is odd");
        let (mut power, mut scratch) = (n.residue(power), n.scratch());
        let minus_one = -&n.one();
        (1..self.a).any(|_| {
            power.square_assign(&mut scratch);
            power == minus_one
        })
    }
}

/// Of these rounds, each of a candidate and a base, the candidates of those that are passed.
fn passing(candidates: &[Candidate<'_>], rounds: &[(usize, &[u64])]) -> Vec<usize> {
    let tasks: Vec<PowTask<'_>> =
        rounds.iter().map(|&(i, base)| PowTask::new(base, &candidates[i].m, candidates[i].n)).collect();
    let powers = pow_batch(&tasks);
    let is_passed = |(round, power): &(&(usize, &[u64]), Result<Vec<u64>, _>)| {
        power.as_ref().is_ok_and(|power| candidates[round.0].is_passed(power))
    };
    rounds.iter().zip(powers).filter(is_passed).map(|(round, _)| round.0).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_base_is_a_word_longer_than_the_number_and_shares_no_word_with_another() {
        let prepared = Prepared { random: (0..12).collect(), length: 4 };
        let bases = |words| prepared.bases(words).collect::<Vec<_>>();
        assert_eq!(bases(1), [[0, 1], [4, 5], [8, 9]]);
        assert_eq!(bases(3), [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]]);
    }
}
