//! How a call ended, as a number and as a line of text.

use arithmetic::diffie_hellman::GroupError;
use arithmetic::{Error, FieldError};
use monpro_rsa::{Error as RsaError, Found};
use std::ffi::CStr;

/// Defines the statuses and their table: a row has the variant, its number, and its line.
macro_rules! statuses {
    ($($variant:ident, $line:literal;)*) => {
        impl MonproStatus {
            #[cfg(test)]
            const ALL: &[MonproStatus] = &[$(MonproStatus::$variant),*];

            /// The line of text of the status with this number.
            pub(crate) fn message(number: i32) -> &'static CStr {
                $(if number == MonproStatus::$variant as i32 {
                    return $line;
                })*
                c"no status of monpro has this number"
            }
        }
    };
}

/// How a call ended. A status is never renumbered; later versions may add some.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MonproStatus {
    /// All is well.
    Ok = 0,
    /// A pointer is null where bytes, a name or a handle are needed.
    NullPointer = 1,
    /// The space for the result does not have the length of the result, or an input has not the one length that it
    /// must have.
    WrongLength = 2,
    /// The modulus is 0.
    ZeroModulus = 3,
    /// The modulus is even where an odd one is needed.
    EvenModulus = 4,
    /// No kernel has the name.
    UnknownKernel = 5,
    /// The kernel cannot be used: this CPU lacks its instructions, it is one of the other ring, or it does not take the
    /// modulus.
    UnusableKernel = 6,
    /// A mistake in the library.
    Internal = 7,
    /// A number has more than MONPRO_MAX_BYTES bytes, or there are more bytes, tasks or elements than memory can hold.
    TooLong = 8,
    /// There is not enough memory.
    OutOfMemory = 9,
    /// The switch that the thread watches has stopped the call.
    Cancelled = 10,
    /// The space for the result is too short; its length has been written.
    SpaceTooShort = 11,
    /// A number or an element has no inverse, or a number given as an inverse is not one.
    NotInvertible = 12,
    /// The exponent has more bits than the table of a fixed base is for, or a table for exponents of more than 2^20
    /// bits was asked for.
    ExponentTooLong = 13,
    /// The polynomial is not irreducible, so that its residues are no field.
    ReduciblePolynomial = 14,
    /// The polynomial has a degree above 65536.
    DegreeTooHigh = 15,
    /// An exponent of a polynomial is listed more than once.
    RepeatedExponent = 16,
    /// A number is not below the modulus, or an element's degree is not below the field's.
    NotReduced = 17,
    /// The half-trace of a field of even degree was asked for.
    EvenDegree = 18,
    /// No group has the name.
    UnknownGroup = 19,
    /// The modulus, the generator or the order makes no group for key exchange.
    UnusableGroup = 20,
    /// The private key of a key exchange is 0 or leads to a public value that everybody knows.
    DegeneratePrivateKey = 21,
    /// The peer's public value is not one of the group.
    PeerRefused = 22,
    /// The random source has no bytes, or gives none that can be used.
    RandomSource = 23,
    /// No hash function has the name.
    UnknownHash = 24,
    /// The document is not an RSA key in PEM or DER.
    NotAKey = 25,
    /// The document is a key of another algorithm.
    OtherAlgorithm = 26,
    /// The key is an RSA key that this library does not take: modulus and public exponent must be odd, the modulus of
    /// 512 to 16384 bits, the exponent from 3 up and of at most 256 bits, the primes at most five; parameters of PSS must
    /// be known, and the derivation of an encrypted document's key not too long.
    UnsupportedKey = 27,
    /// The numbers of the private key do not belong together.
    DamagedKey = 28,
    /// Keys of this length are not made.
    KeyLength = 29,
    /// The message is too long for the key and the scheme.
    MessageTooLong = 30,
    /// The key is too short for the hash function, the scheme and the salt.
    KeyTooShort = 31,
    /// The signature is not one of this message by this key.
    BadSignature = 32,
    /// The ciphertext does not decrypt.
    Decryption = 33,
    /// A result was wrong, and is withheld.
    Fault = 34,
    /// Signatures are not made with SHA-1.
    WeakHash = 35,
    /// The document is encrypted, and there is no passphrase.
    PassphraseNeeded = 36,
    /// The passphrase is not that of the document.
    WrongPassphrase = 37,
    /// An empty passphrase protects nothing.
    EmptyPassphrase = 38,
    /// The key is for signatures by PSS alone (id-RSASSA-PSS), or for other parameters of PSS.
    KeyUse = 39,
    /// No operation on columns has the number.
    UnknownOperation = 40,
}

statuses! {
    Ok, c"all is well";
    NullPointer, c"a pointer is null: give the address of what the call needs";
    WrongLength, c"the space for the result, or an input, has another length than it must have: give as many bytes as the header says";
    ZeroModulus, c"the modulus is 0: give a modulus of at least 1";
    EvenModulus, c"the modulus is even: give an odd one, or call monpro_modexp, which takes any";
    UnknownKernel, c"no kernel has the name given by the caller or by MONPRO_KERNEL: see `monpro kernels`";
    UnusableKernel, c"the kernel needs instructions that this CPU lacks, is not over the integers where they are needed or not over GF(2)[x] where that is needed, or does not take the modulus: choose another";
    Internal, c"a mistake in monpro: please report it";
    TooLong, c"a number has more than 2^28 bytes, or there are too many bytes, tasks or elements: give fewer";
    OutOfMemory, c"there is not enough memory for numbers of these lengths: free some, or give shorter numbers";
    Cancelled, c"the call was stopped by monpro_cancellation_cancel";
    SpaceTooShort, c"the space for the result is too short: give as many bytes as the call has written to the length";
    NotInvertible, c"a number or an element has no inverse, or a number is not the inverse that it is given as: give another";
    ExponentTooLong, c"the exponent has more bits than the table is for, or a table for more than 2^20 bits is asked for: give a larger or a smaller bound";
    ReduciblePolynomial, c"the polynomial is constant or a product of others: give an irreducible one";
    DegreeTooHigh, c"the polynomial has a degree above 65536: give one of lower degree";
    RepeatedExponent, c"an exponent of the polynomial is listed more than once: list each once";
    NotReduced, c"a number is not below the modulus, or an element's degree is not below the field's: reduce it";
    EvenDegree, c"the field has an even degree: the half-trace needs an odd one";
    UnknownGroup, c"no group has the name: monpro_group_name lists the names";
    UnusableGroup, c"the modulus is even, below 5 or too long, the generator is 0, 1, -1 or not below the modulus, or the order is not one of it: give those of a group that you trust";
    DegeneratePrivateKey, c"the private key makes a public value that everybody knows: give random bytes";
    PeerRefused, c"the peer's public value is not one of the group, or leads to a secret that everybody knows: end the exchange";
    RandomSource, c"the random source gives no bytes that can be used: give one that is fit for cryptography";
    UnknownHash, c"no hash function has the name: take one such as sha256, which monpro_hash_name lists";
    NotAKey, c"not the RSA key that is needed: give one in PEM or DER, as PKCS#1, PKCS#8 or SubjectPublicKeyInfo";
    OtherAlgorithm, c"a key of another algorithm: give an RSA key";
    UnsupportedKey, c"the key has a modulus, a public exponent, primes, or parameters that are not supported: give an odd modulus of 512 to 16384 bits and an odd exponent of 2 to 256 bits";
    DamagedKey, c"the numbers of the private key do not belong together: the key is damaged, give another copy";
    KeyLength, c"keys are made with 512 to 16384 bits, in multiples of 2: choose such a length";
    MessageTooLong, c"the message is too long for the key: encrypt a symmetric key instead";
    KeyTooShort, c"the key is too short for this hash function and salt: use a longer key";
    BadSignature, c"the signature is not one of this message by this key";
    Decryption, c"the ciphertext does not decrypt with this key and scheme";
    Fault, c"the computation went wrong, and its result is withheld: the machine may be faulty";
    WeakHash, c"signatures are not made with SHA-1, which is broken: choose sha256";
    PassphraseNeeded, c"the key is encrypted: give its passphrase";
    WrongPassphrase, c"the passphrase is not that of the key: give another one";
    EmptyPassphrase, c"an empty passphrase protects nothing: give a longer one";
    KeyUse, c"the key is for signatures by PSS alone, or for other parameters of PSS (id-RSASSA-PSS): choose those of the key";
    UnknownOperation, c"no operation on columns has this number: give one of monpro_columns_operation";
}

impl From<Error> for MonproStatus {
    fn from(error: Error) -> MonproStatus {
        match error {
            Error::ZeroModulus => MonproStatus::ZeroModulus,
            Error::EvenModulus => MonproStatus::EvenModulus,
            Error::UnknownKernel => MonproStatus::UnknownKernel,
            Error::KernelUnavailable { .. } | Error::UnsupportedModulus { .. } | Error::WrongRing { .. } => {
                MonproStatus::UnusableKernel
            }
            Error::NotInverse => MonproStatus::NotInvertible,
            Error::ExponentBound { .. } | Error::ExponentBoundTooLarge { .. } => {
                MonproStatus::ExponentTooLong
            }
            _ => MonproStatus::Internal,
        }
    }
}

impl From<FieldError> for MonproStatus {
    fn from(error: FieldError) -> MonproStatus {
        match error {
            FieldError::Kernel(error) => error.into(),
            FieldError::ConstantPolynomial | FieldError::NoConstantTerm | FieldError::Reducible { .. } => {
                MonproStatus::ReduciblePolynomial
            }
            FieldError::DegreeTooHigh { .. } => MonproStatus::DegreeTooHigh,
            FieldError::RepeatedExponent { .. } => MonproStatus::RepeatedExponent,
            FieldError::ElementDegree { .. } => MonproStatus::NotReduced,
            FieldError::OctetCount { .. } => MonproStatus::WrongLength,
            FieldError::InverseOfZero | FieldError::InverseOfZeroAmong { .. } => MonproStatus::NotInvertible,
            FieldError::HalfTraceOfEvenDegree { .. } => MonproStatus::EvenDegree,
            _ => MonproStatus::Internal,
        }
    }
}

impl From<GroupError> for MonproStatus {
    fn from(error: GroupError) -> MonproStatus {
        match error {
            GroupError::UnknownName => MonproStatus::UnknownGroup,
            GroupError::DegenerateModulus
            | GroupError::ModulusTooLong { .. }
            | GroupError::DegenerateGenerator
            | GroupError::GeneratorOrder => MonproStatus::UnusableGroup,
            GroupError::PrivateOctetCount { .. } | GroupError::OctetCount { .. } => MonproStatus::WrongLength,
            GroupError::DegeneratePrivateKey => MonproStatus::DegeneratePrivateKey,
            GroupError::PeerOutOfRange | GroupError::DegeneratePeer | GroupError::PeerOutsideSubgroup => {
                MonproStatus::PeerRefused
            }
            _ => MonproStatus::Internal,
        }
    }
}

impl From<RsaError> for MonproStatus {
    fn from(error: RsaError) -> MonproStatus {
        match error {
            RsaError::Found(
                Found::EllipticCurve
                | Found::Edwards
                | Found::Dsa
                | Found::DiffieHellman
                | Found::OtherAlgorithm,
            ) => MonproStatus::OtherAlgorithm,
            RsaError::Found(_) | RsaError::Malformed | RsaError::TooLong => MonproStatus::NotAKey,
            RsaError::MultiPrime
            | RsaError::Modulus
            | RsaError::PublicExponent
            | RsaError::PssParameters
            | RsaError::TooCostly => MonproStatus::UnsupportedKey,
            RsaError::OutOfMemory => MonproStatus::OutOfMemory,
            RsaError::PassphraseNeeded => MonproStatus::PassphraseNeeded,
            RsaError::WrongPassphrase => MonproStatus::WrongPassphrase,
            RsaError::EmptyPassphrase => MonproStatus::EmptyPassphrase,
            RsaError::PssOnly | RsaError::PssLimits => MonproStatus::KeyUse,
            RsaError::HashLength => MonproStatus::WrongLength,
            RsaError::Factors | RsaError::NotPrime | RsaError::PrivateExponent => MonproStatus::DamagedKey,
            RsaError::KeyLength => MonproStatus::KeyLength,
            RsaError::RandomSource => MonproStatus::RandomSource,
            RsaError::OutOfRange => MonproStatus::NotReduced,
            RsaError::MessageTooLong => MonproStatus::MessageTooLong,
            RsaError::ModulusTooShort => MonproStatus::KeyTooShort,
            RsaError::BadSignature => MonproStatus::BadSignature,
            RsaError::Decryption => MonproStatus::Decryption,
            RsaError::Fault => MonproStatus::Fault,
            RsaError::WeakHash => MonproStatus::WeakHash,
            _ => MonproStatus::Internal,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statuses_count_from_0_and_each_has_a_line_of_its_own() {
        let numbers: Vec<i32> = MonproStatus::ALL.iter().map(|&status| status as i32).collect();
        assert_eq!(numbers, (0..numbers.len() as i32).collect::<Vec<_>>());
        let mut lines: Vec<_> = numbers.iter().map(|&number| MonproStatus::message(number)).collect();
        lines.push(MonproStatus::message(-1));
        lines.sort();
        lines.dedup();
        assert_eq!(lines.len(), numbers.len() + 1);
    }

    #[test]
    fn a_fault_is_no_decryption_error_and_a_bad_signature_no_success() {
        assert_eq!(MonproStatus::from(RsaError::Fault), MonproStatus::Fault);
        assert_eq!(MonproStatus::from(RsaError::BadSignature), MonproStatus::BadSignature);
        assert_eq!(MonproStatus::from(RsaError::Decryption), MonproStatus::Decryption);
        assert_eq!(MonproStatus::from(RsaError::NotPrime), MonproStatus::DamagedKey);
    }
}
