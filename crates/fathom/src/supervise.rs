//! Runs a command's work on a thread of its own and sees to it that an answer comes: within the time and memory that the
//! user gave, after Ctrl-C, and when Fathom itself breaks.
//!
//! The work is asked to stop through its [`Cancel`]. Work that does not heed it (a call into a library, say) is left
//! behind after [`GRACE`]; the process then ends without it.

use engine::{Cancel, Reason};
use limits::resident_bytes;
use std::panic;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// How long work may take to stop.
pub const GRACE: Duration = Duration::from_secs(1);
/// How often limits are looked at.
const PERIOD: Duration = Duration::from_millis(20);
/// Programs nest deeply; only what is used of a stack takes memory.
const STACK: usize = 1 << 30;

/// What the work may use.
#[derive(Clone, Copy, Default, Debug)]
pub struct Limits {
    pub timeout: Option<Duration>,
    /// In bytes, for the whole process.
    pub memory: Option<u64>,
}

impl Limits {
    /// Of seconds and megabytes, as users give them.
    pub fn new(timeout: Option<Duration>, megabytes: Option<u64>) -> Limits {
        Limits { timeout, memory: megabytes.map(|limit| limit.saturating_mul(1 << 20)) }
    }
}

/// How the work ended.
pub enum Ending<T> {
    Done(T),
    /// The work was told to stop, for this reason, and did; it may have something to say.
    Stopped(T, Reason),
    /// The work did not stop, or broke.
    Lost(Reason),
}

/// Does the work, which gets the flag that tells it to stop.
pub fn supervise<T: Send + 'static>(limits: Limits, work: impl FnOnce(Cancel) -> T + Send + 'static) -> Ending<T> {
    let start = Instant::now();
    let cancel = Cancel::new();
    let interrupted = watch_signals();
    let panics = quiet_panics();
    let (sender, receiver) = mpsc::channel();
    let flag = cancel.clone();
    let worker = std::thread::Builder::new().name("fathom".into()).stack_size(STACK).spawn(move || {
        let result = panic::catch_unwind(panic::AssertUnwindSafe(|| work(flag)));
        // Nobody waits any more if this fails.
        let _ = sender.send(result.ok());
    });
    if let Err(error) = worker {
        return Ending::Lost(Reason::Internal(format!("cannot start a thread: {error}")));
    }
    let mut stopping: Option<(Reason, Instant)> = None;
    loop {
        match receiver.recv_timeout(PERIOD) {
            Ok(Some(result)) => {
                return match stopping {
                    Some((reason, _)) => Ending::Stopped(result, reason),
                    None => Ending::Done(result),
                };
            }
            Ok(None) | Err(RecvTimeoutError::Disconnected) => {
                let what = panics.lock().ok().and_then(|mut message| message.take());
                return Ending::Lost(Reason::Internal(
                    what.unwrap_or_else(|| "a thread ended without an answer".into()),
                ));
            }
            Err(RecvTimeoutError::Timeout) => {}
        }
        match &stopping {
            Some((reason, since)) if since.elapsed() > GRACE => return Ending::Lost(reason.clone()),
            Some(_) => {}
            None => {
                let reason = if interrupted.load(Ordering::Relaxed) {
                    Some(Reason::Cancelled)
                } else if limits.timeout.is_some_and(|timeout| start.elapsed() >= timeout) {
                    Some(Reason::Timeout)
                } else if limits.memory.is_some_and(|limit| resident_bytes().is_some_and(|used| used > limit)) {
                    Some(Reason::Memory)
                } else {
                    None
                };
                if let Some(reason) = reason {
                    cancel.cancel();
                    stopping = Some((reason, Instant::now()));
                }
            }
        }
    }
}

/// A flag that Ctrl-C and a polite request to terminate set. A second one ends the process at once.
///
/// The signals are not handled but waited for by a thread of their own: libraries that install handlers while they work
/// (Z3 does) would otherwise take them away.
fn watch_signals() -> Arc<AtomicBool> {
    let flag = Arc::new(AtomicBool::new(false));
    // SAFETY: the set is initialised before it is used, and all pointers are valid for their calls.
    let signals = unsafe {
        let mut signals = std::mem::zeroed::<libc::sigset_t>();
        libc::sigemptyset(&mut signals);
        libc::sigaddset(&mut signals, libc::SIGINT);
        libc::sigaddset(&mut signals, libc::SIGTERM);
        // Threads that are started later inherit this.
        libc::pthread_sigmask(libc::SIG_BLOCK, &signals, std::ptr::null_mut());
        signals
    };
    let seen = flag.clone();
    let waiting = std::thread::Builder::new().name("signals".into()).spawn(move || {
        loop {
            let mut signal = 0;
            // SAFETY: both pointers are valid, and the set is initialised.
            let error = unsafe { libc::sigwait(&signals, &mut signal) };
            if error == 0 && seen.swap(true, Ordering::Relaxed) {
                std::process::exit(128 + signal);
            }
        }
    });
    // Without the thread signals stay blocked, and the limits are what ends the work.
    drop(waiting);
    flag
}

/// Keeps the message of a panic instead of printing it.
fn quiet_panics() -> Arc<Mutex<Option<String>>> {
    let message = Arc::new(Mutex::new(None));
    let kept = message.clone();
    panic::set_hook(Box::new(move |info| {
        let what = info.payload_as_str().unwrap_or("something unexpected");
        let place = info.location().map(|at| format!(" at {}:{}", at.file(), at.line())).unwrap_or_default();
        if let Ok(mut slot) = kept.lock() {
            slot.get_or_insert(format!("{what}{place}"));
        }
    }));
    message
}
