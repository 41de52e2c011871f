//! The rules of preference, from which `select.rs` takes the first kernel that the CPU can run and that takes the modulus.
//!
//! A rule is a kernel and the bits up to which it is preferred. Of the rules for a size, the fastest kernel stands first.

#[cfg(target_arch = "x86_64")]
use crate::arch::x86_64::cpu::Cpu;

/// Rules, those for the smallest sizes first.
pub(super) type Rules = &'static [(usize, &'static str)];

/// The rules that were measured on some CPUs.
#[cfg(target_arch = "x86_64")]
pub(super) struct Measured {
    pub(super) cpus: &'static [Cpu],
    pub(super) over_integers: Rules,
}

/// The rules of each CPU on which they were measured. `make tune` measures them and writes those of the CPU on which it
/// runs, from the line that names the CPU to the line that ends the rules.
#[cfg(target_arch = "x86_64")]
#[rustfmt::skip]
pub(super) const MEASURED: &[Measured] = &[
    // AMD EPYC family 26 model 2, 2026-11-21. The first kernel for 448 bits was changed by hand, as docs/0014 says.
    Measured { cpus: &[Cpu::new("AuthenticAMD", 26, 2)], over_integers: &[
        (128, "fips"),
        (192, "sos-mulx"),
        (192, "fips"),
        (256, "sos-mulx"),
        (256, "cios-pairs"),
        (320, "sos-mulx"),
        (320, "redc-ifma-w51"),
        (320, "cios-pairs"),
        (384, "sos-mulx"),
        (384, "redc-ifma-w51"),
        (384, "fios"),
        (448, "sos-mulx"),
        (448, "redc-ifma-w51"),
        (448, "fios"),
        (1536, "redc-ifma-w51"),
        (1536, "sos-mulx"),
        (1536, "cios-pairs"),
        (1664, "redc-ifma"),
        (1664, "sos-mulx"),
        (1664, "cios-pairs"),
        (1792, "redc-ifma-w51"),
        (1792, "sos-mulx"),
        (1792, "cios-pairs"),
        (usize::MAX, "redc-ifma"),
        (usize::MAX, "sos-mulx"),
        (usize::MAX, "cios-pairs"),
    ] },
    // Intel(R) Xeon(R) Processor family 6 model 207, 2026-11-23. At 448 bits sos-adx was faster by 3 %, at 512 bits not.
    Measured { cpus: &[Cpu::new("GenuineIntel", 6, 207)], over_integers: &[
        (64, "fips"),
        (128, "sos-mulx"),
        (128, "fips"),
        (192, "sos-mulx"),
        (192, "fios"),
        (256, "sos-mulx"),
        (256, "cios-pairs"),
        (448, "sos-mulx"),
        (448, "redc-ifma-w51"),
        (448, "fios"),
        (512, "sos-mulx"),
        (512, "redc-ifma-w51"),
        (512, "cios-pairs"),
        (815, "redc-ifma-w51"),
        (815, "sos-mulx"),
        (815, "cios-pairs"),
        (832, "redc-ifma"),
        (832, "sos-mulx"),
        (832, "cios-pairs"),
        (1536, "redc-ifma-w51"),
        (1536, "sos-mulx"),
        (1536, "cios-pairs"),
        (1664, "redc-ifma"),
        (1664, "sos-mulx"),
        (1664, "cios-pairs"),
        (1792, "redc-ifma-w51"),
        (1792, "sos-mulx"),
        (1792, "cios-pairs"),
        (2048, "redc-ifma"),
        (2048, "sos-mulx"),
        (2048, "cios-pairs"),
        (2560, "redc-ifma-w51"),
        (2560, "sos-mulx"),
        (2560, "cios-pairs"),
        (usize::MAX, "redc-ifma"),
        (usize::MAX, "sos-mulx"),
        (usize::MAX, "cios-pairs"),
    ] },
    // AMD EPYC family 25 model 17, 2026-11-23. The other models are of the same design, Zen 4, and were not measured.
    Measured { cpus: &[Cpu::new("AuthenticAMD", 25, 17), Cpu::new("AuthenticAMD", 25, 97), Cpu::new("AuthenticAMD", 25, 160)], over_integers: &[
        (64, "fips"),
        (192, "sos-adx"),
        (192, "sos-mulx"),
        (192, "fips"),
        (256, "sos-adx"),
        (256, "sos-mulx"),
        (256, "cios-pairs"),
        (320, "sos-adx"),
        (320, "sos-mulx"),
        (320, "redc-ifma-w51"),
        (320, "fios"),
        (384, "sos-adx"),
        (384, "redc-ifma-w51"),
        (384, "sos-mulx"),
        (384, "fios"),
        (448, "sos-adx"),
        (448, "sos-mulx"),
        (448, "redc-ifma-w51"),
        (448, "fips"),
        (512, "sos-adx"),
        (512, "redc-ifma-w51"),
        (512, "sos-mulx"),
        (512, "cios-pairs"),
        (768, "redc-ifma-w51"),
        (768, "sos-adx"),
        (768, "sos-mulx"),
        (768, "fips"),
        (832, "redc-ifma"),
        (832, "sos-adx"),
        (832, "sos-mulx"),
        (832, "fips"),
        (1024, "redc-ifma-w51"),
        (1024, "sos-adx"),
        (1024, "sos-mulx"),
        (1024, "fips"),
        (1248, "redc-ifma"),
        (1248, "sos-adx"),
        (1248, "sos-mulx"),
        (1248, "fips"),
        (1536, "redc-ifma-w51"),
        (1536, "sos-adx"),
        (1536, "sos-mulx"),
        (1536, "fips"),
        (1664, "redc-ifma"),
        (1664, "sos-adx"),
        (1664, "sos-mulx"),
        (1664, "fips"),
        (1792, "redc-ifma-w51"),
        (1792, "sos-adx"),
        (1792, "sos-mulx"),
        (1792, "fips"),
        (2048, "redc-ifma"),
        (2048, "sos-adx"),
        (2048, "sos-mulx"),
        (2048, "cios-pairs"),
        (usize::MAX, "redc-ifma"),
        (usize::MAX, "sos-adx"),
        (usize::MAX, "sos-mulx"),
        (usize::MAX, "fips"),
    ] },
];

/// The kernels over the integers on AArch64, by counts of instructions, as docs/0008 says.
#[cfg(target_arch = "aarch64")]
pub(super) const OVER_INTEGERS: Rules = &[(64, "fips"), (usize::MAX, "sos-umulh")];

/// The kernels over the integers on all other CPUs, by their instructions: what was measured on a CPU with units of 512 bits.
/// They are a list of their own, so that a new measurement of that CPU changes nothing for others.
#[cfg(not(target_arch = "aarch64"))]
#[rustfmt::skip]
pub(super) const OVER_INTEGERS: Rules = &[
    (128, "fips"),
    (192, "sos-mulx"),
    (192, "fips"),
    (256, "sos-mulx"),
    (256, "cios-pairs"),
    (320, "sos-mulx"),
    (320, "redc-ifma-w51"),
    (320, "cios-pairs"),
    (384, "sos-mulx"),
    (384, "redc-ifma-w51"),
    (384, "fios"),
    (448, "sos-mulx"),
    (448, "redc-ifma-w51"),
    (448, "fios"),
    (1536, "redc-ifma-w51"),
    (1536, "sos-mulx"),
    (1536, "cios-pairs"),
    (1664, "redc-ifma"),
    (1664, "sos-mulx"),
    (1664, "cios-pairs"),
    (1792, "redc-ifma-w51"),
    (1792, "sos-mulx"),
    (1792, "cios-pairs"),
    (usize::MAX, "redc-ifma"),
    (usize::MAX, "sos-mulx"),
    (usize::MAX, "cios-pairs"),
];

/// The kernels over GF(2)\[x\], measured as docs/0004 says. A narrow vector answers sooner, a wide one does more at once.
#[rustfmt::skip]
pub(super) const OVER_POLYNOMIALS: Rules = &[
    (129, "words-gf2-pclmulqdq"),
    (193, "words-gf2-avx2"),
    (257, "sparse-gf2-avx2"),
    (257, "words-gf2-avx2"),
    (257, "karatsuba-gf2-pclmulqdq"),
    (289, "words-gf2-avx512"),
    (usize::MAX, "sparse-gf2-avx512"),
    (usize::MAX, "sparse-gf2-avx2"),
    (usize::MAX, "sparse-gf2-pclmulqdq"),
    (897, "words-gf2-avx512"),
    (1025, "karatsuba-gf2-avx512"),
    (1537, "words-gf2-avx512"),
    (usize::MAX, "karatsuba-gf2-avx512"),
    (385, "words-gf2-avx2"),
    (513, "karatsuba-gf2-avx2"),
    (1025, "words-gf2-avx2"),
    (usize::MAX, "karatsuba-gf2-avx2"),
    (385, "karatsuba-gf2-pclmulqdq"),
    (641, "words-gf2-pclmulqdq"),
    (usize::MAX, "karatsuba-gf2-pclmulqdq"),
    (usize::MAX, "cios-gf2-pclmulqdq"),
    (usize::MAX, "cios-gf2"),
];
