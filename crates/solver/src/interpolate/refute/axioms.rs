//! What must be said of terms that the theories do not look into.
//!
//! An axiom is a valid formula, so it can be added to any group in which all its symbols are alive: those that occur in
//! that group or both before and after it. Then it brings no symbol to an interpolant that may not be there. Axioms for which
//! there is no such group are left out; it is then for others to find interpolants.
//!
//! Conditional terms, division and remainder by constants, conversions and stores are described when they are met.
//! That equal arguments give equal results is said of those applications which a proposed model treats otherwise. This
//! covers all operators alike: uninterpreted functions, array reads, products.

use super::clauses::Clauses;
use super::model::{Model, Value};
use crate::interpolate::Vocabulary;
use arithmetic::terms::is_numeric;
use dashu::base::UnsignedAbs;
use dashu::integer::IBig;
use rustc_hash::{FxHashMap, FxHashSet};
use term::{Op, Sort, SortKind, Term, Value as Constant, build};

/// More axioms than this are a sign that another way is better.
const LIMIT: usize = 5000;

pub(super) struct Axioms<'a> {
    vocabulary: &'a Vocabulary,
    /// How many of the met terms were looked at.
    seen: usize,
    /// Applications by operator and sorts of arguments.
    applications: FxHashMap<(Op, Vec<Sort>), Vec<Term>>,
    stores: Vec<Term>,
    indices: Vec<Term>,
    /// Pairs of a store and an index, and pairs of applications, whose axioms were added or cannot be.
    read: FxHashSet<(Term, Term)>,
    compared: FxHashSet<(Term, Term)>,
    /// Stores that die before an index is born, and the index.
    apart: Vec<(Term, Term)>,
    count: usize,
}

impl<'a> Axioms<'a> {
    pub fn new(vocabulary: &'a Vocabulary) -> Axioms<'a> {
        Axioms {
            vocabulary,
            seen: 0,
            applications: FxHashMap::default(),
            stores: Vec::new(),
            indices: Vec::new(),
            read: FxHashSet::default(),
            compared: FxHashSet::default(),
            apart: Vec::new(),
            count: 0,
        }
    }

    /// Whether there were too many axioms.
    pub fn exhausted(&self) -> bool {
        self.count > LIMIT
    }

    fn add(&mut self, clauses: &mut Clauses, formula: Term, group: usize) {
        self.count += 1;
        clauses.formula(formula, group);
    }

    /// A group in which all symbols of the terms are alive: if possible the one where the latest of them was met.
    fn group(&self, clauses: &Clauses, terms: &[Term]) -> Option<usize> {
        let (first, last) = self.vocabulary.alive(terms);
        let met = terms.iter().filter_map(|term| clauses.met_at(*term)).max().unwrap_or(first);
        (first <= last).then(|| met.clamp(first, last))
    }

    /// Describes the terms that were met since the last time.
    pub fn describe(&mut self, clauses: &mut Clauses) {
        while let Some((term, group)) = clauses.met.get(self.seen).copied() {
            self.seen += 1;
            if self.exhausted() {
                return;
            }
            if let Some(axiom) = definition(term) {
                self.add(clauses, axiom, group);
            }
            match (term.op(), term.args()) {
                (Op::Store, [_, index, _]) => {
                    self.stores.push(term);
                    self.read_over_write(clauses, &[term], None);
                    self.index(clauses, *index);
                }
                (Op::ConstArray(_), [_]) => {
                    self.stores.push(term);
                    self.read_over_write(clauses, &[term], None);
                }
                (Op::Select, [_, index]) => self.index(clauses, *index),
                _ => {}
            }
            if is_application(clauses, term) {
                let key = (term.op().clone(), term.args().iter().map(|a| a.sort()).collect());
                self.applications.entry(key).or_default().push(term);
            }
        }
    }

    fn index(&mut self, clauses: &mut Clauses, index: Term) {
        if !self.indices.contains(&index) {
            self.indices.push(index);
            self.read_over_write(clauses, &self.stores.clone(), Some(index));
        }
    }

    /// Says what reading from stores gives, at the index or at all that are known.
    fn read_over_write(&mut self, clauses: &mut Clauses, stores: &[Term], index: Option<Term>) {
        let indices: Vec<Term> = index.map_or_else(|| self.indices.clone(), |index| vec![index]);
        for store in stores {
            let SortKind::Array(from, _) = store.sort().kind() else { continue };
            let own = if let (Op::Store, [_, at, _]) = (store.op(), store.args()) { Some(*at) } else { None };
            for index in indices.iter().copied().filter(|i| i.sort() == *from).chain(own) {
                if !self.read.insert((*store, index)) || self.exhausted() {
                    continue;
                }
                let Some(group) = self.group(clauses, &[*store, index]) else {
                    self.apart.push((*store, index));
                    continue;
                };
                let read = |array: Term| Term::new(Op::Select, &[array, index]);
                let axiom = match (store.op(), store.args()) {
                    (Op::ConstArray(_), [element]) => equal(read(*store), *element),
                    (Op::Store, [_, at, element]) if *at == index => equal(read(*store), *element),
                    (Op::Store, [array, at, _]) => build::or([equal(*at, index), equal(read(*store), read(*array))]),
                    _ => continue,
                };
                self.add(clauses, axiom, group);
            }
        }
    }

    /// Says of applications with equal arguments but different results that this cannot be. Whether there were any.
    pub fn congruence(&mut self, clauses: &mut Clauses, model: &Model) -> bool {
        let mut added = false;
        for (store, index) in std::mem::take(&mut self.apart) {
            if !self.exhausted() {
                added |= self.bridge(clauses, model, store, index);
            }
        }
        let applications: Vec<Vec<Term>> = self.applications.values().filter(|a| a.len() > 1).cloned().collect();
        for group in applications {
            let mut alike: FxHashMap<Vec<Value>, Vec<Term>> = FxHashMap::default();
            for term in group {
                let args: Option<Vec<Value>> = term.args().iter().map(|a| model.value(clauses, *a)).collect();
                if let Some(args) = args {
                    alike.entry(args).or_default().push(term);
                }
            }
            let mut buckets: Vec<Vec<Term>> = alike.into_values().filter(|terms| terms.len() > 1).collect();
            buckets.sort_unstable();
            for terms in buckets {
                let values: Vec<Option<Value>> = terms.iter().map(|t| model.value(clauses, *t)).collect();
                for b in 1..terms.len() {
                    for a in 0..b {
                        if values[a] != values[b] && !self.exhausted() {
                            added |= self.congruent(clauses, model, terms[a], terms[b]);
                        }
                    }
                }
            }
        }
        added
    }

    fn congruent(&mut self, clauses: &mut Clauses, model: &Model, a: Term, b: Term) -> bool {
        if !self.compared.insert((a, b)) {
            return false;
        }
        let Some(group) = self.group(clauses, &[a, b]) else {
            return self.bridge(clauses, model, a, b) || self.bridge(clauses, model, b, a);
        };
        let arguments = a.args().iter().zip(b.args()).map(|(x, y)| equal(*x, *y));
        let axiom = build::implies(build::and(arguments), equal(a, b));
        self.add(clauses, axiom, group);
        true
    }

    /// For an application and a term that are never alive together: an application to terms equal to its arguments that is
    /// alive with it and lasts until the other term is born, or as long as possible. Equality then passes from one to the
    /// other in steps. Whether there is a new one.
    fn bridge(&mut self, clauses: &mut Clauses, model: &Model, early: Term, late: Term) -> bool {
        let alive = |term: Term| self.vocabulary.alive(&[term]);
        let (end, birth) = (alive(early).1, alive(late).0);
        if end >= birth {
            return false;
        }
        let mut args = Vec::with_capacity(early.args().len());
        for arg in early.args() {
            let value = model.value(clauses, *arg);
            let met = clauses.met.clone();
            let equals = met.into_iter().map(|(term, _)| term).filter(|term| {
                let (first, last) = alive(*term);
                term.sort() == arg.sort() && first <= end && end <= last && model.value(clauses, *term) == value
            });
            // Among those that last longest the terms at hand are best, then old ones.
            let best = equals.max_by_key(|term| {
                let at_hand = late.args().contains(term);
                (alive(*term).1.min(birth), at_hand, term == arg, std::cmp::Reverse(*term))
            });
            args.push(best.unwrap_or(*arg));
        }
        let between = Term::new(early.op().clone(), &args);
        let (first, last) = alive(between);
        if first > last || last <= end {
            return false;
        }
        let known = clauses.met.len();
        clauses.meet(between, first);
        clauses.met.len() > known
    }
}

/// Equality without rewriting: the terms are to stay as they are known.
fn equal(a: Term, b: Term) -> Term {
    if a == b { build::truth() } else { Term::new(Op::Eq, &[a, b]) }
}

/// Whether a term is an operator applied to arguments that no theory looks into.
fn is_application(clauses: &mut Clauses, term: Term) -> bool {
    use Op::*;
    if term.args().is_empty() || matches!(term.op(), Ite | Not | And | Or | Implies | Xor | Eq | Le | Lt) {
        return false;
    }
    let column =
        |clauses: &mut Clauses| matches!(&clauses.atoms.sums.of(term).columns[..], [(only, _)] if *only == term);
    !is_numeric(term) || column(clauses)
}

/// What an operator means in terms of linear arithmetic and equality, if it can be said of the term alone.
fn definition(term: Term) -> Option<Term> {
    let int = |n: IBig| build::int(n);
    let between =
        |least: Term, middle: Term, most: Term| build::and([build::le(least, middle), build::le(middle, most)]);
    match (term.op(), term.args()) {
        (Op::Ite, [condition, then, other]) if !term.sort().is_bool() => Some(build::and([
            build::implies(*condition, equal(term, *then)),
            build::or([*condition, equal(term, *other)]),
        ])),
        (Op::IntDiv | Op::IntMod, [dividend, divisor]) => {
            let Constant::Int(by) = divisor.value()? else { return None };
            if *by == IBig::ZERO {
                return None;
            }
            let quotient = Term::new(Op::IntDiv, &[*dividend, *divisor]);
            let remainder = build::sub(*dividend, build::mul(quotient, *divisor));
            let most = int(IBig::from(by.clone().unsigned_abs()) - IBig::ONE);
            let range = between(int(IBig::ZERO), remainder, most);
            Some(if *term.op() == Op::IntDiv { range } else { build::and([range, equal(term, remainder)]) })
        }
        (Op::ToInt, [real]) => {
            let floor = build::to_real(term);
            let above = build::add(floor, build::real(1));
            Some(build::and([build::le(floor, *real), build::lt(*real, above)]))
        }
        (Op::BvToInt { signed }, [bits]) => {
            let width = bits.sort().bv_width()? as usize;
            let (least, most) = if *signed {
                (-(IBig::ONE << (width - 1)), (IBig::ONE << (width - 1)) - IBig::ONE)
            } else {
                (IBig::ZERO, (IBig::ONE << width) - IBig::ONE)
            };
            Some(between(int(least), term, int(most)))
        }
        _ => None,
    }
}
