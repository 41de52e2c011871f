//! Computations without the GIL, unless they are very short; an interrupt stops those that are long.

use monpro::Kernel;
use monpro::cancellation::Cancellation;
use monpro::ring::RingName;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use std::panic::resume_unwind;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread::{Builder, JoinHandle};
use std::time::Duration;

/// Up to so many products of words, about a microsecond, a computation keeps the GIL: giving it up and taking it again
/// costs as much as a tenth of that.
const SHORT: u128 = 1 << 11;

/// The interval at which a long computation's caller looks for interrupts.
pub(crate) const INTERVAL: Duration = Duration::from_millis(50);

/// From so many products of words on, a computation is long. It takes 10 milliseconds and more, beside which the time
/// to start a thread is nothing.
const LONG: u128 = 1 << 26;

/// Whether a computation of so many products of words is long.
pub(crate) fn is_long(work: u128) -> bool {
    work >= LONG
}

/// The result of a computation of about `work` products of words.
///
/// A short one keeps the GIL. A long one has a thread of its own, while this one looks for interrupts. An interrupt ends this call at once, and
/// the thread at its next checkpoint, where its numbers are erased.
pub(crate) fn run<T: Send + 'static>(
    py: Python<'_>,
    work: u128,
    compute: impl FnOnce() -> T + Send + 'static,
) -> PyResult<T> {
    if work <= SHORT {
        return Ok(compute());
    }
    if !is_long(work) {
        return Ok(py.detach(compute));
    }
    let cancellation = Cancellation::default();
    let (sender, receiver) = channel();
    let switch = cancellation.clone();
    let in_thread = move || {
        // If the caller has gone, the result is dropped.
        switch.run(compute).map(|result| sender.send(result).ok());
    };
    let thread = Builder::new().spawn(in_thread).map_err(no_thread)?;
    py.detach(move || wait(&receiver, thread)).inspect_err(|_| cancellation.cancel())
}

/// The error if the system starts no thread.
pub(crate) fn no_thread(error: std::io::Error) -> PyErr {
    PyRuntimeError::new_err(format!("a long computation needs a thread, and none can be started: {error}"))
}

#[expect(
    clippy::redundant_closure_for_method_calls,
    reason = "the method is not general enough in its lifetime"
)]
/// What the thread sends; an error if there is an interrupt first.
fn wait<T>(receiver: &Receiver<T>, thread: JoinHandle<()>) -> PyResult<T> {
    loop {
        match receiver.recv_timeout(INTERVAL) {
            Ok(result) => return Ok(result),
            Err(RecvTimeoutError::Timeout) => Python::attach(|py| py.check_signals())?,
            // Only a panic ends the thread without a result.
            Err(RecvTimeoutError::Disconnected) => {
                return Err(thread.join().map_or_else(|panic| resume_unwind(panic), |()| lost()));
            }
        }
    }
}

/// The error if a thread ends without a result and without a panic, which would be a mistake in this module.
pub(crate) fn lost() -> PyErr {
    PyRuntimeError::new_err("a thread that computed ended before its time")
}

/// The products of words in an exponentiation with the words of x, the bits of e and the words of n, including the
/// constants of n. It is a rough figure, and for few words a generous one.
pub(crate) fn power_work(x_words: usize, e_bits: usize, n_words: usize) -> u128 {
    let (x, e, n) = (x_words as u128, e_bits as u128, n_words as u128);
    2 * (n + 2) * ((n + 2) * (e + e / 4 + 32) + x)
}

/// The products of words in a product modulo n.
pub(crate) fn product_work(n_words: usize) -> u128 {
    2 * (n_words as u128).pow(2)
}

/// The products of words in a greatest common divisor, by some divisions for each word.
pub(crate) fn gcd_work(a_words: usize, b_words: usize) -> u128 {
    64 * (a_words as u128 + 1) * (b_words as u128 + 1)
}

/// How many times the time of a product of words of 64 bits a kernel takes for the same bits.
pub(crate) fn slowness(kernel: &Kernel) -> u128 {
    let words = (64 / u128::from(kernel.radix_bits).min(64)).pow(2);
    match kernel.ring == RingName::BinaryPolynomials && kernel.required_instructions().is_empty() {
        true => 32 * words,
        false => words,
    }
}
