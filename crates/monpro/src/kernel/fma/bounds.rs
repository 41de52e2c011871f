//! Proofs of the bounds that the comments of this kernel argue, for every number of digits that a modulus may take.

use super::carries::{Carries, RAISE, RAISED_CARRY};
use super::columns::{Block, Operands, for_each_block};
use super::{DIGIT_BITS, KERNEL, MOST_BITS, PADDING, digits, load};
use crate::arch::tested::detect_or_say;
use crate::arch::x86_64::fma::{Fma, LANES, Vector, bits_of, integer_of};
use crate::arch::{InstructionSet, Task};
use crate::kernel::contract::{Constants, Kernel};
use alloc::vec;
use alloc::vec::Vec;
use core::ops::RangeInclusive;
use num_bigint::BigInt;

pub(super) const W: i64 = 1 << DIGIT_BITS;
/// The least digit of a number between steps, and the largest.
const LEAST: i64 = -(1 << 12);
pub(super) const MOST: i64 = W + (1 << 14);

/// The moduli with so many digits between steps, in residues of s digits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Class {
    /// The bits of the largest of them.
    pub(super) n_bits: usize,
    pub(super) digits: usize,
    pub(super) s: usize,
}

fn classes() -> Vec<Class> {
    classes_of(&KERNEL, digits)
}

/// The classes of all moduli that the kernel takes, with the function that tells the digits between steps.
pub(super) fn classes_of(kernel: &Kernel, digits: fn(usize) -> usize) -> Vec<Class> {
    let mut classes: Vec<Class> = Vec::new();
    for n_bits in 1..=MOST_BITS {
        let class = Class { n_bits, digits: digits(n_bits), s: (kernel.words_for)(n_bits) };
        if classes.last().is_some_and(|last| (last.digits, last.s) == (class.digits, class.s)) {
            classes.pop();
        }
        classes.push(class);
    }
    classes
}

/// The number with zeros below and above.
fn padded(digits: &[i64]) -> Vec<u64> {
    let mut padded = vec![0; digits.len().next_multiple_of(LANES) + 2 * PADDING];
    for (cell, &digit) in padded[PADDING..].iter_mut().zip(digits) {
        *cell = bits_of(digit);
    }
    padded
}

fn words(fma: Fma, vector: Vector) -> [i64; LANES] {
    let mut words = [0; LANES];
    fma.store_cells(&mut words, vector);
    words.map(|word| word as i64)
}

/// The 2·s columns of a·b, or of a² where b is a, by the blocks of a step.
struct Columns<'a> {
    operands: Operands<'a>,
    s: usize,
    is_square: bool,
}

impl Task<Fma> for Columns<'_> {
    type Output = Vec<i64>;

    #[inline(always)]
    fn run(self, fma: Fma) -> Vec<i64> {
        let (vectors, mut below, mut columns) = (self.s / LANES, fma.zero(), Vec::new());
        for range in [0..vectors, vectors..2 * vectors] {
            for_each_block(range, |first, width| {
                let mut block = Block::new(fma, first, width);
                match self.is_square {
                    true => block.add_factors::<true>(&self.operands),
                    false => block.add_product(&self.operands),
                }
                for place in 0..width {
                    columns.extend(words(fma, block.columns(place, &mut below)));
                }
            });
        }
        columns
    }
}

/// The digits of a and of b in the products of a step: t, t by `product`, t·n' and m·n.
fn products(Class { digits, s, .. }: Class) -> [(usize, usize); 4] {
    [(digits, digits), (digits, s), (s, s), (digits - 1, s)]
}

/// A column is a sum of low parts of products of digits and of high parts, each with a coefficient that depends on its place
/// alone. So the code itself tells the coefficients: 1·1 has the low part 1, and 2^25·2^25 has the high part 1, and neither has
/// another. Asserts that no column has more than s of either, and returns the most.
fn most_terms(fma: Fma, class: Class) -> i64 {
    let mut most = 0;
    for digit in [1, 1 << 25] {
        let square = [(class.digits, class.digits, true)];
        let all = products(class).map(|(a_digits, b_digits)| (a_digits, b_digits, false));
        for (a_digits, b_digits, is_square) in all.into_iter().chain(square) {
            let number = |digits: usize| {
                padded(&(0..class.s).map(|i| if i < digits { digit } else { 0 }).collect::<Vec<_>>())
            };
            let (a, b) = (number(a_digits), number(b_digits));
            let operands = Operands { a: &a, a_digits, b: &b, b_digits };
            let columns = fma.run(Columns { operands, s: class.s, is_square });
            most = columns.into_iter().fold(most, i64::max);
        }
    }
    most
}

/// The least and the most that a low part and a high part can be, however the CPU rounds.
fn parts() -> [(i128, i128); 2] {
    let [w, least, most] = [W, LEAST, MOST].map(i128::from);
    [(-w, w), (least * most / w - 1, most * most / w + 1)]
}

/// Whether the columns of t + m·n can be raised and then be carried, with at most so many low and so many high parts.
pub(super) fn columns_fit(terms: i64) -> bool {
    let (terms, [low, high]) = (i128::from(terms), parts());
    // A carry into R, or a digit of t, joins a column.
    let least = terms * (low.0 + high.0) - (1 << 13);
    let most = terms * (low.1 + high.1) + i128::from(MOST);
    let raise = i128::from(RAISE);
    least + raise >= i128::from(RAISED_CARRY) && most + raise < 1 << 64
}

/// Whether columns of a product of numbers that are not negative, and digits of t, carry from −2^10 to 2^13 into the next,
/// with at most so many low and so many high parts. A column i places below counts W^−i of what it is.
pub(super) fn carries_fit(terms: i64) -> bool {
    let (terms, [low, high]) = (i128::from(terms), parts());
    let (least, most) = (terms * low.0, terms * (low.1 + high.1) + i128::from(MOST));
    let all = |column: i128| column / i128::from(W - 1);
    all(least) > -(1 << 10) && all(most) < (1 << 13) - 1
}

#[test]
fn every_column_stays_within_its_limits() {
    let Some(fma) = detect_or_say::<Fma>() else { return };
    for class in classes() {
        let terms = most_terms(fma, class);
        assert!(terms <= class.s as i64, "{class:?}");
        // t and m·n.
        assert!(columns_fit(2 * terms) && carries_fit(terms), "{class:?}");
    }
    assert!(!columns_fit(1 << 12) && !carries_fit(1 << 10));
}

/// The digits of a product are exact: [`Fma::product`] asks for products from −2^100 to 3·2^100, where one factor of a
/// square is doubled.
#[test]
fn products_of_digits_stay_where_they_are_exact() {
    let products = [(MOST, MOST), (LEAST, MOST), (LEAST, LEAST)];
    let products = products.map(|(a, b)| 2 * i128::from(a) * i128::from(b));
    assert!(products.into_iter().all(|product| (-(1 << 100)..=3 << 100).contains(&product)));
    // A digit is an integer of at most 51 bits and a sign, as conversions ask.
    const { assert!(MOST < 1 << 51 && LEAST >= -1 << 51) };
    // A sum and a difference of residues, before the carries, too.
    const { assert!(2 * (W - 1) < 1 << 51) };
}

/// Two digits with the product 2^51 − 2^25: its high part is 2, and its low part −2^25.
const X: i64 = (1 << 26) - 1;
const Y: i64 = 1 << 25;

/// Every pair of digits goes to its two columns, once, and twice in a square. Columns are sums over such pairs, so this
/// shows that they are the columns of the product, for all numbers.
fn check_places(fma: Fma, class: Class) {
    let Class { s, .. } = class;
    let put = |columns: &mut [i64], place: usize, times: i64, (high, low): (i64, i64)| {
        columns[place] += times * low;
        columns[place + 1] += times * high;
    };
    let number = |digits: &[(usize, i64)]| {
        let mut number = vec![0; s];
        digits.iter().for_each(|&(i, digit)| number[i] = digit);
        padded(&number)
    };
    for (a_digits, b_digits) in products(class) {
        for (i, j) in (0..b_digits).flat_map(|i| (0..a_digits).map(move |j| (i, j))) {
            let (a, b) = (number(&[(j, X)]), number(&[(i, Y)]));
            let operands = Operands { a: &a, a_digits, b: &b, b_digits };
            let mut expected = vec![0; 2 * s];
            put(&mut expected, i + j, 1, (2, -(1 << 25)));
            let columns = fma.run(Columns { operands, s, is_square: false });
            assert_eq!(columns, expected, "{class:?}, digits {i} and {j}");
        }
    }
    for (i, j) in (0..class.digits).flat_map(|i| (0..=i).map(move |j| (i, j))) {
        let mut expected = vec![0; 2 * s];
        let a = if i == j { number(&[(i, Y)]) } else { number(&[(i, Y), (j, X)]) };
        put(&mut expected, 2 * i, 1, (1, 0));
        if i != j {
            // X² is 4·2^50 − 2^27 + 1.
            put(&mut expected, 2 * j, 1, (4, 1 - (1 << 27)));
            // As 2·X·Y is one product of a doubled digit.
            put(&mut expected, i + j, 1, (4, -(1 << 26)));
        }
        let operands = Operands { a: &a, a_digits: class.digits, b: &a, b_digits: class.digits };
        let columns = fma.run(Columns { operands, s, is_square: true });
        assert_eq!(columns, expected, "{class:?}, digits {i} and {j}");
    }
}

#[test]
fn columns_hold_each_product_of_digits_in_its_place() {
    let Some(fma) = detect_or_say::<Fma>() else { return };
    // All classes of few vectors, and two whose vectors are summed in several blocks.
    let is_chosen = |class: &Class| class.s <= 28 || [44, 52].contains(&class.s) && class.digits == class.s;
    for class in classes().into_iter().filter(is_chosen) {
        check_places(fma, class);
    }
}

/// Σ digits\[i\]·W^i.
pub(super) fn value(digits: &[i64]) -> BigInt {
    digits.iter().rev().fold(BigInt::ZERO, |sum, &digit| (sum << DIGIT_BITS) + digit)
}

/// What becomes of columns that are as low, or as high, as they may be, or between.
#[test]
fn carries_keep_the_number_that_the_columns_are() {
    struct Digits<'a> {
        columns: &'a [i64],
        is_modulo_r: bool,
    }
    impl Task<Fma> for Digits<'_> {
        type Output = (Vec<i64>, i64);

        #[inline(always)]
        fn run(self, fma: Fma) -> Self::Output {
            let mut carries = match self.is_modulo_r {
                true => Carries::modulo_r(fma),
                false => Carries::above_r(fma, fma.splat(RAISED_CARRY)),
            };
            let mut cells = vec![0; self.columns.len()];
            for i in (0..cells.len()).step_by(LANES) {
                let columns: [u64; LANES] = core::array::from_fn(|lane| self.columns[i + lane] as u64);
                carries.put(&mut cells, i, fma.load_cells(&columns));
            }
            let carry = words(fma, carries.carry)[LANES - 1] - RAISED_CARRY as i64;
            (cells.into_iter().map(integer_of).collect(), carry)
        }
    }
    let Some(fma) = detect_or_say::<Fma>() else { return };
    let (least, most) = (-(RAISE as i64) + RAISED_CARRY as i64, i64::MAX);
    let edges = [least, -W - 1, -W, -1, 0, 1, W - 1, W, W + 1, most];
    for is_modulo_r in [true, false] {
        for shift in 0..edges.len() {
            for step in 1..edges.len() {
                let columns: Vec<i64> =
                    (0..12).map(|i| edges[(shift + i * step + i * i / 5) % edges.len()]).collect();
                let (digits, carry) = fma.run(Digits { columns: &columns, is_modulo_r });
                let carried = BigInt::from(carry) << (DIGIT_BITS as usize * columns.len());
                assert_eq!(value(&digits) + carried, value(&columns));
                let least_digit = if is_modulo_r { 0 } else { LEAST };
                assert!(digits.iter().all(|digit| (least_digit..=MOST).contains(digit)));
            }
        }
    }
}

/// The highest column may be in any lane, and negative. It takes the carry, and carries nothing.
#[test]
fn the_highest_column_is_a_digit_with_its_carry() {
    struct Digits<'a> {
        columns: &'a [u64; 2 * LANES],
        lane: usize,
    }
    impl Task<Fma> for Digits<'_> {
        type Output = Vec<i64>;

        #[inline(always)]
        fn run(self, fma: Fma) -> Vec<i64> {
            let mut carries = Carries::above_r(fma, fma.splat(RAISED_CARRY));
            let mut cells = [0; 2 * LANES];
            carries.put(&mut cells, 0, load(fma, self.columns, 0));
            carries.put_highest(&mut cells, LANES, load(fma, self.columns, LANES), self.lane);
            cells.into_iter().map(integer_of).collect()
        }
    }
    let Some(fma) = detect_or_say::<Fma>() else { return };
    for lane in 0..LANES {
        for below in [-(RAISE as i64) + RAISED_CARRY as i64, -1, 0, W - 1, W, i64::MAX] {
            for highest in [-1, 0, 1, W / 16 * 3] {
                let mut columns = [0; 2 * LANES];
                columns[..LANES + lane].fill(below as u64);
                columns[LANES + lane] = highest as u64;
                let digits = fma.run(Digits { columns: &columns, lane });
                assert_eq!(value(&digits), value(&columns.map(|column| column as i64)));
                assert!(digits[LANES + lane + 1..].iter().all(|&digit| digit == 0));
            }
        }
    }
}

/// The most that (x·y + m·n)/R can be for these largest x and y.
fn largest_result(x: &BigInt, y: &BigInt, n: &BigInt, s: usize) -> BigInt {
    let m = value(&vec![MOST; s]);
    (x * y + m * n) >> (DIGIT_BITS as usize * s)
}

#[test]
fn residues_that_are_never_reduced_stay_below_twice_the_modulus() {
    for class in classes() {
        let Class { n_bits, digits, s } = class;
        let one = BigInt::from(1);
        let power = |exponent: usize| &one << (DIGIT_BITS as usize * exponent);
        let (n, r) = ((&one << n_bits) - 1, power(s));
        assert!(power(digits - 1) >= 8 * &n && digits <= s && s % LANES == 0, "{class:?}");
        let twice: BigInt = 2 * &n - 1;
        assert!(largest_result(&twice, &twice, &n, s) <= twice, "{class:?}");
        // The factors of `product`.
        assert!(largest_result(&((&r >> 1) - 1), &(&n - 1), &n, s) <= twice, "{class:?}");
        // The highest digit is 0 or −1, and so may not be a factor of one that is larger.
        let (below_least, below_most) = (value(&vec![LEAST; digits - 1]), value(&vec![MOST; digits - 1]));
        assert!(&twice - &below_least < power(digits - 1), "{class:?}");
        assert!(BigInt::ZERO - &below_most > -2 * power(digits - 1), "{class:?}");
        assert!(!steps_stay_bounded(&n, n_bits + 1) && !steps_stay_bounded(&n, n_bits + 2));
    }
}

/// Whether steps keep numbers of at most 2·n − 1 where R = 2^r_bits and m is at most R + R/2^35.
fn steps_stay_bounded(n: &BigInt, r_bits: usize) -> bool {
    let (bound, r): (BigInt, _) = (2 * n - 1, BigInt::from(1) << r_bits);
    let m = (&r >> 35) + r;
    (&bound * &bound + m * n) >> r_bits <= bound
}

/// Numbers whose digits are at the edges, or any.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        self.0 >> 14
    }

    /// A number below the bound, in so many digits.
    fn below(&mut self, bound: &BigInt, digits: usize) -> Vec<i64> {
        let zeros = self.next() as usize % (digits + 1);
        let mut number: Vec<i64> = (0..digits)
            .map(|i| match self.next() % 5 {
                _ if i >= zeros => 0,
                0 => 0,
                1 => W - 1,
                2 => self.next() as i64 % 2,
                _ => self.next() as i64,
            })
            .collect();
        while value(&number) >= *bound {
            let highest = number.iter().rposition(|&digit| digit != 0).expect("it is not 0");
            number[highest] /= 2;
        }
        number
    }

    /// The same number, where some digits have borrowed from the next, or were carried into it too soon.
    fn in_signed_digits(&mut self, number: &mut [i64]) {
        for i in 0..number.len() - 1 {
            let take = match number[i] {
                ..=0x3000 if self.next() % 4 > 0 => 1,
                digit if digit >= W - 0x400 && self.next() % 4 > 0 => -1,
                _ => 0,
            };
            number[i] += take * W;
            number[i + 1] -= take;
        }
    }
}

/// A kernel, the number such that its numbers between steps are below so many times n, and what their highest digit can be.
pub(super) struct Subject {
    pub(super) kernel: &'static Kernel,
    pub(super) most: u32,
    pub(super) highest: RangeInclusive<i64>,
}

impl Subject {
    /// Steps on numbers between steps: the results are congruent to x·y·R⁻¹ and to x²·R⁻¹, and numbers between steps again.
    fn check_steps(&self, n: &[i64], class: Class, numbers: &mut Numbers) {
        let (Class { digits, s, n_bits }, kernel) = (class, self.kernel);
        let steps = (kernel.power_steps)(s).expect("the kernel has steps");
        let n_cells = padded(n);
        let n0 = (kernel.arithmetic.n0)(&n_cells);
        let derived = (kernel.derive)(&Constants { n: &n_cells, n0, s, n_bits, derived: &[] });
        let constants = Constants { n: &n_cells, n0, s, n_bits, derived: &derived };
        let n = value(n);
        let mut t = vec![0; (kernel.temporary_cells)(s)];
        for _ in 0..20 {
            let [(x, x_value), (y, y_value)] = [(); 2].map(|()| {
                let mut number = numbers.below(&(self.most * &n), s);
                let number_value = value(&number);
                numbers.in_signed_digits(&mut number[..digits]);
                assert_eq!(value(&number), number_value);
                (padded(&number), number_value)
            });
            let mut z = padded(&vec![0; s]);
            (steps.multiply)(&mut z, &x, &y, &constants, &mut t);
            let mut squared = x.clone();
            (steps.square_repeatedly)(&mut squared, 1, &constants, &mut t);
            for (cells, product) in [(&z, &x_value * &y_value), (&squared, &x_value * &x_value)] {
                let result: Vec<i64> = cells[PADDING..][..s].iter().copied().map(integer_of).collect();
                let quotient: BigInt = (value(&result) << (DIGIT_BITS as usize * s)) - product;
                assert!(&quotient % &n == BigInt::ZERO, "{class:?}, {result:?}");
                assert!((BigInt::ZERO..self.most * &n).contains(&value(&result)), "{class:?}");
                assert!(result[..digits - 1].iter().all(|digit| (LEAST..=MOST).contains(digit)));
                assert!(self.highest.contains(&result[digits - 1]), "{class:?}, {result:?}");
                assert!(cells[PADDING + digits..].iter().all(|&cell| cell == 0));
            }
            (steps.finish)(&mut z, &constants);
            let reduced: Vec<i64> = z[PADDING..][..s].iter().copied().map(integer_of).collect();
            assert!(reduced.iter().all(|digit| (0..W).contains(digit)) && value(&reduced) < n);
            assert_eq!(
                (value(&reduced) * (BigInt::from(1) << (DIGIT_BITS as usize * s)) - x_value * y_value) % &n,
                BigInt::ZERO
            );
        }
    }

    /// Steps modulo the largest and the least modulus of each class, and another.
    pub(super) fn check_steps_of(&self, classes: impl Iterator<Item = Class>) {
        if detect_or_say::<Fma>().is_none() {
            return;
        }
        let mut numbers = Numbers(1);
        for class in classes {
            // The largest moduli of the class, among them 2^b − 1, and small ones.
            let mut largest = vec![W - 1; class.s];
            for (i, digit) in largest.iter_mut().enumerate() {
                let bits = (class.n_bits as u32).saturating_sub(i as u32 * DIGIT_BITS).min(DIGIT_BITS);
                *digit = (1 << bits) - 1;
            }
            self.check_steps(&largest, class, &mut numbers);
            let top = largest.iter().rposition(|&digit| digit != 0).expect("n is not 0");
            let mut least = vec![0; class.s];
            (least[0], least[top]) = (1, if top == 0 { 1 } else { (largest[top] + 1) / 2 });
            self.check_steps(&least, class, &mut numbers);
            for digit in &mut least[..top] {
                *digit = numbers.next() as i64 | 1;
            }
            self.check_steps(&least, class, &mut numbers);
        }
    }
}

#[test]
fn steps_take_and_return_every_form_of_a_number() {
    let subject = Subject { kernel: &KERNEL, most: 2, highest: -1..=0 };
    subject.check_steps_of(classes().into_iter().filter(|class| class.s <= 48));
}
