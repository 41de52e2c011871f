//! RSA signatures of [rustls](https://docs.rs/rustls) by monpro.
//!
//! A provider of rustls loads the private keys of servers, and of clients that have certificates. [`with_rsa`] gives a
//! provider whose RSA keys sign by [`monpro_rsa`], and whose other keys and other cryptography are as before:
//!
//! ```
//! # fn main() -> Result<(), rustls::Error> {
//! let provider = monpro_rustls::with_rsa(rustls::crypto::ring::default_provider());
//! let config = rustls::ServerConfig::builder_with_provider(provider.into()).with_safe_default_protocol_versions()?;
//! # let _ = config;
//! # Ok(())
//! # }
//! ```
//!
//! Signatures take time independent of the key; they are blinded, and checked before they leave.

mod random;
mod signing_key;

use rustls::Error;
use rustls::crypto::{CryptoProvider, KeyProvider, SecureRandom};
use rustls::pki_types::PrivateKeyDer;
use rustls::sign::SigningKey;
pub use signing_key::RsaSigningKey;
use std::sync::Arc;

/// The provider with the RSA signatures of monpro.
///
/// rustls wants the loader of keys to live as long as the process. So each call leaves some bytes in memory for good:
/// make the provider once, and clone it.
#[must_use]
pub fn with_rsa(provider: CryptoProvider) -> CryptoProvider {
    let keys = Keys { random: provider.secure_random, others: provider.key_provider };
    CryptoProvider { key_provider: Box::leak(Box::new(keys)), ..provider }
}

/// Loads RSA keys for monpro, and leaves the others to another loader.
#[derive(Debug)]
struct Keys {
    random: &'static dyn SecureRandom,
    others: &'static dyn KeyProvider,
}

impl KeyProvider for Keys {
    /// # Errors
    /// Those of [`RsaSigningKey::new`] for an RSA key; those of the other loader for another key.
    fn load_private_key(&self, document: PrivateKeyDer<'static>) -> Result<Arc<dyn SigningKey>, Error> {
        match signing_key::read(&document) {
            Err(monpro_rsa::Error::Found(_) | monpro_rsa::Error::Malformed) => {
                self.others.load_private_key(document)
            }
            key => Ok(Arc::new(RsaSigningKey::of(key, self.random)?)),
        }
    }
}
