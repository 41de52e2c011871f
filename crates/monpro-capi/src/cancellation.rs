//! Stopping the calls of a thread from another thread, or from a signal handler.

use crate::border::{free, hand_out};
use crate::status::MonproStatus;
use arithmetic::cancellation::Cancellation;
use std::cell::RefCell;

/// A switch that stops calls; to be freed by monpro_cancellation_free.
pub struct MonproCancellation(Cancellation);

thread_local! {
    /// The switch that stops the calls of this thread.
    static WATCHED: RefCell<Option<Cancellation>> = const { RefCell::new(None) };
}

/// The result of the computation, or None if the switch that this thread watches has stopped it.
pub(crate) fn run<T>(compute: impl FnOnce() -> T) -> Option<T> {
    let watched = WATCHED.try_with(|watched| watched.borrow().clone());
    match watched.ok().flatten() {
        Some(cancellation) => cancellation.run(compute),
        None => Some(compute()),
    }
}

/// Makes a switch that has not been used yet. *cancellation is set in every case, to null without a switch.
///
/// # Safety
/// cancellation is null or can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn monpro_cancellation_new(cancellation: *mut *mut MonproCancellation) -> MonproStatus {
    // SAFETY: the caller's promise.
    unsafe { hand_out(cancellation, || Ok(MonproCancellation(Cancellation::default()))) }
}

/// Frees a switch; null is ignored. Threads that watch it go on, and it never stops them.
///
/// # Safety
/// The switch is null, or is one of monpro_cancellation_new that has not been freed and is not in use.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn monpro_cancellation_free(cancellation: *mut MonproCancellation) {
    // SAFETY: the caller's promise.
    unsafe { free(cancellation) }
}

/// From now on, the calls of this thread can be stopped by this switch; by none if it is null. A thread watches one
/// switch at a time, and threads may watch the same one.
///
/// A call that is stopped erases its numbers, writes no result, and returns MONPRO_STATUS_CANCELLED. Long powers, new
/// RSA keys and new fields stop within milliseconds. A call that is too short to look at the switch succeeds.
///
/// # Safety
/// The switch is null, or is one of monpro_cancellation_new that has not been freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn monpro_cancellation_watch(cancellation: *const MonproCancellation) {
    // SAFETY: the caller's promise.
    let watched = unsafe { cancellation.as_ref() }.map(|cancellation| cancellation.0.clone());
    // A thread that is about to end has nothing to watch any more.
    let _ = WATCHED.try_with(|place| place.replace(watched));
}

/// Stops the calls of all threads that watch the switch, those that run and those to come. Any thread may call this,
/// and a signal handler, too. Null is ignored.
///
/// # Safety
/// The switch is null, or is one of monpro_cancellation_new that has not been freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn monpro_cancellation_cancel(cancellation: *const MonproCancellation) {
    // SAFETY: the caller's promise.
    if let Some(MonproCancellation(cancellation)) = unsafe { cancellation.as_ref() } {
        cancellation.cancel();
    }
}
