//! Inversion in GF(2^k). One element is inverted by the kernel, or by Fermat's theorem if the kernel has no
//! inversion; many are inverted by Montgomery's trick.

use crate::cancellation::checkpoint;
use crate::modulus::Modulus;
use crate::residue::Residue;
use alloc::vec::Vec;

/// x⁻¹ in GF(2^k) for x ≠ 0; 0 for x = 0. Constant time.
pub(super) fn inverse(x: &Residue, k: usize) -> Residue {
    match x.modulus().context().inverse(x.cells()) {
        Some(inverse) => Residue::new(x.modulus().clone(), inverse),
        None => power(x, k),
    }
}

/// x⁻¹ = x^(2^k − 2) \[koc97, §1\] in GF(2^k) for x ≠ 0; 0 for x = 0. Constant time.
///
/// With b(m) = x^(2^m − 1), x⁻¹ = b(k − 1)². Itoh and Tsujii's chain follows the bits of k − 1 from the top:
/// b(2m) = b(m)^(2^m)·b(m) and b(m + 1) = b(m)²·x. It takes k − 1 squares. Each bit of k − 1 below the top
/// one takes one product if it is 0, and two if it is 1.
fn power(x: &Residue, k: usize) -> Residue {
    let Some(top) = (k - 1).checked_ilog2() else {
        return x.clone();
    };
    let mut scratch = x.modulus().scratch();
    let mut power = x.clone();
    let mut m = 1;
    for bit in (0..top).rev() {
        let factor = power.clone();
        for _ in 0..m {
            checkpoint();
            power.square_assign(&mut scratch);
        }
        power.mul_assign(&factor, &mut scratch);
        m *= 2;
        if (k - 1) >> bit & 1 == 1 {
            power.square_assign(&mut scratch);
            power.mul_assign(x, &mut scratch);
            m += 1;
        }
    }
    power.square_assign(&mut scratch);
    power
}

/// The inverses of all x, none of which is 0. With the products pᵢ = x₀·…·xᵢ, xᵢ⁻¹ = pᵢ⁻¹·pᵢ₋₁ and pᵢ₋₁⁻¹ =
/// pᵢ⁻¹·xᵢ.
pub(super) fn batch(modulus: &Modulus, x: &[&Residue], k: usize) -> Vec<Residue> {
    let mut scratch = modulus.scratch();
    let mut product = modulus.one();
    let mut results = Vec::with_capacity(x.len());
    for factor in x {
        checkpoint();
        results.push(product.clone());
        product.mul_assign(factor, &mut scratch);
    }
    let mut inverse_of_product = inverse(&product, k);
    for (result, factor) in results.iter_mut().zip(x).rev() {
        checkpoint();
        result.mul_assign(&inverse_of_product, &mut scratch);
        inverse_of_product.mul_assign(factor, &mut scratch);
    }
    results
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::binary_field::irreducible;
    use crate::kernel::KERNELS;
    use alloc::vec;

    fn random(state: &mut u64) -> u64 {
        *state = state.wrapping_mul(0xd134_2543_de82_ef95).wrapping_add(1);
        *state ^ *state >> 29
    }

    /// A random polynomial of degree k with constant coefficient 1. A sparse one is x^k + f with deg f < 24.
    fn polynomial(k: usize, is_sparse: bool, state: &mut u64) -> Vec<u64> {
        let mut n: Vec<u64> = (0..=k / 64).map(|_| random(state)).collect();
        if is_sparse {
            n[1..].fill(0);
            n[0] &= (1 << 24) - 1;
        }
        n[k / 64] = n[k / 64] & ((1 << (k % 64)) - 1) | 1 << (k % 64);
        n[0] |= 1;
        n
    }

    fn irreducible(k: usize, is_sparse: bool, state: &mut u64) -> Vec<u64> {
        loop {
            let n = polynomial(k, is_sparse, state);
            let modulus = Modulus::of_polynomial(&n).expect("n is odd");
            if irreducible::root_of_x(&modulus).is_some() {
                return n;
            }
        }
    }

    #[test]
    fn the_kernels_inverses_are_those_of_fermat() {
        let mut state = 1;
        let degrees =
            (1..=24).chain([63, 64, 65, 127, 128, 129, 163, 233, 255, 256, 257, 283, 320, 409, 512, 571]);
        let mut compared = 0;
        for (k, is_sparse) in degrees.flat_map(|k| [(k, false), (k, true)]).filter(|&(k, s)| !s || k >= 48) {
            let n = irreducible(k, is_sparse, &mut state);
            for kernel in KERNELS {
                if kernel.almost_inverse.is_none() || !kernel.is_available() || !kernel.supports(&n) {
                    continue;
                }
                let modulus = Modulus::with_kernel(kernel, &n).expect("the kernel takes n");
                let mut operands = vec![vec![0], vec![1], vec![2], n[..n.len() - 1].to_vec()];
                operands.extend((0..3).map(|_| (0..k.div_ceil(64)).map(|_| random(&mut state)).collect()));
                for x in operands {
                    let x = modulus.residue(&x);
                    let by_kernel = modulus.context().inverse(x.cells()).expect("the kernel inverts");
                    let by_kernel = Residue::new(modulus.clone(), by_kernel);
                    assert_eq!(by_kernel, power(&x, k), "{} modulo {n:x?}", kernel.name);
                    assert_eq!(inverse(&x, k), by_kernel);
                    compared += 1;
                }
            }
        }
        assert!(compared > 0 || KERNELS.iter().all(|k| k.almost_inverse.is_none() || !k.is_available()));
    }
}
