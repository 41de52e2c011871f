//! The C interface of monpro. Numbers are big-endian bytes; a call that can fail returns a status that says
//! what is wrong.
#![allow(unsafe_code)]

mod border;
mod status;

pub use status::MonproStatus;

use arithmetic::{Error, Kernel, Modulus, PowTask, natural};
use border::{bytes, bytes_mut, status_of};
use std::ffi::{CStr, CString, c_char, c_int};
use std::sync::OnceLock;
use zeroize::Zeroizing;

/// An odd modulus with its constants; to be freed by monpro_modulus_free. Threads may share it.
pub struct MonproModulus {
    modulus: Modulus,
    kernel: CString,
}

/// One exponentiation of a batch: base^exponent mod modulus, into as many bytes as the modulus has.
#[repr(C)]
pub struct MonproPowTask {
    /// The base.
    pub base: *const u8,
    /// The number of bytes of the base.
    pub base_length: usize,
    /// The exponent.
    pub exponent: *const u8,
    /// The number of bytes of the exponent.
    pub exponent_length: usize,
    /// The modulus, odd or even.
    pub modulus: *const u8,
    /// The number of bytes of the modulus.
    pub modulus_length: usize,
    /// The result: modulus_length bytes are written here.
    pub result: *mut u8,
}

/// The version of the library, as "1.2.3".
// SAFETY: nothing else has a name that begins with monpro_.
#[unsafe(no_mangle)]
pub extern "C" fn monpro_version() -> *const c_char {
    const VERSION: &CStr =
        match CStr::from_bytes_with_nul(concat!(env!("CARGO_PKG_VERSION"), "\0").as_bytes()) {
            Ok(version) => version,
            Err(_) => unreachable!(),
        };
    VERSION.as_ptr()
}

/// A line that says what a status means and how to mend it. The text lives as long as the program.
// SAFETY: nothing else has a name that begins with monpro_.
#[unsafe(no_mangle)]
pub extern "C" fn monpro_status_message(status: c_int) -> *const c_char {
    MonproStatus::message(status).as_ptr()
}

/// Prepares an odd modulus of n_length big-endian bytes. kernel is the name of a kernel; null takes the
/// kernel that the environment variable MONPRO_KERNEL names or, without it, the fastest.
///
/// The length of the modulus is public, its value is not.
///
/// # Safety
/// The n_length bytes at n can be read, kernel is null or a string, modulus can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn monpro_modulus_new(
    n: *const u8,
    n_length: usize,
    kernel: *const c_char,
    modulus: *mut *mut MonproModulus,
) -> MonproStatus {
    status_of(|| {
        if modulus.is_null() {
            return Err(MonproStatus::NullPointer);
        }
        obey_environment()?;
        // SAFETY: the caller's promise.
        let n = number(unsafe { bytes(n, n_length) }?);
        let made = match kernel.is_null() {
            true => Modulus::new(&n)?,
            // SAFETY: the caller's promise.
            false => Modulus::with_kernel(kernel_named(unsafe { CStr::from_ptr(kernel) })?, &n)?,
        };
        let kernel = CString::new(made.kernel().name).map_err(|_| MonproStatus::Internal)?;
        // SAFETY: not null, and the caller's promise.
        unsafe { modulus.write(Box::into_raw(Box::new(MonproModulus { modulus: made, kernel }))) };
        Ok(())
    })
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
/// number.
///
/// # Safety
/// The modulus is one of monpro_modulus_new that has not been freed, or null. The bytes of base and exponent
/// can be read, the bytes of result can be written, and result does not overlap the others.
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
        let (modulus, base, exponent, result) = unsafe {
            let modulus = modulus.as_ref().ok_or(MonproStatus::NullPointer)?;
            let (base, exponent) = (bytes(base, base_length)?, bytes(exponent, exponent_length)?);
            (&modulus.modulus, base, exponent, bytes_mut(result, result_length)?)
        };
        if result.len() != modulus.bits().div_ceil(8) {
            return Err(MonproStatus::WrongLength);
        }
        let power = modulus.residue(&number(base)).pow_bounded(&number(exponent), 8 * exponent.len());
        let power = Zeroizing::new(power.to_number());
        result.copy_from_slice(&Zeroizing::new(natural::to_be_bytes(&power, result.len())));
        Ok(())
    })
}

/// base^exponent mod modulus, as in the precompiled contract MODEXP of the Ethereum virtual machine: the
/// modulus may be any number, the result is as long as the modulus, and the result modulo 0 is 0. The time
/// depends on the lengths and on the power of 2 in the modulus.
///
/// # Safety
/// The bytes of base, exponent and modulus can be read, modulus_length bytes at result can be written, and
/// result does not overlap the others.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn monpro_modexp(
    base: *const u8,
    base_length: usize,
    exponent: *const u8,
    exponent_length: usize,
    modulus: *const u8,
    modulus_length: usize,
    result: *mut u8,
) -> MonproStatus {
    let task =
        MonproPowTask { base, base_length, exponent, exponent_length, modulus, modulus_length, result };
    // SAFETY: the caller's promises.
    status_of(|| unsafe { run(&task, arithmetic::modexp) })
}

/// monpro_modexp for public numbers: faster, in a time that depends on all values.
///
/// # Safety
/// As monpro_modexp.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn monpro_modexp_vartime(
    base: *const u8,
    base_length: usize,
    exponent: *const u8,
    exponent_length: usize,
    modulus: *const u8,
    modulus_length: usize,
    result: *mut u8,
) -> MonproStatus {
    let task =
        MonproPowTask { base, base_length, exponent, exponent_length, modulus, modulus_length, result };
    // SAFETY: the caller's promises.
    status_of(|| unsafe { run(&task, arithmetic::modexp_vartime) })
}

/// monpro_modexp for each of the tasks, several at a time if the CPU has wide vectors. The bit lengths of the
/// exponents are public. If any task is refused, none is done, and the status is that of the first one
/// refused.
///
/// # Safety
/// The count tasks can be read, and each meets the conditions of monpro_modexp.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn monpro_pow_batch(tasks: *const MonproPowTask, count: usize) -> MonproStatus {
    status_of(|| {
        if tasks.is_null() && count > 0 {
            return Err(MonproStatus::NullPointer);
        }
        obey_environment()?;
        let read = |i| {
            // SAFETY: the caller's promises.
            unsafe { numbers(&*tasks.add(i)) }
        };
        let numbers: Vec<_> = (0..count).map(read).collect::<Result<_, _>>()?;
        let borrowed: Vec<_> =
            numbers.iter().map(|[base, exponent, modulus]| PowTask::new(base, exponent, modulus)).collect();
        for (i, power) in arithmetic::pow_batch(&borrowed).into_iter().enumerate() {
            // Modulo 0 the result is 0.
            let power = Zeroizing::new(power.unwrap_or_default());
            // SAFETY: the caller's promises.
            let result = unsafe {
                let task = &*tasks.add(i);
                bytes_mut(task.result, task.modulus_length)?
            };
            result.copy_from_slice(&Zeroizing::new(natural::to_be_bytes(&power, result.len())));
        }
        Ok(())
    })
}

/// Base, exponent and modulus of a task whose result can be written.
///
/// # Safety
/// As monpro_modexp.
unsafe fn numbers(task: &MonproPowTask) -> Result<[Zeroizing<Vec<u64>>; 3], MonproStatus> {
    // SAFETY: the caller's promises.
    unsafe {
        bytes_mut(task.result, task.modulus_length)?;
        Ok([
            number(bytes(task.base, task.base_length)?),
            number(bytes(task.exponent, task.exponent_length)?),
            number(bytes(task.modulus, task.modulus_length)?),
        ])
    }
}

/// Computes and writes the result of a task.
///
/// # Safety
/// As monpro_modexp.
unsafe fn run(
    task: &MonproPowTask,
    modexp: impl Fn(&[u8], &[u8], &[u8]) -> Vec<u8>,
) -> Result<(), MonproStatus> {
    obey_environment()?;
    // SAFETY: the caller's promises.
    let (base, exponent, modulus, result) = unsafe {
        let (base, exponent) =
            (bytes(task.base, task.base_length)?, bytes(task.exponent, task.exponent_length)?);
        let modulus = bytes(task.modulus, task.modulus_length)?;
        (base, exponent, modulus, bytes_mut(task.result, task.modulus_length)?)
    };
    result.copy_from_slice(&Zeroizing::new(modexp(base, exponent, modulus)));
    Ok(())
}

fn number(bytes: &[u8]) -> Zeroizing<Vec<u64>> {
    Zeroizing::new(natural::from_be_bytes(bytes))
}

/// Selects the kernel that the environment variable MONPRO_KERNEL names, once.
fn obey_environment() -> Result<(), MonproStatus> {
    static OBEYED: OnceLock<Result<(), MonproStatus>> = OnceLock::new();
    *OBEYED.get_or_init(|| match std::env::var_os("MONPRO_KERNEL") {
        None => Ok(()),
        Some(name) => {
            let kernel = Kernel::by_name(name.to_str().ok_or(MonproStatus::UnknownKernel)?)?;
            Ok(kernel.override_selection()?)
        }
    })
}

fn kernel_named(name: &CStr) -> Result<&'static Kernel, Error> {
    Kernel::by_name(name.to_str().map_err(|_| Error::UnknownKernel)?)
}
