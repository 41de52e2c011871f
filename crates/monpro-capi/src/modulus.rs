//! Odd moduli, products and powers modulo one of them, and products of powers.

use crate::border::{bytes, copy_of, free, hand_out, number, place_of, reference, status_of, write};
use crate::kernels;
use crate::memory::{Lengths, reserve};
use crate::status::MonproStatus;
use arithmetic::ring::RingName;
use arithmetic::{Modulus, Residue, natural};
use std::ffi::{CString, c_char};
use zeroize::Zeroizing;

/// An odd modulus with its constants; to be freed by monpro_modulus_free. Threads may share it.
pub struct MonproModulus {
    modulus: Modulus,
    kernel: CString,
}

impl MonproModulus {
    /// The modulus.
    pub(crate) fn modulus(&self) -> &Modulus {
        &self.modulus
    }

    /// The number of bytes of a residue.
    pub(crate) fn bytes(&self) -> usize {
        self.modulus.bits().div_ceil(8)
    }
}

/// The bytes of a residue, as many as the modulus has.
pub(crate) fn bytes_of(residue: &Residue) -> Zeroizing<Vec<u8>> {
    let number = Zeroizing::new(residue.to_number());
    Zeroizing::new(natural::to_be_bytes(&number, residue.modulus().bits().div_ceil(8)))
}

/// A power, base^exponent, in a product of powers.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct MonproTerm {
    /// The base.
    pub base: *const u8,
    /// The number of bytes of the base.
    pub base_length: usize,
    /// The exponent.
    pub exponent: *const u8,
    /// The number of bytes of the exponent.
    pub exponent_length: usize,
}

/// Prepares an odd modulus of n_length big-endian bytes. kernel is the name of a kernel over the integers;
/// null takes the kernel that the environment variable MONPRO_KERNEL names or, without it, the fastest. In a
/// set-user-ID program, or one with other rights than its user has, the variable is ignored.
///
/// *modulus is set in every case: to the modulus, or to null if the status is not MONPRO_STATUS_OK.
///
/// The length of the modulus is public, its value is not: every kernel over the integers takes constant time.
///
/// # Safety
/// The n_length bytes at n can be read, kernel is null or a string, modulus is null or can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn monpro_modulus_new(
    n: *const u8,
    n_length: usize,
    kernel: *const c_char,
    modulus: *mut *mut MonproModulus,
) -> MonproStatus {
    let make = || {
        kernels::obey_environment()?;
        // SAFETY: the caller's promise.
        let n = unsafe { bytes(n, n_length) }?;
        reserve(Lengths::of_modulus(n.len()).words())?;
        let n = number(n);
        // SAFETY: the caller's promise.
        let modulus = match unsafe { kernels::at(kernel, RingName::Integers) }? {
            None => Modulus::new(&n)?,
            Some(kernel) => Modulus::with_kernel(kernel, &n)?,
        };
        let kernel = CString::new(modulus.kernel().name).map_err(|_| MonproStatus::Internal)?;
        Ok(MonproModulus { modulus, kernel })
    };
    // SAFETY: the caller's promise.
    unsafe { hand_out(modulus, make) }
}

/// Erases and frees a modulus; null is ignored. Tables of fixed bases that were made with it stay.
///
/// # Safety
/// The modulus is null, or is one of monpro_modulus_new that has not been freed and is not in use.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn monpro_modulus_free(modulus: *mut MonproModulus) {
    // SAFETY: the caller's promise.
    unsafe { free(modulus) }
}

/// The number of bytes of a result: the length of the modulus without leading zeros. 0 for null.
///
/// # Safety
/// The modulus is null, or is one of monpro_modulus_new that has not been freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn monpro_modulus_bytes(modulus: *const MonproModulus) -> usize {
    // SAFETY: the caller's promise.
    unsafe { modulus.as_ref() }.map_or(0, MonproModulus::bytes)
}

/// The name of the kernel that computes modulo this modulus; it lives as long as the modulus. Null for null.
///
/// # Safety
/// The modulus is null, or is one of monpro_modulus_new that has not been freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn monpro_modulus_kernel(modulus: *const MonproModulus) -> *const c_char {
    // SAFETY: the caller's promise.
    unsafe { modulus.as_ref() }.map_or(std::ptr::null(), |modulus| modulus.kernel.as_ptr())
}

/// x·y mod n. The numbers x and y may have any size; the time depends on their lengths alone.
///
/// result_length must be what monpro_modulus_bytes returns; the result has leading zeros. It may overlap x and
/// y, and is written only if the status is MONPRO_STATUS_OK.
///
/// # Safety
/// The modulus is one of monpro_modulus_new that has not been freed, or null. The bytes of x and y can be read,
/// and the bytes of result can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn monpro_mul(
    modulus: *const MonproModulus,
    x: *const u8,
    x_length: usize,
    y: *const u8,
    y_length: usize,
    result: *mut u8,
    result_length: usize,
) -> MonproStatus {
    status_of(|| {
        // SAFETY: the caller's promises.
        let (modulus, x, y) = unsafe { (reference(modulus)?, bytes(x, x_length)?, bytes(y, y_length)?) };
        place_of(modulus.bytes(), result, result_length)?;
        reserve(Lengths { base: x.len() + y.len(), ..Lengths::of_modulus(modulus.bytes()) }.words())?;
        let [x, y] = [x, y].map(|factor| modulus.modulus.residue(&number(factor)));
        // SAFETY: the caller's promise, and the length is that of the result.
        unsafe { write(result, &bytes_of(&(&x * &y))) };
        Ok(())
    })
}

/// base^exponent mod n, in time that depends on the lengths alone.
///
/// result_length must be what monpro_modulus_bytes returns; the result has leading zeros. The base may be any
/// number. The result may overlap the base and the exponent. It is written only if the status is
/// MONPRO_STATUS_OK.
///
/// # Safety
/// The modulus is one of monpro_modulus_new that has not been freed, or null. The bytes of base and exponent
/// can be read, and the bytes of result can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn monpro_pow(
    modulus: *const MonproModulus,
    base: *const u8,
    base_length: usize,
    exponent: *const u8,
    exponent_length: usize,
    result: *mut u8,
    result_length: usize,
) -> MonproStatus {
    let term = MonproTerm { base, base_length, exponent, exponent_length };
    let pow = |x: &Residue, e: &[u64]| x.pow_bounded(e, 8 * exponent_length);
    // SAFETY: the caller's promises.
    status_of(|| unsafe { power(modulus, &term, result, result_length, Lengths::words, pow) })
}

/// monpro_pow for public numbers: faster, in a time that depends on the exponent.
///
/// # Safety
/// As monpro_pow.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn monpro_pow_vartime(
    modulus: *const MonproModulus,
    base: *const u8,
    base_length: usize,
    exponent: *const u8,
    exponent_length: usize,
    result: *mut u8,
    result_length: usize,
) -> MonproStatus {
    let term = MonproTerm { base, base_length, exponent, exponent_length };
    // SAFETY: the caller's promises.
    status_of(|| unsafe {
        power(modulus, &term, result, result_length, Lengths::words_vartime, Residue::pow_vartime)
    })
}

/// base₁^exponent₁·base₂^exponent₂·… mod n over the count terms, with fewer squares than separate powers take. The
/// time depends on the number of terms and on the length of the longest exponent, not on the values. Without terms
/// the result is 1 mod n.
///
/// result_length must be what monpro_modulus_bytes returns; the result has leading zeros. It may overlap all
/// inputs, and is written only if the status is MONPRO_STATUS_OK.
///
/// # Safety
/// The modulus is one of monpro_modulus_new that has not been freed, or null. The count terms can be read, and so can
/// the bytes of each base and exponent; the bytes of result can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn monpro_multi_pow(
    modulus: *const MonproModulus,
    terms: *const MonproTerm,
    count: usize,
    result: *mut u8,
    result_length: usize,
) -> MonproStatus {
    // SAFETY: the caller's promises.
    status_of(|| unsafe {
        product_of_powers(modulus, terms, count, result, result_length, Modulus::multi_pow)
    })
}

/// monpro_multi_pow for public numbers: faster, in a time that depends on the exponents.
///
/// # Safety
/// As monpro_multi_pow.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn monpro_multi_pow_vartime(
    modulus: *const MonproModulus,
    terms: *const MonproTerm,
    count: usize,
    result: *mut u8,
    result_length: usize,
) -> MonproStatus {
    // SAFETY: the caller's promises.
    status_of(|| unsafe {
        product_of_powers(modulus, terms, count, result, result_length, Modulus::multi_pow_vartime)
    })
}

/// Computes and writes one power.
///
/// # Safety
/// As [`monpro_pow`].
unsafe fn power(
    modulus: *const MonproModulus,
    term: &MonproTerm,
    result: *mut u8,
    result_length: usize,
    words: impl Fn(&Lengths) -> usize,
    pow: impl Fn(&Residue, &[u64]) -> Residue,
) -> Result<(), MonproStatus> {
    // SAFETY: the caller's promises.
    let (modulus, [base, exponent]) = unsafe { (reference(modulus)?, term.numbers()?) };
    place_of(modulus.bytes(), result, result_length)?;
    reserve(words(&Lengths { base: base.len(), exponent: exponent.len(), modulus: modulus.bytes() }))?;
    let power = pow(&modulus.modulus.residue(&number(base)), &number(exponent));
    // SAFETY: the caller's promise, and the length is that of the result.
    unsafe { write(result, &bytes_of(&power)) };
    Ok(())
}

/// Computes and writes a product of powers.
///
/// # Safety
/// As [`monpro_multi_pow`].
unsafe fn product_of_powers(
    modulus: *const MonproModulus,
    terms: *const MonproTerm,
    count: usize,
    result: *mut u8,
    result_length: usize,
    multi_pow: impl Fn(&Modulus, &[(&Residue, &[u64])]) -> Residue,
) -> Result<(), MonproStatus> {
    // SAFETY: the caller's promises.
    let (modulus, terms) = unsafe { (reference(modulus)?, copy_of(terms, count)?) };
    // SAFETY: the caller's promises.
    let numbers = |term: &MonproTerm| unsafe { term.numbers() };
    let lengths = |term: &MonproTerm| numbers(term).map(|[base, exponent]| (base.len(), exponent.len()));
    let lengths = terms.iter().map(lengths).collect::<Result<Vec<_>, MonproStatus>>()?;
    place_of(modulus.bytes(), result, result_length)?;
    reserve(Lengths::words_of_terms(&lengths, modulus.bytes()))?;
    let terms = terms.iter().map(numbers).collect::<Result<Vec<_>, MonproStatus>>()?;
    let terms: Vec<_> = terms
        .into_iter()
        .map(|[base, exponent]| (modulus.modulus.residue(&number(base)), number(exponent)))
        .collect();
    let borrowed: Vec<(&Residue, &[u64])> =
        terms.iter().map(|(base, exponent)| (base, exponent.as_slice())).collect();
    let product = multi_pow(&modulus.modulus, &borrowed);
    // SAFETY: the caller's promise, and the length is that of the result.
    unsafe { write(result, &bytes_of(&product)) };
    Ok(())
}

impl MonproTerm {
    /// Base and exponent.
    ///
    /// # Safety
    /// Their bytes can be read and are not written while the slices live.
    unsafe fn numbers<'a>(&self) -> Result<[&'a [u8]; 2], MonproStatus> {
        // SAFETY: the caller's promises.
        unsafe { Ok([bytes(self.base, self.base_length)?, bytes(self.exponent, self.exponent_length)?]) }
    }
}
