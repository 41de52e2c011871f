//! The table of kernels: every way this crate computes z = x·y·R⁻¹ mod n.

#[cfg(any(target_arch = "aarch64", target_arch = "x86_64"))]
use super::blocks;
use super::contract::Kernel;
#[cfg(target_arch = "x86_64")]
use super::fma;
#[cfg(all(target_arch = "x86_64", vpclmulqdq_intrinsics))]
use super::ifma;
#[cfg(target_arch = "x86_64")]
use super::lanes::{self, Karatsuba, Sparse, Words};
#[cfg(target_arch = "x86_64")]
use super::pclmulqdq;
use super::{cios, cios_pairs, scanning, standard};
#[cfg(target_arch = "aarch64")]
use crate::arch::aarch64::umulh::Umulh;
#[cfg(target_arch = "x86_64")]
use crate::arch::x86_64::mulx::{Adx, Mulx};
#[cfg(target_arch = "x86_64")]
use crate::arch::x86_64::pclmulqdq::PclmulqdqAvx;
#[cfg(all(target_arch = "x86_64", vpclmulqdq_intrinsics))]
use crate::arch::x86_64::{avx2::Avx2, avx512::Avx512};
use crate::ring::mulgf2::{BranchingEmulation, Emulation, Tables, Thinned};
use crate::ring::{BinaryPolynomials, Integers};

/// The rows of the table: four of each scanning method, then the rows for every target, then groups of rows, each
/// with the condition for its target.
macro_rules! rows {
    [
        [$($method:ident),*],
        [$($everywhere:expr),* $(,)?],
        $(#[$cfg:meta] [$($row:expr),* $(,)?]),* $(,)?
    ] => {
        &[
            $(scanning::kernel::<super::$method::Method, Integers<u64>>(stringify!($method)),)*
            $(scanning::kernel::<super::$method::Method, Integers<u32>>(concat!(stringify!($method), "-w32")),)*
            $(scanning::kernel::<super::$method::Method, BinaryPolynomials<u64>>(concat!(stringify!($method), "-gf2")),)*
            $(scanning::kernel::<super::$method::Method, BinaryPolynomials<u32>>(concat!(stringify!($method), "-gf2-w32")),)*
            $($everywhere,)*
            $($(#[$cfg] $row,)*)*
        ]
    };
}

/// Every kernel. Tests, benchmarks, documentation and the command line walk this table.
pub static KERNELS: &[Kernel] = rows![
    [sos, cios, fios, fips, cihs],
    [
        cios_pairs::KERNEL,
        scanning::kernel::<cios::Method, BinaryPolynomials<u8, Thinned>>("cios-gf2-w8"),
        scanning::kernel::<cios::Method, BinaryPolynomials<u16, Thinned>>("cios-gf2-w16"),
        scanning::kernel::<cios::Method, BinaryPolynomials<u8, Emulation>>("cios-gf2-w8-emulation"),
        scanning::kernel::<cios::Method, BinaryPolynomials<u16, Emulation>>("cios-gf2-w16-emulation"),
        scanning::kernel::<cios::Method, BinaryPolynomials<u32, Emulation>>("cios-gf2-w32-emulation"),
        scanning::kernel::<cios::Method, BinaryPolynomials<u64, Emulation>>("cios-gf2-w64-emulation"),
        scanning::kernel::<cios::Method, BinaryPolynomials<u8, BranchingEmulation>>(
            "cios-gf2-w8-emulation_vartime"
        ),
        scanning::kernel::<cios::Method, BinaryPolynomials<u16, BranchingEmulation>>(
            "cios-gf2-w16-emulation_vartime"
        ),
        scanning::kernel::<cios::Method, BinaryPolynomials<u32, BranchingEmulation>>(
            "cios-gf2-w32-emulation_vartime"
        ),
        scanning::kernel::<cios::Method, BinaryPolynomials<u8, Tables>>("cios-gf2-w8-tables_vartime"),
        scanning::kernel::<cios::Method, BinaryPolynomials<u16, Tables>>("cios-gf2-w16-tables_vartime"),
        scanning::kernel::<cios::Method, BinaryPolynomials<u32, Tables>>("cios-gf2-w32-tables_vartime"),
        scanning::kernel::<cios::Method, BinaryPolynomials<u64, Tables>>("cios-gf2-w64-tables_vartime"),
        scanning::kernel::<standard::Method, BinaryPolynomials<u64, Thinned>>("standard-gf2"),
        scanning::kernel::<standard::Method, BinaryPolynomials<u8, Emulation>>("standard-gf2-w8-emulation"),
        scanning::kernel::<standard::Method, BinaryPolynomials<u16, Emulation>>("standard-gf2-w16-emulation"),
        scanning::kernel::<standard::Method, BinaryPolynomials<u32, Emulation>>("standard-gf2-w32-emulation"),
        scanning::kernel::<standard::Method, BinaryPolynomials<u64, Emulation>>("standard-gf2-w64-emulation"),
        scanning::kernel::<standard::Branching, BinaryPolynomials<u8, BranchingEmulation>>(
            "standard-gf2-w8-emulation_vartime"
        ),
        scanning::kernel::<standard::Branching, BinaryPolynomials<u16, BranchingEmulation>>(
            "standard-gf2-w16-emulation_vartime"
        ),
        scanning::kernel::<standard::Branching, BinaryPolynomials<u32, BranchingEmulation>>(
            "standard-gf2-w32-emulation_vartime"
        ),
        scanning::kernel::<standard::Method, BinaryPolynomials<u8, Tables>>("standard-gf2-w8-tables_vartime"),
        scanning::kernel::<standard::Method, BinaryPolynomials<u16, Tables>>(
            "standard-gf2-w16-tables_vartime"
        ),
        scanning::kernel::<standard::Method, BinaryPolynomials<u32, Tables>>(
            "standard-gf2-w32-tables_vartime"
        ),
    ],
    #[cfg(target_arch = "aarch64")]
    [blocks::kernel::<Umulh>("sos-umulh")],
    #[cfg(target_arch = "x86_64")]
    [
        blocks::kernel::<Mulx>("sos-mulx"),
        blocks::kernel::<Adx>("sos-adx"),
        fma::KERNEL,
        fma::cios::KERNEL,
        pclmulqdq::scanning_by_instruction::<cios::Method, u8>("cios-gf2-w8-pclmulqdq"),
        pclmulqdq::scanning_by_instruction::<cios::Method, u16>("cios-gf2-w16-pclmulqdq"),
        pclmulqdq::scanning_by_instruction::<cios::Method, u32>("cios-gf2-w32-pclmulqdq"),
        pclmulqdq::scanning_by_instruction::<cios::Method, u64>("cios-gf2-pclmulqdq"),
        pclmulqdq::scanning_by_instruction::<standard::Method, u8>("standard-gf2-w8-pclmulqdq"),
        pclmulqdq::scanning_by_instruction::<standard::Method, u16>("standard-gf2-w16-pclmulqdq"),
        pclmulqdq::scanning_by_instruction::<standard::Method, u32>("standard-gf2-w32-pclmulqdq"),
        pclmulqdq::scanning_by_instruction::<standard::Method, u64>("standard-gf2-pclmulqdq"),
        pclmulqdq::on_vectors::<standard::OnVectors, u8, Emulation>("standard-gf2-w8-emulation-avx2"),
        pclmulqdq::on_vectors::<standard::OnVectors, u16, Emulation>("standard-gf2-w16-emulation-avx2"),
        pclmulqdq::on_vectors::<standard::OnVectors, u32, Emulation>("standard-gf2-w32-emulation-avx2"),
        pclmulqdq::on_vectors::<standard::OnVectors, u8, Tables>("standard-gf2-w8-tables-avx2_vartime"),
        pclmulqdq::on_vectors::<standard::OnVectors, u16, Tables>("standard-gf2-w16-tables-avx2_vartime"),
        pclmulqdq::on_vectors::<standard::OnVectors, u32, Tables>("standard-gf2-w32-tables-avx2_vartime"),
        pclmulqdq::on_vectors_by_instruction::<standard::OnVectors, u8>("standard-gf2-w8-pclmulqdq-avx2"),
        pclmulqdq::on_vectors_by_instruction::<standard::OnVectors, u16>("standard-gf2-w16-pclmulqdq-avx2"),
        pclmulqdq::on_vectors_by_instruction::<standard::OnVectors, u32>("standard-gf2-w32-pclmulqdq-avx2"),
        pclmulqdq::on_vectors_by_instruction::<standard::OnVectors, u64>("standard-gf2-pclmulqdq-avx2"),
        lanes::kernel::<Words, PclmulqdqAvx>("words-gf2-pclmulqdq"),
        lanes::kernel::<Karatsuba, PclmulqdqAvx>("karatsuba-gf2-pclmulqdq"),
        lanes::kernel::<Sparse, PclmulqdqAvx>("sparse-gf2-pclmulqdq"),
    ],
    #[cfg(all(target_arch = "x86_64", vpclmulqdq_intrinsics))]
    [
        ifma::kernel::<52>("redc-ifma"),
        ifma::kernel::<51>("redc-ifma-w51"),
        lanes::kernel::<Words, Avx2>("words-gf2-avx2"),
        lanes::kernel::<Words, Avx512>("words-gf2-avx512"),
        lanes::kernel::<Karatsuba, Avx2>("karatsuba-gf2-avx2"),
        lanes::kernel::<Karatsuba, Avx512>("karatsuba-gf2-avx512"),
        lanes::kernel::<Sparse, Avx2>("sparse-gf2-avx2"),
        lanes::kernel::<Sparse, Avx512>("sparse-gf2-avx512"),
    ],
];
