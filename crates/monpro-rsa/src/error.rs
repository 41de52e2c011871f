//! The errors of keys, messages and ciphertexts: each says in one clear line what is wrong.

use core::fmt;

/// Why a key or an operation was refused. No message holds anything secret.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// The document is not a key in PEM or DER, as PKCS#1, PKCS#8 or SubjectPublicKeyInfo.
    Malformed,
    /// The document is known to be something else than the key that was asked for.
    Found(Found),
    /// The document has more than 65,536 octets in DER, or 1,048,576 in PEM.
    TooLong,
    /// The document is encrypted, and no passphrase was given.
    PassphraseNeeded,
    /// The document does not decrypt to a key with this passphrase.
    WrongPassphrase,
    /// An empty passphrase protects nothing.
    EmptyPassphrase,
    /// The derivation of the key from the passphrase would cost more than the bounds.
    TooCostly,
    /// The derivation of the key from the passphrase needs more memory than there is.
    OutOfMemory,
    /// The key has more than five primes.
    MultiPrime,
    /// The parameters of an id-RSASSA-PSS key are malformed, or of functions that are not supported.
    PssParameters,
    /// The key is of id-RSASSA-PSS, and the operation is another one.
    PssOnly,
    /// The parameters of the id-RSASSA-PSS key allow another hash function, another MGF1, or longer salts alone.
    PssLimits,
    /// The hash given in place of a message has another length than those of the hash function.
    HashLength,
    /// The modulus is even, or its length is not supported.
    Modulus,
    /// The public exponent is even, below 3, or longer than 256 bits or the modulus.
    PublicExponent,
    /// The primes do not multiply to n, or p = q.
    Factors,
    /// A factor is not prime.
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
                "not a key: give one in PEM or DER, as PKCS#1, PKCS#8 or SubjectPublicKeyInfo"
            }
            Error::Found(found) => found.text(),
            Error::TooLong => "the document is far longer than any RSA key: give a key alone",
            Error::PassphraseNeeded => "the key is encrypted: give its passphrase",
            Error::WrongPassphrase => "the passphrase is not that of the key: give another one",
            Error::EmptyPassphrase => "an empty passphrase protects nothing: give a longer one",
            Error::TooCostly => {
                "the key is encrypted with a derivation that would take too long (more than 10,000,000 iterations, or \
                 for scrypt more than 128 MiB): encrypt it again with fewer"
            }
            Error::OutOfMemory => {
                "there is too little memory for the derivation by which the key is encrypted: free some, or encrypt it \
                 again with a smaller N of scrypt"
            }
            Error::MultiPrime => "the key has more than five primes: give another key",
            Error::PssParameters => {
                "the key is bound to parameters of PSS that are not supported: give another key"
            }
            Error::PssOnly => "the key is for signatures by PSS alone (id-RSASSA-PSS): choose the padding pss",
            Error::PssLimits => {
                "the key is bound to another hash function or MGF1, or to longer salts: choose those of the key"
            }
            Error::HashLength => "the hash has another length than those of the hash function: give a whole one",
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

/// Defines the enumeration and its texts.
macro_rules! found {
    ($($(#[$attribute:meta])* $variant:ident, $text:literal;)*) => {
        /// What a document is that is not the key that was asked for.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[non_exhaustive]
        pub enum Found {
            $($(#[$attribute])* $variant,)*
        }

        impl Found {
            /// All of them.
            pub const ALL: &[Found] = &[$(Found::$variant),*];

            /// What the document is and what to do, in one line.
            fn text(self) -> &'static str {
                match self {
                    $(Found::$variant => $text,)*
                }
            }
        }
    };
}

found! {
    /// Nothing at all, or white space.
    Nothing, "the document is empty: give a key";
    /// A public key, where a private one is needed.
    PublicKey, "a public key, and a private one is needed: give the private key";
    /// A certificate, where a private key is needed.
    Certificate, "a certificate, and a private key is needed: give the file with the private key";
    /// A request for a certificate.
    CertificateRequest, "a request for a certificate: give its key, which openssl req -pubkey -noout -in FILE prints";
    /// A list of revoked certificates.
    RevocationList, "a list of revoked certificates, which holds no key: give a key";
    /// Parameters without a key.
    Parameters, "parameters without a key: give an RSA key";
    /// A key of an elliptic curve.
    EllipticCurve, "a key of an elliptic curve: give an RSA key";
    /// A key of X25519, X448, Ed25519 or Ed448.
    Edwards, "a key of Curve25519 or Curve448 (Ed25519, X25519, …): give an RSA key";
    /// A key of DSA.
    Dsa, "a key of DSA: give an RSA key";
    /// A key of Diffie–Hellman.
    DiffieHellman, "a key of Diffie-Hellman: give an RSA key";
    /// A key of yet another algorithm.
    OtherAlgorithm, "a key of another algorithm: give an RSA key";
    /// A private key in the format of OpenSSH.
    OpenSshPrivate,
    "a private key in OpenSSH's own format: turn a copy of it into PKCS#8 by ssh-keygen -p -m PKCS8 -f COPY";
    /// A public key in the format of OpenSSH.
    OpenSshPublic, "a public key in OpenSSH's own format: convert it by ssh-keygen -e -m PKCS8 -f FILE";
    /// A public key in the format of RFC 4716.
    Ssh2Public, "a public key in the format of SSH2: convert it by ssh-keygen -i -f FILE, and ssh-keygen -e -m PKCS8";
    /// A key in the format of `PuTTY`.
    Putty, "a key in PuTTY's own format: convert it by puttygen FILE -O private-openssh-new, and ssh-keygen";
    /// A key of OpenPGP.
    OpenPgp, "a document of OpenPGP: give a key in PEM or DER";
    /// A JSON Web Key, or other JSON.
    Json, "JSON, perhaps a JSON Web Key: give a key in PEM or DER, or its numbers";
    /// XML, as .NET writes keys.
    Xml, "XML or HTML, perhaps a key of .NET: give a key in PEM or DER, or its numbers";
    /// Certificates in PKCS#7.
    Pkcs7, "certificates in PKCS#7: convert them by openssl pkcs7 -print_certs -in FILE";
    /// Keys and certificates in PKCS#12.
    Pkcs12, "a PKCS#12 file (.p12, .pfx): convert it by openssl pkcs12 -in FILE -out KEY";
    /// A key store of Java.
    JavaKeyStore, "a key store of Java: convert it by keytool -importkeystore -deststoretype pkcs12, and openssl pkcs12";
    /// A key of Microsoft's CryptoAPI.
    MicrosoftBlob, "a key of Microsoft's CryptoAPI (blob or .pvk): convert it by openssl rsa -inform MSBLOB or PVK -in FILE";
    /// Text in UTF-16.
    Utf16, "text in UTF-16, which PowerShell's > writes: save it as ASCII or UTF-8";
    /// The digits of base64 without the lines around them.
    BareDigits, "base64 without the lines -----BEGIN and -----END: add them";
    /// Lines that end with the two characters \ and n.
    EscapedLines, "PEM whose lines end with the two characters \\n: put line ends in their place";
    /// A block of PEM without its last line.
    NoEnd, "PEM without the line -----END that belongs to its -----BEGIN: the file is cut off or damaged";
    /// A block of PEM whose body is not base64.
    BadDigits, "PEM with something else than base64 between its lines: the file is damaged";
    /// A block of PEM with another label.
    OtherLabel, "PEM of something else than a key: give an RSA key";
    /// PEM, where DER is asked for.
    Pem, "a document in PEM, and one in DER is needed";
    /// DER, where PEM is asked for.
    Der, "a document in DER, or not a key: one in PEM is needed";
    /// BER of indefinite length.
    Indefinite, "BER of indefinite length, and not DER: convert it by openssl";
    /// The encryption of OpenSSL's old PEM, of PKCS#5 v1.5 or of PKCS#12.
    OldEncryption,
    "a key that is encrypted in an old way (Proc-Type: 4,ENCRYPTED, or PBES1): convert it by openssl pkcs8 -topk8 -in FILE";
    /// A cipher or a derivation of keys that is not supported.
    OtherEncryption,
    "a key that is encrypted by other functions than PBKDF2 or scrypt with AES-CBC: convert it by openssl pkcs8 -topk8";
}
