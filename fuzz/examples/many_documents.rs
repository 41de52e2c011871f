//! Gives the parsers so many key documents that are almost right, at full speed, and says how long the longest took.
//! `make many-documents` runs it.

use monpro_fuzz::clock::time_within;
use monpro_fuzz::documents::{LIMIT, parse, read};
use monpro_fuzz::input::{Input, Random};
use std::process::ExitCode;
use std::time::Duration;

const HELP: &str = "usage: many_documents COUNT [SEED]";
const INPUT_OCTETS: usize = 64;
const TOLD_EVERY: u64 = 100_000;

fn main() -> ExitCode {
    let arguments: Vec<_> = std::env::args().skip(1).map(|argument| argument.parse::<u64>()).collect();
    let (count, seed) = match arguments[..] {
        [Ok(count)] => (count, 0),
        [Ok(count), Ok(seed)] => (count, seed),
        _ => {
            eprintln!("many_documents: give a count of documents; {HELP}");
            return ExitCode::from(2);
        }
    };
    let mut random = Random::new(seed);
    let (mut taken, mut longest) = (0, Duration::ZERO);
    for number in 1..=count {
        let octets: Vec<u8> = (0..INPUT_OCTETS / 8).flat_map(|_| random.word().to_le_bytes()).collect();
        let document = read(&mut Input::new(&octets));
        let mut is_taken = false;
        let time = time_within(LIMIT, || is_taken = parse(&document));
        taken += u64::from(is_taken);
        longest = longest.max(time);
        if time > LIMIT {
            eprintln!("many_documents: document {number} of seed {seed} takes {time:.1?}: {octets:02x?}");
            return ExitCode::FAILURE;
        }
        if number % TOLD_EVERY == 0 || number == count {
            println!("{number} documents, {taken} of them keys, the longest time {longest:.1?}");
        }
    }
    ExitCode::SUCCESS
}
