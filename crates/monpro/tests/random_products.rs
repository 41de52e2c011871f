//! A million random products and squares by every kernel, fewer by slow kernels over GF(2)\[x\]. The integers
//! are compared with num-bigint, polynomials with a scanning kernel, which the conformance test compares with
//! the bitwise oracle. Takes minutes: `make test-full`.

mod random;

use monpro::ring::RingName;
use monpro::{KERNELS, Kernel, Modulus, Residue};
use num_bigint::BigUint;
use random::Random;

const PRODUCTS: usize = 1_000_000;
const PRODUCTS_OF_SLOW_KERNELS: usize = 10_000;
const PRODUCTS_OF_MODULUS: usize = 500;
const MAX_BITS: u64 = 1100;

/// Whether z = x·y, for x, y and z modulo the same n.
type Judge = Box<dyn Fn([&Residue; 3]) -> bool>;

#[test]
#[ignore = "takes minutes: make test-full"]
fn a_million_products_over_the_integers_are_those_of_num_bigint() {
    of_ring(RingName::Integers, |modulus| {
        let n = number(modulus.number(), 64);
        let r = (BigUint::from(1u8) << modulus.r_exponent()) % &n;
        let radix_bits = modulus.kernel().radix_bits;
        Box::new(move |residues| {
            let [x, y, z] = residues.map(|residue| number(&residue.words(), radix_bits));
            z < n && (z * &r) % &n == (x * y) % &n
        })
    });
}

#[test]
#[ignore = "takes minutes: make test-full"]
fn a_million_products_of_polynomials_are_those_of_a_scanning_kernel() {
    of_ring(RingName::BinaryPolynomials, |modulus| {
        let mut scanning = ["cios-gf2-pclmulqdq", "cios-gf2"].map(Kernel::by_name).into_iter().flatten();
        let scanning = scanning.find(|kernel| kernel.is_available()).expect("one is portable");
        let other = Modulus::with_kernel(scanning, modulus.number()).expect("it takes every modulus");
        Box::new(move |[x, y, z]| {
            let [x, y] = [x, y].map(|residue| other.residue(&residue.to_number()));
            (&x * &y).to_number() == z.to_number()
        })
    });
}

/// Multiplies by every kernel of the ring that this CPU can run; each product must be right.
fn of_ring(ring: RingName, judge: fn(&Modulus) -> Judge) {
    for kernel in KERNELS.iter().filter(|kernel| kernel.ring == ring && kernel.is_available()) {
        let mut random = Random(kernel.name.len() as u64);
        let wanted = if is_slow(kernel) { PRODUCTS_OF_SLOW_KERNELS } else { PRODUCTS };
        let mut products = 0;
        while products < wanted {
            let n = modulus(&mut random);
            if !kernel.supports(&n) {
                continue;
            }
            let modulus = Modulus::with_kernel(kernel, &n).expect("n is odd and the kernel takes it");
            let is_right = judge(&modulus);
            let mut x = modulus.residue(&patterned(&mut random, n.len()));
            for _ in 0..PRODUCTS_OF_MODULUS {
                let y = modulus.residue(&patterned(&mut random, n.len()));
                let (product, square) = (&x * &y, y.square());
                let are_right = is_right([&x, &y, &product]) && is_right([&y, &y, &square]);
                let [x_words, y_words] = [&x, &y].map(Residue::words);
                assert!(are_right, "{}: {x_words:x?} by {y_words:x?} mod {n:x?}", kernel.name);
                products += 2;
                x = product;
            }
        }
        println!("kernel {:<28} ok: {products} products and squares", kernel.name);
    }
}

/// Whether the kernel works bit by bit, in small words, or without an instruction for products over GF(2).
fn is_slow(kernel: &Kernel) -> bool {
    let is_fast = kernel.radix_bits == 64 && !kernel.required_instructions().is_empty();
    kernel.ring == RingName::BinaryPolynomials && (!is_fast || kernel.name.starts_with("standard"))
}

/// An odd number of a random length.
fn modulus(random: &mut Random) -> Vec<u64> {
    let bits = 2 + (random.words(1)[0] % (MAX_BITS - 1)) as usize;
    let mut n = patterned(random, bits.div_ceil(64));
    let top = (bits - 1) % 64;
    let last = n.last_mut().expect("a number has a word");
    *last = *last & (u64::MAX >> (63 - top)) | 1 << top;
    n[0] |= 1;
    n
}

/// Words of which about a third are 0 or all ones, so that carries run far.
fn patterned(random: &mut Random, count: usize) -> Vec<u64> {
    let word = |(word, choice): (u64, u64)| match choice % 6 {
        0 => 0,
        1 => u64::MAX,
        _ => word,
    };
    random.words(count).into_iter().zip(random.words(count)).map(word).collect()
}

/// The number with these words of radix_bits bits each.
fn number(words: &[u64], radix_bits: u32) -> BigUint {
    words.iter().rev().fold(BigUint::ZERO, |number, &word| (number << radix_bits) + word)
}
