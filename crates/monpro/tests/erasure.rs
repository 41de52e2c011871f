//! Memory that is freed holds no secret: a block of the heap that a power gives back, and that has room for a residue,
//! holds zeros alone. Smaller blocks hold pointers.

#![allow(unsafe_code, reason = "an allocator is unsafe by its nature")]

mod random;

use monpro::ring::RingName;
use monpro::{KERNELS, Kernel, Modulus, pow};
use random::Random;
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::hint::black_box;

/// The words of the modulus; the scratch of so many is not on the stack.
const WORDS: usize = 48;

/// The system's allocator, which also reads each block that a thread frees.
struct Watchful;

thread_local! {
    /// How many blocks with room for a residue this thread freed that did not hold zeros alone.
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
        // SAFETY: the block belongs to the caller until it is freed, and was initialised when it was allocated.
        let octets = unsafe { std::slice::from_raw_parts(block, layout.size()) };
        if octets.len() >= 8 * WORDS && octets.iter().any(|&octet| octet != 0) {
            // At the end of a thread its counter may be gone.
            let _ = UNERASED.try_with(|count| count.set(count.get() + 1));
        }
        // SAFETY: the caller keeps the contract of the system's allocator.
        unsafe { System.dealloc(block, layout) };
    }
}

#[global_allocator]
static ALLOCATOR: Watchful = Watchful;

/// How many such blocks the action frees.
fn unerased(action: impl FnOnce()) -> usize {
    let before = UNERASED.get();
    action();
    UNERASED.get() - before
}

#[test]
fn a_power_erases_what_it_frees() {
    let mut random = Random(11);
    let (mut n, x, e) = (random.words(WORDS), random.words(WORDS), random.words(3));
    n[0] |= 1;
    n[WORDS - 1] |= 1 << 63;
    let runs = |kernel: &&Kernel| kernel.ring == RingName::Integers && kernel.is_available();
    for kernel in KERNELS.iter().filter(runs) {
        let modulus = Modulus::with_kernel(kernel, &n).expect("the kernel takes the modulus");
        let x = modulus.residue(&x);
        assert_eq!(unerased(|| drop(black_box(x.pow(&e)))), 0, "{}", kernel.name);
    }
}

#[test]
fn a_modulus_erases_its_constants() {
    let mut random = Random(12);
    let mut n = random.words(WORDS);
    n[0] |= 1;
    n[WORDS - 1] |= 1 << 63;
    let runs = |kernel: &&Kernel| kernel.ring == RingName::Integers && kernel.is_available();
    for kernel in KERNELS.iter().filter(runs) {
        assert_eq!(unerased(|| drop(black_box(Modulus::with_kernel(kernel, &n)))), 0, "{}", kernel.name);
    }
}

#[test]
fn a_power_modulo_a_power_of_two_erases_what_it_frees_but_the_result() {
    let mut random = Random(13);
    let (x, e, mut n) = (random.words(WORDS), random.words(3), vec![0; WORDS + 1]);
    n[WORDS] = 1;
    let power = || black_box(pow(&x, &e, &n)).expect("n is not 0").fill(0);
    assert_eq!(unerased(power), 0);
}

#[test]
fn a_block_that_is_not_erased_is_found() {
    assert_eq!(unerased(|| drop(black_box(vec![1u64; WORDS]))), 1);
}
