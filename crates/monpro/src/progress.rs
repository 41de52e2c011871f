//! How far a long computation is.
//!
//! Computations of many parts call [`advance`] after each of them: a batch after its powers, a search for a prime after
//! each number that it has tested. Whoever listens by [`listen`] is told the number of parts that are done.
//!
//! The feature `cancellation` brings this, because it needs the standard library. Without it [`advance`] is no code.

/// Tells the listener of this thread that so many more parts are done.
#[inline(always)]
pub fn advance(parts: usize) {
    #[cfg(feature = "cancellation")]
    listening::advance(parts);
    #[cfg(not(feature = "cancellation"))]
    let _ = parts;
}

#[cfg(feature = "cancellation")]
pub use listening::listen;

#[cfg(feature = "cancellation")]
mod listening {
    use alloc::boxed::Box;
    use std::cell::RefCell;

    std::thread_local! {
        /// Who listens to the computation of this thread.
        static CURRENT: RefCell<Option<Listener>> = const { RefCell::new(None) };
    }

    struct Listener {
        done: usize,
        tell: Box<dyn Fn(usize)>,
    }

    /// The listener before, who listens again when this is dropped.
    struct Outer(Option<Listener>);

    impl Drop for Outer {
        fn drop(&mut self) {
            CURRENT.set(self.0.take());
        }
    }

    /// The result of `compute`, which tells `tell` how many of its parts are done. While it is told, nobody listens: what
    /// `tell` computes tells nothing.
    ///
    /// ```
    /// use monpro::{PowTask, pow_batch, progress};
    /// use std::cell::Cell;
    /// use std::rc::Rc;
    ///
    /// let tasks = [PowTask::new(&[3], &[5], &[101]); 20];
    /// let told = Rc::new(Cell::new(0));
    /// let listener = told.clone();
    /// progress::listen(move |done| listener.set(done), || pow_batch(&tasks));
    /// assert_eq!(told.get(), 20);
    /// ```
    pub fn listen<T>(tell: impl Fn(usize) + 'static, compute: impl FnOnce() -> T) -> T {
        let _outer = Outer(CURRENT.replace(Some(Listener { done: 0, tell: Box::new(tell) })));
        compute()
    }

    pub(super) fn advance(parts: usize) {
        let Some(mut listener) = CURRENT.take() else { return };
        listener.done += parts;
        (listener.tell)(listener.done);
        CURRENT.set(Some(listener));
    }
}

#[cfg(all(test, feature = "cancellation"))]
mod tests {
    use super::*;
    use alloc::rc::Rc;
    use alloc::vec::Vec;
    use core::cell::RefCell;

    #[test]
    fn the_innermost_listener_is_told_the_sum_of_its_parts() {
        let told = Rc::new(RefCell::new(Vec::new()));
        let tell = |name: &'static str| {
            let told = told.clone();
            move |done| {
                // While it is told, nobody listens.
                advance(100);
                told.borrow_mut().push((name, done));
            }
        };
        advance(1);
        let result = listen(tell("outer"), || {
            advance(2);
            listen(tell("inner"), || {
                advance(5);
                advance(7);
            });
            advance(3);
            8
        });
        advance(1);
        assert_eq!(result, 8);
        assert_eq!(*told.borrow(), [("outer", 2), ("inner", 5), ("inner", 12), ("outer", 5)]);
    }
}
