//! Windows of the bits of an exponent: the rule for their width, their positions, and the loop over them.
//!
//! The elements of a power may be cells on the heap, arrays on the stack or lanes of vectors: each implements
//! [`Windowed`].

use crate::cancellation::checkpoint;
use crate::natural;

/// The bits of an exponent.
pub(crate) trait Bits {
    /// The position of the highest 1 bit, plus one; 0 for 0.
    fn length(&self) -> usize;
    /// The number of 1 bits.
    fn ones(&self) -> usize;
    /// Whether bit i < length is 1.
    fn is_one(&self, i: usize) -> bool;
    /// The `count` ≤ 8 bits from bit `position` up, for position + count ≤ length.
    fn at(&self, position: usize, count: u32) -> usize;
}

/// The bits of a number in words.
impl Bits for [u64] {
    fn length(&self) -> usize {
        natural::bit_length(self)
    }

    fn ones(&self) -> usize {
        self.iter().map(|word| word.count_ones() as usize).sum()
    }

    fn is_one(&self, i: usize) -> bool {
        self[i / 64] >> (i % 64) & 1 == 1
    }

    fn at(&self, position: usize, count: u32) -> usize {
        natural::bits_at(self, position, count) as usize
    }
}

/// The arrangement of windows over the bits of an exponent.
#[derive(Clone, Copy)]
pub(crate) enum Layout {
    /// Adjacent windows, all of width b; the table holds x⁰, x¹, … x^(2^b − 1).
    Fixed,
    /// Windows from a 1 bit to a 1 bit at most b − 1 bits above; the table holds x¹, x³, … x^(2^b − 1).
    Sliding,
}

impl Layout {
    /// The entries of the table for windows of at most b bits.
    fn entries(self, b: u32) -> usize {
        match self {
            Layout::Fixed => 1 << b,
            Layout::Sliding => 1 << (b - 1),
        }
    }

    /// The number of windows of at most b bits in an exponent of e_bits bits; for sliding windows, the average.
    fn windows(self, e_bits: usize, b: u32) -> usize {
        match self {
            Layout::Fixed => e_bits.div_ceil(b as usize),
            Layout::Sliding => e_bits / (b as usize + 1),
        }
    }

    /// The work of all that depends on the width b: a product for each entry of the table, and for each window a
    /// product and the choice of an entry. The squares, about one for each bit, do not depend on b.
    fn work(self, e_bits: usize, b: u32, product: usize, choice: impl Fn(usize) -> usize) -> usize {
        let entries = self.entries(b);
        entries * product + self.windows(e_bits, b) * (product + choice(entries))
    }

    /// The width b, 1 ≤ b ≤ most, with the least work for an exponent of e_bits bits. A product costs `product`, the
    /// choice of an entry of a table of n entries costs `choice(n)`, in one unit of any size.
    pub(crate) fn width(
        self,
        e_bits: usize,
        most: u32,
        product: usize,
        choice: impl Fn(usize) -> usize,
    ) -> u32 {
        (1..=most).min_by_key(|&b| self.work(e_bits, b, product, &choice)).unwrap_or(1)
    }
}

/// The width of sliding windows over e, at most `most`. It is 1 if one product for each 1 bit is no more work, as
/// for 65537.
#[inline(always)]
pub(crate) fn sliding_width<E: Bits + ?Sized>(e: &E, most: u32) -> u32 {
    let (length, ones) = (e.length(), e.ones());
    // Windows of 2 bits or more take at least two products for the table.
    if ones <= 2 {
        return 1;
    }
    // An entry of a table in variable time is chosen by its address, which costs nothing beside a product.
    let choice = |_| 0;
    let width = Layout::Sliding.width(length, most, 1, choice);
    if ones <= Layout::Sliding.work(length, width, 1, choice) { 1 } else { width }
}

/// The windows of a fixed width over e_bits bits, from the top down: the position of the lowest bit, and the number of
/// bits. The first window may be narrower than the others.
#[inline(always)]
pub(crate) fn fixed_windows(e_bits: usize, width: u32) -> impl Iterator<Item = (usize, u32)> {
    (0..e_bits.div_ceil(width as usize)).rev().map(move |i| {
        let position = i * width as usize;
        (position, width.min((e_bits - position) as u32))
    })
}

/// The sliding windows of e, from the top down, each the longest of at most `width` bits that begins and ends with a
/// 1 bit: the position of its lowest bit, and the index of its power in a table of odd powers.
pub(crate) struct SlidingWindows<'a, E: ?Sized> {
    e: &'a E,
    width: u32,
    /// The bits below the last window.
    unread: usize,
}

impl<'a, E: Bits + ?Sized> SlidingWindows<'a, E> {
    #[inline(always)]
    pub(crate) fn new(e: &'a E, width: u32) -> Self {
        SlidingWindows { e, width, unread: e.length() }
    }
}

impl<E: Bits + ?Sized> Iterator for SlidingWindows<'_, E> {
    type Item = (usize, usize);

    // Inlined, because a call for each window is a measurable part of a power of few words.
    #[inline(always)]
    fn next(&mut self) -> Option<(usize, usize)> {
        while self.unread > 0 && !self.e.is_one(self.unread - 1) {
            self.unread -= 1;
        }
        if self.unread == 0 {
            return None;
        }
        let bits = self.width.min(self.unread as u32);
        let window = self.e.at(self.unread - bits as usize, bits);
        let zeros = window.trailing_zeros();
        self.unread -= (bits - zeros) as usize;
        Some((self.unread, window >> zeros >> 1))
    }
}

/// A power under construction. F is the type of a window's factor.
///
/// Lanes share the loop, too: `append` has the squares and the factor in one call, so that an implementation can choose
/// the factor from its table during the squares.
pub(crate) trait Windowed<F> {
    /// power = factor.
    fn begin(&mut self, factor: F);
    /// power = power^(2^squares)·factor.
    fn append(&mut self, squares: usize, factor: F);
    /// power = power^(2^times).
    fn square(&mut self, times: usize);
}

/// power = Π factor^(2^position) over the windows (position, factor), from the highest position down. Without windows the
/// power stays as it is.
#[inline(always)]
pub(crate) fn multiply_windows<F, P: Windowed<F>>(power: &mut P, windows: impl Iterator<Item = (usize, F)>) {
    let mut last = None;
    for (position, factor) in windows {
        checkpoint();
        match last {
            None => power.begin(factor),
            Some(above) => power.append(above - position, factor),
        }
        last = Some(position);
    }
    power.square(last.unwrap_or(0));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::natural;

    /// The powers of an element whose exponents are added.
    struct Exponent(u64);

    impl Windowed<u64> for Exponent {
        fn begin(&mut self, factor: u64) {
            self.0 = factor;
        }

        fn append(&mut self, squares: usize, factor: u64) {
            self.square(squares);
            self.0 += factor;
        }

        fn square(&mut self, times: usize) {
            self.0 <<= times;
        }
    }

    #[test]
    fn windows_of_either_layout_add_up_to_the_exponent() {
        for e in [1u64, 2, 3, 0b1011_0000, 65537, 0x0123_4567_89ab_cdef, u64::MAX, 1 << 63] {
            for width in 1..=8 {
                let mut power = Exponent(0);
                let windows = fixed_windows([e][..].length(), width);
                let value = |(position, count)| (position, natural::bits_at(&[e], position, count));
                multiply_windows(&mut power, windows.map(value));
                assert_eq!(power.0, e, "fixed windows of {width} bits");

                let mut power = Exponent(0);
                let e_words = [e];
                let windows = SlidingWindows::new(&e_words[..], width);
                multiply_windows(
                    &mut power,
                    windows.map(|(position, index)| (position, 2 * index as u64 + 1)),
                );
                assert_eq!(power.0, e, "sliding windows of {width} bits");
            }
        }
    }

    #[test]
    fn without_windows_the_power_stays_what_it_is() {
        let mut power = Exponent(7);
        multiply_windows(&mut power, SlidingWindows::new(&[0][..], 3).map(|(position, _)| (position, 1)));
        multiply_windows(&mut power, fixed_windows(0, 3).map(|(position, _)| (position, 1)));
        assert_eq!(power.0, 7);
    }

    #[test]
    fn widths_grow_where_a_larger_table_pays() {
        // 2^(b−1) + e_bits/(b + 1) is less for b + 1 than for b from e_bits = 2^(b−1)·(b + 1)·(b + 2) on.
        let widths = [6, 24, 80, 240, 672, 1792].map(|e_bits| {
            let mut e = [u64::MAX; 57];
            e[2 * e_bits / 64] &= (1 << (2 * e_bits % 64)) - 1;
            sliding_width(&e[..(2 * e_bits).div_ceil(64)], 8)
        });
        assert_eq!(widths, [2, 3, 4, 5, 6, 7]);
        assert_eq!(sliding_width(&[u64::MAX; 80][..], 6), 6);
        // As many products for the 1 bits alone as with any table, or fewer.
        for e in [0, 1, 3, 65537, 1 << 60 | 1 << 30 | 1] {
            assert_eq!(sliding_width(&[e][..], 8), 1);
        }
        // A choice that costs nothing, and one that costs half a product for every entry.
        assert_eq!(Layout::Fixed.width(256, 8, 2, |_| 0), 4);
        assert_eq!(Layout::Fixed.width(256, 8, 2, |entries| entries), 2);
    }
}
