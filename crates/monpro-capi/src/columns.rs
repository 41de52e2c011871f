//! Columns of numbers: one operation on many rows, on every core.

use crate::border::{reference, status_of};
use crate::kernels;
use crate::memory::{Lengths, reserve};
use crate::progress::told;
use crate::random::{MonproRandom, Source};
use crate::rsa::MonproRsaPrivate;
use crate::status::MonproStatus;
use arithmetic::columns::{
    Column, ColumnError, OPERATIONS, Octets, OctetsMut, Operation, Primes, Results, compute,
};
use monpro_rsa::PrivateColumn;
use rand_core::Rng;
use std::ffi::{c_int, c_void};
use std::{ptr, slice};

/// The most bytes of a number in a row of a column, and of a constant.
pub const MONPRO_MAX_ROW_BYTES: usize = 1 << 16;

/// What became of a row, as the byte in the statuses.
#[repr(C)]
#[derive(Clone, Copy)]
pub enum MonproRowStatus {
    /// The result is right.
    Ok = 0,
    /// An operand is null.
    NullOperand = 1,
    /// The modulus is 0.
    ZeroModulus = 2,
    /// An operand has more than MONPRO_MAX_ROW_BYTES bytes, or the results of this modulus do not fit into the row.
    TooWide = 3,
    /// The number shares a factor with the modulus.
    NotInvertible = 4,
    /// The number is not below the modulus of the key.
    NotBelowModulus = 5,
    /// The result was wrong when it was checked, and is withheld.
    Fault = 6,
}

/// An operation on the rows of columns. Operands are given in the order that is told here. Time depends on the widths of
/// rows, the bit lengths of moduli and of a constant exponent, and the powers of 2 in moduli, except as told.
#[repr(C)]
#[derive(Clone, Copy)]
pub enum MonproColumnsOperation {
    /// base, exponent, modulus: base^exponent mod modulus for any modulus from 1 on.
    Pow = 0,
    /// The same for public numbers: faster, in a time that depends on all values.
    PowVartime = 1,
    /// base, exponent, modulus: the same as MONPRO_COLUMNS_OPERATION_POW, but 0 modulo 0, as in the precompiled contract
    /// MODEXP of the Ethereum virtual machine.
    Modexp = 2,
    /// The same for public numbers: faster, in a time that depends on all values.
    ModexpVartime = 3,
    /// base, factor, modulus: base·factor mod modulus for any modulus from 1 on.
    Product = 4,
    /// number, modulus: the inverse of number modulo any modulus from 1 on. Which numbers have none becomes public.
    Inverse = 5,
    /// number: 1 if it is prime, else 0, for public numbers. Every prime is found prime. A composite is taken for a prime
    /// with a probability below 4^-32, whoever chose it: primes below 2^12 are tried first, and then 32 random bases of
    /// Miller and Rabin.
    Prime = 6,
}

/// The numbers of an operand, or the places of results: big-endian, with leading zeros.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct MonproColumn {
    /// The bytes of all rows. They are read and written where they lie, in the thread of the call. Null if there are none.
    pub bytes: *mut u8,
    /// The number of bytes.
    pub length: usize,
    /// The bytes of a row, if there are no offsets; row i has those from width·i on.
    pub width: usize,
    /// Null, or an offset more than there are rows, each of offset_bytes bytes: row i has the bytes from offset i to offset
    /// i + 1, as in binary and large_binary columns of Arrow.
    pub offsets: *const c_void,
    /// 4 for offsets of type int32_t, 8 for int64_t.
    pub offset_bytes: usize,
    /// Null, or a bit for each row, the lowest of a byte first: row i is null where bit i is 0. Not for results.
    pub validity: *const u8,
    /// Not 0 if all bytes are one number for all rows. Not for results.
    pub is_constant: c_int,
}

/// Computes an operation, one of monpro_columns_operation, on each of so many rows, by so many threads, or by one for each core if threads is 0.
///
/// There are as many operands as the operation has, and at least one of them is not a constant. The result of a row goes to
/// its place in results, with leading zeros, and a monpro_row_status goes to the byte of the row in statuses, which has
/// rows bytes. A row whose status is not 0 gets the result 0, and changes nothing for its neighbours. One modulus for all
/// rows has its constants computed once; one base and one odd modulus have a table of powers.
///
/// Rows are computed in the order of their public sizes. Results and statuses must not overlap each other or the
/// operands. random is for MONPRO_COLUMNS_OPERATION_PRIME; null takes the system's source. The switch that the thread
/// watches stops all threads of the call. If a call is stopped, or lacks random numbers, some results have been written, and
/// no status. The thread's progress is told the number of rows that are done.
///
/// MONPRO_STATUS_WRONG_LENGTH tells of another number of operands, of no column among them, of bytes too short for the
/// rows, and of offsets that decrease or lie beyond the bytes. Nothing is written then.
///
/// # Safety
/// The operands can be read, each with its bytes, its rows + 1 offsets, and its bits of validity; the bytes of results and
/// statuses can be written. Nobody writes to any of them meanwhile.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn monpro_columns_compute(
    operation: c_int,
    operands: *const MonproColumn,
    operand_count: usize,
    rows: usize,
    random: *const MonproRandom,
    results: *const MonproColumn,
    statuses: *mut u8,
    threads: usize,
) -> MonproStatus {
    status_of(|| {
        kernels::obey_environment()?;
        // SAFETY: the caller's promises.
        let source = unsafe { Source::new(random) }?;
        // SAFETY: the caller's promises.
        let operands = unsafe { columns(operands, operand_count) }?;
        let primes;
        let named = usize::try_from(operation).ok().and_then(|number| OPERATIONS.get(number));
        let operation = match named.ok_or(MonproStatus::UnknownOperation)?.operation {
            Some(operation) => operation,
            None => {
                primes = Primes::new(|bytes: &mut [u8]| source.clone().fill_bytes(bytes));
                &primes
            }
        };
        // SAFETY: the caller's promises.
        unsafe { run(operation, &operands, rows, results, statuses, threads) }
    })
}

/// c^d mod n for the number c in each of so many rows, without any padding, as monpro_columns_compute does with columns,
/// results, statuses and threads. Each row is blinded by random bytes of its own, and each result is checked before it is
/// written. random is called by several threads at once; null takes the system's source.
///
/// # Safety
/// The key is one of this library that has not been freed, or null; random is null or a source. Those of
/// monpro_columns_compute for the rest.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn monpro_columns_rsa_private(
    key: *const MonproRsaPrivate,
    numbers: *const MonproColumn,
    rows: usize,
    random: *const MonproRandom,
    results: *const MonproColumn,
    statuses: *mut u8,
    threads: usize,
) -> MonproStatus {
    status_of(|| {
        // SAFETY: the caller's promises.
        let (key, source, numbers) = unsafe { (reference(key)?, Source::new(random)?, columns(numbers, 1)?) };
        let operation = PrivateColumn::new(key.key(), || source.clone());
        // SAFETY: the caller's promises.
        unsafe { run(&operation, &numbers, rows, results, statuses, threads) }
    })
}

/// The columns at a pointer.
///
/// # Safety
/// So many can be read.
unsafe fn columns(columns: *const MonproColumn, count: usize) -> Result<Vec<MonproColumn>, MonproStatus> {
    match (columns.is_null(), count) {
        (_, 0) => Ok(Vec::new()),
        (true, _) => Err(MonproStatus::NullPointer),
        (false, 1..=MOST_OPERANDS) => {
            // SAFETY: the caller's promise; the pointer is not null.
            Ok(unsafe { slice::from_raw_parts(columns, count) }.to_vec())
        }
        (false, _) => Err(MonproStatus::WrongLength),
    }
}

/// The most operands of an operation.
const MOST_OPERANDS: usize = 3;

/// Computes the operation.
///
/// # Safety
/// Those of monpro_columns_compute.
unsafe fn run(
    operation: &dyn Operation,
    operands: &[MonproColumn],
    rows: usize,
    results: *const MonproColumn,
    statuses: *mut u8,
    threads: usize,
) -> Result<(), MonproStatus> {
    // SAFETY: the caller's promise.
    let results = unsafe { reference(results) }?;
    let widest = operands.iter().map(|operand| operand.length.min(MONPRO_MAX_ROW_BYTES)).max().unwrap_or(0);
    // Each thread works on some powers at a time; lists of rows have a few words for each.
    let one = Lengths { base: widest, exponent: widest, modulus: widest }.words();
    reserve(rows.saturating_mul(24).saturating_add(8 * one))?;
    let inputs: Vec<Bytes> = operands.iter().map(Bytes::of).collect::<Result<_, _>>()?;
    let columns = operands
        .iter()
        .zip(&inputs)
        // SAFETY: the caller's promise.
        .map(|(operand, bytes)| unsafe { column(operand, bytes, rows) })
        .collect::<Result<Vec<_>, _>>()?;
    let mut out = Bytes::of(results)?;
    let mut given = Bytes::at(statuses, rows)?;
    let mut results = match results.offsets.is_null() {
        true => Results::fixed(&mut out, results.width),
        // SAFETY: the caller's promise.
        false => Results::variable(&mut out, unsafe { offsets(results, rows) }?).map_err(refused)?,
    };
    let threads = (threads > 0).then_some(threads);
    let compute = || compute(operation, &columns, &mut results, &mut given, threads, &mut ());
    told(rows, compute).map(|_| ()).map_err(refused)
}

/// The numbers of an operand.
///
/// # Safety
/// Its offsets and its bits of validity can be read.
unsafe fn column<'a>(
    operand: &MonproColumn,
    bytes: &'a Bytes,
    rows: usize,
) -> Result<Column<'a>, MonproStatus> {
    if operand.is_constant != 0 {
        return Ok(Column::constant(bytes));
    }
    let column = match operand.offsets.is_null() {
        true => Column::fixed(bytes, operand.width, rows),
        // SAFETY: the caller's promise.
        false => Column::variable(bytes, unsafe { offsets(operand, rows) }?),
    };
    if operand.validity.is_null() || rows == 0 {
        return column.map_err(refused);
    }
    // SAFETY: the caller's promise; the pointer is not null.
    let bits = unsafe { slice::from_raw_parts(operand.validity, rows.div_ceil(8)) };
    let nulls = (0..rows).map(|row| bits[row / 8] >> (row % 8) & 1 == 0).collect();
    column.and_then(|column| column.with_nulls(nulls)).map_err(refused)
}

/// The offsets of a column that has some.
///
/// # Safety
/// rows + 1 of them can be read.
unsafe fn offsets(column: &MonproColumn, rows: usize) -> Result<Vec<usize>, MonproStatus> {
    let count = rows.checked_add(1).ok_or(MonproStatus::TooLong)?;
    let offset = |i: usize| {
        let value = match column.offset_bytes {
            // SAFETY: the caller's promise; an offset need not lie at a multiple of its length.
            4 => i64::from(unsafe { ptr::read_unaligned(column.offsets.cast::<i32>().add(i)) }),
            // SAFETY: the same.
            8 => unsafe { ptr::read_unaligned(column.offsets.cast::<i64>().add(i)) },
            _ => -1,
        };
        usize::try_from(value).map_err(|_| MonproStatus::WrongLength)
    };
    (0..count).map(offset).collect()
}

fn refused(error: ColumnError) -> MonproStatus {
    match error {
        ColumnError::ThreadRefused => MonproStatus::OutOfMemory,
        _ => MonproStatus::WrongLength,
    }
}

/// The caller's bytes. No slice stands for them, so that bytes of results that overlap others are no mistake of Rust's.
struct Bytes {
    start: *mut u8,
    length: usize,
}

impl Bytes {
    fn of(column: &MonproColumn) -> Result<Bytes, MonproStatus> {
        Bytes::at(column.bytes, column.length)
    }

    fn at(start: *mut u8, length: usize) -> Result<Bytes, MonproStatus> {
        match (start.is_null(), length) {
            (true, 1..) => Err(MonproStatus::NullPointer),
            (_, length) if length > isize::MAX as usize => Err(MonproStatus::TooLong),
            _ => Ok(Bytes { start, length }),
        }
    }
}

impl Octets for Bytes {
    fn octet_count(&self) -> usize {
        self.length
    }

    fn read(&self, start: usize, copy: &mut [u8]) {
        assert!(start <= self.length && copy.len() <= self.length - start, "rows lie within their bytes");
        if !copy.is_empty() {
            // SAFETY: the caller of the library promises that the bytes can be read, and these are among them.
            unsafe { ptr::copy(self.start.add(start), copy.as_mut_ptr(), copy.len()) };
        }
    }
}

impl OctetsMut for Bytes {
    fn octet_count(&self) -> usize {
        self.length
    }

    fn write(&mut self, start: usize, octets: &[u8]) {
        assert!(start <= self.length && octets.len() <= self.length - start, "rows lie within their bytes");
        if !octets.is_empty() {
            // SAFETY: the caller of the library promises that the bytes can be written, and these are among them.
            unsafe { ptr::copy(octets.as_ptr(), self.start.add(start), octets.len()) };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use arithmetic::columns::{MOST_OCTETS, Status};

    #[test]
    fn operations_have_their_places_in_the_table_for_numbers() {
        let names = [
            (MonproColumnsOperation::Pow, "pow"),
            (MonproColumnsOperation::PowVartime, "pow-vartime"),
            (MonproColumnsOperation::Modexp, "modexp"),
            (MonproColumnsOperation::ModexpVartime, "modexp-vartime"),
            (MonproColumnsOperation::Product, "product"),
            (MonproColumnsOperation::Inverse, "inverse"),
            (MonproColumnsOperation::Prime, "prime"),
        ];
        let numbered: Vec<_> = OPERATIONS.iter().map(|named| named.name).enumerate().collect();
        assert_eq!(names.map(|(operation, name)| (operation as usize, name)), numbered[..]);
    }

    #[test]
    fn statuses_have_the_numbers_of_the_arithmetic() {
        let numbers = [
            MonproRowStatus::Ok,
            MonproRowStatus::NullOperand,
            MonproRowStatus::ZeroModulus,
            MonproRowStatus::TooWide,
            MonproRowStatus::NotInvertible,
            MonproRowStatus::NotBelowModulus,
            MonproRowStatus::Fault,
        ];
        assert_eq!(numbers.map(|status| status as u8), Status::ALL.map(|status| status as u8));
        assert_eq!(MONPRO_MAX_ROW_BYTES, MOST_OCTETS);
    }
}
