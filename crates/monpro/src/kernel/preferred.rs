//! Which kernel for a modulus of the integers. Written by `make tune`.
//!
//! Measured on AMD EPYC family 26 model 2, 2026-11-21.

/// The kernels for a modulus of at most so many bits, the fastest first; the first that the CPU can run and that
/// takes the modulus is taken.
#[rustfmt::skip]
pub(super) const OVER_INTEGERS: &[(usize, &str)] = &[
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
    (448, "redc-ifma-w51"),
    (448, "sos-mulx"),
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
