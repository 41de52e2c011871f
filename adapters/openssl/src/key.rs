//! A key of RSA: one of the default provider, and monpro's form of its private half.

use crate::combining::Combiner;
use crate::libcrypto::ChildKey;
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

/// The names of numbers.
pub(crate) const N: &CStr = c"n";
pub(crate) const E: &CStr = c"e";
pub(crate) const D: &CStr = c"d";
const FIRST_PRIME: &CStr = c"rsa-factor1";
const SECOND_PRIME: &CStr = c"rsa-factor2";

/// A key that never changes, and that threads may share.
pub(crate) struct Key {
    pub(crate) child: ChildKey,
    is_private: bool,
    /// The private half for monpro; none if the key is one that monpro leaves to the default provider.
    own: OnceLock<Option<PrivateKey>>,
    /// Whether a thread makes `own`, or has made it.
    is_claimed: AtomicBool,
    combiner: Combiner,
    provider: Arc<Provider>,
}

impl Key {
    /// The key of a list of numbers, of which the selection is taken.
    pub(crate) fn import(provider: &Arc<Provider>, selection: c_int, numbers: Parameters<'_>) -> Option<Key> {
        let child = ChildKey::import(&provider.child, selection, numbers)?;
        Some(Key::new(provider, child, selection & PRIVATE != 0 && numbers.contains(D)))
    }

    pub(crate) fn new(provider: &Arc<Provider>, child: ChildKey, is_private: bool) -> Key {
        Key {
            child,
            is_private,
            own: OnceLock::new(),
            is_claimed: AtomicBool::new(false),
            combiner: Combiner::default(),
            provider: provider.clone(),
        }
    }

    /// Whether the key has all parts of the selection. Parameters have no parts in keys of RSA.
    pub(crate) fn has(&self, selection: c_int) -> bool {
        self.is_private || selection & PRIVATE == 0
    }

    /// The private half for monpro. None if there is none, if it has other than two primes, a length or an exponent that
    /// monpro does not take, or numbers that do not belong together.
    ///
    /// It is made at the first operation. A thread that comes meanwhile gets None and does not wait: after a fork, the
    /// thread that made it may be missing.
    pub(crate) fn own(&self) -> Option<&PrivateKey> {
        if self.own.get().is_none() && self.is_private && !self.is_claimed.swap(true, Ordering::AcqRel) {
            // It was not set: this thread alone sets it.
            let _ = self.own.set(self.child.read(PRIVATE | PUBLIC, private_key));
        }
        self.own.get()?.as_ref()
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

/// monpro's form of a private key of two primes; of more, the first two do not make n.
fn private_key(numbers: Parameters<'_>) -> Option<PrivateKey> {
    let [n, e, d] = [N, E, D].map(|name| numbers.number(name));
    let [p, q] = [FIRST_PRIME, SECOND_PRIME].map(|name| numbers.number(name));
    PrivateKey::from_numbers(&n?, &e?, &d?, &[&p?, &q?]).ok()
}
