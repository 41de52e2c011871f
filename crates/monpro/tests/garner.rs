//! Garner's recombination against num-bigint: a number below p·q from its residues modulo p and modulo q.

use monpro::{KERNELS, Modulus, garner, natural, ring::RingName};
use num_bigint::BigUint;
use proptest::prelude::*;

fn integer(words: &[u64]) -> BigUint {
    BigUint::from_bytes_be(&natural::to_be_bytes(words, 8 * words.len()))
}

fn odd_modulus() -> impl Strategy<Value = Vec<u64>> {
    let words =
        prop::collection::vec(prop_oneof![3 => any::<u64>(), 1 => Just(0), 1 => Just(u64::MAX)], 0..5);
    (words, any::<u64>()).prop_map(|(high, low)| [vec![low | 1], high].concat())
}

proptest! {
    #[test]
    fn the_number_is_what_was_asked_for_modulo_both(
        p in odd_modulus(),
        q in odd_modulus(),
        x in prop::collection::vec(any::<u64>(), 0..10),
    ) {
        let (p_number, q_number) = (integer(&p), integer(&q));
        prop_assume!(p_number != BigUint::from(1u8));
        let Some(inverse) = (&q_number % &p_number).modinv(&p_number) else { return Ok(()) };
        let (p, q) = (Modulus::new(&p).unwrap(), Modulus::new(&q).unwrap());
        let inverse = p.residue(&natural::from_be_bytes(&inverse.to_bytes_be()));
        let z = garner(&p.residue(&x), &q.residue(&x), &inverse);
        prop_assert_eq!(z.len(), p.number().len() + q.number().len());
        prop_assert_eq!(integer(&z), integer(&x) % (p_number * q_number));
    }
}

#[test]
fn the_least_and_the_largest_numbers_come_back_by_every_kernel() {
    let (p, q) = ([0xffff_ffff_ffff_ffc5, u64::MAX], [0xffff_ffff_ffff_ff61, u64::MAX]);
    let product = integer(&p) * integer(&q);
    let inverse = natural::from_be_bytes(&integer(&q).modinv(&integer(&p)).unwrap().to_bytes_be());
    let of_integers = |kernel: &&monpro::Kernel| kernel.ring == RingName::Integers && kernel.is_available();
    for kernel in KERNELS.iter().filter(of_integers).filter(|kernel| kernel.supports(&p)) {
        let modulus = |n: &[u64]| Modulus::with_kernel(kernel, n).unwrap();
        let (p, q) = (modulus(&p), modulus(&q));
        for x in [BigUint::ZERO, BigUint::from(1u8), product.clone() - 1u8, integer(p.number()) - 1u8] {
            let words = natural::from_be_bytes(&x.to_bytes_be());
            let z = garner(&p.residue(&words), &q.residue(&words), &p.residue(&inverse));
            assert_eq!(integer(&z), x, "{}", kernel.name);
        }
    }
}

#[test]
fn a_wrong_inverse_gives_a_number_below_the_product_that_is_right_modulo_q_alone() {
    let (p, q) = (Modulus::new(&[101]).unwrap(), Modulus::new(&[97]).unwrap());
    let wrong = p.residue(&[3]);
    for x in 0..101 * 97 {
        let z = garner(&p.residue(&[x]), &q.residue(&[x]), &wrong);
        assert!(z[1] == 0 && z[0] < 101 * 97 && z[0] % 97 == x % 97);
    }
}

#[test]
#[should_panic(expected = "different moduli")]
fn an_inverse_modulo_another_number_is_a_mistake_of_the_program() {
    let (p, q) = (Modulus::new(&[101]).unwrap(), Modulus::new(&[97]).unwrap());
    let _ = garner(&p.residue(&[1]), &q.residue(&[1]), &q.residue(&[1]));
}
