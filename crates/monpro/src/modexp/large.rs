//! Powers modulo n of any size, in memory; the time depends on all values.

use super::exponent::Exponent;
use super::small;
#[cfg(target_arch = "x86_64")]
use crate::arch::{InstructionSet, x86_64::mulx::Mulx};
use crate::division::{Remainders, remainder_of_shifted};
use crate::kernel::Kernel;
#[cfg(target_arch = "x86_64")]
use crate::kernel::faster::Faster;
use crate::modulus::Context;
use crate::natural;
use crate::power::sliding_window_vartime;
use crate::power::window::Bits;
use crate::power_of_two::PowerOfTwo;
#[cfg(target_arch = "x86_64")]
use crate::product::by_blocks;
use crate::product::{multiply, square};
use crate::ring::RingName;
use alloc::vec;
use alloc::vec::Vec;

/// The most products of a power that are faster with a division for each than with the conversions to Montgomery form and back,
/// by the words of the modulus: measured on an AMD EPYC of family 25, model 17, by `redc-ifma` and by `sos-mulx`. With few words,
/// products take little of the time of a new modulus.
fn most_products_by_division(words: usize) -> usize {
    match words {
        0..=9 => 4,
        10..=24 => 5,
        25.. => 2,
    }
}

/// The same where the modulus is ready.
fn most_products_without_form(words: usize) -> usize {
    match words {
        0..=10 => 3,
        11..=20 => 2,
        21..=64 => 1,
        65.. => 0,
    }
}

/// The squares and products of xᵉ by the binary method, for e ≥ 1.
fn products_of(e: Exponent) -> usize {
    e.length() + e.ones() - 2
}

/// The words from which products by blocks are faster than portable ones.
#[cfg(target_arch = "x86_64")]
const LEAST_WORDS_OF_BLOCKS: usize = 12;

/// The bits of exponents up to which the products of [`small`] are faster than a kernel with its conversions, by the words
/// of the modulus, from 6 words up. For fewer words they always are.
const MOST_BITS_WITHOUT_A_KERNEL: [usize; small::MOST_WORDS - 5] = [128, 72, 48];

/// Whether a power modulo n, of at most [`small::MOST_WORDS`] words and without leading zeros, is faster here than in
/// [`small`]. Measured, it is where the kernel's products are not those that [`small`] has of MULX and ADX.
pub(super) fn is_faster(n: &[u64], e: Exponent) -> bool {
    let most = n.len().checked_sub(6).and_then(|index| MOST_BITS_WITHOUT_A_KERNEL.get(index));
    most.is_some_and(|&bits| e.length() > bits) && has_another_kernel(n)
}

#[cfg(target_arch = "x86_64")]
fn has_another_kernel(n: &[u64]) -> bool {
    let mut odd = [0; small::MOST_WORDS];
    odd[..n.len()].copy_from_slice(n);
    odd[0] |= 1;
    Mulx::detect().is_some() && Faster::of_kernel(Kernel::fastest(RingName::Integers, &odd)).is_none()
}

#[cfg(not(target_arch = "x86_64"))]
fn has_another_kernel(_: &[u64]) -> bool {
    cfg!(target_arch = "aarch64")
}

/// xᵉ mod n for e ≥ 1, n ≥ 2; x is big-endian, the top word of n is not 0.
pub(super) fn pow_vartime(x: &[u8], e: Exponent, n: &[u64]) -> Vec<u64> {
    let x_words = natural::from_be_bytes(x);
    let k = natural::trailing_zeros(n);
    if k == 0 {
        return power_modulo_odd(x, &x_words, e, n);
    }
    let (two_to_k, m) = (PowerOfTwo::new(k), shifted_right(n, k));
    let low = power_modulo_two_to_k(&two_to_k, &x_words, e);
    if m == [1] {
        return natural::resized(&low, n.len());
    }
    two_to_k.recombine(&low, &power_modulo_odd(x, &x_words, e, &m), &m, n.len())
}

/// xᵉ mod m for odd m, in the words of m; x in bytes and in words.
fn power_modulo_odd(x_bytes: &[u8], x: &[u64], e: Exponent, m: &[u64]) -> Vec<u64> {
    if m.len() <= small::MOST_WORDS && !is_faster(m, e) {
        let mut words = [0; small::MOST_WORDS];
        words[..m.len()].copy_from_slice(m);
        return small::power_modulo_odd(x_bytes, e, &words)[..m.len()].to_vec();
    }
    match e.small() {
        Some(small) if products_of(e) <= most_products_by_division(m.len()) => power_by_division(x, small, m),
        _ => power_by_montgomery(x, e, m),
    }
}

/// xᵉ mod n for an odd n that is ready and e ≥ 1, where this is faster by divisions.
pub(super) fn pow_ready_vartime(x: &[u64], e: Exponent, n: &[u64]) -> Option<Vec<u64>> {
    let small = e.small().filter(|_| products_of(e) <= most_products_without_form(n.len()));
    small.map(|e| power_by_division(x, e, n))
}

/// xᵉ mod m by the binary method, e ≥ 1; x has no leading zeros.
fn power_by_division(x: &[u64], e: u32, m: &[u64]) -> Vec<u64> {
    let mut remainders = Remainders::modulo(m);
    let products = Products::of(m.len());
    let (s, words) = (m.len(), products.words());
    let mut power = vec![0; words];
    if natural::is_less(x, m) {
        power[..x.len()].copy_from_slice(x);
    } else {
        remainders.reduce(&mut power[..s], x, 0);
    }
    // Only a bit that is 1 below the top one multiplies by the base.
    let base = if e.is_power_of_two() { Vec::new() } else { power.clone() };
    let mut z = vec![0; 2 * words];
    for i in (0..e.ilog2()).rev() {
        products.square(&mut z, &power);
        remainders.reduce_product(&mut power[..s], &z[..2 * s]);
        if e >> i & 1 == 1 {
            products.multiply(&mut z, &power, &base);
            remainders.reduce_product(&mut power[..s], &z[..2 * s]);
        }
    }
    power.truncate(s);
    power
}

/// Products of numbers of s words, by blocks where they are faster.
struct Products {
    s: usize,
    #[cfg(target_arch = "x86_64")]
    blocks: Option<Mulx>,
}

impl Products {
    fn of(s: usize) -> Products {
        Products {
            s,
            #[cfg(target_arch = "x86_64")]
            blocks: Mulx::detect().filter(|_| s >= LEAST_WORDS_OF_BLOCKS),
        }
    }

    /// The words of a factor: s, or for blocks a multiple of 4.
    fn words(&self) -> usize {
        #[cfg(target_arch = "x86_64")]
        if self.blocks.is_some() {
            return self.s.next_multiple_of(4);
        }
        self.s
    }

    fn multiply(&self, z: &mut [u64], x: &[u64], y: &[u64]) {
        #[cfg(target_arch = "x86_64")]
        if let Some(blocks) = self.blocks {
            return by_blocks::multiply(blocks, z, x, y);
        }
        multiply(z, x, y);
    }

    fn square(&self, z: &mut [u64], x: &[u64]) {
        #[cfg(target_arch = "x86_64")]
        if let Some(blocks) = self.blocks {
            return by_blocks::square(blocks, z, x);
        }
        square(z, x);
    }
}

/// xᵉ mod m by the fastest kernel. One power is too little work to pay for R² mod m, so x·R mod m is computed by a
/// division.
fn power_by_montgomery(x: &[u64], e: Exponent, m: &[u64]) -> Vec<u64> {
    let kernel = Kernel::fastest(RingName::Integers, m);
    let context = Context::without_powers_of_r(kernel, m, natural::bit_length(m));
    let x = context.load(&remainder_of_shifted(x, context.r_exponent(), m), 0);
    context.to_number(&sliding_window_vartime(&context, &x, &e.words()))
}

/// xᵉ mod 2^k.
fn power_modulo_two_to_k(two_to_k: &PowerOfTwo, x: &[u64], e: Exponent) -> Vec<u64> {
    let x = two_to_k.reduce(x);
    match e.modulo_two_to_k(x[0], two_to_k.k()) {
        None => vec![0; x.len()],
        Some(e) => sliding_window_vartime(two_to_k, &x, &e.words()).to_vec(),
    }
}

/// ⌊n/2^bits⌋ without leading zero words.
fn shifted_right(n: &[u64], bits: usize) -> Vec<u64> {
    let mut m = natural::shift_right(n, bits);
    if m.last() == Some(&0) {
        m.pop();
    }
    m
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_binary_method_takes_a_square_for_each_bit_and_a_product_for_each_1_below_the_top() {
        for (e, products) in
            [(1u32, 0), (2, 1), (3, 2), (4, 2), (5, 3), (7, 4), (16, 4), (17, 5), (65537, 17), (u32::MAX, 62)]
        {
            assert_eq!(products_of(Exponent::new(&e.to_be_bytes())), products, "{e}");
        }
    }
}
