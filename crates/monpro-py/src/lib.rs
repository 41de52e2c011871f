//! The module `monpro._native`: it converts between Python and the crate `monpro`, and does no arithmetic but Euclid's
//! algorithm on the numbers of num-bigint.
//!
//! Computations of more than a microsecond run without the GIL. Python integers may have any size; over GF(2)\[x\] bit i of an integer
//! is the coefficient of xⁱ.

mod array_field;
mod binary_field;
mod buffer;
mod columns;
mod convert;
mod diffie_hellman;
mod euclid;
mod fixed_base;
mod kernel;
mod lists;
mod long;
mod measure;
mod modulus;
mod number_theory;
mod residue;
mod rsa;

use pyo3::prelude::*;

#[pymodule(gil_used = false)]
mod _native {
    use super::{Bound, PyModule, PyModuleMethods, PyResult};

    #[pymodule_export]
    use super::array_field::PyArrayField;
    #[pymodule_export]
    use super::binary_field::{
        PyBinaryField, PyFieldElement, irreducible_poly, primitive_poly, restore_element, restore_field,
    };
    #[pymodule_export]
    use super::columns::{PyColumn, column_operations, column_statuses, compute_columns};
    #[pymodule_export]
    use super::diffie_hellman::{PyGroup, PyPrivateKey};
    #[pymodule_export]
    use super::fixed_base::PyFixedBase;
    #[pymodule_export]
    use super::kernel::{PyKernel, code_address, kernels, override_kernel};
    #[pymodule_export]
    use super::lists::{modexp, modexp_vartime, pow_list, powmod_base_list, powmod_exp_list, powmod_list};
    #[pymodule_export]
    use super::measure::{time_power, time_products};
    #[pymodule_export]
    use super::modulus::{PyModulus, pow};
    #[pymodule_export]
    use super::number_theory::{
        crt, gcd, gcdext, invert, is_prime, jacobi, kronecker, lcm, legendre, next_prime, prev_prime,
        sqrt_mod,
    };
    #[pymodule_export]
    use super::residue::PyResidue;
    #[pymodule_export]
    use super::rsa::columns::compute_rsa_private_columns;
    #[pymodule_export]
    use super::rsa::{
        PassphraseNeeded, PyRsaPrivateKey, PyRsaPrivateNumbers, PyRsaPublicKey, RandomSourceError,
        is_private_key,
    };

    /// CRC-32 over the Rust sources the module was built from, and the most bytes of a number in a column.
    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        let checksum: u32 = env!("MONPRO_SOURCE_CRC32").parse().expect("build.rs writes a number");
        module.add("MOST_COLUMN_BYTES", monpro::columns::MOST_OCTETS)?;
        module.add("SOURCE_CRC32", checksum)
    }
}
