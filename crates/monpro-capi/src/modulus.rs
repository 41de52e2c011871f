//! Odd moduli, and powers modulo one of them.

use crate::border::{bytes, number, status_of, writable, write};
use crate::kernels;
use crate::memory::{Lengths, reserve};
use crate::status::MonproStatus;
use arithmetic::{Modulus, natural};
use std::ffi::{CStr, CString, c_char};
use zeroize::Zeroizing;

/// An odd modulus with its constants; to be freed by monpro_modulus_free. Threads may share it.
pub struct MonproModulus {
    modulus: Modulus,
    kernel: CString,
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
    if modulus.is_null() {
        return MonproStatus::NullPointer;
    }
    let mut made = std::ptr::null_mut();
    let status = status_of(|| {
        kernels::obey_environment()?;
        // SAFETY: the caller's promise.
        let n = unsafe { bytes(n, n_length) }?;
        reserve(Lengths::of_modulus(n.len()).words())?;
        let n = number(n);
        let modulus = match kernel.is_null() {
            true => Modulus::new(&n)?,
            false => {
                // SAFETY: the caller's promise; the pointer is not null.
                let name = unsafe { CStr::from_ptr(kernel) };
                Modulus::with_kernel(kernels::named(name.to_str().ok())?, &n)?
            }
        };
        let kernel = CString::new(modulus.kernel().name).map_err(|_| MonproStatus::Internal)?;
        made = Box::into_raw(Box::new(MonproModulus { modulus, kernel }));
        Ok(())
    });
    // SAFETY: not null, and the caller's promise.
    unsafe { modulus.write(made) };
    status
}

/// Erases and frees a modulus; null is ignored.
///
/// # Safety
/// The modulus is null, or is one of monpro_modulus_new that has not been freed and is not in use.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn monpro_modulus_free(modulus: *mut MonproModulus) {
    if !modulus.is_null() {
        // SAFETY: the caller's promise.
        drop(unsafe { Box::from_raw(modulus) });
    }
}

/// The number of bytes of a result: the length of the modulus without leading zeros. 0 for null.
///
/// # Safety
/// The modulus is null, or is one of monpro_modulus_new that has not been freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn monpro_modulus_bytes(modulus: *const MonproModulus) -> usize {
    // SAFETY: the caller's promise.
    unsafe { modulus.as_ref() }.map_or(0, |modulus| modulus.modulus.bits().div_ceil(8))
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
    status_of(|| {
        // SAFETY: the caller's promises.
        let (modulus, base, exponent) = unsafe {
            let modulus = modulus.as_ref().ok_or(MonproStatus::NullPointer)?;
            (&modulus.modulus, bytes(base, base_length)?, bytes(exponent, exponent_length)?)
        };
        writable(result, result_length)?;
        let length = modulus.bits().div_ceil(8);
        if result_length != length {
            return Err(MonproStatus::WrongLength);
        }
        reserve(Lengths { base: base.len(), exponent: exponent.len(), modulus: length }.words())?;
        let power = modulus.residue(&number(base)).pow_bounded(&number(exponent), 8 * exponent.len());
        let power = Zeroizing::new(power.to_number());
        // SAFETY: the caller's promise, and the length is that of the result.
        unsafe { write(result, &Zeroizing::new(natural::to_be_bytes(&power, length))) };
        Ok(())
    })
}
