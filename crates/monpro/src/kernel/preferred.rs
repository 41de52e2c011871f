//! Which kernel for a modulus of the integers. `make tune` writes this file; these rules are still those that
//! docs/0005 and docs/0006 measured.

/// The kernels for a modulus of at most so many bits, the fastest first; the first that the CPU can run and that
/// takes the modulus is taken.
#[rustfmt::skip]
pub(super) const OVER_INTEGERS: &[(usize, &str)] = &[
    (64, "cios-pairs"),
    (384, "sos-mulx"),
    (1629, "redc-ifma-w51"),
    (usize::MAX, "redc-ifma"),
    (usize::MAX, "sos-mulx"),
    (usize::MAX, "cios-pairs"),
];
