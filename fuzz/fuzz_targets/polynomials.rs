//! Products and powers modulo a polynomial over GF(2) by one kernel, compared with a bitwise double-and-add.
#![no_main]

use libfuzzer_sys::fuzz_target;
use monpro::ring::RingName;
use monpro::{KERNELS, Kernel, Modulus, natural};
use monpro_fuzz::input::Input;
use std::sync::LazyLock;

const MAX_WORDS: usize = 12;
const MAX_EXPONENT_BITS: usize = 6;

static POLYNOMIALS: LazyLock<Vec<&'static Kernel>> = LazyLock::new(|| {
    let kernels = KERNELS.iter().filter(|kernel| kernel.ring == RingName::BinaryPolynomials);
    kernels.filter(|kernel| kernel.is_available()).collect()
});

fuzz_target!(|bytes: &[u8]| {
    let mut input = Input::new(bytes);
    let kernel = input.one_of(&POLYNOMIALS);
    let [n_words, x_words] = [(); 2].map(|()| 1 + input.below(MAX_WORDS));
    let e = input.below(1 << MAX_EXPONENT_BITS) as u64;
    let mut n = input.words(n_words);
    let (x, y) = (input.words(x_words), input.words(x_words));
    let Some(low) = n.first_mut() else { return };
    *low |= 1;
    n.truncate(natural::bit_length(&n).div_ceil(64));
    let modulus = match Modulus::with_kernel(kernel, &n) {
        Ok(modulus) => modulus,
        Err(_) => Modulus::of_polynomial(&n).expect("n is odd"),
    };
    let (a, b) = (modulus.residue(&x), modulus.residue(&y));
    let expected = product(&x, &y, &n);
    let name = modulus.kernel().name;
    assert_eq!((&a * &b).to_number(), expected, "{name}: {x:x?}·{y:x?} mod {n:x?}");
    let power = (0..MAX_EXPONENT_BITS).rev().fold(product(&[1], &[1], &n), |power, bit| {
        let square = product(&power, &power, &n);
        if e >> bit & 1 == 1 { product(&square, &x, &n) } else { square }
    });
    assert_eq!(a.pow(&[e]).to_number(), power, "{name}: {x:x?}^{e} mod {n:x?}");
    assert_eq!(a.pow_vartime(&[e]).to_number(), power, "{name}: {x:x?}^{e} mod {n:x?}, vartime");
});

/// x·y mod n, bit by bit, in the words of n.
fn product(x: &[u64], y: &[u64], n: &[u64]) -> Vec<u64> {
    let degree = natural::bit_length(n) - 1;
    let bit = |number: &[u64], i: usize| number.get(i / 64).map_or(0, |word| word >> (i % 64) & 1);
    let (x, mut z) = (reduced(x, n, degree), vec![0; n.len() + 1]);
    for i in (0..64 * y.len()).rev() {
        // z = z·X + yᵢ·x.
        double(&mut z, n, degree);
        if bit(y, i) == 1 {
            x.iter().zip(&mut z).for_each(|(word, target)| *target ^= word);
        }
    }
    z.truncate(n.len());
    z
}

/// x mod n, in one word more than n has.
fn reduced(x: &[u64], n: &[u64], degree: usize) -> Vec<u64> {
    let mut z = vec![0; n.len() + 1];
    for i in (0..64 * x.len()).rev() {
        double(&mut z, n, degree);
        z[0] ^= x[i / 64] >> (i % 64) & 1;
        reduce(&mut z, n, degree);
    }
    z
}

/// z = z·X mod n.
fn double(z: &mut [u64], n: &[u64], degree: usize) {
    for i in (0..z.len()).rev() {
        z[i] = z[i] << 1 | i.checked_sub(1).map_or(0, |below| z[below] >> 63);
    }
    reduce(z, n, degree);
}

fn reduce(z: &mut [u64], n: &[u64], degree: usize) {
    if z[degree / 64] >> (degree % 64) & 1 == 1 {
        n.iter().zip(z).for_each(|(word, target)| *target ^= word);
    }
}
