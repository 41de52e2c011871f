//! How far the long calls of a thread are.

use arithmetic::progress::listen;
use std::cell::Cell;
use std::ffi::c_void;
use std::ptr::null_mut;

/// Who is told how far a long call is.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct MonproProgress {
    /// Is told that `done` parts of `total` are done; `total` is 0 where nobody knows it. It is called in the thread of
    /// the call and must return. It may call functions of this library, such as monpro_cancellation_cancel; those tell
    /// nothing.
    pub tell: Option<extern "C" fn(context: *mut c_void, done: usize, total: usize)>,
    /// What tell gets as its first argument.
    pub context: *mut c_void,
}

thread_local! {
    /// Who is told of the calls of this thread.
    static WATCHING: Cell<MonproProgress> = const { Cell::new(NOBODY) };
    /// Whether somebody is being told. What is computed meanwhile tells nothing, or a call could tell of itself for ever.
    static IS_TOLD: Cell<bool> = const { Cell::new(false) };
}

const NOBODY: MonproProgress = MonproProgress { tell: None, context: null_mut() };

/// The result of a computation of so many parts, which tells how far it is.
pub(crate) fn told<T>(total: usize, compute: impl FnOnce() -> T) -> T {
    match WATCHING.get() {
        MonproProgress { tell: Some(tell), context } if !IS_TOLD.get() => {
            let listener = move |done| {
                IS_TOLD.set(true);
                tell(context, done, total);
                IS_TOLD.set(false);
            };
            listen(listener, compute)
        }
        _ => compute(),
    }
}

/// From now on, the long calls of this thread tell how far they are; nobody is told if it is null. The structure is
/// copied.
///
/// monpro_pow_batch tells the number of powers done, and monpro_pow_crt_batch that of powers modulo p and modulo q, of
/// which each task has two. monpro_columns_compute and monpro_columns_rsa_private tell the number of rows done. monpro_rsa_private_generate tells the number of numbers tested for being prime; the total is
/// not known, but for a key of 2048 bits some 150 are to be expected. Other calls tell nothing.
///
/// # Safety
/// progress is null or can be read. While this thread watches, its function may be called with the context.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn monpro_progress_watch(progress: *const MonproProgress) {
    // SAFETY: the caller's promise.
    let watching = unsafe { progress.as_ref() }.copied().unwrap_or(NOBODY);
    // A thread that is about to end has nothing to tell any more.
    let _ = WATCHING.try_with(|place| place.set(watching));
}
