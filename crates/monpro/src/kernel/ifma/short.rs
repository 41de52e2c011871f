//! MonPro for residues of a few vectors, all of whose columns are summed at once. A digit is a limb of 52 or 51 bits.

use super::carries::{normalise, subtract_once};
use super::columns::{carry_into_r, high_columns, low_columns, square_columns};
use super::constants::Derived;
use super::temporary::{Temporary, pad, put};
use super::{MonPro, PADDING, digits, load, store};
use crate::arch::Task;
use crate::arch::x86_64::ifma::{Ifma, LANES, Vector};

/// MonPro, or its square, for residues of V vectors.
pub(super) struct Short<'a, const V: usize, const B: u32, const SQUARE: bool>(pub(super) MonPro<'a>);

impl<const V: usize, const B: u32, const SQUARE: bool> Task<Ifma> for Short<'_, V, B, SQUARE> {
    type Output = ();

    #[inline(always)]
    fn run(self, ifma: Ifma) {
        let MonPro { z, x, y, constants, t } = self.0;
        let digits = digits::<B>(constants.n_bits);
        let s = LANES * V;
        let derived = Derived::of(constants, s);
        let Temporary { low, m, high, .. } = Temporary::of(t, s);

        // t = x·y, its columns below R.
        let low_sums = match SQUARE {
            true => square_columns::<V, B>(ifma, x, digits, 0),
            false => low_columns::<V, B>(ifma, y, x, 0),
        };
        let (t_top, carry_of_t) = put_digits::<V, B>(ifma, low, low_sums);

        // m = t·n' mod R.
        put_digits::<V, B>(ifma, m, low_columns::<V, B>(ifma, derived.n_prime, low, 0));

        // The columns of t from R on, computed while m is on its way to memory and back. They are stored, since the
        // compiler would otherwise move their computation down to their use.
        let high_sums = match SQUARE {
            true => high_square::<V, B>(ifma, x, digits),
            false => high_columns::<V, B>(ifma, y, x, digits, s, V),
        };
        put(ifma, high, high_sums);

        // u = (t + m·n)/R.
        let carry = carry_into_r::<B>(ifma, &m[PADDING..][..s], derived.reversed, t_top);
        let carry = ifma.add(carry, ifma.in_first(carry_of_t));
        store(ifma, high, 0, ifma.add(load(ifma, high, 0), carry));
        let mut u = high_columns::<V, B>(ifma, constants.n, m, digits, s, V);
        for k in 0..V {
            u[k] = ifma.add(u[k], load(ifma, high, k));
        }
        put(ifma, &mut z[PADDING..], subtract_once::<V, B>(ifma, u, derived.complement));
    }
}

/// padded = the digits of the sums of columns, mod R, padded with zeros; returns the top vector and the carry beyond
/// R.
#[inline(always)]
fn put_digits<const V: usize, const B: u32>(
    ifma: Ifma,
    padded: &mut [u64],
    sums: [Vector; V],
) -> (Vector, u64) {
    let (digits, carry) = normalise::<V, B>(ifma, sums);
    pad(ifma, padded, LANES * V);
    put(ifma, &mut padded[PADDING..], digits);
    (digits[V - 1], carry)
}

/// The columns of a² from R on.
#[inline(always)]
pub(super) fn high_square<const V: usize, const B: u32>(ifma: Ifma, a: &[u64], digits: usize) -> [Vector; V] {
    let mut high = [ifma.zero(); V];
    for k in 0..V {
        [high[k]] = square_columns::<1, B>(ifma, a, digits, V + k);
    }
    high
}
