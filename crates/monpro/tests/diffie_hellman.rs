//! Key agreement in both rings: against num-bigint, between two parties, and the refusals of a peer's value.

mod oracle;
mod random;

use monpro::diffie_hellman::{Group, GroupError};
use monpro::ring::RingName;
use monpro::{BinaryField, natural};
use num_bigint::BigUint;
use proptest::prelude::*;
use random::Random;

fn octets(count: usize, random: &mut Random) -> Vec<u8> {
    natural::to_be_bytes(&random.words(count.div_ceil(8)), count)
}

/// GF(2^127): 2^127 − 1 is prime, and is the order of every element but 0 and 1.
fn field_of_prime_order() -> (BinaryField, Vec<u64>) {
    (BinaryField::from_exponents(&[127, 1, 0]).unwrap(), vec![u64::MAX, u64::MAX >> 1])
}

#[test]
fn the_named_groups_are_those_of_rfc_3526_and_rfc_7919() {
    let bits = [2048, 3072, 4096, 6144, 8192];
    let expected = ["modp", "ffdhe"].map(|family| bits.map(|bits| format!("{family}{bits}"))).concat();
    assert_eq!(Group::names().collect::<Vec<_>>(), expected);
}

#[test]
fn named_groups_give_both_parties_the_power_that_num_bigint_gives() {
    let mut random = Random(1);
    for name in Group::names() {
        let group = Group::named(name).unwrap();
        let bits: usize = name.trim_start_matches(char::is_alphabetic).parse().unwrap();
        assert_eq!((group.octets(), group.modulus().bits()), (bits / 8, bits));
        let exponents = [0, 1].map(|_| octets(group.private_octets(), &mut random));
        let [alice, bob] = exponents.clone().map(|exponent| group.private_key(&exponent).unwrap());
        let secret = alice.agree(bob.public_value()).unwrap();
        assert_eq!(secret.octets(), bob.agree(alice.public_value()).unwrap().octets(), "{name}");

        let p = BigUint::from_bytes_be(&natural::to_be_bytes(group.modulus().number(), bits / 8));
        let [a, b] = exponents.map(|exponent| BigUint::from_bytes_be(&exponent));
        let public = BigUint::from(2u32).modpow(&a, &p);
        assert_eq!(BigUint::from_bytes_be(alice.public_value()), public, "{name}");
        assert_eq!(BigUint::from_bytes_be(secret.octets()), public.modpow(&b, &p), "{name}");
    }
}

#[test]
fn a_named_group_knows_its_name_and_its_order() {
    for name in ["modp2048", "ffdhe2048", "ffdhe3072"] {
        let group = Group::named(name).unwrap();
        let (p, order) = (group.modulus().number().to_vec(), group.order().unwrap().to_vec());
        assert_eq!(group.name(), Some(name));
        assert_eq!((p[0] >> 1) & 0xff, order[0] & 0xff);
        // Its private keys would be longer than those of the named group.
        assert_eq!(Group::integers(&p, &[2], Some(&order)).unwrap().name(), None);
    }
    assert_eq!(Group::integers(&[23], &[5], None).unwrap().order(), None);
}

#[test]
fn a_binary_field_is_a_group_like_any_other() {
    let (field, order) = field_of_prime_order();
    let mut random = Random(2);
    for (field, order) in [
        (field, Some(&order[..])),
        (BinaryField::from_exponents(&[571, 10, 5, 2, 0]).unwrap(), None),
        (BinaryField::from_exponents(&[64, 4, 3, 1, 0]).unwrap(), None),
    ] {
        let generator = field.element(&[2]).unwrap();
        let group = Group::binary_field(&generator, order).unwrap();
        assert_eq!(group.octets(), field.octets());
        let exponents = [0, 1].map(|_| octets(group.private_octets(), &mut random));
        let [alice, bob] = exponents.clone().map(|exponent| group.private_key(&exponent).unwrap());
        let secret = alice.agree(bob.public_value()).unwrap();
        assert_eq!(secret.octets(), bob.agree(alice.public_value()).unwrap().octets());

        let [a, b] = exponents.map(|exponent| natural::from_be_bytes(&exponent));
        assert_eq!(generator.pow_vartime(&a).to_be_bytes(), alice.public_value());
        assert_eq!(generator.pow_vartime(&a).pow_vartime(&b).to_be_bytes(), secret.octets());
    }
}

#[test]
fn exponents_in_a_binary_field_count_powers_of_x() {
    let (field, order) = field_of_prime_order();
    let group = Group::binary_field(&field.element(&[2]).unwrap(), Some(&order)).unwrap();
    let mut exponent = vec![0; 16];
    exponent[14..].copy_from_slice(&300u16.to_be_bytes());
    let expected = oracle::power_of_two(RingName::BinaryPolynomials, 300, field.modulus().number());
    let key = group.private_key(&exponent).unwrap();
    assert_eq!(natural::from_be_bytes(key.public_value()), expected);
    assert!(oracle::bits(&expected) <= 127);
    let squared =
        oracle::product(RingName::BinaryPolynomials, &expected, &expected, field.modulus().number());
    exponent[14..].copy_from_slice(&2u16.to_be_bytes());
    let secret = group.private_key(&exponent).unwrap().agree(key.public_value()).unwrap();
    assert_eq!(natural::from_be_bytes(secret.octets()), squared);
}

#[test]
fn of_every_residue_exactly_the_subgroup_is_accepted() {
    // The squares modulo 23 are the subgroup of order 11 that 2 generates. Modulo 31 there are squares outside
    // of the subgroup of order 5.
    for (p, order) in [(23u8, 11u32), (31, 5)] {
        let group = Group::integers(&[p.into()], &[2], Some(&[order.into()])).unwrap();
        let key = group.private_key(&[7]).unwrap();
        let power = |y: u8, exponent: u32| BigUint::from(y).modpow(&exponent.into(), &p.into());
        for y in 0..=255u8 {
            let outcome = key.agree(&[y]).map(|secret| secret.octets().to_vec());
            let expected = match y {
                _ if y >= p => Err(GroupError::PeerOutOfRange),
                _ if y < 2 || y == p - 1 => Err(GroupError::DegeneratePeer),
                _ if power(y, order) == BigUint::from(1u32) => Ok(power(y, 7).to_bytes_be()),
                _ => Err(GroupError::PeerOutsideSubgroup),
            };
            assert_eq!(outcome, expected, "{y} modulo {p}");
        }
    }
}

/// The order 15 is half the polynomial x⁴ + x³ + x² + x + 1, which is 31 as a number. Modulo the prime 31
/// only squares have an order that divides 15; in the field all elements but 0 have one.
#[test]
fn of_a_binary_field_whose_order_is_half_the_polynomial_every_element_is_accepted() {
    let field = BinaryField::from_exponents(&[4, 3, 2, 1, 0]).unwrap();
    let group = Group::binary_field(&field.element(&[3]).unwrap(), Some(&[15])).unwrap();
    let key = group.private_key(&[7]).unwrap();
    for y in 2..16 {
        let element = field.element(&[y]).unwrap();
        let secret = key.agree(&element.to_be_bytes()).map(|secret| secret.octets().to_vec());
        assert_eq!(secret, Ok(element.pow(&[7]).to_be_bytes()), "{y}");
    }
}

/// The values at the ends of the range, and values in the other coset, which are those with a minus sign: p ≡ 3 mod 4.
#[test]
fn of_a_named_group_the_ends_of_the_range_and_the_non_residues_are_refused() {
    let mut random = Random(3);
    for name in Group::names().filter(|name| name.ends_with("2048")) {
        let group = Group::named(name).unwrap();
        let key = group.private_key(&octets(group.private_octets(), &mut random)).unwrap();
        let p = BigUint::from_bytes_be(&natural::to_be_bytes(group.modulus().number(), 256));
        let [one, good] = [BigUint::from(1u32), BigUint::from_bytes_be(key.public_value())];
        let verdict = |y: &BigUint| {
            let octets = y.to_bytes_be();
            let octets = [vec![0; 256 - octets.len()], octets].concat();
            key.agree(&octets).map(|secret| secret.octets().len())
        };
        assert_eq!(verdict(&good), Ok(256));
        for (y, error) in [
            (BigUint::ZERO, GroupError::DegeneratePeer),
            (one.clone(), GroupError::DegeneratePeer),
            (&p - &one, GroupError::DegeneratePeer),
            (p.clone(), GroupError::PeerOutOfRange),
            (&p + &one, GroupError::PeerOutOfRange),
            (&p + 2u32, GroupError::PeerOutOfRange),
            ((one.clone() << 2048) - &one, GroupError::PeerOutOfRange),
            (&p - &good, GroupError::PeerOutsideSubgroup),
            (&p - 2u32, GroupError::PeerOutsideSubgroup),
        ] {
            assert_eq!(verdict(&y), Err(error), "{name}: {y}");
        }
        for octets in [0, 1, 255, 257, 512] {
            let error = GroupError::OctetCount { expected: 256, given: octets };
            assert_eq!(key.agree(&vec![2; octets]).unwrap_err(), error, "{name}");
        }
    }
}

/// Where q divides a private key, its public value is 1.
#[test]
fn a_private_key_that_is_a_multiple_of_the_order_is_refused() {
    let group = Group::integers(&[23], &[2], Some(&[11])).unwrap();
    for x in 0..=255u8 {
        let outcome = group.private_key(&[x]).map(|key| key.public_value().to_vec());
        let expected = match x % 11 {
            0 => Err(GroupError::DegeneratePrivateKey),
            _ => Ok(BigUint::from(2u32).modpow(&x.into(), &23u32.into()).to_bytes_be()),
        };
        assert_eq!(outcome, expected, "{x}");
    }
}

#[test]
fn of_a_binary_field_degrees_and_orders_are_checked() {
    // In GF(2^4) x³ has the order 5.
    let field = BinaryField::from_exponents(&[4, 1, 0]).unwrap();
    let group = Group::binary_field(&field.element(&[8]).unwrap(), Some(&[5])).unwrap();
    let key = group.private_key(&[3]).unwrap();
    for y in 0..=255u8 {
        let expected = match y {
            0 | 1 => Err(GroupError::DegeneratePeer),
            16.. => Err(GroupError::PeerOutOfRange),
            _ => {
                let element = field.element(&[y.into()]).unwrap();
                match element.pow(&[5]) == field.one() {
                    true => Ok(element.pow(&[3]).to_be_bytes()),
                    false => Err(GroupError::PeerOutsideSubgroup),
                }
            }
        };
        assert_eq!(key.agree(&[y]).map(|secret| secret.octets().to_vec()), expected, "{y}");
    }
}

#[test]
fn a_secret_of_small_order_is_refused_where_the_order_is_unknown() {
    let field = BinaryField::from_exponents(&[4, 1, 0]).unwrap();
    let group = Group::binary_field(&field.element(&[2]).unwrap(), None).unwrap();
    let key = group.private_key(&[5]).unwrap();
    let of_order_five = field.element(&[8]).unwrap().to_be_bytes();
    assert_eq!(key.agree(&of_order_five).unwrap_err(), GroupError::DegeneratePeer);
}

#[test]
fn what_makes_no_group_and_no_key_is_a_typed_error() {
    let integers = |p, g, order| Group::integers(&[p], &[g], order).unwrap_err();
    assert_eq!(integers(0, 2, None), GroupError::DegenerateModulus);
    assert_eq!(integers(3, 2, None), GroupError::DegenerateModulus);
    assert_eq!(integers(24, 5, None), GroupError::DegenerateModulus);
    let too_long = vec![u64::MAX; Group::MAX_BITS / 64 + 1];
    let bits = 64 * too_long.len();
    assert_eq!(Group::integers(&too_long, &[2], None), Err(GroupError::ModulusTooLong { bits }));
    // Of the most bits: refused for its generator only, which is 1.
    let longest = &too_long[1..];
    assert_eq!(Group::integers(longest, &[1], None), Err(GroupError::DegenerateGenerator));
    for g in [0, 1, 22, 23, 25] {
        assert_eq!(integers(23, g, None), GroupError::DegenerateGenerator, "{g}");
    }
    assert_eq!(integers(23, 5, Some(&[11])), GroupError::GeneratorOrder);
    assert_eq!(integers(23, 2, Some(&[0])), GroupError::GeneratorOrder);
    assert_eq!(integers(23, 2, Some(&[11 << 8])), GroupError::GeneratorOrder);
    assert_eq!(Group::named("ffdhe1024").unwrap_err(), GroupError::UnknownName);

    let group = Group::named("modp2048").unwrap();
    let count = |given| GroupError::PrivateOctetCount { least: 29, most: 256, given };
    assert_eq!(group.private_key(&[7; 28]).unwrap_err(), count(28));
    assert_eq!(group.private_key(&[7; 257]).unwrap_err(), count(257));
    assert!(group.private_key(&[7; 256]).is_ok());
    assert_eq!(group.private_key(&[0; 29]).unwrap_err(), GroupError::DegeneratePrivateKey);
    let key = group.private_key(&[7; 29]).unwrap();
    let expected = |given| GroupError::OctetCount { expected: 256, given };
    assert_eq!(key.agree(&[2]).unwrap_err(), expected(1));
    assert_eq!(key.agree(&[0; 257]).unwrap_err(), expected(257));
    let field = BinaryField::from_exponents(&[4, 1, 0]).unwrap();
    assert_eq!(Group::binary_field(&field.one(), None).unwrap_err(), GroupError::DegenerateGenerator);
}

#[test]
fn every_refusal_says_what_is_wrong_and_what_to_give() {
    for (error, expected) in [
        (
            GroupError::UnknownName,
            "no group has this name: take one of modp2048 modp3072 modp4096 modp6144 modp8192 ffdhe2048 \
             ffdhe3072 ffdhe4096 ffdhe6144 ffdhe8192",
        ),
        (GroupError::DegenerateModulus, "the modulus is even or below 5: give a large prime"),
        (
            GroupError::ModulusTooLong { bits: 16385 },
            "the modulus has 16385 bits: give a prime of at most 16384",
        ),
        (
            GroupError::DegenerateGenerator,
            "the generator is 0, 1, −1 or not below the modulus: give an element of large prime order",
        ),
        (
            GroupError::GeneratorOrder,
            "the generator does not have the order given: check generator, order and modulus",
        ),
        (
            GroupError::PrivateOctetCount { least: 29, most: 256, given: 28 },
            "28 octets given: a private key of this group has 29 to 256",
        ),
        (
            GroupError::DegeneratePrivateKey,
            "the private key makes the public value 1 or −1: give random octets",
        ),
        (
            GroupError::OctetCount { expected: 256, given: 255 },
            "255 octets given: a public value of this group has 256 exactly, with leading zeros",
        ),
        (GroupError::PeerOutOfRange, "the peer's public value is not below the modulus: end the exchange"),
        (
            GroupError::DegeneratePeer,
            "the peer's public value leads to the secret 0, 1 or −1: end the exchange",
        ),
        (
            GroupError::PeerOutsideSubgroup,
            "the peer's public value is outside the generator's group and could reveal bits of the key: \
             end the exchange",
        ),
    ] {
        assert_eq!(error.to_string(), expected);
    }
}

#[test]
fn nothing_secret_is_printed() {
    let group = Group::integers(&[0xffff_fffb], &[2], None).unwrap();
    let key = group.private_key(&[0xde, 0xad, 0xbe, 0xef]).unwrap();
    let shown = format!("{key:?} {:?}", key.agree(&[0xca, 0xfe, 0xba, 0xbe]).unwrap());
    assert!(!shown.contains("222, 173") && !shown.to_lowercase().contains("dead"), "{shown}");
}

proptest! {
    #[test]
    fn both_parties_of_any_group_share_a_secret(a in any::<[u8; 8]>(), b in any::<[u8; 8]>(), g in 2..1u64 << 60) {
        // 2^61 − 1 is prime.
        let group = Group::integers(&[(1 << 61) - 1], &[g], None).unwrap();
        if let (Ok(alice), Ok(bob)) = (group.private_key(&a), group.private_key(&b)) {
            let secret = alice.agree(bob.public_value()).map(|secret| secret.octets().to_vec());
            prop_assert_eq!(secret, bob.agree(alice.public_value()).map(|secret| secret.octets().to_vec()));
        }
    }
}
