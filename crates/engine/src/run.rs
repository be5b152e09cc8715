//! A run: the time and memory an engine may use, and what it tells while it works.

use crate::{Reason, Statistics};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// A flag that stops runs from another thread or a signal handler.
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

/// What an engine tells while it works: a few named figures.
#[derive(Clone, PartialEq, Debug)]
pub struct Progress {
    pub engine: &'static str,
    pub figures: Vec<(&'static str, u64)>,
}

type ProgressSink = Box<dyn FnMut(&Progress) + Send>;

/// The only door of an engine to the outside.
pub struct Run {
    deadline: Option<Instant>,
    cancel: Cancel,
    /// In bytes, for the whole process.
    memory_limit: Option<u64>,
    last_memory_check: Instant,
    progress: Option<ProgressSink>,
    last_progress: Option<Instant>,
    /// What the engine measured.
    pub statistics: Statistics,
}

impl Run {
    pub fn new(timeout: Option<Duration>, memory_limit: Option<u64>, cancel: Cancel) -> Run {
        let now = Instant::now();
        Run {
            deadline: timeout.and_then(|t| now.checked_add(t)),
            cancel,
            memory_limit,
            last_memory_check: now,
            progress: None,
            last_progress: None,
            statistics: Statistics::default(),
        }
    }

    /// A run without limits that tells nothing: for tests.
    pub fn unlimited() -> Run {
        Run::new(None, None, Cancel::new())
    }

    pub fn on_progress(&mut self, sink: ProgressSink) {
        self.progress = Some(sink);
    }

    /// Whether the engine may go on; the reason if not. Cheap: call it in every loop.
    pub fn tick(&mut self) -> Result<(), Reason> {
        if self.cancel.is_cancelled() {
            return Err(Reason::Cancelled);
        }
        let now = Instant::now();
        if self.deadline.is_some_and(|deadline| now >= deadline) {
            return Err(Reason::Timeout);
        }
        if let Some(limit) = self.memory_limit
            && now.duration_since(self.last_memory_check) > Duration::from_millis(50)
        {
            self.last_memory_check = now;
            if resident_bytes().is_some_and(|used| used > limit) {
                return Err(Reason::Memory);
            }
        }
        Ok(())
    }

    /// The time that is left, if there is a limit.
    pub fn time_left(&self) -> Option<Duration> {
        self.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()))
    }

    pub fn cancel(&self) -> &Cancel {
        &self.cancel
    }

    pub fn memory_limit(&self) -> Option<u64> {
        self.memory_limit
    }

    /// Tells how far the engine is, at most ten times a second; the figures are made only when they are shown.
    pub fn progress(&mut self, figures: impl FnOnce() -> Progress) {
        let Some(sink) = &mut self.progress else { return };
        let now = Instant::now();
        if self.last_progress.is_none_or(|last| now.duration_since(last) >= Duration::from_millis(100)) {
            self.last_progress = Some(now);
            sink(&figures());
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
