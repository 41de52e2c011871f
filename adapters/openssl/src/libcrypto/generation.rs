//! The making of keys by the default provider.

use super::{Child, ChildKey, Kind, Operation};
use crate::parameters::{Parameter, Parameters};
#[cfg(test)]
use std::ffi::{CStr, c_int};
use std::ptr;
use std::sync::Arc;

/// A list that outlives the one that it was copied from.
struct Kept {
    list: *mut Parameter,
    child: Arc<Child>,
}

impl Drop for Kept {
    fn drop(&mut self) {
        // SAFETY: the list is ours; null is ignored.
        unsafe { (self.child.functions.OSSL_PARAM_free)(self.list) }
    }
}

/// The making of a key, or of parameters alone, by the default provider.
pub(crate) struct Generation {
    operation: Operation,
    kind: Kind,
    is_of_keys: bool,
    settings: Vec<Kept>,
}

impl Generation {
    pub(crate) fn new(child: &Arc<Child>, kind: Kind, is_of_keys: bool) -> Option<Generation> {
        let operation = Operation::of_kind(child, kind)?;
        let generation = Generation { operation, kind, is_of_keys, settings: Vec::new() };
        generation.is_begun().then_some(generation)
    }

    fn is_begun(&self) -> bool {
        let f = &self.operation.child.functions;
        let begin = if self.is_of_keys { f.EVP_PKEY_keygen_init } else { f.EVP_PKEY_paramgen_init };
        // SAFETY: the operation lives.
        unsafe { begin(self.operation.operation) == 1 }
    }

    /// Takes the parameters of a key, and the settings that were taken before once more.
    pub(crate) fn set_template(&mut self, template: &ChildKey) -> bool {
        let Some(operation) = Operation::of(template) else { return false };
        self.operation = operation;
        self.is_begun() && self.settings().into_iter().all(|settings| self.operation.set(settings))
    }

    /// Takes the length, the exponent, the number of primes, the group.
    pub(crate) fn set(&mut self, settings: Parameters<'_>) -> bool {
        if settings.as_ptr().is_null() {
            return true;
        }
        let child = &self.operation.child;
        // SAFETY: the list ends.
        let list = unsafe { (child.functions.OSSL_PARAM_dup)(settings.as_ptr()) };
        self.settings.push(Kept { list, child: child.clone() });
        !list.is_null() && self.operation.set(settings)
    }

    /// The lists that were taken.
    pub(crate) fn settings(&self) -> Vec<Parameters<'_>> {
        // SAFETY: the lists are copies of ours, which end.
        self.settings.iter().map(|kept| unsafe { Parameters::at(kept.list) }).collect()
    }

    /// Takes a number.
    #[cfg(test)]
    pub(crate) fn set_number(&mut self, name: &'static CStr, mut number: c_int) -> bool {
        let list = [Parameter::integer(name, &mut number), Parameter::END];
        // SAFETY: the list ends, and lives until the function returns.
        self.set(unsafe { Parameters::at(list.as_ptr()) })
    }

    /// Makes the key. Nobody is told how far it is.
    pub(crate) fn run(&self) -> Option<ChildKey> {
        let (child, mut key) = (&self.operation.child, ptr::null_mut());
        // SAFETY: the operation lives, and the place of the key can be written.
        let is_made = unsafe { (child.functions.EVP_PKEY_generate)(self.operation.operation, &mut key) == 1 };
        ChildKey::owned(self.kind, key, child).filter(|_| is_made)
    }
}
