//! Four odd moduli, one in each lane, and Montgomery arithmetic modulo them.
//!
//! R = 2^(51·D) ≥ 16n for every n. A digit is a limb of 51 bits. The residue of y is any number x < 4n with
//! x = y·R mod n, in digits below 2^51.

use super::digits::{self, Lines, Numbers};
use super::reduction::{Divisors, ROWS};
use super::{DIGIT_BITS, columns};
use crate::arch::x86_64::fma::{Digits, Fma, LANES, Line, Vector};
use crate::arch::{InstructionSet, Task};
use crate::n0;
use crate::natural;
use crate::ring::Integers;
use alloc::vec::Vec;

/// Calls a function for the number of digits. Moduli of 256, 512 and 1024 bits have code of their own, in which the
/// compiler knows the lengths of loops.
macro_rules! by_digits {
    ($d:expr, $function:ident($($argument:expr),*)) => {
        match $d {
            6 => $function(6, $($argument),*),
            11 => $function(11, $($argument),*),
            21 => $function(21, $($argument),*),
            d => $function(d, $($argument),*),
        }
    };
}

/// D for moduli of at most n_bits bits; at least a block.
pub(super) fn digits_for(n_bits: usize) -> usize {
    (n_bits + 4).div_ceil(DIGIT_BITS as usize).max(ROWS)
}

/// The moduli with their constants, and space for a product.
#[derive(Clone)]
pub(super) struct Moduli {
    fma: Fma,
    divisors: Divisors,
    /// R mod n, the residue of 1.
    r: Numbers,
    /// R² mod n, below n.
    r2: Numbers,
    columns: Lines,
    /// Twice the factor of a square.
    doubled: Numbers,
}

impl Moduli {
    /// The constants of odd moduli of more than 1 bit.
    pub(super) fn new(fma: Fma, moduli: [&[u64]; LANES]) -> Self {
        let bits = moduli.map(natural::bit_length);
        let d = digits_for(bits.into_iter().max().expect("there are four"));
        let n = digits::of_words(fma, &digits::words(moduli), 0, d);
        let n0 = moduli.map(|n| n0::newton_hensel::<Integers<u64>>(n[0]) & ((1 << DIGIT_BITS) - 1));
        let divisors = fma.run(NewDivisors { n, n0: Digits(n0.map(|digit| digit as f64)) });
        let [r, r2, doubled] = [digits::zero(d), digits::zero(d), digits::zero(d)];
        let mut moduli = Moduli { fma, divisors, r, r2, columns: digits::lines(2 * d), doubled };
        moduli.compute_powers_of_r(bits);
        moduli
    }

    /// D, the digits of a residue.
    pub(super) fn digits(&self) -> usize {
        self.divisors.n.len()
    }

    /// Space for a residue.
    pub(super) fn zero(&self) -> Numbers {
        digits::zero(self.digits())
    }

    /// The residues of numbers of any length, by Horner's rule, D digits at a time. A chunk c < R need not be below n:
    /// c·(R² mod n)/R + 2n is below 3n, too.
    pub(super) fn enter(&mut self, numbers: [&[u64]; LANES]) -> Numbers {
        let (fma, d, words) = (self.fma, self.digits(), digits::words(numbers));
        let highest = (64 * words.len()).div_ceil(DIGIT_BITS as usize * d).saturating_sub(1);
        let r2 = core::mem::take(&mut self.r2);
        let mut z = digits::of_words(fma, &words, highest * d, d);
        self.mul_assign(&mut z, &r2);
        for chunk in (0..highest).rev() {
            let mut low = digits::of_words(fma, &words, chunk * d, d);
            self.mul_assign(&mut low, &r2);
            self.mul_assign(&mut z, &r2);
            fma.run(Add { moduli: self, z: &mut z, x: &mut low });
        }
        self.r2 = r2;
        z
    }

    /// The residue of 1.
    pub(super) fn one(&self) -> &Numbers {
        &self.r
    }

    /// The numbers whose residues are x, in `words` words each.
    pub(super) fn leave(&mut self, mut x: Numbers, words: &[usize]) -> Vec<Vec<u64>> {
        self.fma.run(Leave { moduli: self, z: &mut x });
        digits::numbers(self.fma, &x, words)
    }

    /// z ← z·y·R⁻¹ mod n, below 3n.
    pub(super) fn mul_assign(&mut self, z: &mut [Digits], y: &[Digits]) {
        self.fma.run(MulAssign { moduli: self, z, y });
    }

    /// z ← z²·R⁻¹ mod n, below 3n, so many times.
    pub(super) fn square_repeatedly(&mut self, z: &mut [Digits], times: usize) {
        self.fma.run(SquareRepeatedly { moduli: self, z, times });
    }

    /// z ← z − x mod n, below 2n; x becomes x mod n.
    pub(super) fn sub_assign(&mut self, z: &mut [Digits], x: &mut [Digits]) {
        self.fma.run(SubAssign { moduli: self, z, x });
    }

    /// Computes R mod n and R² mod n, for moduli of these bit lengths.
    ///
    /// The Montgomery square of R·2^a is R·2^(2a). Doublings lead from the highest power of 2 below n to R, and on to
    /// R·2^a for a = ⌊51·D/2^SQUARES⌋; lanes with larger moduli begin later. From there a square for each of the
    /// lowest SQUARES bits of 51·D, and a doubling where the bit is 1, lead to R·2^(51·D) = R².
    fn compute_powers_of_r(&mut self, bits: [usize; LANES]) {
        const SQUARES: usize = 6;
        let fma = self.fma;
        let r_bits = DIGIT_BITS as usize * self.digits();
        let a = r_bits >> SQUARES;
        let doublings = bits.map(|bits| r_bits + a - (bits - 1));
        let mut z = self.zero();
        for (lane, bits) in bits.into_iter().enumerate() {
            let (digit, shift) = ((bits - 1) / DIGIT_BITS as usize, (bits - 1) % DIGIT_BITS as usize);
            z[digit].0[lane] = (1_u64 << shift) as f64;
        }
        for left in (0..doublings.into_iter().max().expect("there are four")).rev() {
            let lanes = Line(doublings.map(|doublings| u64::from(left < doublings).wrapping_neg()));
            fma.run(Double { moduli: self, z: &mut z, lanes });
            if left == a {
                self.r.copy_from_slice(&z);
            }
        }
        for bit in (0..SQUARES).rev() {
            self.square_repeatedly(&mut z, 1);
            if r_bits >> bit & 1 == 1 {
                fma.run(Canonical { moduli: self, z: &mut z });
                fma.run(Double { moduli: self, z: &mut z, lanes: Line([u64::MAX; LANES]) });
            }
        }
        fma.run(Canonical { moduli: self, z: &mut z });
        self.r2 = z;
    }

    /// z ← z mod n, for z below 4n.
    #[inline(always)]
    fn canonical(&mut self, z: &mut [Digits]) {
        self.subtract::<true>(z);
        self.subtract::<false>(z);
    }

    /// z ← 2z mod n in the lanes whose words have all bits, for z below n.
    #[inline(always)]
    fn double(&mut self, z: &mut [Digits], lanes: &Line) {
        let fma = self.fma;
        let (mut below, lanes) = (fma.zero(), fma.load(lanes));
        for digit in z.iter_mut() {
            let old = fma.load_integers(digit);
            let new = doubled(fma, old, below);
            fma.store_digits(digit, fma.factor(fma.select(lanes, old, new)));
            below = old;
        }
        self.subtract::<false>(z);
    }

    /// z ← z − n, or z − 2n if TWICE, where that is not negative.
    #[inline(always)]
    fn subtract<const TWICE: bool>(&mut self, z: &mut [Digits]) {
        let fma = self.fma;
        let mask = fma.splat((1 << DIGIT_BITS) - 1);
        let (mut below, mut borrow) = (fma.zero(), fma.zero());
        for ((digit, n), difference) in z.iter().zip(self.divisors.n.iter()).zip(self.columns.iter_mut()) {
            let n = fma.load_integers(n);
            let subtrahend = if TWICE { doubled(fma, n, below) } else { n };
            let minuend = fma.load_integers(digit);
            let wide = fma.sub(fma.sub(minuend, subtrahend), borrow);
            fma.store(difference, fma.and(wide, mask));
            borrow = fma.shift_right::<63>(wide);
            below = n;
        }
        let is_negative = fma.sub(fma.zero(), borrow);
        for (digit, difference) in z.iter_mut().zip(self.columns.iter()) {
            let (old, difference) = (fma.load_digits(digit), fma.factor(fma.load(difference)));
            fma.store_digits(digit, fma.select_digits(is_negative, difference, old));
        }
    }
}

/// The digit of 2x, given the same digit of x and the digit below it.
#[inline(always)]
fn doubled(fma: Fma, digit: Vector, below: Vector) -> Vector {
    let mask = fma.splat((1 << DIGIT_BITS) - 1);
    let carry = fma.shift_right::<{ DIGIT_BITS as i32 - 1 }>(below);
    fma.and(fma.or(fma.shift_left::<1>(digit), carry), mask)
}

/// Methods as tasks for the instruction set.
macro_rules! tasks {
    ($($task:ident { $($field:ident: $kind:ty),* } |$this:ident, $fma:ident| $body:block)*) => {$(
        struct $task<'a> {
            moduli: &'a mut Moduli,
            $($field: $kind),*
        }

        impl Task<Fma> for $task<'_> {
            type Output = ();

            #[inline(always)]
            fn run(self, $fma: Fma) {
                let $this = self;
                $body
            }
        }
    )*};
}

tasks! {
    MulAssign { z: &'a mut [Digits], y: &'a [Digits] } |this, fma| {
        by_digits!(this.z.len(), mul_assign(fma, this.moduli, this.z, this.y));
    }
    SquareRepeatedly { z: &'a mut [Digits], times: usize } |this, fma| {
        by_digits!(this.z.len(), square_repeatedly(fma, this.moduli, this.z, this.times));
    }
    // z ← z·R⁻¹ mod n for z < 4n.
    Leave { z: &'a mut [Digits] } |this, fma| {
        by_digits!(this.z.len(), divide_by_r(fma, this.moduli, this.z));
        this.moduli.canonical(this.z);
    }
    Canonical { z: &'a mut [Digits] } |this, _fma| {
        this.moduli.canonical(this.z);
    }
    Double { z: &'a mut [Digits], lanes: Line } |this, _fma| {
        this.moduli.double(this.z, &this.lanes);
    }
    // z ← z + x mod n, below 2n, for z, x < 4n.
    Add { z: &'a mut [Digits], x: &'a mut [Digits] } |this, fma| {
        this.moduli.canonical(this.z);
        this.moduli.canonical(this.x);
        let mut carry = fma.zero();
        for (digit, x) in this.z.iter_mut().zip(this.x.iter()) {
            let sum = fma.add(fma.add(fma.load_integers(digit), fma.load_integers(x)), carry);
            carry = columns::carry(fma, sum);
            fma.store_digits(digit, fma.factor(fma.and(sum, fma.splat((1 << DIGIT_BITS) - 1))));
        }
    }
    // z ← z + n + (R − 1 − x) + 1 mod R, for z, x < n once they are canonical.
    SubAssign { z: &'a mut [Digits], x: &'a mut [Digits] } |this, fma| {
        this.moduli.canonical(this.z);
        this.moduli.canonical(this.x);
        let mask = fma.splat((1 << DIGIT_BITS) - 1);
        let mut carry = fma.splat(1);
        for ((digit, x), n) in this.z.iter_mut().zip(this.x.iter()).zip(this.moduli.divisors.n.iter()) {
            let difference = fma.sub(fma.add(fma.load_integers(digit), mask), fma.load_integers(x));
            let sum = fma.add(fma.add(difference, fma.load_integers(n)), carry);
            carry = columns::carry(fma, sum);
            fma.store_digits(digit, fma.factor(fma.and(sum, mask)));
        }
    }
}

/// The constants of moduli.
struct NewDivisors {
    n: Numbers,
    n0: Digits,
}

impl Task<Fma> for NewDivisors {
    type Output = Divisors;

    #[inline(always)]
    fn run(self, fma: Fma) -> Divisors {
        Divisors::new(fma, self.n, self.n0)
    }
}

/// z ← z·y·R⁻¹ mod n of D digits.
#[inline(always)]
fn mul_assign(d: usize, fma: Fma, moduli: &mut Moduli, z: &mut [Digits], y: &[Digits]) {
    let Moduli { columns, divisors, .. } = moduli;
    columns::product::<ROWS>(fma, &mut columns[..2 * d], &z[..d], &y[..d]);
    divisors.reduce(fma, d, z, columns);
}

/// z ← z²·R⁻¹ mod n of D digits, so many times.
#[inline(always)]
fn square_repeatedly(d: usize, fma: Fma, moduli: &mut Moduli, z: &mut [Digits], times: usize) {
    let Moduli { columns, doubled, divisors, .. } = moduli;
    for _ in 0..times {
        columns::square::<ROWS>(fma, &mut columns[..2 * d], &z[..d], doubled);
        divisors.reduce(fma, d, z, columns);
    }
}

/// z ← z·R⁻¹ mod n of D digits.
#[inline(always)]
fn divide_by_r(d: usize, fma: Fma, moduli: &mut Moduli, z: &mut [Digits]) {
    let Moduli { columns, divisors, .. } = moduli;
    columns::clear(fma, &mut columns[..2 * d]);
    for (column, digit) in columns[..d].iter_mut().zip(z.iter()) {
        let sum = fma.add(fma.load(column), fma.load_integers(digit));
        fma.store(column, sum);
    }
    divisors.reduce(fma, d, z, columns);
}
