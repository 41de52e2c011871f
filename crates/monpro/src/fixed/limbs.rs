//! Numbers of S limbs of 64 bits, the lowest first; W = 2^64, R = W^S.
//!
//! The functions are constant, so they cannot call those of the trait [`Word`](crate::word::Word).

/// (carry, z) with carry·R + z = x + y.
#[inline(always)]
pub(super) const fn add<const S: usize>(x: &[u64; S], y: &[u64; S]) -> (u64, [u64; S]) {
    let (mut z, mut carry, mut i) = ([0; S], 0, 0);
    while i < S {
        let sum = x[i] as u128 + y[i] as u128 + carry as u128;
        (carry, z[i]) = ((sum >> 64) as u64, sum as u64);
        i += 1;
    }
    (carry, z)
}

/// (borrow, z) with z − borrow·R = x − y.
#[inline(always)]
pub(super) const fn subtract<const S: usize>(x: &[u64; S], y: &[u64; S]) -> (u64, [u64; S]) {
    let (mut z, mut borrow, mut i) = ([0; S], 0, 0);
    while i < S {
        let difference = (x[i] as u128).wrapping_sub(y[i] as u128).wrapping_sub(borrow as u128);
        (borrow, z[i]) = ((difference >> 64) as u64 & 1, difference as u64);
        i += 1;
    }
    (borrow, z)
}

/// x where the mask is zeros, y where it is ones.
#[inline(always)]
pub(super) const fn select<const S: usize>(mask: u64, x: &[u64; S], y: &[u64; S]) -> [u64; S] {
    let (mut z, mut i) = (*x, 0);
    while i < S {
        z[i] ^= mask & (x[i] ^ y[i]);
        i += 1;
    }
    z
}

/// The bits in which x and y differ, all in one word.
#[inline(always)]
pub(super) fn difference<const S: usize>(x: &[u64; S], y: &[u64; S]) -> u64 {
    x.iter().zip(y).fold(0, |bits, (x, y)| bits | (x ^ y))
}

/// The number with this lowest limb, and zeros above.
pub(super) const fn of_word<const S: usize>(word: u64) -> [u64; S] {
    let mut z = [0; S];
    z[0] = word;
    z
}

/// (C, L) with C·W + L = t + x·y + c, at most (W − 1) + (W − 1)² + (W − 1) = W² − 1.
#[inline(always)]
pub(super) const fn mul_add(t: u64, x: u64, y: u64, c: u64) -> (u64, u64) {
    let sum = x as u128 * y as u128 + t as u128 + c as u128;
    ((sum >> 64) as u64, sum as u64)
}
