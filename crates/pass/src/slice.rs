//! Slicing: conditions that decide nothing are dropped, where [`analysis::slice`] shows that.
//!
//! Locations and edges stay, and each edge can be taken whenever it could before: the new program can do whatever the old one
//! can, even if the analysis were wrong, so TRUE carries over with its proof as it is. An execution of the new program
//! may take other ways through what decides nothing: the lift executes the program before, and takes those ways there that
//! can be taken.
//!
//! Invariant: no location that must not be reached becomes reachable or unreachable.

use crate::{Identity, Lift, Passed};
use analysis::slice::Slice;
use engine::{Proof, Step, Trace};
use ir::interp::{At, ChoiceError, Choices, Chosen, End, Interpreter, Limits, NoHost, Observer, State, Zeros};
use ir::{Cfa, EdgeId, Op, ProcId, Program, Variable};
use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::Arc;
use term::{Function, Term, Value};

/// Drops the conditions that decide nothing. A program with calls, threads or axioms stays as it is.
pub fn slice(program: &Program) -> Passed {
    sliced(program).unwrap_or_else(|| Passed { program: program.clone(), lift: Arc::new(Identity) })
}

fn sliced(program: &Program) -> Option<Passed> {
    let slice = Slice::new(program).filter(|_| program.axioms.is_empty())?;
    let body = program.procedure(program.entry).body.as_ref().ok()?;
    let (locations, mut edges, entry, exit) = body.clone().into_parts();
    let mut changed = false;
    for edge in &mut edges {
        if matches!(edge.op, Op::Assume(_)) && !slice.decides(edge.from) {
            edge.op = Op::skip();
            changed = true;
        }
    }
    if !changed {
        return None;
    }
    let mut simpler = program.clone();
    simpler.procedures[program.entry.0 as usize].body = Ok(Cfa::new(locations, edges, entry, exit));
    Some(Passed { program: simpler, lift: Arc::new(Sliced { before: program.clone(), slice }) })
}

struct Sliced {
    before: Program,
    slice: Slice,
}

impl Lift for Sliced {
    /// The trace as it is, if the program before cannot be executed along what was observed: then it is no execution.
    fn trace(&self, trace: Trace) -> Trace {
        match self.executed(&trace) {
            Some(steps) => Trace { steps, ..trace },
            None => trace,
        }
    }

    fn proof(&self, proof: Proof) -> Option<Proof> {
        Some(proof)
    }
}

impl Sliced {
    /// The steps of the execution that agrees with a trace in all that is observed.
    fn executed(&self, trace: &Trace) -> Option<Vec<Step>> {
        let observed = trace.steps.iter().filter(|step| self.is_observed(step.procedure, step.edge)).collect();
        let shared = RefCell::new(Progress { observed, done: 0, values: Vec::new(), steps: Vec::new() });
        let mut choices = Follow {
            initial: trace.initial.iter().map(|(variable, value)| (*variable, value)).collect(),
            functions: trace.functions.iter().map(|(function, on, value)| ((function, &on[..]), value)).collect(),
            sliced: self,
            progress: &shared,
        };
        let mut noting = Noting { sliced: self, progress: &shared };
        // From one observed location to the next no location is passed twice.
        let locations = self.before.procedure(self.before.entry).body.as_ref().map_or(0, Cfa::location_count);
        let limits = Limits { steps: (trace.steps.len() as u64 + 1) * (locations as u64 + 1), ..Limits::default() };
        let mut run = Interpreter::new(&self.before);
        let outcome = run.run(&mut choices, &mut NoHost, &limits, Some(&mut noting));
        let is_same = outcome.end == End::Violated(trace.property);
        is_same.then(|| std::mem::take(&mut shared.borrow_mut().steps))
    }

    fn is_observed(&self, procedure: ProcId, edge: EdgeId) -> bool {
        let body = &self.before.procedure(procedure).body;
        body.as_ref().is_ok_and(|cfa| self.slice.is_observed(cfa.edge(edge).from))
    }
}

/// How far an execution is.
struct Progress<'a> {
    /// The steps from observed locations that it must take, and how many it has taken.
    observed: Vec<&'a Step>,
    done: usize,
    /// What the edge that is being taken has chosen.
    values: Vec<Value>,
    /// All steps so far.
    steps: Vec<Step>,
}

/// Chooses what the trace says where it matters.
struct Follow<'a> {
    initial: HashMap<Term, &'a Value>,
    functions: HashMap<(&'a Function, &'a [Value]), &'a Value>,
    sliced: &'a Sliced,
    progress: &'a RefCell<Progress<'a>>,
}

impl Choices for Follow<'_> {
    fn initial(&mut self, variable: &Variable, at: &At) -> Chosen<Value> {
        self.initial.get(&variable.term).map_or_else(|| Zeros.initial(variable, at), |value| Ok((*value).clone()))
    }

    fn havoc(&mut self, variable: &Variable, at: &At) -> Chosen<Value> {
        let mut progress = self.progress.borrow_mut();
        let position = progress.values.len();
        let told = progress.observed.get(progress.done).filter(|_| self.sliced.slice.is_observed(at.location));
        let value = match told.and_then(|step| step.values.get(position)) {
            Some(value) => value.clone(),
            None => Zeros.havoc(variable, at)?,
        };
        progress.values.push(value.clone());
        Ok(value)
    }

    fn result(&mut self, procedure: ProcId, _: &Variable, _: &At) -> Chosen<Value> {
        Err(ChoiceError::mismatch("a program without calls", procedure))
    }

    fn branch(&mut self, edges: &[EdgeId], at: &At) -> Chosen<usize> {
        if !self.sliced.slice.is_observed(at.location) {
            return Ok(0);
        }
        let progress = self.progress.borrow();
        let wanted = progress.observed.get(progress.done).ok_or(ChoiceError::Exhausted)?.edge;
        let position = edges.iter().position(|edge| *edge == wanted);
        position.ok_or_else(|| ChoiceError::mismatch(format!("one of the edges {edges:?}"), wanted))
    }

    fn schedule(&mut self, runnable: &[u32], at: &At) -> Chosen<usize> {
        Zeros.schedule(runnable, at)
    }

    fn bytes(&mut self, object: u32, offset: u64, bytes: &mut [u8]) -> Chosen<()> {
        Zeros.bytes(object, offset, bytes)
    }

    fn address(&mut self, object: u32, size: u64, suggested: u64) -> Chosen<u64> {
        Zeros.address(object, size, suggested)
    }

    fn apply(&mut self, function: &Function, arguments: &[Value]) -> Chosen<Value> {
        let told = self.functions.get(&(function, arguments));
        told.map_or_else(|| Zeros.apply(function, arguments), |value| Ok((*value).clone()))
    }
}

/// Notes the steps of an execution.
struct Noting<'a> {
    sliced: &'a Sliced,
    progress: &'a RefCell<Progress<'a>>,
}

impl Observer for Noting<'_> {
    fn edge(&mut self, at: &At, _: &State) {
        let Some(edge) = at.edge else { return };
        let mut progress = self.progress.borrow_mut();
        let values = std::mem::take(&mut progress.values);
        progress.steps.push(Step { thread: at.thread, procedure: at.procedure, edge, values, locals: Vec::new() });
        progress.done += usize::from(self.sliced.is_observed(at.procedure, edge));
    }
}
