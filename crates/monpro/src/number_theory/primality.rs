//! Which numbers are prime.

use super::jacobi::jacobi_vartime;
use super::lucas::v_pair;
use super::small_primes::{BOUND, factor};
use crate::modulus::Modulus;
use crate::natural::{bit_length, resized, shift_right, subtract, trailing_zeros};
use crate::residue::Residue;
use alloc::vec::Vec;

/// Whether n is prime, by the test of Baillie and Wagstaff with the extra strong Lucas test ("Lucas pseudoprimes",
/// Mathematics of Computation 35, 1980; Grantham, "Frobenius pseudoprimes", ibid. 70, 2001).
///
/// Every prime passes. No composite below 2^64 does: all were tried. No composite that passes is known, though there
/// should be some, of sizes that nobody has looked at. Time depends on n.
///
/// ```
/// use monpro::number_theory::is_prime_vartime;
///
/// assert!(is_prime_vartime(&[2]) && is_prime_vartime(&[0xffff_ffff_ffff_ffc5]));
/// assert!(!is_prime_vartime(&[1]) && !is_prime_vartime(&[3_825_123_056_546_413_051]));
/// ```
#[must_use]
pub fn is_prime_vartime(n: &[u64]) -> bool {
    match small_verdict(n) {
        Some(is_prime) => is_prime,
        None => is_probably_prime(n),
    }
}

/// Whether n is prime, if division by small primes can tell.
pub(crate) fn small_verdict(n: &[u64]) -> Option<bool> {
    let bits = bit_length(n);
    if bits <= 2 {
        return Some(bits == 2);
    }
    if n[0] & 1 == 0 {
        return Some(false);
    }
    match factor(n) {
        Some(prime) => Some(bits <= 12 && prime == n[0]),
        // A composite without a prime factor below the bound is at least its square.
        None if bits <= 2 * BOUND.ilog2() as usize => Some(true),
        None => None,
    }
}

/// The same for an odd n > [`BOUND`]² that no prime below the bound divides.
pub(super) fn is_probably_prime(n: &[u64]) -> bool {
    let n = Modulus::new(n).expect("n is odd");
    passes_miller_rabin(&n.residue(&[2])) && passes_lucas(&n)
}

/// Whether the odd modulus n passes a round of Miller and Rabin with this base b: for n − 1 = m·2^a with an odd m, whether
/// b^m = 1 or b^(m·2^i) = −1 for an i < a.
fn passes_miller_rabin(base: &Residue) -> bool {
    let n = base.modulus();
    let mut less_one = n.number().to_vec();
    less_one[0] -= 1;
    let a = trailing_zeros(&less_one);
    let one = n.one();
    let (minus_one, mut scratch) = (-&one, n.scratch());
    let mut power = base.pow_vartime(&shift_right(&less_one, a));
    if power == one || power == minus_one {
        return true;
    }
    (1..a).any(|_| {
        power.square_assign(&mut scratch);
        power == minus_one
    })
}

/// Whether the odd n passes the extra strong Lucas test: with n + 1 = m·2^a for an odd m and the sequences U and V of a P
/// for which (P² − 4/n) = −1, whether U_m = 0 and V_m = ±2, or V_(m·2^i) = 0 for an i < a − 1.
///
/// (P² − 4)·U_m = 2·V_(m+1) − P·V_m, so that V suffices.
fn passes_lucas(n: &Modulus) -> bool {
    let Some(p) = parameter(n.number()) else { return false };
    let p = n.residue(&[p]);
    let mut above = successor(n.number());
    let a = trailing_zeros(&above);
    above = shift_right(&above, a);
    let (mut v, next) = v_pair(&p, &above);
    let two = n.residue(&[2]);
    let u_is_zero = &next + &next == &p * &v;
    if u_is_zero && (v == two || v == -&two) {
        return true;
    }
    let zero = n.zero();
    (0..a.saturating_sub(1)).any(|_| {
        let is_zero = v == zero;
        v = &v.square() - &two;
        is_zero
    })
}

/// The least P ≥ 3 for which (P² − 4/n) = −1, for an odd n without small prime factors. None if n is composite.
///
/// There is one unless n is a square. The least non-residue q of a prime n is prime itself and, under the generalised
/// Riemann hypothesis, below 2·(ln n)² < bits². For P = q − 2, one of the factors P + 2 = q and P − 2 = q − 4 is a
/// residue, as all numbers below q are, and the other is not. A square that comes here has only Wieferich primes as
/// factors, since 2 passes the round before; the two that are known are small.
fn parameter(n: &[u64]) -> Option<u64> {
    let bits = bit_length(n) as u64;
    let most = (bits * bits).min(u32::MAX.into());
    let mut symbols = (3..=most).map(|p| (p, jacobi_vartime(&[p * p - 4], n)));
    let (p, symbol) = symbols.find(|&(_, symbol)| symbol != Some(1))?;
    (symbol == Some(-1)).then_some(p)
}

/// n + 1.
fn successor(n: &[u64]) -> Vec<u64> {
    // n − (2^(64·length) − 1) is n + 1, for a length that has room for it.
    let mut z = resized(n, n.len() + 1);
    let ones = alloc::vec![u64::MAX; z.len()];
    subtract(&mut z, &ones);
    z
}

#[cfg(test)]
mod tests {
    use super::*;

    fn by_division(n: u64) -> bool {
        n >= 2 && (2..n).take_while(|d| d * d <= n).all(|d| n % d != 0)
    }

    /// Strong pseudoprimes to base 2 below 10^6, which division would find: they try the rest of the test.
    const STRONG_PSEUDOPRIMES: [u64; 9] = [2047, 3277, 4033, 4681, 8321, 15841, 29341, 42799, 49141];
    /// Extra strong Lucas pseudoprimes (OEIS A217719).
    const LUCAS_PSEUDOPRIMES: [u64; 8] = [989, 3239, 5777, 10877, 27971, 29681, 30739, 31631];

    #[test]
    fn small_numbers_are_prime_if_no_number_divides_them() {
        for n in 0..20_000 {
            assert_eq!(is_prime_vartime(&[n, 0]), by_division(n), "{n}");
        }
        assert!(!is_prime_vartime(&[]));
    }

    #[test]
    fn division_decides_below_the_square_of_its_bound() {
        // About 2^12: a prime, 17·241, a prime. About 2^24: 4093·4099, two primes, and 4099².
        let verdicts = [
            (0, Some(false)),
            (1, Some(false)),
            (2, Some(true)),
            (3, Some(true)),
            (4, Some(false)),
            (4093, Some(true)),
            (4097, Some(false)),
            (4099, Some(true)),
            (16_777_207, Some(false)),
            (16_777_213, Some(true)),
            (16_777_259, None),
            (16_801_801, None),
        ];
        for (n, verdict) in verdicts {
            assert_eq!(small_verdict(&[n]), verdict, "{n}");
        }
    }

    #[test]
    fn each_half_of_the_test_passes_primes_and_its_own_pseudoprimes() {
        for n in (5..50_000u64).step_by(2) {
            let modulus = Modulus::new(&[n]).unwrap();
            let miller_rabin = passes_miller_rabin(&modulus.residue(&[2]));
            assert_eq!(miller_rabin, by_division(n) || STRONG_PSEUDOPRIMES.contains(&n), "{n}");
            // Of a number that divides P² − 4 for a small P, division knows.
            if (100..32_000).contains(&n) {
                let lucas = passes_lucas(&modulus);
                assert_eq!(lucas, by_division(n) || LUCAS_PSEUDOPRIMES.contains(&n), "{n}");
            }
        }
    }

    /// 4133·8269 and 48781·97561, which have no factor below the bound.
    #[test]
    fn what_passes_one_half_is_found_by_the_other() {
        let passes = |n: u64| {
            let modulus = Modulus::new(&[n]).unwrap();
            (passes_miller_rabin(&modulus.residue(&[2])), passes_lucas(&modulus), is_prime_vartime(&[n]))
        };
        assert_eq!(passes(34_175_777), (false, true, false));
        assert_eq!(passes(4_759_123_141), (true, false, false));
    }

    #[test]
    fn squares_have_no_parameter() {
        for root in [1093u64, 3511, 65537] {
            assert_eq!(parameter(&[root * root]), None, "{root}²");
        }
    }

    #[test]
    fn the_successor_carries() {
        assert_eq!(successor(&[u64::MAX, u64::MAX]), [0, 0, 1]);
        assert_eq!(successor(&[5]), [6, 0]);
    }
}
