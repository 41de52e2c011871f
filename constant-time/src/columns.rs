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

/// Every operation at each of its sizes, in a fixed order.
pub fn all() -> Vec<Subject> {
    let mut subjects = Vec::new();
    for bits in SIZES_BITS {
        let pow = Subject::of_function("columns, pow", bits, |secrets| powers(&POW, secrets));
        let modexp = Subject::of_function("columns, modexp", bits, |secrets| powers(&MODEXP, secrets));
        let product = Subject::of_function("columns, product", bits, products);
        subjects.extend([pow, modexp].map(|subject| Subject { prepare: keep_power, ..subject }));
        subjects.push(Subject { prepare: keep_product, ..product });
    }
    let inverse = Subject::of_function("inverse", PRIME_BITS, inverse);
    subjects.push(Subject { prepare: |secrets, bits, _| take_prime(secrets, bits), ..inverse });
    let inverses = Subject::of_function("columns, inverse", PRIME_BITS, inverses);
    subjects.push(Subject { prepare: keep_inverse, ..inverses });
    subjects
}

fn keep_power(secrets: &mut Secrets, _bits: usize, _seed: u64) {
    keep(secrets, |secrets| monpro::pow(&secrets.x, &secrets.e, &secrets.n).expect("n is not 0"));
}

fn keep_product(secrets: &mut Secrets, _bits: usize, _seed: u64) {
    keep(secrets, |secrets| monpro::pow(&secrets.x, &[2], &secrets.n).expect("n is not 0"));
}

fn keep_inverse(secrets: &mut Secrets, bits: usize, _seed: u64) {
    take_prime(secrets, bits);
    keep(secrets, |secrets| {
        let inverse = monpro::inverse(&secrets.x, &secrets.n).expect("n is not 0");
        inverse.expect("every number but 0 has one")
    });
}

/// Names what is to be erased: the numbers of a row and its result. A queue between threads takes its messages with what
/// the stack held between their parts, so that not every word that is left is a secret. What a thread computes on the way
/// is watched where one thread computes it.
fn keep(secrets: &mut Secrets, result: impl Fn(&Secrets) -> Vec<u64>) {
    let result = result(secrets);
    for number in [secrets.x.clone(), secrets.e.clone(), secrets.n.clone(), result] {
        secrets.keep(as_bytes(&number));
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

fn powers(operation: &dyn Operation, secrets: &Secrets) {
    computed(operation, &[&secrets.x, &secrets.e, &secrets.n], secrets.n.len());
}

fn products(secrets: &Secrets) {
    computed(&PRODUCT, &[&secrets.x, &secrets.x, &secrets.n], secrets.n.len());
}

fn inverses(secrets: &Secrets) {
    computed(&INVERSE, &[&secrets.x, &secrets.n], secrets.n.len());
}

fn inverse(secrets: &Secrets) {
    black_box(monpro::inverse(&secrets.x, &secrets.n).expect("n is not 0").map(Zeroizing::new));
}

/// Computes an operation on rows that all hold these numbers.
fn computed(operation: &dyn Operation, numbers: &[&[u64]], words: usize) {
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
