//! EME-OAEP \[RFC 8017, §7.1\].

use super::Oaep;
use crate::error::Error;
use crate::hash::Hash;
use alloc::vec;
use alloc::vec::Vec;
use rand_core::CryptoRng;
use subtle::{Choice, ConditionallySelectable, ConstantTimeEq};
use zeroize::Zeroizing;

impl Oaep<'_> {
    /// 0, the masked seed and the masked data block, which is the label's hash, zeros, 1 and the message.
    pub(super) fn encode<R: CryptoRng + ?Sized>(
        self,
        message: &[u8],
        octets: usize,
        random: &mut R,
    ) -> Result<Zeroizing<Vec<u8>>, Error> {
        let h = self.hash.octets();
        if octets < message.len() + 2 * h + 2 {
            return Err(Error::MessageTooLong);
        }
        let mut encoded = Zeroizing::new(vec![0; octets]);
        let (seed, db) = encoded[1..].split_at_mut(h);
        random.fill_bytes(seed);
        db[..h].copy_from_slice(&self.hash.digest(&[self.label]));
        let start = db.len() - message.len();
        db[start - 1] = 1;
        db[start..].copy_from_slice(message);
        self.mgf1().mask(db, seed);
        self.mgf1().mask(seed, db);
        Ok(encoded)
    }

    /// The message, or [`Error::Decryption`] in a time that does not depend on which of the conditions fails.
    pub(super) fn decode(self, encoded: &[u8]) -> Result<Zeroizing<Vec<u8>>, Error> {
        let h = self.hash.octets();
        if encoded.len() < 2 * h + 2 {
            return Err(Error::Decryption);
        }
        let mut encoded = Zeroizing::new(encoded.to_vec());
        let (first, rest) = encoded.split_at_mut(1);
        let (seed, db) = rest.split_at_mut(h);
        self.mgf1().mask(seed, db);
        self.mgf1().mask(db, seed);
        let mut is_good = first[0].ct_eq(&0) & db[..h].ct_eq(&self.hash.digest(&[self.label]));
        let (mut start, mut is_found) = (0u64, Choice::from(0));
        for (i, octet) in (0u64..).zip(&db[h..]) {
            let is_separator = !is_found & octet.ct_eq(&1);
            start.conditional_assign(&(i + 1), is_separator);
            is_good &= is_found | is_separator | octet.ct_eq(&0);
            is_found |= is_separator;
        }
        match bool::from(is_good & is_found) {
            true => Ok(Zeroizing::new(db[h + start as usize..].to_vec())),
            false => Err(Error::Decryption),
        }
    }

    fn mgf1(self) -> Hash {
        self.mgf1_hash.unwrap_or(self.hash)
    }
}
