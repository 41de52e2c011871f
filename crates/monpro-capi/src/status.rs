//! How a call ended, as a number and as a line of text.

use arithmetic::Error;
use std::ffi::CStr;

/// How a call ended.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MonproStatus {
    /// All is well.
    Ok = 0,
    /// A pointer is null where bytes are needed.
    NullPointer = 1,
    /// The space for the result does not have the length of the modulus.
    WrongLength = 2,
    /// The modulus is 0.
    ZeroModulus = 3,
    /// The modulus is even where an odd one is needed.
    EvenModulus = 4,
    /// No kernel has the name.
    UnknownKernel = 5,
    /// The kernel cannot be used: this CPU lacks its instructions, it is not one over the integers, or it does not
    /// take the modulus.
    UnusableKernel = 6,
    /// A mistake in the library.
    Internal = 7,
    /// A number has more than MONPRO_MAX_BYTES bytes, or a batch has more tasks than memory can hold.
    TooLong = 8,
    /// There is not enough memory.
    OutOfMemory = 9,
}

impl MonproStatus {
    const ALL: [MonproStatus; 10] = [
        MonproStatus::Ok,
        MonproStatus::NullPointer,
        MonproStatus::WrongLength,
        MonproStatus::ZeroModulus,
        MonproStatus::EvenModulus,
        MonproStatus::UnknownKernel,
        MonproStatus::UnusableKernel,
        MonproStatus::Internal,
        MonproStatus::TooLong,
        MonproStatus::OutOfMemory,
    ];

    /// The line of text of the status with this number.
    pub(crate) fn message(number: i32) -> &'static CStr {
        match MonproStatus::ALL.into_iter().find(|&status| status as i32 == number) {
            Some(MonproStatus::Ok) => c"all is well",
            Some(MonproStatus::NullPointer) => c"a pointer is null: give the address of the bytes",
            Some(MonproStatus::WrongLength) => {
                c"the space for the result has another length than the modulus: give as many bytes"
            }
            Some(MonproStatus::ZeroModulus) => c"the modulus is 0: give a modulus of at least 1",
            Some(MonproStatus::EvenModulus) => {
                c"the modulus is even: give an odd one, or call monpro_modexp, which takes any"
            }
            Some(MonproStatus::UnknownKernel) => c"no kernel has the name given by the caller or by MONPRO_KERNEL: see `monpro kernels`",
            Some(MonproStatus::UnusableKernel) => {
                c"the kernel needs instructions that this CPU lacks, is not over the integers, or does not take the modulus: choose another"
            }
            Some(MonproStatus::TooLong) => {
                c"a number has more than 2^28 bytes, or a batch too many tasks: give fewer"
            }
            Some(MonproStatus::OutOfMemory) => {
                c"there is not enough memory for numbers of these lengths: free some, or give shorter numbers"
            }
            Some(MonproStatus::Internal) => c"a mistake in monpro: please report it",
            None => c"no status of monpro has this number",
        }
    }
}

impl From<Error> for MonproStatus {
    fn from(error: Error) -> MonproStatus {
        match error {
            Error::ZeroModulus => MonproStatus::ZeroModulus,
            Error::EvenModulus => MonproStatus::EvenModulus,
            Error::UnknownKernel => MonproStatus::UnknownKernel,
            Error::KernelUnavailable { .. } | Error::UnsupportedModulus { .. } | Error::WrongRing { .. } => {
                MonproStatus::UnusableKernel
            }
            _ => MonproStatus::Internal,
        }
    }
}
