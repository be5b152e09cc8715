//! Few values: for each scalar variable at a location the constants that it may be there, if they are few.
//!
//! Constant propagation (Kildall) with small sets in the place of single constants: identities of objects, states and flags
//! are of this kind. States flow along edges, conditions that exclude constants narrow them, and where ways meet
//! the sets are united; a set that grows too large is forgotten, so every chain of states is short.
//!
//! Invariants: whenever control is at a location, each variable that is named there has one of its values; and the sets
//! are inductive, edge by edge, also when only variables that are live are looked at.

use crate::flow::{Flow, States};
use crate::live::Live;
use ir::{Cfa, Edge, LocId, Op};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::rc::Rc;
use term::build::{eq, falsehood, or, truth};
use term::subst::substitute;
use term::{Op as TermOp, SortKind, Term};

/// A variable has at most so many values, or any.
const MOST_VALUES: usize = 6;
/// A term is computed for so many combinations of its variables' values.
const MOST_COMBINATIONS: usize = 16;
/// The analysis does no more work than this: edges times variables.
const MOST_WORK: usize = 20_000_000;

/// The values of a variable: constants, in order.
type Values = Rc<[Term]>;
/// What is known of variables; those that are not named may have any value.
type State = Rc<FxHashMap<Term, Values>>;

/// What variables may be at the locations of a procedure without calls.
pub struct Few {
    states: States<State>,
}

impl Few {
    /// Nothing, if that would be too much work.
    pub fn new(cfa: &Cfa, live: &Live) -> Option<Few> {
        Some(Few { states: Analysis { live }.states(cfa, MOST_WORK)? })
    }

    /// Whether control may come to a location.
    pub fn is_reached(&self, location: LocId) -> bool {
        self.states[location.0 as usize].is_some()
    }

    /// The values of a variable at a location, if they are few.
    pub fn values(&self, location: LocId, variable: Term) -> Option<&[Term]> {
        self.states[location.0 as usize].as_ref()?.get(&variable).map(|values| &**values)
    }

    /// The values of any term at a location, if they are few.
    pub fn values_of(&self, location: LocId, term: Term) -> Option<Vec<Term>> {
        let state = self.states[location.0 as usize].as_ref()?;
        Evaluator::new(state).values(term).map(|values| values.to_vec())
    }

    /// What is known at a location, as a formula.
    pub fn formula(&self, location: LocId) -> Term {
        let Some(state) = &self.states[location.0 as usize] else { return falsehood() };
        let mut known: Vec<(&Term, &Values)> = state.iter().collect();
        known.sort_unstable_by_key(|(variable, _)| **variable);
        let one_of = |(variable, values): (&Term, &Values)| or(values.iter().map(|value| eq(*variable, *value)));
        term::build::and(known.into_iter().map(one_of))
    }
}

fn is_scalar(variable: Term) -> bool {
    matches!(variable.sort().kind(), SortKind::Bool | SortKind::BitVec(_))
}

struct Analysis<'a> {
    live: &'a Live,
}

impl Flow for Analysis<'_> {
    type State = State;

    fn start(&self) -> State {
        State::default()
    }

    fn size(&self, state: &State) -> usize {
        state.len()
    }

    fn join(&self, one: &State, other: &State) -> State {
        if Rc::ptr_eq(one, other) {
            return one.clone();
        }
        let both = one.iter().filter_map(|(variable, values)| Some((*variable, united(values, other.get(variable)?)?)));
        let both: FxHashMap<Term, Values> = both.collect();
        if both == **one { one.clone() } else { Rc::new(both) }
    }

    fn transfer(&self, state: &State, edge: &Edge) -> Option<State> {
        let matters = |variable: Term| self.live.at(edge.to, variable);
        let after = match &edge.op {
            Op::Assume(condition) => assume(state, *condition, true)?,
            Op::Assign(pairs) => {
                let mut evaluator = Evaluator::new(state);
                let mut after = State::clone(state);
                for (variable, value) in pairs.iter().filter(|(variable, _)| is_scalar(*variable)) {
                    let values = if matters(*variable) { evaluator.values(*value) } else { None };
                    set(&mut after, *variable, values);
                }
                after
            }
            Op::Havoc(variables) => {
                let mut after = State::clone(state);
                variables.iter().for_each(|variable| set(&mut after, *variable, None));
                after
            }
            _ => state.clone(),
        };
        if after.keys().all(|variable| matters(*variable)) {
            return Some(after);
        }
        let kept = after.iter().filter(|(variable, _)| matters(**variable));
        Some(Rc::new(kept.map(|(variable, values)| (*variable, values.clone())).collect()))
    }
}

fn united(one: &Values, other: &Values) -> Option<Values> {
    if one == other {
        return Some(one.clone());
    }
    let all: BTreeSet<Term> = one.iter().chain(other.iter()).copied().collect();
    (all.len() <= MOST_VALUES).then(|| all.into_iter().collect())
}

fn set(state: &mut State, variable: Term, values: Option<Values>) {
    if state.get(&variable) == values.as_ref() {
        return;
    }
    match values {
        Some(values) => Rc::make_mut(state).insert(variable, values),
        None => Rc::make_mut(state).remove(&variable),
    };
}

/// The state where a condition has a truth value; `None` if it cannot.
fn assume(state: &State, condition: Term, wanted: bool) -> Option<State> {
    let constant = if wanted { truth() } else { falsehood() };
    if Evaluator::new(state).values(condition).is_some_and(|values| !values.contains(&constant)) {
        return None;
    }
    match (condition.op(), condition.args(), wanted) {
        (TermOp::Not, [inner], _) => assume(state, *inner, !wanted),
        (TermOp::And, all, true) | (TermOp::Or, all, false) => {
            all.iter().try_fold(state.clone(), |state, part| assume(&state, *part, wanted))
        }
        (TermOp::Var { .. }, _, _) => keep(state, condition, |value| value == constant, Some(constant)),
        (TermOp::Eq, [a, b], _) => {
            let (variable, other) = if a.is_var() { (*a, *b) } else { (*b, *a) };
            match other.value() {
                Some(_) if is_scalar(variable) && variable.is_var() => {
                    keep(state, variable, |value| (value == other) == wanted, wanted.then_some(other))
                }
                _ => Some(state.clone()),
            }
        }
        _ => Some(state.clone()),
    }
}

/// The state where a variable has one of its values that are to be kept; if it may have any, it has the `only` one.
fn keep(state: &State, variable: Term, is_kept: impl Fn(Term) -> bool, only: Option<Term>) -> Option<State> {
    let values: Option<Values> = match state.get(&variable) {
        Some(values) => Some(values.iter().copied().filter(|value| is_kept(*value)).collect()),
        None => only.map(|only| Rc::from([only])),
    };
    if values.as_ref().is_some_and(|values| values.is_empty()) {
        return None;
    }
    let mut state = state.clone();
    set(&mut state, variable, values);
    Some(state)
}

/// Computes terms in one state.
struct Evaluator<'a> {
    state: &'a State,
    known: FxHashMap<Term, Option<Values>>,
}

impl Evaluator<'_> {
    fn new(state: &State) -> Evaluator<'_> {
        Evaluator { state, known: FxHashMap::default() }
    }

    /// The values of a term, if they are few.
    fn values(&mut self, term: Term) -> Option<Values> {
        if let Some(known) = self.known.get(&term) {
            return known.clone();
        }
        let values = self.compute(term);
        self.known.insert(term, values.clone());
        values
    }

    fn compute(&mut self, term: Term) -> Option<Values> {
        if term.value().is_some() {
            return Some(Rc::from([term]));
        }
        match (term.op(), term.args()) {
            (TermOp::Var { .. }, _) => self.state.get(&term).cloned(),
            (TermOp::Ite, [condition, yes, no]) => match self.values(*condition).as_deref() {
                Some([only]) => self.values(if *only == truth() { *yes } else { *no }),
                _ => united(&self.values(*yes)?, &self.values(*no)?),
            },
            _ => self.combined(term),
        }
    }

    /// The values of a term for all values of its variables.
    fn combined(&self, term: Term) -> Option<Values> {
        let single = |variable: Term| match self.state.get(&variable).map(|values| &**values) {
            Some([only]) => Some(*only),
            _ => None,
        };
        let mut terms = vec![substitute(term, single)];
        let open = term::free::variables([terms[0]]);
        let mut combinations = 1;
        for variable in open {
            let values = self.state.get(&variable)?;
            combinations *= values.len();
            if combinations > MOST_COMBINATIONS {
                return None;
            }
            let with = |term: &Term, value: &Term| substitute(*term, |v| (v == variable).then_some(*value));
            terms = terms.iter().flat_map(|term| values.iter().map(move |value| with(term, value))).collect();
        }
        let all: BTreeSet<Term> = terms.into_iter().collect();
        (all.len() <= MOST_VALUES && all.iter().all(|term| term.value().is_some())).then(|| all.into_iter().collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ir::ProcId;

    /// What is known of `x` at the exit of a program that begins with it arbitrary.
    fn check(edges: &str, expected: Option<&[u128]>) {
        let text = format!(
            "global x: bv8\nglobal y: bv8\nprocedure main() {{\n{edges}\n}}\nprocedure other() {{\nentry -> exit: assume (= x y)\n}}\n"
        );
        let program = ir::parse(&text).unwrap_or_else(|errors| panic!("{errors:?}"));
        let Ok(cfa) = &program.procedure(ProcId(0)).body else { panic!("a body") };
        // Everything is live in a procedure that is not the entry.
        let live = Live::new(&ir::Program { entry: ProcId(1), ..program.clone() }, ProcId(0));
        let few = Few::new(cfa, &live).expect("little work");
        let values = few.values(cfa.exit(), Term::var("x", term::Sort::bv(8)));
        let numbers =
            values.map(|values| values.iter().filter_map(|v| v.as_bv()).map(|v| v.unsigned()).collect::<Vec<_>>());
        let sorted = numbers.map(|mut numbers| {
            numbers.sort_unstable();
            numbers
        });
        assert_eq!(sorted.as_deref(), expected, "{edges}");
    }

    #[test]
    fn values_are_united_narrowed_and_forgotten() {
        check("entry -> exit: x := #x07", Some(&[7]));
        check("entry -> exit: x := #x07\nentry -> exit: x := #x09", Some(&[7, 9]));
        check("entry -> exit: skip\nentry -> exit: x := #x09", None);
        check("entry -> a: x := #x07\nentry -> a: x := #x09\na -> exit: assume (not (= x #x09))", Some(&[7]));
        check("entry -> exit: assume (= x #x05)", Some(&[5]));
        check("entry -> a: y := #x01\nentry -> a: y := #x03\na -> exit: x := (bvadd y #x01)", Some(&[2, 4]));
        check("entry -> a: x := #x00\na -> a: x := (bvadd x #x01)\na -> exit: skip", None);
        check("entry -> a: x := #x00\na -> a: x := (bvxor x #x01)\na -> exit: skip", Some(&[0, 1]));
        check("entry -> a: x := #x01\na -> exit: havoc x", None);
    }
}
