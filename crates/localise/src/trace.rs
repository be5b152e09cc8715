//! The trace formula: an execution in single-assignment form, made while the interpreter executes it.
//!
//! Each value that a statement of the user gives becomes a [`Definition`], each branch a [`Decision`]; both belong to
//! a *group*: the place in the source, so that a statement which is executed many times counts once. What cannot be
//! changed (inputs, the library's models, copies that calls make) is substituted, and what cannot be expressed has
//! the value of the execution.

use crate::cells::{Access, Cells, choose};
use crate::inputs::Inputs;
use ir::interp::{At, Observer, State};
use ir::{Cfa, Edge, EdgeId, LocId, LocationKind, ObjectKind, Op, ProcId, Procedure, Program};
use rustc_hash::{FxHashMap, FxHashSet};
use source::Place;
use std::cell::RefCell;
use term::{Op as TermOp, Sort, SortKind, Term, Value, build, eval};

/// What of an edge gives a value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Slot {
    /// The n-th assigned variable.
    Target(u32),
    /// The place in memory where the n-th assignment stores.
    Address(u32),
    /// The n-th argument of a call.
    Argument(u32),
}

/// A value that a statement gave.
#[derive(Debug)]
pub struct Definition {
    pub procedure: ProcId,
    pub edge: EdgeId,
    pub slot: Slot,
    pub group: usize,
    /// How often the edge was executed before.
    pub occurrence: u32,
    pub step: u64,
    /// The variables that stand for the value, and what they are by the statement: one pair, or two for a pointer.
    pub parts: Vec<(Term, Term)>,
    pub value: Value,
    /// The user's variables that the statement reads.
    pub reads: Vec<(Term, Value)>,
}

impl Definition {
    /// The value of which the parts are these.
    pub fn value_of(&self, parts: &[Value]) -> Option<Value> {
        match parts {
            [value] => Some(value.clone()),
            [object, offset] => Some(Value::Pointer {
                object: u32::try_from(object.as_bv()?.unsigned()).ok()?,
                offset: offset.as_bv()?,
            }),
            _ => None,
        }
    }
}

/// A branch that was taken.
#[derive(Debug)]
pub struct Decision {
    pub procedure: ProcId,
    pub location: LocId,
    pub taken: EdgeId,
    /// `None`: it cannot be changed.
    pub group: Option<usize>,
    pub occurrence: u32,
    pub step: u64,
    pub condition: Term,
    /// Another edge there leads to a violation.
    pub is_check: bool,
    pub reads: Vec<(Term, Value)>,
}

/// The trace of an execution.
#[derive(Default)]
pub struct Trace {
    pub definitions: Vec<Definition>,
    pub decisions: Vec<Decision>,
    /// What memory held, by names that stand for it always.
    pub hard: Vec<(Term, Term)>,
    /// The places of groups, by number.
    pub groups: Vec<Place>,
    /// When groups were executed last.
    pub last_steps: Vec<u64>,
    /// Groups that are no candidates.
    pub excluded: FxHashSet<usize>,
    /// The values of all variables of the formula in the execution.
    pub values: FxHashMap<Term, Value>,
    pub edges: u64,
}

/// Makes the trace of the run that it watches.
pub struct Tracer<'a> {
    program: &'a Program,
    inputs: &'a RefCell<Inputs>,
    pub trace: Trace,
    numbers: FxHashMap<Place, usize>,
    harness: FxHashSet<ProcId>,
    globals: FxHashSet<Term>,
    names: FxHashMap<Term, bool>,
    known: FxHashMap<Term, Term>,
    frames: Vec<Frame>,
    cells: Cells,
    executed: FxHashMap<(ProcId, EdgeId), u32>,
    visited: FxHashMap<(ProcId, LocId), u32>,
    /// What the parameters of the procedure are that is entered next, and the variables that take its results.
    arguments: Vec<Option<Term>>,
    targets: Vec<Term>,
}

/// An activation of a procedure.
#[derive(Default)]
struct Frame {
    known: FxHashMap<Term, Term>,
    /// The variables of the caller that take the results.
    targets: Vec<Term>,
}

impl<'a> Tracer<'a> {
    pub fn new(program: &'a Program, inputs: &'a RefCell<Inputs>) -> Tracer<'a> {
        let variables = program.procedures.iter().flat_map(|p| p.parameters.iter().chain(&p.results).chain(&p.locals));
        let names = program.globals.iter().chain(variables);
        Tracer {
            program,
            inputs,
            trace: Trace::default(),
            numbers: FxHashMap::default(),
            harness: program.procedures().filter(|(_, p)| is_harness(program, p)).map(|(id, _)| id).collect(),
            globals: program.globals.iter().map(|global| global.term).collect(),
            names: names.map(|v| (v.term, v.user_name.is_some() || v.user_type.is_some())).collect(),
            known: FxHashMap::default(),
            frames: Vec::new(),
            cells: Cells::default(),
            executed: FxHashMap::default(),
            visited: FxHashMap::default(),
            arguments: Vec::new(),
            targets: Vec::new(),
        }
    }

    fn cfa(&self, procedure: ProcId) -> Option<&'a Cfa> {
        self.program.procedure(procedure).body.as_ref().ok()
    }

    /// The variables of the running activation, or of the program.
    fn scope(&mut self, variable: Term) -> &mut FxHashMap<Term, Term> {
        if self.globals.contains(&variable) {
            return &mut self.known;
        }
        if self.frames.is_empty() {
            self.frames.push(Frame::default());
        }
        let last = self.frames.len() - 1;
        &mut self.frames[last].known
    }

    /// The variable has the value that it has in the execution.
    fn take(&mut self, variable: Term, state: &State) {
        let value = state.value(variable).map(Term::constant);
        let scope = self.scope(variable);
        match value {
            Some(value) => scope.insert(variable, value),
            None => scope.remove(&variable),
        };
    }

    /// The group of a place, if a statement there can be changed: it is the user's, and no assertion's own.
    fn group(&mut self, procedure: ProcId, place: Option<Place>) -> Option<usize> {
        let place = place?;
        if self.harness.contains(&procedure) || place.file.as_str().starts_with('<') {
            return None;
        }
        let Trace { groups, last_steps, edges, .. } = &mut self.trace;
        let number = *self.numbers.entry(place).or_insert_with(|| {
            groups.push(place);
            last_steps.push(0);
            groups.len() - 1
        });
        last_steps[number] = *edges;
        Some(number)
    }

    fn value(&self, term: Term) -> Option<Value> {
        eval::evaluate(term, &|variable| self.trace.values.get(&variable).cloned())
    }

    /// The user's variables that terms read, with their values.
    fn reads(&mut self, terms: &[Term]) -> Vec<(Term, Value)> {
        let mut reads = Vec::new();
        for variable in term::free::variables(terms.iter().copied()) {
            if self.names.get(&variable) == Some(&true)
                && let Some(now) = self.scope(variable).get(&variable).copied()
                && let Some(value) = self.value(now)
            {
                reads.push((variable, value));
            }
        }
        reads
    }

    /// A term over the variables of the formula.
    fn lower(&mut self, term: Term, of: &Reading) -> Option<Term> {
        if term.value().is_some() {
            return Some(term);
        }
        if let Some(known) = of.memo.borrow().get(&term) {
            return *known;
        }
        let lowered = self.lower_new(term, of);
        of.memo.borrow_mut().insert(term, lowered);
        lowered
    }

    fn lower_new(&mut self, term: Term, of: &Reading) -> Option<Term> {
        if term.is_var() {
            return self.variable(term, of);
        }
        match (term.op(), term.args()) {
            (TermOp::Load(sort), [memory, at]) if memory.is_var() => {
                let at = self.access(*at, of)?;
                self.cells.load(at, *sort, &self.inputs.borrow())
            }
            (TermOp::Load(_) | TermOp::Apply(_) | TermOp::Forall(_) | TermOp::Exists(_) | TermOp::Lambda(_), _) => None,
            (TermOp::ObjectAt, _) => {
                let args = term.args().iter().map(|arg| self.lower(*arg, of)).collect::<Option<Vec<_>>>()?;
                self.value(build::make(term.op(), &args)).map(Term::constant)
            }
            (TermOp::Ite, [condition, then, other]) => {
                let condition = self.lower(*condition, of)?;
                // What lies in the other branch may have no value: it is not evaluated.
                match (self.lower(*then, of), self.lower(*other, of)) {
                    (Some(then), Some(other)) => Some(choose(condition, then, other)),
                    (Some(only), None) | (None, Some(only)) => {
                        let taken = self.value(condition)?.as_bool()?;
                        let is_there = self.lower(if taken { *then } else { *other }, of).is_some();
                        is_there.then_some(only)
                    }
                    (None, None) => None,
                }
            }
            (TermOp::Eq, [a, b]) if matches!(a.sort().kind(), SortKind::Pointer(_)) => {
                let (a, b) = (self.lower(*a, of)?, self.lower(*b, of)?);
                let same = |part: fn(Term) -> Term| build::eq(part(a), part(b));
                Some(build::and([same(build::pointer_object), same(build::pointer_offset)]))
            }
            (op, args) => {
                let args = args.iter().map(|arg| self.lower(*arg, of)).collect::<Option<Vec<_>>>()?;
                Some(build::make(op, &args))
            }
        }
    }

    fn variable(&mut self, variable: Term, of: &Reading) -> Option<Term> {
        if let Some(known) = self.scope(variable).get(&variable) {
            return Some(*known);
        }
        // It has the value from before: what the edge writes has another one already.
        if of.writes.contains(&variable) {
            return None;
        }
        let value = Term::constant(of.state.value(variable)?);
        self.scope(variable).insert(variable, value);
        Some(value)
    }

    fn access(&mut self, pointer: Term, of: &Reading) -> Option<Access> {
        let pointer = self.lower(pointer, of)?;
        let Value::Pointer { object, offset } = self.value(pointer)? else { return None };
        Some(Access { object, offset: offset.unsigned() as u64, symbolic: build::pointer_offset(pointer) })
    }

    /// Variables for a value that a statement gives, if it can be changed; otherwise the value itself.
    fn define(&mut self, site: &Site, slot: Slot, term: Term, reads: &[(Term, Value)]) -> Term {
        let Some(group) = site.group else { return term };
        let Some(value) = self.value(term) else { return term };
        let number = self.trace.definitions.len();
        let fresh = |part: &str, sort: Sort| Term::var(format!("$trace!{number}{part}").as_str(), sort);
        let parts = match term.sort().kind() {
            SortKind::Pointer(width) => vec![
                (fresh("object", Sort::object()), build::pointer_object(term)),
                (fresh("offset", Sort::bv(*width)), build::pointer_offset(term)),
            ],
            SortKind::Memory(_) => return term,
            _ => vec![(fresh("", term.sort()), term)],
        };
        for (variable, of) in &parts {
            let Some(value) = self.value(*of) else { return term };
            self.trace.values.insert(*variable, value);
        }
        let defined = match parts[..] {
            [(object, _), (offset, _)] => build::pointer(object, offset),
            _ => parts[0].0,
        };
        let Site { procedure, edge, occurrence, step, .. } = *site;
        let reads = reads.to_vec();
        self.trace.definitions.push(Definition { procedure, edge, slot, group, occurrence, step, parts, value, reads });
        defined
    }

    fn assign(&mut self, pairs: &[(Term, Term)], edge: &Edge, mut site: Site, of: &Reading) {
        let terms: Vec<Term> = pairs.iter().map(|(_, value)| *value).collect();
        let reads = self.reads(&terms);
        let group = site.group;
        let mut new = Vec::new();
        for (number, (variable, value)) in (0..).zip(pairs) {
            if matches!(variable.sort().kind(), SortKind::Memory(_)) {
                let single = matches!(value.args(), [memory, ..] if memory.is_var());
                site.group = group.filter(|_| single && edge.place.is_some());
                self.store(*value, number, &site, &reads, of);
                continue;
            }
            site.group = group.filter(|_| self.names.get(variable) == Some(&true));
            let lowered = self.lower(*value, of).or_else(|| of.state.value(*variable).map(Term::constant));
            let is_copy = value.is_var() && self.names.get(value) != Some(&true);
            let slot = Slot::Target(number);
            let lowered = lowered.map(|term| if is_copy { term } else { self.define(&site, slot, term, &reads) });
            new.push((*variable, lowered));
        }
        for (variable, value) in new {
            let scope = self.scope(variable);
            match value {
                Some(value) => scope.insert(variable, value),
                None => scope.remove(&variable),
            };
        }
    }

    /// Writes to memory what a term of memory says.
    fn store(&mut self, term: Term, number: u32, site: &Site, reads: &[(Term, Value)], of: &Reading) {
        let mut stores = vec![term];
        while let Some(inner) = stores.last().and_then(|last| last.args().first()).filter(|inner| !inner.is_var()) {
            stores.push(*inner);
        }
        for store in stores.into_iter().rev() {
            match (store.op(), store.args()) {
                (TermOp::MemStore, [_, at, value]) => {
                    let (Some(pointer), Some(stored)) = (self.lower(*at, of), self.lower(*value, of)) else {
                        self.forget(*at, value.sort(), of);
                        continue;
                    };
                    let is_fixed = pointer.value().is_some() || self.is_made_up(pointer);
                    let soft = Site { group: site.group.filter(|_| !self.is_made_up(pointer)), ..*site };
                    let stored = self.define(&soft, Slot::Target(number), stored, reads);
                    let pointer =
                        if is_fixed { pointer } else { self.define(&soft, Slot::Address(number), pointer, reads) };
                    if let Some(Value::Pointer { object, offset }) = self.value(pointer) {
                        let symbolic = build::pointer_offset(pointer);
                        let at = Access { object, offset: offset.unsigned() as u64, symbolic };
                        self.cells.store(at, stored, &self.inputs.borrow());
                        for (name, of) in self.cells.take_named() {
                            if let Some(value) = self.value(of) {
                                self.trace.values.insert(name, value);
                            }
                            self.trace.hard.push((name, of));
                        }
                    }
                }
                (TermOp::MemFill, [_, at, byte, length]) => {
                    let (at, byte) = (self.access(*at, of), self.lower(*byte, of));
                    let length = self.lower(*length, of).and_then(|length| self.value(length));
                    if let (Some(at), Some(byte), Some(Value::Bv(length))) = (at, byte, length) {
                        self.cells.fill(at.object, at.offset, byte, length.unsigned() as u64);
                    }
                }
                (TermOp::MemCopy, [_, to, from, length]) => {
                    let (to, from) = (self.access(*to, of), self.access(*from, of));
                    let length = self.lower(*length, of).and_then(|length| self.value(length));
                    if let (Some(to), Some(from), Some(Value::Bv(length))) = (to, from, length) {
                        self.cells.copy((to.object, to.offset), (from.object, from.offset), length.unsigned() as u64);
                    }
                }
                _ => {}
            }
        }
    }

    /// Nothing is known of what was stored.
    fn forget(&mut self, at: Term, sort: Sort, of: &Reading) {
        if let Some(Access { object, offset, .. }) = self.access(at, of) {
            self.cells.forget(object, offset, sort.bytes().unwrap_or(1));
        }
    }

    /// Whether a pointer is to an object that no user wrote: a string, the name of a function.
    fn is_made_up(&self, pointer: Term) -> bool {
        let Some(Value::Pointer { object, .. }) = self.value(pointer) else { return true };
        let object = (object as usize).checked_sub(1).and_then(|index| self.program.objects.get(index));
        object.is_some_and(|object| object.kind != ObjectKind::Variable || object.name.as_str().contains("__"))
    }

    fn decide(&mut self, condition: Term, edge: &Edge, cfa: &Cfa, site: &Site, of: &Reading) {
        let outgoing = cfa.outgoing(edge.from);
        if outgoing.len() < 2 {
            return;
        }
        let is_error = |id: &EdgeId| matches!(cfa.location(cfa.edge(*id).to).kind, LocationKind::Error(_));
        let is_check = outgoing.iter().any(is_error);
        let reads = self.reads(&[condition]);
        let condition = self.lower(condition, of).unwrap_or_else(build::truth);
        let visits = self.visited.entry((site.procedure, edge.from)).or_default();
        let occurrence = *visits;
        *visits += 1;
        let Site { procedure, edge: taken, step, group, .. } = *site;
        let (group, location) = (group.filter(|_| !is_check), edge.from);
        let decision = Decision { procedure, location, taken, group, occurrence, step, condition, is_check, reads };
        self.trace.decisions.push(decision);
    }

    fn call(&mut self, callee: ProcId, arguments: &[Term], results: &[Term], site: &Site, of: &Reading) {
        let program = self.program;
        let called = program.procedure(callee);
        let soft = !self.harness.contains(&callee);
        let reads = self.reads(arguments);
        if called.body.is_err() {
            results.iter().for_each(|result| self.take(*result, of.state));
            return;
        }
        let site = Site { group: site.group.filter(|_| soft), ..*site };
        let mut bound = Vec::new();
        for (number, argument) in (0..).zip(arguments) {
            let lowered = self.lower(*argument, of);
            bound.push(lowered.map(|term| match argument.is_var() && self.names.get(argument) != Some(&true) {
                true => term,
                false => self.define(&site, Slot::Argument(number), term, &reads),
            }));
        }
        self.arguments = bound;
        self.targets = results.to_vec();
    }
}

/// What an edge reads, and when.
struct Reading<'s> {
    writes: Vec<Term>,
    state: &'s State<'s>,
    memo: RefCell<FxHashMap<Term, Option<Term>>>,
}

/// An edge that is executed.
#[derive(Clone, Copy)]
struct Site {
    procedure: ProcId,
    edge: EdgeId,
    group: Option<usize>,
    occurrence: u32,
    step: u64,
}

impl Observer for Tracer<'_> {
    fn edge(&mut self, at: &At, state: &State) {
        self.trace.edges = at.step;
        let (Some(id), Some(cfa)) = (at.edge, self.cfa(at.procedure)) else { return };
        let edge = cfa.edge(id);
        let executed = self.executed.entry((at.procedure, id)).or_default();
        let occurrence = *executed;
        *executed += 1;
        let group = self.group(at.procedure, edge.place);
        let site = Site { procedure: at.procedure, edge: id, group, occurrence, step: at.step };
        let of = Reading { writes: edge.op.writes(), state, memo: RefCell::default() };
        match &edge.op {
            Op::Assign(pairs) => self.assign(pairs, edge, site, &of),
            Op::Assume(condition) => self.decide(*condition, edge, cfa, &site, &of),
            Op::Havoc(variables) => {
                for variable in variables {
                    self.take(*variable, state);
                }
            }
            Op::Call { procedure, arguments, results } => self.call(*procedure, arguments, results, &site, &of),
            _ => {}
        }
    }

    fn enter(&mut self, procedure: ProcId, _: &State) {
        let parameters = self.program.procedure(procedure).parameters.iter().map(|parameter| parameter.term);
        let bound = std::mem::take(&mut self.arguments);
        let known = parameters.zip(bound).filter_map(|(parameter, value)| Some((parameter, value?))).collect();
        let targets = std::mem::take(&mut self.targets);
        self.frames.push(Frame { known, targets });
    }

    fn leave(&mut self, procedure: ProcId, state: &State) {
        let Some(Frame { known, targets }) = self.frames.pop() else { return };
        let results = &self.program.procedure(procedure).results;
        for (result, target) in results.iter().zip(targets) {
            match known.get(&result.term) {
                Some(value) => {
                    self.scope(target).insert(target, *value);
                }
                None => self.take(target, state),
            }
        }
    }
}

/// Whether a procedure belongs to the harness: one of SV-COMP's, or an assertion of the user's own, which does nothing but
/// look at what it is given, and fail.
pub fn is_harness(program: &Program, procedure: &Procedure) -> bool {
    if procedure.name.as_str().starts_with("__VERIFIER") {
        return true;
    }
    let Ok(cfa) = &procedure.body else { return false };
    let only_looks = cfa.edges().all(|(_, edge)| match &edge.op {
        Op::Assume(_) => true,
        Op::Assign(pairs) => pairs.is_empty(),
        Op::Call { results, .. } => results.is_empty(),
        _ => false,
    });
    let has_error = |cfa: &Cfa| cfa.locations().any(|(_, location)| matches!(location.kind, LocationKind::Error(_)));
    let fails = |callee: ProcId| program.procedure(callee).body.as_ref().is_ok_and(has_error);
    let calls_failing = cfa.edges().any(|(_, edge)| matches!(edge.op, Op::Call { procedure, .. } if fails(procedure)));
    !procedure.parameters.is_empty() && only_looks && (has_error(cfa) || calls_failing)
}
