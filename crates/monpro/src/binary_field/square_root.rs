//! Square roots in GF(2^k): two products by precomputed constants instead of k − 1 squares.

use crate::modulus::Modulus;
use crate::residue::Residue;
use alloc::vec;
use zeroize::Zeroizing;

/// √R and √(x·R) for the R of the modulus, which is x^(w·s) or 1.
///
/// Let y = a·R mod f be the Montgomery form of a. Write y = E² + x·O², where E² holds the even coefficients
/// of y and x·O² the odd ones. Then √a = (E + √x·O)/√R. As Montgomery forms, E and O stand for the elements
/// E/R and O/R, so √a = (E/R)·√R + (O/R)·√(x·R).
pub(super) struct SquareRoot {
    root_of_r: Residue,
    root_of_xr: Residue,
}

impl SquareRoot {
    /// The constants of the field that root_of_x = √x belongs to.
    pub(super) fn new(root_of_x: &Residue) -> SquareRoot {
        let modulus = root_of_x.modulus();
        // R is a square because w is even.
        let exponent = modulus.r_exponent() / 2;
        let mut number = vec![0; exponent / 64 + 1];
        number[exponent / 64] = 1 << (exponent % 64);
        let root_of_r = modulus.residue(&number);
        SquareRoot { root_of_xr: root_of_x * &root_of_r, root_of_r }
    }

    /// √a. Constant time.
    pub(super) fn of(&self, a: &Residue) -> Residue {
        let modulus = a.modulus();
        let length = modulus.bits().div_ceil(64);
        let mut y = Zeroizing::new(vec![0; length]);
        modulus.context().store(&mut y, a.cells());
        let (even, odd) = (half(modulus, &y, 0), half(modulus, &y, 1));
        &(&even * &self.root_of_r) + &(&odd * &self.root_of_xr)
    }
}

/// The residue whose Montgomery form has coefficient 2i + parity of y as its coefficient i.
fn half(modulus: &Modulus, y: &[u64], parity: u32) -> Residue {
    let mut number = Zeroizing::new(vec![0; y.len().div_ceil(2)]);
    for (i, &word) in y.iter().enumerate() {
        number[i / 2] |= every_second_bit(word >> parity) << (32 * (i % 2));
    }
    Residue::new(modulus.clone(), modulus.context().load(&number, 0))
}

/// Bits 0, 2, … 62 of the word as bits 0 … 31.
fn every_second_bit(word: u64) -> u64 {
    const KEPT: [(u32, u64); 6] = [
        (0, 0x5555_5555_5555_5555),
        (1, 0x3333_3333_3333_3333),
        (2, 0x0f0f_0f0f_0f0f_0f0f),
        (4, 0x00ff_00ff_00ff_00ff),
        (8, 0x0000_ffff_0000_ffff),
        (16, 0x0000_0000_ffff_ffff),
    ];
    KEPT.iter().fold(word, |packed, (shift, kept)| (packed | packed >> shift) & kept)
}
