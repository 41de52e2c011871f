//! Products by shifts and exclusive ors, one coefficient at a time: portable, and fast where a vector has many words.

use super::engine::{ArrayEngine, ArrayWord, Constants, Functions, Shape, has_no_inverses};
use crate::cancellation::checkpoint;

/// The portable engine.
pub(super) const ENGINE: ArrayEngine = ArrayEngine {
    name: "portable",
    required_instructions: "",
    is_available: || true,
    u8: functions(),
    u16: functions(),
    u32: functions(),
    u64: functions(),
};

/// The words that are treated at once. The compiler keeps them in vectors.
const LANES: usize = 64;

const fn functions<W: ArrayWord>() -> Functions<W> {
    Functions { multiply, add_matrix_product, invert: has_no_inverses }
}

/// zᵢ = xᵢ·yᵢ.
#[inline(always)]
pub(super) fn multiply<W: ArrayWord>(c: &Constants, z: &mut [W], x: &[W], y: &[W]) {
    for ((z, x), y) in z.chunks_mut(LANES).zip(x.chunks(LANES)).zip(y.chunks(LANES)) {
        let products = products(c, padded(x), padded(y));
        z.copy_from_slice(&products[..z.len()]);
    }
}

/// The words, then zeros.
#[inline(always)]
fn padded<W: ArrayWord>(words: &[W]) -> [W; LANES] {
    let mut all = [W::ZERO; LANES];
    all[..words.len()].copy_from_slice(words);
    all
}

/// The products by Horner's rule over the coefficients of y. The partial sums are kept times x^s, s = W::BITS − k, so
/// that the coefficient of x^k is the bit that a shift moves out of the word.
#[inline(always)]
fn products<W: ArrayWord>(c: &Constants, mut x: [W; LANES], y: [W; LANES]) -> [W; LANES] {
    let shift = W::BITS - c.degree as u32;
    let f = W::truncate(c.f) << shift;
    for x in &mut x {
        *x = *x << shift;
    }
    let mut z = [W::ZERO; LANES];
    for i in (0..c.degree as u32).rev() {
        for ((z, &x), &y) in z.iter_mut().zip(&x).zip(&y) {
            let overflow = (*z >> (W::BITS - 1)).wrapping_neg();
            let coefficient = (y >> i & W::ONE).wrapping_neg();
            *z = *z << 1 ^ f & overflow ^ x & coefficient;
        }
    }
    for z in &mut z {
        *z = *z >> shift;
    }
    z
}

/// z ← z + a·b, by Horner's rule over the coefficients of a: each row of a·b is a sum of shifted sums of rows of b.
fn add_matrix_product<W: ArrayWord>(c: &Constants, shape: Shape, z: &mut [W], a: &[W], b: &[W]) {
    let Shape { inner, columns, .. } = shape;
    if inner == 0 || columns == 0 {
        return;
    }
    let shift = W::BITS - c.degree as u32;
    let f = W::truncate(c.f);
    for (z, a) in z.chunks_exact_mut(columns).zip(a.chunks_exact(inner)) {
        for (block, z) in z.chunks_mut(LANES).enumerate() {
            checkpoint();
            let mut sums = [W::ZERO; LANES];
            for i in (0..c.degree as u32).rev() {
                for sum in &mut sums {
                    let overflow = (*sum >> (c.degree as u32 - 1)).wrapping_neg();
                    *sum = ((*sum << 1) << shift) >> shift ^ f & overflow;
                }
                for (&factor, row) in a.iter().zip(b.chunks_exact(columns)) {
                    let coefficient = (factor >> i & W::ONE).wrapping_neg();
                    for (sum, &term) in sums.iter_mut().zip(&row[LANES * block..][..z.len()]) {
                        *sum = *sum ^ term & coefficient;
                    }
                }
            }
            for (z, &sum) in z.iter_mut().zip(&sums) {
                *z = *z ^ sum;
            }
        }
    }
}
