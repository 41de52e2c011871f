//! Memory that is freed holds no secret: no block of the heap that a power gives back has 16 octets of its base, of the
//! base's square or of the power in it, as residues.

#![allow(unsafe_code, reason = "an allocator is unsafe by its nature")]

mod random;

use monpro::ring::RingName;
use monpro::{KERNELS, Kernel, Modulus, Residue};
use random::Random;
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::hint::black_box;

/// The octets in a row by which a number is recognised.
const WINDOW: usize = 16;
/// More than fit in the scratch on the stack.
const WORDS: usize = 48;

/// The system's allocator, which also reads each block that a watched thread frees.
struct Watchful;

thread_local! {
    /// What no block that this thread frees may hold.
    static SECRETS: Cell<&'static [[u8; WINDOW]]> = const { Cell::new(&[]) };
    /// The number of blocks that held one.
    static UNERASED: Cell<usize> = const { Cell::new(0) };
}

// SAFETY: it allocates and frees as the system's allocator does, and otherwise only reads.
unsafe impl GlobalAlloc for Watchful {
    // SAFETY: the contract is that of the trait.
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller keeps the contract of the system's allocator. The block is zeroed, so that it cannot show
        // the contents of an earlier one. Blocks that grow or shrink are freed and allocated anew.
        unsafe { System.alloc_zeroed(layout) }
    }

    // SAFETY: the contract is that of the trait.
    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // At the end of a thread its secrets may be gone.
        let secrets = SECRETS.try_with(Cell::get).unwrap_or(&[]);
        if !secrets.is_empty() {
            // SAFETY: the block belongs to the caller until it is freed, and was initialised when it was allocated.
            let octets = unsafe { std::slice::from_raw_parts(block, layout.size()) };
            let holds_one = octets.windows(WINDOW).any(|row| secrets.iter().any(|secret| row == secret));
            UNERASED.set(UNERASED.get() + usize::from(holds_one));
        }
        // SAFETY: the caller keeps the contract of the system's allocator.
        unsafe { System.dealloc(block, layout) };
    }
}

#[global_allocator]
static ALLOCATOR: Watchful = Watchful;

/// The blocks with octets of these residues in them that the action frees.
fn unerased(residues: &[Residue], action: impl FnOnce()) -> usize {
    let octets = |residue: &Residue| -> Vec<u8> {
        residue.words().iter().flat_map(|word| word.to_ne_bytes()).collect()
    };
    let window = |residue| octets(residue)[8..8 + WINDOW].try_into().expect("a residue has so many octets");
    SECRETS.set(residues.iter().map(window).collect::<Vec<_>>().leak());
    let before = UNERASED.get();
    action();
    SECRETS.set(&[]);
    UNERASED.get() - before
}

#[test]
fn a_power_leaves_no_residue_in_memory_that_is_freed() {
    let mut random = Random(11);
    let (mut n, x, e) = (random.words(WORDS), random.words(WORDS), random.words(3));
    n[0] |= 1;
    n[WORDS - 1] |= 1 << 63;
    let runs = |kernel: &&Kernel| kernel.ring == RingName::Integers && kernel.is_available();
    for kernel in KERNELS.iter().filter(runs) {
        let Ok(modulus) = Modulus::with_kernel(kernel, &n) else { continue };
        let x = modulus.residue(&x);
        let secrets = [x.clone(), x.square(), x.pow(&e)];
        let count = unerased(&secrets, || drop(black_box(x.pow(&e))));
        assert_eq!(count, 0, "{}", kernel.name);
    }
}

#[test]
fn a_block_that_is_not_erased_is_found() {
    let modulus = Modulus::new(&[u64::MAX; WORDS]).expect("it is odd");
    let x = modulus.residue(&Random(12).words(WORDS));
    assert_eq!(unerased(std::slice::from_ref(&x), || drop(black_box(x.words()))), 1);
}
