//! Exponentiation modulo any n ≥ 1, odd or even.

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
    pow_with(Method::default(), x, e, n, Modulus::new)
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
    pow_bounded(method, x, e, natural::bit_length(e), n, modulus)
}

/// x^(e mod 2^e_bits) mod n, otherwise as [`pow_with`]. The time of the fixed window depends on e_bits, not
/// on e.
pub(crate) fn pow_bounded(
    method: Method,
    x: &[u64],
    e: &[u64],
    e_bits: usize,
    n: &[u64],
    modulus: impl FnOnce(&[u64]) -> Result<Modulus, Error>,
) -> Result<Vec<u64>, Error> {
    let n_bits = natural::bit_length(n);
    if n_bits == 0 {
        return Err(Error::ZeroModulus);
    }
    let k = natural::trailing_zeros(n);
    let m = modulus(&Zeroizing::new(natural::shift_right(n, k)))?;
    let power = method.pow(m.context(), m.residue(x).cells(), e, e_bits);
    if k == 0 {
        return Ok(m.context().to_number(&power));
    }
    let modulo_m = Zeroizing::new(m.context().to_number(&power));
    let two_to_k = PowerOfTwo::new(k);
    let modulo_two_to_k = method.pow(&two_to_k, &two_to_k.reduce(x), e, e_bits);
    Ok(two_to_k.recombine(&modulo_two_to_k, &modulo_m, m.number(), n_bits.div_ceil(64)))
}
