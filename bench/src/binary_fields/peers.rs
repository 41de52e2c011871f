//! The libraries in C and C++ that race over GF(2^k), and the measurement of the multiplier itself.

use crate::peers::{self, Peer};
use std::process::Command;

/// The folders into which NTL was installed from its sources, separated by colons.
const NTL_PREFIXES: &str = "MONPRO_NTL_PREFIXES";

/// Every installed library; prints a line about each missing one.
pub fn find() -> Vec<Peer> {
    let ntl = Peer::find_packaged("NTL as packaged", "packaged", "gf2/ntl.cpp", &["-lntl", "-lgmp", "-lm"]);
    let built = Peer::find_built("NTL", NTL_PREFIXES, "gf2/ntl.cpp", &["-lntl", "-lgf2x", "-lgmp", "-lm"]);
    let openssl = Peer::find_packaged("OpenSSL", "BN_GF2m", "gf2/openssl.c", &["-lcrypto"]);
    ntl.into_iter().chain(built).chain(openssl).collect()
}

/// The least time of one product of 64 by 64 bits on this CPU; None if the CPU has no instruction for it.
pub fn measure_product_ns() -> Option<f64> {
    let program = peers::compile("port.c", "port", &[]).ok()?;
    peers::output(Command::new(program)).ok()?.trim().parse().ok()
}
