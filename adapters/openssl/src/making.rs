//! The making of keys. The default provider makes them, but for new pairs of Diffie–Hellman in groups that it knows by name:
//! those are made for each connection of TLS, and monpro computes their public values.

use crate::key::{Key, PARAMETERS};
use crate::libcrypto::{Generation, Kind};
use crate::parameters::Parameters;
use crate::provider::Provider;
use std::ffi::CStr;
use std::sync::Arc;

const GROUP: &CStr = c"group";

/// A key that will be made, or parameters.
pub(crate) struct Making {
    provider: Arc<Provider>,
    kind: Kind,
    is_of_keys: bool,
    generation: Generation,
    /// The key whose parameters are taken.
    template: Option<Arc<Key>>,
}

impl Making {
    pub(crate) fn new(
        provider: &Arc<Provider>,
        kind: Kind,
        is_of_keys: bool,
        settings: Parameters<'_>,
    ) -> Option<Making> {
        let generation = Generation::new(&provider.child, kind, is_of_keys)?;
        let mut making = Making { provider: provider.clone(), kind, is_of_keys, generation, template: None };
        making.set(settings)?;
        Some(making)
    }

    /// Takes the length, the exponent, the number of primes, the group.
    pub(crate) fn set(&mut self, settings: Parameters<'_>) -> Option<()> {
        self.generation.set(settings).then_some(())
    }

    /// Takes the parameters of a key.
    pub(crate) fn set_template(&mut self, template: Arc<Key>) -> Option<()> {
        self.generation.set_template(&template.child).then_some(())?;
        self.template = Some(template);
        Some(())
    }

    /// The key.
    pub(crate) fn run(&self) -> Option<Key> {
        let own = self.group().filter(|_| self.is_of_keys).and_then(|group| group.pair());
        own.or_else(|| Some(Key::new(&self.provider, self.generation.run()?)))
    }

    /// A key with the parameters that are to be taken, if nothing else was set.
    fn group(&self) -> Option<Arc<Key>> {
        match (&self.template, self.generation.settings().as_slice()) {
            (Some(template), []) => Some(template.clone()),
            (None, [settings]) if self.kind == Kind::Dh && settings.has_only(GROUP) => {
                Some(Arc::new(Key::import(&self.provider, self.kind, PARAMETERS, *settings)?))
            }
            _ => None,
        }
    }
}
