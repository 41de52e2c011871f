//! Dot products in GF(2^k) with one reduction.

mod unreduced;

use crate::modulus::Modulus;
use crate::residue::Residue;
use alloc::vec;
use zeroize::Zeroizing;

/// Σ x·y over the pairs, modulo f of degree k. The sum of the unreduced products of the Montgomery forms has
/// degree at most 2k − 2; it is multiplied by R⁻¹ and reduced at the end. Constant time.
pub(super) fn dot<'a>(
    modulus: &Modulus,
    k: usize,
    pairs: impl Iterator<Item = (&'a Residue, &'a Residue)>,
) -> Residue {
    let context = modulus.context();
    let length = k.div_ceil(64);
    let words = || Zeroizing::new(vec![0; length]);
    let (mut x_words, mut y_words) = (words(), words());
    let mut sum = Zeroizing::new(vec![0; 2 * length]);
    let add_product = unreduced::fastest();
    for (x, y) in pairs {
        context.store(&mut x_words, x.cells());
        context.store(&mut y_words, y.cells());
        add_product(&mut sum, &x_words, &y_words);
    }
    Residue::new(modulus.clone(), context.reduce(&sum))
}
