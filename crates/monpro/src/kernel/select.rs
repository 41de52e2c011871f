//! The choice of a kernel for a modulus.

use super::contract::Kernel;
use super::preferred::{self, Rules};
use super::table::KERNELS;
#[cfg(target_arch = "x86_64")]
use crate::arch::x86_64::cpu::Cpu;
use crate::error::Error;
use crate::natural;
use crate::ring::RingName;
use core::sync::atomic::{AtomicUsize, Ordering};

/// The table row, counted from 1, that [`Kernel::override_selection`] chose for each ring; 0 for none.
static OVERRIDES: [AtomicUsize; 2] = [AtomicUsize::new(0), AtomicUsize::new(0)];

impl Kernel {
    /// The kernel of this name.
    ///
    /// # Errors
    /// [`Error::UnknownKernel`] if the table has no such kernel.
    pub fn by_name(name: &str) -> Result<&'static Kernel, Error> {
        KERNELS.iter().find(|kernel| kernel.name == name).ok_or(Error::UnknownKernel)
    }

    /// The kernel that a modulus is made with where none is named: the fastest available one for the odd n, or the one of
    /// [`Kernel::override_selection`].
    ///
    /// # Panics
    /// For an even n, perhaps.
    #[must_use]
    pub fn fastest(ring: RingName, n: &[u64]) -> &'static Kernel {
        let n_bits = natural::bit_length(n);
        Kernel::override_of(ring)
            .into_iter()
            .chain(Kernel::preferred(ring, n_bits))
            .find(|kernel| kernel.is_available() && kernel.supports(n))
            .expect("the portable kernels run everywhere and take any modulus")
    }

    /// The kernels for a modulus of n_bits bits, the fastest first.
    fn preferred(ring: RingName, n_bits: usize) -> impl Iterator<Item = &'static Kernel> {
        let rules = match ring {
            RingName::Integers => over_integers(),
            RingName::BinaryPolynomials => preferred::OVER_POLYNOMIALS,
        };
        rules
            .iter()
            .filter(move |(most_bits, _)| n_bits <= *most_bits)
            .filter_map(|(_, name)| Kernel::by_name(name).ok())
    }

    /// Uses this kernel from now on, in all threads, for every modulus of its ring that it supports, unless a modulus
    /// is made with another kernel. It is meant for tests, and for finding a kernel that is at fault.
    ///
    /// The Python package and the C library call it with the kernel that the environment variable `MONPRO_KERNEL`
    /// names. For moduli of up to 320 bits, [`modexp_vartime`](crate::modexp_vartime) uses no kernel, and up to 512 bits none
    /// for exponents of up to 48 bits; nor does [`Modulus::modexp_vartime`](crate::Modulus::modexp_vartime) up to 256 bits.
    ///
    /// # Errors
    /// [`Error::KernelUnavailable`] on a CPU without its instructions.
    pub fn override_selection(&'static self) -> Result<(), Error> {
        if !self.is_available() {
            return Err(Error::KernelUnavailable { kernel: self.name, needs: self.required_instructions() });
        }
        let row = KERNELS.iter().position(|kernel| core::ptr::eq(kernel, self));
        OVERRIDES[self.ring as usize].store(row.map_or(0, |row| row + 1), Ordering::Relaxed);
        Ok(())
    }

    /// The kernel that [`Kernel::override_selection`] has chosen for the ring.
    pub(crate) fn override_of(ring: RingName) -> Option<&'static Kernel> {
        KERNELS.get(OVERRIDES[ring as usize].load(Ordering::Relaxed).wrapping_sub(1))
    }
}

/// The rules over the integers that were measured on this CPU, or those that go by its instructions.
#[cfg(target_arch = "x86_64")]
fn over_integers() -> Rules {
    const UNKNOWN: usize = usize::MAX;
    static ROW: AtomicUsize = AtomicUsize::new(UNKNOWN);
    let mut row = ROW.load(Ordering::Relaxed);
    if row == UNKNOWN {
        row = Cpu::this().and_then(row_of).unwrap_or(preferred::MEASURED.len());
        ROW.store(row, Ordering::Relaxed);
    }
    preferred::MEASURED.get(row).map_or(preferred::OVER_INTEGERS, |measured| measured.over_integers)
}

#[cfg(not(target_arch = "x86_64"))]
fn over_integers() -> Rules {
    preferred::OVER_INTEGERS
}

/// The row of the rules that were measured on a CPU.
#[cfg(target_arch = "x86_64")]
fn row_of(cpu: Cpu) -> Option<usize> {
    preferred::MEASURED.iter().position(|measured| measured.cpus.contains(&cpu))
}

#[cfg(all(test, target_arch = "x86_64", vpclmulqdq_intrinsics, not(miri)))]
mod recorded;

#[cfg(test)]
mod tests {
    use super::*;

    /// Only where the compiler knows all instructions; elsewhere the table lacks some rows.
    #[cfg(any(target_arch = "aarch64", all(target_arch = "x86_64", vpclmulqdq_intrinsics)))]
    #[test]
    fn what_is_preferred_is_in_the_table_and_of_the_ring() {
        #[cfg(target_arch = "x86_64")]
        let mut lists: alloc::vec::Vec<_> =
            preferred::MEASURED.iter().map(|measured| (RingName::Integers, measured.over_integers)).collect();
        #[cfg(not(target_arch = "x86_64"))]
        let mut lists = alloc::vec::Vec::new();
        lists.push((RingName::Integers, preferred::OVER_INTEGERS));
        #[cfg(target_arch = "x86_64")]
        lists.push((RingName::BinaryPolynomials, preferred::OVER_POLYNOMIALS));
        for (ring, list) in lists {
            for (_, name) in list {
                assert_eq!(Kernel::by_name(name).map(|kernel| kernel.ring), Ok(ring), "{name}");
            }
        }
    }

    /// The first call asks the CPU, and the second remembers.
    #[cfg(target_arch = "x86_64")]
    #[test]
    fn a_measured_cpu_has_its_own_rules() {
        let cpu = Cpu::this();
        let own =
            preferred::MEASURED.iter().find(|measured| cpu.is_some_and(|cpu| measured.cpus.contains(&cpu)));
        let rules = own.map_or(preferred::OVER_INTEGERS, |measured| measured.over_integers);
        assert_eq!([over_integers(), over_integers()], [rules; 2]);
    }

    /// What SECURITY.md says of floating point: it is the default for no shorter modulus, with ADX and without.
    #[cfg(target_arch = "x86_64")]
    #[test]
    fn floating_point_computes_single_powers_of_long_moduli_only() {
        let measured = preferred::MEASURED.iter().map(|measured| measured.over_integers);
        for rules in measured.chain([preferred::OVER_INTEGERS]) {
            for (longest, has_adx) in [(1280, true), (512, false)] {
                let runs = |name: &str| !name.contains("ifma") && (has_adx || name != "sos-adx");
                for bits in 1..=longest {
                    let first = rules.iter().find(|(most, name)| bits <= *most && runs(name));
                    assert!(first.is_some_and(|(_, name)| *name != "redc-fma"), "{bits} bits");
                }
            }
        }
    }

    #[test]
    fn every_modulus_has_a_fastest_kernel() {
        for bits in 1..=3000 {
            let mut n = alloc::vec![1; bits / 64 + 1];
            n[(bits - 1) / 64] |= 1 << ((bits - 1) % 64);
            for ring in [RingName::Integers, RingName::BinaryPolynomials] {
                let kernel = Kernel::fastest(ring, &n);
                assert!(kernel.ring == ring && kernel.is_available() && kernel.supports(&n));
            }
        }
    }
}
