//! Exponentiation, conversion and residue arithmetic against num-bigint, for any modulus and size.

use monpro::ring::RingName;
use monpro::{Error, KERNELS, Kernel, Method, Modulus, Residue, Scratch, natural, pow, pow_with};
use num_bigint::BigUint;
use proptest::prelude::*;
use std::panic::{AssertUnwindSafe, catch_unwind};

mod random;
use random::Random;

const METHODS: [Method; 3] = [Method::BinaryVartime, Method::FixedWindow, Method::SlidingWindowVartime];

fn integer(words: &[u64]) -> BigUint {
    BigUint::from_bytes_be(&natural::to_be_bytes(words, 8 * words.len()))
}

/// Numbers of up to `words` words, leading zeros included, with runs of zeros and ones more often than at random.
fn number(words: usize) -> impl Strategy<Value = Vec<u64>> {
    let word = prop_oneof![3 => any::<u64>(), 1 => Just(0), 1 => Just(u64::MAX), 1 => 0..4u64];
    prop::collection::vec(word, 0..=words)
}

fn modulus(words: usize) -> impl Strategy<Value = Vec<u64>> {
    number(words).prop_filter("a modulus is at least 1", |n| natural::bit_length(n) > 0)
}

fn odd_modulus(words: usize) -> impl Strategy<Value = Vec<u64>> {
    (number(words - 1), any::<u64>()).prop_map(|(high, low)| [vec![low | 1], high].concat())
}

proptest! {
    #[test]
    fn every_method_agrees_with_num_bigint(x in number(12), e in number(4), n in modulus(8), method in 0..3usize) {
        let power = pow_with(METHODS[method], &x, &e, &n, Modulus::new).unwrap();
        prop_assert_eq!(power.len(), natural::bit_length(&n).div_ceil(64));
        prop_assert_eq!(integer(&power), integer(&x).modpow(&integer(&e), &integer(&n)));
    }

    #[test]
    fn every_integer_kernel_exponentiates(x in number(6), e in number(2), n in odd_modulus(6)) {
        let expected = integer(&x).modpow(&integer(&e), &integer(&n));
        for kernel in KERNELS.iter().filter(|kernel| kernel.ring == RingName::Integers && kernel.is_available()) {
            if !kernel.supports(&n) {
                continue;
            }
            let modulus = Modulus::with_kernel(kernel, &n).unwrap();
            let residue = modulus.residue(&x);
            prop_assert_eq!(integer(&residue.to_number()), integer(&x) % integer(&n));
            prop_assert_eq!(integer(&residue.pow(&e).to_number()), expected.clone(), "{}", kernel.name);
            prop_assert_eq!(residue.pow_vartime(&e), residue.pow_binary_vartime(&e));
        }
    }

    #[test]
    fn every_integer_kernel_multiplies(x in number(20), y in number(20), n in odd_modulus(20)) {
        let (product, square) = (integer(&x) * integer(&y) % integer(&n), integer(&x).pow(2) % integer(&n));
        for kernel in KERNELS.iter().filter(|kernel| kernel.ring == RingName::Integers && kernel.is_available()) {
            if !kernel.supports(&n) {
                continue;
            }
            let modulus = Modulus::with_kernel(kernel, &n).unwrap();
            let (a, b) = (modulus.residue(&x), modulus.residue(&y));
            prop_assert_eq!(integer(&(&a * &b).to_number()), product.clone(), "{}", kernel.name);
            prop_assert_eq!(integer(&a.square().to_number()), square.clone(), "{}", kernel.name);
        }
    }

    #[test]
    fn residues_form_a_ring(x in number(5), y in number(5), n in odd_modulus(5)) {
        let modulus = Modulus::new(&n).unwrap();
        let (a, b) = (modulus.residue(&x), modulus.residue(&y));
        let n = integer(&n);
        let (x, y) = (integer(&x) % &n, integer(&y) % &n);
        prop_assert_eq!(integer(&(&a + &b).to_number()), (&x + &y) % &n);
        prop_assert_eq!(integer(&(&a - &b).to_number()), (&x + &n - &y) % &n);
        prop_assert_eq!(integer(&(&a * &b).to_number()), &x * &y % &n);
        prop_assert_eq!(integer(&(-&a).to_number()), (&n - &x) % &n);
        prop_assert_eq!(a.square(), &a * &a);
        prop_assert_eq!(modulus.residue_from_words(&a.words()).unwrap(), a);
    }

    #[test]
    fn polynomials_keep_the_laws_of_exponents(x in number(3), d in 0..999u64, e in 0..999u64, n in odd_modulus(3)) {
        let mut powers = Vec::new();
        let kernels = KERNELS.iter().filter(|k| k.ring == RingName::BinaryPolynomials && k.is_available());
        for kernel in kernels.filter(|kernel| kernel.supports(&n)) {
            let modulus = Modulus::with_kernel(kernel, &n).unwrap();
            let a = modulus.residue(&x);
            prop_assert_eq!(&a.pow(&[d]) * &a.pow_vartime(&[e]), a.pow_binary_vartime(&[d + e]));
            prop_assert_eq!(&a + &a, modulus.zero());
            powers.push(a.pow(&[e]).to_number());
        }
        prop_assert!(powers.len() >= 20 && powers.iter().all(|power| *power == powers[0]));
    }
}

/// Moduli n of this many bits and bases x at the edges: n is all ones, two ones, or in between; x is n − 1, or all
/// ones.
fn edges(bits: usize) -> Vec<(Vec<u64>, Vec<u64>)> {
    let ones = |bits: usize| {
        (0..bits.div_ceil(64)).map(|i| u64::MAX >> 64_usize.saturating_sub(bits - 64 * i)).collect()
    };
    let mut two_ones = vec![0; bits.div_ceil(64)];
    two_ones[(bits - 1) / 64] |= 1 << ((bits - 1) % 64);
    two_ones[0] |= 1;
    let all_ones: Vec<u64> = ones(bits);
    let between: Vec<u64> =
        all_ones.iter().zip(&two_ones).map(|(a, b)| a & 0x9e37_79b9_7f4a_7c15 | b).collect();
    let moduli = [all_ones, two_ones, between];
    let largest = |n: &[u64]| n.iter().enumerate().map(|(i, word)| word - u64::from(i == 0)).collect();
    moduli.into_iter().flat_map(|n| [(largest(&n), n.clone()), (ones(bits - 1), n)]).collect()
}

#[test]
fn every_integer_kernel_exponentiates_whatever_the_number_of_digits() {
    let e = [0xffff_ffff_7fff_0001, 0x1f];
    for bits in (1..=34).flat_map(|digits| [51 * digits - 3, 51 * digits - 2]) {
        for (x, n) in edges(bits) {
            let expected = integer(&x).modpow(&integer(&e), &integer(&n));
            for kernel in
                KERNELS.iter().filter(|k| k.ring == RingName::Integers && k.is_available() && k.supports(&n))
            {
                let x = Modulus::with_kernel(kernel, &n).unwrap().residue(&x);
                assert_eq!(integer(&x.pow(&e).to_number()), expected, "{} {bits}", kernel.name);
                assert_eq!(x.pow_vartime(&e), x.pow(&e), "{} {bits}", kernel.name);
            }
        }
    }
}

/// Windows of 5 bits and more, whose tables have more than 16 entries: 400 windows take each entry several times.
#[test]
fn every_integer_kernel_takes_exponents_of_2048_bits() {
    let mut random = Random(5);
    let (mut n, x) = (random.words(16), random.words(16));
    n[0] |= 1;
    for e in [random.words(32), vec![u64::MAX; 32]] {
        let expected = integer(&x).modpow(&integer(&e), &integer(&n));
        for kernel in KERNELS.iter().filter(|k| k.ring == RingName::Integers && k.is_available()) {
            let x = Modulus::with_kernel(kernel, &n).unwrap().residue(&x);
            assert_eq!(integer(&x.pow(&e).to_number()), expected, "{}", kernel.name);
        }
    }
}

#[test]
fn bounded_exponents_ignore_the_bits_above_the_bound() {
    let modulus = Modulus::new(&[1_000_003]).unwrap();
    let x = modulus.residue(&[5]);
    for bits in 0..=64 {
        let e = 0xdead_beef_0123_4567u64;
        let low = if bits == 64 { e } else { e & ((1 << bits) - 1) };
        assert_eq!(x.pow_bounded(&[e], bits), x.pow_binary_vartime(&[low]), "{bits} bits");
    }
}

#[test]
fn small_cases_are_those_of_arithmetic() {
    for n in 1..=40u64 {
        for x in 0..=2 * n {
            for e in 0..=9u32 {
                let expected = (0..e).fold(1 % n, |power, _| power * x % n);
                for method in METHODS {
                    let power = pow_with(method, &[x], &[e.into()], &[n], Modulus::new).unwrap();
                    assert_eq!(power, [expected], "{x}^{e} mod {n} by {method:?}");
                }
            }
        }
    }
}

#[test]
fn sizes_reach_16384_bits_even_and_odd() {
    let mut words: Vec<u64> = (1..=256u64).map(|i| i.wrapping_mul(0x9e37_79b9_7f4a_7c15)).collect();
    let e = [0xfedc_ba98_7654_3210, 0x1];
    for low in [1, 2, 0] {
        words[0] = low;
        let n = integer(&words);
        let x = [u64::MAX; 256];
        assert_eq!(integer(&pow(&x, &e, &words).unwrap()), integer(&x).modpow(&integer(&e), &n));
    }
}

#[test]
fn bad_input_is_a_typed_error() {
    assert_eq!(pow(&[2], &[3], &[]), Err(Error::ZeroModulus));
    assert_eq!(pow(&[2], &[3], &[0, 0]), Err(Error::ZeroModulus));
    assert_eq!(Modulus::new(&[]).unwrap_err(), Error::ZeroModulus);
    assert_eq!(Modulus::new(&[6]).unwrap_err(), Error::EvenModulus);
    let modulus = Modulus::with_kernel(monpro::Kernel::by_name("cios").unwrap(), &[7, 1]).unwrap();
    let word_count = |given| Error::WordCount { expected: 2, given };
    assert_eq!(modulus.residue_from_words(&[1]).unwrap_err(), word_count(1));
    assert_eq!(modulus.residue_from_words(&[1, 0, 0]).unwrap_err(), word_count(3));
    assert_eq!(modulus.residue_from_words(&[7, 1]).unwrap_err(), Error::NotReduced);
    let narrow = Modulus::with_kernel(monpro::Kernel::by_name("cios-w32").unwrap(), &[7, 1]).unwrap();
    assert_eq!(narrow.residue_from_words(&[1 << 32, 0, 0]).unwrap_err(), Error::NotReduced);
    assert_eq!(monpro::Kernel::by_name("karatsuba").err(), Some(Error::UnknownKernel));
}

#[test]
#[should_panic(expected = "different moduli")]
fn residues_of_different_moduli_do_not_mix() {
    let _ = &Modulus::new(&[7]).unwrap().one() * &Modulus::new(&[9]).unwrap().one();
}

#[test]
#[should_panic(expected = "different moduli")]
fn products_in_place_are_of_one_modulus() {
    let [n, m] = [[7], [9]].map(|n| Modulus::new(&n).unwrap());
    n.one().mul_assign(&m.one(), &mut n.scratch());
}

/// A residue and a scratch of another modulus, which is longer, shorter, or of a kernel with more or less scratch.
fn scratch_of_another_modulus() -> Vec<(Residue, Scratch)> {
    let modulus = |kernel, words: usize| {
        Modulus::with_kernel(Kernel::by_name(kernel).unwrap(), &[vec![u64::MAX], vec![1; words - 1]].concat())
            .unwrap()
    };
    let pairs = [
        (("cios", 4), ("cios", 5)),
        (("cios", 4), ("cios", 3)),
        (("cios", 4), ("sos", 4)),
        (("sos", 4), ("cios", 4)),
    ];
    pairs.map(|((k, s), (l, t))| (modulus(k, s).one(), modulus(l, t).scratch())).into()
}

#[test]
fn products_in_place_refuse_the_scratch_of_another_modulus() {
    for (mut x, mut scratch) in scratch_of_another_modulus() {
        let (y, expected) = (x.clone(), x.clone());
        let product = AssertUnwindSafe(|| x.mul_assign(&y, &mut scratch));
        let message = *catch_unwind(product).unwrap_err().downcast::<&str>().unwrap();
        assert!(message.starts_with("the scratch is of a modulus of another size or kernel"), "{message}");
        assert_eq!(x, expected);
    }
}

#[test]
fn squares_in_place_refuse_the_scratch_of_another_modulus() {
    for (mut x, mut scratch) in scratch_of_another_modulus() {
        let expected = x.clone();
        let square = AssertUnwindSafe(|| x.square_assign(&mut scratch));
        let message = *catch_unwind(square).unwrap_err().downcast::<&str>().unwrap();
        assert!(message.starts_with("the scratch is of a modulus of another size or kernel"), "{message}");
        assert_eq!(x, expected);
    }
}

#[test]
fn nothing_secret_is_printed() {
    let modulus = Modulus::new(&[0xdead_beef_dead_beef]).unwrap();
    let shown = format!("{modulus:?} {:?}", modulus.residue(&[0xdead_beef]));
    assert!(!shown.contains("3735928559") && !shown.to_lowercase().contains("dead"), "{shown}");
}
