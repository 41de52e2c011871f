//! The functions of the libcrypto that loaded the module, and a library context of our own with its default provider.
//!
//! The functions are looked up when the module is loaded, in the very library whose functions the core handed over:
//! docs/0015 has the reasons. Values of these types free what they hold.

mod generation;
mod hashing;
mod key;
mod operation;

pub(crate) use generation::Generation;
pub(crate) use hashing::Hashing;
pub(crate) use key::{ChildKey, Parts};
pub(crate) use operation::{Operation, Purpose};

use crate::parameters::Parameter;
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
    OPENSSL_version_major() -> c_uint;
    OPENSSL_version_minor() -> c_uint;
    OSSL_LIB_CTX_new() -> Pointer;
    OSSL_LIB_CTX_free(Pointer);
    OSSL_PROVIDER_load(Pointer, *const c_char) -> Pointer;
    OSSL_PROVIDER_unload(Pointer) -> c_int;
    OSSL_PROVIDER_get_capabilities(Pointer, *const c_char, Callback, Pointer) -> c_int;
    OSSL_PARAM_dup(*const Parameter) -> *mut Parameter;
    OSSL_PARAM_free(*mut Parameter);
    EVP_KEYMGMT_fetch(Pointer, *const c_char, *const c_char) -> Pointer;
    EVP_KEYMGMT_free(Pointer);
    EVP_KEYMGMT_gettable_params(Pointer) -> *const Parameter;
    EVP_KEYMGMT_settable_params(Pointer) -> *const Parameter;
    EVP_KEYMGMT_gen_settable_params(Pointer) -> *const Parameter;
    EVP_SIGNATURE_fetch(Pointer, *const c_char, *const c_char) -> Pointer;
    EVP_SIGNATURE_free(Pointer);
    EVP_SIGNATURE_gettable_ctx_params(Pointer) -> *const Parameter;
    EVP_SIGNATURE_settable_ctx_params(Pointer) -> *const Parameter;
    EVP_ASYM_CIPHER_fetch(Pointer, *const c_char, *const c_char) -> Pointer;
    EVP_ASYM_CIPHER_free(Pointer);
    EVP_ASYM_CIPHER_gettable_ctx_params(Pointer) -> *const Parameter;
    EVP_ASYM_CIPHER_settable_ctx_params(Pointer) -> *const Parameter;
    EVP_KEYEXCH_fetch(Pointer, *const c_char, *const c_char) -> Pointer;
    EVP_KEYEXCH_free(Pointer);
    EVP_KEYEXCH_gettable_ctx_params(Pointer) -> *const Parameter;
    EVP_KEYEXCH_settable_ctx_params(Pointer) -> *const Parameter;
    EVP_PKEY_dup(Pointer) -> Pointer;
    EVP_PKEY_free(Pointer);
    EVP_PKEY_set_params(Pointer, *mut Parameter) -> c_int;
    EVP_PKEY_get_params(Pointer, *mut Parameter) -> c_int;
    EVP_PKEY_export(Pointer, c_int, Callback, Pointer) -> c_int;
    EVP_PKEY_eq(Pointer, Pointer) -> c_int;
    EVP_PKEY_parameters_eq(Pointer, Pointer) -> c_int;
    EVP_PKEY_fromdata_init(Pointer) -> c_int;
    EVP_PKEY_fromdata(Pointer, *mut Pointer, c_int, *mut Parameter) -> c_int;
    EVP_PKEY_keygen_init(Pointer) -> c_int;
    EVP_PKEY_paramgen_init(Pointer) -> c_int;
    EVP_PKEY_generate(Pointer, *mut Pointer) -> c_int;
    EVP_PKEY_param_check(Pointer) -> c_int;
    EVP_PKEY_param_check_quick(Pointer) -> c_int;
    EVP_PKEY_public_check(Pointer) -> c_int;
    EVP_PKEY_public_check_quick(Pointer) -> c_int;
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
    EVP_PKEY_derive_init_ex(Pointer, *const Parameter) -> c_int;
    EVP_PKEY_derive_set_peer_ex(Pointer, Pointer, c_int) -> c_int;
    EVP_PKEY_derive(Pointer, *mut c_uchar, *mut usize) -> c_int;
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
const DH: &CStr = c"DH";
const DEFAULT: &CStr = c"provider=default";
/// The longest hash, and the longest name of a digest in the default provider.
const MOST_OCTETS: usize = 64;

/// A reason of errors that all of OpenSSL's libraries have.
#[derive(Clone, Copy)]
pub(crate) enum Reason {
    /// The space for a result is too short, or an argument is missing or wrong.
    InvalidArgument = 262 | (2 << 18),
}

/// The kinds of keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Rsa,
    /// RSA for PSS alone, perhaps with a hash function and a shortest salt.
    RsaPss,
    /// Diffie–Hellman by PKCS #3: a prime, a generator, perhaps a length of private keys.
    Dh,
    /// Diffie–Hellman by X9.42: with the order of the generator.
    Dhx,
}

impl Kind {
    /// The name of the kind.
    fn name(self) -> &'static CStr {
        match self {
            Kind::Rsa => RSA,
            Kind::RsaPss => c"RSA-PSS",
            Kind::Dh => DH,
            Kind::Dhx => c"DHX",
        }
    }

    /// The name under which operations with these keys are found.
    pub(crate) fn operations(self) -> &'static CStr {
        match self {
            Kind::Rsa | Kind::RsaPss => RSA,
            Kind::Dh | Kind::Dhx => DH,
        }
    }
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

    /// A context of the system's libcrypto; None, in a loud line, if there is none.
    #[cfg(test)]
    pub(crate) fn of_the_system() -> Option<Arc<Child>> {
        // SAFETY: the names are strings, and null is no handle; the library stays open, and the function is its own.
        unsafe {
            let library = NonNull::new(libc::dlopen(c"libcrypto.so.3".as_ptr(), libc::RTLD_LAZY));
            let function = library.map(|library| libc::dlsym(library.as_ptr(), c"OSSL_LIB_CTX_new".as_ptr()));
            match function {
                Some(function) => Child::new(function),
                None => {
                    eprintln!("NOT TESTED: libcrypto.so.3 is not installed: apt-get install libssl3");
                    None
                }
            }
        }
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

    /// Whether the default provider computes a power to check a public value, even in the groups whose primes it knows. It
    /// does so up to OpenSSL 3.3.
    pub(crate) fn checks_by_powers(&self) -> bool {
        let f = &self.functions;
        // SAFETY: they have no arguments.
        unsafe { ((f.OPENSSL_version_major)(), (f.OPENSSL_version_minor)()) < (3, 4) }
    }

    /// What the default provider tells of a key, takes for one, and takes to make one.
    pub(crate) fn key_lists(&self, kind: Kind) -> [*const Parameter; 3] {
        let f = &self.functions;
        // SAFETY: the context lives, the names are strings; the lists are constants of the default provider.
        unsafe {
            let found = (f.EVP_KEYMGMT_fetch)(self.context, kind.name().as_ptr(), DEFAULT.as_ptr());
            if found.is_null() {
                return [ptr::null(); 3];
            }
            let [gettable, settable] =
                [(f.EVP_KEYMGMT_gettable_params)(found), (f.EVP_KEYMGMT_settable_params)(found)];
            let lists = [gettable, settable, (f.EVP_KEYMGMT_gen_settable_params)(found)];
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

    /// What the default provider tells of a key exchange, and takes for one.
    pub(crate) fn exchange_lists(&self) -> [*const Parameter; 2] {
        let f = &self.functions;
        // SAFETY: the context lives, the names are strings; the lists are constants of the default provider.
        unsafe {
            let found = (f.EVP_KEYEXCH_fetch)(self.context, DH.as_ptr(), DEFAULT.as_ptr());
            if found.is_null() {
                return [ptr::null(); 2];
            }
            let gettable = (f.EVP_KEYEXCH_gettable_ctx_params)(found);
            let lists = [gettable, (f.EVP_KEYEXCH_settable_ctx_params)(found)];
            (f.EVP_KEYEXCH_free)(found);
            lists
        }
    }

    /// Gives what the default provider has under the name of a capability to a function, list by list.
    ///
    /// # Safety
    /// The name is a string; the function may be called with the argument and a list.
    pub(crate) unsafe fn capabilities(
        &self,
        name: *const c_char,
        function: Callback,
        argument: Pointer,
    ) -> bool {
        // SAFETY: the provider lives; the caller's promise.
        unsafe {
            (self.functions.OSSL_PROVIDER_get_capabilities)(self.default, name, function, argument) == 1
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
