//! Valgrind's memcheck with the secrets marked as undefined: it follows every bit that depends on them and
//! complains if one decides a branch or an address. It checks the compiled code on every value of the secrets
//! at once. But it cannot run AVX-512, and it does not know which instructions take a time that depends on
//! their operands.

use crate::findings::{Check, Findings};
use crate::secrets::Secrets;
use crate::subject::Subject;
use crate::subjects;
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

/// Runs every subject that Valgrind can run. An error is one line.
pub fn check(findings: &mut Findings) -> Result<(), String> {
    let this = env::current_exe().map_err(|error| error.to_string())?;
    let mut command = Command::new("valgrind");
    command.args(["--quiet", "--error-limit=no", "--num-callers=6"]).arg(this).arg(CHILD);
    let output = command.output().map_err(|error| format!("valgrind: {error} (apt-get install valgrind)"))?;
    let complaints = String::from_utf8_lossy(&output.stderr);
    if !output.status.success() {
        return Err(format!("valgrind ended with {}: {}", output.status, complaints.trim_end()));
    }
    for line in String::from_utf8_lossy(&output.stdout).lines() {
        let fields: Vec<&str> = line.split('\t').collect();
        let [name, bits, is_vartime, count] = fields[..] else {
            return Err(format!("the program under valgrind says {line:?}"));
        };
        let leak = (count != "0").then(|| {
            let place = first_complaint(&complaints, &mark(name, bits));
            format!("{bits} bits: {count} branches or addresses depend on secrets, the first:\n{place}")
        });
        findings.add(Check::Memcheck, name, is_vartime == "true", leak);
    }
    Ok(())
}

/// The line in Valgrind's output after which the complaints about a subject follow.
fn mark(name: &str, bits: &str) -> String {
    format!("{name}, {bits} bits:\n")
}

/// Valgrind's first complaint after the mark, up to an empty line.
fn first_complaint(complaints: &str, mark: &str) -> String {
    let after = complaints.split_once(mark).map_or("", |(_, after)| after);
    let lines = after.lines().take_while(|line| !line.trim_end().ends_with("== "));
    lines.take(7).collect::<Vec<_>>().join("\n")
}

/// Under Valgrind: runs the subjects and prints a line for each.
pub fn run_child() {
    for subject in subjects::all() {
        eprint!("{}", mark(&subject.name, &subject.bits.to_string()));
        let count = count_complaints(&subject);
        println!("{}\t{}\t{}\t{count}", subject.name, subject.bits, subject.is_vartime);
    }
}

fn count_complaints(subject: &Subject) -> usize {
    let secrets = Secrets::new(subject.bits, EXPONENT_BITS, SEED);
    let middle = secrets.n.len() - 1;
    // The length of n is public and n is odd, so the lowest byte and the highest word of n decide branches:
    // they stay defined.
    for part in [&as_bytes(&secrets.n[..middle])[1..], as_bytes(&secrets.x), as_bytes(&secrets.e)] {
        request(MAKE_UNDEFINED, part);
    }
    let before = request(COUNT_ERRORS, &[]);
    (subject.run)(&secrets);
    (request(COUNT_ERRORS, &[]) - before).saturating_sub(subject.public_answers)
}

fn as_bytes(words: &[u64]) -> &[u8] {
    // SAFETY: the words are initialised memory of this length, and bytes need no alignment.
    unsafe { std::slice::from_raw_parts(words.as_ptr().cast(), size_of_val(words)) }
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
