//! Pointers to different objects that may be equal, in programs that do not look at addresses.
//!
//! A pointer behind the end of an object equals one to the start of another, or not (C11 6.5.9p6). A pointer to an object that was freed
//! equals one to an object that was made later, or not. Both are decided where they are asked first, and stay so: two maps say which object
//! begins where another ends, and which one came where another was. Which objects lie below others is decided once, for all.

use super::context::Context;
use super::link::{In, Link};
use super::reach::Reached;
use super::writer::Writer;
use crate::hir::{
    Body, CastKind, CompareOp, Expr, ExprId, ExprKind, GlobalId, PlaceId, PlaceKind, StaticValue, StmtKind,
};
use crate::syntax::deep;
use crate::types::{ArrayLength, Ty, TypeKind, Types};
use ir::{Op, memory};
use rustc_hash::FxHashSet;
use term::{Sort, Term, build};

/// Functions that end lives.
const FREES: [&str; 4] = ["free", "cfree", "realloc", "reallocarray"];

/// What pointers of the program there can be, as far as its text tells.
#[derive(Clone, Copy, Debug)]
pub(super) struct Coincidences {
    /// Pointers behind the end of an object.
    ends: bool,
    /// Pointers to objects that were freed, which are compared with others.
    freed: bool,
}

impl Coincidences {
    pub fn new(link: &Link<'_>, reached: &Reached) -> Coincidences {
        let users = || reached.functions.iter().filter(|function| link.is_users(function.unit));
        let bodies = || users().filter_map(|f| Some((f.unit, link.body(*f)?)));
        let frees = FREES.into_iter().any(|name| reached.calls(name));
        let moved = |global: &In<GlobalId>| {
            let init = &link.units[global.unit][global.id].init;
            let mut values = init.iter().flatten().map(|entry| &entry.value);
            values.any(|value| matches!(*value, StaticValue::Address { offset, .. } if offset != 0))
        };
        Coincidences {
            ends: ["mempcpy", "__mempcpy"].into_iter().any(|name| reached.calls(name))
                || bodies().any(|(unit, body)| makes_ends(&link.units[unit].types, body))
                || reached.globals.iter().any(moved),
            freed: frees && bodies().any(|(unit, body)| compares_pointers(&link.units[unit].types, body)),
        }
    }
}

/// Whether two pointers are compared, neither of which is written as null.
fn compares_pointers(types: &Types, body: &Body) -> bool {
    body.exprs.iter().any(|expr| match expr.kind {
        ExprKind::Compare(CompareOp::Eq | CompareOp::Ne, left, right) => {
            [left, right].into_iter().all(|side| types.is_pointer(body[side].ty) && !is_null(body, side))
        }
        _ => false,
    })
}

fn is_null(body: &Body, expr: ExprId) -> bool {
    match body[expr].kind {
        ExprKind::Null => true,
        ExprKind::Cast(CastKind::PointerToPointer, operand) => deep(|| is_null(body, operand)),
        _ => false,
    }
}

/// Whether a pointer becomes a value that may be behind the end of an object: one that was moved, other than to access what is there.
fn makes_ends(types: &Types, body: &Body) -> bool {
    let mut found = Accessed { body, pointers: FxHashSet::default() };
    for expr in &body.exprs {
        match expr.kind {
            ExprKind::Load(place) | ExprKind::Assign { place, .. } | ExprKind::Update { place, .. } => {
                found.place(place);
            }
            // Members lie inside.
            ExprKind::AddressOf(place) => {
                if let PlaceKind::Field { base, .. } = body[place].kind {
                    found.place(base);
                }
            }
            _ => {}
        }
    }
    let discarded = body.stmts.iter().filter_map(|stmt| match stmt.kind {
        StmtKind::Expr(expr) => Some(expr),
        _ => None,
    });
    discarded.for_each(|expr| found.pointer(expr));
    let may_end = |expr: &Expr| match expr.kind {
        ExprKind::PointerOffset { .. } => true,
        ExprKind::AddressOf(place) => match body[place].kind {
            PlaceKind::Element { array, index, .. } => !is_inside(types, body, array, index),
            PlaceKind::Field { .. } => is_open(types, body[place].ty),
            _ => false,
        },
        _ => false,
    };
    (0..).zip(&body.exprs).any(|(number, expr)| may_end(expr) && !found.pointers.contains(&ExprId(number)))
}

/// Whether the index is a constant that the array has.
fn is_inside(types: &Types, body: &Body, array: PlaceId, index: ExprId) -> bool {
    match (types.kind(body[array].ty), &body[index].kind) {
        (TypeKind::Array { length: ArrayLength::Known(length), .. }, ExprKind::Int(index)) => {
            u64::try_from(*index).is_ok_and(|index| index < *length)
        }
        _ => false,
    }
}

/// Whether a member may have no bytes: an array without length.
fn is_open(types: &Types, ty: Ty) -> bool {
    matches!(types.kind(ty), TypeKind::Array { .. }) && types.size(ty).is_none_or(|size| size == 0)
}

/// Pointers that only say what is accessed.
struct Accessed<'a> {
    body: &'a Body,
    pointers: FxHashSet<ExprId>,
}

impl Accessed<'_> {
    fn place(&mut self, place: PlaceId) {
        match self.body[place].kind {
            PlaceKind::Deref(pointer) => self.pointer(pointer),
            PlaceKind::Field { base, .. } => deep(|| self.place(base)),
            PlaceKind::Element { array, .. } => deep(|| self.place(array)),
            _ => {}
        }
    }

    fn pointer(&mut self, expr: ExprId) {
        self.pointers.insert(expr);
        match self.body[expr].kind {
            ExprKind::PointerOffset { pointer, .. } => deep(|| self.pointer(pointer)),
            ExprKind::AddressOf(place) => deep(|| self.place(place)),
            ExprKind::Cast(CastKind::PointerToPointer, operand) => deep(|| self.pointer(operand)),
            _ => {}
        }
    }
}

/// A map from objects to objects.
fn objects(name: &str) -> Term {
    Term::var(name, Sort::array(Sort::object(), Sort::object()))
}

/// Which object begins where another ends. It is 0 as long as nobody asked, and the object itself where none does.
fn followers() -> Term {
    objects("$follower")
}

/// Which object ends where another begins: the converse of the followers. It is 0 as long as none is known.
fn predecessors() -> Term {
    objects("$predecessor")
}

/// Which object came where another was; 0 as long as nobody asked.
fn successors() -> Term {
    objects("$successor")
}

/// The identity that the next object had when an object was freed; 0 as long as it was not.
fn freed() -> Term {
    objects("$freed")
}

/// Which of two objects lies lower: 0 as long as nobody asked, 1 for the older one, 2 for the younger one.
fn direction() -> Term {
    Term::var("$direction", Sort::bv(8))
}

impl Context<'_> {
    /// Nothing was asked.
    pub fn initial_coincidences(&self) -> Vec<Op> {
        let none = build::bv(term::OBJECT_WIDTH, 0);
        let maps = [followers(), predecessors(), successors(), freed()].into_iter().filter(|map| self.is_global(*map));
        let mut steps: Vec<Op> = maps.map(|map| Op::assign(map, build::const_array(map.sort(), none))).collect();
        if self.is_global(direction()) {
            steps.push(Op::assign(direction(), build::bv(8, 0)));
        }
        steps
    }
}

/// A question about two objects that is decided once.
struct Question {
    /// Where it is asked.
    asked: Term,
    /// What the answers are kept in, and under which object.
    answers: Term,
    key: Term,
    /// Which key has an object as its answer, if no two have the same one and none is the answer of its own answer.
    converse: Option<Term>,
    /// The object that is asked for.
    other: Term,
}

impl Writer<'_, '_> {
    /// Whether two pointers are equal that may be to different objects.
    pub fn coincide(&mut self, x: Term, y: Term, [p, q]: [Term; 2]) -> Term {
        let same = build::eq(x, y);
        let (a, b) = (build::pointer_object(p), build::pointer_object(q));
        let none = build::bv(term::OBJECT_WIDTH, 0);
        if a == b || a == none || b == none {
            return same;
        }
        if self.context.with_addresses {
            let met = [self.lie_together(p, q), self.lie_together(q, p)];
            return build::or([same].into_iter().chain(met.into_iter().flatten()));
        }
        let questions = [self.touches(p, q), self.touches(q, p), self.came_back(p, q), self.came_back(q, p)];
        let mut result = same;
        for question in questions.into_iter().flatten() {
            result = self.decided(question, result);
        }
        result
    }

    /// Whether the second pointer, to the start of an object, is where another ends that the first one points behind.
    fn touches(&mut self, end: Term, start: Term) -> Option<Question> {
        let (before, behind) = (build::pointer_object(end), build::pointer_object(start));
        let at_end = self.is_at_end(end, start)?;
        let asked = build::and([at_end, build::eq(build::pointer_offset(start), self.offset(0))]);
        let answers = self.context.internal(followers(), false);
        let converse = Some(self.context.internal(predecessors(), false));
        (asked.as_bool() != Some(false)).then_some(Question { asked, answers, key: before, converse, other: behind })
    }

    /// Whether a pointer is behind the end of an object of the program; nothing if it never is. The other one is to another object.
    fn is_at_end(&mut self, end: Term, other: Term) -> Option<Term> {
        let (object, offset) = (build::pointer_object(end), build::pointer_offset(end));
        let known = self.known_size(object);
        let is_other = self.known_size(build::pointer_object(other)).is_some();
        let may_be = self.context.coincidences.ends && self.context.link.is_users(self.unit);
        if !may_be && (known.is_none() || !is_other) || known == Some(0) {
            return None;
        }
        let size = match known {
            Some(size) => self.offset(size),
            None => build::select(self.context.size_map(), object),
        };
        let at_end = build::and([build::eq(offset, size), build::ne(offset, self.offset(0))]);
        Some(build::and([at_end, is_own(object), self.is_no(other, object)]))
    }

    /// That a pointer is to some object, and not to this one.
    fn is_no(&self, pointer: Term, object: Term) -> Term {
        let other = build::pointer_object(pointer);
        build::and([build::ne(other, object), build::ne(other, build::bv(term::OBJECT_WIDTH, 0))])
    }

    /// Whether the object of the second pointer came where the one of the first was, which was freed before.
    fn came_back(&mut self, old: Term, new: Term) -> Option<Question> {
        let (gone, later) = (build::pointer_object(old), build::pointer_object(new));
        let is_fixed = |object: Term| object.as_bv().is_some();
        if !self.context.coincidences.freed
            || !self.context.link.is_users(self.unit)
            || is_fixed(gone)
            || is_fixed(later)
        {
            return None;
        }
        let next = build::select(self.context.internal(freed(), false), gone);
        let asked = build::and([
            build::ne(next, build::bv(term::OBJECT_WIDTH, 0)),
            build::bv_ule(next, later),
            is_own(gone),
            is_own(later),
            build::eq(build::pointer_offset(old), build::pointer_offset(new)),
        ]);
        let answers = self.context.internal(successors(), false);
        (asked.as_bool() != Some(false)).then_some(Question { asked, answers, key: gone, converse: None, other: later })
    }

    /// The answer to a question; something else where it is not asked. It changes nothing that the program knows.
    fn decided(&mut self, question: Question, otherwise: Term) -> Term {
        let Question { asked, answers, key, converse, other } = question;
        let result = self.code.temporary(Sort::bool());
        let (yes, no, end) = (self.code.location(), self.code.location(), self.code.location());
        let known = self.code.provenance.known();
        self.code.branch(asked, yes, no);
        self.code.continue_at(yes);
        let (is_it, another) = (self.code.temporary(Sort::bool()), self.code.temporary(Sort::object()));
        self.code.emit(Op::Havoc(vec![is_it, another]));
        let none = build::bv(term::OBJECT_WIDTH, 0);
        let candidate = build::ite(is_it, other, another);
        let mut possible = build::ne(candidate, none);
        if let Some(converse) = converse {
            let is_free = build::eq(build::select(converse, candidate), none);
            let is_backwards = build::eq(build::select(answers, candidate), key);
            possible = build::and([possible, is_free, build::ne(candidate, key), build::not(is_backwards)]);
        }
        let is_open = build::eq(build::select(answers, key), none);
        let mut decision = Vec::new();
        if let Some(converse) = converse {
            let noted = build::store(converse, candidate, key);
            decision.push((converse, build::ite(build::and([is_open, possible]), noted, converse)));
        }
        let answer = build::ite(possible, candidate, key);
        decision.push((answers, build::ite(is_open, build::store(answers, key, answer), answers)));
        self.code.emit(Op::Assign(decision));
        self.code.assign(result, build::eq(build::select(answers, key), other));
        self.code.jump(end);
        self.code.continue_at(no);
        self.code.assign(result, otherwise);
        self.code.enter(end);
        self.code.provenance.set_known(known);
        result
    }

    /// Whether a pointer lies where one to another object does: behind the end of its object, or where that is gone.
    fn lie_together(&mut self, one: Term, other: Term) -> Option<Term> {
        let (a, b) = (build::pointer_object(one), build::pointer_object(other));
        let alive = self.context.alive_map();
        let at_end = self.is_at_end(one, other).unwrap_or(build::falsehood());
        let at_start = build::eq(build::pointer_offset(other), self.offset(0));
        let is_known = self.known_size(a).is_some() && self.known_size(b).is_some();
        let gone = match is_known || !self.context.link.is_users(self.unit) {
            true => build::falsehood(),
            false => build::and([build::not(build::select(alive, a)), is_own(a), self.is_no(other, a)]),
        };
        let possible = build::and([is_own(b), build::or([build::and([at_end, at_start]), gone])]);
        if possible.as_bool() == Some(false) {
            return None;
        }
        let bases = self.context.base_map();
        let address = |pointer: Term| {
            build::bv_add(build::select(bases, build::pointer_object(pointer)), build::pointer_offset(pointer))
        };
        Some(build::and([possible, build::eq(address(one), address(other))]))
    }

    /// That an object is freed now, if it was not: those that are made later may come where it was.
    pub fn may_come_back(&mut self, object: Term) {
        if !self.context.coincidences.freed || self.context.with_addresses {
            return;
        }
        let (freed, next) = (self.context.internal(freed(), false), self.context.internal(memory::next(), false));
        let before = build::select(freed, object);
        let now = build::ite(build::eq(before, build::bv(term::OBJECT_WIDTH, 0)), next, before);
        self.code.assign(freed, build::store(freed, object, now));
    }

    /// Whether an object lies below another one. Null, and numbers that are no addresses, lie below all.
    pub fn lies_below(&mut self, low: Term, high: Term) -> Term {
        let (a, b) = (build::pointer_object(low), build::pointer_object(high));
        let older = build::bv_ult(a, b);
        let none = build::bv(term::OBJECT_WIDTH, 0);
        if a == b || a == none || b == none || !self.context.link.is_users(self.unit) {
            return older;
        }
        if self.context.with_addresses {
            let bases = self.context.base_map();
            let lower = build::bv_ult(build::select(bases, a), build::select(bases, b));
            return build::ite(build::and([is_own(a), is_own(b)]), lower, older);
        }
        let direction = self.context.internal(direction(), false);
        let result = self.code.temporary(Sort::bool());
        let (yes, no, end) = (self.code.location(), self.code.location(), self.code.location());
        let known = self.code.provenance.known();
        self.code.branch(build::and([build::ne(a, b), is_own(a), is_own(b)]), yes, no);
        self.code.continue_at(yes);
        let up = self.code.temporary(Sort::bool());
        let unused = self.code.temporary(Sort::bool());
        self.code.emit(Op::Havoc(vec![up, unused]));
        let [undecided, upwards, downwards] = [0, 1, 2].map(|number| build::bv(8, number));
        let chosen = build::ite(up, upwards, downwards);
        self.code.assign(direction, build::ite(build::eq(direction, undecided), chosen, direction));
        self.code.assign(result, build::ite(build::eq(direction, upwards), older, build::not(older)));
        self.code.jump(end);
        self.code.continue_at(no);
        self.code.assign(result, older);
        self.code.enter(end);
        self.code.provenance.set_known(known);
        result
    }
}

/// Whether an identity is that of an object that the program has or made.
fn is_own(object: Term) -> Term {
    let first = build::bv(term::OBJECT_WIDTH, memory::FIRST_EXTERNAL.into());
    build::and([build::bv_ult(object, first), build::ne(object, build::bv(term::OBJECT_WIDTH, 0))])
}
