//! A method on lanes as a row of the table of kernels.

use super::super::contract::{AlmostInverse, Arithmetic, Constants, Kernel, Requirement};
use super::method::{Method, whole_digits};
use super::selection::Selection;
use super::{Lanes, division_steps};
use crate::arch::Task;
use crate::ring::{BinaryPolynomials, RingName};
use core::marker::PhantomData;

/// The kernel of this name: method M on the lanes I.
pub(in super::super) const fn kernel<M: Method<I>, I: Lanes>(name: &'static str) -> Kernel {
    Kernel {
        name,
        paper: "koc97",
        ring: RingName::BinaryPolynomials,
        radix_bits: 64,
        requires: Requirement::of::<I>(),
        takes: M::TAKES,
        supports: M::supports,
        words_for: |n_bits| (n_bits - 1).div_ceil(64).max(1),
        cells: whole_digits::<I>,
        divisor: M::DIVISOR,
        derive: M::derive,
        temporary_cells: M::temporary_words,
        product: product::<M, I>,
        square: square::<M, I>,
        select: select::<I>,
        power_steps: |_| None,
        almost_inverse: Some(AlmostInverse {
            compute: almost_inverse::<M, I>,
            temporary_cells: division_steps::temporary_words::<M, I>,
        }),
        arithmetic: Arithmetic::of::<BinaryPolynomials<u64>>(),
    }
}

fn product<M: Method<I>, I: Lanes>(
    z: &mut [u64],
    a: &[u64],
    b: &[u64],
    constants: &Constants,
    t: &mut [u64],
) {
    I::in_use().run(Product::<M> { z, a, b, constants, t, method: PhantomData });
}

fn square<M: Method<I>, I: Lanes>(z: &mut [u64], a: &[u64], constants: &Constants, t: &mut [u64]) {
    I::in_use().run(Square::<M> { z, a, constants, t, method: PhantomData });
}

fn almost_inverse<M: Method<I>, I: Lanes>(z: &mut [u64], a: &[u64], constants: &Constants, t: &mut [u64]) {
    I::in_use().run(AlmostInversion::<M> { z, a, constants, t, method: PhantomData });
}

fn select<I: Lanes>(entry: &mut [u64], table: &[u64], index: u64) {
    I::in_use().run(Selection { entry, table, index });
}

struct Product<'a, M> {
    z: &'a mut [u64],
    a: &'a [u64],
    b: &'a [u64],
    constants: &'a Constants<'a>,
    t: &'a mut [u64],
    method: PhantomData<M>,
}

impl<I: Lanes, M: Method<I>> Task<I> for Product<'_, M> {
    type Output = ();

    #[inline(always)]
    fn run(self, lanes: I) {
        M::product(lanes, self.z, self.a, self.b, self.constants, self.t);
    }
}

struct Square<'a, M> {
    z: &'a mut [u64],
    a: &'a [u64],
    constants: &'a Constants<'a>,
    t: &'a mut [u64],
    method: PhantomData<M>,
}

impl<I: Lanes, M: Method<I>> Task<I> for Square<'_, M> {
    type Output = ();

    #[inline(always)]
    fn run(self, lanes: I) {
        M::square(lanes, self.z, self.a, self.constants, self.t);
    }
}

struct AlmostInversion<'a, M> {
    z: &'a mut [u64],
    a: &'a [u64],
    constants: &'a Constants<'a>,
    t: &'a mut [u64],
    method: PhantomData<M>,
}

impl<I: Lanes, M: Method<I>> Task<I> for AlmostInversion<'_, M> {
    type Output = ();

    #[inline(always)]
    fn run(self, lanes: I) {
        division_steps::almost_inverse::<M, I>(lanes, self.z, self.a, self.constants, self.t);
    }
}
