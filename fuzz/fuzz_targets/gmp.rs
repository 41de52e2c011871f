//! The oracle: `mpz_powm` of this machine's libgmp. Only the fuzz targets link it; it is never part of the
//! product.

use std::ffi::{c_int, c_void};
use std::mem::MaybeUninit;

/// `mpz_t` of gmp.h.
#[repr(C)]
struct Mpz {
    allocated: c_int,
    size: c_int,
    limbs: *mut u64,
}

#[link(name = "gmp")]
unsafe extern "C" {
    fn __gmpz_init(x: *mut Mpz);
    fn __gmpz_clear(x: *mut Mpz);
    fn __gmpz_import(
        x: *mut Mpz,
        count: usize,
        order: c_int,
        size: usize,
        endian: c_int,
        nails: usize,
        from: *const c_void,
    );
    fn __gmpz_export(
        to: *mut c_void,
        count: *mut usize,
        order: c_int,
        size: usize,
        endian: c_int,
        nails: usize,
        x: *const Mpz,
    ) -> *mut c_void;
    fn __gmpz_powm(z: *mut Mpz, x: *const Mpz, e: *const Mpz, n: *const Mpz);
}

/// A number of GMP's, freed when dropped.
struct Number(Mpz);

impl Number {
    fn new(words: &[u64]) -> Number {
        let mut number = MaybeUninit::uninit();
        // SAFETY: `__gmpz_init` initialises the number; the import reads `words.len()` words of 8 bytes,
        // lowest first.
        unsafe {
            __gmpz_init(number.as_mut_ptr());
            __gmpz_import(number.as_mut_ptr(), words.len(), -1, 8, 0, 0, words.as_ptr().cast());
            Number(number.assume_init())
        }
    }
}

impl Drop for Number {
    fn drop(&mut self) {
        // SAFETY: the number was initialised and is not used again.
        unsafe { __gmpz_clear(&mut self.0) }
    }
}

/// xᵉ mod n in the words of n, for an n without leading zero words; none for n = 0.
pub fn powm(x: &[u64], e: &[u64], n: &[u64]) -> Option<Vec<u64>> {
    if n.is_empty() {
        return None;
    }
    let (mut z, x, e, modulus) = (Number::new(&[]), Number::new(x), Number::new(e), Number::new(n));
    let mut words = vec![0; n.len()];
    // SAFETY: all are initialised and n is not 0; the power is below n, so its words fit.
    unsafe {
        __gmpz_powm(&mut z.0, &x.0, &e.0, &modulus.0);
        __gmpz_export(words.as_mut_ptr().cast(), std::ptr::null_mut(), -1, 8, 0, 0, &z.0);
    }
    Some(words)
}
