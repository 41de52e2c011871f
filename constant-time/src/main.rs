//! Checks that monpro's time and addresses do not depend on secrets, and that it erases them; `--help`
//! explains the use.

mod c_interface;
mod columns;
mod erasure;
mod findings;
mod fixed;
mod functions;
mod key_exchange;
mod keys;
mod memcheck;
mod rsa;
mod secrets;
mod subject;
mod subjects;
mod timing;
mod trace;
mod verdicts;

use findings::{Check, Findings};
use std::process::ExitCode;
use std::thread;

#[global_allocator]
static ALLOCATOR: erasure::Watchful = erasure::Watchful;

const HELP: &str = "\
Checks every kernel that this CPU runs, and the exponentiation around it, four ways:

  memcheck    Valgrind follows the secrets into branches and addresses; it knows no AVX-512
  trace       runs with different secrets execute the same instructions at the same addresses
  timing      runs with different secrets take the same time, by statistics
  erasure     memory is given back without secrets in it

usage: cargo run --release --manifest-path constant-time/Cargo.toml -- [--full] [--only=TEXT] [memcheck] [trace] [timing] [erasure]

Without a name all are done, on every subject, or on those with the text in their name. A trace is of sizes up to 600 bits
and two secrets; --full traces all sizes, for hours, and four secrets where runs are short, and times for longer. Each check
must also find out a subject that is bad on purpose. Exit status: 0 all right, 1 a check failed or cannot be done here, 2 bad
input.
";

/// What is to be done.
struct Chosen {
    checks: Vec<Check>,
    is_full: bool,
    /// What the names of the subjects contain.
    part: String,
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let ended = match arguments.first().map(String::as_str) {
        Some(memcheck::CHILD) => {
            memcheck::run_child(&arguments[1..]);
            Ok(true)
        }
        Some(trace::CHILD) => trace::run_child(&arguments[1..]).map(|()| true),
        Some("--help" | "-h") => {
            print!("{HELP}");
            Ok(true)
        }
        _ => match parse(&arguments) {
            Ok(chosen) => run(&chosen),
            Err(complaint) => {
                eprintln!("constant-time: {complaint}; --help lists the checks");
                return ExitCode::from(2);
            }
        },
    };
    match ended {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(complaint) => {
            eprintln!("constant-time: {complaint}");
            ExitCode::FAILURE
        }
    }
}

/// The checks named, or else all that can be done here.
fn parse(arguments: &[String]) -> Result<Chosen, String> {
    let (mut checks, mut is_full, mut part) = (Vec::new(), false, String::new());
    for argument in arguments {
        let named = Check::ALL.into_iter().find(|check| check.name() == argument);
        match (named, argument.strip_prefix("--only=")) {
            (Some(check), _) => checks.push(check),
            (None, Some(text)) => text.clone_into(&mut part),
            (None, None) if argument == "--full" => is_full = true,
            (None, None) => return Err(format!("there is no check {argument:?}")),
        }
    }
    if checks.is_empty() {
        checks = Check::ALL.to_vec();
        if !memcheck::is_possible() {
            eprintln!("NOT CHECKED: memcheck: Valgrind is not installed (apt-get install valgrind)");
            checks.retain(|&check| check != Check::Memcheck);
        }
    }
    Ok(Chosen { checks, is_full, part })
}

/// Does the checks and prints what they found. Returns whether all is well.
fn run(chosen: &Chosen) -> Result<bool, String> {
    let Chosen { checks, is_full, part } = chosen;
    let mut findings = Findings::default();
    // These two run other processes: one of them on each of two cores.
    let (memcheck, trace) = thread::scope(|scope| {
        let memcheck = scope.spawn(|| done(checks, Check::Memcheck, |found| memcheck::check(found, part)));
        let trace = done(checks, Check::Trace, |found| trace::check(found, part, *is_full));
        (memcheck.join().expect("the check does not panic"), trace)
    });
    findings.append(memcheck?);
    findings.append(trace?);
    if checks.contains(&Check::Timing) {
        timing::check(&mut findings, part, *is_full);
    }
    if checks.contains(&Check::Erasure) {
        erasure::check(&mut findings, part);
    }
    print!("{}", findings.render());
    Ok(findings.are_good())
}

/// What a check finds; nothing if it is not asked for.
fn done(
    checks: &[Check],
    check: Check,
    run: impl FnOnce(&mut Findings) -> Result<(), String>,
) -> Result<Findings, String> {
    let mut found = Findings::default();
    if checks.contains(&check) {
        run(&mut found)?;
    }
    Ok(found)
}
