//! Random primes, as FIPS 186-5, §A.1.3 draws them and §B.3.1 tests them.

use crate::error::Error;
use crate::number::{
    MOST_DRAWS, Words, halve_masked, is_below, predecessor, product, random_below, random_number,
    remainder_by_word,
};
use monpro::progress::advance;
use monpro::{Modulus, Residue, natural};
use rand_core::CryptoRng;
use subtle::Choice;

/// The candidates for a prime, for each of its bits. Of random odd numbers of b bits, 2 in ln 2^b are prime, and 0.58
/// are as large as the standard asks. So a working random source gives no prime with a probability below 2^-48.
const CANDIDATES_FOR_A_BIT: usize = 20;
/// The bound of the primes by which candidates are divided before they are tested.
const SIEVE_BOUND: usize = 1 << 12;
/// The factors 2 of w − 1 that the test hides. A prime with so many more does not come by chance.
const HIDDEN_TWOS: usize = 32;

/// The odd primes below [`SIEVE_BOUND`].
const SMALL_PRIMES: [u16; 563] = {
    let mut is_composite = [false; SIEVE_BOUND];
    let mut primes = [0; 563];
    let (mut count, mut i) = (0, 3);
    while i < SIEVE_BOUND {
        if !is_composite[i] {
            primes[count] = i as u16;
            count += 1;
            let mut multiple = i * i;
            while multiple < SIEVE_BOUND {
                is_composite[multiple] = true;
                multiple += i;
            }
        }
        i += 2;
    }
    assert!(count == primes.len());
    primes
};

/// A random prime p of `bits` bits with p ≥ √2·2^(bits − 1), such that p − 1 is prime to the prime e.
///
/// Each candidate is drawn anew, so that all primes are as likely (§A.1.3). A candidate that is given up says nothing
/// about the prime that is returned. How often its bases are drawn says little: how near it is to a power of 2.
///
/// # Errors
/// [`Error::RandomSource`] if the random source gives no prime.
pub(crate) fn random_prime<R: CryptoRng + ?Sized>(
    bits: usize,
    e: u64,
    random: &mut R,
) -> Result<Words, Error> {
    for _ in 0..CANDIDATES_FOR_A_BIT * bits {
        let candidate = random_candidate(bits, random);
        if !is_large(&candidate, bits) || !is_unit_less_one(&candidate, e) || has_small_factor(&candidate) {
            continue;
        }
        let is_prime = is_probably_prime(&candidate, rounds(bits), random)?;
        advance(1);
        if is_prime {
            return Ok(candidate);
        }
    }
    Err(Error::RandomSource)
}

/// A random odd number of exactly `bits` bits. Numbers without the top bit are below √2·2^(bits − 1).
fn random_candidate<R: CryptoRng + ?Sized>(bits: usize, random: &mut R) -> Words {
    let mut candidate = random_number(bits, random);
    candidate[0] |= 1;
    candidate[(bits - 1) / 64] |= 1 << ((bits - 1) % 64);
    candidate
}

/// Whether p ≥ √2·2^(bits − 1), that is p² ≥ 2^(2·bits − 1), for a p of `bits` bits.
fn is_large(p: &[u64], bits: usize) -> bool {
    natural::bit_length(&product(p, p)) == 2 * bits
}

/// Whether p − 1 is prime to the prime e.
fn is_unit_less_one(p: &[u64], e: u64) -> bool {
    remainder_by_word(p, e) != 1
}

/// Whether a prime below [`SIEVE_BOUND`] divides x, which is larger.
fn has_small_factor(x: &[u64]) -> bool {
    // Two primes have a product of less than 32 bits, so that one pass over x serves both.
    SMALL_PRIMES.chunks(2).any(|pair| {
        let remainder = [remainder_by_word(x, pair.iter().map(|&prime| u64::from(prime)).product())];
        pair.iter().any(|&prime| remainder_by_word(&remainder, prime.into()) == 0)
    })
}

/// The rounds of the test for a random candidate of `bits` bits: FIPS 186-5, Table B.1, for an error below 2^-112 from
/// 1024 bits on, 2^-128 from 1536 and 2^-144 from 2048. Shorter candidates, of which the table does not speak, are
/// tested until even the worst composite would pass with 4^-64 = 2^-128 at most.
fn rounds(bits: usize) -> usize {
    match bits {
        1536.. => 4,
        1024.. => 5,
        _ => 64,
    }
}

/// Whether the odd w > 3 passes this number of rounds of Miller–Rabin, each with a random base b, 1 < b < w − 1.
fn is_probably_prime<R: CryptoRng + ?Sized>(w: &[u64], rounds: usize, random: &mut R) -> Result<bool, Error> {
    let modulus = Modulus::new(w).map_err(|_| Error::Factors)?;
    for _ in 0..rounds {
        let base = modulus.residue(&random_base(w, random)?);
        if !passes_miller_rabin(&base) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// A random b with 1 < b < w − 1.
fn random_base<R: CryptoRng + ?Sized>(w: &[u64], random: &mut R) -> Result<Words, Error> {
    let last = predecessor(w);
    for _ in 0..MOST_DRAWS {
        let base = random_below(&last, random)?;
        if is_below(&[1], &base) {
            return Ok(base);
        }
    }
    Err(Error::RandomSource)
}

/// Whether the odd modulus w passes a round of Miller–Rabin with this base: for w − 1 = m·2^a with an odd m, whether
/// b^m = 1 or b^(m·2^i) = −1 for an i < a \[FIPS 186-5, §B.3.1\]. A prime passes with each base that it does not divide,
/// a composite with at most a quarter of them.
///
/// The time depends on the length of w, and on a where a is above [`HIDDEN_TWOS`].
pub(crate) fn passes_miller_rabin(base: &Residue) -> bool {
    let w = base.modulus();
    let mut m = predecessor(w.number());
    let squares = match m[0] as u32 {
        0 => w.bits(),
        _ => HIDDEN_TWOS,
    };
    for _ in 0..squares {
        let is_even = (!m[0] & 1).wrapping_neg();
        halve_masked(&mut m, is_even);
    }
    let (one, mut scratch) = (w.one(), w.scratch());
    let (minus_one, mut power) = (-&one, base.pow_bounded(&m, w.bits()));
    let choice = |is_equal: bool| Choice::from(u8::from(is_equal));
    let mut passes = choice(power == one);
    for _ in 0..squares {
        // For i ≥ a it is never −1: if it were, the order of b modulo each prime factor of w, and so each of these factors
        // less one, would be a multiple of 2^(i + 1). Then w − 1 would be, too.
        passes |= choice(power == minus_one);
        power.square_assign(&mut scratch);
    }
    passes.into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Constant, Script, hexadecimal, known_primes, random};
    use alloc::vec::Vec;
    use monpro::natural;

    const E: u64 = 65537;
    /// The largest prime below 2^255.5, and the least above it.
    const BELOW: &str = "b504f333f9de6484597d89b3754abe9f1d6f60ba893ba84ced17ac8583339913";
    const ABOVE: &str = "b504f333f9de6484597d89b3754abe9f1d6f60ba893ba84ced17ac8583339943";
    const ONE_ABOVE_A_MULTIPLE: &str = "fffffffffffffefffffffffffffffffffffffffffffffffffffffffffdcafecb";
    /// Of two primes of 128 bits.
    const PRODUCT: &str = "ffffffffffffffffffffffffffff9ede0000000000000000000000000936b15d";
    const MULTIPLE_OF_4093: &str = "ffffffffffffffffbffffffffffffffffffffffffffffffffffffffffff0f453";
    /// A composite that passes with each prime base up to 23.
    const STRONG_PSEUDOPRIME: u64 = 3_825_123_056_546_413_051;

    fn octets(x: &[u64]) -> Vec<u8> {
        natural::to_be_bytes(x, natural::bit_length(x).div_ceil(8))
    }

    fn passes(w: u64, base: u64) -> bool {
        passes_miller_rabin(&Modulus::new(&[w]).unwrap().residue(&[base]))
    }

    fn is_prime(x: &[u64]) -> bool {
        let octets = octets(x);
        let boxed = crypto_bigint::BoxedUint::from_be_slice_truncated(&octets, 8 * octets.len() as u32);
        crypto_primes::is_prime(crypto_primes::Flavor::Any, &boxed)
    }

    /// What the source draws first is not the prime that is found, though it is odd and has the length.
    fn assert_passed_over(candidate: &[u64], because: &str) {
        let mut script = Script::new([octets(candidate)]);
        let prime = random_prime(natural::bit_length(candidate), E, &mut script).unwrap();
        assert!(script.drawn.len() > 1);
        assert_ne!(*prime, candidate, "{because}");
    }

    #[test]
    fn primes_have_the_length_and_are_prime() {
        for bits in [256, 257, 300, 383, 512] {
            for _ in 0..4 {
                let prime = random_prime(bits, E, &mut random()).unwrap();
                assert_eq!(natural::bit_length(&prime), bits);
                assert!(is_prime(&prime) && remainder_by_word(&prime, E) != 1);
                assert_eq!(natural::bit_length(&product(&prime, &prime)), 2 * bits);
            }
        }
    }

    #[test]
    fn a_prime_that_is_drawn_is_taken() {
        let [prime, _] = known_primes(2048);
        let mut script = Script::new([octets(&prime)]);
        assert_eq!(random_prime(2048, E, &mut script).unwrap(), prime);
        // Four rounds, each with a base.
        assert!(script.drawn.len() > 4 && script.drawn[1..].iter().all(|base| base.len() == 256));
    }

    #[test]
    fn primes_below_the_bound_or_one_above_a_multiple_of_e_are_passed_over() {
        assert_passed_over(&hexadecimal(BELOW), "p < √2·2^255");
        let above = hexadecimal(ABOVE);
        assert!(is_prime(&hexadecimal(BELOW)) && is_prime(&above));
        assert_eq!(random_prime(256, E, &mut Script::new([octets(&above)])).unwrap(), above);
        let one_above = hexadecimal(ONE_ABOVE_A_MULTIPLE);
        assert!(is_prime(&one_above));
        assert_passed_over(&one_above, "e divides p − 1");
    }

    #[test]
    fn composites_are_passed_over() {
        let product_of_primes = hexadecimal(PRODUCT);
        assert!(!has_small_factor(&product_of_primes));
        assert_passed_over(&product_of_primes, "a product of two primes of 128 bits");
        let multiple = hexadecimal(MULTIPLE_OF_4093);
        assert!(has_small_factor(&multiple) && !has_small_factor(&hexadecimal(ABOVE)));
        assert_passed_over(&multiple, "a multiple of 4093");
    }

    #[test]
    fn bases_are_random() {
        assert!([2, 3, 5, 7, 11, 13, 17, 19, 23].iter().all(|&base| passes(STRONG_PSEUDOPRIME, base)));
        for _ in 0..20 {
            assert_eq!(is_probably_prime(&[STRONG_PSEUDOPRIME], 64, &mut random()), Ok(false));
        }
    }

    #[test]
    fn bases_are_neither_one_nor_minus_one() {
        let w = [0x1_0000_000f];
        let draw = |x: u64| x.to_be_bytes()[3..].to_vec();
        let mut script = Script::new([0, 1, w[0] - 1, w[0], w[0] + 1, 2].map(draw));
        assert_eq!(*random_base(&w, &mut script).unwrap(), [2]);
        let mut script = Script::new([draw(w[0] - 2)]);
        assert_eq!(*random_base(&w, &mut script).unwrap(), [w[0] - 2]);
        assert_eq!(random_base(&w, &mut Constant(0)), Err(Error::RandomSource));
    }

    #[test]
    fn rounds_are_those_of_the_table() {
        let rounds = [256, 1023, 1024, 1535, 1536, 2048, 8192].map(rounds);
        assert_eq!(rounds, [64, 64, 5, 5, 4, 4, 4]);
        let [prime, _] = known_primes(2048);
        for rounds in [1, 3] {
            let mut script = Script::default();
            assert_eq!(is_probably_prime(&prime, rounds, &mut script), Ok(true));
            assert_eq!(script.drawn.len(), rounds);
        }
    }

    /// The test by its definition, for every odd number below 400 and every base.
    #[test]
    fn rounds_of_the_test_are_those_of_its_definition() {
        let power = |base: u64, e: u64, w: u64| (0..e).fold(1, |power, _| power * base % w);
        for w in (5..400).step_by(2) {
            let twos = (w - 1u64).trailing_zeros();
            for base in 2..w - 1 {
                let first = power(base, (w - 1) >> twos, w);
                let mut squares = core::iter::successors(Some(first), |square| Some(square * square % w));
                let expected =
                    first == 1 || squares.by_ref().take(twos as usize).any(|square| square == w - 1);
                assert_eq!(passes(w, base), expected, "{base} modulo {w}");
            }
        }
    }

    /// Primes with 31 to 33 factors 2 in p − 1, and with far more.
    #[test]
    fn primes_pass_whatever_power_of_two_divides_their_predecessors() {
        for (odd, twos) in [(15u64, 31), (51, 31), (9, 33), (15, 32), (3, 41), (27, 40)] {
            let candidate = (odd << twos) + 1;
            let is_prime = is_prime(&[candidate]);
            assert_eq!((2..50).all(|base| passes(candidate, base)), is_prime, "{odd}·2^{twos} + 1");
        }
        let fermat = Modulus::new(&[1, 0, 0, 1 << 63]).unwrap();
        assert!(!passes_miller_rabin(&fermat.residue(&[3])), "2^255 + 1 is a multiple of 3");
        // 3·2^189 + 1 is prime.
        let prime = Modulus::new(&[1, 0, 3 << 61, 0]).unwrap();
        for base in 2..50 {
            assert!(passes_miller_rabin(&prime.residue(&[base])), "{base}");
        }
    }

    /// b is −1 modulo 9·2^33 + 1 and 1 modulo 3·2^41 + 1, so that b² = 1 modulo their product, though b is not ±1.
    #[test]
    fn a_composite_less_one_may_have_many_factors_2() {
        let w = Modulus::new(&product(&[(9 << 33) + 1], &[(3 << 41) + 1])).unwrap();
        let base = w.residue(&[0x7c75_6205_3194_be3c, 0x1f29]);
        assert_eq!(base.square(), w.one());
        assert!(!passes_miller_rabin(&base));
    }

    #[test]
    fn the_small_primes_are_all_odd_primes_below_the_bound() {
        let is_prime = |x: u16| (2..x).take_while(|i| i * i <= x).all(|i| !x.is_multiple_of(i));
        assert!((3..4096).filter(|&x| is_prime(x)).eq(SMALL_PRIMES));
        for prime in SMALL_PRIMES.map(u64::from) {
            assert!(has_small_factor(&product(&[prime], &[0xffff_ffff_ffff_ffc5])), "{prime}");
        }
    }

    #[test]
    fn a_broken_source_gives_an_error() {
        for octet in [0, 0x55, 0xff] {
            assert_eq!(random_prime(256, E, &mut Constant(octet)), Err(Error::RandomSource));
        }
    }
}
