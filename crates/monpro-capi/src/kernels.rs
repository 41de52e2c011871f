//! Kernels over the integers by name, and the environment variable that names one.

use crate::border::has_rights_of_another;
use crate::status::MonproStatus;
use arithmetic::Kernel;
use arithmetic::ring::RingName;
use std::sync::OnceLock;

/// The kernel over the integers of this name; no name is one that is not text.
pub(crate) fn named(name: Option<&str>) -> Result<&'static Kernel, MonproStatus> {
    let kernel = Kernel::by_name(name.ok_or(MonproStatus::UnknownKernel)?)?;
    match kernel.ring {
        RingName::Integers => Ok(kernel),
        RingName::BinaryPolynomials => Err(MonproStatus::UnusableKernel),
    }
}

/// Selects the kernel that the environment variable MONPRO_KERNEL names, once.
pub(crate) fn obey_environment() -> Result<(), MonproStatus> {
    static OBEYED: OnceLock<Result<(), MonproStatus>> = OnceLock::new();
    *OBEYED.get_or_init(|| match std::env::var_os("MONPRO_KERNEL") {
        Some(name) if !has_rights_of_another() => Ok(named(name.to_str())?.override_selection()?),
        _ => Ok(()),
    })
}
