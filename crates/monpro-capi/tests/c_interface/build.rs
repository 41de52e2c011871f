//! The library as it is installed, and programs that use it.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

pub(crate) fn crate_folder() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

pub(crate) fn run(command: &mut Command) -> String {
    let shown = format!("{command:?}");
    let output = command.output().unwrap_or_else(|error| panic!("{shown}: {error}"));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{shown}\n{said}");
    String::from_utf8(output.stdout).expect("text")
}

/// Below `target`: the library as `make install-c` installs it. Tests of one program make it once.
pub(crate) fn installed() -> &'static Path {
    static PREFIX: OnceLock<PathBuf> = OnceLock::new();
    PREFIX.get_or_init(|| {
        let prefix = Path::new(env!("CARGO_TARGET_TMPDIR")).join("prefix");
        make("install-c", &prefix);
        prefix
    })
}

pub(crate) fn make(target: &str, prefix: &Path) {
    run(Command::new("make")
        .current_dir(crate_folder().join("../.."))
        .args(["--silent", target, "CARGO_PROFILE=dev"])
        .arg(format!("PREFIX={}", prefix.display())));
}

/// Whether the program is there; if not, its tests are left out with a line, or fail where everything must be there.
pub(crate) fn has(program: &str) -> bool {
    let is_there = Command::new(program).arg("--version").output().is_ok();
    assert!(is_there || env::var("STRICT").as_deref() != Ok("1"), "apt-get install {program}");
    if !is_there {
        eprintln!("{program} is not installed: what it shows is not tested");
    }
    is_there
}

/// Whether C programs can include a header, which is in a package of this name.
pub(crate) fn has_header(header: &str, package: &str) -> bool {
    let read = Command::new("cc").args(["-E", "-include", header, "-x", "c", "/dev/null"]).output();
    let is_there = read.is_ok_and(|output| output.status.success());
    assert!(is_there || env::var("STRICT").as_deref() != Ok("1"), "apt-get install {package}");
    if !is_there {
        eprintln!("{header} is not installed: what it shows is not tested");
    }
    is_there
}

/// Compiles a C program of this folder; `library` are the words that link the library.
pub(crate) fn compiled(source: &str, name: &str, library: &[String]) -> PathBuf {
    let program = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    run(Command::new("cc")
        .args(["-std=c99", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-g", "-o"])
        .arg(&program)
        .arg(crate_folder().join("tests").join(source))
        .arg(format!("-I{}", installed().join("include").display()))
        .args(library)
        // The program's own: fesetround.
        .arg("-lm"));
    program
}

pub(crate) fn shared() -> Vec<String> {
    let folder = installed().join("lib");
    vec![
        format!("-L{}", folder.display()),
        "-lmonpro".into(),
        format!("-Wl,-rpath,{}", folder.display()),
        "-lpthread".into(),
    ]
}

pub(crate) fn linked_statically() -> Vec<String> {
    let mut words = vec![installed().join("lib/libmonpro.a").display().to_string()];
    words.extend(["-lpthread", "-ldl", "-lm"].map(String::from));
    words
}

/// The flags under which what we install must be free of warnings.
pub(crate) const CPP_WARNINGS: [&str; 6] =
    ["-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wshadow", "-Werror"];

/// A command that runs the program on a stack of 256 KiB, with these words. An overflow ends it by a signal.
pub(crate) fn on_a_small_stack(program: &Path, words: &[&str]) -> Command {
    let mut command = Command::new("sh");
    command.args(["-c", "ulimit -s 256 && exec \"$0\" \"$@\""]).arg(program).args(words);
    command
}

/// What pkg-config says about the installed library.
pub(crate) fn pkg_config(arguments: &[&str]) -> Vec<String> {
    let folder = installed().join("lib/pkgconfig");
    let said = run(Command::new("pkg-config").env("PKG_CONFIG_PATH", folder).args(arguments).arg("monpro"));
    said.split_whitespace().map(String::from).collect()
}
