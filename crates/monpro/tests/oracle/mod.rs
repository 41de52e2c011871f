//! The independent oracle: residues one bit at a time, sharing nothing with the crate.
//!
//! Included by the tests that need it; has no tests of its own.

use monpro::ring::RingName;

/// x·y mod n, from the highest bit of y down: z ← 2z + yᵢ·x, reduced after each step. x, y < n; numbers are
/// little-endian words of equal length, and one more word has room for the top bit.
pub(crate) fn product(ring: RingName, x: &[u64], y: &[u64], n: &[u64]) -> Vec<u64> {
    let widen = |a: &[u64]| -> Vec<u64> { a.iter().copied().chain([0]).collect() };
    let (x, n) = (widen(x), widen(n));
    let mut z = vec![0; n.len()];
    for i in (0..64 * y.len()).rev() {
        double(&mut z);
        reduce(ring, &mut z, &n);
        if y[i / 64] >> (i % 64) & 1 == 1 {
            add(ring, &mut z, &x);
            reduce(ring, &mut z, &n);
        }
    }
    z.pop();
    z
}

/// 2^exponent mod n (over GF(2), x^exponent mod n), in the length of n.
pub(crate) fn power_of_two(ring: RingName, exponent: usize, n: &[u64]) -> Vec<u64> {
    let mut n: Vec<u64> = n.to_vec();
    n.push(0);
    let mut z = vec![0; n.len()];
    z[0] = 1;
    reduce(ring, &mut z, &n);
    for _ in 0..exponent {
        double(&mut z);
        reduce(ring, &mut z, &n);
    }
    z.pop();
    z
}

/// The number of bits of x.
pub(crate) fn bits(x: &[u64]) -> usize {
    let top = x.iter().rposition(|&word| word != 0);
    top.map_or(0, |i| 64 * (i + 1) - x[i].leading_zeros() as usize)
}

fn double(z: &mut [u64]) {
    let mut carry = 0;
    for word in z {
        let top = *word >> 63;
        *word = *word << 1 | carry;
        carry = top;
    }
}

fn add(ring: RingName, z: &mut [u64], x: &[u64]) {
    let mut carry = false;
    for (a, &b) in z.iter_mut().zip(x) {
        *a = match ring {
            RingName::BinaryPolynomials => *a ^ b,
            RingName::Integers => {
                let (sum, over) = a.overflowing_add(b);
                let (sum, over_again) = sum.overflowing_add(u64::from(carry));
                carry = over || over_again;
                sum
            }
        };
    }
}

/// Brings z < 2n below n (over GF(2): deg z ≤ deg n).
fn reduce(ring: RingName, z: &mut [u64], n: &[u64]) {
    match ring {
        RingName::BinaryPolynomials => {
            if bits(z) == bits(n) {
                add(ring, z, n);
            }
        }
        RingName::Integers => {
            if z.iter().rev().ge(n.iter().rev()) {
                let mut borrow = false;
                for (a, &b) in z.iter_mut().zip(n) {
                    let (difference, under) = a.overflowing_sub(b);
                    let (difference, under_again) = difference.overflowing_sub(u64::from(borrow));
                    borrow = under || under_again;
                    *a = difference;
                }
            }
        }
    }
}
