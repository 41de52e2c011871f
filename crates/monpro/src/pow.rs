//! Exponentiation modulo any n ≥ 1, odd or even.

mod short;

use crate::error::Error;
use crate::modulus::Modulus;
use crate::natural;
use crate::power::Method;
use crate::power_of_two::PowerOfTwo;
use alloc::vec::Vec;
use zeroize::Zeroizing;

/// xᵉ mod n for any n ≥ 1, odd or even, in ⌈bits of n/64⌉ words. The method is the fixed window: the bit
/// length of e is public, its value is not.
///
/// ```
/// // 3^200 mod 1000, from the residues modulo 125 and 2^3
/// assert_eq!(monpro::pow(&[3], &[200], &[1000]), Ok(vec![1]));
/// ```
///
/// # Errors
/// [`Error::ZeroModulus`].
pub fn pow(x: &[u64], e: &[u64], n: &[u64]) -> Result<Vec<u64>, Error> {
    pow_in_bits(x, e, natural::bit_length(e), n, Modulus::new)
}

/// x^(e mod 2^e_bits) mod n, otherwise as [`pow`]: the time depends on e_bits, not on e. Where a kernel is faster than a power
/// on the stack, `modulus` makes or finds the constants of the odd part of n.
///
/// # Errors
/// [`Error::ZeroModulus`], and those of `modulus`.
pub(crate) fn pow_in_bits(
    x: &[u64],
    e: &[u64],
    e_bits: usize,
    n: &[u64],
    modulus: impl FnOnce(&[u64]) -> Result<Modulus, Error>,
) -> Result<Vec<u64>, Error> {
    let method = Method::default();
    pow_by(method, x, e, e_bits, n, |m| match short::pow(x, e, e_bits, m) {
        Some(power) => Ok(power),
        None => by_kernel(method, x, e, e_bits, m, modulus),
    })
}

/// xᵉ mod n for any n ≥ 1, with this method, and with the kernel that `modulus` chooses for the odd part of
/// n.
///
/// For n = 2^k·m with m odd, the power modulo m takes Montgomery products and the power modulo 2^k truncated
/// ones. Garner's formula recombines the two.
///
/// # Errors
/// [`Error::ZeroModulus`], and those of `modulus`.
pub fn pow_with(
    method: Method,
    x: &[u64],
    e: &[u64],
    n: &[u64],
    modulus: impl FnOnce(&[u64]) -> Result<Modulus, Error>,
) -> Result<Vec<u64>, Error> {
    let e_bits = natural::bit_length(e);
    pow_by(method, x, e, e_bits, n, |m| by_kernel(method, x, e, e_bits, m, modulus))
}

/// The power modulo the odd m, by the kernel that `modulus` chooses.
fn by_kernel(
    method: Method,
    x: &[u64],
    e: &[u64],
    e_bits: usize,
    m: &[u64],
    modulus: impl FnOnce(&[u64]) -> Result<Modulus, Error>,
) -> Result<Zeroizing<Vec<u64>>, Error> {
    let m = modulus(m)?;
    let power = method.pow(m.context(), m.residue(x).cells(), e, e_bits);
    Ok(Zeroizing::new(m.context().to_number(&power)))
}

/// x^(e mod 2^e_bits) mod n = 2^k·m, where `modulo_odd` computes the power modulo the odd m.
fn pow_by(
    method: Method,
    x: &[u64],
    e: &[u64],
    e_bits: usize,
    n: &[u64],
    modulo_odd: impl FnOnce(&[u64]) -> Result<Zeroizing<Vec<u64>>, Error>,
) -> Result<Vec<u64>, Error> {
    let n_bits = natural::bit_length(n);
    if n_bits == 0 {
        return Err(Error::ZeroModulus);
    }
    let k = natural::trailing_zeros(n);
    if k == 0 {
        return Ok(core::mem::take(&mut *modulo_odd(n)?));
    }
    let m = Zeroizing::new(natural::shift_right(n, k));
    let m = &m[..(n_bits - k).div_ceil(64)];
    let modulo_m = modulo_odd(m)?;
    let two_to_k = PowerOfTwo::new(k);
    let modulo_two_to_k = method.pow(&two_to_k, &two_to_k.reduce(x), e, e_bits);
    Ok(two_to_k.recombine(&modulo_two_to_k, &modulo_m, m, n_bits.div_ceil(64)))
}
