//! How long and how large a solver's work may get, and who may stop it.

use crate::Unknown;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// A flag that stops solvers from any thread. It stays up: what is cancelled once stays cancelled.
#[derive(Clone, Default, Debug)]
pub struct Cancel(Arc<AtomicBool>);

impl Cancel {
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

impl From<Arc<AtomicBool>> for Cancel {
    fn from(flag: Arc<AtomicBool>) -> Cancel {
        Cancel(flag)
    }
}

/// The limits of a solver. The default has none.
#[derive(Clone, Default, Debug)]
pub struct Limits {
    pub deadline: Option<Instant>,
    /// In bytes, for the whole process.
    pub memory: Option<u64>,
    pub cancel: Cancel,
}

impl Limits {
    /// These limits with a deadline that is at most `timeout` from now.
    pub fn within(&self, timeout: Duration) -> Limits {
        let soon = Instant::now().checked_add(timeout);
        let deadline = [self.deadline, soon].into_iter().flatten().min();
        Limits { deadline, ..self.clone() }
    }

    /// The limit that is exceeded, if one is.
    pub fn exceeded(&self) -> Option<Unknown> {
        if self.cancel.is_cancelled() {
            Some(Unknown::Cancelled)
        } else if self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            Some(Unknown::Timeout)
        } else if self.memory.is_some_and(|limit| resident_bytes().is_some_and(|used| used > limit)) {
            Some(Unknown::Memory)
        } else {
            None
        }
    }
}

/// The memory that the process holds now, where the system tells it.
fn resident_bytes() -> Option<u64> {
    let statm = std::fs::read_to_string("/proc/self/statm").ok()?;
    let pages: u64 = statm.split_whitespace().nth(1)?.parse().ok()?;
    // Linux counts in pages, which have 4 KiB on every machine that Fathom is built for.
    Some(pages * 4096)
}
