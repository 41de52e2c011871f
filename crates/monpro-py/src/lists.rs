//! Powers of lists, on every CPU core, and powers from bytes to bytes.

use crate::convert::{from_words, integer, positive};
use crate::modulus::base;
use monpro::Error;
use num_bigint::{BigInt, BigUint};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use std::borrow::Cow;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

/// The number of powers that a thread takes at a time.
const TASKS_AT_A_TIME: usize = 8;
/// The interval at which the caller's progress function is called and interrupts are noticed.
const INTERVAL: Duration = Duration::from_millis(50);

/// [xᵉ mod n for x in the list], with the arguments of gmpy2's function: on every CPU core, without the GIL.
#[pyfunction]
#[pyo3(signature = (base_lst, exp, r#mod, *, threads = None, progress = None))]
pub(crate) fn powmod_base_list(
    py: Python<'_>,
    base_lst: &Bound<'_, PyAny>,
    exp: &Bound<'_, PyAny>,
    r#mod: &Bound<'_, PyAny>,
    threads: Option<NonZeroUsize>,
    progress: Option<Py<PyAny>>,
) -> PyResult<Vec<BigUint>> {
    let e = integer(exp, "the exponent")?;
    let n = positive(r#mod, "the modulus")?;
    let xs = integers(base_lst, "a base")?;
    powers(py, xs.into_iter().map(|x| (x, e.clone())).collect(), &n, threads, progress)
}

/// [xᵉ mod n for e in the list], with the arguments of gmpy2's function: on every CPU core, without the GIL.
#[pyfunction]
#[pyo3(signature = (base, exp_lst, r#mod, *, threads = None, progress = None))]
pub(crate) fn powmod_exp_list(
    py: Python<'_>,
    base: &Bound<'_, PyAny>,
    exp_lst: &Bound<'_, PyAny>,
    r#mod: &Bound<'_, PyAny>,
    threads: Option<NonZeroUsize>,
    progress: Option<Py<PyAny>>,
) -> PyResult<Vec<BigUint>> {
    let x = integer(base, "the base")?;
    let n = positive(r#mod, "the modulus")?;
    let es = integers(exp_lst, "an exponent")?;
    powers(py, es.into_iter().map(|e| (x.clone(), e)).collect(), &n, threads, progress)
}

/// base^exponent mod modulus in big-endian bytes, as many as the modulus has; the result modulo 0 is 0.
#[pyfunction]
#[pyo3(signature = (base, exponent, modulus))]
pub(crate) fn modexp(py: Python<'_>, base: &[u8], exponent: &[u8], modulus: &[u8]) -> Cow<'static, [u8]> {
    py.detach(|| monpro::modexp(base, exponent, modulus)).into()
}

/// modexp, faster, in a time that depends on the values.
#[pyfunction]
#[pyo3(signature = (base, exponent, modulus))]
pub(crate) fn modexp_vartime(
    py: Python<'_>,
    base: &[u8],
    exponent: &[u8],
    modulus: &[u8],
) -> Cow<'static, [u8]> {
    py.detach(|| monpro::modexp_vartime(base, exponent, modulus)).into()
}

fn integers(list: &Bound<'_, PyAny>, name: &str) -> PyResult<Vec<BigInt>> {
    list.try_iter()?.map(|value| integer(&value?, name)).collect()
}

/// A power to be computed: x and e ≥ 0 in words.
struct PowTask<'a> {
    base: Vec<u64>,
    exponent: Vec<u64>,
    modulus: &'a [u64],
}

/// The powers, in their order.
fn pow_many(tasks: &[PowTask]) -> Vec<Result<Vec<u64>, Error>> {
    let tasks: Vec<_> = tasks
        .iter()
        .map(|PowTask { base, exponent, modulus }| monpro::PowTask { base, exponent, modulus })
        .collect();
    monpro::pow_batch(&tasks)
}

/// The result of a thread: the index of its first power, and the powers.
type Done = (usize, Vec<PyResult<BigUint>>);

/// xᵉ mod n for each pair (x, e).
fn powers(
    py: Python<'_>,
    pairs: Vec<(BigInt, BigInt)>,
    n: &[u64],
    threads: Option<NonZeroUsize>,
    progress: Option<Py<PyAny>>,
) -> PyResult<Vec<BigUint>> {
    let available = threads.or_else(|| thread::available_parallelism().ok()).map_or(1, usize::from);
    let next = AtomicUsize::new(0);
    py.detach(|| {
        thread::scope(|scope| {
            let (sender, receiver) = channel();
            for _ in 0..available.min(pairs.len().div_ceil(TASKS_AT_A_TIME)) {
                let (sender, next, pairs) = (sender.clone(), &next, &pairs);
                scope.spawn(move || work(pairs, n, next, &sender));
            }
            drop(sender);
            let collected = collect(&receiver, pairs.len(), progress.as_ref());
            // If the caller gave up, the threads find no further task.
            next.store(pairs.len(), Ordering::Relaxed);
            collected
        })
    })
}

/// Takes tasks until none are left.
fn work(pairs: &[(BigInt, BigInt)], n: &[u64], next: &AtomicUsize, sender: &Sender<Done>) {
    loop {
        let start = next.fetch_add(TASKS_AT_A_TIME, Ordering::Relaxed);
        let Some(rest) = pairs.get(start..).filter(|rest| !rest.is_empty()) else { return };
        let powers = powers_of_pairs(&rest[..rest.len().min(TASKS_AT_A_TIME)], n);
        if sender.send((start, powers)).is_err() {
            return;
        }
    }
}

fn powers_of_pairs(pairs: &[(BigInt, BigInt)], n: &[u64]) -> Vec<PyResult<BigUint>> {
    let task = |(x, e): &(BigInt, BigInt)| {
        Ok(PowTask {
            base: base(x.clone(), e, from_words(n))?.to_u64_digits(),
            exponent: e.magnitude().to_u64_digits(),
            modulus: n,
        })
    };
    match pairs.iter().map(task).collect::<PyResult<Vec<_>>>() {
        Ok(tasks) => pow_many(&tasks)
            .into_iter()
            .map(|power| power.map(|words| from_words(&words)).map_err(crate::convert::value_error))
            .collect(),
        Err(error) => vec![Err(error)],
    }
}

/// The powers in their order. The first error ends the collection, and so do an exception of `progress` and
/// an interrupt.
fn collect(receiver: &Receiver<Done>, total: usize, progress: Option<&Py<PyAny>>) -> PyResult<Vec<BigUint>> {
    let mut powers: Vec<Option<BigUint>> = vec![None; total];
    let (mut done, mut told) = (0, Instant::now());
    while done < total {
        match receiver.recv_timeout(INTERVAL) {
            Ok((start, new)) => {
                done += new.len();
                for (place, power) in powers[start..].iter_mut().zip(new) {
                    *place = Some(power?);
                }
            }
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => {
                return Err(PyRuntimeError::new_err("a thread that computed powers ended before its time"));
            }
        }
        if done == total || told.elapsed() >= INTERVAL {
            told = Instant::now();
            Python::attach(|py| {
                progress.map(|progress| progress.call1(py, (done, total))).transpose()?;
                py.check_signals()
            })?;
        }
    }
    Ok(powers.into_iter().flatten().collect())
}
