//! The arithmetic of fixed size, which runs on no kernel. Its moduli are public.

use crate::secrets::Secrets;
use crate::subject::Subject;
use monpro::fixed::{Choice, Modulus, Residue};
use std::hint::black_box;
use zeroize::Zeroizing;

/// The field of P-256, 2^256 − 2^224 + 2^192 + 2^96 − 1.
const P256: Modulus<4> = of_prime([u64::MAX, u64::MAX >> 32, 0, 0xffff_ffff_0000_0001]);
/// The field of P-384, 2^384 − 2^128 − 2^96 + 2^32 − 1.
const P384: Modulus<6> = of_prime([0xffff_ffff, u64::MAX << 32, u64::MAX - 1, u64::MAX, u64::MAX, u64::MAX]);
/// The field of P-521, 2^521 − 1.
const P521: Modulus<9> = {
    let mut n = [u64::MAX; 9];
    n[8] = 0x1ff;
    of_prime(n)
};

const fn of_prime<const S: usize>(prime: [u64; S]) -> Modulus<S> {
    match Modulus::new(prime) {
        Ok(modulus) => modulus,
        Err(_) => panic!("the primes are odd"),
    }
}

/// A subject for each of the fields.
pub fn all() -> [Subject; 3] {
    [of_field(&P256, 256), of_field(&P384, 384), of_field(&P521, 521)]
}

fn of_field<const S: usize>(modulus: &'static Modulus<S>, bits: usize) -> Subject {
    Subject::of_function("fixed", bits, move |secrets| compute(modulus, secrets))
}

/// The power, a product, sums, choices by secret bits, an inverse and the conversion to a number.
fn compute<const S: usize>(modulus: &Modulus<S>, secrets: &Secrets) {
    let x = modulus.residue(&secrets.x);
    let e = secrets.e.first().copied().unwrap_or(0);
    let mut z = modulus.pow_bounded(x, &secrets.e, secrets.e_bits);
    let mut y = modulus.sub(modulus.mul(z, x), modulus.add(x, modulus.neg(modulus.one())));
    z.swap(&mut y, Choice::from_bit(e));
    let z = z.or(y, z.is_equal(y) | !x.is_zero() & Choice::from_bit(e >> 1));
    let z = modulus.square(Residue::select(&[x, y, z, modulus.one()], e & 3));
    black_box(Zeroizing::new(modulus.to_number(modulus.inverse_modulo_prime(z))));
}
