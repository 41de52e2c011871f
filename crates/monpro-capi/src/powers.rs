//! Powers from bytes to bytes, modulo any number, one or many.

use crate::border::{bytes, copy_of, number, status_of, writable, write};
use crate::kernels;
use crate::memory::{Lengths, reserve};
use crate::progress::told;
use crate::status::MonproStatus;
use arithmetic::{CrtTask, PowTask, natural};
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

/// One private operation of RSA in a batch, with the numbers of a key as in RFC 8017, section 3.2: the number below
/// p·q that is base^d_p modulo p and base^d_q modulo q.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct MonproCrtTask {
    /// The base, any number.
    pub base: *const u8,
    /// The number of bytes of the base.
    pub base_length: usize,
    /// p, odd and prime to q.
    pub p: *const u8,
    /// The number of bytes of p.
    pub p_length: usize,
    /// q, odd.
    pub q: *const u8,
    /// The number of bytes of q.
    pub q_length: usize,
    /// The exponent modulo p, d mod (p - 1).
    pub d_p: *const u8,
    /// The number of bytes of d_p.
    pub d_p_length: usize,
    /// The exponent modulo q, d mod (q - 1).
    pub d_q: *const u8,
    /// The number of bytes of d_q.
    pub d_q_length: usize,
    /// The inverse of q modulo p.
    pub q_inverse: *const u8,
    /// The number of bytes of q_inverse.
    pub q_inverse_length: usize,
    /// The result: p_length + q_length bytes are written here, with leading zeros.
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
        for (task, power) in tasks.iter().zip(told(tasks.len(), || arithmetic::pow_batch(&borrowed))) {
            // Modulo 0 the result is 0.
            let power = Zeroizing::new(power.unwrap_or_default());
            let result = Zeroizing::new(natural::to_be_bytes(&power, task.modulus_length));
            // SAFETY: the caller's promise, and the length is that of the result.
            unsafe { write(task.result, &result) };
        }
        Ok(())
    })
}

/// For each of the tasks, the power modulo p·q by the powers modulo p and modulo q, several at a time if the CPU has
/// wide vectors. Time depends on the bit lengths of p and q and on the lengths of the other numbers. Nothing is blinded,
/// and faults of the machine are not detected; monpro_rsa_private_raw does both.
///
/// If any task is refused, nothing is written, and the status is that of the first one refused:
/// MONPRO_STATUS_ZERO_MODULUS and MONPRO_STATUS_EVEN_MODULUS for p and q, MONPRO_STATUS_NOT_INVERTIBLE if q·q_inverse
/// is not 1 modulo p. The results may overlap all inputs, because they are written after the last power, in the order
/// of the tasks.
///
/// # Safety
/// The count tasks can be read, and so can the bytes of all their numbers; p_length + q_length bytes at each result
/// can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn monpro_pow_crt_batch(tasks: *const MonproCrtTask, count: usize) -> MonproStatus {
    status_of(|| {
        kernels::obey_environment()?;
        // SAFETY: the caller's promise.
        let tasks = unsafe { copy_of(tasks, count) }?;
        // SAFETY: the caller's promise.
        let inputs = |task: &MonproCrtTask| unsafe { crt_inputs(task) };
        let halves = |task: &MonproCrtTask| {
            let [base, p, q, d_p, d_q, _] = inputs(task)?.map(<[u8]>::len);
            // An exponent is taken to be as long as its modulus at least.
            Ok([(d_p, p), (d_q, q)].map(|(d, modulus)| Lengths { base, exponent: d.max(modulus), modulus }))
        };
        let lengths = tasks.iter().map(halves).collect::<Result<Vec<_>, MonproStatus>>()?;
        reserve(Lengths::words_of_batch(lengths.as_flattened()))?;
        let numbers = |task: &MonproCrtTask| Ok(inputs(task)?.map(number));
        let numbers = tasks.iter().map(numbers).collect::<Result<Vec<_>, MonproStatus>>()?;
        let borrowed: Vec<_> = numbers
            .iter()
            .map(|[base, p, q, d_p, d_q, q_inverse]| CrtTask { base, p, q, d_p, d_q, q_inverse })
            .collect();
        let powers: Vec<_> = told(2 * tasks.len(), || arithmetic::pow_crt_batch(&borrowed))
            .into_iter()
            .map(|power| power.map(Zeroizing::new).map_err(MonproStatus::from))
            .collect();
        let powers = powers.into_iter().collect::<Result<Vec<_>, MonproStatus>>()?;
        for (task, power) in tasks.iter().zip(powers) {
            let result = Zeroizing::new(natural::to_be_bytes(&power, task.p_length + task.q_length));
            // SAFETY: the caller's promise, and the length is that of the result.
            unsafe { write(task.result, &result) };
        }
        Ok(())
    })
}

/// The numbers of a task whose result can be written.
///
/// # Safety
/// As monpro_pow_crt_batch; nothing writes to the bytes while the slices live.
unsafe fn crt_inputs<'a>(task: &MonproCrtTask) -> Result<[&'a [u8]; 6], MonproStatus> {
    // SAFETY: the caller's promises.
    let inputs = unsafe {
        [
            bytes(task.base, task.base_length)?,
            bytes(task.p, task.p_length)?,
            bytes(task.q, task.q_length)?,
            bytes(task.d_p, task.d_p_length)?,
            bytes(task.d_q, task.d_q_length)?,
            bytes(task.q_inverse, task.q_inverse_length)?,
        ]
    };
    writable(task.result, task.p_length + task.q_length)?;
    Ok(inputs)
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
