//! Diffie–Hellman: a private key with its public value, and the secret shared with a peer. The group and the peer's
//! value are public.

use crate::secrets::{Secrets, as_bytes};
use crate::subject::Subject;
use monpro::BinaryField;
use monpro::diffie_hellman::Group;
use std::hint::black_box;

/// A group of one's own, of this size: nobody checks that its modulus is a prime.
const SIZES_BITS: [usize; 2] = [512, 1024];
const NAMED: &str = "modp2048";
const FIELD: [usize; 3] = [233, 74, 0];

/// A subject for each of the groups.
pub fn all() -> Vec<Subject> {
    let mut groups: Vec<Group> = SIZES_BITS
        .map(|bits| Group::integers(&Secrets::new(bits, 0, 0).n, &[2], None).expect("2 generates something"))
        .to_vec();
    groups.push(Group::named(NAMED).expect("RFC 3526 names the group"));
    let field = BinaryField::from_exponents(&FIELD).expect("the exponents are those of a field in use");
    let generator = field.element(&[2]).expect("the number is below n");
    let binary = Group::binary_field(&generator, None).expect("x generates something");
    let mut subjects: Vec<Subject> = groups.into_iter().map(|group| of_group("DH", group)).collect();
    subjects.push(of_group("DH in GF(2^k)", binary));
    subjects
}

fn of_group(name: &str, group: Group) -> Subject {
    let (bits, kernel) = (group.modulus().bits(), group.modulus().kernel());
    let octets = vec![0x5a; group.private_octets()];
    let peer = group.private_key(&octets).expect("the exponent is not 0").public_value().to_vec();
    let run = move |secrets: &Secrets| {
        let mut octets = as_bytes(&secrets.x)[..group.private_octets()].to_vec();
        // Not 0; and with 1 there, octets of ones would be the order of the field's group, 2^233 − 1.
        octets[0] = 2;
        let key = group.private_key(&octets).expect("the exponent is not 0");
        secrets.publish(key.public_value());
        secrets.publish(&peer);
        black_box(key.agree(&peer).expect("the peer's value is in the group").octets());
        zeroize::Zeroize::zeroize(&mut octets);
    };
    Subject { name: name.to_owned(), ..Subject::of_kernel(kernel, bits, run) }
}
