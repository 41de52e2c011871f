//! Products and inverses of bytes by GFNI: in the field of AES, where the field is isomorphic to it or to a part of it.
//! The inverses in GF(2^16) are those of `tower.rs`.
//!
//! In other fields of degree below 8 the coefficients are taken one by one, in code for the same vectors.

use super::clmul;
use super::engine::{ArrayEngine, ArrayWord, Constants, Functions};
use super::{shift_and_add, tower};
use crate::arch::x86_64::avx512::Avx512;
use crate::arch::x86_64::gfni::{Gfni, matrix};
use crate::arch::{InstructionSet, Task};

/// The engine: bytes by GFNI, longer words by carry-less products.
pub(super) const fn engine(name: &'static str) -> ArrayEngine {
    let others = clmul::engine::<Avx512>(name);
    ArrayEngine {
        required_instructions: "GFNI, AVX-512BW, VPCLMULQDQ and AVX-512F",
        is_available: || Gfni::detect().is_some() && Avx512::detect().is_some(),
        u8: Functions { multiply, add_matrix_product: others.u8.add_matrix_product, invert },
        u16: Functions { invert: invert_in_tower, ..others.u16 },
        ..others
    }
}

/// zᵢ = xᵢ·yᵢ.
fn multiply(c: &Constants, z: &mut [u8], x: &[u8], y: &[u8]) {
    struct Products<'a>(&'a Constants, &'a mut [u8], &'a [u8], &'a [u8]);
    impl Task<Gfni> for Products<'_> {
        type Output = ();
        #[inline(always)]
        fn run(self, isa: Gfni) {
            let Products(c, z, x, y) = self;
            match c.isomorphism {
                Some(isomorphism) => products(isa, isomorphism, z, x, y),
                None => shift_and_add::multiply(c, z, x, y),
            }
        }
    }
    Gfni::in_use().run(Products(c, z, x, y));
}

#[inline(always)]
fn products(isa: Gfni, Isomorphism { to, from }: Isomorphism, z: &mut [u8], x: &[u8], y: &[u8]) {
    for ((z, x), y) in z.chunks_mut(Gfni::BYTES).zip(x.chunks(Gfni::BYTES)).zip(y.chunks(Gfni::BYTES)) {
        match (<&mut [u8; Gfni::BYTES]>::try_from(&mut *z), x.try_into(), y.try_into()) {
            (Ok(z), Ok(x), Ok(y)) => *z = isa.products(to, from, x, y),
            _ => z.copy_from_slice(&isa.products(to, from, &padded(x), &padded(y))[..z.len()]),
        }
    }
}

/// xᵢ ← xᵢ⁻¹, if the field has an isomorphism.
fn invert(c: &Constants, x: &mut [u8]) -> bool {
    struct Inverses<'a>(Isomorphism, &'a mut [u8]);
    impl Task<Gfni> for Inverses<'_> {
        type Output = ();
        #[inline(always)]
        fn run(self, isa: Gfni) {
            let Inverses(Isomorphism { to, from }, x) = self;
            for x in x.chunks_mut(Gfni::BYTES) {
                match <&mut [u8; Gfni::BYTES]>::try_from(&mut *x) {
                    Ok(x) => *x = isa.inverses(to, from, x),
                    Err(_) => x.copy_from_slice(&isa.inverses(to, from, &padded(x))[..x.len()]),
                }
            }
        }
    }
    let Some(isomorphism) = c.isomorphism else { return false };
    Gfni::in_use().run(Inverses(isomorphism, x));
    true
}

/// xᵢ ← xᵢ⁻¹, if the degree is 16.
fn invert_in_tower(c: &Constants, x: &mut [u16]) -> bool {
    let Some(tower) = &c.tower else { return false };
    tower::invert(tower, x);
    true
}

/// The words, then zeros.
pub(super) fn padded<W: ArrayWord>(words: &[W]) -> [W; Gfni::BYTES] {
    let mut all = [W::ZERO; Gfni::BYTES];
    all[..words.len()].copy_from_slice(words);
    all
}

/// An isomorphism of GF(2^k), for k = 1, 2, 4 or 8, to a part of the field of AES: the matrices of it and of a linear map
/// that undoes it. The row of bit i is byte 7 − i.
#[derive(Clone, Copy)]
pub(super) struct Isomorphism {
    to: u64,
    from: u64,
}

impl Isomorphism {
    /// The isomorphism that takes x to a root of x^k + f, unless the field of AES has none.
    pub(super) fn new(degree: usize, f: u64) -> Option<Isomorphism> {
        if degree > 8 || 8 % degree != 0 {
            return None;
        }
        let powers_of = |r: u8| core::iter::successors(Some(1), move |&power| Some(aes_product(power, r)));
        let is_root = |&r: &u8| {
            let terms = powers_of(r).take(degree + 1).enumerate();
            terms.filter(|&(i, _)| i == degree || f >> i & 1 == 1).fold(0, |sum, (_, power)| sum ^ power) == 0
        };
        let root = (0..=u8::MAX).find(is_root)?;
        let (mut columns, mut from) = ([0; 8], 0);
        for (j, power) in powers_of(root).take(degree).enumerate() {
            columns[j] = power;
            // The row of bit j finds the coefficient of rʲ.
            let finds = |row: &u8| {
                powers_of(root)
                    .take(degree)
                    .enumerate()
                    .all(|(i, power)| (row & power).count_ones() % 2 == (i == j).into())
            };
            from |= u64::from((0..=u8::MAX).find(finds)?) << (8 * (7 - j));
        }
        Some(Isomorphism { to: matrix(columns), from })
    }
}

/// The product modulo x⁸ + x⁴ + x³ + x + 1.
fn aes_product(x: u8, y: u8) -> u8 {
    (0..8).rev().fold(0, |z: u8, i| (z << 1) ^ (0x1b * (z >> 7)) ^ (x * (y >> i & 1)))
}
