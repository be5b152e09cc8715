//! Tells a run of the interpreter as steps that mean something to a user.
//!
//! What frontends made up is left out: procedures whose names begin with a dollar sign, variables without a user's name,
//! steps that change nothing a user can see.

use crate::inputs::{Input, call_at};
use crate::lines::Lines;
use crate::report::{Change, Event, TraceStep};
use ir::interp::{At, Observer, State};
use ir::{Edge, LocId, Op, ProcId, Program, Variable, memory};
use source::{Place, Symbol};
use std::collections::{BTreeMap, HashMap};
use term::{Op as TermOp, Term, Value, eval};

/// Names of the objects that there have been, by their identities.
pub type Objects = BTreeMap<u32, Symbol>;

/// Takes the steps as they happen, with the names of the objects that there have been until then.
pub type Sink<'a> = &'a mut dyn FnMut(TraceStep, &Objects);

/// An observer that narrates.
pub struct Narrator<'a> {
    program: &'a Program,
    variables: HashMap<Term, &'a Variable>,
    lines: Lines<'a>,
    sink: Sink<'a>,
    /// The activations of each thread, the innermost last.
    stacks: HashMap<u32, Vec<Activation<'a>>>,
    activations: u32,
    /// The edge that was executed last.
    last: Option<&'a Edge>,
    pub objects: Objects,
    /// What functions of the environment returned.
    pub inputs: Vec<Input>,
}

#[derive(Clone, Copy)]
struct Activation<'a> {
    number: u32,
    procedure: ProcId,
    /// The call by which it was entered, in the caller.
    call: Option<&'a Edge>,
}

impl<'a> Narrator<'a> {
    pub fn new(program: &'a Program, lines: Lines<'a>, sink: Sink<'a>) -> Narrator<'a> {
        let locals = program.procedures.iter().flat_map(|p| p.parameters.iter().chain(&p.results).chain(&p.locals));
        let variables = program.globals.iter().chain(locals).map(|variable| (variable.term, variable)).collect();
        let objects = program.objects.iter().enumerate().map(|(i, object)| (i as u32 + 1, object.name)).collect();
        Narrator {
            program,
            variables,
            lines,
            sink,
            stacks: HashMap::new(),
            activations: 0,
            last: None,
            objects,
            inputs: Vec::new(),
        }
    }

    fn is_internal(&self, procedure: ProcId) -> bool {
        self.program.procedure(procedure).name.as_str().starts_with('$')
    }

    fn push(&mut self, thread: u32, procedure: ProcId, call: Option<&'a Edge>) {
        let number = self.activations;
        self.activations += 1;
        self.stacks.entry(thread).or_default().push(Activation { number, procedure, call });
    }

    /// The innermost activation of a thread and how many of the user's are around it.
    fn innermost(&mut self, thread: u32, procedure: ProcId) -> (Activation<'a>, u32) {
        if self.stacks.get(&thread).is_none_or(Vec::is_empty) {
            self.push(thread, procedure, None);
        }
        let stack = &self.stacks[&thread];
        let outer = &stack[..stack.len() - 1];
        let depth = outer.iter().filter(|activation| !self.is_internal(activation.procedure)).count();
        (stack[stack.len() - 1], depth as u32)
    }

    fn tell(&mut self, thread: u32, procedure: ProcId, location: LocId, place: Option<Place>, event: Event) {
        let (activation, depth) = self.innermost(thread, procedure);
        if self.is_internal(activation.procedure) {
            return;
        }
        let line = place.and_then(|place| self.lines.line(place));
        let function = self.program.procedure(activation.procedure).name;
        let step = TraceStep { thread, frame: activation.number, depth, function, location, place, line, event };
        (self.sink)(step, &self.objects);
    }

    /// The user's variables among these, with their values.
    fn changes(&self, variables: impl Iterator<Item = Term>, state: &State) -> Vec<Change> {
        variables
            .filter_map(|term| {
                let variable = self.variables.get(&term)?;
                let value = state.value(term)?;
                Some(Change { name: Some(variable.user_name?), type_name: variable.user_type, value })
            })
            .collect()
    }

    /// What a term stored in memory, if the variables that it mentions still tell.
    fn store(&self, term: Term, state: &State) -> Option<Change> {
        let (TermOp::MemStore, [_, pointer, value]) = (term.op(), term.args()) else { return None };
        let assignment = |variable: Term| state.value(variable);
        let Value::Pointer { object, offset } = eval::evaluate(*pointer, &assignment)? else { return None };
        let value_stored = eval::evaluate(*value, &assignment)?;
        let target = (object as usize).checked_sub(1).and_then(|index| self.program.objects.get(index));
        let whole = |size: u64| offset.unsigned() == 0 && value.sort().bytes().is_some_and(|n| u64::from(n) == size);
        let name = match (target, self.objects.get(&object)) {
            (Some(target), _) if whole(target.size) => target.name.to_string(),
            (_, Some(name)) if offset.unsigned() == 0 => format!("*&{name}"),
            (_, Some(name)) => format!("*(&{name} + {})", offset.signed()),
            (_, None) => format!("*(&object {object} + {})", offset.signed()),
        };
        Some(Change { name: Some(Symbol::new(&name)), type_name: None, value: value_stored })
    }

    /// Gives a name to the object that an edge makes: that of the local variable that it is, or of the line that asked
    /// for it.
    fn name_object(&mut self, edge: &Edge, state: &State) {
        let Op::Assign(pairs) = &edge.op else { return };
        let Some((variable, _)) = pairs.iter().find(|(_, value)| *value == memory::next()) else { return };
        let Some(Value::Bv(identity)) = state.value(*variable) else { return };
        let Ok(object) = u32::try_from(identity.unsigned()) else { return };
        let local =
            variable.name().and_then(|name| name.as_str().split_once("::&")).map(|(_, local)| Symbol::new(local));
        let by_line = || edge.place.map(|place| Symbol::new(&format!("object {object} (line {})", place.line)));
        if let Some(name) = local.or_else(by_line) {
            self.objects.insert(object, name);
        }
    }

    /// Notes what a function of the environment returns, where the source calls one.
    fn note_input(&mut self, at: &At, edge: &Edge, state: &State) {
        let chosen = match &edge.op {
            Op::Havoc(variables) => &variables[..],
            Op::Call { procedure, results, .. } if self.program.procedure(*procedure).body.is_err() => &results[..],
            _ => return,
        };
        let ([variable], Some(place)) = (chosen, edge.place) else { return };
        if let (Some(value), Some((function, end_column))) = (state.value(*variable), call_at(&self.lines, place)) {
            let caller = self.program.procedure(at.procedure).name;
            self.inputs.push(Input { thread: at.thread, function, caller, place, end_column, value });
        }
    }

    fn event(&self, edge: &Edge, is_branch: bool, state: &State) -> Option<Event> {
        let some = |changes: Vec<Change>| (!changes.is_empty()).then_some(changes);
        match &edge.op {
            Op::Assign(pairs) => {
                let mut changes = self.changes(pairs.iter().map(|(variable, _)| *variable), state);
                let stores =
                    pairs.iter().filter(|(variable, _)| variable.name().is_some_and(|n| n.as_str() == memory::MEMORY));
                changes.extend(stores.filter_map(|(_, term)| self.store(*term, state)));
                some(changes).map(Event::Assign)
            }
            Op::Havoc(variables) => some(self.changes(variables.iter().copied(), state)).map(Event::Choose),
            Op::Call { procedure, results, .. } if self.program.procedure(*procedure).body.is_err() => {
                let chosen = results.iter().filter_map(|term| {
                    let variable = self.variables.get(term)?;
                    let value = state.value(*term)?;
                    Some(Change { name: variable.user_name, type_name: variable.user_type, value })
                });
                some(chosen.collect()).map(Event::Choose)
            }
            Op::Assume(_) => is_branch.then_some(Event::Branch),
            Op::Spawn { procedure, thread, .. } => {
                let number = match state.value(*thread)? {
                    Value::Bv(bits) => u32::try_from(bits.unsigned()).ok()?,
                    Value::Int(number) => u32::try_from(number).ok()?,
                    _ => return None,
                };
                let name = self.program.procedure(*procedure).name.as_str();
                // A thread may begin in a procedure that prepares it.
                let function = Symbol::new(name.rsplit(':').next().unwrap_or(name));
                Some(Event::Start { thread: number, function })
            }
            Op::Call { .. } | Op::AtomicBegin | Op::AtomicEnd => None,
        }
    }
}

/// Where an edge is in the source.
fn place_of(program: &Program, procedure: ProcId, edge: &Edge) -> Option<Place> {
    let cfa = program.procedure(procedure).body.as_ref().ok()?;
    edge.place.or(cfa.location(edge.from).place)
}

impl Observer for Narrator<'_> {
    fn edge(&mut self, at: &At, state: &State) {
        let (Some(id), Ok(cfa)) = (at.edge, &self.program.procedure(at.procedure).body) else { return };
        let edge = cfa.edge(id);
        self.last = Some(edge);
        // The activation must be known before the ones that it enters.
        self.innermost(at.thread, at.procedure);
        self.name_object(edge, state);
        self.note_input(at, edge, state);
        let is_branch = cfa.outgoing(edge.from).len() > 1;
        if let Some(event) = self.event(edge, is_branch, state) {
            self.tell(at.thread, at.procedure, edge.from, place_of(self.program, at.procedure, edge), event);
        }
    }

    fn enter(&mut self, procedure: ProcId, state: &State) {
        let thread = state.thread();
        let call = self.last;
        if let (Some(caller), Some(edge), false) = (state.stack().get(1), call, self.is_internal(procedure)) {
            let callee = self.program.procedure(procedure);
            let arguments = self.changes(callee.parameters.iter().map(|parameter| parameter.term), state);
            let event = Event::Call { function: callee.name, arguments };
            self.tell(thread, caller.procedure, edge.from, place_of(self.program, caller.procedure, edge), event);
        }
        self.push(thread, procedure, call);
    }

    fn leave(&mut self, procedure: ProcId, state: &State) {
        let thread = state.thread();
        let (Activation { call, .. }, _) = self.innermost(thread, procedure);
        let targets: &[Term] = match call.map(|edge| &edge.op) {
            Some(Op::Call { results, .. }) => results,
            _ => &[],
        };
        let callee = self.program.procedure(procedure);
        if !self.is_internal(procedure) {
            let typed = callee.results.iter().zip(targets).filter_map(|(result, target)| {
                Some(Change { name: None, type_name: result.user_type, value: state.value(*target)? })
            });
            let event = Event::Return { function: callee.name, results: typed.collect() };
            let place = self.last.and_then(|edge| edge.place);
            self.tell(thread, procedure, LocId(1), place, event);
        }
        self.stacks.get_mut(&thread).and_then(Vec::pop);
        let assigned = self.changes(targets.iter().copied(), state);
        if let (Some(edge), Some(caller), false) = (call, state.stack().first(), assigned.is_empty()) {
            let place = place_of(self.program, caller.procedure, edge);
            self.tell(thread, caller.procedure, edge.from, place, Event::Assign(assigned));
        }
    }
}
