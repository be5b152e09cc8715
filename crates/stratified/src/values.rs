//! What is known of variables' values at a point of an execution: the domain of [`crate::tabulate`].
//!
//! Of a *place*, which is a variable or an element of a map at a known index, it is known that it is a certain value, or that it is none
//! of a few. Values are terms without variables, so constants of the program are values, too: two of them may be equal even if
//! their terms differ. Of an *atom* over variables without a value it is known whether it holds.

use ir::Op;
use std::collections::BTreeMap;
use std::rc::Rc;
use term::build::{and, eq, falsehood, lt, not, select, truth};
use term::free::{Free, dag_size};
use term::subst::substitute;
use term::visit::bound;
use term::{Op as TermOp, SortKind, Term};

/// What is known of a place or of an atom.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Known {
    Is(Term),
    /// It is none of these, in order.
    IsNot(Vec<Term>),
}

/// What is known of places and atoms; of one that is not there, nothing is.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct State(Rc<BTreeMap<Term, Known>>);

/// A value or an atom with more parts than this is not kept.
const LARGEST: usize = 16;

/// Of a place it is kept that it is none of so many values.
const MOST_EXCLUDED: usize = 6;

impl State {
    /// What is left of it where only some variables matter.
    pub fn among(self, matters: impl Fn(Term) -> bool, free: &mut Free) -> State {
        self.restricted(|about, _| free.of(about).iter().all(|variable| matters(*variable)))
    }

    /// What is left where only some knowledge matters.
    pub fn restricted(mut self, mut matters: impl FnMut(Term, &Known) -> bool) -> State {
        if self.0.iter().any(|(about, known)| !matters(*about, known)) {
            Rc::make_mut(&mut self.0).retain(|about, known| matters(*about, known));
        }
        self
    }

    /// Knows this of a place or an atom, and nothing else.
    pub fn set(&mut self, about: Term, known: Known) {
        Rc::make_mut(&mut self.0).insert(about, known);
    }

    /// Forgets all that is known about some variables.
    pub fn forget(&mut self, variables: &[Term], free: &mut Free) {
        let is_about = |about: &Term, free: &mut Free| free.of(*about).iter().any(|part| variables.contains(part));
        if self.0.keys().any(|about| is_about(about, free)) {
            Rc::make_mut(&mut self.0).retain(|about, _| !is_about(about, free));
        }
    }

    /// What is known, with other names for variables.
    pub fn renamed(&self, mut name: impl FnMut(Term) -> Option<Term>) -> Vec<(Term, Known)> {
        self.0.iter().map(|(about, known)| (substitute(*about, &mut name), known.clone())).collect()
    }

    /// A term with values in the place of variables.
    fn at(&self, term: Term) -> Term {
        if self.0.is_empty() || term.value().is_some() {
            return term;
        }
        let term = substitute(term, |variable| match self.0.get(&variable) {
            Some(Known::Is(value)) => Some(*value),
            _ => None,
        });
        match self.0.get(&term) {
            Some(Known::Is(value)) => *value,
            _ => term,
        }
    }

    /// What is known of a term.
    pub fn known(&self, term: Term, free: &mut Free) -> Option<Known> {
        let value = self.at(term);
        if is_place(value, free) {
            return self.0.get(&value).cloned();
        }
        (free.of(value).is_empty() && dag_size(value) <= LARGEST).then_some(Known::Is(value))
    }

    /// What is known of a map's elements, by index.
    fn elements(&self, map: Term, free: &mut Free) -> Vec<(Term, Known)> {
        match (map.op(), map.args()) {
            (TermOp::Store, [rest, index, value]) => {
                let index = self.at(*index);
                let mut elements = self.elements(*rest, free);
                elements.retain(|(other, _)| eq(*other, index) == falsehood());
                if free.of(index).is_empty()
                    && dag_size(index) <= LARGEST
                    && let Some(known) = self.known(*value, free)
                {
                    elements.push((index, known));
                }
                elements
            }
            _ if map.is_var() => {
                let is_element = |about: &Term| *about.op() == TermOp::Select && about.args()[0] == map;
                let elements = self.0.iter().filter(|(about, _)| is_element(about));
                elements.map(|(about, known)| (about.args()[1], known.clone())).collect()
            }
            _ => Vec::new(),
        }
    }

    /// What is known where a condition holds besides; none if it cannot.
    pub fn assume(&self, condition: Term, free: &mut Free) -> Option<State> {
        let condition = self.at(condition);
        let (is_true, atom) = match (condition.op(), condition.args()) {
            _ if condition == truth() => return Some(self.clone()),
            _ if condition == falsehood() => return None,
            (TermOp::Not, [atom]) => (false, *atom),
            _ => (true, condition),
        };
        let part = |part: &Term| if is_true { *part } else { not(*part) };
        match (atom.op(), is_true, atom.args()) {
            (TermOp::And, true, parts) | (TermOp::Or, false, parts) => {
                parts.iter().try_fold(self.clone(), |state, conjunct| state.assume(part(conjunct), free))
            }
            (TermOp::Or, true, parts) | (TermOp::And, false, parts) => {
                let mut possible = parts.iter().filter_map(|disjunct| self.assume(part(disjunct), free));
                let first = possible.next()?;
                Some(if possible.next().is_some() { self.clone() } else { first })
            }
            (TermOp::Eq, _, [one, other]) => {
                let is_value = |term: Term, free: &mut Free| free.of(term).is_empty();
                if is_place(*one, free) && is_value(*other, free) {
                    self.with(*one, *other, is_true)
                } else if is_place(*other, free) && is_value(*one, free) {
                    self.with(*other, *one, is_true)
                } else {
                    self.with_atom(atom, is_true, free)
                }
            }
            (TermOp::Le, _, [one, other]) => self.with_atom(lt(*other, *one), !is_true, free),
            _ if atom.is_var() => self.with(atom, truth(), is_true),
            _ => self.with_atom(atom, is_true, free),
        }
    }

    /// What is known where an atom holds, or does not.
    fn with_atom(&self, atom: Term, is_true: bool, free: &mut Free) -> Option<State> {
        // What is known of constants never changes, so that there would be much of it.
        if dag_size(atom) > LARGEST || free.of(atom).is_empty() || !bound(atom).is_empty() {
            return Some(self.clone());
        }
        match self.0.get(&atom) {
            Some(Known::Is(value)) if (*value == truth()) != is_true => None,
            Some(_) => Some(self.clone()),
            None => {
                let mut state = self.clone();
                state.set(atom, Known::Is(if is_true { truth() } else { falsehood() }));
                Some(state)
            }
        }
    }

    /// What is known where a place is a value or is not.
    fn with(&self, place: Term, value: Term, is_equal: bool) -> Option<State> {
        let excluded = match self.0.get(&place) {
            Some(Known::Is(known)) => {
                let impossible = if is_equal { falsehood() } else { truth() };
                return (eq(*known, value) != impossible).then(|| self.clone());
            }
            Some(Known::IsNot(excluded)) => &excluded[..],
            None => &[],
        };
        let mut state = self.clone();
        if is_equal {
            if excluded.contains(&value) {
                return None;
            }
            if dag_size(value) <= LARGEST {
                state.set(place, Known::Is(value));
            }
        } else if *place.sort().kind() == SortKind::Bool {
            state.set(place, Known::Is(not(value)));
        } else if excluded.len() < MOST_EXCLUDED && !excluded.contains(&value) && dag_size(value) <= LARGEST {
            let mut more = excluded.to_vec();
            more.push(value);
            more.sort_unstable();
            state.set(place, Known::IsNot(more));
        }
        Some(state)
    }

    /// What is known of variables that are given values.
    pub fn given(&self, pairs: &[(Term, Term)], free: &mut Free) -> Vec<(Term, Known)> {
        let mut new = Vec::new();
        for (variable, value) in pairs {
            if matches!(variable.sort().kind(), SortKind::Array(..)) {
                let elements = self.elements(*value, free).into_iter();
                new.extend(elements.map(|(index, known)| (select(*variable, index), known)));
                continue;
            }
            new.extend(self.known(*value, free).map(|known| (*variable, known)));
            if value.is_var() {
                // What is known of a variable in other ways is known of its copy, unless it is about what is given a value as well.
                let stays = |part: &Term| part == value || pairs.iter().all(|(given, _)| given != part);
                let is_other = |about: Term, free: &mut Free| {
                    !is_place(about, free) && free.of(about).contains(value) && free.of(about).iter().all(stays)
                };
                let others = self.0.iter().filter(|(about, _)| is_other(**about, free));
                let copied = |about: Term| substitute(about, |part| (part == *value).then_some(*variable));
                new.extend(others.map(|(about, known)| (copied(*about), known.clone())).collect::<Vec<_>>());
            }
        }
        new
    }

    /// What is known after an operation that is no call of a body; none if it cannot be taken.
    pub fn after(&self, op: &Op, free: &mut Free) -> Option<State> {
        let mut state = self.clone();
        match op {
            Op::Assign(pairs) => {
                let new = self.given(pairs, free);
                state.forget(&pairs.iter().map(|(variable, _)| *variable).collect::<Vec<_>>(), free);
                new.into_iter().for_each(|(about, known)| state.set(about, known));
            }
            Op::Assume(condition) => return self.assume(*condition, free),
            Op::Havoc(variables) | Op::Call { results: variables, .. } => state.forget(variables, free),
            Op::Spawn { .. } | Op::AtomicBegin | Op::AtomicEnd => {}
        }
        Some(state)
    }

    /// The same as a formula, over variables that are named so.
    pub fn formula(&self, name: impl Fn(Term) -> Term) -> Term {
        and(self.0.iter().flat_map(|(about, known)| {
            let (values, is_equal) = match known {
                Known::Is(value) => (std::slice::from_ref(value), true),
                Known::IsNot(values) => (&values[..], false),
            };
            let about = substitute(*about, |variable| Some(name(variable)));
            values.iter().map(move |value| {
                let equal = eq(about, *value);
                if is_equal { equal } else { not(equal) }
            })
        }))
    }
}

/// Whether a term is a variable, or an element of one at a known index.
fn is_place(term: Term, free: &mut Free) -> bool {
    match (term.op(), term.args()) {
        (TermOp::Select, [map, index]) => map.is_var() && free.of(*index).is_empty(),
        _ => term.is_var() && !matches!(term.sort().kind(), SortKind::Array(..)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use term::Sort;
    use term::build::{add, int, le, store};

    fn var(name: &str) -> Term {
        Term::var(name, Sort::int())
    }

    fn map(name: &str) -> Term {
        Term::var(name, Sort::array(Sort::int(), Sort::int()))
    }

    /// Assigns, one after the other.
    fn after(state: &State, pairs: &[(Term, Term)]) -> State {
        let assign = |state: State, pair: &(Term, Term)| {
            state.after(&Op::Assign(vec![*pair]), &mut Free::new()).expect("assignments can be taken")
        };
        pairs.iter().fold(state.clone(), assign)
    }

    fn can(state: &State, condition: Term) -> bool {
        state.assume(condition, &mut Free::new()).is_some()
    }

    #[test]
    fn values_and_what_they_are_not() {
        let (x, y) = (var("x"), var("y"));
        let state = after(&State::default(), &[(x, int(3)), (y, add(x, int(1)))]);
        assert!(can(&state, eq(y, int(4))) && !can(&state, eq(y, int(3))));
        let state = State::default().assume(not(eq(x, int(0))), &mut Free::new()).expect("possible");
        let copied = after(&state, &[(y, x), (x, int(0))]);
        assert!(!can(&copied, eq(y, int(0))) && can(&copied, eq(x, int(0))));
    }

    /// An atom is known of a copy, and forgotten when a variable of it changes.
    #[test]
    fn atoms_move_with_their_variables() {
        let (x, y, z) = (var("x"), var("y"), var("z"));
        let state = State::default().assume(lt(x, z), &mut Free::new()).expect("possible");
        let copied = after(&state, &[(y, x)]);
        assert!(!can(&copied, le(z, y)));
        assert!(can(&after(&copied, &[(z, var("w"))]), le(z, y)));
        // Where both are given values at the same time, the atom is about values that are gone.
        let both = Op::Assign(vec![(y, x), (z, int(0))]);
        let both = state.after(&both, &mut Free::new()).expect("assignments can be taken");
        assert!(can(&both, le(z, y)));
    }

    #[test]
    fn elements_of_maps() {
        let (m, x) = (map("m"), var("x"));
        let state = after(&State::default(), &[(m, store(m, int(1), int(5))), (m, store(m, int(2), int(6)))]);
        assert!(!can(&state, eq(select(m, int(1)), int(6))) && can(&state, eq(select(m, int(2)), int(6))));
        // Any element may change where the index is not known.
        let state = after(&state, &[(m, store(m, x, int(7)))]);
        assert!(can(&state, eq(select(m, int(1)), int(6))));
    }
}
