//! Predicates to begin with, for programs in which places of maps are variables that never change (`pass::cell_morphing`).
//!
//! A loop that goes over a map does for an element what it does when its counter comes to the element's place. So what is
//! known there is of the form "the counter is not beyond the place yet, or the element is as it should be". Refinement finds
//! such predicates one round of the loop at a time, which for a hundred thousand rounds is never. But candidates are easily
//! named:
//!
//! - *orders*: wherever the program asks whether a term equals one of rigid variables (those that no block assigns), the two
//!   are compared by `<=`, both ways; of terms that are built alike, those parts that differ.
//! - *values*: the atoms on the way to an error, with rigid variables for what equals them there, and what becomes of them
//!   when they are carried back through blocks, as long as they do not depend on counters.
//!
//! - *constants*: what the program demands of rigid variables alone.
//!
//! An invariant is then a clause: some orders, of different pairs, or a value; or it is a constant. [`crate::houdini`] finds out which clauses hold; where they
//! do not suffice, the orders and values are predicates to begin with, as any other.

use blocks::model::Model;
use ir::LocationKind;
use pass::Guarded;
use rustc_hash::{FxHashMap, FxHashSet};
use solver::atoms::split_atoms;
use std::collections::VecDeque;
use term::build::{bv_sle, eq, falsehood, le, not, truth};
use term::free::Free;
use term::subst::substitute;
use term::visit::post_order;
use term::{Op, SortKind, Term};

/// There are no more predicates about values than this.
const MOST_VALUES: usize = 8;
/// Terms with more parts are no candidates.
const LARGEST: usize = 20;

/// There are no more clauses than this.
const MOST_CLAUSES: usize = 3000;
/// A clause compares at most so many pairs, which is enough for loops that are nested so deeply.
const MOST_ORDERS: usize = 3;

/// What there is to begin with.
#[derive(Default)]
pub struct Seeds {
    /// For each pair, how it may be ordered.
    orders: Vec<Vec<Term>>,
    values: Vec<Term>,
    constants: Vec<Term>,
}

/// Formulas of which one holds.
pub type Clause = Vec<Term>;

impl Seeds {
    pub fn predicates(&self) -> impl Iterator<Item = Term> {
        self.orders.iter().flatten().chain(&self.values).chain(&self.constants).copied()
    }

    /// The clauses, smaller ones first.
    pub fn clauses(&self) -> Vec<Clause> {
        let mut ordered: Vec<(usize, Clause)> = vec![(0, Vec::new())];
        let mut clauses: Vec<Clause> = self.constants.iter().map(|constant| vec![*constant]).collect();
        for size in 0..=MOST_ORDERS {
            for (_, orders) in &ordered {
                let values = self.values.iter().flat_map(|value| [*value, not(*value)]);
                clauses.extend(values.map(|value| [&orders[..], &[value]].concat()));
                if size > 0 {
                    clauses.push(orders.clone());
                }
            }
            let mut larger = Vec::new();
            for (from, orders) in &ordered {
                for (number, pair) in self.orders.iter().enumerate().skip(*from) {
                    let literals = pair.iter().flat_map(|order| [*order, not(*order)]);
                    larger.extend(literals.map(|order| (number + 1, [&orders[..], &[order]].concat())));
                }
            }
            ordered = larger;
            if clauses.len() > MOST_CLAUSES {
                break;
            }
        }
        clauses.truncate(MOST_CLAUSES);
        clauses
    }
}

/// What a program has to begin with.
pub fn seeds(model: &Model<'_>) -> Seeds {
    let blocks = || model.locations().iter().flat_map(|location| model.outgoing(*location));
    let (mut inner, mut last) = (Vec::new(), Vec::new());
    for block in blocks() {
        let is_bad =
            matches!(model.cfa.location(block.to()).kind, LocationKind::Error(_) | LocationKind::Unsupported(_));
        block.op.iter().for_each(|op| if is_bad { last.push(op) } else { inner.push(op) });
    }
    let mut finder = Finder::new(&inner, &last);
    finder.compare(inner.iter().chain(&last).copied());
    let orders = finder.orders();
    let (values, constants) = finder.values(&inner, &last);
    Seeds { orders, values, constants }
}

/// How blocks assign a variable.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Assigned {
    /// Its new value never depends on its old one.
    Anew,
    /// It is increased or decreased: a counter.
    Counts,
    /// Its new value depends on its old one in other ways, or also on rigid variables.
    Otherwise,
}

struct Finder {
    /// What blocks assign, and how.
    assigned: FxHashMap<Term, Assigned>,
    inputs: FxHashSet<Term>,
    /// Terms that are asked to equal rigid ones.
    pairs: Vec<(Term, Term)>,
    free: Free,
}

impl Finder {
    fn new(inner: &[&Guarded], last: &[&Guarded]) -> Finder {
        let mut free = Free::new();
        let changed: FxHashSet<Term> = inner.iter().flat_map(|op| op.update().keys().copied()).collect();
        let inputs: FxHashSet<Term> = inner.iter().chain(last).flat_map(|op| op.inputs().iter().copied()).collect();
        let mut assigned: FxHashMap<Term, Assigned> = FxHashMap::default();
        for (variable, value) in inner.iter().flat_map(|op| op.update()) {
            let reads = free.of(*value);
            let is_rigid = |v: &Term| !changed.contains(v) && !inputs.contains(v);
            let how = match value.op() {
                _ if !reads.contains(variable) => Assigned::Anew,
                Op::BvAdd | Op::BvSub | Op::Add | Op::Sub => Assigned::Counts,
                // A counter may be left alone in some rounds, but what depends on rigid variables is an element.
                Op::Ite if !reads.iter().any(is_rigid) => Assigned::Counts,
                _ => Assigned::Otherwise,
            };
            let known = assigned.entry(*variable).or_insert(how);
            *known = how.max(*known);
        }
        Finder { assigned, inputs, pairs: Vec::new(), free }
    }

    fn is_rigid(&mut self, term: Term) -> bool {
        let inside = self.free.of(term);
        !inside.is_empty() && inside.iter().all(|v| !self.assigned.contains_key(v) && !self.inputs.contains(v))
    }

    fn varies(&mut self, term: Term) -> bool {
        let inside = self.free.of(term);
        let is_moving = |v: &Term| self.assigned.get(v).is_some_and(|how| *how != Assigned::Otherwise);
        inside.iter().any(is_moving)
            && inside.iter().all(|v| is_moving(v) || !self.assigned.contains_key(v) && !self.inputs.contains(v))
    }

    /// Collects what is compared with rigid terms.
    fn compare<'a>(&mut self, ops: impl Iterator<Item = &'a Guarded>) {
        let terms = ops.flat_map(|op| op.conjuncts().iter().chain(op.update().values())).copied();
        for term in post_order(terms) {
            let (Op::Eq, [a, b]) = (term.op(), term.args()) else { continue };
            let (a, b) = if self.is_rigid(*b) { (*a, *b) } else { (*b, *a) };
            if a.sort().is_bool() || !self.varies(a) || !self.is_rigid(b) {
                continue;
            }
            for pair in self.differences(a, b) {
                if !self.pairs.contains(&pair) {
                    self.pairs.push(pair);
                }
            }
        }
    }

    /// The parts in which a term differs from a rigid one.
    fn differences(&mut self, term: Term, rigid: Term) -> Vec<(Term, Term)> {
        let alike = term.op() == rigid.op() && term.args().len() == rigid.args().len();
        let differing = term.args().iter().zip(rigid.args()).filter(|(part, other)| part != other);
        let differing: Vec<(Term, Term)> = differing.map(|(part, other)| (*part, *other)).collect();
        if alike
            && !differing.is_empty()
            && differing.iter().all(|(part, other)| self.varies(*part) && self.is_rigid(*other))
        {
            return differing.into_iter().flat_map(|(part, other)| self.differences(part, other)).collect();
        }
        vec![(term, rigid)]
    }

    fn is_counter(&self, variable: Term) -> bool {
        self.assigned.get(&variable) == Some(&Assigned::Counts)
    }

    fn orders(&mut self) -> Vec<Vec<Term>> {
        let mut found = Vec::new();
        for (term, rigid) in self.pairs.clone() {
            let moves = self.free.of(term).iter().any(|variable| self.is_counter(*variable));
            found.push(match term.sort().kind() {
                SortKind::BitVec(_) if moves => vec![bv_sle(term, rigid), bv_sle(rigid, term)],
                SortKind::Int | SortKind::Real if moves => vec![le(term, rigid), le(rigid, term)],
                _ => vec![eq(term, rigid)],
            });
        }
        found
    }

    /// Values and constants.
    fn values(&mut self, inner: &[&Guarded], last: &[&Guarded]) -> (Vec<Term>, Vec<Term>) {
        let demanded = inner.iter().chain(last).flat_map(|op| op.conjuncts().iter().copied());
        let mut constants: Vec<Term> = demanded.filter(|conjunct| self.is_rigid(*conjunct)).collect();
        constants.sort_unstable();
        constants.dedup();
        let mut at_places: FxHashMap<Term, Term> = FxHashMap::default();
        for (term, rigid) in self.pairs.iter().filter(|(term, _)| term.is_var()) {
            at_places.entry(*term).or_insert(*rigid);
        }
        let counters: FxHashSet<Term> =
            at_places.keys().copied().filter(|variable| self.is_counter(*variable)).collect();
        let mut found: Vec<Term> = Vec::new();
        let mut seen = FxHashSet::default();
        let mut waiting: VecDeque<Term> = VecDeque::new();
        let mut take = |formula: Term, waiting: &mut VecDeque<Term>| {
            for atom in split_atoms(formula) {
                let atom = substitute(atom, |variable| at_places.get(&variable).copied());
                let inside = self.free.of(atom);
                let is_candidate = atom != truth()
                    && atom != falsehood()
                    && !inside.iter().any(|v| self.inputs.contains(v) || counters.contains(v))
                    && inside.iter().any(|v| self.assigned.contains_key(v))
                    && term::free::dag_size(atom) <= LARGEST;
                if is_candidate && seen.insert(atom) {
                    waiting.push_back(atom);
                }
            }
        };
        last.iter().flat_map(|op| op.conjuncts()).for_each(|conjunct| take(*conjunct, &mut waiting));
        while let Some(atom) = waiting.pop_front() {
            found.push(atom);
            if found.len() == MOST_VALUES {
                break;
            }
            inner.iter().for_each(|op| take(op.after(atom), &mut waiting));
        }
        (found, constants)
    }
}
