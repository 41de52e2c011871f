//! Inverses, and the operations on columns. Those run on a thread of their own, which the trace does not follow: it leaves
//! them out.

use crate::secrets::{Secrets, as_bytes};
use crate::subject::Subject;
use monpro::columns::{Column, INVERSE, MODEXP, Operation, POW, PRODUCT, Results, compute};
use monpro::natural;
use std::hint::black_box;
use zeroize::Zeroizing;

/// One size has all digits in registers, and one has its own code in lanes.
const SIZES_BITS: [usize; 2] = [320, 512];
/// The size of the prime modulo which every number but 0 has an inverse, 2^521 − 1.
const PRIME_BITS: usize = 521;
/// A row more than there are lanes.
const ROWS: usize = 9;

/// What a subject's name says about its modulus, and that modulus.
type NamedModulus = (&'static str, fn(&Secrets) -> Zeroizing<Vec<u64>>);

const MODULI: [NamedModulus; 2] =
    [("", |secrets| Zeroizing::new(secrets.n.clone())), (", even modulus", Secrets::even_modulus)];

/// Every operation at each of its sizes, in a fixed order.
pub fn all() -> Vec<Subject> {
    let mut subjects = Vec::new();
    for bits in SIZES_BITS {
        for (name, modulus) in MODULI {
            let powers: [(&str, &dyn Operation); 2] = [("pow", &POW), ("modexp", &MODEXP)];
            for (operation_name, operation) in powers {
                let run = move |secrets: &Secrets| {
                    computed(operation, &[&secrets.x, &secrets.e, &modulus(secrets)])
                };
                let power = Subject::of_function(&format!("columns, {operation_name}{name}"), bits, run);
                subjects.push(Subject { prepare: keep_powers, ..power });
            }
            let run =
                move |secrets: &Secrets| computed(&PRODUCT, &[&secrets.x, &secrets.x, &modulus(secrets)]);
            let product = Subject::of_function(&format!("columns, product{name}"), bits, run);
            subjects.push(Subject { prepare: keep_products, ..product });
        }
    }
    let inverse = Subject::of_function("inverse", PRIME_BITS, inverse);
    subjects.push(Subject { prepare: |secrets, bits, _| take_prime(secrets, bits), ..inverse });
    let inverses = Subject::of_function("columns, inverse", PRIME_BITS, inverses);
    subjects.push(Subject { prepare: keep_inverse, ..inverses });
    subjects
}

fn keep_powers(secrets: &mut Secrets, _bits: usize, _seed: u64) {
    let exponent = secrets.e.clone();
    keep_powers_by(secrets, &exponent);
}

fn keep_products(secrets: &mut Secrets, _bits: usize, _seed: u64) {
    keep_powers_by(secrets, &[2]);
}

/// Names the numbers and the powers modulo each of the moduli.
fn keep_powers_by(secrets: &mut Secrets, exponent: &[u64]) {
    for (_, modulus) in MODULI {
        let modulus = modulus(secrets);
        keep(secrets, &modulus, |secrets| {
            monpro::pow(&secrets.x, exponent, &modulus).expect("the modulus is not 0")
        });
    }
}

fn keep_inverse(secrets: &mut Secrets, bits: usize, _seed: u64) {
    take_prime(secrets, bits);
    let modulus = secrets.n.clone();
    keep(secrets, &modulus, |secrets| {
        let inverse = monpro::inverse(&secrets.x, &secrets.n).expect("n is not 0");
        inverse.expect("every number but 0 has one")
    });
}

/// Names what is to be erased: the numbers of a row and its result. A queue between threads takes its messages with what
/// the stack held between their parts, so that not every word that is left is a secret. What a thread computes on the way
/// is watched where one thread computes it.
fn keep(secrets: &mut Secrets, modulus: &[u64], result: impl Fn(&Secrets) -> Vec<u64>) {
    let (x, e, result) = (secrets.x.clone(), secrets.e.clone(), result(secrets));
    for number in [&x[..], &e, modulus, &result] {
        secrets.keep(as_bytes(number));
    }
}

/// Makes the modulus the prime, and the number one that has an inverse: whether there is one is public.
fn take_prime(secrets: &mut Secrets, bits: usize) {
    let last = secrets.n.len() - 1;
    secrets.n.fill(u64::MAX);
    secrets.n[last] = (1 << (bits % 64)) - 1;
    secrets.x[0] |= 1;
    secrets.x[last] = 0;
}

fn inverses(secrets: &Secrets) {
    computed(&INVERSE, &[&secrets.x, &secrets.n]);
}

fn inverse(secrets: &Secrets) {
    black_box(monpro::inverse(&secrets.x, &secrets.n).expect("n is not 0").map(Zeroizing::new));
}

/// Computes an operation on rows that all hold these numbers, the last of which is the modulus.
fn computed(operation: &dyn Operation, numbers: &[&[u64]]) {
    let words = numbers.last().map_or(0, |modulus| modulus.len());
    let rows = numbers.iter().map(|number| {
        let row = Zeroizing::new(natural::to_be_bytes(number, 8 * number.len()));
        (Zeroizing::new(row.repeat(ROWS)), row.len())
    });
    let rows: Vec<(Zeroizing<Vec<u8>>, usize)> = rows.collect();
    let operands: Vec<Column<'_>> = rows
        .iter()
        .map(|(octets, width)| Column::fixed(&**octets, *width, ROWS).expect("the rows are there"))
        .collect();
    let (mut octets, mut statuses) = (Zeroizing::new(vec![0; 8 * words * ROWS]), [0; ROWS]);
    let mut results = Results::fixed(&mut *octets, 8 * words);
    let done = compute(operation, &operands, &mut results, &mut statuses, Some(1), &mut ());
    assert_eq!((done, statuses), (Ok(true), [0; ROWS]));
    black_box(octets);
}
