//! The fixed-size arithmetic against num-bigint, for every number of words from 1 to 9: residues at the edges of
//! their range, and random ones.

use monpro::Error;
use monpro::fixed::{Choice, Modulus, Residue};
use monpro::natural;
use num_bigint::BigUint;
use proptest::prelude::*;
use zeroize::Zeroize;

fn integer(words: &[u64]) -> BigUint {
    BigUint::from_bytes_be(&natural::to_be_bytes(words, 8 * words.len()))
}

fn array<const S: usize>(number: &BigUint) -> [u64; S] {
    let mut words = natural::from_be_bytes(&number.to_bytes_be());
    words.resize(S, 0);
    words.try_into().expect("the number has S words at most")
}

/// Words that carry, borrow or are 0 more often than random ones.
fn word() -> impl Strategy<Value = u64> {
    prop_oneof![3 => any::<u64>(), 1 => Just(0), 1 => Just(1), 1 => Just(u64::MAX)]
}

fn words(length: usize) -> impl Strategy<Value = Vec<u64>> {
    prop::collection::vec(word(), length)
}

/// Odd numbers at the ends of the range of S words, and between.
fn edge_moduli<const S: usize>() -> Vec<[u64; S]> {
    let of = |low: u64, middle: u64, top: u64| {
        let mut n = [middle; S];
        n[S - 1] = top;
        n[0] = if S == 1 { low | top } else { low };
        n
    };
    vec![
        of(1, 0, 0),
        of(3, 0, 0),
        of(1, 0, 1 << 63),
        of(u64::MAX, u64::MAX, u64::MAX),
        of(1, u64::MAX, u64::MAX),
        of(u64::MAX, u64::MAX, u64::MAX >> 1),
        of(0x9e37_79b9_7f4a_7c15, 0x0123_4567_89ab_cdef, 1),
    ]
}

/// 0, 1 and 2, n − 1 and n − 2, and the middle, as numbers below n.
fn edge_values(n: &BigUint) -> Vec<BigUint> {
    let mut values: Vec<BigUint> = [0u8, 1, 2].map(BigUint::from).into_iter().filter(|x| x < n).collect();
    values.extend([1u8, 2].map(BigUint::from).into_iter().filter(|x| x <= n).map(|x| n - x));
    values.push(n / 2u8);
    values
}

/// Asserts that every operation on x and y modulo n agrees with num-bigint, and that its result is below n.
fn check_operations<const S: usize>(n: [u64; S], x: &BigUint, y: &BigUint) {
    let (modulus, n_number) = (Modulus::new(n).unwrap(), integer(&n));
    let (a, b) = (modulus.residue(&array::<S>(x)), modulus.residue(&array::<S>(y)));
    let number = |residue: Residue<S>| {
        let number = integer(&modulus.to_number(residue));
        assert!(number < n_number, "{n:x?}");
        number
    };
    let (x, y) = (x % &n_number, y % &n_number);
    assert_eq!([number(a), number(b)], [x.clone(), y.clone()], "{n:x?}");
    assert_eq!(number(modulus.add(a, b)), (&x + &y) % &n_number, "{n:x?}: {x} + {y}");
    assert_eq!(number(modulus.sub(a, b)), (&x + &n_number - &y) % &n_number, "{n:x?}: {x} − {y}");
    assert_eq!(number(modulus.neg(a)), (&n_number - &x) % &n_number, "{n:x?}: −{x}");
    assert_eq!(number(modulus.mul(a, b)), &x * &y % &n_number, "{n:x?}: {x}·{y}");
    assert_eq!(number(modulus.square(a)), &x * &x % &n_number, "{n:x?}: {x}²");
    assert_eq!(a.is_equal(b).to_bool(), x == y, "{n:x?}: {x} = {y}");
    assert_eq!(a == b, x == y);
    assert_eq!(a.is_zero().to_bool(), x == BigUint::ZERO);
    assert_eq!(modulus.residue_of_constant(array(&x)), a);
    assert_eq!(modulus.residue_of_reduced(array(&x)), Ok(a));
}

fn check_powers<const S: usize>(n: [u64; S], x: &[u64], e: &[u64], e_bits: usize) {
    let (modulus, n_number) = (Modulus::new(n).unwrap(), integer(&n));
    let x_residue = modulus.residue(x);
    let expected = |e: &BigUint| integer(x).modpow(e, &n_number);
    let number = |residue| integer(&modulus.to_number(residue));
    assert_eq!(number(modulus.pow(x_residue, e)), expected(&integer(e)), "{n:x?}: {x:x?} to {e:x?}");
    assert_eq!(number(modulus.pow_vartime(x_residue, e)), expected(&integer(e)), "{n:x?}: {x:x?} to {e:x?}");
    let low = integer(e) % (BigUint::from(1u8) << e_bits);
    assert_eq!(number(modulus.pow_bounded(x_residue, e, e_bits)), expected(&low), "{n:x?}: {e_bits} bits");
}

/// The checks at the edges, for any S.
fn check_edges<const S: usize>() {
    for n in edge_moduli::<S>() {
        let (modulus, n_number) = (Modulus::new(n).unwrap(), integer(&n));
        assert_eq!(modulus.number(), &n);
        assert_eq!(integer(&modulus.to_number(modulus.one())), BigUint::from(1u8) % &n_number, "{n:x?}");
        for x in edge_values(&n_number) {
            for y in edge_values(&n_number) {
                check_operations(n, &x, &y);
            }
            for e in [&[][..], &[0], &[1], &[2, 0], &[u64::MAX], &[0, 1 << 63], &[65537], &[u64::MAX; 4]] {
                check_powers(n, &array::<S>(&x), e, 64 * e.len() / 3);
            }
        }
        // Any words are converted, whether or not they are below n.
        check_operations(n, &integer(&[u64::MAX; S]), &integer(&n));
        for length in [0, 1, S - 1, S + 1, 2 * S, 2 * S + 1, 3 * S] {
            let long = vec![u64::MAX; length];
            let number = integer(&modulus.to_number(modulus.residue(&long)));
            assert_eq!(number, integer(&long) % &n_number, "{n:x?}: {length} words");
        }
        for number in [n, [u64::MAX; S]] {
            assert_eq!(modulus.residue_of_reduced(number), Err(Error::NotReduced), "{n:x?}");
        }
    }
}

/// Evaluates the call for each number of words.
macro_rules! for_each_size {
    (|$s:ident| $call:expr) => {
        for_each_size!($s, $call, 1 2 3 4 5 6 7 8 9)
    };
    ($s:ident, $call:expr, $($size:literal)*) => {
        $({
            const $s: usize = $size;
            $call;
        })*
    };
}

#[test]
fn the_edges_of_every_size_agree_with_num_bigint() {
    for_each_size!(|S| check_edges::<S>());
}

proptest! {
    #[test]
    fn random_operands_of_every_size_agree_with_num_bigint(n in words(9), x in words(9), y in words(9)) {
        for_each_size!(|S| {
            let mut n: [u64; S] = *n.first_chunk().unwrap();
            n[0] |= 1;
            check_operations(n, &integer(&x[..S]), &integer(&y[..S]));
        });
    }

    #[test]
    fn random_powers_of_every_size_agree_with_num_bigint(
        n in words(9),
        x in prop::collection::vec(word(), 0..20),
        e in prop::collection::vec(word(), 0..4),
        e_bits in 0..256usize,
    ) {
        for_each_size!(|S| {
            let mut n: [u64; S] = *n.first_chunk().unwrap();
            n[0] |= 1;
            check_powers(n, &x, &e, e_bits.min(64 * e.len()));
        });
    }

    #[test]
    fn choices_pick_exchange_and_look_up(x in words(4), y in words(4), yes in any::<bool>(), index in 0..20u64) {
        let modulus = Modulus::new([u64::MAX - 58, u64::MAX, u64::MAX, u64::MAX]).unwrap();
        let (x, y) = (modulus.residue(&x), modulus.residue(&y));
        let choice = Choice::from_bit(u64::from(yes));
        prop_assert_eq!(x.or(y, choice), if yes { y } else { x });
        let (mut first, mut second) = (x, y);
        first.swap(&mut second, choice);
        prop_assert_eq!([first, second], if yes { [y, x] } else { [x, y] });
        let table: Vec<Residue<4>> = (0..17).map(|i| modulus.residue(&[i])).collect();
        let entry = table.get(index as usize).copied().unwrap_or(Residue::ZERO);
        prop_assert_eq!(Residue::select(&table, index), entry);
    }
}

/// Of 64, 127, 255 and 521 bits: 2^64 − 59, 2^127 − 1, 2^255 − 19, 2^521 − 1.
#[test]
fn inverses_modulo_primes_are_inverses_and_that_of_0_is_0() {
    fn check<const S: usize>(prime: BigUint) {
        let p = Modulus::<S>::new(array(&prime)).unwrap();
        for x in edge_values(&prime).into_iter().filter(|x| *x != BigUint::ZERO) {
            let x = p.residue(&array::<S>(&x));
            assert_eq!(p.mul(x, p.inverse_modulo_prime(x)), p.one());
        }
        assert_eq!(p.inverse_modulo_prime(Residue::ZERO), Residue::ZERO);
    }
    let power = |bits: u32| BigUint::from(1u8) << bits;
    check::<1>(power(64) - 59u8);
    check::<2>(power(127) - 1u8);
    check::<4>(power(255) - 19u8);
    check::<9>(power(521) - 1u8);
    check::<2>(BigUint::from(3u8));
}

#[test]
fn moduli_and_residues_can_be_constants() {
    const P: Modulus<4> = match Modulus::new([u64::MAX - 18, u64::MAX, u64::MAX, u64::MAX >> 1]) {
        Ok(p) => p,
        Err(_) => panic!("the modulus is odd"),
    };
    const FIVE: Residue<4> = P.residue_of_constant([5, 0, 0, 0]);
    const ONE: Residue<4> = P.one();
    static TABLE: [Residue<4>; 3] = [Residue::ZERO, ONE, FIVE];
    assert_eq!(P.to_number(P.sub(TABLE[2], TABLE[1])), [4, 0, 0, 0]);
}

#[test]
fn zero_and_even_moduli_are_refused() {
    assert_eq!(Modulus::new([0]).map(|_| ()), Err(Error::ZeroModulus));
    assert_eq!(Modulus::new([0, 0, 0]).map(|_| ()), Err(Error::ZeroModulus));
    assert_eq!(Modulus::new([0, 1]).map(|_| ()), Err(Error::EvenModulus));
    assert_eq!(Modulus::new([u64::MAX - 1]).map(|_| ()), Err(Error::EvenModulus));
}

#[test]
fn choices_are_those_of_logic_and_of_the_lowest_bit() {
    let [no, yes] = [0, 1].map(Choice::from_bit);
    for (choice, expected) in [
        (Choice::from_bit(2), false),
        (Choice::from_bit(u64::MAX), true),
        (!no, true),
        (!yes, false),
        (no & no, false),
        (no & yes, false),
        (yes & no, false),
        (yes & yes, true),
        (no | no, false),
        (no | yes, true),
        (yes | no, true),
        (yes | yes, true),
    ] {
        assert_eq!(choice.to_bool(), expected);
    }
}

#[test]
fn residues_are_erased_and_never_shown() {
    let p = Modulus::new([101]).unwrap();
    let mut x = p.residue(&[7]);
    assert_eq!(format!("{x:?} {:?}", x.is_zero()), "Residue<1>(_) Choice(_)");
    assert_eq!(format!("{p:?}"), "Modulus(0x0000000000000065)");
    x.zeroize();
    assert_eq!(x, Residue::ZERO);
}
