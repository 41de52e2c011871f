//! Walks every kernel, batches, byte interfaces, fields and groups with guarded memory, and compares the results.

mod allocator;
mod walk;

use allocator::{End, Guard, guard, read_beyond};
use std::os::unix::process::ExitStatusExt;
use std::process::{Command, ExitCode};

#[global_allocator]
static ALLOCATOR: Guard = Guard;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.first().map(String::as_str) {
        None => walk_both_ends(),
        Some("read-after-the-end") => ExitCode::from(read_beyond(End::Last) as u8),
        Some("read-before-the-beginning") => ExitCode::from(read_beyond(End::First) as u8),
        Some(other) => {
            eprintln!("page-guard: no check is called {other}: run it without arguments");
            ExitCode::from(2)
        }
    }
}

/// Shows that a mistake is found, then walks with each end of each block guarded.
fn walk_both_ends() -> ExitCode {
    for mistake in ["read-after-the-end", "read-before-the-beginning"] {
        if !ends_by_signal(mistake) {
            eprintln!("page-guard: a {mistake} of one word was not found: the guard does not work here");
            return ExitCode::FAILURE;
        }
    }
    for end in [End::Last, End::First] {
        guard(end);
        let cases = walk::everything();
        println!("page-guard: {end:?} byte of every block guarded: {cases} results, no access beyond");
    }
    ExitCode::SUCCESS
}

/// Whether this program, run with the deliberate mistake, ends by SIGSEGV.
fn ends_by_signal(mistake: &str) -> bool {
    let program = std::env::current_exe().expect("a program has a path");
    let status = Command::new(program).arg(mistake).status().expect("this program can be run");
    status.signal() == Some(libc::SIGSEGV)
}
