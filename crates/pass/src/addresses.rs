//! Numeric addresses: a variable that holds a pointer becomes a number ("Model Checking Sequential Software Programs
//! Via Mixed Symbolic Analysis", Section 5.2).
//!
//! Each object that the program names gets an interval of addresses, its *room*; what lies next to each other in the
//! object, as elements of an array and fields, has consecutive addresses there. Null is 0. Pointers are compared, and
//! move, as numbers. A question about a pointer's object is one about its room: `p` points to the third element of an
//! array of four-byte numbers if it is just that number.
//!
//! Rooms begin in front of their objects and reach behind them. A pointer that moves out of its room would be one
//! into another object, which it is not in the program before: such an execution comes to a location of a [`Bound`].
//! Objects that have no room, those that the program did not make and those that are counted, have addresses far
//! above, with the identity in the high bits; these pointers may move to any offset.
//!
//! Pointers inside of maps stay what they are. Programs with calls are left alone.
//!
//! Invariants: but for the bound, executions are the same ones, read differently. Locations and edges stay, new ones
//! come behind them. Traces come back; proofs stay behind.

use crate::bound::{Bound, MARGIN};
use crate::{Identity, Lift, Passed};
use analysis::points_to::{Foreign, Object, PointsTo};
use engine::{Proof, Step, Trace};
use faults::Fault;
use ir::memory::FIRST_EXTERNAL;
use ir::{Cfa, Edge, EdgeId, LocId, Location, LocationKind, Op, ProcId, Program, Variable};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::sync::Arc;
use term::build::{
    and, bv, bv_add, bv_signed, bv_sub, bv_ult, concat, eq, extract, implies, ite, not, or, pointer, pointer_object,
    pointer_offset, sign_extend, truth,
};
use term::visit::{map_children, post_order};
use term::{Bv, OBJECT_WIDTH, Op as TermOp, SortKind, Term, Value};

/// So many objects have rooms; each makes case distinctions longer.
const MOST_ROOMS: usize = 64;
/// The least size of a room.
const LEAST_ROOM: u64 = 1 << 10;

/// Makes numbers of pointers that are variables.
pub fn addresses(program: &Program) -> Passed {
    let is_passed = |op: &Op| matches!(op, Op::Call { .. } | Op::Spawn { .. });
    let locals = program.procedures.iter().flat_map(|procedure| &procedure.locals);
    let numbers: FxHashMap<Term, Term> = program
        .globals
        .iter()
        .chain(locals)
        .filter_map(|variable| Some((variable.term, number_of(variable)?)))
        .collect();
    if numbers.is_empty() || program.edges().any(|edge| is_passed(&edge.op)) {
        return Passed { program: program.clone(), lift: Arc::new(Identity) };
    }
    let space = Space::new(program);
    let mut result = program.clone();
    let declare = |variables: &mut Vec<Variable>| {
        for variable in variables.iter_mut() {
            if let Some(term) = numbers.get(&variable.term) {
                *variable = Variable { term: *term, user_name: None, user_type: None, ..variable.clone() };
            }
        }
    };
    declare(&mut result.globals);
    let mut translator = Translator::new(program, &space, &numbers);
    let (mut edges, mut havocs) = (Vec::new(), FxHashMap::default());
    for (id, procedure) in result.procedures.iter_mut().enumerate() {
        declare(&mut procedure.locals);
        let Ok(cfa) = &procedure.body else {
            edges.push(0);
            continue;
        };
        edges.push(cfa.edge_count());
        for (edge, known) in cfa.edges() {
            if let Op::Havoc(variables) = &known.op {
                havocs.insert((ProcId(id as u32), edge), variables.clone());
            }
        }
        procedure.body = Ok(body(cfa, &mut translator));
    }
    let names = numbers.iter().map(|(pointer, number)| (*number, *pointer)).collect();
    Passed { program: result, lift: Arc::new(Pointers { space, names, havocs, edges }) }
}

/// The number in the place of a variable that holds a pointer. No name that a program or a pass gives ends like this.
fn number_of(variable: &Variable) -> Option<Term> {
    let SortKind::Pointer(width) = variable.sort().kind() else { return None };
    Some(Term::var(format!("{}@address", variable.name()).as_str(), term::Sort::bv(width + OBJECT_WIDTH)))
}

fn body(cfa: &Cfa, translator: &mut Translator<'_>) -> Cfa {
    let (mut locations, mut edges, entry, exit) = cfa.clone().into_parts();
    for (id, known) in cfa.edges() {
        translator.guards.clear();
        let op = translator.operation(&known.op);
        let guard = and(translator.guards.drain(..));
        let edge = &mut edges[id.0 as usize];
        edge.op = op;
        if guard == truth() {
            continue;
        }
        locations.push(Location { kind: LocationKind::Plain, label: None, place: known.place });
        let inside = LocId(locations.len() as u32 - 1);
        locations.push(Bound { name: MARGIN, number: translator.space.margin() }.location(known.place));
        let outside = LocId(locations.len() as u32 - 1);
        edge.from = inside;
        let step = |to, condition| Edge { from: known.from, to, op: Op::Assume(condition), place: known.place };
        edges.push(step(inside, guard));
        edges.push(step(outside, not(guard)));
    }
    Cfa::new(locations, edges, entry, exit)
}

/// Where objects lie.
struct Space {
    /// The identities of objects with rooms: the n-th has the n-th room behind that of null.
    objects: Vec<u32>,
    /// The size of a room, a power of two.
    room: u64,
    /// The width of offsets.
    width: u32,
}

impl Space {
    fn new(program: &Program) -> Space {
        let mut found = BTreeSet::new();
        for term in post_order(program.edges().flat_map(|edge| edge.op.terms())) {
            match (term.op(), term.args()) {
                (TermOp::Const(Value::Pointer { object, .. }), _) => _ = found.insert(*object),
                (TermOp::Pointer, [object, _]) => found.extend(object.as_bv().map(|object| object.unsigned() as u32)),
                (TermOp::Eq, [a, b]) => {
                    found.extend(is_object(*a, *b).or(is_object(*b, *a)).map(|(_, object)| object));
                }
                _ => {}
            }
        }
        let objects: Vec<u32> =
            found.into_iter().filter(|object| (1..FIRST_EXTERNAL).contains(object)).take(MOST_ROOMS).collect();
        let size = |object: &u32| program.objects.get(*object as usize - 1).map_or(0, |object| object.size);
        let largest = objects.iter().map(size).max().unwrap_or(0).min(1 << 30);
        let room = (2 * largest).max(LEAST_ROOM).next_power_of_two();
        Space { objects, room, width: program.data_model.pointer_width() }
    }

    /// How far a pointer may move in front of its object.
    fn margin(&self) -> u64 {
        self.room / 4
    }

    fn address_width(&self) -> u32 {
        self.width + OBJECT_WIDTH
    }

    fn address(&self, number: u128) -> Term {
        bv(self.address_width(), number)
    }

    /// The address where an object with a room begins.
    fn base(&self, object: u32) -> Option<u64> {
        let place = self.objects.iter().position(|known| *known == object)?;
        Some(if faults::is(Fault::SharedAddress) { self.room } else { (place as u64 + 1) * self.room })
    }

    fn bases(&self) -> impl Iterator<Item = (u32, u64)> {
        self.objects.iter().copied().zip((1..).map(|place| place * self.room))
    }

    fn is_in_room(&self, base: u64, address: Term) -> Term {
        let start = self.address((base - self.margin()).into());
        bv_ult(bv_sub(address, start), self.address(self.room.into()))
    }

    /// The address so many bytes behind the start of an object, if that is in its room.
    fn place(&self, base: u64, behind: i128) -> Option<Term> {
        let margin = i128::from(self.margin());
        let is_inside = (-margin..i128::from(self.room) - margin).contains(&behind);
        is_inside.then(|| bv_signed(self.address_width(), i128::from(base) + behind))
    }

    /// Whether an address is that of null, or of an object with a room.
    fn is_low(&self, address: Term) -> Term {
        bv_ult(address, self.address(1 << self.width))
    }

    /// Whether an offset from null is one that addresses have.
    fn is_near_null(&self, offset: Term) -> Term {
        bv_ult(offset, bv(self.width, (self.room - self.margin()).into()))
    }

    /// Whether two addresses are in one room, or have one identity.
    fn is_together(&self, from: Term, to: Term) -> Term {
        let top = self.address_width() - 1;
        let margin = self.address(self.margin().into());
        let room = |address| extract(top, self.room.trailing_zeros(), bv_add(address, margin));
        let high = |address| extract(top, self.width, address);
        let low = and([self.is_low(from), self.is_low(to), eq(room(from), room(to))]);
        or([low, and([not(self.is_low(from)), eq(high(from), high(to))])])
    }

    fn object(&self, address: Term) -> Term {
        let other = extract(self.address_width() - 1, self.width, address);
        let known = |object: u32| bv(OBJECT_WIDTH, object.into());
        self.bases().fold(other, |rest, (object, base)| ite(self.is_in_room(base, address), known(object), rest))
    }

    fn offset(&self, address: Term) -> Term {
        let low = extract(self.width - 1, 0, address);
        let behind = |base: u64| bv_sub(low, bv(self.width, base.into()));
        self.bases().fold(low, |rest, (_, base)| ite(self.is_in_room(base, address), behind(base), rest))
    }

    /// The address of a pointer, given by its parts, and when it has one.
    fn of_parts(&self, object: Term, offset: Term) -> (Term, Term) {
        let known = |own: u32| eq(object, bv(OBJECT_WIDTH, own.into()));
        let moved = |base: u64| bv_add(self.address(base.into()), sign_extend(self.address_width(), offset));
        let mut address = concat(object, offset);
        let mut guards = vec![implies(known(0), self.is_near_null(offset))];
        for (own, base) in self.bases() {
            address = ite(known(own), moved(base), address);
            guards.push(implies(known(own), self.is_in_room(base, moved(base))));
        }
        (address, and(guards))
    }

    /// The pointer that an address is.
    fn pointer(&self, address: Bv) -> Value {
        let number = address.unsigned();
        let room = self.bases().find(|(_, base)| {
            let start = u128::from(base - self.margin());
            number.checked_sub(start).is_some_and(|behind| behind < self.room.into())
        });
        match room {
            Some((object, base)) => {
                Value::Pointer { object, offset: Bv::new(self.width, number.wrapping_sub(base.into())) }
            }
            None => Value::Pointer { object: (number >> self.width) as u32, offset: Bv::new(self.width, number) },
        }
    }
}

/// Rewrites the terms of edges.
struct Translator<'a> {
    space: &'a Space,
    numbers: &'a FxHashMap<Term, Term>,
    /// What pointers point to, if none is inside of a map.
    points_to: Option<PointsTo>,
    /// Pointers whose object is known where a term counts.
    known: FxHashMap<Term, u32>,
    values: FxHashMap<Term, Term>,
    /// What must hold for pointers of the edge at hand to have addresses.
    guards: Vec<Term>,
}

impl<'a> Translator<'a> {
    fn new(program: &Program, space: &'a Space, numbers: &'a FxHashMap<Term, Term>) -> Translator<'a> {
        let locals = program.procedures.iter().flat_map(|procedure| &procedure.locals);
        let is_map = |variable: &Variable| match variable.sort().kind() {
            SortKind::Array(_, element) => matches!(element.kind(), SortKind::Pointer(_) | SortKind::Array(..)),
            _ => false,
        };
        let points_to =
            (!program.globals.iter().chain(locals).any(is_map)).then(|| PointsTo::new(program, Foreign::Any));
        let (known, values) = (FxHashMap::default(), FxHashMap::default());
        Translator { space, numbers, points_to, known, values, guards: Vec::new() }
    }

    fn operation(&mut self, op: &Op) -> Op {
        self.values.clear();
        match op {
            Op::Assign(pairs) => {
                let pair = |(variable, value): &(Term, Term)| match self.numbers.get(variable) {
                    Some(number) => (*number, self.address(*value)),
                    None => (*variable, self.value(*value)),
                };
                Op::Assign(pairs.iter().map(pair).collect())
            }
            Op::Havoc(variables) => {
                Op::Havoc(variables.iter().map(|variable| *self.numbers.get(variable).unwrap_or(variable)).collect())
            }
            op => op.with_terms(&mut |term| self.value(term)),
        }
    }

    /// The address of a pointer.
    fn address(&mut self, term: Term) -> Term {
        if let Some(number) = self.numbers.get(&term) {
            return *number;
        }
        match (term.op(), term.args()) {
            (TermOp::Ite, [condition, then, other]) => {
                ite(self.value(*condition), self.address(*then), self.address(*other))
            }
            (TermOp::Pointer, [object, offset]) => match (object.op(), object.args()) {
                (TermOp::PointerObject, [from]) => self.moved(*from, *offset),
                _ => {
                    let (object, offset) = (self.value(*object), self.value(*offset));
                    self.of_parts(object, offset)
                }
            },
            _ => {
                let value = self.value(term);
                self.of_parts(pointer_object(value), pointer_offset(value))
            }
        }
    }

    fn of_parts(&mut self, object: Term, offset: Term) -> Term {
        let (address, guard) = self.space.of_parts(object, offset);
        self.guards.push(guard);
        address
    }

    /// Whether a pointer can only point to objects with rooms, as far as it is ever used.
    fn has_room(&self, pointer: Term) -> bool {
        let is_known = |object: &Object| matches!(object, Object::Static(object) if self.space.base(*object).is_some());
        self.points_to.as_ref().is_some_and(|points_to| points_to.targets(pointer).keys().all(is_known))
    }

    /// The address of a pointer that moves to an offset of its object.
    fn moved(&mut self, from: Term, offset: Term) -> Term {
        let start = self.address(from);
        let by = bv_sub(offset, pointer_offset(from));
        let by = self.value(by);
        let to = bv_add(start, sign_extend(self.space.address_width(), by));
        if self.has_room(from) {
            self.guards.push(and([self.space.is_low(start), self.space.is_together(start, to)]));
            return to;
        }
        // A pointer that has an identity in its address moves around in the low bits.
        let around = concat(
            extract(self.space.address_width() - 1, self.space.width, start),
            bv_add(extract(self.space.width - 1, 0, start), by),
        );
        self.guards.push(implies(self.space.is_low(start), self.space.is_together(start, to)));
        ite(self.space.is_low(start), to, around)
    }

    /// A term with addresses in the place of pointers.
    fn value(&mut self, term: Term) -> Term {
        if let Some(known) = self.values.get(&term) {
            return *known;
        }
        let result = match (term.op(), term.args()) {
            (_, []) => match self.numbers.get(&term) {
                Some(address) => pointer(self.space.object(*address), self.space.offset(*address)),
                None => term,
            },
            (TermOp::PointerObject, [of]) if self.numbers.contains_key(of) => match self.known.get(of) {
                Some(object) => bv(OBJECT_WIDTH, (*object).into()),
                None => self.space.object(self.numbers[of]),
            },
            (TermOp::PointerOffset, [of]) if self.numbers.contains_key(of) => {
                let address = self.numbers[of];
                match self.known.get(of) {
                    Some(object) => {
                        let base = self.space.base(*object).unwrap_or(0);
                        bv_sub(extract(self.space.width - 1, 0, address), bv(self.space.width, base.into()))
                    }
                    None => self.space.offset(address),
                }
            }
            (TermOp::Eq, [a, b]) if matches!(a.sort().kind(), SortKind::Pointer(_)) => {
                eq(self.address(*a), self.address(*b))
            }
            (TermOp::Eq, [a, b]) => match is_object(*a, *b).or(is_object(*b, *a)) {
                Some((of, object)) if self.numbers.contains_key(&of) => self.is_at(of, object),
                _ => map_children(term, |part| self.value(part)),
            },
            (TermOp::And, parts) => self.conjunction(parts),
            _ => map_children(term, |part| self.value(part)),
        };
        self.values.insert(term, result);
        result
    }

    /// That a pointer points to an object: it is one number, if it can only point to one place there.
    fn is_at(&self, of: Term, object: u32) -> Term {
        let address = self.numbers[&of];
        let targets = self.points_to.as_ref().map(|points_to| points_to.targets(of)).unwrap_or_default();
        let place = targets.get(&Object::Static(object)).and_then(|low| low.number());
        match self.space.base(object) {
            Some(base) => place
                .and_then(|offset| self.space.place(base, (offset as i64).into()))
                .map_or_else(|| self.space.is_in_room(base, address), |place| eq(address, place)),
            None => eq(self.space.object(address), bv(OBJECT_WIDTH, object.into())),
        }
    }

    /// Where one part says which object a pointer points to, the others may count on it.
    fn conjunction(&mut self, parts: &[Term]) -> Term {
        let told = |part: &Term| match (part.op(), part.args()) {
            (TermOp::Eq, [a, b]) => is_object(*a, *b).or(is_object(*b, *a)),
            _ => None,
        };
        let is_new = |(of, _): &(Term, u32)| self.numbers.contains_key(of) && !self.known.contains_key(of);
        let Some((of, object)) = parts.iter().find_map(|part| told(part).filter(is_new)) else {
            return and(parts.iter().map(|part| self.value(*part)).collect::<Vec<Term>>());
        };
        let rest: Vec<Term> = parts.iter().copied().filter(|part| told(part) != Some((of, object))).collect();
        let outer = std::mem::take(&mut self.values);
        self.known.insert(of, object);
        // A pointer at one offset of one object is a number.
        let exact = rest.iter().position(|part| self.only_address(*part, of, object).is_some());
        let result = match exact {
            Some(position) => {
                let mut rest = rest;
                let exact = rest.remove(position);
                let here = self.only_address(exact, of, object).expect("it was found there");
                and([here, self.conjunction(&rest)])
            }
            None => and([self.is_at(of, object), self.conjunction(&rest)]),
        };
        self.known.remove(&of);
        self.values = outer;
        result
    }

    /// What says that a pointer to an object has an offset, if that is all that a condition says: that it is a number.
    fn only_address(&self, condition: Term, of: Term, object: u32) -> Option<Term> {
        let (TermOp::Eq, [a, b]) = (condition.op(), condition.args()) else { return None };
        let offset =
            [(a, b), (b, a)].into_iter().find_map(|(x, y)| (*x == pointer_offset(of)).then(|| y.as_bv())?)?;
        let place = self.space.place(self.space.base(object)?, offset.signed())?;
        Some(eq(self.numbers[&of], place))
    }
}

/// The pointer whose object is compared with a constant, and that.
fn is_object(a: Term, b: Term) -> Option<(Term, u32)> {
    match (a.op(), a.args(), b.as_bv()) {
        (TermOp::PointerObject, [of], Some(object)) => Some((*of, object.unsigned() as u32)),
        _ => None,
    }
}

/// The way back.
struct Pointers {
    space: Space,
    /// The pointers that numbers stand for.
    names: FxHashMap<Term, Term>,
    /// The variables that edges havoced.
    havocs: FxHashMap<(ProcId, EdgeId), Vec<Term>>,
    /// How many edges procedures had.
    edges: Vec<usize>,
}

impl Pointers {
    fn value(&self, variable: Term, value: Value) -> Value {
        match (variable.sort().kind(), &value) {
            (SortKind::Pointer(_), Value::Bv(address)) => self.space.pointer(*address),
            _ => value,
        }
    }

    fn variables(&self, values: Vec<(Term, Value)>) -> Vec<(Term, Value)> {
        let back = |(variable, value): (Term, Value)| match self.names.get(&variable) {
            Some(pointer) => (*pointer, self.value(*pointer, value)),
            None => (variable, value),
        };
        values.into_iter().map(back).collect()
    }
}

impl Lift for Pointers {
    fn trace(&self, trace: Trace) -> Trace {
        let step = |step: Step| {
            let (procedure, edge) = self.edge(step.procedure, step.edge)?;
            let values = match self.havocs.get(&(procedure, edge)) {
                Some(variables) => {
                    variables.iter().zip(step.values).map(|(variable, value)| self.value(*variable, value)).collect()
                }
                None => step.values,
            };
            Some(Step { values, locals: self.variables(step.locals), ..step })
        };
        let steps = trace.steps.into_iter().filter_map(step).collect();
        Trace { initial: self.variables(trace.initial), steps, ..trace }
    }

    fn proof(&self, _: Proof) -> Option<Proof> {
        None
    }

    fn edge(&self, procedure: ProcId, edge: EdgeId) -> Option<(ProcId, EdgeId)> {
        ((edge.0 as usize) < self.edges[procedure.0 as usize]).then_some((procedure, edge))
    }
}
