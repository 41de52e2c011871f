//! The vendor, family and model of this CPU.

#[cfg(not(any(miri, target_env = "sgx")))]
use core::arch::x86_64::__cpuid;

/// A kind of CPU, as its documentation numbers it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Cpu {
    /// The twelve letters of CPUID, leaf 0, in its registers EBX, EDX and ECX.
    pub(crate) vendor: [u32; 3],
    pub(crate) family: u32,
    pub(crate) model: u32,
}

impl Cpu {
    pub(crate) const fn new(vendor: &str, family: u32, model: u32) -> Cpu {
        let letters = vendor.as_bytes();
        assert!(letters.len() == 12, "CPUID has room for twelve letters");
        let mut words = [0; 3];
        let mut i = 0;
        while i < 12 {
            words[i / 4] |= (letters[i] as u32) << (8 * (i % 4));
            i += 1;
        }
        Cpu { vendor: words, family, model }
    }

    /// This CPU. In a virtual machine the instruction takes microseconds, so the caller keeps what it needs.
    #[cfg(not(any(miri, target_env = "sgx")))]
    pub(crate) fn this() -> Option<Cpu> {
        // Compilers differ on whether this intrinsic, which every x86-64 CPU has, is unsafe.
        #[allow(unused_unsafe)]
        // SAFETY: every x86-64 CPU has CPUID with the leaves 0 and 1.
        let (names, version) = unsafe { (__cpuid(0), __cpuid(1).eax) };
        Some(Cpu::of([names.ebx, names.edx, names.ecx], version))
    }

    /// Miri has no CPUID, and an enclave may not execute it.
    #[cfg(any(miri, target_env = "sgx"))]
    pub(crate) fn this() -> Option<Cpu> {
        None
    }

    /// The CPU of this vendor whose version CPUID's leaf 1 gives in EAX: the family in bits 8 to 11 and, beyond 15, 20 to
    /// 27; the model in bits 4 to 7 and, for the families 6 and 15, 16 to 19.
    #[cfg_attr(any(miri, target_env = "sgx"), allow(dead_code))]
    fn of(vendor: [u32; 3], version: u32) -> Cpu {
        let base = version >> 8 & 0xf;
        let family = if base == 0xf { base + (version >> 20 & 0xff) } else { base };
        let low = version >> 4 & 0xf;
        let model = if base == 0xf || base == 6 { (version >> 16 & 0xf) << 4 | low } else { low };
        Cpu { vendor, family, model }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_version_is_decoded_as_its_vendor_documents_it() {
        let [intel, amd] = ["GenuineIntel", "AuthenticAMD"];
        for (vendor, version, family, model) in [
            (intel, 0x000c_06f2, 6, 207),
            (intel, 0x0000_0f29, 15, 2),
            (intel, 0x0000_0543, 5, 4),
            (amd, 0x00b0_0f21, 26, 2),
            (amd, 0x00a1_0f11, 25, 17),
        ] {
            let cpu = Cpu::new(vendor, family, model);
            assert_eq!(Cpu::of(cpu.vendor, version), cpu);
        }
        assert_eq!(Cpu::new(intel, 6, 207).vendor, [0x756e_6547, 0x4965_6e69, 0x6c65_746e]);
    }

    #[cfg(not(miri))]
    #[test]
    fn this_cpu_has_a_vendor_and_a_family() {
        let cpu = Cpu::this().expect("it has CPUID");
        assert!(cpu.vendor[0] != 0 && cpu.family >= 5, "{cpu:?}");
    }
}
