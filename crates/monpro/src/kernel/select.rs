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
        Kernel::in_order(ring, n_bits)
            .find(|kernel| kernel.is_available() && kernel.supports(n))
            .expect("the portable kernels run everywhere and take any modulus")
    }

    /// The kernels for a modulus of n_bits bits: that of [`Kernel::override_selection`], then the fastest first.
    pub(super) fn in_order(ring: RingName, n_bits: usize) -> impl Iterator<Item = &'static Kernel> {
        let preference = match ring {
            RingName::Integers => over_integers(),
            RingName::BinaryPolynomials => &OVER_POLYNOMIALS,
        };
        let preferred = preference.rules[..preference.count]
            .iter()
            .filter(move |(most_bits, _)| n_bits <= *most_bits)
            .filter_map(|(_, row)| row.map(|row| &KERNELS[usize::from(row)]));
        Kernel::override_of(ring).into_iter().chain(preferred)
    }

    /// Uses this kernel from now on, in all threads, for every modulus of its ring that it supports, unless a modulus
    /// is made with another kernel. It is meant for tests, and for finding a kernel that is at fault.
    ///
    /// The Python package and the C library call it with the kernel that the environment variable `MONPRO_KERNEL`
    /// names. For moduli of up to 320 bits, [`modexp_vartime`](crate::modexp_vartime) uses no kernel, and up to 512 bits none
    /// for exponents of up to 48 bits or in place of sos-mulx and sos-adx, whose products it calls itself; nor does
    /// [`Modulus::modexp_vartime`](crate::Modulus::modexp_vartime) up to 256 bits.
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

/// The rules of the longest list.
const MOST_RULES: usize = {
    #[cfg_attr(
        not(target_arch = "x86_64"),
        expect(unused_mut, reason = "other CPUs have no lists of their own")
    )]
    let mut most = longer(preferred::OVER_INTEGERS.len(), preferred::OVER_POLYNOMIALS);
    #[cfg(target_arch = "x86_64")]
    {
        let mut row = 0;
        while row < preferred::MEASURED.len() {
            most = longer(most, preferred::MEASURED[row].over_integers);
            row += 1;
        }
    }
    most
};

const fn longer(count: usize, rules: Rules) -> usize {
    if rules.len() > count { rules.len() } else { count }
}

/// A list of rules with the rows of its kernels, which are looked up when this is compiled: a modulus of a few words takes
/// little longer than a search by name. A kernel that the target does not have has no row.
struct Preference {
    count: usize,
    rules: [(usize, Option<u8>); MOST_RULES],
}

impl Preference {
    const fn of(rules: Rules) -> Preference {
        let mut preference = Preference { count: rules.len(), rules: [(0, None); MOST_RULES] };
        let mut i = 0;
        while i < rules.len() {
            let (most_bits, name) = rules[i];
            preference.rules[i] = (most_bits, row_of_kernel(name));
            i += 1;
        }
        preference
    }
}

/// The row of the kernel of this name.
const fn row_of_kernel(name: &str) -> Option<u8> {
    let mut row = 0;
    while row < KERNELS.len() {
        if is_same(KERNELS[row].name.as_bytes(), name.as_bytes()) {
            assert!(row <= u8::MAX as usize, "the number of a row is an octet");
            return Some(row as u8);
        }
        row += 1;
    }
    None
}

/// a = b, which no constant function can ask of slices.
const fn is_same(a: &[u8], b: &[u8]) -> bool {
    let mut i = 0;
    while i < a.len() && i < b.len() && a[i] == b[i] {
        i += 1;
    }
    i == a.len() && i == b.len()
}

static OVER_INTEGERS: Preference = Preference::of(preferred::OVER_INTEGERS);
static OVER_POLYNOMIALS: Preference = Preference::of(preferred::OVER_POLYNOMIALS);

#[cfg(target_arch = "x86_64")]
static MEASURED: [Preference; preferred::MEASURED.len()] = {
    let mut measured = [const { Preference::of(&[]) }; preferred::MEASURED.len()];
    let mut row = 0;
    while row < measured.len() {
        measured[row] = Preference::of(preferred::MEASURED[row].over_integers);
        row += 1;
    }
    measured
};

/// The rules over the integers that were measured on this CPU or its nearest relative, or those that go by instructions.
#[cfg(target_arch = "x86_64")]
fn over_integers() -> &'static Preference {
    const UNKNOWN: usize = usize::MAX;
    static ROW: AtomicUsize = AtomicUsize::new(UNKNOWN);
    let mut row = ROW.load(Ordering::Relaxed);
    if row == UNKNOWN {
        row = Cpu::this().and_then(row_of).unwrap_or(MEASURED.len());
        ROW.store(row, Ordering::Relaxed);
    }
    MEASURED.get(row).unwrap_or(&OVER_INTEGERS)
}

#[cfg(not(target_arch = "x86_64"))]
fn over_integers() -> &'static Preference {
    &OVER_INTEGERS
}

/// The row of the rules that were measured on a CPU or, if there are none, on its nearest relative: the first row of its
/// family, or else of the latest family before it, from the same vendor. Its model may be new, and a hypervisor may tell
/// another.
#[cfg(target_arch = "x86_64")]
fn row_of(cpu: Cpu) -> Option<usize> {
    let named = preferred::MEASURED.iter().position(|measured| measured.cpus.contains(&cpu));
    named.or_else(|| {
        let rows = preferred::MEASURED.iter().map(|measured| measured.cpus[0]).enumerate();
        let relatives = rows.filter(|(_, other)| other.vendor == cpu.vendor && other.family <= cpu.family);
        // Of several rows of one family, max_by_key takes the last.
        relatives.rev().max_by_key(|(_, other)| other.family).map(|(row, _)| row)
    })
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

    #[test]
    fn every_rule_has_the_row_of_the_kernel_that_it_names() {
        let check = |preference: &Preference, rules: Rules| {
            assert_eq!(preference.count, rules.len());
            for ((most_bits, row), (most_bits_of_rule, name)) in preference.rules.iter().zip(rules) {
                let named = row.map(|row| KERNELS[usize::from(row)].name);
                assert_eq!(
                    (most_bits, named),
                    (most_bits_of_rule, Kernel::by_name(name).ok().map(|kernel| kernel.name))
                );
            }
        };
        assert_eq!(row_of_kernel("sos-none"), None);
        check(&OVER_INTEGERS, preferred::OVER_INTEGERS);
        check(&OVER_POLYNOMIALS, preferred::OVER_POLYNOMIALS);
        #[cfg(target_arch = "x86_64")]
        for (preference, measured) in MEASURED.iter().zip(preferred::MEASURED) {
            check(preference, measured.over_integers);
        }
    }

    /// The first call asks the CPU, and the second remembers.
    #[cfg(target_arch = "x86_64")]
    #[test]
    fn a_measured_cpu_has_its_own_rules() {
        let own = Cpu::this().and_then(row_of).map_or(&OVER_INTEGERS, |row| &MEASURED[row]);
        assert!([over_integers(), over_integers()].iter().all(|rules| core::ptr::eq(*rules, own)));
    }

    #[cfg(target_arch = "x86_64")]
    #[test]
    fn a_cpu_that_was_not_measured_goes_by_the_nearest_family_of_its_vendor() {
        let amd = |family, model| row_of(Cpu::new("AuthenticAMD", family, model));
        let intel = |family, model| row_of(Cpu::new("GenuineIntel", family, model));
        let (zen_3, zen_4, zen_5, granite_rapids) = (amd(25, 1), amd(25, 17), amd(26, 2), intel(6, 173));
        assert!([zen_3, zen_4, zen_5, granite_rapids].iter().all(Option::is_some));
        assert!(zen_3 != zen_4 && zen_4 != zen_5);
        // A Zen 3 and a Zen 4 of other models, Zen 5, and a family that is yet to come.
        assert_eq!([amd(25, 33), amd(25, 116)], [zen_3, zen_4]);
        assert_eq!([amd(26, 68), amd(27, 1)], [zen_5; 2]);
        // Ice Lake, and a family that is yet to come.
        assert_eq!([intel(6, 106), intel(19, 1)], [granite_rapids; 2]);
        // Zen 2, whose family is older than all that were measured, and a vendor of whose CPUs none was.
        assert_eq!([amd(23, 49), row_of(Cpu::new("HygonGenuine", 24, 0))], [None; 2]);
        // The first CPU of a row speaks for all.
        let of_one_family = |cpus: &[Cpu]| {
            cpus.iter().all(|cpu| (cpu.vendor, cpu.family) == (cpus[0].vendor, cpus[0].family))
        };
        assert!(preferred::MEASURED.iter().all(|measured| of_one_family(measured.cpus)));
    }

    /// What SECURITY.md says of floating point: it is the default for no shorter modulus, with ADX and without.
    #[cfg(target_arch = "x86_64")]
    #[test]
    fn floating_point_computes_single_powers_of_long_moduli_only() {
        let measured = preferred::MEASURED.iter().map(|measured| measured.over_integers);
        for rules in measured.chain([preferred::OVER_INTEGERS]) {
            for (longest, has_adx) in [(576, true), (512, false)] {
                let runs = |name: &str| !name.contains("ifma") && (has_adx || name != "sos-adx");
                for bits in 1..=longest {
                    let first = rules.iter().find(|(most, name)| bits <= *most && runs(name));
                    assert!(first.is_some_and(|(_, name)| !name.ends_with("-fma")), "{bits} bits");
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
