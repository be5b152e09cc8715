//! The checks of one program, each with a verdict of its own.
//!
//! Cheap ways come first: connectivity, then analyses, each of which proves what it can. The rest is asked of engines together, since
//! one proof that nothing of it can be reached decides all of it. What is violated is replayed and cut off, and the rest goes on. When
//! there is no answer in a group's time, the group is split, so that one hard check does not hide the others; what has no
//! answer alone is tried again with the time that is left.
//!
//! Invariants: a check is proved only by a proof that was checked, and refuted only by an execution that was made again. A proof is about
//! executions that end where an open or refuted check, or something unsupported, comes first: [`Provided`] says which.

mod before;
mod statics;

use crate::attempt::{Asked, Record};
use crate::check::{CountSink, check_loaded, conclude, prove_unconnected, unproved};
use crate::connected::{Connected, connected};
use crate::load::Loaded;
use crate::pipeline::{Bases, Forms, IsEnd, end_where};
use crate::property::Property;
use crate::report::{Certificate, Check, CheckVerdict, Finding, Open, Outcome, Provided, Report, Summary};
use before::before;
use engine::{Cancel, Proof, Reason, Run};
use ir::{Cfa, LocationKind, ProcId, Program, PropertyId};
use rustc_hash::{FxHashMap, FxHashSet};
use source::Symbol;
pub use statics::View;
use statics::{Decided, Question, checks};
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, VecDeque};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// A group of checks has this part of the time that it would have if no other was left.
const PART: u32 = 2;
/// No group has less time than this: forms of the program have to be made for it.
const LEAST: Duration = Duration::from_millis(500);
/// How long analyses may take to stop.
const GRACE: Duration = Duration::from_millis(300);
/// How often limits are looked at.
const PERIOD: Duration = Duration::from_millis(10);
/// Terms nest deeply; only what is used of a stack takes memory.
const STACK: usize = 1 << 28;
/// Without a limit, a group has so much time before it is split.
const USUAL: Duration = Duration::from_secs(20);
/// Why a check is open that only analyses looked at.
const NOT_ASKED: &str = "static analysis does not decide it, and no engine that searches was asked";
/// So many of the checks that come before are named.
const NAMED: usize = 4;

/// What checks may use.
pub struct Budget {
    /// Makes a run for so long.
    pub run: Box<dyn Fn(Option<Duration>) -> Run>,
    pub cancel: Cancel,
    pub told: Told,
    /// The views of the program that took analyses too long, by the function that execution starts with.
    pub too_slow: RefCell<Vec<(Symbol, View)>>,
    /// Where all that is found out is kept at once.
    pub kept: Kept,
}

/// What is known of all studies at any time, for who cannot wait for them to end.
#[derive(Clone, Default)]
pub struct Kept(Arc<Mutex<BTreeMap<usize, Study>>>);

impl Kept {
    /// The findings so far, if there are any; what has no verdict is open for this reason.
    pub fn summary(&self, why: &Reason) -> Option<Summary> {
        let studies = std::mem::take(&mut *self.lock());
        let ended = |mut study: Study| {
            study.end(why);
            study.finding()
        };
        let findings: Vec<Finding> = studies.into_values().map(ended).collect();
        (!findings.is_empty()).then_some(Summary { findings })
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<usize, Study>> {
        // Nothing is half done while the lock is held.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The state of all checks, and the listener for progress.
pub struct Told {
    sink: RefCell<Option<CountSink>>,
    counts: Cell<(usize, usize)>,
}

impl Told {
    pub fn new(sink: Option<CountSink>) -> Told {
        Told { sink: RefCell::new(sink), counts: Cell::default() }
    }

    /// There are more checks, some of which are decided.
    pub fn more(&self, checks: usize, decided: usize) {
        let counts = self.counts.get();
        self.counts.set((counts.0 + checks, counts.1 + decided));
        if let Some(sink) = self.sink.borrow_mut().as_mut() {
            sink(self.counts.get().0, self.counts.get().1);
        }
    }

    /// So many more are decided.
    pub fn decided(&self, count: usize) {
        self.more(0, count);
    }
}

/// The checks of a program, as far as they are decided.
pub struct Study {
    /// Its place among the studies of a run.
    number: usize,
    loaded: Arc<Loaded>,
    asked: Arc<Asked>,
    bases: Arc<Bases>,
    verdicts: Vec<Option<CheckVerdict>>,
    /// Something unsupported that executions may come to, as far as is known.
    unsupported: Option<Reason>,
    /// The same, as far as control flow tells.
    connected: Option<Reason>,
    violations: Vec<Report>,
    /// The proof of the last checks that were proved, and who found it.
    certificate: Option<(Certificate, &'static str)>,
    /// Proofs of analyses that failed their check.
    faults: Vec<Reason>,
    record: Record,
    time: Duration,
}

impl Study {
    /// Decides what control flow decides.
    pub fn new(number: usize, loaded: Loaded, asked: &Arc<Asked>, loading: Duration) -> Study {
        let start = Instant::now();
        let bases = Arc::new(Bases::new(loaded.program.clone()));
        let mut study = Study {
            number,
            verdicts: vec![None; loaded.program.properties.len()],
            loaded: Arc::new(loaded),
            asked: asked.clone(),
            bases,
            unsupported: None,
            connected: None,
            violations: Vec::new(),
            certificate: None,
            faults: Vec::new(),
            record: Record { phases: vec![("load", loading)], ..Record::default() },
            time: loading,
        };
        study.by_connectivity();
        study.time += start.elapsed();
        study
    }

    fn program(&self) -> &Program {
        &self.loaded.program
    }

    /// The checks that have no verdict yet.
    fn left(&self) -> Vec<PropertyId> {
        checks(self.program()).filter(|check| self.verdicts[check.0 as usize].is_none()).collect()
    }

    /// Keeps what is known now.
    pub fn keep(&self, budget: &Budget) {
        let known = Study {
            loaded: self.loaded.clone(),
            asked: self.asked.clone(),
            bases: self.bases.clone(),
            verdicts: self.verdicts.clone(),
            unsupported: self.unsupported.clone(),
            connected: self.connected.clone(),
            violations: self.violations.iter().map(Report::without_texts).collect(),
            certificate: self.certificate.clone(),
            faults: self.faults.clone(),
            record: Record::default(),
            ..*self
        };
        budget.kept.lock().insert(self.number, known);
    }

    /// Checks without a verdict are open for a reason.
    fn end(&mut self, why: &Reason) {
        for verdict in self.verdicts.iter_mut().filter(|verdict| verdict.is_none()) {
            let open = Open { reason: why.clone(), tried: Vec::new(), together: 1, time: Duration::ZERO };
            *verdict = Some(CheckVerdict::Open(open));
        }
    }

    /// Takes back that there was no time for some checks, if each of them would have more now. Whether there are such.
    pub fn reopen(&mut self, left: Option<Duration>) -> bool {
        let Some(left) = left else { return false };
        let had_no_time = |verdict: &Option<CheckVerdict>| match verdict {
            Some(CheckVerdict::Open(open)) if open.reason == Reason::Timeout => Some(open.time),
            _ => None,
        };
        let count = self.verdicts.iter().filter_map(had_no_time).count() as u32;
        let each = left / count.max(1);
        let mut is_some = false;
        for verdict in &mut self.verdicts {
            if had_no_time(verdict).is_some_and(|time| time < each && each >= LEAST) {
                (*verdict, is_some) = (None, true);
            }
        }
        is_some
    }

    /// Whether nothing is left to do.
    pub fn is_done(&self) -> bool {
        self.left().is_empty() && self.unsupported.is_none()
    }

    /// How many checks there are.
    pub fn checks(&self) -> usize {
        self.verdicts.len()
    }

    /// How many of them are proved or refuted.
    pub fn decided(&self) -> usize {
        checks(self.program()).filter(|check| !self.is_open(*check)).count()
    }

    /// How many checks have no verdict. There may still be the question whether something unsupported can be reached.
    pub fn open(&self) -> usize {
        self.left().len()
    }

    fn by_connectivity(&mut self) {
        if self.verdicts.is_empty()
            && let Some(what) = unproved(&self.loaded, &Proof::Unconnected)
        {
            self.unsupported = Some(Reason::Unsupported { what: Symbol::new(&what), place: None });
            return;
        }
        let Connected { errors, unsupported } = self.record.phase("connectivity", || connected(&self.loaded.program));
        let first = unsupported.first();
        self.unsupported = first.map(|(what, place)| Reason::Unsupported { what: *what, place: *place });
        self.connected = self.unsupported.clone();
        let mut rest = self.program().clone();
        end_where(&mut rest, |kind| match kind {
            LocationKind::Error(check) => errors.contains(&check),
            LocationKind::Unsupported(_) => true,
            _ => false,
        });
        if let Outcome::Holds(certificate) = prove_unconnected(&rest)
            && unproved(&self.loaded, &certificate.proof).is_none()
        {
            let proved = self.left().into_iter().filter(|check| !errors.contains(check)).collect();
            self.prove(&proved, "connectivity", certificate);
        }
    }

    fn prove(&mut self, proved: &FxHashSet<PropertyId>, by: &'static str, certificate: Certificate) {
        for check in proved {
            let verdict = &mut self.verdicts[check.0 as usize];
            if verdict.is_none() {
                *verdict = Some(CheckVerdict::Proved { by, provided: Provided::default() });
            }
        }
        self.certificate = Some((certificate, by));
    }

    /// Decides what analyses decide in some views of the program, within the time of the run.
    pub fn by_analyses(&mut self, views: &[View], time: Option<Duration>, budget: &Budget) {
        let start = Instant::now();
        for view in views.iter().copied() {
            let open: FxHashSet<PropertyId> = self.left().into_iter().collect();
            if open.is_empty() {
                break;
            }
            let entry = self.loaded.target.entry;
            if budget.too_slow.borrow().contains(&(entry, view)) {
                continue;
            }
            let left = time.map(|time| time.saturating_sub(start.elapsed()));
            match self.analyse(view, open, left, budget) {
                Some((result, record)) => {
                    self.record.phases.extend(record.phases);
                    match result {
                        Ok(decided) => self.take(decided),
                        // What fails its check counts for nothing, but it is a fault that the user should hear of.
                        Err(reason @ Reason::Internal(_)) => self.faults.push(reason),
                        Err(_) => {}
                    }
                }
                // The programs of other properties are as large, and a pass that was left behind goes on for a while.
                None if view != View::Procedures => budget.too_slow.borrow_mut().push((entry, view)),
                None => {}
            }
        }
        self.time += start.elapsed();
        self.keep(budget);
    }

    /// What analyses find out in a view of the program; nothing, if they do not come to an end in time. They have a thread of their own,
    /// because some passes cannot be interrupted.
    fn analyse(
        &self,
        view: View,
        open: FxHashSet<PropertyId>,
        time: Option<Duration>,
        budget: &Budget,
    ) -> Option<(Result<Decided, Reason>, Record)> {
        let end = time.map(|time| Instant::now() + time + GRACE);
        let (loaded, bases, no_recheck) = (self.loaded.clone(), self.bases.clone(), self.asked.no_recheck);
        let mut run = (budget.run)(time);
        let (sender, receiver) = mpsc::channel();
        let work = move || {
            let mut record = Record::default();
            let question = Question { program: &loaded.program, bases: &bases, open: &open, no_recheck };
            let result = question.ask(view, &mut run, &mut record);
            // Nobody waits any more if this fails.
            let _ = sender.send((result, record));
        };
        let started = thread::Builder::new().name("analyses".into()).stack_size(STACK).spawn(work);
        if let Err(error) = started {
            let reason = Reason::Internal(format!("cannot start a thread: {error}"));
            return Some((Err(reason), Record::default()));
        }
        loop {
            match receiver.recv_timeout(PERIOD) {
                Ok(found) => return Some(found),
                Err(RecvTimeoutError::Disconnected) => {
                    let reason = Reason::Internal("an analysis broke".into());
                    return Some((Err(reason), Record::default()));
                }
                Err(RecvTimeoutError::Timeout) => {
                    if end.is_some_and(|end| end <= Instant::now()) || budget.cancel.is_cancelled() {
                        return None;
                    }
                }
            }
        }
    }

    fn take(&mut self, Decided { proved, supported, proof, checked_by }: Decided) {
        if unproved(&self.loaded, &proof).is_some() {
            return;
        }
        if supported {
            self.unsupported = None;
        }
        if !proved.is_empty() {
            self.prove(&proved, dataflow::NAME, Certificate { proof, checked_by, invariants: Vec::new() });
        }
    }

    /// Asks engines about what is left, within the time.
    pub fn by_engines(&mut self, share: Option<Duration>, budget: &Budget) {
        let start = Instant::now();
        let left = || share.map(|share| share.saturating_sub(start.elapsed()));
        let is_over = || budget.cancel.is_cancelled() || left().is_some_and(|left| left.is_zero());
        let mut groups: VecDeque<Vec<PropertyId>> = VecDeque::from([self.left()]);
        let mut again: Vec<Vec<PropertyId>> = Vec::new();
        let mut retried = None;
        while !is_over() {
            let Some(group) = groups.pop_front() else {
                // What is left had no answer alone. More time for each may help.
                let each = left().map(|left| left / again.len().max(1) as u32);
                if again.is_empty() || each.is_none() || each < retried.map(|least: Duration| 2 * least) {
                    break;
                }
                retried = each;
                groups.extend(again.drain(..));
                continue;
            };
            let group: Vec<PropertyId> = group.into_iter().filter(|check| self.is_open(*check)).collect();
            if group.is_empty() {
                continue;
            }
            let others = groups.len() as u32 + 1;
            let time = match left() {
                Some(left) if group.len() == 1 => Some((left / others).max(LEAST).min(left)),
                Some(left) => Some((left / others / PART).max(LEAST).min(left)),
                None => (group.len() > 1).then_some(USUAL),
            };
            let before = self.decided();
            let reason = self.ask(&group, time, budget);
            budget.told.decided(self.decided() - before);
            self.keep(budget);
            let rest: Vec<PropertyId> = group.into_iter().filter(|check| self.is_open(*check)).collect();
            match (rest.len(), reason) {
                (0, _) | (_, None) => {}
                (1, Some(Reason::Timeout)) => again.push(rest),
                (1, Some(_)) => {}
                (count, Some(_)) => {
                    let (first, second) = rest.split_at(count / 2);
                    groups.extend([first.to_vec(), second.to_vec()]);
                }
            }
        }
        let why = if budget.cancel.is_cancelled() { Reason::Cancelled } else { Reason::Timeout };
        self.end(&why);
        self.time += start.elapsed();
    }

    fn is_proved(&self, check: PropertyId) -> bool {
        matches!(self.verdicts[check.0 as usize], Some(CheckVerdict::Proved { .. }))
    }

    /// Whether a check has neither a proof nor a violation.
    fn is_open(&self, check: PropertyId) -> bool {
        matches!(self.verdicts[check.0 as usize], None | Some(CheckVerdict::Open(_)))
    }

    /// Asks engines about a group of checks. The reason if some of them are left open.
    fn ask(&mut self, group: &[PropertyId], time: Option<Duration>, budget: &Budget) -> Option<Reason> {
        let start = Instant::now();
        let mut group: FxHashSet<PropertyId> = group.iter().copied().collect();
        while !group.is_empty() {
            let left = time.map(|time| time.saturating_sub(start.elapsed()));
            let report = self.check(&group, false, left, budget);
            match report.outcome {
                Outcome::Holds(certificate) => {
                    let by = report.decided_by.unwrap_or("auto");
                    for check in &group {
                        self.verdicts[check.0 as usize] =
                            Some(CheckVerdict::Proved { by, provided: Provided::default() });
                    }
                    self.certificate = Some((certificate, by));
                    return None;
                }
                Outcome::Violated(ref violation) => {
                    let id = violation.id;
                    // A violation of anything else would have been cut off.
                    if !group.remove(&id) {
                        return Some(Reason::Internal("a violation is reported of what was cut off".into()));
                    }
                    self.verdicts[id.0 as usize] = Some(CheckVerdict::Refuted);
                    self.violations.push(report);
                }
                Outcome::Unknown(reason) => {
                    let mut tried: Vec<&'static str> = report.statistics.iter().map(|(name, _)| *name).collect();
                    tried.sort_unstable();
                    tried.dedup();
                    let (together, time) = (group.len(), start.elapsed());
                    let open = Open { reason: reason.clone(), tried, together, time };
                    for check in &group {
                        self.verdicts[check.0 as usize] = Some(CheckVerdict::Open(open.clone()));
                    }
                    return Some(reason);
                }
            }
        }
        None
    }

    /// Checks the program where only some of its checks matter, or only what is unsupported.
    fn check(
        &mut self,
        group: &FxHashSet<PropertyId>,
        unsupported: bool,
        time: Option<Duration>,
        budget: &Budget,
    ) -> Report {
        let matters: FxHashSet<PropertyId> = group.clone();
        let is_end: IsEnd = Arc::new(move |kind| match kind {
            LocationKind::Error(check) => !matters.contains(&check),
            LocationKind::Unsupported(_) => !unsupported,
            _ => false,
        });
        let mut cut = Loaded::clone(&self.loaded);
        end_where(&mut cut.program, &*is_end);
        let mut run = (budget.run)(time);
        let forms = Arc::new(Forms::of(self.bases.clone(), is_end));
        let report = check_loaded(&Arc::new(cut), &self.asked, Duration::ZERO, &mut run, &forms);
        self.record.note(&report);
        report
    }

    /// Looks whether something unsupported can be reached at all, if that is all that is left to know.
    pub fn about_unsupported(&mut self, share: Option<Duration>, budget: &Budget) {
        let start = Instant::now();
        let is_all = checks(self.program()).all(|check| self.is_proved(check));
        if self.unsupported.is_some() && is_all && !budget.cancel.is_cancelled() {
            let report = self.check(&FxHashSet::default(), true, share.or(Some(USUAL)), budget);
            if let Outcome::Holds(certificate) = report.outcome {
                self.unsupported = None;
                self.certificate.get_or_insert((certificate, report.decided_by.unwrap_or("auto")));
            }
        }
        self.time += start.elapsed();
    }

    /// What was found.
    pub fn finding(mut self) -> Finding {
        self.provide();
        let outcome = self.outcome();
        let decided_by = self.certificate.take().map(|(_, by)| by);
        let record = Record { decided_by, ..std::mem::take(&mut self.record) };
        let mut violations = self.violations.into_iter();
        let report = match violations.next() {
            Some(first) => Report { phases: record.phases, ..first },
            None => conclude(&self.loaded, &self.asked, outcome, record),
        };
        let functions = functions(&self.loaded.program);
        let check = |(id, verdict): (PropertyId, Option<CheckVerdict>)| {
            let property = self.loaded.program.property(id);
            let never = || {
                CheckVerdict::Open(Open {
                    reason: Reason::NotAttempted(NOT_ASKED.into()),
                    tried: Vec::new(),
                    together: 1,
                    time: Duration::ZERO,
                })
            };
            Check {
                id,
                property: Property::from_class(property.class),
                text: property.text,
                place: property.place,
                function: functions.get(&id).copied(),
                verdict: verdict.unwrap_or_else(never),
            }
        };
        let checks = checks(&self.loaded.program).zip(self.verdicts).map(check).collect();
        Finding { report, checks, others: violations.collect(), time: self.time }
    }

    /// Notes what proofs rest on.
    fn provide(&mut self) {
        let unproved: Vec<PropertyId> = checks(self.program()).filter(|check| !self.is_proved(*check)).collect();
        let before = before(self.program(), &unproved);
        // That nothing unsupported is reached was found out of executions that end at checks which are not proved.
        let unsupported = if unproved.is_empty() { &self.unsupported } else { &self.connected }.clone();
        for (check, verdict) in checks(&self.loaded.program).zip(&mut self.verdicts) {
            if let Some(CheckVerdict::Proved { provided, .. }) = verdict {
                *provided = Provided {
                    checks: before.of(check).take(NAMED).collect(),
                    count: before.count(check),
                    unsupported: unsupported.clone(),
                };
            }
        }
    }

    /// The verdict on all checks together.
    fn outcome(&self) -> Outcome {
        let open = |verdict: &Option<CheckVerdict>| match verdict {
            Some(CheckVerdict::Open(open)) => Some(open.reason.clone()),
            Some(_) => None,
            None => Some(Reason::NotAttempted(NOT_ASKED.into())),
        };
        // What a longer run cannot change says more than that there was no time.
        let is_final = |reason: &Reason| !matches!(reason, Reason::Timeout | Reason::NotAttempted(_));
        let mut reasons: Vec<Reason> = self.verdicts.iter().filter_map(open).collect();
        if !reasons.is_empty() {
            reasons.extend(self.faults.iter().cloned());
        }
        let open = reasons.iter().find(|reason| is_final(reason)).or(reasons.first());
        match (open.or(self.unsupported.as_ref()), &self.certificate) {
            (Some(reason), _) => Outcome::Unknown(reason.clone()),
            (None, Some((certificate, _))) => Outcome::Holds(certificate.clone()),
            (None, None) => Outcome::Unknown(Reason::NotAttempted("nothing was checked".into())),
        }
    }
}

/// The function that each check is in, as a user calls it.
fn functions(program: &Program) -> FxHashMap<PropertyId, Symbol> {
    let mut functions = FxHashMap::default();
    let bodies = program.procedures().filter_map(|(id, procedure)| Some((id, procedure.body.as_ref().ok()?)));
    for (id, cfa) in bodies.collect::<Vec<(ProcId, &Cfa)>>() {
        for (_, location) in cfa.locations() {
            if let LocationKind::Error(check) = location.kind {
                functions.entry(check).or_insert(program.procedure(id).name);
            }
        }
    }
    functions
}
