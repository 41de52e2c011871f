//! Whether secrets are erased: memory that is freed while a subject runs must hold none. Two neighbouring words of more
//! than 48 bits count as a secret, because lengths and pointers are smaller, unless the subject published them; of a
//! subject that names what is to be kept, only that counts. A single word does not count: what the stack held before may
//! lie beside the tag of an enumeration. The stack and registers are not checked.

use crate::findings::{Check, Findings};
use crate::secrets::{Secrets, as_bytes};
use crate::subject::Subject;
use crate::subjects::{self, SPLIT_BITS};
use std::alloc::{GlobalAlloc, Layout, System};
use std::collections::HashSet;
use std::hint::black_box;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::Relaxed};

/// Above every address of a process.
const LEAST_SECRET: u64 = 1 << 48;
const SEED: u64 = 2;
const EXPONENT_BITS: usize = 200;
/// Larger sizes use the same buffers, but for those whose products are split.
const MAX_BITS: usize = 1100;

/// The words that blocks freed unerased may have together; more are left out, and counted.
const ROOM: usize = 1 << 20;

/// The system's allocator, which also keeps what is in the blocks freed unerased.
pub struct Watchful;

static IS_WATCHING: AtomicBool = AtomicBool::new(false);
/// The words of the blocks freed unerased, block after block, each after its length.
static UNERASED: [AtomicU64; ROOM] = [const { AtomicU64::new(0) }; ROOM];
static USED: AtomicUsize = AtomicUsize::new(0);

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
        let words = layout.size() / 8;
        if IS_WATCHING.load(Relaxed) && (0..words).any(|i| word(i) >= LEAST_SECRET) {
            let start = USED.fetch_add(words + 1, Relaxed);
            let kept = [words as u64].into_iter().chain((0..words).map(word));
            UNERASED.iter().skip(start).zip(kept).for_each(|(room, word)| room.store(word, Relaxed));
        }
        // SAFETY: the caller keeps the contract of the system's allocator.
        unsafe { System.dealloc(block, layout) };
    }
}

/// Runs every subject of moderate size, and controls that do not erase.
pub fn check(findings: &mut Findings, part: &str) {
    let is_due = |subject: &&Subject| subject.bits <= MAX_BITS || subject.bits == SPLIT_BITS;
    for subject in subjects::named(part).iter().filter(is_due) {
        let mut secrets = subject.secrets(EXPONENT_BITS, SEED);
        subject.load_key(&mut secrets);
        let count = count_unerased(&secrets, || (subject.run)(&secrets));
        let leak =
            (count > 0).then(|| format!("{} bits: {count} blocks freed with secrets in them", subject.bits));
        findings.add(Check::Erasure, &subject.name, false, leak);
    }
    let mut secrets = Secrets::new(MAX_BITS, EXPONENT_BITS, SEED);
    for name in ["a copy without erasure", "a kept number without erasure"] {
        let count = count_unerased(&secrets, || drop(black_box(secrets.x.clone())));
        findings.add(Check::Erasure, name, true, (count > 0).then(String::new));
        let kept = as_bytes(&secrets.x).to_vec();
        secrets.keep(&kept);
    }
}

/// The number of blocks that the function frees with 16 octets in them that were not published or, if there is something
/// to be kept, with 16 octets of that. Nothing else runs: this program has one thread.
fn count_unerased(secrets: &Secrets, run: impl Fn()) -> usize {
    USED.store(0, Relaxed);
    IS_WATCHING.store(true, Relaxed);
    run();
    IS_WATCHING.store(false, Relaxed);
    let used = USED.load(Relaxed);
    assert!(used <= ROOM, "more is freed unerased than there is room for");
    let words: Vec<u64> = UNERASED[..used].iter().map(|word| word.load(Relaxed)).collect();
    let (public, mut kept) = (words_of(&secrets.published()), words_of(secrets.kept()));
    kept.retain(|word| *word >= LEAST_SECRET && !public.contains(word));
    let is_secret = |word: &u64| match kept.is_empty() {
        true => *word >= LEAST_SECRET && !public.contains(word),
        false => kept.contains(word),
    };
    let has_secret = |block: &[u64]| block.windows(2).any(|pair| pair.iter().all(is_secret));
    let (mut rest, mut count) = (&words[..], 0);
    while let Some((&length, after)) = rest.split_first() {
        let (block, after) = after.split_at(length as usize);
        count += usize::from(has_secret(block));
        rest = after;
    }
    count
}

/// Every word that lies in the octets, in both orders.
fn words_of(octets: &[u8]) -> HashSet<u64> {
    let padded = [&[0; 8], octets].concat();
    let words = padded.windows(8).map(|window| window.try_into().expect("a window has eight octets"));
    words.flat_map(|window| [u64::from_le_bytes(window), u64::from_be_bytes(window)]).collect()
}
