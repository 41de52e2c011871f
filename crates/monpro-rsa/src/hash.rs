//! The hash functions that the encodings use.

use alloc::vec::Vec;
use sha2::Digest;
use sha2::digest::const_oid::AssociatedOid;
use zeroize::Zeroizing;

/// Defines the enumeration and its table: a row has the variant, its text, Python's name and the function.
macro_rules! hashes {
    ($($(#[$attribute:meta])* $variant:ident, $name:literal, $function:ty;)*) => {
        /// A hash function of FIPS 180-4 or FIPS 202.
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        #[non_exhaustive]
        pub enum Hash {
            $($(#[$attribute])* $variant,)*
        }

        impl Hash {
            /// All hash functions.
            pub const ALL: &[Hash] = &[$(Hash::$variant),*];

            fn row(self) -> Row {
                match self {
                    $(Hash::$variant => row::<$function>($name),)*
                }
            }
        }
    };
}

hashes! {
    /// SHA-1, which is broken: collisions are known. Signatures are verified with it but not made, and OAEP and
    /// MGF1, which do not need resistance to collisions, take it.
    Sha1, "sha1", sha1::Sha1;
    /// SHA-224.
    Sha224, "sha224", sha2::Sha224;
    /// SHA-256.
    #[default]
    Sha256, "sha256", sha2::Sha256;
    /// SHA-384.
    Sha384, "sha384", sha2::Sha384;
    /// SHA-512.
    Sha512, "sha512", sha2::Sha512;
    /// SHA-512/224.
    Sha512_224, "sha512_224", sha2::Sha512_224;
    /// SHA-512/256.
    Sha512_256, "sha512_256", sha2::Sha512_256;
    /// SHA3-224.
    Sha3_224, "sha3_224", sha3::Sha3_224;
    /// SHA3-256.
    Sha3_256, "sha3_256", sha3::Sha3_256;
    /// SHA3-384.
    Sha3_384, "sha3_384", sha3::Sha3_384;
    /// SHA3-512.
    Sha3_512, "sha3_512", sha3::Sha3_512;
}

/// What the encodings need of a hash function.
struct Row {
    name: &'static str,
    octets: usize,
    /// The object identifier without its tag and length.
    identifier: &'static [u8],
    digest: fn(&[&[u8]]) -> Vec<u8>,
}

fn row<D: Digest + AssociatedOid>(name: &'static str) -> Row {
    Row { name, octets: <D as Digest>::output_size(), identifier: D::OID.as_bytes(), digest: digest::<D> }
}

fn digest<D: Digest>(parts: &[&[u8]]) -> Vec<u8> {
    let hasher = parts.iter().fold(D::new(), sha2::Digest::chain_update);
    hasher.finalize().to_vec()
}

impl Hash {
    /// The name that Python's `hashlib` has for it, such as `sha512_256`.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// The object identifier without its tag and length.
    pub(crate) fn identifier(self) -> &'static [u8] {
        self.row().identifier
    }

    /// The hash of the parts, one after the other.
    pub(crate) fn digest(self, parts: &[&[u8]]) -> Vec<u8> {
        (self.row().digest)(parts)
    }

    /// The number of octets of a hash.
    #[must_use]
    pub fn octets(self) -> usize {
        self.row().octets
    }

    /// What precedes the hash in a DigestInfo in DER \[RFC 8017, §9.2, note 1\]: the beginning of
    /// SEQUENCE { SEQUENCE { OBJECT IDENTIFIER, NULL }, OCTET STRING }. All lengths are below 128.
    pub(crate) fn digest_info_prefix(self) -> Vec<u8> {
        let Row { identifier, octets, .. } = self.row();
        let (identifier_octets, octets) = (identifier.len() as u8, octets as u8);
        let algorithm = identifier_octets + 4;
        let before = [0x30, algorithm + octets + 4, 0x30, algorithm, 6, identifier_octets];
        [&before, identifier, &[5, 0, 4, octets]].concat()
    }

    /// target ^= MGF1(seed) \[RFC 8017, §B.2.1\].
    pub(crate) fn mask(self, target: &mut [u8], seed: &[u8]) {
        for (counter, chunk) in (0u32..).zip(target.chunks_mut(self.octets())) {
            let mask = Zeroizing::new(self.digest(&[seed, &counter.to_be_bytes()]));
            chunk.iter_mut().zip(mask.iter()).for_each(|(octet, bits)| *octet ^= bits);
        }
    }
}
