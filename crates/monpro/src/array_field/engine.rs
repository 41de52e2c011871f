//! What an engine for arrays is, and the table of the engines.

#[cfg(target_arch = "x86_64")]
use super::clmul;
#[cfg(all(target_arch = "x86_64", vpclmulqdq_intrinsics))]
use super::gfni;
use super::shift_and_add;
#[cfg(all(target_arch = "x86_64", vpclmulqdq_intrinsics))]
use super::tower;
#[cfg(target_arch = "x86_64")]
use crate::arch::x86_64::pclmulqdq::PclmulqdqAvx;
#[cfg(all(target_arch = "x86_64", vpclmulqdq_intrinsics))]
use crate::arch::x86_64::{avx2::Avx2, avx512::Avx512, gfni::Tower};
use crate::word::Word;
use core::fmt;

/// Every engine for arrays, the fastest first; the last one is available everywhere. Tests walk this table.
pub static ARRAY_ENGINES: &[ArrayEngine] = &[
    #[cfg(all(target_arch = "x86_64", vpclmulqdq_intrinsics))]
    gfni::engine("gfni-avx512"),
    #[cfg(all(target_arch = "x86_64", vpclmulqdq_intrinsics))]
    clmul::engine::<Avx512>("vpclmulqdq-avx512"),
    #[cfg(all(target_arch = "x86_64", vpclmulqdq_intrinsics))]
    clmul::engine::<Avx2>("vpclmulqdq-avx2"),
    #[cfg(target_arch = "x86_64")]
    clmul::engine::<PclmulqdqAvx>("pclmulqdq"),
    shift_and_add::ENGINE,
];

/// One way to compute with arrays of elements of GF(2^k), k ≤ 64.
pub struct ArrayEngine {
    /// Its name.
    pub name: &'static str,
    /// The instructions that it needs; empty for the portable engine.
    pub required_instructions: &'static str,
    pub(super) is_available: fn() -> bool,
    pub(super) u8: Functions<u8>,
    pub(super) u16: Functions<u16>,
    pub(super) u32: Functions<u32>,
    pub(super) u64: Functions<u64>,
}

impl ArrayEngine {
    /// Whether this CPU has the instructions.
    #[must_use]
    pub fn is_available(&self) -> bool {
        (self.is_available)()
    }
}

impl fmt::Debug for ArrayEngine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ArrayEngine").field("name", &self.name).finish_non_exhaustive()
    }
}

/// The functions of an engine for elements in words W. All elements are below 2^k ≤ 2^W::BITS.
pub struct Functions<W> {
    /// zᵢ = xᵢ·yᵢ for slices of equal lengths.
    pub(super) multiply: fn(&Constants, z: &mut [W], x: &[W], y: &[W]),
    /// z ← z + a·b for matrices of this shape.
    pub(super) add_matrix_product: fn(&Constants, Shape, z: &mut [W], a: &[W], b: &[W]),
    /// xᵢ ← xᵢ⁻¹ for elements that are not 0, if the engine has instructions for it in this field; whether it has.
    pub(super) invert: fn(&Constants, x: &mut [W]) -> bool,
}

/// What an engine without instructions for inverses does.
pub(super) fn has_no_inverses<W>(_: &Constants, _: &mut [W]) -> bool {
    false
}

/// A word that holds an element: u8, u16, u32 or u64.
pub trait ArrayWord: Word + Send + Sync + sealed::Sealed {
    #[doc(hidden)]
    fn functions(engine: &ArrayEngine) -> &Functions<Self>;
}

mod sealed {
    /// Only this crate implements [`ArrayWord`](super::ArrayWord).
    pub trait Sealed {}
}

macro_rules! array_words {
    ($($word:ident),*) => {$(
        impl sealed::Sealed for $word {}
        impl ArrayWord for $word {
            fn functions(engine: &ArrayEngine) -> &Functions<Self> {
                &engine.$word
            }
        }
    )*};
}
array_words!(u8, u16, u32, u64);

/// The shape of a matrix product: the first factor has `rows` × `inner` elements, the second `inner` × `columns`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// The rows of the first factor and of the product.
    pub rows: usize,
    /// The columns of the first factor, which are the rows of the second.
    pub inner: usize,
    /// The columns of the second factor and of the product.
    pub columns: usize,
}

/// What all engines know of the field.
#[derive(Clone, Copy)]
pub(super) struct Constants {
    /// k, 1 ≤ k ≤ 64.
    pub(super) degree: usize,
    /// f − x^k.
    pub(super) f: u64,
    /// ⌊x^(2k)/f⌋ − x^k.
    #[cfg(target_arch = "x86_64")]
    pub(super) quotient: u64,
    #[cfg(all(target_arch = "x86_64", vpclmulqdq_intrinsics))]
    pub(super) isomorphism: Option<gfni::Isomorphism>,
    #[cfg(all(target_arch = "x86_64", vpclmulqdq_intrinsics))]
    pub(super) tower: Option<Tower>,
}

impl Constants {
    /// The constants of f, of degree k, whose word 0 is given.
    pub(super) fn new(f_word: u64, degree: usize) -> Constants {
        let mask = u64::MAX >> (64 - degree);
        let f = f_word & mask;
        Constants {
            degree,
            f,
            #[cfg(target_arch = "x86_64")]
            quotient: quotient(f, degree),
            #[cfg(all(target_arch = "x86_64", vpclmulqdq_intrinsics))]
            isomorphism: gfni::Isomorphism::new(degree, f),
            #[cfg(all(target_arch = "x86_64", vpclmulqdq_intrinsics))]
            tower: tower::tower(degree, f),
        }
    }
}

/// ⌊x^(2k)/(x^k + f)⌋ − x^k, by a division that finds one coefficient at a time.
#[cfg(target_arch = "x86_64")]
fn quotient(f: u64, degree: usize) -> u64 {
    // After the leading term x^k of the quotient, the remainder is f·x^k, of which the upper k coefficients are kept.
    let mask = u64::MAX >> (64 - degree);
    let (mut quotient, mut remainder) = (0, f);
    for i in (0..degree).rev() {
        let coefficient = remainder >> (degree - 1) & 1;
        quotient |= coefficient << i;
        remainder = (remainder << 1 & mask) ^ (f & coefficient.wrapping_neg());
    }
    quotient
}

#[cfg(test)]
mod tests {
    use super::super::ArrayField;
    use super::*;
    use crate::binary_field::BinaryField;

    #[test]
    fn every_engine_adds_a_matrix_product_to_what_is_there() {
        // In the field of AES, 0x53·0xca = 1.
        let constants = Constants::new(0x11b, 8);
        let shape = Shape { rows: 1, inner: 1, columns: 3 };
        for engine in ARRAY_ENGINES.iter().filter(|engine| engine.is_available()) {
            let (mut bytes, mut words) = ([0, 1, 0x57], [0, 1, 0x57]);
            (engine.u8.add_matrix_product)(&constants, shape, &mut bytes, &[0x53], &[0xca; 3]);
            (engine.u64.add_matrix_product)(&constants, shape, &mut words, &[0x53], &[0xca; 3]);
            assert_eq!((bytes, words), ([1, 0, 0x56], [1, 0, 0x56]), "{}", engine.name);
        }
    }

    #[test]
    fn every_engine_requires_the_instructions_of_its_name() {
        let (portable, others) = ARRAY_ENGINES.split_last().expect("there is an engine for every CPU");
        assert_eq!((portable.name, portable.required_instructions), (shift_and_add::ENGINE.name, ""));
        for engine in others {
            let required = engine.required_instructions.replace('-', "").to_lowercase();
            assert!(
                engine.name.split('-').all(|name| required.contains(name)),
                "{}: {required}",
                engine.name
            );
        }
    }

    #[test]
    #[should_panic(expected = "engine of no CPU is not available on this CPU")]
    fn an_engine_that_the_cpu_lacks_is_refused() {
        static LACKING: ArrayEngine =
            ArrayEngine { name: "of no CPU", is_available: || false, ..shift_and_add::ENGINE };
        let field = BinaryField::from_exponents(&[8, 4, 3, 1, 0]).unwrap();
        let _ = ArrayField::with_engine(&LACKING, &field);
    }
}
