//! Inverses of public numbers by Euclid's algorithm in Lehmer's form: the time depends on the values.

use crate::cancellation::checkpoint;
use crate::division::remainder_of_shifted;
use crate::error::Error;
use crate::natural::{bit_length, bits_at, is_less};
use alloc::vec;
use alloc::vec::Vec;

/// The y < n with x·y = 1 modulo n ≥ 1, in ⌈bits of n/64⌉ words; None if x and n share a factor. x may be of any size.
///
/// It is for public numbers: the time depends on them, and nothing is erased. [`inverse`](crate::inverse()) is for secrets.
///
/// ```
/// assert_eq!(monpro::inverse_vartime(&[3], &[10]), Ok(Some(vec![7])));
/// assert_eq!(monpro::inverse_vartime(&[4], &[10]), Ok(None));
/// ```
///
/// # Errors
/// [`Error::ZeroModulus`].
pub fn inverse_vartime(x: &[u64], n: &[u64]) -> Result<Option<Vec<u64>>, Error> {
    let n = &n[..bit_length(n).div_ceil(64)];
    if n.is_empty() {
        return Err(Error::ZeroModulus);
    }
    // Modulo 1 all numbers are 0.
    if n == [1] {
        return Ok(Some(vec![0]));
    }
    let x = &x[..bit_length(x).div_ceil(64)];
    let mut pair = match is_less(x, n) {
        true => Pair::new(n, x.to_vec()),
        false => Pair::new(n, remainder_of_shifted(x, 0, n)),
    };
    while pair.a.len() > 1 && !pair.b.is_empty() {
        checkpoint();
        pair.step();
    }
    pair.finish();
    Ok((pair.a == [1]).then(|| pair.inverse(n)))
}

/// a ≥ b ≥ 0 with the greatest common divisor of n and x, without leading zeros, and u, v ≥ 0 with b = v·x and a = −u·x
/// modulo n, or with the other signs.
///
/// Throughout a·v + b·u = n, so that u and v are at most n. They begin as 0 and 1, for a = n and b = x.
struct Pair {
    a: Vec<u64>,
    b: Vec<u64>,
    /// In a word more than n has.
    u: Vec<u64>,
    v: Vec<u64>,
    /// Words of u and v from this one up are 0.
    used: usize,
    /// Whether the signs are the other ones.
    is_negative: bool,
}

impl Pair {
    fn new(n: &[u64], mut x: Vec<u64>) -> Pair {
        trim(&mut x);
        let (u, mut v) = (vec![0; n.len() + 1], vec![0; n.len() + 1]);
        v[0] = 1;
        Pair { a: n.to_vec(), b: x, u, v, used: 1, is_negative: false }
    }

    /// Some steps of Euclid's algorithm, or a part of one, for an a of more than a word and b > 0.
    fn step(&mut self) {
        let position = bit_length(&self.a) - 64;
        let [x, y] = [&self.a, &self.b].map(|z| bits_at(z, position, 64));
        match Quotients::of_leading_bits(x, y) {
            Some(quotients) => {
                match quotients.is_odd {
                    true => subtract_products::<true>(&mut self.a, &mut self.b, &quotients),
                    false => subtract_products::<false>(&mut self.a, &mut self.b, &quotients),
                }
                self.add_products(&quotients);
            }
            None => self.subtract_part(x, position),
        }
    }

    /// u and v after these quotients.
    fn add_products(&mut self, Quotients { matrix: [a, b, c, d], is_odd }: &Quotients) {
        let (mut of_u, mut of_v) = (0, 0);
        for (u, v) in self.u.iter_mut().zip(&mut self.v).take(self.used + 1) {
            // Below 2^97, since the entries are below 2^32.
            of_u += product(*a, *u) + product(*b, *v);
            of_v += product(*c, *u) + product(*d, *v);
            (*u, *v) = (of_u as u64, of_v as u64);
            (of_u, of_v) = (of_u >> 64, of_v >> 64);
        }
        self.used = (self.used + 1).min(self.u.len());
        if self.u[self.used - 1] | self.v[self.used - 1] == 0 {
            self.used -= 1;
        }
        self.is_negative ^= is_odd;
    }

    /// a ← a − q·b and u ← u + q·v for a part q ≥ 1 of the quotient; a and b then trade places if a is less. x is the 64
    /// bits of a from the position up, which are its highest.
    fn subtract_part(&mut self, x: u64, position: usize) {
        // With the highest 32 bits of b rounded up, b < y·2^below, so that x·2^position/(y·2^below) is below a/b.
        let below = bit_length(&self.b).saturating_sub(32);
        let y = bits_at(&self.b, below, 32) + 1;
        let (q, shift) = match position.checked_sub(below) {
            Some(shift) => (x / y, shift),
            None => ((x / y) >> (below - position), 0),
        };
        // The lower of two words of the quotient may wait for the next part.
        let wide = u128::from(q.max(1)) << (shift % 64);
        let (q, words) = match (wide >> 64) as u64 {
            0 => (wide as u64, shift / 64),
            high => (high, shift / 64 + 1),
        };
        subtract_row(&mut self.a[words..], q, &self.b);
        trim(&mut self.a);
        add_to_row(&mut self.u[words..], q, &self.v[..self.used]);
        self.used = (self.used + words + 1).min(self.u.len());
        if is_less(&self.a, &self.b) {
            core::mem::swap(&mut self.a, &mut self.b);
            core::mem::swap(&mut self.u, &mut self.v);
            self.is_negative = !self.is_negative;
        }
    }

    /// Makes a the greatest common divisor, if it is a word, and u its factor. b and v are then of no use.
    fn finish(&mut self) {
        let (&[a], &[b]) = (&self.a[..], &self.b[..]) else { return };
        let (divisor, [of_u, of_v], is_odd) = euclid(a, b);
        self.a[0] = divisor;
        let mut sum = 0;
        for (u, v) in self.u.iter_mut().zip(&self.v) {
            // The factors are at most 2^63, so that this is below 2^128.
            sum += product(of_u, *u) + product(of_v, *v);
            *u = sum as u64;
            sum >>= 64;
        }
        self.is_negative ^= is_odd;
    }

    /// x⁻¹ for a = 1: u or n − u.
    fn inverse(mut self, n: &[u64]) -> Vec<u64> {
        self.u.truncate(n.len());
        if self.is_negative {
            return self.u;
        }
        let mut inverse = n.to_vec();
        subtract_row(&mut inverse, 1, &self.u);
        inverse
    }
}

/// Steps of Euclid's algorithm from (x, y), as the matrix (a, b, c, d) of numbers below 2^32: x becomes a·x − b·y and y
/// becomes d·y − c·x, or, after an odd number of steps, the negatives of these.
struct Quotients {
    matrix: [u64; 4],
    is_odd: bool,
}

impl Quotients {
    /// The steps that are those of all numbers with these leading bits, of which x has its highest; None if none is.
    ///
    /// A number is between its leading bits and these plus 1. After some steps the remainders are x and y, up to errors
    /// below b and d, because d ≥ c and b ≥ a (but for the start, where b = 0 and x itself is the first number). A quotient
    /// q is right for all numbers if the next remainder y' = x − q·y and y − y' are above the errors. Then b + q·d is at
    /// most y', and its product with y at most the first x, so that it is below 2^32.
    fn of_leading_bits(mut x: u64, mut y: u64) -> Option<Quotients> {
        let (mut matrix, mut is_odd) = ([1, 0, 0, 1], false);
        while y > 0 {
            let [a, b, c, d] = matrix;
            let q = x / y;
            let rest = x - q * y;
            // At most x, but for b: d is at most y.
            let of_rest = b + q * d;
            if rest < of_rest || y - rest < of_rest + d {
                break;
            }
            matrix = [c, d, a + q * c, of_rest];
            (x, y, is_odd) = (y, rest, !is_odd);
        }
        (matrix[1] > 0).then_some(Quotients { matrix, is_odd })
    }
}

/// The greatest common divisor of a ≥ b > 0, with its factors (s, t): it is a·s − b·t, or b·t − a·s if the number of steps
/// is odd. Where b is no divisor, s ≤ b/2 and t ≤ a/2; else they are 0 and 1.
fn euclid(mut a: u64, mut b: u64) -> (u64, [u64; 2], bool) {
    let (mut of_a, mut of_b, mut is_odd) = ([1, 0], [0, 1], false);
    while b > 0 {
        let q = a / b;
        (a, b) = (b, a % b);
        // The last ones, of 0, are not used and may be too large.
        let next = [0, 1].map(|i: usize| q.wrapping_mul(of_b[i]).wrapping_add(of_a[i]));
        (of_a, of_b, is_odd) = (of_b, next, !is_odd);
    }
    (a, of_a, is_odd)
}

fn product(x: u64, y: u64) -> u128 {
    u128::from(x) * u128::from(y)
}

/// (a, b) after these quotients, whose number is odd or not.
fn subtract_products<const IS_ODD: bool>(a: &mut Vec<u64>, b: &mut Vec<u64>, quotients: &Quotients) {
    let matrix = quotients.matrix;
    // Below 2^97 in magnitude, since the entries are below 2^32.
    let difference = |x: u64, p: u64, y: u64, q: u64| match IS_ODD {
        true => product(q, y) as i128 - product(p, x) as i128,
        false => product(p, x) as i128 - product(q, y) as i128,
    };
    let (mut of_a, mut of_b) = (0, 0);
    b.resize(a.len(), 0);
    for (x, y) in a.iter_mut().zip(&mut *b) {
        of_a += difference(*x, matrix[0], *y, matrix[1]);
        of_b += difference(*y, matrix[3], *x, matrix[2]);
        (*x, *y) = (of_a as u64, of_b as u64);
        (of_a, of_b) = (of_a >> 64, of_b >> 64);
    }
    trim(a);
    trim(b);
}

/// z ← z − q·y, which is not negative.
fn subtract_row(z: &mut [u64], q: u64, y: &[u64]) {
    let mut borrow = 0;
    for (i, target) in z.iter_mut().enumerate() {
        let row = y.get(i).map_or(0, |&word| product(q, word)) + u128::from(borrow);
        if i >= y.len() && row == 0 {
            break;
        }
        let (difference, is_under) = target.overflowing_sub(row as u64);
        *target = difference;
        borrow = (row >> 64) as u64 + u64::from(is_under);
    }
}

/// z ← z + q·y, which has the words of z.
fn add_to_row(z: &mut [u64], q: u64, y: &[u64]) {
    let mut carry = 0;
    for (i, target) in z.iter_mut().enumerate() {
        if i >= y.len() && carry == 0 {
            break;
        }
        carry += y.get(i).map_or(0, |&word| product(q, word)) + u128::from(*target);
        *target = carry as u64;
        carry >>= 64;
    }
}

/// Removes leading zeros.
fn trim(z: &mut Vec<u64>) {
    while z.last() == Some(&0) {
        z.pop();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use num_bigint::BigUint;

    fn integer(words: &[u64]) -> BigUint {
        words.iter().rev().fold(BigUint::ZERO, |high, &word| (high << 64) + word)
    }

    /// Whether a remainder is at least the errors, or less by 1, decides whether its quotient counts.
    #[test]
    fn quotients_are_taken_as_long_as_all_numbers_have_them() {
        let (half, quarter) = (1 << 63, 1 << 62);
        for (x, y, expected) in [
            // The first remainder is 2, and is an error of 2; then 1, an error of 2.
            (half + 12, quarter + 5, Some(([0, 1, 1, 2], true))),
            (half + 11, quarter + 5, None),
            // The divisor is 2 more than the first remainder, and 2 are the errors of both; then 1 more.
            (half + 10, quarter + 6, Some(([1, 1, 1, 2], false))),
            (half + 11, quarter + 6, None),
            (half, half, None),
            (half, 1, None),
            (u64::MAX, 0, None),
        ] {
            let found = Quotients::of_leading_bits(x, y);
            assert_eq!(found.map(|quotients| (quotients.matrix, quotients.is_odd)), expected, "{x:x}, {y:x}");
        }
    }

    /// In the word above, both products are 0, or one is, or they are equal, or they have no common bit.
    #[test]
    fn factors_are_multiplied_and_their_words_counted() {
        for (u, v, matrix) in [
            ([0, 0, 0], [1, 0, 0], [0, 1, 1, 7]),
            ([1, 0, 0], [u64::MAX, 0, 0], [0, 1, 1, 1 << 31]),
            ([0, 1 << 63, 0], [0, 1 << 63, 0], [1, 1, 1, 2]),
            ([0, 0, 0], [0, 1 << 63, 0], [1, 2, 1, 4]),
            ([u64::MAX, 3, 0], [u64::MAX, 5, 0], [1, 2, 1, 3]),
            ([u64::MAX, 3, 1], [u64::MAX, 5, 2], [1, 2, 1, 3]),
        ] {
            let words_of = |a: &[u64], b: &[u64]| (0..3).rposition(|i| a[i] | b[i] > 0).map_or(0, |i| i + 1);
            let used = words_of(&u, &v);
            let mut pair =
                Pair { a: Vec::new(), b: Vec::new(), u: u.to_vec(), v: v.to_vec(), used, is_negative: false };
            pair.add_products(&Quotients { matrix, is_odd: true });
            let ([a, b, c, d], u, v) = (matrix, integer(&u), integer(&v));
            assert_eq!((integer(&pair.u), integer(&pair.v)), (&u * a + &v * b, &u * c + &v * d));
            assert_eq!((pair.used, pair.is_negative), (words_of(&pair.u, &pair.v), true), "{u}, {v}");
        }
    }
}
