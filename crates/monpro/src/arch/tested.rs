//! The instruction sets, for the tests of what uses them.

extern crate std;

use super::InstructionSet;
use core::panic::Location;
use std::io::Write;

/// The value, where this CPU has the instructions; else a line that names the test that does not run. The test program
/// does not capture it, and `make test` repeats it.
#[track_caller]
pub(crate) fn detect_or_say<I: InstructionSet>() -> Option<I> {
    or_say(I::detect(), Location::caller(), &mut std::io::stderr())
}

fn or_say<I: InstructionSet>(found: Option<I>, place: &Location<'_>, out: &mut impl Write) -> Option<I> {
    if found.is_none() {
        let (file, line) = (place.file(), place.line());
        writeln!(out, "{file}:{line}: NOT RUN: it needs {}, which this CPU lacks", I::INSTRUCTIONS)
            .expect("it takes a line");
    }
    found
}

mod tests {
    use super::*;
    use crate::arch::Task;
    use alloc::vec::Vec;

    /// Instructions of no CPU.
    #[derive(Clone, Copy)]
    struct Imagined;

    impl InstructionSet for Imagined {
        const INSTRUCTIONS: &'static str = "IMAGINED";

        fn detect() -> Option<Self> {
            None
        }

        fn run<T: Task<Self>>(self, task: T) -> T::Output {
            task.run(self)
        }
    }

    #[test]
    fn a_test_without_its_instructions_is_one_line_and_another_says_nothing() {
        let place = Location::caller();
        let mut out = Vec::new();
        assert!(or_say(Some(Imagined), place, &mut out).is_some() && out.is_empty());
        assert!(or_say(Imagined::detect(), place, &mut out).is_none());
        let line = alloc::format!(
            "{}:{}: NOT RUN: it needs IMAGINED, which this CPU lacks\n",
            place.file(),
            place.line()
        );
        assert_eq!(out, line.as_bytes());
    }
}
