//! Powers modulo n of at most eight words, without allocation; the time depends on all values.

#[cfg(target_arch = "x86_64")]
mod by_blocks;
#[cfg(target_arch = "x86_64")]
mod four_words;
mod montgomery;
mod power_of_two;

use super::exponent::Exponent;
#[cfg(target_arch = "x86_64")]
use crate::arch::blocks::Blocks;
#[cfg(target_arch = "x86_64")]
use crate::arch::{InstructionSet, x86_64::mulx::Mulx};
use crate::kernel::Kernel;
#[cfg(target_arch = "x86_64")]
use crate::kernel::faster::{Faster, with_faster};
use crate::natural;
#[cfg(target_arch = "x86_64")]
use crate::power::window::Bits;
use crate::product::add_product;
use montgomery::Montgomery;
use power_of_two::SmallPowerOfTwo;

/// The words of a small modulus.
pub(super) const MOST_WORDS: usize = 8;

/// xᵉ mod n in the lowest words, for e ≥ 1, n ≥ 2; x is big-endian.
pub(super) fn pow_vartime(x: &[u8], e: Exponent, n: &[u64; MOST_WORDS]) -> [u64; MOST_WORDS] {
    let k = natural::trailing_zeros(n);
    let m = shifted_right(n, k);
    let odd = power_modulo_odd(x, e, &m);
    if k == 0 { odd } else { combine(x, e, k, &m, odd) }
}

/// Evaluates the call with the number of words as a constant S of 1 … 8.
macro_rules! with_words {
    ($words:expr, |$s:ident| $call:expr) => {
        with_words!($words, $s, $call, 1 2 3 4 5 6 7 8)
    };
    ($words:expr, $s:ident, $call:expr, $($width:literal)*) => {
        match $words {
            $($width => {
                const $s: usize = $width;
                $call
            })*
            _ => unreachable!("a small modulus has 1 to 8 words"),
        }
    };
}

/// xᵉ mod m for odd m.
pub(super) fn power_modulo_odd(x: &[u8], e: Exponent, m: &[u64; MOST_WORDS]) -> [u64; MOST_WORDS] {
    let mut power = [0; MOST_WORDS];
    let words = natural::bit_length(m).div_ceil(64);
    #[cfg(target_arch = "x86_64")]
    match (words, Mulx::detect()) {
        (4, Some(mulx)) => {
            let modulus = Montgomery::<4>::new(*m.first_chunk().expect("eight words hold them"));
            power[..4].copy_from_slice(&modulus.pow_in_registers_vartime(mulx, x, e));
            return power;
        }
        (5.., Some(mulx)) => {
            let faster = match e.length() >= LEAST_BITS_TO_CHOOSE {
                true => Faster::of_both(64 * words),
                false => None,
            };
            with_faster!(faster.unwrap_or(Faster::Mulx(mulx)), |blocks| {
                power_by_blocks(blocks, &mut power[..words], x, e, m);
            });
            return power;
        }
        _ => {}
    }
    with_words!(words, |S| {
        let modulus = Montgomery::<S>::new(*m.first_chunk().expect("eight words hold them"));
        power[..S].copy_from_slice(&modulus.pow_vartime(x, e));
    });
    power
}

/// The bits of an exponent from which it pays to look for the faster of two instruction sets.
#[cfg(target_arch = "x86_64")]
const LEAST_BITS_TO_CHOOSE: usize = 8;

/// power = xᵉ mod m for an odd m of 5 to 8 words, as many as the power.
#[cfg(target_arch = "x86_64")]
fn power_by_blocks<I: Blocks>(blocks: I, power: &mut [u64], x: &[u8], e: Exponent, m: &[u64; MOST_WORDS]) {
    with_words!(power.len(), S, {
        let modulus = Montgomery::<S>::new(*m.first_chunk().expect("eight words hold them"));
        power.copy_from_slice(&modulus.pow_by_blocks_vartime(blocks, x, e));
    }, 5 6 7 8);
}

/// The words of a modulus up to which its powers need no kernel, with R² mod n or without.
pub(super) const MOST_READY_WORDS: usize = 4;

/// xᵉ mod n in the lowest words, for an odd n whose r2 = R² mod n is known, for e ≥ 1 and an x of no more words than n. None
/// where the kernel of the modulus is faster: from 5 words up, unless its products are those that are called here.
#[cfg_attr(
    not(target_arch = "x86_64"),
    expect(unused_variables, reason = "kernels have no products in common with this")
)]
pub(super) fn pow_ready_vartime(
    x: &[u8],
    e: Exponent,
    n: &[u64],
    r2: &[u64],
    kernel: &Kernel,
) -> Option<[u64; MOST_WORDS]> {
    let mut power = [0; MOST_WORDS];
    #[cfg(target_arch = "x86_64")]
    if let (Ok(n), Ok(r2), Some(mulx)) = (<[u64; 4]>::try_from(n), <&[u64; 4]>::try_from(r2), Mulx::detect())
    {
        power[..4].copy_from_slice(&Montgomery::<4>::new(n).pow_ready_in_registers_vartime(mulx, x, r2, e));
        return Some(power);
    }
    #[cfg(target_arch = "x86_64")]
    if let (5..=MOST_WORDS, Some(faster)) = (n.len(), Faster::of_kernel(kernel)) {
        with_words!(n.len(), S, {
            let [n, r2] = [n, r2].map(|number| number.try_into().expect("they have so many words"));
            let modulus = Montgomery::<S>::new(n);
            with_faster!(faster, |blocks| {
                power[..S].copy_from_slice(&modulus.pow_ready_by_blocks_vartime(blocks, x, &r2, e));
            });
        }, 5 6 7 8);
        return Some(power);
    }
    if n.len() > MOST_READY_WORDS {
        return None;
    }
    with_words!(n.len(), S, {
        let [n, r2] = [n, r2].map(|number| number.try_into().expect("they have so many words"));
        power[..S].copy_from_slice(&Montgomery::<S>::new(n).pow_ready_vartime(x, &r2, e));
    }, 1 2 3 4);
    Some(power)
}

/// xᵉ mod 2^k·m, where `odd` is xᵉ mod m.
fn combine(
    x: &[u8],
    e: Exponent,
    k: usize,
    m: &[u64; MOST_WORDS],
    odd: [u64; MOST_WORDS],
) -> [u64; MOST_WORDS] {
    let mut power = odd;
    with_words!(k.div_ceil(64), |K| {
        let two_to_k = SmallPowerOfTwo::<K>::new(k);
        let quotient = two_to_k.quotient(&two_to_k.pow_vartime(x, e), &odd, m);
        add_product(&mut power, &quotient, m);
    });
    power
}

fn shifted_right(n: &[u64; MOST_WORDS], bits: usize) -> [u64; MOST_WORDS] {
    let mut m = [0; MOST_WORDS];
    natural::shift_right_into(&mut m, n, bits);
    m
}
