//! The fields with names: those of the curves in SEC 2 and FIPS 186-4, of AES, and of GCM.

use super::{BinaryField, FieldError};

/// The names of each field, and the exponents of its polynomial.
static FIELDS: &[(&[&str], &[usize])] = &[
    (&["AES"], &[8, 4, 3, 1, 0]),
    (&["sect113r1", "sect113r2"], &[113, 9, 0]),
    (&["GCM"], &[128, 7, 2, 1, 0]),
    (&["sect131r1", "sect131r2"], &[131, 8, 3, 2, 0]),
    (&["B-163", "K-163", "sect163k1", "sect163r1", "sect163r2"], &[163, 7, 6, 3, 0]),
    (&["sect193r1", "sect193r2"], &[193, 15, 0]),
    (&["B-233", "K-233", "sect233k1", "sect233r1"], &[233, 74, 0]),
    (&["sect239k1"], &[239, 158, 0]),
    (&["B-283", "K-283", "sect283k1", "sect283r1"], &[283, 12, 7, 5, 0]),
    (&["B-409", "K-409", "sect409k1", "sect409r1"], &[409, 87, 0]),
    (&["B-571", "K-571", "sect571k1", "sect571r1"], &[571, 10, 5, 2, 0]),
];

impl BinaryField {
    /// The field of this name: that of a binary curve in FIPS 186-4 (`B-571`) or SEC 2 (`sect571r1`), of `AES`, or of
    /// `GCM`. The case of letters does not matter.
    ///
    /// GCM writes the coefficient of x⁰ as the highest bit of the first octet. Here it is bit 0, as in every field.
    ///
    /// # Errors
    /// [`FieldError::UnknownName`].
    pub fn named(name: &str) -> Result<BinaryField, FieldError> {
        let is_it = |(names, _): &&(&[&str], _)| names.iter().any(|known| known.eq_ignore_ascii_case(name));
        let (_, exponents) = FIELDS.iter().find(is_it).ok_or(FieldError::UnknownName)?;
        BinaryField::from_exponents(exponents)
    }

    /// The names of all fields that [`BinaryField::named`] knows, by degree.
    pub fn names() -> impl Iterator<Item = &'static str> {
        FIELDS.iter().flat_map(|(names, _)| names.iter().copied())
    }
}
