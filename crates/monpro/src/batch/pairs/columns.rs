//! Columns of products of two pairs of numbers. Vector k of the columns holds columns 4·k … 4·k + 3 of both products.
//! Column j of a·b sums the low halves of a\[j − i\]·b\[i\], and the high halves of a\[j − 1 − i\]·b\[i\], over the rows i.
//!
//! Row i multiplies digit i of b, spread over each half of a vector, by a window of four digits of a, which the
//! instruction reads from memory. The instructions are executed in the order in which they are written.

use super::digits::{DIGITS_BELOW, Factor};
use crate::arch::x86_64::ifma::{HALF, Ifma, Line, Mask, Vector, for_each};

/// The N of an a whose digits are all read, since none is known to be 0.
pub(super) const EVERY_DIGIT: usize = 1000;

/// The most parts of a sum.
const PARTS: usize = 2;

/// The lanes in which rows and the squares of digits count in a square.
#[derive(Clone, Copy)]
pub(super) struct Masks {
    /// Lanes 1 to 3 of each half.
    from_1: Mask,
    /// Lanes 2 and 3.
    from_2: Mask,
    /// Lane 3.
    from_3: Mask,
    /// Lanes 0 and 2.
    even: Mask,
    /// Lanes 1 and 3.
    odd: Mask,
}

impl Masks {
    /// The masks, opaque to the optimiser, which would otherwise load each of them wherever it is used.
    #[inline(always)]
    pub(super) fn new(ifma: Ifma) -> Masks {
        let mask = |half: u8| ifma.opaque_word(u64::from(half << HALF | half)) as Mask;
        Masks {
            from_1: mask(0b1110),
            from_2: mask(0b1100),
            from_3: mask(0b1000),
            even: mask(0b0101),
            odd: mask(0b1010),
        }
    }
}

/// `there` plus vectors COLUMN … COLUMN + W − 1 of the columns of a·b, for W of 1 or 2. `windows` are those of a, of which
/// only the lowest N digits may differ from 0.
#[inline(always)]
pub(super) fn product<const V: usize, const N: usize, const COLUMN: usize, const W: usize>(
    ifma: Ifma,
    there: [Vector; W],
    windows: &[Line],
    b: &Factor<V>,
) -> [Vector; W] {
    let mut sums = Sums::new(ifma, there);
    for_each!(ROW in 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36 37 38 39 => {
        if const { ROW < HALF * V && has_row(COLUMN, W, ROW, N) } {
            sums.add_row::<V, N, COLUMN, ROW>(windows, b);
        }
    });
    sums.all()
}

/// Vectors COLUMN … COLUMN + W − 1 of the columns of a², for W of 1 or 2, and for COLUMN with `there` added.
///
/// The products of two different digits are summed once and doubled.
#[inline(always)]
pub(super) fn square<const V: usize, const N: usize, const COLUMN: usize, const W: usize>(
    ifma: Ifma,
    masks: Masks,
    there: Vector,
    windows: &[Line],
    a: &Factor<V>,
) -> [Vector; W] {
    let mut sums = Sums::new(ifma, [ifma.zero(); W]);
    for_each!(ROW in 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36 37 38 39 => {
        if const { ROW < HALF * V && ROW < 2 * (COLUMN + W) && has_row(COLUMN, W, ROW, N) } {
            sums.add_row_above::<V, N, COLUMN, ROW>(masks, windows, a);
        }
    });
    let mut columns = sums.all();
    for up in 0..W {
        let twice = ifma.add(columns[up], columns[up]);
        let sum = if up == 0 { ifma.add(twice, there) } else { twice };
        // The square of digit j goes to columns 2·j and 2·j + 1.
        let digits = a.vectors[(COLUMN + up) / 2];
        let digits = match (COLUMN + up) % 2 {
            0 => ifma.repeat_lower_of_halves(digits),
            _ => ifma.repeat_upper_of_halves(digits),
        };
        let sum = ifma.add_product_low_masked(masks.even, sum, digits, digits);
        columns[up] = ifma.add_product_high_masked(masks.odd, sum, digits, digits);
    }
    columns
}

/// The sums of W vectors of columns. Low and high halves of products are summed separately, and where W is 1 each in two
/// parts, so that enough chains of additions run in parallel.
struct Sums<const W: usize> {
    ifma: Ifma,
    low: [[Vector; PARTS]; W],
    high: [[Vector; PARTS]; W],
}

impl<const W: usize> Sums<W> {
    #[inline(always)]
    fn new(ifma: Ifma, there: [Vector; W]) -> Self {
        let mut sums = Sums { ifma, low: [[ifma.zero(); PARTS]; W], high: [[ifma.zero(); PARTS]; W] };
        for up in 0..W {
            sums.low[up][0] = there[up];
        }
        sums
    }

    /// The part of a sum to which a row contributes.
    #[inline(always)]
    fn part(row: usize) -> usize {
        if W == 1 { row % PARTS } else { 0 }
    }

    /// Adds row ROW, which is a product with digit ROW of b.
    #[inline(always)]
    fn add_row<const V: usize, const N: usize, const COLUMN: usize, const ROW: usize>(
        &mut self,
        windows: &[Line],
        b: &Factor<V>,
    ) {
        let (ifma, part) = (self.ifma.in_order(), Self::part(ROW));
        let digit = b.digit::<ROW>(self.ifma);
        for_each!(UP in 0 1 => {
            if const { UP < W && has_low(COLUMN + UP, ROW, N) } {
                self.low[UP][part] = ifma.add_row_low::<COLUMN, UP, ROW>(self.low[UP][part], digit, windows);
            }
        });
        for_each!(UP in 0 1 => {
            if const { UP < W && has_high(COLUMN + UP, ROW, N) } {
                self.high[UP][part] = ifma.add_row_high::<COLUMN, UP, ROW>(self.high[UP][part], digit, windows);
            }
        });
    }

    /// Adds the part of row i = ROW of a square in which the other digit is above i.
    ///
    /// Lane l of the low halves in vector k is a\[i\]·a\[4·k − i + l\], which is above where l > 2·(i − 2·k). In the
    /// high halves the other digit is one lower.
    #[inline(always)]
    fn add_row_above<const V: usize, const N: usize, const COLUMN: usize, const ROW: usize>(
        &mut self,
        masks: Masks,
        windows: &[Line],
        a: &Factor<V>,
    ) {
        let (ifma, part) = (self.ifma.in_order(), Self::part(ROW));
        let digit = a.digit::<ROW>(self.ifma);
        for_each!(UP in 0 1 => {
            if const { UP < W && has_low(COLUMN + UP, ROW, N) && ROW <= 2 * (COLUMN + UP) + 1 } {
                let sum = self.low[UP][part];
                self.low[UP][part] = if const { ROW < 2 * (COLUMN + UP) } {
                    ifma.add_row_low::<COLUMN, UP, ROW>(sum, digit, windows)
                } else {
                    let mask = if ROW % 2 == 0 { masks.from_1 } else { masks.from_3 };
                    ifma.add_row_low_where::<COLUMN, UP, ROW>(mask, sum, digit, windows)
                };
            }
        });
        for_each!(UP in 0 1 => {
            if const { UP < W && has_high(COLUMN + UP, ROW, N) && ROW <= 2 * (COLUMN + UP) } {
                let sum = self.high[UP][part];
                self.high[UP][part] = if const { ROW < 2 * (COLUMN + UP) } {
                    ifma.add_row_high::<COLUMN, UP, ROW>(sum, digit, windows)
                } else {
                    ifma.add_row_high_where::<COLUMN, UP, ROW>(masks.from_2, sum, digit, windows)
                };
            }
        });
    }

    #[inline(always)]
    fn all(&self) -> [Vector; W] {
        let ifma = self.ifma;
        let mut sums = [ifma.zero(); W];
        for up in 0..W {
            let ([a, b], [c, d]) = (self.low[up], self.high[up]);
            sums[up] = match W {
                1 => ifma.add(ifma.add(a, b), ifma.add(c, d)),
                _ => ifma.add(a, c),
            };
        }
        sums
    }
}

/// Whether a row adds low halves of products with one of the lowest N digits to a vector of columns.
const fn has_low(column: usize, row: usize, n: usize) -> bool {
    // The window has digits 4·column − row … 4·column − row + 3.
    HALF * column + DIGITS_BELOW >= row && HALF * column < row + n
}

/// Whether a row adds high halves, whose window begins one digit lower.
const fn has_high(column: usize, row: usize, n: usize) -> bool {
    has_low(column, row + 1, n)
}

/// Whether a row adds anything to one of the vectors from `column` on.
const fn has_row(column: usize, vectors: usize, row: usize, n: usize) -> bool {
    let (first, last) = (column, column + vectors - 1);
    has_low(first, row, n) || has_high(first, row, n) || has_low(last, row, n) || has_high(last, row, n)
}
