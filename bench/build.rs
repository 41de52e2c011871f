//! Records in the program which compiler built it.

use std::env;
use std::process::Command;

fn main() {
    let rustc = env::var("RUSTC").expect("cargo names the compiler");
    let output = Command::new(rustc).arg("--version").output().expect("the compiler runs");
    let version = String::from_utf8(output.stdout).expect("the version is text");
    println!("cargo::rustc-env=BENCH_RUSTC={}", version.trim());
    println!("cargo::rerun-if-changed=build.rs");
}
