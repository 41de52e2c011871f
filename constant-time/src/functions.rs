//! The functions built on the kernels, with the kernels that are selected here: those of AVX-512 IFMA if the
//! CPU has it, and others under Valgrind, which does not announce it.

use crate::secrets::Secrets;
use crate::subject::Subject;
use monpro::{BATCH_ENGINES, CrtTask, FixedBase, Kernel, Modulus, PowTask, modexp, natural};
use monpro::{pow_batch, pow_crt_batch};
use std::hint::black_box;
use zeroize::Zeroizing;

const SIZES_BITS: [usize; 2] = [512, 1024];
/// The first three sizes have code of their own in lanes; the last one uses the general code.
const BATCH_SIZES_BITS: [usize; 4] = [256, 512, 1024, 320];
const TASKS: usize = 8;

/// Every function at each of its sizes, in a fixed order.
pub fn all() -> Vec<Subject> {
    let mut subjects = Vec::new();
    for bits in SIZES_BITS {
        let kernel = Modulus::new(&Secrets::new(bits, 0, 0).n).expect("n is odd").kernel();
        subjects.push(of_function("FixedBase", bits, kernel, powers_of_fixed_base));
        subjects.push(of_function("multi_pow", bits, kernel, product_of_powers));
        subjects.push(of_function("modexp", bits, kernel, |secrets| power_of_bytes(secrets, 0)));
        subjects
            .push(of_function("modexp, even modulus", bits, kernel, |secrets| power_of_bytes(secrets, 1)));
    }
    let batch_engine = BATCH_ENGINES.iter().find(|engine| engine.unavailable_reason().is_none());
    for bits in BATCH_SIZES_BITS {
        let kernel = Modulus::new(&Secrets::new(bits, 0, 0).n).expect("n is odd").kernel();
        let mut subjects_of_batch = [
            of_function("pow_batch", bits, kernel, powers),
            of_function("pow_crt_batch", bits, kernel, private_operations),
        ];
        if let Some(batch_engine) = batch_engine {
            subjects_of_batch.iter_mut().for_each(|s| s.instructions = batch_engine.needs());
        }
        // The public answers: whether each task has the modulus of its neighbour, and for CRT also whether
        // each q⁻¹ is an inverse.
        subjects_of_batch[0].public_answers = TASKS - 1;
        subjects_of_batch[1].public_answers = 2 * TASKS - 1 + TASKS;
        subjects.extend(subjects_of_batch);
    }
    subjects
}

fn of_function(name: &str, bits: usize, kernel: &'static Kernel, run: fn(&Secrets)) -> Subject {
    Subject { name: name.to_owned(), ..Subject::of_kernel(kernel, bits, run) }
}

/// A power by a table of powers of a secret base.
fn powers_of_fixed_base(secrets: &Secrets) {
    let modulus = Modulus::new(&secrets.n).expect("n is odd");
    let powers = FixedBase::new(&modulus.residue(&secrets.x), secrets.e_bits).expect("the bound is small");
    black_box(Zeroizing::new(powers.pow(&secrets.e).to_number()));
}

/// xᵉ·(x²)ᵉ.
fn product_of_powers(secrets: &Secrets) {
    let modulus = Modulus::new(&secrets.n).expect("n is odd");
    let x = modulus.residue(&secrets.x);
    let product = modulus.multi_pow(&[(&x, &secrets.e), (&x.square(), &secrets.e)]);
    black_box(Zeroizing::new(product.to_number()));
}

/// xᵉ modulo n·2^(8·zero_bytes); the power of 2 in a modulus is public.
fn power_of_bytes(secrets: &Secrets, zero_bytes: usize) {
    let bytes = |number: &[u64]| Zeroizing::new(natural::to_be_bytes(number, 8 * number.len()));
    let odd = bytes(&secrets.n);
    // Allocated in its whole length, because a vector that grows leaves its old block unerased.
    let mut modulus = Zeroizing::new(vec![0; odd.len() + zero_bytes]);
    modulus[..odd.len()].copy_from_slice(&odd);
    black_box(Zeroizing::new(modexp(&bytes(&secrets.x), &bytes(&secrets.e), &modulus)));
}

/// Eight powers. The length of the exponents is public: the bit above the secret ones is set.
fn powers(secrets: &Secrets) {
    let mut exponent = Zeroizing::new(secrets.e.clone());
    match secrets.e_bits % 64 {
        0 => exponent.push(1),
        bits => *exponent.last_mut().expect("there are bits") |= 1 << bits,
    }
    let task = PowTask::new(&secrets.x, &exponent, &secrets.n);
    for power in pow_batch(&[task; TASKS]) {
        black_box(Zeroizing::new(power.expect("n is not 0")));
    }
}

/// Eight private operations by the factors p = n and q = n − 2, so that (n − 1)/2 is q⁻¹ mod p.
fn private_operations(secrets: &Secrets) {
    let mut q = Zeroizing::new(secrets.n.clone());
    // No borrow, because the lowest two bits are 11.
    q[0] -= 2;
    let n = &secrets.n;
    let halved = |i: usize| n[i] >> 1 | n.get(i + 1).map_or(0, |above| above << 63);
    let q_inverse = Zeroizing::new((0..n.len()).map(halved).collect::<Vec<u64>>());
    let task =
        CrtTask { base: &secrets.x, p: n, q: &q, d_p: &secrets.e, d_q: &secrets.e, q_inverse: &q_inverse };
    for power in pow_crt_batch(&[task; TASKS]) {
        black_box(Zeroizing::new(power.expect("the factors are odd, and the inverse is right")));
    }
}
