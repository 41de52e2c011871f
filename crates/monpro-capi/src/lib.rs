//! The C interface of monpro. Numbers are big-endian bytes; a call that can fail returns a status that says
//! what is wrong.
#![allow(unsafe_code)]

mod border;
mod kernels;
mod memory;
mod modulus;
mod powers;
mod status;

pub use modulus::{
    MonproModulus, monpro_modulus_bytes, monpro_modulus_free, monpro_modulus_kernel, monpro_modulus_new,
    monpro_pow,
};
pub use powers::{MonproPowTask, monpro_modexp, monpro_modexp_vartime, monpro_pow_batch};
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
