//! Montgomery's reduction by blocks of B digits. Only the last block's quotient takes a product. A digit is a limb of
//! 52 bits.

use super::columns::{Window, carry, lowest};
use super::digits::{self, Digits, Numbers};
use super::table::Reading;
use crate::arch::x86_64::ifma::{DIGIT_BITS, Ifma, Vector};

/// The most digits of a block.
pub(super) const MOST_ROWS: usize = 5;

/// Eight moduli of D digits each, and the constants of their reduction.
#[derive(Clone)]
pub(super) struct Divisors {
    /// n.
    pub(super) n: Numbers,
    /// The digits of −n⁻¹ mod 2^(52·B).
    n0: [Digits; MOST_ROWS],
    /// (n·(−n⁻¹ mod 2^(52·B)) + 1)/2^(52·B), below n.
    m: Numbers,
    /// The same for the D mod B digits before the first block; unused where there are none.
    m_first: Numbers,
}

impl Divisors {
    /// The constants of the moduli n, given −n⁻¹ mod 2^52.
    #[inline(always)]
    pub(super) fn new<const B: usize>(ifma: Ifma, n: Numbers, n0: Digits) -> Self {
        let mut m = digits::zero(n.len());
        m[0] = Digits([1; 8]);
        let mut divisors = Divisors { n, n0: [Digits::default(); MOST_ROWS], m_first: digits::zero(0), m };
        for k in 0..B {
            if k == divisors.n.len() % B {
                divisors.m_first = divisors.m.clone();
            }
            divisors.n0[k] = divide(ifma, &mut divisors.m, &divisors.n, &n0);
        }
        divisors
    }

    /// z = t·R⁻¹ mod n for the number t in 2·D columns, below t/R + 2n, which must be below R. D ≥ B.
    ///
    /// Let q be the number in the B lowest digits of t. Then (t − q)/2^(52·B) + q·m is t·2^(−52·B) mod n, because it
    /// adds q·(m·2^(52·B) − 1) to t before it divides. This is a multiple of n, and below q·2^(52·B)·n. The last
    /// block adds (q·n0 mod 2^(52·B))·n. Together the blocks add less than 2·R·n. A table is read meanwhile.
    #[inline(always)]
    pub(super) fn reduce<const B: usize>(
        &self,
        ifma: Ifma,
        d: usize,
        z: &mut [Digits],
        t: &mut [Digits],
        reading: &mut Reading<'_>,
    ) {
        let mut t = match d % B {
            0 => t,
            1 => self.reduce_first::<1>(ifma, d, t),
            2 => self.reduce_first::<2>(ifma, d, t),
            3 => self.reduce_first::<3>(ifma, d, t),
            _ => self.reduce_first::<4>(ifma, d, t),
        };
        let mut quotient = lowest::<B>(ifma, t);
        let mut above = carry(ifma, &mut quotient);
        for _ in 1..d / B {
            t = &mut t[B..];
            let mut window = Window::<B>::with_carry(ifma, t, above);
            // The next block's quotient comes first: its carries move on while the other columns grow.
            let mut next = quotient;
            for j in 0..B {
                next[j] = window.step(&quotient, ifma.load(&self.m[j].0), ifma.load(&t[j + B].0));
            }
            let this = core::mem::replace(&mut quotient, next);
            above = carry(ifma, &mut quotient);
            window.sweep(&this, &self.m[B..d], &mut t[B..], d, reading);
        }
        self.reduce_last(ifma, d, z, quotient, above, &t[B..]);
    }

    /// The block before the first, of D mod B digits; returns the columns above it.
    #[inline(always)]
    fn reduce_first<'t, const B: usize>(
        &self,
        ifma: Ifma,
        d: usize,
        t: &'t mut [Digits],
    ) -> &'t mut [Digits] {
        let mut quotient = lowest::<B>(ifma, t);
        let above = carry(ifma, &mut quotient);
        let t = &mut t[B..];
        let window = Window::with_carry(ifma, t, above);
        window.sweep(&quotient, &self.m_first[..d], t, d + B, &mut Reading::of_nothing());
        t
    }

    /// Reduces the last block, given its columns, their carry, and the D columns above them. z becomes the digits of
    /// the result.
    #[inline(always)]
    fn reduce_last<const B: usize>(
        &self,
        ifma: Ifma,
        d: usize,
        z: &mut [Digits],
        columns: [Vector; B],
        above: Vector,
        t: &[Digits],
    ) {
        let mask = ifma.splat((1 << DIGIT_BITS) - 1);
        let (n, t) = (&self.n[..d], &t[..d]);
        let quotient = low_product(ifma, &columns, &lowest(ifma, &self.n0));
        let mut window = Window::new(ifma, columns.map(|column| ifma.and(column, mask)));
        let mut above_next = above;
        let mut carry = ifma.zero();
        for j in 0..d {
            let next = ifma.add(ifma.load(&t[j].0), above_next);
            above_next = ifma.zero();
            let column = ifma.add(window.step(&quotient, ifma.load(&n[j].0), next), carry);
            carry = ifma.shift_right::<DIGIT_BITS>(column);
            if j >= B {
                ifma.store(&mut z[j - B].0, ifma.and(column, mask));
            }
        }
        for (digit, sum) in z[d - B..].iter_mut().zip(window.columns()) {
            let column = ifma.add(sum, carry);
            carry = ifma.shift_right::<DIGIT_BITS>(column);
            ifma.store(&mut digit.0, ifma.and(column, mask));
        }
    }
}

/// x·y mod 2^(52·B), in digits that may exceed 52 bits.
#[inline(always)]
fn low_product<const B: usize>(ifma: Ifma, x: &[Vector; B], y: &[Vector; B]) -> [Vector; B] {
    let (mut z, mut high) = ([ifma.zero(); B], [ifma.zero(); B]);
    for i in 0..B {
        for j in 0..B - i {
            z[i + j] = ifma.add_product_low(z[i + j], x[i], y[j]);
            if i + j + 1 < B {
                high[i + j + 1] = ifma.add_product_high(high[i + j + 1], x[i], y[j]);
            }
        }
    }
    for k in 1..B {
        z[k] = ifma.add(z[k], high[k]);
    }
    carry(ifma, &mut z);
    z
}

/// z ← (z + q·n)/2^52 for q = z·n0 mod 2^52, which is returned.
#[inline(always)]
fn divide(ifma: Ifma, z: &mut [Digits], n: &[Digits], n0: &Digits) -> Digits {
    let (d, mask) = (n.len(), ifma.splat((1 << DIGIT_BITS) - 1));
    let lowest = ifma.load(&z[0].0);
    let quotient = ifma.and(ifma.add_product_low(ifma.zero(), lowest, ifma.load(&n0.0)), mask);
    let mut factor = ifma.load(&n[0].0);
    let mut carry = ifma.shift_right::<DIGIT_BITS>(ifma.add_product_low(lowest, quotient, factor));
    for j in 0..d {
        let mut column = ifma.add_product_high(carry, quotient, factor);
        if j + 1 < d {
            factor = ifma.load(&n[j + 1].0);
            column = ifma.add_product_low(ifma.add(column, ifma.load(&z[j + 1].0)), quotient, factor);
        }
        ifma.store(&mut z[j].0, ifma.and(column, mask));
        carry = ifma.shift_right::<DIGIT_BITS>(column);
    }
    let mut digit = Digits::default();
    ifma.store(&mut digit.0, quotient);
    digit
}
