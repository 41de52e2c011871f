//! Encryption and decryption. The default provider's operation keeps the settings, judges them, and encrypts; where they are
//! ordinary, monpro decrypts.

use crate::key::Key;
use crate::libcrypto::{Operation, Purpose};
use crate::names;
use crate::parameters::Parameters;
use crate::provider::Provider;
use crate::random::Random;
use monpro_rsa::{EncryptionScheme, Oaep};
use rand_core::Rng;
use std::ffi::{CStr, c_int};
use std::sync::Arc;
use subtle::{ConditionallySelectable, ConstantTimeEq};
use zeroize::Zeroizing;

const PADDING: &CStr = c"pad-mode";
const DIGEST: &CStr = c"digest";
const MGF1_DIGEST: &CStr = c"mgf1-digest";
const LABEL: &CStr = c"oaep-label";
const REJECTS_IMPLICITLY: &CStr = c"implicit-rejection";
const OFFERED_VERSION: &CStr = c"tls-client-version";
const AGREED_VERSION: &CStr = c"tls-negotiated-version";

/// OpenSSL's numbers of paddings.
const PKCS1: c_int = 1;
const NONE: c_int = 3;
const OAEP: c_int = 4;
const TLS: c_int = 7;
/// The octets of the premaster secret of TLS, with the version that the client has offered.
const PREMASTER: usize = 48;

/// What is told of a decryption, before its message.
pub(crate) enum Decrypted {
    Message(Zeroizing<Vec<u8>>),
    /// It is no ciphertext of the key. The reason is not told.
    Refused,
    /// The default provider is to decrypt, or to say why not.
    HandedOn,
}

/// Encryption or decryption with a key.
pub(crate) struct Decrypting {
    provider: Arc<Provider>,
    current: Option<(Arc<Key>, Purpose, Operation)>,
}

impl Decrypting {
    pub(crate) fn new(provider: &Arc<Provider>) -> Decrypting {
        Decrypting { provider: provider.clone(), current: None }
    }

    /// Begins anew; without a key, with the one of before.
    pub(crate) fn begin(
        &mut self,
        purpose: Purpose,
        key: Option<Arc<Key>>,
        settings: Parameters<'_>,
    ) -> Option<()> {
        let key = key.or_else(|| self.current.take().map(|(key, ..)| key))?;
        let operation = Operation::begin(&key.child, purpose, settings)?;
        self.current = Some((key, purpose, operation));
        Some(())
    }

    /// The operation of the default provider.
    pub(crate) fn operation(&self) -> Option<&Operation> {
        self.current.as_ref().map(|(.., operation)| operation)
    }

    /// The message of a ciphertext, by monpro.
    pub(crate) fn decrypt(&self, ciphertext: &[u8]) -> Decrypted {
        let decrypted = match &self.current {
            Some((key, Purpose::Decrypt, operation)) => decrypted(key, operation, ciphertext),
            _ => None,
        };
        decrypted.unwrap_or_else(|| {
            self.provider.counts.count_handed_on();
            Decrypted::HandedOn
        })
    }

    /// A copy in the same state.
    pub(crate) fn duplicate(&self) -> Option<Decrypting> {
        let current = match &self.current {
            None => None,
            Some((key, purpose, operation)) => Some((key.clone(), *purpose, operation.duplicate()?)),
        };
        Some(Decrypting { provider: self.provider.clone(), current })
    }
}

/// What monpro makes of a ciphertext; None if the default provider is to do it.
fn decrypted(key: &Key, settings: &Operation, ciphertext: &[u8]) -> Option<Decrypted> {
    let own = key.own()?;
    let octets = own.public_key().octets();
    if ciphertext.len() != octets {
        return None;
    }
    let label;
    let scheme = match settings.integer(PADDING)? {
        // From OpenSSL 3.2 on, a caller may ask for an error.
        PKCS1 if settings.integer(REJECTS_IMPLICITLY).unwrap_or(1) != 0 => Some(EncryptionScheme::Pkcs1v15),
        OAEP => {
            label = settings.octets(LABEL)?;
            let named = |name| settings.text(name).filter(|name| !name.is_empty());
            let hash = names::hash(&named(DIGEST).unwrap_or_else(|| "SHA1".into()))?;
            let mgf1_hash = match named(MGF1_DIGEST) {
                None => None,
                Some(name) => Some(names::hash(&name)?),
            };
            Some(EncryptionScheme::Oaep(Oaep { hash, mgf1_hash, label: &label }))
        }
        NONE | TLS => None,
        _ => return None,
    };
    let power = key.power(ciphertext)?;
    match scheme {
        Some(scheme) => Some(match own.decode(scheme, &power, ciphertext) {
            Ok(message) => Decrypted::Message(message),
            Err(_) => Decrypted::Refused,
        }),
        None if settings.integer(PADDING)? == NONE => Some(Decrypted::Message(power)),
        None => {
            let versions = [OFFERED_VERSION, AGREED_VERSION].map(|name| settings.integer(name).unwrap_or(0));
            let substitute = Random::with(|random| {
                let mut substitute = Zeroizing::new([0; PREMASTER]);
                random.fill_bytes(&mut *substitute);
                substitute
            })?;
            premaster(&power, versions, &substitute).map(Decrypted::Message)
        }
    }
}

/// The premaster secret of TLS 1.2 and before: the encoded one if its padding is right and it begins with one of the
/// versions \[RFC 5246, §7.4.7.1\], and otherwise the substitute. No branch and no address depends on which it is. Of the
/// two versions, the one that was agreed counts if it is not 0: it is set for clients that send that one.
///
/// None without a version, or for a modulus that is too short.
fn premaster(
    encoded: &[u8],
    versions: [c_int; 2],
    substitute: &[u8; PREMASTER],
) -> Option<Zeroizing<Vec<u8>>> {
    let [offered, agreed] = versions;
    let start = encoded.len().checked_sub(PREMASTER).filter(|&start| start >= 11)?;
    if offered <= 0 {
        return None;
    }
    let (padding, secret) = encoded.split_at(start);
    let mut is_good = padding[0].ct_eq(&0) & padding[1].ct_eq(&2) & padding[start - 1].ct_eq(&0);
    for octet in &padding[2..start - 1] {
        is_good &= !octet.ct_eq(&0);
    }
    let begins_with = |version: c_int| secret[..2].ct_eq(&(version as u16).to_be_bytes());
    let is_agreed = if agreed > 0 { begins_with(agreed) } else { 0u8.ct_eq(&1) };
    is_good &= begins_with(offered) | is_agreed;
    let octets = substitute.iter().zip(secret);
    Some(Zeroizing::new(octets.map(|(other, own)| u8::conditional_select(other, own, is_good)).collect()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::libcrypto::Child;

    /// libcrypto refuses this before it calls the provider.
    #[test]
    fn what_was_begun_for_encryption_does_not_decrypt() {
        let Some(child) = Child::of_the_system() else { return };
        let provider = Arc::new(Provider::new(child, None));
        let key = Key::made(&provider);
        for (purpose, decrypts) in [(Purpose::Decrypt, true), (Purpose::Encrypt, false)] {
            let mut decrypting = Decrypting::new(&provider);
            decrypting.begin(purpose, Some(key.clone()), Parameters::NONE).unwrap();
            let is_own = !matches!(decrypting.decrypt(&[7; 128]), Decrypted::HandedOn);
            assert_eq!(is_own, decrypts, "{purpose:?}");
        }
    }

    const SUBSTITUTE: [u8; PREMASTER] = [9; PREMASTER];

    fn encoded() -> Vec<u8> {
        [&[0, 2][..], &[5; 203], &[0, 3, 3], &[7; 46]].concat()
    }

    fn secret(encoded: &[u8], versions: [c_int; 2]) -> Vec<u8> {
        premaster(encoded, versions, &SUBSTITUTE).unwrap().to_vec()
    }

    #[test]
    fn the_premaster_secret_is_what_was_encrypted() {
        let expected = [&[3, 3][..], &[7; 46]].concat();
        assert_eq!(secret(&encoded(), [0x303, 0]), expected);
        assert_eq!(secret(&encoded(), [0x304, 0x303]), expected);
    }

    #[test]
    fn what_is_malformed_gives_the_substitute() {
        for (place, octet) in [(0, 1), (1, 1), (2, 0), (100, 0), (204, 0), (205, 1), (206, 2), (207, 1)] {
            let mut wrong = encoded();
            wrong[place] = octet;
            assert_eq!(secret(&wrong, [0x303, 0]), SUBSTITUTE, "octet {place}");
        }
        assert_eq!(secret(&encoded(), [0x302, 0]), SUBSTITUTE);
        assert_eq!(secret(&encoded(), [0x302, 0x301]), SUBSTITUTE);
        assert!(premaster(&encoded(), [0, 0x303], &SUBSTITUTE).is_none());
        assert!(premaster(&encoded()[..58], [0x303, 0], &SUBSTITUTE).is_none());
    }
}
