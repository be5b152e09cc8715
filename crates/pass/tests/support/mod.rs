//! All executions of small programs with calls, by enumeration, and the execution of a trace.

use analysis::live::Live;
use engine::{Step, Trace};
use ir::{Cfa, EdgeId, LocId, LocationKind, Op, ProcId, Program, PropertyId};
use pass::Bound;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use term::eval::evaluate;
use term::{Term, Value};

/// Programs with more states are not looked at.
const MOST_STATES: usize = 2_000;

type Values = BTreeMap<Term, Value>;

/// A procedure that runs.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Frame {
    procedure: ProcId,
    location: LocId,
    own: Values,
    /// The variables that take the results, in the frame below.
    results: Vec<Term>,
}

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct State {
    globals: Values,
    frames: Vec<Frame>,
}

/// What an enumeration finds.
pub struct Found {
    /// An execution that comes to an error location.
    pub error: Option<Trace>,
    /// Whether an execution leaves the bound.
    pub is_beyond: bool,
    /// Whether all states were looked at.
    pub is_complete: bool,
}

/// The steps that led somewhere, the last one first.
#[derive(Clone)]
struct Way(Option<Rc<(Step, Way)>>);

impl Way {
    fn steps(&self) -> Vec<Step> {
        let (mut way, mut steps) = (self, Vec::new());
        while let Some(last) = &way.0 {
            steps.push(last.0.clone());
            way = &last.1;
        }
        steps.reverse();
        steps
    }
}

fn cfa(program: &Program, procedure: ProcId) -> &Cfa {
    program.procedure(procedure).body.as_ref().expect("a body")
}

/// All ways to give variables values; those that are not read have one.
fn choices(variables: impl Iterator<Item = Term>, is_read: impl Fn(Term) -> bool) -> Vec<Values> {
    variables.fold(vec![Values::new()], |all, variable| {
        let most = if is_read(variable) { usize::MAX } else { 1 };
        let values: Vec<Value> = variable.sort().values().expect("a small sort").take(most).collect();
        let with = |known: &Values| {
            let extend =
                |value: &Value| known.iter().map(|(v, x)| (*v, x.clone())).chain([(variable, value.clone())]).collect();
            values.iter().map(extend).collect::<Vec<Values>>()
        };
        all.iter().flat_map(with).collect()
    })
}

fn first(program: &Program) -> Vec<State> {
    let entry = program.procedure(program.entry);
    let own: Vec<Term> = entry.parameters.iter().chain(&entry.results).chain(&entry.locals).map(|v| v.term).collect();
    let all = program.globals.iter().map(|v| v.term).chain(own.iter().copied());
    let start = |values: Values| {
        let (own, globals) = values.into_iter().partition(|(variable, _)| own.contains(variable));
        let location = cfa(program, program.entry).entry();
        State { globals, frames: vec![Frame { procedure: program.entry, location, own, results: Vec::new() }] }
    };
    let live = Live::new(program, program.entry);
    let entry = cfa(program, program.entry).entry();
    // What a pass made up is set before it is read, whatever paths there seem to be.
    let is_made_up = |variable: Term| variable.name().is_some_and(|name| name.as_str().contains('%'));
    let is_read = |variable| program.procedures.len() > 1 || live.at(entry, variable) && !is_made_up(variable);
    choices(all, is_read).into_iter().map(start).collect()
}

impl State {
    fn read(&self, term: Term) -> Value {
        let own = &self.frames.last().expect("a frame").own;
        evaluate(term, &|variable| own.get(&variable).or_else(|| self.globals.get(&variable)).cloned()).expect("closed")
    }

    fn write(&mut self, variable: Term, value: Value) {
        let own = &mut self.frames.last_mut().expect("a frame").own;
        let values = if own.contains_key(&variable) { own } else { &mut self.globals };
        values.insert(variable, value);
    }

    fn top(&self) -> &Frame {
        self.frames.last().expect("a frame")
    }

    /// Returns wherever a procedure is at its end.
    fn settle(mut self, program: &Program) -> State {
        while self.frames.len() > 1 && self.top().location == cfa(program, self.top().procedure).exit() {
            let callee = program.procedure(self.top().procedure);
            let returned: Vec<Value> = callee.results.iter().map(|result| self.read(result.term)).collect();
            let frame = self.frames.pop().expect("a frame");
            frame.results.into_iter().zip(returned).for_each(|(variable, value)| self.write(variable, value));
        }
        self
    }

    /// The states after an edge, with the values that it chose and the first values of variables that it made.
    fn after(&self, program: &Program, edge: EdgeId) -> Vec<(State, Vec<Value>, Values)> {
        let edge = cfa(program, self.top().procedure).edge(edge);
        let mut next = self.clone();
        next.frames.last_mut().expect("a frame").location = edge.to;
        match &edge.op {
            Op::Assume(condition) if self.read(*condition) != Value::Bool(true) => Vec::new(),
            Op::Assume(_) => vec![(next, Vec::new(), Values::new())],
            Op::Assign(pairs) => {
                pairs.iter().for_each(|(variable, value)| next.write(*variable, self.read(*value)));
                vec![(next, Vec::new(), Values::new())]
            }
            Op::Havoc(variables) => {
                let chosen = choices(variables.iter().copied(), |_| true).into_iter().map(|values| {
                    let mut state = next.clone();
                    variables.iter().for_each(|variable| state.write(*variable, values[variable].clone()));
                    (state, variables.iter().map(|variable| values[variable].clone()).collect(), Values::new())
                });
                chosen.collect()
            }
            Op::Call { procedure, arguments, results } => {
                let callee = program.procedure(*procedure);
                let free = callee.results.iter().chain(&callee.locals).map(|variable| variable.term);
                let live = Live::new(program, *procedure);
                let entry = cfa(program, *procedure).entry();
                let entered = choices(free, |variable| live.at(entry, variable)).into_iter().map(|values| {
                    let mut state = next.clone();
                    let mut own = values.clone();
                    own.extend(callee.parameters.iter().map(|p| p.term).zip(arguments.iter().map(|a| self.read(*a))));
                    let location = cfa(program, *procedure).entry();
                    state.frames.push(Frame { procedure: *procedure, location, own, results: results.clone() });
                    (state, Vec::new(), values)
                });
                entered.collect()
            }
            other => panic!("not written: {other:?}"),
        }
    }

    /// Whether a procedure was entered again more often.
    fn is_deeper(&self, recursion: usize) -> bool {
        let entered = |frame: &Frame| self.frames.iter().filter(|other| other.procedure == frame.procedure).count();
        entered(self.top()) > recursion + 1
    }
}

/// All executions, where procedures are entered again so often at most.
pub fn enumerate(program: &Program, recursion: usize) -> Found {
    let mut found = Found { error: None, is_beyond: false, is_complete: true };
    let mut seen = BTreeSet::new();
    let mut pending: Vec<(State, Rc<State>, Way)> =
        first(program).into_iter().map(|state| (state.clone(), Rc::new(state), Way(None))).collect();
    while let Some((state, start, way)) = pending.pop() {
        let top = state.top();
        let body = cfa(program, top.procedure);
        match body.location(top.location).kind {
            LocationKind::Error(property) => {
                let initial = start.globals.iter().chain(&start.frames[0].own);
                let initial = initial.map(|(variable, value)| (*variable, value.clone())).collect();
                let trace = Trace { property, initial, memory: Vec::new(), functions: Vec::new(), steps: way.steps() };
                found.error.get_or_insert(trace);
                continue;
            }
            kind if Bound::of(kind).is_some() => found.is_beyond = true,
            _ => {}
        }
        if !seen.insert(state.clone()) {
            continue;
        }
        if seen.len() > MOST_STATES {
            found.is_complete = false;
            return found;
        }
        for edge in body.outgoing(top.location) {
            for (next, values, locals) in state.after(program, *edge) {
                if next.is_deeper(recursion) {
                    found.is_beyond = true;
                    continue;
                }
                let locals = locals.into_iter().collect();
                let step = Step { thread: 0, procedure: top.procedure, edge: *edge, values, locals };
                pending.push((next.settle(program), start.clone(), Way(Some(Rc::new((step, way.clone()))))));
            }
        }
    }
    found
}

/// Whether a trace is an execution that comes to its error. What it does not tell may be anything.
pub fn replays(program: &Program, trace: &Trace) -> bool {
    let agrees = |told: &[(Term, Value)], values: &Values| {
        told.iter().all(|(variable, value)| values.get(variable).is_none_or(|known| known == value))
    };
    let mut states = first(program);
    states.retain(|state| agrees(&trace.initial, &state.globals) && agrees(&trace.initial, &state.frames[0].own));
    for step in &trace.steps {
        let mut next = BTreeSet::new();
        for state in states {
            let body = cfa(program, step.procedure);
            let is_there = state.top().procedure == step.procedure
                && (step.edge.0 as usize) < body.edge_count()
                && body.edge(step.edge).from == state.top().location;
            if is_there {
                let after = state.after(program, step.edge).into_iter();
                let fitting =
                    after.filter(|(_, values, locals)| *values == step.values && agrees(&step.locals, locals));
                next.extend(fitting.map(|(state, ..)| state.settle(program)));
            }
        }
        states = next.into_iter().collect();
    }
    let ends = |state: &State| {
        cfa(program, state.top().procedure).location(state.top().location).kind == LocationKind::Error(trace.property)
    };
    !states.is_empty() && states.iter().all(ends) && trace.property == PropertyId(0)
}
