//! Inverses by division steps (Bernstein and Yang, 2019) over GF(2)\[x\], 63 at a time, in constant time.
//!
//! A step on (δ, f, g), where f(0) = 1, is
//!
//! * (1 − δ, g, (f + g)/x) where δ > 0 and g(0) = 1,
//! * (1 + δ, f, (g + g(0)·f)/x) otherwise.
//!
//! Start from δ = 1, f = n and g = a with deg a < k = deg n. After i steps 2·deg f ≤ 2·k − 1 − i + δ and 2·deg
//! g ≤ 2·k − 1 − i − δ, so after 2·k − 1 steps g = 0 and f = gcd(a, n). The paper first reverses the coefficients of
//! both; these bounds hold without the reversal.
//!
//! The steps are linear and depend only on the low coefficients. So 63 steps are one matrix M with entries of one
//! word. It is found from the low words of f and g, and applied to all words at once: (f, g) = M·(f, g)/x^63 and
//! (v, r) = M·(v, r), where v and r begin as 0 and 1. At the end v·a ≡ x^(2·k − 1)·f mod n with deg v < 2·k. What is
//! left is one reduction, and a product with a constant by the caller.
//!
//! The number of steps, and the number of digits of f, g, v and r that a step needs, depend only on k. Scratch: v and
//! r, 2·Z digits each, f and g, Z + 1 digits each. A digit is a vector of L lanes; Z digits hold a residue.

use super::method::{Method, degree, has_top, whole_digits};
use super::{Constants, Lanes};
use crate::cancellation::checkpoint;

/// The number of steps that a matrix combines; its entries have a degree up to 63.
const STEPS: usize = 63;

/// The number of steps that are written out without a loop; it divides [`STEPS`].
const UNROLLED: usize = 9;

/// The words of scratch for [`almost_inverse`].
pub(super) fn temporary_words<M: Method<I>, I: Lanes>(s: usize) -> usize {
    let words = whole_digits::<I>(s);
    2 * words + (4 * words + 2 * I::WORDS).max(M::temporary_words(s))
}

/// z = a⁻¹·x^(2·k − 1)·R⁻¹ mod n for a residue a that is prime to n, and for the residue 0, z = 0.
#[inline(always)]
pub(super) fn almost_inverse<M: Method<I>, I: Lanes>(
    lanes: I,
    z: &mut [u64],
    a: &[u64],
    constants: &Constants,
    t: &mut [u64],
) {
    let (v, temporary) = t.split_at_mut(2 * whole_digits::<I>(constants.s));
    cofactor(lanes, v, a, constants, temporary);
    M::reduce(lanes, z, v, constants, temporary);
}

/// v of 2·Z digits with v·a ≡ x^(2·k − 1)·gcd(a, n) mod n, deg v < 2·k.
#[inline(always)]
fn cofactor<I: Lanes>(lanes: I, v: &mut [u64], a: &[u64], constants: &Constants, temporary: &mut [u64]) {
    let digit_bits = 64 * I::WORDS;
    let total = 2 * degree(constants) - 1;
    let (r, temporary) = temporary.split_at_mut(v.len());
    let length = v.len() / 2 + I::WORDS;
    let (f, temporary) = temporary.split_at_mut(length);
    let g = &mut temporary[..length];
    start(f, g, a, constants);
    v.fill(0);
    r.fill(0);

    let mut minus_delta = -1;
    let mut done = STEPS.min(total);
    let mut matrix = next_steps(&mut minus_delta, f[0], g[0], done);
    (v[0], r[0]) = (matrix.v, matrix.r);
    while done < total {
        checkpoint();
        // The remaining steps depend on as many coefficients, which are 63 higher before the division.
        let needed = length.min((total - done + STEPS).div_ceil(digit_bits) * I::WORDS);
        divide(lanes, &matrix, &mut f[..needed], &mut g[..needed]);
        let steps = STEPS.min(total - done);
        matrix = next_steps(&mut minus_delta, f[0], g[0], steps);
        done += steps;
        let grown = (done + 1).div_ceil(digit_bits) * I::WORDS;
        multiply(lanes, &matrix, &mut v[..grown], &mut r[..grown]);
    }
}

/// f = n with its leading term, g = a.
#[inline(always)]
fn start(f: &mut [u64], g: &mut [u64], a: &[u64], constants: &Constants) {
    f.fill(0);
    g.fill(0);
    f[..a.len()].copy_from_slice(constants.n);
    g[..a.len()].copy_from_slice(a);
    if has_top(constants) {
        f[constants.s] = 1;
    }
}

/// x^steps times the product of the matrices of some steps, with the rows (u, v) and (q, r).
struct Matrix {
    u: u64,
    v: u64,
    q: u64,
    r: u64,
}

/// The matrix of the next `steps` ≤ 63 steps, for f and g with these low words. `minus_delta` is −δ, whose sign says
/// whether δ > 0.
///
/// Never inlined: in code for vectors the compiler packs the entries in pairs, which takes twice the time.
#[inline(never)]
fn next_steps(minus_delta: &mut i64, f: u64, g: u64, steps: usize) -> Matrix {
    let matrix = Matrix { u: 1, v: 0, q: 0, r: 1 };
    let (f, g) = (f.reverse_bits(), g.reverse_bits());
    let mut state = State { f, g, minus_delta: *minus_delta, matrix };
    for _ in 0..steps / UNROLLED {
        for _ in 0..UNROLLED {
            state.step();
        }
    }
    for _ in 0..steps % UNROLLED {
        state.step();
    }
    *minus_delta = state.minus_delta;
    state.matrix
}

/// The state between steps. f and g have their bits reversed, so that g(0) is the sign bit.
struct State {
    f: u64,
    g: u64,
    minus_delta: i64,
    matrix: Matrix,
}

impl State {
    #[inline(always)]
    fn step(&mut self) {
        let State { f, g, minus_delta, matrix: Matrix { u, v, q, r } } = self;
        let odd = (*g as i64 >> 63) as u64;
        let swap = odd & (*minus_delta >> 63) as u64;
        // −(1 + δ) = −δ − 1, and −(1 − δ) = !(−δ) if f and g swap.
        *minus_delta = (*minus_delta ^ swap as i64).wrapping_add(!swap as i64);
        (*f, *g) = (*f ^ (*f ^ *g) & swap, (*g ^ *f & odd) << 1);
        (*u, *q) = ((*u ^ (*u ^ *q) & swap) << 1, *q ^ *u & odd);
        (*v, *r) = ((*v ^ (*v ^ *r) & swap) << 1, *r ^ *v & odd);
    }
}

/// (f, g) = M·(f, g)/x^63, in the same number of digits.
#[inline(always)]
fn divide<I: Lanes>(lanes: I, m: &Matrix, f: &mut [u64], g: &mut [u64]) {
    let mut f_row = Row::new(lanes, m.u, m.v);
    let mut g_row = Row::new(lanes, m.q, m.r);
    let (f_digit, g_digit) = (lanes.load(f), lanes.load(g));
    let mut f_below = f_row.next_digit(f_digit, g_digit);
    let mut g_below = g_row.next_digit(f_digit, g_digit);
    for i in (0..f.len()).step_by(I::WORDS) {
        let (f_digit, g_digit) = match i + I::WORDS < f.len() {
            true => (lanes.load(&f[i + I::WORDS..]), lanes.load(&g[i + I::WORDS..])),
            false => (lanes.zero(), lanes.zero()),
        };
        let above = f_row.next_digit(f_digit, g_digit);
        lanes.store(&mut f[i..], lanes.down_bits(above, f_below, STEPS));
        f_below = above;
        let above = g_row.next_digit(f_digit, g_digit);
        lanes.store(&mut g[i..], lanes.down_bits(above, g_below, STEPS));
        g_below = above;
    }
}

/// (v, r) = M·(v, r), in the same number of digits.
#[inline(always)]
fn multiply<I: Lanes>(lanes: I, m: &Matrix, v: &mut [u64], r: &mut [u64]) {
    let mut v_row = Row::new(lanes, m.u, m.v);
    let mut r_row = Row::new(lanes, m.q, m.r);
    for (v, r) in v.chunks_exact_mut(I::WORDS).zip(r.chunks_exact_mut(I::WORDS)) {
        let (v_digit, r_digit) = (lanes.load(v), lanes.load(r));
        lanes.store(v, v_row.next_digit(v_digit, r_digit));
        lanes.store(r, r_row.next_digit(v_digit, r_digit));
    }
}

/// The digits of a·f + b·g for words a and b, the lowest first.
struct Row<I: Lanes> {
    lanes: I,
    a: I::Digit,
    b: I::Digit,
    odd_below: I::Digit,
}

impl<I: Lanes> Row<I> {
    #[inline(always)]
    fn new(lanes: I, a: u64, b: u64) -> Self {
        Row { lanes, a: lanes.splat(a), b: lanes.splat(b), odd_below: lanes.zero() }
    }

    /// The next digit, from the next digits of f and g.
    #[inline(always)]
    fn next_digit(&mut self, f: I::Digit, g: I::Digit) -> I::Digit {
        let lanes = self.lanes;
        let even = lanes.xor(lanes.product_low(f, self.a), lanes.product_low(g, self.b));
        let odd = lanes.xor(lanes.product_high(f, self.a), lanes.product_high(g, self.b));
        let below = core::mem::replace(&mut self.odd_below, odd);
        lanes.xor(even, lanes.up_word(odd, below))
    }
}
