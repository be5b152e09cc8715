//! Variables for dereferences ("Model Checking Sequential Software Programs Via Mixed Symbolic Analysis", Section
//! 5.2, after Séméria and De Micheli): what a pointer points to has a variable of its own.
//!
//! For `int **p` there are v_p, the pointer itself, v̇_p, which is `*p`, and v̈_p, which is `**p`. A read through `p`
//! reads such a variable, and no case distinction over what `p` may point to. Assignments keep them true:
//!
//! | C | assignment | the paper's word |
//! |---|---|---|
//! | `p = &q` | v̇_p := v_q, v̈_p := v̇_q | implied |
//! | `q = &m` | v̇_p := (v_p = &q) ? &m : v̇_p, v̈_p := (v_p = &q) ? m : v̈_p | aliasing |
//!
//! Here a *dereference* is a load at a variable, at a fixed place, or at what a dereference gives. Its variable is
//! the value of that term, always. So what an edge must assign to it is the term after the edge, in terms of before:
//! loads that pass the edge's stores give the conditions, and a load that is left is a dereference, or stays one.
//!
//! A dereference has a variable only if each store is to its place with its sort, or cannot meet it, as far as
//! points-to analysis tells. Others stay loads.
//!
//! Invariant: executions are the same ones. A load at a place where there is nothing to load may be made that the
//! program before does not make; what it gives is not read. So this is done where accesses are defined
//! ([`super::defined`]), before memory is split.

use crate::{EdgeMap, Passed};
use analysis::points_to::{Foreign, Low, Object, PointsTo, Targets};
use ir::{Cfa, Edge, EdgeId, LocId, Location, LocationKind, Op, ProcId, Program, Variable, memory};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;
use term::build::{eq, ite, load};
use term::free::variables;
use term::subst::substitute;
use term::visit::{map_children, post_order};
use term::{Op as TermOp, Sort, SortKind, Term};

/// So many dereferences get variables.
const MOST: usize = 64;

/// Gives dereferences variables.
pub fn dereferences(program: &Program) -> Passed {
    let points_to = PointsTo::new(program, Foreign::Any);
    let found = Dereferences::new(program, &points_to);
    let (mut result, mut origins) = (program.clone(), Vec::new());
    for (id, procedure) in program.procedures() {
        let Ok(cfa) = &procedure.body else {
            origins.push(Vec::new());
            continue;
        };
        let (body, origin) = found.body(program, id, cfa);
        result.procedures[id.0 as usize].body = Ok(body);
        origins.push(origin);
    }
    let declared = found.order.iter().map(|term| found.variables[term]);
    result.globals.extend(declared.map(|term| Variable::internal(term.name().expect("a variable"), term.sort())));
    Passed { program: result, lift: Arc::new(EdgeMap { origins }) }
}

/// The dereferences that have variables.
struct Dereferences<'a> {
    points_to: &'a PointsTo,
    memory: Term,
    variables: FxHashMap<Term, Term>,
    /// Those that others are made of come first.
    order: Vec<Term>,
}

impl<'a> Dereferences<'a> {
    fn new(program: &Program, points_to: &'a PointsTo) -> Dereferences<'a> {
        let memory = memory::memory(program.data_model);
        let mut found = Dereferences { points_to, memory, variables: FxHashMap::default(), order: Vec::new() };
        // Variables of several procedures would have to be assigned where others change memory.
        let bodies = program.procedures.iter().filter(|procedure| procedure.body.is_ok()).count();
        if bodies != 1 || program.edges().any(|edge| matches!(edge.op, Op::Call { .. } | Op::Spawn { .. })) {
            return found;
        }
        let terms = post_order(program.edges().flat_map(|edge| edge.op.reads()));
        let stores: Vec<Store> = terms.iter().filter_map(|term| Store::of(*term, points_to)).collect();
        for term in terms {
            if found.order.len() < MOST && found.is_dereference(term) && found.is_kept(term, &stores) {
                let name = found.name(term);
                found.variables.insert(term, Term::var(name.as_str(), term.sort()));
                found.order.push(term);
            }
        }
        found
    }

    /// Whether a term is a load at a pointer that is a variable, or that is loaded from a fixed place or by a
    /// dereference.
    fn is_dereference(&self, term: Term) -> bool {
        let (TermOp::Load(_), [memory, at]) = (term.op(), term.args()) else { return false };
        let is_loaded = |at: Term| match (at.op(), at.args()) {
            (TermOp::Load(_), [memory, place]) => {
                *memory == self.memory && (self.variables.contains_key(&at) || is_fixed(*place))
            }
            _ => false,
        };
        *memory == self.memory && (at.is_var() || is_loaded(*at))
    }

    /// Whether each store gives a dereference, and what it loads from, a value, or does not meet it.
    fn is_kept(&self, term: Term, stores: &[Store]) -> bool {
        let is_kept = |load: &Term| {
            let places = self.points_to.targets(load.args()[1]);
            stores.iter().all(|store| !store.meets(&places, load.sort()) || store.is_whole(&places, load.sort()))
        };
        post_order([term]).iter().filter(|part| matches!(part.op(), TermOp::Load(_))).all(is_kept)
    }

    /// The name: that of the pointer, with a dot for each dereference.
    fn name(&self, term: Term) -> String {
        let at = term.args()[1];
        let pointer = match self.variables.get(&at) {
            Some(variable) => variable.name().expect("a variable").to_string(),
            None => variables([at]).into_iter().filter(|v| *v != self.memory).map(|v| v.to_string()).collect(),
        };
        // Loads of several sorts, or at several fixed places of one variable, have names of their own.
        let name = format!("{pointer}.");
        let is_taken = |name: &str| self.variables.values().any(|v| v.name().is_some_and(|own| own.as_str() == name));
        if is_taken(&name) { format!("{pointer}#{}.", self.order.len()) } else { name }
    }

    fn body(&self, program: &Program, id: ProcId, cfa: &Cfa) -> (Cfa, Vec<Option<(ProcId, EdgeId)>>) {
        let (mut locations, mut edges, entry, exit) = cfa.clone().into_parts();
        let mut origins: Vec<Option<(ProcId, EdgeId)>> = cfa.edges().map(|(edge, _)| Some((id, edge))).collect();
        if self.order.is_empty() || id != program.entry {
            return (Cfa::new(locations, edges, entry, exit), origins);
        }
        let all = || self.order.iter().map(|term| (self.variables[term], *term)).collect::<Vec<_>>();
        let mut between = |like: &Location| {
            locations.push(Location { kind: LocationKind::Plain, label: None, ..like.clone() });
            LocId(locations.len() as u32 - 1)
        };
        let start = between(cfa.location(entry));
        edges.iter_mut().filter(|edge| edge.from == entry).for_each(|edge| edge.from = start);
        let mut added = vec![Edge { from: entry, to: start, op: Op::Assign(all()), place: None }];
        for edge in &mut edges {
            match &edge.op {
                Op::Assign(pairs) => {
                    let updates = self.updates(pairs);
                    let reads = pairs.iter().map(|(variable, value)| (*variable, self.read(*value)));
                    edge.op = Op::Assign(reads.chain(updates).collect());
                }
                Op::Havoc(chosen) => {
                    let depends = |(_, term): &(Term, Term)| variables([*term]).iter().any(|v| chosen.contains(v));
                    let again: Vec<(Term, Term)> = all().into_iter().filter(depends).collect();
                    if !again.is_empty() {
                        let behind = between(cfa.location(edge.to));
                        let to = std::mem::replace(&mut edge.to, behind);
                        added.push(Edge { from: behind, to, op: Op::Assign(again), place: edge.place });
                    }
                }
                op => edge.op = op.with_terms(&mut |term| self.read(term)),
            }
        }
        origins.extend(added.iter().map(|_| None));
        edges.extend(added);
        (Cfa::new(locations, edges, entry, exit), origins)
    }

    /// A term with variables in the place of dereferences.
    fn read(&self, term: Term) -> Term {
        match self.variables.get(&term) {
            Some(variable) => *variable,
            None => map_children(term, |part| self.read(part)),
        }
    }

    /// What assignments imply for dereferences.
    fn updates(&self, pairs: &[(Term, Term)]) -> Vec<(Term, Term)> {
        let new: FxHashMap<Term, Term> = pairs.iter().copied().collect();
        let changed: FxHashSet<Term> = new.keys().copied().collect();
        let depends = |term: &&Term| variables([**term]).iter().any(|variable| changed.contains(variable));
        let update = |term: &Term| {
            let after = substitute(*term, |variable| new.get(&variable).copied());
            (self.variables[term], self.before(after))
        };
        let updates = self.order.iter().filter(depends).map(update);
        updates.filter(|(variable, value)| variable != value).collect()
    }

    /// A term over the memory behind stores, in terms of the memory before them.
    fn before(&self, term: Term) -> Term {
        if let Some(variable) = self.variables.get(&term) {
            return *variable;
        }
        match (term.op(), term.args()) {
            (TermOp::Load(sort), [memory, at]) => self.loaded(*sort, *memory, self.before(*at)),
            _ => map_children(term, |part| self.before(part)),
        }
    }

    /// What is loaded at a place behind stores.
    fn loaded(&self, sort: Sort, memory: Term, at: Term) -> Term {
        if let (TermOp::Ite, [condition, then, other]) = (at.op(), at.args()) {
            return ite(*condition, self.loaded(sort, memory, *then), self.loaded(sort, memory, *other));
        }
        match (memory.op(), memory.args()) {
            (TermOp::MemStore, [before, to, value]) => {
                let store = Store { places: self.points_to.targets(*to), sort: value.sort() };
                let otherwise = self.loaded(sort, *before, at);
                // A store of another sort does not meet it: it has a variable.
                if value.sort() != sort || !store.meets(&self.points_to.targets(self.unread(at)), sort) {
                    return otherwise;
                }
                ite(eq(at, self.read(*to)), self.read(*value), otherwise)
            }
            (TermOp::MemCopy | TermOp::MemFill, [before, ..]) => self.loaded(sort, *before, at),
            (TermOp::Ite, [condition, then, other]) => {
                ite(self.read(*condition), self.loaded(sort, *then, at), self.loaded(sort, *other, at))
            }
            _ => self.read(load(sort, memory, self.unread(at))),
        }
    }

    /// A term with dereferences in the place of their variables.
    fn unread(&self, term: Term) -> Term {
        let back: FxHashMap<Term, Term> = self.variables.iter().map(|(term, variable)| (*variable, *term)).collect();
        substitute(term, |variable| back.get(&variable).copied())
    }
}

/// Whether a place is the same throughout: at an offset that is a constant, of an object.
fn is_fixed(place: Term) -> bool {
    match (place.op(), place.args()) {
        (TermOp::Const(_), _) => true,
        (TermOp::Pointer, [object, offset]) => {
            (object.is_var() || object.value().is_some()) && offset.value().is_some()
        }
        _ => false,
    }
}

/// A write to memory.
struct Store {
    places: Targets,
    sort: Sort,
}

impl Store {
    /// A part of an operation that writes; bytes that are copied or filled in are written with no sort that a
    /// dereference has.
    fn of(term: Term, points_to: &PointsTo) -> Option<Store> {
        match (term.op(), term.args()) {
            (TermOp::MemStore, [_, to, value]) => Some(Store { places: points_to.targets(*to), sort: value.sort() }),
            (TermOp::MemCopy, [_, to, ..]) | (TermOp::MemFill, [_, to, ..]) => {
                let places = points_to.targets(*to).into_keys().map(|object| (object, Low::ANY));
                Some(Store { places: places.collect(), sort: term.sort() })
            }
            _ => None,
        }
    }

    fn bytes(sort: Sort) -> u64 {
        match sort.kind() {
            SortKind::Memory(_) => u64::MAX,
            _ => u64::from(sort.bytes().unwrap_or(u32::MAX)),
        }
    }

    /// Whether it may write what is loaded from one of these places.
    fn meets(&self, places: &Targets, sort: Sort) -> bool {
        let meets = |(object, offset): (&Object, &Low)| {
            let own = self.places.get(object);
            own.is_some_and(|own| own.overlaps(Store::bytes(self.sort), *offset, Store::bytes(sort)))
        };
        places.iter().any(meets)
    }

    /// Whether it writes all of what is loaded, or nothing of it.
    fn is_whole(&self, places: &Targets, sort: Sort) -> bool {
        let bytes = Store::bytes(sort);
        let is_aligned = |(object, offset): (&Object, &Low)| {
            let apart = self.places.get(object).map(|own| own.minus(*offset).known_to(bytes));
            apart.is_none_or(|apart| apart.stride() == bytes && apart.bits() == 0)
        };
        self.sort == sort && places.iter().all(is_aligned)
    }
}
