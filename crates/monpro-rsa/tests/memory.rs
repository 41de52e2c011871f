//! What needs more memory than there is ends in an error, and not the process.

#![allow(unsafe_code, reason = "an allocator is unsafe by its nature")]

use monpro_rsa::{Error, PrivateKey};
use std::alloc::{GlobalAlloc, Layout, System};
use std::ptr;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// The system's allocator, which gives no block of more than [`MOST`] octets.
struct Limited;

static MOST: AtomicUsize = AtomicUsize::new(usize::MAX);

// SAFETY: it allocates and frees as the system's allocator does, or says that there is no memory.
unsafe impl GlobalAlloc for Limited {
    // SAFETY: the contract is that of the trait.
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if layout.size() > MOST.load(Relaxed) {
            return ptr::null_mut();
        }
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
static ALLOCATOR: Limited = Limited;

/// By scrypt with N = 16384, r = 4 and p = 2.
const ENCRYPTED: &str = "\
-----BEGIN ENCRYPTED PRIVATE KEY-----
MIIBtTBPBgkqhkiG9w0BBQ0wQjAhBgkrBgEEAdpHBAswFAQIu9AyMqVkv5oCAkAA
AgEEAgECMB0GCWCGSAFlAwQBKgQQuVOaN9M4pEQoDeabMWtz7gSCAWCiRcwXKcPe
X9aYGtN4bs8VFJCXolp9BzC2BbGg2syPqhh3B/nbzkO7QqW8mp2hCx9c8Z+1p45f
ERRfC8DltrVtUtDZsinS7WTtXX55t0TU/k5xklk37gedqHkTkpW96q/Rur49cPMy
AvY5YsQedr0T0g5wn0hnEcETia+lP9ZAsv03L0HpMlLEJ3YuVEU/Qimzt3QWP/9x
lOZX7XNEnO31ESkZnbmhZE+slhDwhmZ74Mgnh28HUevrVJKZ8TdzICO6MyjBmuin
Go5GhKxOSnEj3HaYfC4fglc8HbiAb9UhjPbHxBG0clqbOqV+hkiBo80dvCeCzaDB
PSBOjGvn+xkaXrlD+VVIvjiSSqV05SFK1BN+RH2ta/eMVhZ6wCM/91qayHxyBU9c
qBarkBPLGauKIgm/A1ow14DjClaPI0g62cCfxAaDLi41F3t07ZK9C4DhqlVzS3Ym
q4KcBsMOKZjl
-----END ENCRYPTED PRIVATE KEY-----
";

#[test]
fn a_derivation_asks_for_its_memory() {
    let needed = 128 * (16384 * 4 + 4 * 2 + 4) + 65536;
    for (most, expected) in [(needed - 1, Some(Error::OutOfMemory)), (needed, None)] {
        MOST.store(most, Relaxed);
        let loaded = PrivateKey::from_encrypted_pem(ENCRYPTED, b"words");
        MOST.store(usize::MAX, Relaxed);
        assert_eq!(loaded.err(), expected);
    }
}
