//! Products mod W^k − 1, where W^k is 2^(52·k). A digit is a limb of 52 bits.
//!
//! With X = W^(k/2), X² − 1 = (X − 1)·(X + 1). Both factors take numbers of half of the length, so that two products of
//! half of the length make one.

use super::passes::{Difference, Join, SumOfTwo};
use super::product;
use crate::arch::InstructionSet;
use crate::arch::x86_64::ifma::{Ifma, LANES};

/// The most digits of factors that are not split.
const MOST: usize = 160;

/// Whether factors of k digits are split.
fn is_split(k: usize) -> bool {
    k > MOST && k % (2 * LANES) == 0
}

/// The words of work of [`multiply`] for factors of k digits.
pub(super) fn work(k: usize) -> usize {
    if !is_split(k) {
        return 2 * k + product::work_of_product(k);
    }
    let h = k / 2;
    5 * h + work(h).max(product::work_of_product(h))
}

/// z = a·b mod W^k − 1, all of k digits; 0 may be W^k − 1.
pub(super) fn multiply(ifma: Ifma, z: &mut [u64], a: &[u64], b: &[u64], work: &mut [u64]) {
    let k = a.len();
    if !is_split(k) {
        let (p, work) = work.split_at_mut(2 * k);
        product::multiply(ifma, p, a, b, work);
        let (low, high) = p.split_at(k);
        return ifma.run(SumOfTwo { z, a: low, b: high });
    }
    let h = k / 2;
    let ((a0, a1), (b0, b1)) = (a.split_at(h), b.split_at(h));
    let (p, work) = work.split_at_mut(2 * h);
    let (minus, work) = work.split_at_mut(h);
    let (c, work) = work.split_at_mut(h);
    let (d, work) = work.split_at_mut(h);
    // X = 1.
    ifma.run(SumOfTwo { z: c, a: a0, b: a1 });
    ifma.run(SumOfTwo { z: d, a: b0, b: b1 });
    multiply(ifma, minus, c, d, work);
    // X = −1.
    let sign_of_c = ifma.run(Difference { z: c, a: a0, b: a1 });
    let sign_of_d = ifma.run(Difference { z: d, a: b0, b: b1 });
    product::multiply(ifma, p, c, d, work);
    ifma.run(Join { z, minus, p, is_negative: sign_of_c ^ sign_of_d });
}
