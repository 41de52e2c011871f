//! The tests of MODEXP that revm-precompile brings, vectors included, as its sources have them. monpro is installed
//! before the first call.

#![cfg(test)]

use revm_precompile::modexp as contract;
use revm_precompile::primitives::{self, Bytes, U256};
use revm_precompile::{EthPrecompileResult, PrecompileHalt};
use std::sync::OnceLock;

/// Installs monpro once; this fails where another provider is in use.
fn installed() {
    static INSTALLED: OnceLock<()> = OnceLock::new();
    INSTALLED.get_or_init(|| monpro_revm::install().expect("nothing was called before"));
}

/// The contract of a fork, by the name that the tests call.
macro_rules! contracts {
    ($($name:ident)*) => {$(
        fn $name(input: &[u8], gas_limit: u64) -> EthPrecompileResult {
            installed();
            contract::$name(input, gas_limit)
        }
    )*};
}
contracts!(byzantium_run berlin_run osaka_run);

include!(concat!(env!("OUT_DIR"), "/tests.rs"));
