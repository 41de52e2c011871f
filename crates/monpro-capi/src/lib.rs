//! The C interface of monpro. Numbers are big-endian bytes; a call that can fail returns a status that says
//! what is wrong.
#![allow(unsafe_code)]

mod border;
mod cancellation;
mod columns;
mod field;
mod fixed_base;
mod kernels;
mod key_exchange;
mod memory;
mod modulus;
mod powers;
mod progress;
mod random;
mod rsa;
mod status;

pub use cancellation::*;
pub use columns::*;
pub use field::*;
pub use fixed_base::*;
pub use key_exchange::*;
pub use modulus::*;
pub use powers::*;
pub use progress::*;
pub use random::MonproRandom;
pub use rsa::*;
pub use status::MonproStatus;

use std::ffi::{CStr, c_char, c_int};

/// The most bytes of a number. A longer one is refused with MONPRO_STATUS_TOO_LONG.
pub const MONPRO_MAX_BYTES: usize = 1 << 28;

/// The version of the library, as "1.2.3".
// SAFETY: nothing else has a name that begins with monpro_.
#[unsafe(no_mangle)]
pub extern "C" fn monpro_version() -> *const c_char {
    const VERSION: &CStr =
        match CStr::from_bytes_with_nul(concat!(env!("CARGO_PKG_VERSION"), "\0").as_bytes()) {
            Ok(version) => version,
            Err(_) => unreachable!(),
        };
    VERSION.as_ptr()
}

/// A line that says what a status means and how to mend it. The text lives as long as the program.
// SAFETY: nothing else has a name that begins with monpro_.
#[unsafe(no_mangle)]
pub extern "C" fn monpro_status_message(status: c_int) -> *const c_char {
    MonproStatus::message(status).as_ptr()
}
