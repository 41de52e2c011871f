//! Measures which kernel over the integers is the fastest for which size, and writes the rules by which
//! monpro selects.
//!
//! A rule is a size and a kernel. For a modulus, the first rule applies whose size the modulus does not
//! exceed and whose kernel the CPU can run. At each size the rules list the kernels fastest first, one for
//! each set of instructions, down to the first that runs everywhere. So the rules also serve machines that
//! hide some instructions of the CPU.
//!
//! Each CPU that was measured has rules of its own in the file. Those of this CPU are replaced or added; any
//! other CPU takes those of a relative, or the rules by instructions. The measurements are recorded in `results/`.

use crate::arguments::TUNING_PLAN;
use crate::contender::{Contender, Operation};
use crate::integers::LIBRARY;
use crate::machine::{Machine, cpu_field, locked_version};
use crate::operands::{Operands, from_words};
use crate::race::{check, run_rounds};
use crate::record::{Figure, Results};
use crate::timing::Heat;
use monpro::ring::RingName;
use monpro::{KERNELS, Kernel, Modulus, Residue};
use std::collections::BTreeMap;
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// zᵉ for an e with a 1 in every sixth place: squares and products occur in the proportion and in the runs of
/// an exponentiation.
const POWER: Operation = Operation {
    name: "power",
    title: "Ten times six squares and a product",
    count: 70,
    step: |z, operands| z.modpow(&SPARSE_EXPONENT.into(), &operands.n),
};
const SPARSE_EXPONENT: u64 = 0o101_0101_0101_0101_0101;
/// Each of these sizes has a rule, which also serves the sizes down to the next smaller one. They are whole
/// words, and what fills two, three and four vectors of eight limbs of 51 and of 52 bits.
const SIZES_BITS: [usize; 31] = [
    64, 128, 192, 256, 320, 384, 448, 512, 576, 640, 768, 815, 832, 896, 960, 1024, 1152, 1223, 1248, 1280,
    1536, 1631, 1664, 1792, 2048, 2560, 3072, 4096, 5120, 6144, 8192,
];
/// A kernel replaces another that the rules name already only if it is faster by this share, and the one that
/// they choose only if it is faster by twice this share.
const MARGIN: f64 = 0.015;

/// How the rules of all measured CPUs begin in the file and how they end; how those of one CPU end; how those by
/// instructions begin.
const MEASURED: &str = "const MEASURED: &[Measured] = &[\n";
const LAST_LINE: &str = "];\n";
const LAST_LINE_OF_CPU: &str = "    ] },\n";
const BY_INSTRUCTIONS: &str =
    "#[cfg(not(target_arch = \"aarch64\"))]\n#[rustfmt::skip]\npub(super) const OVER_INTEGERS";
/// The file that records what was measured.
const FILE: &str = "tune.json";

/// The kernels for one size, fastest first.
#[derive(Clone, PartialEq)]
struct Preference {
    most_bits: usize,
    names: Vec<String>,
}

/// Measures, prints what changes, records, and rewrites the file of rules if anything does. An error is one
/// line.
pub fn tune() -> Result<(), String> {
    if !cfg!(target_arch = "x86_64") {
        return Err("the rules that tuning writes are those of x86-64: run it there".to_owned());
    }
    let path = rules_path();
    let text = fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    let cpu = this_cpu().ok_or("the system does not say the CPU's vendor, family and model")?;
    let known = rules_of(&text, &cpu).ok_or(format!("{}: the rules are not found", path.display()))?;
    let current = known.starting_from(&|name| Kernel::by_name(name).is_ok_and(Kernel::is_available));
    let libraries = BTreeMap::from([(LIBRARY.to_owned(), locked_version(LIBRARY))]);
    let machine = Machine::prepare(libraries);
    let mut trials = SIZES_BITS.into_iter().map(Trial::new).collect::<Result<Vec<_>, _>>()?;
    run_rounds(TUNING_PLAN.rounds, || trials.iter_mut().for_each(|trial| trial.heat.run_round()));
    let figures = trials.iter().flat_map(Trial::figures).collect();
    let preference = |trial: &Trial| {
        let bits = trial.operands.bits;
        Preference { most_bits: bits, names: chosen(bits, &trial.times(), &current) }
    };
    let measured = trials.iter().map(preference).collect();
    let comment = format!("{}, {}", machine.cpu, machine.date);
    record(machine, figures)?;
    let rules = merge(measured);
    if known.is_of_this_cpu && rules == merge(current) {
        println!("\n{}: every rule is within {:.0} % of the best", path.display(), 200.0 * MARGIN);
        return Ok(());
    }
    let text = with_rules(&text, &cpu, &comment, &rules).expect("the rules were found");
    let beside = path.with_extension("partial");
    let written = fs::write(&beside, text).and_then(|()| fs::rename(&beside, &path));
    written.map_err(|error| format!("{} cannot be written: {error}", path.display()))?;
    println!("\nwritten: {}", path.display());
    Ok(())
}

/// The kernels to prefer at this size; prints them, and those before where the first has changed.
fn chosen(bits: usize, times: &[(&'static Kernel, f64)], current: &[Preference]) -> Vec<String> {
    let known = names_for(current, bits);
    let names = prefer(times, &known);
    let describe =
        |names: &[String]| names.iter().map(|name| with_time(name, times)).collect::<Vec<_>>().join(", ");
    println!("{bits:>6} bits: {}", describe(&names));
    if names.first() != known.first() {
        println!("{:>12} {}", "before:", describe(&known));
    }
    names
}

fn record(machine: Machine, figures: Vec<Figure>) -> Result<(), String> {
    let path = results_path().join(machine.slug()).join(FILE);
    let rounds = TUNING_PLAN.rounds;
    let results =
        Results { machine, rounds, figures, floors: Vec::new(), limits: Vec::new(), multipliers: None };
    results.write(&path).map_err(|error| format!("{} cannot be written: {error}", path.display()))?;
    println!("\nrecorded: {}", path.display());
    Ok(())
}

/// This CPU, as the file of rules names it.
fn this_cpu() -> Option<String> {
    let [vendor, family, model] = ["vendor_id", "cpu family", "model"].map(cpu_field);
    Some(format!("Cpu::new(\"{}\", {}, {})", vendor?, family?, model?))
}

fn rules_path() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).with_file_name("crates/monpro/src/kernel/preferred.rs")
}

fn results_path() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).with_file_name("results")
}

/// The kernels that take a modulus of one size, which race.
struct Trial {
    operands: Operands,
    kernels: Vec<&'static Kernel>,
    heat: Heat,
}

impl Trial {
    /// All kernels that take moduli of `bits` bits, after their answers were checked. An error is one line.
    fn new(bits: usize) -> Result<Trial, String> {
        let operands = Operands::of_integers(bits);
        let n = operands.words(&operands.n);
        let takes = |kernel: &&Kernel| {
            kernel.ring == RingName::Integers && kernel.is_available() && kernel.supports(&n)
        };
        let kernels: Vec<&'static Kernel> = KERNELS.iter().filter(takes).collect();
        let mut contenders: Vec<Contender> = kernels.iter().map(|kernel| power(kernel, &operands)).collect();
        check(&mut contenders, POWER, &operands).map_err(|liar| format!("{liar} at {bits} bits"))?;
        let heat = Heat::new(contenders, TUNING_PLAN.batch);
        Ok(Trial { operands, kernels, heat })
    }

    fn figures(&self) -> impl Iterator<Item = Figure> {
        self.heat.timings().map(|(contender, timing)| Figure::new(&self.operands, contender, timing))
    }

    /// The cycles of a power by each kernel, fastest first.
    fn times(&self) -> Vec<(&'static Kernel, f64)> {
        let timings = self.heat.timings().map(|(_, timing)| timing.median_cycles);
        let mut times: Vec<_> = self.kernels.iter().copied().zip(timings).collect();
        times.sort_by(|(_, one), (_, other)| one.total_cmp(other));
        times
    }
}

fn power(kernel: &'static Kernel, operands: &Operands) -> Contender {
    let n = Modulus::with_kernel(kernel, &operands.words(&operands.n)).expect("the kernel takes the modulus");
    let x = n.residue(&operands.words(&operands.x));
    let step = |z: &mut Residue| *z = z.pow_vartime(&[SPARSE_EXPONENT]);
    Contender::new((LIBRARY, kernel.name), POWER, x, step, |z| from_words(&z.to_number()))
}

/// One kernel for each set of instructions, fastest first, down to the first that needs none. Kernels already in
/// the rules have the advantage of the margin, and stay first if this CPU cannot run them.
fn prefer(times: &[(&'static Kernel, f64)], known: &[String]) -> Vec<String> {
    let chosen = known.iter().find(|name| times.iter().any(|(kernel, _)| kernel.name == **name));
    let with_advantage = |(kernel, cycles): &(&'static Kernel, f64)| {
        let is_chosen = chosen.is_some_and(|name| name == kernel.name);
        let is_known = known.iter().any(|name| name == kernel.name);
        let margins = f64::from(u8::from(is_chosen) + u8::from(is_known));
        (*kernel, cycles * (1.0 - margins * MARGIN))
    };
    let mut order: Vec<(&Kernel, f64)> = times.iter().map(with_advantage).collect();
    order.sort_by(|(_, one), (_, other)| one.total_cmp(other));
    let mut preferred: Vec<&Kernel> = Vec::new();
    for (kernel, _) in order {
        let instructions = kernel.required_instructions();
        // A kernel that needs at least the instructions of a faster one is never selected.
        if !preferred.iter().any(|faster| instructions.contains(faster.required_instructions())) {
            preferred.push(kernel);
        }
        if instructions.is_empty() {
            break;
        }
    }
    let cannot_run = |name: &&String| Kernel::by_name(name).is_ok_and(|kernel| !kernel.is_available());
    let preferred = preferred.into_iter().map(|kernel| kernel.name.to_owned());
    known.iter().filter(cannot_run).cloned().chain(preferred).collect()
}

fn with_time(name: &str, times: &[(&'static Kernel, f64)]) -> String {
    let time = times.iter().find(|(kernel, _)| kernel.name == name);
    time.map_or(format!("{name} not here"), |(_, cycles)| format!("{name} {cycles:.0}"))
}

/// Rules in the file: from the line that names a CPU to the end, or those by instructions.
struct Rules<'a> {
    text: &'a str,
    is_of_this_cpu: bool,
}

impl Rules<'_> {
    /// The rules, of which those of other CPUs count only as far as this CPU can run them: what it has never run was not
    /// measured on it. Its own rules stay whole, since a virtual machine may hide instructions of the same CPU.
    fn starting_from(&self, can_run: &dyn Fn(&str) -> bool) -> Vec<Preference> {
        let mut rules = parse(self.text);
        if !self.is_of_this_cpu {
            rules.iter_mut().for_each(|rule| rule.names.retain(|name| can_run(name)));
        }
        rules
    }
}

/// The CPU's own rules, or those by instructions to start from.
fn rules_of<'a>(file: &'a str, cpu: &str) -> Option<Rules<'a>> {
    if let Some(place) = place_of(file, cpu) {
        return Some(Rules { text: &file[place], is_of_this_cpu: true });
    }
    let start = file.find(BY_INSTRUCTIONS)?;
    let length = file[start..].find(LAST_LINE)?;
    Some(Rules { text: &file[start..][..length], is_of_this_cpu: false })
}

/// Where the file has rules of the CPU itself, from the first line of the comment before the one that names it.
fn place_of(file: &str, cpu: &str) -> Option<Range<usize>> {
    let measured = file.find(MEASURED)? + MEASURED.len();
    let named = measured + file[measured..].find(cpu)?;
    let before = &file[measured..named];
    let start =
        before.rfind(LAST_LINE_OF_CPU).map_or(measured, |end| measured + end + LAST_LINE_OF_CPU.len());
    let end = named + file[named..].find(LAST_LINE_OF_CPU)? + LAST_LINE_OF_CPU.len();
    Some(start..end)
}

/// The file with these rules for the CPU, in place of its own or after the others.
fn with_rules(file: &str, cpu: &str, comment: &str, rules: &[Preference]) -> Option<String> {
    let place = match place_of(file, cpu) {
        Some(place) => place,
        None => {
            let measured = file.find(MEASURED)?;
            let end = measured + file[measured..].find(LAST_LINE)?;
            end..end
        }
    };
    let cpus = file[place.clone()].split_once("cpus: &[").and_then(|(_, rest)| rest.split_once(']'));
    let cpus = cpus.map_or(cpu, |(cpus, _)| cpus);
    Some([&file[..place.start], &render(rules, cpus, comment), &file[place.end..]].concat())
}

/// The rules of the list: its lines `(most_bits, "name"),`.
fn parse(list: &str) -> Vec<Preference> {
    let mut rules: Vec<Preference> = Vec::new();
    for line in list.lines() {
        let rule = line
            .trim()
            .strip_prefix('(')
            .and_then(|rest| rest.strip_suffix("\"),"))
            .and_then(|rest| rest.split_once(", \""));
        let Some((size, name)) = rule else { continue };
        let most_bits = size.parse().unwrap_or(usize::MAX);
        match rules.last_mut() {
            Some(last) if last.most_bits == most_bits => last.names.push(name.to_owned()),
            _ => rules.push(Preference { most_bits, names: vec![name.to_owned()] }),
        }
    }
    rules
}

/// The kernels of all the rules for this size: if the first cannot run, a later one is taken.
fn names_for(rules: &[Preference], bits: usize) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for name in rules.iter().filter(|rule| bits <= rule.most_bits).flat_map(|rule| &rule.names) {
        if !names.contains(name) {
            names.push(name.clone());
        }
    }
    names
}

/// Merges neighbours with the same kernels; the last rule serves all greater sizes too.
fn merge(rules: Vec<Preference>) -> Vec<Preference> {
    let mut merged: Vec<Preference> = Vec::new();
    for rule in rules {
        match merged.last_mut() {
            Some(last) if last.names == rule.names => last.most_bits = rule.most_bits,
            _ => merged.push(rule),
        }
    }
    if let Some(last) = merged.last_mut() {
        last.most_bits = usize::MAX;
    }
    merged
}

fn render(rules: &[Preference], cpus: &str, comment: &str) -> String {
    let mut text = format!("    // {comment}.\n    Measured {{ cpus: &[{cpus}], over_integers: &[\n");
    for rule in rules {
        let most_bits =
            if rule.most_bits == usize::MAX { "usize::MAX".to_owned() } else { rule.most_bits.to_string() };
        text.extend(rule.names.iter().map(|name| format!("        ({most_bits}, \"{name}\"),\n")));
    }
    text + LAST_LINE_OF_CPU
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = "before\npub(super) const MEASURED: &[Measured] = &[\n    // One CPU, 2026-01-01.\n    \
        // Changed by hand.\n    \
        Measured { cpus: &[Cpu::new(\"GenuineIntel\", 6, 1), Cpu::new(\"GenuineIntel\", 6, 2)], over_integers: &[\n        \
        (64, \"fips\"),\n    ] },\n];\n#[cfg(not(target_arch = \"aarch64\"))]\n#[rustfmt::skip]\npub(super) const \
        OVER_INTEGERS: Rules = &[\n    (usize::MAX, \"cios\"),\n];\nafter\n";

    fn rules() -> Vec<Preference> {
        vec![Preference { most_bits: usize::MAX, names: vec!["sos".to_owned()] }]
    }

    #[test]
    fn the_rules_of_a_measured_cpu_are_replaced_and_no_others() {
        let cpu = "Cpu::new(\"GenuineIntel\", 6, 2)";
        let known = rules_of(FILE, cpu).expect("they are there");
        assert!(known.is_of_this_cpu && parse(known.text)[0].names == ["fips"]);
        let file = with_rules(FILE, cpu, "One CPU, 2026-02-02", &rules()).expect("they are there");
        let expected = FILE.replace("(64, \"fips\")", "(usize::MAX, \"sos\")").replace("01-01", "02-02");
        let expected = expected.replace("    // Changed by hand.\n", "");
        assert_eq!(file, expected);
    }

    #[test]
    fn only_its_own_rules_keep_kernels_that_a_cpu_cannot_run() {
        let names = |cpu: &str, can_run: bool| {
            let rules = rules_of(FILE, cpu).expect("they are there").starting_from(&|_| can_run);
            rules.into_iter().flat_map(|rule| rule.names).collect::<Vec<_>>()
        };
        let (measured, new) = ("Cpu::new(\"GenuineIntel\", 6, 2)", "Cpu::new(\"AuthenticAMD\", 26, 2)");
        assert_eq!(names(measured, false), ["fips"]);
        assert_eq!(names(new, true), ["cios"]);
        assert_eq!(names(new, false), [""; 0]);
    }

    #[test]
    fn the_rules_of_a_new_cpu_are_added() {
        let cpu = "Cpu::new(\"AuthenticAMD\", 26, 2)";
        let known = rules_of(FILE, cpu).expect("those by instructions are there");
        assert!(!known.is_of_this_cpu && parse(known.text)[0].names == ["cios"]);
        let file = with_rules(FILE, cpu, "Another CPU", &rules()).expect("there is a place");
        let added = format!("    ] }},\n{}];\n#[cfg", render(&rules(), cpu, "Another CPU"));
        assert_eq!(file, FILE.replace("    ] },\n];\n#[cfg", &added));
        assert!(parse(rules_of(&file, cpu).expect("they are there").text) == rules());
    }
}
