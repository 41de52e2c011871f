//! Eight odd moduli, one in each lane, and Montgomery arithmetic modulo them.
//!
//! R = 2^(52·D) ≥ 16n for every n. A digit is a limb of 52 bits. The residue of y is any number x < 4n with
//! x = y·R mod n, in digits below 2^52.

use super::columns;
use super::digits::{self, Digits, Numbers};
use super::reduction::Divisors;
use super::table::Reading;
use crate::arch::x86_64::ifma::{DIGIT_BITS, Ifma, LANES, Mask, Vector};
use crate::arch::{InstructionSet, Task};
use crate::n0;
use crate::natural;
use crate::ring::Integers;
use alloc::vec::Vec;

/// Calls a function for the number of digits, with the best size of blocks. Moduli of 256, 512 and 1024 bits have
/// code of their own, in which the compiler knows the lengths of loops. Blocks of 5 save additions, unless rows are left over.
macro_rules! by_digits {
    ($d:expr, $function:ident($($argument:expr),*)) => {
        match $d {
            5 => $function::<5>(5, $($argument),*),
            10 => $function::<5>(10, $($argument),*),
            20 => $function::<5>(20, $($argument),*),
            d if d % 5 == 0 => $function::<5>(d, $($argument),*),
            d => $function::<4>(d, $($argument),*),
        }
    };
}

/// The D from which on the reduction of a square has enough idle units for reading a whole table.
const READING_IN_REDUCTIONS: usize = 20;

/// D for moduli of at most n_bits bits; at least a block.
pub(super) fn digits_for(n_bits: usize) -> usize {
    (n_bits + 4).div_ceil(DIGIT_BITS as usize).max(4)
}

/// The moduli with their constants, and the columns of a product.
#[derive(Clone)]
pub(super) struct Moduli {
    ifma: Ifma,
    divisors: Divisors,
    /// R mod n, the residue of 1.
    r: Numbers,
    /// R² mod n, below n.
    r2: Numbers,
    columns: Numbers,
}

impl Moduli {
    /// The constants of odd moduli of more than 1 bit.
    pub(super) fn new(ifma: Ifma, moduli: [&[u64]; LANES]) -> Self {
        let bits = moduli.map(natural::bit_length);
        let d = digits_for(bits.into_iter().max().expect("there are eight"));
        let n = digits::of_words(ifma, &digits::words(moduli), 0, d);
        let n0 = Digits(moduli.map(|n| n0::newton_hensel::<Integers<u64>>(n[0])));
        let divisors = ifma.run(NewDivisors { n, n0 });
        let [r, r2] = [digits::zero(d), digits::zero(d)];
        let mut moduli = Moduli { ifma, divisors, r, r2, columns: digits::zero(2 * d) };
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

    /// The residues of numbers of any length.
    pub(super) fn enter(&mut self, numbers: [&[u64]; LANES]) -> Numbers {
        let mut z = self.zero();
        self.enter_words(&mut z, &digits::words(numbers));
        z
    }

    /// Sets z to the residues of the numbers with these words, by Horner's rule, D digits at a time. A chunk c < R need not
    /// be below n: c·(R² mod n)/R + 2n is below 3n, too.
    pub(super) fn enter_words(&mut self, z: &mut [Digits], words: &[Digits]) {
        let (ifma, d) = (self.ifma, self.digits());
        let highest = (64 * words.len()).div_ceil(DIGIT_BITS as usize * d).saturating_sub(1);
        let r2 = core::mem::take(&mut self.r2);
        digits::set_from_words(ifma, z, words, highest * d);
        self.mul_assign(z, &r2);
        for chunk in (0..highest).rev() {
            let mut low = digits::of_words(ifma, words, chunk * d, d);
            self.mul_assign(&mut low, &r2);
            self.mul_assign(z, &r2);
            ifma.run(Add { moduli: self, z, x: &mut low });
        }
        self.r2 = r2;
    }

    /// The residue of 1.
    pub(super) fn one(&self) -> &Numbers {
        &self.r
    }

    /// The numbers whose residues are x, in `words` words each.
    pub(super) fn leave(&mut self, mut x: Numbers, words: &[usize]) -> Vec<Vec<u64>> {
        self.divide_by_r(&mut x);
        digits::numbers(self.ifma, &x, words, &mut digits::zero(0))
    }

    /// z ← z·R⁻¹ mod n, below n.
    pub(super) fn divide_by_r(&mut self, z: &mut [Digits]) {
        self.ifma.run(Leave { moduli: self, z });
    }

    /// z ← z mod n.
    #[cfg(feature = "columns")]
    pub(super) fn reduce(&mut self, z: &mut [Digits]) {
        self.ifma.run(Canonical { moduli: self, z });
    }

    /// z ← z·y·R⁻¹ mod n, below 3n.
    pub(super) fn mul_assign(&mut self, z: &mut [Digits], y: &[Digits]) {
        self.ifma.run(MulAssign { moduli: self, z, y });
    }

    /// z ← z²·R⁻¹ mod n, below 3n.
    pub(super) fn square_assign(&mut self, z: &mut [Digits]) {
        self.square_assign_reading(z, &mut Reading::of_nothing());
    }

    /// z ← z²·R⁻¹ mod n, below 3n, while a table is being read.
    pub(super) fn square_assign_reading(&mut self, z: &mut [Digits], reading: &mut Reading<'_>) {
        self.ifma.run(SquareAssign { moduli: self, z, reading });
    }

    /// z ← z − x mod n, below 2n; x becomes x mod n.
    pub(super) fn sub_assign(&mut self, z: &mut [Digits], x: &mut [Digits]) {
        self.ifma.run(SubAssign { moduli: self, z, x });
    }

    /// Computes R mod n and R² mod n, for moduli of these bit lengths.
    ///
    /// The Montgomery square of R·2^a is R·2^(2a). Doublings lead from the highest power of 2 below n to R, and on to
    /// R·2^a for a = ⌊52·D/2^SQUARES⌋; lanes with larger moduli begin later. From there a square for each of the
    /// lowest SQUARES bits of 52·D, and a doubling where the bit is 1, lead to R·2^(52·D) = R².
    fn compute_powers_of_r(&mut self, bits: [usize; LANES]) {
        const SQUARES: usize = 6;
        let ifma = self.ifma;
        let r_bits = DIGIT_BITS as usize * self.digits();
        let a = r_bits >> SQUARES;
        let doublings = bits.map(|bits| r_bits + a - (bits - 1));
        let mut z = self.zero();
        for (lane, bits) in bits.into_iter().enumerate() {
            let (digit, shift) = ((bits - 1) / DIGIT_BITS as usize, (bits - 1) % DIGIT_BITS as usize);
            z[digit].0[lane] = 1 << shift;
        }
        for left in (0..doublings.into_iter().max().expect("there are eight")).rev() {
            let lanes = (0..LANES).map(|lane| Mask::from(left < doublings[lane]) << lane).sum();
            ifma.run(Double { moduli: self, z: &mut z, lanes });
            if left == a {
                self.r.copy_from_slice(&z);
            }
        }
        for bit in (0..SQUARES).rev() {
            self.square_assign(&mut z);
            if r_bits >> bit & 1 == 1 {
                ifma.run(Canonical { moduli: self, z: &mut z });
                ifma.run(Double { moduli: self, z: &mut z, lanes: Mask::MAX });
            }
        }
        ifma.run(Canonical { moduli: self, z: &mut z });
        self.r2 = z;
    }

    /// z ← z mod n, for z below 4n.
    #[inline(always)]
    fn canonical(&mut self, z: &mut [Digits]) {
        self.subtract::<true>(z);
        self.subtract::<false>(z);
    }

    /// z ← 2z mod n in these lanes, for z below n.
    #[inline(always)]
    fn double(&mut self, z: &mut [Digits], lanes: Mask) {
        let mut below = self.ifma.zero();
        for digit in z.iter_mut() {
            let old = self.ifma.load(&digit.0);
            let new = doubled(self.ifma, old, below);
            self.ifma.store(&mut digit.0, self.ifma.select(lanes, old, new));
            below = old;
        }
        self.subtract::<false>(z);
    }

    /// z ← z − n, or z − 2n if TWICE, where that is not negative.
    #[inline(always)]
    fn subtract<const TWICE: bool>(&mut self, z: &mut [Digits]) {
        let ifma = self.ifma;
        let mask = ifma.splat((1 << DIGIT_BITS) - 1);
        let (mut below, mut borrow) = (ifma.zero(), ifma.zero());
        for ((digit, n), difference) in z.iter().zip(self.divisors.n.iter()).zip(self.columns.iter_mut()) {
            let n = ifma.load(&n.0);
            let subtrahend = if TWICE { doubled(ifma, n, below) } else { n };
            let wide = ifma.sub(ifma.sub(ifma.load(&digit.0), subtrahend), borrow);
            ifma.store(&mut difference.0, ifma.and(wide, mask));
            borrow = ifma.shift_right::<63>(wide);
            below = n;
        }
        let is_negative = ifma.is_below(ifma.zero(), borrow);
        for (digit, difference) in z.iter_mut().zip(self.columns.iter()) {
            let smaller = ifma.select(is_negative, ifma.load(&difference.0), ifma.load(&digit.0));
            ifma.store(&mut digit.0, smaller);
        }
    }
}

/// The digit of 2x, given the same digit of x and the digit below it.
#[inline(always)]
fn doubled(ifma: Ifma, digit: Vector, below: Vector) -> Vector {
    let mask = ifma.splat((1 << DIGIT_BITS) - 1);
    ifma.and(ifma.or(ifma.shift_left::<1>(digit), ifma.shift_right::<{ DIGIT_BITS - 1 }>(below)), mask)
}

/// Methods as tasks for the instruction set.
macro_rules! tasks {
    ($($task:ident<$($life:lifetime),+> { $($field:ident: $kind:ty),* } |$this:ident, $ifma:ident| $body:block)*) => {$(
        struct $task<$($life),+> {
            moduli: &'a mut Moduli,
            $($field: $kind),*
        }

        impl<$($life),+> Task<Ifma> for $task<$($life),+> {
            type Output = ();

            #[inline(always)]
            fn run(self, $ifma: Ifma) {
                let $this = self;
                $body
            }
        }
    )*};
}

tasks! {
    MulAssign<'a> { z: &'a mut [Digits], y: &'a [Digits] } |this, ifma| {
        by_digits!(this.z.len(), mul_assign(ifma, this.moduli, this.z, this.y));
    }
    SquareAssign<'a, 'r> { z: &'a mut [Digits], reading: &'a mut Reading<'r> } |this, ifma| {
        by_digits!(this.z.len(), square_assign(ifma, this.moduli, this.z, this.reading));
    }
    // z ← z·R⁻¹ mod n for z < 4n.
    Leave<'a> { z: &'a mut [Digits] } |this, ifma| {
        by_digits!(this.z.len(), divide_by_r(ifma, this.moduli, this.z));
        this.moduli.canonical(this.z);
    }
    Canonical<'a> { z: &'a mut [Digits] } |this, _ifma| {
        this.moduli.canonical(this.z);
    }
    Double<'a> { z: &'a mut [Digits], lanes: Mask } |this, _ifma| {
        this.moduli.double(this.z, this.lanes);
    }
    // z ← z + x mod n, below 2n, for z, x < 4n.
    Add<'a> { z: &'a mut [Digits], x: &'a mut [Digits] } |this, ifma| {
        this.moduli.canonical(this.z);
        this.moduli.canonical(this.x);
        let mut carry = ifma.zero();
        for (digit, x) in this.z.iter_mut().zip(this.x.iter()) {
            let sum = ifma.add(ifma.add(ifma.load(&digit.0), ifma.load(&x.0)), carry);
            carry = ifma.shift_right::<DIGIT_BITS>(sum);
            ifma.store(&mut digit.0, ifma.and(sum, ifma.splat((1 << DIGIT_BITS) - 1)));
        }
    }
    // z ← z + n + (R − 1 − x) + 1 mod R, for z, x < n once they are canonical.
    SubAssign<'a> { z: &'a mut [Digits], x: &'a mut [Digits] } |this, ifma| {
        this.moduli.canonical(this.z);
        this.moduli.canonical(this.x);
        let mask = ifma.splat((1 << DIGIT_BITS) - 1);
        let mut carry = ifma.splat(1);
        for ((digit, x), n) in this.z.iter_mut().zip(this.x.iter()).zip(this.moduli.divisors.n.iter()) {
            let difference = ifma.sub(ifma.add(ifma.load(&digit.0), mask), ifma.load(&x.0));
            let sum = ifma.add(ifma.add(difference, ifma.load(&n.0)), carry);
            carry = ifma.shift_right::<DIGIT_BITS>(sum);
            ifma.store(&mut digit.0, ifma.and(sum, mask));
        }
    }
}

/// The constants of moduli.
struct NewDivisors {
    n: Numbers,
    n0: Digits,
}

impl Task<Ifma> for NewDivisors {
    type Output = Divisors;

    #[inline(always)]
    fn run(self, ifma: Ifma) -> Divisors {
        by_digits!(self.n.len(), new_divisors(ifma, self.n, self.n0))
    }
}

#[inline(always)]
fn new_divisors<const B: usize>(_d: usize, ifma: Ifma, n: Numbers, n0: Digits) -> Divisors {
    Divisors::new::<B>(ifma, n, n0)
}

/// z ← z·y·R⁻¹ mod n of D digits.
#[inline(always)]
fn mul_assign<const B: usize>(d: usize, ifma: Ifma, moduli: &mut Moduli, z: &mut [Digits], y: &[Digits]) {
    let Moduli { columns, divisors, .. } = moduli;
    columns::product::<B>(ifma, &mut columns[..2 * d], &z[..d], &y[..d]);
    divisors.reduce::<B>(ifma, d, z, columns, &mut Reading::of_nothing());
}

/// z ← z²·R⁻¹ mod n of D digits, while a table is read by units for loads and selections that IFMA leaves idle.
#[inline(always)]
fn square_assign<const B: usize>(
    d: usize,
    ifma: Ifma,
    moduli: &mut Moduli,
    z: &mut [Digits],
    reading: &mut Reading<'_>,
) {
    let Moduli { columns, divisors, .. } = moduli;
    // Reductions have more idle units than the products before them: if these suffice, the products read nothing.
    let mut nothing = Reading::of_nothing();
    let meanwhile = if d < READING_IN_REDUCTIONS { &mut *reading } else { &mut nothing };
    columns::square::<B>(ifma, &mut columns[..2 * d], &z[..d], meanwhile);
    divisors.reduce::<B>(ifma, d, z, columns, reading);
}

/// z ← z·R⁻¹ mod n of D digits.
#[inline(always)]
fn divide_by_r<const B: usize>(d: usize, ifma: Ifma, moduli: &mut Moduli, z: &mut [Digits]) {
    let Moduli { columns, divisors, .. } = moduli;
    columns[..d].copy_from_slice(z);
    columns[d..].fill(Digits::default());
    divisors.reduce::<B>(ifma, d, z, columns, &mut Reading::of_nothing());
}
