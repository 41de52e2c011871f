//! Times monpro beside its competitors on this machine; `--help` says how to use it.

mod binary_fields;
mod contender;
mod duration;
mod integers;
mod machine;
mod operands;
mod race;
mod record;
mod timing;

use binary_fields::BinaryFields;
use integers::Integers;
use machine::Machine;
use monpro::Kernel;
use monpro::ring::RingName;
use race::Race;
use record::Results;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;
use timing::Plan;

const HELP: &str = "\
Times products, squares and powers of monpro and of its competitors in one run, answers compared first.

usage: cargo run --release --manifest-path bench/Cargo.toml -- [options]
  --ring integers      Montgomery arithmetic modulo odd numbers, beside Rust crates; the default
  --ring gf2           the fields GF(2^k), beside NTL and OpenSSL where they are installed; builds of NTL of your
                       own race too where MONPRO_NTL_PREFIXES names their folders, with colons between
  --kernel NAME        race this kernel of monpro and not the usual ones; repeatable
  --check              no race: compare the values of every kernel, with --ring gf2, for all k from 2 to 200
  --quick              fewer and shorter rounds: a glance, not figures to quote
  --json FILE          write the figures to FILE as well
  --record             write them to results/<CPU>-<date>/, bench.json or gf2.json
";

const PLAN: Plan = Plan { rounds: 25, batch: Duration::from_millis(4) };
const QUICK_PLAN: Plan = Plan { rounds: 5, batch: Duration::from_millis(1) };

struct Arguments {
    ring: RingName,
    /// The kernels that are named.
    kernels: Vec<&'static Kernel>,
    plan: Plan,
    output: Output,
    /// No race: compare values.
    check: bool,
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
    let mut arguments = Arguments {
        ring: RingName::Integers,
        kernels: Vec::new(),
        plan: PLAN,
        output: Output::Terminal,
        check: false,
    };
    let mut names = Vec::new();
    while let Some(word) = words.next() {
        let mut value = |what: &str| words.next().ok_or(format!("{word} needs {what}"));
        match word.as_str() {
            "--ring" => {
                arguments.ring = match value("integers or gf2")?.as_str() {
                    "integers" => RingName::Integers,
                    "gf2" => RingName::BinaryPolynomials,
                    other => return Err(format!("there is no ring {other:?}: integers or gf2")),
                }
            }
            "--kernel" => names.push(value("the name of a kernel")?),
            "--check" => arguments.check = true,
            "--quick" => arguments.plan = QUICK_PLAN,
            "--json" => arguments.output = Output::File(value("a file to write to")?.into()),
            "--record" => arguments.output = Output::Record,
            "--help" | "-h" => return Ok(None),
            _ => return Err(format!("there is no option {word:?}")),
        }
    }
    if arguments.check && arguments.ring != RingName::BinaryPolynomials {
        return Err("--check needs --ring gf2".to_owned());
    }
    for name in names {
        arguments.kernels.push(find_kernel(&name, arguments.ring)?);
    }
    Ok(Some(arguments))
}

/// The kernel of this name, if it works over the ring and runs on this CPU.
fn find_kernel(name: &str, ring: RingName) -> Result<&'static Kernel, String> {
    let kernel = Kernel::by_name(name).ok().filter(|kernel| kernel.ring == ring);
    let kernel =
        kernel.ok_or(format!("there is no kernel {name:?} of this ring: `monpro kernels` lists them"))?;
    match kernel.is_available() {
        true => Ok(kernel),
        false => Err(format!("kernel {name} needs {}, which this CPU lacks", kernel.required_instructions())),
    }
}

/// Measures, prints the tables, and writes the file that is asked for; an error is one line.
fn run(arguments: &Arguments) -> Result<(), String> {
    let kernels = arguments.kernels.clone();
    if arguments.check {
        println!("{}", binary_fields::check(kernels)?);
        return Ok(());
    }
    let race: Box<dyn Race> = match arguments.ring {
        RingName::Integers => Box::new(Integers::prepare(kernels)),
        RingName::BinaryPolynomials => Box::new(BinaryFields::prepare(kernels)),
    };
    let machine = Machine::prepare(race.libraries());
    let pinned = machine.pinned_to.map_or("not pinned".to_owned(), |cpu| format!("pinned to CPU {cpu}"));
    println!("{}, {pinned}; {}\n", machine.cpu, machine.rustc);
    let figures = race::run(&*race, arguments.plan)?;
    let results = Results { machine, rounds: arguments.plan.rounds, figures, floors: race.floors() };
    print!("{}", race.render(&results));
    let path = match &arguments.output {
        Output::Terminal => return Ok(()),
        Output::File(path) => path.clone(),
        Output::Record => {
            let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("bench/ lies in the repository");
            root.join("results").join(results.machine.slug()).join(race.file_name())
        }
    };
    results.write(&path).map_err(|error| format!("{} cannot be written: {error}", path.display()))?;
    println!("\nwritten: {}", path.display());
    Ok(())
}
