//! Functions of number theory: of public numbers, in a time that depends on them.

use crate::convert::{
    Integer, Number, Signed, Words, abbreviated, integer, natural, positive, to_big, value_error,
};
use crate::euclid::{self, ExtendedGcd, extended_gcd};
use crate::long::{gcd_work, power_work, run};
use monpro::inverse_vartime;
use monpro::number_theory::{
    is_prime_vartime, jacobi_vartime, next_prime_vartime, previous_prime_vartime, sqrt_vartime,
};
use num_bigint::{BigInt, Sign};
use num_integer::Integer as _;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

/// The number y with x·y = 1 modulo mod, 0 ≤ y < mod; a ValueError if x has no inverse. Its time depends on the numbers.
#[pyfunction]
#[pyo3(signature = (x, r#mod))]
pub(crate) fn invert(py: Python<'_>, x: &Bound<'_, PyAny>, r#mod: &Bound<'_, PyAny>) -> PyResult<Number> {
    let (x, n) = (integer(x, "x")?, positive(r#mod, "the modulus")?);
    let work = gcd_work(x.magnitude.len().max(n.len()), n.len());
    let inverse = run(py, work, move || euclid::inverse_modulo(&x, &n, inverse_vartime).map(Number))?;
    let line = "x has no inverse: it shares a factor with the modulus";
    inverse.ok_or_else(|| PyValueError::new_err(line))
}

/// The greatest common divisor of any number of integers; 0 for none. Its time depends on the numbers.
#[pyfunction]
#[pyo3(signature = (*integers))]
pub(crate) fn gcd(py: Python<'_>, integers: &Bound<'_, PyTuple>) -> PyResult<Signed> {
    let (numbers, work) = numbers(integers)?;
    run(py, work, move || {
        Signed(numbers.iter().fold(BigInt::ZERO, |g, number| euclid::gcd(&g, &number.to_big())))
    })
}

/// The least common multiple ≥ 0 of any number of integers; 1 for none. Its time depends on the numbers.
#[pyfunction]
#[pyo3(signature = (*integers))]
pub(crate) fn lcm(py: Python<'_>, integers: &Bound<'_, PyTuple>) -> PyResult<Signed> {
    let (numbers, work) = numbers(integers)?;
    run(py, work, move || Signed(numbers.iter().fold(1.into(), |l, number| multiple(&l, &number.to_big()))))
}

/// (g, s, t) with g = gcd(a, b) = a·s + b·t. The time depends on the numbers.
#[pyfunction]
pub(crate) fn gcdext(
    py: Python<'_>,
    a: &Bound<'_, PyAny>,
    b: &Bound<'_, PyAny>,
) -> PyResult<(Signed, Signed, Signed)> {
    let (a, b) = (integer(a, "a")?, integer(b, "b")?);
    let work = gcd_work(a.magnitude.len(), b.magnitude.len());
    let ExtendedGcd { g, s, t } = run(py, work, move || extended_gcd(&a.to_big(), &b.to_big()))?;
    Ok((Signed(g), Signed(s), Signed(t)))
}

/// Whether n is prime, by the test of Baillie and Wagstaff: a round of Miller and Rabin with base 2, and the extra strong
/// Lucas test. Up to 2^64 this is proved. No larger composite that passes is known, though there should be some. Numbers
/// below 2 are not prime. The time depends on n: it is for public numbers.
#[pyfunction]
pub(crate) fn is_prime(py: Python<'_>, n: &Bound<'_, PyAny>) -> PyResult<bool> {
    let Integer { is_negative, magnitude: n } = integer(n, "n")?;
    run(py, test_work(&n), move || !is_negative && is_prime_vartime(&n))
}

/// The least prime above n, by is_prime. The time depends on n.
#[pyfunction]
pub(crate) fn next_prime(py: Python<'_>, n: &Bound<'_, PyAny>) -> PyResult<Number> {
    let n = match integer(n, "n")? {
        Integer { is_negative: true, .. } => Words::default(),
        Integer { magnitude, .. } => magnitude,
    };
    run(py, search_work(&n), move || Number::new(next_prime_vartime(&n)))
}

/// The largest prime below n, by is_prime; a ValueError for n ≤ 2. The time depends on n.
#[pyfunction]
pub(crate) fn prev_prime(py: Python<'_>, n: &Bound<'_, PyAny>) -> PyResult<Number> {
    let n = match integer(n, "n")? {
        Integer { is_negative: true, .. } => Words::default(),
        Integer { magnitude, .. } => magnitude,
    };
    let prime = run(py, search_work(&n), move || previous_prime_vartime(&n).map(Number::new))?;
    prime.ok_or_else(|| PyValueError::new_err("there is no prime below 2: give n of at least 3"))
}

/// The least y ≥ 0 with y² = x modulo the prime mod; the other root is mod − y.
///
/// A ValueError says that x is not a square, or that mod is not prime, if no root is found. What is returned is a root even
/// if mod is not prime. The time depends on the numbers.
#[pyfunction]
#[pyo3(signature = (x, r#mod))]
pub(crate) fn sqrt_mod(py: Python<'_>, x: &Bound<'_, PyAny>, r#mod: &Bound<'_, PyAny>) -> PyResult<Number> {
    let (x, p) = (integer(x, "x")?, positive(r#mod, "the modulus")?);
    let work = 2 * power_work(x.magnitude.len(), 64 * p.len(), p.len());
    let root = run(py, work, move || match x.is_negative {
        true => sqrt_vartime(&x.modulo(&p), &p),
        false => sqrt_vartime(&x.magnitude, &p),
    })?;
    root.map(Number::new).map_err(value_error)
}

/// The Jacobi symbol (x/n) for an odd n ≥ 1: 1, −1, or 0 if x and n share a factor. For a prime n it is the Legendre
/// symbol, which is 1 if x is a square modulo n and not 0. The time depends on the numbers.
#[pyfunction]
pub(crate) fn jacobi(py: Python<'_>, x: &Bound<'_, PyAny>, n: &Bound<'_, PyAny>) -> PyResult<i8> {
    let (x, n) = (integer(x, "x")?, natural(n, "n")?);
    let work = gcd_work(x.magnitude.len().max(n.len()), n.len());
    let symbol = run(py, work, move || symbol_of_odd(&x, &n))?;
    symbol.ok_or_else(|| PyValueError::new_err("n is even: the Jacobi symbol needs an odd n"))
}

/// The Legendre symbol (x/p) for an odd prime p: 1 if x is a square modulo p and not 0, −1 if it is none, 0 if p divides
/// x; a ValueError if p is no odd prime, by is_prime. The time depends on the numbers.
#[pyfunction]
pub(crate) fn legendre(py: Python<'_>, x: &Bound<'_, PyAny>, p: &Bound<'_, PyAny>) -> PyResult<i8> {
    let (x, p) = (integer(x, "x")?, natural(p, "p")?);
    let work = test_work(&p) + gcd_work(x.magnitude.len().max(p.len()), p.len());
    let symbol = run(py, work, move || match is_prime_vartime(&p) {
        true => symbol_of_odd(&x, &p),
        false => None,
    })?;
    let line = "p is not an odd prime: take jacobi for odd numbers, and kronecker for all";
    symbol.ok_or_else(|| PyValueError::new_err(line))
}

/// The Kronecker symbol (x/n) for any integers: the Jacobi symbol where that is defined, (x/2) = 1 for x = ±1 modulo 8 and
/// −1 for x = ±3, (x/−1) the sign of x, and (x/0) = 1 for x = ±1. The time depends on the numbers.
#[pyfunction]
pub(crate) fn kronecker(py: Python<'_>, x: &Bound<'_, PyAny>, n: &Bound<'_, PyAny>) -> PyResult<i8> {
    let (x, n) = (integer(x, "x")?, integer(n, "n")?);
    let work = gcd_work(x.magnitude.len().max(n.magnitude.len()), n.magnitude.len());
    run(py, work, move || {
        let magnitude = to_big(&n.magnitude);
        let Some(twos) = magnitude.trailing_zeros() else {
            return (x.magnitude[..] == [1]).into();
        };
        let low = x.magnitude.first().copied().unwrap_or(0);
        if twos > 0 && low % 2 == 0 {
            return 0;
        }
        let symbol = symbol_of_odd(&x, &(magnitude >> twos).to_u64_digits()).unwrap_or(0);
        let is_flipped = (twos % 2 == 1 && matches!(low % 8, 3 | 5)) != (x.is_negative && n.is_negative);
        if is_flipped { -symbol } else { symbol }
    })
}

/// The Jacobi symbol (x/n); None for an even n.
fn symbol_of_odd(x: &Integer, n: &[u64]) -> Option<i8> {
    // (−1/n) = −1 where n = 3 mod 4.
    let is_flipped = x.is_negative && n.first().is_some_and(|low| low % 4 == 3);
    jacobi_vartime(&x.magnitude, n).map(|symbol| if is_flipped { -symbol } else { symbol })
}

/// The number x with x = residues[i] modulo moduli[i] for every i, 0 ≤ x < lcm(*moduli), by the Chinese remainder theorem.
///
/// The moduli need not be prime to each other; a ValueError says which residues contradict each other. The time depends on the
/// numbers.
#[pyfunction]
pub(crate) fn crt(
    py: Python<'_>,
    residues: &Bound<'_, PyAny>,
    moduli: &Bound<'_, PyAny>,
) -> PyResult<Signed> {
    let residues = residues.try_iter()?.map(|r| integer(&r?, "a residue")).collect::<PyResult<Vec<_>>>()?;
    let moduli = moduli.try_iter()?.map(|n| positive(&n?, "a modulus")).collect::<PyResult<Vec<_>>>()?;
    if residues.len() != moduli.len() {
        let line = format!("{} residues and {} moduli: give as many", residues.len(), moduli.len());
        return Err(PyValueError::new_err(line));
    }
    let words = moduli.iter().map(|n| n.len()).chain(residues.iter().map(|r| r.magnitude.len())).sum();
    run(py, gcd_work(words, words), move || recombined(&residues, &moduli))?.map(Signed)
}

/// The number that crt returns, by one modulus after the other.
fn recombined(residues: &[Integer], moduli: &[Words]) -> PyResult<BigInt> {
    let (mut x, mut product) = (BigInt::ZERO, BigInt::from(1));
    for (i, (residue, modulus)) in residues.iter().zip(moduli).enumerate() {
        let n = BigInt::from(to_big(modulus));
        let difference = residue.to_big() - &x;
        let ExtendedGcd { g, s, .. } = extended_gcd(&product, &n);
        let (steps, rest) = difference.div_rem(&g);
        if rest != BigInt::ZERO {
            let g = abbreviated(&g.magnitude().to_u64_digits());
            let line = format!("residue {i} contradicts an earlier one modulo {g}, which their moduli share");
            return Err(PyValueError::new_err(line));
        }
        // product·s = g modulo n
        let rest_of_n = n / g;
        x += &product * (steps * s).mod_floor(&rest_of_n);
        product *= rest_of_n;
    }
    Ok(x)
}

/// The integers of a tuple, and the work of their greatest common divisor.
fn numbers(integers: &Bound<'_, PyTuple>) -> PyResult<(Vec<Integer>, u128)> {
    let numbers = integers.iter().map(|value| integer(&value, "a number")).collect::<PyResult<Vec<_>>>()?;
    let words = numbers.iter().map(|number| number.magnitude.len()).sum();
    Ok((numbers, gcd_work(words, words)))
}

/// The least common multiple ≥ 0.
fn multiple(a: &BigInt, b: &BigInt) -> BigInt {
    let g = euclid::gcd(a, b);
    match g.sign() {
        Sign::NoSign => g,
        _ => (a / g * b).magnitude().clone().into(),
    }
}

/// The work of a primality test: a power, and a ladder of two products for each bit.
fn test_work(n: &[u64]) -> u128 {
    3 * power_work(0, 64 * n.len(), n.len())
}

/// The work of a search for a prime: about one number of ten bits' worth is tested.
fn search_work(n: &[u64]) -> u128 {
    test_work(n) * (1 + 64 * n.len() as u128 / 10)
}
