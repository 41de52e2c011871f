//! Kernels by name, and the environment variable that names one over the integers.

use crate::border::{has_rights_of_another, string};
use crate::status::MonproStatus;
use arithmetic::Kernel;
use arithmetic::ring::RingName;
use std::ffi::c_char;
use std::sync::OnceLock;

/// The kernel over this ring of this name; no name is one that is not text.
fn named(name: Option<&str>, ring: RingName) -> Result<&'static Kernel, MonproStatus> {
    let kernel = Kernel::by_name(name.ok_or(MonproStatus::UnknownKernel)?)?;
    match kernel.ring == ring {
        true => Ok(kernel),
        false => Err(MonproStatus::UnusableKernel),
    }
}

/// The kernel over this ring that the string names; None for null.
///
/// # Safety
/// The pointer is null or one of a string.
pub(crate) unsafe fn at(
    name: *const c_char,
    ring: RingName,
) -> Result<Option<&'static Kernel>, MonproStatus> {
    match name.is_null() {
        true => Ok(None),
        // SAFETY: the caller's promise.
        false => named(unsafe { string(name) }?, ring).map(Some),
    }
}

/// Selects the kernel that the environment variable MONPRO_KERNEL names, once.
pub(crate) fn obey_environment() -> Result<(), MonproStatus> {
    static OBEYED: OnceLock<Result<(), MonproStatus>> = OnceLock::new();
    *OBEYED.get_or_init(|| match std::env::var_os("MONPRO_KERNEL") {
        Some(name) if !has_rights_of_another() => {
            Ok(named(name.to_str(), RingName::Integers)?.override_selection()?)
        }
        _ => Ok(()),
    })
}
