//! The header for C++, compiled by two compilers as three versions of C++.

use crate::build::{CPP_WARNINGS, crate_folder, has, installed, run, shared};
use std::path::Path;
use std::process::Command;
use std::thread;

fn compiler(name: &str, standard: &str) -> Command {
    compiler_of("use_monpro.cpp", name, standard)
}

fn compiler_of(program: &str, name: &str, standard: &str) -> Command {
    let mut command = Command::new(name);
    command
        .arg(format!("-std={standard}"))
        .args(CPP_WARNINGS)
        .arg(crate_folder().join("tests").join(program))
        .arg(format!("-I{}", installed().join("include").display()));
    command
}

#[test]
fn a_cpp_program_uses_the_library() {
    if !has("g++") {
        return;
    }
    let program = Path::new(env!("CARGO_TARGET_TMPDIR")).join("use-monpro-cpp");
    run(compiler("g++", "c++17").args(["-g", "-o"]).arg(&program).args(shared()));
    run(&mut Command::new(program));
}

#[test]
fn threads_that_share_a_random_source_may_all_throw() {
    if !has("g++") {
        return;
    }
    let program = Path::new(env!("CARGO_TARGET_TMPDIR")).join("throwing-source");
    let mut compiler = compiler_of("throwing_source.cpp", "g++", "c++17");
    run(compiler.args(["-g", "-fsanitize=thread", "-o"]).arg(&program).args(shared()));
    run(&mut Command::new(program));
}

#[test]
#[ignore = "half a minute: two compilers and three versions of C++"]
fn both_compilers_take_the_header_as_every_version_of_cpp() {
    installed();
    thread::scope(|scope| {
        for (name, standards) in [("g++", &["c++20", "c++2b"][..]), ("clang++", &["c++17", "c++20", "c++2b"])]
        {
            scope.spawn(move || {
                for standard in standards.iter().filter(|_| has(name)) {
                    run(compiler(name, standard).arg("-fsyntax-only"));
                }
            });
        }
    });
}

#[test]
fn an_older_version_of_cpp_is_told_in_a_line() {
    if has("g++") {
        let output = compiler("g++", "c++14").arg("-fsyntax-only").output().expect("it runs");
        assert!(String::from_utf8_lossy(&output.stderr).contains("monpro.hpp needs C++17"));
    }
}
