//! How long and how large work may get, and who may stop it: what engines and solvers have in common.
//!
//! Invariant: nothing here knows what the work is.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// A flag that stops work from another thread or a signal handler. It stays up: what is cancelled once stays cancelled.
#[derive(Clone, Default, Debug)]
pub struct Cancel(Arc<AtomicBool>);

impl Cancel {
    pub fn new() -> Cancel {
        Cancel::default()
    }

    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// The flag itself, for what can only watch an atomic (signal handlers).
    pub fn flag(&self) -> Arc<AtomicBool> {
        self.0.clone()
    }
}

impl From<Arc<AtomicBool>> for Cancel {
    fn from(flag: Arc<AtomicBool>) -> Cancel {
        Cancel(flag)
    }
}

/// The limits of some work. The default has none.
#[derive(Clone, Default, Debug)]
pub struct Limits {
    pub deadline: Option<Instant>,
    /// In bytes, for the whole process.
    pub memory: Option<u64>,
    pub cancel: Cancel,
}

/// Which limit is exceeded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Exceeded {
    Cancelled,
    Timeout,
    Memory,
}

impl Limits {
    /// These limits with a deadline that is at most `timeout` from now.
    pub fn within(&self, timeout: Duration) -> Limits {
        let soon = Instant::now().checked_add(timeout);
        let deadline = [self.deadline, soon].into_iter().flatten().min();
        Limits { deadline, ..self.clone() }
    }

    /// The time that is left, if there is a limit.
    pub fn time_left(&self) -> Option<Duration> {
        self.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()))
    }

    /// The limit that is exceeded, if one is.
    pub fn exceeded(&self) -> Option<Exceeded> {
        self.stopped(Instant::now()).or_else(|| {
            let too_much = self.memory.is_some_and(|limit| resident_bytes().is_some_and(|used| used > limit));
            too_much.then_some(Exceeded::Memory)
        })
    }

    /// Whether someone or the clock says stop. This asks the system for nothing, so that every loop can ask it.
    pub fn stopped(&self, now: Instant) -> Option<Exceeded> {
        if self.cancel.is_cancelled() {
            Some(Exceeded::Cancelled)
        } else {
            self.deadline.is_some_and(|deadline| now >= deadline).then_some(Exceeded::Timeout)
        }
    }
}

/// The memory that the process holds now, where the system tells it.
pub fn resident_bytes() -> Option<u64> {
    let statm = std::fs::read_to_string("/proc/self/statm").ok()?;
    let pages: u64 = statm.split_whitespace().nth(1)?.parse().ok()?;
    // Linux counts in pages, which have 4 KiB on every machine that Fathom is built for.
    Some(pages * 4096)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_exceeded() {
        let cancelled = Cancel::new();
        cancelled.cancel();
        let none = Limits::default();
        for (limits, expected) in [
            (none.clone(), None),
            (none.within(Duration::from_secs(3600)), None),
            (none.within(Duration::ZERO), Some(Exceeded::Timeout)),
            (Limits { memory: Some(1), ..none.clone() }, Some(Exceeded::Memory)),
            (Limits { memory: Some(u64::MAX), ..none.clone() }, None),
            (
                Limits { cancel: cancelled.clone(), memory: Some(1), ..none.within(Duration::ZERO) },
                Some(Exceeded::Cancelled),
            ),
        ] {
            assert_eq!(limits.exceeded(), expected, "{limits:?}");
        }
        assert_eq!(none.within(Duration::ZERO).within(Duration::from_secs(9)).exceeded(), Some(Exceeded::Timeout));
    }
}
