//! Proofs of the bounds that the comments of this kernel argue, for every number of digits that a modulus may take.
//!
//! A column is a sum of low and of high halves of products of digits, each with a coefficient that depends on its
//! place alone. So the code itself tells the coefficients: where every low half is 1 and every high half 0, a column
//! is the sum of the coefficients of its low halves, and likewise for the high halves.

use super::columns::{carry_into_r, high_columns, low_columns, square_columns};
use super::constants::largest;
use super::long::Operands;
use super::registers::{self, Digits, add_product};
use super::{MOST_BITS, PADDING, digits, kernel, short, split, store};
use crate::arch::tested::detect_or_say;
use crate::arch::x86_64::ifma::{DIGIT_BITS, Ifma, LANES, Vector};
use alloc::vec;
use alloc::vec::Vec;
use num_bigint::BigUint;

/// A column must stay below this, as `carries` asks.
const LIMIT: u128 = (1 << 64) - (1 << 12);
/// The largest half of a product of two digits.
const LARGEST_HALF: u128 = (1 << DIGIT_BITS) - 1;

/// The moduli with so many digits, in residues of s digits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Class {
    /// The bits of the largest of them.
    n_bits: usize,
    digits: usize,
    s: usize,
}

/// The classes of all moduli whose products are not split.
fn classes<const B: u32>() -> Vec<Class> {
    let kernel = kernel::<B>("");
    let mut classes: Vec<Class> = Vec::new();
    for n_bits in 1..=MOST_BITS {
        assert!((kernel.supports)(&[], n_bits) && !super::is_split::<B>((kernel.words_for)(n_bits)));
        let class = Class { n_bits, digits: digits::<B>(n_bits), s: (kernel.words_for)(n_bits) };
        if classes.last().is_some_and(|last| (last.digits, last.s) == (class.digits, class.s)) {
            classes.pop();
        }
        classes.push(class);
    }
    classes
}

/// The sums of the coefficients of the low and of the high halves in a column.
#[derive(Clone, Copy, Default, Debug, PartialEq, Eq)]
struct Terms {
    low: u128,
    high: u128,
}

impl Terms {
    fn count(self) -> u128 {
        self.low + self.high
    }

    /// The most that the column can be.
    fn bound(self) -> u128 {
        self.count() * LARGEST_HALF
    }
}

/// The terms in the columns of a product of two numbers of s digits: columns(a, b) computes them.
fn terms(s: usize, columns: impl Fn(&[u64], &[u64]) -> Vec<u64>) -> Vec<Terms> {
    // 1·1 has the low half 1; 2^51·2^51 has the high half 2^50, and neither has another.
    let [low, high] = [1, 1 << 51].map(|digit| {
        let number = padded(&vec![digit; s]);
        columns(&number, &number)
    });
    let terms = |(low, high): (u64, u64)| {
        assert_eq!(high % (1 << 50), 0, "a column is no sum of halves");
        Terms { low: low.into(), high: (high >> 50).into() }
    };
    low.into_iter().zip(high).map(terms).collect()
}

/// The number with zeros below and above.
fn padded(digits: &[u64]) -> Vec<u64> {
    let mut padded = vec![0; digits.len() + 2 * PADDING];
    padded[PADDING..][..digits.len()].copy_from_slice(digits);
    padded
}

fn words(ifma: Ifma, vectors: &[Vector]) -> Vec<u64> {
    let mut words = vec![0; LANES * vectors.len()];
    for (k, &vector) in vectors.iter().enumerate() {
        store(ifma, &mut words, k, vector);
    }
    words
}

/// A way to compute the columns of a product, below R and from R on, and those of a square. `digits` is the number of
/// digits of a, of which a square is made.
#[derive(Clone, Copy)]
struct Way {
    low: fn(Ifma, &[u64], &[u64], Class) -> Vec<u64>,
    high: fn(Ifma, &[u64], &[u64], Class) -> Vec<u64>,
    square: fn(Ifma, &[u64], Class) -> Vec<u64>,
}

/// The columns of [`short`].
fn short<const V: usize, const B: u32>() -> Way {
    Way {
        low: |ifma, a, b, _| words(ifma, &low_columns::<V, B>(ifma, a, b, 0)),
        high: |ifma, a, b, class| words(ifma, &high_columns::<V, B>(ifma, a, b, class.digits, class.s, V)),
        square: |ifma, a, class| {
            let low = words(ifma, &square_columns::<V, B>(ifma, a, class.digits, 0));
            [low, words(ifma, &short::high_square::<V, B>(ifma, a, class.digits))].concat()
        },
    }
}

/// The columns of [`super::long`].
fn long<const B: u32>() -> Way {
    Way {
        low: |ifma, a, b, class| {
            let mut sums = vec![0; class.s];
            let operands = Operands::<B> { a, b, a_digits: class.digits, b_digits: class.s };
            operands.put_low(ifma, &mut sums, 0..class.s / LANES);
            sums
        },
        high: |ifma, a, b, class| {
            let mut sums = vec![0; class.s];
            let operands = Operands::<B> { a, b, a_digits: class.digits, b_digits: class.s };
            let end = (class.s + class.digits).div_ceil(LANES);
            operands.add_high(ifma, &mut sums, class.s / LANES..end);
            sums
        },
        square: |ifma, a, class| {
            let mut sums = vec![0; 2 * class.s];
            let operands = Operands::<B> { a, b: a, a_digits: class.digits, b_digits: class.digits };
            let (low, high) = sums.split_at_mut(class.s);
            let vectors = class.s / LANES;
            operands.put_square(ifma, low, 0..vectors);
            operands.put_square(ifma, high, vectors..(2 * class.digits).div_ceil(LANES));
            sums
        },
    }
}

/// The columns of [`registers`].
fn in_registers<const V: usize, const EMPTY: usize>() -> Way {
    fn spread<const V: usize>(ifma: Ifma, b: &[u64], scratch: &mut Vec<u64>) -> [Vector; V] {
        scratch.resize(LANES * V, 0);
        core::array::from_fn(|k| super::load(ifma, &b[PADDING..], k))
    }
    Way {
        low: |ifma, a, b, _| {
            let mut scratch = Vec::new();
            let vectors = spread::<V>(ifma, b, &mut scratch);
            let b = Digits::put(ifma, &mut scratch, vectors);
            words(ifma, &add_product::<V, 0, EMPTY>(ifma, [ifma.zero(); V], &a, &b))
        },
        high: |ifma, a, b, _| {
            let mut scratch = Vec::new();
            let vectors = spread::<V>(ifma, b, &mut scratch);
            let b = Digits::put(ifma, &mut scratch, vectors);
            words(ifma, &add_product::<V, V, EMPTY>(ifma, [ifma.zero(); V], &a, &b))
        },
        square: |ifma, a, _| {
            let mut scratch = Vec::new();
            let vectors = spread::<V>(ifma, a, &mut scratch);
            let a = Digits::put(ifma, &mut scratch, vectors);
            let low = words(ifma, &registers::square::<V, 0, EMPTY>(ifma, &a));
            [low, words(ifma, &registers::square::<V, V, EMPTY>(ifma, &a))].concat()
        },
    }
}

/// The way in which the kernel computes the columns for a class.
fn way<const B: u32>(class: Class) -> Way {
    if super::has_steps::<B>(class.s) {
        return match (class.s / LANES, class.s - class.digits) {
            (1, 2..) => in_registers::<1, 2>(),
            (1, _) => in_registers::<1, 0>(),
            (2, 5..) => in_registers::<2, 5>(),
            (2, _) => in_registers::<2, 0>(),
            (3, 3..) => in_registers::<3, 3>(),
            (3, _) => in_registers::<3, 0>(),
            (_, 1..) => in_registers::<4, 1>(),
            _ => in_registers::<4, 0>(),
        };
    }
    match class.s / LANES {
        1 => short::<1, B>(),
        2 => short::<2, B>(),
        3 => short::<3, B>(),
        4 => short::<4, B>(),
        5 => short::<5, B>(),
        _ => long::<B>(),
    }
}

/// The most terms of a column of t below R; of t from R on; of t + m·n from R on.
fn most_terms<const B: u32>(ifma: Ifma, class: Class) -> [Terms; 3] {
    let way = way::<B>(class);
    let Class { s, digits, .. } = class;
    let low = terms(s, |a, b| (way.low)(ifma, a, b, class));
    let high = terms(s, |a, b| (way.high)(ifma, a, b, class));
    // A square is made of a number without digits above `digits`.
    let cut = |a: &[u64]| padded(&[&a[PADDING..][..digits], &vec![0; s - digits][..]].concat());
    let squares = terms(s, |a, _| (way.square)(ifma, &cut(a), class));
    let (square_low, square_high) = squares.split_at(s);
    let most = |columns: Vec<Terms>| columns.into_iter().max_by_key(|terms| terms.count()).expect("s > 0");
    let of_either = |products: &[Terms], squares: &[Terms]| -> Vec<Terms> {
        let larger = |(&a, &b): (&Terms, &Terms)| if a.count() < b.count() { b } else { a };
        products.iter().zip(squares).map(larger).collect()
    };
    let t_high = of_either(&high, square_high);
    let add = |(a, b): (&Terms, &Terms)| Terms { low: a.low + b.low, high: a.high + b.high };
    let u = t_high.iter().zip(&high).map(add).collect();
    [most(of_either(&low, square_low)), most(t_high.clone()), most(u)]
}

/// Whether all columns of a class stay below the limit, if a row adds `more` halves to each column beyond its own.
fn columns_fit<const B: u32>(ifma: Ifma, class: Class, more: usize) -> bool {
    let more = (more * class.s) as u128 * LARGEST_HALF;
    let [t_low, t_high, u] = most_terms::<B>(ifma, class);
    // The carry of t, that of t + m·n, and R − n in digits, which the last subtraction adds.
    let carries = 2 * (u128::from(u64::MAX) >> B) + u128::from(largest::<B>());
    [t_low.bound(), t_high.bound(), u.bound() + carries].into_iter().all(|sum| sum + more < LIMIT)
}

/// Shows the bound, and that it would not hold with `too_many` more halves in each row.
fn check_columns<const B: u32>(ifma: Ifma, too_many: usize) {
    let classes = classes::<B>();
    for &class in &classes {
        assert!(columns_fit::<B>(ifma, class, 0), "{class:?}");
        let [t_low, t_high, u] = most_terms::<B>(ifma, class);
        let weight = if B == DIGIT_BITS { 2 } else { 3 };
        for (terms, numbers) in [(t_low, 1), (t_high, 1), (u, 2)] {
            assert!(terms.count() <= weight * numbers * class.s as u128, "{class:?}");
        }
    }
    let largest = *classes.last().expect("there are classes");
    assert!(!columns_fit::<B>(ifma, largest, too_many));
}

#[test]
fn every_column_stays_below_its_limit() {
    if let Some(ifma) = detect_or_say::<Ifma>() {
        check_columns::<51>(ifma, 1);
        check_columns::<52>(ifma, 3);
    }
}

/// Whether the columns of the products of k digits that [`super::split`] does not split stay below the limit, if each of the
/// k rows adds `more` halves to each column beyond its own.
fn unsplit_columns_fit(ifma: Ifma, k: usize, more: usize) -> bool {
    let class = Class { n_bits: DIGIT_BITS as usize * k, digits: k, s: k };
    let way = long::<DIGIT_BITS>();
    let low = terms(k, |a, b| (way.low)(ifma, a, b, class));
    let high = terms(k, |a, b| (way.high)(ifma, a, b, class));
    let squares = terms(k, |a, _| (way.square)(ifma, a, class));
    let columns: Vec<Terms> = low.into_iter().chain(high).chain(squares).collect();
    assert!(columns.iter().all(|terms| terms.count() <= 2 * k as u128));
    let more = (more * k) as u128 * LARGEST_HALF;
    columns.iter().all(|terms| terms.bound() + more < LIMIT)
}

#[test]
fn every_column_of_an_unsplit_product_stays_below_its_limit() {
    let Some(ifma) = detect_or_say::<Ifma>() else { return };
    let most = split::MOST_DIGITS_UNSPLIT;
    for k in (LANES..=most).step_by(LANES) {
        assert!(unsplit_columns_fit(ifma, k, 0), "{k} digits");
    }
    assert!(!unsplit_columns_fit(ifma, most, 5) && !unsplit_columns_fit(ifma, 2056, 0));
}

/// u = (t + m·n)/R is the remainder of t + m·n mod R − 1, if u < R − 1: for x < R/2 and y < n, and for the largest
/// modulus of each number of digits, of which u is most.
#[test]
fn results_of_split_products_stay_below_their_modulus() {
    let kernel = kernel::<DIGIT_BITS>("");
    for vectors in 1..400 {
        let s = 2 * LANES * vectors;
        let r_bits = DIGIT_BITS as usize * s;
        let n_bits = r_bits - 2;
        if n_bits <= MOST_BITS {
            continue;
        }
        assert_eq!([(kernel.words_for)(n_bits), (kernel.words_for)(n_bits + 1)], [s, s + 2 * LANES]);
        let one = BigUint::from(1u32);
        let (n, r) = ((&one << n_bits) - &one, &one << r_bits);
        for x in [&n - &one, (&r >> 1) - &one] {
            let u = largest_result::<DIGIT_BITS>(&x, &(&n - &one), &n, r_bits);
            assert!(u < 2u32 * &n && u < &r - &one, "{n_bits} bits");
        }
    }
}

/// A digit x whose product with y has the halves 3 and 2^50 + 2.
const X: u64 = (1 << 51) + 1;
const Y: u64 = (1 << 51) + 3;

/// The columns of digit·digit·2^(B·place) for a product of digits with these halves, counted `times` times.
fn add_at<const B: u32>(columns: &mut [u64], place: usize, x: u64, y: u64, times: u64) {
    let product = u128::from(x) * u128::from(y);
    let (low, high) = (product as u64 & largest::<DIGIT_BITS>(), (product >> DIGIT_BITS) as u64);
    columns[place] += times * low;
    columns[place + 1] += times * (high << (DIGIT_BITS - B));
}

/// Every pair of digits goes to its two columns, once, and twice in a square. Columns are sums over such pairs, so this
/// shows that they are the columns of the product, for all numbers.
fn check_places<const B: u32>(ifma: Ifma, class: Class) {
    let (way, Class { s, digits, .. }) = (way::<B>(class), class);
    let single = |i: usize, digit: u64| {
        let mut number = padded(&vec![0; s]);
        number[PADDING + i] = digit;
        number
    };
    for i in 0..s {
        let b = single(i, Y);
        for j in 0..s {
            let mut columns = vec![0; 2 * s + 1];
            add_at::<B>(&mut columns, i + j, X, Y, 1);
            let a = single(j, X);
            assert_eq!((way.low)(ifma, &a, &b, class), columns[..s], "{class:?}, digits {i} and {j}");
            if j < digits {
                assert_eq!(
                    (way.high)(ifma, &a, &b, class),
                    columns[s..2 * s],
                    "{class:?}, digits {i} and {j}"
                );
            }
            if i < digits && j < i {
                let mut both = a;
                both[PADDING + i] = Y;
                let mut columns = vec![0; 2 * s + 1];
                add_at::<B>(&mut columns, i + j, X, Y, 2);
                add_at::<B>(&mut columns, 2 * i, Y, Y, 1);
                add_at::<B>(&mut columns, 2 * j, X, X, 1);
                assert_eq!(
                    (way.square)(ifma, &both, class),
                    columns[..2 * s],
                    "{class:?}, digits {i} and {j}"
                );
            }
        }
    }
}

#[test]
fn columns_hold_each_product_of_digits_in_its_place() {
    let Some(ifma) = detect_or_say::<Ifma>() else { return };
    // All classes of few vectors, and two whose vectors are summed in several parts.
    let is_chosen =
        |class: &Class| class.s <= 40 || (class.s == 48 || class.s == 88) && class.digits == class.s;
    for class in classes::<51>().into_iter().filter(is_chosen) {
        check_places::<51>(ifma, class);
    }
    for class in classes::<52>().into_iter().filter(is_chosen) {
        check_places::<52>(ifma, class);
    }
}

/// W^exponent for W = 2^B.
fn power_of_w<const B: u32>(exponent: usize) -> BigUint {
    BigUint::from(1u32) << (B as usize * exponent)
}

/// The largest digit once the upper parts of the columns have moved on.
fn largest_digit<const B: u32>() -> u64 {
    if B == DIGIT_BITS { largest::<B>() } else { largest::<B>() + (u64::MAX >> B) }
}

/// The largest number with s such digits.
fn largest_number<const B: u32>(s: usize) -> BigUint {
    largest_digit::<B>() * ((power_of_w::<B>(s) - 1u32) / largest::<B>())
}

/// The most that (x·y + m·n)/R can be for these largest x and y and R = 2^r_bits.
fn largest_result<const B: u32>(x: &BigUint, y: &BigUint, n: &BigUint, r_bits: usize) -> BigUint {
    // m < R + R/2^38, or m < R.
    let r = BigUint::from(1u32) << r_bits;
    let m = if B == DIGIT_BITS { r } else { &r + (&r >> 38) };
    (x * y + m * n) >> r_bits
}

/// Whether steps keep numbers of at most 2·n − 1 where R = 2^r_bits.
fn steps_stay_bounded(n: &BigUint, r_bits: usize) -> bool {
    let bound = 2u32 * n - 1u32;
    largest_result::<51>(&bound, &bound, n, r_bits) <= bound
}

fn check_residues<const B: u32>() {
    for Class { n_bits, digits, s } in classes::<B>() {
        let (r_bits, one) = (B as usize * s, BigUint::from(1u32));
        let n = (&one << n_bits) - &one;
        let r = &one << r_bits;
        assert!(n < r && s % LANES == 0 && digits <= s);
        // A digit can be multiplied, and m is as large as `largest_result` says.
        assert!(largest_digit::<B>() < 1 << DIGIT_BITS);
        let most = if B == DIGIT_BITS { r.clone() } else { &r + (&r >> 38) };
        assert!(largest_number::<B>(s) < most);
        // Residues, and an x < R/2 times a residue.
        let twice = 2u32 * &n - &one;
        for x in [&n - &one, (&r >> 1) - &one] {
            assert!(largest_result::<B>(&x, &(&n - &one), &n, r_bits) <= twice, "{n_bits} bits");
        }
        // The carry out of u + R − n is 0 or 1.
        assert!(&twice + &r - &n < 2u32 * &r);
        if super::has_steps::<B>(s) {
            assert!(steps_stay_bounded(&n, r_bits), "{n_bits} bits");
            // No digit from `digits` on, and no carry beyond R.
            assert!(twice < power_of_w::<B>(digits) && digits <= s);
            assert!(!steps_stay_bounded(&n, n_bits + 1) && !steps_stay_bounded(&n, n_bits + 2));
        }
    }
}

#[test]
fn residues_that_are_never_reduced_stay_below_twice_the_modulus() {
    check_residues::<51>();
    check_residues::<52>();
}

/// The word that `carry_into_r` computes for all these digits of m, of n, and of t.
fn carry<const B: u32>(ifma: Ifma, s: usize, m: u64, n: u64, t: u64) -> u64 {
    let (m, mut reversed) = (vec![m; s], vec![n; s]);
    reversed.extend([0; LANES]);
    carry_of::<B>(ifma, &m, &reversed, t)
}

fn carry_of<const B: u32>(ifma: Ifma, m: &[u64], reversed: &[u64], t: u64) -> u64 {
    fn kept<const V: usize>(ifma: Ifma, m: &[u64], reversed: &[u64], t: Vector) -> u64 {
        let mut scratch = vec![0; m.len()];
        let vectors: [Vector; V] = core::array::from_fn(|k| super::load(ifma, m, k));
        let m = Digits::put(ifma, &mut scratch, vectors);
        words(ifma, &[registers::carry_into_r(ifma, &m, reversed, t)])[LANES - 1]
    }
    let t = ifma.splat(t);
    match (super::has_steps::<B>(m.len()), m.len() / LANES) {
        (true, 1) => kept::<1>(ifma, m, reversed, t),
        (true, 2) => kept::<2>(ifma, m, reversed, t),
        (true, 3) => kept::<3>(ifma, m, reversed, t),
        (true, _) => kept::<4>(ifma, m, reversed, t),
        _ => words(ifma, &[carry_into_r::<B>(ifma, m, reversed, t)])[0],
    }
}

/// Shows that the sum in `carry_into_r` is ⌈(c + d)/W⌉·W − 1 or less above (c + d), that it does not overflow, and that
/// all that it leaves out is below W^s.
fn check_carries<const B: u32>(ifma: Ifma) {
    let weight = 1u128 << (DIGIT_BITS - B);
    for Class { s, .. } in classes::<B>() {
        let rows = s as u128;
        let round_up = |sum: u128| u64::try_from(sum.div_ceil(1 << B)).expect("it is short");
        // s low halves of 2^51, or s − 1 high halves of 2^50, or d alone.
        assert_eq!(carry::<B>(ifma, s, 1 << 26, 1 << 25, 0), round_up(rows << 51));
        assert_eq!(carry::<B>(ifma, s, 1 << 51, 1 << 51, 0), round_up(((rows - 1) * weight) << 50));
        assert_eq!([0, 1, 1 << B].map(|d| carry::<B>(ifma, s, 0, 0, d)), [0, 1, 1]);
        let most = (rows + (rows - 1) * weight) * LARGEST_HALF + u128::from(largest_digit::<B>());
        assert!(most + u128::from(largest::<B>()) < LIMIT);
        // Column k < s − 1 of m·n has k + 1 low halves and k high halves; digit k of t is added to it.
        let mut below = BigUint::ZERO;
        for k in 0..s as u128 - 1 {
            let column = (k + 1 + k * weight) * LARGEST_HALF + u128::from(largest_digit::<B>());
            below += BigUint::from(column) << (B as usize * k as usize);
        }
        let factor = if B == DIGIT_BITS { 2 } else { 6 };
        assert!(below < (factor * s + 2) * power_of_w::<B>(s - 1), "{s} digits");
        assert!(below < power_of_w::<B>(s));
    }
}

#[test]
fn the_carry_into_r_is_exact() {
    if let Some(ifma) = detect_or_say::<Ifma>() {
        check_carries::<51>(ifma);
        check_carries::<52>(ifma);
    }
}
