//! The subject of every check: an operation, with everything but its secrets.

use crate::secrets::Secrets;
use monpro::Kernel;

/// An operation with everything but its secrets.
pub struct Subject {
    /// The name of the kernel, or of the function built on kernels.
    pub name: String,
    pub bits: usize,
    /// The instructions that it needs beyond the processor's baseline.
    pub instructions: &'static str,
    /// Whether its name says that its time depends on secrets; a check must then find that it does.
    pub is_vartime: bool,
    /// Whether it is an exponentiation of variable time, which every check must find out.
    pub is_control: bool,
    /// The number of its branches that depend on secrets only through an answer that the caller gets anyway.
    pub public_answers: usize,
    pub run: Box<dyn Fn(&Secrets)>,
}

impl Subject {
    /// A subject that runs on a kernel.
    pub fn of_kernel(kernel: &'static Kernel, bits: usize, run: impl Fn(&Secrets) + 'static) -> Subject {
        Subject {
            name: kernel.name.to_owned(),
            bits,
            instructions: kernel.required_instructions(),
            is_vartime: kernel.name.ends_with("_vartime"),
            is_control: false,
            public_answers: 0,
            run: Box::new(run),
        }
    }
}
