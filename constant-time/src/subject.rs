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
    /// Adds inputs of its own to the secrets of a seed.
    pub prepare: fn(&mut Secrets, usize, u64),
    /// Whether it begins with a key that is loaded.
    pub takes_key: bool,
    pub run: Box<dyn Fn(&Secrets)>,
}

impl Subject {
    /// A subject that runs on a kernel.
    pub fn of_kernel(kernel: &'static Kernel, bits: usize, run: impl Fn(&Secrets) + 'static) -> Subject {
        Subject {
            name: kernel.name.to_owned(),
            instructions: kernel.required_instructions(),
            is_vartime: kernel.name.ends_with("_vartime"),
            ..Subject::of_function("", bits, run)
        }
    }

    /// A subject with the name of a function.
    pub fn of_function(name: &str, bits: usize, run: impl Fn(&Secrets) + 'static) -> Subject {
        Subject {
            name: name.to_owned(),
            bits,
            instructions: "",
            is_vartime: false,
            is_control: false,
            prepare: |_, _, _| {},
            takes_key: false,
            run: Box::new(run),
        }
    }

    /// The secrets of a seed, without the key.
    pub fn secrets(&self, e_bits: usize, seed: u64) -> Secrets {
        let mut secrets = Secrets::new(self.bits, e_bits, seed);
        (self.prepare)(&mut secrets, self.bits, seed);
        secrets
    }

    /// Loads the key of the secrets, if the subject begins with one.
    pub fn load_key(&self, secrets: &mut Secrets) {
        if self.takes_key {
            secrets.load_key();
        }
    }
}
