//! What a loaded module has: the library context, the counts of operations.

use crate::libcrypto::Child;
use monpro::Modulus;
use std::fs::OpenOptions;
use std::io::Write;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex};

/// How many moduli are kept.
const MOST_MODULI: usize = 8;

/// A provider of one library context of the program.
pub(crate) struct Provider {
    pub(crate) child: Arc<Child>,
    /// How many threads compute at once.
    pub(crate) cores: usize,
    pub(crate) counts: Counts,
    /// The moduli of the last groups. Programs have few groups, and a new key for each connection.
    moduli: Mutex<Vec<Modulus>>,
    /// The file to which the counts are appended at the end.
    report: Option<PathBuf>,
}

/// How many operations with private keys were computed.
#[derive(Default)]
pub(crate) struct Counts {
    /// By monpro.
    own: AtomicU64,
    /// Of these, in batches of several.
    together: AtomicU64,
    /// By the default provider.
    handed_on: AtomicU64,
}

impl Counts {
    /// Counts the operations of a batch, or a single one.
    pub(crate) fn count_batch(&self, operations: usize) {
        self.own.fetch_add(operations as u64, Relaxed);
        if operations > 1 {
            self.together.fetch_add(operations as u64, Relaxed);
        }
    }

    /// Counts an operation of the default provider.
    pub(crate) fn count_handed_on(&self) {
        self.handed_on.fetch_add(1, Relaxed);
    }
}

impl Provider {
    pub(crate) fn new(child: Arc<Child>, report: Option<PathBuf>) -> Provider {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Provider { child, cores, counts: Counts::default(), moduli: Mutex::default(), report }
    }

    /// The modulus of a group, which is public; None if it is even. A lock that another thread holds, perhaps one that a
    /// fork has left behind, is not waited for.
    pub(crate) fn modulus(&self, p: &[u64]) -> Option<Modulus> {
        let moduli = self.moduli.try_lock();
        if let Some(known) = moduli.iter().flat_map(|moduli| moduli.iter()).find(|known| known.number() == p)
        {
            return Some(known.clone());
        }
        let modulus = Modulus::new(p).ok()?;
        if let Ok(mut moduli) = moduli {
            moduli.truncate(MOST_MODULI - 1);
            moduli.insert(0, modulus.clone());
        }
        Some(modulus)
    }
}

impl Drop for Provider {
    fn drop(&mut self) {
        let Some(report) = &self.report else { return };
        let Counts { own, together, handed_on } = &self.counts;
        let line = format!(
            "process {}: {} private operations by monpro, {} of them in batches; {} by the default provider\n",
            std::process::id(),
            own.load(Relaxed),
            together.load(Relaxed),
            handed_on.load(Relaxed),
        );
        // Nobody is left to be told that the file cannot be written.
        let _ = OpenOptions::new()
            .create(true)
            .append(true)
            .open(report)
            .map(|mut file| file.write_all(line.as_bytes()));
    }
}
