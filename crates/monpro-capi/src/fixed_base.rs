//! Powers of one base to many exponents.

use crate::border::{bytes, free, hand_out, number, place_of, reference, status_of, write};
use crate::memory::{Lengths, reserve};
use crate::modulus::{MonproModulus, bytes_of};
use crate::status::MonproStatus;
use arithmetic::FixedBase;

/// A base with a table of its powers, for many exponents; to be freed by monpro_fixed_base_free. Threads may share
/// it.
pub struct MonproFixedBase {
    table: FixedBase,
    bytes: usize,
}

/// Makes the table of a base modulo n for exponents of at most exponent_bits bits, which are at most 2^20. The base may
/// be any number and is secret; exponent_bits is public. The table has up to 256 numbers as long as n, and takes about
/// as long to make as one power. From 1024 bits up, a power then takes about a quarter of the time of monpro_pow.
///
/// *fixed_base is set in every case, to null if the status is not MONPRO_STATUS_OK; MONPRO_STATUS_EXPONENT_TOO_LONG
/// tells of more than 2^20 bits. The modulus may be freed before the table.
///
/// # Safety
/// The modulus is one of monpro_modulus_new that has not been freed, or null. The bytes of base can be read;
/// fixed_base is null or can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn monpro_fixed_base_new(
    modulus: *const MonproModulus,
    base: *const u8,
    base_length: usize,
    exponent_bits: usize,
    fixed_base: *mut *mut MonproFixedBase,
) -> MonproStatus {
    let make = || {
        // SAFETY: the caller's promises.
        let (modulus, base) = unsafe { (reference(modulus)?, bytes(base, base_length)?) };
        let bytes = modulus.bytes();
        // As much as the table of the powers of a long exponent.
        reserve(Lengths { base: base.len(), exponent: 32, modulus: bytes }.words())?;
        let table = FixedBase::new(&modulus.modulus().residue(&number(base)), exponent_bits)?;
        Ok(MonproFixedBase { table, bytes })
    };
    // SAFETY: the caller's promise.
    unsafe { hand_out(fixed_base, make) }
}

/// Erases and frees a table; null is ignored.
///
/// # Safety
/// The table is null, or is one of monpro_fixed_base_new that has not been freed and is not in use.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn monpro_fixed_base_free(fixed_base: *mut MonproFixedBase) {
    // SAFETY: the caller's promise.
    unsafe { free(fixed_base) }
}

/// base^exponent mod n for the base of the table, in time that depends on lengths alone. The exponent may have leading
/// zeros; MONPRO_STATUS_EXPONENT_TOO_LONG tells that it has more bits than the table is for.
///
/// result_length must be what monpro_modulus_bytes returns for the modulus; the result has leading zeros. It may overlap
/// the exponent, and is written only if the status is MONPRO_STATUS_OK.
///
/// # Safety
/// The table is one of monpro_fixed_base_new that has not been freed, or null. The bytes of exponent can be read, and
/// the bytes of result can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn monpro_fixed_base_pow(
    fixed_base: *const MonproFixedBase,
    exponent: *const u8,
    exponent_length: usize,
    result: *mut u8,
    result_length: usize,
) -> MonproStatus {
    status_of(|| {
        // SAFETY: the caller's promises.
        let (fixed_base, exponent) = unsafe { (reference(fixed_base)?, bytes(exponent, exponent_length)?) };
        place_of(fixed_base.bytes, result, result_length)?;
        if !has_at_most(fixed_base.table.e_bits(), exponent) {
            return Err(MonproStatus::ExponentTooLong);
        }
        reserve(Lengths { exponent: exponent.len(), ..Lengths::of_modulus(fixed_base.bytes) }.words())?;
        let power = fixed_base.table.pow(&number(exponent));
        // SAFETY: the caller's promise, and the length is that of the result.
        unsafe { write(result, &bytes_of(&power)) };
        Ok(())
    })
}

/// Whether the big-endian number is below 2^bits. All bytes are read, and no branch depends on one.
fn has_at_most(bits: usize, number: &[u8]) -> bool {
    let above = number.iter().rev().enumerate().skip(bits / 8);
    let excess = above.map(|(i, &byte)| if i == bits / 8 { byte >> (bits % 8) } else { byte });
    excess.fold(0, |all, bits| all | bits) == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_of_a_number_are_counted_exactly() {
        for (number, bits) in [
            (&[][..], 0),
            (&[0], 0),
            (&[1], 1),
            (&[0, 0x80], 8),
            (&[1, 0], 9),
            (&[1, 1, 0], 17),
            (&[0x80, 0, 0], 24),
        ] {
            assert!((bits..bits + 9).all(|most| has_at_most(most, number)), "{number:?}");
            assert!((0..bits).all(|most| !has_at_most(most, number)), "{number:?}");
        }
    }
}
