//! Stopping a long computation from another thread.
//!
//! The loops of long computations call [`checkpoint`], for example once in every window of a power. In a computation
//! that [`Cancellation::run`] has begun, a checkpoint looks whether it has been cancelled, and ends it by unwinding. So
//! everything that is erased when it is dropped is erased.
//!
//! The feature `cancellation` brings this, because it needs the standard library. Without it a checkpoint is no code.

/// A place where the computation of this thread can be stopped.
#[inline(always)]
pub fn checkpoint() {
    #[cfg(feature = "cancellation")]
    cancellable::checkpoint();
}

#[cfg(feature = "cancellation")]
pub use cancellable::Cancellation;

#[cfg(feature = "cancellation")]
mod cancellable {
    use alloc::boxed::Box;
    use alloc::sync::Arc;
    use core::sync::atomic::{AtomicBool, Ordering};
    use std::cell::RefCell;
    use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

    /// Whether anything has ever been cancelled. Until then, a checkpoint is one load.
    static IN_USE: AtomicBool = AtomicBool::new(false);

    std::thread_local! {
        /// The flag of the computation that this thread runs.
        static CURRENT: RefCell<Option<Arc<AtomicBool>>> = const { RefCell::new(None) };
    }

    /// The payload of the unwinding that ends a cancelled computation.
    struct Cancelled;

    /// A switch that stops computations. Clones are the same switch.
    ///
    /// ```
    /// use monpro::cancellation::Cancellation;
    ///
    /// let cancellation = Cancellation::default();
    /// assert_eq!(cancellation.run(|| monpro::modexp(&[3], &[5], &[101])), Some(vec![41]));
    /// cancellation.cancel();
    /// assert_eq!(cancellation.run(|| monpro::modexp(&[3], &[5], &[101])), None);
    /// ```
    #[derive(Clone, Debug, Default)]
    pub struct Cancellation(Arc<AtomicBool>);

    impl Cancellation {
        /// Stops the computations of this switch, each at its next checkpoint.
        pub fn cancel(&self) {
            self.0.store(true, Ordering::Relaxed);
            IN_USE.store(true, Ordering::Relaxed);
        }

        /// The result of `compute`, or None if it was cancelled. The panic hook is not called. In a program that is
        /// built to abort at a panic, cancelling aborts.
        pub fn run<T>(&self, compute: impl FnOnce() -> T) -> Option<T> {
            let outer = CURRENT.replace(Some(self.0.clone()));
            let outcome = catch_unwind(AssertUnwindSafe(compute));
            CURRENT.set(outer);
            match outcome {
                Ok(result) => Some(result),
                Err(payload) if payload.is::<Cancelled>() => None,
                Err(payload) => resume_unwind(payload),
            }
        }
    }

    #[inline(always)]
    pub(super) fn checkpoint() {
        if IN_USE.load(Ordering::Relaxed) {
            stop_if_cancelled();
        }
    }

    #[cold]
    fn stop_if_cancelled() {
        let is_cancelled = |flag: &Arc<AtomicBool>| flag.load(Ordering::Relaxed);
        if CURRENT.with_borrow(|current| current.as_ref().is_some_and(is_cancelled)) {
            resume_unwind(Box::new(Cancelled));
        }
    }
}

#[cfg(all(test, feature = "cancellation"))]
mod tests {
    use super::*;
    use alloc::boxed::Box;
    use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

    #[test]
    fn a_panic_of_the_computation_goes_on_to_the_caller() {
        let mistake = || -> u8 { resume_unwind(Box::new("a mistake")) };
        for is_cancelled in [false, true] {
            let cancellation = Cancellation::default();
            if is_cancelled {
                cancellation.cancel();
            }
            let outcome = catch_unwind(AssertUnwindSafe(|| cancellation.run(mistake)));
            assert_eq!(outcome.unwrap_err().downcast_ref(), Some(&"a mistake"));
        }
    }

    #[test]
    fn a_switch_stops_its_own_computation_and_not_the_one_around() {
        let [outer, inner] = [Cancellation::default(), Cancellation::default()];
        let outcome = outer.run(|| {
            inner.clone().cancel();
            assert_eq!(inner.run(checkpoint), None);
            checkpoint();
            5
        });
        assert_eq!(outcome, Some(5));
        let outcome = outer.run(|| {
            outer.cancel();
            // Until the inner computation ends, its switch is the one that counts.
            assert_eq!(Cancellation::default().run(checkpoint), Some(()));
            checkpoint();
        });
        assert_eq!(outcome, None);
        checkpoint();
    }
}
