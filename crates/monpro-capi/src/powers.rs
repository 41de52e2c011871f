//! Powers from bytes to bytes, modulo any number, one or many.

use crate::border::{bytes, copy_of, number, status_of, writable, write};
use crate::kernels;
use crate::memory::{Lengths, reserve};
use crate::status::MonproStatus;
use arithmetic::{PowTask, natural};
use zeroize::Zeroizing;

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
