//! Combining: operations that wait anyway are computed as one batch.
//!
//! A thread computes its own operation at once while fewer threads compute with the key than the process has cores. A
//! thread that comes later queues. Whoever is done wakes the first of the queue, which takes up to eight operations of the
//! queue, its own among them, computes all, and wakes their threads. So no thread waits for others to come.
//!
//! The threads of a batch come back together. So after a batch a thread that could begin queues first, and lets the
//! others that are ready run once.
//!
//! A fork copies a queue whose threads the new process lacks, and perhaps a lock that nobody will open. So a queue knows
//! its process, and a lock that does not open soon is passed by: the operation is computed alone.

use std::collections::VecDeque;
use std::hint::spin_loop;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, TryLockError};
use std::thread::yield_now;
use zeroize::Zeroizing;

/// The most operations of a batch.
const MOST: usize = 8;
/// How many operations fill the lanes of an engine. One lane is a power by one prime.
const FULL: usize = 4;
/// How often a lock that others hold for some instructions is tried.
const TRIES: usize = 1000;

/// A number, and the result of an operation with it if there is one.
type Number = Zeroizing<Vec<u8>>;
type Outcome = Option<Number>;

/// The operations with one key that compute or wait.
#[derive(Default)]
pub(crate) struct Combiner {
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    process: u32,
    /// How many threads compute.
    running: usize,
    /// Whether the last computation was a batch.
    is_busy: bool,
    queue: VecDeque<Arc<Ticket>>,
}

/// An operation that waits.
struct Ticket {
    number: Number,
    turn: Mutex<Turn>,
    changed: Condvar,
}

enum Turn {
    Waiting,
    /// Its thread is to compute.
    Own,
    Done(Outcome),
}

impl Ticket {
    fn change(&self, turn: Turn) {
        *unpoisoned(self.turn.lock()) = turn;
        self.changed.notify_one();
    }

    /// The result, or None if the thread is to compute.
    fn wait(&self) -> Option<Outcome> {
        let turn = unpoisoned(self.turn.lock());
        let waiting = self.changed.wait_while(turn, |turn| matches!(turn, Turn::Waiting));
        match std::mem::replace(&mut *unpoisoned(waiting), Turn::Done(None)) {
            Turn::Done(outcome) => Some(outcome),
            _ => None,
        }
    }
}

/// A panic while the lock is held leaves nothing half done.
fn unpoisoned<T>(locked: Result<T, PoisonError<T>>) -> T {
    locked.unwrap_or_else(PoisonError::into_inner)
}

/// How an operation begins.
enum Entry {
    /// At once; whether the thread is counted.
    Now {
        is_counted: bool,
    },
    Queued(Arc<Ticket>),
}

impl Combiner {
    /// The result of the operation with this number, by a function that computes all of a batch, of at most [`MOST`]
    /// numbers. At most `threads` threads of the process compute.
    pub(crate) fn run(
        &self,
        threads: usize,
        number: &[u8],
        compute: impl Fn(&[&[u8]]) -> Vec<Outcome>,
    ) -> Outcome {
        match self.enter(threads, number) {
            Entry::Now { is_counted } => {
                let _leaving = is_counted.then(|| Leaving(self));
                compute(&[number]).pop().flatten()
            }
            Entry::Queued(ticket) => match self.is_first(threads, &ticket) {
                true => self.lead(&ticket, compute),
                false => match ticket.wait() {
                    Some(outcome) => outcome,
                    None => self.lead(&ticket, compute),
                },
            },
        }
    }

    fn enter(&self, threads: usize, number: &[u8]) -> Entry {
        let Some(mut state) = self.lock() else { return Entry::Now { is_counted: false } };
        let process = std::process::id();
        if state.process != process {
            *state = State { process, ..State::default() };
        }
        if state.running < threads && !state.is_busy {
            state.running += 1;
            return Entry::Now { is_counted: true };
        }
        let number = Zeroizing::new(number.to_vec());
        let ticket = Arc::new(Ticket { number, turn: Mutex::new(Turn::Waiting), changed: Condvar::new() });
        state.queue.push_back(ticket.clone());
        Entry::Queued(ticket)
    }

    /// Whether the thread of a ticket may compute, after all that were ready to run.
    fn is_first(&self, threads: usize, ticket: &Arc<Ticket>) -> bool {
        let is_full = unpoisoned(self.state.lock()).running >= threads;
        if is_full {
            return false;
        }
        yield_now();
        let mut state = unpoisoned(self.state.lock());
        let place = state.queue.iter().position(|other| Arc::ptr_eq(other, ticket));
        match place.filter(|_| state.running < threads) {
            Some(place) => {
                state.queue.remove(place);
                state.running += 1;
                true
            }
            None => false,
        }
    }

    /// Computes the operation with those that wait.
    fn lead(&self, own: &Arc<Ticket>, compute: impl Fn(&[&[u8]]) -> Vec<Outcome>) -> Outcome {
        let _leaving = Leaving(self);
        let others = Followers({
            let mut state = unpoisoned(self.state.lock());
            let count = batch(1 + state.queue.len()) - 1;
            state.is_busy = count > 0;
            state.queue.drain(..count).collect()
        });
        let numbers: Vec<&[u8]> =
            [own].into_iter().chain(&others.0).map(|ticket| ticket.number.as_slice()).collect();
        let mut outcomes = compute(&numbers).into_iter();
        let outcome = outcomes.next().flatten();
        for (ticket, outcome) in others.0.iter().zip(outcomes) {
            ticket.change(Turn::Done(outcome));
        }
        outcome
    }

    /// The state; None if a lock does not open that others hold for some instructions alone.
    fn lock(&self) -> Option<MutexGuard<'_, State>> {
        for _ in 0..TRIES {
            match self.state.try_lock() {
                Ok(state) => return Some(state),
                Err(TryLockError::Poisoned(poisoned)) => return Some(poisoned.into_inner()),
                Err(TryLockError::WouldBlock) => spin_loop(),
            }
        }
        None
    }
}

/// How many of the operations that wait are one batch: as many as fill the lanes, once or twice, or all.
fn batch(waiting: usize) -> usize {
    match waiting {
        ..FULL => waiting,
        _ => (waiting - waiting % FULL).min(MOST),
    }
}

/// The end of a computation, also of one that panics: the first that waits is to compute.
struct Leaving<'a>(&'a Combiner);

impl Drop for Leaving<'_> {
    fn drop(&mut self) {
        let mut state = unpoisoned(self.0.state.lock());
        let next = state.queue.pop_front();
        if next.is_none() {
            state.running = state.running.saturating_sub(1);
        }
        drop(state);
        if let Some(next) = next {
            next.change(Turn::Own);
        }
    }
}

/// The operations of others that a thread computes. If it panics, they end without a result.
struct Followers(Vec<Arc<Ticket>>);

impl Drop for Followers {
    fn drop(&mut self) {
        for ticket in &self.0 {
            let is_waiting = matches!(*unpoisoned(ticket.turn.lock()), Turn::Waiting);
            if is_waiting {
                ticket.change(Turn::Done(None));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::thread::{scope, sleep};
    use std::time::Duration;

    /// The number plus 1, octet by octet.
    fn successors(numbers: &[&[u8]]) -> Vec<Outcome> {
        let successor = |number: &&[u8]| number.iter().map(|octet| octet.wrapping_add(1)).collect();
        numbers.iter().map(|number| Some(Zeroizing::new(successor(number)))).collect()
    }

    #[test]
    fn batches_fill_the_lanes() {
        assert_eq!([1, 2, 3, 4, 5, 7, 8, 9, 100].map(batch), [1, 2, 3, 4, 4, 4, 8, 8, 8]);
    }

    #[test]
    fn every_thread_gets_its_own_result_and_batches_form() {
        let (combiner, largest) = (Combiner::default(), AtomicUsize::new(0));
        let compute = |numbers: &[&[u8]]| {
            largest.fetch_max(numbers.len(), Ordering::Relaxed);
            assert!(numbers.len() <= MOST);
            sleep(Duration::from_millis(1));
            successors(numbers)
        };
        scope(|threads| {
            for i in 0..20 {
                let (combiner, compute) = (&combiner, &compute);
                threads.spawn(move || {
                    for j in 0..50 {
                        let outcome = combiner.run(2, &[i, j], compute);
                        assert_eq!(outcome.as_deref(), Some(&vec![i + 1, j + 1]));
                    }
                });
            }
        });
        let state = combiner.state.lock().unwrap();
        assert!(state.running == 0 && state.queue.is_empty());
        assert_eq!(largest.into_inner(), MOST);
    }

    #[test]
    fn a_panic_leaves_nobody_waiting() {
        let combiner = Combiner::default();
        let compute = |numbers: &[&[u8]]| {
            sleep(Duration::from_millis(1));
            match numbers.len() {
                1 => successors(numbers),
                _ => std::panic::resume_unwind(Box::new("a mistake")),
            }
        };
        scope(|threads| {
            for _ in 0..8 {
                threads.spawn(|| {
                    for _ in 0..20 {
                        let _ = crate::border::caught(None, || combiner.run(1, &[1], compute));
                    }
                });
            }
        });
        let state = combiner.state.lock().unwrap();
        assert!(state.running == 0 && state.queue.is_empty());
    }

    #[test]
    fn a_lock_that_never_opens_is_passed_by() {
        let combiner = Combiner::default();
        let locked = combiner.state.lock().unwrap();
        assert_eq!(combiner.run(1, &[1], successors).as_deref(), Some(&vec![2]));
        drop(locked);
    }

    #[test]
    fn the_queue_of_another_process_is_forgotten() {
        let combiner = Combiner::default();
        *combiner.state.lock().unwrap() =
            State { process: std::process::id() + 1, running: 5, ..State::default() };
        assert_eq!(combiner.run(1, &[1], successors).as_deref(), Some(&vec![2]));
        assert_eq!(combiner.state.lock().unwrap().running, 0);
    }
}
