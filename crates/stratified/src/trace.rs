//! From an execution of the partially inlined program to a trace: the values that were chosen, and what uninterpreted
//! functions gave on the way.

use crate::inlining::{Inlining, InstanceId};
use crate::path::{Event, Path};
use engine::{Reason, Step, Trace, Verdict};
use ir::{LocationKind, Op, ProcId};
use rustc_hash::FxHashMap;
use solver::Smt;
use std::cell::RefCell;
use std::collections::BTreeMap;
use term::eval::Evaluator;
use term::{Function, Op as TermOp, Term, Value};

/// The verdict for an execution that comes to an end without an open call.
pub fn verdict(inlining: &Inlining<'_>, smt: &mut dyn Smt, path: &Path) -> Result<Verdict, Reason> {
    let Some((instance, end)) = path.end else {
        return Err(Reason::Internal("an execution ends in an open call".to_string()));
    };
    let procedure = inlining.instances[instance.0].template.procedure;
    let Ok(cfa) = &inlining.program.procedure(procedure).body else {
        return Err(Reason::Internal("an execution ends nowhere".to_string()));
    };
    let location = cfa.location(end);
    match location.kind {
        LocationKind::Error(property) => {
            let mut follower = Follower::new(inlining, smt);
            let steps = follower.steps(&path.events);
            let Follower { initial, functions, .. } = follower;
            let functions = functions.into_inner().applied.into_iter();
            let functions = functions.map(|((function, on), value)| (function, on, value)).collect();
            Ok(Verdict::False(Trace { property, initial, memory: Vec::new(), functions, steps }))
        }
        LocationKind::Unsupported(what) => Ok(Verdict::Unknown(Reason::Unsupported { what, place: location.place })),
        LocationKind::Plain | LocationKind::End => Err(Reason::Internal("an execution ends at no error".to_string())),
    }
}

/// The solver's model, and which functions were applied to what.
struct Applied<'s> {
    smt: &'s mut dyn Smt,
    applied: BTreeMap<(Function, Vec<Value>), Value>,
}

/// The variables of a body that is entered.
struct Frame {
    instance: InstanceId,
    locals: FxHashMap<Term, Value>,
    /// The call that entered it: the variables that take its results.
    results: Vec<Term>,
}

/// Executes a path with the values of the model.
struct Follower<'a, 's> {
    inlining: &'a Inlining<'a>,
    functions: RefCell<Applied<'s>>,
    globals: FxHashMap<Term, Value>,
    frames: Vec<Frame>,
    initial: Vec<(Term, Value)>,
}

impl<'a, 's> Follower<'a, 's> {
    fn new(inlining: &'a Inlining<'a>, smt: &'s mut dyn Smt) -> Follower<'a, 's> {
        let functions = RefCell::new(Applied { smt, applied: BTreeMap::new() });
        let (globals, frames, initial) = (FxHashMap::default(), Vec::new(), Vec::new());
        Follower { inlining, functions, globals, frames, initial }
    }

    /// What a variable is in the model.
    fn chosen(&self, variable: Term) -> Option<Value> {
        self.functions.borrow_mut().smt.value(variable).or_else(|| Value::zero(variable.sort()))
    }

    fn steps(&mut self, events: &[Event]) -> Vec<Step> {
        let program = self.inlining.program;
        let entry = InstanceId(0);
        // The inputs of the entry are as they are; its own variables are under its instance's numbers.
        let first = self.first_values(entry);
        let given: Vec<Term> = self.inlining.instances[0].template.inputs.clone();
        let given: Vec<(Term, Value)> = given.into_iter().filter_map(|v| Some((v, self.chosen(v)?))).collect();
        let is_global = |variable: &Term| program.globals.iter().any(|global| global.term == *variable);
        self.globals = given.iter().filter(|(v, _)| is_global(v)).cloned().collect();
        let locals = given.iter().filter(|(v, _)| !is_global(v)).chain(&first).cloned().collect();
        self.initial = given.into_iter().chain(first).collect();
        self.frames.push(Frame { instance: entry, locals, results: Vec::new() });
        let mut steps: Vec<Step> = Vec::new();
        let mut arguments: Vec<Option<Value>> = Vec::new();
        for event in events {
            match event {
                Event::Edge(instance, edge) => {
                    let id = self.inlining.instances[instance.0].template.procedure;
                    let Ok(cfa) = &program.procedure(id).body else { continue };
                    let values = self.execute(*instance, *edge, &cfa.edge(*edge).op, &mut arguments);
                    steps.push(Step { thread: 0, procedure: id, edge: *edge, values, locals: Vec::new() });
                    if let Op::Call { results, .. } = &cfa.edge(*edge).op {
                        let frame =
                            Frame { instance: *instance, locals: FxHashMap::default(), results: results.clone() };
                        if self.inlining.site_of(*instance, *edge).is_some() {
                            self.frames.push(frame);
                        }
                    }
                }
                Event::Enter(instance) => {
                    let first = self.first_values(*instance);
                    let id: ProcId = self.inlining.instances[instance.0].template.procedure;
                    let parameters = program.procedure(id).parameters.iter().map(|v| v.term);
                    let given = parameters.zip(arguments.drain(..)).filter_map(|(v, value)| Some((v, value?)));
                    if let Some(frame) = self.frames.last_mut() {
                        frame.instance = *instance;
                        frame.locals = given.chain(first.iter().cloned()).collect();
                    }
                    if let Some(call) = steps.last_mut() {
                        call.locals = first;
                    }
                }
                Event::Leave(instance) => self.leave(*instance),
            }
        }
        self.ask_axioms();
        steps
    }

    /// The arbitrary first values of a body's own variables.
    fn first_values(&self, instance: InstanceId) -> Vec<(Term, Value)> {
        let body = &self.inlining.instances[instance.0];
        let arbitrary = body.template.arbitrary.iter();
        arbitrary.filter_map(|variable| Some((*variable, self.chosen(body.actual(*variable))?))).collect()
    }

    fn leave(&mut self, instance: InstanceId) {
        let id = self.inlining.instances[instance.0].template.procedure;
        let Some(frame) = self.frames.pop() else { return };
        let declared = self.inlining.program.procedure(id).results.iter();
        let returned: Vec<(Term, Option<Value>)> =
            frame.results.iter().copied().zip(declared.map(|v| frame.locals.get(&v.term).cloned())).collect();
        returned.into_iter().for_each(|(variable, value)| self.set(variable, value));
    }

    fn set(&mut self, variable: Term, value: Option<Value>) {
        let is_global = self.inlining.program.globals.iter().any(|global| global.term == variable);
        let map = match self.frames.last_mut() {
            Some(frame) if !is_global => &mut frame.locals,
            _ => &mut self.globals,
        };
        match value {
            Some(value) => map.insert(variable, value),
            None => map.remove(&variable),
        };
    }

    /// What a term is now.
    fn value(&self, term: Term) -> Option<Value> {
        let locals = self.frames.last().map(|frame| &frame.locals);
        let known = |variable: Term| {
            let found = locals.and_then(|locals| locals.get(&variable)).or_else(|| self.globals.get(&variable));
            found.cloned().or_else(|| Value::zero(variable.sort()))
        };
        let assigned = |term: Term| if term.is_var() { known(term) } else { None };
        Evaluator::new(&assigned).with_functions(&|function, on| self.apply(function, on)).value(term)
    }

    fn apply(&self, function: &Function, on: &[Value]) -> Option<Value> {
        let constants: Vec<Term> = on.iter().cloned().map(Term::constant).collect();
        let application = Term::new(TermOp::Apply(function.clone()), &constants);
        let value = self.chosen(application)?;
        self.functions.borrow_mut().applied.insert((function.clone(), on.to_vec()), value.clone());
        Some(value)
    }

    /// Executes an operation: the values that it chose. A call leaves its arguments.
    fn execute(
        &mut self,
        instance: InstanceId,
        edge: ir::EdgeId,
        op: &Op,
        arguments: &mut Vec<Option<Value>>,
    ) -> Vec<Value> {
        let body = &self.inlining.instances[instance.0];
        let copies = body.template.chosen.get(&edge).into_iter().flatten();
        let chosen: Vec<Value> = copies.filter_map(|copy| self.chosen(body.actual(*copy))).collect();
        match op {
            Op::Assign(pairs) => {
                let new: Vec<(Term, Option<Value>)> = pairs.iter().map(|(v, value)| (*v, self.value(*value))).collect();
                new.into_iter().for_each(|(variable, value)| self.set(variable, value));
            }
            // The functions that it applies are noted; whether it holds is seen when the trace is replayed.
            Op::Assume(condition) => drop(self.value(*condition)),
            Op::Havoc(variables) | Op::Call { results: variables, .. } if !chosen.is_empty() => {
                let new = variables.iter().copied().zip(chosen.iter().cloned());
                new.for_each(|(variable, value)| self.set(variable, Some(value)));
            }
            Op::Call { arguments: given, .. } => {
                *arguments = given.iter().map(|argument| self.value(*argument)).collect();
            }
            Op::Havoc(_) | Op::Spawn { .. } | Op::AtomicBegin | Op::AtomicEnd => {}
        }
        chosen
    }

    /// The execution is checked against the axioms: it must tell what they ask.
    fn ask_axioms(&self) {
        for axiom in &self.inlining.program.axioms {
            drop(self.value(*axiom));
        }
    }
}
