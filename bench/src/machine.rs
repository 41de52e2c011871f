//! The machine and the software with which the figures are measured.

use nix::sched::{CpuSet, sched_getaffinity, sched_setaffinity};
use nix::unistd::Pid;
use serde::Serialize;
use std::collections::BTreeMap;
use std::fs;
use std::process::Command;

/// What a reader must know to judge the figures.
#[derive(Serialize)]
pub struct Machine {
    pub cpu: String,
    pub cpus: usize,
    /// The CPU to which the process is pinned; None if the system does not allow it.
    pub pinned_to: Option<usize>,
    pub rustc: &'static str,
    pub date: String,
    /// The version of monpro's sources, from git describe.
    pub commit: String,
    /// Every library and its version.
    pub libraries: BTreeMap<String, String>,
}

impl Machine {
    /// Pins the process to one CPU and describes the machine.
    pub fn prepare(libraries: BTreeMap<String, String>) -> Machine {
        Machine {
            cpu: cpu_model().unwrap_or_else(|| "unknown CPU".to_owned()),
            cpus: std::thread::available_parallelism().map_or(1, usize::from),
            pinned_to: pin_to_one_cpu(),
            rustc: env!("BENCH_RUSTC"),
            date: time::UtcDateTime::now().date().to_string(),
            commit: commit().unwrap_or_else(|| "unknown".to_owned()),
            libraries,
        }
    }

    /// The name of the folder under `results/` for figures of this CPU and day.
    pub fn slug(&self) -> String {
        let words = self.cpu.to_lowercase();
        let words =
            words.split(|letter: char| !letter.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
        format!("{}-{}", words.collect::<Vec<_>>().join("-"), self.date)
    }
}

/// The model's name with family and model number, because in a virtual machine the name alone may not
/// distinguish CPUs.
fn cpu_model() -> Option<String> {
    let name = cpu_field("model name")?;
    match (cpu_field("cpu family"), cpu_field("model")) {
        (Some(family), Some(model)) => Some(format!("{name} family {family} model {model}")),
        _ => Some(name),
    }
}

/// What the system says about the first CPU under this name.
pub fn cpu_field(name: &str) -> Option<String> {
    let text = fs::read_to_string("/proc/cpuinfo").ok()?;
    let line = text.lines().find(|line| line.split(':').next().is_some_and(|key| key.trim() == name))?;
    Some(line.split_once(':')?.1.trim().to_owned())
}

/// Pins to the last of the allowed CPUs, because the first takes most of a system's interrupts.
fn pin_to_one_cpu() -> Option<usize> {
    let this = Pid::from_raw(0);
    let allowed = sched_getaffinity(this).ok()?;
    let cpu = (0..CpuSet::count()).rev().find(|&cpu| allowed.is_set(cpu) == Ok(true))?;
    let mut only = CpuSet::new();
    only.set(cpu).ok()?;
    sched_setaffinity(this, &only).ok()?;
    Some(cpu)
}

fn commit() -> Option<String> {
    let git = |arguments: &[&str]| {
        Command::new("git").args(arguments).current_dir(env!("CARGO_MANIFEST_DIR")).output().ok()
    };
    let described = String::from_utf8(git(&["describe", "--always", "--exclude=*"])?.stdout).ok()?;
    // A recording changes files in results/, which are not sources.
    let is_clean = git(&["diff", "--quiet", "HEAD", "--", ":/", ":(top,exclude)results"])?.status.success();
    let mark = if is_clean { "" } else { "-dirty" };
    (!described.is_empty()).then(|| format!("{}{mark}", described.trim()))
}

/// The version of a package in the lockfile of this program. If there are several versions, the newest one
/// races and is returned.
pub fn locked_version(name: &str) -> String {
    let lock = include_str!("../Cargo.lock");
    let after_name = lock.split(&format!("name = \"{name}\"\nversion = \"")).skip(1).last();
    let version = after_name.and_then(|rest| rest.split('"').next());
    version.expect("every library is a dependency").to_owned()
}
