//! The subject of every check: an operation, with everything but its secrets.

use crate::secrets::Secrets;
use monpro::{BATCH_ENGINES, Kernel, Modulus};

/// What adds inputs to the secrets of so many bits and of a seed.
pub type Prepare = Box<dyn Fn(&mut Secrets, usize, u64)>;

/// An operation with everything but its secrets.
pub struct Subject {
    /// The name of the kernel, or of the function built on kernels.
    pub name: String,
    pub bits: usize,
    /// The instructions that it may execute beyond the processor's baseline.
    pub instructions: String,
    /// Whether its name says that its time depends on secrets; a check must then find that it does.
    pub is_vartime: bool,
    /// Whether it is an exponentiation of variable time, which every check must find out.
    pub is_control: bool,
    /// Adds the inputs of its own.
    pub prepare: Prepare,
    /// Whether it begins with a key that is loaded.
    pub takes_key: bool,
    pub run: Box<dyn Fn(&Secrets)>,
}

impl Subject {
    /// A subject that runs on a kernel.
    pub fn of_kernel(kernel: &'static Kernel, bits: usize, run: impl Fn(&Secrets) + 'static) -> Subject {
        Subject {
            name: kernel.name.to_owned(),
            instructions: kernel.required_instructions().to_owned(),
            is_vartime: kernel.name.ends_with("_vartime"),
            ..Subject::of_function("", bits, run)
        }
    }

    /// A subject with the name of a function that selects kernels: for moduli of so many bits, and for primes of half as many.
    pub fn of_selection(name: &str, bits: usize, run: impl Fn(&Secrets) + 'static) -> Subject {
        let selected = [bits, bits / 2].map(|bits| {
            let modulus = Modulus::new(&Secrets::new(bits, 0, 0).n).expect("n is odd");
            modulus.kernel().required_instructions()
        });
        Subject { instructions: selected.join(", "), ..Subject::of_function(name, bits, run) }
    }

    /// A subject that may compute in a batch, or modulo two primes at once, by an engine of the CPU.
    pub fn of_batch(name: &str, bits: usize, run: impl Fn(&Secrets) + 'static) -> Subject {
        let subject = Subject::of_selection(name, bits, run);
        let engine = BATCH_ENGINES.iter().find(|engine| engine.unavailable_reason().is_none());
        let needs = engine.map_or("", |engine| engine.needs());
        Subject { instructions: format!("{}, {needs}", subject.instructions), ..subject }
    }

    /// A subject with the name of a function, without instructions beyond the baseline.
    pub fn of_function(name: &str, bits: usize, run: impl Fn(&Secrets) + 'static) -> Subject {
        Subject {
            name: name.to_owned(),
            bits,
            instructions: String::new(),
            is_vartime: false,
            is_control: false,
            prepare: Box::new(|_, _, _| {}),
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
