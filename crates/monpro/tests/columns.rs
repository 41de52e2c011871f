//! Columns against num-bigint: every operation, constants and columns, fixed and variable widths, nulls, broken rows.

use monpro::cancellation::checkpoint;
use monpro::columns::{
    Batch, Call, Column, ColumnError, Computation, Cost, Host, INVERSE, MODEXP, MODEXP_VARTIME, MOST_OCTETS,
    Number, Octets, Operation, POW, POW_VARTIME, PRODUCT, Primes, ROUNDS, Results, Sizes, Status, compute,
};
use monpro::number_theory::is_prime_vartime;
use monpro::{inverse, natural};
use num_bigint::BigUint;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex};
use std::time::{Duration, Instant};
use zeroize::Zeroizing;

mod random;
use random::Random;

/// Rows of a column of numbers, some of them null.
struct Rows {
    octets: Vec<u8>,
    offsets: Vec<usize>,
    nulls: Vec<bool>,
}

impl Rows {
    fn new(numbers: &[Vec<u8>]) -> Rows {
        let mut offsets = vec![0];
        offsets.extend(numbers.iter().scan(0, |end, number| {
            *end += number.len();
            Some(*end)
        }));
        Rows { octets: numbers.concat(), offsets, nulls: vec![false; numbers.len()] }
    }

    fn count(&self) -> usize {
        self.nulls.len()
    }

    fn number(&self, row: usize) -> BigUint {
        BigUint::from_bytes_be(&self.octets[self.offsets[row]..self.offsets[row + 1]])
    }

    /// As rows of one width, each with leading zeros.
    fn widened(&self, width: usize) -> Vec<u8> {
        let mut octets = Vec::new();
        for row in 0..self.count() {
            let number = &self.octets[self.offsets[row]..self.offsets[row + 1]];
            octets.extend(vec![0; width - number.len()]);
            octets.extend(number);
        }
        octets
    }
}

/// What a row gives: its number, or why it is refused.
type Expected = Result<BigUint, Status>;

/// Computes the operation on columns of one width and on columns of many, and compares every row.
fn check(operation: &dyn Operation, columns: &[&Rows], width: usize, expected: impl Fn(usize) -> Expected) {
    let rows = columns[0].count();
    let widest = columns.iter().flat_map(|rows| rows.offsets.windows(2)).map(|pair| pair[1] - pair[0]).max();
    let widened: Vec<Vec<u8>> = columns.iter().map(|rows| rows.widened(widest.unwrap_or(0))).collect();
    let widened: Vec<&[u8]> = widened.iter().map(|octets| &octets[..]).collect();
    let originals: Vec<&[u8]> = columns.iter().map(|rows| &rows.octets[..]).collect();
    let fixed = |i: usize| Column::fixed(&widened[i], widest.unwrap_or(0), rows).unwrap();
    let variable = |i: usize| Column::variable(&originals[i], columns[i].offsets.clone()).unwrap();
    for threads in [1, 3] {
        for is_fixed in [true, false] {
            let of = |i: usize| if is_fixed { fixed(i) } else { variable(i) };
            let operands: Vec<Column<'_>> =
                (0..columns.len()).map(|i| of(i).with_nulls(columns[i].nulls.clone()).unwrap()).collect();
            let (mut out, mut statuses) = (vec![0xee; rows * width], vec![0xee; rows]);
            let mut results = Results::fixed(&mut out, width);
            assert!(
                compute(operation, &operands, &mut results, &mut statuses, Some(threads), &mut ()).unwrap()
            );
            for row in 0..rows {
                let found = BigUint::from_bytes_be(&out[row * width..(row + 1) * width]);
                let is_null = columns.iter().any(|rows| rows.nulls[row]);
                let (number, status) = match expected(row) {
                    _ if is_null => (BigUint::ZERO, Status::NullOperand),
                    Ok(number) => (number, Status::Ok),
                    Err(status) => (BigUint::ZERO, status),
                };
                assert_eq!((found, statuses[row]), (number, status as u8), "row {row}, fixed: {is_fixed}");
            }
        }
    }
}

/// Numbers of mixed sizes: up to this many octets, with zeros before some, and 0 and 1 among them.
fn mixed(rows: usize, most_octets: usize, random: &mut Random) -> Rows {
    let number = |row: usize| {
        let octets: Vec<u8> =
            random.words(most_octets.div_ceil(8)).iter().flat_map(|word| word.to_le_bytes()).collect();
        match row % 11 {
            0 => vec![],
            1 => vec![0, 1],
            2 => vec![0; most_octets],
            3 => vec![0xff; most_octets],
            4 => [&[0, 0][..], &octets[..most_octets / 2]].concat(),
            _ => octets[..1 + octets[0] as usize % most_octets].to_vec(),
        }
    };
    let mut rows = Rows::new(&(0..rows).map(number).collect::<Vec<_>>());
    for row in (0..rows.count()).step_by(17) {
        rows.nulls[row] = true;
    }
    rows
}

fn power(base: &BigUint, exponent: &BigUint, modulus: &BigUint, width: usize) -> Expected {
    match modulus {
        modulus if *modulus == BigUint::ZERO => Err(Status::ZeroModulus),
        modulus if modulus.bits() as usize > 8 * width => Err(Status::TooWide),
        modulus => Ok(base.modpow(exponent, modulus)),
    }
}

#[test]
fn powers_of_mixed_sizes_come_back_in_order() {
    let mut random = Random(1);
    for (rows, octets) in [(0, 9), (1, 9), (7, 30), (200, 40), (60, 140)] {
        let [bases, exponents, moduli] =
            [octets + 5, octets / 2, octets].map(|most| mixed(rows, most, &mut random));
        for width in [octets, octets / 2] {
            let of_row = |row| power(&bases.number(row), &exponents.number(row), &moduli.number(row), width);
            for operation in [&POW, &POW_VARTIME] {
                check(operation, &[&bases, &exponents, &moduli], width, of_row);
            }
            let by_machine = |row| match of_row(row) {
                Err(Status::ZeroModulus) => Ok(BigUint::ZERO),
                expected => expected,
            };
            for operation in [&MODEXP, &MODEXP_VARTIME] {
                check(operation, &[&bases, &exponents, &moduli], width, by_machine);
            }
        }
    }
}

/// The results of one call by columns of one width and constants.
fn results(
    operation: &dyn Operation,
    operands: &[Column<'_>],
    width: usize,
    rows: usize,
) -> (Vec<BigUint>, Vec<u8>) {
    let (mut out, mut statuses) = (vec![0xee; rows * width], vec![0xee; rows]);
    let mut results = Results::fixed(&mut out, width);
    assert!(compute(operation, operands, &mut results, &mut statuses, None, &mut ()).unwrap());
    (out.chunks_exact(width).map(BigUint::from_bytes_be).collect(), statuses)
}

#[test]
fn each_operand_may_be_a_constant() {
    let mut random = Random(2);
    let (rows, width) = (40, 24);
    let columns: Vec<Vec<u8>> =
        (0..3).map(|_| random.words(3 * rows).iter().flat_map(|word| word.to_le_bytes()).collect()).collect();
    for modulus_end in [0x81, 0x80] {
        for choice in 0..7 {
            // The first row stands for all where the operand is a constant.
            let mut octets = columns.clone();
            octets[2].chunks_mut(width).for_each(|row| row[width - 1] = modulus_end);
            let is_constant = |operand: usize| choice >> operand & 1 == 1;
            let place = |operand: usize, row: usize| if is_constant(operand) { 0 } else { width * row };
            let number = |operand: usize, row: usize| {
                BigUint::from_bytes_be(&octets[operand][place(operand, row)..][..width])
            };
            let constants: Vec<&[u8]> = octets.iter().map(|octets| &octets[..width]).collect();
            let operands: Vec<Column<'_>> = (0..3)
                .map(|operand| match is_constant(operand) {
                    true => Column::constant(&constants[operand]),
                    false => Column::fixed(&octets[operand], width, rows).unwrap(),
                })
                .collect();
            for operation in [&POW, &POW_VARTIME, &MODEXP, &MODEXP_VARTIME] {
                let (powers, statuses) = results(operation, &operands, width, rows);
                assert!(statuses.iter().all(|&status| status == 0));
                for (row, power) in powers.iter().enumerate() {
                    assert_eq!(
                        *power,
                        number(0, row).modpow(&number(1, row), &number(2, row)),
                        "{choice} {row}"
                    );
                }
            }
            let (products, _) = results(&PRODUCT, &operands, width, rows);
            for (row, product) in products.iter().enumerate() {
                assert_eq!(*product, number(0, row) * number(1, row) % number(2, row), "{choice} {row}");
            }
        }
    }
}

#[test]
fn products_and_inverses_are_those_of_a_library() {
    let mut random = Random(3);
    let [x, y, moduli] = [50, 30, 40].map(|octets| mixed(230, octets, &mut random));
    let modulus = |row| match moduli.number(row) {
        n if n == BigUint::ZERO => Err(Status::ZeroModulus),
        n if n.bits() > 240 => Err(Status::TooWide),
        n => Ok(n),
    };
    check(&PRODUCT, &[&x, &y, &moduli], 30, |row| Ok(x.number(row) * y.number(row) % modulus(row)?));
    check(&INVERSE, &[&x, &moduli], 30, |row| match modulus(row)? {
        // Modulo 1 the only number, 0, is its own inverse; the library has another opinion.
        n if n == BigUint::from(1u32) => Ok(BigUint::ZERO),
        n => x.number(row).modinv(&n).ok_or(Status::NotInvertible),
    });
}

#[test]
fn inverses_modulo_one_number_are_right_though_some_have_none() {
    let mut random = Random(4);
    for (step, end) in [(1, 1), (1, 0x80), (3, 0xff)] {
        let mut modulus: Vec<u8> = random.words(5).iter().flat_map(|word| word.to_le_bytes()).collect();
        modulus[39] = end;
        let n = BigUint::from_bytes_be(&modulus);
        let numbers: Vec<u8> = random.words(600).iter().flat_map(|word| word.to_le_bytes()).collect();
        let numbers: Vec<u8> = numbers
            .chunks(40)
            .enumerate()
            .flat_map(|(row, number)| if row % step == 2 { modulus.clone() } else { number.to_vec() })
            .collect();
        let operands = [Column::fixed(&numbers, 40, 120).unwrap(), Column::constant(&modulus)];
        let (inverses, statuses) = results(&INVERSE, &operands, 40, 120);
        for (row, number) in numbers.chunks(40).enumerate() {
            match BigUint::from_bytes_be(number).modinv(&n) {
                Some(inverse) => assert_eq!((&inverses[row], statuses[row]), (&inverse, 0)),
                None => assert_eq!((&inverses[row], statuses[row]), (&BigUint::ZERO, 4)),
            }
        }
    }
}

#[test]
fn inverses_of_long_numbers_are_those_of_a_library() {
    let mut random = Random(5);
    for bits in [61, 62, 63, 64, 65, 123, 124, 125, 126, 620, 1024, 2048] {
        for extra in [0, 1, 3] {
            for choice in 0..6 {
                let words = (bits as usize).div_ceil(64);
                let mut n = random.words(words);
                *n.last_mut().unwrap() >>= (64 - bits % 64) % 64;
                *n.last_mut().unwrap() |= 1 << ((bits - 1) % 64);
                n[0] = match choice {
                    0 | 1 => n[0] | 1,
                    2 => n[0] & !0xff | 0x10,
                    3 => 0,
                    4 => u64::MAX,
                    _ => n[0],
                };
                let x = random.words(words + extra);
                let [x_number, n_number] = [&x, &n]
                    .map(|words| BigUint::from_bytes_be(&natural::to_be_bytes(words, 8 * words.len())));
                if n_number == BigUint::ZERO {
                    continue;
                }
                let expected = x_number.modinv(&n_number).map(|y| {
                    let mut words = natural::from_be_bytes(&y.to_bytes_be());
                    words.resize(natural::bit_length(&n).div_ceil(64), 0);
                    words
                });
                assert_eq!(inverse(&x, &n), Ok(expected), "{x:x?} modulo {n:x?}");
            }
        }
    }
}

/// The test for primes with bases of a generator.
fn primes(random: Random) -> Primes<impl Fn(&mut [u8]) + Sync> {
    let random = Mutex::new(random);
    Primes::new(move |octets| {
        let mut random = random.lock().unwrap();
        for chunk in octets.chunks_mut(8) {
            chunk.copy_from_slice(&random.words(1)[0].to_le_bytes()[..chunk.len()]);
        }
    })
}

#[test]
fn bases_are_a_word_longer_than_the_widest_row_that_is_computed() {
    let long = vec![1; MOST_OCTETS + 1];
    for (rows, words) in [(vec![&[7][..], &[13; 17], &[]], 3), (vec![&[], &[]], 0), (vec![&long, &[3]], 1)] {
        let offsets = rows.iter().scan(0, |end, row| {
            *end += row.len();
            Some(*end)
        });
        let (octets, offsets) = (rows.concat(), [0].into_iter().chain(offsets).collect());
        let drawn = Mutex::new(Vec::new());
        let operation = Primes::new(|octets: &mut [u8]| drawn.lock().unwrap().push(octets.len()));
        results(&operation, &[Column::variable(&octets, offsets).unwrap()], 1, rows.len());
        assert_eq!(drawn.into_inner().unwrap(), [8 * (words + 1) * ROUNDS]);
    }
}

#[test]
fn primes_are_found_and_composites_are_not() {
    // Strong pseudoprimes to base 2, a Carmichael number of Arnault's to all prime bases below 307, and Mersenne primes.
    let arnault = {
        let p = BigUint::parse_bytes(
            b"29674495668685510550154174642905332730771991799853043350995075531276838753171770199594238596428121188033664754218345562493168782883",
            10,
        );
        let p = p.unwrap();
        let other = (&p - 1u32) * 313u32 + 1u32;
        let third = (&p - 1u32) * 353u32 + 1u32;
        p * other * third
    };
    let mut numbers: Vec<Vec<u8>> = (0..20_000u32).step_by(7).map(|n| n.to_be_bytes().to_vec()).collect();
    for n in
        [2047u64, 3_215_031_751, 3_825_123_056_546_413_051, 0xffff_ffff_ffff_ffc5, 16_777_213, 16_785_407]
    {
        numbers.push(n.to_be_bytes().to_vec());
    }
    for exponent in [61u32, 89, 107, 127, 521, 607] {
        let mersenne: BigUint = (BigUint::from(1u32) << exponent) - 1u32;
        numbers.push(mersenne.to_bytes_be());
        numbers.push((&mersenne * &mersenne).to_bytes_be());
        numbers.push((&mersenne * 2u32).to_bytes_be());
    }
    numbers.push(arnault.to_bytes_be());
    let rows = Rows::new(&numbers);
    let operation = primes(Random(6));
    check(&operation, &[&rows], 1, |row| {
        let words = natural::from_be_bytes(&rows.number(row).to_bytes_be());
        Ok(BigUint::from(u32::from(is_prime_vartime(&words))))
    });
}

#[test]
fn rows_of_results_may_have_any_widths() {
    let modulus_rows = Rows::new(&[vec![0, 0, 0, 101], vec![], vec![7], vec![1, 0, 0]]);
    let bases = [3u8, 3, 3, 3];
    let operands = [
        Column::fixed(&bases, 1, 4).unwrap(),
        Column::constant(&[5]),
        Column::variable(&modulus_rows.octets, modulus_rows.offsets.clone()).unwrap(),
    ];
    let (mut out, mut statuses) = (vec![0xee; 8], vec![0xee; 4]);
    let mut results = Results::variable(&mut out, modulus_rows.offsets.clone()).unwrap();
    assert!(compute(&MODEXP, &operands, &mut results, &mut statuses, Some(1), &mut ()).unwrap());
    assert_eq!((out, statuses), (vec![0, 0, 0, 41, 5, 0, 0, 243], vec![0; 4]));
}

#[test]
fn slices_begin_at_their_first_row() {
    let octets: Vec<u8> = (0..20).collect();
    let operands = [
        Column::fixed_from(&octets, 4, 2, 3).unwrap(),
        Column::constant(&[1]),
        Column::constant(&[0xff, 0xff]),
    ];
    let (powers, _) = results(&POW, &operands, 2, 3);
    assert_eq!(powers, [0x0405u32, 0x0607, 0x0809].map(BigUint::from));
}

#[test]
fn numbers_too_wide_are_refused_row_by_row() {
    let long = vec![1; MOST_OCTETS + 1];
    let octets = [&long[..], &[3]].concat();
    let offsets = vec![0, long.len(), long.len() + 1];
    let operands =
        [Column::variable(&octets, offsets).unwrap(), Column::constant(&[2]), Column::constant(&[101])];
    assert_eq!(results(&POW, &operands, 1, 2), (vec![BigUint::ZERO, 9u32.into()], vec![3, 0]));
    // A constant refuses all rows.
    let operands = [Column::fixed(&octets, 1, 2).unwrap(), Column::constant(&long), Column::constant(&[101])];
    assert_eq!(results(&POW, &operands, 1, 2).1, [3, 3]);
    // The widest number is taken.
    let operands =
        [Column::fixed(&octets, MOST_OCTETS, 1).unwrap(), Column::constant(&[1]), Column::constant(&[101])];
    let expected = BigUint::from_bytes_be(&octets[..MOST_OCTETS]) % 101u32;
    assert_eq!(results(&POW, &operands, 1, 1), (vec![expected], vec![0]));
}

/// The error of a call with these operands, which writes nothing.
fn refusal(
    operation: &dyn Operation,
    operands: &[Column<'_>],
    octets: usize,
    statuses: usize,
    threads: usize,
) -> ColumnError {
    let (mut out, mut bytes) = (vec![0xee; octets], vec![0xee; statuses]);
    let mut results = Results::fixed(&mut out, 2);
    let error = compute(operation, operands, &mut results, &mut bytes, Some(threads), &mut ()).unwrap_err();
    assert!(out.iter().chain(&bytes).all(|&octet| octet == 0xee));
    assert!(!error.to_string().is_empty() && !error.to_string().contains('\n'));
    error
}

#[test]
fn columns_that_do_not_fit_are_refused_before_anything_is_written() {
    let octets = [5u8; 8];
    let column = |rows| Column::fixed(&octets, 2, rows).unwrap();
    let constant = || Column::constant(&octets);
    let three = |rows| [column(4), constant(), column(rows)];
    assert_eq!(
        refusal(&POW, &[column(4), constant()], 8, 4, 1),
        ColumnError::OperandCount { expected: 3, given: 2 }
    );
    assert_eq!(refusal(&INVERSE, &[constant(), constant()], 8, 4, 1), ColumnError::NoColumn);
    assert_eq!(refusal(&POW, &three(3), 8, 4, 1), ColumnError::RowCounts { expected: 4, given: 3 });
    assert_eq!(refusal(&POW, &three(4), 8, 3, 1), ColumnError::RowCounts { expected: 4, given: 3 });
    assert_eq!(refusal(&POW, &three(4), 8, 5, 1), ColumnError::RowCounts { expected: 4, given: 5 });
    assert_eq!(refusal(&POW, &three(4), 7, 4, 1), ColumnError::BufferTooShort { expected: 8, given: 7 });
    assert_eq!(refusal(&POW, &three(4), 8, 4, 0), ColumnError::NoThreads);
    let error = |column: Result<Column<'_>, ColumnError>| column.map(|_| ()).unwrap_err();
    assert_eq!(error(Column::fixed(&octets, 2, 5)), ColumnError::BufferTooShort { expected: 10, given: 8 });
    assert_eq!(
        error(Column::fixed_from(&octets, 1, 2, 4)),
        ColumnError::BufferTooShort { expected: 9, given: 8 }
    );
    assert_eq!(
        error(Column::fixed(&octets, usize::MAX, 2)),
        ColumnError::BufferTooShort { expected: usize::MAX, given: 8 }
    );
    assert_eq!(error(Column::variable(&octets, vec![0, 3, 2])), ColumnError::Offsets { row: 1 });
    assert_eq!(error(Column::variable(&octets, vec![0, 3, 9])), ColumnError::Offsets { row: 2 });
    assert_eq!(error(column(4).with_nulls(vec![true; 3])), ColumnError::RowCounts { expected: 4, given: 3 });
    assert_eq!(error(constant().with_nulls(vec![true])), ColumnError::RowCounts { expected: 0, given: 1 });
    let mut out = [0; 8];
    assert!(Results::variable(&mut out, vec![0, 9]).is_err());
    let mut results = Results::variable(&mut out, vec![0, 2]).unwrap();
    let outcome = compute(&POW, &three(4), &mut results, &mut [0; 4], None, &mut ());
    assert_eq!(outcome, Err(ColumnError::RowCounts { expected: 4, given: 1 }));
}

/// A host that writes down what it is told, and stops at the second time.
#[derive(Default)]
struct Impatient(Vec<(usize, usize)>);

impl Host for Impatient {
    fn is_to_go_on(&mut self, done: usize, total: usize) -> bool {
        self.0.push((done, total));
        self.0.len() < 2
    }
}

#[test]
fn a_computation_is_stopped_within_a_fifth_of_a_second() {
    let octets = vec![0xff; 512 * 400];
    let column = || Column::fixed(&octets, 512, 400).unwrap();
    let (mut out, mut statuses) = (vec![0; 512 * 400], vec![0; 400]);
    let mut host = Impatient::default();
    let mut results = Results::fixed(&mut out, 512);
    let start = Instant::now();
    let is_done =
        compute(&POW, &[column(), column(), column()], &mut results, &mut statuses, None, &mut host).unwrap();
    // It is told at the first and at the second interval of 50 milliseconds.
    assert!(!is_done && host.0.len() == 2 && start.elapsed() < Duration::from_millis(1000));
    assert!(host.0.iter().all(|&(done, total)| done < total && total == 400));
}

#[test]
fn the_host_is_told_when_all_is_done() {
    let octets = [7; 40];
    let (mut out, mut statuses) = ([0; 40], [0; 40]);
    let mut host = Impatient::default();
    let operands = [Column::fixed(&octets, 1, 40).unwrap(), Column::constant(&[2]), Column::constant(&[101])];
    let mut results = Results::fixed(&mut out, 1);
    assert_eq!(compute(&POW, &operands, &mut results, &mut statuses, Some(2), &mut host), Ok(true));
    assert_eq!(host.0.last(), Some(&(40, 40)));
    assert_eq!(out, [49; 40]);
}

/// Octets that are no slice, as those of another language.
struct Foreign(Vec<u8>);

impl Octets for Foreign {
    fn octet_count(&self) -> usize {
        self.0.len()
    }

    fn read(&self, start: usize, copy: &mut [u8]) {
        copy.copy_from_slice(&self.0[start..][..copy.len()]);
    }
}

#[test]
fn octets_of_other_kinds_are_read_in_place() {
    let octets = Foreign((1..=30).collect());
    let operands =
        [Column::fixed(&octets, 10, 3).unwrap(), Column::constant(&[3]), Column::constant(&octets)];
    let modulus = BigUint::from_bytes_be(&octets.0);
    let (powers, _) = results(&POW, &operands, 30, 3);
    for (row, power) in powers.iter().enumerate() {
        assert_eq!(
            *power,
            BigUint::from_bytes_be(&octets.0[10 * row..][..10]).modpow(&3u32.into(), &modulus)
        );
    }
}

#[test]
fn one_modulus_and_one_public_exponent_share_lanes_of_every_count() {
    let mut random = Random(7);
    for (words, exponent) in
        [(2, 65537u64), (4, 0), (4, 1), (16, 3), (32, 65537), (3, u64::MAX), (5, 1 << 33)]
    {
        let width = 8 * words;
        let mut modulus: Vec<u8> = random.words(words).iter().flat_map(|word| word.to_le_bytes()).collect();
        modulus[width - 1] |= 1;
        let n = BigUint::from_bytes_be(&modulus);
        let exponent = exponent.to_be_bytes();
        for rows in [1, 7, 8, 9, 30] {
            let bases: Vec<u8> =
                random.words(words * rows).iter().flat_map(|word| word.to_le_bytes()).collect();
            let operands = [
                Column::fixed(&bases, width, rows).unwrap(),
                Column::constant(&exponent),
                Column::constant(&modulus),
            ];
            for operation in [&POW, &POW_VARTIME] {
                let (powers, statuses) = results(operation, &operands, width, rows);
                assert!(statuses.iter().all(|&status| status == 0));
                for (base, power) in bases.chunks(width).zip(&powers) {
                    let expected =
                        BigUint::from_bytes_be(base).modpow(&BigUint::from_bytes_be(&exponent), &n);
                    assert_eq!(*power, expected);
                }
            }
        }
    }
}

/// An operation of another crate: it writes down which rows are computed together, by their bases, and gives the bases.
struct Recorded(Mutex<Vec<Vec<u64>>>);

impl Operation for Recorded {
    fn operands(&self) -> usize {
        3
    }

    fn public_length(&self) -> Option<usize> {
        Some(2)
    }

    fn prepare<'a>(&'a self, _call: &'a Call) -> Box<dyn Computation + 'a> {
        Box::new(self)
    }
}

impl Computation for &Recorded {
    fn cost(&self, sizes: &Sizes<'_>) -> Result<Cost, Status> {
        Ok(Cost { products: 1 << 22, result_bits: sizes.0[2] })
    }

    fn compute(&self, batch: &Batch<'_>) -> Vec<Result<Zeroizing<Vec<u64>>, Status>> {
        let rows = (0..batch.len()).map(|i| batch.number(0, i)[0]);
        self.0.lock().unwrap().push(rows.clone().collect());
        rows.map(|row| Ok(Zeroizing::new(vec![row]))).collect()
    }
}

#[test]
fn rows_are_grouped_by_public_lengths_alone() {
    let mut random = Random(8);
    let rows = 64;
    let bases: Vec<u8> = (0..rows as u8).collect();
    let moduli: Vec<u8> = (0..rows).flat_map(|row| [if row % 3 == 0 { 0 } else { 1 }; 16]).collect();
    let mut groups = Vec::new();
    for seed in 0..3 {
        // Secret exponents: zeros, ones, random ones.
        let exponents: Vec<u8> = match seed {
            0 => vec![0; 32 * rows],
            1 => vec![0xff; 32 * rows],
            _ => random.words(4 * rows).iter().flat_map(|word| word.to_le_bytes()).collect(),
        };
        let recorded = Recorded(Mutex::default());
        let operands = [
            Column::fixed(&bases, 1, rows).unwrap(),
            Column::fixed(&exponents, 32, rows).unwrap(),
            Column::fixed(&moduli, 16, rows).unwrap(),
        ];
        let (mut out, mut statuses) = (vec![0; 16 * rows], vec![0xee; rows]);
        let mut results = Results::fixed(&mut out, 16);
        assert!(compute(&recorded, &operands, &mut results, &mut statuses, Some(1), &mut ()).unwrap());
        assert!(out.chunks(16).zip(&bases).all(|(row, base)| row[15] == *base) && statuses == vec![0; rows]);
        groups.push(recorded.0.into_inner().unwrap());
    }
    assert!(groups[0] == groups[1] && groups[0] == groups[2], "{groups:?}");
    // The longest moduli come first, and whole lanes are filled.
    assert!(groups[0][..5].concat().iter().all(|row| row % 3 != 0));
    assert!(groups[0].iter().all(|group| group.len() % 8 == 0));
}

/// An operation of another crate, made of what it does when it is asked for a cost and when it is to compute.
struct Made<J, C> {
    judge: J,
    compute: C,
}

impl<J: Fn(&[usize]) + Sync, C: Fn(&Batch<'_>) + Sync> Operation for Made<J, C> {
    fn operands(&self) -> usize {
        3
    }

    fn public_length(&self) -> Option<usize> {
        Some(2)
    }

    fn prepare<'a>(&'a self, _call: &'a Call) -> Box<dyn Computation + 'a> {
        Box::new(self)
    }
}

impl<J: Fn(&[usize]) + Sync, C: Fn(&Batch<'_>) + Sync> Computation for &Made<J, C> {
    fn cost(&self, sizes: &Sizes<'_>) -> Result<Cost, Status> {
        (self.judge)(sizes.0);
        Ok(Cost { products: 1, result_bits: 8 })
    }

    fn compute(&self, batch: &Batch<'_>) -> Vec<Result<Zeroizing<Vec<u64>>, Status>> {
        (self.compute)(batch);
        (0..batch.len()).map(|_| Ok(Zeroizing::new(vec![7]))).collect()
    }
}

#[test]
fn threads_leave_their_parts_when_the_host_stops_them() {
    let has_ended = AtomicBool::new(false);
    let operation = Made {
        judge: |_: &[usize]| {},
        compute: |_: &Batch<'_>| {
            let start = Instant::now();
            while start.elapsed() < Duration::from_secs(3) {
                checkpoint();
                std::thread::sleep(Duration::from_millis(1));
            }
            has_ended.store(true, Ordering::Relaxed);
        },
    };
    let octets = [7; 16];
    let operands =
        || [Column::fixed(&octets, 1, 16).unwrap(), Column::constant(&[2]), Column::constant(&[9])];
    let (mut out, mut statuses) = ([0; 16], [0xee; 16]);
    let mut results = Results::fixed(&mut out, 1);
    let mut host = Impatient::default();
    let is_done = compute(&operation, &operands(), &mut results, &mut statuses, Some(2), &mut host).unwrap();
    assert!(!is_done && !has_ended.into_inner() && statuses == [0xee; 16]);
}

#[test]
fn as_many_threads_compute_at_once_as_are_asked_for() {
    let (here, changed) = (Mutex::new(0), Condvar::new());
    let operation = Made {
        judge: |_: &[usize]| {},
        compute: |_: &Batch<'_>| {
            let mut count = here.lock().unwrap();
            *count += 1;
            changed.notify_all();
            let wait = Duration::from_secs(5);
            let (count, _) = changed.wait_timeout_while(count, wait, |count| *count < 3).unwrap();
            let count = *count;
            assert!(count >= 3, "only {count} threads have come");
        },
    };
    let octets = [7; 24];
    let operands = [Column::fixed(&octets, 1, 24).unwrap(), Column::constant(&[2]), Column::constant(&[9])];
    let (mut out, mut statuses) = ([0; 24], [0xee; 24]);
    let mut results = Results::fixed(&mut out, 1);
    assert_eq!(compute(&operation, &operands, &mut results, &mut statuses, Some(3), &mut ()), Ok(true));
    assert_eq!((out, statuses), ([7; 24], [0; 24]));
}

#[test]
fn an_operation_is_asked_for_the_cost_of_public_sizes() {
    let asked = Mutex::new(Vec::new());
    let operation = Made {
        judge: |sizes: &[usize]| asked.lock().unwrap().push(sizes.to_vec()),
        compute: |_: &Batch<'_>| {},
    };
    // The widths of bases, the length of a constant exponent, and the lengths of moduli.
    let operands = [
        Column::variable(&[0, 0, 1], vec![0, 3, 3]).unwrap(),
        Column::constant(&[0, 1, 0]),
        Column::fixed(&[0, 5, 1, 0], 2, 2).unwrap(),
    ];
    assert_eq!(results(&operation, &operands, 1, 2), (vec![7u32.into(), 7u32.into()], vec![0, 0]));
    assert_eq!(asked.into_inner().unwrap(), [[24, 9, 3], [0, 9, 9]]);
    // A modulus that is a constant has its own length; exponents have their widths.
    let asked = Mutex::new(Vec::new());
    let operation = Made {
        judge: |sizes: &[usize]| asked.lock().unwrap().push(sizes.to_vec()),
        compute: |_: &Batch<'_>| {},
    };
    let operands =
        [Column::constant(&[]), Column::fixed(&[0, 5, 1, 0], 2, 2).unwrap(), Column::constant(&[0, 2])];
    results(&operation, &operands, 1, 2);
    assert_eq!(asked.into_inner().unwrap(), [[0, 16, 2], [0, 16, 2]]);
}

/// Octets that write down where they are read.
struct Watched(Vec<u8>, Mutex<Vec<(usize, usize)>>);

impl Octets for Watched {
    fn octet_count(&self) -> usize {
        self.0.len()
    }

    fn read(&self, start: usize, copy: &mut [u8]) {
        copy.copy_from_slice(&self.0[start..][..copy.len()]);
        self.1.lock().unwrap().push((start, copy.len()));
    }
}

#[test]
fn moduli_that_are_null_or_too_wide_are_not_read() {
    let long = MOST_OCTETS + 1;
    let octets = [&[101, 0xff, 0xff][..], &vec![1; long], &[103]].concat();
    let moduli = Watched(octets, Mutex::default());
    let column = Column::variable(&moduli, vec![0, 1, 3, 3 + long, 4 + long]).unwrap();
    let nulls = vec![false, true, false, false];
    let operands = [Column::constant(&[2]), Column::constant(&[7]), column.with_nulls(nulls).unwrap()];
    let (powers, statuses) = results(&POW, &operands, 1, 4);
    assert_eq!((powers, statuses), ([27u32, 0, 0, 25].map(BigUint::from).to_vec(), vec![0, 1, 3, 0]));
    let mut read = moduli.1.into_inner().unwrap();
    read.sort_unstable();
    read.dedup();
    assert_eq!(read, [(0, 1), (3 + long, 1)]);
}

/// An operation, a call, the sizes of a row, and what it costs.
type CostOfSizes<'a> = (&'a dyn Operation, Call, &'a [usize], Result<Cost, Status>);

#[test]
fn costs_are_the_products_of_words_roughly() {
    let number = |words: usize| {
        let mut number = Zeroizing::new(vec![1; words]);
        number[words - 1] |= 1 << 63;
        Some(Number { words: number, bits: 64 * words })
    };
    let call = |constants: [Option<Number>; 3], rows: usize| Call {
        constants: constants.into(),
        most_bits: vec![192, 24, 128],
        rows,
    };
    let by_table = |rows| call([number(3), None, number(2)], rows);
    let columns = || call([None, None, None], 99);
    let primes = primes(Random(9));
    let of = |products, result_bits| Ok(Cost { products, result_bits });
    let cases: [CostOfSizes<'_>; 14] = [
        // Of each bit of the exponent and 16 more, a square and its reduction; and the reduction of the base.
        (&POW, columns(), &[192, 24, 128], of(2 * 2 * (2 * 40 + 2 * 3) + 64, 128)),
        (&POW, columns(), &[192, 24, 192], of(2 * 3 * (3 * 40 + 2 * 3) + 64, 192)),
        (&POW, columns(), &[192, 24, 0], Err(Status::ZeroModulus)),
        (&MODEXP, columns(), &[192, 24, 127], of(408, 127)),
        (&MODEXP, columns(), &[192, 24, 0], of(1, 0)),
        // A third of it by a table, which pays from 16 rows on.
        (&POW, by_table(15), &[192, 24, 128], of(408, 128)),
        (&POW, by_table(16), &[192, 24, 128], of(136, 128)),
        (&POW, by_table(17), &[192, 24, 128], of(136, 128)),
        // Of both operands, and of the constants of a modulus.
        (&PRODUCT, columns(), &[100, 65, 128], of(2 * (2 * 3 + 64 * 2) + 64, 128)),
        (&PRODUCT, call([None, None, number(2)], 1), &[100, 65, 128], of(2 * (2 * 3 + 8 * 2) + 64, 128)),
        (&PRODUCT, columns(), &[100, 65, 0], Err(Status::ZeroModulus)),
        // Of the longer one, number or modulus.
        (&INVERSE, columns(), &[128, 63], of(64 * 2 * 3 + 64, 63)),
        (&INVERSE, columns(), &[64, 0], Err(Status::ZeroModulus)),
        // Of all rounds together, since nine of ten numbers need none.
        (&primes, columns(), &[129], of(16 * 27 + 64, 1)),
    ];
    for (i, (operation, call, sizes, expected)) in cases.iter().enumerate() {
        assert_eq!(operation.prepare(call).cost(&Sizes(sizes)), *expected, "case {i}");
    }
    let operations: [(&dyn Operation, usize); 4] = [(&POW, 2), (&PRODUCT, 2), (&INVERSE, 1), (&primes, 0)];
    for (operation, public) in operations {
        assert_eq!(operation.public_length(), Some(public));
    }
}

/// In a process of its own, all of whose threads ask for more stack than there are addresses. A program for an emulated CPU
/// cannot start itself.
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
#[test]
fn a_system_that_starts_no_thread_is_an_error() {
    const STACK: (&str, &str) = ("RUST_MIN_STACK", "1000000000000000000");
    if std::env::var(STACK.0).is_ok_and(|octets| octets == STACK.1) {
        let octets = [5; 8];
        let operands = |rows| [(); 3].map(|()| Column::fixed(&octets, 2, rows).unwrap());
        assert_eq!(refusal(&POW, &operands(4), 8, 4, 1), ColumnError::ThreadRefused);
        assert_eq!(refusal(&POW, &operands(4), 8, 4, 3), ColumnError::ThreadRefused);
        // No rows need no thread.
        let (mut out, mut statuses) = ([], []);
        let mut results = Results::fixed(&mut out, 2);
        assert_eq!(compute(&POW, &operands(0), &mut results, &mut statuses, Some(1), &mut ()), Ok(true));
        return;
    }
    let mut alone = std::process::Command::new(std::env::current_exe().unwrap());
    alone.args(["--exact", "a_system_that_starts_no_thread_is_an_error", "--test-threads=1"]);
    let output = alone.env(STACK.0, STACK.1).output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && said.contains("1 passed"), "{said}");
}
