//! Timing inside one process, so that one run can compare kernels.

use crate::convert::value_error;
use crate::kernel::{by_name, example_modulus};
use monpro::{Modulus, Residue, Scratch};
use nix::time::{ClockId, clock_gettime};
use pyo3::exceptions::{PyOSError, PyValueError};
use pyo3::prelude::*;
use std::hint::black_box;
use std::time::Duration;

/// Nanoseconds of processor time of a Montgomery product ("mul") or square ("sqr"): one figure for each batch
/// of about batch_seconds.
///
/// A chain of dependent steps, as in an exponentiation: z ← z·y or z ← z², modulo an example modulus of
/// `bits` bits.
#[pyfunction]
pub(crate) fn time_products(
    py: Python<'_>,
    kernel: &str,
    bits: usize,
    operation: &str,
    batches: usize,
    batch_seconds: f64,
) -> PyResult<Vec<f64>> {
    let step: fn(&mut Residue, &Residue, &mut Scratch) = match operation {
        "mul" => |z, y, scratch| z.mul_assign(y, scratch),
        "sqr" => |z, _, scratch| z.square_assign(scratch),
        _ => return Err(PyValueError::new_err("operation must be \"mul\" or \"sqr\"")),
    };
    let batch = batch_of(batch_seconds)?;
    let modulus = example(kernel, bits)?;
    py.detach(|| {
        let y = modulus.residue(&(1..=modulus.s() as u64).map(mixed).collect::<Vec<_>>());
        let mut z = y.square();
        let mut scratch = modulus.scratch();
        let mut time_steps = |count: u32| {
            let start = processor_time()?;
            for _ in 0..count {
                step(black_box(&mut z), &y, &mut scratch);
            }
            Ok::<_, PyErr>(processor_time()? - start)
        };
        figures(batches, batch, &mut time_steps)
    })
}

/// Nanoseconds of processor time of a power: one figure for each batch of about batch_seconds.
///
/// The binary method with an exponent of `exponent_bits` bits, every other one of them 1, modulo an example modulus
/// of `bits` bits. The time includes the conversions of the base and of the result, not the constants of the modulus.
#[pyfunction]
pub(crate) fn time_power(
    py: Python<'_>,
    kernel: &str,
    bits: usize,
    exponent_bits: usize,
    batches: usize,
    batch_seconds: f64,
) -> PyResult<Vec<f64>> {
    let modulus = example(kernel, bits)?;
    let batch = batch_of(batch_seconds)?;
    let mut exponent = vec![0xaaaa_aaaa_aaaa_aaaa_u64; exponent_bits.div_ceil(64)];
    if let Some(top) = exponent.last_mut() {
        *top >>= 64 * exponent_bits.div_ceil(64) - exponent_bits;
    }
    py.detach(|| {
        let base: Vec<u64> = (1..=modulus.s() as u64).map(mixed).collect();
        let mut time_steps = |count: u32| {
            let start = processor_time()?;
            for _ in 0..count {
                let power = modulus.residue(black_box(&base)).pow_binary_vartime(&exponent);
                black_box(power.to_number());
            }
            Ok::<_, PyErr>(processor_time()? - start)
        };
        figures(batches, batch, &mut time_steps)
    })
}

/// The example modulus of `bits` bits of a kernel; ValueError if it takes none.
fn example(kernel: &str, bits: usize) -> PyResult<Modulus> {
    let kernel = by_name(kernel)?;
    let number = example_modulus(kernel, bits).ok_or_else(|| {
        PyValueError::new_err(format!("kernel {} takes no modulus of {bits} bits", kernel.name))
    })?;
    Modulus::with_kernel(kernel, &number).map_err(value_error)
}

fn batch_of(seconds: f64) -> PyResult<Duration> {
    Duration::try_from_secs_f64(seconds)
        .map_err(|_| PyValueError::new_err("batch_seconds must be a time from 0 seconds up"))
}

fn mixed(i: u64) -> u64 {
    i.wrapping_mul(0xd134_2543_de82_ef95)
}

/// The mean time of a step in each batch.
fn figures(
    batches: usize,
    batch: Duration,
    time_steps: &mut impl FnMut(u32) -> PyResult<Duration>,
) -> PyResult<Vec<f64>> {
    let count = steps_in(batch, time_steps)?;
    (0..batches).map(|_| Ok(time_steps(count)?.as_nanos() as f64 / f64::from(count))).collect()
}

/// The number of steps that take about the time of a batch; at least 1.
fn steps_in(batch: Duration, time_steps: &mut impl FnMut(u32) -> PyResult<Duration>) -> PyResult<u32> {
    let mut count = 1;
    while count < 1 << 24 {
        let taken = time_steps(count)?;
        if taken >= batch / 8 {
            let steps = f64::from(count) * batch.as_secs_f64() / taken.as_secs_f64().max(1e-9);
            return Ok((steps as u32).max(1));
        }
        count *= 2;
    }
    Ok(count)
}

/// The processor time of this thread, which other programs on the machine disturb least.
fn processor_time() -> PyResult<Duration> {
    let now = clock_gettime(ClockId::CLOCK_THREAD_CPUTIME_ID).map_err(|error| {
        PyOSError::new_err(format!("this system has no clock of processor time: {error}"))
    })?;
    Ok(now.into())
}
