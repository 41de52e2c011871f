//! The errors of keys, messages and ciphertexts: each says in one clear line what is wrong.

use core::fmt;

/// Why a key or an operation was refused. No message holds anything secret.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// The document is not a key in PEM or DER, as PKCS#1, PKCS#8 or SubjectPublicKeyInfo.
    Malformed,
    /// The document has more than 65,536 octets in DER.
    TooLong,
    /// The document is a key of another algorithm.
    NotRsa,
    /// The key has more than two primes.
    MultiPrime,
    /// The modulus is even, or its length is not supported.
    Modulus,
    /// The public exponent is even, below 3, or longer than 256 bits or the modulus.
    PublicExponent,
    /// p·q ≠ n, or p = q.
    Factors,
    /// p or q is not prime.
    NotPrime,
    /// d, d mod (p − 1), d mod (q − 1) or q⁻¹ mod p does not belong to the rest of the key.
    PrivateExponent,
    /// Keys of this length are not generated.
    KeyLength,
    /// The random source gave nothing that could be used, which a working one does not do.
    RandomSource,
    /// The number is not below the modulus.
    OutOfRange,
    /// The message is too long for the modulus and the scheme.
    MessageTooLong,
    /// The modulus is too short for the hash function, the scheme and the salt.
    ModulusTooShort,
    /// The signature is not one of this message by this key.
    BadSignature,
    /// The ciphertext does not decrypt. The error does not say why, because the reason would help an
    /// attacker.
    Decryption,
    /// The result's public power is not the input: the computation went wrong, and its result is withheld.
    Fault,
    /// Signatures are not made with SHA-1.
    WeakHash,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Error::Malformed => {
                "not a key: give one in PEM or DER, as PKCS#1, PKCS#8 (not encrypted) or SubjectPublicKeyInfo"
            }
            Error::TooLong => "the document is far longer than any RSA key: give a key alone",
            Error::NotRsa => "a key of another algorithm: give an RSA key",
            Error::MultiPrime => "the key has more than two primes: give one of two",
            Error::Modulus => "the modulus must be odd and of 512 to 16384 bits: give another key",
            Error::PublicExponent => {
                "the public exponent must be odd, at least 3, and of at most 256 bits: give another key"
            }
            Error::Factors => {
                "the primes do not multiply to the modulus: the key is damaged, give another copy"
            }
            Error::NotPrime => "a factor of the modulus is not prime: the key is damaged, give another copy",
            Error::PrivateExponent => {
                "the private exponents do not belong to the primes: the key is damaged, give another copy"
            }
            Error::KeyLength => {
                "keys are made with 512 to 16384 bits, in multiples of 2: choose such a length"
            }
            Error::RandomSource => "the random source is broken: give one that is fit for cryptography",
            Error::OutOfRange => "the number is not below the modulus: give a smaller one, or a longer key",
            Error::MessageTooLong => {
                "the message is too long for the modulus: encrypt a symmetric key instead"
            }
            Error::ModulusTooShort => {
                "the modulus is too short for this hash function and salt: use a longer key"
            }
            Error::BadSignature => "the signature is not one of this message by this key",
            Error::Decryption => "the ciphertext does not decrypt with this key and scheme",
            Error::Fault => {
                "the computation went wrong, and its result is withheld: the machine may be faulty"
            }
            Error::WeakHash => "signatures are not made with SHA-1, which is broken: choose sha256",
        })
    }
}

impl core::error::Error for Error {}
