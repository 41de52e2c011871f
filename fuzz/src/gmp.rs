//! The oracle: this machine's libgmp. Only the fuzz targets link it; it is never part of the product.

use std::ffi::{c_int, c_void};
use std::mem::MaybeUninit;
use std::ptr;

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
    fn __gmpz_add(z: *mut Mpz, x: *const Mpz, y: *const Mpz);
    fn __gmpz_sub(z: *mut Mpz, x: *const Mpz, y: *const Mpz);
    fn __gmpz_mul(z: *mut Mpz, x: *const Mpz, y: *const Mpz);
    fn __gmpz_invert(z: *mut Mpz, x: *const Mpz, n: *const Mpz) -> c_int;
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

    fn of_octets(octets: &[u8]) -> Number {
        let mut number = Number::new(&[]);
        // SAFETY: the number is initialised; the import reads `octets.len()` octets, highest first.
        unsafe { __gmpz_import(&mut number.0, octets.len(), 1, 1, 1, 0, octets.as_ptr().cast()) };
        number
    }

    /// |x| in octets, big-endian.
    fn to_octets(&self) -> Vec<u8> {
        let mut octets = vec![0; 8 * self.0.size.unsigned_abs() as usize];
        let mut count = 0;
        // SAFETY: the number is initialised and has `size` words, whose octets fit.
        unsafe { __gmpz_export(octets.as_mut_ptr().cast(), &mut count, 1, 1, 1, 0, &self.0) };
        octets.truncate(count);
        octets
    }
}

impl Drop for Number {
    fn drop(&mut self) {
        // SAFETY: the number was initialised and is not used again.
        unsafe { __gmpz_clear(&mut self.0) }
    }
}

/// xᵉ mod n in as many words as n has without leading words of 0; none for n = 0.
pub fn powm(x: &[u64], e: &[u64], n: &[u64]) -> Option<Vec<u64>> {
    let n = &n[..=n.iter().rposition(|&word| word != 0)?];
    let (mut z, x, e, modulus) = (Number::new(&[]), Number::new(x), Number::new(e), Number::new(n));
    let mut words = vec![0; n.len()];
    // SAFETY: all are initialised and n is not 0; the power is below n, so its words fit.
    unsafe {
        __gmpz_powm(&mut z.0, &x.0, &e.0, &modulus.0);
        __gmpz_export(words.as_mut_ptr().cast(), ptr::null_mut(), -1, 8, 0, 0, &z.0);
    }
    Some(words)
}

type Operation = unsafe extern "C" fn(*mut Mpz, *const Mpz, *const Mpz);

fn of_two(operation: Operation, x: &[u8], y: &[u8]) -> Vec<u8> {
    let (mut z, x, y) = (Number::new(&[]), Number::of_octets(x), Number::of_octets(y));
    // SAFETY: all three are initialised.
    unsafe { operation(&mut z.0, &x.0, &y.0) };
    z.to_octets()
}

/// x + y in octets, big-endian.
pub fn sum(x: &[u8], y: &[u8]) -> Vec<u8> {
    of_two(__gmpz_add, x, y)
}

/// |x − y| in octets, big-endian.
pub fn difference(x: &[u8], y: &[u8]) -> Vec<u8> {
    of_two(__gmpz_sub, x, y)
}

/// x·y in octets, big-endian.
pub fn product(x: &[u8], y: &[u8]) -> Vec<u8> {
    of_two(__gmpz_mul, x, y)
}

/// x⁻¹ mod n in octets, big-endian; none if x is not prime to n, or n is 0.
pub fn inverse(x: &[u8], n: &[u8]) -> Option<Vec<u8>> {
    let (mut z, x, n) = (Number::new(&[]), Number::of_octets(x), Number::of_octets(n));
    // SAFETY: all three are initialised, and n is not 0.
    (n.0.size != 0 && unsafe { __gmpz_invert(&mut z.0, &x.0, &n.0) } != 0).then(|| z.to_octets())
}
