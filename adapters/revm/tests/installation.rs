//! A provider is installed once, and replaces MODEXP alone.

use monpro_revm::{AlreadyInstalled, install, install_with};
use revm_precompile::{Crypto, PrecompileHalt, crypto};

/// A provider with a SHA-256 and a MODEXP that nobody else has.
#[derive(Debug)]
struct Odd;

impl Crypto for Odd {
    fn sha256(&self, _input: &[u8]) -> [u8; 32] {
        [7; 32]
    }

    fn modexp(&self, _base: &[u8], _exponent: &[u8], _modulus: &[u8]) -> Result<Vec<u8>, PrecompileHalt> {
        Err(PrecompileHalt::OutOfGas)
    }
}

#[test]
fn a_provider_keeps_all_but_modexp_and_is_installed_once() {
    install_with(Odd).expect("nothing was installed before");
    assert_eq!(crypto().sha256(b"abc"), [7; 32]);
    assert_eq!(crypto().modexp(&[3], &[200], &[0, 0x03, 0xe9]).as_deref(), Ok([0, 0, 100].as_slice()));

    assert_eq!(install(), Err(AlreadyInstalled));
    assert!(AlreadyInstalled.to_string().contains("before the first call"));
    assert_eq!(crypto().sha256(b"abc"), [7; 32], "the first stays");
}
