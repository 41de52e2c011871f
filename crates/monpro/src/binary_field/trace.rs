//! Trace and half-trace in GF(2^k).

use crate::cancellation::checkpoint;
use crate::natural;
use crate::residue::Residue;
use alloc::vec;
use alloc::vec::Vec;

/// The traces of 1, x, … x^(k−1) as bits, for f of degree k. Time depends on f.
///
/// The trace of xⁱ is the sum of the i-th powers of the roots of f. These power sums are the coefficients of
/// f'/f = Σ Tr(xⁱ)·x^(−1−i) for i ≥ 0, where f' is the derivative, so a division of polynomials finds them.
pub(super) fn traces(f: &[u64], k: usize) -> Vec<u64> {
    const EVEN_POSITIONS: u64 = 0x5555_5555_5555_5555;
    let mut remainder: Vec<u64> =
        (0..f.len()).map(|i| natural::bits_at(f, 64 * i + 1, 64) & EVEN_POSITIONS).collect();
    let mut traces = vec![0; k.div_ceil(64)];
    for i in 0..k {
        checkpoint();
        let mut below = 0;
        for word in &mut remainder {
            (below, *word) = (*word >> 63, *word << 1 | below);
        }
        let quotient = natural::bits_at(&remainder, k, 1);
        traces[i / 64] |= quotient << (i % 64);
        for (word, &f_word) in remainder.iter_mut().zip(f) {
            *word ^= f_word & quotient.wrapping_neg();
        }
    }
    traces
}

/// The trace of x: the sum of the traces of its terms, because the trace is linear.
pub(super) fn trace(x: &[u64], traces: &[u64]) -> bool {
    let sum = x.iter().zip(traces).fold(0, |sum, (word, mask)| sum ^ word & mask);
    sum.count_ones() % 2 == 1
}

/// Σ x^(4ⁱ) for 0 ≤ i ≤ (k − 1)/2, by Horner's rule: h ← h⁴ + x. Constant time.
pub(super) fn half_trace(x: &Residue, k: usize) -> Residue {
    let mut scratch = x.modulus().scratch();
    let mut sum = x.clone();
    for _ in 0..(k - 1) / 2 {
        checkpoint();
        sum.square_assign(&mut scratch);
        sum.square_assign(&mut scratch);
        sum = &sum + x;
    }
    sum
}
