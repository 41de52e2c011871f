//! A value modulo n in Montgomery form.

use crate::error::Error;
use crate::modulus::Modulus;
use crate::monoid::{Cells, Monoid};
use crate::natural;
use crate::power;
use alloc::vec::Vec;
use core::fmt;
use core::ops::{Add, Mul, Neg, Sub};

/// x·R mod n for a value x, tied to its [`Modulus`]; erased when dropped.
///
/// `&a + &b`, `&a - &b`, `&a * &b` and `-&a` compute modulo n, in time independent of the values.
///
/// # Panics
/// The binary operators panic where the operands have different moduli or kernels, which is a mistake in the
/// program and not in its input.
#[derive(Clone)]
pub struct Residue {
    modulus: Modulus,
    cells: Cells,
}

/// Scratch for products modulo n, made by [`Modulus::scratch`]; erased when dropped.
pub struct Scratch {
    spare: Cells,
    temporary: Cells,
}

impl Modulus {
    /// x mod n as a residue, in Montgomery form x·R mod n; x may be of any size.
    #[must_use]
    pub fn residue(&self, x: &[u64]) -> Residue {
        Residue { modulus: self.clone(), cells: self.context().enter(x) }
    }

    /// The residue whose Montgomery form has these s words of the kernel's radix.
    ///
    /// # Errors
    /// [`Error::WordCount`] unless there are exactly s words; [`Error::NotReduced`] unless each word is below
    /// the radix and their number is below n.
    pub fn residue_from_words(&self, words: &[u64]) -> Result<Residue, Error> {
        Ok(Residue { modulus: self.clone(), cells: self.context().checked(words)? })
    }

    /// The residue 0.
    #[must_use]
    pub fn zero(&self) -> Residue {
        Residue { modulus: self.clone(), cells: self.context().zero() }
    }

    /// The residue 1, whose Montgomery form is R mod n.
    #[must_use]
    pub fn one(&self) -> Residue {
        Residue { modulus: self.clone(), cells: self.context().one() }
    }

    /// Scratch for products in place, [`Residue::mul_assign`] and [`Residue::square_assign`].
    #[must_use]
    pub fn scratch(&self) -> Scratch {
        let temporary = Cells::zeros(self.context().scratch_cells());
        Scratch { spare: self.context().zero(), temporary }
    }
}

impl Residue {
    pub(crate) fn new(modulus: Modulus, cells: Cells) -> Residue {
        Residue { modulus, cells }
    }

    pub(crate) fn cells(&self) -> &[u64] {
        &self.cells
    }

    /// The modulus.
    #[must_use]
    pub fn modulus(&self) -> &Modulus {
        &self.modulus
    }

    /// The value, 0 ≤ x < n, in ⌈bits/64⌉ words.
    #[must_use]
    pub fn to_number(&self) -> Vec<u64> {
        self.modulus.context().to_number(&self.cells)
    }

    /// The s words of the Montgomery form, in the kernel's radix.
    #[must_use]
    pub fn words(&self) -> Vec<u64> {
        (0..self.modulus.s()).map(|i| self.modulus.context().word(&self.cells, i)).collect()
    }

    /// x² mod n.
    #[must_use]
    pub fn square(&self) -> Residue {
        let mut z = self.clone();
        z.square_assign(&mut self.modulus.scratch());
        z
    }

    /// x ← x·y mod n without an allocation, for loops.
    ///
    /// # Panics
    /// Where y belongs to another modulus, or the scratch to a modulus of another size or kernel.
    pub fn mul_assign(&mut self, y: &Residue, scratch: &mut Scratch) {
        self.assert_same_modulus(y);
        self.assert_fitting(scratch);
        self.modulus.context().mul(&mut scratch.spare, &self.cells, &y.cells, &mut scratch.temporary);
        core::mem::swap(&mut self.cells, &mut scratch.spare);
    }

    /// x ← x² mod n without an allocation, for loops.
    ///
    /// # Panics
    /// Where the scratch belongs to a modulus of another size or kernel.
    pub fn square_assign(&mut self, scratch: &mut Scratch) {
        self.assert_fitting(scratch);
        self.modulus.context().square(&mut scratch.spare, &self.cells, &mut scratch.temporary);
        core::mem::swap(&mut self.cells, &mut scratch.spare);
    }

    /// xᵉ mod n by a fixed window; time and addresses depend on the length of `e` in words, not on its value.
    #[must_use]
    pub fn pow(&self, e: &[u64]) -> Residue {
        self.pow_bounded(e, 64 * e.len())
    }

    /// x^(e mod 2^e_bits) mod n by a fixed window, in e_bits squares; time and addresses depend on e_bits, not on the
    /// value of e.
    #[must_use]
    pub fn pow_bounded(&self, e: &[u64], e_bits: usize) -> Residue {
        self.with_cells(power::fixed_window(self.modulus.context(), &self.cells, e, e_bits))
    }

    /// xᵉ mod n by a sliding window; the time depends on e.
    #[must_use]
    pub fn pow_vartime(&self, e: &[u64]) -> Residue {
        self.with_cells(power::sliding_window_vartime(self.modulus.context(), &self.cells, e))
    }

    /// xᵉ mod n by the binary method of \[koc96, §2\]; the time depends on e.
    #[must_use]
    pub fn pow_binary_vartime(&self, e: &[u64]) -> Residue {
        self.with_cells(power::binary_vartime(self.modulus.context(), &self.cells, e))
    }

    fn with_cells(&self, cells: Cells) -> Residue {
        Residue { modulus: self.modulus.clone(), cells }
    }

    /// Panics unless the scratch has the lengths of this modulus. A longer one would make the residue too long.
    fn assert_fitting(&self, scratch: &Scratch) {
        let Scratch { spare, temporary } = scratch;
        let fits =
            spare.len() == self.cells.len() && temporary.len() == self.modulus.context().scratch_cells();
        assert!(fits, "the scratch is of a modulus of another size or kernel: take it from this modulus");
    }

    fn assert_same_modulus(&self, other: &Residue) {
        assert!(self.modulus == other.modulus, "residues of different moduli cannot be combined");
    }
}

impl Add for &Residue {
    type Output = Residue;

    fn add(self, other: &Residue) -> Residue {
        self.assert_same_modulus(other);
        let mut z = self.modulus.context().zero();
        self.modulus.context().add(&mut z, &self.cells, &other.cells);
        self.with_cells(z)
    }
}

impl Sub for &Residue {
    type Output = Residue;

    fn sub(self, other: &Residue) -> Residue {
        self.assert_same_modulus(other);
        let mut z = self.modulus.context().zero();
        self.modulus.context().sub(&mut z, &self.cells, &other.cells);
        self.with_cells(z)
    }
}

impl Mul for &Residue {
    type Output = Residue;

    fn mul(self, other: &Residue) -> Residue {
        let mut z = self.clone();
        z.mul_assign(other, &mut self.modulus.scratch());
        z
    }
}

impl Neg for &Residue {
    type Output = Residue;

    fn neg(self) -> Residue {
        &self.modulus.zero() - self
    }
}

impl PartialEq for Residue {
    /// Whether modulus and value are equal, in time independent of the values.
    fn eq(&self, other: &Residue) -> bool {
        self.modulus == other.modulus && natural::is_equal(&self.cells, &other.cells)
    }
}

impl Eq for Residue {}

impl fmt::Debug for Residue {
    /// The modulus; never the value, which may be secret.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Residue").field("modulus", &self.modulus).finish_non_exhaustive()
    }
}
