//! An allocator that puts every block against a page that cannot be read: after the block, or before it.
//!
//! A read or a write of one byte beyond that end of a block ends the process with SIGSEGV, whatever instruction does it.
//! So does any access to a block that was freed.

use std::alloc::{GlobalAlloc, Layout};
use std::ptr;
use std::sync::atomic::{AtomicBool, Ordering};

/// The size of a page on all targets that the checks run on; larger pages make `mmap`'s addresses multiples of it, too.
const PAGE: usize = 4096;

/// The allocator.
pub struct Guard;

/// Whether a block ends at its guard page, or begins after it.
static AT_END: AtomicBool = AtomicBool::new(true);

/// The end of a block that lies against a page without permissions.
#[derive(Clone, Copy, Debug)]
pub enum End {
    Last,
    First,
}

/// From now on, blocks lie against a guard page with this end.
pub fn guard(end: End) {
    AT_END.store(matches!(end, End::Last), Ordering::Relaxed);
}

/// The bytes of the pages that hold a block of this size.
fn whole_pages(size: usize) -> usize {
    size.max(1).next_multiple_of(PAGE)
}

// SAFETY: `alloc` returns null, or a block of at least the layout's size in pages of its own, aligned as the layout asks for
// alignments of up to a page. `dealloc` unmaps exactly the pages of the block.
unsafe impl GlobalAlloc for Guard {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if layout.align() > PAGE {
            return ptr::null_mut();
        }
        let inner = whole_pages(layout.size());
        // SAFETY: a new anonymous mapping of pages without permissions touches no other memory.
        let start = unsafe {
            libc::mmap(
                ptr::null_mut(),
                inner + 2 * PAGE,
                libc::PROT_NONE,
                libc::MAP_PRIVATE | libc::MAP_ANONYMOUS,
                -1,
                0,
            )
        };
        if start == libc::MAP_FAILED {
            return ptr::null_mut();
        }
        // SAFETY: the pages between the first and the last are in the mapping.
        let first = unsafe { start.cast::<u8>().add(PAGE) };
        // SAFETY: these pages were mapped above, and nothing else uses them.
        if unsafe { libc::mprotect(first.cast(), inner, libc::PROT_READ | libc::PROT_WRITE) } != 0 {
            return ptr::null_mut();
        }
        let offset = match AT_END.load(Ordering::Relaxed) {
            // At most align − 1 bytes remain after the block; none if its size is a multiple of its alignment, as that of
            // every slice is.
            true => (inner - layout.size()) & !(layout.align() - 1),
            false => 0,
        };
        // SAFETY: offset + size is at most the size of the inner pages.
        unsafe { first.add(offset) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // The block begins in the first of the inner pages, at whichever end it lies.
        let into_page = block as usize % PAGE;
        // SAFETY: these are the pages of `alloc`, and the caller gives the block up.
        let status = unsafe {
            libc::munmap(block.sub(into_page + PAGE).cast(), whole_pages(layout.size()) + 2 * PAGE)
        };
        if status != 0 {
            std::process::abort();
        }
    }
}

/// Reads one word beyond this end of a block, which ends the process if the guard works.
pub fn read_beyond(end: End) -> u64 {
    guard(end);
    let block = Vec::from([1_u64; 5]);
    let word = match end {
        End::Last => block.as_ptr().wrapping_add(block.len()),
        End::First => block.as_ptr().wrapping_sub(1),
    };
    // SAFETY: none: this is the mistake that the allocator has to find. The page of the word belongs to the block's own
    // mapping, so no other object is read.
    unsafe { word.read_volatile() }
}
