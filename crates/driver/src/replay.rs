//! Executes a trace in the interpreter: what an engine says can happen must happen there, step by step.

use crate::axioms::{self, Admitted, Table};
use crate::inputs::Input;
use crate::lines::Lines;
use crate::narrate::{Narrator, Objects};
use crate::report::TraceStep;
use engine::Trace;
use ir::interp::{At, ChoiceError, Choices, Chosen, End, Interpreter, Limits, NoHost, Observer, State, is_foreign};
use ir::{EdgeId, Op, ProcId, Program, Variable};
use source::SourceMap;
use std::collections::HashMap;
use term::{Function, SortKind, Term, Value};

/// An executed trace.
pub struct Replayed {
    pub steps: Vec<TraceStep>,
    /// The names of objects in the steps.
    pub objects: Objects,
    /// What functions of the environment returned.
    pub inputs: Vec<Input>,
    /// The first access behind an object's end. The execution does not depend on what lies there.
    pub beyond: Option<String>,
    /// Whether there are axioms about all values, of which only consequences for the values of the execution were checked.
    pub assumes_axioms: bool,
}

/// Executes the trace; what does not fit, if the execution does not end with the trace's violation.
pub fn replay(program: &Program, trace: &Trace, lines: Lines) -> Result<Replayed, String> {
    let mut choices = Follow::new(program, trace);
    let mut told = Vec::new();
    let mut sink = |step, _: &Objects| told.push(step);
    let mut watcher = Watcher { trace, narrator: Narrator::new(program, lines, &mut sink), deviation: None };
    let limits = Limits { steps: trace.steps.len() as u64 + 1, room: true, ..Limits::default() };
    let outcome = Interpreter::new(program).run(&mut choices, &mut NoHost, &limits, Some(&mut watcher));
    let objects = std::mem::take(&mut watcher.narrator.objects);
    let inputs = std::mem::take(&mut watcher.narrator.inputs);
    if let Some(step) = watcher.deviation {
        return Err(format!("step {step} of the trace is not what happens"));
    }
    let assumes_axioms = match outcome.unchecked_axioms.is_empty() {
        true => false,
        false => axioms::admit(program, &choices.applied)? == Admitted::NotRefuted,
    };
    let steps = outcome.statistics.steps;
    match outcome.end {
        End::Violated(property) if property == trace.property && steps == trace.steps.len() as u64 => {
            Ok(Replayed { steps: told, objects, inputs, beyond: outcome.beyond, assumes_axioms })
        }
        End::Violated(property) if property == trace.property => {
            Err(format!("the violation happens after {steps} steps, not after {}", trace.steps.len()))
        }
        end => {
            Err(format!("after {steps} of {} steps the execution ends otherwise: {}", trace.steps.len(), shown(&end)))
        }
    }
}

/// Whether the execution of a trace ends with the trace's violation; what does not fit, if not.
pub fn replays(program: &Program, trace: &Trace) -> Result<(), String> {
    replay(program, trace, Lines::new(&SourceMap::new(), None)).map(|_| ())
}

/// How a run ended, in words.
pub fn shown(end: &End) -> String {
    match end {
        End::Finished(_) | End::Ended => "the program ends".to_string(),
        End::Violated(_) => "another property is violated".to_string(),
        End::Blocked => "nothing can go on".to_string(),
        End::Undefined(what) => format!("undefined behaviour: {what}"),
        End::Unsupported(what) => format!("unsupported: {what}"),
        End::Limit(limit) => limit.to_string(),
        End::Choices(error) => error.to_string(),
        End::Internal(what) => format!("internal error: {what}"),
    }
}

/// Chooses what a trace says. The n-th edge of the execution is the trace's n-th step.
struct Follow<'a> {
    program: &'a Program,
    trace: &'a Trace,
    initial: HashMap<Term, &'a Value>,
    bytes: HashMap<(u32, u64), u8>,
    functions: HashMap<(&'a Function, &'a [Value]), &'a Value>,
    pointers: HashMap<(u32, u64), &'a Value>,
    /// What functions gave so far.
    applied: Table,
}

impl<'a> Follow<'a> {
    fn new(program: &'a Program, trace: &'a Trace) -> Follow<'a> {
        let contents = trace.memory.iter().map(|(object, offset, value)| ((*object, *offset), value));
        Follow {
            program,
            trace,
            initial: trace.initial.iter().map(|(variable, value)| (*variable, value)).collect(),
            functions: trace.functions.iter().map(|(function, on, value)| ((function, &on[..]), value)).collect(),
            bytes: contents
                .clone()
                .filter_map(|(place, value)| Some((place, value.as_bv()?.unsigned() as u8)))
                .collect(),
            applied: Table::new(),
            pointers: contents.filter(|(_, value)| matches!(value, Value::Pointer { .. })).collect(),
        }
    }

    fn step(&self, at: &At) -> Chosen<&'a engine::Step> {
        self.trace.steps.get(at.step as usize).ok_or(ChoiceError::Exhausted)
    }

    /// The value at a position of the current step.
    fn value(&self, at: &At, position: Option<usize>, variable: &Variable) -> Chosen<Value> {
        let step = self.step(at)?;
        let value = position.and_then(|position| step.values.get(position));
        match value {
            Some(value) if value.sort() == variable.sort() && is_foreign(value) => Ok(value.clone()),
            other => Err(ChoiceError::mismatch(format!("a value of {} at step {}", variable.name(), at.step), other)),
        }
    }
}

fn zero(sort: term::Sort) -> Chosen<Value> {
    Value::zero(sort).ok_or_else(|| ChoiceError::mismatch(format!("a value of {sort}"), "none"))
}

impl Choices for Follow<'_> {
    fn initial(&mut self, variable: &Variable, at: &At) -> Chosen<Value> {
        // A local is asked for right after the call that enters its procedure.
        let called = at.step.checked_sub(1).and_then(|step| self.trace.steps.get(step as usize));
        let local = called.and_then(|step| step.locals.iter().find(|(known, _)| *known == variable.term));
        match local.map(|(_, value)| value).or_else(|| self.initial.get(&variable.term).copied()) {
            Some(value) if is_foreign(value) => Ok(value.clone()),
            Some(other) => Err(ChoiceError::mismatch(format!("a first value of {}", variable.name()), other)),
            None => zero(variable.sort()),
        }
    }

    fn havoc(&mut self, variable: &Variable, at: &At) -> Chosen<Value> {
        let step = self.step(at)?;
        let position = match &self.program.procedure(step.procedure).body {
            Ok(cfa) if (step.edge.0 as usize) < cfa.edge_count() => match &cfa.edge(step.edge).op {
                Op::Havoc(variables) => {
                    let is_memory = |term: &Term| matches!(term.sort().kind(), SortKind::Memory(_));
                    variables.iter().filter(|term| !is_memory(term)).position(|term| *term == variable.term)
                }
                _ => None,
            },
            _ => None,
        };
        self.value(at, position, variable)
    }

    fn result(&mut self, procedure: ProcId, result: &Variable, at: &At) -> Chosen<Value> {
        let results = &self.program.procedure(procedure).results;
        let position = results.iter().position(|declared| declared.term == result.term);
        self.value(at, position, result)
    }

    fn branch(&mut self, edges: &[EdgeId], at: &At) -> Chosen<usize> {
        let wanted = self.step(at)?.edge;
        let position = edges.iter().position(|edge| *edge == wanted);
        position.ok_or_else(|| ChoiceError::mismatch(format!("one of the edges {edges:?} at step {}", at.step), wanted))
    }

    fn schedule(&mut self, runnable: &[u32], at: &At) -> Chosen<usize> {
        let wanted = self.step(at)?.thread;
        let position = runnable.iter().position(|thread| *thread == wanted);
        position.ok_or_else(|| {
            ChoiceError::mismatch(format!("one of the threads {runnable:?} at step {}", at.step), wanted)
        })
    }

    fn bytes(&mut self, object: u32, offset: u64, bytes: &mut [u8]) -> Chosen<()> {
        for (byte, at) in bytes.iter_mut().zip(offset..) {
            *byte = self.bytes.get(&(object, at)).copied().unwrap_or(0);
        }
        Ok(())
    }

    fn pointer(&mut self, object: u32, offset: u64, _: u32) -> Chosen<Option<Value>> {
        Ok(self.pointers.get(&(object, offset)).map(|value| (*value).clone()))
    }

    fn address(&mut self, _: u32, _: u64, suggested: u64) -> Chosen<u64> {
        Ok(suggested)
    }

    fn apply(&mut self, function: &Function, arguments: &[Value]) -> Chosen<Value> {
        let value = match self.functions.get(&(function, arguments)) {
            Some(value) => (*value).clone(),
            None => zero(function.result)?,
        };
        self.applied.insert((function.clone(), arguments.to_vec()), value.clone());
        Ok(value)
    }
}

/// Compares every edge with the trace, and narrates.
struct Watcher<'a> {
    trace: &'a Trace,
    narrator: Narrator<'a>,
    /// The number of the first step that was another one.
    deviation: Option<u64>,
}

impl Observer for Watcher<'_> {
    fn edge(&mut self, at: &At, state: &State) {
        // The edge has been executed: it is counted already.
        let number = at.step.saturating_sub(1);
        let fits =
            self.trace.steps.get(number as usize).is_some_and(|step| {
                (step.thread, step.procedure, Some(step.edge)) == (at.thread, at.procedure, at.edge)
            });
        if !fits {
            self.deviation.get_or_insert(number);
        }
        self.narrator.edge(at, state);
    }

    fn enter(&mut self, procedure: ProcId, state: &State) {
        self.narrator.enter(procedure, state);
    }

    fn leave(&mut self, procedure: ProcId, state: &State) {
        self.narrator.leave(procedure, state);
    }
}
