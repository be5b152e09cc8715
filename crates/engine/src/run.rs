//! A run: the time and memory an engine may use, and what it tells while it works.

use crate::{Reason, Shared, Statistics};
use limits::{Cancel, Limits};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// What an engine tells while it works: a few named figures.
#[derive(Clone, PartialEq, Debug)]
pub struct Progress {
    pub engine: &'static str,
    pub figures: Vec<(&'static str, u64)>,
}

type ProgressSink = Box<dyn FnMut(&Progress) + Send>;

/// The only door of an engine to the outside.
pub struct Run {
    limits: Limits,
    last_memory_check: Instant,
    progress: Option<Arc<Mutex<ProgressSink>>>,
    last_progress: Option<Instant>,
    shared: Arc<Shared>,
    /// What the engine measured.
    pub statistics: Statistics,
}

impl Run {
    pub fn new(timeout: Option<Duration>, memory_limit: Option<u64>, cancel: Cancel) -> Run {
        let now = Instant::now();
        Run {
            limits: Limits { deadline: timeout.and_then(|t| now.checked_add(t)), memory: memory_limit, cancel },
            last_memory_check: now,
            progress: None,
            last_progress: None,
            shared: Arc::default(),
            statistics: Statistics::default(),
        }
    }

    /// A run without limits that tells nothing: for tests.
    pub fn unlimited() -> Run {
        Run::new(None, None, Cancel::new())
    }

    pub fn on_progress(&mut self, sink: ProgressSink) {
        self.progress = Some(Arc::new(Mutex::new(sink)));
    }

    /// A run with the same limits that tells the same listener, for an engine beside others: `cancel` stops it.
    pub fn beside(&self, cancel: Cancel) -> Run {
        Run {
            limits: Limits { cancel, ..self.limits.clone() },
            last_memory_check: Instant::now(),
            progress: self.progress.clone(),
            last_progress: None,
            shared: self.shared.clone(),
            statistics: Statistics::default(),
        }
    }

    /// What is computed once for all engines that run beside each other.
    pub fn shared(&self) -> &Shared {
        &self.shared
    }

    /// Whether the engine may go on; the reason if not. Cheap: call it in every loop.
    pub fn tick(&mut self) -> Result<(), Reason> {
        let now = Instant::now();
        // Asking the system how much memory there is takes long.
        let exceeded = if now.duration_since(self.last_memory_check) > Duration::from_millis(50) {
            self.last_memory_check = now;
            self.limits.exceeded()
        } else {
            self.limits.stopped(now)
        };
        exceeded.map_or(Ok(()), |exceeded| Err(exceeded.into()))
    }

    /// The time that is left, if there is a limit.
    pub fn time_left(&self) -> Option<Duration> {
        self.limits.time_left()
    }

    pub fn cancel(&self) -> &Cancel {
        &self.limits.cancel
    }

    pub fn memory_limit(&self) -> Option<u64> {
        self.limits.memory
    }

    /// Tells how far the engine is, at most ten times a second; the figures are made only when they are shown.
    pub fn progress(&mut self, figures: impl FnOnce() -> Progress) {
        let Some(sink) = &self.progress else { return };
        let now = Instant::now();
        if self.last_progress.is_none_or(|last| now.duration_since(last) >= Duration::from_millis(100)) {
            self.last_progress = Some(now);
            if let Ok(mut sink) = sink.lock() {
                sink(&figures());
            }
        }
    }
}
