//! The hash functions that the encodings use.

use alloc::vec::Vec;
use sha2::{Digest, Sha256, Sha384, Sha512};
use zeroize::Zeroizing;

/// A hash function of FIPS 180-4.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hash {
    /// SHA-256.
    Sha256,
    /// SHA-384.
    Sha384,
    /// SHA-512.
    Sha512,
}

impl Hash {
    /// The hash of the parts, one after the other.
    pub(crate) fn digest(self, parts: &[&[u8]]) -> Vec<u8> {
        fn of<D: Digest>(parts: &[&[u8]]) -> Vec<u8> {
            let hasher = parts.iter().fold(D::new(), sha2::Digest::chain_update);
            hasher.finalize().to_vec()
        }
        match self {
            Hash::Sha256 => of::<Sha256>(parts),
            Hash::Sha384 => of::<Sha384>(parts),
            Hash::Sha512 => of::<Sha512>(parts),
        }
    }

    /// The number of octets of a hash.
    pub(crate) fn octets(self) -> usize {
        match self {
            Hash::Sha256 => 32,
            Hash::Sha384 => 48,
            Hash::Sha512 => 64,
        }
    }

    /// What precedes the hash in a DigestInfo in DER \[RFC 8017, §9.2, note 1\].
    pub(crate) fn digest_info_prefix(self) -> [u8; 19] {
        let (algorithm, octets) = match self {
            Hash::Sha256 => (1, 32),
            Hash::Sha384 => (2, 48),
            Hash::Sha512 => (3, 64),
        };
        // SEQUENCE { SEQUENCE { OID 2.16.840.1.101.3.4.2.algorithm, NULL }, OCTET STRING of `octets` octets }
        [0x30, 17 + octets, 0x30, 13, 6, 9, 0x60, 0x86, 0x48, 1, 0x65, 3, 4, 2, algorithm, 5, 0, 4, octets]
    }

    /// target ^= MGF1(seed) \[RFC 8017, §B.2.1\].
    pub(crate) fn mask(self, target: &mut [u8], seed: &[u8]) {
        for (counter, chunk) in (0u32..).zip(target.chunks_mut(self.octets())) {
            let mask = Zeroizing::new(self.digest(&[seed, &counter.to_be_bytes()]));
            chunk.iter_mut().zip(mask.iter()).for_each(|(octet, bits)| *octet ^= bits);
        }
    }
}
