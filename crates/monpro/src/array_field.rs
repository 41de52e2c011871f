//! Arrays of elements of GF(2^k) for k ≤ 64: slices of words, one element in each.

#[cfg(target_arch = "x86_64")]
mod clmul;
mod engine;
#[cfg(all(target_arch = "x86_64", vpclmulqdq_intrinsics))]
mod gfni;
mod inverse;
mod shift_and_add;
#[cfg(all(target_arch = "x86_64", vpclmulqdq_intrinsics))]
mod tower;

pub use engine::{ARRAY_ENGINES, ArrayEngine, ArrayWord, Shape};

use crate::binary_field::{BinaryField, FieldError};
use core::fmt;
use engine::Constants;

/// The elements that are combined with one factor at a time.
const BLOCK: usize = 512;

/// GF(2^k) for k ≤ 64, for arrays: slices of u8, u16, u32 or u64 that hold an element in each word.
///
/// Bit i of a word is the coefficient of xⁱ, and a word is below 2^k. A sum of arrays is their exclusive or.
///
/// Arrays are for public values. They are never erased, and the inverses of long arrays in fields of degree up to 16 are
/// looked up in a table. The addresses and branches of products do not depend on the elements.
///
/// ```
/// use monpro::{ArrayField, BinaryField};
///
/// let field = ArrayField::new(&BinaryField::from_exponents(&[8, 4, 3, 1, 0])?)?;
/// let mut x = [0x53u8, 0x02, 0xca];
/// let mut squares = [0; 3];
/// field.multiply(&mut squares, &x, &x)?;
/// assert_eq!(squares, [0xb5, 0x04, 0x75]);
/// field.invert(&mut x)?;
/// assert_eq!(x, [0xca, 0x8d, 0x53]);
/// # Ok::<(), monpro::FieldError>(())
/// ```
#[derive(Clone)]
pub struct ArrayField {
    engine: &'static ArrayEngine,
    constants: Constants,
}

impl ArrayField {
    /// The highest degree of a field whose elements fit a word.
    pub const MAX_DEGREE: usize = 64;

    /// The arrays of this field, with the fastest engine on this CPU.
    ///
    /// # Errors
    /// [`FieldError::DegreeTooHighForArrays`] for k > 64.
    pub fn new(field: &BinaryField) -> Result<ArrayField, FieldError> {
        let engine =
            ARRAY_ENGINES.iter().find(|engine| engine.is_available()).unwrap_or(&shift_and_add::ENGINE);
        ArrayField::with_engine(engine, field)
    }

    /// The same, with this engine.
    ///
    /// # Errors
    /// Those of [`ArrayField::new`].
    ///
    /// # Panics
    /// If the engine is not available on this CPU.
    pub fn with_engine(engine: &'static ArrayEngine, field: &BinaryField) -> Result<ArrayField, FieldError> {
        assert!(engine.is_available(), "engine {} is not available on this CPU", engine.name);
        match field.degree() {
            degree if degree > ArrayField::MAX_DEGREE => Err(FieldError::DegreeTooHighForArrays { degree }),
            degree => {
                Ok(ArrayField { engine, constants: Constants::new(field.modulus().number()[0], degree) })
            }
        }
    }

    /// The engine that computes.
    #[must_use]
    pub fn engine(&self) -> &'static ArrayEngine {
        self.engine
    }

    /// k.
    #[must_use]
    pub fn degree(&self) -> usize {
        self.constants.degree
    }

    /// zᵢ = xᵢ·yᵢ.
    ///
    /// # Errors
    /// [`FieldError::WordNoElement`].
    ///
    /// # Panics
    /// Where the lengths differ, or where W has fewer bits than an element.
    pub fn multiply<W: ArrayWord>(&self, z: &mut [W], x: &[W], y: &[W]) -> Result<(), FieldError> {
        assert!(x.len() == z.len() && y.len() == z.len(), "the arrays of a product have equal lengths");
        self.check(x)?;
        self.check(y)?;
        self.products(z, x, y);
        Ok(())
    }

    /// zᵢ = c·xᵢ.
    ///
    /// # Errors
    /// [`FieldError::WordNoElement`].
    ///
    /// # Panics
    /// Where the lengths differ, or where W has fewer bits than an element.
    pub fn scale<W: ArrayWord>(&self, z: &mut [W], x: &[W], c: W) -> Result<(), FieldError> {
        assert!(x.len() == z.len(), "the arrays of a product have equal lengths");
        self.check(x)?;
        self.check(&[c])?;
        let factors = [c; BLOCK];
        for (z, x) in z.chunks_mut(BLOCK).zip(x.chunks(BLOCK)) {
            self.products(z, x, &factors[..x.len()]);
        }
        Ok(())
    }

    /// xᵢ ← xᵢ⁻¹, by instructions, or by three products for each element and a single inversion.
    ///
    /// # Errors
    /// [`FieldError::WordNoElement`]; [`FieldError::InverseOfZeroAmong`] with the position of the first element that is 0.
    /// In both cases x is unchanged.
    ///
    /// # Panics
    /// Where W has fewer bits than an element.
    pub fn invert<W: ArrayWord>(&self, x: &mut [W]) -> Result<(), FieldError> {
        self.check(x)?;
        // The whole array is read, in vectors; a search for the first 0 would go from word to word.
        if x.iter().fold(false, |any, &word| any | (word == W::ZERO)) {
            let index = x.iter().take_while(|&&word| word != W::ZERO).count();
            return Err(FieldError::InverseOfZeroAmong { index });
        }
        inverse::invert(self, x);
        Ok(())
    }

    /// z = a·b for matrices of this shape, whose rows follow each other.
    ///
    /// # Errors
    /// [`FieldError::WordNoElement`].
    ///
    /// # Panics
    /// Where a length is not that of the shape, or where W has fewer bits than an element.
    pub fn matrix_product<W: ArrayWord>(
        &self,
        shape: Shape,
        z: &mut [W],
        a: &[W],
        b: &[W],
    ) -> Result<(), FieldError> {
        let Shape { rows, inner, columns } = shape;
        let lengths = [(z.len(), rows, columns), (a.len(), rows, inner), (b.len(), inner, columns)];
        assert!(
            lengths.iter().all(|&(length, rows, columns)| rows.checked_mul(columns) == Some(length)),
            "the matrices of a product have the lengths of its shape"
        );
        self.check(a)?;
        self.check(b)?;
        z.fill(W::ZERO);
        (W::functions(self.engine).add_matrix_product)(&self.constants, shape, z, a, b);
        Ok(())
    }

    /// Whether the engine has instructions for inverses in this field. Else long arrays are inverted faster than short
    /// ones.
    #[must_use]
    pub fn inverts_by_instructions<W: ArrayWord>(&self) -> bool {
        (W::functions(self.engine).invert)(&self.constants, &mut [])
    }

    fn products<W: ArrayWord>(&self, z: &mut [W], x: &[W], y: &[W]) {
        (W::functions(self.engine).multiply)(&self.constants, z, x, y);
    }

    fn check<W: ArrayWord>(&self, words: &[W]) -> Result<(), FieldError> {
        let degree = self.degree();
        assert!(W::BITS as usize >= degree, "an element of this field does not fit a word of the array");
        let all = words.iter().fold(W::ZERO, |all, &word| all | word).widen();
        match all >> (degree - 1) >> 1 {
            0 => Ok(()),
            _ => Err(FieldError::WordNoElement { degree }),
        }
    }
}

impl fmt::Debug for ArrayField {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let engine = self.engine.name;
        f.debug_struct("ArrayField").field("degree", &self.degree()).field("engine", &engine).finish()
    }
}
