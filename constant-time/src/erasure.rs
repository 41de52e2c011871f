//! Whether secrets are erased: memory that goes back to the allocator while a subject runs must hold none. A secret
//! looks like a word of many bits; lengths and pointers are smaller. The stack and registers are not looked at.

use crate::findings::{Check, Findings};
use crate::secrets::Secrets;
use crate::subjects;
use std::alloc::{GlobalAlloc, Layout, System};
use std::hint::black_box;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};

/// Above every address that a process may have.
const LEAST_SECRET: u64 = 1 << 48;
const SEED: u64 = 2;
const EXPONENT_BITS: usize = 200;
/// Larger sizes have the same buffers.
const MAX_BITS: usize = 1100;

/// The system's allocator, which counts what is given back unerased.
pub struct Watchful;

static IS_WATCHING: AtomicBool = AtomicBool::new(false);
static UNERASED: AtomicUsize = AtomicUsize::new(0);

// SAFETY: it allocates and frees as the system's allocator does, and only reads in between.
unsafe impl GlobalAlloc for Watchful {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller keeps the contract of the system's allocator. Zeroes, so that a block whose contents were
        // never written cannot show those of an earlier one.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: the words lie in the block, which is the caller's until it is freed and was set when allocated.
        let word = |i| unsafe { block.cast::<u64>().add(i).read_unaligned() };
        if IS_WATCHING.load(Relaxed) && (0..layout.size() / 8).any(|i| word(i) >= LEAST_SECRET) {
            UNERASED.fetch_add(1, Relaxed);
        }
        // SAFETY: the caller keeps the contract of the system's allocator.
        unsafe { System.dealloc(block, layout) };
    }
}

/// Runs every subject of moderate size, and as a control one that forgets to erase.
pub fn check(findings: &mut Findings) {
    for subject in subjects::all().iter().filter(|subject| subject.bits <= MAX_BITS) {
        let secrets = Secrets::new(subject.bits, EXPONENT_BITS, SEED);
        let count = count_unerased(|| (subject.run)(&secrets));
        let leak =
            (count > 0).then(|| format!("{} bits: {count} blocks freed with secrets in them", subject.bits));
        findings.add(Check::Erasure, &subject.name, false, leak);
    }
    let secrets = Secrets::new(MAX_BITS, EXPONENT_BITS, SEED);
    let count = count_unerased(|| drop(black_box(secrets.x.clone())));
    findings.add(Check::Erasure, "a copy without erasure", true, (count > 0).then(String::new));
}

/// How many blocks the function frees unerased. Nothing else runs: this program has one thread.
fn count_unerased(run: impl Fn()) -> usize {
    UNERASED.store(0, Relaxed);
    IS_WATCHING.store(true, Relaxed);
    run();
    IS_WATCHING.store(false, Relaxed);
    UNERASED.load(Relaxed)
}
