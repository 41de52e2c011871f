//! Columns of products of padded numbers. A digit is a limb of 52 or 51 bits. Column k of a·b sums the low halves of
//! a\[j\]·b\[i\] for i + j = k, and the high halves for i + j = k − 1, twice for digits of 51 bits. Eight columns are
//! a vector: vector k holds columns 8·k … 8·k + 7.
//!
//! Row i of vector k is the contribution of b\[i\]: its product with the eight digits of a from a\[8·k − i\] on,
//! which are loaded unaligned. Row i + 8 of a vector uses the same digits of a as row i of the vector below.

use super::{PADDING, load};
use crate::arch::x86_64::ifma::{DIGIT_BITS, Ifma, LANES, Vector};
use core::ops::Range;

/// The most vectors of columns that are summed at a time, so that all sums stay in registers.
pub(super) const MOST_VECTORS: usize = 5;

/// Evaluates the block for each of the numbers that is below the bound, as a constant K, with K1 = K + 1.
macro_rules! for_each_below {
    ($bound:expr, $($value:literal)*, $block:block) => {$(
        if $value < $bound {
            const K: usize = $value;
            #[allow(dead_code)]
            const K1: usize = $value + 1;
            $block
        }
    )*};
}

/// Vectors first … first + W − 1 of the columns of a·b, all of them below the length of a and b.
///
/// Vector k has rows 0 … 8·k + 7. In the first blocks of eight rows all vectors have rows; then each block has rows
/// for one vector less.
#[inline(always)]
pub(super) fn low_columns<const W: usize, const B: u32>(
    ifma: Ifma,
    a: &[u64],
    b: &[u64],
    first: usize,
) -> [Vector; W] {
    let mut sums = Sums::<W, B>::zero(ifma);
    let last_full = LANES * first;
    let single = LANES * (first % 2);
    sums.add_rows::<0, W>(a, b, first, 0..single);
    sums.add_blocks::<0, W, 0, W>(a, b, first, single..last_full);
    for_each_below!(W, 0 2 4, {
        let start = last_full + LANES * K;
        if K1 < W {
            sums.add_blocks::<K, W, K1, W>(a, b, first, start..start + 2 * LANES);
        } else {
            sums.add_rows::<K, W>(a, b, first, start..start + LANES);
        }
    });
    sums.all()
}

/// Vectors first … first + W − 1 of the columns of a·b, all of them above the digits of a.
///
/// Vector k begins with row 8·k − a_digits + 1. Blocks of eight rows start at the first row of all. In the first
/// block one vector has rows, in each following block one vector more, until all have. The last block may end in rows
/// of zeros.
#[inline(always)]
pub(super) fn high_columns<const W: usize, const B: u32>(
    ifma: Ifma,
    a: &[u64],
    b: &[u64],
    a_digits: usize,
    b_digits: usize,
    first: usize,
) -> [Vector; W] {
    let lowest = LANES * first + 1 - a_digits;
    let start = |block: usize| lowest + LANES * block;
    // The high halves of the last digit's products are in the next row.
    let blocks = (b_digits + 1).saturating_sub(lowest).div_ceil(LANES).max(W);
    let mut sums = Sums::<W, B>::zero(ifma);
    if W % 2 == 1 {
        sums.add_rows::<0, 1>(a, b, first, start(0)..start(1));
        for_each_below!(W, 2 4, {
            sums.add_blocks::<0, K, 0, K1>(a, b, first, start(K - 1)..start(K1));
        });
    } else {
        for_each_below!(W, 1 3, {
            sums.add_blocks::<0, K, 0, K1>(a, b, first, start(K - 1)..start(K1));
        });
    }
    let single = (blocks - W) % 2;
    sums.add_rows::<0, W>(a, b, first, start(W)..start(W + single));
    sums.add_blocks::<0, W, 0, W>(a, b, first, start(W + single)..start(blocks));
    sums.all()
}

/// Vectors first … first + W − 1 of the columns of a².
///
/// The products of two different digits are summed once and doubled. Lane l of row i of vector k is a\[i\]·a\[j\]
/// with j = 8·k + l − i. In rows below 4·k, j > i in every lane; in rows from 4·k + 4 on, j > i in no lane.
#[inline(always)]
pub(super) fn square_columns<const W: usize, const B: u32>(
    ifma: Ifma,
    a: &[u64],
    digits: usize,
    first: usize,
) -> [Vector; W] {
    let rows = |k: usize| square_rows(digits, first + k);
    let mut sums = Sums::<W, B>::zero(ifma);
    for_each_below!(W, 1 2 3 4, {
        sums.add_rows::<0, K>(a, a, first, rows(K - 1).start..rows(K).start);
    });
    sums.add_rows::<0, W>(a, a, first, rows(W - 1).start..rows(0).end);
    for_each_below!(W, 1 2 3 4, {
        sums.add_rows::<K, W>(a, a, first, rows(K - 1).end..rows(K).end);
    });
    let mut columns = [ifma.zero(); W];
    for_each_below!(W, 0 1 2 3 4, {
        columns[K] = sums.square::<K>(a, first + K);
    });
    columns
}

/// The number of vectors from `first` on, at most `most`, that [`square_columns`] can sum together: all must begin
/// before the first one ends.
#[inline(always)]
pub(super) fn squares_together(digits: usize, first: usize, most: usize) -> usize {
    let mut together = most;
    while together > 1 && square_rows(digits, first + together - 1).start > 4 * first {
        together -= 1;
    }
    together
}

/// The rows of vector k of a square that have j > i in every lane, preceded by a row of zeros where that makes their
/// number even.
#[inline(always)]
fn square_rows(digits: usize, k: usize) -> Range<usize> {
    let start = (LANES * k + 1).saturating_sub(digits);
    let end = 4 * k;
    (start - start % 2).min(end)..end
}

/// The sums of W vectors of columns. Low and high halves of products are summed separately, each in two parts, so
/// that 4·W chains of additions run in parallel.
///
/// The loops' operands and counters are opaque to the optimiser. Otherwise it would keep operands for the next loop
/// in registers that it does not have, and unroll the loops until they do not fit the instruction cache.
struct Sums<const W: usize, const B: u32> {
    ifma: Ifma,
    low: [[Vector; 2]; W],
    high: [[Vector; 2]; W],
}

impl<const W: usize, const B: u32> Sums<W, B> {
    #[inline(always)]
    fn zero(ifma: Ifma) -> Self {
        Sums { ifma, low: [[ifma.zero(); 2]; W], high: [[ifma.zero(); 2]; W] }
    }

    /// Adds these rows, an even number of them, to vectors FROM … TO − 1, counted from `first`.
    ///
    /// The low halves of a\[j\]·b\[i\] and the high halves of a\[j\]·b\[i − 1\] belong to the same column, so a is
    /// read once for both: the high halves of a row are added with the next row.
    #[inline(always)]
    fn add_rows<const FROM: usize, const TO: usize>(
        &mut self,
        a: &[u64],
        b: &[u64],
        first: usize,
        rows: Range<usize>,
    ) {
        let ifma = self.ifma;
        let (a, b) = (ifma.opaque(a), ifma.opaque(b));
        let top = PADDING + LANES * (first + FROM);
        let mut below = ifma.splat(b[PADDING + rows.start - 1]);
        let mut i = rows.start;
        while i < rows.end {
            let digits = &b[PADDING + i..][..2];
            let window = &a[top - 1 - i..][..LANES * (TO - FROM) + 1];
            for part in 0..2 {
                let digit = ifma.splat(digits[part]);
                for k in FROM..TO {
                    let a = load(ifma, &window[1 - part..], k - FROM);
                    self.add(k, part, a, digit, below);
                }
                below = digit;
            }
            i = ifma.opaque_word(i as u64 + 2) as usize;
        }
    }

    /// Adds blocks of eight rows, two at a time: the lower to vectors LOWER … LOWER_END − 1, the upper to
    /// UPPER … UPPER_END − 1. A vector of digits of a is read once for both.
    #[inline(always)]
    fn add_blocks<const LOWER: usize, const LOWER_END: usize, const UPPER: usize, const UPPER_END: usize>(
        &mut self,
        a: &[u64],
        b: &[u64],
        first: usize,
        rows: Range<usize>,
    ) {
        let ifma = self.ifma;
        let (a, b) = (ifma.opaque(a), ifma.opaque(b));
        // Vector k of the upper block and vector k − 1 of the lower block use the same digits of a, for k in
        // from..end.
        let from = if LOWER + 1 < UPPER { LOWER + 1 } else { UPPER };
        let end = if LOWER_END + 1 > UPPER_END { LOWER_END + 1 } else { UPPER_END };
        let mut start = rows.start;
        while start < rows.end {
            let digits = &b[PADDING + start - 1..][..2 * LANES + 1];
            let mut below = [ifma.splat(digits[0]), ifma.splat(digits[LANES])];
            let mut r = 0;
            while r < LANES {
                let digit = [ifma.splat(digits[r + 1]), ifma.splat(digits[r + 1 + LANES])];
                let top = PADDING + LANES * (first + from) - LANES;
                let window = &a[top - start - r..][..LANES * (end - from)];
                for k in from..end {
                    let a = load(ifma, window, k - from);
                    if LOWER < k && k <= LOWER_END {
                        self.add(k - 1, 0, a, digit[0], below[0]);
                    }
                    if UPPER <= k && k < UPPER_END {
                        self.add(k, 1, a, digit[1], below[1]);
                    }
                }
                below = digit;
                r = ifma.opaque_word(r as u64 + 1) as usize;
            }
            start += 2 * LANES;
        }
    }

    /// Adds the low halves of a·digit and the high halves of a·below to this part of the sums of vector k.
    #[inline(always)]
    fn add(&mut self, k: usize, part: usize, a: Vector, digit: Vector, below: Vector) {
        self.low[k][part] = self.ifma.add_product_low(self.low[k][part], a, digit);
        self.high[k][part] = self.ifma.add_product_high(self.high[k][part], a, below);
    }

    /// Vector K, which is vector `column` of the square of a, once its rows below 4·column have been added. Adds the
    /// lanes with j > i of the next four rows, doubles the sum, and adds the squares of the digits.
    #[inline(always)]
    fn square<const K: usize>(&mut self, a: &[u64], column: usize) -> Vector {
        const LOW: [u8; 4] = [0b1111_1110, 0b1111_1000, 0b1110_0000, 0b1000_0000];
        const HIGH: [u8; 4] = [0b1111_1111, 0b1111_1100, 0b1111_0000, 0b1100_0000];
        let ifma = self.ifma;
        // Digits 4·column − 3 … 4·column + 7.
        let window = &ifma.opaque(a)[PADDING + 4 * column - 3..][..11];
        let mut below = ifma.splat(window[2]);
        for m in 0..4 {
            let digit = ifma.splat(window[3 + m]);
            let a = load(ifma, &window[3 - m..], 0);
            let (low, high) = (&mut self.low[K][m % 2], &mut self.high[K][m % 2]);
            *low = ifma.add_product_low_where(LOW[m], *low, a, digit);
            *high = ifma.add_product_high_where(HIGH[m], *high, a, below);
            below = digit;
        }
        let once = self.sum(K);
        let digits = ifma.repeat_lower(load(ifma, &window[3..], 0));
        if B == DIGIT_BITS {
            let sum = ifma.add_product_low_where(0b0101_0101, once, digits, digits);
            return ifma.add_product_high_where(0b1010_1010, ifma.add(once, sum), digits, digits);
        }
        // The high halves count twice.
        let once = ifma.add_product_high_where(0b1010_1010, once, digits, digits);
        ifma.add(once, ifma.add_product_low_where(0b0101_0101, once, digits, digits))
    }

    #[inline(always)]
    fn sum(&self, k: usize) -> Vector {
        let ifma = self.ifma;
        let ([a, b], [c, d]) = (self.low[k], self.high[k]);
        weighted_sum::<B>(ifma, ifma.add(a, b), ifma.add(c, d))
    }

    #[inline(always)]
    fn all(&self) -> [Vector; W] {
        let mut sums = [self.ifma.zero(); W];
        for k in 0..W {
            sums[k] = self.sum(k);
        }
        sums
    }
}

/// ⌊(t + m·n)/R⌋ minus the columns of m·n from R on, in word 0, for a t < R with t + m·n a multiple of R.
///
/// Let W = 2^B, c be column s − 1 of m·n, and d be digit s − 1 of t, which is word 7 of `t_top`. The columns of m·n
/// below c and the digits of t below d sum to less than (2·s + 2)·W^(s − 1) if B = 52, and to less than
/// (6·s + 2)·W^(s − 1) if B = 51, where high halves count twice and halves reach 2·W. Both are below W^s. Together with
/// (c + d)·W^(s − 1) they sum to a multiple of W^s, which must be ⌈(c + d)/W⌉·W^s. `reversed` holds n from digit s − 1
/// down, then a vector of zeros.
#[inline(always)]
pub(super) fn carry_into_r<const B: u32>(ifma: Ifma, m: &[u64], reversed: &[u64], t_top: Vector) -> Vector {
    let mut low = ifma.add(ifma.keep(0b1000_0000, t_top), ifma.in_first((1 << B) - 1));
    let mut high = ifma.zero();
    for k in 0..m.len() / LANES {
        let m = load(ifma, m, k);
        low = ifma.add_product_low(low, m, load(ifma, reversed, k));
        high = ifma.add_product_high(high, m, load(ifma, &reversed[1..], k));
    }
    let sum = ifma.add_all_words(weighted_sum::<B>(ifma, low, high));
    ifma.keep(1, ifma.shift_right::<B>(sum))
}

/// low + high·2^(52 − B), for the sums of low and of high halves of products: a high half has weight 2^52, and a
/// column has 2^B times the weight of the column below.
#[inline(always)]
fn weighted_sum<const B: u32>(ifma: Ifma, low: Vector, high: Vector) -> Vector {
    if B == DIGIT_BITS {
        return ifma.add(low, high);
    }
    ifma.add(low, ifma.add(high, high))
}
