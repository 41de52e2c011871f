//! Fixed bases and products of powers, against powers computed one at a time.

use monpro::{Error, FixedBase, KERNELS, MAX_EXPONENT_BITS, Modulus, PowTask};
use proptest::prelude::*;

fn words(most: usize) -> impl Strategy<Value = Vec<u64>> {
    prop::collection::vec(prop_oneof![3 => any::<u64>(), 1 => Just(0), 1 => Just(u64::MAX)], 0..=most)
}

fn odd_modulus(most: usize) -> impl Strategy<Value = Vec<u64>> {
    (words(most - 1), any::<u64>()).prop_map(|(high, low)| [vec![low | 1], high].concat())
}

proptest! {
    #[test]
    fn a_fixed_base_has_the_powers_of_the_base(x in words(5), e in words(4), n in odd_modulus(5), spare in 0..200usize) {
        let x = Modulus::new(&n).unwrap().residue(&x);
        let base = FixedBase::new(&x, 64 * e.len() + spare).unwrap();
        prop_assert_eq!(base.e_bits(), 64 * e.len() + spare);
        prop_assert_eq!(base.pow(&e), x.pow_binary_vartime(&e));
    }

    #[test]
    fn products_of_powers_are_the_products_of_the_powers(
        terms in prop::collection::vec((words(4), words(4)), 0..6),
        n in odd_modulus(4),
    ) {
        let modulus = Modulus::new(&n).unwrap();
        let terms: Vec<_> = terms.iter().map(|(x, e)| (modulus.residue(x), &e[..])).collect();
        let expected = terms.iter().fold(modulus.one(), |product, (x, e)| &product * &x.pow_binary_vartime(e));
        let terms: Vec<_> = terms.iter().map(|(x, e)| (x, *e)).collect();
        prop_assert_eq!(modulus.multi_pow(&terms), expected.clone());
        prop_assert_eq!(modulus.multi_pow_vartime(&terms), expected);
    }
}

#[test]
fn every_kernel_serves_them() {
    let n = [0b10_1101, 0, 1]; // sparse, so that the kernels of sparse polynomials take it
    for kernel in KERNELS.iter().filter(|kernel| kernel.is_available() && kernel.supports(&n)) {
        let modulus = Modulus::with_kernel(kernel, &n).unwrap();
        let (x, y) = (modulus.residue(&[3, 5]), modulus.residue(&[7]));
        let (d, e) = ([0xfedc_ba98_7654_3210, 0x0f0f], [0x1234_5678]);
        assert_eq!(FixedBase::new(&x, 80).unwrap().pow(&d), x.pow(&d), "{}", kernel.name);
        let expected = &x.pow(&d) * &y.pow(&e);
        assert_eq!(modulus.multi_pow(&[(&x, &d), (&y, &e)]), expected, "{}", kernel.name);
        assert_eq!(modulus.multi_pow_vartime(&[(&x, &d), (&y, &e)]), expected, "{}", kernel.name);
    }
}

#[test]
fn exponents_longer_than_the_table_lose_their_upper_bits() {
    let x = Modulus::new(&[1_000_003]).unwrap().residue(&[5]);
    for e_bits in 0..64 {
        let base = FixedBase::new(&x, e_bits).unwrap();
        assert_eq!(base.e_bits(), e_bits);
        let low: u64 = (1 << e_bits) - 1;
        assert_eq!(base.pow(&[u64::MAX, 9]), x.pow(&[low]), "{e_bits} bits");
    }
}

#[test]
fn bounds_that_would_take_minutes_are_refused() {
    let x = Modulus::new(&[1_000_003]).unwrap().residue(&[5]);
    assert!(FixedBase::new(&x, MAX_EXPONENT_BITS).is_ok());
    for bits in [MAX_EXPONENT_BITS + 1, usize::MAX] {
        assert_eq!(FixedBase::new(&x, bits).err(), Some(Error::ExponentBoundTooLarge { bits }));
        let task = PowTask::bounded(&[3], &[5], &[7], bits);
        assert_eq!(task.err(), Some(Error::ExponentBoundTooLarge { bits }));
    }
    let line = Error::ExponentBoundTooLarge { bits: 9_000_000 }.to_string();
    assert_eq!(line, "a bound of 9000000 bits for exponents is too large: give at most 1048576");
    assert!(PowTask::bounded(&[3], &[5], &[7], MAX_EXPONENT_BITS).is_ok());
    // The words of an exponent may be as many as it has.
    let long = vec![1; MAX_EXPONENT_BITS / 64 + 1];
    assert!(PowTask::bounded(&[3], &long, &[7], 64 * long.len()).is_ok());
}

#[test]
fn products_of_many_powers_are_computed_in_parts() {
    // Tables of 2⁷ entries of 64 words and more: 2048 terms fill the most cells that tables may have.
    let mut n = vec![0; 64];
    (n[0], n[63]) = (1, 1 << 63);
    let modulus = Modulus::new(&n).unwrap();
    let x = modulus.residue(&[3]);
    let e = [5];
    let terms = vec![(&x, &e[..]); 20_000];
    let expected = x.pow(&[5 * 20_000]);
    assert_eq!(modulus.multi_pow_vartime(&terms), expected);
    assert_eq!(modulus.multi_pow(&terms), expected);
}

#[test]
#[should_panic(expected = "different moduli")]
fn residues_of_different_moduli_do_not_mix() {
    let one = Modulus::new(&[7]).unwrap().one();
    let _ = Modulus::new(&[9]).unwrap().multi_pow(&[(&one, &[1])]);
}
