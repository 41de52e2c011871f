//! Timing inside one process, so that kernels can be compared in one run.

use crate::convert::value_error;
use crate::kernel::by_name;
use monpro::{Modulus, Residue, Scratch};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::hint::black_box;
use std::time::{Duration, Instant};

/// Nanoseconds a Montgomery product ("mul") or square ("sqr") takes, one figure a batch of about batch_seconds.
///
/// The operands are n − 2 and n − 3 for an n of `bits` bits with both ends set; products form a dependent chain,
/// as in an exponentiation.
#[pyfunction]
pub(crate) fn time_products(
    py: Python<'_>,
    kernel: &str,
    bits: usize,
    operation: &str,
    batches: usize,
    batch_seconds: f64,
) -> PyResult<Vec<f64>> {
    let kernel = by_name(kernel)?;
    let step: fn(&mut Residue, &Residue, &mut Scratch) = match operation {
        "mul" => |z, y, scratch| z.mul_assign(y, scratch),
        "sqr" => |z, _, scratch| z.square_assign(scratch),
        _ => return Err(PyValueError::new_err("operation must be \"mul\" or \"sqr\"")),
    };
    let batch = Duration::try_from_secs_f64(batch_seconds)
        .map_err(|_| PyValueError::new_err("batch_seconds must be a time from 0 seconds up"))?;
    let modulus = Modulus::with_kernel(kernel, &test_number(bits)?).map_err(value_error)?;
    py.detach(|| {
        let y = modulus.residue(&test_number(bits)?[..]);
        let y = &(&y - &modulus.one()) - &modulus.one();
        let mut z = &y - &modulus.one();
        let mut scratch = modulus.scratch();
        let mut figures = Vec::with_capacity(batches);
        for _ in 0..batches {
            let start = Instant::now();
            let mut count = 0u32;
            while start.elapsed() < batch {
                for _ in 0..16 {
                    step(black_box(&mut z), &y, &mut scratch);
                }
                count += 16;
            }
            figures.push(start.elapsed().as_nanos() as f64 / f64::from(count.max(1)));
        }
        Ok(figures)
    })
}

/// An odd number of exactly `bits` bits whose words are neither sparse nor regular.
fn test_number(bits: usize) -> PyResult<Vec<u64>> {
    if bits < 2 {
        return Err(PyValueError::new_err("bits must be at least 2"));
    }
    let mut words: Vec<u64> =
        (1..=bits.div_ceil(64) as u64).map(|i| i.wrapping_mul(0x9e37_79b9_7f4a_7c15)).collect();
    let top = (bits - 1) % 64;
    let last = words.last_mut().expect("there is a word for two bits");
    *last = *last & ((1 << top) - 1) | 1 << top;
    words[0] |= 1;
    Ok(words)
}
