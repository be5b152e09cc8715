//! Engines side by side: the first answer that passed its check wins and stops the others.
//!
//! Each engine has a thread of its own, with its own passes and its own check. One that gives up leaves its share of the
//! machine to the others. Whoever does not stop soon after the answer is there is left behind.

use crate::attempt::{Asked, Attempt, Record};
use crate::engines::Entry;
use crate::load::Loaded;
use crate::report::Outcome;
use engine::{Cancel, Reason, Run};
use std::panic;
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

/// Terms nest deeply; only what is used of a stack takes memory.
const STACK: usize = 1 << 30;
/// How often limits are looked at.
const PERIOD: Duration = Duration::from_millis(10);
/// How long engines may take to stop, and to tell what they have learnt, when a limit is reached.
const GRACE: Duration = Duration::from_millis(500);

/// What became of an attempt.
type Finished = (Outcome, Record);

/// Decides with several engines. If none does, the reason is that of the one which came farthest.
pub fn race(
    engines: &[&'static Entry],
    loaded: &Arc<Loaded>,
    asked: &Arc<Asked>,
    run: &mut Run,
    record: &mut Record,
) -> Outcome {
    let cancel = Cancel::new();
    let (sender, receiver) = mpsc::channel::<Finished>();
    for &entry in engines {
        let (loaded, asked, sender) = (loaded.clone(), asked.clone(), sender.clone());
        let mut run = run.beside(cancel.clone());
        let started = thread::Builder::new().name(entry.name.into()).stack_size(STACK).spawn(move || {
            let mut record = Record::default();
            let attempt =
                || Attempt { loaded: &loaded, asked: &asked, entry, run: &mut run, record: &mut record }.decide();
            let outcome = panic::catch_unwind(panic::AssertUnwindSafe(attempt)).unwrap_or_else(|what| {
                let what = what.downcast_ref::<String>().map(String::as_str).or(what.downcast_ref::<&str>().copied());
                let what = what.unwrap_or("something unexpected");
                Outcome::Unknown(Reason::Internal(format!("{} broke: {what}", entry.name)))
            });
            // Nobody waits any more if this fails.
            let _ = sender.send((outcome, record));
        });
        if let Err(error) = started {
            return Outcome::Unknown(Reason::Internal(format!("cannot start a thread: {error}")));
        }
    }
    drop(sender);
    let outcome = wait(&receiver, run, record, &cancel);
    cancel.cancel();
    outcome
}

/// Waits for an answer, or for the end of all attempts.
fn wait(receiver: &Receiver<Finished>, run: &mut Run, record: &mut Record, cancel: &Cancel) -> Outcome {
    let mut reason = Reason::NotAttempted("no engine was tried".to_string());
    let mut stopped: Option<Instant> = None;
    loop {
        match receiver.recv_timeout(PERIOD) {
            Ok((Outcome::Unknown(why), other)) => {
                record.add(other);
                if rank(&why) > rank(&reason) {
                    reason = why;
                }
            }
            Ok((decided, other)) => {
                record.add(other);
                return decided;
            }
            Err(RecvTimeoutError::Disconnected) => return Outcome::Unknown(reason),
            Err(RecvTimeoutError::Timeout) => {}
        }
        match stopped {
            Some(since) if since.elapsed() > GRACE => return Outcome::Unknown(reason),
            Some(_) => {}
            None => {
                if let Err(why) = run.tick() {
                    cancel.cancel();
                    stopped = Some(Instant::now());
                    if rank(&why) > rank(&reason) {
                        reason = why;
                    }
                }
            }
        }
    }
}

/// How much a reason says: a fault of ours must not be hidden, and what was found out comes before why nothing was.
fn rank(reason: &Reason) -> u8 {
    match reason {
        Reason::NotAttempted(_) => 0,
        Reason::NoProgress(_) => 1,
        Reason::Unsupported { .. } => 2,
        Reason::Cancelled | Reason::Timeout | Reason::Memory => 3,
        Reason::BoundReached(_) => 4,
        Reason::Internal(_) => 5,
    }
}
