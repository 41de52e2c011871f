//! The C interface of monpro. Numbers are big-endian bytes; a call that can fail returns a status that says
//! what is wrong.
#![allow(unsafe_code)]

mod border;
mod kernels;
mod memory;
mod status;

pub use status::MonproStatus;

use arithmetic::{Modulus, PowTask, natural};
use border::{bytes, copy_of, status_of, writable, write};
use memory::{Lengths, reserve};
use std::ffi::{CStr, CString, c_char, c_int};
use zeroize::Zeroizing;

/// The most bytes of a number. A longer one is refused with MONPRO_STATUS_TOO_LONG.
pub const MONPRO_MAX_BYTES: usize = 1 << 28;

/// An odd modulus with its constants; to be freed by monpro_modulus_free. Threads may share it.
pub struct MonproModulus {
    modulus: Modulus,
    kernel: CString,
}

/// One exponentiation of a batch: base^exponent mod modulus, into as many bytes as the modulus has.
#[repr(C)]
#[derive(Clone, Copy)]
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

/// base^exponent mod modulus, as in the precompiled contract MODEXP of the Ethereum virtual machine: the
/// modulus may be any number, the result is as long as the modulus, and the result modulo 0 is 0. The time
/// depends on the lengths and on the power of 2 in the modulus. The result may overlap the base, the exponent
/// and the modulus. It is written only if the status is MONPRO_STATUS_OK.
///
/// # Safety
/// The bytes of base, exponent and modulus can be read, and modulus_length bytes at result can be written.
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
    status_of(|| unsafe { run(&task, arithmetic::modexp, Lengths::words) })
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
    status_of(|| unsafe { run(&task, arithmetic::modexp_vartime, Lengths::words_vartime) })
}

/// monpro_modexp for each of the tasks, several at a time if the CPU has wide vectors. The bit lengths of the
/// exponents are public. If any task is refused, none is done, and the status is that of the first one
/// refused.
///
/// The results may overlap all inputs, because they are written after the last power, in the order of the
/// tasks.
///
/// # Safety
/// The count tasks can be read, and each meets the conditions of monpro_modexp.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn monpro_pow_batch(tasks: *const MonproPowTask, count: usize) -> MonproStatus {
    status_of(|| {
        kernels::obey_environment()?;
        // SAFETY: the caller's promise.
        let tasks = unsafe { copy_of(tasks, count) }?;
        // SAFETY: the caller's promise.
        let lengths = |task: &MonproPowTask| Ok(Lengths::of(&unsafe { inputs(task) }?));
        let lengths = tasks.iter().map(lengths).collect::<Result<Vec<_>, MonproStatus>>()?;
        reserve(Lengths::words_of_batch(&lengths))?;
        // SAFETY: the caller's promise.
        let numbers = |task: &MonproPowTask| Ok(unsafe { inputs(task) }?.map(number));
        let numbers = tasks.iter().map(numbers).collect::<Result<Vec<_>, MonproStatus>>()?;
        let borrowed: Vec<_> =
            numbers.iter().map(|[base, exponent, modulus]| PowTask::new(base, exponent, modulus)).collect();
        for (task, power) in tasks.iter().zip(arithmetic::pow_batch(&borrowed)) {
            // Modulo 0 the result is 0.
            let power = Zeroizing::new(power.unwrap_or_default());
            let result = Zeroizing::new(natural::to_be_bytes(&power, task.modulus_length));
            // SAFETY: the caller's promise, and the length is that of the result.
            unsafe { write(task.result, &result) };
        }
        Ok(())
    })
}

/// Base, exponent and modulus of a task whose result can be written.
///
/// # Safety
/// As monpro_modexp; nothing writes to the bytes while the slices live.
unsafe fn inputs<'a>(task: &MonproPowTask) -> Result<[&'a [u8]; 3], MonproStatus> {
    // SAFETY: the caller's promises.
    let inputs = unsafe {
        [
            bytes(task.base, task.base_length)?,
            bytes(task.exponent, task.exponent_length)?,
            bytes(task.modulus, task.modulus_length)?,
        ]
    };
    writable(task.result, task.modulus_length)?;
    Ok(inputs)
}

/// Computes and writes the result of a task.
///
/// # Safety
/// As monpro_modexp.
unsafe fn run(
    task: &MonproPowTask,
    modexp: impl Fn(&[u8], &[u8], &[u8]) -> Vec<u8>,
    words: impl Fn(&Lengths) -> usize,
) -> Result<(), MonproStatus> {
    kernels::obey_environment()?;
    // SAFETY: the caller's promises.
    let inputs = unsafe { inputs(task) }?;
    reserve(words(&Lengths::of(&inputs)))?;
    let [base, exponent, modulus] = inputs;
    let result = Zeroizing::new(modexp(base, exponent, modulus));
    // SAFETY: the caller's promise, and the result is as long as the modulus.
    unsafe { write(task.result, &result) };
    Ok(())
}

fn number(bytes: &[u8]) -> Zeroizing<Vec<u64>> {
    Zeroizing::new(natural::from_be_bytes(bytes))
}
