//! Montgomery arithmetic modulo odd numbers of a size that the compiler knows: S limbs of 64 bits on the stack, without
//! allocation.
//!
//! It is meant for moduli of 1 to about 9 limbs that many operations share: prime fields and group orders of elliptic
//! curves, small keys. A [`Modulus`] may be a constant. A [`Residue`] is S limbs that can be copied. It does not know its
//! modulus: a caller with more than one modulus keeps their residues apart by types of its own. Larger moduli, and those
//! whose size is known only when the program runs, belong to [`crate::Modulus`], which chooses a kernel for them.
//!
//! ```
//! use monpro::fixed::{Modulus, Residue};
//!
//! /// 2^127 − 1, a prime.
//! const P: Modulus<2> = match Modulus::new([u64::MAX, u64::MAX >> 1]) {
//!     Ok(p) => p,
//!     Err(_) => panic!("the modulus is odd"),
//! };
//! const THREE: Residue<2> = P.residue_of_constant([3, 0]);
//!
//! let x = P.residue(&[5, 7]);
//! let y = P.mul(P.square(x), THREE);
//! assert_eq!(P.mul(y, P.inverse_modulo_prime(y)), P.one());
//! assert_eq!(P.to_number(P.sub(P.add(x, THREE), x)), [3, 0]);
//! ```
//!
//! **Time.** No branch and no address depends on a residue. None depends on an exponent, unless a name ends in `_vartime`.
//! The modulus and all lengths are public.
//!
//! **Erasure.** Nothing erases the copies that the compiler makes on the stack. A [`Residue`] implements
//! [`Zeroize`](zeroize::Zeroize), which erases one copy.

mod choice;
mod limbs;
mod modulus;
mod reduction;
mod residue;

pub use choice::Choice;
pub use modulus::Modulus;
pub(crate) use reduction::Reduction;
pub use residue::Residue;
