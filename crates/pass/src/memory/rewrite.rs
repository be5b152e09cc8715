//! The program with cells instead of memory.

use super::Split;
use super::access::with_cells;
use super::index::Address;
use super::layout::{Cell, Class, Kept, Layout, Spot};
use super::lift::{Event, Initial};
use super::reach::{Accessed, Place};
use crate::EdgeMap;
use crate::bound::{Bound, SPLIT};
use analysis::points_to::{Foreign, Low, MIDDLE, Object, PointsTo, Targets};
use faults::Fault;
use ir::{Cfa, Edge, EdgeId, LocId, Location, LocationKind, Op, ProcId, Procedure, Program, Variable, memory};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::rc::Rc;
use term::build::{
    and, bv, bv_add, bv_sub, bv_ule, bv_ult, bv_urem, concat, eq, extract, fp_from_bits, fp_to_bits, ite, not, or,
    pointer, pointer_object, pointer_offset, select, store, truth,
};
use term::visit::{map_children, post_order};
use term::{Op as TermOp, Sort, SortKind, Term};

/// Which old edges the edges of a procedure stand for.
type Origins = Vec<Option<(ProcId, EdgeId)>>;

/// The new values of cells; a cell that is not named keeps its value.
pub(super) type State = FxHashMap<Term, Term>;

/// A class that an access may reach.
struct Reached<'a> {
    class: &'a Class,
    /// When the pointer points to one of its objects, if identities tell.
    here: Option<Term>,
    /// Where, as far as the class tells offsets apart.
    offsets: BTreeSet<Low>,
    /// Where, if the class is cut into regions: the offsets, and those of the pointer that the access is computed from.
    starts: BTreeSet<(Low, Low)>,
}

/// An edge of the new program, before it has a place.
struct Piece {
    op: Op,
    /// Whether it stands for the old edge; the others were put in around it.
    is_original: bool,
    /// Where executions end that cannot take it: it is an assumption about a class.
    checks: Option<u64>,
}

pub struct Rewriter<'a> {
    pub(super) program: &'a Program,
    pub(super) points_to: &'a PointsTo,
    pub(super) layout: &'a Layout,
    foreign: Foreign,
    values: FxHashMap<Term, Term>,
    states: FxHashMap<Term, Rc<State>>,
    /// Variables for what is not known about the edge at hand.
    unknown: Vec<Term>,
    unknowns: u32,
    locals: Vec<Variable>,
    /// What must hold before the edge at hand, for its execution to be one of the old program.
    assumed: Vec<Term>,
    /// What is assumed of accesses of the edge at hand, and is a check of its own: the class, and what must hold.
    checks: Vec<(u64, Term)>,
    /// What the edge at hand does with memory.
    pub(super) events: Vec<Event>,
    split: Split,
}

impl<'a> Rewriter<'a> {
    pub fn new(
        program: &'a Program,
        points_to: &'a PointsTo,
        layout: &'a Layout,
        foreign: Foreign,
        split: Split,
    ) -> Rewriter<'a> {
        Rewriter {
            program,
            points_to,
            layout,
            foreign,
            values: FxHashMap::default(),
            states: FxHashMap::default(),
            unknown: Vec::new(),
            unknowns: 0,
            locals: Vec::new(),
            assumed: Vec::new(),
            checks: Vec::new(),
            events: Vec::new(),
            split,
        }
    }

    pub fn run(mut self) -> (Program, Initial) {
        let (mut origins, mut events) = (Vec::new(), Vec::new());
        let mut procedures = Vec::new();
        for (id, procedure) in self.program.procedures() {
            let (procedure, origin, event) = self.procedure(id, procedure);
            procedures.push(procedure);
            origins.push(origin);
            events.push(event);
        }
        let is_memory = |variable: &Variable| matches!(variable.sort().kind(), SortKind::Memory(_));
        let mut globals: Vec<Variable> = self.program.globals.iter().filter(|v| !is_memory(v)).cloned().collect();
        for class in self.layout.classes() {
            let variables = class.cells.iter().flat_map(|cell| [Some(cell.variable), cell.first]).flatten();
            let named = |term: Term| term.name().expect("cells are variables");
            globals.extend(variables.map(|term| Variable { term, ..Variable::internal(named(term), term.sort()) }));
        }
        let program = Program { globals, procedures, ..self.program.clone() };
        (program.clone(), Initial { program, edges: EdgeMap { origins }, events })
    }

    fn procedure(&mut self, id: ProcId, procedure: &Procedure) -> (Procedure, Origins, Vec<Vec<Event>>) {
        let Ok(body) = &procedure.body else { return (procedure.clone(), Vec::new(), Vec::new()) };
        let (mut locations, old, entry, exit) = body.clone().into_parts();
        let (mut edges, mut origins, mut events) = (Vec::new(), Vec::new(), Vec::new());
        // Where executions end that leave the regions of a class.
        let mut left: FxHashMap<u64, LocId> = FxHashMap::default();
        let first = firsts(self.layout.classes().iter().flat_map(|class| &class.cells));
        let begins = id == self.program.entry && !first.is_empty();
        let start = if begins {
            locations.push(locations[entry.0 as usize].clone());
            let start = LocId(locations.len() as u32 - 1);
            edges.push(Edge { from: entry, to: start, op: Op::Assign(first), place: None });
            origins.push(None);
            events.push(Vec::new());
            start
        } else {
            entry
        };
        for (number, edge) in old.into_iter().enumerate() {
            let edge_id = EdgeId(number as u32);
            let pieces = self.edge(id, edge_id, &edge.op);
            let mut done = std::mem::take(&mut self.events);
            let last = pieces.len() - 1;
            let mut from = if edge.from == entry { start } else { edge.from };
            for (position, Piece { op, is_original, checks }) in pieces.into_iter().enumerate() {
                let to = if position == last { edge.to } else { between(&mut locations, &edge) };
                if let (Some(class), Op::Assume(condition)) = (checks, &op) {
                    let left = *left.entry(class).or_insert_with(|| {
                        locations.push(Bound { name: SPLIT, number: class }.location(edge.place));
                        LocId(locations.len() as u32 - 1)
                    });
                    edges.push(Edge { from, to: left, op: Op::Assume(not(*condition)), place: edge.place });
                    origins.push(None);
                    events.push(Vec::new());
                }
                edges.push(Edge { from, to, op, place: edge.place });
                origins.push(is_original.then_some((id, edge_id)));
                events.push(if is_original { std::mem::take(&mut done) } else { Vec::new() });
                from = to;
            }
        }
        let mut locals = procedure.locals.clone();
        locals.append(&mut self.locals);
        let body = Ok(Cfa::new(locations, edges, entry, exit));
        (Procedure { locals, body, ..procedure.clone() }, origins, events)
    }

    /// What an edge becomes: its operation, with what must be chosen before and after it.
    fn edge(&mut self, procedure: ProcId, id: EdgeId, op: &Op) -> Vec<Piece> {
        // A load's meaning depends on the edge only through fresh variables, which are not remembered.
        self.values.clear();
        self.states.clear();
        let mut after = Vec::new();
        let mut op = match op {
            Op::Assign(pairs) => {
                let mut new = Vec::new();
                for (variable, value) in pairs {
                    if matches!(variable.sort().kind(), SortKind::Memory(_)) {
                        let state = self.state(*value);
                        new.extend(state.iter().map(|(cell, value)| (*cell, *value)));
                    } else if let Some(site) = self.site(procedure, id, *variable, *value) {
                        let (identity, follow) = self.allocate(site, *value);
                        self.events.push(Event::Allocate { identity, old: *value });
                        new.push((*variable, identity));
                        after.extend(follow);
                    } else {
                        new.push((*variable, self.value(*value)));
                    }
                }
                Op::Assign(new)
            }
            Op::Assume(condition) => Op::Assume(self.value(*condition)),
            Op::Havoc(variables) => {
                let pointers = variables.iter().filter(|v| matches!(v.sort().kind(), SortKind::Pointer(_)));
                for pointer in pointers {
                    let targets = self.points_to.arbitrary(*pointer);
                    if self.foreign == Foreign::Any && targets.contains_key(&Object::External(0)) {
                        continue;
                    }
                    after.push(Op::Assume(self.is_target(&targets, *pointer)));
                    // What a variable that is never set points to is something new each time.
                    let cells = targets.keys().filter_map(|object| self.layout.class(*object)).flat_map(|c| &c.cells);
                    let cells: Vec<Term> = cells.map(|cell| cell.variable).collect();
                    if self.foreign == Foreign::Any && !cells.is_empty() {
                        after.push(Op::Havoc(cells));
                    }
                }
                Op::Havoc(variables.clone())
            }
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
        let mut before = Vec::new();
        let unknown = std::mem::take(&mut self.unknown);
        let unknown = (!unknown.is_empty()).then_some(Op::Havoc(unknown));
        let assumed = std::mem::take(&mut self.assumed);
        match &mut op {
            Op::Assume(condition) => *condition = and(assumed.into_iter().chain([*condition])),
            _ if assumed.is_empty() => {}
            _ => before.push(Op::Assume(and(assumed))),
        }
        let around = |op: Op| Piece { op, is_original: false, checks: None };
        let checks = std::mem::take(&mut self.checks).into_iter();
        let checks = checks.map(|(class, condition)| Piece {
            op: Op::Assume(condition),
            is_original: false,
            checks: Some(class),
        });
        let chosen = unknown.map(around).into_iter().chain(checks);
        let pieces = chosen.chain(before.into_iter().map(around));
        let pieces = pieces.chain([Piece { op, is_original: true, checks: None }]);
        pieces.chain(after.into_iter().map(around)).collect()
    }

    /// That a pointer points to one of the targets, or is null, as far as identities and offsets tell.
    fn is_target(&self, targets: &Targets, pointer: Term) -> Term {
        let (object, offset) = (pointer_object(pointer), pointer_offset(pointer));
        let own = targets.keys().any(|object| !matches!(object, Object::External(_)));
        let (none, first) = (bv(term::OBJECT_WIDTH, 0), bv(term::OBJECT_WIDTH, memory::FIRST_EXTERNAL.into()));
        let is_own = and([bv_ult(none, object), bv_ult(object, first)]);
        let null = eq(pointer, term::build::null(offset.sort().bv_width().unwrap_or(64)));
        let there = targets.iter().filter(|(object, _)| matches!(object, Object::External(_)));
        let there = there.map(|(group, low)| {
            let is_here = self.layout.is_here(*group, pointer);
            and(is_here.into_iter().chain([is_offset(*low, offset)]))
        });
        or([null].into_iter().chain(own.then_some(is_own)).chain(there))
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
                let mut follow = Vec::new();
                if site.repeats && !arbitrary.is_empty() {
                    follow.push(Op::Havoc(arbitrary));
                    follow.push(Op::Assign(firsts(cells)));
                }
                (bv(term::OBJECT_WIDTH, identity.into()), follow)
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

    pub(super) fn fresh(&mut self, sort: Sort) -> Term {
        self.unknowns += 1;
        let variable = Variable::internal(format!("$unknown{}", self.unknowns).as_str(), sort);
        let term = variable.term;
        self.locals.push(variable);
        self.unknown.push(term);
        term
    }

    /// A term with loads replaced. The recursion is over nested loads and memories; plain terms are mapped without it.
    pub(super) fn value(&mut self, term: Term) -> Term {
        if let Some(known) = self.values.get(&term) {
            return *known;
        }
        let result = match (term.op(), term.args()) {
            (TermOp::Load(sort), [memory, at]) => {
                let is_pointer = matches!(sort.kind(), SortKind::Pointer(_));
                let watched = (is_pointer && self.foreign == Foreign::Distinct).then(|| self.points_to.targets(term));
                let loaded = self.load(*sort, *memory, *at, watched);
                let at = self.value(*at);
                self.events.push(Event::Load { at, value: loaded });
                loaded
            }
            // Which object lies at an address is not known, but it is one of the targets.
            (TermOp::ObjectAt, _) => self.fresh(Sort::object()),
            (_, []) => term,
            (TermOp::Pointer, [_, offset]) if self.foreign == Foreign::Distinct => {
                self.assume_products(*offset);
                map_children(term, |child| self.value(child))
            }
            _ => map_children(term, |child| self.value(child)),
        };
        self.values.insert(term, result);
        result
    }

    /// Assumes that what a pointer moves by is not too large for its width where it is a product, as the strides of offsets
    /// have it.
    fn assume_products(&mut self, offset: Term) {
        for part in post_order([offset]) {
            let (TermOp::BvMul, [a, b]) = (part.op(), part.args()) else { continue };
            let (factor, by) = match (a.as_bv(), b.as_bv()) {
                (None, Some(by)) => (*a, by),
                (Some(by), None) => (*b, by),
                _ => continue,
            };
            let most = (1u128 << (by.width() - 1)) / by.unsigned().max(1);
            let shifted = bv_add(self.value(factor), bv(by.width(), most));
            self.assumed.push(bv_ule(shifted, bv(by.width(), 2 * most)));
        }
    }

    /// What is loaded. It is assumed that a pointer is one of those to `watched`, and was one from outside at first.
    fn load(&mut self, sort: Sort, memory: Term, at: Term, watched: Option<Targets>) -> Term {
        let state = self.state(memory);
        let targets = self.points_to.targets(at);
        let (old, at) = (at, self.value(at));
        let Some(cases) = self.cases(&targets, Accessed { old, at, sort, writes: false }) else {
            return self.fresh(sort);
        };
        let mut result = None;
        for (condition, place) in cases.into_iter().rev() {
            let value = match place {
                Place::Unknown | Place::Part { .. } | Place::Unclear(_) => {
                    let value = self.fresh(sort);
                    if let Some(targets) = &watched {
                        self.assumed.push(self.is_target(targets, value));
                    }
                    value
                }
                Place::Spot(spot @ Spot { cell, .. }) => {
                    let element = |map: Term| match cell.kept {
                        Kept::Scalar => map,
                        Kept::ByOffset => select(map, pointer_offset(spot.start(at))),
                        Kept::ByPointer => select(map, spot.start(at)),
                    };
                    if let (Some(targets), Some(first)) = (&watched, cell.first) {
                        let is_external = |object: &Object| matches!(object, Object::External(_));
                        let foreign = targets.iter().filter(|(object, _)| is_external(object));
                        // It has not moved yet.
                        let foreign: Targets = foreign.map(|(object, _)| (*object, Low::exact(MIDDLE))).collect();
                        self.assumed.push(self.is_target(&foreign, element(first)));
                    }
                    spot.part(element(current(&state, cell)), sort)
                }
            };
            result = Some(match (result, condition) {
                (Some(other), Some(condition)) => ite(condition, value, other),
                _ => value,
            });
        }
        result.unwrap_or_else(|| self.fresh(sort))
    }

    /// The cells that an access may reach, each with the condition under which it does; the last stands for all the rest, and so does
    /// one without a condition. `None` at all if the cases cannot be told apart.
    fn cases(&mut self, targets: &Targets, access: Accessed) -> Option<Vec<(Option<Term>, Place<'a>)>> {
        let (layout, at): (&'a Layout, Term) = (self.layout, access.at);
        let address = Address::new(access.old);
        let mut reached: Vec<Reached<'a>> = Vec::new();
        for (object, offset) in targets {
            let Some(class) = layout.class(*object) else { continue };
            let is_cut = !class.regions.is_empty();
            let offsets = if is_cut { BTreeSet::new() } else { class.places(*offset)? };
            let starts = is_cut.then(|| (*offset, address.base_in(*object, self.points_to)));
            let is_here = layout.is_here(*object, at);
            let known = reached.iter_mut().find(|reached| std::ptr::eq(reached.class, class));
            match known {
                Some(reached) => {
                    reached.here = reached.here.zip(is_here).map(|(one, other)| or([one, other]));
                    reached.offsets.extend(offsets);
                    reached.starts.extend(starts);
                }
                None => {
                    reached.push(Reached { class, here: is_here, offsets, starts: starts.into_iter().collect() });
                }
            }
        }
        // At most one class may be recognised by being none of the others.
        reached.sort_by_key(|reached| reached.here.is_none());
        let unnamed = reached.iter().filter(|reached| reached.here.is_none()).count();
        if unnamed > 1 {
            return None;
        }
        let is_elsewhere = self.is_elsewhere(targets);
        let is_only = reached.len() == 1 && !is_elsewhere;
        let mut cases: Vec<(Option<Term>, Place<'a>)> = Vec::new();
        for Reached { class, here, offsets, starts } in reached {
            if is_elsewhere && here.is_none() {
                // External objects without cells are known by their identities, and by being none of those that have cells.
                let object = pointer_object(at);
                let is_high = eq(extract(term::OBJECT_WIDTH - 1, term::OBJECT_WIDTH - 1, object), bv(1, 1));
                cases.push((Some(or([is_high, eq(object, bv(term::OBJECT_WIDTH, 0))])), Place::Unknown));
            }
            let earlier = || or(cases.iter().filter_map(|(condition, _)| *condition));
            let here = if is_only { truth() } else { here.unwrap_or_else(|| not(earlier())) };
            if !class.regions.is_empty() {
                let there = self.reach(class, &starts, access, here);
                cases.extend(there.into_iter().map(|(there, place)| (Some(and([here, there])), place)));
                continue;
            }
            let single = offsets.len() == 1;
            cases.extend(offsets.into_iter().map(|offset| {
                let there = if single { truth() } else { is_offset(offset, pointer_offset(at)) };
                (Some(and([here, there])), class.spot(offset).map_or(Place::Unknown, Place::Spot))
            }));
        }
        if is_elsewhere && unnamed == 0 {
            cases.push((None, Place::Unknown));
        }
        // Whoever comes last may be told by nothing but that it is none of the others.
        if let Some((condition, _)) = cases.last_mut().filter(|_| unnamed == 1) {
            *condition = None;
        }
        Some(cases)
    }

    /// Whether accesses are assumed to stay in the regions of a class where they start.
    pub(super) fn assumes(&self, class: &Class) -> bool {
        self.split.assumes(class.number)
    }

    /// Adds an assumption about the access at hand, which is a check of its own.
    pub(super) fn check(&mut self, class: &Class, condition: Term) {
        if condition != truth() && !faults::is(Fault::ForgottenRegion) {
            self.checks.push((class.number as u64, condition));
        }
    }

    /// Whether some of the targets have no cells because they may be any external objects.
    pub(super) fn is_elsewhere(&self, targets: &Targets) -> bool {
        self.targets_with_cells(targets).len() < targets.len()
    }

    pub(super) fn targets_with_cells(&self, targets: &Targets) -> Targets {
        with_cells(targets.clone(), self.foreign)
    }

    /// What the cells are in a memory.
    pub(super) fn state(&mut self, memory: Term) -> Rc<State> {
        if let Some(known) = self.states.get(&memory) {
            return known.clone();
        }
        let state = match (memory.op(), memory.args()) {
            (TermOp::MemStore, [before, at, value]) => {
                let mut state = (*self.state(*before)).clone();
                let targets = self.points_to.targets(*at);
                let (old, at, value) = (*at, self.value(*at), self.value(*value));
                self.events.push(Event::Store { at, bytes: value.sort().bytes().unwrap_or(1).into() });
                self.write(&mut state, &targets, old, at, value);
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

    fn write(&mut self, state: &mut State, targets: &Targets, old: Term, at: Term, value: Term) {
        let Some(cases) = self.cases(targets, Accessed { old, at, sort: value.sort(), writes: true }) else {
            return self.forget(state, targets);
        };
        let is_only = cases.len() == 1;
        let mut earlier = Vec::new();
        for (condition, place) in cases {
            let here = condition.unwrap_or_else(|| not(or(earlier.iter().copied())));
            earlier.push(here);
            let (cell, start) = match place {
                Place::Unknown => continue,
                Place::Spot(spot) => (spot.cell, spot.start(at)),
                Place::Part { cell, behind } => (cell, moved_back(at, behind)),
                Place::Unclear(cell) => (cell, at),
            };
            let old = current(state, cell);
            let with = |element: Term| match place {
                Place::Spot(spot) => spot.with_part(element, value),
                Place::Part { cell, behind } => with_bytes(cell, element, value, behind),
                Place::Unknown | Place::Unclear(_) => element,
            };
            let new = match cell.kept {
                _ if matches!(place, Place::Unclear(_)) => self.fresh(cell.variable.sort()),
                Kept::Scalar => with(old),
                Kept::ByOffset => store(old, pointer_offset(start), with(select(old, pointer_offset(start)))),
                Kept::ByPointer => store(old, start, with(select(old, start))),
            };
            state.insert(cell.variable, if is_only { new } else { ite(here, new, old) });
        }
    }

    /// Makes arbitrary all that a write to one of the targets may reach.
    pub(super) fn forget(&mut self, state: &mut State, targets: &Targets) {
        for object in targets.keys() {
            let Some(class) = self.layout.class(*object) else { continue };
            for cell in &class.cells {
                let value = self.fresh(cell.variable.sort());
                state.insert(cell.variable, value);
            }
        }
    }
}

fn between(locations: &mut Vec<Location>, edge: &Edge) -> LocId {
    locations.push(Location { kind: LocationKind::Plain, label: None, place: edge.place });
    LocId(locations.len() as u32 - 1)
}

/// What keeps the cells' first values.
fn firsts<'c>(cells: impl IntoIterator<Item = &'c Cell>) -> Vec<(Term, Term)> {
    cells.into_iter().filter_map(|cell| Some((cell.first?, cell.variable))).collect()
}

pub(super) fn current(state: &State, cell: &Cell) -> Term {
    state.get(&cell.variable).copied().unwrap_or(cell.variable)
}

impl Spot<'_> {
    /// The pointer to the start of the cell, if `at` points to the spot.
    fn start(&self, at: Term) -> Term {
        moved_back(at, self.inside as i64)
    }

    /// What is read here as a value of a sort, where the cell has this value. Bytes count from the low end.
    fn part(&self, element: Term, sort: Sort) -> Term {
        let (low, bits) = (self.inside as u32 * 8, sort.bytes().unwrap_or(1) * 8);
        if u64::from(bits) == self.cell.bytes * 8 {
            return converted(element, sort);
        }
        converted(extract(low + bits - 1, low, element), sort)
    }

    /// The value of the cell after a value was written here.
    fn with_part(&self, element: Term, value: Term) -> Term {
        let (low, bits) = (self.inside as u32 * 8, value.sort().bytes().unwrap_or(1) * 8);
        let all = self.cell.bytes as u32 * 8;
        if bits == all {
            return converted(value, self.cell.sort);
        }
        let mut whole = converted(value, Sort::bv(bits));
        if low > 0 {
            whole = concat(whole, extract(low - 1, 0, element));
        }
        if low + bits < all {
            whole = concat(extract(all - 1, low + bits, element), whole);
        }
        whole
    }
}

/// A pointer that is moved to the front.
fn moved_back(at: Term, by: i64) -> Term {
    if by == 0 {
        return at;
    }
    let offset = pointer_offset(at);
    let width = offset.sort().bv_width().unwrap_or(64);
    let by = term::Bv::new(width, by as i128 as u128).unsigned();
    pointer(pointer_object(at), bv_sub(offset, bv(width, by)))
}

/// The value of a cell, some bytes of which are replaced by some of a value that begins so far behind its start.
fn with_bytes(cell: &Cell, element: Term, value: Term, behind: i64) -> Term {
    let (all, bytes) = (cell.bytes as i64, i64::from(value.sort().bytes().unwrap_or(1)));
    let (from, to) = (behind.max(0), (behind + bytes).min(all));
    let part = extract((to - behind) as u32 * 8 - 1, (from - behind) as u32 * 8, value);
    Spot { cell, inside: from as u64 }.with_part(element, part)
}

/// That an offset is one of a set.
fn is_offset(low: Low, offset: Term) -> Term {
    let width = offset.sort().bv_width().unwrap_or(64);
    let residue = bv(width, low.bits().into());
    match low.stride() {
        0 => eq(offset, residue),
        1 => and([]),
        stride if stride.is_power_of_two() => {
            let known = stride.trailing_zeros().min(width);
            eq(extract(known - 1, 0, offset), bv(known, low.bits().into()))
        }
        stride => eq(bv_urem(offset, bv(width, stride.into())), residue),
    }
}

/// A value of the same size seen as another sort.
pub(super) fn converted(value: Term, sort: Sort) -> Term {
    match (value.sort().kind(), sort.kind()) {
        (SortKind::Float(_), SortKind::BitVec(_)) => fp_to_bits(value),
        (SortKind::BitVec(_), SortKind::Float(format)) => fp_from_bits(*format, value),
        (SortKind::Float(_), SortKind::Float(format)) if value.sort() != sort => {
            fp_from_bits(*format, fp_to_bits(value))
        }
        _ => value,
    }
}
