//! Crowds: threads counted by what they are about to do, with the values of variables as far as they are known.
//!
//! Where a program starts threads without end, or many that do the same, the search of the paper has no end or no chance. This one
//! keeps of a thread its location and the constants in its variables, and of the threads in the same condition only how many there
//! may be: up to a *cap*, and any number beyond it. A variable whose value is not a constant may have any value.
//!
//! So it over-approximates, and what it finds to be safe is safe for any number of threads; the sets of states that it leaves are
//! the proof ([`engine::Crowd`]). A violation is told if it is an execution: if the threads that it needs were really started, and
//! zeros will do where values are not known.
//!
//! Invariants: the first thread and one in an atomic section are there exactly once; a state that another one has is not explored.

mod code;
mod replay;
mod step;

use code::Code;
use engine::{Crowd, Engine, Proof, Reason, Run, Standing, Step, Trace, Verdict};
use ir::{Program, PropertyId};
use rustc_hash::FxHashMap;
use step::{Known, Local, Moved, Running, Taken, moves, named};
use term::Value;

/// The engine that counts threads.
pub struct Crowds;

impl Engine for Crowds {
    fn name(&self) -> &'static str {
        crate::NAME
    }

    fn check(&self, program: &Program, run: &mut Run) -> Verdict {
        check(program, run).unwrap_or_else(Verdict::Unknown)
    }
}

/// Beyond the cap there is any number.
const MANY: u32 = u32::MAX;
/// The caps that are tried where threads may be started without end, each with the number of states that it may take.
const CAPS: [(u32, usize); 3] = [(1, 40_000), (2, 40_000), (16, 200_000)];
/// The number of states where they are not.
const MOST_STATES: usize = 400_000;

/// The number of a thread's condition in [`Search::locals`].
type LocalId = u32;
/// The number of shared values in [`Search::values`].
type SharedId = u32;

/// Who is in an atomic section.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Holder {
    First,
    Other(LocalId),
}

/// What states must agree on to be compared.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Key {
    shared: SharedId,
    first: LocalId,
    holder: Option<(Holder, u32)>,
}

/// How many threads there may be at most, by their conditions, in order.
type Counts = Vec<(LocalId, u32)>;

struct State {
    key: Key,
    counts: Counts,
    /// Whether another state has all that this one has.
    is_covered: bool,
    origin: Option<Origin>,
}

/// How a state came about.
struct Origin {
    parent: usize,
    mover: Mover,
    taken: Vec<Taken>,
    /// What became of the thread, unless it is gone or in an atomic section.
    after: Option<LocalId>,
    started: Vec<LocalId>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Mover {
    First,
    Holder,
    Other(LocalId),
}

/// Decides a program without calls, as far as constants and counts tell.
fn check(program: &Program, run: &mut Run) -> Result<Verdict, Reason> {
    let code = Code::new(program)?;
    let caps: &[(u32, usize)] = if code.is_unbounded { &CAPS } else { &[(MANY - 1, MOST_STATES)] };
    let mut reason = Reason::NoProgress("threads cannot be told apart by counting".to_string());
    for (cap, most) in caps {
        let mut search = Search::new(&code, *cap, *most);
        let found = search.run(run);
        run.statistics.count("crowds", search.states.len() as u64);
        run.statistics.count("conditions of threads", search.locals.all.len() as u64);
        match found? {
            Found::Nothing => return Ok(Verdict::True(search.proof())),
            Found::Violation(trace) => return Ok(Verdict::False(trace)),
            Found::Stopped(why) => reason = why,
        }
    }
    Err(reason)
}

enum Found {
    Nothing,
    Violation(Trace),
    Stopped(Reason),
}

/// Things with numbers.
struct Numbered<T> {
    all: Vec<T>,
    numbers: FxHashMap<T, u32>,
}

impl<T: Clone + Eq + std::hash::Hash> Numbered<T> {
    fn new() -> Numbered<T> {
        Numbered { all: Vec::new(), numbers: FxHashMap::default() }
    }

    fn number(&mut self, thing: T) -> u32 {
        if let Some(known) = self.numbers.get(&thing) {
            return *known;
        }
        let number = self.all.len() as u32;
        self.all.push(thing.clone());
        self.numbers.insert(thing, number);
        number
    }
}

struct Search<'a> {
    code: &'a Code<'a>,
    cap: u32,
    most: usize,
    locals: Numbered<Local>,
    values: Numbered<Vec<Known>>,
    states: Vec<State>,
    by_key: FxHashMap<Key, Vec<usize>>,
    waiting: Vec<usize>,
    unsupported: Option<Reason>,
}

impl<'a> Search<'a> {
    fn new(code: &'a Code<'a>, cap: u32, most: usize) -> Search<'a> {
        Search {
            code,
            cap,
            most,
            locals: Numbered::new(),
            values: Numbered::new(),
            states: Vec::new(),
            by_key: FxHashMap::default(),
            waiting: Vec::new(),
            unsupported: None,
        }
    }

    fn run(&mut self, run: &mut Run) -> Result<Found, Reason> {
        let entry = self.code.program.entry;
        let body = self.code.body(entry);
        let first = Local { procedure: entry, location: body.cfa.entry(), own: vec![None; body.own.len()] };
        let first = self.locals.number(first);
        let shared = self.values.number(vec![None; self.code.shared.len()]);
        self.add(Key { shared, first, holder: None }, Counts::new(), None);
        while let Some(number) = self.waiting.pop() {
            run.tick()?;
            if self.states[number].is_covered {
                continue;
            }
            if let Some(found) = self.explore(number)? {
                return Ok(found);
            }
            if self.states.len() > self.most {
                return Ok(Found::Stopped(Reason::NoProgress(format!(
                    "there are more than {} sets of threads to count",
                    self.most
                ))));
            }
        }
        match self.unsupported.take() {
            Some(reason) => Err(reason),
            None => Ok(Found::Nothing),
        }
    }

    /// Adds a state, unless there is one that has all it has.
    fn add(&mut self, key: Key, counts: Counts, origin: Option<Origin>) {
        let same = self.by_key.entry(key).or_default();
        if same.iter().any(|other| is_among(&counts, &self.states[*other].counts)) {
            return;
        }
        for other in same.iter() {
            self.states[*other].is_covered = is_among(&self.states[*other].counts, &counts);
        }
        same.retain(|other| !self.states[*other].is_covered);
        same.push(self.states.len());
        self.waiting.push(self.states.len());
        self.states.push(State { key, counts, is_covered: false, origin });
    }

    /// Adds what the steps from a state lead to.
    fn explore(&mut self, number: usize) -> Result<Option<Found>, Reason> {
        let State { key, counts, .. } = &self.states[number];
        let (key, counts) = (*key, counts.clone());
        let movers: Vec<(Mover, LocalId, u32)> = match key.holder {
            Some((Holder::First, depth)) => vec![(Mover::First, key.first, depth)],
            Some((Holder::Other(local), depth)) => vec![(Mover::Holder, local, depth)],
            None => {
                let others = counts.iter().map(|(local, _)| (Mover::Other(*local), *local, 0));
                std::iter::once((Mover::First, key.first, 0)).chain(others).collect()
            }
        };
        for (mover, local, depth) in movers {
            let start = Running {
                shared: self.values.all[key.shared as usize].clone(),
                local: self.locals.all[local as usize].clone(),
                is_first: mover == Mover::First,
                depth,
                started: Vec::new(),
                taken: Vec::new(),
            };
            for moved in moves(self.code, start) {
                let (running, stays) = match moved {
                    Moved::Waits(running) => (running, true),
                    Moved::Gone(running) => (running, false),
                    Moved::Violates(property, taken) => {
                        let trace = self.trace(number, mover, taken, property);
                        return Ok(Some(match trace.filter(|trace| replay::is_execution(self.code, trace)) {
                            Some(trace) => Found::Violation(trace),
                            None => {
                                let why =
                                    "a violation may need other values, or more threads in one place than there are";
                                Found::Stopped(Reason::NoProgress(why.to_string()))
                            }
                        }));
                    }
                    Moved::Unsupported(what, place) => {
                        self.unsupported.get_or_insert(Reason::Unsupported { what, place });
                        continue;
                    }
                };
                self.after(number, key, &counts, mover, running, stays);
            }
        }
        Ok(None)
    }

    fn after(&mut self, parent: usize, key: Key, counts: &Counts, mover: Mover, running: Running, stays: bool) {
        let Running { shared, local, depth, started, taken, .. } = running;
        let mut counts = counts.clone();
        if let Mover::Other(local) = mover {
            remove(&mut counts, local);
        }
        let after = stays.then(|| self.locals.number(local));
        let mut next = Key { shared: self.values.number(shared), first: key.first, holder: None };
        match (mover, after) {
            (Mover::First, Some(after)) => {
                next.first = after;
                next.holder = (depth > 0).then_some((Holder::First, depth));
            }
            (_, Some(after)) if depth > 0 => next.holder = Some((Holder::Other(after), depth)),
            (_, Some(after)) => insert(&mut counts, after, self.cap),
            (_, None) => {}
        }
        let started: Vec<LocalId> = started.into_iter().map(|local| self.locals.number(local)).collect();
        started.iter().for_each(|local| insert(&mut counts, *local, self.cap));
        let after = after.filter(|_| depth == 0);
        self.add(next, counts, Some(Origin { parent, mover, taken, after, started }));
    }

    /// The execution that leads to a violation by the last move; `None` if a thread has a part in it that was not started.
    fn trace(&self, last: usize, mover: Mover, taken: Vec<Taken>, property: PropertyId) -> Option<Trace> {
        let mut path = Vec::new();
        let mut at = last;
        while let Some(origin) = &self.states[at].origin {
            path.push(origin);
            at = origin.parent;
        }
        path.reverse();
        let end = Origin { parent: last, mover, taken, after: None, started: Vec::new() };
        let mut threads: FxHashMap<LocalId, Vec<u32>> = FxHashMap::default();
        let (mut holder, mut count) = (0, 0);
        let mut steps = Vec::new();
        for origin in path.into_iter().chain([&end]) {
            let number = match origin.mover {
                Mover::First => 0,
                Mover::Holder => holder,
                Mover::Other(local) => threads.get_mut(&local)?.pop()?,
            };
            holder = number;
            steps.extend(origin.taken.iter().map(|taken| step(number, taken)));
            for started in &origin.started {
                count += 1;
                threads.entry(*started).or_default().push(count);
            }
            if let (Some(after), true) = (origin.after, number != 0) {
                threads.entry(after).or_default().push(number);
            }
        }
        Some(Trace { property, initial: Vec::new(), memory: Vec::new(), functions: Vec::new(), steps })
    }

    /// The states that are left, which have with each state all that follows.
    fn proof(&self) -> Proof {
        let standing = |local: LocalId| {
            let Local { procedure, location, own } = &self.locals.all[local as usize];
            let own = named(&self.code.body(*procedure).own, own);
            Standing { procedure: *procedure, location: *location, own }
        };
        let crowd = |state: &State| Crowd {
            shared: named(&self.code.shared, &self.values.all[state.key.shared as usize]),
            first: standing(state.key.first),
            holder: state.key.holder.map(|(holder, depth)| match holder {
                Holder::First => (None, depth),
                Holder::Other(local) => (Some(standing(local)), depth),
            }),
            others: state.counts.iter().map(|(l, n)| (standing(*l), Some(*n).filter(|n| *n != MANY))).collect(),
        };
        Proof::Crowds(self.states.iter().filter(|state| !state.is_covered).map(crowd).collect())
    }
}

fn step(thread: u32, taken: &Taken) -> Step {
    let value = |(variable, known): &(term::Term, Known)| match known {
        Some(constant) => constant.value().cloned(),
        None => Value::zero(variable.sort()),
    };
    let values = taken.values.iter().filter_map(value).collect();
    Step { thread, procedure: taken.procedure, edge: taken.edge, values, locals: Vec::new() }
}

/// Whether there are nowhere more threads than the others may be.
fn is_among(counts: &Counts, others: &Counts) -> bool {
    let mut others = others.iter();
    counts.iter().all(|(local, count)| {
        others.by_ref().find(|(other, _)| other >= local).is_some_and(|(o, n)| o == local && n >= count)
    })
}

fn remove(counts: &mut Counts, local: LocalId) {
    let Ok(place) = counts.binary_search_by_key(&local, |(other, _)| *other) else { return };
    match counts[place].1 {
        MANY => {}
        1 => {
            counts.remove(place);
        }
        count => counts[place].1 = count - 1,
    }
}

fn insert(counts: &mut Counts, local: LocalId, cap: u32) {
    match counts.binary_search_by_key(&local, |(other, _)| *other) {
        Ok(place) => {
            let count = &mut counts[place].1;
            *count = if *count >= cap { MANY } else { *count + 1 };
        }
        Err(place) => counts.insert(place, (local, 1)),
    }
}
