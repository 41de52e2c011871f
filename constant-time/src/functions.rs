//! The functions built on the kernels, with the kernels that are selected here: those of AVX-512 IFMA if the
//! CPU has it, and others under Valgrind, which does not announce it.

use crate::secrets::Secrets;
use crate::subject::Subject;
use monpro::{
    CrtTask, FixedBase, Modulus, PowTask, TwoModuli, modexp, natural, pow, pow_batch, pow_crt_batch,
};
use std::hint::black_box;
use zeroize::Zeroizing;

const SIZES_BITS: [usize; 2] = [512, 1024];
/// One power modulo so few words is computed on the stack.
const FEW_WORDS_BITS: [usize; 2] = [128, 192];
/// The first three sizes have code of their own in lanes; the last one uses the general code. Pairs have code for 512 and
/// 1024 bits.
const BATCH_SIZES_BITS: [usize; 4] = [256, 512, 1024, 320];
const TASKS: usize = 8;

/// Of a power of 2, of which products are computed by blocks of 8 words and one of 4.
const LONG_POWER_BYTES: usize = 159;

/// The name of a function and a call of it.
type Row = (&'static str, fn(&Secrets));

const ROWS: [Row; 8] = [
    ("FixedBase", powers_of_fixed_base),
    ("multi_pow", product_of_powers),
    ("modexp", |secrets| power_of_bytes(secrets, 0)),
    ("modexp, even modulus", |secrets| power_of_bytes(secrets, 1)),
    ("modexp, modulus with a long power of 2", |secrets| power_of_bytes(secrets, LONG_POWER_BYTES)),
    ("pow, even modulus", power_of_words),
    ("two moduli of one n", residues_of_two_moduli),
    ("conversions", conversions),
];

/// Every function at each of its sizes, in a fixed order.
pub fn all() -> Vec<Subject> {
    let mut subjects = Vec::new();
    for bits in SIZES_BITS {
        subjects.extend(ROWS.map(|(name, run)| Subject::of_selection(name, bits, run)));
    }
    for bits in FEW_WORDS_BITS {
        let of_few_words = ROWS.iter().filter(|(name, _)| name.starts_with("modexp"));
        subjects.extend(of_few_words.map(|&(name, run)| Subject::of_selection(name, bits, run)));
    }
    for bits in BATCH_SIZES_BITS {
        subjects.extend([
            Subject::of_batch("pow_batch", bits, powers::<TASKS>),
            Subject::of_batch("pow_batch, a pair", bits, powers::<2>),
            Subject::of_batch("TwoModuli", bits, powers_modulo_two),
            Subject::of_batch("pow_crt_batch", bits, private_operations),
        ]);
    }
    subjects
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

/// xᵉ modulo an even number; the length of e is public.
fn power_of_words(secrets: &Secrets) {
    let exponent = of_known_length(secrets);
    let power = pow(&secrets.x, &exponent, &secrets.even_modulus()).expect("n is not 0");
    black_box(Zeroizing::new(power));
}

/// Whether two moduli of one n are equal, and a product, a sum and a difference of residues of the two.
fn residues_of_two_moduli(secrets: &Secrets) {
    let [one, other] = [(); 2].map(|()| Modulus::new(&secrets.n).expect("n is odd"));
    let (x, y) = (one.residue(&secrets.x), other.residue(&secrets.x));
    black_box(one == other);
    black_box(Zeroizing::new((&(&x * &y) - &(&x + &-&y)).to_number()));
}

/// A number longer than n into a residue, its words and back.
fn conversions(secrets: &Secrets) {
    let modulus = Modulus::new(&secrets.n).expect("n is odd");
    let long = Zeroizing::new([&secrets.x[..], &secrets.e, &secrets.x].concat());
    let x = modulus.residue(&long);
    let words = Zeroizing::new((-&x).words());
    let y = modulus.residue_from_words(&words).expect("they are those of a residue");
    let number = Zeroizing::new(y.to_number());
    let octets = Zeroizing::new(natural::to_be_bytes(&number, 8 * number.len()));
    black_box(Zeroizing::new(natural::from_be_bytes(&octets)));
}

/// The exponent with a bit set above the secret ones, so that its length is no secret.
fn of_known_length(secrets: &Secrets) -> Zeroizing<Vec<u64>> {
    let mut exponent = Zeroizing::new(Vec::with_capacity(secrets.e.len() + 1));
    exponent.extend_from_slice(&secrets.e);
    match secrets.e_bits % 64 {
        0 => exponent.push(1),
        bits => *exponent.last_mut().expect("there are bits") |= 1 << bits,
    }
    exponent
}

/// Powers of so many tasks. The length of the exponents is public.
fn powers<const COUNT: usize>(secrets: &Secrets) {
    let exponent = of_known_length(secrets);
    let task = PowTask::new(&secrets.x, &exponent, &secrets.n);
    for power in pow_batch(&[task; COUNT]) {
        black_box(Zeroizing::new(power.expect("n is not 0")));
    }
}

/// A power modulo n and one modulo n − 2, by ready moduli.
fn powers_modulo_two(secrets: &Secrets) {
    let mut other = Zeroizing::new(secrets.n.clone());
    // No borrow, because the lowest two bits are 11.
    other[0] -= 2;
    let [m, n] = [&secrets.n, &*other].map(|n| Modulus::new(n).expect("n is odd"));
    let (x, e) = (&secrets.x[..], &secrets.e[..]);
    for power in TwoModuli::new([&m, &n]).pow_bounded([x, x], [e, e], secrets.e_bits) {
        black_box(Zeroizing::new(power.to_number()));
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
