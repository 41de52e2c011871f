//! Products of non-negative integers in little-endian words, in time that depends on the lengths alone.

#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
pub(crate) mod by_blocks;

use crate::word::Word;

/// (high, low) of x·y + z + carry, which is below W².
///
/// The carry is added last, so that only two additions wait for it.
#[inline(always)]
fn multiply_and_add(z: u64, x: u64, y: u64, carry: u64) -> (u64, u64) {
    let product = u128::from(x) * u128::from(y);
    let (sum, is_over) = (product as u64).overflowing_add(z);
    let high = (product >> 64) as u64 + u64::from(is_over);
    let (sum, is_over) = sum.overflowing_add(carry);
    (high + u64::from(is_over), sum)
}

/// (carry, z) = z + x·y, where only the lowest len z words of y count.
#[inline(always)]
pub(crate) fn add_row(z: &mut [u64], x: u64, y: &[u64]) -> u64 {
    let mut carry = 0;
    for (target, &word) in z.iter_mut().zip(y) {
        (carry, *target) = multiply_and_add(*target, x, word, carry);
    }
    carry
}

/// z = carry + z + (x₀ + x₁·W)·y + x₁·below mod W^(len z), where `below` is the word below y.
///
/// Two rows in one pass read each word of z and of y once for two products. Their two chains of carries run
/// side by side, where a single chain would wait for itself.
#[inline(always)]
pub(crate) fn add_two_rows(z: &mut [u64], [x0, x1]: [u64; 2], y: &[u64], mut below: u64, carry: u64) {
    let (mut carry0, mut carry1) = (carry, 0);
    for (target, &word) in z.iter_mut().zip(y) {
        let sum;
        (carry0, sum) = multiply_and_add(*target, x0, word, carry0);
        (carry1, *target) = multiply_and_add(sum, x1, below, carry1);
        below = word;
    }
}

/// z += x·y mod W^(len z).
pub(crate) fn add_product(z: &mut [u64], x: &[u64], y: &[u64]) {
    for (i, &word) in x.iter().enumerate().take(z.len()) {
        let z = &mut z[i..];
        let (low, high) = z.split_at_mut(y.len().min(z.len()));
        let mut carry = add_row(low, word, y);
        for target in high {
            (carry, *target) = Word::carrying_add(*target, carry, 0);
        }
    }
}

/// z = x·y, which has len x + len y words.
pub(crate) fn multiply(z: &mut [u64], x: &[u64], y: &[u64]) {
    z.fill(0);
    for (i, &word) in x.iter().enumerate() {
        z[i + y.len()] = add_row(&mut z[i..i + y.len()], word, y);
    }
}

/// z = x², which has 2·len x words.
#[inline(always)]
pub(crate) fn square(z: &mut [u64], x: &[u64]) {
    cross_products(z, x);
    double_and_add_squares(z, x);
}

/// z = Σ xᵢ·xⱼ·W^(i+j) over i < j. For even i, one pass adds rows i and i + 1.
///
/// This is the loop of [`add_two_rows`] with indices, and with the ends of the rows. If the compiler knows the length
/// of x, it makes faster code of this form.
#[inline(always)]
fn cross_products(z: &mut [u64], x: &[u64]) {
    z.fill(0);
    for i in (0..x.len().saturating_sub(1)).step_by(2) {
        // Row i is x[i]·y; row i + 1 is x[i+1]·y[1..] and begins two words higher. w[0] has the weight of x[i]·y[0].
        let (x0, x1, y) = (x[i], x[i + 1], &x[i + 1..]);
        let last = y.len();
        let w = &mut z[2 * i + 1..];
        let (mut c0, mut c1) = (0, 0);
        for j in 0..last.min(2) {
            (c0, w[j]) = u64::mul_add(w[j], x0, y[j], c0);
        }
        for j in 2..last {
            let sum;
            (c0, sum) = u64::mul_add(w[j], x0, y[j], c0);
            (c1, w[j]) = u64::mul_add(sum, x1, y[j - 1], c1);
        }
        w[last] = c0;
        if last > 1 {
            (w[last + 1], w[last]) = u64::mul_add(c0, x1, y[last - 1], c1);
        }
    }
}

/// z = x·y mod W^s; all have s words.
pub(crate) fn multiply_low(z: &mut [u64], x: &[u64], y: &[u64]) {
    z.fill(0);
    let pairs = x.chunks_exact(2);
    if let [top] = pairs.remainder() {
        z[x.len() - 1] = top.wrapping_mul(y[0]);
    }
    for (i, pair) in pairs.enumerate() {
        add_two_rows(&mut z[2 * i..], [pair[0], pair[1]], y, 0, 0);
    }
}

/// z = x² mod W^s; both have s words.
pub(crate) fn square_low(z: &mut [u64], x: &[u64]) {
    z.fill(0);
    for i in (0..x.len() / 2).step_by(2) {
        // The second row begins two words above the first, because the cross products leave out the squares.
        let (rows, above) = ([x[i], x[i + 1]], &x[i + 1..]);
        let z = &mut z[2 * i + 1..];
        let (start, rest) = z.split_at_mut(2.min(z.len()));
        let carry = add_row(start, rows[0], above);
        if rest.is_empty() {
            break;
        }
        add_two_rows(rest, rows, &above[2..], above[1], carry);
    }
    double_and_add_squares(z, x);
}

/// z = 2·z + Σ xᵢ²·W^(2i) mod W^(len z).
#[inline(always)]
fn double_and_add_squares(z: &mut [u64], x: &[u64]) {
    let (mut moved_up, mut carry) = (0, 0);
    let mut pairs = z.chunks_exact_mut(2);
    for (pair, &word) in pairs.by_ref().zip(x) {
        let cross = u128::from(pair[1]) << 64 | u128::from(pair[0]);
        let square = u128::from(word) * u128::from(word);
        let (sum, carry_of_square) = (cross << 1 | moved_up).overflowing_add(square);
        let (sum, carry_of_carry) = sum.overflowing_add(carry);
        moved_up = cross >> 127;
        carry = u128::from(carry_of_square | carry_of_carry);
        (pair[0], pair[1]) = (sum as u64, (sum >> 64) as u64);
    }
    if let ([top], Some(&word)) = (pairs.into_remainder(), x.get(x.len() / 2)) {
        *top = (*top << 1).wrapping_add((moved_up + carry) as u64).wrapping_add(word.wrapping_mul(word));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;
    use alloc::vec::Vec;

    fn words(seed: u64, count: usize) -> Vec<u64> {
        let word = |i: u64| match (seed + i) % 5 {
            0 => u64::MAX,
            1 => 0,
            _ => (seed + i).wrapping_mul(0x9e37_79b9_7f4a_7c15),
        };
        (0..count as u64).map(word).collect()
    }

    #[test]
    fn sums_of_products_wrap_at_the_length() {
        let mut z = [1, 0];
        add_product(&mut z, &[u64::MAX, u64::MAX], &[u64::MAX]);
        // (2^128 − 1)·(2^64 − 1) + 1 = 2 − 2^64 mod 2^128.
        assert_eq!(z, [2, u64::MAX]);
    }

    #[test]
    fn products_and_squares_are_the_sums_of_rows() {
        for s in 1..=9 {
            for length in 1..=9 {
                let (x, y) = (words(s, s as usize), words(3 * s + 1, length));
                let mut expected = vec![0; s as usize + length];
                add_product(&mut expected, &x, &y);
                let mut z = vec![7; s as usize + length];
                multiply(&mut z, &x, &y);
                assert_eq!(z, expected);
            }
        }
    }

    #[test]
    fn squares_and_low_halves_are_those_of_products() {
        for s in 1..=9 {
            for seed in 0..20 {
                let (x, y) = (words(seed, s), words(seed + 7, s));
                let (mut z, mut expected) = (vec![7; 2 * s], vec![0; 2 * s]);
                multiply(&mut expected, &x, &x);
                square(&mut z, &x);
                assert_eq!(z, expected);
                square_low(&mut z[..s], &x);
                assert_eq!(z[..s], expected[..s]);
                multiply(&mut expected, &x, &y);
                multiply_low(&mut z[..s], &x, &y);
                assert_eq!(z[..s], expected[..s]);
            }
        }
    }
}
