//! Engines side by side: the first answer that passed its check wins and stops the others.
//!
//! Each engine has a thread of its own, with its own passes and its own check. One that gives up leaves its share of the
//! machine to the others. Whoever does not stop soon after the answer is there is left behind.

use crate::attempt::Record;
use crate::report::Outcome;
use engine::{Cancel, Reason, Run};
use rustix::process::{Pid, setpriority_process};
use rustix::thread::gettid;
use std::panic;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// Terms nest deeply. Only what is used of a stack takes memory, but all of it counts where the address space is limited.
const STACK: usize = 1 << 28;
/// How long the first is alone.
const HEAD_START: Duration = Duration::from_millis(60);
/// How often limits are looked at.
const PERIOD: Duration = Duration::from_millis(10);
/// How long engines may take to stop, and to tell what they have learnt, when a limit is reached.
const GRACE: Duration = Duration::from_millis(500);

/// How nice to the others, in the scheduler's measure, is one who gives way: it gets about a third of their share.
const GIVING_WAY: i32 = 5;
/// The same for those who may find an answer while another has one that is being checked: a tenth.
const NOT_FIRST: i32 = 10;
/// One who gives way and has found nothing for so long gives way as much.
const PATIENCE: Duration = Duration::from_secs(10);

/// What became of an attempt.
type Finished = (Outcome, Record);

/// One who tries to decide.
pub struct Racer {
    pub name: &'static str,
    /// Whether it is left a smaller share of the machine than the others.
    pub gives_way: bool,
    pub work: Work,
}

/// What it does.
pub type Work = Box<dyn FnOnce(&mut Run, &mut Record, &Others) -> Outcome + Send>;

/// Those who try at the same time.
#[derive(Clone)]
pub struct Others {
    running: Arc<AtomicUsize>,
    /// Those of them that have no answer that is being checked.
    searching: Arc<Mutex<Vec<Searching>>>,
}

#[derive(Clone, Copy)]
struct Searching {
    thread: Pid,
    gives_way: bool,
}

impl Others {
    /// Whether they have all ended.
    pub fn are_gone(&self) -> bool {
        self.running.load(Ordering::Relaxed) <= 1
    }

    /// One more takes part, in the thread that calls this.
    fn join(&self, gives_way: bool) {
        if gives_way {
            step_back(gettid(), GIVING_WAY);
        }
        self.lock().push(Searching { thread: gettid(), gives_way });
    }

    /// Lets the thread that calls this go before those who are still searching. They get no more than what it leaves from now on,
    /// whatever comes of it.
    pub fn go_first(&self) {
        let mut searching = self.lock();
        searching.retain(|other| other.thread != gettid());
        searching.iter().for_each(|other| step_back(other.thread, NOT_FIRST));
    }

    /// Those who give way give way more.
    fn have_patience(&self) {
        let giving_way = |other: &&Searching| other.gives_way;
        self.lock().iter().filter(giving_way).for_each(|other| step_back(other.thread, NOT_FIRST));
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Vec<Searching>> {
        self.searching.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for so long, if others could use the time.
    pub fn give_way(&self, time: Duration, cancel: &Cancel) {
        let start = Instant::now();
        while let Some(left) = time.checked_sub(start.elapsed())
            && !self.are_gone()
            && !cancel.is_cancelled()
        {
            thread::sleep(left.min(PERIOD));
        }
    }
}

/// Decides with several. If none does, the reason is that of the one which came farthest.
pub fn race(mut racers: Vec<Racer>, run: &mut Run, record: &mut Record) -> Outcome {
    let others = Others { running: Arc::new(AtomicUsize::new(racers.len())), searching: Arc::default() };
    if racers.len() == 1
        && let Some(only) = racers.pop()
    {
        return (only.work)(run, record, &others);
    }
    let cancel = Cancel::new();
    let mut failed = None;
    let (sender, receiver) = mpsc::channel::<Finished>();
    for (number, Racer { name, gives_way, work }) in racers.into_iter().enumerate() {
        // The first may be done before it is worth to begin with more.
        if number == 1
            && let Ok(first) = receiver.recv_timeout(HEAD_START)
        {
            let is_decided = !matches!(first.0, Outcome::Unknown(_));
            let _ = sender.send(first);
            if is_decided {
                break;
            }
        }
        let (sender, others, running) = (sender.clone(), others.clone(), others.running.clone());
        let mut run = run.beside(cancel.clone());
        let started = thread::Builder::new().name(name.into()).stack_size(STACK).spawn(move || {
            others.join(gives_way);
            let mut record = Record::default();
            let attempt = || work(&mut run, &mut record, &others);
            let outcome = panic::catch_unwind(panic::AssertUnwindSafe(attempt)).unwrap_or_else(|what| {
                let what = what.downcast_ref::<String>().map(String::as_str).or(what.downcast_ref::<&str>().copied());
                let what = what.unwrap_or("something unexpected");
                Outcome::Unknown(Reason::Internal(format!("{name} broke: {what}")))
            });
            others.lock().retain(|other| other.thread != gettid());
            others.running.fetch_sub(1, Ordering::Relaxed);
            // Nobody waits any more if this fails.
            let _ = sender.send((outcome, record));
        });
        if let Err(error) = started {
            // The others do without it.
            running.fetch_sub(1, Ordering::Relaxed);
            failed = Some(Reason::Internal(format!("cannot start a thread: {error}")));
        }
    }
    drop(sender);
    let outcome = match (wait(&receiver, run, record, &cancel, &others), failed) {
        (Outcome::Unknown(_), Some(failed)) => Outcome::Unknown(failed),
        (outcome, _) => outcome,
    };
    cancel.cancel();
    outcome
}

/// Lowers the priority of a thread (Linux knows it by a number of its own). If that is refused, it is as fast as the others.
fn step_back(thread: Pid, niceness: i32) {
    let _ = setpriority_process(Some(thread), niceness);
}

/// Waits for an answer, or for the end of all attempts.
fn wait(
    receiver: &Receiver<Finished>,
    run: &mut Run,
    record: &mut Record,
    cancel: &Cancel,
    others: &Others,
) -> Outcome {
    let mut patience = Some(Instant::now() + PATIENCE);
    let mut reason = Reason::NotAttempted("no engine suits the program".to_string());
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
        if patience.take_if(|end| *end <= Instant::now()).is_some() {
            others.have_patience();
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
        Reason::Cancelled | Reason::Timeout | Reason::Memory => 2,
        Reason::Unsupported { .. } => 3,
        Reason::BoundReached(_) => 4,
        Reason::Internal(_) => 5,
    }
}
