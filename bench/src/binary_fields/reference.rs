//! The oracle of all answers: bitwise arithmetic in GF(2^k), on words in which bit i is the coefficient of
//! xⁱ.

use crate::operands::{Operands, from_words};
use num_bigint::BigUint;

pub fn product_step(z: &BigUint, operands: &Operands) -> BigUint {
    let field = Field::of(operands);
    from_words(&field.product(&field.element(z), &field.element(&operands.y)))
}

pub fn square_step(z: &BigUint, operands: &Operands) -> BigUint {
    let field = Field::of(operands);
    from_words(&field.product(&field.element(z), &field.element(z)))
}

pub fn inverse_step(z: &BigUint, operands: &Operands) -> BigUint {
    let field = Field::of(operands);
    from_words(&field.inverse(&field.element(z))) ^ &operands.y
}

pub fn power_step(z: &BigUint, operands: &Operands) -> BigUint {
    let field = Field::of(operands);
    from_words(&field.power(&field.element(z), &operands.e))
}

struct Field {
    k: usize,
    n: Vec<u64>,
}

impl Field {
    fn of(operands: &Operands) -> Field {
        let mut field = Field { k: operands.bits, n: Vec::new() };
        field.n = field.element(&operands.n);
        field
    }

    /// The number, in enough words for degree k.
    fn element(&self, number: &BigUint) -> Vec<u64> {
        let mut words = number.to_u64_digits();
        words.resize(self.k / 64 + 1, 0);
        words
    }

    /// x·y mod n by Horner's rule.
    fn product(&self, x: &[u64], y: &[u64]) -> Vec<u64> {
        let mut z = vec![0; x.len()];
        for i in (0..self.k).rev() {
            multiply_by_x(&mut z);
            if bit(&z, self.k) {
                add(&mut z, &self.n);
            }
            if bit(y, i) {
                add(&mut z, x);
            }
        }
        z
    }

    /// xᵉ mod n.
    fn power(&self, x: &[u64], e: &BigUint) -> Vec<u64> {
        let mut z = self.element(&BigUint::from(1u8));
        for i in (0..e.bits()).rev() {
            z = self.product(&z, &z);
            if e.bit(i) {
                z = self.product(&z, x);
            }
        }
        z
    }

    /// x⁻¹ = x^(2^k − 2) mod n.
    fn inverse(&self, x: &[u64]) -> Vec<u64> {
        self.power(x, &((BigUint::from(1u8) << self.k) - 2u8))
    }
}

fn multiply_by_x(z: &mut [u64]) {
    let mut carry = 0;
    for word in z {
        (*word, carry) = (*word << 1 | carry, *word >> 63);
    }
}

fn add(z: &mut [u64], x: &[u64]) {
    for (z, x) in z.iter_mut().zip(x) {
        *z ^= x;
    }
}

fn bit(z: &[u64], i: usize) -> bool {
    z[i / 64] >> (i % 64) & 1 == 1
}
