//! The names that OpenSSL has for hash functions.

use monpro_rsa::Hash;

/// The names of the default provider.
const NAMES: [(Hash, &[&str]); 11] = [
    (Hash::Sha1, &["SHA1", "SHA-1", "SSL3-SHA1"]),
    (Hash::Sha224, &["SHA2-224", "SHA-224", "SHA224"]),
    (Hash::Sha256, &["SHA2-256", "SHA-256", "SHA256"]),
    (Hash::Sha384, &["SHA2-384", "SHA-384", "SHA384"]),
    (Hash::Sha512, &["SHA2-512", "SHA-512", "SHA512"]),
    (Hash::Sha512_224, &["SHA2-512/224", "SHA-512/224", "SHA512-224"]),
    (Hash::Sha512_256, &["SHA2-512/256", "SHA-512/256", "SHA512-256"]),
    (Hash::Sha3_224, &["SHA3-224"]),
    (Hash::Sha3_256, &["SHA3-256"]),
    (Hash::Sha3_384, &["SHA3-384"]),
    (Hash::Sha3_512, &["SHA3-512"]),
];

/// The hash function of a name; None if monpro does not have it, or not under this name.
pub(crate) fn hash(name: &str) -> Option<Hash> {
    let is_named = |(_, names): &&(Hash, &[&str])| names.iter().any(|known| known.eq_ignore_ascii_case(name));
    NAMES.iter().find(is_named).map(|&(hash, _)| hash)
}
