//! Powers one after the other.

use super::task::PowTask;
use crate::error::Error;
use crate::modulus::Modulus;
use crate::natural;
use crate::pow::pow_in_bits;
use alloc::vec::Vec;

/// One exponentiation after the other; neighbours with the same modulus share the constants that a kernel has for it.
#[derive(Default)]
pub(super) struct Singles {
    last: Option<Modulus>,
}

impl Singles {
    /// xᵉ mod n, as [`crate::pow`] computes it.
    pub(super) fn pow(&mut self, task: &PowTask<'_>) -> Result<Vec<u64>, Error> {
        let (x, e, n) = (task.base(), task.exponent(), task.modulus());
        pow_in_bits(x, e, task.exponent_bits(), n, |m| self.modulus(m))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_modulus_is_kept_where_a_kernel_takes_it_and_not_where_powers_on_the_stack_are_faster() {
        let mut singles = Singles::default();
        let mut kept_bits = |e: &[u64], n: &[u64]| {
            let task = PowTask::new(&[3], e, n);
            assert_eq!(singles.pow(&task), crate::pow(&[3], e, n));
            singles.last.as_ref().map(Modulus::bits)
        };
        assert_eq!(kept_bits(&[1; 40], &[7]), None);
        assert_eq!(kept_bits(&[5], &[7, 0, 0, 1]), None);
        assert_eq!(kept_bits(&[1; 4], &[7, 0, 0, 1]), Some(193));
        assert_eq!(kept_bits(&[1; 40], &[7, 1]), Some(193));
    }
}
