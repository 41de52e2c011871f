//! A project outside finds the library by CMake, where it was installed for another place and moved.

use crate::build::{crate_folder, has, run};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const PROJECT: &str = "cmake_minimum_required(VERSION 3.16)
project(outside LANGUAGES C CXX)
foreach(version IN ITEMS 0.0.1 0.1 ${OURS} 0.1...<1 99 1.0 0.0.9...<${OURS})
  find_package(monpro ${version} CONFIG QUIET)
  message(STATUS \"asked for ${version}: ${monpro_FOUND}\")
endforeach()
find_package(monpro 0.1 CONFIG REQUIRED)
find_package(monpro CONFIG REQUIRED)
add_executable(by-shared main.c)
target_link_libraries(by-shared PRIVATE monpro::monpro)
add_executable(by-static main.cpp)
target_compile_features(by-static PRIVATE cxx_std_17)
target_link_libraries(by-static PRIVATE monpro::static)
";
const MAIN_C: &str = "#include <monpro.h>
#include <stdio.h>
int main(void) { return puts(monpro_version()) < 0; }
";
const MAIN_CPP: &str = "#include <cstdio>
#include <monpro.hpp>
int main() {
    const auto result = monpro::modexp(monpro::number(3), monpro::number(200), monpro::number(1000));
    return std::printf(\"%d\\n\", result.back()) < 0;
}
";

/// An installation that was made for one folder, and moved to another.
fn moved(folder: &Path) -> PathBuf {
    let stage = folder.join("stage");
    run(Command::new("make")
        .current_dir(crate_folder().join("../.."))
        .args(["--silent", "install-c", "CARGO_PROFILE=dev", "PREFIX=/usr/elsewhere"])
        .arg(format!("DESTDIR={}", stage.display())));
    let prefix = folder.join("moved here");
    fs::rename(stage.join("usr/elsewhere"), &prefix).expect("both are in one file system");
    prefix
}

#[test]
fn a_project_outside_finds_a_library_that_was_moved() {
    if !has("cmake") {
        return;
    }
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("outside");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("the folder can be made");
    let prefix = moved(&folder);
    for (name, text) in [("CMakeLists.txt", PROJECT), ("main.c", MAIN_C), ("main.cpp", MAIN_CPP)] {
        fs::write(folder.join(name), text).expect("the folder is there");
    }
    let version = env!("CARGO_PKG_VERSION");
    let said = run(Command::new("cmake")
        .current_dir(&folder)
        .args(["-S", ".", "-B", "build"])
        .arg(format!("-DOURS={version}"))
        .arg(format!("-DCMAKE_PREFIX_PATH={}", prefix.display())));
    for (asked, is_found) in [("0.0.1", 1), ("0.1", 1), (version, 1), ("0.1...<1", 1), ("99", 0), ("1.0", 0)]
    {
        assert!(said.contains(&format!("asked for {asked}: {is_found}\n")), "{asked}: {said}");
    }
    assert!(said.contains(&format!("asked for 0.0.9...<{version}: 0\n")), "{said}");
    run(Command::new("cmake").current_dir(&folder).args(["--build", "build"]));
    let told = |program: &str| run(&mut Command::new(folder.join("build").join(program)));
    assert_eq!((told("by-shared"), told("by-static")), (format!("{version}\n"), "1\n".to_owned()));
    // pkg-config finds the folders likewise.
    if has("pkg-config") {
        let mut asking = Command::new("pkg-config");
        asking.env("PKG_CONFIG_PATH", prefix.join("lib/pkgconfig")).args(["--variable=includedir", "monpro"]);
        let found = run(&mut asking).trim().replace("\\ ", " ");
        assert!(Path::new(&found).join("monpro.hpp").is_file(), "{found}");
    }
}
