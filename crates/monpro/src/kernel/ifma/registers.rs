//! Columns of products of two numbers of V vectors, V ≤ 4, which stay in registers. A digit is a limb of 51 bits.
//! Column k of a·b sums the low halves of a\[j\]·b\[i\] for i + j = k, and twice the high halves for i + j = k − 1.
//! Vector k holds columns 8·k … 8·k + 7.
//!
//! A window is eight consecutive digits of a. Digit i = 8·g + r of b, broadcast to all eight lanes, is multiplied by
//! the window that begins with digit 8·q − r: the low halves of the products belong to vector g + q of the columns.
//! The high halves of the same vector come from the window that begins one digit lower. The instructions are written
//! in the order in which they are to be executed.

use super::{load, store};
use crate::arch::x86_64::ifma::{Ifma, LANES, Vector, for_each};

/// The bits of a digit; the digits of a factor may have one bit more.
pub(super) const BITS: u32 = 51;
/// The most vectors of a number.
pub(super) const MOST_VECTORS: usize = 4;

/// A number of V vectors.
pub(super) trait Windows {
    /// The eight digits from 8·Q − BELOW on, for Q ≤ V and BELOW ≤ 8; zeros outside the number.
    fn window<const Q: usize, const BELOW: usize>(&self, ifma: Ifma) -> Vector;
}

impl<const V: usize> Windows for [Vector; V] {
    #[inline(always)]
    fn window<const Q: usize, const BELOW: usize>(&self, ifma: Ifma) -> Vector {
        let above = if Q < V { self[Q] } else { ifma.zero() };
        let below = if Q > 0 { self[Q - 1] } else { ifma.zero() };
        match BELOW {
            0 => above,
            LANES => below,
            _ => ifma.in_order().align::<BELOW>(above, below),
        }
    }
}

/// A number in memory, padded with zeros.
impl Windows for &[u64] {
    #[inline(always)]
    fn window<const Q: usize, const BELOW: usize>(&self, ifma: Ifma) -> Vector {
        ifma.in_order().load::<Q, BELOW>(self)
    }
}

/// A number whose digits are broadcast to all eight lanes. The first `FROM_REGISTER` digits of each vector are needed
/// soon after the number is known; they come from the vector's register, in 5 cycles. The others come from memory, in
/// 11 cycles, but without work for the units that multiply.
pub(super) struct Digits<'a, const V: usize> {
    pub(super) vectors: [Vector; V],
    words: &'a [u64],
}

/// The number of digits of each vector that are broadcast from its register.
const FROM_REGISTER: usize = 2;

impl<'a, const V: usize> Digits<'a, V> {
    /// The number in these vectors, which are also stored in the words.
    #[inline(always)]
    pub(super) fn put(ifma: Ifma, words: &'a mut [u64], vectors: [Vector; V]) -> Self {
        let words = &mut words[..LANES * V];
        for k in 0..V {
            store(ifma, words, k, vectors[k]);
        }
        Digits { vectors, words: &ifma.opaque(words)[..LANES * V] }
    }

    /// Digit 8·G + R in every lane.
    #[inline(always)]
    fn spread<const G: usize, const R: usize>(&self, ifma: Ifma) -> Vector {
        if R < FROM_REGISTER {
            return ifma.in_order().choose(ifma.splat(R as u64), self.vectors[G]);
        }
        ifma.in_order().splat::<G, R>(self.words)
    }
}

/// `there` plus vectors FIRST … FIRST + V − 1 of the columns of a·b, where FIRST is 0 or V. The highest EMPTY digits
/// of a are zeros.
#[inline(always)]
pub(super) fn add_product<const V: usize, const FIRST: usize, const EMPTY: usize>(
    ifma: Ifma,
    there: [Vector; V],
    a: &impl Windows,
    b: &Digits<V>,
) -> [Vector; V] {
    let mut sums = Sums::new(ifma, there);
    sums.add_products::<FIRST, EMPTY, false>(a, b);
    sums.all()
}

/// Vectors FIRST … FIRST + V − 1 of the columns of a², with FIRST and EMPTY as in [`add_product`].
#[inline(always)]
pub(super) fn square<const V: usize, const FIRST: usize, const EMPTY: usize>(
    ifma: Ifma,
    a: &Digits<V>,
) -> [Vector; V] {
    let mut sums = Sums::new(ifma, [ifma.zero(); V]);
    sums.add_products::<FIRST, EMPTY, true>(&a.vectors, a);
    sums.square::<FIRST>(&a.vectors)
}

/// The sums of V vectors of columns. Low and high halves of products are summed separately, each in up to four parts,
/// so that enough chains of additions run in parallel.
struct Sums<const V: usize> {
    ifma: Ifma,
    low: [[Vector; PARTS]; V],
    high: [[Vector; PARTS]; V],
}

/// The most parts of a sum.
const PARTS: usize = 4;

impl<const V: usize> Sums<V> {
    #[inline(always)]
    fn new(ifma: Ifma, there: [Vector; V]) -> Self {
        let mut sums = Sums { ifma, low: [[ifma.zero(); PARTS]; V], high: [[ifma.zero(); PARTS]; V] };
        for k in 0..V {
            // The last vector of b contributes to every vector of columns.
            sums.low[k][Self::part(V - 1, 0)] = there[k];
        }
        sums
    }

    /// The part of a sum to which digit 8·g + r of b contributes.
    #[inline(always)]
    fn part(g: usize, r: usize) -> usize {
        match V {
            1 => r % 4,
            2 => 2 * g + r % 2,
            _ => g,
        }
    }

    /// Adds the products of a and the digits of b. If SQUARE, b is a, and only the products of two different digits
    /// are added, each once.
    #[inline(always)]
    fn add_products<const FIRST: usize, const EMPTY: usize, const SQUARE: bool>(
        &mut self,
        a: &impl Windows,
        b: &Digits<V>,
    ) {
        let ifma = self.ifma;
        let mut high = self.windows::<FIRST, EMPTY, SQUARE, 0>(a);
        for_each!(R in 0 1 2 3 4 5 6 7 => {
            const R1: usize = R + 1;
            let low = core::mem::replace(&mut high, self.windows::<FIRST, EMPTY, SQUARE, R1>(a));
            for_each!(G in 0 1 2 3 => {
                let is_below = SQUARE && FIRST == 0 && !(..V).contains(&(2 * G + R / 4));
                if G < V && !is_below {
                    let digit = b.spread::<G, R>(ifma);
                    for_each!(Q in 0 1 2 3 4 => {
                        let is_wanted = (FIRST..FIRST + V).contains(&(G + Q));
                        if is_wanted && (Q < V || Q == V && R1 > EMPTY) {
                            let k = G + Q - FIRST;
                            match SQUARE {
                                true => self.add_above::<G, Q, R>(k, digit, low[Q], high[Q]),
                                false => self.add(k, Self::part(G, R), digit, low[Q], high[Q]),
                            }
                        }
                    });
                }
            });
        });
    }

    /// The windows of a that begin BELOW digits below vectors 0 … V; the ones that are not needed are zeros.
    #[inline(always)]
    fn windows<const FIRST: usize, const EMPTY: usize, const SQUARE: bool, const BELOW: usize>(
        &self,
        a: &impl Windows,
    ) -> [Vector; MOST_VECTORS + 1] {
        let mut windows = [self.ifma.zero(); MOST_VECTORS + 1];
        for_each!(Q in 0 1 2 3 4 => {
            let is_wanted = if Q < V { Q + V > FIRST } else { Q == V && FIRST == V && BELOW > EMPTY };
            let is_below = SQUARE && 2 * Q < FIRST + BELOW.saturating_sub(1) / 4;
            if is_wanted && !is_below {
                windows[Q] = a.window::<Q, BELOW>(self.ifma);
            }
        });
        windows
    }

    /// Adds to vector k the low halves of digit·low and the high halves of digit·high.
    #[inline(always)]
    fn add(&mut self, k: usize, part: usize, digit: Vector, low: Vector, high: Vector) {
        let ifma = self.ifma.in_order();
        self.low[k][part] = ifma.add_product_low(self.low[k][part], low, digit);
        self.high[k][part] = ifma.add_product_high(self.high[k][part], high, digit);
    }

    /// The same for digit i = 8·G + R of a and the windows of a that begin with digits j = 8·Q − R and j − 1, but
    /// only in lanes where the digit of the window is above i: for the first window, in lanes p with j + p > i.
    #[inline(always)]
    fn add_above<const G: usize, const Q: usize, const R: usize>(
        &mut self,
        k: usize,
        digit: Vector,
        low: Vector,
        high: Vector,
    ) {
        let (ifma, part) = (self.ifma, Self::part(G, R));
        // i − j = 2·R − 8·(Q − G).
        if Q > G + R / 4 {
            self.add(k, part, digit, low, high);
        } else if Q == G + R / 4 {
            match R % 4 {
                0 => self.add(k, part, digit, ifma.keep_from::<1>(low), ifma.keep_from::<2>(high)),
                1 => self.add(k, part, digit, ifma.keep_from::<3>(low), ifma.keep_from::<4>(high)),
                2 => self.add(k, part, digit, ifma.keep_from::<5>(low), ifma.keep_from::<6>(high)),
                _ => {
                    let low = ifma.keep_from::<7>(low);
                    self.low[k][part] = ifma.in_order().add_product_low(self.low[k][part], low, digit);
                }
            }
        }
    }

    #[inline(always)]
    fn all(&self) -> [Vector; V] {
        let ifma = self.ifma;
        let mut sums = [ifma.zero(); V];
        for k in 0..V {
            sums[k] = weighted_sum(ifma, total(ifma, self.low[k]), total(ifma, self.high[k]));
        }
        sums
    }

    /// The V vectors of columns of a² from vector FIRST on: the sums doubled, plus the squares of the digits.
    #[inline(always)]
    fn square<const FIRST: usize>(&self, a: &[Vector; V]) -> [Vector; V] {
        let ifma = self.ifma;
        let mut squares = [ifma.zero(); V];
        for k in 0..V {
            // Digit j's square goes to columns 2·j and 2·j + 1.
            let digits = match (FIRST + k) % 2 {
                0 => ifma.repeat_lower(a[(FIRST + k) / 2]),
                _ => ifma.repeat_upper(a[(FIRST + k) / 2]),
            };
            let low = ifma.add_product_low_where(0b0101_0101, ifma.zero(), digits, digits);
            let high = ifma.add_product_high_where(0b1010_1010, ifma.zero(), digits, digits);
            let squares_of_digits = weighted_sum(ifma, low, high);
            let low = ifma.shift_left::<1>(total(ifma, self.low[k]));
            let high = ifma.shift_left::<1>(total(ifma, self.high[k]));
            squares[k] = ifma.add(weighted_sum(ifma, low, high), squares_of_digits);
        }
        squares
    }
}

#[inline(always)]
fn total(ifma: Ifma, [a, b, c, d]: [Vector; PARTS]) -> Vector {
    ifma.add(ifma.add(a, b), ifma.add(c, d))
}

/// low + 2·high, for the sums of low and of high halves of products: a high half has weight 2^52, and a column has
/// 2^51 times the weight of the column below.
#[inline(always)]
fn weighted_sum(ifma: Ifma, low: Vector, high: Vector) -> Vector {
    ifma.add(low, ifma.add(high, high))
}

/// ⌊(t + m·n)/R⌋ minus the columns of m·n from R on, in word 7, where
/// [`add_upper_parts`](super::carries::add_upper_parts) expects a carry.
/// [`carry_into_r`](super::columns::carry_into_r) has the argument.
#[inline(always)]
pub(super) fn carry_into_r<const V: usize>(
    ifma: Ifma,
    m: &Digits<V>,
    reversed: &[u64],
    t_top: Vector,
) -> Vector {
    let mut low = ifma.add(ifma.keep(0b1000_0000, t_top), ifma.in_first((1 << BITS) - 1));
    let mut high = ifma.zero();
    for k in 0..V {
        low = ifma.add_product_low(low, m.vectors[k], load(ifma, reversed, k));
        high = ifma.add_product_high(high, m.vectors[k], load(ifma, &reversed[1..], k));
    }
    let sum = ifma.add_all_words(weighted_sum(ifma, low, high));
    // Opaque, so that it is computed before the products that follow.
    let [carry] = ifma.opaque_vectors([ifma.shift_right::<BITS>(sum)]);
    carry
}
