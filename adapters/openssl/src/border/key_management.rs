//! Key management: the functions that OpenSSL calls with keys.

use super::{
    Dispatch, at, handed_out,
    provider::{list, provider},
    status, taken_back,
};
use crate::key::{BOTH, Key, PARAMETERS, PRIVATE, PUBLIC};
use crate::libcrypto::{Callback, Kind};
use crate::making::Making;
use crate::parameters::{INTEGER, OCTET_STRING, Parameter, Parameters, UNSIGNED_INTEGER, UTF8_STRING};
use crate::provider::Provider;
use std::ffi::{c_char, c_int, c_void};
use std::ptr;
use std::sync::Arc;

pub(super) static RSA: [Dispatch; 22] = functions::<{ Kind::Rsa as usize }>();
pub(super) static RSA_PSS: [Dispatch; 22] = functions::<{ Kind::RsaPss as usize }>();
pub(super) static DH: [Dispatch; 22] = functions::<{ Kind::Dh as usize }>();
pub(super) static DHX: [Dispatch; 22] = functions::<{ Kind::Dhx as usize }>();

/// The kinds in the order of their numbers.
const KINDS: [Kind; 4] = [Kind::Rsa, Kind::RsaPss, Kind::Dh, Kind::Dhx];

/// The functions of a kind. Those behind `duplicate` are of keys whose parameters come before their halves.
const fn functions<const KIND: usize>() -> [Dispatch; 22] {
    [
        Dispatch::new(1, new::<KIND> as *const ()),
        Dispatch::new(2, gen_init::<KIND> as *const ()),
        Dispatch::new(4, gen_set_params as *const ()),
        Dispatch::new(5, gen_settable_params::<KIND> as *const ()),
        Dispatch::new(6, generate as *const ()),
        Dispatch::new(7, gen_cleanup as *const ()),
        Dispatch::new(10, free as *const ()),
        Dispatch::new(11, get_params as *const ()),
        Dispatch::new(12, gettable_params::<KIND> as *const ()),
        Dispatch::new(20, query_operation_name::<KIND> as *const ()),
        Dispatch::new(21, has as *const ()),
        Dispatch::new(22, validate as *const ()),
        Dispatch::new(23, matches as *const ()),
        Dispatch::new(40, import as *const ()),
        Dispatch::new(41, types::<KIND> as *const ()),
        Dispatch::new(42, export as *const ()),
        Dispatch::new(43, types::<KIND> as *const ()),
        Dispatch::new(44, duplicate as *const ()),
        match KINDS[KIND] {
            Kind::Rsa | Kind::RsaPss => Dispatch::END,
            Kind::Dh | Kind::Dhx => Dispatch::new(3, gen_set_template as *const ()),
        },
        Dispatch::new(13, set_params as *const ()),
        Dispatch::new(14, settable_params::<KIND> as *const ()),
        Dispatch::END,
    ]
}

/// The numbers of a key of RSA, of up to ten primes.
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

/// The values of a key of Diffie–Hellman. Those of its group come first, and are values of their own.
static EXCHANGE_VALUES: [Parameter; 13] = [
    Parameter::described(c"p", UNSIGNED_INTEGER),
    Parameter::described(c"q", UNSIGNED_INTEGER),
    Parameter::described(c"g", UNSIGNED_INTEGER),
    Parameter::described(c"j", UNSIGNED_INTEGER),
    Parameter::described(c"gindex", INTEGER),
    Parameter::described(c"pcounter", INTEGER),
    Parameter::described(c"hindex", INTEGER),
    Parameter::described(c"priv_len", INTEGER),
    Parameter::described(c"seed", OCTET_STRING),
    Parameter::described(c"group", UTF8_STRING),
    Parameter::described(c"pub", UNSIGNED_INTEGER),
    Parameter::described(c"priv", UNSIGNED_INTEGER),
    Parameter::END,
];

/// What OpenSSL keeps as a key: one that has been imported or made, or still none.
pub(super) struct Slot {
    provider: Arc<Provider>,
    kind: Kind,
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
unsafe extern "C" fn new<const KIND: usize>(context: *mut c_void) -> *mut c_void {
    handed_out(|| {
        // SAFETY: the core's promise.
        let provider = unsafe { provider(context) }?.clone();
        Some(Slot { provider, kind: KINDS[KIND], key: None })
    })
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
    status(|| {
        // SAFETY: the core's promise.
        let slot = unsafe { slot.cast::<Slot>().as_ref() }?;
        let has = match (&slot.key, slot.kind) {
            (Some(key), _) => key.has(selection),
            (None, Kind::Rsa | Kind::RsaPss) => selection & BOTH == 0,
            (None, Kind::Dh | Kind::Dhx) => selection & (BOTH | PARAMETERS) == 0,
        };
        has.then_some(())
    })
}

/// # Safety
/// The slot is one of this file that nobody else uses yet; the list ends.
unsafe extern "C" fn import(slot: *mut c_void, selection: c_int, list: *const Parameter) -> c_int {
    // SAFETY: the core's promise.
    status(|| unsafe {
        let slot = at::<Slot>(slot)?;
        slot.key = Some(Arc::new(Key::import(&slot.provider, slot.kind, selection, Parameters::at(list))?));
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

/// The values that are imported and exported with a selection.
extern "C" fn types<const KIND: usize>(selection: c_int) -> *const Parameter {
    let (has_private, has_public) = (selection & PRIVATE != 0, selection & PUBLIC != 0);
    match KINDS[KIND] {
        Kind::Rsa | Kind::RsaPss if has_private => NUMBERS.as_ptr(),
        Kind::Rsa | Kind::RsaPss if has_public => PUBLIC_NUMBERS.as_ptr(),
        Kind::Dh | Kind::Dhx if selection & (BOTH | PARAMETERS) != 0 => EXCHANGE_VALUES.as_ptr(),
        _ => ptr::null(),
    }
}

/// # Safety
/// The slot is one of this file.
unsafe extern "C" fn duplicate(slot: *mut c_void, selection: c_int) -> *mut c_void {
    handed_out(|| {
        // SAFETY: the core's promise.
        let (slot, key) = unsafe { (slot.cast::<Slot>().as_ref()?, key(slot)) };
        let key = match key {
            None => None,
            Some(key) => Some(key.part(selection)?),
        };
        Some(Slot { provider: slot.provider.clone(), kind: slot.kind, key })
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
unsafe extern "C" fn gettable_params<const KIND: usize>(context: *mut c_void) -> *const Parameter {
    // SAFETY: the core's promise.
    unsafe { list(context, |child| child.key_lists(KINDS[KIND])[0]) }
}

/// # Safety
/// The slot is one of this file that nobody else uses, and the list ends. Operations that were begun go on with the key
/// as it was.
unsafe extern "C" fn set_params(slot: *mut c_void, list: *const Parameter) -> c_int {
    // SAFETY: the core's promise.
    status(|| unsafe {
        let slot = at::<Slot>(slot)?;
        slot.key = Some(Arc::new(slot.key.as_ref()?.with(Parameters::at(list))?));
        Some(())
    })
}

/// # Safety
/// The context is the provider's.
unsafe extern "C" fn settable_params<const KIND: usize>(context: *mut c_void) -> *const Parameter {
    // SAFETY: the core's promise.
    unsafe { list(context, |child| child.key_lists(KINDS[KIND])[1]) }
}

/// The name under which operations with these keys are found.
extern "C" fn query_operation_name<const KIND: usize>(_operation: c_int) -> *const c_char {
    KINDS[KIND].operations().as_ptr()
}

/// # Safety
/// The slot is one of this file.
unsafe extern "C" fn validate(slot: *mut c_void, selection: c_int, check: c_int) -> c_int {
    const QUICK: c_int = 1;
    // SAFETY: the core's promise.
    status(|| unsafe { key(slot) }?.is_valid(selection, check == QUICK).then_some(()))
}

/// # Safety
/// Both are slots of this file.
unsafe extern "C" fn matches(one: *mut c_void, other: *mut c_void, selection: c_int) -> c_int {
    status(|| {
        // SAFETY: the core's promise.
        let (one, other) = unsafe { (key(one)?, key(other)?) };
        let are_same = (selection & BOTH == 0 || one.child.equals(&other.child))
            && (selection & PARAMETERS == 0 || one.child.has_the_parameters_of(&other.child));
        are_same.then_some(())
    })
}

/// # Safety
/// The context is the provider's, and the list ends.
unsafe extern "C" fn gen_init<const KIND: usize>(
    context: *mut c_void,
    selection: c_int,
    list: *const Parameter,
) -> *mut c_void {
    handed_out(|| {
        // SAFETY: the core's promise.
        let (provider, settings) = unsafe { (provider(context)?, Parameters::at(list)) };
        Making::new(provider, KINDS[KIND], selection & BOTH != 0, settings)
    })
}

/// # Safety
/// The pointers are one of `gen_init` and one of a slot of this file.
unsafe extern "C" fn gen_set_template(making: *mut c_void, slot: *mut c_void) -> c_int {
    // SAFETY: the core's promise.
    status(|| unsafe { at::<Making>(making)?.set_template(key(slot)?) })
}

/// # Safety
/// The pointer is one of `gen_init`, and the list ends.
unsafe extern "C" fn gen_set_params(making: *mut c_void, list: *const Parameter) -> c_int {
    // SAFETY: the core's promise.
    status(|| unsafe { at::<Making>(making)?.set(Parameters::at(list)) })
}

/// # Safety
/// The context is the provider's.
unsafe extern "C" fn gen_settable_params<const KIND: usize>(
    _making: *mut c_void,
    context: *mut c_void,
) -> *const Parameter {
    // SAFETY: the core's promise.
    unsafe { list(context, |child| child.key_lists(KINDS[KIND])[2]) }
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
        let key = unsafe { at::<Making>(making) }?.run()?;
        Some(Slot { provider: key.provider.clone(), kind: key.child.kind, key: Some(Arc::new(key)) })
    })
}

/// # Safety
/// The pointer is one of `gen_init`, and used no more.
unsafe extern "C" fn gen_cleanup(making: *mut c_void) {
    // SAFETY: the core's promise.
    unsafe { taken_back::<Making>(making) }
}
