//! Powers from bytes to bytes modulo a number that is ready.

use super::exponent::Exponent;
use super::{large, significant, small};
use crate::modulus::Modulus;
use crate::natural;
use crate::power::sliding_window_vartime;
use crate::power::window::Bits;
use crate::ring::RingName;
use alloc::vec;
use alloc::vec::Vec;

impl Modulus {
    /// base^exponent mod n: big-endian numbers of any length, the result in ⌈bits/8⌉ bytes. It is
    /// [`modexp_vartime`](crate::modexp_vartime) without the cost of a new modulus, and the time depends on all values. Modulo
    /// up to 256 bits only the result is allocated. The kernel is not used up to 256 bits, nor for exponents of up to three products
    /// where divisions are faster; in place of `sos-mulx` and `sos-adx` up to 512 bits, their products are called without it.
    ///
    /// # Panics
    /// For a modulus over GF(2)\[x\].
    ///
    /// ```
    /// let n = monpro::Modulus::new(&[1001])?;
    /// assert_eq!(n.modexp_vartime(&[3], &[200]), [0, 100]);
    /// # Ok::<(), monpro::Error>(())
    /// ```
    #[must_use]
    pub fn modexp_vartime(&self, base: &[u8], exponent: &[u8]) -> Vec<u8> {
        assert!(self.kernel().ring == RingName::Integers, "the bytes of a polynomial are no number");
        let mut result = vec![0; self.bits().div_ceil(8)];
        let (x, e) = (significant(base), Exponent::new(exponent));
        if self.bits() == 1 {
            return result;
        }
        if e.length() == 0 {
            *result.last_mut().expect("n has a byte") = 1;
            return result;
        }
        let context = self.context();
        let r2 = context.r_squared_in_words().filter(|r2| x.len() <= 8 * r2.len());
        match r2.and_then(|r2| small::pow_ready_vartime(x, e, self.number(), r2, self.kernel())) {
            Some(power) => natural::write_be_bytes(&mut result, &power),
            _ if self.number().len() <= small::MOST_READY_WORDS => {
                let mut n = [0; small::MOST_WORDS];
                n[..self.number().len()].copy_from_slice(self.number());
                natural::write_be_bytes(&mut result, &small::power_modulo_odd(x, e, &n));
            }
            _ => {
                let x = natural::from_be_bytes(x);
                let power = large::pow_ready_vartime(&x, e, self.number()).unwrap_or_else(|| {
                    context.to_number(&sliding_window_vartime(context, &context.enter(&x), &e.words()))
                });
                natural::write_be_bytes(&mut result, &power);
            }
        }
        result
    }
}
