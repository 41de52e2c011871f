//! Finds the numbers 2^256 + offset that pass Fermat's test to base 2, all candidates in one batch.
//!
//! `cargo run --release --example primes_in_a_batch -- 2000` tests the odd offsets below 2000.

use monpro::{PowTask, pow_batch};

fn main() {
    let limit = std::env::args().nth(1).map_or(Ok(2000), |text| text.parse::<u64>());
    let Ok(limit) = limit else {
        eprintln!("primes_in_a_batch: the limit must be a number, such as 2000");
        std::process::exit(2);
    };
    // Numbers are slices of 64-bit limbs, the lowest first: 2^256 + offset has five.
    let candidates: Vec<[u64; 5]> = (1..limit).step_by(2).map(|offset| [offset, 0, 0, 0, 1]).collect();
    let exponents: Vec<[u64; 5]> =
        candidates.iter().map(|&[low, a, b, c, high]| [low - 1, a, b, c, high]).collect();
    let tasks: Vec<PowTask<'_>> = candidates
        .iter()
        .zip(&exponents)
        .map(|(modulus, exponent)| PowTask::new(&[2], exponent, modulus))
        .collect();
    for (candidate, power) in candidates.iter().zip(pow_batch(&tasks)) {
        match power {
            Ok(power) if power == [1, 0, 0, 0, 0] => println!("2^256 + {} is probably prime", candidate[0]),
            Ok(_) => {}
            Err(error) => eprintln!("2^256 + {}: {error}", candidate[0]),
        }
    }
}
