//! MODEXP of [revm](https://docs.rs/revm) by monpro.
//!
//! revm asks one global provider, a [`Crypto`], for the arithmetic of its precompiled contracts. [`Monpro`] answers
//! MODEXP by [`monpro::modexp_vartime`] and everything else as revm does. [`MonproWith`] leaves everything else to a
//! provider of yours. The first call of any contract fixes the provider for the life of the process, so the first line
//! of `main` is the place for:
//!
//! ```
//! fn main() -> Result<(), monpro_revm::AlreadyInstalled> {
//!     monpro_revm::install()?;
//!     // …
//! #   Ok(())
//! }
//! ```
//!
//! The gas of a call, the bounds on its lengths and the padding are revm's. The numbers of a chain are public, and the
//! time depends on them.

use core::error::Error;
use core::fmt;
use revm_precompile::bls12_381::{G1Point, G1PointScalar, G2Point, G2PointScalar};
use revm_precompile::{Crypto, DefaultCrypto, PrecompileHalt, install_crypto};

/// The provider whose MODEXP is monpro's, and whose other functions are the defaults of revm.
pub type Monpro = MonproWith<DefaultCrypto>;

/// Installs [`Monpro`] for the whole process.
///
/// # Errors
/// [`AlreadyInstalled`].
pub fn install() -> Result<(), AlreadyInstalled> {
    install_with(DefaultCrypto)
}

/// Installs [`MonproWith`] the provider for the whole process.
///
/// # Errors
/// [`AlreadyInstalled`].
pub fn install_with<C: Crypto + 'static>(provider: C) -> Result<(), AlreadyInstalled> {
    match install_crypto(MonproWith(provider)) {
        true => Ok(()),
        false => Err(AlreadyInstalled),
    }
}

/// The process has a provider already: another one was installed, or a contract was called before. It stays in use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AlreadyInstalled;

impl fmt::Display for AlreadyInstalled {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("revm has a provider of cryptography already: install monpro's before the first call of a contract")
    }
}

impl Error for AlreadyInstalled {}

/// A provider whose MODEXP is monpro's; all else is done by the provider inside.
#[derive(Clone, Copy, Debug, Default)]
pub struct MonproWith<C>(pub C);

/// Hands calls on to the provider inside.
macro_rules! handed_on {
    ($(fn $name:ident($($argument:ident: $kind:ty),*) $(-> $result:ty)?;)*) => {$(
        #[inline]
        fn $name(&self, $($argument: $kind),*) $(-> $result)? {
            self.0.$name($($argument),*)
        }
    )*};
}

type Halting<T> = Result<T, PrecompileHalt>;

impl<C: Crypto> Crypto for MonproWith<C> {
    /// base^exponent mod modulus, as long as the modulus; 0⁰ is 1 mod n, and modulo 0 the result is 0.
    fn modexp(&self, base: &[u8], exponent: &[u8], modulus: &[u8]) -> Halting<Vec<u8>> {
        Ok(monpro::modexp_vartime(base, exponent, modulus))
    }

    handed_on! {
        fn sha256(input: &[u8]) -> [u8; 32];
        fn ripemd160(input: &[u8]) -> [u8; 32];
        fn bn254_g1_add(p1: &[u8], p2: &[u8]) -> Halting<[u8; 64]>;
        fn bn254_g1_mul(point: &[u8], scalar: &[u8]) -> Halting<[u8; 64]>;
        fn bn254_pairing_check(pairs: &[(&[u8], &[u8])]) -> Halting<bool>;
        fn secp256k1_ecrecover(sig: &[u8; 64], recid: u8, msg: &[u8; 32]) -> Halting<[u8; 32]>;
        fn blake2_compress(rounds: u32, h: &mut [u64; 8], m: &[u64; 16], t: &[u64; 2], f: bool);
        fn secp256r1_verify_signature(msg: &[u8; 32], sig: &[u8; 64], pk: &[u8; 64]) -> bool;
        fn verify_kzg_proof(z: &[u8; 32], y: &[u8; 32], commitment: &[u8; 48], proof: &[u8; 48]) -> Halting<()>;
        fn bls12_381_g1_add(a: G1Point, b: G1Point) -> Halting<[u8; 96]>;
        fn bls12_381_g1_msm(pairs: &mut dyn Iterator<Item = Halting<G1PointScalar>>) -> Halting<[u8; 96]>;
        fn bls12_381_g2_add(a: G2Point, b: G2Point) -> Halting<[u8; 192]>;
        fn bls12_381_g2_msm(pairs: &mut dyn Iterator<Item = Halting<G2PointScalar>>) -> Halting<[u8; 192]>;
        fn bls12_381_pairing_check(pairs: &[(G1Point, G2Point)]) -> Halting<bool>;
        fn bls12_381_fp_to_g1(fp: &[u8; 48]) -> Halting<[u8; 96]>;
        fn bls12_381_fp2_to_g2(fp2: ([u8; 48], [u8; 48])) -> Halting<[u8; 192]>;
    }
}
