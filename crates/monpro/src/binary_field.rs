//! The binary fields GF(2^k) = GF(2)\[x\]/(f), on residues in Montgomery form \[koc97, §2\].

mod dot;
mod element;
mod error;
mod inverse;
mod irreducible;
mod named;
mod order;
mod search;
mod square_root;
mod trace;

pub use element::FieldElement;
pub use error::FieldError;

use crate::error::Error;
use crate::kernel::Kernel;
use crate::modulus::Modulus;
use crate::natural;
use crate::residue::Residue;
use crate::ring::RingName;
use alloc::sync::Arc;
use alloc::vec;
use alloc::vec::Vec;
use core::borrow::Borrow;
use core::fmt;
use square_root::SquareRoot;
use zeroize::Zeroizing;

/// The field GF(2^k) of the polynomials over GF(2) modulo an irreducible polynomial f of degree k.
///
/// An element is given and returned as a number, a little-endian slice of 64-bit words in which bit i is the
/// coefficient of xⁱ, or as ⌈k/8⌉ octets, the highest coefficients first. Cloning is cheap. f is public, and
/// so is every time that depends on it.
///
/// ```
/// use monpro::BinaryField;
///
/// let field = BinaryField::from_exponents(&[8, 4, 3, 1, 0])?;
/// let x = field.element(&[0x53])?;
/// assert_eq!(x.inverse()?.to_number(), [0xca]);
/// assert_eq!(&x * &x.inverse()?, field.one());
/// # Ok::<(), monpro::FieldError>(())
/// ```
#[derive(Clone)]
pub struct BinaryField(Arc<Field>);

/// What a [`BinaryField`] shares among its clones.
struct Field {
    modulus: Modulus,
    degree: usize,
    /// Bit i is the trace of xⁱ.
    traces: Vec<u64>,
    square_root: SquareRoot,
}

impl BinaryField {
    /// The highest degree supported. The test of irreducibility takes k squares: minutes beyond this degree.
    pub const MAX_DEGREE: usize = 1 << 16;

    /// The field of this irreducible polynomial, with the fastest kernel for it on this CPU.
    ///
    /// # Errors
    /// [`FieldError::ConstantPolynomial`], [`FieldError::NoConstantTerm`], [`FieldError::DegreeTooHigh`], and
    /// [`FieldError::Reducible`]: [`Modulus::of_polynomial`] makes the ring of residues of a reducible
    /// polynomial.
    pub fn new(polynomial: &[u64]) -> Result<BinaryField, FieldError> {
        BinaryField::of(polynomial, None)
    }

    /// The same field, with this kernel of GF(2)\[x\].
    ///
    /// # Errors
    /// Those of [`BinaryField::new`], and [`FieldError::Kernel`] where the kernel works over another ring, is
    /// not available, or does not take the polynomial.
    pub fn with_kernel(kernel: &'static Kernel, polynomial: &[u64]) -> Result<BinaryField, FieldError> {
        BinaryField::of(polynomial, Some(kernel))
    }

    /// The field of Σ x^e over the exponents e, in any order: x⁵⁷¹ + x¹⁰ + x⁵ + x² + 1 is `[571, 10, 5, 2,
    /// 0]`.
    ///
    /// # Errors
    /// Those of [`BinaryField::new`], and [`FieldError::RepeatedExponent`].
    pub fn from_exponents(exponents: &[usize]) -> Result<BinaryField, FieldError> {
        BinaryField::new(&BinaryField::polynomial_of(exponents)?)
    }

    /// The field of the polynomial in these octets, the highest coefficients first.
    ///
    /// # Errors
    /// Those of [`BinaryField::new`].
    pub fn from_be_bytes(octets: &[u8]) -> Result<BinaryField, FieldError> {
        BinaryField::new(&natural::from_be_bytes(octets))
    }

    /// The polynomial Σ x^e over the exponents e, in any order, as a number.
    ///
    /// # Errors
    /// [`FieldError::RepeatedExponent`], [`FieldError::DegreeTooHigh`].
    pub fn polynomial_of(exponents: &[usize]) -> Result<Vec<u64>, FieldError> {
        let degree = exponents.iter().copied().max().unwrap_or(0);
        check_degree(degree)?;
        let mut polynomial = vec![0; degree / 64 + 1];
        for &exponent in exponents {
            if natural::bits_at(&polynomial, exponent, 1) == 1 {
                return Err(FieldError::RepeatedExponent { exponent });
            }
            polynomial[exponent / 64] |= 1 << (exponent % 64);
        }
        Ok(polynomial)
    }

    fn of(polynomial: &[u64], kernel: Option<&'static Kernel>) -> Result<BinaryField, FieldError> {
        let degree = match natural::bit_length(polynomial) {
            0 | 1 => return Err(FieldError::ConstantPolynomial),
            bits => bits - 1,
        };
        check_degree(degree)?;
        if polynomial[0] & 1 == 0 {
            return Err(FieldError::NoConstantTerm);
        }
        let modulus = match kernel {
            None => Modulus::of_polynomial(polynomial)?,
            Some(kernel) if kernel.ring != RingName::BinaryPolynomials => {
                let wanted = RingName::BinaryPolynomials;
                return Err(Error::WrongRing { kernel: kernel.name, wanted }.into());
            }
            Some(kernel) => Modulus::with_kernel(kernel, polynomial)?,
        };
        let Some(root_of_x) = irreducible::root_of_x(&modulus) else {
            return Err(FieldError::Reducible { degree });
        };
        let square_root = SquareRoot::new(&root_of_x);
        let traces = trace::traces(modulus.number(), degree);
        Ok(BinaryField(Arc::new(Field { modulus, degree, traces, square_root })))
    }

    /// k, the degree of the field over GF(2).
    #[must_use]
    pub fn degree(&self) -> usize {
        self.0.degree
    }

    /// f with its kernel; the elements are residues of it.
    #[must_use]
    pub fn modulus(&self) -> &Modulus {
        &self.0.modulus
    }

    /// ⌈k/8⌉, the number of octets of an element.
    #[must_use]
    pub fn octets(&self) -> usize {
        self.0.degree.div_ceil(8)
    }

    /// The element whose coefficient of xⁱ is bit i.
    ///
    /// # Errors
    /// [`FieldError::ElementDegree`] where the degree is not below k.
    pub fn element(&self, number: &[u64]) -> Result<FieldElement, FieldError> {
        let degree = self.0.degree;
        let excess = (degree / 64..number.len())
            .map(|i| number[i] & if i == degree / 64 { u64::MAX << (degree % 64) } else { u64::MAX });
        // All words are read, so the time reveals of an accepted element only that it was accepted.
        if excess.fold(0, |all, bits| all | bits) != 0 {
            let degree = natural::bit_length(number) - 1;
            return Err(FieldError::ElementDegree { degree, field_degree: self.0.degree });
        }
        Ok(self.of_residue(self.0.modulus.residue(number)))
    }

    /// The element in these ⌈k/8⌉ octets, the highest coefficients first.
    ///
    /// # Errors
    /// [`FieldError::OctetCount`] unless there are exactly ⌈k/8⌉; [`FieldError::ElementDegree`].
    pub fn element_from_be_bytes(&self, octets: &[u8]) -> Result<FieldElement, FieldError> {
        if octets.len() != self.octets() {
            return Err(FieldError::OctetCount { expected: self.octets(), given: octets.len() });
        }
        self.element(&Zeroizing::new(natural::from_be_bytes(octets)))
    }

    /// 0.
    #[must_use]
    pub fn zero(&self) -> FieldElement {
        self.of_residue(self.0.modulus.zero())
    }

    /// 1.
    #[must_use]
    pub fn one(&self) -> FieldElement {
        self.of_residue(self.0.modulus.one())
    }

    /// Σ xᵢ·yᵢ, with one reduction for the whole sum.
    ///
    /// # Errors
    /// [`FieldError::LengthsDiffer`] unless x and y have the same length.
    ///
    /// # Panics
    /// Where an element belongs to another field.
    pub fn dot<T: Borrow<FieldElement>>(&self, x: &[T], y: &[T]) -> Result<FieldElement, FieldError> {
        if x.len() != y.len() {
            return Err(FieldError::LengthsDiffer { first: x.len(), second: y.len() });
        }
        let pairs = x.iter().zip(y).map(|(x, y)| (self.residue_of(x.borrow()), self.residue_of(y.borrow())));
        Ok(self.of_residue(dot::dot(&self.0.modulus, self.0.degree, pairs)))
    }

    /// The inverses of all elements, by a single inversion and three products for each element.
    ///
    /// # Errors
    /// [`FieldError::InverseOfZeroAmong`] with the position of the first element that is 0.
    ///
    /// # Panics
    /// Where an element belongs to another field.
    pub fn batch_inverse<T: Borrow<FieldElement>>(&self, x: &[T]) -> Result<Vec<FieldElement>, FieldError> {
        if let Some(index) = x.iter().position(|element| element.borrow().is_zero()) {
            return Err(FieldError::InverseOfZeroAmong { index });
        }
        let residues: Vec<_> = x.iter().map(|element| self.residue_of(element.borrow())).collect();
        let inverses = inverse::batch(&self.0.modulus, &residues, self.0.degree);
        Ok(inverses.into_iter().map(|inverse| self.of_residue(inverse)).collect())
    }

    fn of_residue(&self, residue: Residue) -> FieldElement {
        FieldElement::new(self.clone(), residue)
    }

    fn residue_of<'a>(&self, element: &'a FieldElement) -> &'a Residue {
        assert!(element.field() == self, "an element of another field cannot be combined with this one's");
        element.residue()
    }
}

fn check_degree(degree: usize) -> Result<(), FieldError> {
    match degree {
        0..=BinaryField::MAX_DEGREE => Ok(()),
        _ => Err(FieldError::DegreeTooHigh { degree }),
    }
}

impl PartialEq for BinaryField {
    /// Whether polynomial and kernel are the same: only then can elements be combined.
    fn eq(&self, other: &BinaryField) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || self.0.modulus == other.0.modulus
    }
}

impl Eq for BinaryField {}

impl fmt::Debug for BinaryField {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kernel = self.0.modulus.kernel().name;
        f.debug_struct("BinaryField").field("degree", &self.0.degree).field("kernel", &kernel).finish()
    }
}
