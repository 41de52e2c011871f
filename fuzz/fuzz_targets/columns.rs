//! Operations on columns of every layout: each row and each status compared with GMP, and wrong columns refused before
//! anything is written.
#![no_main]

use libfuzzer_sys::fuzz_target;
use monpro::columns::{
    Column, INVERSE, MODEXP, MODEXP_VARTIME, Operation, POW, POW_VARTIME, PRODUCT, Results, Status, compute,
};
use monpro_fuzz::gmp;
use monpro_fuzz::input::{Input, Random};
use rand_core::TryRng;

const MOST_ROWS: usize = 20;
const WIDTHS: [usize; 10] = [0, 1, 2, 7, 8, 9, 24, 64, 65, 130];
const MOST_EXPONENT_OCTETS: usize = 9;
const UNTOUCHED: u8 = 0xa5;

/// What the rows of an operation's numbers should become.
type Expected = fn(&[Vec<u8>]) -> Result<Vec<u8>, Status>;

const OPERATIONS: [(&dyn Operation, Expected); 6] = [
    (&POW, power),
    (&POW_VARTIME, power),
    (&MODEXP, power_by_ethereum),
    (&MODEXP_VARTIME, power_by_ethereum),
    (&PRODUCT, product),
    (&INVERSE, inverse),
];
/// The place of the exponent, among the operands of a power.
const EXPONENT: usize = 1;

/// An operand: the numbers of its rows, or one for all rows, and how they lie in a buffer.
struct Operand {
    rows: Vec<Vec<u8>>,
    is_constant: bool,
    octets: Vec<u8>,
    /// If the rows have any widths.
    offsets: Option<Vec<usize>>,
    nulls: Vec<bool>,
}

impl Operand {
    fn read(input: &mut Input<'_>, rows: usize, most: usize) -> Operand {
        let (kind, width, seed) = (input.below(4), input.one_of(&WIDTHS).min(most), u64::from(input.byte()));
        let mut random = Random::new(seed);
        let is_constant = kind == 0;
        let mut number = |width: usize| {
            let mut octets = vec![0; width];
            random.try_fill_bytes(&mut octets).unwrap_or_else(|never| match never {});
            let zeros = random.word() as usize % (width + 1);
            if random.word() & 3 == 0 {
                octets[..zeros].fill(0);
            }
            octets
        };
        let width_of =
            |input: &mut Input<'_>| if kind == 3 { input.one_of(&WIDTHS).min(most) } else { width };
        let rows: Vec<Vec<u8>> =
            (0..if is_constant { 1 } else { rows }).map(|_| number(width_of(input))).collect();
        let ends = rows.iter().scan(0, |end, row| {
            *end += row.len();
            Some(*end)
        });
        let offsets = (kind == 3).then(|| [0].into_iter().chain(ends).collect());
        let has_nulls = !is_constant && input.byte() & 3 == 0;
        let nulls = rows.iter().map(|_| has_nulls && input.byte() & 1 == 1).collect();
        Operand { octets: rows.concat(), rows, is_constant, offsets, nulls }
    }

    fn column(&self) -> Column<'_> {
        let column = match &self.offsets {
            _ if self.is_constant => return Column::constant(&self.octets),
            Some(offsets) => Column::variable(&self.octets, offsets.clone()),
            None => Column::fixed(&self.octets, self.rows.first().map_or(0, Vec::len), self.rows.len()),
        };
        let column = column.expect("the rows are there");
        column.with_nulls(self.nulls.clone()).expect("there are as many")
    }

    fn of_row(&self, row: usize) -> Option<Vec<u8>> {
        let index = if self.is_constant { 0 } else { row };
        (!self.nulls[index]).then(|| self.rows[index].clone())
    }
}

fuzz_target!(|bytes: &[u8]| {
    let mut input = Input::new(bytes);
    let (operation, expected) = input.one_of(&OPERATIONS);
    let rows = input.below(MOST_ROWS + 1);
    let operands: Vec<Operand> = (0..operation.operands())
        .map(|index| match operation.operands() == 3 && index == EXPONENT {
            true => Operand::read(&mut input, rows, MOST_EXPONENT_OCTETS),
            false => Operand::read(&mut input, rows, usize::MAX),
        })
        .collect();
    let columns: Vec<Column<'_>> = operands.iter().map(Operand::column).collect();
    let (width, threads) = (input.one_of(&WIDTHS), 1 + input.below(3));
    let excess = usize::from(input.byte() & 7 == 1);
    let (mut octets, mut statuses) = (vec![UNTOUCHED; width * rows], vec![UNTOUCHED; rows + excess]);
    let mut results = Results::fixed(&mut octets, width);
    let done = compute(operation, &columns, &mut results, &mut statuses, Some(threads), &mut ());
    // Constants alone have no rows to count.
    if excess > 0 || operands.iter().all(|operand| operand.is_constant) {
        assert!(done.is_err());
        assert!(octets.iter().chain(&statuses).all(|&octet| octet == UNTOUCHED));
        return;
    }
    assert_eq!(done, Ok(true));
    for row in 0..rows {
        let numbers: Option<Vec<Vec<u8>>> = operands.iter().map(|operand| operand.of_row(row)).collect();
        let (status, number) =
            match numbers.ok_or(Status::NullOperand).and_then(|n| expected_in(width, expected, &n)) {
                Ok(number) => (Status::Ok, number),
                Err(status) => (status, Vec::new()),
            };
        assert_eq!(statuses[row], status as u8, "row {row}");
        let place = &octets[width * row..width * (row + 1)];
        assert_eq!(stripped(place), stripped(&number), "row {row}");
    }
});

/// The result of a row in so many octets, of which the last operand is the modulus.
fn expected_in(width: usize, expected: Expected, numbers: &[Vec<u8>]) -> Result<Vec<u8>, Status> {
    let modulus = stripped(numbers.last().expect("there is a modulus"));
    let result = expected(numbers);
    match result {
        Err(Status::ZeroModulus) => result,
        _ if modulus.len() > width => Err(Status::TooWide),
        _ => result,
    }
}

fn power(numbers: &[Vec<u8>]) -> Result<Vec<u8>, Status> {
    let [x, e, n] = [0, 1, 2].map(|i| words(&numbers[i]));
    let power = gmp::powm(&x, &e, &n).ok_or(Status::ZeroModulus)?;
    Ok(power.iter().rev().flat_map(|word| word.to_be_bytes()).collect())
}

fn power_by_ethereum(numbers: &[Vec<u8>]) -> Result<Vec<u8>, Status> {
    power(numbers).or(Ok(Vec::new()))
}

fn product(numbers: &[Vec<u8>]) -> Result<Vec<u8>, Status> {
    power(&[gmp::product(&numbers[0], &numbers[1]), vec![1], numbers[2].clone()])
}

fn inverse(numbers: &[Vec<u8>]) -> Result<Vec<u8>, Status> {
    match stripped(&numbers[1]) {
        [] => Err(Status::ZeroModulus),
        // Modulo 1 every number is 0, and so is its inverse.
        [1] => Ok(Vec::new()),
        n => gmp::inverse(&numbers[0], n).ok_or(Status::NotInvertible),
    }
}

/// The octets without leading zeros.
fn stripped(octets: &[u8]) -> &[u8] {
    &octets[octets.iter().position(|&octet| octet != 0).unwrap_or(octets.len())..]
}

/// The number in words, the lowest first, without leading zeros.
fn words(octets: &[u8]) -> Vec<u64> {
    let word = |chunk: &[u8]| chunk.iter().fold(0, |word, &octet| word << 8 | u64::from(octet));
    stripped(octets).rchunks(8).map(word).collect()
}
