//! Powers of a fixed base, and products of powers.

use crate::error::Error;
use crate::modulus::Modulus;
use crate::power::{FixedBaseTable, MAX_EXPONENT_BITS, product_of_powers, product_of_powers_vartime};
use crate::residue::Residue;
use alloc::vec::Vec;
use core::fmt;

/// A base with a table of its powers, for many exponents. From 1024 bits up, a power takes about a quarter of
/// the time of [`Residue::pow`].
///
/// The table has up to 256 residues and takes about the time of one power to make. It is erased when dropped.
///
/// ```
/// use monpro::{FixedBase, Modulus};
///
/// let n = Modulus::new(&[101])?;
/// let powers_of_2 = FixedBase::new(&n.residue(&[2]), 64)?;
/// assert_eq!(powers_of_2.pow(&[100]).to_number(), [1]);
/// # Ok::<(), monpro::Error>(())
/// ```
pub struct FixedBase {
    modulus: Modulus,
    table: FixedBaseTable,
}

impl FixedBase {
    /// The table of x for exponents of at most e_bits bits; that length is public, x is not. It takes e_bits squares.
    ///
    /// # Errors
    /// [`Error::ExponentBoundTooLarge`] for more than [`MAX_EXPONENT_BITS`].
    pub fn new(x: &Residue, e_bits: usize) -> Result<FixedBase, Error> {
        if e_bits > MAX_EXPONENT_BITS {
            return Err(Error::ExponentBoundTooLarge { bits: e_bits });
        }
        let modulus = x.modulus().clone();
        let table = FixedBaseTable::new(modulus.context(), x.cells(), e_bits);
        Ok(FixedBase { modulus, table })
    }

    /// The largest number of bits of an exponent: the e_bits given for the table.
    #[must_use]
    pub fn e_bits(&self) -> usize {
        self.table.e_bits()
    }

    /// xᵉ mod n for e < 2^e_bits; of a longer e, only the lowest e_bits bits count. Time and addresses do not
    /// depend on e.
    #[must_use]
    pub fn pow(&self, e: &[u64]) -> Residue {
        Residue::new(self.modulus.clone(), self.table.pow(self.modulus.context(), e))
    }
}

impl fmt::Debug for FixedBase {
    /// The modulus and the length of exponents; never the base, which may be secret.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FixedBase")
            .field("modulus", &self.modulus)
            .field("e_bits", &self.e_bits())
            .finish_non_exhaustive()
    }
}

impl Modulus {
    /// x₁^e₁·x₂^e₂·… mod n over the terms (x, e), with fewer squares than separate powers take. The time
    /// depends on the number of terms and on the words of the longest exponent, not on the values.
    ///
    /// # Panics
    /// Where an x has another modulus.
    #[must_use]
    pub fn multi_pow(&self, terms: &[(&Residue, &[u64])]) -> Residue {
        let e_bits = terms.iter().map(|(_, e)| 64 * e.len()).max().unwrap_or(0);
        Residue::new(self.clone(), product_of_powers(self.context(), &self.in_cells(terms), e_bits))
    }

    /// [`Modulus::multi_pow`] by sliding windows; the time depends on the exponents.
    ///
    /// # Panics
    /// Where an x has another modulus.
    #[must_use]
    pub fn multi_pow_vartime(&self, terms: &[(&Residue, &[u64])]) -> Residue {
        Residue::new(self.clone(), product_of_powers_vartime(self.context(), &self.in_cells(terms)))
    }

    fn in_cells<'a>(&self, terms: &[(&'a Residue, &'a [u64])]) -> Vec<(&'a [u64], &'a [u64])> {
        let cells = |&(x, e): &(&'a Residue, &'a [u64])| {
            assert!(x.modulus() == self, "residues of different moduli cannot be combined");
            (x.cells(), e)
        };
        terms.iter().map(cells).collect()
    }
}
