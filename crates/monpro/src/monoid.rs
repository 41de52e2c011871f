//! Elements with a product: what an exponentiation is made of.

use alloc::vec::Vec;
use zeroize::Zeroizing;

/// The words of an element in u64 cells, erased when dropped.
pub(crate) type Cells = Zeroizing<Vec<u64>>;

/// What an exponentiation needs: elements in cells, a product, and a neutral element.
pub(crate) trait Monoid {
    /// The neutral element.
    fn one(&self) -> Cells;
    /// Temporary space of a product or a square.
    fn scratch(&self) -> Cells;
    /// z = x·y.
    fn mul(&self, z: &mut [u64], x: &[u64], y: &[u64], scratch: &mut [u64]);
    /// z = x².
    fn square(&self, z: &mut [u64], x: &[u64], scratch: &mut [u64]);
}
