//! The functions of the C interface on secrets.

use crate::keys;
use crate::secrets::{Random, Secrets, as_bytes};
use crate::subject::Subject;
use monpro_c_interface::{
    MonproGroup, MonproModulus, MonproPowTask, MonproRandom, MonproStatus, MonproTerm, monpro_dh_agree,
    monpro_dh_key_free, monpro_dh_key_new, monpro_dh_public_value, monpro_fixed_base_free,
    monpro_fixed_base_new, monpro_fixed_base_pow, monpro_group_bytes, monpro_group_free,
    monpro_group_integers, monpro_modexp, monpro_modulus_bytes, monpro_modulus_free, monpro_modulus_kernel,
    monpro_modulus_new, monpro_multi_pow, monpro_pow, monpro_pow_batch, monpro_rsa_private_free,
    monpro_rsa_private_from_der, monpro_rsa_private_raw,
};
use rand_core::TryRng;
use std::ffi::{CStr, c_int, c_void};
use std::ptr;
use zeroize::{Zeroize, Zeroizing};

const SIZES_BITS: [usize; 2] = [512, 1024];
const TASKS: usize = 8;

/// How a row begins.
type Prepare = fn(&mut Secrets, usize, u64);

/// The name of a function, how it begins, and a call of it.
type Row = (&'static str, Prepare, fn(&Secrets));

const ROWS: [Row; 7] = [
    ("C: monpro_pow", nothing_more, power),
    ("C: monpro_modexp", nothing_more, power_of_bytes),
    ("C: monpro_pow_batch", nothing_more, powers),
    ("C: monpro_multi_pow", nothing_more, product_of_powers),
    ("C: monpro_fixed_base_pow", nothing_more, power_of_a_fixed_base),
    ("C: monpro_dh_agree", nothing_more, shared_secret),
    ("C: monpro_rsa_private_raw", add_key, private_operation),
];

/// Every function at each size.
pub fn all() -> Vec<Subject> {
    let at_sizes = |(name, prepare, run): Row| {
        SIZES_BITS.map(|bits| Subject { prepare: Box::new(prepare), ..Subject::of_batch(name, bits, run) })
    };
    ROWS.into_iter().flat_map(at_sizes).collect()
}

fn nothing_more(_: &mut Secrets, _: usize, _: u64) {}

/// A key in DER, and a number below its modulus.
fn add_key(secrets: &mut Secrets, bits: usize, seed: u64) {
    keys::add_der(secrets, bits, seed % keys::SEEDS_OF_A_KEY);
    secrets.ciphertext = Secrets::new(bits, 0, seed).message(bits / 8).to_vec();
    secrets.ciphertext[0] = 0;
    secrets.publish(&secrets.ciphertext);
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

/// In the group of powers of 2 modulo the public number that serves key exchange in Rust, too.
fn shared_secret(secrets: &Secrets) {
    let [mut exponent, _, _] = numbers(secrets);
    // Not 0.
    exponent[0] = 2;
    let public = Secrets::new(8 * exponent.len(), 0, 0);
    secrets.publish(as_bytes(&public.n));
    let [_, _, p] = numbers(&public);
    let mut group = ptr::null_mut();
    // SAFETY: the bytes are those of vectors of these lengths, the group is used before it is freed.
    unsafe {
        let (two, none) = ([2], ptr::null());
        let status = monpro_group_integers(p.as_ptr(), p.len(), two.as_ptr(), 1, none, 0, &raw mut group);
        assert_eq!((status, monpro_group_bytes(group)), (MonproStatus::Ok, p.len()));
        let other = Zeroizing::new(vec![0x5a; exponent.len()]);
        let [peer, public] = [&other, &exponent].map(|exponent| public_value(group, exponent));
        secrets.publish(&peer);
        secrets.publish(&public);
        agree(group, &exponent, &peer);
        monpro_group_free(group);
    }
}

/// # Safety
/// The group must live.
unsafe fn public_value(group: *const MonproGroup, exponent: &[u8]) -> Vec<u8> {
    let (mut key, mut value) = (ptr::null_mut(), vec![0; exponent.len()]);
    // SAFETY: the bytes are those of slices of these lengths, the key is used before it is freed.
    unsafe {
        let status = monpro_dh_key_new(group, exponent.as_ptr(), exponent.len(), &raw mut key);
        assert_eq!(status, MonproStatus::Ok);
        assert_eq!(monpro_dh_public_value(key, value.as_mut_ptr(), value.len()), MonproStatus::Ok);
        monpro_dh_key_free(key);
    }
    value
}

/// # Safety
/// The group must live.
unsafe fn agree(group: *const MonproGroup, exponent: &[u8], peer: &[u8]) {
    let (mut key, mut secret) = (ptr::null_mut(), Zeroizing::new(vec![0; peer.len()]));
    // SAFETY: as above.
    unsafe {
        let status = monpro_dh_key_new(group, exponent.as_ptr(), exponent.len(), &raw mut key);
        assert_eq!(status, MonproStatus::Ok);
        let (to, length) = (secret.as_mut_ptr(), secret.len());
        let status = monpro_dh_agree(key, peer.as_ptr(), peer.len(), to, length);
        monpro_dh_key_free(key);
        assert_eq!(status, MonproStatus::Ok);
    }
}

/// The random source of C: that of the secrets.
extern "C" fn fill(context: *mut c_void, bytes: *mut u8, length: usize) -> c_int {
    // SAFETY: the context is that of a row, and the library gives bytes of this length.
    let (random, bytes) =
        unsafe { (&mut *context.cast::<Random>(), std::slice::from_raw_parts_mut(bytes, length)) };
    c_int::from(random.try_fill_bytes(bytes).is_err())
}

fn private_operation(secrets: &Secrets) {
    let (document, c) = (&secrets.octets, &secrets.ciphertext);
    let mut source = secrets.random();
    let random = MonproRandom { fill: Some(fill), context: (&raw mut source).cast() };
    let mut result = Zeroizing::new(vec![0; c.len()]);
    let mut key = ptr::null_mut();
    // SAFETY: the bytes are those of vectors of these lengths, the key is used before it is freed.
    unsafe {
        let status = monpro_rsa_private_from_der(document.as_ptr(), document.len(), &raw mut key);
        assert_eq!(status, MonproStatus::Ok);
        let status = monpro_rsa_private_raw(key, c.as_ptr(), &raw const random, result.as_mut_ptr(), c.len());
        monpro_rsa_private_free(key);
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
