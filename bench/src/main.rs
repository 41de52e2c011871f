//! Times monpro beside its competitors on this machine; `--help` says how to use it.

mod contender;
mod contenders;
mod machine;
mod operands;
mod record;
mod table;
mod timing;

use contender::{Contender, Operation};
use machine::Machine;
use operands::Operands;
use record::{Figure, Results};
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;
use timing::Plan;

const HELP: &str = "\
Times Montgomery products, squares and modular exponentiations of monpro and of its competitors in one run.

usage: cargo run --release --manifest-path bench/Cargo.toml -- [--quick] [--json FILE | --record]
  --quick      fewer and shorter rounds: a glance, not figures to quote
  --json FILE  write the figures to FILE as well
  --record     write them to results/<CPU>-<date>/bench.json
";

const SIZES_BITS: [usize; 5] = [256, 512, 1024, 2048, 4096];
const PLAN: Plan = Plan { rounds: 25, batch: Duration::from_millis(4) };
const QUICK_PLAN: Plan = Plan { rounds: 5, batch: Duration::from_millis(1) };

struct Arguments {
    plan: Plan,
    output: Output,
}

enum Output {
    Terminal,
    File(PathBuf),
    Record,
}

fn main() -> ExitCode {
    let arguments = match parse(std::env::args().skip(1)) {
        Ok(Some(arguments)) => arguments,
        Ok(None) => {
            print!("{HELP}");
            return ExitCode::SUCCESS;
        }
        Err(complaint) => {
            eprintln!("bench: {complaint}; --help lists the options");
            return ExitCode::from(2);
        }
    };
    match run(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(complaint) => {
            eprintln!("bench: {complaint}");
            ExitCode::FAILURE
        }
    }
}

/// The arguments; none where help is asked for.
fn parse(mut words: impl Iterator<Item = String>) -> Result<Option<Arguments>, String> {
    let mut arguments = Arguments { plan: PLAN, output: Output::Terminal };
    while let Some(word) = words.next() {
        match word.as_str() {
            "--quick" => arguments.plan = QUICK_PLAN,
            "--json" => {
                arguments.output =
                    Output::File(words.next().ok_or("--json needs a file to write to")?.into());
            }
            "--record" => arguments.output = Output::Record,
            "--help" | "-h" => return Ok(None),
            _ => return Err(format!("there is no option {word:?}")),
        }
    }
    Ok(Some(arguments))
}

/// Measures, prints the tables, and writes the file that is asked for; an error is one line.
fn run(arguments: &Arguments) -> Result<(), String> {
    let machine = Machine::prepare();
    let pinned = machine.pinned_to.map_or("not pinned".to_owned(), |cpu| format!("pinned to CPU {cpu}"));
    println!("{}, {pinned}; {}\n", machine.cpu, machine.rustc);
    let mut results = Results { machine, rounds: arguments.plan.rounds, figures: Vec::new() };
    for bits in SIZES_BITS {
        measure(bits, arguments.plan, &mut results.figures)?;
    }
    print!("{}", table::render(&results, &SIZES_BITS));
    let path = match &arguments.output {
        Output::Terminal => return Ok(()),
        Output::File(path) => path.clone(),
        Output::Record => {
            let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("bench/ lies in the repository");
            root.join("results").join(results.machine.slug()).join("bench.json")
        }
    };
    results.write(&path).map_err(|error| format!("{} cannot be written: {error}", path.display()))?;
    println!("\nwritten: {}", path.display());
    Ok(())
}

/// Checks every contender's answers at this size, then times those of each operation against each other.
fn measure(bits: usize, plan: Plan, figures: &mut Vec<Figure>) -> Result<(), String> {
    let operands = Operands::new(bits);
    let mut contenders = contenders::all(&operands);
    for contender in &mut contenders {
        if !contender.is_right(&operands) {
            let (library, engine, title) = (contender.library, contender.engine, contender.operation.title());
            return Err(format!("{library} {engine} gives a wrong answer: {title}, {bits} bits"));
        }
    }
    for operation in Operation::ALL {
        show_progress(&format!("{bits} bits: {}", operation.title()));
        let racing = contenders.iter_mut().filter(|contender| contender.operation == operation);
        let mut racing: Vec<&mut Contender> = racing.collect();
        let timings = timing::race(&mut racing, plan);
        figures.extend(
            racing.iter().zip(timings).map(|(contender, timing)| Figure::new(bits, contender, timing)),
        );
    }
    show_progress("");
    Ok(())
}

/// Overwrites the line at the foot of the terminal.
fn show_progress(text: &str) {
    if std::io::stderr().is_terminal() {
        eprint!("\r{text:60}\r");
    }
}
