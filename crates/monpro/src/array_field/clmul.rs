//! Products by carry-less multiplication of words, in vectors of 128-bit lanes.
//!
//! A product t of two elements is reduced by the exact quotient q = ⌊t/f⌋ (Barrett's method, which needs no correction
//! over GF(2)). With h = ⌊t/x^k⌋ and ⌊x^(2k)/f⌋ = x^k + m, q = h + ⌊h·m/x^k⌋, and t mod f is the sum of t and
//! q·(f − x^k) below x^k. One factor of each product is kept times x^s, s = 64 − k. Division by x^k is then the upper
//! word of a lane, and the remainder is in its lower word, times x^s.

use super::engine::{ArrayEngine, ArrayWord, Constants, Functions, Shape, has_no_inverses};
use super::shift_and_add;
use crate::arch::lanes::Lanes;
use crate::arch::{InstructionSet, Task};
use crate::cancellation::checkpoint;
use alloc::vec;
use alloc::vec::Vec;
use core::marker::PhantomData;

/// The engine on the instruction set I.
pub(super) const fn engine<I: Lanes>(name: &'static str) -> ArrayEngine {
    ArrayEngine {
        name,
        required_instructions: I::INSTRUCTIONS,
        is_available: || I::detect().is_some(),
        u8: Functions {
            multiply: multiply_by_shifts::<I, u8>,
            add_matrix_product: add_matrix_product::<I, u8>,
            invert: has_no_inverses,
        },
        u16: functions::<I, u16>(),
        u32: functions::<I, u32>(),
        u64: functions::<I, u64>(),
    }
}

const fn functions<I: Lanes, W: ArrayWord>() -> Functions<W> {
    Functions {
        multiply: multiply::<I, W>,
        add_matrix_product: add_matrix_product::<I, W>,
        invert: has_no_inverses,
    }
}

/// The words of a block of elements, each element in a word.
const BLOCK: usize = 64;
/// The rows of a block of the first matrix, whose sums fill the registers.
const ROWS: usize = 4;
/// The terms of a sum of products before it is reduced. As many digits of the second matrix fit the fastest cache.
const TERMS: usize = 512;

/// zᵢ = xᵢ·yᵢ in u8, of which so many fit a vector that shifts are faster than carry-less products.
fn multiply_by_shifts<I: Lanes, W: ArrayWord>(c: &Constants, z: &mut [W], x: &[W], y: &[W]) {
    struct Shifts<'a, W>(&'a Constants, &'a mut [W], &'a [W], &'a [W]);
    impl<I: InstructionSet, W: ArrayWord> Task<I> for Shifts<'_, W> {
        type Output = ();
        #[inline(always)]
        fn run(self, _: I) {
            shift_and_add::multiply(self.0, self.1, self.2, self.3);
        }
    }
    I::in_use().run(Shifts(c, z, x, y));
}

/// zᵢ = xᵢ·yᵢ.
fn multiply<I: Lanes, W: ArrayWord>(c: &Constants, z: &mut [W], x: &[W], y: &[W]) {
    struct Products<'a, W>(&'a Constants, &'a mut [W], &'a [W], &'a [W]);
    impl<I: Lanes, W: ArrayWord> Task<I> for Products<'_, W> {
        type Output = ();
        #[inline(always)]
        fn run(self, isa: I) {
            products(isa, self.0, self.1, self.2, self.3);
        }
    }
    I::in_use().run(Products(c, z, x, y));
}

#[inline(always)]
fn products<I: Lanes, W: ArrayWord>(isa: I, c: &Constants, z: &mut [W], x: &[W], y: &[W]) {
    let divisor = Divisor::new(isa, c);
    let (mut shifted, mut factors, mut remainders) = ([0; BLOCK], [0; BLOCK], [0; BLOCK]);
    for ((z, x), y) in z.chunks_mut(BLOCK).zip(x.chunks(BLOCK)).zip(y.chunks(BLOCK)) {
        for ((shifted, factor), (x, y)) in shifted.iter_mut().zip(&mut factors).zip(x.iter().zip(y)) {
            (*shifted, *factor) = (x.widen() << divisor.shift, y.widen());
        }
        for i in (0..z.len()).step_by(I::WORDS) {
            let (x, y) = (isa.load(&shifted[i..]), isa.load(&factors[i..]));
            let even = divisor.remainder(isa, isa.product_low(x, y));
            let odd = divisor.remainder(isa, isa.product_high(x, y));
            isa.store(&mut remainders[i..], isa.low_words(even, odd));
        }
        for (z, remainder) in z.iter_mut().zip(&remainders) {
            *z = W::truncate(remainder >> divisor.shift);
        }
    }
}

/// f, as the divisor of products times x^s.
struct Divisor<I: Lanes> {
    /// s.
    shift: u32,
    /// m·x^s, in each word.
    quotient: I::Digit,
    /// (f − x^k)·x^s, in each word.
    f: I::Digit,
}

impl<I: Lanes> Divisor<I> {
    #[inline(always)]
    fn new(isa: I, c: &Constants) -> Divisor<I> {
        let shift = 64 - c.degree as u32;
        Divisor { shift, quotient: isa.splat(c.quotient << shift), f: isa.splat(c.f << shift) }
    }

    /// In each lane, for t·x^s: (t mod f)·x^s as the low word, and any high word.
    #[inline(always)]
    fn remainder(&self, isa: I, t: I::Digit) -> I::Digit {
        let q = isa.xor(t, isa.product_high(t, self.quotient));
        isa.xor(t, isa.product_high(q, self.f))
    }
}

/// z ← z + a·b.
fn add_matrix_product<I: Lanes, W: ArrayWord>(c: &Constants, shape: Shape, z: &mut [W], a: &[W], b: &[W]) {
    struct MatrixProduct<'a, I, W>(&'a Constants, Shape, &'a mut [W], &'a [W], &'a [W], PhantomData<I>);
    impl<I: Lanes, W: ArrayWord> Task<I> for MatrixProduct<'_, I, W> {
        type Output = ();
        #[inline(always)]
        fn run(self, isa: I) {
            add_panels(isa, self.0, self.1, self.2, self.3, self.4);
        }
    }
    I::in_use().run(MatrixProduct(c, shape, z, a, b, PhantomData::<I>));
}

/// How elements lie in the words of the second factor: far enough apart for products by one element of the first.
struct Packing<W>(PhantomData<W>);

impl<W: ArrayWord> Packing<W> {
    /// The bits from one element to the next. A product of two elements has fewer than 2·W::BITS.
    const STRIDE: u32 = 2 * W::BITS;
    /// The elements of a word. A product of u64 fills a lane instead.
    const ELEMENTS: usize = if W::BITS == 64 { 1 } else { (64 / Self::STRIDE) as usize };

    /// The word of these elements, at most as many as it takes.
    #[inline(always)]
    fn word(elements: &[W]) -> u64 {
        elements
            .iter()
            .rev()
            .fold(0, |word, element| word.checked_shl(Self::STRIDE).unwrap_or(0) | element.widen())
    }

    /// Product `i` of a word of products, whose lane has these words.
    #[inline(always)]
    fn product(low: u64, high: u64, i: usize) -> u128 {
        match W::BITS {
            64 => u128::from(high) << 64 | u128::from(low),
            bits => u128::from(low >> (2 * bits * i as u32) & u64::MAX >> (64 - 2 * bits)),
        }
    }
}

/// z ← z + a·b, digit by digit of the rows of b.
#[inline(always)]
fn add_panels<I: Lanes, W: ArrayWord>(isa: I, c: &Constants, shape: Shape, z: &mut [W], a: &[W], b: &[W]) {
    let Shape { rows, inner, columns } = shape;
    let a: Vec<u64> = a.iter().map(|element| element.widen()).collect();
    let width = I::WORDS * Packing::<W>::ELEMENTS;
    let divisor = Divisor::new(isa, c);
    let mut panel = vec![0; TERMS.min(inner) * I::WORDS];
    for first in (0..inner).step_by(TERMS) {
        let terms = TERMS.min(inner - first);
        for column in (0..columns).step_by(width) {
            let count = width.min(columns - column);
            for (digit, l) in panel.chunks_exact_mut(I::WORDS).zip(first..first + terms) {
                let mut row = b[l * columns + column..][..count].chunks(Packing::<W>::ELEMENTS);
                digit.fill_with(|| row.next().map_or(0, Packing::<W>::word));
            }
            let panel = &panel[..terms * I::WORDS];
            let mut row = 0;
            while row < rows {
                checkpoint();
                let start = row * inner + first;
                let z = &mut z[row * columns + column..];
                if rows - row >= ROWS {
                    let factors: [&[u64]; ROWS] = core::array::from_fn(|i| &a[start + i * inner..][..terms]);
                    add_rows(isa, &divisor, factors, panel, z, columns, count);
                    row += ROWS;
                } else {
                    add_rows(isa, &divisor, [&a[start..][..terms]], panel, z, columns, count);
                    row += 1;
                }
            }
        }
    }
}

/// Adds the products of R rows and a panel to the first `count` elements of the rows of z.
#[inline(always)]
fn add_rows<I: Lanes, W: ArrayWord, const R: usize>(
    isa: I,
    divisor: &Divisor<I>,
    factors: [&[u64]; R],
    panel: &[u64],
    z: &mut [W],
    columns: usize,
    count: usize,
) {
    let (mut even, mut odd) = ([isa.zero(); R], [isa.zero(); R]);
    for (l, words) in panel.chunks_exact(I::WORDS).enumerate() {
        let words = isa.load(words);
        for i in 0..R {
            let factor = isa.splat(factors[i][l]);
            even[i] = isa.xor(even[i], isa.product_low(words, factor));
            odd[i] = isa.xor(odd[i], isa.product_high(words, factor));
        }
    }
    for i in 0..R {
        add_remainders(isa, divisor, even[i], odd[i], &mut z[i * columns..][..count]);
    }
}

/// Adds the remainders of a digit's products by f to z. The lanes of `even` are those of its even words.
#[inline(always)]
fn add_remainders<I: Lanes, W: ArrayWord>(
    isa: I,
    divisor: &Divisor<I>,
    even: I::Digit,
    odd: I::Digit,
    z: &mut [W],
) {
    let mut lanes = [[0; 8]; 2];
    isa.store(&mut lanes[0], even);
    isa.store(&mut lanes[1], odd);
    let mut dividends = [0; 8];
    for (block, z) in z.chunks_mut(I::LANES).enumerate() {
        for (j, dividend) in dividends.chunks_exact_mut(2).take(I::LANES).enumerate() {
            let element = block * I::LANES + j;
            let (word, i) = (element / Packing::<W>::ELEMENTS, element % Packing::<W>::ELEMENTS);
            let lane = &lanes[word % 2][word / 2 * 2..][..2];
            let product = Packing::<W>::product(lane[0], lane[1], i) << divisor.shift;
            dividend.copy_from_slice(&[product as u64, (product >> 64) as u64]);
        }
        let remainder = divisor.remainder(isa, isa.load(&dividends));
        isa.store(&mut dividends, remainder);
        for (z, remainder) in z.iter_mut().zip(dividends.iter().step_by(2)) {
            *z = *z ^ W::truncate(remainder >> divisor.shift);
        }
    }
}
