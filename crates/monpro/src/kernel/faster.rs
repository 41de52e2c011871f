//! The choice between MULX with ADC and with ADX, for code that calls their blocks itself.

use super::contract::Kernel;
use crate::arch::InstructionSet;
use crate::arch::x86_64::mulx::{Adx, Mulx};
use crate::ring::RingName;

/// The instruction set whose blocks are faster on this CPU, or for a modulus.
#[derive(Clone, Copy)]
pub(crate) enum Faster {
    Mulx(Mulx),
    Adx(Adx),
}

impl Faster {
    /// The one for moduli of n_bits bits: of `sos-mulx` and `sos-adx`, what is taken before the other. None where the CPU has
    /// neither.
    pub(crate) fn of_both(n_bits: usize) -> Option<Faster> {
        Kernel::in_order(RingName::Integers, n_bits).find_map(Faster::of_kernel)
    }

    /// The one whose blocks the kernel takes; None if it takes neither.
    pub(crate) fn of_kernel(kernel: &Kernel) -> Option<Faster> {
        match kernel.name {
            "sos-mulx" => Mulx::detect().map(Faster::Mulx),
            "sos-adx" => Adx::detect().map(Faster::Adx),
            _ => None,
        }
    }
}

/// Evaluates the call with the blocks of the faster instruction set.
macro_rules! with_faster {
    ($faster:expr, |$blocks:ident| $call:expr) => {
        match $faster {
            $crate::kernel::faster::Faster::Mulx($blocks) => $call,
            $crate::kernel::faster::Faster::Adx($blocks) => $call,
        }
    };
}
pub(crate) use with_faster;
