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
    use num_bigint::{BigInt, BigUint};

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

    /// The limbs of 2^63 + 3 are 3 and 2, which differ from those of 1 by 2 and 2.
    #[test]
    fn a_common_factor_is_no_unit_where_its_limbs_cancel() {
        let factor = (1 << 63) + 3;
        assert_eq!(inverse(&[factor], &[factor]), Ok(None));
        assert_eq!(inverse(&[factor], &[1, factor]).map(|y| y.is_some()), Ok(true));
    }

    /// These need more than 186 of the 248 steps: the last matrix still changes d, which ends below −m. In the
    /// first two f ends as 1, in the others as −1.
    #[test]
    fn an_inverse_that_the_steps_leave_below_minus_m_is_brought_into_the_range() {
        for (m, x) in [
            (0x18_b89e_8ab2_d1fd_4681_117d_u128, 0xb2f0_43dd_b744_12bb),
            (0x10_7dd2_a1b9_f583_c38f_5697, 0xc3bc_00d5_2310_eae6),
            (0x1f_c5dd_ab9c_836e_7205_f29f, 0x033e_f04e_f0e2_ab0e),
            (0x1f_51fd_05fe_aa04_3a48_3465, 0xa126_d6ee_15ea_22ac),
        ] {
            let y = inverse(&[x], &[m as u64, (m >> 64) as u64]).unwrap().unwrap();
            let y = BigUint::from(y[0]) + (BigUint::from(y[1]) << 64);
            assert!(y < m.into() && BigUint::from(x) * &y % m == BigUint::from(1u8), "{y} modulo {m}");
        }
    }

    /// The number of these limbs.
    fn integer(limbs: &[i64]) -> BigInt {
        limbs.iter().rev().fold(BigInt::ZERO, |high, &limb| (high << LIMB_BITS) + limb)
    }

    /// The limbs of a number: the highest has its sign.
    fn signed_limbs(x: &BigInt, count: usize) -> Vec<i64> {
        let limb = |i| match x >> (LIMB_BITS * i) {
            above if i + 1 == count => above,
            above => above & BigInt::from(MASK),
        };
        (0..count).map(|i| limb(i).try_into().unwrap()).collect()
    }

    #[test]
    fn sums_and_negatives_of_signed_numbers_are_exact() {
        let m: BigInt = (BigInt::from(1) << 124) - 3;
        for z in [2 - &m * 2, -&m - 1, -m.clone(), 1 - &m, -BigInt::from(1), BigInt::ZERO, &m - 1] {
            let limbs = signed_limbs(&z, 3);
            for (mask, sum, product) in [(0, z.clone(), z.clone()), (-1, &z + &m, -&z)] {
                let (mut of_sum, mut of_product) = (limbs.clone(), limbs.clone());
                add_where(mask, &mut of_sum, &signed_limbs(&m, 3));
                negate_where(mask, &mut of_product);
                assert_eq!(of_sum, signed_limbs(&sum, 3), "{z}, {mask}");
                assert_eq!(of_product, signed_limbs(&product, 3), "{z}, {mask}");
            }
        }
    }

    /// Division steps by the paper's definition, on numbers.
    #[test]
    fn a_matrix_is_that_of_62_division_steps() {
        let numbers = [0, 1, 2, 3, 1 << 40, (1 << 61) - 1, 0x1e37_79b9_7f4a_7c15, 0x2545_f491_4f6c_dd1c];
        for (f, g) in numbers.iter().flat_map(|&f| numbers.map(|g| (f | 1, g))) {
            for (f, g) in [(f, g), (-f, g), (f, -g)] {
                for first_delta in [-30, -1, 0, 1, 2, 40] {
                    let (mut delta, mut after) = (first_delta, (first_delta, f, g));
                    for _ in 0..LIMB_BITS {
                        after = match after {
                            (delta, f, g) if delta > 0 && g % 2 != 0 => (1 - delta, g, (g - f) / 2),
                            (delta, f, g) => (1 + delta, f, (g + (g & 1) * f) / 2),
                        };
                    }
                    let Matrix([u, v, q, r]) = matrix(&mut delta, f as u64, g as u64);
                    let [of_f, of_g] = [[u, v], [q, r]].map(|[a, b]| {
                        assert!(a.unsigned_abs() + b.unsigned_abs() <= 1 << LIMB_BITS);
                        i128::from(a) * f + i128::from(b) * g
                    });
                    let (delta_after, f_after, g_after) = after;
                    assert_eq!(delta, delta_after, "{first_delta}, {f}, {g}");
                    assert_eq!((of_f, of_g), (f_after << LIMB_BITS, g_after << LIMB_BITS));
                }
            }
        }
    }

    /// At the ends of the range of d and e, and for the rows of largest entries that a matrix may have.
    #[test]
    fn a_matrix_modulo_m_keeps_the_residues_and_the_range() {
        let (all, half) = (1 << LIMB_BITS, 1 << (LIMB_BITS - 1));
        let rows = [[all, 0], [0, all], [half, half], [half, -half], [all - 1, -1], [1, 1 - all], [3, -5]];
        let rows = rows.iter().flat_map(|&[a, b]| [[a, b], [-a, -b]]).collect::<Vec<_>>();
        for words in [&[3][..], &[(1 << 62) - 1], &[u64::MAX], &[u64::MAX, 0x0fff_ffff_ffff_ffff], &[7, 5, 1]]
        {
            let count = bit_length(words) / LIMB_BITS + 2;
            let modulus = limbs_of(words, count);
            let m = integer(&modulus);
            let inverse = newton_hensel::<Integers<u64>>(words[0]).wrapping_neg() as i64;
            let numbers =
                [1 - 2 * &m, -1 - &m, -m.clone(), 1 - &m, -BigInt::from(1), BigInt::ZERO, &m / 2, &m - 1];
            for (d, e) in numbers.iter().flat_map(|d| numbers.iter().map(move |e| (d, e))) {
                for (i, &[u, v]) in rows.iter().enumerate() {
                    let [q, r] = rows[(i + 5) % rows.len()];
                    let [mut of_d, mut of_e] = [d, e].map(|number| signed_limbs(number, count));
                    apply_modulo(&Matrix([u, v, q, r]), &mut of_d, &mut of_e, &modulus, inverse);
                    for (limbs, expected) in [(of_d, d * u + e * v), (of_e, d * q + e * r)] {
                        let found = integer(&limbs);
                        assert!(-2 * &m < found && found < m, "{u}·{d} + {v}·{e} modulo {m}");
                        assert_eq!(((found << LIMB_BITS) - expected) % &m, BigInt::ZERO);
                    }
                }
            }
        }
    }

    #[test]
    fn steps_are_those_of_the_theorem() {
        assert_eq!([1, 45, 46, 255, 256, 2048].map(steps), [7, 134, 135, 738, 741, 5906]);
    }
}
