//! Gives the module the checksum of its sources, from which the Python package recognises a stale build.

use std::path::{Path, PathBuf};
use std::{env, fs};

fn main() {
    // Asked for now: where builds share a target folder, this program may have been compiled for another tree.
    let here = env::var_os("CARGO_MANIFEST_DIR").expect("cargo tells where the crate is");
    let root = Path::new(&here).join("../..");
    let mut checksum = crc32fast::Hasher::new();
    for path in sources(&root) {
        let bytes = fs::read(root.join(&path)).unwrap_or_else(|error| panic!("cannot read {path}: {error}"));
        for part in [path.as_bytes(), &[0], &bytes, &[0]] {
            checksum.update(part);
        }
    }
    println!("cargo::rustc-env=MONPRO_SOURCE_CRC32={}", checksum.finalize());
    for watched in ["Cargo.toml", "Cargo.lock", "crates"] {
        println!("cargo::rerun-if-changed={}", root.join(watched).display());
    }
}

/// The Rust sources in the order of the checksum, as paths from the root with forward slashes.
fn sources(root: &Path) -> Vec<String> {
    let mut paths: Vec<String> = [
        "Cargo.toml",
        "Cargo.lock",
        "crates/monpro/Cargo.toml",
        "crates/monpro/build.rs",
        "crates/monpro-py/Cargo.toml",
        "crates/monpro-py/build.rs",
        "crates/monpro-rsa/Cargo.toml",
    ]
    .map(String::from)
    .into();
    for folder in ["crates/monpro/src", "crates/monpro-py/src", "crates/monpro-rsa/src"] {
        rust_files(root, PathBuf::from(folder), &mut paths);
    }
    paths.sort();
    paths
}

fn rust_files(root: &Path, folder: PathBuf, paths: &mut Vec<String>) {
    let entries = fs::read_dir(root.join(&folder)).expect("the source folders exist");
    for entry in entries.map(|entry| entry.expect("the source folders are readable")) {
        let path = folder.join(entry.file_name());
        if root.join(&path).is_dir() {
            rust_files(root, path, paths);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            paths.push(path.to_string_lossy().replace('\\', "/"));
        }
    }
}
