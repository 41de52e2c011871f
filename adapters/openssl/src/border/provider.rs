//! The provider itself: what it is called, and which algorithms it has.

use super::{Dispatch, caught, cipher, exchange, handed_out, key_management, signature, status, taken_back};
use crate::libcrypto::{Callback, Child};
use crate::parameters::{Parameter, Parameters, UTF8_PTR};
use crate::provider::Provider;
use std::ffi::{CStr, OsStr, c_char, c_int, c_void};
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;
use std::ptr;
use std::sync::Arc;

/// An algorithm, with all its names and a table of its functions; names of null end a list.
#[repr(C)]
struct Algorithm {
    names: *const c_char,
    properties: *const c_char,
    functions: *const Dispatch,
    description: *const c_char,
}

// SAFETY: lists of algorithms are constant.
unsafe impl Sync for Algorithm {}

impl Algorithm {
    const END: Algorithm = Algorithm {
        names: ptr::null(),
        properties: ptr::null(),
        functions: ptr::null(),
        description: ptr::null(),
    };

    const fn new(
        names: &'static CStr,
        functions: &'static [Dispatch],
        description: &'static CStr,
    ) -> Algorithm {
        Algorithm {
            names: names.as_ptr(),
            properties: c"provider=monpro".as_ptr(),
            functions: functions.as_ptr(),
            description: description.as_ptr(),
        }
    }
}

/// The names of kinds of keys in the default provider.
const RSA: &CStr = c"RSA:rsaEncryption:1.2.840.113549.1.1.1";
const RSA_PSS: &CStr = c"RSA-PSS:RSASSA-PSS:1.2.840.113549.1.1.10";
const DH: &CStr = c"DH:dhKeyAgreement:1.2.840.113549.1.3.1";
const DHX: &CStr = c"DHX:X9.42 DH:dhpublicnumber:1.2.840.10046.2.1";

static KEY_MANAGEMENT: [Algorithm; 5] = [
    Algorithm::new(RSA, &key_management::RSA, c"RSA keys of monpro"),
    Algorithm::new(RSA_PSS, &key_management::RSA_PSS, c"RSA-PSS keys of monpro"),
    Algorithm::new(DH, &key_management::DH, c"DH keys of monpro"),
    Algorithm::new(DHX, &key_management::DHX, c"DHX keys of monpro"),
    Algorithm::END,
];
static SIGNATURE: [Algorithm; 2] =
    [Algorithm::new(RSA, &signature::FUNCTIONS, c"RSA signatures of monpro"), Algorithm::END];
static CIPHER: [Algorithm; 2] =
    [Algorithm::new(RSA, &cipher::FUNCTIONS, c"RSA encryption of monpro"), Algorithm::END];
static EXCHANGE: [Algorithm; 2] =
    [Algorithm::new(DH, &exchange::FUNCTIONS, c"DH key exchange of monpro"), Algorithm::END];

static FUNCTIONS: [Dispatch; 6] = [
    Dispatch::new(1024, teardown as *const ()),
    Dispatch::new(1025, gettable_params as *const ()),
    Dispatch::new(1026, get_params as *const ()),
    Dispatch::new(1027, query_operation as *const ()),
    Dispatch::new(1030, get_capabilities as *const ()),
    Dispatch::END,
];

/// What the core takes of a provider: its version and its state.
static GETTABLE: [Parameter; 5] = [
    Parameter::described(c"name", UTF8_PTR),
    Parameter::described(c"version", UTF8_PTR),
    Parameter::described(c"buildinfo", UTF8_PTR),
    Parameter::described(c"status", crate::parameters::INTEGER),
    Parameter::END,
];

/// The number of the core's function that reads the section of the provider in the configuration.
const CORE_GET_PARAMS: c_int = 2;
// SAFETY: the type of the core's function, called with the core's handle and a list that ends.
type CoreGetParams = unsafe extern "C" fn(*const c_void, *mut Parameter) -> c_int;

/// What OpenSSL calls when it has loaded the module. 1 if the provider is ready; 0 if this libcrypto cannot serve it.
///
/// # Safety
/// The core calls it, with a handle and a table of its functions.
// SAFETY: nothing else in the module has this name.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn OSSL_provider_init(
    handle: *const c_void,
    core: *const Dispatch,
    functions: *mut *const Dispatch,
    context: *mut *mut c_void,
) -> c_int {
    let made = handed_out(|| {
        // SAFETY: the core's promise: its table ends, and the functions are libcrypto's.
        unsafe {
            let get_params = function(core, CORE_GET_PARAMS)?;
            let child = Child::new(get_params)?;
            Some(Arc::new(Provider::new(child, report(handle, get_params))))
        }
    });
    if made.is_null() {
        return 0;
    }
    // SAFETY: the core's promise: both can be written.
    unsafe {
        *functions = FUNCTIONS.as_ptr();
        *context = made;
    }
    1
}

/// The function of this number.
///
/// # Safety
/// The table ends.
unsafe fn function(mut table: *const Dispatch, id: c_int) -> Option<*const c_void> {
    // SAFETY: the caller's promise: the table can be read to its end.
    while let Some(entry) = unsafe { table.as_ref() }.filter(|entry| entry.id != 0) {
        if entry.id == id {
            return Some(entry.function);
        }
        table = table.wrapping_add(1);
    }
    None
}

/// The file that the configuration names for counts: `report = FILE` in the provider's section.
///
/// # Safety
/// The handle is the core's, and the function its own of this type.
unsafe fn report(handle: *const c_void, get_params: *const c_void) -> Option<PathBuf> {
    // SAFETY: the caller's promise.
    let get_params = unsafe { std::mem::transmute::<*const c_void, CoreGetParams>(get_params) };
    let mut address = ptr::null();
    let mut list = [Parameter::address(c"report", UTF8_PTR, &mut address), Parameter::END];
    // SAFETY: the handle is the core's; the list ends; what is found is a string of the configuration.
    unsafe {
        if get_params(handle, list.as_mut_ptr()) != 1 || address.is_null() {
            return None;
        }
        Some(PathBuf::from(OsStr::from_bytes(CStr::from_ptr(address.cast()).to_bytes())))
    }
}

/// The provider that OpenSSL keeps.
///
/// # Safety
/// The pointer is the one that [`OSSL_provider_init`] has given.
pub(super) unsafe fn provider<'a>(context: *mut c_void) -> Option<&'a Arc<Provider>> {
    // SAFETY: the caller's promise; a provider is never changed.
    unsafe { context.cast::<Arc<Provider>>().as_ref() }
}

/// A list of what may be asked or set, of the default provider; null without a provider.
///
/// # Safety
/// The context is the provider's.
pub(super) unsafe fn list(
    context: *mut c_void,
    choose: impl FnOnce(&Child) -> *const Parameter,
) -> *const Parameter {
    // SAFETY: the caller's promise.
    caught(ptr::null(), || unsafe { provider(context) }.map_or(ptr::null(), |own| choose(&own.child)))
}

/// # Safety
/// The core gives the provider back, which it uses no more.
unsafe extern "C" fn teardown(context: *mut c_void) {
    // SAFETY: the core's promise.
    unsafe { taken_back::<Arc<Provider>>(context) }
}

extern "C" fn gettable_params(_context: *mut c_void) -> *const Parameter {
    GETTABLE.as_ptr()
}

/// # Safety
/// The list is one that may be answered.
unsafe extern "C" fn get_params(_context: *mut c_void, list: *mut Parameter) -> c_int {
    const VERSION: &CStr =
        match CStr::from_bytes_with_nul(concat!(env!("CARGO_PKG_VERSION"), "\0").as_bytes()) {
            Ok(version) => version,
            Err(_) => c"",
        };
    // SAFETY: the core's promise.
    let questions = unsafe { Parameters::at(list) };
    for (name, text) in [(c"name", c"monpro: RSA, DH"), (c"version", VERSION), (c"buildinfo", VERSION)] {
        questions.answer_address(name, text);
    }
    questions.answer_integer(c"status", 1);
    1
}

/// # Safety
/// `no_cache` can be written.
unsafe extern "C" fn query_operation(
    _context: *mut c_void,
    operation: c_int,
    no_cache: *mut c_int,
) -> *const Algorithm {
    // SAFETY: the core's promise.
    if let Some(no_cache) = unsafe { no_cache.as_mut() } {
        *no_cache = 0;
    }
    match operation {
        10 => KEY_MANAGEMENT.as_ptr(),
        11 => EXCHANGE.as_ptr(),
        12 => SIGNATURE.as_ptr(),
        13 => CIPHER.as_ptr(),
        _ => ptr::null(),
    }
}

/// The groups of TLS. libssl takes a group from the provider alone of which it would take the group's keys.
///
/// # Safety
/// The context is the provider's, and the name is a string; the function may be called with the argument and a list.
unsafe extern "C" fn get_capabilities(
    context: *mut c_void,
    name: *const c_char,
    function: Option<Callback>,
    argument: *mut c_void,
) -> c_int {
    status(|| {
        let mut taker = Taker { function: function?, argument };
        let argument = ptr::from_mut(&mut taker).cast();
        // SAFETY: the core's promise; `pass_on` takes a taker, which lives until the function returns.
        unsafe { provider(context)?.child.capabilities(name, pass_on, argument).then_some(()) }
    })
}

/// Who asks for capabilities.
struct Taker {
    function: Callback,
    argument: *mut c_void,
}

/// Passes a group of Diffie–Hellman on, and no other.
///
/// # Safety
/// The list ends, and the argument is a taker.
unsafe extern "C" fn pass_on(list: *const Parameter, taker: *mut c_void) -> c_int {
    // SAFETY: the caller's promise.
    let (group, taker) = unsafe { (Parameters::at(list), &*taker.cast::<Taker>()) };
    match group.string(c"tls-group-alg").as_deref() {
        // SAFETY: the taker's function takes its argument and a list.
        Some(b"DH") => unsafe { (taker.function)(list, taker.argument) },
        _ => 1,
    }
}
