//! Bytes in, bytes out: `modexp` and `modexp_vartime` against num-bigint and the rules of the Ethereum virtual machine.

use monpro::ring::RingName;
use monpro::{KERNELS, Modulus, modexp, modexp_vartime};
use num_bigint::BigUint;
use proptest::prelude::*;

/// The result by EIP-198: the power in as many bytes as the modulus has, zeros modulo 0.
fn expected(base: &[u8], exponent: &[u8], modulus: &[u8]) -> Vec<u8> {
    let [x, e, n] = [base, exponent, modulus].map(BigUint::from_bytes_be);
    let power = if n == BigUint::ZERO { n } else { x.modpow(&e, &n) };
    let bytes = if power == BigUint::ZERO { vec![] } else { power.to_bytes_be() };
    [vec![0; modulus.len() - bytes.len()], bytes].concat()
}

fn check(base: &[u8], exponent: &[u8], modulus: &[u8]) {
    let expected = expected(base, exponent, modulus);
    let shown = || format!("base {base:02x?} exponent {exponent:02x?} modulus {modulus:02x?}");
    assert_eq!(modexp(base, exponent, modulus), expected, "modexp: {}", shown());
    assert_eq!(modexp_vartime(base, exponent, modulus), expected, "modexp_vartime: {}", shown());
    let n = BigUint::from_bytes_be(modulus);
    if n.bit(0) {
        let ready = Modulus::new(&n.to_u64_digits()).expect("n is odd");
        let bytes = n.to_bytes_be().len();
        let expected = &expected[modulus.len() - bytes..];
        assert_eq!(ready.modexp_vartime(base, exponent), expected, "a ready modulus: {}", shown());
    }
}

#[test]
fn a_ready_modulus_of_every_kernel_takes_bytes() {
    let [base, long, exponent] = [vec![0xa5; 25], vec![0x3c; 60], vec![0x81; 9]];
    // Modulo 20 bits the words of some kernels are fewer bits than those of the number, but not more words.
    for n in [20, 200].map(|bits| with_factors_of_two(bits, 0, 7)) {
        let number = BigUint::from_bytes_be(&n).to_u64_digits();
        for kernel in KERNELS.iter().filter(|kernel| kernel.ring == RingName::Integers) {
            if !kernel.is_available() {
                continue;
            }
            let ready = Modulus::with_kernel(kernel, &number).expect("the kernel takes any odd n");
            for base in [&base[..], &long, &[], &[0, 0, 1], &[0xa5; 7], &n] {
                for exponent in [&exponent[..], &[], &[0], &[1]] {
                    assert_eq!(
                        ready.modexp_vartime(base, exponent),
                        expected(base, exponent, &n),
                        "{}",
                        kernel.name
                    );
                }
            }
        }
    }
    let one = Modulus::new(&[1]).expect("1 is odd");
    assert_eq!(one.modexp_vartime(&[5], &[]), [0]);
}

#[test]
#[should_panic(expected = "polynomial")]
fn the_bytes_of_a_polynomial_are_refused() {
    let n = Modulus::of_polynomial(&[0b1011]).expect("its constant coefficient is 1");
    let _ = n.modexp_vartime(&[2], &[3]);
}

/// Up to `longest` bytes, with runs of zeros and ones more often than at random.
fn number(longest: usize) -> impl Strategy<Value = Vec<u8>> {
    let run = prop_oneof![
        2 => prop::collection::vec(any::<u8>(), 0..=longest),
        1 => (0..=longest).prop_map(|length| vec![0; length]),
        1 => (0..=longest).prop_map(|length| vec![0xff; length]),
    ];
    prop::collection::vec(run, 0..4).prop_map(move |runs| {
        let mut bytes = runs.concat();
        bytes.truncate(longest);
        bytes
    })
}

/// A number of exactly `bits` ≥ 1 bits with k factors 2, k < bits; its other bits vary with the seed.
fn with_factors_of_two(bits: usize, k: usize, seed: u64) -> Vec<u8> {
    let mut x = (BigUint::from(1u32) << (bits - 1)) | (BigUint::from(1u32) << k);
    let mut state = seed;
    for i in k + 1..bits - 1 {
        state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
        x.set_bit(i as u64, state >> 62 != 0);
    }
    x.to_bytes_be()
}

proptest! {
    #[test]
    fn small_moduli_agree_with_num_bigint(base in number(90), exponent in number(40), modulus in number(64)) {
        check(&base, &exponent, &modulus);
    }

    #[test]
    fn large_moduli_agree_with_num_bigint(base in number(200), exponent in number(16), modulus in number(160)) {
        check(&base, &exponent, &modulus);
    }

    #[test]
    fn short_exponents_agree_with_num_bigint(base in number(200), exponent in number(2), modulus in number(160)) {
        check(&base, &exponent, &modulus);
    }

    #[test]
    fn every_factor_of_two_is_taken_out(bits in 1..1200usize, share in 0..100usize, base in number(100), e in number(30)) {
        check(&base, &e, &with_factors_of_two(bits, bits * share / 100, 1));
    }
}

/// Every number of words, since blocks of words begin at some and round some up; the part modulo 2^k has as many words.
#[test]
fn short_exponents_modulo_every_number_of_words_agree_with_num_bigint() {
    for words in 1..=36 {
        for k in [0, 8, 32 * words, 64 * words - 1] {
            let n = with_factors_of_two(64 * words, k, words as u64);
            let below = (BigUint::from_bytes_be(&n) - 1u32).to_bytes_be();
            for base in [below, vec![0xa7; 4 * words], vec![0xff; 8 * words + 1], vec![0x5b; 20 * words]] {
                for exponent in [2, 3, 4, 5, 7, 15, 17] {
                    check(&base, &[exponent], &n);
                }
                check(&base, &[0x01, 0x13], &n);
            }
        }
    }
}

/// Long bases are reduced by chunks as long as the modulus, of which a sum carries out of the words of n.
#[test]
fn bases_of_many_words_modulo_few_words_agree_with_num_bigint() {
    for words in 1..=8usize {
        let power_of_two = |bits: usize| BigUint::from(1u32) << bits;
        let most = power_of_two(64 * words) - 1u32;
        for n in [most, power_of_two(64 * words - 1) + 1u32, power_of_two(64 * words - 64) + 1u32] {
            let modulus = n.to_bytes_be();
            for length in (32 * words + 56..32 * words + 80).chain([1024]) {
                let ones = vec![0xff; length];
                let multiple = BigUint::from_bytes_be(&ones) / &n * &n;
                for base in
                    [ones, vec![0xa7; length], multiple.to_bytes_be(), (multiple + 1u32).to_bytes_be()]
                {
                    check(&base, &[3], &modulus);
                }
            }
        }
    }
}

/// Only 0 and 1 are their own powers: bases of which one word tells the difference.
#[test]
fn bases_next_to_powers_of_the_word_agree_with_num_bigint() {
    let power_of_w = |i: usize| BigUint::from(1u32) << (64 * i);
    for words in 1..=9 {
        for n in [power_of_w(words) - 1u32, BigUint::from_bytes_be(&with_factors_of_two(64 * words, 0, 5))] {
            for w in (0..=words).map(power_of_w) {
                for base in [&w + 2u32, &w + 1u32, w.clone(), &w - 1u32, &w + &n - 2u32] {
                    check(&base.to_bytes_be(), &[2], &n.to_bytes_be());
                }
            }
        }
    }
}

/// The lengths have windows of every width, up to the widest; all ones have the last entry of the table.
#[test]
fn exponents_of_many_bytes_agree_with_num_bigint() {
    for words in 1..=9 {
        for length in [1, 3, 10, 30, 90, 180] {
            let mixed: Vec<u8> = (1..=length).map(|i: usize| (i * i * 37 + i) as u8 | 1).collect();
            for exponent in [&mixed, &vec![0xff; length]] {
                check(&vec![0xa7; 8 * words], exponent, &with_factors_of_two(64 * words, 0, 3));
                check(&vec![0xa7; 8 * words], exponent, &with_factors_of_two(64 * words, 32 * words, 3));
            }
        }
    }
}

#[test]
fn small_cases_are_those_of_arithmetic() {
    for n in 0..=40u8 {
        for x in 0..=40u8 {
            for e in 0..=9u8 {
                check(&[x], &[e], &[n]);
            }
        }
    }
}

#[test]
fn words_that_are_full_or_nearly_so() {
    for bits in
        [64usize, 128, 192, 256, 320, 384, 448, 512, 576, 640].into_iter().flat_map(|b| [b - 1, b, b + 1])
    {
        for k in [0, 1, 2, 3, 8, 63, 64, 65].into_iter().filter(|&k| k + 1 < bits) {
            let ones: BigUint = (BigUint::from(1u32) << bits) - (BigUint::from(1u32) << k);
            let [above, below] = [&ones + 1u32, &ones - 1u32].map(|x: BigUint| x.to_bytes_be());
            for base in [&above, &below, &vec![0xff; 80]] {
                check(base, &[0xff; 9], &ones.to_bytes_be());
            }
            check(&below, &[0x01, 0x00, 0x01], &with_factors_of_two(bits, k, 7));
        }
    }
}

#[test]
fn the_order_of_odd_numbers_and_the_zero_of_even_ones_modulo_powers_of_two() {
    for k in (1..=70u64).chain([511, 512, 513, 1000]) {
        let modulus = (BigUint::from(1u32) << k).to_bytes_be();
        for base in [3u32, 5, 6, 12, 64].map(u32::to_be_bytes) {
            for exponent in [k - 1, k, k + 1, 1 << 33, (1 << 33) + 3].map(u64::to_be_bytes) {
                check(&base, &exponent, &modulus);
            }
        }
    }
}

/// Multiples of the order, whose power is 1 in every word, and their neighbours.
#[test]
fn multiples_of_the_order_modulo_powers_of_two_agree_with_num_bigint() {
    for k in [2usize, 3, 63, 64, 65, 66, 67, 128, 129, 130, 320, 500, 513, 600] {
        let order = BigUint::from(1u32) << (k - 2);
        for odd_part in [1u32, 3, 0xffff_fffb] {
            let modulus = (BigUint::from(odd_part) << k).to_bytes_be();
            for exponent in [&order - 1u32, order.clone(), &order + 1u32, &order * 3u32] {
                for base in [&[3][..], &[5], &[0xff; 20]] {
                    check(base, &exponent.to_bytes_be(), &modulus);
                }
            }
        }
    }
}

#[test]
fn missing_and_padded_numbers_follow_the_rules_of_the_virtual_machine() {
    let cases: [[&[u8]; 4]; 9] = [
        [&[], &[], &[], &[]],
        [&[3], &[2], &[], &[]],
        [&[], &[], &[0], &[0]],
        [&[], &[], &[1], &[0]],
        [&[], &[], &[2], &[1]],
        [&[], &[0, 0], &[0, 0, 5], &[0, 0, 1]],
        [&[0, 0, 7], &[], &[0, 3], &[0, 1]],
        [&[7], &[0, 0, 0, 2], &[0, 0, 0, 50], &[0, 0, 0, 49]],
        [&[0, 0], &[0, 1], &[9, 9], &[0, 0]],
    ];
    for [base, exponent, modulus, power] in cases {
        assert_eq!(modexp(base, exponent, modulus), power);
        assert_eq!(modexp_vartime(base, exponent, modulus), power);
    }
}

#[test]
fn the_largest_operands_of_the_virtual_machine() {
    let mut modulus = vec![0xff; 1024];
    for last in [0xff, 0xfe, 0x00] {
        modulus[1023] = last;
        let base = vec![0xa5; 1024];
        for exponent in [&[0x02][..], &[0x03], &[0x01, 0x00, 0x01], &[0xff; 8]] {
            assert_eq!(modexp_vartime(&base, exponent, &modulus), expected(&base, exponent, &modulus));
        }
    }
}
