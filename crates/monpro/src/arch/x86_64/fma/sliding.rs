//! Sums of columns of products, which slide by a vector whenever the lowest one is no longer needed. The assembly leaves the
//! compiler no choice: a product of vectors is six instructions, of which the compiler makes eight, in a slower order.

use super::{Fma, LANES, LOW_BASE};
use core::arch::asm;
use core::arch::x86_64::_mm256_set1_pd;

/// The cells of the sums of a vector of columns: of the low parts, then of the high parts, which belong one column higher.
pub(crate) const SUM_CELLS: usize = 2 * LANES;

/// Adds the products of a digit with the four digits that are so many cells below the pointer.
macro_rules! row {
    ($digit:ident $cells:ident $below:literal) => {
        add_product!(stringify!($digit), concat!("{", stringify!($cells), "} - 8*", $below), "low", "high")
    };
}

/// Defines functions that add the rows of one product, or of two, to the sums of adjacent vectors: for each product its pointers,
/// then the digits that its rows multiply by, with their places. Sums are loaded so many bytes above where they are stored.
macro_rules! functions {
    ($($name:ident from $above:literal: $([$cells:ident $digits:ident: $($digit:ident $place:literal)*])*;)*) => {$(
        /// Adds rows to the sums of some vectors, at least one.
        ///
        /// # Safety
        /// To be called only where the CPU has the instructions, and where there are the cells of the sums, of the vectors of every
        /// row, and of the digits.
        #[target_feature(enable = "avx2,fma")]
        #[inline(never)]
        unsafe fn $name(
            sums: *mut u64,
            vectors: usize,
            bases: (f64, f64),
            $(($cells, $digits): (*const u64, *const u64)),*
        ) {
            // SAFETY: the instructions are there, and access only cells that are there.
            unsafe {
                asm!(
                    $($(concat!(
                        "vbroadcastsd {", stringify!($digit), "}, [{", stringify!($digits), "} + 8*", $place, "]"
                    ),)*)*
                    "2:",
                    concat!("vmovdqu {low}, [{sums} + ", $above, "]"),
                    concat!("vmovdqu {high}, [{sums} + 32 + ", $above, "]"),
                    $($(row!($digit $cells $place),)*)*
                    "vmovdqu [{sums}], {low}",
                    "vmovdqu [{sums} + 32], {high}",
                    "add {sums}, 64",
                    $(concat!("add {", stringify!($cells), "}, 32"),)*
                    "dec {vectors}",
                    "jnz 2b",
                    $(
                        $($digit = out(ymm_reg) _,)*
                        $cells = inout(reg) $cells => _,
                        $digits = in(reg) $digits,
                    )*
                    sums = inout(reg) sums => _,
                    vectors = inout(reg) vectors => _,
                    base = in(ymm_reg) _mm256_set1_pd(bases.0),
                    bases = in(ymm_reg) _mm256_set1_pd(bases.1),
                    low = out(ymm_reg) _,
                    high = out(ymm_reg) _,
                    h = out(ymm_reg) _,
                    l = out(ymm_reg) _,
                    options(nostack),
                );
            }
        }
    )*};
}

functions! {
    add_one_row from 0: [a b: b0 0];
    add_two_rows from 0: [a b: b0 0 b1 1];
    add_three_rows from 0: [a b: b0 0 b1 1 b2 2];
    add_four_rows from 0: [a b: b0 0 b1 1 b2 2 b3 3];
    add_eight_rows from 64: [a b: b0 0 b1 1 b2 2 b3 3] [c d: d0 0 d1 1 d2 2 d3 3];
}

/// The cells below the lowest digit of a that its rows read.
pub(crate) const CELLS_BELOW: usize = LANES - 1;

impl Fma {
    /// Adds one to four rows of a·b to the sums of vectors of columns. Row i of vector k has the products of b\[i\] with the four
    /// digits a\[LANES·k − i\] …, where a\[0\] is at cell `CELLS_BELOW`. The parts have the biases of
    /// [`product`](Fma::product), and H is as there.
    ///
    /// # Panics
    /// Where a has not the cells of every vector, or b not one to four digits.
    #[inline(always)]
    pub(crate) fn add_rows_of_one<const H: u64>(self, sums: &mut [u64], (a, b): (&[u64], &[u64])) {
        let vectors = sums.len() / SUM_CELLS;
        if vectors == 0 {
            return;
        }
        let cells = a[..CELLS_BELOW + LANES * vectors].as_ptr();
        let (sums, bases) = (sums.as_mut_ptr(), bases::<H>());
        // SAFETY: `self` exists only where the CPU has the instructions. The lowest row begins with cell 0, and the highest ends
        // with the last one; there are as many digits as rows.
        unsafe {
            let a = (cells.add(CELLS_BELOW), b.as_ptr());
            match b.len() {
                1 => add_one_row(sums, vectors, bases, a),
                2 => add_two_rows(sums, vectors, bases, a),
                3 => add_three_rows(sums, vectors, bases, a),
                4 => add_four_rows(sums, vectors, bases, a),
                _ => panic!("one to four rows"),
            }
        }
    }

    /// Adds four rows of a·b and four of c·d, likewise, to the sums of all vectors but the lowest, and moves these down by a vector.
    ///
    /// # Panics
    /// Where a or c has not the cells of every vector.
    #[inline(always)]
    pub(crate) fn add_rows_of_two<const H: u64>(
        self,
        sums: &mut [u64],
        (a, b): (&[u64], &[u64; LANES]),
        (c, d): (&[u64], &[u64; LANES]),
    ) {
        let vectors = (sums.len() / SUM_CELLS).saturating_sub(1);
        if vectors == 0 {
            return;
        }
        let (a, c) = (&a[..CELLS_BELOW + LANES * vectors], &c[..CELLS_BELOW + LANES * vectors]);
        // SAFETY: as above; the sums have a vector more than are moved.
        unsafe {
            let a = (a.as_ptr().add(CELLS_BELOW), b.as_ptr());
            let c = (c.as_ptr().add(CELLS_BELOW), d.as_ptr());
            add_eight_rows(sums.as_mut_ptr(), vectors, bases::<H>(), a, c);
        }
    }
}

/// What [`Fma::product`] adds to a product for its high part, and subtracts that from for its low part.
fn bases<const H: u64>() -> (f64, f64) {
    (f64::from_bits(H), f64::from_bits(H) + LOW_BASE)
}

#[cfg(test)]
mod tests {
    use super::super::LOW_BIAS;
    use super::*;
    use crate::arch::tested::detect_or_say;
    use alloc::vec::Vec;

    const H: u64 = (1023 + 102) << 52 | 1 << 50;

    fn digits(count: usize, seed: u64) -> Vec<u64> {
        let digit = |i| (((i as u64 + seed).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 14) as f64).to_bits();
        (0..count).map(digit).collect()
    }

    /// Adds the parts of these rows to sums of vectors, a word after the other.
    fn add(sums: &mut [u64], a: &[u64], b: &[u64]) {
        for (k, sums) in sums.chunks_exact_mut(SUM_CELLS).enumerate() {
            for (i, &b) in b.iter().enumerate() {
                for lane in 0..LANES {
                    let [a, b] = [a[CELLS_BELOW + LANES * k + lane - i], b].map(f64::from_bits);
                    let high = a.mul_add(b, f64::from_bits(H)).to_bits();
                    let low = a as i128 * b as i128 - (i128::from(high - H) << 50);
                    sums[lane] = sums[lane].wrapping_add(LOW_BIAS).wrapping_add(low as u64);
                    sums[LANES + lane] = sums[LANES + lane].wrapping_add(high);
                }
            }
        }
    }

    #[test]
    fn every_vector_gets_its_rows() {
        let Some(fma) = detect_or_say::<Fma>() else { return };
        for vectors in 0..6 {
            let [a, c] = [1, 100].map(|seed| digits(CELLS_BELOW + LANES * vectors, seed));
            let sums: Vec<u64> = digits(SUM_CELLS * (vectors + 1), 200);
            for rows in 1..=4 {
                let b = digits(rows, 300);
                let (mut found, mut expected) = (sums.clone(), sums.clone());
                fma.add_rows_of_one::<H>(&mut found[..SUM_CELLS * vectors], (&a, &b));
                add(&mut expected[..SUM_CELLS * vectors], &a, &b);
                assert_eq!(found, expected, "{rows} rows of {vectors} vectors");
            }
            let [b, d] = [300, 400].map(|seed| digits(LANES, seed).try_into().expect("there are 4"));
            let (mut found, mut expected) = (sums.clone(), sums.clone());
            fma.add_rows_of_two::<H>(&mut found, (&a, &b), (&c, &d));
            expected.copy_within(SUM_CELLS.., 0);
            add(&mut expected[..SUM_CELLS * vectors], &a, &b);
            add(&mut expected[..SUM_CELLS * vectors], &c, &d);
            assert_eq!(found[..SUM_CELLS * vectors], expected[..SUM_CELLS * vectors], "{vectors} vectors");
        }
    }

    #[test]
    #[should_panic(expected = "one to four rows")]
    fn five_rows_are_refused() {
        let Some(fma) = detect_or_say::<Fma>() else { panic!("one to four rows") };
        fma.add_rows_of_one::<H>(&mut [0; SUM_CELLS], (&[0; CELLS_BELOW + LANES], &[0; 5]));
    }
}
