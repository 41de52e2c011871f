//! Keys of the default provider.

use super::{Callback, Child, Kind, Operation, Pointer};
use crate::parameters::{Parameter, Parameters, UNSIGNED_INTEGER};
use std::ffi::{CStr, c_int};
use std::ptr;
use std::sync::Arc;

/// A key of the default provider.
pub(crate) struct ChildKey {
    pub(crate) kind: Kind,
    pub(super) key: Pointer,
    pub(super) child: Arc<Child>,
}

// SAFETY: a key that does not change may be used by many threads at once, and this one never changes.
unsafe impl Send for ChildKey {}
// SAFETY: the same.
unsafe impl Sync for ChildKey {}

impl ChildKey {
    pub(super) fn owned(kind: Kind, key: Pointer, child: &Arc<Child>) -> Option<ChildKey> {
        (!key.is_null()).then(|| ChildKey { kind, key, child: child.clone() })
    }

    /// The key of a list of numbers, of which the selection is taken.
    pub(crate) fn import(
        child: &Arc<Child>,
        kind: Kind,
        selection: c_int,
        numbers: Parameters<'_>,
    ) -> Option<ChildKey> {
        let operation = Operation::of_kind(child, kind)?;
        let (f, mut key) = (&child.functions, ptr::null_mut());
        // SAFETY: the context lives, and the list is one.
        let is_made = unsafe {
            (f.EVP_PKEY_fromdata_init)(operation.operation) == 1
                && (f.EVP_PKEY_fromdata)(operation.operation, &mut key, selection, numbers.as_ptr()) == 1
        };
        ChildKey::owned(kind, key, child).filter(|_| is_made)
    }

    /// A key with the selected parts of this one.
    pub(crate) fn part(&self, selection: c_int) -> Option<ChildKey> {
        self.read(selection, |numbers| ChildKey::import(&self.child, self.kind, selection, numbers))
    }

    /// A copy with these settings, for example the public half of another.
    pub(crate) fn with(&self, settings: Parameters<'_>) -> Option<ChildKey> {
        let f = &self.child.functions;
        // SAFETY: the key lives.
        let copy = ChildKey::owned(self.kind, unsafe { (f.EVP_PKEY_dup)(self.key) }, &self.child)?;
        // SAFETY: the copy lives and is nobody else's yet, and the list is one.
        (unsafe { (f.EVP_PKEY_set_params)(copy.key, settings.as_ptr()) } == 1).then_some(copy)
    }

    /// Whether the key has a number of this name.
    pub(crate) fn has(&self, name: &'static CStr) -> bool {
        let mut list = [Parameter::described(name, UNSIGNED_INTEGER), Parameter::END];
        // SAFETY: the list ends, and lives until the function returns; a place without room is told a length alone.
        self.answer(unsafe { Parameters::at(list.as_mut_ptr()) });
        list[0].answered().is_some_and(|octets| octets > 0)
    }

    /// Tells what the list asks.
    pub(crate) fn answer(&self, questions: Parameters<'_>) -> bool {
        // SAFETY: the key lives, and the list is one that may be answered.
        unsafe { (self.child.functions.EVP_PKEY_get_params)(self.key, questions.as_ptr()) == 1 }
    }

    /// Gives the selected numbers to a function.
    ///
    /// # Safety
    /// The function may be called with the argument and a list.
    pub(crate) unsafe fn export(&self, selection: c_int, function: Callback, argument: Pointer) -> bool {
        // SAFETY: the key lives; the caller's promise.
        unsafe { (self.child.functions.EVP_PKEY_export)(self.key, selection, function, argument) == 1 }
    }

    /// What is read from the selected numbers; None if they cannot be had.
    pub(crate) fn read<T, R>(&self, selection: c_int, read: R) -> Option<T>
    where
        R: FnOnce(Parameters<'_>) -> Option<T>,
    {
        struct Reader<T, R> {
            read: Option<R>,
            result: Option<T>,
        }
        /// # Safety
        /// The list ends, and the argument is a reader.
        unsafe extern "C" fn call<T, R>(list: *const Parameter, argument: Pointer) -> c_int
        where
            R: FnOnce(Parameters<'_>) -> Option<T>,
        {
            // SAFETY: `export` gives a list and our reader back.
            let (list, reader) = unsafe { (Parameters::at(list), &mut *argument.cast::<Reader<T, R>>()) };
            reader.result = reader.read.take().and_then(|read| crate::border::caught(None, || read(list)));
            1
        }
        let mut reader = Reader { read: Some(read), result: None };
        // SAFETY: the function takes a reader.
        unsafe { self.export(selection, call::<T, R>, ptr::from_mut(&mut reader).cast()) };
        reader.result
    }

    /// Whether the public halves are the same.
    pub(crate) fn equals(&self, other: &ChildKey) -> bool {
        // SAFETY: both keys live.
        unsafe { (self.child.functions.EVP_PKEY_eq)(self.key, other.key) == 1 }
    }

    /// Whether the parameters are the same.
    pub(crate) fn has_the_parameters_of(&self, other: &ChildKey) -> bool {
        // SAFETY: both keys live.
        unsafe { (self.child.functions.EVP_PKEY_parameters_eq)(self.key, other.key) == 1 }
    }

    /// Checks the parts: the public half, the private one, or both and that they belong together; less where the check is
    /// to be quick.
    pub(crate) fn is_valid(&self, parts: &Parts, is_quick: bool) -> bool {
        let Some(operation) = Operation::of(self) else { return false };
        let f = &self.child.functions;
        let of_parameters = match is_quick {
            true => f.EVP_PKEY_param_check_quick,
            false => f.EVP_PKEY_param_check,
        };
        let of_keys = match (parts.has_public, parts.has_private) {
            (false, false) => None,
            (true, false) if is_quick => Some(f.EVP_PKEY_public_check_quick),
            (true, false) => Some(f.EVP_PKEY_public_check),
            (false, true) => Some(f.EVP_PKEY_private_check),
            (true, true) => Some(f.EVP_PKEY_pairwise_check),
        };
        let checks = [parts.has_parameters.then_some(of_parameters), of_keys];
        // SAFETY: the context lives.
        checks.into_iter().flatten().all(|check| unsafe { check(operation.operation) == 1 })
    }
}

/// Which parts of a key are meant.
pub(crate) struct Parts {
    pub(crate) has_parameters: bool,
    pub(crate) has_public: bool,
    pub(crate) has_private: bool,
}

impl Drop for ChildKey {
    fn drop(&mut self) {
        // SAFETY: the key is ours.
        unsafe { (self.child.functions.EVP_PKEY_free)(self.key) }
    }
}
