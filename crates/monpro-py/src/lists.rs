//! Powers of lists, on every CPU core, and powers from bytes to bytes.

use crate::convert::{Integer, Number, Words, integer, positive, size, type_name, value_error};
use crate::long::{INTERVAL, is_long, lost, no_thread, power_work, run};
use crate::modulus::base;
use monpro::PowTask;
use monpro::cancellation::Cancellation;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyTuple};
use std::cmp::Reverse;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::Instant;
use zeroize::Zeroizing;

/// The number of powers that a thread takes at a time.
const TASKS_AT_A_TIME: usize = 8;

/// [xᵉ mod n for x in the list], with the arguments of gmpy2's function: on every CPU core, without the GIL.
#[pyfunction]
#[pyo3(signature = (base_lst, exp, r#mod, *, threads = None, progress = None))]
pub(crate) fn powmod_base_list(
    py: Python<'_>,
    base_lst: &Bound<'_, PyAny>,
    exp: &Bound<'_, PyAny>,
    r#mod: &Bound<'_, PyAny>,
    threads: Option<&Bound<'_, PyAny>>,
    progress: Option<Py<PyAny>>,
) -> PyResult<Vec<Number>> {
    let exponents = vec![integer(exp, "the exponent")?];
    let moduli = vec![positive(r#mod, "the modulus")?];
    let bases = integers(base_lst, "a base")?;
    let tasks = Tasks { count: bases.len(), bases, exponents, moduli };
    powers(py, tasks, threads, progress.as_ref(), |_, error| error)
}

/// [xᵉ mod n for e in the list], with the arguments of gmpy2's function: on every CPU core, without the GIL.
#[pyfunction]
#[pyo3(signature = (base, exp_lst, r#mod, *, threads = None, progress = None))]
pub(crate) fn powmod_exp_list(
    py: Python<'_>,
    base: &Bound<'_, PyAny>,
    exp_lst: &Bound<'_, PyAny>,
    r#mod: &Bound<'_, PyAny>,
    threads: Option<&Bound<'_, PyAny>>,
    progress: Option<Py<PyAny>>,
) -> PyResult<Vec<Number>> {
    let bases = vec![integer(base, "the base")?];
    let moduli = vec![positive(r#mod, "the modulus")?];
    let exponents = integers(exp_lst, "an exponent")?;
    let tasks = Tasks { count: exponents.len(), bases, exponents, moduli };
    powers(py, tasks, threads, progress.as_ref(), |_, error| error)
}

/// [xᵉ mod n for (x, e, n) in the list]: on every CPU core, without the GIL.
#[pyfunction]
#[pyo3(signature = (tasks, *, threads = None, progress = None))]
pub(crate) fn pow_list(
    py: Python<'_>,
    tasks: &Bound<'_, PyAny>,
    threads: Option<&Bound<'_, PyAny>>,
    progress: Option<Py<PyAny>>,
) -> PyResult<Vec<Number>> {
    let mut list = Tasks { bases: Vec::new(), exponents: Vec::new(), moduli: Vec::new(), count: 0 };
    for (i, task) in tasks.try_iter()?.enumerate() {
        let (x, e, n) = numbers(&task?).map_err(|error| with_index(py, i, error))?;
        list.bases.push(x);
        list.exponents.push(e);
        list.moduli.push(n);
        list.count += 1;
    }
    powers(py, list, threads, progress.as_ref(), |i, error| Python::attach(|py| with_index(py, i, error)))
}

/// base^exponent mod modulus in big-endian bytes, as many as the modulus has; the result modulo 0 is 0.
#[pyfunction]
#[pyo3(signature = (base, exponent, modulus))]
pub(crate) fn modexp<'py>(
    py: Python<'py>,
    base: &[u8],
    exponent: &[u8],
    modulus: &[u8],
) -> PyResult<Bound<'py, PyBytes>> {
    by(monpro::modexp, py, [base, exponent, modulus])
}

/// modexp, faster, in a time that depends on the values.
#[pyfunction]
#[pyo3(signature = (base, exponent, modulus))]
pub(crate) fn modexp_vartime<'py>(
    py: Python<'py>,
    base: &[u8],
    exponent: &[u8],
    modulus: &[u8],
) -> PyResult<Bound<'py, PyBytes>> {
    by(monpro::modexp_vartime, py, [base, exponent, modulus])
}

/// base^exponent mod modulus, from bytes to bytes.
type ModExp = fn(&[u8], &[u8], &[u8]) -> Vec<u8>;

/// The power of base, exponent and modulus by this function.
fn by<'py>(function: ModExp, py: Python<'py>, numbers: [&[u8]; 3]) -> PyResult<Bound<'py, PyBytes>> {
    let [base, exponent, modulus] = numbers;
    let work = power_work(base.len() / 8, 8 * exponent.len(), modulus.len().div_ceil(8));
    let power = if is_long(work) {
        // A computation that an interrupt leaves alone cannot use the caller's bytes.
        let [base, exponent, modulus] = numbers.map(|bytes| Zeroizing::new(bytes.to_vec()));
        run(py, work, move || Zeroizing::new(function(&base, &exponent, &modulus)))?
    } else {
        py.detach(|| Zeroizing::new(function(base, exponent, modulus)))
    };
    Ok(PyBytes::new(py, &power))
}

fn integers(list: &Bound<'_, PyAny>, name: &str) -> PyResult<Vec<Integer>> {
    list.try_iter()?.map(|value| integer(&value?, name)).collect()
}

/// x, e and n ≥ 1 of a task (x, e, n).
fn numbers(task: &Bound<'_, PyAny>) -> PyResult<(Integer, Integer, Words)> {
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
    } else if error.is_instance_of::<PyValueError>(py) {
        PyValueError::new_err(line)
    } else {
        // An exception of the caller's own `__index__`.
        error
    }
}

/// Powers xᵉ mod n to be computed. A list of a single number holds the number of all tasks.
struct Tasks {
    bases: Vec<Integer>,
    exponents: Vec<Integer>,
    /// n ≥ 1.
    moduli: Vec<Words>,
    count: usize,
}

impl Tasks {
    fn base(&self, i: usize) -> &Integer {
        &self.bases[i.min(self.bases.len() - 1)]
    }

    fn exponent(&self, i: usize) -> &Integer {
        &self.exponents[i.min(self.exponents.len() - 1)]
    }

    fn modulus(&self, i: usize) -> &[u64] {
        &self.moduli[i.min(self.moduli.len() - 1)]
    }

    /// The lengths that determine the time of the task. Tasks of equal lengths make the best batches.
    fn size(&self, i: usize) -> (usize, usize) {
        (self.modulus(i).len(), self.exponent(i).bits())
    }
}

/// The result of a thread: the indices of tasks, and their powers.
type Done = Vec<(usize, PyResult<Number>)>;

/// The powers in the order of the tasks; `name` makes an error name the index of its task.
///
/// An error, an exception of `progress` and an interrupt end this call at once. The threads then stop at their next
/// checkpoints.
fn powers(
    py: Python<'_>,
    tasks: Tasks,
    threads: Option<&Bound<'_, PyAny>>,
    progress: Option<&Py<PyAny>>,
    name: fn(usize, PyErr) -> PyErr,
) -> PyResult<Vec<Number>> {
    let available = match threads {
        Some(threads) => size(threads, "the number of threads", 1)?,
        None => thread::available_parallelism().map_or(1, usize::from),
    };
    let count = tasks.count;
    let cancellation = Cancellation::default();
    let switch = cancellation.clone();
    let collected = py.detach(|| {
        let mut order: Vec<usize> = (0..count).collect();
        order.sort_by_key(|&i| Reverse(tasks.size(i)));
        let (sender, receiver) = channel();
        let list = Arc::new(List { tasks, order, next: AtomicUsize::new(0) });
        for _ in 0..available.min(count.div_ceil(TASKS_AT_A_TIME)) {
            let (sender, list, switch) = (sender.clone(), list.clone(), switch.clone());
            let work = move || switch.run(|| work(&list, &sender)).unwrap_or_default();
            thread::Builder::new().spawn(work).map_err(no_thread)?;
        }
        drop(sender);
        collect(&receiver, count, progress, name)
    });
    collected.inspect_err(|_| cancellation.cancel())
}

/// The tasks of a call, which its threads share.
struct List {
    tasks: Tasks,
    /// The indices of the tasks in the order in which they are computed.
    order: Vec<usize>,
    /// The place in the order of the next task that no thread has taken.
    next: AtomicUsize,
}

/// Takes tasks in the order of the list until none are left.
fn work(list: &List, sender: &Sender<Done>) {
    loop {
        let start = list.next.fetch_add(TASKS_AT_A_TIME, Ordering::Relaxed);
        let Some(rest) = list.order.get(start..).filter(|rest| !rest.is_empty()) else { return };
        let done = powers_of(&list.tasks, &rest[..rest.len().min(TASKS_AT_A_TIME)]);
        if sender.send(done).is_err() {
            return;
        }
    }
}

/// The powers of the tasks with these indices, computed as one batch, or an error in place of a power.
fn powers_of(tasks: &Tasks, indices: &[usize]) -> Done {
    let (mut bases, mut done) = (Vec::new(), Done::new());
    for &i in indices {
        match base(tasks.base(i), tasks.exponent(i), tasks.modulus(i)) {
            Ok(other) => bases.push((i, other)),
            Err(error) => done.push((i, Err(error))),
        }
    }
    let mut batch = Vec::new();
    for (i, other) in &bases {
        let x = other.as_ref().unwrap_or(&tasks.base(*i).magnitude);
        batch.push(PowTask::new(x, &tasks.exponent(*i).magnitude, tasks.modulus(*i)));
    }
    for ((i, _), power) in bases.iter().zip(monpro::pow_batch(&batch)) {
        done.push((*i, power.map(Number::new).map_err(value_error)));
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
) -> PyResult<Vec<Number>> {
    let mut powers: Vec<Option<Number>> = (0..total).map(|_| None).collect();
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
            Err(RecvTimeoutError::Disconnected) => return Err(lost()),
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
