//! Checks that monpro's time and addresses do not depend on secrets, and that it erases them; `--help`
//! explains the use.

mod erasure;
mod findings;
mod fixed;
mod functions;
mod memcheck;
mod secrets;
mod subject;
mod subjects;
mod timing;
mod trace;

use findings::{Check, Findings};
use std::process::ExitCode;

#[global_allocator]
static ALLOCATOR: erasure::Watchful = erasure::Watchful;

const HELP: &str = "\
Checks every kernel that this CPU runs, and the exponentiation around it, four ways:

  memcheck    Valgrind follows the secrets into branches and addresses; it knows no AVX-512
  trace       runs with different secrets execute the same instructions at the same addresses
  timing      runs with different secrets take the same time, by statistics
  erasure     memory is given back without secrets in it

usage: cargo run --release --manifest-path constant-time/Cargo.toml -- [--full] [memcheck] [trace] [timing] [erasure]

Without a name all are done. A trace is of sizes up to 600 bits and two secrets; --full traces all sizes, for hours, and
four secrets where runs are short. Each check must also find out a subject that is bad on purpose. Exit status: 0 all right,
1 a check failed or cannot be done here, 2 bad input.
";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let ended = match arguments.first().map(String::as_str) {
        Some(memcheck::CHILD) => {
            memcheck::run_child();
            Ok(true)
        }
        Some(trace::CHILD) => trace::run_child(&arguments[1..]).map(|()| true),
        Some("--help" | "-h") => {
            print!("{HELP}");
            Ok(true)
        }
        _ => match parse(&arguments) {
            Ok((checks, is_full)) => run(&checks, is_full),
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

/// The checks named, or else all that can be done here, and whether to trace all sizes.
fn parse(arguments: &[String]) -> Result<(Vec<Check>, bool), String> {
    let (options, names): (Vec<&String>, Vec<&String>) =
        arguments.iter().partition(|argument| *argument == "--full");
    let of_name = |name: &&String| {
        let check = Check::ALL.into_iter().find(|check| check.name() == name.as_str());
        check.ok_or(format!("there is no check {name:?}"))
    };
    let mut checks = names.iter().map(of_name).collect::<Result<Vec<Check>, String>>()?;
    if checks.is_empty() {
        checks = Check::ALL.to_vec();
        if !memcheck::is_possible() {
            eprintln!("NOT CHECKED: memcheck: Valgrind is not installed (apt-get install valgrind)");
            checks.retain(|&check| check != Check::Memcheck);
        }
    }
    Ok((checks, !options.is_empty()))
}

/// Does the checks and prints what they found. Returns whether all is well.
fn run(checks: &[Check], is_full: bool) -> Result<bool, String> {
    let mut findings = Findings::default();
    for check in checks {
        match check {
            Check::Memcheck => memcheck::check(&mut findings)?,
            Check::Trace => trace::check(&mut findings, is_full)?,
            Check::Timing => timing::check(&mut findings),
            Check::Erasure => erasure::check(&mut findings),
        }
    }
    print!("{}", findings.render());
    Ok(findings.are_good())
}
