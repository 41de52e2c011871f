//! Hashes by the default provider.

use super::{Child, DEFAULT, MOST_OCTETS, Pointer};
use crate::parameters::Parameters;
use std::ffi::CStr;
use std::sync::Arc;

/// A hash that is being computed by the default provider.
pub(crate) struct Hashing {
    state: Pointer,
    child: Arc<Child>,
}

// SAFETY: a hash belongs to whoever has it; nothing in it belongs to a thread.
unsafe impl Send for Hashing {}

impl Hashing {
    fn unset(child: &Arc<Child>) -> Option<Hashing> {
        // SAFETY: it has no arguments.
        let state = unsafe { (child.functions.EVP_MD_CTX_new)() };
        (!state.is_null()).then(|| Hashing { state, child: child.clone() })
    }

    /// Begins a hash by the function of this name.
    pub(crate) fn new(child: &Arc<Child>, name: &CStr, settings: Parameters<'_>) -> Option<Hashing> {
        let (f, hashing) = (&child.functions, Hashing::unset(child)?);
        // SAFETY: the context and the state live; the names are strings; the state keeps the function for itself.
        unsafe {
            let digest = (f.EVP_MD_fetch)(child.context, name.as_ptr(), DEFAULT.as_ptr());
            let is_begun =
                !digest.is_null() && (f.EVP_DigestInit_ex2)(hashing.state, digest, settings.as_ptr()) == 1;
            (f.EVP_MD_free)(digest);
            is_begun.then_some(hashing)
        }
    }

    /// A copy in the same state.
    pub(crate) fn duplicate(&self) -> Option<Hashing> {
        let copy = Hashing::unset(&self.child)?;
        // SAFETY: both states live.
        (unsafe { (self.child.functions.EVP_MD_CTX_copy_ex)(copy.state, self.state) } == 1).then_some(copy)
    }

    /// Whether the function has this name.
    pub(crate) fn is_by(&self, name: &CStr) -> bool {
        let f = &self.child.functions;
        // SAFETY: the state lives and has a function, and the name is a string.
        unsafe { (f.EVP_MD_is_a)((f.EVP_MD_CTX_get0_md)(self.state), name.as_ptr()) == 1 }
    }

    /// Takes a piece of the message.
    pub(crate) fn update(&mut self, piece: &[u8]) -> bool {
        let update = self.child.functions.EVP_DigestUpdate;
        // SAFETY: the state lives; pointer and length are those of a slice.
        unsafe { update(self.state, piece.as_ptr().cast(), piece.len()) == 1 }
    }

    /// The hash.
    pub(crate) fn finish(self) -> Option<Vec<u8>> {
        let (mut hash, mut length) = (vec![0; MOST_OCTETS], 0);
        let finish = self.child.functions.EVP_DigestFinal_ex;
        // SAFETY: the state lives, and no hash is longer than the space.
        let is_made = unsafe { finish(self.state, hash.as_mut_ptr(), &mut length) == 1 };
        hash.truncate(length as usize);
        is_made.then_some(hash)
    }
}

impl Drop for Hashing {
    fn drop(&mut self) {
        // SAFETY: the state is ours.
        unsafe { (self.child.functions.EVP_MD_CTX_free)(self.state) }
    }
}
