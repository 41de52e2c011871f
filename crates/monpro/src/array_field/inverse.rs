//! The inverses of arrays.

use super::{ArrayField, ArrayWord, BLOCK};
use crate::cancellation::checkpoint;
use alloc::vec;
use alloc::vec::Vec;

/// xᵢ ← xᵢ⁻¹ for elements that are not 0. If the engine has no instructions for it, and there are many times more than
/// the field has elements, a table of all inverses is made first.
pub(super) fn invert<W: ArrayWord>(field: &ArrayField, x: &mut [W]) {
    if x.chunks_mut(BLOCK).all(|block| invert_by_instructions(field, block)) {
        return;
    }
    let k = field.degree();
    if k > 16 || x.len() >> k < TABLE_PAYS {
        return invert_by_halves(field, x);
    }
    let mut table: Vec<W> = (0..1 << k).map(W::truncate).collect();
    invert_by_halves(field, &mut table[1..]);
    for block in x.chunks_mut(BLOCK) {
        checkpoint();
        for x in block {
            *x = table[x.widen() as usize];
        }
    }
}

/// xᵢ ← xᵢ⁻¹ for elements that are not 0, if the engine has instructions for it in this field; whether it has.
fn invert_by_instructions<W: ArrayWord>(field: &ArrayField, x: &mut [W]) -> bool {
    checkpoint();
    (W::functions(field.engine).invert)(&field.constants, x)
}

/// How many times longer than the table an array must be. A look-up takes a third of the time of an inversion.
const TABLE_PAYS: usize = 4;

/// xᵢ ← xᵢ⁻¹ for elements that are not 0.
///
/// Montgomery's trick, by halves: with p = a·b, a⁻¹ = p⁻¹·b and b⁻¹ = p⁻¹·a. The products of the first half with the
/// second half are inverted in the same way, down to a single element. Each level takes 3/2 products for each of its
/// elements, and the levels together have twice as many elements as x.
fn invert_by_halves<W: ArrayWord>(field: &ArrayField, x: &mut [W]) {
    checkpoint();
    let half = x.len() / 2;
    if half == 0 {
        return x.iter_mut().for_each(|x| *x = inverse(field, *x));
    }
    let (a, rest) = x.split_at_mut(half);
    let (b, single) = rest.split_at_mut(half);
    let mut products = vec![W::ZERO; half + single.len()];
    field.products(&mut products[..half], a, b);
    products[half..].copy_from_slice(single);
    invert_by_halves(field, &mut products);
    let mut inverses_of_b = vec![W::ZERO; half];
    field.products(&mut inverses_of_b, &products[..half], a);
    field.products(a, &products[..half], b);
    b.copy_from_slice(&inverses_of_b);
    single.copy_from_slice(&products[half..]);
}

/// x⁻¹ = x^(2^k − 2) for x ≠ 0: the product of x^(2ⁱ) for 1 ≤ i < k.
fn inverse<W: ArrayWord>(field: &ArrayField, x: W) -> W {
    let product = |x: W, y: W| {
        let mut z = [W::ZERO];
        field.products(&mut z, &[x], &[y]);
        z[0]
    };
    let (mut inverse, mut conjugate) = (W::ONE, x);
    for _ in 1..field.degree() {
        conjugate = product(conjugate, conjugate);
        inverse = product(inverse, conjugate);
    }
    inverse
}
