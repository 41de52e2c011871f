//! The libraries in C and Go that race over the integers.

use crate::peers::Peer;

pub const OPENSSL: &str = "OpenSSL";

/// The folders into which GMP was installed from its sources, separated by colons.
const GMP_PREFIXES: &str = "MONPRO_GMP_PREFIXES";

/// Every installed library; prints a line about each missing one.
pub fn find() -> Vec<Peer> {
    let openssl = Peer::find_packaged(OPENSSL, "BN", "integers/openssl.c", &["-lcrypto"]);
    let go = Peer::find_packaged("Go math/big", "Exp", "integers/math_big.go", &[]);
    openssl.into_iter().chain(gmp_builds()).chain(go).collect()
}

/// GMP as the distribution packages it, and the builds that are named.
pub fn gmp_builds() -> Vec<Peer> {
    let packaged = Peer::find_packaged("GMP as packaged", "packaged", "integers/gmp.c", &["-lgmp"]);
    let built = Peer::find_built("GMP", GMP_PREFIXES, "integers/gmp.c", &["-lgmp"]);
    packaged.into_iter().chain(built).collect()
}
