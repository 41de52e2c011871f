//! Valgrind's memcheck with the secrets marked as undefined: it follows every bit that depends on them and
//! complains if one decides a branch or an address. It checks the compiled code on every value of the secrets
//! at once. But it cannot run AVX-512, and it does not know which instructions take a time that depends on
//! their operands.

use crate::findings::{Check, Findings};
use crate::subject::Subject;
use crate::subjects;
use crate::verdicts::Verdicts;
use std::arch::asm;
use std::env;
use std::process::Command;

/// The argument that makes this program the one that Valgrind runs.
pub const CHILD: &str = "memcheck-child";

const SEED: u64 = 2;
/// Enough for several windows.
const EXPONENT_BITS: usize = 64;

/// Whether Valgrind is installed.
pub fn is_possible() -> bool {
    Command::new("valgrind").arg("--version").output().is_ok()
}

/// Runs every subject that Valgrind can run; each that has complaints once more, alone, because Valgrind prints a
/// complaint once. An error is one line.
pub fn check(findings: &mut Findings, part: &str) -> Result<(), String> {
    let mut verdicts = Verdicts::default();
    for line in run(&[part])?.0.lines() {
        let [number, name, bits, is_vartime, count] = line.split('\t').collect::<Vec<_>>()[..] else {
            return Err(format!("the program under valgrind says {line:?}"));
        };
        let is_vartime = is_vartime == "true";
        let leak = match (count, is_vartime) {
            ("0", _) => None,
            (_, true) => Some(String::new()),
            (_, false) => {
                let output = run(&[part, number])?.1;
                let text = output.split_once(BEGIN).map_or("", |(_, after)| after);
                let text = text.split_once(END).map_or(text, |(before, _)| before);
                let leaks: Vec<String> = complaints_in(text).filter(|text| !verdicts.has(text)).collect();
                let count = leaks.len();
                leaks.first().map(|first| {
                    format!(
                        "{bits} bits: {count} branches or addresses depend on secrets, the first:\n{first}"
                    )
                })
            }
        };
        findings.add(Check::Memcheck, name, is_vartime, leak);
    }
    // Of some subjects alone not all verdicts are met; another compiler may make no branch of one.
    for verdict in verdicts.never_met().filter(|_| part.is_empty()) {
        eprintln!("no branch at {:?} in {} tells {}", verdict.code, verdict.file, verdict.tells);
    }
    Ok(())
}

/// Runs this program under Valgrind with these arguments; what the program and what Valgrind printed.
fn run(arguments: &[&str]) -> Result<(String, String), String> {
    let this = env::current_exe().map_err(|error| error.to_string())?;
    let mut command = Command::new("valgrind");
    command.args(["--quiet", "--error-limit=no", "--num-callers=60", "--fullpath-after="]);
    let output = command.arg(this).arg(CHILD).args(arguments).output();
    let output = output.map_err(|error| format!("valgrind: {error} (apt-get install valgrind)"))?;
    let [printed, complaints] = [&output.stdout, &output.stderr].map(|text| String::from_utf8_lossy(text));
    match output.status.success() {
        true => Ok((printed.into_owned(), complaints.into_owned())),
        false => Err(format!("valgrind ended with {}: {}", output.status, complaints.trim_end())),
    }
}

/// The lines in Valgrind's output between which the complaints about a subject are.
const BEGIN: &str = "BEGIN\n";
const END: &str = "END\n";

/// Valgrind's complaints, each with its frames. Every line begins with ==number==, and an empty one ends a complaint.
fn complaints_in(text: &str) -> impl Iterator<Item = String> {
    let lines = text.lines().map(|line| line.splitn(3, "==").last().unwrap_or_default());
    let lines: Vec<&str> = lines.collect();
    let complaints = lines.split(|line| line.trim().is_empty()).map(|lines| lines.join("\n"));
    complaints.filter(|complaint| !complaint.is_empty()).collect::<Vec<_>>().into_iter()
}

/// Under Valgrind, which does not announce all instructions: runs the subjects with a part in their names, or that of
/// them which has this number, and prints a line for each.
pub fn run_child(arguments: &[String]) {
    let [part, number] = [0, 1].map(|i| arguments.get(i).map_or("", String::as_str));
    for (place, subject) in subjects::named(part).iter().enumerate() {
        if number.is_empty() || number == place.to_string() {
            let Subject { name, bits, is_vartime, .. } = subject;
            println!("{place}\t{name}\t{bits}\t{is_vartime}\t{}", count_complaints(subject));
        }
    }
}

fn count_complaints(subject: &Subject) -> usize {
    let mut secrets = subject.secrets(EXPONENT_BITS, SEED);
    for part in secrets.hidden() {
        request(MAKE_UNDEFINED, part);
    }
    subject.load_key(&mut secrets);
    eprint!("{BEGIN}");
    let before = request(COUNT_ERRORS, &[]);
    (subject.run)(&secrets);
    let count = request(COUNT_ERRORS, &[]) - before;
    eprint!("{END}");
    count
}

/// The client requests of valgrind.h and memcheck.h.
const COUNT_ERRORS: usize = 0x1201;
const MAKE_UNDEFINED: usize = 0x4d43_0001;

/// Valgrind's answer to a client request; 0 if the program does not run under Valgrind.
fn request(code: usize, memory: &[u8]) -> usize {
    let arguments = [code, memory.as_ptr() as usize, memory.len(), 0, 0, 0];
    let mut answer = 0;
    // SAFETY: Valgrind recognises these instructions, which otherwise do nothing: the rotations add up to twice the
    // width of the register. It reads `arguments` and changes nothing but the answer.
    unsafe {
        asm!(
            "rol rdi, 3",
            "rol rdi, 13",
            "rol rdi, 61",
            "rol rdi, 51",
            "xchg rbx, rbx",
            inout("rdx") answer,
            in("rax") &arguments,
            options(nostack),
        );
    }
    answer
}
