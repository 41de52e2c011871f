//! Elements of a binary field.

use super::{BinaryField, FieldError, inverse, trace};
use crate::cancellation::checkpoint;
use crate::natural;
use crate::residue::{Residue, Scratch};
use alloc::vec::Vec;
use core::fmt;
use core::ops::{Add, Mul, Neg, Sub};
use zeroize::Zeroizing;

/// An element of a [`BinaryField`], in Montgomery form; erased when dropped.
///
/// `&a + &b`, `&a - &b`, `&a * &b` and `-&a` compute in the field; a − b = a + b and −a = a. Time is
/// independent of the values, except where a name ends in `_vartime`.
///
/// # Panics
/// The binary operators panic where the operands belong to different fields or kernels, which is a mistake in
/// the program and not in its input.
#[derive(Clone)]
pub struct FieldElement {
    field: BinaryField,
    residue: Residue,
}

impl FieldElement {
    pub(super) fn new(field: BinaryField, residue: Residue) -> FieldElement {
        FieldElement { field, residue }
    }

    /// The field.
    #[must_use]
    pub fn field(&self) -> &BinaryField {
        &self.field
    }

    /// The element as a residue of the field's modulus.
    #[must_use]
    pub fn residue(&self) -> &Residue {
        &self.residue
    }

    /// The element in ⌈k/64⌉ words: bit i is the coefficient of xⁱ.
    #[must_use]
    pub fn to_number(&self) -> Vec<u64> {
        let mut number = self.residue.to_number();
        number.truncate(self.field.degree().div_ceil(64));
        number
    }

    /// The element in ⌈k/8⌉ octets, the highest coefficients first.
    #[must_use]
    pub fn to_be_bytes(&self) -> Vec<u8> {
        natural::to_be_bytes(&Zeroizing::new(self.to_number()), self.field.octets())
    }

    /// Whether the element is 0, in time independent of the value.
    #[must_use]
    pub fn is_zero(&self) -> bool {
        self.residue.cells().iter().fold(0, |all, bits| all | bits) == 0
    }

    /// x².
    #[must_use]
    pub fn square(&self) -> FieldElement {
        self.with(self.residue.square())
    }

    /// x ← x·y without an allocation, for loops; [`Modulus::scratch`](crate::Modulus::scratch) of the field's
    /// modulus makes the scratch.
    ///
    /// # Panics
    /// Where y or the scratch belongs to another field.
    pub fn mul_assign(&mut self, y: &FieldElement, scratch: &mut Scratch) {
        self.residue.mul_assign(&y.residue, scratch);
    }

    /// x ← x² without an allocation, for loops.
    ///
    /// # Panics
    /// Where the scratch belongs to a field of another size.
    pub fn square_assign(&mut self, scratch: &mut Scratch) {
        self.residue.square_assign(scratch);
    }

    /// x⁻¹.
    ///
    /// # Errors
    /// [`FieldError::InverseOfZero`].
    pub fn inverse(&self) -> Result<FieldElement, FieldError> {
        match self.is_zero() {
            true => Err(FieldError::InverseOfZero),
            false => Ok(self.with(inverse::inverse(&self.residue, self.field.degree()))),
        }
    }

    /// xᵉ by a fixed window; time and addresses depend on the length of `e` in words, not on its value.
    #[must_use]
    pub fn pow(&self, e: &[u64]) -> FieldElement {
        self.with(self.residue.pow(e))
    }

    /// x^(e mod 2^e_bits) by a fixed window; time and addresses depend on e_bits, not on the value of e.
    #[must_use]
    pub fn pow_bounded(&self, e: &[u64], e_bits: usize) -> FieldElement {
        self.with(self.residue.pow_bounded(e, e_bits))
    }

    /// xᵉ by a sliding window; the time depends on e.
    #[must_use]
    pub fn pow_vartime(&self, e: &[u64]) -> FieldElement {
        self.with(self.residue.pow_vartime(e))
    }

    /// x^(2ⁿ), the n-th power of the Frobenius automorphism, by n mod k squares; n is public.
    #[must_use]
    pub fn frobenius(&self, n: usize) -> FieldElement {
        let mut residue = self.residue.clone();
        let mut scratch = residue.modulus().scratch();
        for _ in 0..n % self.field.degree() {
            checkpoint();
            residue.square_assign(&mut scratch);
        }
        self.with(residue)
    }

    /// √x, the one element whose square is x.
    #[must_use]
    pub fn sqrt(&self) -> FieldElement {
        self.with(self.field.0.square_root.of(&self.residue))
    }

    /// The trace Σ x^(2ⁱ) for 0 ≤ i < k, which is 0 or 1 (false or true).
    #[must_use]
    pub fn trace(&self) -> bool {
        trace::trace(&Zeroizing::new(self.residue.to_number()), &self.field.0.traces)
    }

    /// The half-trace h = Σ x^(4ⁱ) for 0 ≤ i ≤ (k − 1)/2, for odd k. Since h² + h = x + Tr(x), h and h + 1
    /// solve z² + z = x if the trace of x is 0.
    ///
    /// # Errors
    /// [`FieldError::HalfTraceOfEvenDegree`].
    pub fn half_trace(&self) -> Result<FieldElement, FieldError> {
        let degree = self.field.degree();
        if degree % 2 == 0 {
            return Err(FieldError::HalfTraceOfEvenDegree { degree });
        }
        Ok(self.with(trace::half_trace(&self.residue, degree)))
    }

    fn with(&self, residue: Residue) -> FieldElement {
        FieldElement::new(self.field.clone(), residue)
    }
}

impl Add for &FieldElement {
    type Output = FieldElement;

    fn add(self, other: &FieldElement) -> FieldElement {
        self.with(&self.residue + &other.residue)
    }
}

impl Sub for &FieldElement {
    type Output = FieldElement;

    fn sub(self, other: &FieldElement) -> FieldElement {
        self.with(&self.residue - &other.residue)
    }
}

impl Mul for &FieldElement {
    type Output = FieldElement;

    fn mul(self, other: &FieldElement) -> FieldElement {
        self.with(&self.residue * &other.residue)
    }
}

impl Neg for &FieldElement {
    type Output = FieldElement;

    fn neg(self) -> FieldElement {
        self.clone()
    }
}

impl PartialEq for FieldElement {
    /// Whether field and value are equal, in time independent of the values.
    fn eq(&self, other: &FieldElement) -> bool {
        self.residue == other.residue
    }
}

impl Eq for FieldElement {}

impl fmt::Debug for FieldElement {
    /// The field; never the value, which may be secret.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FieldElement").field("field", &self.field).finish_non_exhaustive()
    }
}
