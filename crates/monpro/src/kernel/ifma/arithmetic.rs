//! The operations on residues other than products. A digit is a limb of 52 or 51 bits.

use super::carries::reduce_once;
use super::constants::{Derived, largest};
use super::{PADDING, load, store};
use crate::arch::x86_64::ifma::{Ifma, LANES};
use crate::arch::{InstructionSet, Task};
use crate::kernel::contract::{Arithmetic, Constants};
use crate::n0::newton_hensel;
use crate::ring::Integers;

pub(super) const fn arithmetic<const B: u32>() -> &'static Arithmetic {
    &Arithmetic {
        word: |x, i| x[PADDING + i],
        set_word: |z, i, word| z[PADDING + i] = word,
        n0: |n| newton_hensel::<Integers<u64>>(n[PADDING]) & largest::<B>(),
        mul_x: |z, constants, t| {
            let (x, t) = t.split_at_mut(z.len());
            x.copy_from_slice(z);
            Ifma::in_use().run(Addition::<B> { z, a: x, b: x, constants, t });
        },
        add: |z, a, b, constants, t| Ifma::in_use().run(Addition::<B> { z, a, b, constants, t }),
        sub: |z, a, b, constants| subtract::<B>(z, a, b, constants.n),
        is_reduced: |a, constants| {
            // The padding is zero in both.
            let borrow = |borrow, (a, n): (&u64, &u64)| a.wrapping_sub(*n + borrow) >> 63;
            a.iter().zip(constants.n).fold(0, borrow) == 1
        },
    }
}

/// z = a + b mod n.
struct Addition<'a, const B: u32> {
    z: &'a mut [u64],
    a: &'a [u64],
    b: &'a [u64],
    constants: &'a Constants<'a>,
    t: &'a mut [u64],
}

impl<const B: u32> Task<Ifma> for Addition<'_, B> {
    type Output = ();

    #[inline(always)]
    fn run(self, ifma: Ifma) {
        let s = self.constants.s;
        let (sum, difference) = self.t.split_at_mut(s);
        for k in 0..s / LANES {
            store(ifma, sum, k, ifma.add(load(ifma, self.a, k + 1), load(ifma, self.b, k + 1)));
        }
        let complement = Derived::of(self.constants, s).complement;
        reduce_once::<B>(ifma, &mut self.z[PADDING..][..s], sum, complement, &mut difference[..s]);
    }
}

/// z = a − b mod n, the padding included.
fn subtract<const B: u32>(z: &mut [u64], a: &[u64], b: &[u64], n: &[u64]) {
    let mut borrow = 0;
    for i in 0..n.len() {
        let difference = a[i].wrapping_sub(b[i] + borrow);
        borrow = difference >> 63;
        z[i] = difference & largest::<B>();
    }
    let mask = core::hint::black_box(borrow.wrapping_neg());
    let mut carry = 0;
    for i in 0..n.len() {
        let sum = z[i] + (n[i] & mask) + carry;
        carry = sum >> B;
        z[i] = sum & largest::<B>();
    }
}
