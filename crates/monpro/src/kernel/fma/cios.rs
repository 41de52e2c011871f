//! CIOS \[koc96, §5\] with blocks of four digits for words: the products of a block of y with x, and those of a block of the
//! quotient with n, are added to the same columns, which then move down by four.
//!
//! The digits and products are those of `redc-fma`, and R = W^s. A block of the quotient would be the lowest block of the columns,
//! times n' mod W^4. With n̂ = (n·n' + 1)/W^4 for n there is no such product: for q the lowest block of t, (t + q·n·n')/W^4 is
//! (t − q)/W^4 + q·n̂. That only makes t smaller than n·W^4, so the last block takes n itself. docs/0028 has the measurements.

#[cfg(test)]
mod bounds;
mod constants;
mod steps;

use super::DIGIT_BITS;
use crate::kernel::contract::Kernel;

/// In what stands here it differs from `redc-fma`.
pub(in crate::kernel) const KERNEL: Kernel = Kernel {
    name: "cios-fma",
    words_for: digits,
    derive: constants::derive,
    temporary_cells: steps::temporary_cells,
    product: steps::product,
    square: steps::square,
    power_steps: |_| Some(&steps::STEPS),
    ..super::KERNEL
};

/// The number of digits of 16·n. `steps` says why.
fn digits(n_bits: usize) -> usize {
    (n_bits + 4).div_ceil(DIGIT_BITS as usize)
}
