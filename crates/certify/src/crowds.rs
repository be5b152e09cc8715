//! Sets of states with counted threads as a proof: one has the initial state, none a violation, and whatever a thread does next
//! leads from each of them into one of them.
//!
//! A thread's next step is an edge and then all edges that no other thread can tell from having been taken at once: inside an
//! atomic section, or where only the thread's own variables are touched, or variables that nobody writes once there are other
//! threads. It is found out here what those are, and what values terms have.

use crate::invariants::Rejected;
use engine::{Crowd, Standing};
use ir::{Cfa, EdgeId, LocId, LocationKind, Op, ProcId, Program};
use rustc_hash::{FxHashMap, FxHashSet};
use solver::Unknown;
use term::build::{falsehood, truth};
use term::{Op as TermOp, Term, known};

/// What is known of variables.
type Values = FxHashMap<Term, Term>;
type At = (ProcId, LocId);

/// Variables with so few values get each of them by a havoc, as long as there are not too many combinations.
const MOST_VALUES: u128 = 16;
const MOST_CHOICES: usize = 1024;
/// More steps than this without another thread's are not followed.
const MOST_STEPS: usize = 100_000;

pub fn check(program: &Program, crowds: &[Crowd]) -> Result<(), Rejected> {
    let solitude = Solitude::new(program)?;
    let mut known = Known::default();
    for crowd in crowds {
        known.entry(place(crowd)).or_default().push(crowd);
    }
    let Ok(entry) = &program.procedure(program.entry).body else { return Err(missing("the entry has no body")) };
    let start = Standing { procedure: program.entry, location: entry.entry(), own: Vec::new() };
    let initial = Crowd { shared: Vec::new(), first: start, holder: None, others: Vec::new() };
    is_among(&initial, &known)?;
    for crowd in crowds {
        for (thread, who) in threads(crowd) {
            let is_first = matches!(who, Who::First);
            let depth = crowd.holder.as_ref().map_or(0, |(_, depth)| *depth);
            let start = Walk {
                shared: crowd.shared.iter().cloned().collect(),
                own: thread.own.iter().cloned().collect(),
                at: (thread.procedure, thread.location),
                depth,
                started: Vec::new(),
                moved: false,
            };
            solitude.walk(start, is_first, &mut |walk, is_gone| is_among(&rest(crowd, who, walk, is_gone), &known))?;
        }
    }
    Ok(())
}

/// Crowds by the location of the first thread and the known values that threads share.
type Known<'a> = FxHashMap<(At, Vec<(Term, Term)>), Vec<&'a Crowd>>;

fn place(crowd: &Crowd) -> (At, Vec<(Term, Term)>) {
    let mut shared = crowd.shared.clone();
    shared.sort_unstable();
    ((crowd.first.procedure, crowd.first.location), shared)
}

fn missing(what: &str) -> Rejected {
    Rejected::NotComplete(what.to_string())
}

/// A thread of a crowd.
#[derive(Clone, Copy)]
enum Who {
    First,
    Holder,
    Other(usize),
}

/// Those who can move.
fn threads(crowd: &Crowd) -> Vec<(&Standing, Who)> {
    match &crowd.holder {
        Some((None, _)) => vec![(&crowd.first, Who::First)],
        Some((Some(holder), _)) => vec![(holder, Who::Holder)],
        None => {
            let others = crowd.others.iter().enumerate().map(|(number, (other, _))| (other, Who::Other(number)));
            std::iter::once((&crowd.first, Who::First)).chain(others).collect()
        }
    }
}

/// The states after a thread of a crowd has moved.
fn rest(crowd: &Crowd, who: Who, walk: &Walk, is_gone: bool) -> Crowd {
    let mut after = crowd.clone();
    after.shared = walk.shared.iter().map(|(variable, value)| (*variable, *value)).collect();
    after.holder = None;
    let own = walk.own.iter().map(|(variable, value)| (*variable, *value)).collect();
    let standing = Standing { procedure: walk.at.0, location: walk.at.1, own };
    if let Who::Other(number) = who {
        match &mut after.others[number].1 {
            Some(1) => {
                after.others.remove(number);
            }
            Some(count) => *count -= 1,
            None => {}
        }
    }
    match who {
        _ if is_gone => {}
        Who::First => {
            after.first = standing;
            after.holder = (walk.depth > 0).then_some((None, walk.depth));
        }
        _ if walk.depth > 0 => after.holder = Some((Some(standing), walk.depth)),
        _ => after.others.push((standing, Some(1))),
    }
    after.others.extend(walk.started.iter().map(|started| (started.clone(), Some(1))));
    after
}

fn is_among(crowd: &Crowd, known: &Known) -> Result<(), Rejected> {
    let mut candidates = known.get(&place(crowd)).into_iter().flatten();
    match candidates.any(|candidate| has_threads(candidate, crowd)) {
        true => Ok(()),
        false => Err(missing("a step leads to states that are in no set")),
    }
}

/// Whether a crowd may have the threads of another.
fn has_threads(large: &Crowd, small: &Crowd) -> bool {
    let holders = match (&large.holder, &small.holder) {
        (None, None) => true,
        (Some((None, a)), Some((None, b))) => a == b,
        (Some((Some(one), a)), Some((Some(other), b))) => a == b && is_less_known(one, other),
        _ => false,
    };
    if !holders || !is_less_known(&large.first, &small.first) {
        return false;
    }
    let mut room: Vec<Option<u32>> = large.others.iter().map(|(_, count)| *count).collect();
    small.others.iter().all(|(standing, count)| {
        let mut places = large.others.iter().zip(&mut room).filter(|((other, _), _)| is_less_known(other, standing));
        places.any(|(_, room)| match (room, count) {
            (None, _) => true,
            (Some(_), None) => false,
            (Some(left), Some(count)) if *left >= *count => {
                *left -= *count;
                true
            }
            _ => false,
        })
    })
}

/// Whether what is known of one thread is known of the other.
fn is_less_known(one: &Standing, other: &Standing) -> bool {
    (one.procedure, one.location) == (other.procedure, other.location)
        && one.own.iter().all(|known| other.own.contains(known))
}

/// A thread on its way.
#[derive(Clone)]
struct Walk {
    shared: Values,
    own: Values,
    at: At,
    depth: u32,
    started: Vec<Standing>,
    /// Whether it has taken an edge.
    moved: bool,
}

impl Walk {
    fn read(&self, variable: Term) -> Option<Term> {
        self.own.get(&variable).or_else(|| self.shared.get(&variable)).copied()
    }

    fn value(&self, term: Term) -> Option<Term> {
        known(term, &|variable| self.read(variable))
    }
}

/// Where threads go on by themselves.
struct Solitude<'a> {
    program: &'a Program,
    shared: FxHashSet<Term>,
    /// Where an edge starts that others may see or disturb.
    watched: FxHashSet<At>,
    /// Where loops are cut.
    heads: FxHashSet<At>,
}

impl<'a> Solitude<'a> {
    fn new(program: &'a Program) -> Result<Solitude<'a>, Rejected> {
        if !program.axioms.is_empty() || program.procedures.iter().any(|procedure| procedure.body.is_err()) {
            return Err(missing("the program has axioms, or procedures without bodies"));
        }
        let shared: FxHashSet<Term> =
            program.globals.iter().filter(|global| !global.thread_local).map(|global| global.term).collect();
        let mut solitude = Solitude { program, shared, watched: FxHashSet::default(), heads: FxHashSet::default() };
        let accompanied = solitude.accompanied();
        let mut changing: FxHashSet<Term> = FxHashSet::default();
        for (_, edge) in solitude.edges().filter(|(at, _)| accompanied.contains(at)) {
            changing.extend(edge.op.writes());
        }
        if program.reads_thread_numbers() {
            return Err(missing("the program reads the numbers of threads"));
        }
        let mut watched = FxHashSet::default();
        for (at, edge) in solitude.edges() {
            let read = term::free::variables(edge.op.reads());
            if matches!(edge.op, Op::Call { .. }) {
                return Err(missing("the program has calls"));
            }
            let is_seen = edge.op.writes().iter().any(|variable| solitude.shared.contains(variable))
                || read.iter().any(|variable| solitude.shared.contains(variable) && changing.contains(variable));
            let is_special = matches!(edge.op, Op::Spawn { .. } | Op::AtomicBegin | Op::AtomicEnd);
            if is_special || solitude.stops(at.0, edge.to) || is_seen && accompanied.contains(&at) {
                watched.insert(at);
            }
        }
        solitude.watched = watched;
        solitude.heads = program.procedures().flat_map(|(id, _)| solitude.heads_of(id)).collect();
        Ok(solitude)
    }

    fn cfa(&self, procedure: ProcId) -> Option<&'a Cfa> {
        self.program.procedure(procedure).body.as_ref().ok()
    }

    fn edges(&self) -> impl Iterator<Item = (At, &'a ir::Edge)> + use<'a> {
        let program = self.program;
        program.procedures().flat_map(|(id, procedure)| {
            procedure.body.iter().flat_map(Cfa::edges).map(move |(_, edge)| ((id, edge.from), edge))
        })
    }

    /// Whether the program may end where a thread comes to a location.
    fn stops(&self, procedure: ProcId, location: LocId) -> bool {
        self.cfa(procedure).is_some_and(|cfa| {
            cfa.location(location).kind == LocationKind::End
                || procedure == self.program.entry && location == cfa.exit()
        })
    }

    /// Where there may be two threads.
    fn accompanied(&self) -> FxHashSet<At> {
        let start = |procedure: ProcId| self.cfa(procedure).map(|cfa| (procedure, cfa.entry()));
        let mut pending: Vec<At> = Vec::new();
        for (at, edge) in self.edges() {
            if let Op::Spawn { procedure, .. } = edge.op {
                pending.push((at.0, edge.to));
                pending.extend(start(procedure));
            }
        }
        let mut found = FxHashSet::default();
        while let Some(at) = pending.pop() {
            if found.insert(at)
                && let Some(cfa) = self.cfa(at.0)
            {
                pending.extend(cfa.outgoing(at.1).iter().map(|edge| (at.0, cfa.edge(*edge).to)));
            }
        }
        found
    }

    /// Locations without which a procedure has no cycle.
    fn heads_of(&self, procedure: ProcId) -> Vec<At> {
        let Some(cfa) = self.cfa(procedure) else { return Vec::new() };
        // An edge leads back if its end was entered before its start and is not left.
        let (mut heads, mut open, mut seen) = (Vec::new(), FxHashSet::default(), FxHashSet::default());
        let mut stack = vec![(cfa.entry(), false)];
        while let Some((location, is_left)) = stack.pop() {
            if is_left {
                open.remove(&location);
                continue;
            }
            if !seen.insert(location) {
                continue;
            }
            open.insert(location);
            stack.push((location, true));
            for edge in cfa.outgoing(location).iter().rev() {
                let to = cfa.edge(*edge).to;
                if open.contains(&to) {
                    heads.push((procedure, to));
                }
                stack.push((to, false));
            }
        }
        heads
    }

    /// Tells where a thread can come to, and whether it is gone then.
    fn walk(
        &self,
        start: Walk,
        is_first: bool,
        tell: &mut dyn FnMut(&Walk, bool) -> Result<(), Rejected>,
    ) -> Result<(), Rejected> {
        let mut pending = vec![start];
        let mut steps = 0;
        while let Some(walk) = pending.pop() {
            steps += 1;
            if steps == MOST_STEPS {
                let why = format!("a thread goes {MOST_STEPS} ways from one set of states to the next");
                return Err(Rejected::Undecided(Unknown::Incomplete(why)));
            }
            let Some(cfa) = self.cfa(walk.at.0) else {
                return Err(missing("a thread is in a procedure without a body"));
            };
            let location = cfa.location(walk.at.1);
            if matches!(location.kind, LocationKind::Error(_) | LocationKind::Unsupported(_)) {
                return Err(missing("a violation can be reached"));
            }
            if location.kind == LocationKind::End || is_first && walk.at.1 == cfa.exit() {
                continue;
            }
            if walk.at.1 == cfa.exit() {
                tell(&Walk { depth: 0, ..walk }, true)?;
                continue;
            }
            let is_alone = walk.depth > 0 || !self.watched.contains(&walk.at);
            if walk.moved && (self.heads.contains(&walk.at) || !is_alone) {
                tell(&walk, false)?;
                continue;
            }
            let next: Vec<Walk> =
                cfa.outgoing(walk.at.1).iter().flat_map(|edge| self.step(cfa, &walk, *edge)).collect();
            // A thread that stops in an atomic section stops all; the first thread is told of even if it stops.
            if next.is_empty() && walk.moved && walk.depth == 0 {
                tell(&walk, !is_first)?;
            }
            pending.extend(next);
        }
        Ok(())
    }

    fn step(&self, cfa: &Cfa, walk: &Walk, edge: EdgeId) -> Vec<Walk> {
        let edge = cfa.edge(edge);
        let mut next = walk.clone();
        next.at.1 = edge.to;
        next.moved = true;
        match &edge.op {
            Op::Assume(condition) => match walk.value(*condition) {
                Some(constant) if constant == falsehood() => return Vec::new(),
                Some(_) => {}
                None => self.narrow(&mut next, *condition),
            },
            Op::Assign(pairs) => {
                pairs.iter().for_each(|(variable, value)| self.set(&mut next, *variable, walk.value(*value)))
            }
            Op::Havoc(variables) => return self.choices(next, variables),
            Op::Spawn { procedure, arguments, .. } => {
                let Some(location) = self.cfa(*procedure).map(Cfa::entry) else { return Vec::new() };
                let parameters = self.program.procedure(*procedure).parameters.iter().zip(arguments);
                let own = parameters.filter_map(|(p, argument)| Some((p.term, walk.value(*argument)?))).collect();
                next.started.push(Standing { procedure: *procedure, location, own });
            }
            Op::AtomicBegin => next.depth += 1,
            Op::AtomicEnd => next.depth = next.depth.saturating_sub(1),
            Op::Call { .. } => {}
        }
        vec![next]
    }

    fn choices(&self, walk: Walk, variables: &[Term]) -> Vec<Walk> {
        let mut walks = vec![walk];
        for variable in variables {
            let count = variable.sort().cardinality().filter(|count| *count <= MOST_VALUES);
            let is_few = count.is_some_and(|count| walks.len() * count as usize <= MOST_CHOICES);
            let values: Vec<Option<Term>> = match variable.sort().values().filter(|_| is_few) {
                Some(values) => values.map(|value| Some(Term::constant(value))).collect(),
                None => vec![None],
            };
            let with = |walk: &Walk, value: &Option<Term>| {
                let mut walk = walk.clone();
                self.set(&mut walk, *variable, *value);
                walk
            };
            walks = walks.iter().flat_map(|walk| values.iter().map(|value| with(walk, value))).collect();
        }
        walks
    }

    fn set(&self, walk: &mut Walk, variable: Term, value: Option<Term>) {
        let place = if self.shared.contains(&variable) { &mut walk.shared } else { &mut walk.own };
        match value {
            Some(value) => place.insert(variable, value),
            None => place.remove(&variable),
        };
    }

    /// What a condition that holds says of values that are not known.
    fn narrow(&self, walk: &mut Walk, condition: Term) {
        let fact = match (condition.op(), condition.args()) {
            (TermOp::And, parts) => {
                parts.iter().for_each(|part| self.narrow(walk, *part));
                return;
            }
            (TermOp::Var { .. }, _) => Some((condition, truth())),
            (TermOp::Not, [part]) if part.is_var() => Some((*part, falsehood())),
            (TermOp::Eq, [a, b]) if a.is_var() => walk.value(*b).map(|value| (*a, value)),
            _ => None,
        };
        if let Some((variable, value)) = fact
            && walk.read(variable).is_none()
        {
            self.set(walk, variable, Some(value));
        }
    }
}
