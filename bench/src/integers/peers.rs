//! The libraries in C and Go that race over the integers.

use crate::peers::Peer;
use std::path::Path;

/// The builds of OpenSSL, the newest first.
pub const OPENSSL: [&str; 2] = ["OpenSSL", "OpenSSL as packaged"];

/// Where `make bench-libraries` puts OpenSSL and AWS-LC.
const LIBRARIES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/target/libraries");

/// The folders into which GMP was installed from its sources, separated by colons.
const GMP_PREFIXES: &str = "MONPRO_GMP_PREFIXES";

/// Every installed library; prints a line about each missing one.
pub fn find() -> Vec<Peer> {
    let [newest, packaged] = OPENSSL;
    let openssl = built(newest, "openssl");
    let packaged = Peer::find_packaged(packaged, "BN", "integers/openssl.c", &["-lcrypto"]);
    let aws_lc = built("AWS-LC", "aws-lc");
    let go = Peer::find_packaged("Go math/big", "Exp", "integers/math_big.go", &[]);
    openssl.into_iter().chain(packaged).chain(aws_lc).chain(gmp_builds()).chain(go).collect()
}

/// The library in this folder; None, and a line that says why, if it was not built.
fn built(library: &'static str, folder: &str) -> Option<Peer> {
    let folder = Path::new(LIBRARIES).join(folder);
    let archive = folder.join("lib/libcrypto.a");
    if !archive.is_file() {
        eprintln!("NOT RACED: {library}, the newest: `make bench-libraries` builds it, in minutes");
        return None;
    }
    let flags = [
        format!("-I{}", folder.join("include").display()),
        archive.display().to_string(),
        "-lpthread".to_owned(),
        "-ldl".to_owned(),
    ];
    Peer::find(library, "BN", "integers/openssl.c", &flags)
}

/// GMP as the distribution packages it, and the builds that are named.
pub fn gmp_builds() -> Vec<Peer> {
    let packaged = Peer::find_packaged("GMP as packaged", "packaged", "integers/gmp.c", &["-lgmp"]);
    let built = Peer::find_built("GMP", GMP_PREFIXES, "integers/gmp.c", &["-lgmp"]);
    packaged.into_iter().chain(built).collect()
}
