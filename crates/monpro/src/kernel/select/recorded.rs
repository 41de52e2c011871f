//! The rules of each measured CPU against what is recorded of it.

extern crate std;

use super::{preferred, row_of};
use crate::arch::x86_64::cpu::Cpu;
use crate::kernel::contract::Kernel;
use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;
use std::collections::BTreeMap;
use std::fs;

/// The cycles of each kernel, by operation and bits.
type Cycles = BTreeMap<(String, usize), Vec<(&'static Kernel, f64)>>;

/// The CPU and the cycles of a recording of the benchmark, which has a line for each value.
fn parse(text: &str) -> (Option<Cpu>, Cycles) {
    let value = |line: &str, key: &str| {
        let rest = line.trim().strip_prefix(key)?.strip_prefix(": ")?;
        Some(rest.trim_end_matches(',').trim_matches('"').to_owned())
    };
    let (mut cpu, mut cycles) = (None, Cycles::new());
    let (mut place, mut engine) = ((String::new(), 0), String::new());
    for line in text.lines() {
        if let Some(name) = value(line, "\"cpu\"") {
            cpu = cpu_named(&name);
        } else if let Some(operation) = value(line, "\"operation\"") {
            place.0 = operation;
        } else if let Some(bits) = value(line, "\"bits\"") {
            place.1 = bits.parse().expect("a number of bits");
        } else if let Some(name) = value(line, "\"engine\"") {
            engine = name;
        } else if let Some(median) = value(line, "\"median_cycles\"") {
            if let Ok(kernel) = Kernel::by_name(&engine) {
                let median = median.parse().expect("a number of cycles");
                cycles.entry(place.clone()).or_default().push((kernel, median));
            }
        }
    }
    (cpu, cycles)
}

/// The CPU whose name in a recording ends with its family and model.
fn cpu_named(name: &str) -> Option<Cpu> {
    let (brand, numbers) = name.split_once(" family ")?;
    let (family, model) = numbers.split_once(" model ")?;
    let vendor = if brand.starts_with("AMD") { "AuthenticAMD" } else { "GenuineIntel" };
    Some(Cpu::new(vendor, family.parse().ok()?, model.parse().ok()?))
}

/// The kernel that the rules in this row choose where these kernels run, and how many times the least cycles it takes.
fn chosen(row: usize, bits: usize, kernels: &[(&'static Kernel, f64)]) -> Option<(&'static Kernel, f64)> {
    let least = kernels.iter().map(|(_, cycles)| *cycles).fold(f64::INFINITY, f64::min);
    let mut rules = preferred::MEASURED[row].over_integers.iter();
    rules.find_map(|(most_bits, name)| {
        let (kernel, cycles) = kernels.iter().find(|(kernel, _)| kernel.name == *name)?;
        (bits <= *most_bits).then_some((*kernel, cycles / least))
    })
}

#[test]
fn the_rules_of_a_cpu_choose_a_kernel_within_five_per_cent_of_the_best_that_was_recorded_there() {
    let results = concat!(env!("CARGO_MANIFEST_DIR"), "/../../results");
    let mut sizes = [0; preferred::MEASURED.len()];
    for folder in fs::read_dir(results).expect("the checkout has recordings") {
        for (file, operation_of_file) in [("bench.json", "modexp"), ("tune.json", "power")] {
            let path = folder.as_ref().expect("a folder can be read").path().join(file);
            let Ok(text) = fs::read_to_string(&path) else { continue };
            let (cpu, cycles) = parse(&text);
            let Some(row) = cpu.and_then(row_of) else { continue };
            for ((operation, bits), kernels) in cycles {
                if operation == operation_of_file {
                    let (kernel, ratio) =
                        chosen(row, bits, &kernels).expect("a rule names a kernel that ran");
                    assert!(ratio <= 1.05, "{path:?}: {bits} bits by {}: {ratio:.2}", kernel.name);
                    sizes[row] += 1;
                }
            }
        }
    }
    assert!(sizes.iter().all(|&sizes| sizes >= 7), "each CPU that has rules has recordings: {sizes:?}");
}
