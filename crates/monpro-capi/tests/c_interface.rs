//! The committed header is the one that the sources give, and a C program built by pkg-config uses the
//! installed library.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Set to anything, it makes the test write the header.
const WRITE: &str = "MONPRO_WRITE_HEADER";

fn crate_folder() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn run(command: &mut Command) -> String {
    let shown = format!("{command:?}");
    let output = command.output().unwrap_or_else(|error| panic!("{shown}: {error}"));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{shown}\n{said}");
    String::from_utf8(output.stdout).expect("text")
}

#[test]
fn the_header_is_that_of_the_sources() {
    let path = crate_folder().join("include/monpro.h");
    let mut header = Vec::new();
    cbindgen::generate(crate_folder()).expect("cbindgen reads the sources").write(&mut header);
    let header = String::from_utf8(header).expect("text");
    if env::var_os(WRITE).is_some() {
        fs::write(&path, &header).expect("the folder is there");
    }
    let committed = fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(committed, header, "run `{WRITE}=1 cargo test --package monpro-capi`");
}

#[test]
fn a_c_program_uses_the_installed_library() {
    let prefix = Path::new(env!("CARGO_TARGET_TMPDIR")).join("prefix");
    let root = crate_folder().join("../..");
    run(Command::new("make")
        .current_dir(&root)
        .args(["--silent", "install-c", "CARGO_PROFILE=dev"])
        .arg(format!("PREFIX={}", prefix.display())));
    let flags = match Command::new("pkg-config").arg("--version").output() {
        Ok(_) => run(Command::new("pkg-config")
            .env("PKG_CONFIG_PATH", prefix.join("lib/pkgconfig"))
            .args(["--cflags", "--libs", "monpro"])),
        Err(_) => {
            assert_ne!(env::var("STRICT").as_deref(), Ok("1"), "apt-get install pkg-config");
            eprintln!("pkg-config is not installed: monpro.pc is not tested");
            format!("-I{0}/include -L{0}/lib -lmonpro", prefix.display())
        }
    };
    let library = prefix.join("lib");
    for (name, linkage) in [
        ("shared", vec![format!("-Wl,-rpath,{}", library.display())]),
        ("static", ["-lpthread", "-ldl", "-lm"].map(String::from).to_vec()),
    ] {
        let program: PathBuf = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        let words = flags.split_whitespace().map(|flag| match (flag, name) {
            ("-lmonpro", "static") => library.join("libmonpro.a").display().to_string(),
            _ => flag.to_string(),
        });
        run(Command::new("cc")
            .args(["-std=c99", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-o"])
            .arg(&program)
            .arg(crate_folder().join("tests/use_monpro.c"))
            .args(words)
            .args(linkage));
        run(Command::new(&program).arg(env!("CARGO_PKG_VERSION")));
        assert_eq!(run(Command::new(&program).env("MONPRO_KERNEL", "fips")), "fips\n");
        assert!(run(Command::new(&program).env("MONPRO_KERNEL", "nonsense")).contains("MONPRO_KERNEL"));
    }
}
