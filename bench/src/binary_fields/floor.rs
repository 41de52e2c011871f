//! The least time that the products of 64 by 64 bits take on this CPU, with everything else hidden behind
//! them.
//!
//! For s = ⌈k/64⌉ words and M(s) products in a product of s by s words:
//!
//! | | dense | sparse |
//! |---|---|---|
//! | product | 3·M(s), two of them for the reduction in its full-length form | M(s) |
//! | square | s + 2·M(s): the product of a word with itself spreads it | s |
//! | power | a square for each of k bits, a product for each window and each entry of the table | likewise |
//!
//! The time of one product is what this CPU measures for independent products of its greatest width. An
//! inverse has no such floor.

use super::moduli::DENSE;
use super::{POWER, PRODUCT, SQUARE};
use crate::operands::Operands;
use crate::record::Floor;

/// The floors of all operations that have one.
pub fn all(product_ns: f64, operands: &[Operands]) -> Vec<Floor> {
    let floors = operands.iter().flat_map(|operands| {
        let (k, shape) = (operands.bits, operands.shape.clone());
        let (product, square) = products(k.div_ceil(64), shape.as_deref() == Some(DENSE));
        let power = power(k, product, square);
        [(PRODUCT, product), (SQUARE, square), (POWER, power)].map(|(operation, count)| Floor {
            operation: operation.name,
            bits: k,
            shape: shape.clone(),
            floor_ns: count as f64 * product_ns,
        })
    });
    floors.collect()
}

/// The line that explains the floors.
pub fn note(product_ns: f64) -> String {
    format!(
        "floor: the products of 64 by 64 bits alone, {product_ns:.3} ns each as measured here, where one of\n\
         s words takes M(s) of them: dense 3·M(s), square s + 2·M(s); sparse M(s), square s"
    )
}

/// The number of word products in a product and in a square modulo n.
fn products(s: usize, dense: bool) -> (usize, usize) {
    let reduction = if dense { 2 * of_words(s) } else { 0 };
    (of_words(s) + reduction, s + reduction)
}

/// M(s), by the best formulas known to us up to 9 words, and by Karatsuba's halves above.
fn of_words(s: usize) -> usize {
    const BEST: [usize; 10] = [0, 1, 3, 6, 9, 13, 17, 22, 26, 30];
    BEST.get(s).copied().unwrap_or_else(|| 2 * of_words(s.div_ceil(2)) + of_words(s / 2))
}

/// The number of word products in a power, with the window that takes the fewest.
fn power(k: usize, product: usize, square: usize) -> usize {
    let of_window = |window: usize| (k.div_ceil(window) + (1 << window)) * product;
    k * square + (1..=10).map(of_window).min().expect("there are windows")
}
