//! The instruction sets: the only home of unsafe code in this crate.
//!
//! A value of an [`InstructionSet`] proves that the CPU has the instructions, because only [`InstructionSet::detect`]
//! makes one. So its operations are safe, and the algorithms above this folder are safe code.

#[cfg(target_arch = "aarch64")]
pub(crate) mod aarch64;
pub(crate) mod blocks;
#[cfg(target_arch = "x86_64")]
pub(crate) mod lanes;
#[cfg(test)]
pub(crate) mod tested;
#[cfg(target_arch = "x86_64")]
pub(crate) mod x86_64;

/// An instruction set. A value of the type exists only where the CPU has the instructions.
pub(crate) trait InstructionSet: Copy {
    /// The names of the instructions.
    const INSTRUCTIONS: &'static str;

    /// The value, where this CPU has the instructions.
    fn detect() -> Option<Self>;

    /// Runs the task in code that is compiled for the instructions.
    // So far only algorithms on vectors of x86-64 are compiled this way.
    #[cfg_attr(not(target_arch = "x86_64"), allow(dead_code))]
    fn run<T: Task<Self>>(self, task: T) -> T::Output;

    /// The value, for a function that is called only where the CPU has the instructions, as the functions of a kernel
    /// are.
    ///
    /// The tables hold plain function pointers, which cannot carry a value. So each call detects again, which costs a load
    /// and a comparison.
    ///
    /// # Panics
    /// If the CPU lacks the instructions. This cannot happen: neither a `Modulus` nor a batch takes such a kernel.
    #[inline(always)]
    fn in_use() -> Self {
        Self::detect().expect("only a kernel that is available is used")
    }
}

/// Work to be compiled for the instruction set I.
#[cfg_attr(not(target_arch = "x86_64"), allow(dead_code))]
pub(crate) trait Task<I> {
    /// What it computes.
    type Output;
    /// Does the work. This function and all that it calls must be `#[inline(always)]`, except what it calls by
    /// [`InstructionSet::run`].
    fn run(self, instructions: I) -> Self::Output;
}
