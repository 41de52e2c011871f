//! Columns of products of two numbers, four columns a vector. The assembly leaves the compiler no choice: it is fast because
//! all sums stay in registers, and because no more than one loop is left.

use super::{Fma, LANES, LOW_BASE, Vector};
use core::arch::asm;
use core::arch::x86_64::_mm256_set1_pd;

/// The most vectors of columns that are summed at a time.
pub(crate) const MOST_VECTORS: usize = 4;

/// The numbers of rows that are added to V adjacent vectors of columns, one part after the other. First `begin[k]` rows for
/// vectors 0 … k, for k from 0 to V − 2, then `all` rows for all vectors, then `end[k]` rows for vectors k + 1 … V − 1.
/// None of `begin` and `end` is over 4, and those beyond V − 2 are 0.
#[derive(Clone, Copy, Default)]
#[repr(C)]
pub(crate) struct Rows {
    pub(crate) begin: [usize; MOST_VECTORS - 1],
    pub(crate) all: usize,
    pub(crate) end: [usize; MOST_VECTORS - 1],
}

/// Sums of the parts of products in the columns of at most [`MOST_VECTORS`] adjacent vectors: of the low parts, and of the high
/// parts, which belong one column higher.
#[derive(Clone, Copy)]
pub(crate) struct Sums {
    pub(crate) low: [Vector; MOST_VECTORS],
    pub(crate) high: [Vector; MOST_VECTORS],
}

/// The products of a row, which is so many rows above that of the pointers: for each vector the sums of low and of high parts.
macro_rules! row {
    ($row:literal, $([$k:literal $low:literal $high:literal])*) => {
        concat!(
            "vbroadcastsd {b_digit}, qword ptr [{b} + 8*", $row, "]\n",
            $(
                add_product!("b_digit", concat!("{a} + 32*", $k, " - 8*", $row), $low, $high),
            )*
        )
    };
}

/// Four rows, to which the pointers then point no more.
macro_rules! four_rows {
    ($($vector:tt)*) => {
        concat!(
            row!(0, $($vector)*), row!(1, $($vector)*), row!(2, $($vector)*), row!(3, $($vector)*),
            "add {b}, 32\n",
            "sub {a}, 32\n",
        )
    };
}

/// The number of rows at this place of `Rows`, if it is at most 3, or less than 4 of it are left.
macro_rules! up_to_three_rows {
    ($($vector:tt)*) => {
        concat!(
            "3:\n",
            "test {count:e}, 2\n",
            "jz 4f\n",
            row!(0, $($vector)*), row!(1, $($vector)*),
            "add {b}, 16\n",
            "sub {a}, 16\n",
            "4:\n",
            "test {count:e}, 1\n",
            "jz 5f\n",
            row!(0, $($vector)*),
            "add {b}, 8\n",
            "sub {a}, 8\n",
            "5:\n",
        )
    };
}

/// The rows of a part that has at most 4.
macro_rules! few_rows {
    ($place:literal, $($vector:tt)*) => {
        concat!(
            "mov {count}, qword ptr [{counts} + 8*", $place, "]\n",
            "test {count:e}, 4\n",
            "jz 3f\n",
            four_rows!($($vector)*),
            up_to_three_rows!($($vector)*),
        )
    };
}

/// The rows of the part for all vectors.
macro_rules! all_rows {
    ($($vector:tt)*) => {
        concat!(
            "mov {count}, qword ptr [{counts} + 8*3]\n",
            "sub {count}, 4\n",
            "jb 3f\n",
            "2:\n",
            four_rows!($($vector)*),
            "sub {count}, 4\n",
            "jae 2b\n",
            up_to_three_rows!($($vector)*),
        )
    };
}

/// Defines the functions, each for its number of vectors and with its parts.
macro_rules! functions {
    ($($name:ident: $($k:literal $low:ident $high:ident)*: $($part:expr),*;)*) => {$(
        /// Adds rows to the sums of the first vectors.
        ///
        /// # Safety
        /// To be called only where the CPU has the instructions, and where there are the cells from `a` and `b` on that
        /// `rows` says.
        #[target_feature(enable = "avx2,fma")]
        #[inline(never)]
        unsafe fn $name(sums: &mut Sums, a: *const u64, b: *const u64, rows: &Rows, bases: (f64, f64)) {
            // SAFETY: the instructions are there, and read only cells that are there.
            unsafe {
                asm!(
                    $($part,)*
                    $(
                        $low = inout(ymm_reg) sums.low[$k],
                        $high = inout(ymm_reg) sums.high[$k],
                    )*
                    base = in(ymm_reg) _mm256_set1_pd(bases.0),
                    bases = in(ymm_reg) _mm256_set1_pd(bases.1),
                    b_digit = out(ymm_reg) _,
                    h = out(ymm_reg) _,
                    l = out(ymm_reg) _,
                    a = inout(reg) a => _,
                    b = inout(reg) b => _,
                    counts = in(reg) rows,
                    count = out(reg) _,
                    options(readonly, nostack),
                );
            }
        }
    )*};
}

impl Fma {
    /// Adds the low and the high parts of the products b\[i\]·a\[top − i + j\] with their biases, where H is as for
    /// [`product`](Fma::product), to the sums of so many vectors, for these rows i from `first` on. Word l of vector k gets
    /// those of j = LANES·k + l. The cells of a and b are doubles.
    ///
    /// # Panics
    /// Where one of the `MOST_VECTORS` vectors of a row is not in a, whether it is read or not; where a digit is not in b; or
    /// if a part has too many rows.
    #[inline(always)]
    pub(crate) fn add_rows<const H: u64>(
        self,
        vectors: usize,
        sums: &mut Sums,
        (a, top): (&[u64], usize),
        (b, first): (&[u64], usize),
        rows: &Rows,
    ) {
        let few = rows.begin.iter().chain(&rows.end);
        let count = few.fold(rows.all, |count, few| {
            assert!(*few <= 4);
            count + few
        });
        if count == 0 {
            return;
        }
        let cells = &a[top + 1 - first - count..top - first + MOST_VECTORS * LANES];
        let digits = &b[first..first + count];
        let base = f64::from_bits(H);
        // SAFETY: `self` exists only where the CPU has the instructions. Row first + i reads the vectors from cell count − 1 − i
        // of `cells` on, and digit i.
        unsafe {
            let (a, b, bases) = (cells.as_ptr().add(count - 1), digits.as_ptr(), (base, base + LOW_BASE));
            match vectors {
                1 => one_vector(sums, a, b, rows, bases),
                2 => two_vectors(sums, a, b, rows, bases),
                3 => three_vectors(sums, a, b, rows, bases),
                _ => four_vectors(sums, a, b, rows, bases),
            }
        }
    }
}

functions! {
    one_vector: 0 low_0 high_0: all_rows!([0 "low_0" "high_0"]);
    two_vectors: 0 low_0 high_0 1 low_1 high_1:
        few_rows!(0, [0 "low_0" "high_0"]),
        all_rows!([0 "low_0" "high_0"] [1 "low_1" "high_1"]),
        few_rows!(4, [1 "low_1" "high_1"]);
    three_vectors: 0 low_0 high_0 1 low_1 high_1 2 low_2 high_2:
        few_rows!(0, [0 "low_0" "high_0"]),
        few_rows!(1, [0 "low_0" "high_0"] [1 "low_1" "high_1"]),
        all_rows!([0 "low_0" "high_0"] [1 "low_1" "high_1"] [2 "low_2" "high_2"]),
        few_rows!(4, [1 "low_1" "high_1"] [2 "low_2" "high_2"]),
        few_rows!(5, [2 "low_2" "high_2"]);
    four_vectors: 0 low_0 high_0 1 low_1 high_1 2 low_2 high_2 3 low_3 high_3:
        few_rows!(0, [0 "low_0" "high_0"]),
        few_rows!(1, [0 "low_0" "high_0"] [1 "low_1" "high_1"]),
        few_rows!(2, [0 "low_0" "high_0"] [1 "low_1" "high_1"] [2 "low_2" "high_2"]),
        all_rows!([0 "low_0" "high_0"] [1 "low_1" "high_1"] [2 "low_2" "high_2"] [3 "low_3" "high_3"]),
        few_rows!(4, [1 "low_1" "high_1"] [2 "low_2" "high_2"] [3 "low_3" "high_3"]),
        few_rows!(5, [2 "low_2" "high_2"] [3 "low_3" "high_3"]),
        few_rows!(6, [3 "low_3" "high_3"]);
}

#[cfg(test)]
mod tests {
    use super::super::LOW_BIAS;
    use super::*;
    use crate::arch::tested::detect_or_say;
    use alloc::vec::Vec;

    const H: u64 = (1023 + 102) << 52 | 1 << 50;

    /// The low and the high part of a product, each with its bias.
    fn parts(a: u64, b: u64) -> (u64, u64) {
        let (a, b) = (f64::from_bits(a), f64::from_bits(b));
        let high = a.mul_add(b, f64::from_bits(H)).to_bits();
        let low = a as i128 * b as i128 - (i128::from(high - H) << 50);
        (LOW_BIAS.wrapping_add(low as u64), high)
    }

    fn check(fma: Fma, vectors: usize, rows: Rows) {
        const TOP: usize = 60;
        let digit = |i: usize| (((i as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 14) as f64).to_bits();
        let a: Vec<u64> = (0..TOP + MOST_VECTORS * LANES).map(digit).collect();
        let b: Vec<u64> = (0..50).map(|i| digit(i + 1000)).collect();
        let first = 2;
        let mut sums = Sums { low: [fma.splat(7); MOST_VECTORS], high: [fma.splat(9); MOST_VECTORS] };
        fma.add_rows::<H>(vectors, &mut sums, (&a, TOP), (&b, first), &rows);
        let (begun, count) = (rows.begin.iter().sum::<usize>(), rows.all);
        for vector in 0..vectors {
            let start = first + rows.begin[..vector].iter().sum::<usize>();
            let end = first + begun + count + rows.end[..vector].iter().sum::<usize>();
            let mut expected = ([7; LANES], [9; LANES]);
            for i in start..end {
                for lane in 0..LANES {
                    let (low, high) = parts(a[TOP + LANES * vector + lane - i], b[i]);
                    expected.0[lane] = u64::wrapping_add(expected.0[lane], low);
                    expected.1[lane] = u64::wrapping_add(expected.1[lane], high);
                }
            }
            let mut found = ([0; LANES], [0; LANES]);
            fma.store_cells(&mut found.0, sums.low[vector]);
            fma.store_cells(&mut found.1, sums.high[vector]);
            assert_eq!(found, expected, "vector {vector} of {vectors}");
        }
    }

    #[test]
    fn every_vector_gets_the_rows_of_its_parts() {
        let Some(fma) = detect_or_say::<Fma>() else { return };
        for vectors in 1..=MOST_VECTORS {
            for all in 0..10 {
                for few in 0..5_usize.pow(vectors as u32 - 1) {
                    let mut rows = Rows { all, ..Rows::default() };
                    for place in 0..vectors - 1 {
                        rows.begin[place] = few / 5_usize.pow(place as u32) % 5;
                        rows.end[place] = (few + 3 * place) % 5;
                    }
                    check(fma, vectors, rows);
                }
            }
        }
    }

    #[test]
    #[should_panic(expected = "few <= 4")]
    fn a_part_with_too_many_rows_is_refused() {
        let Some(fma) = detect_or_say::<Fma>() else { panic!("few <= 4") };
        check(fma, 2, Rows { begin: [5, 0, 0], ..Rows::default() });
    }
}
