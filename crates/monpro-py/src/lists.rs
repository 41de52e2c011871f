//! Powers of lists, on every CPU core, and powers from bytes to bytes.

use crate::buffer::{RowsOut, octets, rows};
use crate::convert::{Integer, Number, Words, integer, items, pair, positive, size, type_name, value_error};
use crate::long::{INTERVAL, is_long, lost, no_thread, power_work, run};
use crate::modulus::base;
use monpro::PowTask;
use monpro::cancellation::Cancellation;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyBytesMethods};
use std::cmp::Reverse;
use std::fmt::{self, Display, Formatter};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::Instant;
use zeroize::Zeroizing;

/// The number of powers that a thread takes at a time.
const TASKS_AT_A_TIME: usize = 8;

/// [pow(base, exp, mod) for base in base_lst], with the arguments of gmpy2's function: on every CPU core, without the GIL.
///
/// base_lst is an iterable of ints, or a C-contiguous two-dimensional buffer of uint64, such as a numpy array: each row is
/// a number in words of 64 bits, the lowest first. If `out` is such a buffer, with as many words in a row as the modulus
/// has, or more, the results are written to its rows, and it is returned in place of a list.
#[pyfunction]
#[pyo3(signature = (base_lst, exp, r#mod, *, threads = None, progress = None, out = None))]
pub(crate) fn powmod_base_list(
    py: Python<'_>,
    base_lst: &Bound<'_, PyAny>,
    exp: &Bound<'_, PyAny>,
    r#mod: &Bound<'_, PyAny>,
    threads: Option<&Bound<'_, PyAny>>,
    progress: Option<Py<PyAny>>,
    out: Option<&Bound<'_, PyAny>>,
) -> PyResult<Py<PyAny>> {
    let exponents = vec![integer(exp, "the exponent")?];
    let moduli = vec![positive(r#mod, "the modulus")?];
    let bases = integers(base_lst, "a base")?;
    let tasks = Tasks { count: bases.len(), bases, exponents, moduli };
    powers(py, tasks, threads, progress.as_ref(), out, |_, error| error)
}

/// [pow(base, exp, mod) for exp in exp_lst], with the arguments of gmpy2's function: on every CPU core, without the GIL.
///
/// exp_lst is an iterable of ints or a buffer, as base_lst of powmod_base_list.
#[pyfunction]
#[pyo3(signature = (base, exp_lst, r#mod, *, threads = None, progress = None, out = None))]
pub(crate) fn powmod_exp_list(
    py: Python<'_>,
    base: &Bound<'_, PyAny>,
    exp_lst: &Bound<'_, PyAny>,
    r#mod: &Bound<'_, PyAny>,
    threads: Option<&Bound<'_, PyAny>>,
    progress: Option<Py<PyAny>>,
    out: Option<&Bound<'_, PyAny>>,
) -> PyResult<Py<PyAny>> {
    let bases = vec![integer(base, "the base")?];
    let moduli = vec![positive(r#mod, "the modulus")?];
    let exponents = integers(exp_lst, "an exponent")?;
    let tasks = Tasks { count: exponents.len(), bases, exponents, moduli };
    powers(py, tasks, threads, progress.as_ref(), out, |_, error| error)
}

/// [pow(base, exp, mod) for base, exp in pairs]: on every CPU core, without the GIL.
#[pyfunction]
#[pyo3(signature = (pairs, r#mod, *, threads = None, progress = None, out = None))]
pub(crate) fn powmod_list(
    py: Python<'_>,
    pairs: &Bound<'_, PyAny>,
    r#mod: &Bound<'_, PyAny>,
    threads: Option<&Bound<'_, PyAny>>,
    progress: Option<Py<PyAny>>,
    out: Option<&Bound<'_, PyAny>>,
) -> PyResult<Py<PyAny>> {
    let moduli = vec![positive(r#mod, "the modulus")?];
    let mut list = Tasks { bases: Vec::new(), exponents: Vec::new(), moduli, count: 0 };
    for (i, value) in pairs.try_iter()?.enumerate() {
        let (base, exp) = pair(&value?, i)?;
        list.bases.push(integer(&base, Of("pair", i, "the base"))?);
        list.exponents.push(integer(&exp, Of("pair", i, "the exponent"))?);
        list.count += 1;
    }
    powers(py, list, threads, progress.as_ref(), out, |i, error| {
        Python::attach(|py| with_index(py, "pair", i, error))
    })
}

/// [pow(base, exp, mod) for base, exp, mod in tasks]: on every CPU core, without the GIL.
#[pyfunction]
#[pyo3(signature = (tasks, *, threads = None, progress = None, out = None))]
pub(crate) fn pow_list(
    py: Python<'_>,
    tasks: &Bound<'_, PyAny>,
    threads: Option<&Bound<'_, PyAny>>,
    progress: Option<Py<PyAny>>,
    out: Option<&Bound<'_, PyAny>>,
) -> PyResult<Py<PyAny>> {
    let mut list = Tasks { bases: Vec::new(), exponents: Vec::new(), moduli: Vec::new(), count: 0 };
    for (i, task) in tasks.try_iter()?.enumerate() {
        let (x, e, n) = numbers(&task?, i)?;
        list.bases.push(x);
        list.exponents.push(e);
        list.moduli.push(n);
        list.count += 1;
    }
    powers(py, list, threads, progress.as_ref(), out, |i, error| {
        Python::attach(|py| with_index(py, "task", i, error))
    })
}

/// pow(base, exp, mod) from big-endian bytes to as many bytes as mod has; the result modulo 0 is 0.
///
/// Each argument is bytes or another one-dimensional contiguous buffer of bytes: bytearray, memoryview, numpy's uint8.
#[pyfunction]
#[pyo3(signature = (base, exp, r#mod))]
pub(crate) fn modexp<'py>(
    py: Python<'py>,
    base: &Bound<'py, PyAny>,
    exp: &Bound<'py, PyAny>,
    r#mod: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyBytes>> {
    by(monpro::modexp, py, base, exp, r#mod)
}

/// modexp, faster, in a time that depends on the values.
#[pyfunction]
#[pyo3(signature = (base, exp, r#mod))]
pub(crate) fn modexp_vartime<'py>(
    py: Python<'py>,
    base: &Bound<'py, PyAny>,
    exp: &Bound<'py, PyAny>,
    r#mod: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyBytes>> {
    by(monpro::modexp_vartime, py, base, exp, r#mod)
}

/// base^exponent mod modulus, from bytes to bytes.
type ModExp = fn(&[u8], &[u8], &[u8]) -> Vec<u8>;

/// The power of base, exponent and modulus by this function.
fn by<'py>(
    function: ModExp,
    py: Python<'py>,
    base: &Bound<'py, PyAny>,
    exp: &Bound<'py, PyAny>,
    r#mod: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyBytes>> {
    let numbers = [octets(base, "the base")?, octets(exp, "the exponent")?, octets(r#mod, "the modulus")?];
    let numbers = numbers.each_ref().map(PyBytesMethods::as_bytes);
    let [base, exp, modulus] = numbers;
    let work = power_work(base.len() / 8, 8 * exp.len(), modulus.len().div_ceil(8));
    let power = if is_long(work) {
        // A computation that an interrupt leaves alone cannot use the caller's bytes.
        let [base, exp, modulus] = numbers.map(|octets| Zeroizing::new(octets.to_vec()));
        run(py, work, move || Zeroizing::new(function(&base, &exp, &modulus)))?
    } else {
        py.detach(|| Zeroizing::new(function(base, exp, modulus)))
    };
    Ok(PyBytes::new(py, &power))
}

/// The integers of a list, or those in the rows of a buffer.
fn integers(list: &Bound<'_, PyAny>, name: &str) -> PyResult<Vec<Integer>> {
    match rows(list)? {
        Some(rows) => Ok(rows.into_iter().map(Integer::from_words).collect()),
        None => list.try_iter()?.map(|value| integer(&value?, name)).collect(),
    }
}

/// x, e and n ≥ 1 of a task (x, e, n), number `i` in its list.
fn numbers(task: &Bound<'_, PyAny>, i: usize) -> PyResult<(Integer, Integer, Words)> {
    let Some(items) = items(task) else {
        let line = format!("task {i}: give a tuple (base, exponent, modulus), not {}", type_name(task));
        return Err(PyTypeError::new_err(line));
    };
    let [x, e, n] = &items[..] else {
        let line = format!("task {i}: give three numbers (base, exponent, modulus), not {}", items.len());
        return Err(PyValueError::new_err(line));
    };
    let of = |name| Of("task", i, name);
    Ok((integer(x, of("the base"))?, integer(e, of("the exponent"))?, positive(n, of("the modulus"))?))
}

/// The name of a number in a list: of a pair or a task, its index, and the number in it.
#[derive(Clone, Copy)]
struct Of(&'static str, usize, &'static str);

impl Display for Of {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}: {}", self.0, self.1, self.2)
    }
}

/// A ValueError of a computation, with a message that names the index of the task or pair.
fn with_index(py: Python<'_>, what: &str, i: usize, error: PyErr) -> PyErr {
    match error.is_instance_of::<PyValueError>(py) {
        true => PyValueError::new_err(format!("{what} {i}: {}", error.value(py))),
        false => error,
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

/// The powers in the order of the tasks: a list, or `out` with a power in each row; `name` makes an error name the index
/// of its task.
///
/// An error, an exception of `progress` and an interrupt end this call at once. The threads then stop at their next
/// checkpoints.
fn powers(
    py: Python<'_>,
    tasks: Tasks,
    threads: Option<&Bound<'_, PyAny>>,
    progress: Option<&Py<PyAny>>,
    out: Option<&Bound<'_, PyAny>>,
    name: fn(usize, PyErr) -> PyErr,
) -> PyResult<Py<PyAny>> {
    let Some(out) = out else {
        let powers = compute(py, tasks, threads, progress, name)?;
        return Ok(powers.into_pyobject(py)?.unbind());
    };
    let words = tasks.moduli.iter().map(|n| n.len()).max().unwrap_or(0);
    let rows = RowsOut::of(out, tasks.count, words)?;
    rows.write(&compute(py, tasks, threads, progress, name)?)?;
    Ok(out.clone().unbind())
}

/// The powers in the order of the tasks.
fn compute(
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
