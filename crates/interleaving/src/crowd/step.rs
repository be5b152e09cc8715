//! What a thread does when it moves: an edge, and then all that nobody else can see or interrupt.

use super::code::{Body, Code, Slot};
use ir::{EdgeId, LocId, LocationKind, Op, ProcId, PropertyId};
use source::{Place, Symbol};
use term::build::{falsehood, truth};
use term::{Op as TermOp, Term, Value, known};

/// What is known of a value, if anything is.
pub type Known = Option<Term>;

/// A variable with no more values than this gets each of them by a havoc,
const MOST_VALUES: u128 = 8;
/// as long as there are not more combinations.
const MOST_CHOICES: usize = 64;

/// What is known of a thread.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Local {
    pub procedure: ProcId,
    pub location: LocId,
    pub own: Vec<Known>,
}

/// An edge that was taken.
#[derive(Clone, Debug)]
pub struct Taken {
    pub procedure: ProcId,
    pub edge: EdgeId,
    /// What a havoc chose.
    pub values: Vec<(Term, Known)>,
}

/// A thread on its way.
#[derive(Clone, Debug)]
pub struct Running {
    pub shared: Vec<Known>,
    pub local: Local,
    pub is_first: bool,
    /// How many atomic sections it is in.
    pub depth: u32,
    pub started: Vec<Local>,
    pub taken: Vec<Taken>,
}

/// How a move ends.
pub enum Moved {
    /// The thread waits for others, or for its next turn.
    Waits(Running),
    /// It has ended, or can never move again.
    Gone(Running),
    Violates(PropertyId, Vec<Taken>),
    Unsupported(Symbol, Option<Place>),
}

/// All that a thread can do with its next move.
pub fn moves(code: &Code, start: Running) -> Vec<Moved> {
    let mut found = Vec::new();
    let mut pending = take_edges(code, &start);
    while let Some(running) = pending.pop() {
        let Local { procedure, location, .. } = running.local;
        let body = code.body(procedure);
        let at = body.cfa.location(location);
        let number = location.0 as usize;
        match at.kind {
            LocationKind::Error(property) => found.push(Moved::Violates(property, running.taken)),
            LocationKind::Unsupported(what) => found.push(Moved::Unsupported(what, at.place)),
            // Nothing follows.
            _ if code.is_end(procedure, location, running.is_first) => {}
            _ if location == body.cfa.exit() => found.push(Moved::Gone(Running { depth: 0, ..running })),
            _ if body.cut[number] || running.depth == 0 && !body.quiet[number] => {
                found.push(Moved::Waits(tidied(code, running)));
            }
            _ => {
                let next = take_edges(code, &running);
                match () {
                    () if !next.is_empty() => pending.extend(next),
                    // Who stops inside an atomic section stops all others for ever.
                    () if running.depth > 0 => {}
                    () if running.is_first => found.push(Moved::Waits(tidied(code, running))),
                    () => found.push(Moved::Gone(running)),
                }
            }
        }
    }
    found
}

/// The values that nobody reads any more are forgotten.
fn tidied(code: &Code, mut running: Running) -> Running {
    let Local { procedure, location, .. } = running.local;
    for number in &code.body(procedure).dead[location.0 as usize] {
        running.local.own[*number] = None;
    }
    running
}

fn take_edges(code: &Code, running: &Running) -> Vec<Running> {
    let body = code.body(running.local.procedure);
    body.cfa.outgoing(running.local.location).iter().flat_map(|edge| take(code, body, running, *edge)).collect()
}

/// What becomes of a thread that takes an edge.
fn take(code: &Code, body: &Body, running: &Running, id: EdgeId) -> Vec<Running> {
    let edge = body.cfa.edge(id);
    let mut next = running.clone();
    next.local.location = edge.to;
    next.taken.push(Taken { procedure: running.local.procedure, edge: id, values: Vec::new() });
    match &edge.op {
        Op::Assume(condition) => match running.value(body, *condition) {
            Some(constant) if constant == falsehood() => return Vec::new(),
            Some(_) => {}
            None => next.learn(body, *condition),
        },
        Op::Assign(pairs) => {
            for (target, value) in pairs {
                let value = running.value(body, *value);
                next.write(body, *target, value);
            }
        }
        Op::Havoc(variables) => return chosen(body, next, variables),
        Op::Spawn { procedure, arguments, .. } => {
            let started = code.body(*procedure);
            let mut own = vec![None; started.own.len()];
            for (number, argument) in started.parameters.iter().zip(arguments) {
                own[*number] = running.value(body, *argument);
            }
            let location = started.cfa.entry();
            for number in &started.dead[location.0 as usize] {
                own[*number] = None;
            }
            next.started.push(Local { procedure: *procedure, location, own });
        }
        Op::AtomicBegin => next.depth += 1,
        Op::AtomicEnd => next.depth = next.depth.saturating_sub(1),
        Op::Call { .. } => return Vec::new(),
    }
    vec![next]
}

/// What becomes of a thread all of whose values are known, if it takes an edge with these choices. `None` if it cannot.
pub fn follow(code: &Code, running: &Running, id: EdgeId, values: &[Value]) -> Option<Running> {
    let body = code.body(running.local.procedure);
    let edge = body.cfa.edge(id);
    if edge.from != running.local.location {
        return None;
    }
    match &edge.op {
        Op::Assume(condition) if running.value(body, *condition) != Some(truth()) => None,
        Op::Havoc(variables) => {
            let mut next = running.clone();
            next.local.location = edge.to;
            for (variable, value) in variables.iter().zip(values) {
                next.write(body, *variable, Some(Term::constant(value.clone())));
            }
            Some(next)
        }
        _ => take(code, body, running, id).pop(),
    }
}

/// One for each choice of values, as long as those are few.
fn chosen(body: &Body, next: Running, variables: &[Term]) -> Vec<Running> {
    let mut all = vec![next];
    for variable in variables {
        let few = variable.sort().cardinality().filter(|count| *count <= MOST_VALUES);
        let values: Vec<Known> = match few.and_then(|_| variable.sort().values()) {
            Some(values) if all.len() * few.unwrap_or(1) as usize <= MOST_CHOICES => {
                values.map(|value| Some(Term::constant(value))).collect()
            }
            _ => vec![None],
        };
        let with = |running: &Running, value: Known| {
            let mut running = running.clone();
            running.write(body, *variable, value);
            if let Some(taken) = running.taken.last_mut() {
                taken.values.push((*variable, value));
            }
            running
        };
        all = all.iter().flat_map(|running| values.iter().map(|value| with(running, *value))).collect();
    }
    all
}

impl Running {
    fn read(&self, body: &Body, variable: Term) -> Known {
        match body.slots.get(&variable)? {
            Slot::Shared(number) => self.shared[*number],
            Slot::Own(number) => self.local.own[*number],
        }
    }

    fn write(&mut self, body: &Body, variable: Term, value: Known) {
        match body.slots.get(&variable) {
            Some(Slot::Shared(number)) => self.shared[*number] = value,
            Some(Slot::Own(number)) => self.local.own[*number] = value,
            None => {}
        }
    }

    fn value(&self, body: &Body, term: Term) -> Known {
        known(term, &|variable| self.read(body, variable))
    }

    /// What a condition that holds says of values that were not known.
    fn learn(&mut self, body: &Body, condition: Term) {
        let mut pending = vec![condition];
        while let Some(term) = pending.pop() {
            let (variable, value) = match (term.op(), term.args()) {
                (TermOp::And, parts) => {
                    pending.extend(parts);
                    continue;
                }
                (TermOp::Var { .. }, _) => (term, truth()),
                (TermOp::Not, [part]) if part.is_var() => (*part, falsehood()),
                (TermOp::Eq, [a, b]) if a.is_var() => match self.value(body, *b) {
                    Some(value) => (*a, value),
                    None => continue,
                },
                _ => continue,
            };
            if self.read(body, variable).is_none() {
                self.write(body, variable, Some(value));
            }
        }
    }
}

/// What is known of variables.
pub fn named(variables: &[Term], values: &[Known]) -> Vec<(Term, Term)> {
    variables.iter().zip(values).filter_map(|(variable, value)| Some((*variable, (*value)?))).collect()
}
