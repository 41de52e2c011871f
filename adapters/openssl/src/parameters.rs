//! OpenSSL's lists of named values, `OSSL_PARAM`.

use std::ffi::{CStr, c_char, c_int, c_uint, c_void};
use std::marker::PhantomData;
use std::ptr::{self, NonNull};
use zeroize::Zeroizing;

pub(crate) const INTEGER: c_uint = 1;
pub(crate) const UNSIGNED_INTEGER: c_uint = 2;
pub(crate) const UTF8_STRING: c_uint = 4;
pub(crate) const UTF8_PTR: c_uint = 6;
pub(crate) const OCTET_PTR: c_uint = 7;
/// The size of a value that was not given.
const UNMODIFIED: usize = usize::MAX;

/// One named value; a name of null ends a list.
#[repr(C)]
pub(crate) struct Parameter {
    key: *const c_char,
    data_type: c_uint,
    data: *mut c_void,
    data_size: usize,
    return_size: usize,
}

// SAFETY: the lists that are shared are constant, and their data is null.
unsafe impl Sync for Parameter {}

impl Parameter {
    pub(crate) const END: Parameter = Parameter::new(None, 0, ptr::null_mut(), 0);

    /// The name and the type of a value.
    pub(crate) const fn described(name: &'static CStr, data_type: c_uint) -> Parameter {
        Parameter::new(Some(name), data_type, ptr::null_mut(), 0)
    }

    const fn new(
        name: Option<&'static CStr>,
        data_type: c_uint,
        data: *mut c_void,
        size: usize,
    ) -> Parameter {
        let key = match name {
            Some(name) => name.as_ptr(),
            None => ptr::null(),
        };
        Parameter { key, data_type, data, data_size: size, return_size: UNMODIFIED }
    }

    /// A place for a number, or a number.
    pub(crate) fn integer(name: &'static CStr, value: &mut c_int) -> Parameter {
        Parameter::new(Some(name), INTEGER, ptr::from_mut(value).cast(), size_of::<c_int>())
    }

    /// A place for a string.
    pub(crate) fn text(name: &'static CStr, value: &mut [u8]) -> Parameter {
        Parameter::new(Some(name), UTF8_STRING, value.as_mut_ptr().cast(), value.len())
    }

    /// A string that is read.
    pub(crate) fn given_text(name: &'static CStr, value: &CStr) -> Parameter {
        Parameter::new(Some(name), UTF8_STRING, value.as_ptr().cast_mut().cast(), value.count_bytes())
    }

    /// A place for the address of a string or of octets, which stay the answerer's.
    pub(crate) fn address(name: &'static CStr, data_type: c_uint, address: &mut *const c_void) -> Parameter {
        Parameter::new(Some(name), data_type, ptr::from_mut(address).cast(), 0)
    }

    /// How long the answer is; None if there was none.
    pub(crate) fn answered(&self) -> Option<usize> {
        (self.return_size != UNMODIFIED).then_some(self.return_size)
    }
}

/// A list that the other side gave.
#[derive(Clone, Copy)]
pub(crate) struct Parameters<'a> {
    first: *mut Parameter,
    list: PhantomData<&'a Parameter>,
}

impl<'a> Parameters<'a> {
    pub(crate) const NONE: Parameters<'static> = Parameters { first: ptr::null_mut(), list: PhantomData };

    /// The list at a pointer; null is an empty one.
    ///
    /// # Safety
    /// The pointer is null or one of a list that ends, and the values stay as they are while the result lives, but for
    /// those that a function of OpenSSL writes which is given the list to answer it.
    pub(crate) unsafe fn at(first: *const Parameter) -> Parameters<'a> {
        Parameters { first: first.cast_mut(), list: PhantomData }
    }

    /// The pointer to the list, for OpenSSL.
    pub(crate) fn as_ptr(self) -> *mut Parameter {
        self.first
    }

    /// The place of the value of this name.
    fn find(self, name: &CStr) -> Option<NonNull<Parameter>> {
        let mut place = NonNull::new(self.first)?;
        loop {
            // SAFETY: the promise of `at`: the list can be read to its end, and names are strings.
            let key = unsafe { (*place.as_ptr()).key };
            if key.is_null() {
                return None;
            }
            // SAFETY: the same; the name is not null.
            if unsafe { CStr::from_ptr(key) } == name {
                return Some(place);
            }
            // SAFETY: the list goes on, since this was not its end.
            place = unsafe { place.add(1) };
        }
    }

    /// The value of this name.
    fn value(self, name: &CStr) -> Option<&'a Parameter> {
        // SAFETY: `find` found it, and it stays as it is by the promise of `at`.
        self.find(name).map(|place| unsafe { place.as_ref() })
    }

    /// Answers the question of this name, if the list asks it, by the address of a string.
    pub(crate) fn answer_address(self, name: &CStr, text: &'static CStr) {
        if let Some(place) = self.place(name, UTF8_PTR, size_of::<*const c_char>()) {
            // SAFETY: `place` has found that the place is one for an address.
            unsafe { place.data.cast::<*const c_char>().write_unaligned(text.as_ptr()) };
            place.return_size = text.count_bytes();
        }
    }

    /// Answers the question of this name, if the list asks it, by a small number.
    pub(crate) fn answer_integer(self, name: &CStr, number: c_int) {
        if let Some(place) = self.place(name, INTEGER, size_of::<c_int>()) {
            // SAFETY: `place` has found that the place is one for a number of this size.
            unsafe { place.data.cast::<c_int>().write_unaligned(number) };
            place.return_size = size_of::<c_int>();
        }
    }

    /// The question of this name, if it has a place for an answer of this type and size.
    fn place(self, name: &CStr, data_type: c_uint, size: usize) -> Option<&'a mut Parameter> {
        let mut place = self.find(name)?;
        // SAFETY: the promise of `at`: a list of questions may be answered; no other reference to the question is in use.
        let place = unsafe { place.as_mut() };
        let is_fit = place.data_type == data_type && (place.data_size == size || data_type == UTF8_PTR);
        (is_fit && !place.data.is_null()).then_some(place)
    }

    /// Whether the list has a value of this name.
    pub(crate) fn contains(self, name: &CStr) -> bool {
        self.find(name).is_some()
    }

    /// The natural number of this name, big-endian.
    pub(crate) fn number(self, name: &CStr) -> Option<Zeroizing<Vec<u8>>> {
        let parameter = self.value(name)?;
        if parameter.data_type != UNSIGNED_INTEGER || parameter.data.is_null() {
            return None;
        }
        // SAFETY: the promise of `at`: the value has this length.
        let octets = unsafe { std::slice::from_raw_parts(parameter.data.cast::<u8>(), parameter.data_size) };
        let mut octets = Zeroizing::new(octets.to_vec());
        if cfg!(target_endian = "little") {
            octets.reverse();
        }
        Some(octets)
    }

    /// The string of this name.
    pub(crate) fn string(self, name: &CStr) -> Option<Vec<u8>> {
        let parameter = self.value(name)?;
        if parameter.data_type != UTF8_STRING || parameter.data.is_null() {
            return None;
        }
        // SAFETY: the promise of `at`: the value has this length.
        let octets = unsafe { std::slice::from_raw_parts(parameter.data.cast::<u8>(), parameter.data_size) };
        Some(octets.iter().copied().take_while(|&octet| octet != 0).collect())
    }
}
