//! The computation of columns: the calling thread reads and writes, and others compute.

use super::column::{Column, Results};
use super::error::ColumnError;
use super::octets::{OctetsMut, Scattered};
use super::operation::{Batch, Call, Computation, Operation};
use super::schedule::{Judge, LANES, Schedule, call, read, row_count};
use super::status::Status;
use crate::cancellation::{Cancellation, checkpoint};
use crate::progress::advance;
use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;
use core::any::Any;
use core::num::NonZeroUsize;
use core::time::Duration;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::{Builder, Scope, available_parallelism, scope};
use std::time::Instant;
use zeroize::Zeroizing;

/// The longest time between two looks at whether to go on.
const INTERVAL: Duration = Duration::from_millis(50);
/// The parts that are read for each thread before they are wanted.
const PARTS_AHEAD: usize = 2;

/// What the caller's thread does besides. The methods of `()` do nothing.
pub trait Host {
    /// Waits by `wait`, which takes up to 50 milliseconds. A language with a global lock gives it up meanwhile.
    fn pause(&mut self, wait: &mut (dyn FnMut() + Send)) {
        wait();
    }

    /// Is told every 50 milliseconds and at the end how many rows of how many are done. False stops the computation.
    fn is_to_go_on(&mut self, _done: usize, _total: usize) -> bool {
        true
    }
}

impl Host for () {}

/// The results of a part, or what a thread panicked with.
type Done = Result<Packed, Box<dyn Any + Send>>;

/// The results of a part in one piece of memory. So the thread that computed them frees the others itself: threads that free
/// each other's memory wait for each other.
struct Packed {
    /// Each row with the number of words of its result, or with its status.
    rows: Vec<(usize, Result<usize, Status>)>,
    /// The words of all results, one after the other.
    words: Zeroizing<Vec<u64>>,
}

impl Packed {
    fn new(rows: &[usize], results: Vec<Result<Zeroizing<Vec<u64>>, Status>>) -> Packed {
        let lengths = results.iter().map(|result| result.as_ref().map_or(0, |number| number.len()));
        // Words that grew would leave a copy behind.
        let mut words = Zeroizing::new(Vec::with_capacity(lengths.sum()));
        let packed = |(&row, result): (&usize, Result<Zeroizing<Vec<u64>>, Status>)| {
            let number = result.as_ref().map_or(&[][..], |number| number);
            words.extend_from_slice(number);
            (row, result.map(|number| number.len()))
        };
        let rows = rows.iter().zip(results).map(packed).collect();
        Packed { rows, words }
    }
}

/// Computes the operation on each row, by this many threads or by one for each core.
///
/// Results are big-endian with leading zeros. Each row gets a [`Status`]; a row whose status is not 0 gets the result 0.
/// True says that all rows are done. False says that `host` stopped the computation: some results were written then, and no
/// status. The parts of [`progress`](crate::progress) are rows, and it can be
/// [cancelled](crate::cancellation::Cancellation).
///
/// # Errors
/// A [`ColumnError`], before anything is written.
///
/// # Panics
/// If an operation panics.
pub fn compute(
    operation: &dyn Operation,
    operands: &[Column<'_>],
    results: &mut Results<'_>,
    statuses: &mut dyn OctetsMut,
    threads: Option<usize>,
    host: &mut dyn Host,
) -> Result<bool, ColumnError> {
    let threads = match threads {
        Some(threads) => NonZeroUsize::new(threads).ok_or(ColumnError::NoThreads)?.get(),
        None => available_parallelism().map_or(1, NonZeroUsize::get),
    };
    // Before anything looks at each row: a claim of many rows of no octets costs nothing else.
    let rows = row_count(operation, operands)?;
    if statuses.octet_count() != rows {
        return Err(ColumnError::RowCounts { expected: rows, given: statuses.octet_count() });
    }
    results.check(rows)?;
    let call = call(operands, rows);
    let computation = operation.prepare(&call);
    let judge =
        Judge { operation, computation: &*computation, call: &call, operands, results: &results.places };
    let schedule = Schedule::new(&judge);
    let (given, told) = (vec![0; call.rows], Instant::now());
    let mut run =
        Run { operands, call: &call, results, scattered: Scattered::default(), given, host, done: 0, told };
    let is_done = run.all(&*computation, schedule, threads)?;
    if is_done {
        statuses.write(0, &run.given);
    }
    Ok(is_done)
}

/// A computation that is under way, as its calling thread sees it.
struct Run<'a, 'call, 'octets, 'results> {
    operands: &'a [Column<'octets>],
    call: &'call Call,
    results: &'a mut Results<'results>,
    /// Results on their way to their places.
    scattered: Scattered,
    /// The statuses of all rows.
    given: Vec<u8>,
    host: &'a mut dyn Host,
    done: usize,
    told: Instant,
}

/// Stops the threads when the calling thread leaves before the end, by whatever way.
struct Stop<'a> {
    switch: &'a Cancellation,
    is_done: bool,
}

impl Drop for Stop<'_> {
    fn drop(&mut self) {
        if !self.is_done {
            self.switch.cancel();
        }
    }
}

impl Run<'_, '_, '_, '_> {
    /// Whether all rows were computed.
    fn all(
        &mut self,
        computation: &dyn Computation,
        mut schedule: Schedule,
        threads: usize,
    ) -> Result<bool, ColumnError> {
        let switch = Cancellation::default();
        let (parts, queue) = channel();
        let (sender, receiver) = channel();
        let (queue, receiver) = (Mutex::new(queue), Mutex::new(receiver));
        scope(|scope| {
            let parts = parts;
            let mut stop = Stop { switch: &switch, is_done: false };
            let wanted = threads.min(schedule.len().div_ceil(LANES));
            let start = |_: &usize| start(scope, computation, &queue, sender.clone(), &switch).is_ok();
            let threads = (0..wanted).take_while(start).count();
            if threads == 0 && wanted > 0 {
                return Err(ColumnError::ThreadRefused);
            }
            for (row, status) in schedule.refused.drain(..) {
                self.write(row, Err(status));
            }
            self.scattered.flush(self.results.octets);
            let mut under_way = 0;
            loop {
                while under_way < PARTS_AHEAD * threads {
                    let Some(rows) = schedule.next_part(threads) else { break };
                    parts.send(read(self.call, self.operands, rows)).expect("the queue outlives the scope");
                    under_way += 1;
                }
                if under_way == 0 {
                    break;
                }
                under_way -= usize::from(self.receive(&receiver));
                checkpoint();
                if self.told.elapsed() >= INTERVAL && !self.tell() {
                    return Ok(false);
                }
            }
            stop.is_done = true;
            self.tell();
            Ok(true)
        })
    }

    /// Waits a while for a part, and writes it; whether one came.
    fn receive(&mut self, receiver: &Mutex<Receiver<Done>>) -> bool {
        let mut done = Err(RecvTimeoutError::Timeout);
        self.host.pause(&mut || done = receiver.lock().expect("it has one user").recv_timeout(INTERVAL));
        match done {
            Ok(Ok(Packed { rows, words })) => {
                let mut rest = &words[..];
                for (row, length) in rows {
                    let (number, others) = rest.split_at(length.unwrap_or(0));
                    self.write(row, length.map(|_| number));
                    rest = others;
                }
                self.scattered.flush(self.results.octets);
                true
            }
            Ok(Err(payload)) => resume_unwind(payload),
            Err(RecvTimeoutError::Timeout) => false,
            Err(RecvTimeoutError::Disconnected) => unreachable!("the caller has a sender"),
        }
    }

    fn write(&mut self, row: usize, result: Result<&[u64], Status>) {
        let places = self.results.places.of_row(row);
        let (number, status) = match result {
            Ok(number) => (number, Status::Ok),
            Err(status) => (&[][..], status),
        };
        self.scattered.add(self.results.octets, places, number);
        self.given[row] = status as u8;
        self.done += 1;
        advance(1);
    }

    fn tell(&mut self) -> bool {
        self.told = Instant::now();
        self.host.is_to_go_on(self.done, self.call.rows)
    }
}

/// Starts a thread that computes parts of the queue.
fn start<'scope, 'env: 'scope, 'call: 'env>(
    scope: &'scope Scope<'scope, 'env>,
    computation: &'env dyn Computation,
    queue: &'env Mutex<Receiver<Batch<'call>>>,
    sender: Sender<Done>,
    switch: &'env Cancellation,
) -> std::io::Result<()> {
    let work = move || {
        loop {
            let Ok(batch) = queue.lock().expect("nobody panics with it").recv() else { return };
            let compute = AssertUnwindSafe(|| switch.run(|| computation.compute(&batch)));
            let done = match catch_unwind(compute) {
                Ok(Some(results)) => Ok(Packed::new(&batch.rows, results)),
                Ok(None) => return,
                Err(payload) => Err(payload),
            };
            if sender.send(done).is_err() {
                return;
            }
        }
    };
    Builder::new().spawn_scoped(scope, work).map(|_| ())
}
