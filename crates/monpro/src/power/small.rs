//! Proofs for all inputs at small widths: every way to scan an exponent adds up to the exponent.
//!
//! The elements are integers under addition, so a power of x is the exponent times x, and a product of powers is a sum.

use super::window::{SlidingWindows, Windowed, fixed_windows, multiply_windows};
use super::{FixedBaseTable, Method, product_of_powers, product_of_powers_vartime};
use crate::monoid::{Cells, Monoid, Temporary};
use crate::natural;
use alloc::vec;

/// The bits of the exponents, of which all are tried.
const BITS: usize = 16;
const WIDEST: u32 = 6;

/// The integers under addition, in elements of so many cells, of which only the first is used.
pub(super) struct Sums(pub(super) usize);

impl Monoid for Sums {
    fn one(&self) -> Cells {
        vec![0; self.0].into()
    }

    fn scratch(&self) -> Temporary {
        Temporary::new(0)
    }

    fn mul(&self, z: &mut [u64], x: &[u64], y: &[u64], _scratch: &mut [u64]) {
        z[0] = x[0].wrapping_add(y[0]);
    }

    fn square(&self, z: &mut [u64], x: &[u64], scratch: &mut [u64]) {
        self.mul(z, x, x, scratch);
    }
}

/// A running sum.
struct Sum(u64);

impl Windowed<u64> for Sum {
    fn begin(&mut self, factor: u64) {
        self.0 = factor;
    }

    fn append(&mut self, squares: usize, factor: u64) {
        self.0 = (self.0 << squares) + factor;
    }

    fn square(&mut self, times: usize) {
        self.0 <<= times;
    }
}

fn element(cells: usize, value: u64) -> Cells {
    let mut element = vec![0; cells];
    element[0] = value;
    element.into()
}

#[test]
fn windows_of_every_width_add_up_to_every_exponent() {
    for width in 1..=WIDEST {
        for e_bits in 0..=BITS {
            for e in 0..1u64 << e_bits {
                let mut power = Sum(0);
                let window = |(position, bits)| {
                    assert!(bits >= 1 && bits <= width && position + bits as usize <= e_bits);
                    (position, natural::bits_at(&[e], position, bits))
                };
                multiply_windows(&mut power, fixed_windows(e_bits, width).map(window));
                assert_eq!(power.0, e, "fixed windows of {width} bits over {e_bits}");
            }
        }
        for e in 0..1u64 << BITS {
            let mut power = Sum(0);
            let words = [e];
            let windows = SlidingWindows::new(&words[..], width);
            let odd = |(position, index): (usize, usize)| {
                assert!(index < 1 << (width - 1), "the table has no such power");
                (position, 2 * index as u64 + 1)
            };
            multiply_windows(&mut power, windows.map(odd));
            assert_eq!(power.0, e, "sliding windows of {width} bits");
        }
    }
}

#[test]
fn every_method_raises_to_every_exponent() {
    let x = 3;
    for e in 0..1 << BITS {
        for method in [Method::BinaryVartime, Method::FixedWindow, Method::SlidingWindowVartime] {
            assert_eq!(method.pow(&Sums(1), &[x], &[e], BITS)[0], x * e, "{method:?}");
        }
    }
}

#[test]
fn a_table_of_a_fixed_base_raises_to_every_exponent() {
    // Elements of 1, 4 and 16 cells have tables of 3, 4 and 6 rows; blocks of 1 and of 3 bits.
    for (cells, e_bits) in [(1, BITS), (4, BITS), (16, BITS), (1, 60), (4, 60), (16, 60)] {
        let monoid = Sums(cells);
        let table = FixedBaseTable::new(&monoid, &element(cells, 5), e_bits);
        for place in (0..=e_bits - BITS).step_by(22) {
            for e in 0..1u64 << BITS {
                let e = e << place;
                assert_eq!(table.pow(&monoid, &[e])[0], e.wrapping_mul(5), "{cells} cells, {e_bits} bits");
            }
        }
    }
}

#[test]
fn products_of_powers_add_up_to_every_pair_and_triple_of_exponents() {
    // Bases so far apart that the sum shows each exponent.
    let bases = [1u64, 1 << 20, 1 << 40];
    for (terms, bits) in [(1, 10), (2, 6), (3, 4)] {
        for all in 0..1u64 << (terms * bits) {
            let exponents: [u64; 3] = core::array::from_fn(|i| all >> (i * bits) & ((1 << bits) - 1));
            let expected: u64 = (0..terms).map(|i| exponents[i] * bases[i]).sum();
            let list: [(&[u64], &[u64]); 3] = core::array::from_fn(|i| (&bases[i..=i], &exponents[i..=i]));
            for cells in [1, 8] {
                let bases = bases.map(|base| element(cells, base));
                let list: [(&[u64], &[u64]); 3] = core::array::from_fn(|i| (&bases[i][..], list[i].1));
                let (monoid, list) = (Sums(cells), &list[..terms]);
                assert_eq!(product_of_powers(&monoid, list, bits)[0], expected);
                assert_eq!(product_of_powers_vartime(&monoid, list)[0], expected);
            }
        }
    }
}
