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
use std::path::PathBuf;

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

/// The recordings of this name, by the CPU in the name of their folder: the newest of each, since the kernels were others
/// before.
fn newest(file: &str) -> BTreeMap<String, PathBuf> {
    let results = concat!(env!("CARGO_MANIFEST_DIR"), "/../../results");
    let folders = fs::read_dir(results).expect("the checkout has recordings");
    let mut paths: Vec<_> =
        folders.map(|folder| folder.expect("a folder can be read").path().join(file)).collect();
    paths.retain(|path| path.exists());
    // By their dates, which end the names.
    paths.sort();
    let cpu = |path: &PathBuf| {
        let folder = path.parent()?.file_name()?.to_str()?;
        Some(folder[..folder.len().checked_sub("-2026-11-29".len())?].to_owned())
    };
    paths.into_iter().map(|path| (cpu(&path).expect("a folder is named by CPU and date"), path)).collect()
}

#[test]
fn the_rules_of_a_cpu_choose_a_kernel_within_five_per_cent_of_the_best_that_was_recorded_there() {
    let mut sizes = [0; preferred::MEASURED.len()];
    for (file, operation_of_file) in [("bench.json", "modexp"), ("tune.json", "power")] {
        for path in newest(file).into_values() {
            let (cpu, cycles) = parse(&fs::read_to_string(&path).expect("a recording can be read"));
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
