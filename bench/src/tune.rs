//! Measures which kernel over the integers is the fastest for which size, and writes the rules by which
//! monpro selects.
//!
//! A rule is a size and a kernel. For a modulus, the first rule applies whose size the modulus does not
//! exceed and whose kernel the CPU can run. At each size the rules list the kernels fastest first, one for
//! each set of instructions, down to the first that runs everywhere. So the rules also serve CPUs with fewer
//! instructions than this one.

use crate::arguments::TUNING_PLAN;
use crate::contender::{Contender, Operation};
use crate::integers::LIBRARY;
use crate::machine::Machine;
use crate::operands::{Operands, from_words};
use crate::timing;
use monpro::ring::RingName;
use monpro::{KERNELS, Kernel, Modulus, Residue};
use std::fs;
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
const SIZES_BITS: [usize; 28] = [
    64, 128, 192, 256, 320, 384, 448, 512, 640, 768, 815, 832, 896, 1024, 1223, 1248, 1280, 1536, 1631, 1664,
    1792, 2048, 2560, 3072, 4096, 5120, 6144, 8192,
];
/// A kernel replaces another that the rules name already only if it is faster by this share.
const MARGIN: f64 = 0.03;

/// How the list of the integers begins in the file of rules, and how it ends.
const FIRST_LINE: &str = "/// Measured on ";
const LAST_LINE: &str = "];\n";

/// The kernels for one size, fastest first.
#[derive(Clone, PartialEq)]
struct Preference {
    most_bits: usize,
    names: Vec<String>,
}

/// Measures, prints what changes, and rewrites the file of rules if anything does. An error is one line.
pub fn tune() -> Result<(), String> {
    if !cfg!(target_arch = "x86_64") {
        return Err("the rules that tuning writes are those of x86-64: run it there".to_owned());
    }
    let path = rules_path();
    let text = fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    let list =
        list_in(&text).ok_or_else(|| format!("{}: the list of the integers is not found", path.display()))?;
    let current = parse(list);
    let machine = Machine::prepare(Default::default());
    let mut measured = Vec::new();
    for bits in SIZES_BITS {
        let times = measure(bits)?;
        let known = names_for(&current, bits);
        let names = prefer(&times, &known);
        let describe = |names: &[String]| {
            names.iter().map(|name| with_time(name, &times)).collect::<Vec<_>>().join(", ")
        };
        println!("{bits:>6} bits: {}", describe(&names));
        if names.first() != known.first() {
            println!("{:>12} {}", "before:", describe(&known));
        }
        measured.push(Preference { most_bits: bits, names });
    }
    let rules = merge(measured);
    if rules == merge(current) {
        println!("\n{}: every rule is within {:.0} % of the best", path.display(), 100.0 * MARGIN);
        return Ok(());
    }
    let text = text.replacen(list, &render(&rules, &machine), 1);
    let beside = path.with_extension("partial");
    let written = fs::write(&beside, text).and_then(|()| fs::rename(&beside, &path));
    written.map_err(|error| format!("{} cannot be written: {error}", path.display()))?;
    println!("\nwritten: {}", path.display());
    Ok(())
}

fn rules_path() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).with_file_name("crates/monpro/src/kernel/preferred.rs")
}

/// The cycles of a product by each kernel that takes moduli of `bits` bits, fastest first. Answers are
/// checked.
fn measure(bits: usize) -> Result<Vec<(&'static Kernel, f64)>, String> {
    let operands = Operands::of_integers(bits);
    let n = operands.words(&operands.n);
    let takes =
        |kernel: &&Kernel| kernel.ring == RingName::Integers && kernel.is_available() && kernel.supports(&n);
    let kernels: Vec<&'static Kernel> = KERNELS.iter().filter(takes).collect();
    let mut contenders: Vec<Contender> = kernels.iter().map(|kernel| power(kernel, &operands)).collect();
    let answers = POWER.answers(&operands);
    if let Some(liar) =
        contenders.iter_mut().find_map(|contender| (!contender.is_right(&answers)).then_some(contender))
    {
        return Err(format!("{} gives a wrong answer at {bits} bits", liar.engine));
    }
    let timings = timing::race(&mut contenders.iter_mut().collect::<Vec<_>>(), TUNING_PLAN);
    let mut times: Vec<_> =
        kernels.into_iter().zip(timings).map(|(kernel, timing)| (kernel, timing.median_cycles)).collect();
    times.sort_by(|(_, one), (_, other)| one.total_cmp(other));
    Ok(times)
}

fn power(kernel: &'static Kernel, operands: &Operands) -> Contender {
    let n = Modulus::with_kernel(kernel, &operands.words(&operands.n)).expect("the kernel takes the modulus");
    let x = n.residue(&operands.words(&operands.x));
    let step = |z: &mut Residue| *z = z.pow_vartime(&[SPARSE_EXPONENT]);
    Contender::new((LIBRARY, kernel.name), POWER, x, step, |z| from_words(&z.to_number()))
}

/// One kernel for each set of instructions, fastest first, down to the first that needs none. Kernels already
/// in the rules have the advantage of the margin, and stay first if this CPU cannot run them.
fn prefer(times: &[(&'static Kernel, f64)], known: &[String]) -> Vec<String> {
    let with_advantage = |(kernel, cycles): &(&'static Kernel, f64)| {
        let is_known = known.iter().any(|name| name == kernel.name);
        (*kernel, if is_known { cycles * (1.0 - MARGIN) } else { *cycles })
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

/// The list of the integers in the file of rules, from the line that says where it was measured to its end.
fn list_in(file: &str) -> Option<&str> {
    let start = file.find(FIRST_LINE)?;
    let length = file[start..].find(LAST_LINE)? + LAST_LINE.len();
    Some(&file[start..][..length])
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

fn render(rules: &[Preference], machine: &Machine) -> String {
    let mut text = format!(
        "{FIRST_LINE}{}, {}.\n\
         #[cfg(not(target_arch = \"aarch64\"))]\n\
         #[rustfmt::skip]\n\
         pub(super) const OVER_INTEGERS: &[(usize, &str)] = &[\n",
        machine.cpu, machine.date
    );
    for rule in rules {
        let most_bits =
            if rule.most_bits == usize::MAX { "usize::MAX".to_owned() } else { rule.most_bits.to_string() };
        text.extend(rule.names.iter().map(|name| format!("    ({most_bits}, \"{name}\"),\n")));
    }
    text + LAST_LINE
}
