//! Encryption and decryption. The default provider's operation keeps the settings, judges them, and encrypts; where they are
//! ordinary, monpro decrypts.

use crate::key::Key;
use crate::libcrypto::{Operation, Purpose};
use crate::names;
use crate::parameters::Parameters;
use crate::provider::Provider;
use crate::random::Random;
use monpro_rsa::{EncryptionScheme, Oaep, premaster_secret};
use rand_core::Rng;
use std::ffi::{CStr, c_int};
use std::sync::Arc;
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
/// The octets of the premaster secret of TLS.
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

    /// The message of a ciphertext, by monpro, for a space of so many octets.
    pub(crate) fn decrypt(&self, ciphertext: &[u8], space: usize) -> Decrypted {
        let decrypted = match &self.current {
            Some((key, Purpose::Decrypt, operation)) => decrypted(key, operation, ciphertext, space),
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
fn decrypted(key: &Key, settings: &Operation, ciphertext: &[u8], space: usize) -> Option<Decrypted> {
    let own = key.own()?;
    let octets = own.public_key().octets();
    let padding = settings.integer(PADDING)?;
    // Whether a shorter space is enough for a message would tell whether a ciphertext of PKCS#1 is malformed. The default
    // provider refuses it, whatever the message.
    let least_space = if padding == TLS { PREMASTER } else { octets };
    if ciphertext.len() != octets || space < least_space {
        return None;
    }
    let label;
    let scheme = match padding {
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
        None if padding == NONE => Some(Decrypted::Message(power)),
        None => {
            let version = |name| settings.integer(name).and_then(|number| u16::try_from(number).ok());
            // OpenSSL's 0 is none.
            let [offered, agreed] =
                [OFFERED_VERSION, AGREED_VERSION].map(|name| version(name).filter(|&v| v != 0));
            let substitute = Random::with(|random| {
                let mut substitute = Zeroizing::new([0; PREMASTER]);
                random.fill_bytes(&mut *substitute);
                substitute
            })?;
            let secret = premaster_secret(&power, offered?, agreed, &substitute).ok()?;
            Some(Decrypted::Message(Zeroizing::new(secret.to_vec())))
        }
    }
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
            let is_own = !matches!(decrypting.decrypt(&[7; 128], 128), Decrypted::HandedOn);
            assert_eq!(is_own, decrypts, "{purpose:?}");
        }
    }
}
