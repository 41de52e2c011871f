//! Inverses modulo any n ≥ 1, odd or even, in a time that does not depend on the values.

mod vartime;

pub use vartime::inverse_vartime;

use crate::cancellation::checkpoint;
use crate::division::exact::divide_exactly;
use crate::error::Error;
use crate::modulus::Modulus;
use crate::n0::newton_hensel;
use crate::natural::{bit_length, bits_at, shift_right, trailing_zeros};
use crate::power_of_two::PowerOfTwo;
use crate::ring::Integers;
use alloc::vec;
use alloc::vec::Vec;
use zeroize::Zeroizing;

/// The bits of a limb, and the steps of which one matrix takes care.
const LIMB_BITS: usize = 62;
const MASK: i64 = (1 << LIMB_BITS) - 1;

/// The y < n with x·y = 1 modulo n ≥ 1, in ⌈bits of n/64⌉ words; None if x and n share a factor. x may be of any size.
///
/// Public are the number of words of x, the bit length of n, the largest k for which 2^k divides n, and whether there is an
/// inverse. Time and addresses depend on nothing else. Intermediate values are erased; the caller erases the result.
///
/// ```
/// assert_eq!(monpro::inverse(&[3], &[10]), Ok(Some(vec![7])));
/// assert_eq!(monpro::inverse(&[4], &[10]), Ok(None));
/// ```
///
/// # Errors
/// [`Error::ZeroModulus`].
pub fn inverse(x: &[u64], n: &[u64]) -> Result<Option<Vec<u64>>, Error> {
    let bits = bit_length(n);
    if bits == 0 {
        return Err(Error::ZeroModulus);
    }
    let k = trailing_zeros(n);
    let mut m = Zeroizing::new(shift_right(n, k));
    m.truncate((bits - k).div_ceil(64));
    let modulo_m = match x.len() > m.len() + 1 {
        // Numbers far longer than the modulus would take more steps than their reduction takes.
        true => inverse_modulo_odd(&Zeroizing::new(Modulus::new(&m)?.residue(x).to_number()), &m),
        false => inverse_modulo_odd(x, &m),
    };
    let is_odd = x.first().is_some_and(|low| low & 1 == 1);
    let Some(modulo_m) = modulo_m.filter(|_| k == 0 || is_odd) else { return Ok(None) };
    if k == 0 {
        return Ok(Some(modulo_m.to_vec()));
    }
    let two_to_k = PowerOfTwo::new(k);
    let mut low = two_to_k.reduce(&[1]);
    divide_exactly(&mut low, x);
    Ok(Some(two_to_k.recombine(&low, &modulo_m, &m, bits.div_ceil(64))))
}

/// x⁻¹ modulo the odd m ≥ 1, in the words of m, by division steps (Bernstein and Yang, "Fast constant-time gcd computation
/// and modular inversion", CHES 2019, with the matrices of §5 and the bounds of §11).
///
/// The pair (f, g) begins as (m, x) and ends as (±gcd, 0). Of d and e it is true throughout that f = d·x and g = e·x
/// modulo m, up to a power of 2 that the steps divide out modulo m. −2m < d, e < m.
pub(crate) fn inverse_modulo_odd(x: &[u64], m: &[u64]) -> Option<Zeroizing<Vec<u64>>> {
    let bits = bit_length(m).max(64 * x.len());
    let (limbs, limbs_of_m) = (bits / LIMB_BITS + 1, bit_length(m) / LIMB_BITS + 2);
    let (mut f, mut g) = (limbs_of(m, limbs), limbs_of(x, limbs));
    let modulus = limbs_of(m, limbs_of_m);
    // Modulo 1, whose length is public, 1 is 0.
    let one = u64::from(bit_length(m) > 1);
    let (mut d, mut e) = (limbs_of(&[], limbs_of_m), limbs_of(&[one], limbs_of_m));
    let inverse = newton_hensel::<Integers<u64>>(m[0]).wrapping_neg() as i64;
    let mut delta = 1;
    for _ in 0..steps(bits).div_ceil(LIMB_BITS) {
        checkpoint();
        let matrix = matrix(&mut delta, low(&f), low(&g));
        apply(&matrix, &mut f, &mut g);
        apply_modulo(&matrix, &mut d, &mut e, &modulus, inverse);
    }
    let sign = f[limbs - 1] >> 63;
    negate_where(sign, &mut f);
    let one = limbs_of(&[1], limbs);
    let is_unit = f.iter().zip(one.iter()).fold(0, |all, (f, one)| all | (f ^ one)) == 0;
    let is_negative = d[limbs_of_m - 1] >> 63;
    add_where(is_negative, &mut d, &modulus);
    negate_where(sign, &mut d);
    let is_negative = d[limbs_of_m - 1] >> 63;
    add_where(is_negative, &mut d, &modulus);
    is_unit.then(|| Zeroizing::new(words_of(&d, m.len())))
}

/// As many division steps as numbers of so many bits take at most: Theorem 11.2 of the paper.
fn steps(bits: usize) -> usize {
    match bits {
        ..46 => (49 * bits + 80) / 17,
        _ => (49 * bits + 57) / 17,
    }
}

/// The number in signed limbs of 62 bits. All but the highest are non-negative.
type Limbs = Zeroizing<Vec<i64>>;

fn limbs_of(x: &[u64], count: usize) -> Limbs {
    Zeroizing::new((0..count).map(|i| bits_at(x, LIMB_BITS * i, LIMB_BITS as u32) as i64).collect())
}

/// The words of a number that is not negative.
fn words_of(limbs: &[i64], count: usize) -> Vec<u64> {
    let mut words = vec![0; count];
    for (i, &limb) in limbs.iter().enumerate() {
        let (word, shift) = (LIMB_BITS * i / 64, LIMB_BITS * i % 64);
        let spread = u128::from(limb as u64) << shift;
        for (target, part) in words.iter_mut().skip(word).zip([spread as u64, (spread >> 64) as u64]) {
            *target |= part;
        }
    }
    words
}

fn low(limbs: &[i64]) -> u64 {
    limbs[0] as u64
}

/// (u, v, q, r): 62 steps make (u·f + v·g, q·f + r·g)/2^62 of (f, g). |u| + |v| and |q| + |r| are at most 2^62.
struct Matrix([i64; 4]);

/// The matrix of the next 62 steps, which the lowest 62 bits of f and g determine.
fn matrix(delta: &mut i64, mut f: u64, mut g: u64) -> Matrix {
    let [mut u, mut v, mut q, mut r] = [1u64, 0, 0, 1];
    for _ in 0..LIMB_BITS {
        // All ones where g is odd, and where f and g trade places besides.
        let is_odd = (g & 1).wrapping_neg();
        let trades = is_odd & (delta.wrapping_neg() >> 63) as u64;
        let trade = |a: &mut u64, b: &mut u64| {
            let difference = (*a ^ *b) & trades;
            *a ^= difference;
            // b becomes −a.
            *b = ((*b ^ difference) ^ trades).wrapping_sub(trades);
        };
        trade(&mut f, &mut g);
        trade(&mut u, &mut q);
        trade(&mut v, &mut r);
        *delta = ((*delta ^ trades as i64) - trades as i64) + 1;
        g = g.wrapping_add(f & is_odd) >> 1;
        q = q.wrapping_add(u & is_odd);
        r = r.wrapping_add(v & is_odd);
        u <<= 1;
        v <<= 1;
    }
    Matrix([u, v, q, r].map(|entry| entry as i64))
}

/// u·f + v·g, exactly: below 2^125 in magnitude.
fn combination(u: i64, f: i64, v: i64, g: i64) -> i128 {
    i128::from(u) * i128::from(f) + i128::from(v) * i128::from(g)
}

/// (f, g) ← (u·f + v·g, q·f + r·g)/2^62. Neither grows in magnitude.
fn apply(Matrix([u, v, q, r]): &Matrix, f: &mut [i64], g: &mut [i64]) {
    let (mut of_f, mut of_g) = (0, 0);
    for i in 0..f.len() {
        of_f += combination(*u, f[i], *v, g[i]);
        of_g += combination(*q, f[i], *r, g[i]);
        if i > 0 {
            (f[i - 1], g[i - 1]) = (of_f as i64 & MASK, of_g as i64 & MASK);
        }
        (of_f, of_g) = (of_f >> LIMB_BITS, of_g >> LIMB_BITS);
    }
    let top = f.len() - 1;
    (f[top], g[top]) = (of_f as i64, of_g as i64);
}

/// (d, e) ← (u·d + v·e, q·d + r·e)/2^62 modulo m, for −2m < d, e < m before and after; `inverse` is m⁻¹ mod 2^62 in its
/// lowest bits.
///
/// With m added to what is negative, |u·d + v·e| is below 2^62·m. A multiple of m below 2^62·m is then subtracted that
/// makes the sum divisible by 2^62.
fn apply_modulo(matrix: &Matrix, d: &mut [i64], e: &mut [i64], m: &[i64], inverse: i64) {
    let Matrix([u, v, q, r]) = *matrix;
    let top = d.len() - 1;
    let (d_sign, e_sign) = (d[top] >> 63, e[top] >> 63);
    let factor = |a: i64, b: i64| {
        let of_signs = (a & d_sign) + (b & e_sign);
        let low = a.wrapping_mul(d[0]).wrapping_add(b.wrapping_mul(e[0]));
        of_signs - (inverse.wrapping_mul(low).wrapping_add(of_signs) & MASK)
    };
    let (m_of_d, m_of_e) = (factor(u, v), factor(q, r));
    let (mut of_d, mut of_e) = (0, 0);
    for i in 0..d.len() {
        of_d += combination(u, d[i], v, e[i]) + i128::from(m[i]) * i128::from(m_of_d);
        of_e += combination(q, d[i], r, e[i]) + i128::from(m[i]) * i128::from(m_of_e);
        if i > 0 {
            (d[i - 1], e[i - 1]) = (of_d as i64 & MASK, of_e as i64 & MASK);
        }
        (of_d, of_e) = (of_d >> LIMB_BITS, of_e >> LIMB_BITS);
    }
    (d[top], e[top]) = (of_d as i64, of_e as i64);
}

/// z ← −z where the mask is all ones.
fn negate_where(mask: i64, z: &mut [i64]) {
    let mut carry = 0;
    let top = z.len() - 1;
    for (i, limb) in z.iter_mut().enumerate() {
        carry += (*limb ^ mask) - mask;
        if i < top {
            (*limb, carry) = (carry & MASK, carry >> LIMB_BITS);
        } else {
            *limb = carry;
        }
    }
}

/// z ← z + y where the mask is all ones.
fn add_where(mask: i64, z: &mut [i64], y: &[i64]) {
    let mut carry = 0;
    let top = z.len() - 1;
    for (i, (limb, &y)) in z.iter_mut().zip(y).enumerate() {
        carry += *limb + (y & mask);
        if i < top {
            (*limb, carry) = (carry & MASK, carry >> LIMB_BITS);
        } else {
            *limb = carry;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn gcd(a: u64, b: u64) -> u64 {
        if b == 0 { a } else { gcd(b, a % b) }
    }

    #[test]
    fn all_inverses_modulo_small_numbers_are_right() {
        for n in 1..200u64 {
            for x in 0..2 * n {
                let found = inverse(&[x, 0], &[n, 0]).unwrap();
                assert_eq!(found.is_some(), gcd(x, n) == 1, "{x} mod {n}");
                if let Some(y) = found {
                    assert!(y[0] < n && x * y[0] % n == 1 % n, "{x} mod {n}");
                }
            }
        }
    }

    #[test]
    fn zero_is_no_modulus_and_has_no_inverse() {
        assert_eq!(inverse(&[3], &[0, 0]), Err(Error::ZeroModulus));
        assert_eq!(inverse(&[], &[]), Err(Error::ZeroModulus));
        assert_eq!(inverse(&[], &[7]), Ok(None));
        assert_eq!(inverse(&[], &[1]), Ok(Some(vec![0])));
    }

    #[test]
    fn steps_are_those_of_the_theorem() {
        assert_eq!([1, 45, 46, 255, 256, 2048].map(steps), [7, 134, 135, 738, 741, 5906]);
    }
}
