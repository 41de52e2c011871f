//! Whether secrets are erased: memory that is freed while a subject runs must hold none. Any word of more
//! than 48 bits counts as a secret, because lengths and pointers are smaller. The stack and registers are not
//! checked.

use crate::findings::{Check, Findings};
use crate::secrets::Secrets;
use crate::subjects;
use std::alloc::{GlobalAlloc, Layout, System};
use std::hint::black_box;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};

/// Above every address of a process.
const LEAST_SECRET: u64 = 1 << 48;
const SEED: u64 = 2;
const EXPONENT_BITS: usize = 200;
/// Larger sizes use the same buffers.
const MAX_BITS: usize = 1100;

/// The system's allocator, which also counts the blocks freed unerased.
pub struct Watchful;

static IS_WATCHING: AtomicBool = AtomicBool::new(false);
static UNERASED: AtomicUsize = AtomicUsize::new(0);

// SAFETY: it allocates and frees as the system's allocator does, and otherwise only reads.
unsafe impl GlobalAlloc for Watchful {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller keeps the contract of the system's allocator. The block is zeroed, so that it
        // cannot show the contents of an earlier one.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: the words lie in the block, which belongs to the caller until it is freed and was
        // initialised when allocated.
        let word = |i| unsafe { block.cast::<u64>().add(i).read_unaligned() };
        if IS_WATCHING.load(Relaxed) && (0..layout.size() / 8).any(|i| word(i) >= LEAST_SECRET) {
            UNERASED.fetch_add(1, Relaxed);
        }
        // SAFETY: the caller keeps the contract of the system's allocator.
        unsafe { System.dealloc(block, layout) };
    }
}

/// Runs every subject of moderate size, and one control that does not erase.
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

/// The number of blocks that the function frees unerased. Nothing else runs: this program has one thread.
fn count_unerased(run: impl Fn()) -> usize {
    UNERASED.store(0, Relaxed);
    IS_WATCHING.store(true, Relaxed);
    run();
    IS_WATCHING.store(false, Relaxed);
    UNERASED.load(Relaxed)
}
