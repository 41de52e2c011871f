//! Proofs of what the comments of this engine argue: every column is below its limit, each product of digits is in its
//! place, and residues stay below 2n.

use super::ReadyPair;
use super::columns::{EVERY_DIGIT, Masks, product, square};
use super::digits::{Factor, Pair, digit, get, of_digits, put_windows, window_lines, zero};
use super::moduli::{Moduli, Size, run};
use crate::arch::tested::detect_or_say;
use crate::arch::x86_64::ifma::{DIGIT_BITS, HALF, Ifma, Line, for_each};
use crate::arch::{InstructionSet, Task};
use crate::kernel::Kernel;
use crate::modulus::Modulus;
use alloc::vec;
use alloc::vec::Vec;
use num_bigint::BigUint;

const LARGEST_DIGIT: u64 = (1 << DIGIT_BITS) - 1;
/// A column must stay below this, as `carries` asks.
const LIMIT: u128 = (1 << 64) - (1 << 12);

/// All columns of a·b with N digits of a, of a·b with all digits of a below R, and of a².
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    Product,
    LowProduct,
    Square,
}

struct Columns<'a, const V: usize, const N: usize, const W: usize> {
    way: Way,
    a: &'a [Line],
    b: &'a [Line],
    columns: &'a mut [Line],
}

impl<const V: usize, const N: usize, const W: usize> Task<Ifma> for Columns<'_, V, N, W> {
    type Output = ();

    #[inline(always)]
    fn run(self, ifma: Ifma) {
        let mut windows = zero(window_lines(V));
        put_windows::<V>(ifma, &mut windows, &get(ifma, self.a));
        let b = Factor::<V>::new(ifma, get(ifma, self.b));
        let masks = Masks::new(ifma);
        for_each!(COLUMN in 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 => {
            if const { COLUMN < 2 * V && COLUMN % W == V % W } {
                let none = [ifma.zero(); W];
                let sums = match self.way {
                    Way::Product => product::<V, N, COLUMN, W>(ifma, none, &windows, &b),
                    Way::Square => square::<V, N, COLUMN, W>(ifma, masks, ifma.zero(), &windows, &b),
                    Way::LowProduct => none,
                };
                for (line, sum) in self.columns[COLUMN..].iter_mut().zip(sums) {
                    ifma.store(&mut line.0, sum);
                }
            }
            if const { COLUMN < V && COLUMN % W == V % W } && self.way == Way::LowProduct {
                let sums = product::<V, EVERY_DIGIT, COLUMN, W>(ifma, [ifma.zero(); W], &windows, &b);
                for (line, sum) in self.columns[COLUMN..].iter_mut().zip(sums) {
                    ifma.store(&mut line.0, sum);
                }
            }
        });
    }
}

/// The columns of both numbers.
fn columns(ifma: Ifma, size: Size, way: Way, a: &Pair, b: &Pair) -> [Vec<u64>; 2] {
    let mut columns = zero(2 * a.len());
    let output = &mut columns[..];
    run!(ifma, size, Columns { way, a, b, columns: output });
    core::array::from_fn(|half| (0..2 * HALF * a.len()).map(|j| digit(&columns, half, j)).collect())
}

/// A digit x whose product with y has the halves 3 and 2^50 + 2.
const X: u64 = (1 << 51) + 1;
const Y: u64 = (1 << 51) + 3;

/// Adds the halves of x·y·2^(52·place), `times` times, to the columns that there are.
fn add_at(columns: &mut [u64], place: usize, x: u64, y: u64, times: u64) {
    let product = u128::from(x) * u128::from(y);
    let halves = [product as u64 & LARGEST_DIGIT, (product >> DIGIT_BITS) as u64];
    for (column, half) in columns.iter_mut().skip(place).zip(halves) {
        *column += times * half;
    }
}

/// Every pair of digits goes to its two columns, once, and twice in a square; the other number of the pair, with digits of
/// its own, does not change that. Columns are sums over such pairs of digits, so this shows that they are those of the
/// product, for all numbers.
fn check_places(ifma: Ifma, size: Size) {
    let (v, n) = (size.vectors(), size.most_bits().div_ceil(DIGIT_BITS as usize));
    let s = HALF * v;
    // The second number has its digits in the opposite places.
    let places = |i: usize, most: usize| [i, most - 1 - i];
    let single = |i: usize, most: usize, value: u64| {
        of_digits(v, |half, k| if k == places(i, most)[half] { value } else { 0 })
    };
    for i in 0..s {
        for j in 0..s {
            let expected = |half: usize, columns: usize, most: usize| {
                let mut sums = vec![0; 2 * s];
                add_at(&mut sums, places(i, s)[half] + places(j, most)[half], X, Y, 1);
                sums[columns..].fill(0);
                sums
            };
            let (a, b) = (single(j, s, X), single(i, s, Y));
            let low = columns(ifma, size, Way::LowProduct, &a, &b);
            assert_eq!(low, [0, 1].map(|half| expected(half, s, s)), "{size:?}, digits {i} and {j}");
            if j < n {
                let all = columns(ifma, size, Way::Product, &single(j, n, X), &b);
                assert_eq!(all, [0, 1].map(|half| expected(half, 2 * s, n)), "{size:?}, digits {i} and {j}");
            }
            if i < n && j < i {
                let value = |k: usize, half: usize| match () {
                    () if k == places(i, n)[half] => Y,
                    () if k == places(j, n)[half] => X,
                    () => 0,
                };
                let both = of_digits(v, |half, k| value(k, half));
                let found = columns(ifma, size, Way::Square, &both, &both);
                let expected = [0, 1].map(|half| {
                    let [i, j] = [places(i, n)[half], places(j, n)[half]];
                    let mut sums = vec![0; 2 * s];
                    add_at(&mut sums, i + j, X, Y, 2);
                    add_at(&mut sums, 2 * i, Y, Y, 1);
                    add_at(&mut sums, 2 * j, X, X, 1);
                    sums
                });
                assert_eq!(found, expected, "{size:?}, digits {i} and {j}");
            }
        }
    }
}

#[test]
fn columns_hold_each_product_of_digits_in_its_place() {
    let Some(ifma) = detect_or_say::<Ifma>() else { return };
    Size::ALL.into_iter().for_each(|size| check_places(ifma, size));
}

#[test]
fn every_column_stays_below_its_limit() {
    for size in Size::ALL {
        // A column has s low and s high halves of t, as many of m·n, the upper part of the column below and a carry.
        let s = (HALF * size.vectors()) as u128;
        let most = 4 * s * u128::from(LARGEST_DIGIT) + (1 << 13);
        assert!(most < LIMIT, "{size:?}");
        // What the carry into R leaves out is below W^s.
        assert!((2 * s + 2) < 1 << DIGIT_BITS);
    }
}

#[test]
fn residues_stay_below_twice_the_modulus() {
    for size in Size::ALL {
        let r_bits = DIGIT_BITS as usize * HALF * size.vectors();
        let n = (BigUint::from(1u32) << size.most_bits()) - 1u32;
        let r = BigUint::from(1u32) << r_bits;
        let (twice, largest_m) = (2u32 * &n, &r - 1u32);
        let result = |t: BigUint| (t + &largest_m * &n) >> r_bits;
        // Two residues; a chunk below R, or the sum of two residues, and a constant below n.
        assert!(result(&twice * &twice) < twice);
        for x in [&r - 1u32, 4u32 * &n] {
            assert!(result(x * (&n - 1u32)) < twice);
        }
        // A residue leaves as a number of at most n, and it has no digit from N on.
        assert!(result(twice.clone()) <= n);
        let digits = size.most_bits().div_ceil(DIGIT_BITS as usize);
        assert!(twice < BigUint::from(1u32) << (DIGIT_BITS as usize * digits));
    }
}

/// Numbers that make long carries: of ones, of one bit, and of ones with a gap.
fn edges(bits: usize) -> Vec<Vec<u64>> {
    let one = || BigUint::from(1u32);
    let numbers = [
        (one() << bits) - 1u32,
        (one() << (bits - 1)) + 1u32,
        (one() << bits) - (one() << (bits / 2)) + 1u32,
        (one() << bits) - (one() << (bits - 1).min(52)) + 1u32,
        (((one() << bits) - 1u32) / 3u32) | (one() << (bits - 1)) | one(),
    ];
    numbers.map(|number| number.to_u64_digits()).into()
}

fn number(words: &[u64]) -> BigUint {
    words.iter().rev().fold(BigUint::ZERO, |number, &word| number << 64 | BigUint::from(word))
}

#[test]
fn squares_and_products_of_edges_are_right_in_either_half() {
    let Some(ifma) = detect_or_say::<Ifma>() else { return };
    for size in Size::ALL {
        for bits in [2, 53, size.most_bits() - 51, size.most_bits()] {
            let moduli = edges(bits);
            for (i, m) in moduli.iter().enumerate() {
                let n = &moduli[(i + 2) % moduli.len()];
                let mut pair = Moduli::new(ifma, size, [m, n]);
                for x in edges(size.most_bits() + 70).iter().chain(&moduli).chain(&[vec![], vec![1]]) {
                    let mut power = pair.enter([x, m]);
                    let y = pair.enter([n, x]);
                    pair.square_repeatedly(&mut power, 3);
                    pair.mul_assign(&mut power, &y);
                    let found = pair.leave(power).map(|words| number(&words));
                    let expected =
                        [number(x).pow(8) * number(n) % number(m), number(m).pow(8) * number(x) % number(n)];
                    assert_eq!(found, expected, "{size:?}, moduli {m:x?} and {n:x?}, {x:x?}");
                }
            }
        }
    }
}

#[test]
fn moduli_make_a_pair_where_that_pays_and_no_kernel_was_chosen() {
    if detect_or_say::<Ifma>().is_none() {
        return;
    }
    let chosen = |name: &str| Kernel::by_name(name).expect("it is in the table");
    for (bits, pays) in
        [(256usize, false), (512, true), (1024, true), (1200, false), (2048, true), (4096, false)]
    {
        let number = ((BigUint::from(1u32) << bits) - 1u32).to_u64_digits();
        let n = Modulus::new(&number).expect("it is odd");
        assert_eq!(ReadyPair::where_it_pays([&n, &n]).is_some(), pays, "{bits} bits");
        let by_cios = Modulus::with_kernel(chosen("cios"), &number).expect("it takes any odd number");
        assert!(ReadyPair::where_it_pays([&n, &by_cios]).is_none());
    }
}
