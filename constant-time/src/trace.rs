//! The trace of a run, instruction by instruction: two runs that differ only in their secrets must execute
//! the same instructions in the same order and access the same addresses. The check covers every instruction
//! set, but only the secrets that were tried, and not the time of an instruction.
//!
//! Each run is a process without randomised addresses. The processor's trap flag interrupts it after every
//! instruction, and the handler records the registers. They are decoded afterwards.

use crate::findings::{Check, Findings};
use crate::subject::Subject;
use crate::subjects::{self, SPLIT_BITS};
use iced_x86::{Decoder, DecoderOptions, InstructionInfoFactory, Register, UsedMemory};
use nix::libc::{self, greg_t};
use nix::sys::personality::{self, Persona};
use nix::sys::signal::{SaFlags, SigAction, SigHandler, SigSet, Signal, sigaction};
use std::arch::asm;
use std::collections::HashMap;
use std::env;
use std::ffi::{c_int, c_void};
use std::fs::File;
use std::io::Write;
use std::mem::MaybeUninit;
use std::os::unix::fs::FileExt;
use std::os::unix::process::CommandExt;
use std::process::Command;
use std::ptr;
use std::sync::atomic::{AtomicPtr, AtomicUsize, Ordering};

/// The argument that makes this program the traced one; the number of the subject and the seed follow.
pub const CHILD: &str = "trace-child";

/// Secrets with no bit set, with all bits set, and two random ones.
pub const SEEDS: [u64; 4] = [0, 1, 2, 3];
/// A step takes ten microseconds or more, so exponents are short, and four secrets are tried only with
/// `--full`.
const EXPONENT_BITS: usize = 8;
pub const MODERATE_BITS: usize = 600;
const MAX_STEPS: usize = 4_000_000;
const MAX_INSTRUCTION_BYTES: usize = 15;

/// Traces the instructions that Valgrind may not know, at moderate sizes or at all sizes, and the controls.
/// An error is one line.
pub fn check(findings: &mut Findings, part: &str, is_full: bool) -> Result<(), String> {
    let is_due = |subject: &Subject| {
        subject.name.contains(part) && is_traced(subject) && (is_full || subject.bits <= MODERATE_BITS)
    };
    for (number, subject) in subjects::all().iter().enumerate().filter(|(_, subject)| is_due(subject)) {
        let seeds = if is_full && subject.bits <= MODERATE_BITS { &SEEDS } else { &SEEDS[1..3] };
        let expected = run(number, seeds[0])?;
        let mut leak = None;
        for &seed in &seeds[1..] {
            leak = leak.or(first_difference(&expected, &run(number, seed)?));
        }
        let leak = leak.map(|difference| format!("{} bits: {difference}", subject.bits));
        findings.add(Check::Trace, &subject.name, subject.is_vartime, leak);
    }
    Ok(())
}

/// A product that is split takes too many steps for [`MAX_STEPS`], so only its time is looked at.
fn is_traced(subject: &Subject) -> bool {
    if subject.bits == SPLIT_BITS {
        return false;
    }
    let needs = |name| subject.instructions.contains(name);
    let is_moderate = subject.bits <= MODERATE_BITS;
    needs("AVX-512") || needs("ADX") || is_moderate && needs("VPCLMULQDQ") || subject.is_control
}

/// An instruction executed.
#[derive(PartialEq, Eq)]
struct Step {
    /// The address of the instruction in the program.
    address: u64,
    /// A fingerprint of the addresses of its operands in memory.
    operands: u64,
}

/// The first difference of two traces, if there is one.
fn first_difference(one: &[Step], other: &[Step]) -> Option<String> {
    let position = one.iter().zip(other).position(|(one, other)| one != other);
    match position {
        None if one.len() == other.len() => None,
        None => Some("one run ends before the other".to_owned()),
        Some(at) if one[at].address == other[at].address => {
            Some(format!("step {at}, at {:#x}, has an address that depends on secrets", one[at].address))
        }
        Some(at) => Some(format!("step {at}, before {:#x}, branches by secrets", one[at].address)),
    }
}

/// Runs the subject in its own process. An error is one line.
fn run(subject: usize, seed: u64) -> Result<Vec<Step>, String> {
    let this = env::current_exe().map_err(|error| error.to_string())?;
    let mut command = Command::new(this);
    // Arguments and environment lie on the stack, so they have the same length in every run.
    command.args([CHILD, &format!("{subject:06}"), &seed.to_string()]).env_clear();
    let fix_addresses = || {
        personality::set(personality::get()? | Persona::ADDR_NO_RANDOMIZE)?;
        Ok(())
    };
    // SAFETY: between fork and exec only two system calls are made; nothing is allocated or locked.
    let output = unsafe { command.pre_exec(fix_addresses) }.output();
    let output = output.map_err(|error| format!("a run cannot be traced: {error}"))?;
    if !output.status.success() {
        return Err(format!("a traced run failed: {}", String::from_utf8_lossy(&output.stderr).trim_end()));
    }
    let word = |bytes: &[u8]| u64::from_le_bytes(bytes.try_into().expect("a word has eight bytes"));
    let step = |bytes: &[u8]| Step { address: word(&bytes[..8]), operands: word(&bytes[8..]) };
    Ok(output.stdout.chunks_exact(16).map(step).collect())
}

/// In the process of a run: traces the subject and prints the steps, two words each.
pub fn run_child(arguments: &[String]) -> Result<(), String> {
    let [subject, seed] = arguments else { return Err("a trace is of a subject and a seed".to_owned()) };
    let [subject, seed] = [subject, seed].map(|text| text.parse::<u64>().expect("the caller gives a number"));
    let subject = subjects::all().swap_remove(subject as usize);
    let mut secrets = subject.secrets(EXPONENT_BITS, seed);
    subject.load_key(&mut secrets);
    let registers = record(|| (subject.run)(&secrets))?;
    let program = load_address().ok_or("a process has no map of its memory")?;
    let memory = File::open("/proc/self/mem").map_err(|error| error.to_string())?;
    let (mut operands, mut info) = (HashMap::new(), InstructionInfoFactory::new());
    let mut output = Vec::with_capacity(16 * registers.len());
    for registers in registers {
        let address = registers[libc::REG_RIP as usize] as u64;
        let operands = operands.entry(address).or_insert_with(|| operands_at(address, &memory, &mut info));
        output.extend(address.wrapping_sub(program).to_le_bytes());
        output.extend(fingerprint(operands, registers)?.to_le_bytes());
    }
    std::io::stdout().write_all(&output).map_err(|error| error.to_string())
}

/// The general registers before an instruction.
type Registers = [greg_t; 23];

static NEXT: AtomicPtr<Registers> = AtomicPtr::new(ptr::null_mut());
static ROOM: AtomicUsize = AtomicUsize::new(0);

/// The registers before each instruction of the function.
fn record(run: impl Fn()) -> Result<&'static [Registers], String> {
    let buffer: &'static mut [MaybeUninit<Registers>] = Box::leak(Box::new_uninit_slice(MAX_STEPS));
    let start = buffer.as_mut_ptr().cast::<Registers>();
    NEXT.store(start, Ordering::Relaxed);
    ROOM.store(MAX_STEPS, Ordering::Relaxed);
    let action = SigAction::new(SigHandler::SigAction(note_registers), SaFlags::empty(), SigSet::empty());
    // SAFETY: the handler touches nothing but the context that it is given, two atomics and the buffer.
    unsafe { sigaction(Signal::SIGTRAP, &action) }.map_err(|error| error.to_string())?;
    // SAFETY: with the trap flag set every instruction ends in the handler above.
    unsafe { asm!("pushfq", "or qword ptr [rsp], 0x100", "popfq") };
    run();
    // SAFETY: the trap flag is cleared again.
    unsafe { asm!("pushfq", "and qword ptr [rsp], ~0x100", "popfq") };
    match ROOM.load(Ordering::Relaxed) {
        0 => Err(format!("more than {MAX_STEPS} instructions")),
        // SAFETY: the handler wrote these elements, one for each that `ROOM` went down.
        room => Ok(unsafe { std::slice::from_raw_parts(start, MAX_STEPS - room) }),
    }
}

extern "C" fn note_registers(_: c_int, _: *mut libc::siginfo_t, context: *mut c_void) {
    let room = ROOM.load(Ordering::Relaxed);
    if room == 0 {
        return;
    }
    ROOM.store(room - 1, Ordering::Relaxed);
    // SAFETY: the kernel gives the handler a `ucontext_t`; `NEXT` has room for one element more.
    unsafe {
        let next = NEXT.load(Ordering::Relaxed);
        next.write((*context.cast::<libc::ucontext_t>()).uc_mcontext.gregs);
        NEXT.store(next.add(1), Ordering::Relaxed);
    }
}

/// The address of this program in memory.
fn load_address() -> Option<u64> {
    let maps = std::fs::read_to_string("/proc/self/maps").ok()?;
    u64::from_str_radix(maps.split('-').next()?, 16).ok()
}

/// The operands in memory of the instruction at this address.
fn operands_at(address: u64, memory: &File, info: &mut InstructionInfoFactory) -> Vec<UsedMemory> {
    let mut bytes = [0; MAX_INSTRUCTION_BYTES];
    let count = memory.read_at(&mut bytes, address).expect("what was executed can be read");
    let instruction = Decoder::with_ip(64, &bytes[..count], address, DecoderOptions::NONE).decode();
    info.info(&instruction).used_memory().to_vec()
}

/// The FNV-1a hash, by words, of the addresses of the operands.
fn fingerprint(operands: &[UsedMemory], registers: &Registers) -> Result<u64, String> {
    operands.iter().try_fold(0xcbf2_9ce4_8422_2325, |hash: u64, operand| {
        let address = operand.virtual_address(0, |register, _, _| value(register, registers));
        let address = address.ok_or("a traced instruction gathers: its addresses are not followed")?;
        Ok((hash ^ address).wrapping_mul(0x0000_0100_0000_01b3))
    })
}

/// The value of a register in an address; segments have the same base in every run.
fn value(register: Register, registers: &Registers) -> Option<u64> {
    let index = match register.full_register() {
        Register::RAX => libc::REG_RAX,
        Register::RBX => libc::REG_RBX,
        Register::RCX => libc::REG_RCX,
        Register::RDX => libc::REG_RDX,
        Register::RSI => libc::REG_RSI,
        Register::RDI => libc::REG_RDI,
        Register::RBP => libc::REG_RBP,
        Register::RSP => libc::REG_RSP,
        Register::R8 => libc::REG_R8,
        Register::R9 => libc::REG_R9,
        Register::R10 => libc::REG_R10,
        Register::R11 => libc::REG_R11,
        Register::R12 => libc::REG_R12,
        Register::R13 => libc::REG_R13,
        Register::R14 => libc::REG_R14,
        Register::R15 => libc::REG_R15,
        register if register.is_segment_register() => return Some(0),
        _ => return None,
    };
    Some(registers[index as usize] as u64)
}
