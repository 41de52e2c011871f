//! RSA on monpro: the keys, signatures and encryption of RFC 8017.
//!
//! A [`PrivateKey`] blinds the base, computes by the Chinese remainder theorem \[blum01, §5.2\] with Garner's
//! recombination, and returns a result only if its public power is the blinded base. Private operations take
//! time independent of the key and of what they decrypt; secrets are erased when dropped.
//!
//! ```
//! use monpro_rsa::{Hash, PrivateKey, SignatureScheme};
//!
//! # let mut random = rand_core::UnwrapErr(getrandom::SysRng);
//! let key = PrivateKey::generate(2048, &mut random)?;
//! let signature = key.sign(SignatureScheme::Pkcs1v15, Hash::Sha256, b"message", &mut random)?;
//! key.public_key().verify(SignatureScheme::Pkcs1v15, Hash::Sha256, b"message", &signature)?;
//! # Ok::<(), monpro_rsa::Error>(())
//! ```
//!
//! The crate has no random source of its own: the caller passes one that is fit for cryptography.

#![no_std]

extern crate alloc;

mod blinding;
#[cfg(feature = "columns")]
mod columns;
mod document;
mod encryption;
mod error;
mod generate;
mod hash;
mod number;
mod numbers;
mod prime;
mod private_key;
mod public_key;
mod signature;
#[cfg(test)]
mod testing;

#[cfg(feature = "columns")]
pub use columns::PrivateColumn;
pub use document::is_private_key;
pub use encryption::{EncryptionScheme, Oaep, premaster_secret};
pub use error::{Error, Found};
pub use hash::Hash;
pub use numbers::{Octets, OtherPrimeNumbers, PrivateNumbers};
pub use private_key::PrivateKey;
pub use public_key::{KeyUse, PssLimits, PublicKey};
pub use signature::{Pss, SaltLength, SignatureScheme};
