//! OpenSSL's lists of named values, `OSSL_PARAM`.

use std::ffi::{CStr, c_char, c_int, c_uint, c_void};
use std::marker::PhantomData;
use std::ptr::{self, NonNull};
use zeroize::Zeroizing;

pub(crate) const INTEGER: c_uint = 1;
pub(crate) const UNSIGNED_INTEGER: c_uint = 2;
pub(crate) const UTF8_STRING: c_uint = 4;
pub(crate) const OCTET_STRING: c_uint = 5;
pub(crate) const UTF8_PTR: c_uint = 6;
pub(crate) const OCTET_PTR: c_uint = 7;
/// The size of a value that was not given.
const UNMODIFIED: usize = usize::MAX;

/// One named value; a name of null ends a list.
#[derive(Clone, Copy)]
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

/// The values of a list, and numbers beside them.
pub(crate) struct Extended<'a> {
    list: Vec<Parameter>,
    /// What the list points to.
    _numbers: Vec<Zeroizing<Vec<u8>>>,
    rest: PhantomData<Parameters<'a>>,
}

impl Extended<'_> {
    pub(crate) fn list(&self) -> Parameters<'_> {
        Parameters { first: self.list.as_ptr().cast_mut(), list: PhantomData }
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

    /// This list with natural numbers, big-endian, at its end.
    pub(crate) fn with_numbers(self, numbers: [(&'static CStr, &[u8]); 2]) -> Extended<'a> {
        let mut list = Vec::new();
        // SAFETY: the promise of `at`: the list can be read to its end.
        while let Some(parameter) = unsafe { self.first.add(list.len()).as_ref() } {
            if parameter.key.is_null() {
                break;
            }
            list.push(*parameter);
        }
        let native = |octets: &[u8]| {
            let mut octets = Zeroizing::new(octets.to_vec());
            if cfg!(target_endian = "little") {
                octets.reverse();
            }
            octets
        };
        let mut values = numbers.map(|(_, octets)| native(octets));
        for ((name, _), value) in numbers.iter().zip(&mut values) {
            let (data, size) = (value.as_mut_ptr().cast(), value.len());
            list.push(Parameter::new(Some(name), UNSIGNED_INTEGER, data, size));
        }
        list.push(Parameter::END);
        Extended { list, _numbers: values.into(), rest: PhantomData }
    }

    /// Whether the list has a value of this name, and no other.
    pub(crate) fn has_only(self, name: &CStr) -> bool {
        // SAFETY: the promise of `at`: the list goes on behind a value that is not its end.
        self.find(name).is_some_and(|place| unsafe {
            place.as_ptr() == self.first && place.add(1).as_ref().key.is_null()
        })
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

    /// The small number of this name.
    pub(crate) fn integer(self, name: &CStr) -> Option<i64> {
        let parameter = self.value(name)?;
        let is_number = [INTEGER, UNSIGNED_INTEGER].contains(&parameter.data_type);
        if !is_number || parameter.data.is_null() {
            return None;
        }
        // SAFETY: the promise of `at`: the value has this length, which is that of the type.
        unsafe {
            match parameter.data_size {
                4 => Some(i64::from(parameter.data.cast::<i32>().read_unaligned())),
                8 => Some(parameter.data.cast::<i64>().read_unaligned()),
                _ => None,
            }
        }
    }

    /// Whether the number of this name is another than 0.
    pub(crate) fn flag(self, name: &CStr) -> Option<bool> {
        self.integer(name).map(|number| number != 0)
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
