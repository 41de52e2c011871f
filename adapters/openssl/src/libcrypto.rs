//! The functions of the libcrypto that loaded the module, and a library context of our own with its default provider.
//!
//! The functions are looked up when the module is loaded, in the very library whose functions the core handed over:
//! docs/0015 has the reasons. Values of these types free what they hold.

use crate::parameters::{Parameter, Parameters};
use std::ffi::{CStr, c_char, c_int, c_uchar, c_uint, c_void};
use std::ptr::{self, NonNull};
use std::sync::Arc;

/// A function that is called with a list of values.
// SAFETY: whoever calls it gives it a list that ends, and its own argument.
pub(crate) type Callback = unsafe extern "C" fn(*const Parameter, *mut c_void) -> c_int;
type Pointer = *mut c_void;

/// Defines the table of functions, which has each under its own name.
macro_rules! functions {
    ($($name:ident($($argument:ty),*) $(-> $result:ty)?;)*) => {
        #[allow(non_snake_case)] // The names are OpenSSL's.
        struct Functions {
            // SAFETY: `of` has found each under its name.
            $($name: unsafe extern "C" fn($($argument),*) $(-> $result)?,)*
        }

        impl Functions {
            /// # Safety
            /// The handle is one of a libcrypto of version 3 or later.
            unsafe fn of(library: Pointer) -> Option<Functions> {
                Some(Functions {
                    $($name: {
                        let name = concat!(stringify!($name), "\0");
                        // SAFETY: the handle is one of a library, and the name is a string.
                        let function = NonNull::new(unsafe { libc::dlsym(library, name.as_ptr().cast()) })?;
                        // SAFETY: OpenSSL's manual has this type for the function, in all versions from 3.0 on.
                        unsafe { std::mem::transmute::<Pointer, unsafe extern "C" fn($($argument),*) $(-> $result)?>(function.as_ptr()) }
                    },)*
                })
            }
        }
    };
}

functions! {
    OSSL_LIB_CTX_new() -> Pointer;
    OSSL_LIB_CTX_free(Pointer);
    OSSL_PROVIDER_load(Pointer, *const c_char) -> Pointer;
    OSSL_PROVIDER_unload(Pointer) -> c_int;
    EVP_KEYMGMT_fetch(Pointer, *const c_char, *const c_char) -> Pointer;
    EVP_KEYMGMT_free(Pointer);
    EVP_KEYMGMT_gettable_params(Pointer) -> *const Parameter;
    EVP_KEYMGMT_gen_settable_params(Pointer) -> *const Parameter;
    EVP_SIGNATURE_fetch(Pointer, *const c_char, *const c_char) -> Pointer;
    EVP_SIGNATURE_free(Pointer);
    EVP_SIGNATURE_gettable_ctx_params(Pointer) -> *const Parameter;
    EVP_SIGNATURE_settable_ctx_params(Pointer) -> *const Parameter;
    EVP_ASYM_CIPHER_fetch(Pointer, *const c_char, *const c_char) -> Pointer;
    EVP_ASYM_CIPHER_free(Pointer);
    EVP_ASYM_CIPHER_gettable_ctx_params(Pointer) -> *const Parameter;
    EVP_ASYM_CIPHER_settable_ctx_params(Pointer) -> *const Parameter;
    EVP_PKEY_free(Pointer);
    EVP_PKEY_get_params(Pointer, *mut Parameter) -> c_int;
    EVP_PKEY_export(Pointer, c_int, Callback, Pointer) -> c_int;
    EVP_PKEY_eq(Pointer, Pointer) -> c_int;
    EVP_PKEY_fromdata_init(Pointer) -> c_int;
    EVP_PKEY_fromdata(Pointer, *mut Pointer, c_int, *mut Parameter) -> c_int;
    EVP_PKEY_keygen_init(Pointer) -> c_int;
    EVP_PKEY_generate(Pointer, *mut Pointer) -> c_int;
    EVP_PKEY_public_check(Pointer) -> c_int;
    EVP_PKEY_private_check(Pointer) -> c_int;
    EVP_PKEY_pairwise_check(Pointer) -> c_int;
    EVP_PKEY_CTX_new_from_name(Pointer, *const c_char, *const c_char) -> Pointer;
    EVP_PKEY_CTX_new_from_pkey(Pointer, Pointer, *const c_char) -> Pointer;
    EVP_PKEY_CTX_dup(Pointer) -> Pointer;
    EVP_PKEY_CTX_free(Pointer);
    EVP_PKEY_CTX_get_params(Pointer, *mut Parameter) -> c_int;
    EVP_PKEY_CTX_set_params(Pointer, *const Parameter) -> c_int;
    EVP_PKEY_sign_init_ex(Pointer, *const Parameter) -> c_int;
    EVP_PKEY_sign(Pointer, *mut c_uchar, *mut usize, *const c_uchar, usize) -> c_int;
    EVP_PKEY_verify_init_ex(Pointer, *const Parameter) -> c_int;
    EVP_PKEY_verify(Pointer, *const c_uchar, usize, *const c_uchar, usize) -> c_int;
    EVP_PKEY_verify_recover_init_ex(Pointer, *const Parameter) -> c_int;
    EVP_PKEY_verify_recover(Pointer, *mut c_uchar, *mut usize, *const c_uchar, usize) -> c_int;
    EVP_PKEY_encrypt_init_ex(Pointer, *const Parameter) -> c_int;
    EVP_PKEY_encrypt(Pointer, *mut c_uchar, *mut usize, *const c_uchar, usize) -> c_int;
    EVP_PKEY_decrypt_init_ex(Pointer, *const Parameter) -> c_int;
    EVP_PKEY_decrypt(Pointer, *mut c_uchar, *mut usize, *const c_uchar, usize) -> c_int;
    EVP_MD_fetch(Pointer, *const c_char, *const c_char) -> Pointer;
    EVP_MD_free(Pointer);
    EVP_MD_is_a(Pointer, *const c_char) -> c_int;
    EVP_MD_CTX_new() -> Pointer;
    EVP_MD_CTX_free(Pointer);
    EVP_MD_CTX_copy_ex(Pointer, Pointer) -> c_int;
    EVP_MD_CTX_get0_md(Pointer) -> Pointer;
    EVP_DigestInit_ex2(Pointer, Pointer, *const Parameter) -> c_int;
    EVP_DigestUpdate(Pointer, *const c_void, usize) -> c_int;
    EVP_DigestFinal_ex(Pointer, *mut c_uchar, *mut c_uint) -> c_int;
    ERR_new();
    ERR_set_debug(*const c_char, c_int, *const c_char);
    ERR_vset_error(c_int, c_int, *const c_char, Pointer);
}

const RSA: &CStr = c"RSA";
const DEFAULT: &CStr = c"provider=default";
/// The longest hash, and the longest name of a digest in the default provider.
const MOST_OCTETS: usize = 64;

/// A reason of errors that all of OpenSSL's libraries have.
#[derive(Clone, Copy)]
pub(crate) enum Reason {
    /// The space for a result is too short, or an argument is missing or wrong.
    InvalidArgument = 262 | (2 << 18),
}

/// A library context of ours with the default provider of the libcrypto that loaded the module.
pub(crate) struct Child {
    functions: Functions,
    context: Pointer,
    default: Pointer,
}

// SAFETY: a library context and a provider may be used by many threads at once.
unsafe impl Send for Child {}
// SAFETY: the same.
unsafe impl Sync for Child {}

impl Child {
    /// A context of the library that has this function. None if its file cannot be found again, if it lacks a function that
    /// libcrypto has from version 3.0 on, or if its default provider cannot be loaded.
    ///
    /// # Safety
    /// The address is one of a function of a libcrypto that stays loaded.
    pub(crate) unsafe fn new(function: *const c_void) -> Option<Arc<Child>> {
        // SAFETY: the caller's promise.
        let functions = unsafe { Functions::of(library_of(function)?) }?;
        // SAFETY: it has no arguments.
        let context = NonNull::new(unsafe { (functions.OSSL_LIB_CTX_new)() })?.as_ptr();
        let mut child = Child { functions, context, default: ptr::null_mut() };
        // SAFETY: the context is a new one, and the name is a string.
        child.default = unsafe { (child.functions.OSSL_PROVIDER_load)(context, c"default".as_ptr()) };
        (!child.default.is_null()).then(|| Arc::new(child))
    }

    /// Puts an error into OpenSSL's queue of this thread, as of a provider.
    pub(crate) fn raise(&self, reason: Reason) {
        const LIBRARY_OF_PROVIDERS: c_int = 57;
        // SAFETY: a null text has no arguments; the names are strings that live as long as the program.
        unsafe {
            (self.functions.ERR_new)();
            (self.functions.ERR_set_debug)(c"monpro".as_ptr(), 0, c"monpro".as_ptr());
            (self.functions.ERR_vset_error)(
                LIBRARY_OF_PROVIDERS,
                reason as c_int,
                ptr::null(),
                ptr::null_mut(),
            );
        }
    }

    /// What the default provider tells of a key of RSA, and takes to make one.
    pub(crate) fn key_lists(&self) -> [*const Parameter; 2] {
        let f = &self.functions;
        // SAFETY: the context lives, the names are strings; the lists are constants of the default provider.
        unsafe {
            let found = (f.EVP_KEYMGMT_fetch)(self.context, RSA.as_ptr(), DEFAULT.as_ptr());
            if found.is_null() {
                return [ptr::null(); 2];
            }
            let lists = [(f.EVP_KEYMGMT_gettable_params)(found), (f.EVP_KEYMGMT_gen_settable_params)(found)];
            (f.EVP_KEYMGMT_free)(found);
            lists
        }
    }

    /// What the default provider tells of a signature by RSA, and takes for one.
    pub(crate) fn signature_lists(&self) -> [*const Parameter; 2] {
        let f = &self.functions;
        // SAFETY: the context lives, the names are strings; the lists are constants of the default provider.
        unsafe {
            let found = (f.EVP_SIGNATURE_fetch)(self.context, RSA.as_ptr(), DEFAULT.as_ptr());
            if found.is_null() {
                return [ptr::null(); 2];
            }
            let gettable = (f.EVP_SIGNATURE_gettable_ctx_params)(found);
            let lists = [gettable, (f.EVP_SIGNATURE_settable_ctx_params)(found)];
            (f.EVP_SIGNATURE_free)(found);
            lists
        }
    }

    /// What the default provider tells of encryption by RSA, and takes for it.
    pub(crate) fn cipher_lists(&self) -> [*const Parameter; 2] {
        let f = &self.functions;
        // SAFETY: the context lives, the names are strings; the lists are constants of the default provider.
        unsafe {
            let found = (f.EVP_ASYM_CIPHER_fetch)(self.context, RSA.as_ptr(), DEFAULT.as_ptr());
            if found.is_null() {
                return [ptr::null(); 2];
            }
            let gettable = (f.EVP_ASYM_CIPHER_gettable_ctx_params)(found);
            let lists = [gettable, (f.EVP_ASYM_CIPHER_settable_ctx_params)(found)];
            (f.EVP_ASYM_CIPHER_free)(found);
            lists
        }
    }
}

impl Drop for Child {
    fn drop(&mut self) {
        // SAFETY: both are ours, and nothing of the context is left: whatever uses it holds this value.
        unsafe {
            if !self.default.is_null() {
                (self.functions.OSSL_PROVIDER_unload)(self.default);
            }
            (self.functions.OSSL_LIB_CTX_free)(self.context);
        }
    }
}

/// A handle of the library, or of the program, that has the function at this address. It is not closed: the library has
/// called us, and outlives the module.
///
/// # Safety
/// The address is one of a function.
unsafe fn library_of(function: *const c_void) -> Option<Pointer> {
    // SAFETY: the structure holds pointers and a number of addresses, for which zeros are values.
    let mut found: libc::Dl_info = unsafe { std::mem::zeroed() };
    // SAFETY: the caller's promise, and the structure can be written.
    if unsafe { libc::dladdr(function, &mut found) } == 0 {
        return None;
    }
    let mode = libc::RTLD_LAZY | libc::RTLD_NOLOAD;
    // SAFETY: the name is a string of the loader, or null, which stands for the program.
    let library = unsafe { libc::dlopen(found.dli_fname, mode) };
    if !library.is_null() {
        return Some(library);
    }
    // SAFETY: null stands for the program: its libcrypto is linked into it.
    NonNull::new(unsafe { libc::dlopen(ptr::null(), libc::RTLD_LAZY) }).map(NonNull::as_ptr)
}

/// A key of the default provider.
pub(crate) struct ChildKey {
    key: Pointer,
    child: Arc<Child>,
}

// SAFETY: a key that does not change may be used by many threads at once, and this one never changes.
unsafe impl Send for ChildKey {}
// SAFETY: the same.
unsafe impl Sync for ChildKey {}

impl ChildKey {
    /// The key of a list of numbers, of which the selection is taken.
    pub(crate) fn import(child: &Arc<Child>, selection: c_int, numbers: Parameters<'_>) -> Option<ChildKey> {
        let operation = Operation::of_name(child)?;
        let (f, mut key) = (&child.functions, ptr::null_mut());
        // SAFETY: the context lives, and the list is one.
        let is_made = unsafe {
            (f.EVP_PKEY_fromdata_init)(operation.operation) == 1
                && (f.EVP_PKEY_fromdata)(operation.operation, &mut key, selection, numbers.as_ptr()) == 1
        };
        (is_made && !key.is_null()).then(|| ChildKey { key, child: child.clone() })
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
    pub(crate) fn read<T>(&self, selection: c_int, read: fn(Parameters<'_>) -> Option<T>) -> Option<T> {
        struct Reader<T> {
            read: fn(Parameters<'_>) -> Option<T>,
            result: Option<T>,
        }
        /// # Safety
        /// The list ends, and the argument is a reader.
        unsafe extern "C" fn call<T>(list: *const Parameter, argument: Pointer) -> c_int {
            // SAFETY: `export` gives a list and our reader back.
            let (list, reader) = unsafe { (Parameters::at(list), &mut *argument.cast::<Reader<T>>()) };
            reader.result = crate::border::caught(None, || (reader.read)(list));
            1
        }
        let mut reader = Reader { read, result: None };
        // SAFETY: the function takes a reader.
        unsafe { self.export(selection, call::<T>, ptr::from_mut(&mut reader).cast()) };
        reader.result
    }

    /// Whether the public halves are the same.
    pub(crate) fn equals(&self, other: &ChildKey) -> bool {
        // SAFETY: both keys live.
        unsafe { (self.child.functions.EVP_PKEY_eq)(self.key, other.key) == 1 }
    }

    /// Checks the public half, the private one, or both and that they belong together.
    pub(crate) fn is_valid(&self, is_public: bool, is_private: bool) -> bool {
        let Some(operation) = Operation::of(self) else { return false };
        let f = &self.child.functions;
        let check = match (is_public, is_private) {
            (false, false) => return true,
            (true, false) => f.EVP_PKEY_public_check,
            (false, true) => f.EVP_PKEY_private_check,
            (true, true) => f.EVP_PKEY_pairwise_check,
        };
        // SAFETY: the context lives.
        unsafe { check(operation.operation) == 1 }
    }
}

impl Drop for ChildKey {
    fn drop(&mut self) {
        // SAFETY: the key is ours.
        unsafe { (self.child.functions.EVP_PKEY_free)(self.key) }
    }
}

/// What an operation of the default provider is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    Sign,
    Verify,
    Recover,
    Encrypt,
    Decrypt,
}

/// An operation of the default provider with one key.
pub(crate) struct Operation {
    operation: Pointer,
    child: Arc<Child>,
}

// SAFETY: an operation belongs to whoever has it; nothing in it belongs to a thread.
unsafe impl Send for Operation {}

impl Operation {
    fn owned(operation: Pointer, child: &Arc<Child>) -> Option<Operation> {
        (!operation.is_null()).then(|| Operation { operation, child: child.clone() })
    }

    fn of_name(child: &Arc<Child>) -> Option<Operation> {
        let new = child.functions.EVP_PKEY_CTX_new_from_name;
        // SAFETY: the context lives, and the names are strings.
        Operation::owned(unsafe { new(child.context, RSA.as_ptr(), DEFAULT.as_ptr()) }, child)
    }

    fn of(key: &ChildKey) -> Option<Operation> {
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
            Purpose::Verify => return false,
        };
        // SAFETY: the operation lives, and the caller's promise.
        unsafe { run(self.operation, space, length, input.as_ptr(), input.len()) == 1 }
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

/// The making of a key by the default provider.
pub(crate) struct Generation(Operation);

impl Generation {
    pub(crate) fn new(child: &Arc<Child>) -> Option<Generation> {
        let operation = Operation::of_name(child)?;
        // SAFETY: the operation lives.
        (unsafe { (child.functions.EVP_PKEY_keygen_init)(operation.operation) } == 1)
            .then_some(Generation(operation))
    }

    /// Takes the length, the exponent, the number of primes.
    pub(crate) fn set(&self, settings: Parameters<'_>) -> bool {
        self.0.set(settings)
    }

    /// Makes the key. Nobody is told how far it is.
    pub(crate) fn run(&self) -> Option<ChildKey> {
        let (child, mut key) = (&self.0.child, ptr::null_mut());
        // SAFETY: the operation lives, and the place of the key can be written.
        let is_made = unsafe { (child.functions.EVP_PKEY_generate)(self.0.operation, &mut key) == 1 };
        (is_made && !key.is_null()).then(|| ChildKey { key, child: child.clone() })
    }
}

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
