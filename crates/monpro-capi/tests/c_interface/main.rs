//! The committed header is the one that the sources give. C programs use the installed library, well and badly.

mod build;
mod cmake;
mod cpp;

use arithmetic::ring::RingName;
use build::{
    compiled, crate_folder, has, has_header, installed, linked_statically, make, on_a_small_stack,
    pkg_config, run, shared,
};
use std::collections::BTreeSet;
use std::env;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

/// Set to anything, it makes the test write the header.
const WRITE: &str = "MONPRO_WRITE_HEADER";

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
        run(&mut on_a_small_stack(&program, &[env!("CARGO_PKG_VERSION")]));
        for name in ["redc-fma", "cios-fma"] {
            if arithmetic::Kernel::by_name(name).is_ok_and(arithmetic::Kernel::is_available) {
                run(Command::new(&program).arg(env!("CARGO_PKG_VERSION")).env("MONPRO_KERNEL", name));
            }
        }
        let kernel = |name: &str| run(Command::new(&program).env("MONPRO_KERNEL", name));
        assert_eq!(kernel("fips"), "fips\n");
        assert!(kernel("nonsense").contains("MONPRO_KERNEL"));
        assert!(kernel("fips-gf2").contains("not over the integers"));
    }
}

#[test]
fn programs_use_every_function() {
    for source in ["use_algebra.c", "use_protocols.c"] {
        let program = compiled(source, source.trim_end_matches(".c"), &shared());
        run(&mut on_a_small_stack(&program, &[]));
    }
}

#[test]
fn hostile_calls_have_the_right_status_and_write_nothing_else() {
    for name in ["hostile", "hostile_handles"] {
        let source = format!("{name}.c");
        tell(run(&mut on_a_small_stack(&compiled(&source, name, &shared()), &[])));
        let mut words = linked_statically();
        words.extend(["-fsanitize=address,undefined", "-fno-sanitize-recover=all"].map(String::from));
        tell(run(&mut Command::new(compiled(&source, &format!("{name}-asan"), &words))));
    }
    in_valgrind("hostile", "1");
}

#[test]
#[ignore = "minutes: the calls with handles, in valgrind"]
fn hostile_calls_with_handles_leak_nothing() {
    in_valgrind("hostile_handles", "31");
}

/// Runs a program of hostile calls in valgrind, if it is installed, with one case of so many.
fn in_valgrind(name: &str, stride: &str) {
    if has("valgrind") {
        let program = compiled(&format!("{name}.c"), &format!("{name}-valgrind"), &shared());
        let mut command = Command::new("valgrind");
        command.args(["--quiet", "--error-exitcode=1", "--leak-check=full"]).arg(program).arg(stride);
        tell(run(&mut command));
    }
}

fn tell(output: String) {
    eprintln!("{}", output.trim());
}

#[test]
fn random_calls_agree_with_gmp_and_touch_no_other_byte() {
    if !has_header("gmp.h", "libgmp-dev") {
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
    let wrapped = ["malloc", "calloc", "realloc", "posix_memalign", "free", "pthread_create"];
    words.extend(wrapped.map(|name| format!("-Wl,--wrap={name}")));
    run(&mut on_a_small_stack(&compiled("no_memory.c", "no-memory", &words), &[]));
}

#[test]
fn a_stack_that_overflows_ends_the_program() {
    let source = Path::new(env!("CARGO_TARGET_TMPDIR")).join("overflow.c");
    fs::write(&source, "int main(void) { volatile char all[300 << 10]; return all[0] = 0; }\n")
        .expect("writable");
    let program = compiled(&source.display().to_string(), "overflow", &[]);
    run(&mut Command::new(&program));
    assert!(!on_a_small_stack(&program, &[]).status().expect("it starts").success());
}

#[test]
fn every_kernel_over_the_integers_takes_constant_time() {
    // So says the header about the kernels that monpro_modulus_new takes.
    let names = kernels_over_the_integers();
    assert!(names.len() >= 10 && names.iter().all(|name| !name.ends_with("_vartime")), "{names:?}");
}

fn kernels_over_the_integers() -> Vec<&'static str> {
    let integers = arithmetic::KERNELS.iter().filter(|kernel| kernel.ring == RingName::Integers);
    integers.map(|kernel| kernel.name).collect()
}

#[test]
fn no_branch_and_no_address_of_a_power_depends_on_its_base_or_its_exponent() {
    // In this build the kernels in floating point have assertions, which branch; `make constant-time` follows these kernels.
    let kernels = kernels_over_the_integers().into_iter().filter(|name| !name.ends_with("-fma"));
    if has("valgrind") && has_header("valgrind/memcheck.h", "valgrind") {
        let program = compiled("secrets.c", "secrets", &shared());
        tell(run(Command::new("valgrind").arg("--quiet").arg(program).args(kernels)));
    }
}

/// The functions of the version script, each with the version in which it came.
fn versions() -> BTreeSet<String> {
    let script = fs::read_to_string(crate_folder().join("monpro.map")).expect("it is committed");
    let mut node = String::new();
    let mut versions = BTreeSet::new();
    for line in script.lines() {
        match line.trim().strip_suffix([';', '{']).map(str::trim) {
            Some(name) if line.ends_with('{') => node = name.to_owned(),
            Some(name) if name.starts_with("monpro_") => {
                versions.insert(format!("{name}@@{node}"));
            }
            _ => {}
        }
    }
    versions
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
    let exported: BTreeSet<String> = exported
        .lines()
        .filter_map(|line| line.rsplit(' ').next())
        .filter(|name| name.starts_with("monpro_"))
        .map(String::from)
        .collect();
    assert_eq!(exported, versions());
    let names: BTreeSet<&str> = exported.iter().filter_map(|name| Some(name.split_once('@')?.0)).collect();
    assert_eq!(names, declared);
    // What programs that are linked ask for stays where it is.
    let first = exported.iter().filter(|name| name.ends_with("@@MONPRO_0")).count();
    assert_eq!((first, declared.len() > 80), (10, true), "{declared:?}");
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
    for folder in ["lib", "include"] {
        let left = fs::read_dir(prefix.join(folder)).expect("a folder that programs share stays");
        let left: Vec<_> = left.map(|entry| entry.expect("readable").path()).collect();
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
