//! The fields GF(2^k).

use crate::border::{
    bytes, copy_of, free, hand_out, number, place_of, reference, status_of, writable, write,
};
use crate::kernels;
use crate::memory::{Lengths, reserve};
use crate::status::MonproStatus;
use arithmetic::ring::RingName;
use arithmetic::{BinaryField, FieldElement, FieldError};
use std::ffi::{CString, c_char, c_int};
use zeroize::Zeroizing;

/// The field GF(2^k) of the polynomials over GF(2) modulo an irreducible polynomial of degree k; to be freed by
/// monpro_field_free. Threads may share it.
///
/// An element is monpro_field_bytes bytes, the highest coefficients first: the coefficient of x^i is bit i mod 8 of the
/// byte that is i / 8 bytes before the last one. Elements of functions with one length have this length each. Results
/// may overlap inputs, and are written only if the status is MONPRO_STATUS_OK. Time does not depend on the values of
/// elements and exponents, except in functions that end in _vartime; the polynomial is public.
pub struct MonproField {
    field: BinaryField,
    kernel: CString,
}

impl MonproField {
    /// The field of this polynomial, big-endian, with this kernel or the fastest one.
    fn new(
        polynomial: &[u64],
        kernel: Option<&'static arithmetic::Kernel>,
    ) -> Result<MonproField, MonproStatus> {
        let field = match kernel {
            None => BinaryField::new(polynomial)?,
            Some(kernel) => BinaryField::with_kernel(kernel, polynomial)?,
        };
        let kernel = CString::new(field.modulus().kernel().name).map_err(|_| MonproStatus::Internal)?;
        Ok(MonproField { field, kernel })
    }

    /// The field.
    pub(crate) fn field(&self) -> &BinaryField {
        &self.field
    }

    /// The elements in these bytes, one after the other.
    fn elements(&self, bytes: &[u8]) -> Result<Vec<FieldElement>, MonproStatus> {
        let element = |bytes| Ok(self.field.element_from_be_bytes(bytes)?);
        bytes.chunks_exact(self.field.octets()).map(element).collect()
    }

    /// An error unless there is the memory for so many elements and a computation with them.
    fn reserve(&self, elements: usize, exponent: usize) -> Result<(), MonproStatus> {
        /// The words of an element besides its coefficients: its vector, and what leads to its field.
        const WORDS_OF_A_HANDLE: usize = 16;
        let modulus = self.field.octets() + 1;
        let words = Lengths { base: 0, exponent, modulus }.words();
        let each = 4 * (modulus.div_ceil(8) + WORDS_OF_A_HANDLE);
        reserve(elements.saturating_mul(each).saturating_add(words))
    }
}

/// Makes the field of an irreducible polynomial, big-endian: 0x11b is x^8 + x^4 + x^3 + x + 1. The degree is from 1 to
/// 65536. kernel is the name of a kernel over GF(2)[x]; null takes the fastest one, in constant time. With one whose name
/// ends in _vartime, the time depends on the elements. The test of irreducibility takes as long as k squares.
///
/// *field is set in every case, to null if the status is not MONPRO_STATUS_OK; MONPRO_STATUS_REDUCIBLE_POLYNOMIAL and
/// MONPRO_STATUS_DEGREE_TOO_HIGH tell of polynomials that make no field.
///
/// # Safety
/// The bytes of the polynomial can be read, kernel is null or a string, field is null or can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn monpro_field_new(
    polynomial: *const u8,
    polynomial_length: usize,
    kernel: *const c_char,
    field: *mut *mut MonproField,
) -> MonproStatus {
    let make = || {
        // SAFETY: the caller's promise.
        let polynomial = unsafe { bytes(polynomial, polynomial_length) }?;
        reserve(2 * polynomial.len().div_ceil(8))?;
        // SAFETY: the caller's promise.
        let kernel = unsafe { kernels::at(kernel, RingName::BinaryPolynomials) }?;
        MonproField::new(&number(polynomial), kernel)
    };
    // SAFETY: the caller's promise.
    unsafe { hand_out(field, make) }
}

/// Makes the field of the polynomial with these count exponents, in any order: 571, 10, 5, 2, 0 stand for
/// x^571 + x^10 + x^5 + x^2 + 1. MONPRO_STATUS_REPEATED_EXPONENT tells of one that is listed more than once; otherwise
/// as monpro_field_new.
///
/// # Safety
/// The count exponents can be read, field is null or can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn monpro_field_from_exponents(
    exponents: *const usize,
    count: usize,
    field: *mut *mut MonproField,
) -> MonproStatus {
    let make = || {
        // SAFETY: the caller's promise.
        let exponents = unsafe { copy_of(exponents, count) }?;
        MonproField::new(&BinaryField::polynomial_of(&exponents)?, None)
    };
    // SAFETY: the caller's promise.
    unsafe { hand_out(field, make) }
}

/// Frees a field; null is ignored. Groups that were made with it stay.
///
/// # Safety
/// The field is null, or is one of this library that has not been freed and is not in use.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn monpro_field_free(field: *mut MonproField) {
    // SAFETY: the caller's promise.
    unsafe { free(field) }
}

/// k, the degree of the field over GF(2). 0 for null.
///
/// # Safety
/// The field is null, or is one of this library that has not been freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn monpro_field_degree(field: *const MonproField) -> usize {
    // SAFETY: the caller's promise.
    unsafe { field.as_ref() }.map_or(0, |field| field.field.degree())
}

/// The number of bytes of an element, k / 8 rounded up. 0 for null.
///
/// # Safety
/// The field is null, or is one of this library that has not been freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn monpro_field_bytes(field: *const MonproField) -> usize {
    // SAFETY: the caller's promise.
    unsafe { field.as_ref() }.map_or(0, |field| field.field.octets())
}

/// The name of the kernel that computes in the field; it lives as long as the field. Null for null.
///
/// # Safety
/// The field is null, or is one of this library that has not been freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn monpro_field_kernel(field: *const MonproField) -> *const c_char {
    // SAFETY: the caller's promise.
    unsafe { field.as_ref() }.map_or(std::ptr::null(), |field| field.kernel.as_ptr())
}

/// x + y, which is also x - y: the bytes are combined by exclusive or.
///
/// # Safety
/// The field is one of this library that has not been freed, or null. length bytes at x and y can be read, and at
/// result written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn monpro_field_add(
    field: *const MonproField,
    x: *const u8,
    y: *const u8,
    result: *mut u8,
    length: usize,
) -> MonproStatus {
    // SAFETY: the caller's promises.
    unsafe { apply(field, [x, y], 0, result, length, |[x, y]| Ok(x + y)) }
}

/// x·y.
///
/// # Safety
/// As monpro_field_add.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn monpro_field_mul(
    field: *const MonproField,
    x: *const u8,
    y: *const u8,
    result: *mut u8,
    length: usize,
) -> MonproStatus {
    // SAFETY: the caller's promises.
    unsafe { apply(field, [x, y], 0, result, length, |[x, y]| Ok(x * y)) }
}

/// x².
///
/// # Safety
/// As monpro_field_add.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn monpro_field_square(
    field: *const MonproField,
    x: *const u8,
    result: *mut u8,
    length: usize,
) -> MonproStatus {
    // SAFETY: the caller's promises.
    unsafe { apply(field, [x], 0, result, length, |[x]| Ok(x.square())) }
}

/// The element y with x·y = 1; MONPRO_STATUS_NOT_INVERTIBLE for x = 0.
///
/// # Safety
/// As monpro_field_add.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn monpro_field_inverse(
    field: *const MonproField,
    x: *const u8,
    result: *mut u8,
    length: usize,
) -> MonproStatus {
    // SAFETY: the caller's promises.
    unsafe { apply(field, [x], 0, result, length, |[x]| x.inverse()) }
}

/// The one element y with y² = x.
///
/// # Safety
/// As monpro_field_add.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn monpro_field_sqrt(
    field: *const MonproField,
    x: *const u8,
    result: *mut u8,
    length: usize,
) -> MonproStatus {
    // SAFETY: the caller's promises.
    unsafe { apply(field, [x], 0, result, length, |[x]| Ok(x.sqrt())) }
}

/// For odd k, the half-trace h, the sum of x^(4^i) for i from 0 to (k - 1)/2: h² + h = x + Tr(x), so that h and h + 1
/// solve z² + z = x if the trace of x is 0. MONPRO_STATUS_EVEN_DEGREE for even k.
///
/// # Safety
/// As monpro_field_add.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn monpro_field_half_trace(
    field: *const MonproField,
    x: *const u8,
    result: *mut u8,
    length: usize,
) -> MonproStatus {
    // SAFETY: the caller's promises.
    unsafe { apply(field, [x], 0, result, length, |[x]| x.half_trace()) }
}

/// x^(2^n), by n mod k squares; n is public.
///
/// # Safety
/// As monpro_field_add.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn monpro_field_frobenius(
    field: *const MonproField,
    x: *const u8,
    n: usize,
    result: *mut u8,
    length: usize,
) -> MonproStatus {
    // SAFETY: the caller's promises.
    unsafe { apply(field, [x], 0, result, length, |[x]| Ok(x.frobenius(n))) }
}

/// x^exponent for a big-endian exponent, in time that depends on its length, not on its value; x^0 = 1.
///
/// # Safety
/// As monpro_field_add; the bytes of exponent can be read.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn monpro_field_pow(
    field: *const MonproField,
    x: *const u8,
    exponent: *const u8,
    exponent_length: usize,
    result: *mut u8,
    length: usize,
) -> MonproStatus {
    let pow = |x: &FieldElement, e: &[u64]| x.pow_bounded(e, 8 * exponent_length);
    // SAFETY: the caller's promises.
    unsafe { power(field, x, (exponent, exponent_length), result, length, pow) }
}

/// monpro_field_pow for public exponents: faster, in a time that depends on the exponent.
///
/// # Safety
/// As monpro_field_pow.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn monpro_field_pow_vartime(
    field: *const MonproField,
    x: *const u8,
    exponent: *const u8,
    exponent_length: usize,
    result: *mut u8,
    length: usize,
) -> MonproStatus {
    // SAFETY: the caller's promises.
    unsafe { power(field, x, (exponent, exponent_length), result, length, FieldElement::pow_vartime) }
}

/// The trace of x, the sum of x^(2^i) for i from 0 to k - 1: *trace is set to 0 or 1 if the status is MONPRO_STATUS_OK.
///
/// # Safety
/// The field is one of this library that has not been freed, or null. length bytes at x can be read; trace is null or
/// can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn monpro_field_trace(
    field: *const MonproField,
    x: *const u8,
    length: usize,
    trace: *mut c_int,
) -> MonproStatus {
    status_of(|| {
        // SAFETY: the caller's promises.
        let (field, x) = unsafe { (reference(field)?, bytes(x, length)?) };
        if trace.is_null() {
            return Err(MonproStatus::NullPointer);
        }
        let value = field.field.element_from_be_bytes(x)?.trace();
        // SAFETY: not null, and the caller's promise.
        unsafe { trace.write(c_int::from(value)) };
        Ok(())
    })
}

/// x₁·y₁ + … + x_count·y_count, with one reduction for the whole sum. The count elements of x lie one after the other,
/// and so do those of y; length is that of one element, and of the result.
///
/// # Safety
/// The field is one of this library that has not been freed, or null. count·length bytes at x and y can be read, and
/// length bytes at result can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn monpro_field_dot(
    field: *const MonproField,
    x: *const u8,
    y: *const u8,
    count: usize,
    result: *mut u8,
    length: usize,
) -> MonproStatus {
    status_of(|| {
        // SAFETY: the caller's promise.
        let field = unsafe { reference(field) }?;
        // SAFETY: the caller's promises.
        let [x, y] = unsafe { [list(field, x, count, length)?, list(field, y, count, length)?] };
        place_of(field.field.octets(), result, length)?;
        field.reserve(count.saturating_mul(2), 0)?;
        let (x, y) = (field.elements(x)?, field.elements(y)?);
        let sum = Zeroizing::new(field.field.dot(&x, &y)?.to_be_bytes());
        // SAFETY: the caller's promise, and the length is that of the result.
        unsafe { write(result, &sum) };
        Ok(())
    })
}

/// The inverses of count elements that lie one after the other, by one inversion and three products for each.
/// MONPRO_STATUS_NOT_INVERTIBLE if any element is 0: then nothing is written. length is that of one element; as many
/// bytes are written as read.
///
/// # Safety
/// The field is one of this library that has not been freed, or null. count·length bytes at x can be read, and at
/// result written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn monpro_field_batch_inverse(
    field: *const MonproField,
    x: *const u8,
    count: usize,
    result: *mut u8,
    length: usize,
) -> MonproStatus {
    status_of(|| {
        // SAFETY: the caller's promises.
        let (field, x) = unsafe {
            let field = reference(field)?;
            (field, list(field, x, count, length)?)
        };
        writable(result, x.len())?;
        field.reserve(count.saturating_mul(3), 0)?;
        let inverses = field.field.batch_inverse(&field.elements(x)?)?;
        for (i, inverse) in inverses.iter().enumerate() {
            let inverse = Zeroizing::new(inverse.to_be_bytes());
            // SAFETY: the caller's promise, and there are as many results as elements.
            unsafe { write(result.add(i * length), &inverse) };
        }
        Ok(())
    })
}

/// Applies a function to elements, and writes the element that it gives. The exponent, if there is one, has this length.
///
/// # Safety
/// As [`monpro_field_add`].
unsafe fn apply<const N: usize>(
    field: *const MonproField,
    operands: [*const u8; N],
    exponent_length: usize,
    result: *mut u8,
    length: usize,
    compute: impl FnOnce(&[FieldElement; N]) -> Result<FieldElement, FieldError>,
) -> MonproStatus {
    status_of(|| {
        // SAFETY: the caller's promise.
        let field = unsafe { reference(field) }?;
        let mut elements = Vec::with_capacity(N);
        for operand in operands {
            // SAFETY: the caller's promise.
            elements.push(unsafe { bytes(operand, length) }?);
        }
        place_of(field.field.octets(), result, length)?;
        field.reserve(N, exponent_length)?;
        let elements: Vec<FieldElement> = elements
            .into_iter()
            .map(|bytes| field.field.element_from_be_bytes(bytes))
            .collect::<Result<_, _>>()?;
        let elements = elements.try_into().map_err(|_| MonproStatus::Internal)?;
        let computed = Zeroizing::new(compute(&elements)?.to_be_bytes());
        // SAFETY: the caller's promise, and the length is that of the result.
        unsafe { write(result, &computed) };
        Ok(())
    })
}

/// Computes and writes a power.
///
/// # Safety
/// As [`monpro_field_pow`].
unsafe fn power(
    field: *const MonproField,
    x: *const u8,
    (exponent, exponent_length): (*const u8, usize),
    result: *mut u8,
    length: usize,
    pow: impl FnOnce(&FieldElement, &[u64]) -> FieldElement,
) -> MonproStatus {
    // SAFETY: the caller's promise.
    let exponent = match unsafe { bytes(exponent, exponent_length) } {
        Ok(exponent) => exponent,
        Err(status) => return status,
    };
    // SAFETY: the caller's promises.
    unsafe { apply(field, [x], exponent_length, result, length, |[x]| Ok(pow(x, &number(exponent)))) }
}

/// The bytes of `count` elements of this length each.
///
/// # Safety
/// `count·length` bytes at `x` can be read and are not written while the slice lives.
unsafe fn list<'a>(
    field: &MonproField,
    x: *const u8,
    count: usize,
    length: usize,
) -> Result<&'a [u8], MonproStatus> {
    if length != field.field.octets() {
        return Err(MonproStatus::WrongLength);
    }
    let all = count.checked_mul(length).ok_or(MonproStatus::TooLong)?;
    // SAFETY: the caller's promise.
    unsafe { crate::border::message(x, all) }
}
