//! Powers of an element: the paper's binary method, a fixed window in constant time, a sliding window.

use crate::monoid::{Cells, Monoid};
use crate::natural;
use alloc::vec;
use zeroize::Zeroizing;

/// How the bits of an exponent are scanned.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Method {
    /// Bit by bit, the method of \[koc96, §2\]; the time depends on the exponent.
    BinaryVartime,
    /// Windows of a fixed width; the time depends on the length of the exponent, not on its value.
    #[default]
    FixedWindow,
    /// Windows from a 1 bit to a 1 bit; the time depends on the exponent.
    SlidingWindowVartime,
}

impl Method {
    pub(crate) fn pow<M: Monoid>(self, monoid: &M, x: &[u64], e: &[u64]) -> Cells {
        match self {
            Method::BinaryVartime => binary_vartime(monoid, x, e),
            Method::FixedWindow => fixed_window(monoid, x, e, natural::bit_length(e)),
            Method::SlidingWindowVartime => sliding_window_vartime(monoid, x, e),
        }
    }
}

/// A running power, squared and multiplied in place.
struct Power<'a, M: Monoid> {
    monoid: &'a M,
    value: Cells,
    spare: Cells,
    scratch: Cells,
}

impl<'a, M: Monoid> Power<'a, M> {
    fn new(monoid: &'a M, value: Cells) -> Self {
        Power { monoid, spare: value.clone(), value, scratch: monoid.scratch() }
    }

    fn square(&mut self) {
        self.monoid.square(&mut self.spare, &self.value, &mut self.scratch);
        core::mem::swap(&mut self.value, &mut self.spare);
    }

    fn multiply(&mut self, factor: &[u64]) {
        self.monoid.mul(&mut self.spare, &self.value, factor, &mut self.scratch);
        core::mem::swap(&mut self.value, &mut self.spare);
    }
}

/// xᵉ by ModExp \[koc96, §2\], Step 3: a square for each bit of e from the top, a product where the bit is 1.
pub(crate) fn binary_vartime<M: Monoid>(monoid: &M, x: &[u64], e: &[u64]) -> Cells {
    let mut power = Power::new(monoid, monoid.one());
    for i in (0..natural::bit_length(e)).rev() {
        power.square();
        if natural::bits_at(e, i, 1) == 1 {
            power.multiply(x);
        }
    }
    power.value
}

/// x^(e mod 2^e_bits) by windows of a fixed width: after each width squares, one product with a power of x that
/// is chosen by reading the whole table. No branch or address depends on e or x, only on e_bits.
pub(crate) fn fixed_window<M: Monoid>(monoid: &M, x: &[u64], e: &[u64], e_bits: usize) -> Cells {
    let width = fixed_window_width(e_bits, x.len());
    let table = powers_below(monoid, x, 1 << width);
    let mut power = Power::new(monoid, monoid.one());
    let mut factor = Zeroizing::new(vec![0; x.len()]);
    for window in (0..e_bits.div_ceil(width as usize)).rev() {
        let position = window * width as usize;
        let bits = width.min((e_bits - position) as u32);
        monoid.select(&mut factor, &table, natural::bits_at(e, position, bits));
        if position + width as usize >= e_bits {
            power.value.copy_from_slice(&factor);
            continue;
        }
        for _ in 0..width {
            power.square();
        }
        power.multiply(&factor);
    }
    power.value
}

/// xᵉ by windows that begin and end with a 1 bit, of at most a fixed width: only odd powers of x are tabled.
pub(crate) fn sliding_window_vartime<M: Monoid>(monoid: &M, x: &[u64], e: &[u64]) -> Cells {
    let e_bits = natural::bit_length(e);
    let width = sliding_window_width(e_bits);
    let table = odd_powers(monoid, x, 1 << (width - 1));
    let mut power = Power::new(monoid, monoid.one());
    let mut unread = e_bits;
    while unread > 0 {
        if natural::bits_at(e, unread - 1, 1) == 0 {
            power.square();
            unread -= 1;
            continue;
        }
        let bits = width.min(unread as u32);
        let window = natural::bits_at(e, unread - bits as usize, bits);
        let zeros = window.trailing_zeros();
        let odd = (window >> zeros) as usize;
        for _ in 0..bits - zeros {
            power.square();
        }
        power.multiply(&table[odd / 2 * x.len()..][..x.len()]);
        unread -= (bits - zeros) as usize;
    }
    power.value
}

/// x⁰, x¹, … x^(count − 1), one after the other.
fn powers_below<M: Monoid>(monoid: &M, x: &[u64], count: usize) -> Cells {
    let cells = x.len();
    let mut table = Zeroizing::new(vec![0; count * cells]);
    let mut scratch = monoid.scratch();
    table[..cells].copy_from_slice(&monoid.one());
    table[cells..2 * cells].copy_from_slice(x);
    for i in 2..count {
        let (done, rest) = table.split_at_mut(i * cells);
        if i % 2 == 0 {
            monoid.square(&mut rest[..cells], &done[i / 2 * cells..][..cells], &mut scratch);
        } else {
            monoid.mul(&mut rest[..cells], &done[(i - 1) * cells..], x, &mut scratch);
        }
    }
    table
}

/// x¹, x³, … x^(2·count − 1), one after the other.
fn odd_powers<M: Monoid>(monoid: &M, x: &[u64], count: usize) -> Cells {
    let cells = x.len();
    let mut table = Zeroizing::new(vec![0; count * cells]);
    let mut scratch = monoid.scratch();
    let mut x2 = monoid.one();
    monoid.square(&mut x2, x, &mut scratch);
    table[..cells].copy_from_slice(x);
    for i in 1..count {
        let (done, rest) = table.split_at_mut(i * cells);
        monoid.mul(&mut rest[..cells], &done[(i - 1) * cells..], &x2, &mut scratch);
    }
    table
}

/// The width b ≥ 1 with the least work: 2^b products for the table, and for each of the ⌈e_bits/b⌉ windows a
/// product and the reading of the table. An entry is `cells` words to read where a product is 2·cells² word
/// products of about four times the cost: an eighth of a product, divided by `cells`.
fn fixed_window_width(e_bits: usize, cells: usize) -> u32 {
    let work = |b: u32| {
        let entries = 1usize << b;
        let product = 8 * cells;
        entries * product + e_bits.div_ceil(b as usize) * (product + entries)
    };
    (1..=8).min_by_key(|&b| work(b)).expect("the range is not empty")
}

/// The width b ≥ 1 with the fewest products on average: 2^(b−1) for the table, e_bits/(b + 1) for the windows.
fn sliding_window_width(e_bits: usize) -> u32 {
    (1..=8).min_by_key(|&b| (1usize << (b - 1)) + e_bits / (b as usize + 1)).expect("the range is not empty")
}
