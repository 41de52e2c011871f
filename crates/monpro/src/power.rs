//! Powers of an element: the paper's binary method, a fixed window in constant time, a sliding window.

mod fixed_base;
mod simultaneous;
#[cfg(test)]
mod small;
pub(crate) mod stack;
pub(crate) mod window;

pub(crate) use fixed_base::FixedBaseTable;
pub(crate) use simultaneous::{product_of_powers, product_of_powers_vartime};

use crate::cancellation::checkpoint;
use crate::monoid::{Cells, Monoid, Temporary};
use crate::natural;
use window::Layout;

/// The largest bound on the bits of exponents where the bound alone determines the time: 2²⁰. The squares of one power
/// then take less than a second modulo numbers of 2048 bits.
///
/// An exponent itself may be longer: the caller holds its bits in memory, and they bound the time.
pub const MAX_EXPONENT_BITS: usize = 1 << 20;

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
    /// xᵉ for e < 2^e_bits.
    pub(crate) fn pow<M: Monoid>(self, monoid: &M, x: &[u64], e: &[u64], e_bits: usize) -> Cells {
        match self {
            Method::BinaryVartime => binary_vartime(monoid, x, e),
            Method::FixedWindow => fixed_window(monoid, x, e, e_bits),
            Method::SlidingWindowVartime => sliding_window_vartime(monoid, x, e),
        }
    }
}

/// The most squares without a checkpoint, which is more than a window has.
const SQUARES_IN_A_ROW: usize = 64;

/// A running power, squared and multiplied in place.
struct Power<'a, M: Monoid> {
    monoid: &'a M,
    value: Temporary,
    spare: Temporary,
    scratch: Temporary,
}

impl<'a, M: Monoid> Power<'a, M> {
    /// A power of so many cells, which [`Power::set`] begins.
    fn new(monoid: &'a M, cells: usize) -> Self {
        let [value, spare] = [(); 2].map(|()| Temporary::new(cells));
        Power { monoid, value, spare, scratch: monoid.scratch() }
    }

    /// power = value.
    fn set(&mut self, value: &[u64]) {
        self.value.copy_from_slice(value);
    }

    /// Squares the power `times` times.
    fn square(&mut self, mut times: usize) {
        while times > 0 {
            checkpoint();
            let some = times.min(SQUARES_IN_A_ROW);
            self.monoid.square_repeatedly(&mut self.value, some, &mut self.spare, &mut self.scratch);
            times -= some;
        }
    }

    /// Squares the power `times` times, then multiplies it by a residue or the result of a step.
    fn append(&mut self, times: usize, factor: &[u64]) {
        let last = times.min(SQUARES_IN_A_ROW);
        self.square(times - last);
        checkpoint();
        self.monoid.append(&mut self.value, last, factor, &mut self.spare, &mut self.scratch);
    }

    fn finish(&mut self) -> Cells {
        self.monoid.finish(&mut self.value);
        Cells::from(&self.value[..])
    }
}

/// xᵉ by ModExp \[koc96, §2\], Step 3: a square for each bit of e from the top, a product where the bit is 1.
pub(crate) fn binary_vartime<M: Monoid>(monoid: &M, x: &[u64], e: &[u64]) -> Cells {
    let mut power = Power::new(monoid, x.len());
    power.set(&monoid.one());
    for i in (0..natural::bit_length(e)).rev() {
        if natural::bits_at(e, i, 1) == 1 {
            power.append(1, x);
        } else {
            power.square(1);
        }
    }
    power.finish()
}

/// x^(e mod 2^e_bits) by windows of a fixed width: after every `width` squares, one product with a power of x that is
/// selected by reading the whole table. No branch or address depends on e or x, only on e_bits.
pub(crate) fn fixed_window<M: Monoid>(monoid: &M, x: &[u64], e: &[u64], e_bits: usize) -> Cells {
    product_of_powers(monoid, &[(x, e)], e_bits)
}

/// xᵉ by windows that begin and end with a 1 bit, of at most a fixed width: only odd powers of x are tabled.
pub(crate) fn sliding_window_vartime<M: Monoid>(monoid: &M, x: &[u64], e: &[u64]) -> Cells {
    product_of_powers_vartime(monoid, &[(x, e)])
}

/// x⁰, x¹, … x^(count − 1), as results of steps.
fn powers_below<M: Monoid>(monoid: &M, x: &[u64], count: usize) -> Cells {
    let cells = x.len();
    let mut table = Cells::zeros(count * cells);
    let (mut spare, mut scratch) = (Temporary::new(cells), monoid.scratch());
    table[..cells].copy_from_slice(&monoid.one());
    table[cells..2 * cells].copy_from_slice(x);
    for i in 2..count {
        checkpoint();
        let (done, rest) = table.split_at_mut(i * cells);
        let z = &mut rest[..cells];
        if i % 2 == 0 {
            z.copy_from_slice(&done[i / 2 * cells..][..cells]);
            monoid.square_repeatedly(z, 1, &mut spare, &mut scratch);
        } else {
            monoid.step(z, &done[(i - 1) * cells..], x, &mut scratch);
        }
    }
    table
}

/// x¹, x³, … x^(2·count − 1), one after the other, as results of steps.
fn odd_powers<M: Monoid>(monoid: &M, x: &[u64], count: usize) -> Cells {
    let cells = x.len();
    let mut table = Cells::zeros(count * cells);
    table[..cells].copy_from_slice(x);
    if count == 1 {
        return table;
    }
    let mut scratch = monoid.scratch();
    let mut x2 = Temporary::new(cells);
    monoid.square(&mut x2, x, &mut scratch);
    for i in 1..count {
        checkpoint();
        let (done, rest) = table.split_at_mut(i * cells);
        monoid.step(&mut rest[..cells], &done[(i - 1) * cells..], &x2, &mut scratch);
    }
    table
}

/// The width of fixed windows, at most `most`, for elements of `cells` words that are selected by reading whole
/// tables. Reading an entry takes `cells` reads of a word. A product takes 2·cells² products of words, each about
/// four times the cost of a read. So a product costs as much as reading 8·cells entries.
fn width_in_constant_time(e_bits: usize, cells: usize, most: u32) -> u32 {
    Layout::Fixed.width(e_bits, most, 8 * cells, |entries| entries)
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;
    use alloc::vec::Vec;
    use core::cell::Cell;

    /// The exponents of a base under addition, with the products counted.
    struct Exponents {
        products: Cell<usize>,
    }

    impl Monoid for Exponents {
        fn one(&self) -> Cells {
            vec![0].into()
        }

        fn scratch(&self) -> Temporary {
            Temporary::new(0)
        }

        fn mul(&self, z: &mut [u64], x: &[u64], y: &[u64], _scratch: &mut [u64]) {
            self.products.set(self.products.get() + 1);
            z[0] = x[0].wrapping_add(y[0]);
        }

        fn square(&self, z: &mut [u64], x: &[u64], scratch: &mut [u64]) {
            self.mul(z, x, x, scratch);
        }
    }

    /// The same, but the computation is cancelled at one of the products.
    #[cfg(feature = "cancellation")]
    struct Cancelled {
        exponents: Exponents,
        at_product: usize,
        cancellation: crate::cancellation::Cancellation,
    }

    #[cfg(feature = "cancellation")]
    type CancelledPower<'a> = &'a dyn Fn(&Cancelled) -> Cells;

    #[cfg(feature = "cancellation")]
    impl Monoid for Cancelled {
        fn one(&self) -> Cells {
            self.exponents.one()
        }

        fn scratch(&self) -> Temporary {
            self.exponents.scratch()
        }

        fn mul(&self, z: &mut [u64], x: &[u64], y: &[u64], scratch: &mut [u64]) {
            self.exponents.mul(z, x, y, scratch);
            if self.exponents.products.get() == self.at_product {
                self.cancellation.cancel();
            }
        }

        fn square(&self, z: &mut [u64], x: &[u64], scratch: &mut [u64]) {
            self.mul(z, x, x, scratch);
        }
    }

    /// The exponents of a base modulo a prime, under addition, in the lowest of `cells` cells; the largest index of an
    /// entry that was selected is recorded.
    struct Residues {
        cells: usize,
        largest: Cell<u64>,
    }

    impl Residues {
        const PRIME: u64 = (1 << 61) - 1;

        fn new(cells: usize) -> Residues {
            Residues { cells, largest: Cell::new(0) }
        }

        fn element(&self, value: u64) -> Cells {
            let mut element = vec![0; self.cells];
            (element[0], element[self.cells - 1]) = (value, value);
            element.into()
        }
    }

    impl Monoid for Residues {
        fn one(&self) -> Cells {
            self.element(0)
        }

        fn scratch(&self) -> Temporary {
            Temporary::new(0)
        }

        fn mul(&self, z: &mut [u64], x: &[u64], y: &[u64], _scratch: &mut [u64]) {
            z.copy_from_slice(&self.element((x[0] + y[0]) % Self::PRIME));
        }

        fn square(&self, z: &mut [u64], x: &[u64], scratch: &mut [u64]) {
            self.mul(z, x, x, scratch);
        }

        fn select(&self, z: &mut [u64], table: &[u64], index: u64) {
            self.largest.set(self.largest.get().max(index));
            crate::monoid::select(z, table, index);
        }
    }

    /// An exponent that has every number of 8 bits in some window, and e mod the prime.
    fn long_exponent(words: usize) -> (Vec<u64>, u64) {
        let e: Vec<u64> =
            (0..words as u64).map(|i| (i + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ i << 40).collect();
        let modulo = |rest: u128, &word: &u64| (rest << 64 | u128::from(word)) % u128::from(Residues::PRIME);
        let e_modulo = e.iter().rev().fold(0, modulo) as u64;
        (e, e_modulo)
    }

    #[test]
    fn windows_of_every_width_select_up_to_the_last_entry() {
        let mut widths = Vec::new();
        for (cells, words) in
            [(1, 1), (1, 40), (4, 20), (16, 64), (32, 128), (64, 256), (256, 512), (512, 1024)]
        {
            let (e, e_modulo) = long_exponent(words);
            let monoid = Residues::new(cells);
            let width = width_in_constant_time(64 * words, cells, 8);
            let (x, y) = (monoid.element(1), monoid.element(3));
            assert_eq!(fixed_window(&monoid, &x, &e, 64 * words), monoid.element(e_modulo), "width {width}");
            assert_eq!(monoid.largest.get(), (1 << width) - 1, "width {width}");
            // x·y³ to the e: the windows of two terms.
            let product = product_of_powers(&monoid, &[(&x, &e), (&y, &e)], 64 * words);
            let four_times = (u128::from(e_modulo) * 4 % u128::from(Residues::PRIME)) as u64;
            assert_eq!(product, monoid.element(four_times), "width {width}");
            assert_eq!(product_of_powers_vartime(&monoid, &[(&x, &e), (&y, &e)]), product, "width {width}");
            assert_eq!(sliding_window_vartime(&monoid, &x, &e), monoid.element(e_modulo));
            widths.push(width);
        }
        assert!((2..=8).filter(|&width| width > 2).all(|width| widths.contains(&width)), "{widths:?}");
    }

    #[test]
    fn tables_of_a_fixed_base_are_selected_up_to_the_last_entry() {
        for (cells, entries) in [(1, 8), (16, 64), (64, 64)] {
            for words in [16, 60] {
                let (e, e_modulo) = long_exponent(words);
                let monoid = Residues::new(cells);
                let table = FixedBaseTable::new(&monoid, &monoid.element(1), 64 * words);
                assert_eq!(table.pow(&monoid, &e), monoid.element(e_modulo), "{entries} entries");
                assert_eq!(monoid.largest.get(), entries - 1);
            }
        }
    }

    #[test]
    fn short_public_exponents_take_a_product_for_each_bit_and_no_table() {
        for (e, products) in [(1, 0), (2, 1), (3, 2), (4, 2), (17, 5), (257, 9), (65537, 17)] {
            let monoid = Exponents { products: Cell::new(0) };
            assert_eq!(*sliding_window_vartime(&monoid, &[1], &[e]), [e]);
            assert_eq!(monoid.products.get(), products, "{e}");
        }
    }

    #[test]
    fn a_long_exponent_takes_few_products_beside_its_squares() {
        // All ones have the most windows.
        for words in [8, 16, 32] {
            let e = &[u64::MAX; 32][..words];
            let monoid = Exponents { products: Cell::new(0) };
            // All bits of an exponent modulo 2^64 are 1.
            assert_eq!(*sliding_window_vartime(&monoid, &[1], e), [u64::MAX]);
            assert!(monoid.products.get() <= 64 * words * 5 / 4, "{words} words: {}", monoid.products.get());
        }
    }

    #[cfg(feature = "cancellation")]
    #[test]
    fn a_cancelled_power_ends_with_the_products_of_its_window() {
        let e = [u64::MAX; 100];
        let table = FixedBaseTable::new(&Exponents { products: Cell::new(0) }, &[1], 6400);
        // The powers, the product at which each is cancelled, and the most products of a window. A table of a fixed window
        // takes 6 products for each term, so the last ones are in the windows.
        let powers: [(CancelledPower, usize, usize); 6] = [
            (&|monoid| binary_vartime(monoid, &[1], &e), 5, 2),
            (&|monoid| product_of_powers_vartime(monoid, &[(&[1], &e)]), 5, 2),
            (&|monoid| table.pow(monoid, &e), 5, 2),
            (&|monoid| fixed_window(monoid, &[1], &e, 6400), 5, 2),
            (&|monoid| fixed_window(monoid, &[1], &e, 6400), 300, 4),
            (&|monoid| product_of_powers(monoid, &[(&[1], &e), (&[1], &e)], 6400), 300, 5),
        ];
        for (power, at_product, of_window) in powers {
            let cancellation = crate::cancellation::Cancellation::default();
            let monoid = Cancelled {
                exponents: Exponents { products: Cell::new(0) },
                at_product,
                cancellation: cancellation.clone(),
            };
            assert_eq!(cancellation.run(|| power(&monoid)), None);
            let products = monoid.exponents.products.get();
            assert!(products < at_product + of_window, "{products} products, cancelled at {at_product}");
        }
    }

    #[test]
    fn a_table_of_a_fixed_base_saves_most_squares() {
        let monoid = Exponents { products: Cell::new(0) };
        let table = FixedBaseTable::new(&monoid, &[1], 60);
        monoid.products.set(0);
        for e in [0, 1, 0x0fff_ffff_ffff_ffff, 0x0123_4567_89ab_cdef] {
            assert_eq!(*table.pow(&monoid, &[e]), [e]);
        }
        // 3 bits a block: a square and eight products for each.
        assert_eq!(monoid.products.get(), 4 * 3 * 9);
    }
}
