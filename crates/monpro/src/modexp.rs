//! Modular exponentiation from bytes to bytes, as the precompiled contract MODEXP of the Ethereum virtual machine
//! defines it.

mod exponent;
mod large;
mod ready;
mod small;

use crate::modulus::Modulus;
use crate::natural;
use crate::pow::pow_in_bits;
use crate::power::window::Bits;
use alloc::vec;
use alloc::vec::Vec;
use exponent::Exponent;
use zeroize::Zeroizing;

/// base^exponent mod modulus: big-endian numbers of any length, the result as long as the modulus.
///
/// The result is the one of the Ethereum virtual machine's MODEXP (EIP-198): leading zeros change nothing, an empty
/// number is 0, 0⁰ is 1 mod n, and modulo 0 the result is 0. The time depends on the lengths and on the number of
/// factors 2 of the modulus, not on the values; [`modexp_vartime`] is faster.
///
/// ```
/// assert_eq!(monpro::modexp(&[3], &[200], &[0, 0x03, 0xe8]), [0, 0, 1]); // 3^200 mod 1000
/// assert_eq!(monpro::modexp(&[], &[], &[7]), [1]);
/// assert_eq!(monpro::modexp(&[5], &[1], &[0, 0]), [0, 0]);
/// ```
#[must_use]
pub fn modexp(base: &[u8], exponent: &[u8], modulus: &[u8]) -> Vec<u8> {
    let [x, e, n] = [base, exponent, modulus].map(|bytes| Zeroizing::new(natural::from_be_bytes(bytes)));
    match pow_in_bits(&x, &e, 8 * exponent.len(), &n, Modulus::new) {
        Ok(power) => natural::to_be_bytes(&Zeroizing::new(power), modulus.len()),
        Err(_) => vec![0; modulus.len()],
    }
}

/// [`modexp`] in a time that depends on all values: for public numbers, such as the virtual machine's.
///
/// The sizes bound the time: an exponent of b bits takes at most about 1.2·b products modulo the odd part of the
/// modulus, and a division. If the modulus has up to 320 bits, only the result is allocated.
#[must_use]
pub fn modexp_vartime(base: &[u8], exponent: &[u8], modulus: &[u8]) -> Vec<u8> {
    let mut result = vec![0; modulus.len()];
    let (x, n) = (significant(base), significant(modulus));
    let e = Exponent::new(exponent);
    match (n, e.length()) {
        ([] | [1], _) => {}
        (_, 0) => result[modulus.len() - 1] = 1,
        _ if n.len() <= 8 * small::MOST_WORDS => {
            let mut words = [0; small::MOST_WORDS];
            for (word, chunk) in words.iter_mut().zip(n.rchunks(8)) {
                *word = natural::word_of_be_bytes(chunk);
            }
            let significant = &words[..n.len().div_ceil(8)];
            if large::is_faster(significant, e) {
                natural::write_be_bytes(&mut result, &large::pow_vartime(x, e, significant));
            } else {
                natural::write_be_bytes(&mut result, &small::pow_vartime(x, e, &words));
            }
        }
        _ => natural::write_be_bytes(&mut result, &large::pow_vartime(x, e, &natural::from_be_bytes(n))),
    }
    result
}

/// The bytes without leading zeros.
fn significant(bytes: &[u8]) -> &[u8] {
    let zeros = bytes.iter().take_while(|&&byte| byte == 0).count();
    &bytes[zeros..]
}
