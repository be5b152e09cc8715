//! Elements instead of maps: terms in which maps are only read, rewritten so that no map is left.
//!
//! What is read of a map is followed through stores, choices and constants down to the variables that maps begin with; what
//! stands in those, the caller says.

use rustc_hash::FxHashMap;
use term::build::{eq, ite, make};
use term::{Op, Term, Value};

/// Rewrites terms.
pub struct Elements<M, B, S> {
    /// Which maps are not to be left.
    is_map: M,
    /// What stands in a map, which is not made of others, at a place.
    base: B,
    /// For the index of a store, another index and the value that is stored: the formula that the indices are equal, and the
    /// value, given that they are.
    stored: S,
    terms: FxHashMap<Term, Term>,
    read: FxHashMap<(Term, Term), Term>,
}

impl<M: Fn(Term) -> bool, B: FnMut(Term, Term) -> Term, S: Fn(Term, Term, Term) -> (Term, Term)> Elements<M, B, S> {
    pub fn new(is_map: M, base: B, stored: S) -> Elements<M, B, S> {
        Elements { is_map, base, stored, terms: FxHashMap::default(), read: FxHashMap::default() }
    }

    /// The term, with what the caller says in the place of what it reads. It must not be a map itself.
    pub fn rewrite(&mut self, term: Term) -> Term {
        if term.args().is_empty() {
            return term;
        }
        if let Some(known) = self.terms.get(&term) {
            return *known;
        }
        let result = match (term.op(), term.args()) {
            (Op::Select, [map, place]) if (self.is_map)(*map) => {
                let place = self.rewrite(*place);
                self.element(*map, place)
            }
            (op, args) => {
                let parts: Vec<Term> = args.iter().map(|part| self.part(*part)).collect();
                if parts == args { term } else { make(op, &parts) }
            }
        };
        self.terms.insert(term, result);
        result
    }

    /// A part that is a map stays: nobody reads it here.
    fn part(&mut self, part: Term) -> Term {
        if (self.is_map)(part) { part } else { self.rewrite(part) }
    }

    /// What stands at a place of a map; the place is rewritten already.
    pub fn element(&mut self, map: Term, place: Term) -> Term {
        if let Some(known) = self.read.get(&(map, place)) {
            return *known;
        }
        let result = match (map.op(), map.args()) {
            (Op::Store, [below, at, value]) => {
                let (at, value) = (self.rewrite(*at), self.rewrite(*value));
                let (here, value) = (self.stored)(at, place, value);
                match here.as_bool() {
                    Some(true) => value,
                    Some(false) => self.element(*below, place),
                    None => ite(here, value, self.element(*below, place)),
                }
            }
            (Op::Ite, [condition, yes, no]) => {
                let condition = self.rewrite(*condition);
                ite(condition, self.element(*yes, place), self.element(*no, place))
            }
            (Op::ConstArray(_), [value]) => self.rewrite(*value),
            (Op::Const(Value::Array(array)), _) => {
                let constant = |value: &Value| Term::constant(value.clone());
                let other = constant(&array.default);
                let entries = array.entries.iter();
                entries.fold(other, |rest, (at, value)| ite(eq(constant(at), place), constant(value), rest))
            }
            _ => (self.base)(map, place),
        };
        self.read.insert((map, place), result);
        result
    }
}
