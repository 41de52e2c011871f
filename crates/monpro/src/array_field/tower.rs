//! Inverses in GF(2^16) as a field of degree 2 over the field of AES, whose products and inverses GFNI has.
//!
//! Let Y be the root x of the field's polynomial, and α a root of the polynomial of AES, which generates the field S of
//! 2^8 elements. Then each element is x₀ + x₁·Y with x₀ and x₁ in S: Y is not in S, because its degree is 16. Over S, the
//! conjugate of x is x^256 = u + x₁·Y with u = x₀ + T·x₁, where T = Y + Y^256. The norm x·x^256 = x₀·u + N·x₁² is in S,
//! where N = Y^257. So x⁻¹ = (u + x₁·Y)/(x₀·u + N·x₁²). Every map here except the three products and the inverse in S is
//! linear over GF(2), so it is a matrix of bits.

use super::gfni::padded;
use crate::arch::x86_64::gfni::{Gfni, Tower, matrix};
use crate::arch::{InstructionSet, Task};

/// The tower for x^16 + f; none for another degree.
pub(super) fn tower(degree: usize, f: u64) -> Option<Tower> {
    if degree != 16 {
        return None;
    }
    let f = f as u16;
    let product = |x, y| product(f, x, y);
    let conjugate = |x| (0..8).fold(x, |x, _| product(x, x));
    let is_root = |&a: &u16| {
        // x⁸ + x⁴ + x³ + x + 1, by Horner's rule.
        [1, 0, 0, 0, 1, 1, 0, 1, 1].iter().fold(0, |sum, term| product(sum, a) ^ term) == 0
    };
    // All of S are norms, and 8 of its elements are roots.
    let alpha = (1..=u16::MAX).map(|x| product(x, conjugate(x))).find(is_root)?;
    let y = 2;
    let mut basis = [1; 16];
    for i in 0..8 {
        basis[i] = if i == 0 { 1 } else { product(basis[i - 1], alpha) };
        basis[i + 8] = product(basis[i], y);
    }
    let units = coordinates_of_units(basis);
    let coordinates = |x: u16| (0..16).filter(|j| x >> j & 1 == 1).fold(0, |sum, j| sum ^ units[j as usize]);
    let of_bytes =
        |map: &dyn Fn(u16) -> u8| [0, 8].map(|first| matrix(core::array::from_fn(|j| map(1 << (first + j)))));
    let norm = product(y, conjugate(y));
    Some(Tower {
        x0: of_bytes(&|x| coordinates(x) as u8),
        x1: of_bytes(&|x| (coordinates(x) >> 8) as u8),
        u: of_bytes(&|x| coordinates(conjugate(x)) as u8),
        norm_of_x1: matrix(core::array::from_fn(|i| {
            coordinates(product(norm, product(basis[i], basis[i]))) as u8
        })),
        low: [0, 8].map(|first| matrix(core::array::from_fn(|i| basis[first + i] as u8))),
        high: [0, 8].map(|first| matrix(core::array::from_fn(|i| (basis[first + i] >> 8) as u8))),
    })
}

/// xᵢ ← xᵢ⁻¹ for elements that are not 0.
pub(super) fn invert(tower: &Tower, x: &mut [u16]) {
    struct Inverses<'a>(&'a Tower, &'a mut [u16]);
    impl Task<Gfni> for Inverses<'_> {
        type Output = ();
        #[inline(always)]
        fn run(self, isa: Gfni) {
            let Inverses(tower, x) = self;
            for x in x.chunks_mut(Gfni::BYTES) {
                match <&mut [u16; Gfni::BYTES]>::try_from(&mut *x) {
                    Ok(x) => *x = isa.inverses_in_tower(tower, x),
                    Err(_) => x.copy_from_slice(&isa.inverses_in_tower(tower, &padded(x))[..x.len()]),
                }
            }
        }
    }
    Gfni::in_use().run(Inverses(tower, x));
}

/// The coordinates of 1, x, …, x^15 in this basis of GF(2^16), by Gauss's elimination. Bit i belongs to element i.
fn coordinates_of_units(basis: [u16; 16]) -> [u16; 16] {
    let mut rows: [(u16, u16); 16] = core::array::from_fn(|i| (basis[i], 1 << i));
    for bit in 0..16 {
        // The elements are independent, so one of those left has the bit.
        let pivot = (bit..16).find(|&row| rows[row].0 >> bit & 1 == 1).unwrap_or(bit);
        rows.swap(bit, pivot);
        let (element, coordinates) = rows[bit];
        for (_, row) in rows.iter_mut().enumerate().filter(|(i, row)| *i != bit && row.0 >> bit & 1 == 1) {
            *row = (row.0 ^ element, row.1 ^ coordinates);
        }
    }
    rows.map(|(_, coordinates)| coordinates)
}

/// The product modulo x^16 + f.
fn product(f: u16, x: u16, y: u16) -> u16 {
    (0..16).rev().fold(0, |z: u16, i| (z << 1) ^ (f * (z >> 15)) ^ (x * (y >> i & 1)))
}
