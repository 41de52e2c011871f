//! Lucas sequences modulo n.

use crate::cancellation::checkpoint;
use crate::natural::{bit_length, bits_at};
use crate::residue::Residue;

/// (V_k, V_(k+1)) for V_0 = 2, V_1 = p and V_(i+1) = p·V_i − V_(i−1).
///
/// For α + 1/α = p it is V_i = αⁱ + α⁻ⁱ. So V_2i = V_i² − 2 and V_(2i+1) = V_i·V_(i+1) − p, which is a ladder with two
/// products for each bit of k. Time depends on k.
pub(super) fn v_pair(p: &Residue, k: &[u64]) -> (Residue, Residue) {
    let modulus = p.modulus();
    let mut scratch = modulus.scratch();
    let two = modulus.residue(&[2]);
    let (mut low, mut high) = (two.clone(), p.clone());
    for bit in (0..bit_length(k)).rev() {
        checkpoint();
        let (doubled, other) = match bits_at(k, bit, 1) {
            0 => (&mut low, &mut high),
            _ => (&mut high, &mut low),
        };
        other.mul_assign(doubled, &mut scratch);
        *other = &*other - p;
        doubled.square_assign(&mut scratch);
        *doubled = &*doubled - &two;
    }
    (low, high)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::modulus::Modulus;

    #[test]
    fn pairs_are_those_of_the_recurrence() {
        for n in [1, 3, 15, 101, 0xffff_fffb] {
            let modulus = Modulus::new(&[n]).unwrap();
            for p in 0..12 {
                let p = modulus.residue(&[p]);
                let mut pair = (modulus.residue(&[2]), p.clone());
                for k in 0..70 {
                    assert_eq!(v_pair(&p, &[k, 0]), pair, "index {k} modulo {n}");
                    pair = (pair.1.clone(), &(&p * &pair.1) - &pair.0);
                }
            }
        }
    }
}
