//! Scanning methods over GF(2)\[x\] compiled for x86-64: words are multiplied by PCLMULQDQ, an instruction that
//! \[koc97, §6\] could only predict, or loops over words run on the vectors of AVX2, or both.

use super::contract::{Constants, Kernel, Requirement};
use super::scanning::{self, ScanningMethod};
use crate::arch::InstructionSet;
use crate::arch::x86_64::pclmulqdq::{CompilesProducts, Pclmulqdq, PclmulqdqAvx2, Products, ProductsByWords};
use crate::ring::BinaryPolynomials;
use crate::ring::mulgf2::Mulgf2;
use crate::word::Word;
use core::marker::PhantomData;

/// The kernel of a scanning method over GF(2)\[x\] with words W, multiplied by PCLMULQDQ.
pub(super) const fn scanning_by_instruction<M: ScanningMethod, W: Word>(name: &'static str) -> Kernel {
    by_instruction::<M, W, Pclmulqdq>(name)
}

/// The same, for a compiler that may use AVX2.
pub(super) const fn on_vectors_by_instruction<M: ScanningMethod, W: Word>(name: &'static str) -> Kernel {
    by_instruction::<M, W, PclmulqdqAvx2>(name)
}

const fn by_instruction<M: ScanningMethod, W: Word, I: CompilesProducts>(name: &'static str) -> Kernel {
    Kernel {
        requires: Requirement::of::<I>(),
        product: |z, x, y, c, t| I::in_use().product_by_instruction::<AnyWay<M>, W, _>(z, x, y, c, t),
        square: |z, x, c, t| I::in_use().square_by_instruction::<AnyWay<M>, W, _>(z, x, c, t),
        ..scanning::kernel::<M, BinaryPolynomials<W>>(name)
    }
}

/// The kernel of a scanning method over GF(2)\[x\] with words W, multiplied by F, for a compiler that may use AVX2.
pub(super) const fn on_vectors<M: ScanningMethod, W: Word, F: Mulgf2<W>>(name: &'static str) -> Kernel {
    Kernel {
        requires: Requirement::of::<PclmulqdqAvx2>(),
        product: |z, x, y, c, t| PclmulqdqAvx2::in_use().product::<Scanned<M, W, F>, _>(z, x, y, c, t),
        square: |z, x, c, t| PclmulqdqAvx2::in_use().square::<Scanned<M, W, F>, _>(z, x, c, t),
        ..scanning::kernel::<M, BinaryPolynomials<W>>(name)
    }
}

/// The products of method M, for any way to multiply two words.
struct AnyWay<M>(PhantomData<M>);

impl<M: ScanningMethod, W: Word> ProductsByWords<W, Constants<'_>> for AnyWay<M> {
    type By<F: Mulgf2<W>> = Scanned<M, W, F>;
}

/// The products of method M in words W, multiplied by F.
struct Scanned<M, W, F>(PhantomData<(M, W, F)>);

impl<M: ScanningMethod, W: Word, F: Mulgf2<W>> Products<Constants<'_>> for Scanned<M, W, F> {
    #[inline(always)]
    fn product(z: &mut [u64], x: &[u64], y: &[u64], constants: &Constants, t: &mut [u64]) {
        scanning::product::<M, BinaryPolynomials<W, F>>(z, x, y, constants, t);
    }

    #[inline(always)]
    fn square(z: &mut [u64], x: &[u64], constants: &Constants, t: &mut [u64]) {
        scanning::square::<M, BinaryPolynomials<W, F>>(z, x, constants, t);
    }
}
