//! Two odd moduli, one in each half of the vectors, and Montgomery arithmetic modulo them.
//!
//! R = 2^(52·4·V) ≥ 16n for both n. The residue of y is any number x < 2n with x = y·R mod n, in digits below 2^52.

use super::carries::Carry;
use super::columns::{EVERY_DIGIT, Masks, product, square};
use super::digits::{self, Factor, Pair, get, put, put_windows, window_lines};
use crate::arch::x86_64::ifma::{DIGIT_BITS, HALF, Ifma, Line, Vector, for_each};
use crate::arch::{InstructionSet, Task};
use crate::division::exact;
use crate::division::secret::power_of_two;
use crate::natural;
use alloc::vec::Vec;
use zeroize::Zeroizing;

/// The bits by which R exceeds n at least.
const SPARE_BITS: usize = 4;

/// The sizes of moduli that have code: the vectors V of a number, and the digits N that may differ from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Size {
    /// V = 3, N = 10.
    Bits512,
    /// V = 4, N = 15.
    Bits768,
    /// V = 5, N = 20.
    Bits1024,
    /// V = 8, N = 30.
    Bits1536,
    /// V = 10, N = 40.
    Bits2048,
}

impl Size {
    /// All sizes, from the least.
    pub(super) const ALL: [Size; 5] =
        [Size::Bits512, Size::Bits768, Size::Bits1024, Size::Bits1536, Size::LARGEST];
    /// The largest size.
    pub(super) const LARGEST: Size = Size::Bits2048;

    /// The least size for moduli of at most n_bits bits, if there is one.
    pub(super) fn of(n_bits: usize) -> Option<Size> {
        Size::ALL.into_iter().find(|size| n_bits <= size.most_bits())
    }

    /// The most bits of a modulus.
    pub(super) fn most_bits(self) -> usize {
        self.digits() * DIGIT_BITS as usize - SPARE_BITS
    }

    /// V.
    pub(super) fn vectors(self) -> usize {
        self.digits().div_ceil(HALF)
    }

    /// The exponent of R = 2^exponent.
    fn r_bits(self) -> usize {
        DIGIT_BITS as usize * HALF * self.vectors()
    }

    /// N.
    fn digits(self) -> usize {
        match self {
            Size::Bits512 => 10,
            Size::Bits768 => 15,
            Size::Bits1024 => 20,
            Size::Bits1536 => 30,
            Size::Bits2048 => 40,
        }
    }
}

/// Runs a task with V, N and W as constants, where W vectors of columns are summed together: two where the digits of a
/// factor do not fit the registers, so that each is spread for two vectors.
macro_rules! run {
    ($ifma:expr, $size:expr, $task:ident $fields:tt) => {
        match $size {
            Size::Bits512 => $ifma.run($task::<3, 10, 1> $fields),
            Size::Bits768 => $ifma.run($task::<4, 15, 1> $fields),
            Size::Bits1024 => $ifma.run($task::<5, 20, 1> $fields),
            Size::Bits1536 => $ifma.run($task::<8, 30, 2> $fields),
            Size::Bits2048 => $ifma.run($task::<10, 40, 2> $fields),
        }
    };
}

#[cfg(test)]
pub(super) use run;

/// The moduli with their constants, and scratch.
#[derive(Clone)]
pub(super) struct Moduli {
    ifma: Ifma,
    size: Size,
    /// n, in words.
    numbers: [Zeroizing<Vec<u64>>; 2],
    constants: Constants,
    /// The residue of 1.
    r: Pair,
    /// R² mod n.
    r2: Pair,
    /// The windows of a factor.
    windows: Pair,
}

/// The constants of a product.
#[derive(Clone)]
struct Constants {
    /// The windows of n.
    n: Pair,
    /// The windows of n' = −n⁻¹ mod R.
    n_prime: Pair,
    /// The digits of n, the highest first; then the same without the highest.
    reversed: Pair,
}

impl Moduli {
    /// The constants of odd moduli of more than 1 bit, and of at most as many as the size allows.
    pub(super) fn new(ifma: Ifma, size: Size, moduli: [&[u64]; 2]) -> Self {
        let v = size.vectors();
        let numbers =
            moduli.map(|n| Zeroizing::new(natural::resized(n, natural::bit_length(n).div_ceil(64))));
        let [r2, s2] = moduli.map(|n| power_of_two(n, 2 * size.r_bits()));
        let r2 = digits::of_words([&r2, &s2], 0, v);
        let constants = Constants::new(&digits::of_words(moduli, 0, v));
        let windows = digits::zero(window_lines(v));
        let mut moduli = Moduli { ifma, size, numbers, constants, r: r2.clone(), r2, windows };
        let mut r = moduli.r2.clone();
        moduli.mul_assign(&mut r, &one(v));
        moduli.r = r;
        moduli
    }

    /// The vectors of a residue.
    pub(super) fn vectors(&self) -> usize {
        self.size.vectors()
    }

    /// The residues of 1.
    pub(super) fn one(&self) -> Pair {
        self.r.clone()
    }

    /// The residues of numbers of any length, by Horner's rule, 4·V digits at a time.
    ///
    /// A chunk c < R need not be below n: c·(R² mod n)/R + n is below 2n, too. So the sum is below 4n before it is
    /// multiplied by R² mod n, and below 2n then, because 4n/R ≤ 1/4. The last sum is multiplied by R mod n for this.
    pub(super) fn enter(&mut self, numbers: [&[u64]; 2]) -> Pair {
        let (v, chunk_digits) = (self.vectors(), HALF * self.vectors());
        let words = numbers.map(<[u64]>::len).into_iter().max().expect("there are two");
        let chunks = (64 * words).div_ceil(DIGIT_BITS as usize * chunk_digits);
        let (r, r2) = (self.r.clone(), self.r2.clone());
        let mut sum = digits::zero(v);
        for chunk in (0..chunks).rev() {
            let mut low = digits::of_words(numbers, chunk * chunk_digits, v);
            self.mul_assign(&mut low, &r2);
            if chunk + 1 == chunks {
                sum = low;
                continue;
            }
            self.mul_assign(&mut sum, &r2);
            self.ifma.run(Add { z: &mut sum, x: &low });
            self.mul_assign(&mut sum, &r);
        }
        sum
    }

    /// The numbers below n whose residues are x, in as many words as n has.
    ///
    /// For x < 2n the quotient (x + m·n)/R with m < R is at most n, and it is n only in place of 0.
    pub(super) fn leave(&mut self, mut x: Pair) -> [Vec<u64>; 2] {
        self.mul_assign(&mut x, &one(self.vectors()));
        core::array::from_fn(|half| {
            let n = &self.numbers[half];
            let mut number = digits::number(&x, half, n.len());
            let is_n = u64::from(natural::is_equal(&number, n));
            let keep = core::hint::black_box(is_n.wrapping_sub(1));
            number.iter_mut().for_each(|word| *word &= keep);
            number
        })
    }

    /// z ← z·y·R⁻¹ mod n, below 2n, for z·y ≤ n·R.
    pub(super) fn mul_assign(&mut self, z: &mut [Line], y: &[Line]) {
        let Moduli { ifma, size, constants, windows, .. } = self;
        run!(ifma, *size, Multiply { constants, windows, z, y });
    }

    /// z ← z^(2^times)·R^(1 − 2^times) mod n, below 2n.
    pub(super) fn square_repeatedly(&mut self, z: &mut [Line], times: usize) {
        let Moduli { ifma, size, constants, windows, .. } = self;
        run!(ifma, *size, SquareRepeatedly { constants, windows, z, times });
    }
}

/// The number 1 twice, in digits.
fn one(vectors: usize) -> Pair {
    digits::of_digits(vectors, |_, j| u64::from(j == 0))
}

impl Constants {
    /// The constants of the moduli n.
    fn new(n: &[Line]) -> Self {
        let (v, s) = (n.len(), HALF * n.len());
        let n_prime = [0, 1].map(|half| {
            let n: Zeroizing<Vec<u64>> = Zeroizing::new((0..s).map(|j| digits::digit(n, half, j)).collect());
            exact::negative_inverse::<DIGIT_BITS>(&n)
        });
        let reversed = |half: usize, j: usize| {
            let from = if j < s { j } else { j - s + 1 };
            if from < s { digits::digit(n, half, s - 1 - from) } else { 0 }
        };
        Constants {
            n: digits::windows_of(n),
            n_prime: digits::windows_of(&digits::of_digits(v, |half, j| n_prime[half][j])),
            reversed: digits::of_digits(2 * v, reversed),
        }
    }

    /// (t + m·n)/R for the quotient m = t·n' mod R, given t mod R and the columns of t from R on: below t/R + n.
    #[inline(always)]
    fn reduce<const V: usize, const N: usize, const W: usize>(
        &self,
        ifma: Ifma,
        t: [Vector; V],
        high: [Vector; V],
    ) -> [Vector; V] {
        // Computed before the columns of the quotient, so that their sums leave the registers.
        let mut u = ifma.opaque_vectors(high);
        let n_prime = &self.n_prime[..window_lines(V)];
        let t_top = t[V - 1];
        let t = Factor::new(ifma, t);
        let mut m = [ifma.zero(); V];
        let mut carry = Carry::none(ifma);
        for_each!(COLUMN in 0 1 2 3 4 5 6 7 8 9 => {
            if const { COLUMN < V && COLUMN % W == 0 } {
                let sums = product::<V, EVERY_DIGIT, COLUMN, W>(ifma, [ifma.zero(); W], n_prime, &t);
                carry.put_digits(ifma, &mut m[COLUMN..][..W], &sums);
            }
        });
        let mut carry = Carry::of_last(self.carry_into_r(ifma, &m, t_top));
        let n = &self.n[..window_lines(V)];
        let m = Factor::new(ifma, m);
        for_each!(COLUMN in 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 => {
            if const { V <= COLUMN && COLUMN < 2 * V && COLUMN % W == V % W } {
                let mut there = [ifma.zero(); W];
                there.copy_from_slice(&u[COLUMN - V..][..W]);
                let sums = product::<V, N, COLUMN, W>(ifma, there, n, &m);
                carry.put_digits(ifma, &mut u[COLUMN - V..][..W], &sums);
            }
        });
        u
    }

    /// ⌊(t + m·n)/R⌋ minus the columns of m·n from R on, in lane 3 of each half, for a t < R with t + m·n a multiple of R.
    ///
    /// Let W = 2^52, s = 4·V, c be column s − 1 of m·n, and d be digit s − 1 of t. The columns of m·n below c and the
    /// digits of t below d sum to less than (2·s + 2)·W^(s − 1) < W^s. Together with (c + d)·W^(s − 1) they sum to a
    /// multiple of W^s, which must be ⌈(c + d)/W⌉·W^s.
    #[inline(always)]
    fn carry_into_r<const V: usize>(&self, ifma: Ifma, m: &[Vector; V], t_top: Vector) -> Vector {
        let reversed = &self.reversed[..2 * V];
        let largest = ifma.keep(0b0001_0001, ifma.splat((1 << DIGIT_BITS) - 1));
        let mut low = ifma.add(ifma.keep(0b1000_1000, t_top), largest);
        let mut high = ifma.zero();
        for k in 0..V {
            low = ifma.add_product_low(low, m[k], ifma.load(&reversed[k].0));
            high = ifma.add_product_high(high, m[k], ifma.load(&reversed[V + k].0));
        }
        ifma.shift_right::<DIGIT_BITS>(ifma.add_words_of_halves(ifma.add(low, high)))
    }
}

struct Multiply<'a, const V: usize, const N: usize, const W: usize> {
    constants: &'a Constants,
    windows: &'a mut [Line],
    z: &'a mut [Line],
    y: &'a [Line],
}

impl<const V: usize, const N: usize, const W: usize> Task<Ifma> for Multiply<'_, V, N, W> {
    type Output = ();

    #[inline(always)]
    fn run(self, ifma: Ifma) {
        put_windows::<V>(ifma, self.windows, &get(ifma, self.y));
        let windows = &self.windows[..window_lines(V)];
        let x = Factor::<V>::new(ifma, get(ifma, self.z));
        let (mut t, mut high) = ([ifma.zero(); V], [ifma.zero(); V]);
        let mut carry = Carry::none(ifma);
        for_each!(COLUMN in 0 1 2 3 4 5 6 7 8 9 => {
            if const { COLUMN < V && COLUMN % W == 0 } {
                let sums = product::<V, N, COLUMN, W>(ifma, [ifma.zero(); W], windows, &x);
                carry.put_digits(ifma, &mut t[COLUMN..][..W], &sums);
            }
        });
        high[0] = carry.to_columns(ifma);
        for_each!(COLUMN in 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 => {
            if const { V <= COLUMN && COLUMN < 2 * V && COLUMN % W == V % W } {
                let mut there = [ifma.zero(); W];
                there.copy_from_slice(&high[COLUMN - V..][..W]);
                let sums = product::<V, N, COLUMN, W>(ifma, there, windows, &x);
                high[COLUMN - V..][..W].copy_from_slice(&sums);
            }
        });
        put(ifma, self.z, &self.constants.reduce::<V, N, W>(ifma, t, high));
    }
}

struct SquareRepeatedly<'a, const V: usize, const N: usize, const W: usize> {
    constants: &'a Constants,
    windows: &'a mut [Line],
    z: &'a mut [Line],
    times: usize,
}

impl<const V: usize, const N: usize, const W: usize> Task<Ifma> for SquareRepeatedly<'_, V, N, W> {
    type Output = ();

    #[inline(always)]
    fn run(self, ifma: Ifma) {
        let masks = Masks::new(ifma);
        let mut power = get(ifma, self.z);
        for _ in 0..self.times {
            put_windows::<V>(ifma, self.windows, &power);
            let windows = &self.windows[..window_lines(V)];
            let x = Factor::<V>::new(ifma, power);
            let (mut t, mut high) = ([ifma.zero(); V], [ifma.zero(); V]);
            let mut carry = Carry::none(ifma);
            for_each!(COLUMN in 0 1 2 3 4 5 6 7 8 9 => {
                if const { COLUMN < V && COLUMN % W == 0 } {
                    let sums = square::<V, N, COLUMN, W>(ifma, masks, ifma.zero(), windows, &x);
                    carry.put_digits(ifma, &mut t[COLUMN..][..W], &sums);
                }
            });
            high[0] = carry.to_columns(ifma);
            for_each!(COLUMN in 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 => {
                if const { V <= COLUMN && COLUMN < 2 * V && COLUMN % W == V % W } {
                    let sums = square::<V, N, COLUMN, W>(ifma, masks, high[COLUMN - V], windows, &x);
                    high[COLUMN - V..][..W].copy_from_slice(&sums);
                }
            });
            power = self.constants.reduce::<V, N, W>(ifma, t, high);
        }
        put(ifma, self.z, &power);
    }
}

/// z ← z + x, for a sum below R.
struct Add<'a> {
    z: &'a mut [Line],
    x: &'a [Line],
}

impl Task<Ifma> for Add<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self, ifma: Ifma) {
        let mut carry = Carry::none(ifma);
        for (z, x) in self.z.iter_mut().zip(self.x) {
            let digits = carry.digits(ifma, ifma.add(ifma.load(&z.0), ifma.load(&x.0)));
            ifma.store(&mut z.0, digits);
        }
    }
}
