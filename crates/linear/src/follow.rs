//! A trace followed with the numbers that are known: the part of the feasibility check (Section 2) that needs no
//! solver.
//!
//! What the trace reads of arrays at known indices and assigns is calculated as far as nothing is left open, and each
//! number remembers the elements that it was calculated from. A condition that is false then rules the trace out, by
//! these elements. Where none is, the formulas that remain are for a solver, with numbers in the place of what is
//! known.

use crate::abstraction::{Elements, is_trackable};
use dashu::integer::IBig;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::rc::Rc;
use term::build::{make, select, truth};
use term::{Op, Term, Value};

/// Elements that something was calculated from.
type Origins = Rc<BTreeSet<(Term, IBig)>>;

/// What is known of an array: some elements, by index.
#[derive(Clone, Default)]
struct Known {
    elements: FxHashMap<IBig, (Term, Origins)>,
    /// Whether rounds that were not followed may have written others.
    is_lost: bool,
}

/// What is known along a trace. Variables are those of a renamed trace, each assigned once.
#[derive(Default)]
pub struct Follower {
    numbers: FxHashMap<Term, (Term, Origins)>,
    arrays: FxHashMap<Term, Known>,
    /// All elements that were read so far at known indices.
    pub read: BTreeSet<(Term, IBig)>,
    /// Elements that were read after rounds that were not followed.
    pub lost: BTreeSet<(Term, IBig)>,
}

/// A term after what is known was put in.
struct Calculated {
    term: Term,
    origins: BTreeSet<(Term, IBig)>,
}

impl Follower {
    /// Rounds that are not followed write a variable.
    pub fn lose(&mut self, variable: Term) {
        if is_trackable(variable.sort()) {
            self.arrays.insert(variable, Known { is_lost: true, ..Known::default() });
        }
    }

    /// Follows `variable = value`; the value with numbers in the place of what is known.
    pub fn assign(&mut self, variable: Term, value: Term) -> Term {
        if is_trackable(variable.sort()) {
            let (array, told) = self.array(value);
            self.arrays.insert(variable, array);
            return told;
        }
        let Calculated { term, origins } = self.calculate(value);
        if term.value().is_some() {
            self.numbers.insert(variable, (term, Rc::new(origins)));
        }
        term
    }

    /// Follows a condition: with numbers in the place of what is known, or, if it is false, the elements that it is
    /// false by.
    pub fn assume(&mut self, condition: Term) -> Result<Term, Elements> {
        let parts: Vec<Term> = match condition.op() {
            Op::And => condition.args().to_vec(),
            _ => vec![condition],
        };
        let mut rest = truth();
        for part in parts {
            let Calculated { term, origins } = self.calculate(part);
            if term.as_bool() == Some(false) {
                let mut elements = Elements::new();
                for (array, index) in origins {
                    elements.entry(array).or_default().insert(index);
                }
                return Err(elements);
            }
            rest = term::build::and([rest, term]);
        }
        Ok(rest)
    }

    /// What is known of an array after a term was assigned to it, and the term with numbers in it.
    fn array(&mut self, value: Term) -> (Known, Term) {
        match (value.op(), value.args()) {
            (Op::Store, [before, index, element]) => {
                let (mut known, before) = self.array(*before);
                let (index, element) = (self.calculate(*index), self.calculate(*element));
                match index.term.value() {
                    Some(Value::Int(at)) if element.term.value().is_some() => {
                        let origins = index.origins.into_iter().chain(element.origins).collect();
                        known.elements.insert(at.clone(), (element.term, Rc::new(origins)));
                    }
                    Some(Value::Int(at)) => {
                        known.elements.remove(at);
                    }
                    _ => known.elements.clear(),
                }
                (known, make(&Op::Store, &[before, index.term, element.term]))
            }
            (Op::Ite, [condition, a, b]) => match self.calculate(*condition).term.as_bool() {
                Some(true) => self.array(*a),
                Some(false) => self.array(*b),
                None => (Known::default(), value),
            },
            (Op::Var { .. }, _) => (self.arrays.get(&value).cloned().unwrap_or_default(), value),
            _ => (Known::default(), value),
        }
    }

    fn calculate(&mut self, term: Term) -> Calculated {
        let mut origins = BTreeSet::new();
        let mut memo = FxHashMap::default();
        let term = self.put(term, &mut origins, &mut memo);
        self.read.extend(origins.iter().cloned());
        Calculated { term, origins }
    }

    fn put(&mut self, term: Term, origins: &mut BTreeSet<(Term, IBig)>, memo: &mut FxHashMap<Term, Term>) -> Term {
        if let Some(known) = memo.get(&term) {
            return *known;
        }
        let new = match (term.op(), term.args()) {
            (Op::Var { .. }, _) => match self.numbers.get(&term) {
                Some((value, from)) => {
                    origins.extend(from.iter().cloned());
                    *value
                }
                None => term,
            },
            (Op::Select, [array, index]) => {
                let index = self.put(*index, origins, memo);
                self.read(*array, index, origins, memo)
            }
            (Op::Ite, [condition, a, b]) => match self.put(*condition, origins, memo) {
                condition if condition.as_bool() == Some(true) => self.put(*a, origins, memo),
                condition if condition.as_bool() == Some(false) => self.put(*b, origins, memo),
                condition => {
                    let (a, b) = (self.put(*a, origins, memo), self.put(*b, origins, memo));
                    term::build::ite(condition, a, b)
                }
            },
            (Op::Forall(_) | Op::Exists(_) | Op::Lambda(_), _) | (_, []) => term,
            (op, args) => {
                let args: Vec<Term> = args.iter().map(|arg| self.put(*arg, origins, memo)).collect();
                make(op, &args)
            }
        };
        memo.insert(term, new);
        new
    }

    fn read(
        &mut self,
        array: Term,
        index: Term,
        origins: &mut BTreeSet<(Term, IBig)>,
        memo: &mut FxHashMap<Term, Term>,
    ) -> Term {
        let plain = |array: Term| select(array, index);
        match (array.op(), array.args(), index.value()) {
            (Op::Var { .. }, _, Some(Value::Int(at))) => {
                let known = self.arrays.get(&array);
                match known.and_then(|known| known.elements.get(at)) {
                    Some((value, from)) => {
                        origins.insert((array.at_instance(0), at.clone()));
                        origins.extend(from.iter().cloned());
                        *value
                    }
                    None => {
                        if known.is_some_and(|known| known.is_lost) {
                            self.lost.insert((array.at_instance(0), at.clone()));
                        }
                        plain(array)
                    }
                }
            }
            (Op::Store, [before, at, value], Some(_)) => {
                let at = self.put(*at, origins, memo);
                match at.value() {
                    Some(_) if at == index => self.put(*value, origins, memo),
                    Some(_) => self.read(*before, index, origins, memo),
                    None => {
                        let (before, value) = (self.put(*before, origins, memo), self.put(*value, origins, memo));
                        select(make(&Op::Store, &[before, at, value]), index)
                    }
                }
            }
            (Op::Var { .. }, ..) => plain(array),
            _ => plain(self.put(array, origins, memo)),
        }
    }
}
