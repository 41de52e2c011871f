//! The committed header is the one that the sources give. C programs use the installed library, well and badly.

use arithmetic::ring::RingName;
use std::collections::BTreeSet;
use std::env;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

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

/// Below `target`: the library as `make install-c` installs it. Tests of one program make it once.
fn installed() -> &'static Path {
    static PREFIX: OnceLock<PathBuf> = OnceLock::new();
    PREFIX.get_or_init(|| {
        let prefix = Path::new(env!("CARGO_TARGET_TMPDIR")).join("prefix");
        make("install-c", &prefix);
        prefix
    })
}

fn make(target: &str, prefix: &Path) {
    run(Command::new("make")
        .current_dir(crate_folder().join("../.."))
        .args(["--silent", target, "CARGO_PROFILE=dev"])
        .arg(format!("PREFIX={}", prefix.display())));
}

/// Whether the program is there; if not, its tests are left out with a line, or fail where everything must be there.
fn has(program: &str) -> bool {
    let is_there = Command::new(program).arg("--version").output().is_ok();
    assert!(is_there || env::var("STRICT").as_deref() != Ok("1"), "apt-get install {program}");
    if !is_there {
        eprintln!("{program} is not installed: what it shows is not tested");
    }
    is_there
}

/// Compiles a C program of this folder; `library` are the words that link the library.
fn compiled(source: &str, name: &str, library: &[String]) -> PathBuf {
    let program = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    run(Command::new("cc")
        .args(["-std=c99", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-g", "-o"])
        .arg(&program)
        .arg(crate_folder().join("tests").join(source))
        .arg(format!("-I{}", installed().join("include").display()))
        .args(library));
    program
}

fn shared() -> Vec<String> {
    let folder = installed().join("lib");
    vec![
        format!("-L{}", folder.display()),
        "-lmonpro".into(),
        format!("-Wl,-rpath,{}", folder.display()),
        "-lpthread".into(),
    ]
}

fn linked_statically() -> Vec<String> {
    let mut words = vec![installed().join("lib/libmonpro.a").display().to_string()];
    words.extend(["-lpthread", "-ldl", "-lm"].map(String::from));
    words
}

/// What pkg-config says about the installed library.
fn pkg_config(arguments: &[&str]) -> Vec<String> {
    let folder = installed().join("lib/pkgconfig");
    let said = run(Command::new("pkg-config").env("PKG_CONFIG_PATH", folder).args(arguments).arg("monpro"));
    said.split_whitespace().map(String::from).collect()
}

#[test]
fn a_c_program_uses_the_installed_library() {
    let mut linkages = vec![("shared", shared()), ("static", linked_statically())];
    if has("pkg-config") {
        assert_eq!(pkg_config(&["--modversion"]), [env!("CARGO_PKG_VERSION")]);
        let mut words = pkg_config(&["--cflags", "--libs"]);
        words.push(format!("-Wl,-rpath,{}", installed().join("lib").display()));
        linkages.push(("by-pkg-config", words));
        let words = pkg_config(&["--static", "--cflags", "--libs"]);
        let no_shared = |word: String| if word == "-lmonpro" { "-l:libmonpro.a".into() } else { word };
        linkages.push(("static-by-pkg-config", words.into_iter().map(no_shared).collect()));
    }
    for (name, words) in linkages {
        let program = compiled("use_monpro.c", name, &words);
        run(Command::new(&program).arg(env!("CARGO_PKG_VERSION")));
        let kernel = |name: &str| run(Command::new(&program).env("MONPRO_KERNEL", name));
        assert_eq!(kernel("fips"), "fips\n");
        assert!(kernel("nonsense").contains("MONPRO_KERNEL"));
        assert!(kernel("fips-gf2").contains("not over the integers"));
    }
}

#[test]
fn hostile_calls_have_the_right_status_and_write_nothing_else() {
    let tell = |output: String| eprintln!("{}", output.trim());
    let program = compiled("hostile.c", "hostile", &shared());
    tell(run(&mut Command::new(&program)));
    if has("valgrind") {
        tell(run(Command::new("valgrind")
            .args(["--quiet", "--error-exitcode=1", "--leak-check=full"])
            .arg(&program)));
    }
    let mut words = linked_statically();
    words.extend(["-fsanitize=address,undefined", "-fno-sanitize-recover=all"].map(String::from));
    tell(run(&mut Command::new(compiled("hostile.c", "hostile-asan", &words))));
}

#[test]
fn random_calls_agree_with_gmp_and_touch_no_other_byte() {
    let gmp = Command::new("cc").args(["-E", "-include", "gmp.h", "-x", "c", "/dev/null"]).output();
    if !gmp.is_ok_and(|output| output.status.success()) {
        assert_ne!(env::var("STRICT").as_deref(), Ok("1"), "apt-get install libgmp-dev");
        eprintln!("the headers of GMP are not installed: random calls are not tested");
        return;
    }
    let mut words = linked_statically();
    words.extend(["-lgmp", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"].map(String::from));
    let program = compiled("../../../fuzz/c_interface.c", "random-calls", &words);
    let said = run(Command::new(program).args(["3", "1"]));
    assert!(said.contains(" cases"), "{said}");
}

#[test]
fn a_computation_asks_for_its_memory_before_it_begins() {
    let mut words = linked_statically();
    words.push("-Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=posix_memalign,--wrap=free".into());
    run(&mut Command::new(compiled("no_memory.c", "no-memory", &words)));
}

#[test]
fn every_kernel_over_the_integers_takes_constant_time() {
    // So says the header about the kernels that monpro_modulus_new takes.
    let integers = arithmetic::KERNELS.iter().filter(|kernel| kernel.ring == RingName::Integers);
    let names: Vec<&str> = integers.map(|kernel| kernel.name).collect();
    assert!(names.len() >= 10 && names.iter().all(|name| !name.ends_with("_vartime")), "{names:?}");
}

#[test]
fn the_shared_library_exports_the_functions_of_the_header_with_versions() {
    let header = fs::read_to_string(installed().join("include/monpro.h")).expect("it is installed");
    let declared: BTreeSet<&str> = header
        .lines()
        .filter(|line| line.ends_with(");") || line.ends_with(','))
        .filter_map(|line| line.split_once('(')?.0.rsplit([' ', '*']).next())
        .filter(|name| name.starts_with("monpro_"))
        .collect();
    let library = installed().join("lib").join("libmonpro.so");
    let exported = run(Command::new("nm").args(["-D", "--defined-only"]).arg(&library));
    let exported: BTreeSet<&str> = exported
        .lines()
        .filter_map(|line| line.rsplit(' ').next())
        .filter(|&name| name != "MONPRO_0")
        .collect();
    let wanted: Vec<String> = declared.iter().map(|name| format!("{name}@@MONPRO_0")).collect();
    assert!(declared.len() >= 10, "{declared:?}");
    assert_eq!(exported.into_iter().collect::<Vec<_>>(), wanted);
    let dynamic = run(Command::new("readelf").arg("-d").arg(&library));
    assert!(dynamic.contains("soname: [libmonpro.so.0]"), "{dynamic}");
}

#[test]
fn a_program_runs_without_what_only_its_build_needs() {
    let prefix = Path::new(env!("CARGO_TARGET_TMPDIR")).join("for-running");
    make("install-c", &prefix);
    let folder = prefix.join("lib");
    let words = [
        "-L".to_string() + &folder.display().to_string(),
        "-lmonpro".into(),
        format!("-Wl,-rpath,{}", folder.display()),
    ];
    let program = compiled("use_monpro.c", "for-running-program", &words);
    // The links lead from the name for linking to the name in programs to the file.
    let version = format!("libmonpro.so.{}", env!("CARGO_PKG_VERSION"));
    assert_eq!(fs::read_link(folder.join("libmonpro.so.0")).expect("a link"), Path::new(&version));
    fs::remove_file(folder.join("libmonpro.so")).expect("a link");
    run(Command::new(&program).arg(env!("CARGO_PKG_VERSION")));
    make("uninstall-c", &prefix);
    for folder in ["lib", "include", "lib/pkgconfig"] {
        let left = fs::read_dir(prefix.join(folder)).expect("the folder stays");
        let left: Vec<_> =
            left.map(|entry| entry.expect("readable").path()).filter(|path| !path.is_dir()).collect();
        assert!(left.is_empty(), "{left:?}");
    }
}

#[test]
fn the_environment_does_not_steer_a_set_user_id_program() {
    let program = compiled("use_monpro.c", "set-user-id", &linked_statically());
    let kernel = |program: &Path| run(Command::new(program).env("MONPRO_KERNEL", "nonsense"));
    assert!(kernel(&program).contains("MONPRO_KERNEL"));
    // The user `nobody` of most systems; any other than the one who runs the test would do.
    if std::os::unix::fs::chown(&program, Some(65534), None).is_err() {
        assert_ne!(env::var("STRICT").as_deref(), Ok("1"), "only root can give a program to another user");
        eprintln!("not run by root: set-user-ID programs are not tested");
        return;
    }
    fs::set_permissions(&program, fs::Permissions::from_mode(0o4755)).expect("root may");
    let told = kernel(&program);
    assert!(arithmetic::Kernel::by_name(told.trim()).is_ok(), "{told}");
}
