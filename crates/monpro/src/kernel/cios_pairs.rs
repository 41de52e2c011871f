//! Coarsely Integrated Operand Scanning \[koc96, §5\] for 64-bit words, two rows a pass. One pass over t adds two
//! rows of x·y and the two rows of the reduction that go with them. It reads each word of t, y and n once for four
//! products, and runs four carry chains in parallel, where a single chain would wait for itself. The square is the
//! separated one of \[koc96, §4\], also two rows a pass.
//!
//! For common widths the same body is compiled with s as a constant.

use super::contract::{Arithmetic, Constants, Divisor, Kernel, Requirement};
use crate::monoid;
use crate::product;
use crate::ring::{Integers, Ring, RingName};
use crate::word::Word;
use alloc::vec::Vec;

pub(super) const KERNEL: Kernel = Kernel {
    name: "cios-pairs",
    paper: "koc96",
    ring: RingName::Integers,
    radix_bits: 64,
    requires: Requirement::NONE,
    takes: "any modulus",
    supports: |_, _| true,
    words_for: |n_bits| n_bits.div_ceil(64).max(1),
    cells: |s| s,
    divisor: Divisor::PowerOfX,
    derive: |_| Vec::new(),
    temporary_cells: |s| 2 * s,
    product,
    square,
    select: monoid::select,
    power_steps: |_| None,
    almost_inverse: None,
    arithmetic: Arithmetic::of::<Integers<u64>>(),
};

/// Evaluates the call with n. If s is one of the widths, n is an array, so that s is a constant in the inlined call;
/// otherwise n is a slice of s words.
macro_rules! with_constant_width {
    ($constants:expr, $($width:literal)*, |$n:ident| $call:expr) => {
        match $constants.s {
            $($width => {
                let $n: &[u64; $width] = $constants.n[..$width].try_into().expect("n has s words");
                $call
            })*
            s => {
                let $n = &$constants.n[..s];
                $call
            }
        }
    };
}

fn product(z: &mut [u64], x: &[u64], y: &[u64], constants: &Constants, t: &mut [u64]) {
    with_constant_width!(constants, 4 8 16 24 32 48 64, |n| product_of_words(z, t, x, y, n, constants.n0));
}

fn square(z: &mut [u64], x: &[u64], constants: &Constants, t: &mut [u64]) {
    with_constant_width!(constants, 4 8 16 24 32 48 64, |n| square_of_words(z, t, x, n, constants.n0));
}

/// z = x·y·R⁻¹ mod n for x, y < n; every slice holds s words.
///
/// Between passes the number top·R + t is below 2n: a pass takes u < 2n to (u + X·y + Q·n)/Wᵏ with X, Q ≤ Wᵏ − 1 and
/// y < n, which is below (2n + 2·(Wᵏ − 1)·n)/Wᵏ = 2n.
#[inline(always)]
fn product_of_words(z: &mut [u64], t: &mut [u64], x: &[u64], y: &[u64], n: &[u64], n0: u64) {
    let s = n.len();
    let (z, t, x, y) = (&mut z[..s], &mut t[..s], &x[..s], &y[..s]);
    t.fill(0);
    let mut top = 0;
    let pairs = x.chunks_exact(2);
    let last = pairs.remainder();
    for pair in pairs {
        top = two_rows(t, top, [pair[0], pair[1]], y, n, n0);
    }
    for &xi in last {
        top = one_row(t, top, xi, y, n, n0);
    }
    Integers::<u64>::finish(z, t, top, n);
}

/// (top, t) = (top·R + t + x·y + q·n)/W² with the q < W² that makes the division exact; x = x₁·W + x₀.
///
/// Column j sums x₀·y\[j\], q₀·n\[j\], x₁·y\[j−1\], q₁·n\[j−1\], each with a carry of its own, and its word goes to
/// t\[j−2\].
#[inline(always)]
fn two_rows(t: &mut [u64], top: u64, [x0, x1]: [u64; 2], y: &[u64], n: &[u64], n0: u64) -> u64 {
    let s = n.len();
    let (y, t) = (&y[..s], &mut t[..s]);

    let (mut cx0, sum) = u64::mul_add(t[0], x0, y[0], 0);
    let q0 = sum.wrapping_mul(n0);
    let (mut cq0, _) = u64::mul_add(sum, q0, n[0], 0);

    let mut sum;
    (cx0, sum) = u64::mul_add(t[1], x0, y[1], cx0);
    (cq0, sum) = u64::mul_add(sum, q0, n[1], cq0);
    let (mut cx1, sum) = u64::mul_add(sum, x1, y[0], 0);
    let q1 = sum.wrapping_mul(n0);
    let (mut cq1, _) = u64::mul_add(sum, q1, n[0], 0);

    for j in 2..s {
        let mut sum = t[j];
        (cx0, sum) = u64::mul_add(sum, x0, y[j], cx0);
        (cq0, sum) = u64::mul_add(sum, q0, n[j], cq0);
        (cx1, sum) = u64::mul_add(sum, x1, y[j - 1], cx1);
        (cq1, sum) = u64::mul_add(sum, q1, n[j - 1], cq1);
        t[j - 2] = sum;
    }

    let column = u128::from(top) + u128::from(cx0) + u128::from(cq0);
    let mut sum = column as u64;
    (cx1, sum) = u64::mul_add(sum, x1, y[s - 1], cx1);
    (cq1, sum) = u64::mul_add(sum, q1, n[s - 1], cq1);
    t[s - 2] = sum;
    let column = (column >> 64) + u128::from(cx1) + u128::from(cq1);
    t[s - 1] = column as u64;
    (column >> 64) as u64
}

/// (top, t) = (top·R + t + x·y + q·n)/W with the q < W that makes the division exact.
#[inline(always)]
fn one_row(t: &mut [u64], top: u64, x: u64, y: &[u64], n: &[u64], n0: u64) -> u64 {
    let s = n.len();
    let (y, t) = (&y[..s], &mut t[..s]);
    let (mut cx, sum) = u64::mul_add(t[0], x, y[0], 0);
    let q = sum.wrapping_mul(n0);
    let (mut cq, _) = u64::mul_add(sum, q, n[0], 0);
    for j in 1..s {
        let mut sum = t[j];
        (cx, sum) = u64::mul_add(sum, x, y[j], cx);
        (cq, sum) = u64::mul_add(sum, q, n[j], cq);
        t[j - 1] = sum;
    }
    let column = u128::from(top) + u128::from(cx) + u128::from(cq);
    t[s - 1] = column as u64;
    (column >> 64) as u64
}

/// z = x²·R⁻¹ mod n for x < n, by separated operand scanning \[koc96, §4\]; `t` holds 2s words.
#[inline(always)]
fn square_of_words(z: &mut [u64], t: &mut [u64], x: &[u64], n: &[u64], n0: u64) {
    let s = n.len();
    let (z, t, x) = (&mut z[..s], &mut t[..2 * s], &x[..s]);
    product::square(t, x);
    let top = reduce(t, n, n0);
    Integers::<u64>::finish(z, &t[s..], top, n);
}

/// Sets the upper s words of t to (t + q·n)/R, where q < R makes the division exact; returns the carry out of them.
/// Each pass finds two words of q.
#[inline(always)]
fn reduce(t: &mut [u64], n: &[u64], n0: u64) -> u64 {
    let s = n.len();
    let mut top = 0;
    for i in (0..s - 1).step_by(2) {
        let w = &mut t[i..i + s + 2];
        let q0 = w[0].wrapping_mul(n0);
        let (mut c0, _) = u64::mul_add(w[0], q0, n[0], 0);
        let sum;
        (c0, sum) = u64::mul_add(w[1], q0, n[1], c0);
        let q1 = sum.wrapping_mul(n0);
        let (mut c1, _) = u64::mul_add(sum, q1, n[0], 0);
        for j in 2..s {
            let sum;
            (c0, sum) = u64::mul_add(w[j], q0, n[j], c0);
            (c1, w[j]) = u64::mul_add(sum, q1, n[j - 1], c1);
        }
        let column = u128::from(w[s]) + u128::from(c0) + u128::from(top);
        (c1, w[s]) = u64::mul_add(column as u64, q1, n[s - 1], c1);
        let column = (column >> 64) + u128::from(w[s + 1]) + u128::from(c1);
        w[s + 1] = column as u64;
        top = (column >> 64) as u64;
    }
    if s % 2 == 1 {
        let w = &mut t[s - 1..];
        let q = w[0].wrapping_mul(n0);
        let c = product::add_row(&mut w[..s], q, n);
        let column = u128::from(w[s]) + u128::from(c) + u128::from(top);
        w[s] = column as u64;
        top = (column >> 64) as u64;
    }
    top
}
