//! The rate of columns beside that of `pow_batch`: powers with exponents as long as the modulus, in rounds that run both.
//!
//! `cargo run --release --features columns --example columns_rate 15` runs 15 rounds of each.

use monpro::columns::{Column, POW, Results, compute};
use monpro::{PowTask, natural, pow_batch};
use std::time::Instant;

const ROUNDS: usize = 15;

fn main() {
    let rounds = std::env::args().nth(1).map_or(Ok(ROUNDS), |text| text.parse());
    let Ok(rounds @ 1..) = rounds else {
        eprintln!("columns_rate: the rounds must be a number from 1 on, such as: 15");
        std::process::exit(2);
    };
    for (bits, rows) in [(2048, 256), (4096, 64)] {
        let octets = bits / 8;
        let column = |seed: u64| -> Vec<u8> {
            let octet = |i: u64| ((i ^ seed).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 56) as u8 | 0x81;
            (0..(octets * rows) as u64).map(octet).collect()
        };
        let [bases, exponents, moduli] = [column(1), column(2), column(3)];
        let words = |octets_of: &[u8]| -> Vec<Vec<u64>> {
            octets_of.chunks(octets).map(natural::from_be_bytes).collect()
        };
        let (x, e, n) = (words(&bases), words(&exponents), words(&moduli));
        let tasks: Vec<PowTask<'_>> = (0..rows).map(|i| PowTask::new(&x[i], &e[i], &n[i])).collect();
        let operands = [&bases, &exponents, &moduli]
            .map(|octets_of| Column::fixed(octets_of, octets, rows).expect("it fits"));
        let mut ratios: Vec<f64> = (0..rounds)
            .map(|_| {
                let start = Instant::now();
                let powers = pow_batch(&tasks);
                let batch = start.elapsed();
                let (mut out, mut statuses) = (vec![0; octets * rows], vec![0; rows]);
                let start = Instant::now();
                let mut results = Results::fixed(&mut out, octets);
                compute(&POW, &operands, &mut results, &mut statuses, Some(1), &mut ())
                    .expect("the columns fit");
                let columns = start.elapsed();
                for (power, row) in powers.iter().zip(out.chunks(octets)) {
                    assert_eq!(natural::to_be_bytes(power.as_ref().expect("odd"), octets), row);
                }
                batch.as_secs_f64() / columns.as_secs_f64()
            })
            .collect();
        ratios.sort_by(f64::total_cmp);
        let [low, median, high] = [rounds / 4, rounds / 2, 3 * rounds / 4].map(|i| 100.0 * ratios[i]);
        println!("{bits} bits: columns have {median:.1} % of the batch's rate ({low:.1} … {high:.1})");
    }
}
