//! Takes the tests of MODEXP out of the sources of revm-precompile that cargo has fetched.

use serde_json::Value;
use std::path::PathBuf;
use std::process::Command;
use std::{env, fs};

fn main() {
    let source = folder().join("src/modexp.rs");
    println!("cargo:rerun-if-changed={}", source.display());
    let text = fs::read_to_string(&source).expect("cargo has fetched the sources");
    let start = text.find("#[cfg(test)]\nmod tests {").expect("the tests are the last module of the file");
    let target = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets it")).join("tests.rs");
    fs::write(target, &text[start..]).expect("the folder is there");
}

/// The folder of revm-precompile.
fn folder() -> PathBuf {
    let cargo = env::var_os("CARGO").expect("cargo sets it");
    let asked = ["metadata", "--format-version=1", "--locked", "--offline"];
    let told = Command::new(cargo).args(asked).output().expect("cargo runs");
    let metadata: Value = serde_json::from_slice(&told.stdout).expect("cargo writes JSON");
    let packages = metadata["packages"].as_array().expect("a list of packages");
    let manifest = packages.iter().find(|package| package["name"] == "revm-precompile");
    let manifest =
        manifest.and_then(|package| package["manifest_path"].as_str()).expect("a dependency of this crate");
    PathBuf::from(manifest).parent().expect("a file is in a folder").to_owned()
}
