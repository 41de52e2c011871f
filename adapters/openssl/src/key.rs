//! A key: one of the default provider, and monpro's form of its private half.

use crate::combining::Combiner;
use crate::exchanging::{self, Exponent};
#[cfg(test)]
use crate::libcrypto::Generation;
use crate::libcrypto::{ChildKey, Kind, Parts};
use crate::parameters::Parameters;
use crate::provider::Provider;
use crate::random::Random;
use monpro_rsa::PrivateKey;
use std::ffi::{CStr, c_int};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use zeroize::Zeroizing;

/// The parts of a key that a selection names.
pub(crate) const PRIVATE: c_int = 1;
pub(crate) const PUBLIC: c_int = 2;
pub(crate) const BOTH: c_int = PRIVATE | PUBLIC;
/// A group, and what belongs to it: PSS has a hash function and a salt there.
pub(crate) const PARAMETERS: c_int = 0x84;

/// The names of numbers of RSA.
const N: &CStr = c"n";
const E: &CStr = c"e";
const D: &CStr = c"d";
const FIRST_PRIME: &CStr = c"rsa-factor1";
const SECOND_PRIME: &CStr = c"rsa-factor2";
/// The names of numbers of Diffie–Hellman.
pub(crate) const P: &CStr = c"p";
pub(crate) const G: &CStr = c"g";
pub(crate) const Y: &CStr = c"pub";
pub(crate) const X: &CStr = c"priv";

/// A key that never changes, and that threads may share.
pub(crate) struct Key {
    pub(crate) child: ChildKey,
    /// The parts that it has.
    parts: c_int,
    own: Once<PrivateKey>,
    exponent: Once<Exponent>,
    combiner: Combiner,
    pub(crate) provider: Arc<Provider>,
}

impl Key {
    /// The key of a list of numbers, of which the selection is taken.
    pub(crate) fn import(
        provider: &Arc<Provider>,
        kind: Kind,
        selection: c_int,
        numbers: Parameters<'_>,
    ) -> Option<Key> {
        Some(Key::new(provider, ChildKey::import(&provider.child, kind, selection, numbers)?))
    }

    pub(crate) fn new(provider: &Arc<Provider>, child: ChildKey) -> Key {
        let (private, public, group) = match child.kind {
            // Parameters have no parts in keys of RSA.
            Kind::Rsa | Kind::RsaPss => (D, N, None),
            Kind::Dh | Kind::Dhx => (X, Y, Some(P)),
        };
        let part = |is_there, part| if is_there { part } else { 0 };
        let parts = part(child.has(private), PRIVATE)
            | part(child.has(public), PUBLIC)
            | part(group.is_none_or(|name| child.has(name)), PARAMETERS);
        Key {
            child,
            parts,
            own: Once::default(),
            exponent: Once::default(),
            combiner: Combiner::default(),
            provider: provider.clone(),
        }
    }

    /// A new key of RSA, of 1024 bits.
    #[cfg(test)]
    pub(crate) fn made(provider: &Arc<Provider>) -> Arc<Key> {
        let mut generation = Generation::new(&provider.child, Kind::Rsa, true).unwrap();
        assert!(generation.set_number(c"bits", 1024));
        Arc::new(Key::new(provider, generation.run().unwrap()))
    }

    /// Whether the key has all parts of the selection.
    pub(crate) fn has(&self, selection: c_int) -> bool {
        selection & (BOTH | PARAMETERS) & !self.parts == 0
    }

    /// A key with the selected parts; itself if these are all.
    pub(crate) fn part(self: &Arc<Key>, selection: c_int) -> Option<Arc<Key>> {
        match self.parts & !selection & BOTH {
            0 => Some(self.clone()),
            _ => Some(Arc::new(Key::new(&self.provider, self.child.part(selection)?))),
        }
    }

    /// A new pair in the group of this key. None in groups for which the default provider is to make it.
    pub(crate) fn pair(&self) -> Option<Key> {
        if self.child.kind.operations() != Kind::Dh.operations() {
            return None;
        }
        let (child, exponent) = self.child.read(PARAMETERS, |group| {
            let (exponent, [x, y]) = Exponent::random(&self.provider, group)?;
            let numbers = group.with_numbers([(X, &x), (Y, &y)]);
            let child = &self.provider.child;
            Some((ChildKey::import(child, self.child.kind, BOTH | PARAMETERS, numbers.list())?, exponent))
        })?;
        self.provider.counts.count_batch(1);
        let key = Key::new(&self.provider, child);
        key.exponent.get(|| Some(exponent));
        Some(key)
    }

    /// A key with these settings beside its own.
    pub(crate) fn with(&self, settings: Parameters<'_>) -> Option<Key> {
        Some(Key::new(&self.provider, self.child.with(settings)?))
    }

    /// Whether the selected parts are valid, by the default provider.
    pub(crate) fn is_valid(&self, selection: c_int, is_quick: bool) -> bool {
        let has = |part| selection & part != 0;
        // OpenSSL checks the public half of every peer.
        if selection & (BOTH | PARAMETERS) == PUBLIC && self.is_sure_to_be_valid() {
            return true;
        }
        let parts = Parts {
            has_parameters: has(PARAMETERS) && self.child.kind.operations() != Kind::Rsa.operations(),
            has_public: has(PUBLIC),
            has_private: has(PRIVATE),
        };
        self.child.is_valid(&parts, is_quick)
    }

    /// Whether monpro finds, in less time, that the default provider takes the public half.
    fn is_sure_to_be_valid(&self) -> bool {
        self.has(PUBLIC | PARAMETERS)
            && self.provider.child.checks_by_powers()
            && self.child.kind.operations() == Kind::Dh.operations()
            && self.child.read(PUBLIC | PARAMETERS, exchanging::is_power) == Some(true)
    }

    /// The private half of RSA for monpro. None if there is none, if it has other than two primes, a length or an exponent
    /// that monpro does not take, or numbers that do not belong together.
    pub(crate) fn own(&self) -> Option<&PrivateKey> {
        self.has(PRIVATE).then(|| self.own.get(|| self.child.read(BOTH, private_key)))?
    }

    /// The private half of Diffie–Hellman for monpro. None if there is none, or if monpro does not take the group.
    pub(crate) fn exponent(&self) -> Option<&Exponent> {
        let read =
            || self.child.read(PRIVATE | PARAMETERS, |numbers| Exponent::read(&self.provider, numbers));
        self.has(PRIVATE).then(|| self.exponent.get(read))?
    }

    /// c^d mod n for a number below n, big-endian and as long as n; with those of other threads, where they wait. None where
    /// monpro has no result: the default provider is to say why.
    pub(crate) fn power(&self, c: &[u8]) -> Option<Zeroizing<Vec<u8>>> {
        let own = self.own()?;
        let compute = |numbers: &[&[u8]]| {
            let powers = Random::with(|random| match numbers {
                // Two take longer together than apart.
                [_] | [_, _] => numbers.iter().map(|c| own.raw(c, random).ok()).collect(),
                _ => own.raw_batch(numbers, random).into_iter().map(Result::ok).collect(),
            });
            let powers: Vec<_> = powers.unwrap_or_else(|| numbers.iter().map(|_| None).collect());
            self.provider.counts.count_batch(powers.iter().flatten().count());
            powers
        };
        self.combiner.run(self.provider.cores, c, compute)
    }
}

/// What is made at the first use, or found impossible.
struct Once<T> {
    value: OnceLock<Option<T>>,
    /// Whether a thread makes the value, or has made it.
    is_claimed: AtomicBool,
}

impl<T> Default for Once<T> {
    fn default() -> Once<T> {
        Once { value: OnceLock::new(), is_claimed: AtomicBool::new(false) }
    }
}

impl<T> Once<T> {
    /// The value. A thread that comes while another makes it gets None and does not wait: after a fork, the thread that
    /// made it may be missing.
    fn get(&self, make: impl FnOnce() -> Option<T>) -> Option<&T> {
        if self.value.get().is_none() && !self.is_claimed.swap(true, Ordering::AcqRel) {
            // It was not set: this thread alone sets it.
            let _ = self.value.set(make());
        }
        self.value.get()?.as_ref()
    }
}

/// monpro's form of a private key of two primes; of more, the first two do not make n.
fn private_key(numbers: Parameters<'_>) -> Option<PrivateKey> {
    let [n, e, d] = [N, E, D].map(|name| numbers.number(name));
    let [p, q] = [FIRST_PRIME, SECOND_PRIME].map(|name| numbers.number(name));
    PrivateKey::from_numbers(&n?, &e?, &d?, &[&p?, &q?]).ok()
}
