//! Operations of the default provider.

use super::{Child, ChildKey, DEFAULT, Kind, MOST_OCTETS, Pointer, Reason};
use crate::parameters::{Parameter, Parameters};
use std::ffi::{CStr, c_int, c_uchar};
use std::ptr;
use std::sync::Arc;

/// What an operation of the default provider is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    Sign,
    Verify,
    Recover,
    Encrypt,
    Decrypt,
    Derive,
}

/// An operation of the default provider with one key.
pub(crate) struct Operation {
    pub(super) operation: Pointer,
    pub(super) child: Arc<Child>,
}

// SAFETY: an operation belongs to whoever has it; nothing in it belongs to a thread.
unsafe impl Send for Operation {}

impl Operation {
    fn owned(operation: Pointer, child: &Arc<Child>) -> Option<Operation> {
        (!operation.is_null()).then(|| Operation { operation, child: child.clone() })
    }

    pub(super) fn of_kind(child: &Arc<Child>, kind: Kind) -> Option<Operation> {
        let new = child.functions.EVP_PKEY_CTX_new_from_name;
        // SAFETY: the context lives, and the names are strings.
        Operation::owned(unsafe { new(child.context, kind.name().as_ptr(), DEFAULT.as_ptr()) }, child)
    }

    pub(super) fn of(key: &ChildKey) -> Option<Operation> {
        let (child, new) = (&key.child, key.child.functions.EVP_PKEY_CTX_new_from_pkey);
        // SAFETY: the context and the key live, and the name is a string.
        Operation::owned(unsafe { new(child.context, key.key, DEFAULT.as_ptr()) }, child)
    }

    /// Begins an operation with a key.
    pub(crate) fn begin(key: &ChildKey, purpose: Purpose, settings: Parameters<'_>) -> Option<Operation> {
        let operation = Operation::of(key)?;
        let f = &key.child.functions;
        let begin = match purpose {
            Purpose::Sign => f.EVP_PKEY_sign_init_ex,
            Purpose::Verify => f.EVP_PKEY_verify_init_ex,
            Purpose::Recover => f.EVP_PKEY_verify_recover_init_ex,
            Purpose::Encrypt => f.EVP_PKEY_encrypt_init_ex,
            Purpose::Decrypt => f.EVP_PKEY_decrypt_init_ex,
            Purpose::Derive => f.EVP_PKEY_derive_init_ex,
        };
        // SAFETY: the operation lives, and the list is one.
        (unsafe { begin(operation.operation, settings.as_ptr()) } == 1).then_some(operation)
    }

    /// A copy in the same state.
    pub(crate) fn duplicate(&self) -> Option<Operation> {
        // SAFETY: the operation lives.
        Operation::owned(unsafe { (self.child.functions.EVP_PKEY_CTX_dup)(self.operation) }, &self.child)
    }

    /// Puts an error into OpenSSL's queue of this thread.
    pub(crate) fn raise(&self, reason: Reason) {
        self.child.raise(reason);
    }

    /// Takes settings.
    pub(crate) fn set(&self, settings: Parameters<'_>) -> bool {
        // SAFETY: the operation lives, and the list is one.
        unsafe { (self.child.functions.EVP_PKEY_CTX_set_params)(self.operation, settings.as_ptr()) == 1 }
    }

    /// Sets a string.
    pub(crate) fn set_text(&self, name: &'static CStr, value: &CStr) -> bool {
        let list = [Parameter::given_text(name, value), Parameter::END];
        // SAFETY: the list ends, and lives until the function returns.
        self.set(unsafe { Parameters::at(list.as_ptr()) })
    }

    /// Tells what the list asks.
    pub(crate) fn answer(&self, questions: Parameters<'_>) -> bool {
        // SAFETY: the operation lives, and the list is one that may be answered.
        unsafe { (self.child.functions.EVP_PKEY_CTX_get_params)(self.operation, questions.as_ptr()) == 1 }
    }

    fn answers(&self, question: Parameter) -> Option<usize> {
        let mut list = [question, Parameter::END];
        // SAFETY: the list ends, and lives until the function returns.
        let is_answered = self.answer(unsafe { Parameters::at(list.as_mut_ptr()) });
        list[0].answered().filter(|_| is_answered)
    }

    /// The number of this name.
    pub(crate) fn integer(&self, name: &'static CStr) -> Option<c_int> {
        let mut value = 0;
        self.answers(Parameter::integer(name, &mut value))?;
        Some(value)
    }

    /// The string of this name, which is empty if it was never set.
    pub(crate) fn text(&self, name: &'static CStr) -> Option<String> {
        let mut value = [0; MOST_OCTETS];
        let length = self.answers(Parameter::text(name, &mut value))?;
        String::from_utf8(value.get(..length)?.to_vec()).ok()
    }

    /// A copy of the octets of this name, which may be none.
    pub(crate) fn octets(&self, name: &'static CStr) -> Option<Vec<u8>> {
        let mut address = ptr::null();
        let length = self.answers(Parameter::address(name, crate::parameters::OCTET_PTR, &mut address))?;
        if address.is_null() || length == 0 {
            return Some(Vec::new());
        }
        // SAFETY: the operation has so many octets there, and does not change meanwhile.
        Some(unsafe { std::slice::from_raw_parts(address.cast::<u8>(), length) }.to_vec())
    }

    /// Signs, recovers, encrypts or decrypts, as OpenSSL does: the length at first is that of the space, and then that of
    /// the result, which is only told if the space is null.
    ///
    /// # Safety
    /// The space is null or can be written; the length can be read and written.
    pub(crate) unsafe fn run(
        &self,
        purpose: Purpose,
        space: *mut c_uchar,
        length: *mut usize,
        input: &[u8],
    ) -> bool {
        let f = &self.child.functions;
        let run = match purpose {
            Purpose::Sign => f.EVP_PKEY_sign,
            Purpose::Recover => f.EVP_PKEY_verify_recover,
            Purpose::Encrypt => f.EVP_PKEY_encrypt,
            Purpose::Decrypt => f.EVP_PKEY_decrypt,
            Purpose::Verify | Purpose::Derive => return false,
        };
        // SAFETY: the operation lives, and the caller's promise.
        unsafe { run(self.operation, space, length, input.as_ptr(), input.len()) == 1 }
    }

    /// Takes the public half of the other side. It is not checked anew: OpenSSL has checked it if it was asked to.
    pub(crate) fn set_peer(&self, peer: &ChildKey) -> bool {
        let set = self.child.functions.EVP_PKEY_derive_set_peer_ex;
        // SAFETY: the operation and the key live; the operation keeps what it needs of the key.
        unsafe { set(self.operation, peer.key, 0) == 1 }
    }

    /// Derives a secret. The length is as [`Operation::run`] has it.
    ///
    /// # Safety
    /// The space is null or can be written; the length can be read and written.
    pub(crate) unsafe fn derive(&self, space: *mut c_uchar, length: *mut usize) -> bool {
        // SAFETY: the operation lives, and the caller's promise.
        unsafe { (self.child.functions.EVP_PKEY_derive)(self.operation, space, length) == 1 }
    }

    /// Whether this is a signature of the hash; as OpenSSL has it, less than 0 for some errors.
    pub(crate) fn verify(&self, signature: &[u8], hash: &[u8]) -> c_int {
        let verify = self.child.functions.EVP_PKEY_verify;
        // SAFETY: the operation lives; pointers and lengths are those of slices.
        unsafe { verify(self.operation, signature.as_ptr(), signature.len(), hash.as_ptr(), hash.len()) }
    }
}

impl Drop for Operation {
    fn drop(&mut self) {
        // SAFETY: the operation is ours.
        unsafe { (self.child.functions.EVP_PKEY_CTX_free)(self.operation) }
    }
}
