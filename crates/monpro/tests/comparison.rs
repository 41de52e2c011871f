//! Comparisons of secret numbers read every word, wherever the first difference is.

use monpro::{KERNELS, Modulus};
use std::hint::black_box;
use std::time::{Duration, Instant};

/// The least time of many comparisons with each of the others, in turn.
fn times<T: PartialEq>(x: &T, others: &[T]) -> Vec<Duration> {
    let mut least = vec![Duration::MAX; others.len()];
    for _ in 0..200 {
        for (least, other) in least.iter_mut().zip(others) {
            let start = Instant::now();
            for _ in 0..20 {
                black_box(black_box(x) == black_box(other));
            }
            *least = start.elapsed().min(*least);
        }
    }
    least
}

/// A comparison that stops at the first difference takes a hundredth of the time if the lowest word differs. The bound
/// of a factor of three leaves room for a busy machine.
#[test]
fn moduli_and_residues_are_compared_in_full() {
    const WORDS: usize = 2048;
    let kernel = KERNELS.iter().find(|kernel| kernel.name == "cios-pairs").expect("it is for every CPU");
    let modulus = |position: usize, bit: u64| {
        let mut n = vec![u64::MAX; WORDS];
        n[position] ^= bit;
        Modulus::with_kernel(kernel, &n).expect("n is odd")
    };
    // Equal, then different in the lowest word, in the middle, in the highest word.
    let moduli = [modulus(0, 0), modulus(0, 2), modulus(WORDS / 2, 2), modulus(WORDS - 1, 2)];
    let n = modulus(0, 0);
    assert_eq!(moduli.each_ref().map(|other| n == *other), [true, false, false, false]);
    let residue = |position: usize| {
        let mut x = vec![7; WORDS];
        x[position] ^= 1;
        n.residue_from_words(&x).expect("it is below n")
    };
    let residues = [residue(0), residue(WORDS / 2), residue(WORDS - 1)];
    for times in [times(&n, &moduli), times(&residue(0), &residues)] {
        let (least, most) = (times.iter().min().unwrap(), times.iter().max().unwrap());
        assert!(*most <= 3 * *least, "{times:?}");
    }
}
