//! Signatures. The default provider's operation keeps the settings and judges them; where they are ordinary, the signature
//! is monpro's.

use crate::key::Key;
use crate::libcrypto::{Hashing, Operation, Purpose};
use crate::names;
use crate::parameters::Parameters;
use crate::provider::Provider;
use crate::random::Random;
use monpro_rsa::{Hash, Pss, SaltLength, SignatureScheme};
use std::ffi::{CStr, c_int};
use std::sync::Arc;
use zeroize::Zeroizing;

const PADDING: &CStr = c"pad-mode";
pub(crate) const DIGEST: &CStr = c"digest";
const MGF1_DIGEST: &CStr = c"mgf1-digest";
const SALT_LENGTH: &CStr = c"saltlen";

/// OpenSSL's numbers of paddings.
const PKCS1: c_int = 1;
const NONE: c_int = 3;
const PSS: c_int = 6;
/// OpenSSL's numbers for lengths of salts that are not given in octets.
const AS_THE_HASH: c_int = -1;
const AUTOMATIC: c_int = -2;
const LONGEST: c_int = -3;
const AUTOMATIC_UP_TO_THE_HASH: c_int = -4;

/// An operation with a key: signing, verification, recovery.
pub(crate) struct Signing {
    provider: Arc<Provider>,
    current: Option<Current>,
}

/// What an operation has that was begun.
struct Current {
    key: Arc<Key>,
    purpose: Purpose,
    operation: Operation,
    hashing: Option<Hashing>,
}

impl Signing {
    pub(crate) fn new(provider: &Arc<Provider>) -> Signing {
        Signing { provider: provider.clone(), current: None }
    }

    /// Begins anew; without a key, with the one of before.
    pub(crate) fn begin(
        &mut self,
        purpose: Purpose,
        key: Option<Arc<Key>>,
        settings: Parameters<'_>,
    ) -> Option<()> {
        let key = key.or_else(|| self.current.take().map(|current| current.key))?;
        let operation = Operation::begin(&key.child, purpose, settings)?;
        self.current = Some(Current { key, purpose, operation, hashing: None });
        Some(())
    }

    /// Begins with a message that will be hashed by the function of this name.
    pub(crate) fn begin_message(
        &mut self,
        purpose: Purpose,
        digest: &CStr,
        key: Option<Arc<Key>>,
        settings: Parameters<'_>,
    ) -> Option<()> {
        self.begin(purpose, key, settings)?;
        let current = self.current.as_mut()?;
        if !current.operation.set_text(DIGEST, digest) {
            return None;
        }
        current.hashing = Some(Hashing::new(&self.provider.child, digest, Parameters::NONE)?);
        Some(())
    }

    /// Takes settings. The hash function of a message that was begun stays.
    pub(crate) fn set(&mut self, settings: Parameters<'_>) -> Option<()> {
        let current = self.current.as_ref()?;
        if let (Some(hashing), Some(name)) = (&current.hashing, settings.string(DIGEST)) {
            let name = std::ffi::CString::new(name).ok()?;
            if !hashing.is_by(&name) {
                return None;
            }
        }
        current.operation.set(settings).then_some(())
    }

    /// Tells what the list asks.
    pub(crate) fn answer(&self, questions: Parameters<'_>) -> Option<()> {
        self.current.as_ref()?.operation.answer(questions).then_some(())
    }

    /// Takes a piece of the message.
    pub(crate) fn update(&mut self, piece: &[u8]) -> Option<()> {
        self.current.as_mut()?.hashing.as_mut()?.update(piece).then_some(())
    }

    /// The hash of the message.
    pub(crate) fn finish(&mut self) -> Option<Vec<u8>> {
        self.current.as_mut()?.hashing.take()?.finish()
    }

    /// The operation of the default provider, for what monpro has not computed.
    pub(crate) fn operation(&self) -> Option<&Operation> {
        self.current.as_ref().map(|current| &current.operation)
    }

    /// The signature of a hash by monpro; None if the default provider is to sign, or to say why not.
    pub(crate) fn sign(&self, hash: &[u8]) -> Option<Zeroizing<Vec<u8>>> {
        let current = self.current.as_ref().filter(|current| current.purpose == Purpose::Sign)?;
        let encoded = encoded(&current.key, &current.operation, hash);
        let signature = encoded.and_then(|encoded| current.key.power(&encoded));
        if signature.is_none() {
            self.provider.counts.count_handed_on();
        }
        signature
    }

    /// A copy in the same state.
    pub(crate) fn duplicate(&self) -> Option<Signing> {
        let current = match &self.current {
            None => None,
            Some(Current { key, purpose, operation, hashing }) => Some(Current {
                key: key.clone(),
                purpose: *purpose,
                operation: operation.duplicate()?,
                hashing: match hashing {
                    None => None,
                    Some(hashing) => Some(hashing.duplicate()?),
                },
            }),
        };
        Some(Signing { provider: self.provider.clone(), current })
    }
}

/// The number to sign, as long as n; None if the settings are not ordinary, or do not fit.
fn encoded(key: &Key, settings: &Operation, hash: &[u8]) -> Option<Vec<u8>> {
    let public = key.own()?.public_key();
    let digest = settings.text(DIGEST)?;
    match settings.integer(PADDING)? {
        PKCS1 if digest.is_empty() => padded(hash, public.octets()),
        PKCS1 => Random::with(|random| {
            let digest = names::hash(&digest)?;
            public.encode_prehashed(SignatureScheme::Pkcs1v15, digest, hash, random).ok()
        })?,
        NONE if digest.is_empty() && hash.len() == public.octets() => Some(hash.to_vec()),
        PSS => {
            let (digest, mgf1) = (names::hash(&digest)?, names::hash(&settings.text(MGF1_DIGEST)?)?);
            let salt = salt_octets(settings.integer(SALT_LENGTH)?, digest, public.bits())?;
            let pss = Pss { salt_length: SaltLength::Octets(salt), mgf1_hash: Some(mgf1) };
            let scheme = SignatureScheme::Pss(pss);
            Random::with(|random| public.encode_prehashed(scheme, digest, hash, random).ok())?
        }
        _ => None,
    }
}

/// 0 1 255 … 255 0 and the octets, for a peer that hashes by a rule of its own \[RFC 8017, §9.2, without DigestInfo\].
fn padded(octets: &[u8], length: usize) -> Option<Vec<u8>> {
    let padding = length.checked_sub(octets.len() + 3).filter(|&padding| padding >= 8)?;
    Some([&[0, 1], vec![0xff; padding].as_slice(), &[0], octets].concat())
}

/// The octets of a new salt for a modulus of so many bits, by OpenSSL's number.
fn salt_octets(number: c_int, hash: Hash, bits: usize) -> Option<usize> {
    let longest = (bits - 1).div_ceil(8).checked_sub(hash.octets() + 2)?;
    match number {
        AS_THE_HASH => Some(hash.octets()),
        AUTOMATIC | LONGEST => Some(longest),
        AUTOMATIC_UP_TO_THE_HASH => Some(longest.min(hash.octets())),
        _ => usize::try_from(number).ok(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::libcrypto::Child;

    /// libcrypto refuses this before it calls the provider.
    #[test]
    fn what_was_begun_for_verification_does_not_sign() {
        let Some(child) = Child::of_the_system() else { return };
        let provider = Arc::new(Provider::new(child, None));
        let key = Key::made(&provider);
        for (purpose, signs) in [(Purpose::Sign, true), (Purpose::Verify, false), (Purpose::Recover, false)] {
            let mut signing = Signing::new(&provider);
            signing.begin(purpose, Some(key.clone()), Parameters::NONE).unwrap();
            assert!(signing.current.as_ref().unwrap().operation.set_text(DIGEST, c"SHA256"));
            assert_eq!(signing.sign(&[7; 32]).is_some(), signs, "{purpose:?}");
        }
    }

    #[test]
    fn padding_has_eight_octets_at_least() {
        assert_eq!(padded(&[7], 12), Some([&[0, 1][..], &[0xff; 8], &[0, 7]].concat()));
        assert_eq!(padded(&[7, 7], 12), None);
        assert_eq!(padded(&[7; 13], 12), None);
    }

    #[test]
    fn salts_are_as_long_as_openssl_says() {
        let octets = |number, bits| salt_octets(number, Hash::Sha256, bits);
        assert_eq!(
            [-1, -2, -3, -4, 0, 20].map(|number| octets(number, 2048)),
            [32, 222, 222, 32, 0, 20].map(Some)
        );
        // A modulus of 8·k + 1 bits has an encoding of k octets.
        assert_eq!([-2, -4].map(|number| octets(number, 513)), [Some(30); 2]);
        assert_eq!([octets(-5, 2048), octets(-2, 256)], [None; 2]);
    }
}
