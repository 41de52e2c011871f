//! Powers one after the other.

use super::task::PowTask;
use crate::error::Error;
use crate::modulus::Modulus;
use crate::natural;
use crate::pow::pow_bounded;
use crate::power::Method;
use alloc::vec::Vec;

/// One exponentiation after the other; neighbours with the same modulus share its constants.
#[derive(Default)]
pub(super) struct Singles {
    last: Option<Modulus>,
}

impl Singles {
    /// xᵉ mod n by a single kernel.
    pub(super) fn pow(&mut self, task: &PowTask<'_>) -> Result<Vec<u64>, Error> {
        let (x, e, n) = (task.base(), task.exponent(), task.modulus());
        pow_bounded(Method::default(), x, e, task.exponent_bits(), n, |m| self.modulus(m))
    }

    /// The odd modulus n ≥ 1.
    fn modulus(&mut self, n: &[u64]) -> Result<Modulus, Error> {
        if let Some(last) = self.last.as_ref().filter(|last| natural::is_equal(last.number(), n)) {
            return Ok(last.clone());
        }
        let modulus = Modulus::new(n)?;
        self.last = Some(modulus.clone());
        Ok(modulus)
    }
}
