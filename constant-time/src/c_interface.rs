//! The functions of the C interface on secrets.

use crate::secrets::{Secrets, as_bytes};
use crate::subject::Subject;
use monpro::Modulus;
use monpro_c_interface::{
    MonproPowTask, MonproStatus, monpro_modexp, monpro_modulus_bytes, monpro_modulus_free,
    monpro_modulus_kernel, monpro_modulus_new, monpro_pow, monpro_pow_batch,
};
use std::ffi::CStr;
use std::ptr;
use zeroize::{Zeroize, Zeroizing};

const SIZES_BITS: [usize; 2] = [512, 1024];
const TASKS: usize = 8;

/// The name of a function and a call of it.
type Row = (&'static str, fn(&Secrets));

const ROWS: [Row; 3] =
    [("C: monpro_pow", power), ("C: monpro_modexp", power_of_bytes), ("C: monpro_pow_batch", powers)];

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

fn power(secrets: &Secrets) {
    let [x, e, n] = numbers(secrets);
    let mut modulus = ptr::null_mut();
    // SAFETY: the bytes are those of vectors of these lengths, the modulus is used before it is freed.
    unsafe {
        let status = monpro_modulus_new(n.as_ptr(), n.len(), ptr::null(), &raw mut modulus);
        assert_eq!(status, MonproStatus::Ok);
        // The name of the kernel; its first byte is overwritten when it is freed.
        secrets.publish(&CStr::from_ptr(monpro_modulus_kernel(modulus)).to_bytes()[1..]);
        let mut result = Zeroizing::new(vec![0; monpro_modulus_bytes(modulus)]);
        let (to, length) = (result.as_mut_ptr(), result.len());
        let status = monpro_pow(modulus, x.as_ptr(), x.len(), e.as_ptr(), e.len(), to, length);
        monpro_modulus_free(modulus);
        assert_eq!(status, MonproStatus::Ok);
    }
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
