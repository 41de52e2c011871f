//! xᵉ mod n by one kernel and by every method, compared with GMP. The input determines the kernel, the
//! lengths and the numbers.
#![no_main]

use libfuzzer_sys::fuzz_target;
use monpro::ring::RingName;
use monpro::{KERNELS, Kernel, Method, Modulus, pow_with};
use monpro_fuzz::gmp;
use monpro_fuzz::input::Input;
use std::sync::LazyLock;

const MAX_WORDS: usize = 40;
const MAX_EXPONENT_WORDS: usize = 3;

static INTEGERS: LazyLock<Vec<&'static Kernel>> = LazyLock::new(|| {
    KERNELS.iter().filter(|kernel| kernel.ring == RingName::Integers && kernel.is_available()).collect()
});

fuzz_target!(|input: &[u8]| {
    let Some((numbers, kernel)) = read(input) else { return };
    let [n, x, e] = &numbers;
    let odd_part_is_taken = |n: &[u64]| Modulus::with_kernel(kernel, n).or_else(|_| Modulus::new(n));
    let Some(expected) = gmp::powm(x, e, n) else { return };
    for method in [Method::FixedWindow, Method::SlidingWindowVartime, Method::BinaryVartime] {
        let found = pow_with(method, x, e, n, odd_part_is_taken).expect("n is not 0");
        assert_eq!(found, expected, "{} by {method:?}: {x:x?}^{e:x?} mod {n:x?}", kernel.name);
    }
});

/// The numbers n, x and e, each perhaps with leading words of 0, and a kernel; None if the input is too short.
fn read(input: &[u8]) -> Option<([Vec<u64>; 3], &'static Kernel)> {
    let (&[kernel, n_words, x_words, e_words], rest) = input.split_first_chunk()?;
    let mut rest = Input::new(rest);
    let n = rest.words(1 + usize::from(n_words) % MAX_WORDS);
    let x = rest.words(usize::from(x_words) % MAX_WORDS);
    let e = rest.words(usize::from(e_words) % (MAX_EXPONENT_WORDS + 1));
    let kernel = INTEGERS[usize::from(kernel) % INTEGERS.len()];
    Some(([n, x, e], kernel))
}
