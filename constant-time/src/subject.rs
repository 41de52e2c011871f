//! What every check takes: an operation, with everything but its secrets.

use crate::secrets::Secrets;
use monpro::Kernel;

/// An operation with everything but its secrets.
pub struct Subject {
    /// The kernel, or the function that is more than a kernel.
    pub name: String,
    pub bits: usize,
    /// The instructions that it needs beyond the least that a processor has.
    pub instructions: &'static str,
    /// Whether its name says that its time depends on secrets: then a check must find that it does.
    pub is_vartime: bool,
    /// Whether it is an exponentiation of variable time, which every check must find out.
    pub is_control: bool,
    /// How many of its branches give an answer that a caller is told anyway.
    pub public_answers: usize,
    pub run: Box<dyn Fn(&Secrets)>,
}

impl Subject {
    /// What runs on a kernel.
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
