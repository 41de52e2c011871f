//! Two moduli whose powers are computed at once.

#[cfg(all(target_arch = "x86_64", vpclmulqdq_intrinsics))]
use super::pairs;
use crate::modulus::Modulus;
use crate::residue::Residue;
#[cfg(all(target_arch = "x86_64", vpclmulqdq_intrinsics))]
use zeroize::Zeroizing;

/// Two odd moduli, ready for one power modulo each: the private operation of RSA, for many numbers.
///
/// Where the CPU computes two powers in one loop faster than one after the other, it does so here. Otherwise each power is
/// computed by the kernel of its modulus. Cloning is cheap beside a power; constants are erased with the last clone.
#[derive(Clone)]
pub struct TwoModuli {
    moduli: [Modulus; 2],
    #[cfg(all(target_arch = "x86_64", vpclmulqdq_intrinsics))]
    pair: Option<pairs::ReadyPair>,
}

impl TwoModuli {
    /// The moduli with the constants of both.
    ///
    /// ```
    /// use monpro::{Modulus, TwoModuli};
    ///
    /// let [p, q] = [Modulus::new(&[11])?, Modulus::new(&[7])?];
    /// let powers = TwoModuli::new([&p, &q]).pow_bounded([&[2], &[2]], [&[3], &[5]], 3);
    /// assert_eq!(powers, [p.residue(&[8]), q.residue(&[4])]);
    /// # Ok::<(), monpro::Error>(())
    /// ```
    #[must_use]
    pub fn new(moduli: [&Modulus; 2]) -> TwoModuli {
        TwoModuli {
            moduli: moduli.map(Clone::clone),
            #[cfg(all(target_arch = "x86_64", vpclmulqdq_intrinsics))]
            pair: pairs::ReadyPair::where_it_pays(moduli),
        }
    }

    /// x^(e mod 2^e_bits) modulo each of the two, for a base of any size. Time and addresses depend on the numbers of words,
    /// on the bit lengths of the moduli and on e_bits, not on values.
    #[must_use]
    pub fn pow_bounded(&self, bases: [&[u64]; 2], exponents: [&[u64]; 2], e_bits: usize) -> [Residue; 2] {
        let [m, n] = &self.moduli;
        #[cfg(all(target_arch = "x86_64", vpclmulqdq_intrinsics))]
        if let Some(pair) = &self.pair {
            let [x, y] = pair.pow(bases, exponents, e_bits).map(Zeroizing::new);
            return [m.residue(&x), n.residue(&y)];
        }
        let [x, y] = bases;
        let [e, f] = exponents;
        [m.residue(x).pow_bounded(e, e_bits), n.residue(y).pow_bounded(f, e_bits)]
    }
}
