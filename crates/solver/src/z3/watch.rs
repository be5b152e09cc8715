//! The watchdog: one thread for the process that interrupts Z3 calls which have outlived their limits.
//!
//! A call costs two uncontended locks here and no system call: the thread looks at all contexts every few
//! milliseconds instead of being told. It interrupts again and again until the call has returned, because Z3 forgets an
//! interrupt that comes before the search has begun.

use crate::{Limits, Unknown};
use std::sync::{Arc, Mutex, MutexGuard, Once, PoisonError};
use std::time::Duration;
use z3_sys::{Z3_context, Z3_interrupt};

const PERIOD: Duration = Duration::from_millis(5);

/// One context under watch.
struct Watched {
    /// The context, until it is deleted.
    context: Option<Z3_context>,
    /// The limits of the call under way.
    call: Option<Limits>,
    /// Why the call was interrupted, if it was.
    interrupted: Option<Unknown>,
}

// SAFETY: the thread uses the context for `Z3_interrupt` alone, which Z3 allows from any thread while the context
// lives; `retire` takes the context out under the lock before it is deleted.
unsafe impl Send for Watched {}

static ALL: Mutex<Vec<Arc<Mutex<Watched>>>> = Mutex::new(Vec::new());
static THREAD: Once = Once::new();

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A context's place under the watchdog's eyes.
pub(super) struct Watch(Arc<Mutex<Watched>>);

impl Watch {
    pub fn new(context: Z3_context) -> Watch {
        let watched = Arc::new(Mutex::new(Watched { context: Some(context), call: None, interrupted: None }));
        lock(&ALL).push(watched.clone());
        THREAD.call_once(|| {
            // Without the thread, calls merely cannot be interrupted; limits are still looked at between them.
            let _ = std::thread::Builder::new().name("watchdog".into()).spawn(watch);
        });
        Watch(watched)
    }

    /// Runs a call under limits: its result, and why it was interrupted if it was.
    pub fn run<T>(&self, limits: &Limits, call: impl FnOnce() -> T) -> (T, Option<Unknown>) {
        lock(&self.0).call = Some(limits.clone());
        let result = call();
        let mut watched = lock(&self.0);
        watched.call = None;
        (result, watched.interrupted.take())
    }

    /// Ends the watch, before the context is deleted.
    pub fn retire(&self) {
        lock(&self.0).context = None;
        lock(&ALL).retain(|watched| !Arc::ptr_eq(watched, &self.0));
    }
}

fn watch() {
    loop {
        std::thread::sleep(PERIOD);
        let all = lock(&ALL).clone();
        for watched in all {
            let mut watched = lock(&watched);
            let (Some(context), Some(limits)) = (watched.context, &watched.call) else { continue };
            if let Some(reason) = limits.exceeded() {
                watched.interrupted.get_or_insert(reason.into());
                // SAFETY: the context is alive: it is deleted only after `retire`, which waits for this lock.
                unsafe { Z3_interrupt(context) };
            }
        }
    }
}
