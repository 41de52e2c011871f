//! The functions of the C interface on secrets.

use crate::secrets::{Secrets, as_bytes};
use crate::subject::Subject;
use monpro::Modulus;
use monpro_c_interface::{
    MonproModulus, MonproPowTask, MonproStatus, MonproTerm, monpro_fixed_base_free, monpro_fixed_base_new,
    monpro_fixed_base_pow, monpro_modexp, monpro_modulus_bytes, monpro_modulus_free, monpro_modulus_kernel,
    monpro_modulus_new, monpro_multi_pow, monpro_pow, monpro_pow_batch,
};
use std::ffi::CStr;
use std::ptr;
use zeroize::{Zeroize, Zeroizing};

const SIZES_BITS: [usize; 2] = [512, 1024];
const TASKS: usize = 8;

/// The name of a function and a call of it.
type Row = (&'static str, fn(&Secrets));

const ROWS: [Row; 5] = [
    ("C: monpro_pow", power),
    ("C: monpro_modexp", power_of_bytes),
    ("C: monpro_pow_batch", powers),
    ("C: monpro_multi_pow", product_of_powers),
    ("C: monpro_fixed_base_pow", power_of_a_fixed_base),
];

/// Every function at each size.
pub fn all() -> Vec<Subject> {
    let at_sizes = |(name, run): Row| {
        SIZES_BITS.map(|bits| {
            let kernel = Modulus::new(&Secrets::new(bits, 0, 0).n).expect("n is odd").kernel();
            Subject { name: name.to_owned(), ..Subject::of_kernel(kernel, bits, run) }
        })
    };
    ROWS.into_iter().flat_map(at_sizes).collect()
}

/// x, e and n as big-endian bytes.
fn numbers(secrets: &Secrets) -> [Zeroizing<Vec<u8>>; 3] {
    [&secrets.x, &secrets.e, &secrets.n].map(|number| {
        let mut bytes = Zeroizing::new(as_bytes(number).to_vec());
        bytes.reverse();
        bytes
    })
}

/// Calls a function with the modulus n, and with a place for a residue.
fn with_modulus(secrets: &Secrets, call: impl FnOnce(*const MonproModulus, &mut [u8]) -> MonproStatus) {
    let [_, _, n] = numbers(secrets);
    let mut modulus = ptr::null_mut();
    // SAFETY: the bytes are those of a vector of this length, the modulus is used before it is freed.
    unsafe {
        let status = monpro_modulus_new(n.as_ptr(), n.len(), ptr::null(), &raw mut modulus);
        assert_eq!(status, MonproStatus::Ok);
        // The name of the kernel; its first byte is overwritten when it is freed.
        secrets.publish(&CStr::from_ptr(monpro_modulus_kernel(modulus)).to_bytes()[1..]);
        let mut result = Zeroizing::new(vec![0; monpro_modulus_bytes(modulus)]);
        let status = call(modulus, &mut result);
        monpro_modulus_free(modulus);
        assert_eq!(status, MonproStatus::Ok);
    }
}

fn power(secrets: &Secrets) {
    let [x, e, _] = numbers(secrets);
    with_modulus(secrets, |modulus, result| {
        let (to, length) = (result.as_mut_ptr(), result.len());
        // SAFETY: the bytes are those of vectors of these lengths.
        unsafe { monpro_pow(modulus, x.as_ptr(), x.len(), e.as_ptr(), e.len(), to, length) }
    });
}

fn product_of_powers(secrets: &Secrets) {
    let [x, e, _] = numbers(secrets);
    let term = |base: &[u8], exponent: &[u8]| MonproTerm {
        base: base.as_ptr(),
        base_length: base.len(),
        exponent: exponent.as_ptr(),
        exponent_length: exponent.len(),
    };
    let terms = [term(&x, &e), term(&e, &x)];
    with_modulus(secrets, |modulus, result| {
        // SAFETY: the bytes are those of vectors of these lengths.
        unsafe { monpro_multi_pow(modulus, terms.as_ptr(), terms.len(), result.as_mut_ptr(), result.len()) }
    });
}

fn power_of_a_fixed_base(secrets: &Secrets) {
    let [x, e, _] = numbers(secrets);
    with_modulus(secrets, |modulus, result| {
        let mut table = ptr::null_mut();
        // SAFETY: the bytes are those of vectors of these lengths, the table is used before it is freed.
        unsafe {
            let status = monpro_fixed_base_new(modulus, x.as_ptr(), x.len(), 8 * e.len(), &raw mut table);
            assert_eq!(status, MonproStatus::Ok);
            let (to, length) = (result.as_mut_ptr(), result.len());
            let status = monpro_fixed_base_pow(table, e.as_ptr(), e.len(), to, length);
            monpro_fixed_base_free(table);
            status
        }
    });
}

fn power_of_bytes(secrets: &Secrets) {
    let [x, e, n] = numbers(secrets);
    let mut result = Zeroizing::new(vec![0; n.len()]);
    let to = result.as_mut_ptr();
    // SAFETY: the bytes are those of vectors of these lengths; the result is as long as the modulus.
    let status = unsafe { monpro_modexp(x.as_ptr(), x.len(), e.as_ptr(), e.len(), n.as_ptr(), n.len(), to) };
    assert_eq!(status, MonproStatus::Ok);
}

fn powers(secrets: &Secrets) {
    let [x, mut e, n] = numbers(secrets);
    // The bit length of an exponent is public.
    e[0] = 1;
    let mut results = [(); TASKS].map(|()| vec![0; n.len()]);
    let tasks = results.each_mut().map(|result| MonproPowTask {
        base: x.as_ptr(),
        base_length: x.len(),
        exponent: e.as_ptr(),
        exponent_length: e.len(),
        modulus: n.as_ptr(),
        modulus_length: n.len(),
        result: result.as_mut_ptr(),
    });
    // SAFETY: the bytes are those of vectors of these lengths; each result is as long as the modulus.
    let status = unsafe { monpro_pow_batch(tasks.as_ptr(), tasks.len()) };
    results.zeroize();
    assert_eq!(status, MonproStatus::Ok);
}
