//! What powers allocate: modulo few words, the result alone, unless a kernel is chosen for them.

#![allow(unsafe_code, reason = "an allocator is unsafe by its nature")]

use monpro::{Kernel, Modulus, modexp_vartime, pow};
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

/// The system's allocator, which counts the blocks that each thread asks for.
struct Counting;

thread_local! {
    static BLOCKS: Cell<usize> = const { Cell::new(0) };
}

// SAFETY: it allocates and frees as the system's allocator does, and otherwise only counts.
unsafe impl GlobalAlloc for Counting {
    // SAFETY: the contract is that of the trait.
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // At the end of a thread its counter may be gone.
        let _ = BLOCKS.try_with(|blocks| blocks.set(blocks.get() + 1));
        // SAFETY: the caller keeps the contract of the system's allocator.
        unsafe { System.alloc(layout) }
    }

    // SAFETY: the contract is that of the trait.
    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: the caller keeps the contract of the system's allocator.
        unsafe { System.dealloc(block, layout) };
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// The blocks that are allocated for a result, with the result's own.
fn blocks<T>(result: impl FnOnce() -> T) -> usize {
    let before = BLOCKS.get();
    let result = result();
    let blocks = BLOCKS.get() - before;
    drop(result);
    blocks
}

/// 2^(bits − 1) + 2^k, big-endian.
fn modulus(bits: usize, k: usize) -> Vec<u8> {
    let mut words = [0; 5];
    words[(bits - 1) / 64] |= 1 << ((bits - 1) % 64);
    words[k / 64] |= 1 << (k % 64);
    monpro::natural::to_be_bytes(&words, bits.div_ceil(8))
}

/// Bases and exponents, short and long.
const BASES: [&[u8]; 4] = [&[], &[3], &[0xa7; 30], &[0x5b; 1000]];
const EXPONENTS: [&[u8]; 5] = [&[], &[1], &[3], &[1, 0, 1], &[0xc5; 100]];

#[test]
fn a_power_modulo_at_most_320_bits_allocates_its_result_alone() {
    // A kernel is taken where it is faster, but not for so few bits, whichever it is.
    Kernel::by_name("cios-pairs").and_then(Kernel::override_selection).expect("it runs everywhere");
    for bits in [2, 8, 63, 64, 65, 128, 136, 137, 192, 256, 257, 320] {
        for k in [0, 1, 63, 64, 65, 200].into_iter().filter(|k| k + 1 < bits) {
            for (base, exponent) in BASES.into_iter().flat_map(|x| EXPONENTS.map(|e| (x, e))) {
                let n = modulus(bits, k);
                let count = blocks(|| modexp_vartime(base, exponent, &n));
                assert_eq!(count, 1, "{bits} bits with {k} factors 2: {base:02x?} to {exponent:02x?}");
            }
        }
    }
}

#[test]
fn a_power_modulo_a_ready_number_of_at_most_256_bits_allocates_its_result_alone() {
    for bits in [2, 8, 64, 65, 128, 192, 256] {
        let n = Modulus::new(&monpro::natural::from_be_bytes(&modulus(bits, 0))).expect("n is odd");
        for (base, exponent) in BASES.into_iter().flat_map(|x| EXPONENTS.map(|e| (x, e))) {
            let count = blocks(|| n.modexp_vartime(base, exponent));
            assert_eq!(count, 1, "{bits} bits: {base:02x?} to {exponent:02x?}");
        }
    }
}

/// A power in constant time has no other mark of the kernel that computed it: all compute the same number.
#[test]
fn a_power_in_constant_time_modulo_few_words_is_left_to_a_kernel_that_was_chosen() {
    Kernel::by_name("cios-pairs").and_then(Kernel::override_selection).expect("it runs everywhere");
    for words in 1..=8 {
        let mut n = vec![0; words];
        (n[0], n[words - 1]) = (7, 7);
        let count = blocks(|| pow(&[3], &[5], &n));
        assert!(count > 1, "{words} words: the result alone, as by a power on the stack");
    }
}
