//! Powers of lists, on every CPU core, and powers from bytes to bytes.

use crate::convert::{from_words, integer, positive, type_name, value_error};
use crate::modulus::base;
use monpro::PowTask;
use num_bigint::{BigInt, BigUint};
use pyo3::exceptions::{PyRuntimeError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use std::borrow::Cow;
use std::cmp::Reverse;
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
    let tasks: Vec<_> = xs.iter().map(|x| Task { base: x, exponent: &e, modulus: &n }).collect();
    powers(py, &tasks, threads, progress, |_, error| error)
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
    let tasks: Vec<_> = es.iter().map(|e| Task { base: &x, exponent: e, modulus: &n }).collect();
    powers(py, &tasks, threads, progress, |_, error| error)
}

/// [xᵉ mod n for (x, e, n) in the list]: on every CPU core, without the GIL.
#[pyfunction]
#[pyo3(signature = (tasks, *, threads = None, progress = None))]
pub(crate) fn pow_list(
    py: Python<'_>,
    tasks: &Bound<'_, PyAny>,
    threads: Option<NonZeroUsize>,
    progress: Option<Py<PyAny>>,
) -> PyResult<Vec<BigUint>> {
    let numbers = |(i, task): (usize, PyResult<Bound<'_, PyAny>>)| {
        numbers(&task?).map_err(|error| with_index(py, i, error))
    };
    let numbers = tasks.try_iter()?.enumerate().map(numbers).collect::<PyResult<Vec<_>>>()?;
    let tasks: Vec<_> =
        numbers.iter().map(|(base, exponent, modulus)| Task { base, exponent, modulus }).collect();
    powers(py, &tasks, threads, progress, |i, error| Python::attach(|py| with_index(py, i, error)))
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

/// x, e and n ≥ 1 of a task (x, e, n).
fn numbers(task: &Bound<'_, PyAny>) -> PyResult<(BigInt, BigInt, Vec<u64>)> {
    let tuple = task.cast::<PyTuple>().map_err(|_| {
        PyTypeError::new_err(format!("give a tuple (base, exponent, modulus), not {}", type_name(task)))
    })?;
    let [x, e, n] = &tuple.iter().collect::<Vec<_>>()[..] else {
        let line = format!("give three numbers (base, exponent, modulus), not {}", tuple.len());
        return Err(PyValueError::new_err(line));
    };
    Ok((integer(x, "the base")?, integer(e, "the exponent")?, positive(n, "the modulus")?))
}

/// The error with a message that names the index of the task.
fn with_index(py: Python<'_>, i: usize, error: PyErr) -> PyErr {
    let line = format!("task {i}: {}", error.value(py));
    if error.is_instance_of::<PyTypeError>(py) {
        PyTypeError::new_err(line)
    } else {
        PyValueError::new_err(line)
    }
}

/// A power to be computed: xᵉ mod n, n ≥ 1 in words.
struct Task<'a> {
    base: &'a BigInt,
    exponent: &'a BigInt,
    modulus: &'a [u64],
}

impl Task<'_> {
    /// x ≥ 0 and e ≥ 0 in words, with the same power.
    fn words(&self) -> PyResult<(Vec<u64>, Vec<u64>)> {
        let x = base(self.base.clone(), self.exponent, from_words(self.modulus))?;
        Ok((x.to_u64_digits(), self.exponent.magnitude().to_u64_digits()))
    }

    /// The lengths that determine the time of the task. Tasks of equal lengths make the best batches.
    fn size(&self) -> (usize, u64) {
        (self.modulus.len(), self.exponent.bits())
    }
}

/// The result of a thread: the indices of tasks, and their powers.
type Done = Vec<(usize, PyResult<BigUint>)>;

/// The powers in the order of the tasks; `name` makes an error name the index of its task.
fn powers(
    py: Python<'_>,
    tasks: &[Task<'_>],
    threads: Option<NonZeroUsize>,
    progress: Option<Py<PyAny>>,
    name: fn(usize, PyErr) -> PyErr,
) -> PyResult<Vec<BigUint>> {
    let available = threads.or_else(|| thread::available_parallelism().ok()).map_or(1, usize::from);
    let next = AtomicUsize::new(0);
    py.detach(|| {
        let mut order: Vec<usize> = (0..tasks.len()).collect();
        order.sort_by_key(|&i| Reverse(tasks[i].size()));
        thread::scope(|scope| {
            let (sender, receiver) = channel();
            for _ in 0..available.min(tasks.len().div_ceil(TASKS_AT_A_TIME)) {
                let (sender, next, order) = (sender.clone(), &next, &order);
                scope.spawn(move || work(tasks, order, next, &sender));
            }
            drop(sender);
            let collected = collect(&receiver, tasks.len(), progress.as_ref(), name);
            // If the caller gave up, the threads find no further task.
            next.store(tasks.len(), Ordering::Relaxed);
            collected
        })
    })
}

/// Takes tasks in this order until none are left.
fn work(tasks: &[Task<'_>], order: &[usize], next: &AtomicUsize, sender: &Sender<Done>) {
    loop {
        let start = next.fetch_add(TASKS_AT_A_TIME, Ordering::Relaxed);
        let Some(rest) = order.get(start..).filter(|rest| !rest.is_empty()) else { return };
        let done = powers_of(tasks, &rest[..rest.len().min(TASKS_AT_A_TIME)]);
        if sender.send(done).is_err() {
            return;
        }
    }
}

/// The powers of the tasks with these indices, computed as one batch, or an error in place of a power.
fn powers_of(tasks: &[Task<'_>], indices: &[usize]) -> Done {
    let (mut words, mut done) = (Vec::new(), Done::new());
    for &i in indices {
        match tasks[i].words() {
            Ok((x, e)) => words.push((i, x, e)),
            Err(error) => done.push((i, Err(error))),
        }
    }
    let batch: Vec<_> = words.iter().map(|(i, x, e)| PowTask::new(x, e, tasks[*i].modulus)).collect();
    for ((i, ..), power) in words.iter().zip(monpro::pow_batch(&batch)) {
        done.push((*i, power.map(|words| from_words(&words)).map_err(value_error)));
    }
    done
}

/// The powers in the order of the tasks. The first error that arrives ends the collection, and so do an exception of
/// `progress` and an interrupt.
fn collect(
    receiver: &Receiver<Done>,
    total: usize,
    progress: Option<&Py<PyAny>>,
    name: fn(usize, PyErr) -> PyErr,
) -> PyResult<Vec<BigUint>> {
    let mut powers: Vec<Option<BigUint>> = vec![None; total];
    let (mut done, mut told) = (0, Instant::now());
    while done < total {
        match receiver.recv_timeout(INTERVAL) {
            Ok(new) => {
                done += new.len();
                for (i, power) in new {
                    powers[i] = Some(power.map_err(|error| name(i, error))?);
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
