//! All executions of a small program with threads, one state after the other. All variables are bit-vectors.
//!
//! What a trace cannot tell is zero here as it is in a replay: the first values of local variables.

use engine::{Step, Trace};
use ir::{Cfa, EdgeId, LocId, LocationKind, Op, ProcId, Procedure, Program, PropertyId, Variable};
use std::collections::HashMap;
use term::eval::evaluate;
use term::{Term, Value};

/// Variables with more bits are not guessed: they start with zero.
const GUESSED_BITS: u32 = 2;
/// More states are not looked at.
const MOST_STATES: usize = 100_000;
/// Executions with more threads or deeper stacks are not followed.
const MOST_THREADS: usize = 4;
const MOST_FRAMES: usize = 4;

#[derive(Clone, PartialEq, Eq, Hash)]
struct Frame {
    procedure: ProcId,
    location: LocId,
    /// Parameters, results and locals, in this order.
    locals: Vec<u64>,
    /// Where the results go.
    results: Vec<Term>,
}

#[derive(Clone, PartialEq, Eq, Hash)]
struct Thread {
    number: u32,
    frames: Vec<Frame>,
    atomic: u32,
}

#[derive(Clone, PartialEq, Eq, Hash)]
struct State {
    globals: Vec<u64>,
    threads: Vec<Thread>,
    started: u32,
    /// The number of the thread that ran last; the first one runs first.
    last: u32,
    contexts: u32,
    violation: Option<PropertyId>,
    has_ended: bool,
}

/// There are more states than the test has patience for.
pub struct TooMany;

/// An execution that violates a property, in at most so many contexts. All values of the globals are tried at the start, except
/// for those that passes made up and that are assigned before they are read.
pub fn explore(program: &Program, contexts: u32) -> Result<Option<Trace>, TooMany> {
    Explorer { program, contexts, number: HashMap::new(), states: Vec::new() }.run()
}

struct Explorer<'a> {
    program: &'a Program,
    contexts: u32,
    number: HashMap<State, usize>,
    /// Each state with the step that led to it, and from where.
    states: Vec<(State, Option<(usize, Step)>)>,
}

fn width(variable: &Variable) -> u32 {
    variable.sort().bv_width().expect("a vector")
}

fn own(procedure: &Procedure) -> impl Iterator<Item = &Variable> {
    procedure.parameters.iter().chain(&procedure.results).chain(&procedure.locals)
}

/// How many values of a global are tried at the start.
fn guesses(global: &Variable) -> u64 {
    let name = global.name();
    match name.as_str() {
        // How many threads were started before a round.
        counter if counter.starts_with("$started@") => MOST_THREADS as u64,
        guess if guess.contains('^') || guess.starts_with('$') => 1,
        _ if width(global) <= GUESSED_BITS => 1 << width(global),
        _ => 1,
    }
}

/// All values of some variables.
fn all(variables: &[&Variable], count: impl Fn(&Variable) -> u64) -> Vec<Vec<u64>> {
    variables.iter().fold(vec![Vec::new()], |lists, variable| {
        let values = count(variable);
        lists.iter().flat_map(|list| (0..values).map(move |v| list.iter().copied().chain([v]).collect())).collect()
    })
}

impl Explorer<'_> {
    fn body(&self, procedure: ProcId) -> &Cfa {
        self.program.procedure(procedure).body.as_ref().expect("a body")
    }

    fn frame(&self, procedure: ProcId, arguments: Vec<u64>, results: Vec<Term>) -> Frame {
        let mut locals = arguments;
        locals.resize(own(self.program.procedure(procedure)).count(), 0);
        Frame { procedure, location: self.body(procedure).entry(), locals, results }
    }

    fn run(mut self) -> Result<Option<Trace>, TooMany> {
        let first =
            Thread { number: 0, frames: vec![self.frame(self.program.entry, Vec::new(), Vec::new())], atomic: 0 };
        let globals: Vec<&Variable> = self.program.globals.iter().collect();
        for globals in all(&globals, guesses) {
            let threads = vec![first.clone()];
            let state = State { globals, threads, started: 0, last: 0, contexts: 1, violation: None, has_ended: false };
            self.add(state, None);
        }
        let mut next = 0;
        while next < self.states.len() {
            let state = self.states[next].0.clone();
            if let Some(property) = state.violation {
                return Ok(Some(self.trace(next, property)));
            }
            if self.states.len() > MOST_STATES {
                return Err(TooMany);
            }
            for thread in 0..state.threads.len() {
                self.steps(next, &state, thread);
            }
            next += 1;
        }
        Ok(None)
    }

    fn add(&mut self, state: State, from: Option<(usize, Step)>) {
        if !self.number.contains_key(&state) {
            self.number.insert(state.clone(), self.states.len());
            self.states.push((state, from));
        }
    }

    fn trace(&self, mut at: usize, property: PropertyId) -> Trace {
        let mut steps = Vec::new();
        while let (_, Some((before, step))) = &self.states[at] {
            steps.push(step.clone());
            at = *before;
        }
        steps.reverse();
        let globals = self.program.globals.iter().zip(&self.states[at].0.globals);
        let initial = globals.map(|(variable, value)| (variable.term, Value::bv(width(variable), (*value).into())));
        Trace { property, initial: initial.collect(), memory: Vec::new(), functions: Vec::new(), steps }
    }

    /// All steps of one thread.
    fn steps(&mut self, from: usize, state: &State, thread: usize) {
        let others_wait = state.threads.iter().any(|other| other.number == state.last && other.atomic > 0);
        let number = state.threads[thread].number;
        if state.has_ended || others_wait && number != state.last {
            return;
        }
        let contexts = state.contexts + u32::from(number != state.last);
        if contexts > self.contexts {
            return;
        }
        let state = State { last: number, contexts, ..state.clone() };
        let Some(frame) = state.threads[thread].frames.last().cloned() else { return };
        for edge in self.body(frame.procedure).outgoing(frame.location).to_vec() {
            for (after, values) in self.edge(&state, thread, &frame, edge) {
                let step = Step { thread: number, procedure: frame.procedure, edge, values, locals: Vec::new() };
                if let Some(after) = self.arrive(after, thread) {
                    self.add(after, Some((from, step)));
                }
            }
        }
    }

    fn read(&self, state: &State, frame: &Frame, term: Term) -> Value {
        let value = |variable: Term| {
            let local = own(self.program.procedure(frame.procedure)).position(|known| known.term == variable);
            let global = || self.program.globals.iter().position(|known| known.term == variable);
            let value = local.map(|i| frame.locals[i]).or_else(|| global().map(|i| state.globals[i]))?;
            Some(Value::bv(variable.sort().bv_width()?, value.into()))
        };
        evaluate(term, &value).expect("a term over known variables")
    }

    fn vector(&self, state: &State, frame: &Frame, term: Term) -> u64 {
        self.read(state, frame, term).as_bv().expect("a vector").unsigned() as u64
    }

    fn write(&self, state: &mut State, thread: usize, variable: Term, value: u64) {
        let frame = state.threads[thread].frames.last_mut().expect("a running procedure");
        match own(self.program.procedure(frame.procedure)).position(|known| known.term == variable) {
            Some(local) => frame.locals[local] = value,
            None => {
                let global = self.program.globals.iter().position(|known| known.term == variable);
                state.globals[global.expect("a global")] = value;
            }
        }
    }

    /// The states behind an edge, with the values that were chosen.
    fn edge(&self, state: &State, thread: usize, frame: &Frame, edge: EdgeId) -> Vec<(State, Vec<Value>)> {
        let edge = self.body(frame.procedure).edge(edge);
        let mut after = state.clone();
        after.threads[thread].frames.last_mut().expect("a running procedure").location = edge.to;
        match &edge.op {
            Op::Assign(pairs) => {
                for (variable, value) in pairs {
                    self.write(&mut after, thread, *variable, self.vector(state, frame, *value));
                }
            }
            Op::Assume(condition) => {
                if self.read(state, frame, *condition).as_bool() != Some(true) {
                    return Vec::new();
                }
            }
            Op::Havoc(variables) => {
                let declared = self.program.globals.iter().chain(own(self.program.procedure(frame.procedure)));
                let declared: Vec<&Variable> = declared.collect();
                let chosen: Vec<&Variable> = variables
                    .iter()
                    .map(|variable| *declared.iter().find(|known| known.term == *variable).expect("a variable"))
                    .collect();
                let after_choice = |values: Vec<u64>| {
                    let mut after = after.clone();
                    for (variable, value) in variables.iter().zip(&values) {
                        self.write(&mut after, thread, *variable, *value);
                    }
                    let values =
                        chosen.iter().zip(values).map(|(v, value)| Value::bv(width(v), value.into())).collect();
                    (after, values)
                };
                return all(&chosen, |variable| 1 << width(variable)).into_iter().map(after_choice).collect();
            }
            Op::Call { procedure, arguments, results } => {
                if frame_count(state, thread) == MOST_FRAMES {
                    return Vec::new();
                }
                let arguments = arguments.iter().map(|argument| self.vector(state, frame, *argument)).collect();
                let frame = self.frame(*procedure, arguments, results.clone());
                after.threads[thread].frames.push(frame);
            }
            Op::Spawn { procedure, arguments, thread: variable } => {
                if state.threads.len() == MOST_THREADS {
                    return Vec::new();
                }
                let arguments = arguments.iter().map(|argument| self.vector(state, frame, *argument)).collect();
                after.started += 1;
                let number = after.started;
                self.write(&mut after, thread, *variable, u64::from(number) & 3);
                let frames = vec![self.frame(*procedure, arguments, Vec::new())];
                after.threads.push(Thread { number, frames, atomic: 0 });
            }
            Op::AtomicBegin => after.threads[thread].atomic += 1,
            Op::AtomicEnd => after.threads[thread].atomic = after.threads[thread].atomic.saturating_sub(1),
        }
        vec![(after, Vec::new())]
    }

    /// What arriving at a location has for effect; `None` where nothing follows.
    fn arrive(&self, mut state: State, thread: usize) -> Option<State> {
        loop {
            let frame = state.threads[thread].frames.last()?.clone();
            let cfa = self.body(frame.procedure);
            match cfa.location(frame.location).kind {
                LocationKind::Error(property) => return Some(State { violation: Some(property), ..state }),
                LocationKind::End | LocationKind::Unsupported(_) => return None,
                LocationKind::Plain if frame.location != cfa.exit() => return Some(state),
                LocationKind::Plain => {}
            }
            state.threads[thread].frames.pop();
            if state.threads[thread].frames.is_empty() {
                if state.threads[thread].number == 0 {
                    return None;
                }
                state.threads.remove(thread);
                return Some(state);
            }
            let declared = self.program.procedure(frame.procedure);
            let first = declared.parameters.len();
            for (n, target) in frame.results.iter().enumerate() {
                self.write(&mut state, thread, *target, frame.locals[first + n]);
            }
        }
    }
}

fn frame_count(state: &State, thread: usize) -> usize {
    state.threads[thread].frames.len()
}
