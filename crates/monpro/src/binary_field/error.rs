//! The errors of fields and elements: each says in one clear line what is wrong.

use crate::error::Error;
use core::fmt;

/// Why a field, an element or an operation on elements was refused.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FieldError {
    /// The kernel was refused, or it refused the polynomial.
    Kernel(Error),
    /// The polynomial is 0 or 1.
    ConstantPolynomial,
    /// The polynomial is divisible by x.
    NoConstantTerm,
    /// The polynomial is a product of polynomials of lower degree.
    Reducible {
        /// Its degree.
        degree: usize,
    },
    /// The degree of the polynomial is above [`BinaryField::MAX_DEGREE`](super::BinaryField::MAX_DEGREE).
    DegreeTooHigh {
        /// Its degree.
        degree: usize,
    },
    /// The elements of a field of this degree do not fit the words of an array.
    DegreeTooHighForArrays {
        /// The field's degree.
        degree: usize,
    },
    /// A word of an array is not below 2^k, and so no element.
    WordNoElement {
        /// k.
        degree: usize,
    },
    /// A polynomial of a degree above [`BinaryField::MAX_SEARCH_DEGREE`](super::BinaryField::MAX_SEARCH_DEGREE) was
    /// asked for.
    DegreeTooHighToSearch {
        /// The degree.
        degree: usize,
    },
    /// No field has the name.
    UnknownName,
    /// The primes that divide 2^k − 1 are not known here.
    UnknownGroupOrder {
        /// k.
        degree: usize,
    },
    /// The multiplicative order of 0 was asked for.
    OrderOfZero,
    /// An exponent of the polynomial is listed more than once.
    RepeatedExponent {
        /// The exponent.
        exponent: usize,
    },
    /// The degree of an element is not below the degree of the field.
    ElementDegree {
        /// Its degree.
        degree: usize,
        /// The field's degree.
        field_degree: usize,
    },
    /// An array of octets does not have the length of an element.
    OctetCount {
        /// The length of an element.
        expected: usize,
        /// The length of the array.
        given: usize,
    },
    /// The inverse of 0 was asked for.
    InverseOfZero,
    /// The inverses of several elements were asked for, and one element is 0.
    InverseOfZeroAmong {
        /// The position of the first 0.
        index: usize,
    },
    /// The half-trace was asked for in a field of even degree.
    HalfTraceOfEvenDegree {
        /// The field's degree.
        degree: usize,
    },
    /// The lists of a dot product differ in length.
    LengthsDiffer {
        /// The length of the first list.
        first: usize,
        /// The length of the second list.
        second: usize,
    },
}

impl From<Error> for FieldError {
    fn from(error: Error) -> FieldError {
        FieldError::Kernel(error)
    }
}

impl fmt::Display for FieldError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FieldError::Kernel(error) => write!(f, "{error}"),
            FieldError::ConstantPolynomial => {
                write!(f, "the polynomial is constant: a field needs one of degree at least 1")
            }
            FieldError::NoConstantTerm => {
                write!(f, "the polynomial has no term 1, so that x divides it: give an irreducible one")
            }
            FieldError::Reducible { degree } => write!(
                f,
                "the polynomial of degree {degree} is reducible: give an irreducible one, \
                 or make the ring of its residues as a Modulus over gf2"
            ),
            FieldError::DegreeTooHigh { degree } => write!(
                f,
                "the polynomial has degree {degree}: a field has degree {} at most",
                super::BinaryField::MAX_DEGREE
            ),
            FieldError::DegreeTooHighForArrays { degree } => write!(
                f,
                "the field has degree {degree}: arrays of words hold elements of degree below 64, in fields of degree \
                 64 at most"
            ),
            FieldError::WordNoElement { degree } => write!(
                f,
                "a word of the array is no element of GF(2^{degree}): it has a bit at position {degree} or above"
            ),
            FieldError::DegreeTooHighToSearch { degree } => write!(
                f,
                "degree {degree} is too high: polynomials are searched for up to degree {}",
                super::BinaryField::MAX_SEARCH_DEGREE
            ),
            FieldError::UnknownName => {
                write!(f, "no field has this name: choose one of")?;
                super::BinaryField::names().enumerate().try_for_each(|(i, name)| {
                    let separator = if i == 0 { " " } else { ", " };
                    write!(f, "{separator}{name}")
                })
            }
            FieldError::UnknownGroupOrder { degree } => write!(
                f,
                "the primes that divide 2^{degree} - 1 are not known here: orders and generators need a field of \
                 degree {} at most",
                super::BinaryField::MAX_ORDER_DEGREE
            ),
            FieldError::OrderOfZero => write!(f, "0 has no multiplicative order: give another element"),
            FieldError::RepeatedExponent { exponent } => {
                write!(f, "exponent {exponent} is listed more than once: list each exponent once")
            }
            FieldError::ElementDegree { degree, field_degree } => write!(
                f,
                "the element has degree {degree}: reduce it to a degree below {field_degree}, the field's"
            ),
            FieldError::OctetCount { expected, given } => {
                write!(f, "{given} octets given: an element has exactly {expected}, leading zeros included")
            }
            FieldError::InverseOfZero => write!(f, "0 has no inverse: give another element"),
            FieldError::InverseOfZeroAmong { index } => {
                write!(f, "element {index}, counted from 0, is 0 and has no inverse: leave it out")
            }
            FieldError::HalfTraceOfEvenDegree { degree } => {
                write!(f, "the field's degree {degree} is even: the half-trace needs an odd degree")
            }
            FieldError::LengthsDiffer { first, second } => {
                write!(f, "{first} elements and {second} elements given: give equally many")
            }
        }
    }
}

impl core::error::Error for FieldError {}
