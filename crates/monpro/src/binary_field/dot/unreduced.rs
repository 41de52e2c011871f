//! Sums of unreduced products over GF(2)\[x\].

#[cfg(target_arch = "x86_64")]
use crate::arch::{InstructionSet, x86_64::pclmulqdq::Pclmulqdq};
use crate::ring::{BinaryPolynomials, Ring};

/// t += x·y for x and y of equal length and t of twice that length.
pub(super) type AddProduct = fn(t: &mut [u64], x: &[u64], y: &[u64]);

/// The fastest way on this CPU.
pub(super) fn fastest() -> AddProduct {
    #[cfg(target_arch = "x86_64")]
    if Pclmulqdq::detect().is_some() {
        return pclmulqdq::add_product;
    }
    add_product
}

/// Row by row, in portable code.
fn add_product(t: &mut [u64], x: &[u64], y: &[u64]) {
    let s = x.len();
    for i in 0..s {
        let mut c = 0;
        for j in 0..s {
            (c, t[i + j]) = BinaryPolynomials::<u64>::mul_add(t[i + j], x[j], y[i], c);
        }
        t[i + s] ^= c;
    }
}

#[cfg(target_arch = "x86_64")]
mod pclmulqdq {
    use super::{InstructionSet, Pclmulqdq};
    use crate::arch::Task;

    /// Column by column, so that a column's sum stays in a register.
    pub(super) fn add_product(t: &mut [u64], x: &[u64], y: &[u64]) {
        Pclmulqdq::in_use().run(AddProduct { t, x, y });
    }

    struct AddProduct<'a> {
        t: &'a mut [u64],
        x: &'a [u64],
        y: &'a [u64],
    }

    impl Task<Pclmulqdq> for AddProduct<'_> {
        type Output = ();

        #[inline(always)]
        fn run(self, pclmulqdq: Pclmulqdq) {
            let AddProduct { t, x, y } = self;
            let s = x.len();
            for column in 0..2 * s - 1 {
                let first = column.saturating_sub(s - 1);
                let last = column.min(s - 1);
                let pairs = x[first..=last].iter().zip(y[column - last..=column - first].iter().rev());
                let (high, low) = pclmulqdq.sum_of_products(pairs);
                t[column] ^= low;
                t[column + 1] ^= high;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;
    use alloc::vec::Vec;

    #[test]
    fn the_fastest_way_agrees_with_portable_code() {
        let mut state = 1u64;
        let mut random = |length: usize| -> Vec<u64> {
            (0..length)
                .map(|_| {
                    state = state.wrapping_mul(0xd134_2543_de82_ef95).wrapping_add(1);
                    state ^ state >> 29
                })
                .collect()
        };
        for s in 1..=20 {
            let (x, y) = (random(s), random(s));
            let (mut t, mut expected) = (vec![u64::MAX; 2 * s], vec![u64::MAX; 2 * s]);
            fastest()(&mut t, &x, &y);
            add_product(&mut expected, &x, &y);
            assert_eq!(t, expected);
        }
    }
}
