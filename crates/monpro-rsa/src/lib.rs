//! RSA on monpro: keys, signatures and encryption, as RFC 8017 has them.
//!
//! A [`PrivateKey`] computes by the Chinese remainder theorem \[blum01, §5.2\] with Garner's recombination, blinds
//! the base, and compares the result's public power with what it was given before it lets the result out. Private
//! operations take time independent of the key and of what they decrypt; secrets are erased when dropped.
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
//! Nothing here draws random numbers by itself: the caller brings a source that is fit for cryptography.

#![no_std]

extern crate alloc;

mod document;
mod encryption;
mod error;
mod generate;
mod hash;
mod number;
mod private_key;
mod public_key;
mod signature;

pub use encryption::EncryptionScheme;
pub use error::Error;
pub use hash::Hash;
pub use private_key::PrivateKey;
pub use public_key::PublicKey;
pub use signature::SignatureScheme;
