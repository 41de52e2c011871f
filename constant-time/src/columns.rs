//! Inverses, and the operations on columns. Those run on a thread of their own, which the trace does not follow: it leaves
//! them out.

use crate::secrets::{Secrets, as_bytes};
use crate::subject::Subject;
use monpro::columns::{Column, INVERSE, MODEXP, Operation, POW, PRODUCT, Results, compute};
use monpro::natural;
use std::hint::black_box;
use zeroize::Zeroizing;

/// One size has all digits in registers, and one has its own code in lanes.
/// One size has all digits in registers, and one has its own code in lanes.
const SIZES_BITS: [usize; 2] = [320, 512];
/// The size of the prime modulo which every number but 0 has an inverse, 2^521 − 1.
const PRIME_BITS: usize = 521;
/// A row more than two times the lanes, which are enough for a table of powers of one base.
const ROWS: usize = 17;

/// What a subject's name says about its modulus, and that modulus.
type NamedModulus = (&'static str, fn(&Secrets) -> Zeroizing<Vec<u64>>);

const MODULI: [NamedModulus; 2] =
    [("", |secrets| Zeroizing::new(secrets.n.clone())), (", even modulus", Secrets::even_modulus)];

/// What a subject's name says about the operands that are one number for all rows, and which of the three are.
type Constants = (&'static str, [bool; 3]);

const CONSTANTS_OF_POWER: [Constants; 4] = [
    ("", [false, false, false]),
    (", one n", [false, false, true]),
    (", one x, one n", [true, false, true]),
    (", one e", [false, true, false]),
];
const CONSTANTS_OF_PRODUCT: [Constants; 2] = [CONSTANTS_OF_POWER[0], CONSTANTS_OF_POWER[1]];

/// The number of an operand in each row, or the one of all rows.
struct Operand {
    number: Zeroizing<Vec<u64>>,
    is_constant: bool,
}

/// Every operation at each of its sizes, in a fixed order.
pub fn all() -> Vec<Subject> {
    let mut subjects = Vec::new();
    for bits in SIZES_BITS {
        for (modulus_name, modulus) in MODULI {
            let powers: [(&str, &'static dyn Operation); 2] = [("pow", &POW), ("modexp", &MODEXP)];
            for (name, operation) in powers {
                subjects.extend(CONSTANTS_OF_POWER.map(|(constants_name, constants)| {
                    let operands = move |secrets: &Secrets| {
                        let numbers = [&secrets.x[..], &secrets.e, &modulus(secrets)];
                        operands_of(numbers, constants)
                    };
                    let name = format!("columns, {name}{modulus_name}{constants_name}");
                    subject(&name, bits, operation, operands)
                }));
            }
            subjects.extend(CONSTANTS_OF_PRODUCT.map(|(constants_name, constants)| {
                let operands = move |secrets: &Secrets| {
                    operands_of([&secrets.x, &secrets.x, &modulus(secrets)], constants)
                };
                let name = format!("columns, product{modulus_name}{constants_name}");
                subject(&name, bits, &PRODUCT, operands)
            }));
        }
    }
    let inverse = Subject::of_function("inverse", PRIME_BITS, inverse);
    subjects.push(Subject { prepare: Box::new(|secrets, bits, _| take_prime(secrets, bits)), ..inverse });
    subjects.extend([("", false), (", one n", true)].map(|(name, is_constant)| {
        let operands = move |secrets: &Secrets| {
            let [number, modulus] = [&secrets.x, &secrets.n].map(|number| Zeroizing::new(number.clone()));
            vec![Operand { number, is_constant: false }, Operand { number: modulus, is_constant }]
        };
        let inverses = subject(&format!("columns, inverse{name}"), PRIME_BITS, &INVERSE, operands);
        let keep = inverses.prepare;
        let prepare = move |secrets: &mut Secrets, bits, seed| {
            take_prime(secrets, bits);
            keep(secrets, bits, seed);
        };
        Subject { prepare: Box::new(prepare), ..inverses }
    }));
    subjects
}

/// Base, exponent or factor, and modulus. The length of a constant in bits is public: that of the modulus is anyway, and
/// the others get a bit above the secret ones.
fn operands_of(numbers: [&[u64]; 3], constants: [bool; 3]) -> Vec<Operand> {
    let lengthened = |number: &[u64]| Zeroizing::new([number, &[1]].concat());
    let operand = |place: usize| match constants[place] && place < 2 {
        true => Operand { number: lengthened(numbers[place]), is_constant: true },
        false => Operand { number: Zeroizing::new(numbers[place].to_vec()), is_constant: constants[place] },
    };
    (0..3).map(operand).collect()
}

/// The operation on these operands.
///
/// What is to be erased are the numbers of a row and its result. A queue between threads takes its messages with what the
/// stack held between their parts, so that not every word that is left is a secret. What a thread computes on the way is
/// watched where one thread computes it.
fn subject(
    name: &str,
    bits: usize,
    operation: &'static dyn Operation,
    operands: impl Fn(&Secrets) -> Vec<Operand> + Clone + 'static,
) -> Subject {
    let of_row = operands.clone();
    let prepare = move |secrets: &mut Secrets, _bits: usize, _seed: u64| {
        let operands = of_row(secrets);
        let result = computed(operation, &operands);
        operands.iter().for_each(|operand| secrets.keep(as_bytes(&operand.number)));
        secrets.keep(&result[..result.len() / ROWS]);
    };
    let run = move |secrets: &Secrets| {
        black_box(computed(operation, &operands(secrets)));
    };
    Subject { prepare: Box::new(prepare), ..Subject::of_function(name, bits, run) }
}

/// Makes the modulus the prime, and the number one that has an inverse: whether there is one is public.
fn take_prime(secrets: &mut Secrets, bits: usize) {
    let last = secrets.n.len() - 1;
    secrets.n.fill(u64::MAX);
    secrets.n[last] = (1 << (bits % 64)) - 1;
    secrets.x[0] |= 1;
    secrets.x[last] = 0;
}

fn inverse(secrets: &Secrets) {
    black_box(monpro::inverse(&secrets.x, &secrets.n).expect("n is not 0").map(Zeroizing::new));
}

/// The results of an operation on rows that all hold these numbers.
fn computed(operation: &dyn Operation, operands: &[Operand]) -> Zeroizing<Vec<u8>> {
    let octets_of = |operand: &Operand| {
        let row = Zeroizing::new(natural::to_be_bytes(&operand.number, 8 * operand.number.len()));
        let rows = if operand.is_constant { 1 } else { ROWS };
        (Zeroizing::new(row.repeat(rows)), row.len())
    };
    let octets: Vec<(Zeroizing<Vec<u8>>, usize)> = operands.iter().map(octets_of).collect();
    let columns: Vec<Column<'_>> = operands
        .iter()
        .zip(&octets)
        .map(|(operand, (octets, width))| column(operand, octets, *width))
        .collect();
    let width = octets.last().map_or(0, |(_, width)| *width);
    let (mut results, mut statuses) = (Zeroizing::new(vec![0; width * ROWS]), [0; ROWS]);
    let mut fixed = Results::fixed(&mut *results, width);
    let done = compute(operation, &columns, &mut fixed, &mut statuses, Some(1), &mut ());
    assert_eq!((done, statuses), (Ok(true), [0; ROWS]));
    results
}

fn column<'a>(operand: &Operand, octets: &'a Zeroizing<Vec<u8>>, width: usize) -> Column<'a> {
    match operand.is_constant {
        true => Column::constant(&**octets),
        false => Column::fixed(&**octets, width, ROWS).expect("the rows are there"),
    }
}
