//! Key management of RSA: the functions that OpenSSL calls with keys.

use super::{
    Dispatch, at, handed_out,
    provider::{list, provider},
    status, taken_back,
};
use crate::key::{Key, PRIVATE, PUBLIC};
use crate::libcrypto::{Callback, Generation};
use crate::parameters::{Parameter, Parameters, UNSIGNED_INTEGER};
use crate::provider::Provider;
use std::ffi::{c_char, c_int, c_void};
use std::ptr;
use std::sync::Arc;

pub(super) static FUNCTIONS: [Dispatch; 19] = [
    Dispatch::new(1, new as *const ()),
    Dispatch::new(2, gen_init as *const ()),
    Dispatch::new(4, gen_set_params as *const ()),
    Dispatch::new(5, gen_settable_params as *const ()),
    Dispatch::new(6, generate as *const ()),
    Dispatch::new(7, gen_cleanup as *const ()),
    Dispatch::new(10, free as *const ()),
    Dispatch::new(11, get_params as *const ()),
    Dispatch::new(12, gettable_params as *const ()),
    Dispatch::new(20, query_operation_name as *const ()),
    Dispatch::new(21, has as *const ()),
    Dispatch::new(22, validate as *const ()),
    Dispatch::new(23, matches as *const ()),
    Dispatch::new(40, import as *const ()),
    Dispatch::new(41, types as *const ()),
    Dispatch::new(42, export as *const ()),
    Dispatch::new(43, types as *const ()),
    Dispatch::new(44, duplicate as *const ()),
    Dispatch::END,
];

/// The numbers of a key, of up to ten primes.
static NUMBERS: [Parameter; 33] = {
    macro_rules! numbers {
        ($($name:literal)*) => { [$(Parameter::described($name, UNSIGNED_INTEGER),)* Parameter::END] };
    }
    numbers!(
        c"n" c"e" c"d"
        c"rsa-factor1" c"rsa-factor2" c"rsa-factor3" c"rsa-factor4" c"rsa-factor5"
        c"rsa-factor6" c"rsa-factor7" c"rsa-factor8" c"rsa-factor9" c"rsa-factor10"
        c"rsa-exponent1" c"rsa-exponent2" c"rsa-exponent3" c"rsa-exponent4" c"rsa-exponent5"
        c"rsa-exponent6" c"rsa-exponent7" c"rsa-exponent8" c"rsa-exponent9" c"rsa-exponent10"
        c"rsa-coefficient1" c"rsa-coefficient2" c"rsa-coefficient3" c"rsa-coefficient4" c"rsa-coefficient5"
        c"rsa-coefficient6" c"rsa-coefficient7" c"rsa-coefficient8" c"rsa-coefficient9"
    )
};
/// The same without the numbers of a private key.
static PUBLIC_NUMBERS: [Parameter; 3] = [
    Parameter::described(c"n", UNSIGNED_INTEGER),
    Parameter::described(c"e", UNSIGNED_INTEGER),
    Parameter::END,
];

/// What OpenSSL keeps as a key: one that has been imported or made, or still none.
pub(super) struct Slot {
    provider: Arc<Provider>,
    pub(super) key: Option<Arc<Key>>,
}

/// The key of a slot.
///
/// # Safety
/// The pointer is null or one of a slot that OpenSSL has not freed.
pub(super) unsafe fn key(slot: *mut c_void) -> Option<Arc<Key>> {
    // SAFETY: the caller's promise; a slot changes only before its key is used.
    unsafe { slot.cast::<Slot>().as_ref() }?.key.clone()
}

/// # Safety
/// The context is the provider's.
unsafe extern "C" fn new(context: *mut c_void) -> *mut c_void {
    // SAFETY: the core's promise.
    handed_out(|| Some(Slot { provider: unsafe { provider(context) }?.clone(), key: None }))
}

/// # Safety
/// The slot is one of this file, and used no more.
unsafe extern "C" fn free(slot: *mut c_void) {
    // SAFETY: the core's promise.
    unsafe { taken_back::<Slot>(slot) }
}

/// # Safety
/// The slot is one of this file.
unsafe extern "C" fn has(slot: *mut c_void, selection: c_int) -> c_int {
    // SAFETY: the core's promise.
    status(|| match unsafe { key(slot) } {
        Some(key) => key.has(selection).then_some(()),
        None => (selection & (PRIVATE | PUBLIC) == 0).then_some(()),
    })
}

/// # Safety
/// The slot is one of this file that nobody else uses yet; the list ends.
unsafe extern "C" fn import(slot: *mut c_void, selection: c_int, list: *const Parameter) -> c_int {
    // SAFETY: the core's promise.
    status(|| unsafe {
        let slot = at::<Slot>(slot)?;
        slot.key = Some(Arc::new(Key::import(&slot.provider, selection, Parameters::at(list))?));
        Some(())
    })
}

/// # Safety
/// The slot is one of this file; the function may be called with the argument and a list.
unsafe extern "C" fn export(
    slot: *mut c_void,
    selection: c_int,
    function: Option<Callback>,
    argument: *mut c_void,
) -> c_int {
    // SAFETY: the core's promise.
    status(|| unsafe { key(slot)?.child.export(selection, function?, argument).then_some(()) })
}

/// The numbers that are imported and exported with a selection.
extern "C" fn types(selection: c_int) -> *const Parameter {
    match (selection & PRIVATE != 0, selection & PUBLIC != 0) {
        (true, _) => NUMBERS.as_ptr(),
        (false, true) => PUBLIC_NUMBERS.as_ptr(),
        (false, false) => ptr::null(),
    }
}

/// # Safety
/// The slot is one of this file. The selection is that of both halves, or of less: a key with its private half serves as
/// one without.
unsafe extern "C" fn duplicate(slot: *mut c_void, selection: c_int) -> *mut c_void {
    handed_out(|| {
        // SAFETY: the core's promise.
        let (slot, key) = unsafe { (slot.cast::<Slot>().as_ref()?, key(slot)) };
        let is_whole = key.as_ref().is_none_or(|key| selection & PRIVATE != 0 || !key.has(PRIVATE));
        is_whole.then(|| Slot { provider: slot.provider.clone(), key })
    })
}

/// # Safety
/// The slot is one of this file, and the list may be answered.
unsafe extern "C" fn get_params(slot: *mut c_void, list: *mut Parameter) -> c_int {
    // SAFETY: the core's promise.
    status(|| unsafe { key(slot)?.child.answer(Parameters::at(list)).then_some(()) })
}

/// # Safety
/// The context is the provider's.
unsafe extern "C" fn gettable_params(context: *mut c_void) -> *const Parameter {
    // SAFETY: the core's promise.
    unsafe { list(context, |child| child.key_lists()[0]) }
}

/// The name under which signatures and encryption with these keys are found.
extern "C" fn query_operation_name(_operation: c_int) -> *const c_char {
    c"RSA".as_ptr()
}

/// # Safety
/// The slot is one of this file.
unsafe extern "C" fn validate(slot: *mut c_void, selection: c_int, _check: c_int) -> c_int {
    status(|| {
        // SAFETY: the core's promise.
        let key = unsafe { key(slot) }?;
        key.child.is_valid(selection & PUBLIC != 0, selection & PRIVATE != 0).then_some(())
    })
}

/// # Safety
/// Both are slots of this file.
unsafe extern "C" fn matches(one: *mut c_void, other: *mut c_void, selection: c_int) -> c_int {
    status(|| {
        // SAFETY: the core's promise.
        let (one, other) = unsafe { (key(one)?, key(other)?) };
        (selection & (PRIVATE | PUBLIC) == 0 || one.child.equals(&other.child)).then_some(())
    })
}

/// A key that will be made.
struct Making {
    provider: Arc<Provider>,
    generation: Generation,
}

/// # Safety
/// The context is the provider's, and the list ends.
unsafe extern "C" fn gen_init(context: *mut c_void, selection: c_int, list: *const Parameter) -> *mut c_void {
    handed_out(|| {
        // SAFETY: the core's promise.
        let (provider, settings) = unsafe { (provider(context)?.clone(), Parameters::at(list)) };
        let generation = Generation::new(&provider.child)?;
        let is_set = list.is_null() || generation.set(settings);
        (selection & (PRIVATE | PUBLIC) != 0 && is_set).then_some(Making { provider, generation })
    })
}

/// # Safety
/// The pointer is one of `gen_init`, and the list ends.
unsafe extern "C" fn gen_set_params(making: *mut c_void, list: *const Parameter) -> c_int {
    // SAFETY: the core's promise.
    status(|| unsafe { at::<Making>(making)?.generation.set(Parameters::at(list)).then_some(()) })
}

/// # Safety
/// The context is the provider's.
unsafe extern "C" fn gen_settable_params(_making: *mut c_void, context: *mut c_void) -> *const Parameter {
    // SAFETY: the core's promise.
    unsafe { list(context, |child| child.key_lists()[1]) }
}

/// # Safety
/// The pointer is one of `gen_init`.
unsafe extern "C" fn generate(
    making: *mut c_void,
    _function: Option<Callback>,
    _argument: *mut c_void,
) -> *mut c_void {
    handed_out(|| {
        // SAFETY: the core's promise.
        let Making { provider, generation } = unsafe { at::<Making>(making) }?;
        let key = Arc::new(Key::new(provider, generation.run()?, true));
        Some(Slot { provider: provider.clone(), key: Some(key) })
    })
}

/// # Safety
/// The pointer is one of `gen_init`, and used no more.
unsafe extern "C" fn gen_cleanup(making: *mut c_void) {
    // SAFETY: the core's promise.
    unsafe { taken_back::<Making>(making) }
}
