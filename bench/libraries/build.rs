//! Passes on where aws-lc-sys has put AWS-LC, and the machine that OpenSSL is compiled on and for.

use std::env;

fn main() {
    let variables = [
        ("DEP_AWS_LC_0_47_0_INCLUDE", "AWS_LC_HEADERS"),
        ("DEP_AWS_LC_0_47_0_LIBCRYPTO_PATH", "AWS_LC_LIBRARY"),
        ("HOST", "HOST"),
        ("TARGET", "TARGET"),
    ];
    for (variable, name) in variables {
        let value = env::var(variable).expect("cargo and the build script of aws-lc-sys set it");
        println!("cargo:rustc-env={name}={value}");
    }
}
