//! Blocks of word products by MULX, with carries by ADC or by ADCX and ADOX.
//!
//! The assembly leaves the compiler no choice: it is fast because of which words stay in registers, and which carries
//! run in one chain. Everything built on it is safe code.

pub(crate) mod four_words;
mod low;
mod selection;
mod short;
mod squares;
mod subtraction;
mod window;

use super::token;
use crate::arch::blocks::{Blocks, LowBlocks};
use low::{
    accumulate_low_4, accumulate_low_8, low_chain_adc, low_chains_adx, low_row_adc, low_row_adx, low_rows,
};
pub(crate) use selection::select_words;
use squares::{emit, first_row_8, triangle_4_adc, triangle_4_adx, triangle_8_adc, triangle_8_adx};
use window::{
    accumulate, cross_products, quotient_row_adc, quotient_row_adx, quotients, reduce, row_adc, row_adx, rows,
};

cpufeatures::new!(has_mulx, "bmi2");
cpufeatures::new!(has_adx, "bmi2", "adx");

token!(
    /// MULX and ADC.
    Mulx,
    "BMI2",
    has_mulx::get(),
    "bmi2"
);

token!(
    /// MULX, ADCX and ADOX.
    Adx,
    "BMI2 and ADX",
    has_adx::get(),
    "bmi2,adx"
);

impl Adx {
    /// MULX, which this set includes.
    fn mulx(self) -> Mulx {
        Mulx(())
    }
}

impl Mulx {
    /// This set.
    fn mulx(self) -> Mulx {
        self
    }
}

/// The instructions that add rdx·x\[j\], for each j, to two words, lower and upper, in one chain of carries. The
/// chain begins with the carry flag (adc) or without it (add).
macro_rules! chain {
    (
        $first:literal $x:literal: $j0:literal $lower0:literal $upper0:literal
        $(, $j:literal $lower:literal $upper:literal)*
    ) => {
        concat!(
            "mulx rsi, rax, [", $x, " + 8*", $j0, "]\n",
            $first, " ", $lower0, ", rax\n adc ", $upper0, ", rsi\n",
            $("mulx rsi, rax, [", $x, " + 8*", $j, "]\n adc ", $lower, ", rax\n adc ", $upper, ", rsi\n",)*
        )
    };
}

/// The instructions that add rdx·x\[j\], for each j, to two words, lower and upper, in two chains of carries: the lower words
/// of the products by ADCX, the upper words by ADOX.
macro_rules! chains {
    ($x:literal: $($j:literal $lower:literal $upper:literal),+) => {
        concat!($("mulx rsi, rax, [", $x, " + 8*", $j, "]\n adcx ", $lower, ", rax\n adox ", $upper, ", rsi\n"),+)
    };
}

/// The same for the last j, with both carries: the upper word of the product, which is at most W − 2, takes that of the lower
/// words. The top word is 0 before. The product of the second MULX is not used.
#[rustfmt::skip]
macro_rules! last_of_chains {
    ($x:literal $j:literal $lower:literal $top:literal) => {
        concat!(
            "mulx rsi, rax, [", $x, " + 8*", $j, "]\n adcx ", $lower, ", rax\n adcx rsi, ", $top, "\n",
            "mulx rax, rax, [", $x, "]\n adox ", $top, ", rsi\n"
        )
    };
}

/// Defines the blocks of an instruction set by its kind of row. Operations whose rows never have two chains are the
/// same for both sets.
macro_rules! blocks {
    ($name:ident, $row:ident, $low_row:ident, $quotient_row:ident, $triangle_8:ident, $triangle_4:ident) => {
        impl Blocks for $name {
            const SHORT: &'static [usize] = &[3, 4, 5, 6, 7, 8, 9, 10];
            const SHORT_SCRATCH: usize = short::WORKSPACE;

            #[inline(always)]
            fn multiply_short(
                self,
                z: &mut [u64],
                factors: [&[u64]; 2],
                modulus: (&[u64], u128),
                t: &mut [u64],
            ) {
                short::multiply(self, z, factors, modulus, t);
            }

            #[inline(always)]
            fn square_short(
                self,
                z: &mut [u64],
                x: Option<&[u64]>,
                times: usize,
                modulus: (&[u64], u128),
                t: &mut [u64],
            ) {
                short::square(self, z, x, times, modulus, t);
            }

            #[inline(always)]
            fn append_short(
                self,
                z: &mut [u64],
                times: usize,
                y: &[u64],
                modulus: (&[u64], u128),
                t: &mut [u64],
            ) {
                short::append(self, z, times, y, modulus, t);
            }

            fn multiply_8(self, t: &mut [u64], x: &[u64; 8], y: &[u64]) {
                accumulate!($row first, 8, t, x, y);
            }

            fn accumulate_8(self, t: &mut [u64], x: &[u64; 8], y: &[u64]) {
                accumulate!($row next, 8, t, x, y);
            }

            fn accumulate_4(self, t: &mut [u64], x: &[u64; 4], y: &[u64]) {
                accumulate!($row next, 4, t, x, y);
            }

            fn first_cross_products_8(self, t: &mut [u64], x: &[u64]) {
                cross_products!($row $triangle_8 first, 8, t, x);
            }

            fn cross_products_8(self, t: &mut [u64], x: &[u64]) {
                cross_products!($row $triangle_8 next, 8, t, x);
            }

            fn cross_products_4(self, t: &mut [u64], x: &[u64]) {
                cross_products!($row $triangle_4 next, 4, t, x);
            }

            fn double_and_add_squares(self, t: &mut [u64], x: &[u64]) {
                squares::double_and_add_squares(self.mulx(), t, x);
            }

            fn reduce_8(self, t: &mut [u64], n: &[u64], n0: u64, carry: u64) -> u64 {
                reduce!($row $quotient_row, 8, t, n, n0, carry)
            }

            fn reduce_4(self, t: &mut [u64], n: &[u64], n0: u64, carry: u64) -> u64 {
                reduce!($row $quotient_row, 4, t, n, n0, carry)
            }

            fn subtract_once(self, z: &mut [u64], u: &[u64], n: &[u64], carry: u64) {
                subtraction::subtract_once(z, u, n, carry);
            }

            fn select(self, z: &mut [u64], table: &[u64], index: u64) {
                selection::select(z, table, index);
            }

            fn for_each_entry(
                self,
                width: usize,
                table: &[u64],
                indices: impl Iterator<Item = u64>,
                take: impl FnMut(&[u64]),
            ) {
                selection::for_each_entry(width, table, indices, take);
            }
        }

        impl LowBlocks for $name {
            fn multiply_low_8(self, t: &mut [u64], x: &[u64; 8], y: &[u64]) {
                accumulate_low_8!($row $low_row first, t, x, y);
            }

            fn accumulate_low_8(self, t: &mut [u64], x: &[u64; 8], y: &[u64]) {
                accumulate_low_8!($row $low_row next, t, x, y);
            }

            fn accumulate_low_4(self, t: &mut [u64; 4], x: &[u64; 4], y: &[u64; 4]) {
                accumulate_low_4!($low_row, t, x, y);
            }
        }
    };
}

blocks!(Mulx, row_adc, low_row_adc, quotient_row_adc, triangle_8_adc, triangle_4_adc);
blocks!(Adx, row_adx, low_row_adx, quotient_row_adx, triangle_8_adx, triangle_4_adx);

#[cfg(test)]
mod tests {
    extern crate std;

    use super::*;
    use crate::arch::tested::detect_or_say;
    use core::panic::AssertUnwindSafe;
    use std::panic::catch_unwind;

    /// An operation on a t and s words: the least s, the length of t for s words, and a call.
    type Operation<I> = (usize, fn(usize) -> usize, fn(I, &mut [u64], &[u64]));

    fn operations<I: LowBlocks>() -> [Operation<I>; 12] {
        [
            (4, |s| s + 8, |blocks, t, y| blocks.multiply_8(t, &[1; 8], y)),
            (4, |s| s + 8, |blocks, t, y| blocks.accumulate_8(t, &[1; 8], y)),
            (4, |s| s + 4, |blocks, t, y| blocks.accumulate_4(t, &[1; 4], y)),
            (8, |s| s, |blocks, t, y| blocks.multiply_low_8(t, &[1; 8], y)),
            (8, |s| s, |blocks, t, y| blocks.accumulate_low_8(t, &[1; 8], y)),
            (8, |s| s + 8, |blocks, t, x| blocks.first_cross_products_8(t, x)),
            (8, |s| s + 8, |blocks, t, x| blocks.cross_products_8(t, x)),
            (4, |s| s + 4, |blocks, t, x| blocks.cross_products_4(t, x)),
            (0, |s| 2 * s, |blocks, t, x| blocks.double_and_add_squares(t, x)),
            (12, |s| s + 8, |blocks, t, n| _ = blocks.reduce_8(t, n, 1, 0)),
            (8, |s| s + 4, |blocks, t, n| _ = blocks.reduce_4(t, n, 1, 0)),
            (4, |s| s, |blocks, z, n| blocks.subtract_once(z, n, n, 0)),
        ]
    }

    /// Nothing else keeps the assembly within the slices that safe code passes.
    #[test]
    fn slices_of_other_lengths_are_refused() {
        refuse::<Mulx>();
        refuse::<Adx>();
    }

    fn refuse<I: LowBlocks>() {
        let Some(blocks) = detect_or_say::<I>() else { return };
        let (words, mut t) = ([1; 32], [0; 64]);
        for (index, (least, length, call)) in operations::<I>().into_iter().enumerate() {
            let mut is_refused = |s, length| {
                catch_unwind(AssertUnwindSafe(|| call(blocks, &mut t[..length], &words[..s]))).is_err()
            };
            for s in [least, least + 4, least + 8] {
                assert!(!is_refused(s, length(s)), "operation {index}: {s} words");
                assert!(is_refused(s, length(s) + 1), "operation {index}: {s} words, t is longer");
                assert!(s == 0 || is_refused(s, length(s) - 1), "operation {index}: {s} words, t is shorter");
                let others = [s + 1, s + 2, s + 3].into_iter().chain(least.checked_sub(4));
                for other in others {
                    assert!(is_refused(other, length(other)), "operation {index}: {other} words");
                }
            }
        }
        let mut z = [0; 8];
        let is_refused =
            catch_unwind(AssertUnwindSafe(|| blocks.subtract_once(&mut z, &[1; 4], &[1; 8], 0))).is_err();
        assert!(is_refused, "u is shorter than n");
    }
}
