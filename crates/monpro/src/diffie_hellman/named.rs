//! The primes of RFC 3526 and RFC 7919, computed from their formula.
//!
//! p = 2^b − 2^(b−64) + (⌊2^(b−130)·c⌋ + offset)·2^64 − 1 with c = π in RFC 3526 and c = e in RFC 7919.
//! Nobody could choose the bits of p: the offset is the smallest for which p is a safe prime.

use crate::natural::{shift_right, subtract};
use crate::product::add_product;
use alloc::vec;
use alloc::vec::Vec;

struct Named {
    name: &'static str,
    bits: usize,
    /// ⌊2^bits·c⌋ for the constant c of the family.
    constant: fn(bits: usize) -> Vec<u64>,
    offset: u64,
}

const NAMED: [Named; 10] = [
    Named { name: "modp2048", bits: 2048, constant: pi, offset: 124_476 },
    Named { name: "modp3072", bits: 3072, constant: pi, offset: 1_690_314 },
    Named { name: "modp4096", bits: 4096, constant: pi, offset: 240_904 },
    Named { name: "modp6144", bits: 6144, constant: pi, offset: 929_484 },
    Named { name: "modp8192", bits: 8192, constant: pi, offset: 4_743_158 },
    Named { name: "ffdhe2048", bits: 2048, constant: e, offset: 560_316 },
    Named { name: "ffdhe3072", bits: 3072, constant: e, offset: 2_625_351 },
    Named { name: "ffdhe4096", bits: 4096, constant: e, offset: 5_736_041 },
    Named { name: "ffdhe6144", bits: 6144, constant: e, offset: 15_705_020 },
    Named { name: "ffdhe8192", bits: 8192, constant: e, offset: 10_965_728 },
];

/// The names of the groups.
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    NAMED.iter().map(|named| named.name)
}

/// The names of the groups whose primes have so many bits.
pub(super) fn names_of_length(bits: usize) -> impl Iterator<Item = &'static str> {
    NAMED.iter().filter(move |named| named.bits == bits).map(|named| named.name)
}

/// The prime of the group of this name, and the octets of its private keys.
pub(super) fn prime(name: &str) -> Option<(Vec<u64>, usize)> {
    let named = NAMED.iter().find(|named| named.name == name)?;
    let words = named.bits / 64;
    let mut p = vec![0];
    p.extend((named.constant)(named.bits - 130));
    p.resize(words, 0);
    add_product(&mut p[1..], &[named.offset], &[1]);
    subtract(&mut p, &[1]);
    // 2^b − 2^(b−64) sets all bits of the top word, which is 0 so far.
    p[words - 1] = u64::MAX;
    Some((p, private_bits(named.bits).div_ceil(8)))
}

/// The length of private exponents by RFC 7919, appendix A, at which an exponent is as hard to find as the
/// logarithm itself. It is within the estimates of RFC 3526, section 8.
fn private_bits(bits: usize) -> usize {
    match bits {
        2048 => 225,
        3072 => 275,
        4096 => 325,
        6144 => 375,
        _ => 400,
    }
}

/// The number of 64-bit places after the point for a constant of `bits` bits. At least 64 bits are spare,
/// because the divisions lose a few units of the last place for each of some thousand terms.
fn places(bits: usize) -> usize {
    bits.div_ceil(64) + 1
}

/// 1, with `places` 64-bit places after the point.
fn one(places: usize) -> Vec<u64> {
    let mut z = vec![0; places + 1];
    z[places] = 1;
    z
}

/// ⌊2^bits·e⌋, where e = Σ 1/n!.
fn e(bits: usize) -> Vec<u64> {
    let places = places(bits);
    let mut sum = vec![0; places + 1];
    let mut term = one(places);
    for n in 1.. {
        add_product(&mut sum, &[1], &term);
        divide(&mut term, n);
        if is_zero(&term) {
            break;
        }
    }
    shift_right(&sum, 64 * places - bits)
}

/// ⌊2^bits·π⌋, where π = 16·arctan(1/5) − 4·arctan(1/239) (Machin).
fn pi(bits: usize) -> Vec<u64> {
    let places = places(bits);
    let mut sum = vec![0; places + 1];
    add_product(&mut sum, &[16], &arctan_of_inverse(5, places));
    let mut subtrahend = vec![0; places + 1];
    add_product(&mut subtrahend, &[4], &arctan_of_inverse(239, places));
    subtract(&mut sum, &subtrahend);
    shift_right(&sum, 64 * places - bits)
}

/// arctan(1/x) = Σ (−1)ⁿ/((2n + 1)·x^(2n+1)), with `places` 64-bit places after the point.
fn arctan_of_inverse(x: u64, places: usize) -> Vec<u64> {
    let mut sum = vec![0; places + 1];
    let mut power = one(places);
    divide(&mut power, x);
    for n in 0.. {
        let mut term = power.clone();
        divide(&mut term, 2 * n + 1);
        match n % 2 {
            0 => add_product(&mut sum, &[1], &term),
            _ => subtract(&mut sum, &term),
        }
        divide(&mut power, x * x);
        if is_zero(&power) {
            break;
        }
    }
    sum
}

/// z = ⌊z/divisor⌋ for a divisor below 2^32, by half words: the CPU divides these fast.
fn divide(z: &mut [u64], divisor: u64) {
    let mut remainder = 0;
    for word in z.iter_mut().rev() {
        let high = remainder << 32 | *word >> 32;
        let low = (high % divisor) << 32 | *word & 0xffff_ffff;
        *word = ((high / divisor) << 32) | (low / divisor);
        remainder = low % divisor;
    }
}

fn is_zero(z: &[u64]) -> bool {
    z.iter().all(|&word| word == 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::modulus::Modulus;

    #[test]
    fn the_constants_have_their_first_digits() {
        assert_eq!(pi(62), [0xc90f_daa2_2168_c234, 0]);
        assert_eq!(e(62), [0xadf8_5458_a2bb_4a9a, 0]);
        assert_eq!((pi(0)[0], e(0)[0]), (3, 2));
    }

    #[test]
    fn private_keys_have_the_bits_that_rfc_7919_advises() {
        assert_eq!([2048, 3072, 4096, 6144, 8192].map(private_bits), [225, 275, 325, 375, 400]);
    }

    #[test]
    fn every_prime_passes_fermats_test_and_so_does_its_half() {
        for name in names() {
            let (p, _) = prime(name).unwrap();
            for n in [shift_right(&p, 1), p] {
                let modulus = Modulus::new(&n).unwrap();
                let mut exponent = n.clone();
                exponent[0] -= 1;
                assert_eq!(modulus.residue(&[3]).pow_vartime(&exponent), modulus.one(), "{name}");
            }
        }
    }
}
