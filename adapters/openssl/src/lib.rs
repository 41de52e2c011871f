//! An OpenSSL 3 provider: RSA and Diffie–Hellman by monpro.
//!
//! OpenSSL loads the module and calls [`OSSL_provider_init`]. The module has key management, signatures and encryption of
//! RSA, and key management and key exchange of Diffie–Hellman. Each key and each operation is one of the default provider's,
//! in a library context of the module's own, which keeps the settings and judges them. The power by a private key is
//! monpro's wherever the settings are ordinary: PKCS#1 v1.5 and PSS with the hashes of SHA-2 and SHA-3, OAEP, the premaster
//! secrets of TLS, and no padding, with keys of two primes and of 512 to 16384 bits; the secret of two parties modulo a
//! prime of 512 to 10000 bits. Everything else is the default provider's, so that nothing is missing.

mod border;
mod combining;
mod decrypting;
mod exchanging;
mod key;
mod libcrypto;
mod making;
mod names;
mod parameters;
mod provider;
mod random;
mod signing;

pub use border::OSSL_provider_init;
