//! Times monpro beside its competitors; `--help` explains the use.

mod arguments;
mod binary_fields;
mod clock;
mod contender;
mod duration;
mod ethereum;
mod integers;
mod machine;
mod operands;
mod peers;
mod race;
mod record;
mod rsa;
mod timing;
mod tune;

use arguments::{Arguments, HELP, Output, RaceName};
use binary_fields::BinaryFields;
use ethereum::Ethereum;
use integers::Integers;
use machine::Machine;
use race::Race;
use record::{Multipliers, Results};
use rsa::Rsa;
use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments = match arguments::parse(std::env::args().skip(1)) {
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

/// Measures, prints the tables, and writes the file if one is asked for. An error is one line.
fn run(arguments: &Arguments) -> Result<(), String> {
    let kernels = arguments.kernels.clone();
    let race: Box<dyn Race> = match arguments.race {
        RaceName::Integers => Box::new(Integers::prepare(kernels)),
        RaceName::Sweep => Box::new(Integers::prepare_sweep(kernels)),
        RaceName::Ethereum => Box::new(Ethereum::prepare()),
        RaceName::Rsa => Box::new(Rsa::prepare()),
        RaceName::BinaryFields => Box::new(BinaryFields::prepare(kernels)),
        RaceName::Check => {
            println!("{}", binary_fields::check(kernels)?);
            return Ok(());
        }
        RaceName::Tune => return tune::tune(),
    };
    let machine = Machine::prepare(race.libraries());
    let pinned = machine.pinned_to.map_or("not pinned".to_owned(), |cpu| format!("pinned to CPU {cpu}"));
    println!("{}, {pinned}, {:.2} GHz now; {}\n", machine.cpu, clock::cycles_per_ns(), machine.rustc);
    let figures = race::run(&*race, &arguments.selection, arguments.plan)?;
    let multipliers = race.uses_multipliers().then(|| Multipliers::of(&machine)).flatten();
    let limits = multipliers.as_ref().map_or(Vec::new(), |multipliers| race.limits(multipliers));
    let (rounds, floors) = (arguments.plan.rounds, race.floors());
    let results = Results { machine, rounds, figures, floors, limits, multipliers };
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
