//! Powers modulo an odd number of a few words, in constant time on the stack: one power is too little work to pay for a
//! [`crate::modulus::Modulus`], whose constants take an allocation each.

use crate::fixed::Modulus;
use crate::kernel::Kernel;
use crate::natural;
use crate::ring::RingName;
use alloc::vec::Vec;
use zeroize::Zeroizing;

/// The bits of exponents up to which this is faster than a kernel that computes all windows of a power in one call, by the words of
/// the modulus, from one word up. From times on AMD's family 25 model 1.
const BESIDE_ONE_CALL: [usize; 8] = [usize::MAX, usize::MAX, 384, 48, 40, 20, 14, 10];
/// The same beside other kernels, from times on Intel's family 6 model 207.
const BESIDE_OTHERS: [usize; 8] = [usize::MAX, usize::MAX, 384, 128, 96, 48, 40, 32];

/// x^(e mod 2^e_bits) mod m for an odd m, in its words. None where a kernel is faster, where
/// [`Kernel::override_selection`] has chosen one, and modulo 1.
pub(super) fn pow(x: &[u64], e: &[u64], e_bits: usize, m: &[u64]) -> Option<Zeroizing<Vec<u64>>> {
    let m_bits = natural::bit_length(m);
    let words = m_bits.div_ceil(64);
    let (beside_one_call, beside_others) =
        (*BESIDE_ONE_CALL.get(words.checked_sub(1)?)?, BESIDE_OTHERS[words - 1]);
    if m_bits < 2 || e_bits > beside_others || Kernel::override_of(RingName::Integers).is_some() {
        return None;
    }
    if e_bits > beside_one_call && has_one_call(m, m_bits) {
        return None;
    }
    Some(on_the_stack(x, e, e_bits, &m[..words], m_bits))
}

/// Whether the fastest kernel for m computes all windows of a power in one call.
fn has_one_call(m: &[u64], m_bits: usize) -> bool {
    let kernel = Kernel::fastest(RingName::Integers, m);
    let steps = (kernel.power_steps)((kernel.words_for)(m_bits));
    steps.is_some_and(|steps| steps.append_entries.is_some())
}

/// The same for an m of 1 to 8 words, the uppermost of which is not 0.
fn on_the_stack(x: &[u64], e: &[u64], e_bits: usize, m: &[u64], m_bits: usize) -> Zeroizing<Vec<u64>> {
    let of_words = match m.len() {
        1 => of_words::<1>,
        2 => of_words::<2>,
        3 => of_words::<3>,
        4 => of_words::<4>,
        5 => of_words::<5>,
        6 => of_words::<6>,
        7 => of_words::<7>,
        _ => of_words::<8>,
    };
    of_words(x, e, e_bits, m, m_bits)
}

/// The same for an m of exactly S words.
fn of_words<const S: usize>(
    x: &[u64],
    e: &[u64],
    e_bits: usize,
    m: &[u64],
    m_bits: usize,
) -> Zeroizing<Vec<u64>> {
    let m: &[u64; S] = m.try_into().expect("m has S words");
    let mut modulus = Modulus::<S>::of_secret(m, m_bits);
    let x = Zeroizing::new(modulus.residue(x));
    let power = Zeroizing::new(modulus.pow_bounded(*x, e, e_bits));
    let number = Zeroizing::new(modulus.to_number(*power));
    modulus.erase();
    Zeroizing::new(number.to_vec())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pow::by_kernel;
    use crate::power::Method;

    /// Words without a pattern.
    fn words(count: usize, seed: u64) -> Vec<u64> {
        (1..=count as u64)
            .map(|i| (i + seed).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29) ^ seed << 7)
            .collect()
    }

    #[test]
    fn powers_on_the_stack_are_those_of_a_kernel() {
        let step = if cfg!(miri) { 85 } else { 3 };
        for bits in (2..=512usize).step_by(step).chain([64, 128, 192, 256, 320, 448, 512]) {
            let mut m = words(bits.div_ceil(64), bits as u64);
            let top = m.len() - 1;
            m[0] |= 1;
            m[top] &= u64::MAX >> (64 * m.len() - bits);
            m[top] |= 1 << ((bits - 1) % 64);
            for (x_words, e_bits) in [(0, 5), (1, 0), (top + 1, 17), (top + 2, 32), (3 * top + 4, 23)] {
                let (x, e) = (words(x_words, 3), words(2, e_bits as u64));
                let expected =
                    by_kernel(Method::FixedWindow, &x, &e, e_bits, &m, crate::modulus::Modulus::new);
                let power = on_the_stack(&x, &e, e_bits, &m, bits);
                assert_eq!(Ok(power), expected, "{bits} bits, an exponent of {e_bits}");
            }
        }
    }

    #[test]
    fn the_kernels_by_rows_of_few_words_compute_all_windows_in_one_call() {
        let most_words = if cfg!(target_arch = "aarch64") { 8 } else { 10 };
        for count in (1..=12).chain([40]) {
            let mut m = words(count, 5);
            m[0] |= 1;
            let name = Kernel::fastest(RingName::Integers, &m).name;
            let is_expected = ["sos-adx", "sos-mulx", "sos-umulh"].contains(&name) && count <= most_words;
            assert_eq!(has_one_call(&m, natural::bit_length(&m)), is_expected, "{name}, {count} words");
        }
    }

    #[test]
    fn what_a_kernel_computes_faster_is_left_to_it() {
        let m = words(9, 1);
        assert!(pow(&[3], &[5], 3, &m).is_none());
        assert!(pow(&[3], &words(3, 1), 129, &[7, 0, 0, 1]).is_none());
        assert!(pow(&[3], &words(1, 1), 33, &m[..8]).is_none());
        assert!(pow(&[3], &words(1, 1), 10, &m[..8]).is_some());
        // Modulo three words the bound is the same beside all kernels.
        assert!(pow(&[3], &words(6, 1), 384, &[7, 0, 1]).is_some());
        assert!(pow(&[3], &words(7, 1), 385, &[7, 0, 1]).is_none());
        for (e_bits, m) in [(49, &[7, 0, 0, 1][..]), (11, &m[..8])] {
            let is_left = has_one_call(m, natural::bit_length(m));
            assert_eq!(pow(&[3], &words(1, 1), e_bits, m).is_none(), is_left, "{e_bits} bits of an exponent");
        }
        assert!(pow(&[3], &words(40, 1), 2560, &[7, 1]).is_some());
        assert!(pow(&[2], &[5], 3, &[3]).is_some());
        assert!(pow(&[3], &[5], 3, &[1]).is_none() && pow(&[3], &[5], 3, &[]).is_none());
    }
}
