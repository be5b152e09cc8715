//! The program with cells instead of memory.

use super::access::{exact, number};
use super::layout::{Cell, Class, Kept, Layout};
use analysis::points_to::{Low, Object, PointsTo, Targets};
use ir::{Cfa, Edge, EdgeId, LocId, Location, LocationKind, Op, ProcId, Procedure, Program, Variable};
use rustc_hash::FxHashMap;
use std::rc::Rc;
use term::build::{
    and, bv, bv_ult, const_array, eq, fp_from_bits, fp_to_bits, ite, or, pointer_object, pointer_offset, select, store,
};
use term::visit::map_children;
use term::{Bv, Op as TermOp, Sort, SortKind, Term, Value};

/// A copy or fill of more elements than this is not followed element by element.
const MOST_ELEMENTS: u64 = 64;

/// Which edge an edge stands for, for each procedure.
type Origins = Vec<Vec<Option<(ProcId, EdgeId)>>>;

/// The new values of cells; a cell that is not named keeps its value.
type State = FxHashMap<Term, Term>;

pub struct Rewriter<'a> {
    program: &'a Program,
    points_to: &'a PointsTo,
    layout: &'a Layout,
    values: FxHashMap<Term, Term>,
    states: FxHashMap<Term, Rc<State>>,
    /// Variables for what is not known about the edge at hand.
    unknown: Vec<Term>,
    unknowns: u32,
    locals: Vec<Variable>,
}

impl<'a> Rewriter<'a> {
    pub fn new(program: &'a Program, points_to: &'a PointsTo, layout: &'a Layout) -> Rewriter<'a> {
        let (values, states, locals) = (FxHashMap::default(), FxHashMap::default(), Vec::new());
        Rewriter { program, points_to, layout, values, states, unknown: Vec::new(), unknowns: 0, locals }
    }

    pub fn run(mut self) -> (Program, Origins) {
        let mut origins = Origins::new();
        let mut procedures = Vec::new();
        for (id, procedure) in self.program.procedures() {
            let (procedure, origin) = self.procedure(id, procedure);
            procedures.push(procedure);
            origins.push(origin);
        }
        let is_memory = |variable: &Variable| matches!(variable.sort().kind(), SortKind::Memory(_));
        let mut globals: Vec<Variable> = self.program.globals.iter().filter(|v| !is_memory(v)).cloned().collect();
        for class in self.layout.classes() {
            globals.extend(class.cells.iter().map(|cell| Variable {
                user_name: None,
                user_type: None,
                thread_local: false,
                place: None,
                term: cell.variable,
            }));
        }
        (Program { globals, procedures, ..self.program.clone() }, origins)
    }

    fn procedure(&mut self, id: ProcId, procedure: &Procedure) -> (Procedure, Vec<Option<(ProcId, EdgeId)>>) {
        let Ok(body) = &procedure.body else { return (procedure.clone(), Vec::new()) };
        let (mut locations, old, entry, exit) = body.clone().into_parts();
        let (mut edges, mut origins) = (Vec::new(), Vec::new());
        for (number, edge) in old.into_iter().enumerate() {
            let edge_id = EdgeId(number as u32);
            let ops = self.edge(id, edge_id, &edge.op);
            let last = ops.len() - 1;
            let mut from = edge.from;
            for (position, (op, is_original)) in ops.into_iter().enumerate() {
                let to = if position == last { edge.to } else { between(&mut locations, &edge) };
                edges.push(Edge { from, to, op, place: edge.place });
                origins.push(is_original.then_some((id, edge_id)));
                from = to;
            }
        }
        let mut locals = procedure.locals.clone();
        locals.append(&mut self.locals);
        (Procedure { locals, body: Ok(Cfa::new(locations, edges, entry, exit)), ..procedure.clone() }, origins)
    }

    /// What an edge becomes: its operation, with what must be chosen before and after it.
    fn edge(&mut self, procedure: ProcId, id: EdgeId, op: &Op) -> Vec<(Op, bool)> {
        // A load's meaning depends on the edge only through fresh variables, which are not remembered.
        self.values.clear();
        self.states.clear();
        let mut after = Vec::new();
        let op = match op {
            Op::Assign(pairs) => {
                let mut new = Vec::new();
                for (variable, value) in pairs {
                    if matches!(variable.sort().kind(), SortKind::Memory(_)) {
                        let state = self.state(*value);
                        new.extend(state.iter().map(|(cell, value)| (*cell, *value)));
                    } else if let Some(site) = self.site(procedure, id, *variable, *value) {
                        let (value, follow) = self.allocate(site, *value);
                        new.push((*variable, value));
                        after.extend(follow);
                    } else {
                        new.push((*variable, self.value(*value)));
                    }
                }
                Op::Assign(new)
            }
            Op::Assume(condition) => Op::Assume(self.value(*condition)),
            Op::Havoc(variables) => Op::Havoc(variables.clone()),
            Op::Call { procedure, arguments, results } => {
                let arguments = arguments.iter().map(|argument| self.value(*argument)).collect();
                Op::Call { procedure: *procedure, arguments, results: results.clone() }
            }
            Op::Spawn { procedure, arguments, thread } => {
                let arguments = arguments.iter().map(|argument| self.value(*argument)).collect();
                Op::Spawn { procedure: *procedure, arguments, thread: *thread }
            }
            Op::AtomicBegin => Op::AtomicBegin,
            Op::AtomicEnd => Op::AtomicEnd,
        };
        let unknown = std::mem::take(&mut self.unknown);
        let before = (!unknown.is_empty()).then_some((Op::Havoc(unknown), false));
        before.into_iter().chain([(op, true)]).chain(after.into_iter().map(|op| (op, false))).collect()
    }

    /// The allocation that an assignment of an edge is, if it is one.
    fn site(&self, procedure: ProcId, id: EdgeId, variable: Term, value: Term) -> Option<Object> {
        let object = Object::Site(procedure, id);
        let site = self.layout.sites.get(&object)?;
        (site.variable == variable && value.is_var()).then_some(object)
    }

    /// The identity of a new object, and what follows the allocation.
    fn allocate(&mut self, object: Object, next: Term) -> (Term, Vec<Op>) {
        let site = &self.layout.sites[&object];
        match self.layout.identity(object) {
            Some(identity) => {
                let cells = self.layout.class(object).map_or(&[][..], |class| &class.cells);
                let arbitrary: Vec<Term> = cells.iter().map(|cell| cell.variable).collect();
                let follow = (site.repeats && !arbitrary.is_empty()).then_some(Op::Havoc(arbitrary));
                (bv(term::OBJECT_WIDTH, identity.into()), follow.into_iter().collect())
            }
            None => {
                // Counted identities are above those of static objects and below those that are given out here.
                let statics = bv(term::OBJECT_WIDTH, self.program.objects.len() as u128);
                let end = bv(term::OBJECT_WIDTH, super::layout::FIRST_SINGLE.into());
                let range = and([bv_ult(statics, site.variable), bv_ult(site.variable, end)]);
                (next, vec![Op::Assume(range)])
            }
        }
    }

    fn fresh(&mut self, sort: Sort) -> Term {
        self.unknowns += 1;
        let variable = Variable::internal(format!("$unknown{}", self.unknowns).as_str(), sort);
        let term = variable.term;
        self.locals.push(variable);
        self.unknown.push(term);
        term
    }

    /// A term with loads replaced. The recursion is over nested loads and memories; plain terms are mapped without it.
    fn value(&mut self, term: Term) -> Term {
        if let Some(known) = self.values.get(&term) {
            return *known;
        }
        let result = match (term.op(), term.args()) {
            (TermOp::Load(sort), [memory, at]) => self.load(*sort, *memory, *at),
            (_, []) => term,
            _ => map_children(term, |child| self.value(child)),
        };
        self.values.insert(term, result);
        result
    }

    fn load(&mut self, sort: Sort, memory: Term, at: Term) -> Term {
        let state = self.state(memory);
        let targets = self.points_to.targets(at);
        let at = self.value(at);
        let Some(cases) = self.cases(&targets, at) else { return self.fresh(sort) };
        let mut result = None;
        for (condition, cell) in cases.into_iter().rev() {
            let value = match cell {
                None => self.fresh(sort),
                Some(cell) => {
                    let now = current(&state, cell);
                    let raw = match cell.kept {
                        Kept::Scalar => now,
                        Kept::ByOffset => select(now, pointer_offset(at)),
                        Kept::ByPointer => select(now, at),
                    };
                    converted(raw, sort)
                }
            };
            result = Some(match result {
                None => value,
                Some(other) => ite(condition, value, other),
            });
        }
        result.unwrap_or_else(|| self.fresh(sort))
    }

    /// The cells that an access may reach, each with the condition under which it does; the last stands for all the rest. `None`
    /// in place of a cell if nothing is known of it. `None` at all if the cases cannot be told apart.
    fn cases(&self, targets: &Targets, at: Term) -> Option<Vec<(Term, Option<&'a Cell>)>> {
        let layout: &'a Layout = self.layout;
        let mut grouped: Vec<(&'a Class, Option<Vec<Term>>, Low)> = Vec::new();
        for (object, offset) in targets {
            let Some(class) = layout.class(*object) else { continue };
            let is_here = layout
                .identity(*object)
                .map(|identity| eq(pointer_object(at), bv(term::OBJECT_WIDTH, identity.into())));
            match grouped.iter_mut().find(|(known, _, _)| std::ptr::eq(*known, class)) {
                Some((_, conditions, low)) => {
                    *low = low.join(*offset);
                    match (conditions.as_mut(), is_here) {
                        (Some(conditions), Some(condition)) => conditions.push(condition),
                        _ => *conditions = None,
                    }
                }
                None => grouped.push((class, is_here.map(|condition| vec![condition]), *offset)),
            }
        }
        // At most one class may be recognised by being none of the others.
        grouped.sort_by_key(|(_, conditions, _)| conditions.is_none());
        if grouped.iter().filter(|(_, conditions, _)| conditions.is_none()).count() > 1 {
            return None;
        }
        let case = |(class, conditions, low): (&'a Class, Option<Vec<Term>>, Low)| {
            (or(conditions.unwrap_or_default()), class.cell(low))
        };
        Some(grouped.into_iter().map(case).collect())
    }

    /// What the cells are in a memory.
    fn state(&mut self, memory: Term) -> Rc<State> {
        if let Some(known) = self.states.get(&memory) {
            return known.clone();
        }
        let state = match (memory.op(), memory.args()) {
            (TermOp::MemStore, [before, at, value]) => {
                let mut state = (*self.state(*before)).clone();
                let targets = self.points_to.targets(*at);
                let (at, value) = (self.value(*at), self.value(*value));
                self.write(&mut state, &targets, at, value);
                state
            }
            (TermOp::MemCopy, [before, to, from, length]) => {
                let mut state = (*self.state(*before)).clone();
                self.copy(&mut state, *to, *from, *length);
                state
            }
            (TermOp::MemFill, [before, to, byte, length]) => {
                let mut state = (*self.state(*before)).clone();
                let byte = self.value(*byte);
                self.fill(&mut state, *to, byte, *length);
                state
            }
            (TermOp::Ite, [condition, then, other]) => {
                let condition = self.value(*condition);
                let (then, other) = (self.state(*then), self.state(*other));
                let cells = then.keys().chain(other.keys()).copied();
                let value = |state: &State, cell: Term| state.get(&cell).copied().unwrap_or(cell);
                cells.map(|cell| (cell, ite(condition, value(&then, cell), value(&other, cell)))).collect()
            }
            _ => State::default(),
        };
        let state = Rc::new(state);
        self.states.insert(memory, state.clone());
        state
    }

    fn write(&mut self, state: &mut State, targets: &Targets, at: Term, value: Term) {
        match self.cases(targets, at) {
            Some(cases) => {
                let is_only = cases.len() == 1;
                let mut earlier = Vec::new();
                for (condition, cell) in cases {
                    let here =
                        if condition == or([]) { term::build::not(or(earlier.iter().copied())) } else { condition };
                    earlier.push(condition);
                    let Some(cell) = cell else { continue };
                    let old = current(state, cell);
                    let value = converted(value, cell.sort);
                    let new = match cell.kept {
                        Kept::Scalar => value,
                        Kept::ByOffset => store(old, pointer_offset(at), value),
                        Kept::ByPointer => store(old, at, value),
                    };
                    state.insert(cell.variable, if is_only { new } else { ite(here, new, old) });
                }
            }
            None => self.forget(state, targets),
        }
    }

    /// Makes arbitrary all that a write to one of the targets may reach.
    fn forget(&mut self, state: &mut State, targets: &Targets) {
        for object in targets.keys() {
            let Some(class) = self.layout.class(*object) else { continue };
            for cell in &class.cells {
                let value = self.fresh(cell.variable.sort());
                state.insert(cell.variable, value);
            }
        }
    }

    fn fill(&mut self, state: &mut State, to: Term, byte: Term, length: Term) {
        let targets = self.points_to.targets(to);
        let Some((object, start)) = exact(&targets) else { return self.forget(state, &targets) };
        let Some(class) = self.layout.class(object) else { return };
        let pattern = byte.value().and_then(Value::as_bv);
        let known = number(length);
        let whole = start == 0
            && (known.is_some_and(|n| self.layout.size(object).is_some_and(|size| n >= size))
                || self.layout.sites.get(&object).is_some_and(|site| site.size == Some(length)));
        for cell in &class.cells {
            let value = pattern.and_then(|byte| repeated(byte, cell));
            let new = match (cell.kept, value, known) {
                (Kept::Scalar, value, Some(n)) if cell.residue.wrapping_sub(start) < n => value,
                (Kept::Scalar, _, Some(_)) => continue,
                (Kept::Scalar | Kept::ByOffset, Some(value), _) if whole => Some(match cell.kept {
                    Kept::Scalar => value,
                    _ => const_array(cell.variable.sort(), value),
                }),
                (Kept::ByOffset, Some(value), Some(n)) if n / cell.bytes <= MOST_ELEMENTS => {
                    let width = self.program.data_model.pointer_width();
                    let old = current(state, cell);
                    Some(elements(class, cell, start, n).fold(old, |map, o| store(map, bv(width, o.into()), value)))
                }
                _ => None,
            };
            let new = new.unwrap_or_else(|| self.fresh(cell.variable.sort()));
            state.insert(cell.variable, new);
        }
    }

    fn copy(&mut self, state: &mut State, to: Term, from: Term, length: Term) {
        let (places, sources) = (self.points_to.targets(to), self.points_to.targets(from));
        let (Some((object, start)), Some((source, first)), Some(n)) = (exact(&places), exact(&sources), number(length))
        else {
            return self.forget(state, &places);
        };
        let before = state.clone();
        let Some(class) = self.layout.class(object) else { return };
        for cell in &class.cells {
            let width = self.program.data_model.pointer_width();
            let moved = |offset: u64| offset.wrapping_sub(start).wrapping_add(first);
            let origin = self.layout.class(source);
            let read = |offset: u64| {
                let there = origin?.cell(Low::exact(moved(offset)))?;
                let now = current(&before, there);
                let value = match there.kept {
                    Kept::Scalar => now,
                    Kept::ByOffset => select(now, bv(width, moved(offset).into())),
                    Kept::ByPointer => return None,
                };
                (there.bytes == cell.bytes).then(|| converted(value, cell.sort))
            };
            let new = match cell.kept {
                Kept::Scalar if cell.residue.wrapping_sub(start) < n => read(cell.residue),
                Kept::Scalar => continue,
                Kept::ByOffset if n / cell.bytes <= MOST_ELEMENTS => {
                    let mut map = Some(current(state, cell));
                    for offset in elements(class, cell, start, n) {
                        map = map.and_then(|map| Some(store(map, bv(width, offset.into()), read(offset)?)));
                    }
                    map
                }
                _ => None,
            };
            let new = new.unwrap_or_else(|| self.fresh(cell.variable.sort()));
            state.insert(cell.variable, new);
        }
    }
}

fn between(locations: &mut Vec<Location>, edge: &Edge) -> LocId {
    locations.push(Location { kind: LocationKind::Plain, label: None, place: edge.place });
    LocId(locations.len() as u32 - 1)
}

fn current(state: &State, cell: &Cell) -> Term {
    state.get(&cell.variable).copied().unwrap_or(cell.variable)
}

/// The offsets of a repeating cell inside a stretch of bytes.
fn elements(class: &Class, cell: &Cell, start: u64, length: u64) -> impl Iterator<Item = u64> + use<> {
    let step = 1u64.checked_shl(class.known).unwrap_or(u64::MAX).max(1);
    let first = start + cell.residue.wrapping_sub(start) % step;
    (0..).map(move |i| first + i * step).take_while(move |offset| *offset < start + length)
}

/// The value of a cell all of whose bytes are the same.
fn repeated(byte: Bv, cell: &Cell) -> Option<Term> {
    let bits = (0..cell.bytes).fold(0u128, |bits, _| bits << 8 | byte.unsigned());
    match cell.sort.kind() {
        SortKind::BitVec(width) => Some(bv(*width, bits)),
        SortKind::Float(format) => Some(fp_from_bits(*format, bv(format.width(), bits))),
        SortKind::Pointer(width) if bits == 0 => Some(term::build::null(*width)),
        _ => None,
    }
}

/// A value of the same size seen as another sort.
fn converted(value: Term, sort: Sort) -> Term {
    match (value.sort().kind(), sort.kind()) {
        (SortKind::Float(_), SortKind::BitVec(_)) => fp_to_bits(value),
        (SortKind::BitVec(_), SortKind::Float(format)) => fp_from_bits(*format, value),
        (SortKind::Float(_), SortKind::Float(format)) if value.sort() != sort => {
            fp_from_bits(*format, fp_to_bits(value))
        }
        _ => value,
    }
}
