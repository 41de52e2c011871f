//! Montgomery's reduction by blocks of B digits. Only the last block's quotient takes a product. A digit is a limb of
//! 51 bits.

use super::columns::{RAISED_CARRY, Window, carried, carry, factors, low_product, lowest, raised};
use super::digits::{self, Numbers};
use super::{DIGIT_BITS, HIGH_BIAS};
use crate::arch::x86_64::fma::{Digits, Factor, Fma, LOW_BIAS, Line, Vector};

/// The digits of a block.
pub(super) const ROWS: usize = 3;

/// Four moduli of D digits each, and the constants of their reduction.
#[derive(Clone)]
pub(super) struct Divisors {
    /// n.
    pub(super) n: Numbers,
    /// The digits of −n⁻¹ mod 2^(51·B).
    n0: [Digits; ROWS],
    /// (n·(−n⁻¹ mod 2^(51·B)) + 1)/2^(51·B), below n.
    m: Numbers,
    /// The same for the D mod B digits before the first block; unused where there are none.
    m_first: Numbers,
}

impl Divisors {
    /// The constants of the moduli n, given −n⁻¹ mod 2^51.
    #[inline(always)]
    pub(super) fn new(fma: Fma, n: Numbers, n0: Digits) -> Self {
        let mut m = digits::zero(n.len());
        m[0] = Digits([1.0; 4]);
        let mut divisors = Divisors { n, n0: [Digits::default(); ROWS], m_first: digits::zero(0), m };
        for k in 0..ROWS {
            if k == divisors.n.len() % ROWS {
                divisors.m_first = divisors.m.clone();
            }
            divisors.n0[k] = divide(fma, &mut divisors.m, &divisors.n, &n0);
        }
        divisors
    }

    /// z = t·R⁻¹ mod n for the number t in 2·D columns, below t/R + 2n, which must be below R. D ≥ B.
    ///
    /// Let q be the number in the B lowest digits of t. Then (t − q)/2^(51·B) + q·m is t·2^(−51·B) mod n, because it
    /// adds q·(m·2^(51·B) − 1) to t before it divides. This is a multiple of n, and below q·2^(51·B)·n. The last
    /// block adds (q·n0 mod 2^(51·B))·n. Together the blocks add less than 2·R·n.
    #[inline(always)]
    pub(super) fn reduce(&self, fma: Fma, d: usize, z: &mut [Digits], t: &mut [Line]) {
        const B: usize = ROWS;
        let mut t = match d % B {
            0 => t,
            1 => self.reduce_first::<1>(fma, d, t),
            _ => self.reduce_first::<2>(fma, d, t),
        };
        let (mut quotient, mut above) = carried(fma, lowest::<B>(fma, t));
        for _ in 1..d / B {
            t = &mut t[B..];
            let mut window = Window::<B>::new(fma, with_carry(fma, t, above));
            // The next block's quotient comes first: its carries move on while the other columns grow.
            let mut next = [fma.zero(); B];
            for j in 0..B {
                next[j] = window.step(&quotient, fma.load_digits(&self.m[j]), fma.load(&t[j + B]));
            }
            let this = quotient;
            (quotient, above) = carried(fma, next);
            window.sweep(&this, &self.m[B..d], &mut t[B..]);
        }
        self.reduce_last(fma, d, z, quotient, above, &t[B..]);
    }

    /// The block before the first, of D mod B digits; returns the columns above it.
    #[inline(always)]
    fn reduce_first<'t, const B: usize>(&self, fma: Fma, d: usize, t: &'t mut [Line]) -> &'t mut [Line] {
        let (quotient, above) = carried(fma, lowest::<B>(fma, t));
        let t = &mut t[B..];
        Window::new(fma, with_carry(fma, t, above)).sweep(&quotient, &self.m_first[..d], t);
        t
    }

    /// Reduces the last block, given its digits, their carry, and the D columns above them. z becomes the digits of
    /// the result.
    #[inline(always)]
    fn reduce_last<const B: usize>(
        &self,
        fma: Fma,
        d: usize,
        z: &mut [Digits],
        block: [Factor; B],
        above: Vector,
        t: &[Line],
    ) {
        let mask = fma.splat((1 << DIGIT_BITS) - 1);
        let (n, t) = (&self.n[..d], &t[..d]);
        let quotient = low_product(fma, &block, &factors(fma, &self.n0));
        // The digits of the block are columns anew, raised as all are: the one above them then has a carry too much.
        let mut columns = [fma.zero(); B];
        for k in 0..B {
            columns[k] = fma.add(fma.integer(block[k]), fma.splat(raised(k)));
        }
        let mut window = Window::new(fma, columns);
        let mut above_next = fma.sub(above, fma.splat(RAISED_CARRY));
        let mut below = fma.zero();
        for j in 0..d {
            let next = fma.add(fma.load(&t[j]), above_next);
            above_next = fma.zero();
            let column = fma.add(window.step(&quotient, fma.load_digits(&n[j]), next), below);
            below = carry(fma, column);
            if j >= B {
                fma.store_digits(&mut z[j - B], fma.factor(fma.and(column, mask)));
            }
        }
        for (digit, sum) in z[d - B..].iter_mut().zip(window.columns()) {
            let column = fma.add(sum, below);
            below = carry(fma, column);
            fma.store_digits(digit, fma.factor(fma.and(column, mask)));
        }
    }
}

/// The B lowest columns of t, with a carry in the lowest.
#[inline(always)]
fn with_carry<const B: usize>(fma: Fma, t: &[Line], above: Vector) -> [Vector; B] {
    let mut columns = lowest(fma, t);
    columns[0] = fma.add(columns[0], above);
    columns
}

/// z ← (z + q·n)/2^51 for q = z·n0 mod 2^51, which is returned.
#[inline(always)]
fn divide(fma: Fma, z: &mut [Digits], n: &[Digits], n0: &Digits) -> Digits {
    let (d, mask) = (n.len(), fma.splat((1 << DIGIT_BITS) - 1));
    // The bias of a low part is 0 mod 2^51.
    let (low, _) = fma.product::<HIGH_BIAS>(fma.load_digits(&z[0]), fma.load_digits(n0));
    let quotient = fma.factor(fma.and(low, mask));
    // What enters column j from below: the high part and the carry.
    let mut below = fma.zero();
    for j in 0..=d {
        let mut column = fma.add(below, fma.splat(raised(j)));
        below = fma.zero();
        if j < d {
            let (low, high) = fma.product::<HIGH_BIAS>(quotient, fma.load_digits(&n[j]));
            let sum = fma.add(fma.load_integers(&z[j]), fma.sub(low, fma.splat(LOW_BIAS)));
            column = fma.add(column, sum);
            below = fma.sub(high, fma.splat(HIGH_BIAS));
        }
        below = fma.add(below, carry(fma, column));
        if j > 0 {
            fma.store_digits(&mut z[j - 1], fma.factor(fma.and(column, mask)));
        }
    }
    let mut digit = Digits::default();
    fma.store_digits(&mut digit, quotient);
    digit
}
